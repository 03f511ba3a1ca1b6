//! Several changes of facts in one commit.

use jiff::Timestamp;
use memtape_core::forms::ledger::commit_together;
use memtape_core::forms::ledger::entry::{self, folded, lifetime, slot_of};
use memtape_core::safety::injection;
use memtape_core::safety::render::neutral_line;
use memtape_core::{Context, Decision, Origin, Point, Sensitivity, same};
use memtape_index::Reader;
use memtape_tape::Draft;

use super::{Done, Fact, Ledger, Named, NewFact, Setting, View, ops};
use crate::error::{Error, Result};

/// A change of facts.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Adds a fact, as [`Ledger::add`].
    Add(NewFact),
    /// Records an observation, as [`Ledger::observe`].
    Observe(NewFact),
    /// Forgets facts, as [`Ledger::forget`].
    Forget(Named),
    /// Deprecates facts, as [`Ledger::deprecate`].
    Deprecate(Named),
}

impl Step {
    /// Returns the subject and the predicate.
    pub(crate) fn about(&self) -> (&str, &str) {
        match self {
            Self::Add(fact) | Self::Observe(fact) => (&fact.subject, &fact.predicate),
            Self::Forget(named) | Self::Deprecate(named) => (&named.subject, &named.predicate),
        }
    }

    /// Returns the slot within its scope that gets a value; `None` for a change that gives none.
    pub(crate) fn slot(&self) -> Option<String> {
        let (Self::Add(fact) | Self::Observe(fact)) = self else { return None };
        let (lifetime, topic) = slot_of(fact.scope.as_deref());
        let [subject, predicate] = [&fact.subject, &fact.predicate].map(|part| folded(part));
        Some(format!("{lifetime:?} {}\n{subject}\n{predicate}", topic.unwrap_or_default()))
    }
}

/// A change, and how widely its fact may be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Applying {
    /// The change.
    pub step: Step,
    /// The sensitivity of a new fact.
    pub sensitivity: Sensitivity,
}

/// The result of a change.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOutcome {
    /// A fact was recorded, or was there already.
    Recorded(Box<Done>),
    /// Facts were forgotten, as they were.
    Forgotten(Vec<Fact>),
    /// A rule forbids the change, with the reason.
    Refused(String),
}

/// The result of several changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// The result of each, in order.
    pub outcomes: Vec<StepOutcome>,
    /// The id of the commit; `None` if nothing was written.
    pub commit: Option<String>,
}

