//! Failures, and the one table from their kinds to what each face says.

use memtape_core::Hint;
use memtape_tape::ErrorKind;

use crate::hints::{self, Surface};

/// The result of the library's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store failed or refused.
    #[error(transparent)]
    Store(#[from] memtape_store::Error),
    /// The request makes no sense as it is.
    #[error("{0}")]
    Invalid(String),
    /// What was named is not there.
    #[error("{0}")]
    NotFound(String),
    /// A rule forbids it.
    #[error("{0}")]
    Refused(String),
    /// An error, with what to do about it.
    #[error("{error}")]
    Hinted {
        /// The error.
        error: Box<Error>,
        /// What to do about it.
        hint: Hint,
    },
    /// The model that makes vectors cannot be read or run.
    #[error("the model of meaning cannot be used: {0}")]
    Model(String),
    /// An input could not be read.
    #[error("cannot read the input: {0}")]
    Input(#[source] std::io::Error),
    /// An export could not be written.
    #[error("cannot write {path}: {source}")]
    Export {
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
}

impl From<memtape_core::Error> for Error {
    fn from(e: memtape_core::Error) -> Self {
        Self::Store(e.into())
    }
}

impl From<memtape_tape::Error> for Error {
    fn from(e: memtape_tape::Error) -> Self {
        Self::Store(e.into())
    }
}

impl Error {
    /// What kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(e) => e.kind(),
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Refused(_) => ErrorKind::Refused,
            Self::Hinted { error, .. } => error.kind(),
            Self::Model(_) | Self::Input(_) | Self::Export { .. } => ErrorKind::Unavailable,
        }
    }

    /// The same error, with what to do about it.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self::Hinted { error: Box::new(self), hint }
    }

    /// What to do about it, in a sentence that names what the surface has; `None` where the message says it.
    #[must_use]
    pub fn hint(&self, surface: Surface) -> Option<String> {
        let own = match self {
            Self::Hinted { hint, .. } => Some(hint),
            Self::Store(memtape_store::Error::Core(e)) => e.hint(),
            _ => None,
        };
        match (own, surface) {
            (Some(hint), surface) => hints::text(hint, surface),
            (None, Surface::CommandLine) => self.command_hint(),
            (None, Surface::Tools) => hints::for_caller_of_tools(self.kind()).map(str::to_owned),
        }
    }

    fn command_hint(&self) -> Option<String> {
        use memtape_store::Error as Store;
        match self {
            Self::Store(Store::NoWorkspace(dir)) => Some(format!("make one with `memtape init {dir}`")),
            Self::Store(Store::TapeMissing(dir)) => Some(format!(
                "put tape.jsonl back from a copy, or begin a new tape with `memtape init {dir}` (what the index \
                 knows is then kept in archive/)"
            )),
            Self::Store(Store::Tape(e)) if e.is_read_only() => {
                Some("the workspace cannot be written: see to its permissions, or read only".into())
            }
            Self::Store(Store::Tape(memtape_tape::Error::Intent(_))) => Some(
                "an erasure was cut off: if another version of memtape began it, let that finish it; else remove \
                 erase.json and erase again"
                    .into(),
            ),
            Self::Store(Store::NoEntry { last, .. }) => Some(format!("entries go from 1 to {last}")),
            Self::Input(_) | Self::Export { .. } => None,
            Self::Model(_) => {
                Some("see to `recall.model`, or find by words only: recall.backend = \"sqlite_fts\"".into())
            }
            Self::Store(e @ Store::Index(_)) if e.kind() == ErrorKind::Corrupt => {
                Some("run the command again: the index is built anew from the tape".into())
            }
            _ => advice(self.kind()).hint.map(str::to_owned),
        }
    }
}

/// What a face makes of a kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The exit status of a command.
    pub exit: u8,
    /// What to do about it, where the message does not say.
    pub hint: Option<&'static str>,
}

/// The table from kinds to what faces say. No face has another.
#[must_use]
pub fn advice(kind: ErrorKind) -> Advice {
    let (exit, hint) = match kind {
        ErrorKind::Internal => (1, Some("this is a defect of memtape: please report it")),
        ErrorKind::Invalid => (2, None),
        ErrorKind::NotFound => (3, None),
        ErrorKind::Conflict => (4, None),
        ErrorKind::Refused => (5, None),
        ErrorKind::Busy => (6, Some("try again when the other process is done")),
        ErrorKind::Unavailable => {
            (7, Some("what was acknowledged before is safe; see to the disk, then try again"))
        }
        ErrorKind::Corrupt => (8, Some("`memtape verify` names each damaged line")),
    };
    Advice { exit, hint }
}
