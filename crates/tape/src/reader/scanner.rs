//! Reading from a position to the end: whole groups, and damage.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;

use super::{Damage, Group, Located, Location, Position, Scanned, Segment, Tail, Torn};
use crate::chain::Hash;
use crate::codec;
use crate::entry::{Entry, EntryId};
use crate::error::{Error, Result};
use crate::lines::{Lines, Read};
use crate::storage::{Archived, Blob, Storage};

/// A reader of groups from a position to the end. See [`Segments::scan`](super::Segments::scan).
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
    pub(super) fn new(
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
