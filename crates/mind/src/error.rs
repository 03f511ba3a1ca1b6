//! The errors of this crate.

use memtape::ErrorKind;

use crate::chat::Usage;

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
    /// `prompt.budget` has no room for what a prompt must contain.
    #[error("{0}")]
    TooSmall(String),
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
    /// While the model wrote the summary of a conversation, a message was added to it or retracted.
    #[error("the conversation changed while its summary was made: the summary is not used")]
    Overtaken,
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
    /// Whether the server refused what the request contains, such as a text that is too long for the model. It may accept
    /// other requests.
    pub is_of_request: bool,
    /// The time that the server asks to wait, in seconds.
    pub retry_after: Option<u64>,
    /// The text that arrived before.
    pub partial: String,
    /// The tokens that the call used, as far as they are known: those of the request are 0 if the server did not report them.
    /// `None` if no part of an answer arrived.
    pub usage: Option<Usage>,
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
            Self::Budget(_) | Self::TooSmall(_) | Self::Rounds(_) => ErrorKind::Refused,
            Self::Overtaken | Self::Running => ErrorKind::Busy,
        }
    }

    /// Returns whether the model's server refused what the request contains.
    pub(crate) fn is_of_request(&self) -> bool {
        matches!(self, Self::Model(failure) if failure.is_of_request)
    }

    /// Returns whether the model answered, but not so that the answer can be used.
    pub(crate) fn is_unusable(&self) -> bool {
        matches!(self, Self::Unusable(_) | Self::CutOff)
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
            Self::CutOff => {
                Some("raise model.max_tokens; if the model's context is full, lower prompt.budget".into())
            }
            Self::Rounds(_) => Some("raise agent.rounds".into()),
            Self::Unusable(_) => Some("try again, or use a larger model".into()),
            Self::TooSmall(_) => Some("raise prompt.budget".into()),
            Self::Invalid(_) | Self::Overtaken | Self::Running => None,
        }
    }
}
