//! What can go wrong with a store.

use memtape_tape::ErrorKind;

/// The result of the store's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The tape failed.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
    /// The command or question was refused.
    #[error(transparent)]
    Core(#[from] memtape_core::Error),
    /// SQLite failed.
    #[error("the index failed: {0}")]
    Index(#[from] rusqlite::Error),
    /// An index file could not be moved or removed.
    #[error("cannot {action} {path}: {source}")]
    IndexFile {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A mirror that shows what was erased could not be removed.
    #[error("cannot {action} {path}: {source}")]
    MirrorFile {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file of the working copy could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    WorkingCopy {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// What the files of the working copy are known to be cannot be read.
    #[error(
        "{path} cannot be used: {why}. Move it away, and the files are compared with the tape anew: what differs \
         counts as an edit"
    )]
    Manifest {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A path was named that no file of the working copy can have.
    #[error("{0:?} is no path in the working copy")]
    NotInWorkingCopy(String),
    /// Files of the working copy were changed since they were looked at.
    #[error("the working copy has changed since it was looked at")]
    WorkingCopyMoved,
    /// The history of the files cannot be read, or not be written anew without what is erased.
    #[error(
        "the git history of files/ cannot be read and rewritten ({why}): remove {at}, and the next write makes a new history \
         from the tape"
    )]
    History {
        /// What to remove, relative to the workspace.
        at: String,
        /// What failed.
        why: String,
    },
    /// There is no workspace in the directory.
    #[error("there is no workspace in {0}")]
    NoWorkspace(String),
    /// The tape is gone, the index is not.
    #[error("{0} has an index but no tape.jsonl: the tape is missing")]
    TapeMissing(String),
    /// An entry cannot be erased as asked.
    #[error("entry {id} cannot be erased so: {why}")]
    NotErasable {
        /// The entry.
        id: u64,
        /// What would break.
        why: &'static str,
    },
    /// A branch was named that does not exist.
    #[error("there is no branch {0:?}")]
    NoBranch(String),
    /// A branch was to be written to that was deleted.
    #[error("the branch {0:?} was deleted: nothing is written to it any more")]
    BranchDeleted(String),
    /// No commit's id begins so.
    #[error("there is no commit whose id begins with {0}")]
    NoCommit(String),
    /// Several commits' ids begin so.
    #[error("several commits begin with {id}: {found}")]
    AmbiguousCommit {
        /// What was given.
        id: String,
        /// Which they are.
        found: String,
    },
    /// A point past the end was named.
    #[error("the tape ends at entry {last}: there is no entry {asked}")]
    NoEntry {
        /// The entry asked for.
        asked: u64,
        /// The last one there is.
        last: u64,
    },
}

impl Error {
    /// What kind of failure this is.
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

    /// Whether the index is damaged, so that only a rebuilt one can answer. The questions put to it are fixed,
    /// so whatever SQLite makes of them besides the medium's failures comes from what stands in the file.
    #[must_use]
    pub fn is_index_damage(&self) -> bool {
        matches!(self, Self::Index(_)) && matches!(self.kind(), ErrorKind::Corrupt | ErrorKind::Internal)
    }

    /// Whether the index cannot be written where it lies.
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

/// Returns the error of an index that is not open.
pub(crate) fn no_index() -> Error {
    Error::Index(rusqlite::Error::InvalidQuery)
}
