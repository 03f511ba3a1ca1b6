//! Reading: segments, lines, whole groups and damage.
//!
//! The reader reads every segment of a [`Storage`]; it writes nothing and takes no lock.
//!
//! Every line can be verified from its own bytes ([`codec::decode`]), so damage is detected line by line and
//! makes no other line invalid. Neighbouring lines decide only two questions: whether an intact line is in
//! its place, and whether lines are missing before it.
//!
//! **Invariants.** A [`Scanner`] returns each whole group exactly once and in order, and returns the same
//! groups if it starts at the end of any of them. It never returns a part of a group that could still be
//! torn, nor a group that stops counting once a writer has appended.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;

use crate::chain::Hash;
use crate::codec;
use crate::entry::{Entry, EntryId};
use crate::error::{Error, Result};
use crate::lines::{Lines, Read};
use crate::storage::{Archived, Blob, Storage};

/// The number of bytes at the end of a tape that are searched for an intact line.
const END_BYTES: u64 = 1 << 21;
/// The number of bytes at the end of a tape that are read first for its last line.
const PIECE_BYTES: u64 = 1 << 13;

/// The location of an entry's line. A segment is identified by its first entry, before and after it is
/// archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// The offset of the line, in bytes from the segment's start.
    pub offset: u64,
    /// The line's length in bytes, without its newline.
    pub length: u64,
}

/// The end of a whole group, at which reading can continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// The offset in bytes from the segment's start.
    pub offset: u64,
    /// The last entry that counts; 0 at the start.
    pub last_id: EntryId,
    /// The hash of that entry; [`Hash::ZERO`] at the start.
    pub last_hash: Hash,
    /// The date of that entry; the Unix epoch at the start.
    pub last_date: Timestamp,
}

impl Position {
    /// The position before the first entry.
    pub const START: Self =
        Self { segment: 1, offset: 0, last_id: 0, last_hash: Hash::ZERO, last_date: Timestamp::UNIX_EPOCH };
}

/// An entry and the location of its line.
#[derive(Clone, Debug)]
pub struct Located {
    /// The entry.
    pub entry: Entry,
    /// The location of its line.
    pub at: Location,
}

/// The entries of one write, which count only together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The entries, in order.
    pub entries: Vec<Located>,
    /// The end of the group.
    pub end: Position,
}

/// A line of a segment, intact or damaged.
#[derive(Clone, Copy, Debug)]
pub struct RawLine<'a> {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// The archived segment; `None` for `tape.jsonl`.
    pub archived: Option<Archived>,
    /// The line number, counted from 1.
    pub number: u64,
    /// The offset of the line, in bytes from the segment's start.
    pub offset: u64,
    /// The bytes of the line, without its newline.
    pub bytes: &'a [u8],
    /// Whether the line ends with a newline.
    pub ended: bool,
}

/// A place where the tape differs from what a writer wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// The archived segment; `None` for `tape.jsonl`.
    pub archived: Option<Archived>,
    /// The line number, counted from 1; `None` if the scan did not start at the segment's start.
    pub line: Option<u64>,
    /// The offset of the line, in bytes.
    pub byte: u64,
    /// A message that describes the damage.
    pub why: String,
    /// Whether the line at this place counts. If it does, the lines before it are missing or differ.
    pub counts: bool,
}

/// An item returned by a [`Scanner`].
#[derive(Debug)]
pub enum Scanned {
    /// A whole group.
    Group(Group),
    /// A skipped line, or missing lines before a line that counts.
    Damage(Damage),
}

/// The state of the tape after the last whole group.
#[derive(Clone, Debug)]
pub struct Tail {
    /// The end of the last whole group.
    pub end: Position,
    /// The hash of the last line that counts: the `prev` of the next entry.
    pub last_hash: Hash,
    /// The date of the last line that counts.
    pub last_date: Timestamp,
    /// The id of the next entry. An id that an entry lost in damage may have had is not used again.
    pub next_id: EntryId,
    /// The first entry of the active segment.
    pub active: EntryId,
    /// The length of the active segment, in bytes.
    pub len: u64,
    /// The incomplete line or group at the end, which was never acknowledged.
    pub torn: Option<Torn>,
    /// The offset at which damage begins after which no line counts.
    pub damaged: Option<u64>,
    /// Whether the last byte is not a newline.
    pub unfinished_line: bool,
}

