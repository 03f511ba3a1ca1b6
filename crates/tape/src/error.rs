//! What can go wrong, and what a caller is to do about it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The kinds of failure, the same in every crate. A caller decides by kind; texts are for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request makes no sense: mend it before asking again.
    Invalid,
    /// What was named does not exist (at that point).
    NotFound,
    /// Something changed since it was read: read again, then decide.
    Conflict,
    /// A rule forbids it: asking again will not help.
    Refused,
    /// Somebody else is writing: try again later.
    Busy,
    /// The storage does not answer or is full: fix that, then try again.
    Unavailable,
    /// What is stored is damaged: run `memtape verify`.
    Corrupt,
    /// A defect of memtape: please report it.
    Internal,
}

impl ErrorKind {
    /// Its name, as other programs read it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Refused => "refused",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
            Self::Corrupt => "corrupt",
            Self::Internal => "internal",
        }
    }
}

/// The result of the tape's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the tape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused an operation on a file.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted, as a verb: "read", "append to".
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file or folder could not be made durable: what of it outlives a power failure is unknown.
    #[error("cannot sync {}: {source}", path.display())]
    Sync {
        /// The file or folder concerned.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Another writer held the lock for the whole waiting time.
    #[error("another process has been writing for {} s", waited.as_secs())]
    Busy {
        /// How long was waited.
        waited: Duration,
    },
    /// An earlier write could not be made durable; this writer refuses to go on.
    #[error("an earlier write could not be made durable ({reason}): this writer has stopped")]
    Poisoned {
        /// The failure that stopped the writer.
        reason: String,
    },
    /// A draft that cannot stand on a tape.
    #[error("this entry cannot be written: {0}")]
    Unwritable(String),
    /// An entry was asked for at a place that holds something else.
    #[error("entry {id} is not readable: {why}")]
    Unreadable {
        /// The entry asked for.
        id: u64,
        /// Why its line cannot be taken.
        why: String,
    },
    /// What an erasure has yet to do cannot be read.
    #[error("erase.json is not as it was written: {0}")]
    Intent(String),
    /// A closed segment of this name exists already.
    #[error("the segment {0} exists already: nothing was archived")]
    SegmentExists(String),
}

impl Error {
    /// An I/O failure with the path it happened on.
    pub fn io(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Io { action, path: path.into(), source }
    }

    /// A sync that failed, with the path it failed on.
    pub fn sync(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Sync { path: path.into(), source }
    }

    /// What kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => ErrorKind::NotFound,
            Self::Io { .. } | Self::Sync { .. } | Self::Poisoned { .. } => ErrorKind::Unavailable,
            Self::Busy { .. } => ErrorKind::Busy,
            Self::Unwritable(_) => ErrorKind::Invalid,
            Self::Unreadable { .. } | Self::Intent(_) => ErrorKind::Corrupt,
            Self::SegmentExists(_) => ErrorKind::Conflict,
        }
    }

    /// Whether the storage accepts no writes at all (read-only media, or no permission).
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied))
    }
}
