//! The write guard: several steps of one command under one writer lock.
//!
//! A command records the user's edits of the working copy, runs, and then updates the files. All of this happens under
//! one lock, so that no other writer acts in between.

use std::cell::RefCell;
use std::mem;
use std::sync::{Arc, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use memtape_core::meta::with_clock;
use memtape_core::{Context, Decision};
use memtape_index::Reader;
use memtape_index::index::Applied;
use memtape_tape::storage::Guard;
use memtape_tape::{Draft, EntryId, Kind, Segments, Writer};

use crate::author::Author;
use crate::error::{Error, Result};
use crate::mirror::StaleMirrors;
use crate::state::{Seen, State};
use crate::store::{Store, Written};
use crate::warning::Warning;

/// The difference between clock and tape below which no warning is given: processes read the clock at
/// slightly different moments.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(2);

/// Maximum number of times that a command decides while other machines are faster.
pub(crate) const ATTEMPTS_MAX: u32 = 200;

/// A write guard: while it exists, no other writer changes the workspace.
pub struct WriteGuard<'s> {
    // Fields are dropped in this order: the file lock is released before the next thread of this process
    // continues.
    _lock: Box<dyn Guard>,
    _writing: MutexGuard<'s, ()>,
    pub(crate) state: State,
    /// Whether a replica has what the upstream had when the guard was taken. Without an upstream it always is.
    is_current: bool,
    store: &'s Store,
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        self.store.give_back(mem::take(&mut self.state));
    }
}

impl Store {
    /// Takes the writer lock. Waits for another process at most for
    /// [`Options::lock_wait`](crate::Options::lock_wait).
    ///
    /// An interrupted erasure is finished first.
    ///
    /// # Errors
    /// [`Error::TapeUnavailable`] if there is no tape any more; [`Error::Tape`] if another process holds the lock for longer
    /// ([`memtape_tape::Error::Busy`]), an earlier sync of this store failed ([`memtape_tape::Error::Poisoned`]),
    /// or the disk fails;
    /// [`Error::Index`] or [`Error::Worktree`] if an interrupted erasure cannot be finished.
    pub fn write_guard(&self) -> Result<WriteGuard<'_>> {
        self.write_guard_within(self.lock_wait)
    }

    /// Takes the writer lock as [`Self::write_guard`] does, but waits for another process at most for `wait`.
    ///
    /// For another thread of this process it waits without limit, unless `wait` is zero.
    ///
    /// # Errors
    /// As [`Self::write_guard`].
    pub fn write_guard_within(&self, wait: Duration) -> Result<WriteGuard<'_>> {
        let writing = match self.writing.try_lock() {
            Err(TryLockError::WouldBlock) if wait.is_zero() => {
                return Err(memtape_tape::Error::Busy { waited: wait }.into());
            }
            Err(TryLockError::WouldBlock) => self.writing.lock().unwrap_or_else(PoisonError::into_inner),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Ok(writing) => writing,
        };
        let mut state = self.take_state();
        // Without a tape there is nothing to lock, and that is what the caller should know.
        let lock = self.lock_to_write(&mut state, wait).map_err(|e| self.segments().err().unwrap_or(e))?;
        let is_current = self.replica.is_none();
        Ok(WriteGuard { _lock: lock, _writing: writing, state, is_current, store: self })
    }

    /// Runs a command under the writer lock: catch up the index, decide, append, project.
    ///
    /// With an upstream, the command first decides from the replica as it is: the upstream accepts the group only if the
    /// replica was current. Otherwise the replica follows, and the command decides again.
    ///
    /// `decide` may be called any number of times before anything is appended: if the index proves damaged, or another
    /// machine was faster. So it must have no effects. If the projection fails after the entries were acknowledged, that
    /// is a warning, not an error.
    ///
    /// # Errors
    /// The errors of [`Self::write_guard`] and of `decide`; [`Error::Tape`] if the disk fails; [`Error::Index`] if
    /// SQLite fails. The entries of the command were not acknowledged then.
    pub fn write<T>(
        &self,
        author: &Author,
        decide: impl FnMut(&Reader<'_>, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.write_guard()?.write(author, decide)
    }

    fn write_once<T>(
        &self,
        state: &mut State,
        author: &Author,
        decide: &mut impl FnMut(&Reader<'_>, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        let seen = match state.seen.take() {
            Some(seen) => seen,
            None => {
                let mut segments = self.segments()?;
                let (tail, applied) = self.catch_up(state, &mut segments, true)?;
                Arc::new(Seen { segments, tail, applied })
            }
        };
        let (applied, mut segments) = (seen.applied, &seen.segments);
        let index = state.index()?;
        // One transaction covers everything from the view that the command reads to the projection of what it
        // writes. Other readers continue; they have nothing to apply, because only the lock holder appends.
        let transaction = index.begin_write()?;
        let (mut writer, recovered) =
            Writer::new(&self.storage, seen.tail.clone(), applied.floor, self.durability)?;
        let reopened;
        // After the repair of the tape's end, more entries may count than this command writes. Then the tape
        // is read again instead.
        let reread = recovered.is_some() || writer.tail().damaged.is_some();
        if let Some(recovered) = recovered {
            self.note(Warning::Recovered(recovered));
            reopened = Segments::open(&self.storage)?;
            segments = &reopened;
        }
        let now = self.clock.now();
        let date = writer.date(now);
        let is_behind = date.duration_since(now) > CLOCK_TOLERANCE;
        if is_behind {
            self.note(Warning::ClockBehind { behind: date.duration_since(now).round_seconds(), date });
        }
        // Order comes from the tape, but days and expiry come from the clock: the tape may contain dates of a
        // clock that was once ahead. The tape keeps microseconds.
        let now = Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now);
        let unreadable = RefCell::default();
        let reader = self.reader(index, segments, applied, now, &unreadable);
        let given = self.given(author, author.writable_branch(&reader)?, now);
        let decided = decide(&reader, &given);
        self.note_all(unreadable.take().into_iter().map(Warning::from));
        let Decision { mut drafts, outcome } = decided?;
        if is_behind {
            drafts.iter_mut().for_each(|draft| draft.meta = with_clock(&draft.meta, now));
        }
        if drafts.is_empty() {
            return Ok(Written { outcome, entries: Vec::new() });
        }
        let under_way = self.under_way.begin(writer.tail().len);
        let mut groups = match lost_note(&applied, writer.tail().next_id, &given.branch)? {
            Some(note) => writer.append(vec![note], now, self.salts().as_mut())?,
            None => Vec::new(),
        };
        groups.extend(writer.append(drafts, now, self.salts().as_mut())?);
        // The entries are acknowledged now: if the rest fails, a later command catches up.
        // Projecting them while another thread syncs was slower: waking that thread costs more than the overlap saves.
        let projected = if reread {
            drop((transaction, under_way));
            self.read_on(index, segments).map(|_| true)
        } else {
            let projected = index.project(applied, &groups);
            projected
                .and_then(|(_, has_changed)| transaction.commit().map(|()| has_changed))
                .map_err(Error::from)
        };
        match projected {
            Err(e) => self.note(Warning::IndexLags { why: e.to_string() }),
            Ok(true) => self.update_mirrors(index, segments, StaleMirrors::Groups(&groups)),
            Ok(false) => self.update_mirrors(index, segments, StaleMirrors::Sessions(&groups)),
        }
        let entries = groups.pop().map(|group| group.entries).unwrap_or_default();
        Ok(Written { outcome, entries: entries.into_iter().map(|located| located.entry).collect() })
    }
}