/// The beginning of a torn tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torn {
    /// The offset at which it begins, in bytes from the start of the active segment.
    pub start: u64,
    /// The id that its first entry would have had.
    pub first: EntryId,
}

/// A snapshot of the segments of a tape, open for reading.
pub struct Segments {
    storage: Arc<dyn Storage>,
    pub(crate) list: Vec<Segment>,
}

#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) first: EntryId,
    /// An archived segment. It is opened when it is needed, because there may be many.
    pub(crate) archived: Option<Archived>,
    /// The active segment. It is opened at once, because another file may take its name.
    active: Option<Arc<dyn Blob>>,
}

impl Segments {
    /// Returns whether there is no segment at all: not even the empty one that a new tape begins with.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.list.iter().all(|segment| segment.archived.is_none() && segment.active.is_none())
    }
}

impl Segment {
    pub(crate) fn open(&self, storage: &dyn Storage) -> Result<Option<Arc<dyn Blob>>> {
        match &self.archived {
            Some(archived) => storage.open_archived(archived).map(Some),
            None => Ok(self.active.clone()),
        }
    }
}

impl Segment {
    /// Passes every line of its blob to `each`, and the bytes after the last newline.
    pub(crate) fn each_line<E: From<Error>>(
        &self,
        blob: &dyn Blob,
        mut each: impl FnMut(RawLine<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (segment, archived) = (self.first, self.archived);
        let mut lines = Lines::new(0);
        let mut number = 0;
        loop {
            number += 1;
            match lines.next(blob)? {
                Read::Line { offset, .. } => {
                    each(RawLine { segment, archived, number, offset, bytes: lines.line(), ended: true })?;
                }
                Read::End { rest: false } => return Ok(()),
                Read::End { rest: true } => {
                    let (offset, bytes) = (lines.offset, lines.rest());
                    return each(RawLine { segment, archived, number, offset, bytes, ended: false });
                }
            }
        }
    }
}

impl Segments {
    /// Opens the segments of a tape.
    ///
    /// # Errors
    /// [`Error::Io`] if the active segment cannot be opened or the archived ones cannot be listed.
    pub fn open(storage: &Arc<dyn Storage>) -> Result<Self> {
        // If a segment is archived between the two calls, it would appear twice or not at all. The active
        // segment must therefore be the same file before and after the list is read.
        loop {
            let active = storage.active()?;
            let archived = storage.archived()?;
            if !same_blob(active.as_ref(), storage.active()?.as_ref()) {
                continue;
            }
            let first = archived.last().map_or(1, |segment| segment.last + 1);
            let closed =
                archived.into_iter().map(|a| Segment { first: a.first, archived: Some(a), active: None });
            let mut list: Vec<Segment> = closed.collect();
            list.push(Segment { first, archived: None, active });
            return Ok(Self { storage: Arc::clone(storage), list });
        }
    }

    /// Returns whether the active segment is still the file that was opened. It is a different file after an
    /// archive, and after an erasure, which rewrites the active segment last.
    ///
    /// # Errors
    /// [`Error::Io`] if the active segment cannot be opened.
    pub fn are_current(&self) -> Result<bool> {
        let opened = self.list.last().and_then(|segment| segment.active.as_ref());
        Ok(same_blob(opened, self.storage.active()?.as_ref()))
    }

    /// Passes the bytes of every line of every segment to `each`, including damaged lines and the rest after
    /// the last newline.
    ///
    /// # Errors
    /// [`Error::Io`] if a segment cannot be read, and any error of `each`.
    pub fn each_line<E: From<Error>>(
        &self,
        mut each: impl FnMut(RawLine<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for segment in &self.list {
            if let Some(blob) = segment.open(self.storage.as_ref())? {
                segment.each_line(blob.as_ref(), &mut each)?;
            }
        }
        Ok(())
    }

    /// Returns the first entry of the active segment.
    #[must_use]
    pub fn active(&self) -> EntryId {
        self.list.last().map_or(1, |segment| segment.first)
    }

    /// Returns the number of segments, the active one included.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.list.iter().filter(|s| s.archived.is_some() || s.active.is_some()).count() as u64
    }

