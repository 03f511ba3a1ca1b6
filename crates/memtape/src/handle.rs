//! What every handle of a workspace can be told: who asks, as a part of which conversation, how far it may be shown, why.
//!
//! A handle has an `author`, and an `audience` where it is told of one.

use memtape_core::{Audience, Scope};
use memtape_store::Author;

use crate::error::{Error, Result};
use memtape_core::Hint;

/// Gives a handle the ways of being told that are named.
macro_rules! told {
    ($handle:ident: $($what:ident),+) => {
        impl $handle<'_> {
            $(crate::handle::told!(@ $what);)+
        }
    };
    (@ for_audience) => {
        /// The same, for an audience.
        #[must_use]
        pub fn for_audience(mut self, audience: Audience) -> Self {
            self.audience = audience;
            self
        }
    };
    (@ in_session) => {
        /// The same, as a part of a conversation.
        #[must_use]
        pub fn in_session(mut self, session: Session) -> Self {
            self.author.session = session;
            self
        }
    };
    (@ with_sensitivity) => {
        /// The same, writing what may be shown so far.
        #[must_use]
        pub fn with_sensitivity(mut self, sensitivity: Sensitivity) -> Self {
            self.author.sensitivity = sensitivity;
            self
        }
    };
    (@ because) => {
        /// The same, with a reason that is kept beside what is written.
        #[must_use]
        pub fn because(mut self, reason: Option<String>) -> Self {
            self.author.reason = reason;
            self
        }
    };
    (@ called_by) => {
        /// The same, as a tool's call: the first group that it writes says so.
        pub(crate) fn called_by(mut self, call: &std::sync::Arc<memtape_store::ToolCall>) -> Self {
            self.author.call = Some(std::sync::Arc::clone(call));
            self
        }
    };
    (@ writing_as) => {
        /// The same, writing what comes from there.
        #[must_use]
        pub fn writing_as(mut self, origin: Origin) -> Self {
            self.author.origin = origin;
            self
        }
    };
}

pub(crate) use told;

/// Refuses who does not write for the whole workspace what is its own: `what` names it.
pub(crate) fn writes_for_all(audience: &Audience, author: &Author, what: &str) -> Result<()> {
    let home = audience.home_of(author.sensitivity, &author.session);
    match audience.is_owner() && home.is_ok_and(|home| home == Scope::Global) {
        true => Ok(()),
        false => Err(Error::Refused(format!("{what} are the whole workspace's, and the owner's to write"))
            .with_hint(Hint::KeepAsOwn)),
    }
}
