//! A group that was sent, and whose answer did not arrive in time.

use std::fs;
use std::path::{Path, PathBuf};

use memtape_tape::{EntryId, Hash};
use serde::{Deserialize, Serialize};

use crate::upstream::Head;

/// The file's name.
const FILE: &str = "upstream-pending.json";

/// What became of a group whose fate was unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedWrite {
    /// Its first entry.
    pub first: EntryId,
    /// Its last entry.
    pub last: EntryId,
    /// Whether it is on the tape. If not, other entries may have these ids.
    pub is_written: bool,
}

/// A group whose fate is unknown.
pub(super) struct Pending {
    first: EntryId,
    pub(super) last: Head,
}

impl Pending {
    pub(super) fn resolved(&self, is_written: bool) -> ResolvedWrite {
        ResolvedWrite { first: self.first, last: self.last.id, is_written }
    }
}

/// The file that records such a group beside the tape, for the next command.
pub(super) struct PendingFile {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Record {
    first: EntryId,
    last: EntryId,
    hash: Hash,
}

impl PendingFile {
    pub(super) fn of(dir: &Path) -> Self {
        Self { path: dir.join(FILE) }
    }

    /// Records a group. A failure is ignored, as the command reports that the fate is unknown.
    pub(super) fn keep(&self, before: Head, last: Head) {
        let record = Record { first: before.id + 1, last: last.id, hash: last.hash };
        if let Ok(bytes) = serde_json::to_vec(&record) {
            let _ = fs::write(&self.path, bytes);
        }
    }

    pub(super) fn read(&self) -> Option<Pending> {
        let record: Record = serde_json::from_slice(&fs::read(&self.path).ok()?).ok()?;
        Some(Pending { first: record.first, last: Head { id: record.last, hash: record.hash } })
    }

    pub(super) fn remove(&self) {
        // If it stays, the next command reports the same again.
        let _ = fs::remove_file(&self.path);
    }
}
