//! Maintenance of the ledger: removes expired and unwanted facts and commits pending observations, in one
//! commit.

use super::entry::EventType;
use super::group::{Group, MESSAGE_CHARS_MAX, Observation, PendingEvent, Setting, meta_after};
use super::view::Fact;
use crate::commit::Commit;
use crate::decision::{Context, Decision};
use crate::error::Result;
use crate::meta::Meta;

/// The reason for the removal of an expired fact.
pub const EXPIRED: &str = "expired";
/// The reason for the removal of a fact that another memory makes redundant.
pub const DUPLICATE: &str = "duplicate";

/// The work to be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Upkeep {
    /// The facts to remove.
    pub leaving: Vec<Leaving>,
    /// The observations to commit.
    pub waiting: Vec<Observation>,
    /// Whether nobody asked for it. The removals then do not name the conversation in which they are written: those who see
    /// the facts may not know it.
    pub is_automatic: bool,
}

/// A fact to remove.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaving {
    /// The current fact.
    pub fact: Fact,
    /// The type of the event: [`EventType::Deprecate`] or [`EventType::Forget`].
    pub how: EventType,
    /// The reason, which must not describe the fact.
    pub reason: String,
}

impl Leaving {
    /// Removes a fact because it has expired.
    #[must_use]
    pub fn expired(fact: Fact) -> Self {
        Self { fact, how: EventType::Forget, reason: EXPIRED.into() }
    }

    /// Removes a fact because another memory makes it redundant.
    #[must_use]
    pub fn duplicate(fact: Fact) -> Self {
        Self { fact, how: EventType::Forget, reason: DUPLICATE.into() }
    }
}

impl Upkeep {
    /// Returns whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaving.is_empty() && self.waiting.is_empty()
    }
}

/// Does the work in one commit; returns `None` and writes nothing if there is nothing to do.
///
/// The commit message must not describe any fact.
///
/// # Errors
/// [`Error::Tape`](crate::error::Error::Tape) if an entry cannot be serialized.
pub fn keep(
    upkeep: &Upkeep,
    message: String,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Option<Commit>>> {
    if upkeep.is_empty() {
        return Ok(Decision::nothing(None));
    }
    let mut group = if upkeep.is_automatic { Group::automatic(ctx) } else { Group::new(ctx) };
    upkeep.waiting.iter().for_each(|observation| group.include(observation));
    for Leaving { fact, how, reason } in &upkeep.leaving {
        let meta = meta_after(fact, ctx);
        let session = meta.session.clone().filter(|_| !upkeep.is_automatic);
        let meta = Meta { reason: Some(reason.clone()), session, ..meta };
        group.add(PendingEvent { event_type: *how, event: fact.current_event(), meta })?;
    }
    let (drafts, commit) = group.closed(message, setting)?;
    Ok(Decision { drafts, outcome: Some(commit) })
}

/// Returns the message of a commit of observations.
///
/// It names their conversation if all of them have the same conversation and scope.
#[must_use]
pub fn observed(waiting: &[Observation]) -> String {
    let first = waiting.first();
    let is_one = |other: &Observation| {
        first.is_some_and(|first| first.session == other.session && first.scope == other.scope)
    };
    let session = first.and_then(|first| first.session.as_deref()).filter(|_| waiting.iter().all(is_one));
    let named = session.map(|session| format!("observations of {session}: {}", waiting.len()));
    let fits = |message: &String| message.chars().count() <= MESSAGE_CHARS_MAX;
    named.filter(fits).unwrap_or_else(|| format!("observations: {}", waiting.len()))
}
