//! Storage: the few operations that the tape needs, so that tests can crash and fail at each of them.
//!
//! [`FileStorage`] keeps a tape in a directory; [`MemoryStorage`] keeps one in memory.

mod fail_stop;
mod file;
mod memory;

use std::io;
use std::sync::Arc;
use std::time::Duration;

pub use fail_stop::FailStop;
pub use file::{FileStorage, create_anew};
pub use memory::MemoryStorage;

use crate::entry::EntryId;
use crate::error::Result;

/// Whether an acknowledged group must outlive a power failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// One `fdatasync` for each group, before it is acknowledged.
    #[default]
    Sync,
    /// No sync: an acknowledged group outlives the process, but not a power failure.
    Os,
}

/// A closed segment: the entries from `first` to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Archived {
    /// The first entry in it.
    pub first: EntryId,
    /// The last entry in it.
    pub last: EntryId,
}

impl Archived {
    /// Returns its file name in `archive/`.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("tape-{}-{}.jsonl", self.first, self.last)
    }

    /// Returns the segment of this file name, if it is one.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (first, last) = name.strip_prefix("tape-")?.strip_suffix(".jsonl")?.split_once('-')?;
        let segment = Self { first: first.parse().ok()?, last: last.parse().ok()? };
        // Numbers have other spellings (`+1`, `01`): a file so named would be listed and then not found.
        (1 <= segment.first && segment.first <= segment.last && segment.file_name() == name)
            .then_some(segment)
    }
}

/// The bytes of one segment, open for reading. It stays the same file when that file is archived.
pub trait Blob: Send + Sync {
    /// Returns its length in bytes.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn len(&self) -> Result<u64>;

    /// Whether it is empty.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads at an offset into `buf` and returns how many bytes were read; 0 at the end.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize>;
}

/// The writer lock; dropping it releases the lock.
pub trait Guard: Send {}

/// Storage that holds a tape.
///
/// Only the holder of the lock calls the operations that change it.
pub trait Storage: Send + Sync {
    /// Returns why no change is accepted any more, if that is so: see [`FailStop`].
    fn poisoned(&self) -> Option<String> {
        None
    }

    /// Returns the active segment, `tape.jsonl`, or `None` if there is none. It is the same `Arc` as long as it is the
    /// same file.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn active(&self) -> Result<Option<Arc<dyn Blob>>>;

    /// Returns the closed segments, oldest first.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn archived(&self) -> Result<Vec<Archived>>;

    /// Opens a closed segment.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn open_archived(&self, segment: &Archived) -> Result<Arc<dyn Blob>>;

    /// Takes the writer lock.
    ///
    /// # Errors
    /// [`crate::Error::Busy`] if another writer holds it for longer than `wait`; [`crate::Error::Io`] if the lock file
    /// cannot be opened.
    fn lock(&self, wait: Duration) -> Result<Box<dyn Guard>>;

    /// Creates an empty active segment if there is none.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn create(&self) -> Result<()>;

    /// Writes bytes at the end of the active segment, whose length is `at`, in one write.
    ///
    /// # Errors
    /// [`crate::Error::Io`]; the file may then hold a part of the bytes.
    fn append(&self, at: u64, bytes: &[u8]) -> Result<()>;

    /// Makes what was appended durable.
    ///
    /// # Errors
    /// [`crate::Error::Sync`]; what is durable is then unknown.
    fn sync(&self) -> Result<()>;

    /// Truncates the active segment to `len` bytes, durably.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn truncate(&self, len: u64) -> Result<()>;

    /// Keeps the bytes of a torn tail as `archive/torn-ID`, durably, and returns that name.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String>;

    /// Returns what an erasure has yet to do: the bytes of `erase.json`, or `None` if there is no such file.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn intent(&self) -> Result<Option<Vec<u8>>>;

    /// Writes `erase.json` durably and atomically, or removes it (`None`).
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file system refuses it.
    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()>;

    /// Replaces a closed segment, or the active one (`None`), by what `write` writes, durably and atomically. Whoever has
    /// the old file open continues to read that.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the new file cannot be written, and whatever `write` returns.
    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()>;

    /// Closes the active segment under this name and creates an empty one.
    ///
    /// # Errors
    /// [`crate::Error::SegmentExists`] if there is a segment of that name; else [`crate::Error::Io`] or
    /// [`crate::Error::Sync`].
    fn archive(&self, segment: &Archived) -> Result<()>;
}