impl WriteGuard<'_> {
    /// Runs a command, as [`Store::write`] does.
    ///
    /// # Errors
    /// As [`Store::write`], except that it does not wait for the lock.
    pub fn write<T>(
        &mut self,
        author: &Author,
        mut decide: impl FnMut(&Reader<'_>, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.store.check_poison()?;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let written = self.store.write_once(&mut self.state, author, &mut decide);
            match &written {
                // Damage to the index is detected before anything is appended.
                Err(e) if attempt == 1 && e.is_index_damage() => {
                    self.store.remove_index(&mut self.state, e)?;
                    continue;
                }
                // Another machine was faster: the command decides again, from what that one wrote.
                Err(Error::Tape(memtape_tape::Error::Moved)) if attempt < ATTEMPTS_MAX => {}
                Err(Error::Tape(_)) => return written,
                // The upstream has accepted what was decided from the replica, so that was current.
                Ok(Written { entries, .. }) if !entries.is_empty() => {
                    self.is_current = true;
                    return written;
                }
                // A command that writes nothing is only right if the replica was current.
                Ok(_) | Err(_) if self.is_current => return written,
                _ => {}
            }
            let was_behind = self.store.follow(&mut self.state)?;
            let is_refused = matches!(written, Err(Error::Tape(memtape_tape::Error::Moved)));
            if !was_behind && !is_refused {
                return written;
            }
            self.is_current = true;
        }
    }

    /// Answers a query, as [`Store::read`] does.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn read<T>(&mut self, question: impl Fn(&Reader<'_>) -> memtape_index::Result<T>) -> Result<T> {
        match self.read_once(&question) {
            Err(e) if Error::is_index_damage(&e) => {
                self.store.remove_index(&mut self.state, &e)?;
                self.read_once(&question)
            }
            other => other,
        }
    }

    fn read_once<T>(&mut self, question: impl Fn(&Reader<'_>) -> memtape_index::Result<T>) -> Result<T> {
        let view = self.store.view_of(mem::take(&mut self.state), true)?;
        let answer = question(&view.reader());
        self.state = view.into_state();
        Ok(answer?)
    }

    /// Adds a warning for the user.
    pub fn note(&mut self, warning: Warning) {
        self.store.note(warning);
    }
}

/// Returns a draft that records on the tape that acknowledged entries were lost without a trace: the tape was
/// cut at the end of a group, and their ids are assigned again. `None` if nothing was lost.
pub(crate) fn lost_note(applied: &Applied, next: EntryId, branch: &str) -> Result<Option<Draft>> {
    if applied.known < next || applied.position.last_id == 0 {
        return Ok(None);
    }
    let payload = serde_json::json!({
        "kind": "tape.lost",
        "message": "acknowledged entries are gone from the tape",
        "details": {"from_entry": next, "to_entry": applied.known},
    });
    Ok(Some(Draft::new(Kind::Error, &payload, &serde_json::json!({}), branch)?))
}

/// Rounds durations for display.
trait RoundSeconds {
    fn round_seconds(self) -> Self;
}

impl RoundSeconds for SignedDuration {
    fn round_seconds(self) -> Self {
        Self::from_secs(self.as_secs())
    }
}
