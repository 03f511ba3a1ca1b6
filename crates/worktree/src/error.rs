//! The errors of the files that people read and edit.

use memtape_tape::ErrorKind;

/// The result of an operation on these files.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a working copy or of the mirror files. Git history has its own:
/// [`Failure`](crate::git::Failure).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
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
    /// A mirror file could not be read, written or removed.
    #[error("cannot {action} {path}: {source}")]
    MirrorFile {
        /// The attempted operation, as a verb.
        action: &'static str,
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

impl Error {
    /// Returns the kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::WorkingCopy { .. } | Self::MirrorFile { .. } => ErrorKind::Unavailable,
            Self::Manifest { .. } => ErrorKind::Corrupt,
            Self::NotInWorkingCopy(_) => ErrorKind::Invalid,
            Self::WorkingCopyMoved => ErrorKind::Conflict,
        }
    }
}
