//! A replica as a storage: what appends to it appends to the upstream first.

use memtape_tape::{ErrorKind, Storage};

use super::{Replica, Result};

impl Storage for Replica {
    memtape_tape::delegate!(local: poisoned, active, archived, open_archived, lock, create, sync, truncate);
    memtape_tape::delegate!(local: keep_torn, intent, set_intent, replace, archive);

    fn append(&self, at: u64, bytes: &[u8]) -> Result<()> {
        self.send(bytes, b"")?;
        self.local.append(at, bytes).map_err(|e| memtape_tape::Error::Upstream {
            kind: ErrorKind::Unavailable,
            message: format!("the upstream has the write, but this replica could not take it over: {e}"),
        })
    }
}
