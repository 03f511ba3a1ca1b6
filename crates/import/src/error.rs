//! The errors of this crate.

use memtape::ErrorKind;

/// The result of this crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that ends an import. What concerns one item only is reported instead, and the import goes on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library failed or refused.
    #[error(transparent)]
    Memtape(#[from] memtape::Error),
    /// There is no source of this name.
    #[error("there is no source {name:?}")]
    NoSource {
        /// The name.
        name: String,
        /// The names of the sources.
        known: Vec<&'static str>,
    },
    /// The path does not exist.
    #[error("cannot read {0}: there is no such file or folder")]
    Missing(String),
    /// The path holds nothing that a source reads.
    #[error("{path} holds nothing of {source_name}: expected {expected}")]
    Nothing {
        /// The path.
        path: String,
        /// The name of the source.
        source_name: &'static str,
        /// What the source reads.
        expected: &'static str,
    },
    /// A file of the source cannot be read.
    #[error("cannot read {file}: {why}")]
    Unreadable {
        /// The file, below the imported path.
        file: String,
        /// The reason.
        why: String,
    },
    /// The path is of a kind that is not imported.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    /// Returns the kind of the failure, by which a caller decides what to do.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Memtape(e) => e.kind(),
            Self::NoSource { .. } => ErrorKind::Invalid,
            Self::Missing(_) | Self::Nothing { .. } => ErrorKind::NotFound,
            Self::Unreadable { .. } => ErrorKind::Unavailable,
            Self::Refused(_) => ErrorKind::Refused,
        }
    }

    /// Returns what to do about it; `None` if the message is sufficient.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Memtape(e) => e.hint(memtape::Surface::CommandLine),
            Self::NoSource { known, .. } => Some(format!("the sources are {}", known.join(", "))),
            Self::Nothing { path, .. } => {
                Some(format!("`memtape import detect {path}` shows what can be imported from there"))
            }
            Self::Missing(_) | Self::Unreadable { .. } | Self::Refused(_) => None,
        }
    }

    /// Returns the error for a file that cannot be read.
    pub(crate) fn unreadable(file: &str, why: impl std::fmt::Display) -> Self {
        Self::Unreadable { file: file.to_owned(), why: why.to_string() }
    }
}
