//! Pruning facts of low confidence and facts that are not used.

use jiff::Timestamp;
use memtape_core::forms::ledger::EventType;
use memtape_core::forms::ledger::upkeep::{self, Leaving, Upkeep};
use memtape_core::{Hint, Point, calendar};
use memtape_index::{Confidential, Question, Reader};

use super::{Fact, Ledger, Retired};
use crate::error::{Error, Result};
use crate::workspace::At;

/// A selection of facts to prune; a fact matches if every part that is set matches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unwanted {
    /// Confidence below this.
    pub below: Option<f64>,
    /// Neither stated, changed nor recalled for this many days.
    pub unused_days: Option<u32>,
}

impl Unwanted {
    /// Returns whether any part is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// Returns the reason that is recorded with the removal.
    fn reason(&self) -> String {
        let below = self.below.map(|below| format!("confidence below {below}"));
        let unused = self.unused_days.map(|days| format!("not used for {days} {}", plural(days)));
        below.into_iter().chain(unused).collect::<Vec<_>>().join(", ")
    }

    /// Returns the question for the matching facts at an instant.
    fn question(&self, now: Timestamp) -> Question {
        Question {
            confidence_below: self.below,
            unused_since: self.unused_days.map(|days| calendar::days_before(now, days)),
            ..Question::default()
        }
    }
}

fn plural(days: u32) -> &'static str {
    if days == 1 { "day" } else { "days" }
}

impl Ledger<'_> {
    /// Returns the facts that [`Ledger::prune`] would remove, oldest first.
    ///
    /// # Errors
    /// See [`Ledger::prune`].
    pub fn prunable(&self, unwanted: &Unwanted) -> Result<Vec<Fact>> {
        check(unwanted)?;
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            self.unwanted(unwanted, reader, point)
        })
    }

    /// Deprecates the facts that a selection matches and the audience may remove, and returns them.
    ///
    /// Their history keeps them, and earlier points still show them.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the selection is empty or its confidence is not between 0 and 1;
    /// [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write).
    pub fn prune(&self, unwanted: &Unwanted) -> Result<Retired> {
        check(unwanted)?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let facts = self.unwanted(unwanted, reader, point)?;
            let upkeep = Upkeep { leaving: leaving(facts.clone(), unwanted), ..Upkeep::default() };
            let message = pruned(facts.len());
            let decision = upkeep::keep(&upkeep, message, ctx, &self.setting(reader, point)?)?;
            Ok(decision.map(|commit| Retired { facts, commit }))
        })?;
        Ok(written.outcome)
    }

    fn unwanted(
        &self,
        unwanted: &Unwanted,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Fact>> {
        let asked = Question { confidential: Confidential::ToOwner, ..self.question() };
        let mut facts = found(unwanted, &asked, reader, point)?;
        facts.retain(|fact| self.is_own(&fact.memory));
        Ok(facts)
    }
}

/// Returns the message of the commit that prunes facts.
pub(crate) fn pruned(count: usize) -> String {
    format!("prune {count} {}", if count == 1 { "fact" } else { "facts" })
}

/// Returns the facts of a question that match a selection.
pub(crate) fn found(
    unwanted: &Unwanted,
    asked: &Question,
    reader: &Reader<'_>,
    point: &Point,
) -> memtape_index::Result<Vec<Fact>> {
    let Question { confidence_below, unused_since, .. } = unwanted.question(point.instant);
    let question = Question { confidence_below, unused_since, ..asked.clone() };
    Ok(reader.memories(&question, point)?.into_iter().filter_map(Fact::read).collect())
}

/// Returns facts as their removal is recorded.
pub(crate) fn leaving(facts: Vec<Fact>, unwanted: &Unwanted) -> Vec<Leaving> {
    let reason = unwanted.reason();
    facts
        .into_iter()
        .map(|fact| Leaving { fact, how: EventType::Deprecate, reason: reason.clone() })
        .collect()
}

fn check(unwanted: &Unwanted) -> Result<()> {
    match unwanted.below {
        Some(below) if !(0.0..=1.0).contains(&below) => {
            Err(Error::Invalid(format!("confidence must be a number from 0 to 1, not {below}")))
        }
        _ if !unwanted.is_set() => {
            let why = "no facts are selected";
            Err(Error::Invalid(why.into()).with_hint(Hint::SelectFacts))
        }
        _ => Ok(()),
    }
}
