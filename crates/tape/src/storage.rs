//! Storage: the few file operations that the tape needs, as a trait, so that tests can make each of them
//! crash or fail.
//!
//! [`FileStorage`] keeps a tape in a directory; [`MemoryStorage`] keeps one in memory. [`disk`] changes files durably.

pub mod disk;
mod fail_stop;
mod file;
mod memory;

use std::io;
use std::sync::Arc;
use std::time::Duration;

pub use fail_stop::FailStop;
pub use file::{FileStorage, remove_torn};
pub use memory::MemoryStorage;

use crate::entry::EntryId;
use crate::error::Result;

/// Whether an acknowledged group survives a power failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// One `fdatasync` per group, before the group is acknowledged.
    #[default]
    Sync,
    /// No sync: an acknowledged group survives the end of the process, but not a power failure.
    Os,
}

/// An archived segment, which contains the entries from `first` to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Archived {
    /// The first entry of the segment.
    pub first: EntryId,
    /// The last entry of the segment.
    pub last: EntryId,
}

impl Archived {
    /// Returns the file name of the segment in `archive/`.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("tape-{}-{}.jsonl", self.first, self.last)
    }

    /// Parses a file name; `None` if it is not the name of an archived segment.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (first, last) = name.strip_prefix("tape-")?.strip_suffix(".jsonl")?.split_once('-')?;
        let segment = Self { first: first.parse().ok()?, last: last.parse().ok()? };
        // Rust also parses `+1` and `01` as numbers: a file with such a name would be listed and then not be
        // found.
        (1 <= segment.first && segment.first <= segment.last && segment.file_name() == name)
            .then_some(segment)
    }
}

/// The bytes of one segment, open for reading. It remains the same file when that file is archived.
pub trait Blob: Send + Sync {
    /// Returns the length in bytes.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the length cannot be read.
    fn len(&self) -> Result<u64>;

    /// Returns whether the blob is empty.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the length cannot be read.
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads at an offset into `buf` and returns the number of bytes read; 0 at the end.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the bytes cannot be read.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize>;
}

