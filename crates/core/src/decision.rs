//! Decisions: what a command found, and what it wants written.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_tape::Draft;

use crate::audience::Sensitivity;
use crate::calendar;
use crate::memory::Origin;
use crate::meta::Meta;
use crate::scope::Scope;
use crate::session::Session;

/// What a command is given besides the view: everything it may not find out by itself.
#[derive(Clone, Debug)]
pub struct Given {
    /// What time it is, by the clock. The entries have this date, unless the tape's last one is later.
    pub now: Timestamp,
    /// The workspace's time zone.
    pub zone: TimeZone,
    /// The branch written to.
    pub branch: String,
    /// The conversation the command belongs to.
    pub session: Session,
    /// Who asks.
    pub origin: Origin,
    /// Whose the memories are that it writes.
    pub scope: Scope,
    /// How far they may be shown.
    pub sensitivity: Sensitivity,
    /// Why, where they said so.
    pub reason: Option<String>,
}

impl Given {
    /// The day it is in the workspace.
    #[must_use]
    pub fn today(&self) -> Date {
        calendar::day(self.now, &self.zone)
    }

    /// What the entries of this command say of themselves.
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

/// The entries a command wants written, in one group, and what it has to say.
#[derive(Debug)]
pub struct Decision<T> {
    /// The entries, possibly none.
    pub drafts: Vec<Draft>,
    /// The outcome, as a value: also duplicates, refusals and the like.
    pub outcome: T,
}

impl<T> Decision<T> {
    /// An outcome without a write.
    pub fn nothing(outcome: T) -> Self {
        Self { drafts: Vec::new(), outcome }
    }

    /// The same decision with another outcome.
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Decision<U> {
        Decision { drafts: self.drafts, outcome: to(self.outcome) }
    }
}
