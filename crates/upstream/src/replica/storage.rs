//! A replica as a storage: what appends to it appends to the upstream first.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use memtape_tape::storage::{Blob, Guard};
use memtape_tape::{Archived, EntryId, ErrorKind, Storage};

use super::{Replica, Result};

impl Storage for Replica {
    fn poisoned(&self) -> Option<String> {
        self.local.poisoned()
    }

    fn active(&self) -> Result<Option<Arc<dyn Blob>>> {
        self.local.active()
    }

    fn archived(&self) -> Result<Vec<Archived>> {
        self.local.archived()
    }

    fn open_archived(&self, segment: &Archived) -> Result<Arc<dyn Blob>> {
        self.local.open_archived(segment)
    }

    fn lock(&self, wait: Duration) -> Result<Box<dyn Guard>> {
        self.local.lock(wait)
    }

    fn create(&self) -> Result<()> {
        self.local.create()
    }

    fn append(&self, at: u64, bytes: &[u8]) -> Result<()> {
        self.send(bytes, b"")?;
        self.local.append(at, bytes).map_err(|e| memtape_tape::Error::Upstream {
            kind: ErrorKind::Unavailable,
            message: format!("the upstream has the write, but this replica could not take it over: {e}"),
        })
    }

    fn sync(&self) -> Result<()> {
        self.local.sync()
    }

    fn truncate(&self, len: u64) -> Result<()> {
        self.local.truncate(len)
    }

    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String> {
        self.local.keep_torn(id, bytes)
    }

    fn intent(&self) -> Result<Option<Vec<u8>>> {
        self.local.intent()
    }

    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()> {
        self.local.set_intent(intent)
    }

    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()> {
        self.local.replace(segment, write)
    }

    fn archive(&self, segment: &Archived) -> Result<()> {
        self.local.archive(segment)
    }
}
