//! Copies the tape to a new upstream, of which the directory becomes a replica.

use memtape_tape::ErrorKind;
use memtape_upstream::{CopyError, Upstream, copy, mark, marked};

use crate::error::Result;
use crate::store::Store;

/// Size of the lines that are appended with one request, in bytes.
const BATCH_BYTES: usize = 4 << 20;

impl Store {
    /// Copies the tape to an upstream whose tape is new, or a beginning of this one, and marks the directory as its
    /// replica. Returns the number of entries that were copied.
    ///
    /// An interrupted copy goes on where it stopped, and also replaces the lines whose text was erased since. Nothing
    /// else is written meanwhile. A new tape is not for others before the copy is complete.
    ///
    /// # Errors
    /// [`Error::Tape`](crate::Error::Tape) of kind `Conflict` if the upstream has other entries, of kind `Corrupt` if the
    /// tape has damage, of kind `Refused` if the directory is a replica of this upstream, which has no tape any more, and
    /// otherwise of the kind that the failure of the upstream has; the errors of
    /// [`Store::write_guard`].
    pub fn push(&self, upstream: &dyn Upstream) -> Result<u64> {
        self.push_if(upstream, false)
    }

    /// Copies the tape of a replica to its upstream as [`Store::push`] does, also if that has lost its tape.
    ///
    /// # Errors
    /// As [`Store::push`].
    pub fn push_anew(&self, upstream: &dyn Upstream) -> Result<u64> {
        self.push_if(upstream, true)
    }

    fn push_if(&self, upstream: &dyn Upstream, may_be_lost: bool) -> Result<u64> {
        let mut write_guard = self.write_guard()?;
        let read_failed = |e| memtape_tape::Error::io("read the mark of a replica", self.dir(), e);
        let is_own = marked(self.dir()).map_err(read_failed)?.is_some_and(|mark| mark == upstream.label());
        let is_lost = || matches!(upstream.head(), Err(memtape_upstream::Error::NoTape { .. }));
        if is_own && !may_be_lost && is_lost() {
            return Err(lost(upstream.label()).into());
        }
        if self.replica.is_none() {
            // An entry without its newline counts, but is not copied: the replica would have an entry that the upstream lacks.
            self.writer(&mut write_guard.state)?.append(Vec::new(), self.now(), self.salts().as_mut())?;
        }
        let failed_upstream = |e: memtape_upstream::Error| failed(e.into());
        let is_incomplete = upstream.begin().map_err(failed_upstream)?;
        let copied = copy(&self.storage, upstream, BATCH_BYTES, &mut |_| ()).map_err(failed)?;
        if is_incomplete {
            upstream.complete().map_err(failed_upstream)?;
        }
        let mark_failed = |e| memtape_tape::Error::io("mark as a replica", self.dir(), e);
        mark(self.dir(), upstream.label()).map_err(mark_failed)?;
        if let Some(replica) = self.replica.as_ref().filter(|_| is_own) {
            replica.record_contact()?;
        }
        Ok(copied.added)
    }
}

/// Returns the error for an upstream that has lost the tape of which the directory is a replica.
fn lost(upstream: &str) -> memtape_tape::Error {
    let message = format!(
        "{upstream} has no tape any more, and this workspace is a replica of it: perhaps its disk is not mounted; `memtape \
         push --anew` creates a new tape there from this replica, which other replicas may not be able to follow"
    );
    memtape_tape::Error::Upstream { kind: ErrorKind::Refused, message }
}

/// Returns the failure of a copy as an error of the tape.
fn failed(error: CopyError) -> memtape_tape::Error {
    let kind = match error {
        CopyError::Tape(e) => return e,
        CopyError::Upstream(e) => return memtape_upstream::failed(&e),
        CopyError::Damaged(_) => ErrorKind::Corrupt,
        CopyError::Erasing => ErrorKind::Busy,
        _ => ErrorKind::Conflict,
    };
    let repair = match error {
        CopyError::Damaged(_) => {
            "; export it (`memtape export`), import it into a new workspace, and push that"
        }
        _ => "",
    };
    memtape_tape::Error::Upstream { kind, message: format!("{error}{repair}") }
}
