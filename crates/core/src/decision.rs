//! Decisions: the outcome of a command, and the entries it asks to write.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_tape::Draft;

use crate::audience::Sensitivity;
use crate::calendar;
use crate::error::{Error, Result};
use crate::memory::{Origin, Ref};
use crate::meta::Meta;
use crate::scope::Scope;
use crate::session::Session;

/// The context of a command besides the view: time, branch, conversation and author.
#[derive(Clone, Debug)]
pub struct Context {
    /// The current time by the clock. Entries get this date unless the tape's last entry is later.
    pub now: Timestamp,
    /// The workspace's time zone.
    pub zone: TimeZone,
    /// The branch to write to.
    pub branch: String,
    /// The conversation the command belongs to.
    pub session: Session,
    /// The origin of the request.
    pub origin: Origin,
    /// The scope of the memories that the command writes.
    pub scope: Scope,
    /// The sensitivity of those memories.
    pub sensitivity: Sensitivity,
    /// The reason that the author stated, if any.
    pub reason: Option<String>,
}

impl Context {
    /// Returns the current day in the workspace's time zone.
    #[must_use]
    pub fn today(&self) -> Date {
        calendar::day(self.now, &self.zone)
    }

    /// Returns the same context for texts that are moved: what a tool or a page wrote stays theirs, whoever
    /// moves it.
    #[must_use]
    pub fn adopting(&self, origins: impl IntoIterator<Item = Origin>) -> Self {
        let foreign = origins.into_iter().filter(|origin| origin.is_foreign());
        Self { origin: foreign.fold(self.origin, Origin::less_trusted), ..self.clone() }
    }

    /// Returns an error if a tool or a page would change or remove a memory of another origin.
    ///
    /// # Errors
    /// [`Error::Refused`], which names the memory by `reference`.
    pub fn may_change(&self, origin: Option<Origin>, reference: impl FnOnce() -> Ref) -> Result<()> {
        match self.origin.is_foreign() && !origin.is_some_and(Origin::is_foreign) {
            true => Err(Error::Refused(format!(
                "{} has a more trusted origin: a tool or a web page cannot change it",
                reference()
            ))),
            false => Ok(()),
        }
    }

    /// Returns the `meta` of this command's entries.
    #[must_use]
    pub fn meta(&self) -> Meta {
        Meta {
            reason: self.reason.clone(),
            scope: self.scope.label(),
            sensitivity: self.sensitivity,
            ..Meta::of(&self.session, self.origin)
        }
    }
}

/// The entries a command asks to write as one group, and its outcome.
#[derive(Debug)]
pub struct Decision<T> {
    /// The entries, possibly none.
    pub drafts: Vec<Draft>,
    /// The outcome as a value; duplicates and refusals are outcomes too.
    pub outcome: T,
}

impl<T> Decision<T> {
    /// Returns a decision that writes nothing.
    pub fn nothing(outcome: T) -> Self {
        Self { drafts: Vec::new(), outcome }
    }

    /// Returns the same decision with its outcome mapped.
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Decision<U> {
        Decision { drafts: self.drafts, outcome: to(self.outcome) }
    }
}
