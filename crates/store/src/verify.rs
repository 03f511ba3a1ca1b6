//! The check of a whole workspace.

use std::path::Path;
use std::sync::Arc;

use memtape_index::generations;
use memtape_index::index::Index;
use memtape_tape::{EntryId, FileStorage, Report, Segments, Storage};

use crate::catch_up;
use crate::error::Result;
use crate::store::{Store, check_tape};

/// The result of verifying a whole workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The result of checking the tape's hash chain.
    pub tape: Report,
    /// The last entry that the index had read, if the tape no longer contains it.
    pub missing_since: Option<u64>,
}

impl Store {
    /// Checks a directory's tape against its hash chain, and against what its index had read.
    ///
    /// It needs only a `tape.jsonl`, and changes nothing.
    ///
    /// # Errors
    /// [`Error::NoWorkspace`](crate::Error::NoWorkspace) if the directory contains no tape;
    /// [`Error::TapeMissing`](crate::Error::TapeMissing) if it contains an index but no tape;
    /// [`Error::Tape`](crate::Error::Tape) if the disk fails.
    pub fn verify(dir: &Path) -> Result<Verified> {
        check_tape(dir)?;
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
        let tape = memtape_tape::verify(&storage)?;
        let look = || missing_since(dir, &storage, tape.last_id);
        // An erasure may have replaced the tape and the index between the two reads, so a mismatch is
        // confirmed by a second look.
        let missing_since = look()?.map_or(Ok(None), |_| look())?;
        Ok(Verified { tape, missing_since })
    }
}

/// Returns the last entry that a directory's index had read, if the tape no longer contains it.
fn missing_since(dir: &Path, storage: &Arc<dyn Storage>, last_id: EntryId) -> Result<Option<u64>> {
    let known = match generations::current(dir).is_some() {
        // An index that cannot be read gives no information; the next command rebuilds it.
        true => Index::open_read_only(dir).and_then(|index| index.applied()).ok(),
        false => None,
    };
    // An unfinished erasure has moved lines that the index still expects at their old offsets.
    let moved = storage.intent()?.is_some();
    let segments = Segments::open(storage)?;
    let missing = known.filter(|applied| {
        (!moved && !catch_up::is_same_tape(applied, &segments))
            || applied.known > last_id.max(applied.position.last_id)
    });
    Ok(missing.map(|applied| applied.known.max(applied.position.last_id)))
}
