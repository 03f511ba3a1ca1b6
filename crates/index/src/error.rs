//! The errors of the index.

use memtape_tape::ErrorKind;
use rusqlite::ErrorCode;

/// The result of an operation on the index.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The tape cannot be read.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
    /// The query was rejected by [`memtape_core`].
    #[error(transparent)]
    Core(#[from] memtape_core::Error),
    /// SQLite failed on the index.
    #[error("the index failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// An index file could not be created, moved, synced or removed.
    #[error("cannot {action} {path}: {source}")]
    IndexFile {
        /// The attempted operation, as a verb.
        action: &'static str,
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The named branch does not exist.
    #[error("there is no branch {0:?}")]
    NoBranch(String),
    /// The branch to write to was deleted.
    #[error("the branch {0:?} was deleted: nothing is written to it any more")]
    BranchDeleted(String),
    /// No commit id has this prefix.
    #[error("there is no commit whose id begins with {0}")]
    NoCommit(String),
    /// Several commit ids have this prefix.
    #[error("several commits begin with {id}: {found}")]
    AmbiguousCommit {
        /// The prefix that was looked up.
        id: String,
        /// The matching ids.
        found: String,
    },
    /// A point after the end of the tape was named.
    #[error("{}there is no entry {asked}", last.map(|last| format!("the tape ends at entry {last}: ")).unwrap_or_default())]
    NoEntry {
        /// The id that was looked up.
        asked: u64,
        /// The id of the last entry on the tape; `None` if the audience is not the owner, because it tells how much all
        /// others write.
        last: Option<u64>,
    },
}

impl Error {
    /// Returns the error for an index that is not open.
    #[must_use]
    pub fn not_open() -> Self {
        Self::Sqlite(rusqlite::Error::InvalidQuery)
    }

    /// Returns the kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Tape(e) => e.kind(),
            Self::Core(e) => e.kind(),
            Self::Sqlite(e) => match e.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Busy,
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ErrorKind::Corrupt,
                Some(
                    ErrorCode::DiskFull
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::PermissionDenied,
                ) => ErrorKind::Unavailable,
                _ => ErrorKind::Internal,
            },
            Self::IndexFile { .. } => ErrorKind::Unavailable,
            Self::NoBranch(_) | Self::NoCommit(_) | Self::NoEntry { .. } => ErrorKind::NotFound,
            Self::BranchDeleted(_) => ErrorKind::Refused,
            Self::AmbiguousCommit { .. } => ErrorKind::Conflict,
        }
    }

    /// Returns whether the index is damaged, so that only a rebuilt index can answer.
    ///
    /// The SQL statements are fixed. An SQLite error that is not a failure of the disk is therefore caused by
    /// the content of the file.
    #[must_use]
    pub fn is_index_damage(&self) -> bool {
        matches!(self, Self::Sqlite(_)) && matches!(self.kind(), ErrorKind::Corrupt | ErrorKind::Internal)
    }

    /// Returns whether the index cannot be written at its location.
    #[must_use]
    pub fn is_index_read_only(&self) -> bool {
        match self {
            Self::Sqlite(e) => matches!(
                e.sqlite_error_code(),
                Some(
                    ErrorCode::ReadOnly
                        | ErrorCode::CannotOpen
                        | ErrorCode::PermissionDenied
                        | ErrorCode::DiskFull
                        | ErrorCode::SystemIoFailure
                )
            ),
            Self::IndexFile { .. } => true,
            _ => false,
        }
    }
}
