//! Several changes of facts in one commit.

use memtape_core::forms::ledger::commit_together;
use memtape_core::forms::ledger::entry::{self, lifetime};
use memtape_core::safety::injection;
use memtape_core::safety::render::neutral_line;
use memtape_core::{Context, Decision, Point, Sensitivity};
use memtape_index::Reader;
use memtape_tape::{Draft, ErrorKind};

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
        let prepared: Vec<_> = steps.iter().map(|applying| self.prepared(applying)).collect();
        let message = neutral_line(&self.clean(message));
        let message = if injection::is_suspicious(&message).is_some() { String::new() } else { message };
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let setting = Setting { waits: true, ..self.setting(reader, point)? };
            let (mut drafts, mut outcomes) = (Vec::new(), Vec::new());
            for (applying, prepared) in steps.iter().zip(&prepared) {
                let decided = match prepared {
                    Ok(step) => self.decide(step, applying.sensitivity, reader, point, ctx, &setting),
                    Err(why) => Ok((Vec::new(), StepOutcome::Refused(why.clone()))),
                };
                let (more, outcome) = match decided {
                    Err(e) if is_refusal(e.kind()) => (Vec::new(), StepOutcome::Refused(e.to_string())),
                    decided => decided?,
                };
                drafts.extend(more);
                outcomes.push(outcome);
            }
            let (drafts, commit) = commit_together(drafts, &message, ctx, &setting)?;
            let commit = commit.map(|commit| commit.id);
            Ok(Decision { drafts, outcome: Applied { outcomes, commit } })
        })?;
        Ok(written.outcome)
    }

    /// Returns a change as it may be written, with secrets redacted.
    fn prepared(&self, applying: &Applying) -> Result<Step, String> {
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
        match &applying.step {
            Step::Add(input) => fact(input).map(Step::Add),
            Step::Observe(input) => fact(input).map(Step::Observe),
            Step::Forget(named) => self.named(named).map(Step::Forget),
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
            Step::Forget(named) => {
                let view = self.about(named, reader, point)?;
                let facts = view.named(named, ctx.now);
                if facts.is_empty() {
                    return Err(ops::nothing(named).into());
                }
                let decided = ops::forget(&facts, ctx, setting)?;
                return Ok((decided.drafts, StepOutcome::Forgotten(decided.outcome.facts)));
            }
        };
        let scope = self.scope_of(lifetime(input.scope.as_deref()), sensitivity)?;
        let ctx = Context { scope, sensitivity, ..ctx.clone() };
        let view = View::fold(self.slot(&input.key(&ctx), reader, point)?);
        let decided: Decision<Done> = decide(&view, input, &ctx, setting)?;
        Ok((decided.drafts, StepOutcome::Recorded(Box::new(decided.outcome))))
    }
}

/// Returns whether a failure concerns one change only.
fn is_refusal(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Refused)
}
