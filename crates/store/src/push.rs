//! Copies the tape to a new upstream, of which the directory becomes a replica.

use memtape_tape::ErrorKind;
use memtape_upstream::{CopyError, Upstream, copy, mark};

use crate::error::Result;
use crate::store::Store;

/// Size of the lines that are appended with one request, in bytes.
const BATCH_BYTES: usize = 4 << 20;

impl Store {
    /// Copies the tape to an upstream whose tape is new, or a beginning of this one, and marks the directory as its
    /// replica. Returns the number of entries that were copied.
    ///
    /// An interrupted copy goes on where it stopped, and also replaces the lines whose text was erased since. Nothing
    /// else is written meanwhile.
    ///
    /// # Errors
    /// [`Error::Tape`](crate::Error::Tape) of kind `Conflict` if the upstream has other entries, of kind `Corrupt` if the
    /// tape has damage, and otherwise of the kind that the failure of the upstream has; the errors of
    /// [`Store::write_guard`].
    pub fn push(&self, upstream: &dyn Upstream) -> Result<u64> {
        let _write_guard = self.write_guard()?;
        upstream.create().map_err(|e| failed(e.into()))?;
        let copied = copy(&self.storage, upstream, BATCH_BYTES, &mut |_| ()).map_err(failed)?;
        let mark_failed = |e| memtape_tape::Error::io("mark as a replica", self.dir(), e);
        mark(self.dir(), upstream.label()).map_err(mark_failed)?;
        Ok(copied.added)
    }
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