/// Reads at an offset until `buf` is full or the blob ends, and returns the number of bytes read.
pub(crate) fn read_full(blob: &dyn Blob, offset: u64, buf: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        match blob.read_at(offset + filled as u64, &mut buf[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

/// The acquired writer lock. Dropping it releases the lock.
pub trait Guard: Send {}

/// Storage that contains a tape.
///
/// Only the holder of the writer lock may call the operations that change the storage. In a [`FailStop`],
/// these also return [`crate::Error::Poisoned`] after a failed sync.
pub trait Storage: Send + Sync {
    /// Returns why the storage accepts no more changes; `None` if it does. See [`FailStop`].
    fn poisoned(&self) -> Option<String> {
        None
    }

    /// Returns the active segment, `tape.jsonl`, or `None` if there is none. The `Arc` is the same as long as
    /// the file is.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the segment cannot be opened.
    fn active(&self) -> Result<Option<Arc<dyn Blob>>>;

    /// Returns the archived segments, oldest first.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the archive cannot be listed.
    fn archived(&self) -> Result<Vec<Archived>>;

    /// Opens an archived segment.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the segment does not exist or cannot be opened.
    fn open_archived(&self, segment: &Archived) -> Result<Arc<dyn Blob>>;

    /// Acquires the writer lock.
    ///
    /// # Errors
    /// [`crate::Error::Busy`] if another writer holds the lock for longer than `wait`; [`crate::Error::Io`]
    /// if the lock file cannot be opened or locked.
    fn lock(&self, wait: Duration) -> Result<Box<dyn Guard>>;

    /// Creates an empty active segment, durably, if there is none.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the segment cannot be created.
    fn create(&self) -> Result<()>;

    /// Writes bytes at the end of the active segment, whose length is `at`, in one write.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the write fails; the file may then contain a part of the bytes.
    fn append(&self, at: u64, bytes: &[u8]) -> Result<()>;

    /// Makes appended bytes durable.
    ///
    /// # Errors
    /// [`crate::Error::Sync`] if the sync fails; it is then unknown what is durable. [`crate::Error::Io`] if
    /// the segment cannot be opened for writing.
    fn sync(&self) -> Result<()>;

    /// Truncates the active segment to `len` bytes, durably.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the segment cannot be truncated.
    fn truncate(&self, len: u64) -> Result<()>;

    /// Saves the bytes of a torn tail in `archive/`, durably, and returns the name of the file:
    /// `archive/torn-ID`, followed by a number if that name is taken.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file cannot be written.
    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String>;

    /// Returns the intent of an interrupted erasure: the bytes of `erase.json`, or `None` if there is no such
    /// file.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the file cannot be read.
    fn intent(&self) -> Result<Option<Vec<u8>>>;

    /// Writes `erase.json` durably and atomically; `None` removes the file.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the file cannot be written or removed.
    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()>;

    /// Replaces an archived segment, or the active one (`None`), with the bytes that `write` writes, durably
    /// and atomically. Readers that have the old file open continue to read the old bytes.
    ///
    /// # Errors
    /// [`crate::Error::Io`] or [`crate::Error::Sync`] if the new file cannot be written, and any error of
    /// `write`.
    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()>;

    /// Archives the active segment under this name and creates an empty one.
    ///
    /// # Errors
    /// [`crate::Error::SegmentExists`] if an archived segment has this name; [`crate::Error::Io`] or
    /// [`crate::Error::Sync`] if the segment cannot be renamed or the new one cannot be created.
    fn archive(&self, segment: &Archived) -> Result<()>;
}

/// Implements methods of [`Storage`] by the same methods of the storage in a field.
#[macro_export]
macro_rules! delegate {
    ($field:ident: $($method:ident),+) => { $($crate::delegate!(@ $method $field);)+ };
    (@ poisoned $field:ident) => {
        fn poisoned(&self) -> Option<String> { self.$field.poisoned() }
    };
    (@ active $field:ident) => {
        fn active(&self) -> $crate::Result<Option<std::sync::Arc<dyn $crate::storage::Blob>>> {
            self.$field.active()
        }
    };
    (@ archived $field:ident) => {
        fn archived(&self) -> $crate::Result<Vec<$crate::Archived>> { self.$field.archived() }
    };
    (@ open_archived $field:ident) => {
        fn open_archived(
            &self,
            segment: &$crate::Archived,
        ) -> $crate::Result<std::sync::Arc<dyn $crate::storage::Blob>> {
            self.$field.open_archived(segment)
        }
    };
    (@ lock $field:ident) => {
        fn lock(&self, wait: std::time::Duration) -> $crate::Result<Box<dyn $crate::storage::Guard>> {
            self.$field.lock(wait)
        }
    };
    (@ create $field:ident) => {
        fn create(&self) -> $crate::Result<()> { self.$field.create() }
    };
    (@ append $field:ident) => {
        fn append(&self, at: u64, bytes: &[u8]) -> $crate::Result<()> { self.$field.append(at, bytes) }
    };
    (@ sync $field:ident) => {
        fn sync(&self) -> $crate::Result<()> { self.$field.sync() }
    };
    (@ truncate $field:ident) => {
        fn truncate(&self, len: u64) -> $crate::Result<()> { self.$field.truncate(len) }
    };
    (@ keep_torn $field:ident) => {
        fn keep_torn(&self, id: $crate::EntryId, bytes: &[u8]) -> $crate::Result<String> {
            self.$field.keep_torn(id, bytes)
        }
    };
    (@ intent $field:ident) => {
        fn intent(&self) -> $crate::Result<Option<Vec<u8>>> { self.$field.intent() }
    };
    (@ set_intent $field:ident) => {
        fn set_intent(&self, intent: Option<&[u8]>) -> $crate::Result<()> { self.$field.set_intent(intent) }
    };
    (@ replace $field:ident) => {
        fn replace(
            &self,
            segment: Option<&$crate::Archived>,
            write: &mut dyn FnMut(&mut dyn std::io::Write) -> $crate::Result<()>,
        ) -> $crate::Result<()> {
            self.$field.replace(segment, write)
        }
    };
    (@ archive $field:ident) => {
        fn archive(&self, segment: &$crate::Archived) -> $crate::Result<()> { self.$field.archive(segment) }
    };
}
