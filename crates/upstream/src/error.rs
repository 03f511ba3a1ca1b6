//! The errors of an upstream.

/// The result of the operations of an upstream.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of an upstream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The upstream has no tape of this name.
    #[error("{upstream} has no tape: `memtape push` creates one")]
    NoTape {
        /// The address of the upstream, without credentials.
        upstream: String,
    },
    /// The upstream has only the beginning of a tape, because a push to it has not ended.
    #[error(
        "{upstream} has only a part of a tape, because a push to it has not ended: repeat `memtape push` in the \
         workspace that was pushed"
    )]
    Incomplete {
        /// The address of the upstream, without credentials.
        upstream: String,
    },
    /// The upstream could not be reached: the request had no effect.
    #[error("cannot reach {upstream}: {why}")]
    Unreachable {
        /// The address of the upstream, without credentials.
        upstream: String,
        /// The failure.
        why: String,
    },
    /// The connection failed after the request was sent: it may have had an effect.
    #[error("the connection to {upstream} failed: {why}")]
    Unknown {
        /// The address of the upstream, without credentials.
        upstream: String,
        /// The failure.
        why: String,
    },
    /// The upstream rejected the request.
    #[error("{upstream} refused: {why}")]
    Refused {
        /// The address of the upstream, without credentials.
        upstream: String,
        /// Its message.
        why: String,
    },
    /// What the upstream returned is not what a writer wrote.
    #[error("the upstream's tape is damaged: {why}")]
    Damaged {
        /// A description of the damage.
        why: String,
    },
}