impl Ledger<'_> {
    /// Makes several changes in one commit with this message. A change that a rule forbids is left out. No two of them
    /// may concern the same slot.
    ///
    /// If the message could reveal a fact to somebody who may not see it, or reads like an instruction to a model, the
    /// commit gets another one.
    ///
    /// # Errors
    /// [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write).
    pub fn apply(&self, steps: &[Applying], message: &str) -> Result<Applied> {
        let prepared: Vec<_> = steps.iter().map(|applying| self.prepared(&applying.step)).collect();
        let message = neutral_line(&self.clean(message));
        let message = if injection::is_suspicious(&message).is_some() { String::new() } else { message };
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let setting = Setting { waits: true, ..self.setting(reader, point)? };
            let (mut drafts, mut outcomes) = (Vec::new(), Vec::new());
            for (applying, prepared) in steps.iter().zip(&prepared) {
                let (more, outcome) = refused(match prepared {
                    Ok(step) => self.decide(step, applying.sensitivity, reader, point, ctx, &setting),
                    Err(why) => Ok((Vec::new(), StepOutcome::Refused(why.clone()))),
                })?;
                drafts.extend(more);
                outcomes.push(outcome);
            }
            let (drafts, commit) = commit_together(drafts, &message, ctx, &setting)?;
            let commit = commit.map(|commit| commit.id);
            Ok(Decision { drafts, outcome: Applied { outcomes, commit } })
        })?;
        Ok(written.outcome)
    }

    /// Decides a change that another program made at `said_at`, as an uncommitted part of a group.
    ///
    /// It does not supersede a value that is newer, or that was not imported.
    pub(crate) fn decide_imported(
        &self,
        step: &Step,
        said_at: Option<Timestamp>,
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
    ) -> memtape_index::Result<(Vec<Draft>, StepOutcome)> {
        let step = match self.prepared(step) {
            Ok(step) => step,
            Err(why) => return Ok((Vec::new(), StepOutcome::Refused(why))),
        };
        let named = match &step {
            Step::Add(fact) | Step::Observe(fact) => {
                let NewFact { subject, predicate, scope, .. } = fact.clone();
                Named { subject, predicate, scope }
            }
            Step::Forget(named) | Step::Deprecate(named) => named.clone(),
        };
        let at = said_at.unwrap_or(ctx.now);
        let value = match &step {
            Step::Add(fact) | Step::Observe(fact) => Some(same::folded(&fact.object)),
            Step::Forget(_) | Step::Deprecate(_) => None,
        };
        let ctx = &Context { now: at, session: self.author.session.clone(), ..ctx.clone() };
        let others = match &step {
            Step::Add(input) | Step::Observe(input) => {
                let scope = self.scope_of(lifetime(input.scope.as_deref()), Sensitivity::Normal)?;
                let ctx = Context { scope, ..ctx.clone() };
                self.slots(&input.slots(&ctx), Sensitivity::Normal, reader, point)?
            }
            Step::Forget(_) | Step::Deprecate(_) => self.about(&named, reader, point)?,
        };
        for fact in others.named(&named, reader.now()) {
            let is_other = value.as_ref() != Some(&same::folded(&fact.data.object));
            let is_kept = fact.memory.origin != Some(Origin::Import)
                || fact.memory.said_at.is_some_and(|current| current > at);
            if is_other && is_kept {
                let why = format!("the current fact is newer or was not imported: {}", fact.memory.version());
                return Ok((Vec::new(), StepOutcome::Refused(why)));
            }
        }
        let setting = Setting { waits: true, ..self.setting(reader, point)? };
        refused(self.decide(&step, Sensitivity::Normal, reader, point, ctx, &setting))
    }

    /// Returns a change as it may be written, with secrets redacted.
    fn prepared(&self, step: &Step) -> Result<Step, String> {
        let fact = |input: &NewFact| {
            let whole = entry::text(&input.subject, &input.predicate, &input.object);
            if self.clean(&whole) != whole {
                // A fact without its value is worth nothing.
                return Err(Error::Refused("it contains a secret".into()));
            }
            let input = self.safe(input)?.checked()?;
            // Whoever reads a conversation for somebody may have been told what to write.
            let text = entry::text(&input.subject, &input.predicate, &input.object);
            let quarantined = injection::is_suspicious(&text).map(str::to_owned);
            Ok(NewFact { quarantined, ..input })
        };
        match step {
            Step::Add(input) => fact(input).map(Step::Add),
            Step::Observe(input) => fact(input).map(Step::Observe),
            Step::Forget(named) => self.named(named).map(Step::Forget),
            Step::Deprecate(named) => self.named(named).map(Step::Deprecate),
        }
        .map_err(|e: Error| e.to_string())
    }

    fn decide(
        &self,
        step: &Step,
        sensitivity: Sensitivity,
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
        setting: &Setting,
    ) -> memtape_index::Result<(Vec<Draft>, StepOutcome)> {
        let (input, decide) = match step {
            Step::Add(input) => (input, ops::add as fn(&View, &NewFact, &Context, &Setting) -> _),
            Step::Observe(input) => (input, ops::observe as fn(&View, &NewFact, &Context, &Setting) -> _),
            Step::Forget(named) | Step::Deprecate(named) => {
                let view = self.about(named, reader, point)?;
                let facts = view.named(named, ctx.now);
                if facts.is_empty() {
                    return Err(ops::nothing(named).into());
                }
                if let Step::Forget(_) = step {
                    let decided = ops::forget(&facts, ctx, setting)?;
                    return Ok((decided.drafts, StepOutcome::Forgotten(decided.outcome.facts)));
                }
                let mut drafts = Vec::new();
                for fact in &facts {
                    drafts.extend(ops::deprecate(fact, ctx, setting)?.drafts);
                }
                return Ok((drafts, StepOutcome::Forgotten(facts.into_iter().cloned().collect())));
            }
        };
        let scope = self.scope_of(lifetime(input.scope.as_deref()), sensitivity)?;
        let ctx = Context { scope, sensitivity, ..ctx.clone() };
        let view = self.slots(&input.slots(&ctx), sensitivity, reader, point)?;
        let setting = Setting { is_unseen: self.is_unseen(sensitivity), ..setting.clone() };
        let decided: Decision<Done> = decide(&view, input, &ctx, &setting)?;
        Ok((decided.drafts, StepOutcome::Recorded(Box::new(decided.outcome))))
    }
}

type Decided = (Vec<Draft>, StepOutcome);

/// Turns the failure of one change into an outcome.
fn refused(decided: memtape_index::Result<Decided>) -> memtape_index::Result<Decided> {
    match decided {
        Err(e) if e.kind().is_of_request() => Ok((Vec::new(), StepOutcome::Refused(e.to_string()))),
        decided => decided,
    }
}
