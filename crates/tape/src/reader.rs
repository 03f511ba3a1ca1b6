//! Reading: segments, lines, whole groups, and what stands where they should.
//!
//! *Reads* every segment of a [`Storage`]; *writes* nothing and takes no lock.
//!
//! **Invariants.** A [`Scanner`] gives each whole group once, in order, whichever position it starts from; it
//! gives the same groups when it starts from the end of any of them. It never gives a part of a group that
//! could still be torn, nor anything that would not count any more once a writer has gone on.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;

use crate::chain::Hash;
use crate::codec::{self, Line, Remains};
use crate::entry::{Entry, EntryId};
use crate::error::{Error, Result};
use crate::lines::{Lines, Read};
use crate::links::{Check, Contradiction, Links};
use crate::storage::{Archived, Blob, Storage};

/// Where the line of an entry stands. A segment is named by its first entry, before and after it is archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// Where the line starts, in bytes from the segment's start.
    pub offset: u64,
    /// The line's length in bytes, without its newline.
    pub length: u64,
}

/// The end of a whole group, from which reading can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// Bytes from the segment's start.
    pub offset: u64,
    /// The last entry that counts; 0 at the start.
    pub last_id: EntryId,
    /// Its hash; [`Hash::ZERO`] at the start.
    pub last_hash: Hash,
    /// Its date; the epoch at the start.
    pub last_date: Timestamp,
}

impl Position {
    /// Before the first entry.
    pub const START: Self =
        Self { segment: 1, offset: 0, last_id: 0, last_hash: Hash::ZERO, last_date: Timestamp::UNIX_EPOCH };
}

/// An entry and where it stands.
#[derive(Clone, Debug)]
pub struct Located {
    /// The entry.
    pub entry: Entry,
    /// Where its line is.
    pub at: Location,
}

/// The entries of one write, which count together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The entries, in order.
    pub entries: Vec<Located>,
    /// Where the group ends.
    pub end: Position,
}

/// A line of a segment, whether or not it is as it was written.
#[derive(Clone, Copy, Debug)]
pub struct RawLine<'a> {
    /// The first entry of the segment it is in.
    pub segment: EntryId,
    /// The closed segment it is in; `None` for `tape.jsonl`.
    pub archived: Option<Archived>,
    /// The line, counted from 1.
    pub number: u64,
    /// Where it starts, in bytes from the segment's start.
    pub offset: u64,
    /// Its bytes, without its newline.
    pub bytes: &'a [u8],
    /// Whether a newline ends it.
    pub ended: bool,
}

/// A place on the tape that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The first entry of the segment it is in.
    pub segment: EntryId,
    /// The closed segment it is in; `None` for `tape.jsonl`.
    pub archived: Option<Archived>,
    /// The line, counted from 1; `None` where the scan did not start at the segment's start.
    pub line: Option<u64>,
    /// Where the line starts, in bytes.
    pub byte: u64,
    /// What is wrong, in words.
    pub why: String,
    /// Whether the line counts all the same: only what came before it is in doubt.
    pub counts: bool,
}

/// What a scanner comes across.
#[derive(Debug)]
pub enum Scanned {
    /// A whole group.
    Group(Group),
    /// Something that is passed over.
    Damage(Damage),
}

/// What follows the last whole group.
#[derive(Clone, Debug)]
pub struct Tail {
    /// The end of the last whole group.
    pub end: Position,
    /// The hash of the last line that could be read, to which the next entry is chained.
    pub last_hash: Hash,
    /// The date of that line.
    pub last_date: Timestamp,
    /// The id of the next entry: no id that damage on the tape may hold is used again.
    pub next_id: EntryId,
    /// The first entry of the active segment.
    pub active: EntryId,
    /// The length of the active segment, in bytes.
    pub len: u64,
    /// An incomplete line or group at the end, that was never acknowledged.
    pub torn: Option<Torn>,
    /// Where damage begins after which no good line follows.
    pub damaged: Option<u64>,
    /// Whether the last byte is something else than a newline.
    pub unfinished_line: bool,
}

