//! Backups of a tape to an upstream.
//!
//! A backup is an upstream that nobody works on: the tape's lines as they are, and nothing that is derived from them.
//! Each run appends what follows the backup's last entry, and erases there what was erased here since.
//!
//! [`restore`](crate::restore::restore) makes a tape of it again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memtape_tape::{EntryId, ErrorKind, FileStorage, Storage, verify};
use memtape_upstream::{Copied, CopyError, Upstream, copy};

/// Size of the groups that are appended at once, in bytes: a segment of object storage.
const BATCH_BYTES: usize = 30 << 20;

/// The result of a backup or a restoration.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a backup or a restoration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The upstream that holds the backup failed.
    #[error(transparent)]
    Upstream(memtape_upstream::Error),
    /// The backup is damaged.
    #[error("the backup is damaged: {0}")]
    DamagedBackup(String),
    /// The tape cannot be read.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
    /// A file of a restoration cannot be read or written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// There is no tape in the directory.
    #[error("there is no tape in {}", .0.display())]
    NoTape(PathBuf),
    /// There is no backup at the address.
    #[error("there is no backup in {0}")]
    NoBackup(String),
    /// The backup has no entries, and every tape of a workspace has some.
    #[error("the backup in {0} has no entries: its first run did not end, or its objects are lost")]
    EmptyBackup(String),
    /// The tape is damaged, so a backup of it would be.
    #[error("the tape is damaged and is not backed up: {0}")]
    Damaged(String),
    /// An erasure of the tape is not complete.
    #[error("an erasure of this tape is not complete")]
    Erasing,
    /// The backup has an entry that the tape does not have: it is the backup of another tape, or of a later state.
    #[error("the backup in {upstream} is not of this tape: entry {entry} is another one, or missing here")]
    OtherTape {
        /// The address of the backup.
        upstream: String,
        /// The last entry of the backup.
        entry: EntryId,
    },
    /// Another process appended to the backup.
    #[error("another process writes to the backup in {0}")]
    Busy(String),
    /// The directory of a restoration has an interrupted one of another tape.
    #[error("{} has an interrupted restoration of another backup: {upstream} has another entry {entry}", dir.display())]
    OtherRestoration {
        /// The directory.
        dir: PathBuf,
        /// The address of the backup.
        upstream: String,
        /// The last entry of the interrupted restoration.
        entry: EntryId,
    },
    /// The directory of a restoration has files of its own.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
}

impl From<memtape_upstream::Error> for Error {
    fn from(e: memtape_upstream::Error) -> Self {
        match e {
            memtape_upstream::Error::Damaged { why } => Self::DamagedBackup(why),
            e => Self::Upstream(e),
        }
    }
}

impl From<CopyError> for Error {
    fn from(e: CopyError) -> Self {
        match e {
            CopyError::Upstream(e) => e.into(),
            CopyError::Tape(e) => Self::Tape(e),
            CopyError::Damaged(why) => Self::Damaged(why),
            CopyError::OtherTape { upstream, entry } => Self::OtherTape { upstream, entry },
            CopyError::Moved { upstream } => Self::Busy(upstream),
            _ => Self::Erasing,
        }
    }
}

impl Error {
    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        use memtape_upstream::Error as Upstream;
        match self {
            Self::Upstream(Upstream::NoTape { .. })
            | Self::NoTape(_)
            | Self::NoBackup(_)
            | Self::EmptyBackup(_) => ErrorKind::NotFound,
            Self::Upstream(Upstream::Refused { .. }) | Self::NotEmpty(_) => ErrorKind::Refused,
            Self::DamagedBackup(_) | Self::Damaged(_) => ErrorKind::Corrupt,
            Self::Upstream(_) | Self::Io { .. } => ErrorKind::Unavailable,
            Self::Tape(e) => e.kind(),
            Self::OtherTape { .. } | Self::OtherRestoration { .. } => ErrorKind::Conflict,
            Self::Erasing | Self::Busy(_) => ErrorKind::Busy,
        }
    }

    /// Returns what to do about it, in terms of the command line; `None` if the message is enough.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        use memtape_upstream::Error as Upstream;
        Some(match self {
            Self::NoBackup(_) => "check the address; `memtape backup` creates a backup",
            Self::EmptyBackup(_) => "`memtape backup` in its workspace completes it",
            Self::Upstream(Upstream::Unreachable { .. } | Upstream::Unknown { .. }) => {
                "check the network and run the command again: it continues where it stopped"
            }
            Self::DamagedBackup(_) => {
                "if the storage keeps earlier versions of the object, restore one; if the workspace still exists, \
                 back it up to another prefix"
            }
            Self::Damaged(_) => "`memtape verify` names each damaged line",
            Self::Erasing => {
                "if no erasure is running, any command on the workspace completes it; then try again"
            }
            Self::OtherTape { .. } => "back up to another prefix: a backup is never overwritten",
            Self::Busy(_) => "run the command again when the other one has ended",
            Self::OtherRestoration { .. } => "restore into a new directory, or remove this one",
            Self::NotEmpty(_) => "restore into a new directory",
            _ => return None,
        })
    }
}

/// What a backup did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackedUp {
    /// Whether the backup was created.
    pub is_new: bool,
    /// The number of entries that were added.
    pub added: u64,
    /// The number of entries that were in the backup before.
    pub present: u64,
    /// The number of earlier lines that were replaced, because their text was erased since.
    pub erased: u64,
    /// The size of the added lines.
    pub bytes: u64,
}

/// Backs up the tape in a directory to an upstream. `progress` receives the number of entries of the tape that are in the
/// backup, now and then.
///
/// Nothing is locked: what others append meanwhile is part of the next backup. If this fails, what was appended stays, and
/// the next backup continues there.
///
/// # Errors
/// [`Error::NoTape`], [`Error::Damaged`] or [`Error::Erasing`] if the tape cannot be backed up; [`Error::OtherTape`] if the
/// backup is of another one; [`Error::Busy`] if another process appends to it; [`Error::Upstream`] and [`Error::Tape`].
pub fn backup(dir: &Path, upstream: &dyn Upstream, progress: &mut dyn FnMut(EntryId)) -> Result<BackedUp> {
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
    check(dir, &storage)?;
    let is_new = upstream.create()?;
    let Copied { added, present, erased, bytes } = copy(&storage, upstream, BATCH_BYTES, progress)?;
    Ok(BackedUp { is_new, added, present, erased, bytes })
}

/// Checks that a tape may be backed up.
fn check(dir: &Path, storage: &Arc<dyn Storage>) -> Result<()> {
    if !FileStorage::exists_in(dir) {
        return Err(Error::NoTape(dir.to_owned()));
    }
    if storage.intent()?.is_some() {
        return Err(Error::Erasing);
    }
    match verify(storage)?.bad.as_slice() {
        [] => Ok(()),
        [bad] => Err(Error::Damaged(bad.to_string())),
        [bad, more @ ..] => Err(Error::Damaged(format!("{bad}, and {} more", more.len()))),
    }
}
