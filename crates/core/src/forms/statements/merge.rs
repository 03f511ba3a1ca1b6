//! Copying, restoring, removing and merging statements.

use jiff::Timestamp;
use memtape_tape::Draft;

use super::entry::{self, ADD, CAPTURE, CONFIRM, EXPIRE, FORGET, Source, Statement, StatementData};
use crate::category::Category;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::form::{Recreation, RemovalCause};
use crate::memory::{Memory, Origin};
use crate::meta::Meta;

/// Returns what distinguishes two versions of a statement; how they were recorded does not.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let data = data(memory).ok();
    let data = data.as_ref();
    format!(
        "{}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        memory.text,
        memory.importance,
        memory.confidence,
        memory.said_at,
        memory.expires_at,
        data.map(|data| data.since),
        data.and_then(|data| data.date),
    )
}

fn data(memory: &Memory) -> Result<StatementData> {
    let data = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
    data.ok_or_else(|| Error::Invalid(format!("{} is not a readable statement", memory.version())))
}

/// Returns the statement that a memory stores.
fn statement(memory: &Memory) -> Result<Statement> {
    let data = data(memory)?;
    let said_at = memory.said_at.unwrap_or(memory.created_at);
    Ok(Statement {
        text: memory.text.clone(),
        category: memory.category.unwrap_or(Category::Episodic),
        importance: memory.importance.unwrap_or_default(),
        confidence: memory.confidence.unwrap_or_default(),
        source: data.source,
        lifetime: memory.lifetime,
        said_at,
        since: Some(data.since).filter(|since| *since != said_at),
        expires_at: memory.expires_at,
        date: data.date,
        from: data.from,
        place: data.place,
        rule: data.rule,
        signs: data.signs,
    })
}

/// Returns the event that copies or restores a statement. On another tape, it does not name the message that it
/// was captured from.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a statement.
pub fn recreate(memory: &Memory, how: Recreation, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let mut statement = statement(memory)?;
    statement.from = statement.from.filter(|_| how != Recreation::Extract);
    let name = match statement.source {
        _ if !meta.retires.is_empty() => CONFIRM,
        Source::AutoHeuristic => CAPTURE,
        Source::Manual | Source::Import => ADD,
    };
    Ok(statement.draft(name, meta, &ctx.branch)?)
}

/// Returns the event that removes the statements that `meta` names. The message that said a statement is recalled no longer
/// if somebody forgot it, and only then.
///
/// # Errors
/// [`Error::Tape`] if the entry cannot be serialized.
pub fn retire(memory: &Memory, cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let is_forgotten = *cause == RemovalCause::Request || cause.is_event(FORGET);
    let event = if is_forgotten { FORGET } else { EXPIRE };
    let category = memory.category.unwrap_or(Category::Episodic);
    Ok(entry::retiring(event, category, meta, &ctx.branch)?)
}

/// Joins two versions of a statement, keeping our text.
///
/// The result has the greater importance and confidence, the later end, the earlier `since`, the more trusted
/// origin and the higher sensitivity, and is quarantined if either version is.
///
/// # Errors
/// [`Error::Invalid`] if a memory cannot be read as a statement.
pub fn joined(ours: &Memory, theirs: &Memory) -> Result<Memory> {
    let [our_data, their_data] = [data(ours)?, data(theirs)?];
    let since = our_data.since.min(their_data.since);
    let said = |memory: &Memory| memory.said_at.unwrap_or(memory.created_at);
    // Source, message, position and rule are those of the version that was said last.
    let later = if said(theirs) > said(ours) { their_data.clone() } else { our_data.clone() };
    let data = StatementData {
        since,
        date: our_data.date.or(their_data.date),
        norm: our_data.norm,
        hash: our_data.hash,
        signs: our_data.signs,
        ..later
    };
    Ok(Memory {
        importance: greater(ours.importance, theirs.importance),
        confidence: greater(ours.confidence, theirs.confidence),
        said_at: Some(said(ours).max(said(theirs))),
        expires_at: later_end(ours.expires_at, theirs.expires_at),
        origin: more_trusted(ours.origin, theirs.origin),
        sensitivity: ours.sensitivity.max(theirs.sensitivity),
        quarantined: ours.quarantined.clone().or_else(|| theirs.quarantined.clone()),
        data: serde_json::to_string(&data).ok(),
        ..ours.clone()
    })
}

fn greater(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

/// Returns the later end; `None` (no end) if either is `None`.
fn later_end(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    Some(one?.max(other?))
}

fn more_trusted(one: Option<Origin>, other: Option<Origin>) -> Option<Origin> {
    let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
    Some(if one.less_trusted(other) == one { other } else { one })
}
