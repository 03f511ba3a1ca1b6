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

mod scanner;

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;

use crate::chain::Hash;
use crate::codec;
use crate::entry::{Entry, EntryId};
use crate::error::{Error, Result};
use crate::lines::{Lines, Read};
use crate::storage::{Archived, Blob, Storage, read_full};

pub use self::scanner::Scanner;

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
        if read_full(blob.as_ref(), at.offset, &mut line)? < length {
            return Err(unreadable("the tape ends before it"));
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
    let filled = read_full(blob, from, &mut end)?;
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
