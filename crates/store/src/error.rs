//! The errors of the store.

use memtape_tape::ErrorKind;

/// The result of a store operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The tape cannot be read or written.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
    /// The command or query was rejected by [`memtape_core`].
    #[error(transparent)]
    Core(#[from] memtape_core::Error),
    /// SQLite failed on the index.
    #[error("the index failed: {0}")]
    Index(#[from] rusqlite::Error),
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
    /// A mirror file that shows erased text could not be removed.
    #[error("cannot {action} {path}: {source}")]
    MirrorFile {
        /// The attempted operation, as a verb.
        action: &'static str,
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file of the working copy could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    WorkingCopy {
        /// The attempted operation, as a verb.
        action: &'static str,
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The manifest, which records the last known state of the working copy's files, is unreadable.
    #[error(
        "{path} cannot be used: {why}. Move it away, and the files are compared with the tape anew: what differs \
         counts as an edit"
    )]
    Manifest {
        /// The path of the manifest.
        path: String,
        /// Why it is unreadable.
        why: String,
    },
    /// The path cannot belong to any file of the working copy.
    #[error("{0:?} is no path in the working copy")]
    NotInWorkingCopy(String),
    /// Files of the working copy changed after they were scanned.
    #[error("the working copy has changed since it was looked at")]
    WorkingCopyMoved,
    /// The git history of the files cannot be read, or cannot be rewritten without the erased text.
    #[error(
        "the git history of files/ cannot be read and rewritten ({why}): remove {at}, and the next write makes a new history \
         from the tape"
    )]
    History {
        /// The path to remove, relative to the workspace.
        at: String,
        /// The cause of the failure.
        why: String,
    },
    /// The directory contains no workspace.
    #[error("there is no workspace in {0}")]
    NoWorkspace(String),
    /// The directory contains an index, but the tape is missing.
    #[error("{0} has an index but no tape.jsonl: the tape is missing")]
    TapeMissing(String),
    /// An entry cannot be erased in the requested way.
    #[error("entry {id} cannot be erased so: {why}")]
    NotErasable {
        /// The id of the entry.
        id: u64,
        /// What the erasure would break.
        why: &'static str,
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
    #[error("the tape ends at entry {last}: there is no entry {asked}")]
    NoEntry {
        /// The id that was looked up.
        asked: u64,
        /// The id of the last entry on the tape.
        last: u64,
    },
}

impl Error {
    /// Returns the kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        use rusqlite::ErrorCode;
        match self {
            Self::Tape(e) => e.kind(),
            Self::Core(e) => e.kind(),
            Self::Index(e) => match e.sqlite_error_code() {
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
            Self::IndexFile { .. }
            | Self::MirrorFile { .. }
            | Self::WorkingCopy { .. }
            | Self::History { .. } => ErrorKind::Unavailable,
            Self::NotInWorkingCopy(_) => ErrorKind::Invalid,
            Self::WorkingCopyMoved => ErrorKind::Conflict,
            Self::NoWorkspace(_) | Self::NoBranch(_) | Self::NoCommit(_) | Self::NoEntry { .. } => {
                ErrorKind::NotFound
            }
            Self::NotErasable { .. } | Self::BranchDeleted(_) => ErrorKind::Refused,
            Self::AmbiguousCommit { .. } => ErrorKind::Conflict,
            Self::TapeMissing(_) | Self::Manifest { .. } => ErrorKind::Corrupt,
        }
    }

    /// Returns whether the index is damaged, so that only a rebuilt index can answer.
    ///
    /// The SQL statements are fixed. An SQLite error that is not a failure of the disk is therefore caused by
    /// the content of the file.
    #[must_use]
    pub fn is_index_damage(&self) -> bool {
        matches!(self, Self::Index(_)) && matches!(self.kind(), ErrorKind::Corrupt | ErrorKind::Internal)
    }

    /// Returns whether the index cannot be written at its location.
    pub(crate) fn is_index_read_only(&self) -> bool {
        use rusqlite::ErrorCode;
        match self {
            Self::Index(e) => matches!(
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

/// Returns the error for an index that is not open.
pub(crate) fn no_index() -> Error {
    Error::Index(rusqlite::Error::InvalidQuery)
}
