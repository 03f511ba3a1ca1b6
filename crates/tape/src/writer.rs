//! The writer: appends each group with one write and one sync.
//!
//! It writes at the end of the active segment, under the writer lock.
//!
//! **Invariants.**
//! - A group that [`Writer::append`] returned is durable, to the degree that [`Durability`] states.
//! - After a failed sync the content of the disk is unknown, so the writer refuses every further write
//!   ([`FailStop`]).

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::json;

use crate::chain::{Hash, Salt};
use crate::codec;
use crate::entry::{Draft, Entry, EntryId, Kind, Seal};
use crate::error::{Error, Result};
use crate::reader::{Group, Located, Location, Position, Tail};
use crate::recovery::{self, Floor, Recovered};
use crate::storage::{Archived, Durability, FailStop, Storage};

/// A source of unpredictable salts.
pub trait Salts: Send {
    /// Returns the next salt.
    fn next_salt(&mut self) -> Salt;
}

impl<F: FnMut() -> Salt + Send> Salts for F {
    fn next_salt(&mut self) -> Salt {
        self()
    }
}

/// A writer that appends groups to a tape. Its owner holds the writer lock and has read the tape to its end.
pub struct Writer {
    storage: Arc<dyn Storage>,
    tail: Tail,
    durability: Durability,
}

impl Writer {
    /// Creates a writer at the end of a tape that was read up to `tail`.
    ///
    /// A torn tail is moved to a separate file; damage at the end stays. The second value states which of the
    /// two was found, `None` if neither.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Sync`] or [`Error::Poisoned`] if the end of the tape cannot be read, cut or
    /// saved.
    pub fn new(
        storage: &Arc<dyn Storage>,
        mut tail: Tail,
        floor: Floor,
        durability: Durability,
    ) -> Result<(Self, Option<Recovered>)> {
        let storage: Arc<dyn Storage> = Arc::new(FailStop::new(Arc::clone(storage)));
        if tail.len == 0 {
            // A crash while archiving leaves no active segment.
            storage.create()?;
        }
        let recovered = recovery::recover(&storage, &mut tail, floor)?;
        Ok((Self { storage, tail, durability }, recovered))
    }