/// The beginning of a torn tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Where it begins, in bytes from the start of the active segment.
    pub start: u64,
    /// The id its first entry would have had.
    pub first: EntryId,
}

/// The segments of a tape as they stand at one moment, open for reading.
pub struct Segments {
    storage: Arc<dyn Storage>,
    pub(crate) list: Vec<Segment>,
}

#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) first: EntryId,
    /// A closed segment, opened when it is needed: there may be many.
    pub(crate) archived: Option<Archived>,
    /// The active one, opened at once: its name may pass to another file.
    active: Option<Arc<dyn Blob>>,
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
    /// Passes every line of its blob to `each`, and what stands after the last newline.
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
    /// What the medium says.
    pub fn open(storage: &Arc<dyn Storage>) -> Result<Self> {
        // An archive between the two looks would show a segment twice or not at all: the active one must be the
        // same file after the list was taken as before.
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

    /// Whether the active segment is still the file that was opened. It is another one once that was closed, and
    /// after an erasure: whatever else an erasure writes anew, it writes the active segment last.
    ///
    /// # Errors
    /// What the medium says.
    pub fn are_current(&self) -> Result<bool> {
        let opened = self.list.last().and_then(|segment| segment.active.as_ref());
        Ok(same_blob(opened, self.storage.active()?.as_ref()))
    }

    /// Passes every line of every segment to `each`, as its bytes, whether or not it is as it was written; also what
    /// stands after the last newline.
    ///
    /// # Errors
    /// What the medium says, or what `each` does.
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

    /// The first entry of the active segment.
    #[must_use]
    pub fn active(&self) -> EntryId {
        self.list.last().map_or(1, |segment| segment.first)
    }

    /// How many segments there are, the active one included.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.list.iter().filter(|s| s.archived.is_some() || s.active.is_some()).count() as u64
    }

    /// The length of the active segment in bytes.
    ///
    /// # Errors
    /// What the medium says.
    pub fn active_len(&self) -> Result<u64> {
        match self.list.last().and_then(|segment| segment.active.as_ref()) {
            Some(blob) => blob.len(),
            None => Ok(0),
        }
    }

    /// Reads the entry whose line stands there.
    ///
    /// # Errors
    /// [`Error::Unreadable`] where the place holds something else.
    pub fn read(&self, id: EntryId, at: Location) -> Result<Entry> {
        let unreadable = |why: &str| Error::Unreadable { id, why: why.to_owned() };
        let segment = self.list.iter().find(|segment| segment.first == at.segment);
        let blob = match segment {
            Some(segment) => segment.open(self.storage.as_ref())?,
            None => None,
        };
        let blob = blob.ok_or_else(|| unreadable("its segment is gone"))?;
        let length = usize::try_from(at.length).map_err(|_| unreadable("its line is too long"))?;
        let mut line = vec![0; length];
        let mut filled = 0;
        while filled < line.len() {
            match blob.read_at(at.offset + filled as u64, &mut line[filled..])? {
                0 => return Err(unreadable("the tape ends before it")),
                n => filled += n,
            }
        }
        let line = codec::decode(&line).map_err(|why| unreadable(&why))?;
        if line.entry.id == id { Ok(line.entry) } else { Err(unreadable("another entry stands there")) }
    }

    /// Reads on from a position.
    #[must_use]
    pub fn scan(&self, from: Position) -> Scanner {
        let segments: VecDeque<Segment> =
            self.list.iter().filter(|segment| segment.first >= from.segment).cloned().collect();
        Scanner::new(Arc::clone(&self.storage), segments, from, self.active())
    }
}