    /// Returns the length of the active segment in bytes.
    ///
    /// # Errors
    /// [`Error::Io`] if its length cannot be read.
    pub fn active_len(&self) -> Result<u64> {
        match self.list.last().and_then(|segment| segment.active.as_ref()) {
            Some(blob) => blob.len(),
            None => Ok(0),
        }
    }

    /// Returns the id of the last entry by reading only the end of the tape; `None` if no line near the end
    /// of the active segment can be read.
    ///
    /// # Errors
    /// [`Error::Io`] if the active segment cannot be read.
    pub fn last_id(&self) -> Result<Option<EntryId>> {
        let Some(blob) = self.list.last().and_then(|segment| segment.active.as_ref()) else {
            return Ok(None);
        };
        let end = end_of(blob.as_ref(), END_BYTES)?;
        let mut lines = end.rsplit(|byte| *byte == b'\n');
        Ok(lines.find_map(|line| codec::decode(line).ok()).map(|entry| entry.id))
    }

    /// Returns the id and the hash of the last entry by reading only the end of the tape; 0 and [`Hash::ZERO`] if the
    /// tape is empty, `None` if it does not end with a whole group.
    ///
    /// # Errors
    /// [`Error::Io`] if a segment cannot be read.
    pub fn end(&self) -> Result<Option<(EntryId, Hash)>> {
        for segment in self.list.iter().rev() {
            let Some(blob) = segment.open(self.storage.as_ref())? else { continue };
            let len = blob.len()?;
            if len == 0 {
                continue;
            }
            let mut window = PIECE_BYTES.min(len);
            loop {
                let end = end_of(blob.as_ref(), window)?;
                let Some((b'\n', lines)) = end.split_last() else { return Ok(None) };
                let start = lines.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
                match start.or((window == len).then_some(0)) {
                    Some(start) => {
                        let last = codec::decode(&lines[start..]).ok().filter(|entry| entry.more == 0);
                        return Ok(last.map(|entry| (entry.id, entry.hash)));
                    }
                    None => window = (window * 8).min(len),
                }
            }
        }
        Ok(Some((0, Hash::ZERO)))
    }

    /// Reads the entry at a location and checks its hash.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the segment does not exist or the location does not hold that entry intact;
    /// [`Error::Io`] if the segment cannot be read.
    pub fn read(&self, id: EntryId, at: Location) -> Result<Entry> {
        let unreadable = |why: &str| Error::Unreadable { id, why: why.to_owned() };
        let segment = self.list.iter().find(|segment| segment.first == at.segment);
        let blob = match segment {
            Some(segment) => segment.open(self.storage.as_ref())?,
            None => None,
        };
        let blob = blob.ok_or_else(|| unreadable("its segment is missing"))?;
        // The location comes from an index, which may be damaged.
        let len = blob.len()?;
        if at.offset.checked_add(at.length).is_none_or(|end| end > len) {
            return Err(unreadable("the tape ends before it"));
        }
        let length = usize::try_from(at.length).map_err(|_| unreadable("its line is too long"))?;
        let mut line = vec![0; length];
        let mut filled = 0;
        while filled < line.len() {
            match blob.read_at(at.offset + filled as u64, &mut line[filled..])? {
                0 => return Err(unreadable("the tape ends before it")),
                n => filled += n,
            }
        }
        let entry = codec::decode(&line).map_err(|why| unreadable(&why))?;
        if entry.id == id { Ok(entry) } else { Err(unreadable("another entry is at its position")) }
    }