    /// Returns the end of the tape.
    #[must_use]
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Returns the date for an entry that is appended at `now`, in microseconds; never before the last
    /// entry's date.
    #[must_use]
    pub fn date(&self, now: Timestamp) -> Timestamp {
        // The tape stores microseconds. A finer time is truncated, because rounding up would put it in the
        // future.
        let micros = Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now);
        micros.max(self.tail.last_date)
    }

    /// Appends drafts as one group and makes it durable.
    ///
    /// If the tape ends in damage, an `error` entry that states the damaged range is written first, as a
    /// group of its own; without drafts it is the only group. Returns the groups written, none if there was
    /// nothing to write.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if a draft's line could not be read back or the group has too many drafts;
    /// [`Error::Poisoned`] after a failed sync; [`Error::Io`] or [`Error::Sync`] if the group cannot be
    /// written. After an error nothing of the group counts.
    pub fn append(
        &mut self,
        drafts: Vec<Draft>,
        now: Timestamp,
        salts: &mut dyn Salts,
    ) -> Result<Vec<Group>> {
        if let Some(reason) = self.storage.poisoned() {
            return Err(Error::Poisoned { reason });
        }
        if drafts.is_empty() && self.tail.damaged.is_none() {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::with_capacity(512 * drafts.len());
        let mut next = Encoder {
            id: self.tail.next_id,
            hash: self.tail.last_hash,
            date: self.date(now),
            segment: self.tail.active,
            start: self.tail.len,
        };
        let mut groups = Vec::with_capacity(1);
        if let Some(from) = self.tail.damaged {
            let note = damage_note(from, self.tail.len)?;
            groups.push(next.encode_group(vec![note], salts, &mut bytes)?);
        }
        if !drafts.is_empty() {
            groups.push(next.encode_group(drafts, salts, &mut bytes)?);
        }
        self.write(&bytes)?;
        let end = groups.last().map_or(self.tail.end, |group| group.end);
        self.tail.end = end;
        self.tail.last_hash = end.last_hash;
        self.tail.last_date = end.last_date;
        self.tail.next_id = end.last_id + 1;
        self.tail.len = end.offset;
        self.tail.damaged = None;
        Ok(groups)
    }

    /// Appends whole groups of another tape as they are, with their ids, dates and hashes, in one write, and
    /// makes them durable.
    ///
    /// Ids may be missing before an entry, as on a tape that is damaged there.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if the tape ends in damage, if an entry does not follow the last one, or if its
    /// line could not be read back; [`Error::Poisoned`] after a failed sync; [`Error::Io`] or
    /// [`Error::Sync`] if the groups cannot be written. After an error nothing of them counts.
    pub fn copy(&mut self, groups: &[Vec<Entry>]) -> Result<()> {
        if let Some(reason) = self.storage.poisoned() {
            return Err(Error::Poisoned { reason });
        }
        if self.tail.damaged.is_some() {
            return Err(Error::Unwritable("the tape ends in damage".into()));
        }
        let mut bytes = Vec::new();
        let Position { mut last_id, mut last_hash, mut last_date, .. } = self.tail.end;
        for entry in groups.iter().flatten() {
            let follows = match last_id + 1 == entry.id {
                true => entry.prev == last_hash,
                false => entry.id > last_id,
            };
            if !follows {
                return Err(Error::Unwritable(format!("entry {} does not follow entry {last_id}", entry.id)));
            }
            let before = bytes.len();
            codec::encode(entry, &mut bytes);
            codec::decode(&bytes[before..bytes.len() - 1]).map_err(Error::Unwritable)?;
            (last_id, last_hash, last_date) = (entry.id, entry.hash, entry.date);
        }
        if bytes.is_empty() {
            return Ok(());
        }
        self.write(&bytes)?;
        let len = self.tail.len + bytes.len() as u64;
        let end = Position { segment: self.tail.active, offset: len, last_id, last_hash, last_date };
        self.tail = Tail { end, last_hash, last_date, next_id: last_id + 1, len, ..self.tail.clone() };
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> Result<()> {
        let written = self.storage.append(self.tail.len, bytes).and_then(|()| match self.durability {
            Durability::Sync => self.storage.sync(),
            Durability::Os => Ok(()),
        });
        if written.is_err() {
            // The group was not acknowledged, and a part of it would be a torn tail, so it is removed at
            // once. If that fails, the storage accepts no further change.
            let _ = self.storage.truncate(self.tail.len);
        }
        written
    }

    /// Archives the active segment and creates a new one; ids and the hash chain continue.
    ///
    /// Damage at the end is recorded first. Returns the archived segment, or `None` if the active one is
    /// empty.
    ///
    /// # Errors
    /// [`Error::SegmentExists`] if an archived segment has that name; [`Error::Poisoned`] after a failed
    /// sync; [`Error::Io`] or [`Error::Sync`] if the segment cannot be archived.
    pub fn archive(&mut self, now: Timestamp, salts: &mut dyn Salts) -> Result<Option<Archived>> {
        self.append(Vec::new(), now, salts)?;
        let segment = Archived { first: self.tail.active, last: self.tail.next_id - 1 };
        if self.tail.len == 0 || segment.last < segment.first {
            return Ok(None);
        }
        self.storage.sync()?;
        self.storage.archive(&segment)?;
        self.tail.active = segment.last + 1;
        self.tail.len = 0;
        Ok(Some(segment))
    }
}

/// Returns the entry that records a damaged range at the end of the tape.
fn damage_note(from: u64, to: u64) -> Result<Draft> {
    let payload = json!({
        "kind": "tape.damage",
        "message": "the end of the tape is damaged; entries go on after it",
        "details": {"from_byte": from, "to_byte": to},
    });
    Draft::new(Kind::Error, &payload, &json!({}), "main")
}

/// Encodes groups as lines, each after the one before it, for whoever writes them.
pub struct Encoder {
    id: EntryId,
    hash: Hash,
    date: Timestamp,
    segment: EntryId,
    start: u64,
}

impl Encoder {
    /// Returns an encoder of the groups that follow a position. [`Position::START`] begins a tape.
    #[must_use]
    pub fn after(position: Position) -> Self {
        let Position { segment, offset: start, last_id, last_hash: hash, last_date: date } = position;
        Self { id: last_id + 1, hash, date, segment, start }
    }

    /// Sets the date of the next groups, unless it is before that of the last one, and returns it.
    pub fn set_date(&mut self, date: Timestamp) -> Timestamp {
        self.date = self.date.max(Timestamp::from_microsecond(date.as_microsecond()).unwrap_or(date));
        self.date
    }

    /// Encodes drafts as one group, and appends their lines to `bytes`.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if a draft's line could not be read back, or the group has too many drafts.
    pub fn encode_group(
        &mut self,
        drafts: Vec<Draft>,
        salts: &mut dyn Salts,
        bytes: &mut Vec<u8>,
    ) -> Result<Group> {
        let count =
            u32::try_from(drafts.len()).map_err(|_| Error::Unwritable("the group is too long".into()))?;
        let mut entries = Vec::with_capacity(drafts.len());
        for (more, draft) in (0..count).rev().zip(drafts) {
            let mut entry = Entry {
                id: self.id,
                kind: draft.kind,
                payload: draft.payload,
                meta: draft.meta,
                branch: draft.branch,
                date: self.date,
                more,
                seal: Seal::Salt(salts.next_salt()),
                prev: self.hash,
                hash: Hash::ZERO,
            };
            entry.hash = entry.computed_hash();
            let before = bytes.len();
            codec::encode(&entry, bytes);
            let length = bytes.len() - 1 - before;
            // A line that cannot be read back must never be acknowledged.
            codec::decode(&bytes[before..bytes.len() - 1]).map_err(Error::Unwritable)?;
            let at = Location { segment: self.segment, offset: self.start, length: length as u64 };
            self.start += length as u64 + 1;
            self.id += 1;
            self.hash = entry.hash;
            entries.push(Located { entry, at });
        }
        let end = Position {
            segment: self.segment,
            offset: self.start,
            last_id: self.id - 1,
            last_hash: self.hash,
            last_date: self.date,
        };
        Ok(Group { entries, end })
    }
}
