//! Errors of the tape, and the error kinds that all crates share.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The kind of a failure, the same in every crate. Callers decide by kind; the texts are for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request is invalid: correct it before trying again.
    Invalid,
    /// The named object does not exist at that point.
    NotFound,
    /// The data changed since it was read: read it again, then decide.
    Conflict,
    /// A rule forbids the operation: trying again will not help.
    Refused,
    /// Another writer holds the lock: try again later.
    Busy,
    /// The storage failed or is full: fix that, then try again.
    Unavailable,
    /// The stored data is damaged: run `memtape verify`.
    Corrupt,
    /// A bug in memtape: please report it.
    Internal,
}

impl ErrorKind {
    /// Returns the kind's name as it appears in machine-readable output.
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

    /// Returns whether the failure concerns the request, not the memory.
    #[must_use]
    pub fn is_of_request(self) -> bool {
        matches!(self, Self::Invalid | Self::NotFound | Self::Conflict | Self::Refused)
    }
}

/// The result of the tape's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the tape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The attempted operation, as a verb: "read", "append to".
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file or directory could not be synced. It is unknown which changes would survive a power failure.
    #[error("cannot sync {}: {source}", path.display())]
    Sync {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another writer held the lock for the whole waiting time.
    #[error("another process has held the writer lock for {} s", waited.as_secs())]
    Busy {
        /// The time waited.
        waited: Duration,
    },
    /// An earlier write could not be made durable. The writer accepts no further writes.
    #[error("an earlier write could not be made durable ({reason}): this writer has stopped")]
    Poisoned {
        /// The message of the failure that stopped the writer.
        reason: String,
    },
    /// The draft is not a valid entry.
    #[error("this entry cannot be written: {0}")]
    Unwritable(String),
    /// The requested entry cannot be read at its recorded location.
    #[error("entry {id} is not readable: {why}")]
    Unreadable {
        /// The requested entry.
        id: u64,
        /// Why its line cannot be read.
        why: String,
    },
    /// The record of an interrupted erasure, `erase.json`, is malformed.
    #[error("erase.json is damaged: {0}")]
    Intent(String),
    /// Another machine appended to the upstream first: the command must decide again.
    #[error("another machine keeps writing to the upstream: nothing was written")]
    Moved,
    /// The upstream of which this tape is a replica cannot be used.
    #[error("{message}")]
    Upstream {
        /// The kind of the failure.
        kind: ErrorKind,
        /// What happened, what was written, and what to do.
        message: String,
    },
    /// An archived segment of this name already exists.
    #[error("segment {0} already exists: nothing was archived")]
    SegmentExists(String),
}

impl Error {
    /// Creates an [`Error::Io`] for a path.
    pub fn io(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Io { action, path: path.into(), source }
    }

    /// Creates an [`Error::Sync`] for a path.
    pub fn sync(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Sync { path: path.into(), source }
    }

    /// Returns the kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => ErrorKind::NotFound,
            Self::Io { .. } | Self::Sync { .. } | Self::Poisoned { .. } => ErrorKind::Unavailable,
            Self::Busy { .. } | Self::Moved => ErrorKind::Busy,
            Self::Upstream { kind, .. } => *kind,
            Self::Unwritable(_) => ErrorKind::Invalid,
            Self::Unreadable { .. } | Self::Intent(_) => ErrorKind::Corrupt,
            Self::SegmentExists(_) => ErrorKind::Conflict,
        }
    }

    /// Returns whether the write failed because the storage is read-only or permission is missing.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied))
    }
}
