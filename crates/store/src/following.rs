//! The upstream of a store: catching up with it, before a write and on request.

use std::time::Duration;

use memtape_tape::storage::Guard;
use memtape_upstream::{Followed, Replica};

use crate::error::{Error, Result};
use crate::state::State;
use crate::store::Store;
use crate::warning::Warning;

impl Store {
    /// Takes the writer lock, unless this store has stopped writing.
    pub(crate) fn lock_to_write(&self, state: &mut State, wait: Duration) -> Result<Box<dyn Guard>> {
        self.check_poison()?;
        let lock = self.lock_within(state, wait)?;
        self.check_attached()?;
        if let Some(replica) = &self.replica
            && (replica.is_in_doubt() || !replica.is_whole()?)
        {
            self.follow(state)?;
        }
        Ok(lock)
    }

    /// Checks that the directory is not a replica of an upstream that this store does not have. The caller holds the lock,
    /// under which another process pushes the tape and marks the directory.
    pub(crate) fn check_attached(&self) -> Result<()> {
        if self.replica.is_some() {
            return Ok(());
        }
        match memtape_upstream::marked(&self.dir) {
            Ok(None) => Ok(()),
            Ok(Some(upstream)) => Err(Error::Detached { upstream }),
            // A mark that cannot be read is one.
            Err(e) => Err(Error::Detached { upstream: e.to_string() }),
        }
    }

    /// Brings a replica up to date with its upstream, whatever its freshness.
    ///
    /// # Errors
    /// The errors of [`Store::write_guard`]; [`Error::Tape`] if the upstream cannot be reached for longer than
    /// [`Following::wait`](crate::Following::wait), or as [`Replica::follow`].
    pub fn follow_upstream(&self) -> Result<()> {
        let mut write_guard = self.write_guard()?;
        self.follow(&mut write_guard.state).map(drop)
    }

    /// Brings a replica up to date with its upstream, and returns whether it was behind. The caller holds the lock.
    pub(crate) fn follow(&self, state: &mut State) -> Result<bool> {
        let Some(replica) = &self.replica else { return Ok(false) };
        state.seen = None;
        let before = replica.entry()?;
        let followed = replica.follow()?;
        self.note_followed(followed);
        self.finish_erasure(state)?;
        Ok(replica.entry()? != before)
    }

    pub(crate) fn note_followed(&self, followed: Followed) {
        let Followed { resolved, not_followed } = followed;
        self.note_all(resolved.map(Warning::PendingResolved));
        self.note_all(not_followed.and_then(|_| self.offline()));
    }

    /// Returns the warning that the last read was of the replica as it is; `None` if it was up to date, or the upstream was
    /// reached since.
    #[must_use]
    pub fn offline(&self) -> Option<Warning> {
        let replica = self.replica.as_deref()?;
        let since = replica.contact().map(|contact| contact.at);
        replica.not_followed().map(|why| Warning::Offline { why, since })
    }

    /// Returns the replica; `None` if the tape has no upstream.
    #[must_use]
    pub fn replica(&self) -> Option<&Replica> {
        self.replica.as_deref()
    }
}
