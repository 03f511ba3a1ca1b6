//! A storage wrapper that accepts no change after a failed sync.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Archived, Storage};
use crate::entry::EntryId;
use crate::error::{Error, Result};

/// A storage wrapper that refuses every change after one whose outcome is unknown.
///
/// After a failed sync the operating system may have dropped the data it could not write, and a second sync
/// that succeeds proves nothing. The wrapper therefore remembers the first failure, below every writer, so
/// that no caller can miss it. Every later change returns [`Error::Poisoned`]. Reading still works.
pub struct FailStop {
    inner: Arc<dyn Storage>,
    reason: Mutex<Option<String>>,
}

impl FailStop {
    /// Wraps a storage.
    #[must_use]
    pub fn new(inner: Arc<dyn Storage>) -> Self {
        Self { inner, reason: Mutex::default() }
    }

    fn stop(&self, failure: &Error) {
        let mut reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        reason.get_or_insert_with(|| failure.to_string());
    }

    fn change<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some(reason) = self.poisoned() {
            return Err(Error::Poisoned { reason });
        }
        act().inspect_err(|e| {
            if matches!(e, Error::Sync { .. }) {
                self.stop(e);
            }
        })
    }
}

impl Storage for FailStop {
    crate::delegate!(inner: active, archived, open_archived, lock, intent);

    fn poisoned(&self) -> Option<String> {
        let reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone();
        reason.or_else(|| self.inner.poisoned())
    }

    fn create(&self) -> Result<()> {
        self.change(|| self.inner.create())
    }

    fn append(&self, at: u64, bytes: &[u8]) -> Result<()> {
        self.change(|| self.inner.append(at, bytes))
    }

    fn sync(&self) -> Result<()> {
        self.change(|| self.inner.sync())
    }

    /// Truncates even after a failure, because this removes bytes that were not acknowledged. If it fails,
    /// the end of the tape is unknown, and the storage accepts no more changes.
    fn truncate(&self, len: u64) -> Result<()> {
        self.inner.truncate(len).inspect_err(|e| self.stop(e))
    }

    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String> {
        self.change(|| self.inner.keep_torn(id, bytes))
    }

    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()> {
        self.change(|| self.inner.set_intent(intent))
    }

    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()> {
        self.change(|| self.inner.replace(segment, write))
    }

    fn archive(&self, segment: &Archived) -> Result<()> {
        self.change(|| self.inner.archive(segment))
    }
}
