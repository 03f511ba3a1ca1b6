//! Automatic upkeep of the ledger within a conversation: removes expired facts and facts that the
//! configuration prunes, and commits pending observations.

use memtape_core::forms::ledger::upkeep::{self, Leaving, Upkeep};
use memtape_core::{Audience, Context, Decision, Form, Point, Sensitivity, Session};
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
    write(&upkeep, config, reader, point, ctx)
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
    let mut leaving = if is_hourly { leaving(config, reader, point)? } else { Vec::new() };
    // A commit with a confidential fact is confidential. Others are committed first, so that those who see them see the
    // same commit whether or not there are confidential ones.
    if waiting.iter().any(|observation| observation.sensitivity != Sensitivity::Confidential)
        || leaving.iter().any(|leaving| !is_hidden(leaving))
    {
        leaving.retain(|leaving| !is_hidden(leaving));
    }
    write(&Upkeep { leaving, waiting, is_automatic: true }, config, reader, point, ctx)
}

fn is_hidden(leaving: &Leaving) -> bool {
    leaving.fact.memory.sensitivity == Sensitivity::Confidential
}

/// Returns the facts to remove, confidential ones last.
fn leaving(config: &Config, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Vec<Leaving>> {
    let expired = reader.expired(Form::LEDGER, &Audience::owner(), point, LEAVING_MAX)?;
    let mut leaving: Vec<Leaving> =
        expired.into_iter().filter_map(Fact::read).map(Leaving::expired).collect();
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
        leaving.extend(prune::leaving(facts, unwanted));
    }
    leaving.sort_by_key(is_hidden);
    leaving.truncate(LEAVING_MAX);
    Ok(leaving)
}

fn write(
    upkeep: &Upkeep,
    config: &Config,
    reader: &Reader<'_>,
    point: &Point,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let expired = upkeep.leaving.iter().filter(|leaving| leaving.reason == upkeep::EXPIRED).count();
    let messages = [
        (upkeep.waiting.len(), upkeep::observed(&upkeep.waiting)),
        (expired, format!("{expired} expired")),
        (upkeep.leaving.len() - expired, prune::pruned(upkeep.leaving.len() - expired)),
    ];
    let messages = messages.into_iter().filter(|(count, _)| *count > 0).map(|(_, message)| message);
    let messages: Vec<String> = messages.collect();
    let decision: Decision<_> =
        upkeep::keep(upkeep, messages.join("; "), ctx, &setting(config, reader, point)?)?;
    Ok(decision.drafts)
}
