//! The settings that all handles of a workspace share: audience, conversation, sensitivity, origin and
//! reason.
//!
//! A handle has a field `author`, and a field `audience` if it has an audience.

use memtape_core::{Audience, Scope};
use memtape_store::Author;

use crate::error::{Error, Result};
use memtape_core::Hint;

/// Implements the named setters for a handle.
macro_rules! options {
    ($handle:ident: $($what:ident),+) => {
        impl<'a> $handle<'a> {
            $(crate::handle::options!(@ $what);)+
        }
    };
    (@ new) => {
        pub(crate) fn new(
            workspace: &'a Workspace,
            session: &Session,
            origin: Origin,
            audience: Audience,
        ) -> Self {
            Self { workspace, author: workspace.author(session, origin), audience }
        }
    };
    (@ for_audience) => {
        /// Returns the same handle for another audience.
        #[must_use]
        pub fn for_audience(mut self, audience: Audience) -> Self {
            self.audience = audience;
            self
        }
    };
    (@ in_session) => {
        /// Returns the same handle, reading and writing as part of a conversation.
        #[must_use]
        pub fn in_session(mut self, session: Session) -> Self {
            self.author.session = session;
            self
        }
    };
    (@ with_sensitivity) => {
        /// Returns the same handle, writing with a sensitivity.
        #[must_use]
        pub fn with_sensitivity(mut self, sensitivity: Sensitivity) -> Self {
            self.author.sensitivity = sensitivity;
            self
        }
    };
    (@ because) => {
        /// Returns the same handle, recording a reason with what it writes.
        #[must_use]
        pub fn because(mut self, reason: Option<String>) -> Self {
            self.author.reason = reason;
            self
        }
    };
    (@ called_by) => {
        /// Returns the same handle, recording the call of a tool with the first group that it writes.
        pub(crate) fn called_by(mut self, call: &std::sync::Arc<memtape_store::ToolCall>) -> Self {
            self.author.call = Some(std::sync::Arc::clone(call));
            self
        }
    };
    (@ only_if) => {
        /// Returns the same handle. Its writes fail with an error of kind `Conflict` if the branch or the memory is no longer
        /// as in `expected`, which is checked under the writer lock.
        #[must_use]
        pub fn only_if(mut self, expected: memtape_store::Expected) -> Self {
            self.author.expected = Some(expected);
            self
        }
    };
    (@ into_branch) => {
        /// Returns the same handle, changing this branch whichever branch the conversation is on.
        #[must_use]
        pub fn into_branch(mut self, branch: Option<String>) -> Self {
            self.author.branch = branch.or(self.author.branch);
            self
        }
    };
    (@ home) => {
        /// Returns the default write scope of the audience.
        pub(crate) fn home(&self) -> Result<memtape_core::Scope> {
            Ok(self.audience.home_of(self.author.sensitivity, &self.author.session)?)
        }
    };
    (@ writing_as) => {
        /// Returns the same handle, writing with another origin.
        #[must_use]
        pub fn writing_as(mut self, origin: Origin) -> Self {
            self.author.origin = origin;
            self
        }
    };
}

pub(crate) use options;

/// Refuses an audience that does not write for the whole workspace; `what` names the memories for the
/// message.
pub(crate) fn writes_for_all(audience: &Audience, author: &Author, what: &str) -> Result<()> {
    let home = audience.home_of(author.sensitivity, &author.session);
    match audience.is_owner() && home.is_ok_and(|home| home == Scope::Global) {
        true => Ok(()),
        false => Err(Error::Refused(format!(
            "only the owner can write {what}, which belong to the whole \
                                             workspace"
        ))
        .with_hint(Hint::KeepAsOwn)),
    }
}