fn same_blob(a: Option<&Arc<dyn Blob>>, b: Option<&Arc<dyn Blob>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// Reads groups from a position to the end. See [`Segments::scan`].
pub struct Scanner {
    storage: Arc<dyn Storage>,
    segments: VecDeque<Segment>,
    active: EntryId,
    /// The segment being read.
    current: Option<Segment>,
    /// Its bytes, once it is open.
    blob: Option<Arc<dyn Blob>>,
    lines: Lines,
    links: Links,
    pending: Pending,
    /// Whether what counts from here on is up to a writer, who may cut off what shows a line to be wrong.
    undecided: bool,
    /// The end of the last group given.
    end: Position,
    /// Things found together, to be given one by one.
    found: VecDeque<Scanned>,
    tail: Option<Tail>,
}

/// The group being read.
#[derive(Default)]
struct Pending {
    entries: Vec<Located>,
    /// The id of its last entry.
    end: EntryId,
    /// Where it begins.
    start: u64,
    /// Where its last good line ends.
    good: u64,
    /// Whether damage stands inside it.
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
        // A position at the end of a segment that was archived since goes on at the start of the next one.
        let offset = if current.as_ref().is_some_and(|s| s.first == from.segment) { from.offset } else { 0 };
        Self {
            storage,
            segments,
            active,
            current,
            blob: None,
            lines: Lines::new(offset),
            links: Links::after(from),
            pending: Pending::default(),
            undecided: false,
            end: from,
            found: VecDeque::new(),
            tail: None,
        }
    }

    /// The next group or damage; `None` at the end of the tape.
    ///
    /// # Errors
    /// What the medium says.
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

    /// Reads to the end and says what stands there, passing groups and damage to `each`.
    ///
    /// # Errors
    /// What the medium says, or what `each` does.
    pub fn run<E: From<Error>>(mut self, mut each: impl FnMut(Scanned) -> Result<(), E>) -> Result<Tail, E> {
        while let Some(scanned) = self.next()? {
            each(scanned)?;
        }
        self.tail().ok_or_else(|| E::from(Error::Unreadable { id: 0, why: "the tape has no end".into() }))
    }

    /// What follows the last whole group; `None` before the end was reached.
    #[must_use]
    pub fn tail(self) -> Option<Tail> {
        self.tail
    }

    fn line(&mut self, segment: &Segment, offset: u64, number: Option<u64>) -> Result<()> {
        let bytes = self.lines.line();
        let length = bytes.len() as u64;
        let place = Place { segment: segment.first, archived: segment.archived, line: number, byte: offset };
        let line = match codec::decode(bytes) {
            Ok(line) => line,
            Err(why) => {
                let remains = codec::remains(bytes);
                self.damage(&place, why, &remains);
                return Ok(());
            }
        };
        match self.links.check(&line) {
            Check::Follows { anew } => self.good(line.entry, &place, length, anew),
            Check::Altered(why) => self.altered(&place, why, &line),
            Check::Unlinked { why, linked } => {
                let wrong = if linked { None } else { self.contradiction(&line)? };
                if let Some(Contradiction { why, torn }) = wrong {
                    self.undecided |= torn;
                    self.altered(&place, why, &line);
                } else {
                    self.found.push_back(Scanned::Damage(Damage { counts: true, ..place.damage(why) }));
                    self.good(line.entry, &place, length, linked);
                }
            }
        }
        Ok(())
    }

    /// What shows that a line that cannot be linked is not what was written.
    fn contradiction(&self, line: &Line) -> Result<Option<Contradiction>> {
        let id = line.entry.id;
        let archived = self.current.as_ref().and_then(|segment| segment.archived);
        if let Some(Archived { last, .. }) = archived
            && id > last
        {
            let why = format!("entry {id} stands in a segment that ends with entry {last}");
            return Ok(Some(Contradiction { why, torn: false }));
        }
        let Some(blob) = &self.blob else { return Ok(None) };
        self.links.contradiction(line, blob.as_ref(), Lines::new(self.lines.offset), archived.is_none())
    }

    fn altered(&mut self, place: &Place, why: String, line: &Line) {
        self.found.push_back(Scanned::Damage(place.damage(why)));
        self.links.pass_altered(place.byte, line);
        self.pending.damaged |= !self.pending.entries.is_empty();
    }

    fn damage(&mut self, place: &Place, why: String, remains: &Remains) {
        self.found.push_back(Scanned::Damage(place.damage(why)));
        self.links.pass(place.byte, remains);
        self.pending.damaged |= !self.pending.entries.is_empty();
    }

    fn good(&mut self, entry: Entry, place: &Place, length: u64, anew: bool) {
        let id = entry.id;
        let group_end = entry.group_end();
        let missing = id > self.links.last_id + 1;
        if !self.pending.entries.is_empty() && (anew || group_end != self.pending.end) {
            if self.pending.damaged || missing {
                // Its end is lost, yet something was written after it: it had been acknowledged.
                self.finish_group(place.segment);
            } else {
                let why = format!("entry {id} begins a group inside another, which is passed over");
                self.found.push_back(Scanned::Damage(place.damage(why)));
                self.pending = Pending::default();
            }
        }
        if self.pending.entries.is_empty() {
            self.pending.start = place.byte;
            // Damage before the first good line of a group belongs to it where the numbers say so; either
            // way the group is whole, for its line stands after the damage.
            self.pending.damaged = false;
        }
        self.links.advance(&entry);
        self.pending.end = group_end;
        self.pending.good = place.byte + length + 1;
        let at = Location { segment: place.segment, offset: place.byte, length };
        let more = entry.more;
        self.pending.entries.push(Located { entry, at });
        if more == 0 {
            self.finish_group(place.segment);
        }
    }

    fn finish_group(&mut self, segment: EntryId) {
        let pending = std::mem::take(&mut self.pending);
        let Some(last) = pending.entries.last().filter(|_| !self.undecided) else { return };
        self.end = Position {
            segment,
            offset: pending.good,
            last_id: last.entry.id,
            last_hash: last.entry.hash,
            last_date: last.entry.date,
        };
        self.found.push_back(Scanned::Group(Group { entries: pending.entries, end: self.end }));
    }

    /// The end of a closed segment.
    fn closed_end(&mut self, segment: &Segment, rest: bool) {
        let place = Place {
            segment: segment.first,
            archived: segment.archived,
            line: self.lines.number(),
            byte: self.lines.offset,
        };
        if rest {
            let remains = codec::remains(self.lines.rest());
            self.damage(&place, "the last line has no end".into(), &remains);
        }
        // Its name says how far it went: what was cut off shows even where nothing follows.
        let (reached, last) = (self.links.reached(), segment.archived.map_or(0, |archived| archived.last));
        if reached < last {
            let why = format!("the segment ends after entry {reached}");
            let missing = last - reached;
            self.damage(&place, why, &Remains { hash: None, entries: missing, certain: missing });
        }
        // A group never spans segments: what is still open here lost its end.
        self.finish_group(segment.first);
        self.links.damaged = None;
        self.current = self.segments.pop_front();
        self.blob = None;
        self.lines = Lines::new(0);
    }

    /// The end of the tape.
    fn active_end(&mut self, segment: &Segment, rest: bool) -> Result<()> {
        self.current = None;
        let mut len = self.lines.offset + self.lines.rest().len() as u64;
        let newline_lost = self.newline_lost()?;
        if newline_lost {
            len -= 1;
        }
        // A line that only lacks its newline may get it yet, and would then be the group's.
        let goes_on = rest
            && codec::decode(self.lines.rest()).is_ok_and(|line| line.entry.group_end() == self.pending.end);
        if self.pending.damaged && self.links.reached() >= self.pending.end && !goes_on {
            self.finish_group(segment.first);
        }
        let reached = self.links.reached();
        let torn = match self.pending.entries.first() {
            Some(first) if !self.pending.damaged => {
                Some(Torn { start: self.pending.start, first: first.entry.id })
            }
            // Damage that ends in a newline is never cut: only what follows it.
            _ => rest.then_some(Torn { start: self.lines.offset, first: reached + 1 }),
        };
        self.tail = Some(Tail {
            end: self.end,
            last_hash: self.links.last_hash,
            last_date: self.links.last_date,
            next_id: reached.max(self.pending.end) + 1,
            active: self.active,
            len,
            torn,
            damaged: self.links.damaged,
            unfinished_line: rest || newline_lost,
        });
        Ok(())
    }

    /// Whether the last newline of what was read earlier is gone, as some editors leave a file. A writer that
    /// went on where reading began would merge its first line with the one before.
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
        let why = "the tape ends before it".into();
        Err(Error::Unreadable { id: self.links.last_id, why })
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