    /// Returns a scanner that reads from a position to the end.
    #[must_use]
    pub fn scan(&self, from: Position) -> Scanner {
        let segments: VecDeque<Segment> =
            self.list.iter().filter(|segment| segment.first >= from.segment).cloned().collect();
        Scanner::new(Arc::clone(&self.storage), segments, from, self.active())
    }
}

/// Returns the last bytes of a blob, at most `most`.
fn end_of(blob: &dyn Blob, most: u64) -> Result<Vec<u8>> {
    let len = blob.len()?;
    let from = len.saturating_sub(most);
    let mut end = vec![0; usize::try_from(len - from).unwrap_or_default()];
    let mut filled = 0;
    while filled < end.len() {
        match blob.read_at(from + filled as u64, &mut end[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    end.truncate(filled);
    Ok(end)
}

fn same_blob(a: Option<&Arc<dyn Blob>>, b: Option<&Arc<dyn Blob>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// A reader of groups from a position to the end. See [`Segments::scan`].
pub struct Scanner {
    storage: Arc<dyn Storage>,
    segments: VecDeque<Segment>,
    active: EntryId,
    /// The segment being read.
    current: Option<Segment>,
    /// The bytes of that segment, once it is open.
    blob: Option<Arc<dyn Blob>>,
    lines: Lines,
    last: Last,
    pending: Pending,
    /// The end of the last group returned.
    end: Position,
    /// Items that were found together and are returned one by one.
    found: VecDeque<Scanned>,
    tail: Option<Tail>,
}

/// The last line that counts, and the damage since.
struct Last {
    id: EntryId,
    hash: Hash,
    date: Timestamp,
    /// Maximum number of entries that may have been lost in damage since that line.
    lost: u64,
    /// The offset in the segment at which that damage begins.
    damaged: Option<u64>,
}

/// The group being read.
#[derive(Default)]
struct Pending {
    entries: Vec<Located>,
    /// The id of its last entry.
    end: EntryId,
    /// The offset at which the group begins.
    start: u64,
    /// The offset at which its last line that counts ends.
    counted: u64,
    /// Whether a line is damaged or missing after the first line of the group that counts.
    damaged: bool,
}

impl Scanner {
    fn new(
        storage: Arc<dyn Storage>,
        mut segments: VecDeque<Segment>,
        from: Position,
        active: EntryId,
    ) -> Self {
        let current = segments.pop_front();
        // If the position is at the end of a segment that was archived since, continue at the start of the
        // next one.
        let offset = if current.as_ref().is_some_and(|s| s.first == from.segment) { from.offset } else { 0 };
        let Position { last_id: id, last_hash: hash, last_date: date, .. } = from;
        Self {
            storage,
            segments,
            active,
            current,
            blob: None,
            lines: Lines::new(offset),
            last: Last { id, hash, date, lost: 0, damaged: None },
            pending: Pending::default(),
            end: from,
            found: VecDeque::new(),
            tail: None,
        }
    }

    /// Returns the next group or damage; `None` at the end of the tape.
    ///
    /// # Errors
    /// [`Error::Io`] if a segment cannot be read; [`Error::Unreadable`] if the tape ends before the position
    /// at which the scan started.
    #[allow(clippy::should_implement_trait, reason = "an Iterator would hide that reading fails")]
    pub fn next(&mut self) -> Result<Option<Scanned>> {
        loop {
            if let Some(found) = self.found.pop_front() {
                return Ok(Some(found));
            }
            let Some(segment) = self.current.clone() else {
                return Ok(None);
            };
            if self.blob.is_none() {
                self.blob = segment.open(self.storage.as_ref())?;
            }
            let read = match &self.blob {
                Some(blob) => self.lines.next(blob.as_ref())?,
                None => Read::End { rest: false },
            };
            match read {
                Read::Line { offset, number } => self.line(&segment, offset, number)?,
                Read::End { rest } if segment.archived.is_some() => self.closed_end(&segment, rest),
                Read::End { rest } => self.active_end(&segment, rest)?,
            }
        }
    }

    /// Reads to the end, passes groups and damage to `each`, and returns the state after the last group.
    ///
    /// # Errors
    /// As [`Scanner::next`], and any error of `each`.
    pub fn run<E: From<Error>>(mut self, mut each: impl FnMut(Scanned) -> Result<(), E>) -> Result<Tail, E> {
        while let Some(scanned) = self.next()? {
            each(scanned)?;
        }
        self.tail().ok_or_else(|| {
            E::from(Error::Unreadable { id: 0, why: "the end of the tape was not reached".into() })
        })
    }

    /// Returns the state after the last whole group; `None` if the end was not reached.
    #[must_use]
    pub fn tail(self) -> Option<Tail> {
        self.tail
    }

    fn line(&mut self, segment: &Segment, offset: u64, number: Option<u64>) -> Result<()> {
        let place = Place { segment: segment.first, archived: segment.archived, line: number, byte: offset };
        let bytes = self.lines.line();
        let end = offset + bytes.len() as u64 + 1;
        let entry = match codec::decode(bytes) {
            Ok(entry) => entry,
            Err(why) => {
                let lost = codec::entries_in(bytes);
                self.damage(&place, why, lost);
                return Ok(());
            }
        };
        if let Some(why) = self.misplaced(&entry, segment)? {
            self.damage(&place, why, 0);
        } else {
            self.count(entry, &place, end);
        }
        Ok(())
    }

    /// Returns why an intact line is out of its place; `None` if it is in its place. Such a line was copied
    /// or moved.
    fn misplaced(&self, entry: &Entry, segment: &Segment) -> Result<Option<String>> {
        let (id, last) = (entry.id, self.last.id);
        if id <= last {
            return Ok(Some(format!("entry {id} comes after entry {last}")));
        }
        if let Some(archived) = segment.archived.filter(|archived| id > archived.last) {
            return Ok(Some(format!("entry {id} is in a segment that ends with entry {}", archived.last)));
        }
        // A gap before the line has one of two causes: entries are missing, or the line was moved here from
        // further down and the entries it skips follow. If a moved line were accepted, all of those entries
        // would look out of order.
        if id > last + 1
            && entry.prev != self.last.hash
            && let Some(next) = self.next_intact()?.filter(|next| (last + 1..id).contains(next))
        {
            return Ok(Some(format!("entry {id} comes before entry {next}")));
        }
        Ok(None)
    }

    /// Returns the id of the next intact line of the segment.
    fn next_intact(&self) -> Result<Option<EntryId>> {
        let Some(blob) = &self.blob else { return Ok(None) };
        let mut lines = Lines::new(self.lines.offset);
        loop {
            match lines.next(blob.as_ref())? {
                Read::Line { .. } => {
                    if let Ok(entry) = codec::decode(lines.line()) {
                        return Ok(Some(entry.id));
                    }
                }
                // The unfinished last line counts too: a writer may still add its newline.
                Read::End { .. } => return Ok(codec::decode(lines.rest()).ok().map(|entry| entry.id)),
            }
        }
    }

    /// Skips a damaged line, in which `lost` entries may be lost.
    fn damage(&mut self, place: &Place, why: String, lost: u64) {
        self.found.push_back(Scanned::Damage(place.damage(why)));
        self.last.lost += lost;
        self.last.damaged.get_or_insert(place.byte);
        self.pending.damaged |= !self.pending.entries.is_empty();
    }

    /// Accepts an intact line, which ends at offset `end`.
    fn count(&mut self, entry: Entry, place: &Place, end: u64) {
        let (id, group_end) = (entry.id, entry.group_end());
        let in_place = |why| Scanned::Damage(Damage { counts: true, ..place.damage(why) });
        if let Some(why) = self.last.gap_before(&entry) {
            self.found.push_back(in_place(why));
            self.pending.damaged |= !self.pending.entries.is_empty();
        }
        if !self.pending.entries.is_empty() && group_end != self.pending.end {
            // The open group lost its end. Something was written after it, so it had been acknowledged.
            if !self.pending.damaged {
                self.found.push_back(in_place(format!("entry {id} begins a group inside another")));
            }
            self.finish_group(place.segment);
        }
        if self.pending.entries.is_empty() {
            self.pending.start = place.byte;
            // Damage before its first line that counts does not make a group incomplete.
            self.pending.damaged = false;
        }
        self.last = Last { id, hash: entry.hash, date: entry.date, lost: 0, damaged: None };
        self.pending.end = group_end;
        self.pending.counted = end;
        let at = Location { segment: place.segment, offset: place.byte, length: end - 1 - place.byte };
        let more = entry.more;
        self.pending.entries.push(Located { entry, at });
        if more == 0 {
            self.finish_group(place.segment);
        }
    }

    fn finish_group(&mut self, segment: EntryId) {
        let pending = std::mem::take(&mut self.pending);
        let Some(last) = pending.entries.last() else { return };
        self.end = Position {
            segment,
            offset: pending.counted,
            last_id: last.entry.id,
            last_hash: last.entry.hash,
            last_date: last.entry.date,
        };
        self.found.push_back(Scanned::Group(Group { entries: pending.entries, end: self.end }));
    }

    /// Handles the end of an archived segment.
    fn closed_end(&mut self, segment: &Segment, rest: bool) {
        let place = Place {
            segment: segment.first,
            archived: segment.archived,
            line: self.lines.number(),
            byte: self.lines.offset,
        };
        if rest {
            let lost = codec::entries_in(self.lines.rest());
            self.damage(&place, "the last line is incomplete".into(), lost);
        }
        // The name of the segment states its last entry, so missing lines at its end are detected even if
        // nothing follows.
        let (id, last) = (self.last.id, segment.archived.map_or(0, |archived| archived.last));
        if id < last && self.last.lost == 0 {
            self.damage(&place, format!("the segment ends after entry {id}"), last - id);
        }
        // A group never spans segments, so a group that is still open lost its end.
        self.finish_group(segment.first);
        self.last.damaged = None;
        self.current = self.segments.pop_front();
        self.blob = None;
        self.lines = Lines::new(0);
    }

    /// Handles the end of the tape.
    fn active_end(&mut self, segment: &Segment, rest: bool) -> Result<()> {
        self.current = None;
        let newline_lost = self.newline_lost()?;
        let len = self.lines.offset + self.lines.rest().len() as u64 - u64::from(newline_lost);
        let reached = self.last.reached();
        // A complete line that only lacks its newline may still get it, and would then belong to the group.
        let is_continued =
            rest && codec::decode(self.lines.rest()).is_ok_and(|entry| entry.group_end() == self.pending.end);
        if self.pending.damaged && reached >= self.pending.end && !is_continued {
            self.finish_group(segment.first);
        }
        let torn = match self.pending.entries.first() {
            Some(first) if !self.pending.damaged => {
                Some(Torn { start: self.pending.start, first: first.entry.id })
            }
            // Damage that ends in a newline is never cut off; only the bytes after it are.
            _ => rest.then_some(Torn { start: self.lines.offset, first: reached + 1 }),
        };
        self.tail = Some(Tail {
            end: self.end,
            last_hash: self.last.hash,
            last_date: self.last.date,
            next_id: reached.max(self.pending.end).max(self.active - 1) + 1,
            active: self.active,
            len,
            torn,
            damaged: self.last.damaged,
            unfinished_line: rest || newline_lost,
        });
        Ok(())
    }

    /// Returns whether the last newline of the part read earlier is missing, as after a save by some editors.
    /// A writer that continued at the start position would merge its first line with the line before.
    fn newline_lost(&self) -> Result<bool> {
        let start = self.lines.offset;
        let len = self.lines.end();
        if start <= len {
            return Ok(false);
        }
        let mut last = [0];
        let read = match &self.blob {
            Some(blob) if len + 1 == start => blob.read_at(len - 1, &mut last)?,
            _ => 0,
        };
        if read == 1 && last[0] != b'\n' {
            return Ok(true);
        }
        Err(Error::Unreadable { id: self.last.id, why: "the tape ends before it".into() })
    }
}

impl Last {
    /// The id of the last entry written so far, whether it counts or not.
    fn reached(&self) -> EntryId {
        self.id + self.lost
    }

    /// Returns a description of the gap between this line and an intact one after it; `None` if there is none, or if
    /// reported damage accounts for it.
    fn gap_before(&self, entry: &Entry) -> Option<String> {
        let (id, next) = (entry.id, self.id + 1);
        if id == next {
            return (entry.prev != self.hash)
                .then(|| format!("entry {id} was written after another entry {}", self.id));
        }
        match id - 1 {
            _ if self.lost > 0 => None,
            last if last == next => Some(format!("entry {next} is missing before entry {id}")),
            last => Some(format!("entries {next} to {last} are missing before entry {id}")),
        }
    }
}

struct Place {
    segment: EntryId,
    archived: Option<Archived>,
    line: Option<u64>,
    byte: u64,
}

impl Place {
    fn damage(&self, why: String) -> Damage {
        let Self { segment, archived, line, byte } = *self;
        Damage { segment, archived, line, byte, why, counts: false }
    }
}
