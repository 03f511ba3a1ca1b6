//! Keeping the ledger in order: what has had its time or is not wanted any more goes, and observations that wait are
//! committed, with one commit for all of it.

use super::entry::EventType;
use super::group::{Group, MESSAGE_CHARS_MAX, Observation, Said, Setting, meta_after};
use super::view::Fact;
use crate::commit::Commit;
use crate::decision::{Decision, Given};
use crate::error::Result;
use crate::meta::Meta;

/// Why a fact goes that has had its time.
pub const EXPIRED: &str = "expired";
/// Why a fact goes that another memory makes needless.
pub const DUPLICATE: &str = "duplicate";

/// What is to be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Upkeep {
    /// The facts to retire.
    pub leaving: Vec<Leaving>,
    /// The observations to commit.
    pub waiting: Vec<Observation>,
}

/// A fact that is to be retired.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaving {
    /// The fact, as it stands.
    pub fact: Fact,
    /// How: [`EventType::Deprecate`] or [`EventType::Forget`].
    pub how: EventType,
    /// Why, in words that say nothing of it.
    pub reason: String,
}

impl Leaving {
    /// A fact that has had its time.
    #[must_use]
    pub fn expired(fact: Fact) -> Self {
        Self { fact, how: EventType::Forget, reason: EXPIRED.into() }
    }

    /// A fact that another memory makes needless.
    #[must_use]
    pub fn duplicate(fact: Fact) -> Self {
        Self { fact, how: EventType::Forget, reason: DUPLICATE.into() }
    }
}

impl Upkeep {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaving.is_empty() && self.waiting.is_empty()
    }
}

/// Does it. The message says what, and nothing of any fact; nothing is written where there is nothing to do.
///
/// # Errors
/// None that a caller can cause.
pub fn keep(
    upkeep: &Upkeep,
    message: String,
    given: &Given,
    setting: &Setting,
) -> Result<Decision<Option<Commit>>> {
    if upkeep.is_empty() {
        return Ok(Decision::nothing(None));
    }
    let mut group = Group::new(given);
    upkeep.waiting.iter().for_each(|observation| group.take_in(observation));
    for Leaving { fact, how, reason } in &upkeep.leaving {
        let meta = Meta { reason: Some(reason.clone()), ..meta_after(fact, given) };
        group.say(Said { event_type: *how, event: fact.standing_event(), meta })?;
    }
    let (drafts, commit) = group.closed(message, setting)?;
    Ok(Decision { drafts, outcome: Some(commit) })
}

/// What a commit of observations says it is: whose they are, where they are of one conversation and one scope.
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
