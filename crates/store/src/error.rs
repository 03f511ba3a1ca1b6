//! The errors of the store.

use memtape_tape::ErrorKind;
use memtape_worktree::git::Failure;

/// The result of a store operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the store.
///
/// An error of the tape, or of a rule of [`memtape_core`], has the same variant whether it was raised here or
/// by a query of the index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The tape cannot be read or written.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
    /// The directory is a replica of an upstream that was not given.
    #[error("this workspace is a replica of {upstream}, which is not connected: nothing is written")]
    Detached {
        /// The address of the upstream, without credentials.
        upstream: String,
    },
    /// The command or query was rejected by [`memtape_core`].
    #[error(transparent)]
    Core(#[from] memtape_core::Error),
    /// The index failed, or what was asked of it does not exist.
    #[error(transparent)]
    Index(memtape_index::Error),
    /// A file of a working copy, or a mirror file, could not be read or written.
    #[error(transparent)]
    Worktree(#[from] memtape_worktree::Error),
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
    /// The directory had a tape when the store was opened, and has none any more.
    #[error("the tape in {0} is gone: the directory was moved or removed, or its disk is not there")]
    TapeUnavailable(String),
    /// An entry cannot be erased in the requested way.
    #[error("entry {id} cannot be erased so: {why}")]
    NotErasable {
        /// The id of the entry.
        id: u64,
        /// What the erasure would break.
        why: &'static str,
    },
    /// The tape has entries of its own, so that the entries of another tape cannot follow.
    #[error("the workspace has memories of its own: entry {entry} is not an entry of the import")]
    OtherTape {
        /// The first entry that is known to differ.
        entry: u64,
    },
    /// The text of an entry was erased in the source of a copy, and is still on this tape.
    #[error("the import has erased the text of entry {entry}, and this workspace still has it")]
    ErasedInSource {
        /// The entry.
        entry: u64,
    },
}

impl From<memtape_index::Error> for Error {
    fn from(e: memtape_index::Error) -> Self {
        match e {
            memtape_index::Error::Tape(e) => Self::Tape(e),
            memtape_index::Error::Core(e) => Self::Core(e),
            other => Self::Index(other),
        }
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Self::Other(e.to_string())
    }
}

impl Error {
    /// Returns the kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Tape(e) => e.kind(),
            Self::Core(e) => e.kind(),
            Self::Index(e) => e.kind(),
            Self::Worktree(e) => e.kind(),
            Self::History { .. } | Self::TapeUnavailable(_) => ErrorKind::Unavailable,
            Self::NoWorkspace(_) => ErrorKind::NotFound,
            Self::NotErasable { .. } | Self::Detached { .. } => ErrorKind::Refused,
            Self::OtherTape { .. } | Self::ErasedInSource { .. } => ErrorKind::Conflict,
            Self::TapeMissing(_) => ErrorKind::Corrupt,
        }
    }

    /// Returns whether the index is damaged, so that only a rebuilt index can answer.
    pub(crate) fn is_index_damage(&self) -> bool {
        matches!(self, Self::Index(e) if e.is_index_damage())
    }

    /// Returns whether the index cannot be written at its location.
    pub(crate) fn is_index_read_only(&self) -> bool {
        matches!(self, Self::Index(e) if e.is_index_read_only())
    }
}
