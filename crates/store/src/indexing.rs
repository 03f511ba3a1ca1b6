//! The index of a store: opening, replacing and rebuilding it as needed.

use std::fmt::Display;

use memtape_index::generations;
use memtape_index::index::{Applied, Index};
use memtape_tape::{Floor, Hash, Segments, Tail};

use crate::catch_up::{self, CaughtUp};
use crate::error::Result;
use crate::mirror;
use crate::state::State;
use crate::store::Store;
use crate::warning::Warning;

/// Maximum number of times that the index is replaced or reopened for one query. Each attempt repairs what
/// the previous one found.
const CATCH_UP_ATTEMPTS: usize = 5;

impl Store {
    /// Brings the index to the tape's end: opens, replaces or rebuilds it as needed.
    pub(crate) fn catch_up(
        &self,
        state: &mut State,
        segments: &mut Segments,
        locked: bool,
    ) -> Result<(Tail, Applied)> {
        state.seen = None;
        let mut attempts = 0;
        while attempts < CATCH_UP_ATTEMPTS {
            attempts += 1;
            if state.index.as_ref().is_some_and(|index| !index.is_current()) {
                *state = State::default();
            }
            if state.index.is_none() {
                *state = State::of(Some(self.open_index()?));
            }
            let current = state.index()?;
            let caught_up = self.read_on(current, segments);
            match caught_up {
                Ok(CaughtUp::Done(done)) => return Ok(*done),
                Ok(CaughtUp::OtherTape) => self.tape_changed(state, segments, locked)?,
                Ok(CaughtUp::OtherSegments) => {
                    // Another process made progress in the meantime: this is no failed attempt.
                    attempts -= 1;
                    *segments = Segments::open(&self.storage)?;
                }
                Err(e) if e.is_index_read_only() => {
                    self.note(Warning::IndexInMemory { why: e.to_string() });
                    *state = State::of(Some(Index::in_memory()?));
                }
                Err(e) => return Err(e),
            }
        }
        Err(memtape_index::Error::not_open().into())
    }

    /// Applies the entries that follow on the tape, and records the warnings.
    pub(crate) fn read_on(&self, index: &Index, segments: &Segments) -> Result<CaughtUp> {
        let mut warnings = Vec::new();
        let acknowledged = self.under_way.acknowledged(segments)?;
        let done = catch_up::catch_up(index, segments, acknowledged, &*self.progress, &mut warnings);
        self.note_all(warnings);
        done
    }

    pub(crate) fn open_index(&self) -> memtape_index::Result<Index> {
        match Index::open(&self.dir) {
            Err(e) if e.is_index_read_only() => {
                if let Some(index) = Index::open_immutable(&self.dir) {
                    return Ok(index);
                }
                self.note(Warning::IndexInMemory { why: e.to_string() });
                Index::in_memory()
            }
            other => other,
        }
    }

    /// Replaces an index that does not belong to the present tape, which was cut, emptied, edited or
    /// replaced. The old index is kept: it may be the only copy of some memories.
    fn tape_changed(&self, state: &mut State, segments: &mut Segments, locked: bool) -> Result<()> {
        let _lock = match locked {
            true => None,
            false => match self.lock(state) {
                Ok(lock) => Some(lock),
                Err(e) => {
                    // If the storage is read-only, the old index stays in place, and the tape is read without
                    // it.
                    self.note(Warning::IndexInMemory { why: e.to_string() });
                    *state = State::of(Some(Index::in_memory()?));
                    return Ok(());
                }
            },
        };
        // Only under the lock is the state fixed: in the meantime the segments may have been archived, and
        // another process may have replaced the index.
        *segments = Segments::open(&self.storage)?;
        let Some(old) = state.take_index().filter(Index::is_current) else { return Ok(()) };
        let applied = old.applied()?;
        if catch_up::is_same_tape(&applied, segments) {
            *state = State::of(Some(old));
            return Ok(());
        }
        let kept = old.set_aside(&applied)?;
        self.note(Warning::TapeChanged { applied: applied.position.last_id, kept });
        self.begin_anew(state, &applied)?;
        // The mirrors may show what the tape no longer has.
        if mirror::has_folder(&self.dir)
            && let Err(e) = self.mirror_anew(state)
        {
            self.note(Warning::MirrorLags { why: e.to_string() });
        }
        Ok(())
    }

    /// Opens a new index, which takes over from the previous one what was acknowledged.
    pub(crate) fn begin_anew(&self, state: &mut State, before: &Applied) -> Result<()> {
        let new = self.open_index()?;
        if before.first_hash != Hash::ZERO {
            let transaction = new.begin_write()?;
            // A reader may have found the new index first, and applied the tape to it.
            let mut applied = new.applied()?;
            if applied.position.last_id == 0 {
                applied = Applied { first_hash: before.first_hash, floor: before.floor, ..Applied::NOTHING };
            }
            let end = |floor: Floor| (floor.segment, floor.offset);
            applied.floor = if end(before.floor) > end(applied.floor) { before.floor } else { applied.floor };
            applied.known = applied.known.max(before.known).max(before.position.last_id);
            new.set_applied(&applied)?;
            transaction.commit()?;
        }
        *state = State::of(Some(new));
        Ok(())
    }

    pub(crate) fn drop_damaged_index(&self, state: &mut State, why: &dyn Display) -> Result<()> {
        match self.lock(state) {
            Ok(_lock) => self.remove_index(state, why),
            Err(_) => {
                self.note(Warning::IndexInMemory { why: why.to_string() });
                *state = State::of(Some(Index::in_memory()?));
                Ok(())
            }
        }
    }

    pub(crate) fn remove_index(&self, state: &mut State, why: &dyn Display) -> Result<()> {
        if state.index.as_ref().is_some_and(|index| !index.is_current()) {
            // The index was replaced already, and the damage does not concern the new one.
            *state = State::default();
            return Ok(());
        }
        self.note(Warning::IndexDamaged { why: why.to_string() });
        // Damage seldom affects the whole file: the record of what was acknowledged may still be readable.
        let known = state.take_index().and_then(|index| index.applied().ok());
        generations::replace(&self.dir)?;
        known.map_or(Ok(()), |known| self.begin_anew(state, &known))
    }
}
