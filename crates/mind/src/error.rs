//! The errors of this crate.

use memtape::ErrorKind;

/// The result of this crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of something that asks a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library failed or refused.
    #[error(transparent)]
    Memtape(#[from] memtape::Error),
    /// No model is configured.
    #[error("no language model is configured")]
    NoModel,
    /// The configuration of the model cannot be used.
    #[error("cannot use the language model: {0}")]
    Configuration(String),
    /// The model did not answer.
    #[error("{0}")]
    Model(Failure),
    /// The budget is used up.
    #[error("{0}")]
    Budget(String),
    /// The model's answer does not have the requested format, even after one request to repair it.
    #[error("the model's answer cannot be used: {0}")]
    Unusable(String),
    /// The reply is cut off at the maximum length.
    #[error("the reply was cut off at model.max_tokens")]
    CutOff,
    /// The model called tools this many times without a final reply.
    #[error("stopped after {0} model calls without a final reply")]
    Rounds(usize),
    /// The request is malformed.
    #[error("{0}")]
    Invalid(String),
    /// Another process runs a heartbeat of the workspace.
    #[error("another heartbeat of this workspace is running")]
    Running,
}

/// Why a call of a model failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The failure, without the key.
    pub why: String,
    /// The hint on what to do about it; empty if there is none.
    pub hint: &'static str,
    /// Whether the same call may succeed later.
    pub is_transient: bool,
    /// The time that the server asks to wait, in seconds.
    pub retry_after: Option<u64>,
    /// The text that arrived before.
    pub partial: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

impl Error {
    /// Returns the kind of the failure, by which a caller decides what to do.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Memtape(e) => e.kind(),
            Self::NoModel | Self::Configuration(_) | Self::Invalid(_) => ErrorKind::Invalid,
            Self::Model(_) | Self::Unusable(_) | Self::CutOff => ErrorKind::Unavailable,
            Self::Budget(_) | Self::Rounds(_) => ErrorKind::Refused,
            Self::Running => ErrorKind::Busy,
        }
    }

    /// Returns what to do about it; `None` if the message is sufficient.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Memtape(e) => e.hint(memtape::Surface::CommandLine),
            Self::NoModel => Some(
                "set model.provider, model.name and, for a local server, model.base_url in \
                 ~/.config/memtape/config.toml"
                    .into(),
            ),
            Self::Configuration(_) => Some("`memtape config` shows what is configured".into()),
            Self::Model(failure) => Some(failure.hint.to_owned()).filter(|hint| !hint.is_empty()),
            Self::Budget(_) => {
                Some("raise the limit or wait; `memtape journal costs` sums up the calls".into())
            }
            Self::CutOff => Some("raise model.max_tokens".into()),
            Self::Rounds(_) => Some("raise agent.rounds".into()),
            Self::Unusable(_) => Some("try again, or use a larger model".into()),
            Self::Invalid(_) | Self::Running => None,
        }
    }
}
