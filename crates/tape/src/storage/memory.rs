//! Storage of a tape in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Archived, Blob, Guard, Storage};
use crate::entry::EntryId;
use crate::error::{Error, Result};

/// A tape in memory, which is lost when the process ends. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    state: Arc<Mutex<State>>,
    lock: Arc<(Mutex<bool>, Condvar)>,
}

#[derive(Debug, Default)]
struct State {
    active: Option<Arc<MemoryBlob>>,
    archived: BTreeMap<Archived, Arc<MemoryBlob>>,
    torn: BTreeMap<String, Vec<u8>>,
    intent: Option<Vec<u8>>,
}

#[derive(Debug, Default)]
struct MemoryBlob(Mutex<Vec<u8>>);

impl MemoryStorage {
    /// Creates empty storage without a tape.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates storage whose active segment holds these bytes.
    #[must_use]
    pub fn with_tape(bytes: Vec<u8>) -> Self {
        let storage = Self::new();
        storage.state().active = Some(Arc::new(MemoryBlob(Mutex::new(bytes))));
        storage
    }

    /// Returns the bytes of the active segment; empty if there is no segment.
    #[must_use]
    pub fn tape(&self) -> Vec<u8> {
        self.state().active.as_ref().map(|blob| blob.bytes().clone()).unwrap_or_default()
    }

    /// Returns the saved torn tails, by name.
    #[must_use]
    pub fn torn(&self) -> BTreeMap<String, Vec<u8>> {
        self.state().torn.clone()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_active<T>(&self, act: impl FnOnce(&mut Vec<u8>) -> T) -> Result<T> {
        match &self.state().active {
            Some(blob) => Ok(act(&mut blob.bytes())),
            None => Err(Error::io("append to", "tape.jsonl", io::ErrorKind::NotFound.into())),
        }
    }
}

impl MemoryBlob {
    fn bytes(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blob for MemoryBlob {
    fn len(&self) -> Result<u64> {
        Ok(self.bytes().len() as u64)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        let bytes = self.bytes();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let n = buf.len().min(bytes.len() - start);
        buf[..n].copy_from_slice(&bytes[start..start + n]);
        Ok(n)
    }
}

struct MemoryGuard(Arc<(Mutex<bool>, Condvar)>);

impl Guard for MemoryGuard {}

impl Drop for MemoryGuard {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.1.notify_one();
    }
}

impl Storage for MemoryStorage {
    fn active(&self) -> Result<Option<Arc<dyn Blob>>> {
        Ok(self.state().active.clone().map(|blob| blob as Arc<dyn Blob>))
    }

    fn archived(&self) -> Result<Vec<Archived>> {
        Ok(self.state().archived.keys().copied().collect())
    }

    fn open_archived(&self, segment: &Archived) -> Result<Arc<dyn Blob>> {
        match self.state().archived.get(segment) {
            Some(blob) => Ok(Arc::clone(blob) as Arc<dyn Blob>),
            None => Err(Error::io("open", segment.file_name(), io::ErrorKind::NotFound.into())),
        }
    }

    fn lock(&self, wait: Duration) -> Result<Box<dyn Guard>> {
        let (held, freed) = &*self.lock;
        let end = Instant::now() + wait;
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        while *held {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Busy { waited: wait });
            }
            held = freed.wait_timeout(held, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *held = true;
        Ok(Box::new(MemoryGuard(Arc::clone(&self.lock))))
    }

    fn create(&self) -> Result<()> {
        self.state().active.get_or_insert_default();
        Ok(())
    }

    fn append(&self, at: u64, bytes: &[u8]) -> Result<()> {
        self.with_active(|tape| {
            let at = usize::try_from(at).unwrap_or(usize::MAX).min(tape.len());
            tape.truncate(at);
            tape.extend_from_slice(bytes);
        })
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }

    fn truncate(&self, len: u64) -> Result<()> {
        self.with_active(|tape| tape.truncate(usize::try_from(len).unwrap_or(usize::MAX)))
    }

    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String> {
        let mut state = self.state();
        let name = format!("archive/torn-{id}.{}", state.torn.len());
        state.torn.insert(name.clone(), bytes.to_vec());
        Ok(name)
    }

    fn intent(&self) -> Result<Option<Vec<u8>>> {
        Ok(self.state().intent.clone())
    }

    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()> {
        self.state().intent = intent.map(<[u8]>::to_vec);
        Ok(())
    }

    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        let blob = Arc::new(MemoryBlob(Mutex::new(bytes)));
        let mut state = self.state();
        match segment {
            Some(segment) => drop(state.archived.insert(*segment, blob)),
            None => state.active = Some(blob),
        }
        Ok(())
    }

    fn archive(&self, segment: &Archived) -> Result<()> {
        let mut state = self.state();
        if state.archived.contains_key(segment) {
            return Err(Error::SegmentExists(segment.file_name()));
        }
        let closed = state.active.replace(Arc::default());
        state.archived.insert(*segment, closed.unwrap_or_default());
        Ok(())
    }
}
