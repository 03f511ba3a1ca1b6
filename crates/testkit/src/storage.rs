//! Storage that crashes or fails at a chosen operation.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memtape_tape::{Archived, EntryId, Error, MemoryStorage, Result, Storage};

/// The failure that occurs at the chosen operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// None: every operation succeeds.
    Never,
    /// The machine crashes: this and every later operation fails. If the operation is an append, a part of
    /// the bytes is written.
    Crash {
        /// The number of bytes of the append that reach the disk.
        written: usize,
    },
    /// The disk is full: a part of the append is written. Later operations succeed.
    Full {
        /// The number of bytes of the append that reach the disk.
        written: usize,
    },
    /// The change is made and its sync fails. Later operations succeed. An append includes no sync.
    Unsynced,
}

/// Storage in memory whose n-th changing operation fails. Clones share the content.
#[derive(Clone)]
pub struct FailingStorage {
    inner: MemoryStorage,
    /// The synced bytes: those that survive a power failure.
    durable: Arc<Mutex<Vec<u8>>>,
    operations: Arc<AtomicUsize>,
    at: usize,
    failure: Failure,
    /// What is done in the middle of each sync.
    while_syncing: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl FailingStorage {
    /// Creates storage that fails at its n-th changing operation, counted from 1.
    #[must_use]
    pub fn new(at: usize, failure: Failure) -> Self {
        Self {
            inner: MemoryStorage::new(),
            durable: Arc::default(),
            operations: Arc::default(),
            at,
            failure,
            while_syncing: None,
        }
    }

    /// Does something in the middle of each sync.
    #[must_use]
    pub fn while_syncing(self, act: impl Fn() + Send + Sync + 'static) -> Self {
        Self { while_syncing: Some(Arc::new(act)), ..self }
    }

    /// Returns the number of changing operations so far.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.operations.load(Ordering::SeqCst)
    }

    /// Returns the storage as another process sees it, in which no operation fails.
    #[must_use]
    pub fn medium(&self) -> MemoryStorage {
        self.inner.clone()
    }

    /// Returns the bytes of the active segment as another process sees them now.
    #[must_use]
    pub fn live(&self) -> Vec<u8> {
        self.inner.tape()
    }

    /// Returns the bytes of the active segment that were synced.
    #[must_use]
    pub fn durable(&self) -> Vec<u8> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn step(&self) -> Option<Failure> {
        let n = self.operations.fetch_add(1, Ordering::SeqCst) + 1;
        match self.failure {
            Failure::Never => None,
            Failure::Crash { .. } if n >= self.at => Some(self.failure),
            Failure::Full { .. } | Failure::Unsynced if n == self.at => Some(self.failure),
            _ => None,
        }
    }

    fn fail<T>(action: &'static str) -> Result<T> {
        Err(Error::io(action, "tape.jsonl", io::ErrorKind::StorageFull.into()))
    }

    fn fail_sync<T>() -> Result<T> {
        Err(Error::sync("tape.jsonl", io::ErrorKind::StorageFull.into()))
    }

    /// Makes a change that includes a sync, unless this operation is the one that fails.
    fn change<T>(&self, action: &'static str, make: impl FnOnce() -> Result<T>) -> Result<T> {
        match self.step() {
            None => make(),
            Some(Failure::Unsynced) => make().and_then(|_| Self::fail_sync()),
            Some(_) => Self::fail(action),
        }
    }

    fn keep_durable(&self) {
        *self.durable.lock().unwrap_or_else(PoisonError::into_inner) = self.inner.tape();
    }
}

impl Storage for FailingStorage {
    memtape_tape::delegate!(inner: active, archived, open_archived, lock, create, intent);

    fn append(&self, at: u64, bytes: &[u8]) -> Result<()> {
        match self.step() {
            None | Some(Failure::Never | Failure::Unsynced) => self.inner.append(at, bytes),
            Some(Failure::Crash { written } | Failure::Full { written }) => {
                // After a crash nothing more is written, even if it is tried again.
                if self.operations() == self.at {
                    self.inner.append(at, &bytes[..written.min(bytes.len())])?;
                }
                Self::fail("append to")
            }
        }
    }

    fn sync(&self) -> Result<()> {
        if self.step().is_some() {
            return Self::fail_sync();
        }
        if let Some(act) = &self.while_syncing {
            act();
        }
        self.keep_durable();
        Ok(())
    }

    fn truncate(&self, len: u64) -> Result<()> {
        self.change("cut", || {
            self.inner.truncate(len)?;
            self.keep_durable();
            Ok(())
        })
    }

    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String> {
        self.change("write", || self.inner.keep_torn(id, bytes))
    }

    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()> {
        self.change("write", || self.inner.set_intent(intent))
    }

    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()> {
        self.change("replace", || {
            self.inner.replace(segment, write)?;
            if segment.is_none() {
                self.keep_durable();
            }
            Ok(())
        })
    }

    fn archive(&self, segment: &Archived) -> Result<()> {
        self.change("archive", || self.inner.archive(segment))
    }
}
