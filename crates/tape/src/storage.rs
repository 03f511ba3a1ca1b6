//! Where a tape lies: the one seam between the tape and a medium.
//!
//! *Purpose.* To name the few operations the tape needs of a medium, so that tests can crash and fail it at
//! each of them. [`FileStorage`] is a directory; [`MemoryStorage`] lives and dies with the process.

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
    /// The operating system writes when it likes: an acknowledged group outlives the process, not the machine.
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
    /// Its file name in `archive/`.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("tape-{}-{}.jsonl", self.first, self.last)
    }

    /// The segment of this file name, if it is one.
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
    /// How many bytes it has now.
    ///
    /// # Errors
    /// What the medium says.
    fn len(&self) -> Result<u64>;

    /// Whether it has no bytes now.
    ///
    /// # Errors
    /// What the medium says.
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads at an offset into `buf` and says how many bytes came; 0 at the end.
    ///
    /// # Errors
    /// What the medium says.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize>;
}

/// Held by the one writer; dropped, it frees the lock.
pub trait Guard: Send {}

/// A medium that holds a tape.
///
/// The operations that change it are called only by the holder of the lock.
pub trait Storage: Send + Sync {
    /// Why no change is accepted any more, if that is so: see [`FailStop`].
    fn poisoned(&self) -> Option<String> {
        None
    }

    /// The active segment, `tape.jsonl`; `None` where there is none. The same `Arc` as long as it is the same
    /// file.
    ///
    /// # Errors
    /// What the medium says.
    fn active(&self) -> Result<Option<Arc<dyn Blob>>>;

    /// The closed segments, oldest first.
    ///
    /// # Errors
    /// What the medium says.
    fn archived(&self) -> Result<Vec<Archived>>;

    /// Opens a closed segment.
    ///
    /// # Errors
    /// What the medium says.
    fn open_archived(&self, segment: &Archived) -> Result<Arc<dyn Blob>>;

    /// Takes the writer lock, waiting at most so long.
    ///
    /// # Errors
    /// [`crate::Error::Busy`], or what the medium says.
    fn lock(&self, wait: Duration) -> Result<Box<dyn Guard>>;

    /// Makes an empty active segment where there is none.
    ///
    /// # Errors
    /// What the medium says.
    fn create(&self) -> Result<()>;

    /// Writes bytes at the end of the active segment, whose length is `at`, in one write.
    ///
    /// # Errors
    /// What the medium says; the file may then hold a part of the bytes.
    fn append(&self, at: u64, bytes: &[u8]) -> Result<()>;

    /// Makes what was appended durable.
    ///
    /// # Errors
    /// [`crate::Error::Sync`]; what is durable is then unknown.
    fn sync(&self) -> Result<()>;

    /// Cuts the active segment down to `len` bytes, durably.
    ///
    /// # Errors
    /// What the medium says.
    fn truncate(&self, len: u64) -> Result<()>;

    /// Keeps the bytes of a torn tail as `archive/torn-ID`, durably, and returns the name it got.
    ///
    /// # Errors
    /// What the medium says.
    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String>;

    /// What an erasure has yet to do: the bytes of `erase.json`; `None` where there is nothing.
    ///
    /// # Errors
    /// What the medium says.
    fn intent(&self) -> Result<Option<Vec<u8>>>;

    /// Keeps what an erasure has yet to do, durably, all of it or nothing; `None` where it is done.
    ///
    /// # Errors
    /// What the medium says.
    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()>;

    /// Puts what `write` writes in the place of a closed segment, or of the active one (`None`), durably, all of it or
    /// nothing. It is another file then: who has the old one open goes on reading that.
    ///
    /// # Errors
    /// What the medium says, or what `write` does; nothing has changed then.
    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()>;

    /// Closes the active segment under this name and begins an empty one.
    ///
    /// # Errors
    /// [`crate::Error::SegmentExists`], or what the medium says.
    fn archive(&self, segment: &Archived) -> Result<()>;
}
