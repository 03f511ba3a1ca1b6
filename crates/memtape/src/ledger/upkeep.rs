//! Automatic upkeep of the ledger within a conversation: removes expired facts and facts that the
//! configuration prunes, and commits pending observations.

use memtape_core::forms::ledger::upkeep::{self, Leaving, Upkeep};
use memtape_core::{Audience, Context, Decision, Form, Point, Session};
use memtape_index::{Confidential, Question, Reader};
use memtape_tape::Draft;

use super::prune::{self, Unwanted};
use super::{Fact, setting};
use crate::config::Config;

/// Maximum number of facts removed per turn.
const LEAVING_MAX: usize = 100;

/// Returns what the end of a conversation writes: the commit of the pending observations, of one conversation
/// or of all.
pub(crate) fn end(
    config: &Config,
    session: Option<&Session>,
    reader: &Reader<'_>,
    point: &Point,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let upkeep = Upkeep { waiting: reader.observations_waiting(session, point)?, ..Upkeep::default() };
    write(&upkeep, Vec::new(), config, reader, point, ctx)
}

/// Returns what the closing group of a turn writes in addition. Facts are removed at most once per hour;
/// observations are committed when the conversation has had `ledger.commit_turns` turns since the first of
/// them.
pub(crate) fn turn(
    config: &Config,
    is_hourly: bool,
    reader: &Reader<'_>,
    point: &Point,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let mut waiting = reader.observations_waiting(Some(&ctx.session), point)?;
    if let Some(first) = waiting.first()
        // This turn counts although it is not closed yet.
        && reader.turns_since(&ctx.session, first.entry)? + 1 < config.ledger.commit_turns
    {
        waiting.clear();
    }
    let (leaving, messages) = match is_hourly {
        true => leaving(config, reader, point)?,
        false => Default::default(),
    };
    write(&Upkeep { leaving, waiting }, messages, config, reader, point, ctx)
}

/// Returns the facts to remove, and the messages for the commit.
fn leaving(
    config: &Config,
    reader: &Reader<'_>,
    point: &Point,
) -> memtape_index::Result<(Vec<Leaving>, Vec<String>)> {
    let expired = reader.expired(&Audience::owner(), point, LEAVING_MAX)?;
    let facts = expired.into_iter().filter(|memory| memory.form == Form::LEDGER).filter_map(Fact::read);
    let mut leaving: Vec<Leaving> = facts.map(Leaving::expired).collect();
    let mut messages = Vec::new();
    if !leaving.is_empty() {
        messages.push(format!("{} expired", leaving.len()));
    }
    let ended = leaving.len();
    let all =
        Question { confidential: Confidential::ToOwner, form: Some(Form::LEDGER), ..Question::default() };
    let ledger = &config.ledger;
    let below = Some(ledger.prune_below).filter(|&below| below > 0.0);
    let unused_days = Some(ledger.prune_unused_days).filter(|&days| days > 0);
    // Each limit is a rule of its own: a fact goes if either matches.
    let rules = [Unwanted { below, ..Unwanted::default() }, Unwanted { unused_days, ..Unwanted::default() }];
    for unwanted in rules.iter().filter(|unwanted| unwanted.is_set()) {
        let mut facts = prune::found(unwanted, &all, reader, point)?;
        facts.retain(|fact| leaving.iter().all(|other| other.fact.memory.id != fact.memory.id));
        facts.truncate(LEAVING_MAX.saturating_sub(leaving.len()));
        leaving.extend(prune::leaving(facts, unwanted));
    }
    if leaving.len() > ended {
        messages.push(prune::pruned(leaving.len() - ended));
    }
    Ok((leaving, messages))
}

fn write(
    upkeep: &Upkeep,
    messages: Vec<String>,
    config: &Config,
    reader: &Reader<'_>,
    point: &Point,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let observed = (!upkeep.waiting.is_empty()).then(|| upkeep::observed(&upkeep.waiting));
    let messages: Vec<String> = observed.into_iter().chain(messages).collect();
    let decision: Decision<_> =
        upkeep::keep(upkeep, messages.join("; "), ctx, &setting(config, reader, point)?)?;
    Ok(decision.drafts)
}
