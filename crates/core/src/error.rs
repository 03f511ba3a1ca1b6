//! What core refuses.

use memtape_tape::ErrorKind;

use crate::hint::Hint;

/// The result of core's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A request that makes no sense, or names what is not there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request makes no sense as it is.
    #[error("{0}")]
    Invalid(String),
    /// What was named is not there at that point.
    #[error("{0}")]
    NotFound(String),
    /// A rule forbids it.
    #[error("{0}")]
    Refused(String),
    /// Several things match where one was meant.
    #[error("{0}")]
    Ambiguous(String),
    /// It would undo, overwrite or repeat what somebody else did.
    #[error("{0}")]
    Conflict(String),
    /// An error, with what to do about it.
    #[error("{error}")]
    Hinted {
        /// The error.
        error: Box<Error>,
        /// What to do about it.
        hint: Hint,
    },
    /// An entry could not be made.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
}

impl Error {
    /// What kind of failure this is.
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

    /// The same error, with what to do about it.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self::Hinted { error: Box::new(self), hint }
    }

    /// What to do about it, where the error knows.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        match self {
            Self::Hinted { hint, .. } => Some(hint),
            _ => None,
        }
    }
}
