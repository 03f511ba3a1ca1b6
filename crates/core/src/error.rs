//! The errors of this crate.

use memtape_tape::ErrorKind;

use crate::hint::Hint;

/// The result of this crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A request that this crate rejects.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is malformed or makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The named item does not exist at that point.
    #[error("{0}")]
    NotFound(String),
    /// A rule forbids the request.
    #[error("{0}")]
    Refused(String),
    /// Several items match a name that must match one.
    #[error("{0}")]
    Ambiguous(String),
    /// The request would undo, overwrite or repeat another author's change.
    #[error("{0}")]
    Conflict(String),
    /// An error with a hint on how to resolve it.
    #[error("{error}")]
    Hinted {
        /// The error.
        error: Box<Error>,
        /// The hint on how to resolve the error.
        hint: Hint,
    },
    /// An entry could not be built.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
}

impl Error {
    /// Returns the kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Refused(_) => ErrorKind::Refused,
            Self::Ambiguous(_) | Self::Conflict(_) => ErrorKind::Conflict,
            Self::Hinted { error, .. } => error.kind(),
            Self::Tape(e) => e.kind(),
        }
    }

    /// Returns this error with a hint on how to resolve it.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self::Hinted { error: Box::new(self), hint }
    }

    /// Returns the hint on how to resolve the error; `None` if it has none.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        match self {
            Self::Hinted { hint, .. } => Some(hint),
            _ => None,
        }
    }
}
