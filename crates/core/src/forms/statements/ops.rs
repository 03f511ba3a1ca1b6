//! Commands of statements.

use std::collections::{BTreeMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use memtape_tape::Draft;

use super::entry::{self, ADD, CAPTURE, CONFIRM, EXPIRE, FORGET, ReadFile, Source, Statement};
use super::view::{StoredStatement, View};
use crate::audience::Sensitivity;
use crate::calendar;
use crate::category::Category;
use crate::decision::{Context, Decision};
use crate::error::{Error, Result};
use crate::lifetime::Lifetime;
use crate::memory::{Form, Memory, Origin, Ref};
use crate::meta::{Meta, Retire};
use crate::safety::{injection, is_blank};
use crate::scope::Scope;
use crate::slots::Slots;

/// Maximum lifetime of a statement with the lifetime of a session.
const SESSION: SignedDuration = SignedDuration::from_hours(24);
/// Maximum number of days that a statement can be kept for.
const DAYS_MAX: u32 = 1_000_000;

/// Number of days that statements are kept after they were last said, by category; 0 means forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention(pub BTreeMap<Category, u32>);

impl Retention {
    /// Returns when a statement expires that is recorded now; `None` if it does not.
    #[must_use]
    pub fn end(&self, category: Category, lifetime: Lifetime, now: Timestamp) -> Option<Timestamp> {
        if lifetime == Lifetime::Session {
            return now.checked_add(SESSION).ok();
        }
        let days = self.0.get(&category).copied().unwrap_or_default().min(DAYS_MAX);
        let long = calendar::days(days);
        (days > 0).then(|| now.saturating_add(long).unwrap_or(Timestamp::MAX))
    }
}

/// A statement to record, with its scope and origin.
#[derive(Clone, Debug, PartialEq)]
pub struct NewStatement {
    /// The statement. If it has no end, the retention sets it.
    pub statement: Statement,
    /// Its scope.
    pub scope: Scope,
    /// Its origin.
    pub origin: Origin,
    /// Its sensitivity.
    pub sensitivity: Sensitivity,
}

impl NewStatement {
    /// Returns its slots, in a conversation.
    #[must_use]
    pub fn slots(&self, session: &str) -> Slots {
        let statement = self.statement.clone().with_signs();
        Slots::of(|sensitivity| statement.key(&self.scope, Some(session), sensitivity))
    }

    /// Returns the current statement that it repeats; `None` if it is new.
    #[must_use]
    pub fn repeated<'v>(&self, view: &'v View, session: &str) -> Option<&'v StoredStatement> {
        let slots = self.slots(session);
        let keys = slots.written(self.sensitivity, |key| view.get(key).is_some());
        keys.into_iter().find_map(|key| view.get(key))
    }
}

/// The result of recording a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Saved(Ref),
    /// It existed; a newer version was written.
    Confirmed(Ref),
    /// Nothing was written: it exists from a more trusted origin, or occurs earlier in the same call.
    Present(Ref),
}

impl Outcome {
    /// Returns the outcome in words: `saved`, `repeated`, `there already`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Saved(_) => "saved",
            Self::Confirmed(_) => "repeated",
            Self::Present(_) => "there already",
        }
    }

    /// Returns the ref of the statement.
    #[must_use]
    pub fn reference(&self) -> &Ref {
        match self {
            Self::Saved(reference) | Self::Confirmed(reference) | Self::Present(reference) => reference,
        }
    }
}

/// Records statements. The view must contain at least the statements in their slots that the author may see
/// ([`crate::slots`]).
///
/// The outcomes are in the order of `input`.
///
/// # Errors
/// [`Error::Invalid`] if a text is blank.
pub fn record(
    view: &View,
    input: &[NewStatement],
    retention: &Retention,
    ctx: &Context,
) -> Result<Decision<Vec<Outcome>>> {
    let mut drafts = Vec::with_capacity(input.len());
    let mut outcomes = Vec::with_capacity(input.len());
    let mut in_group: HashSet<String> = HashSet::new();
    let session = ctx.session.to_string();
    for input in input {
        if is_blank(&input.statement.text) {
            return Err(Error::Invalid("cannot keep an empty text".into()));
        }
        let slots = input.slots(&session);
        let keys = slots.written(input.sensitivity, |key| view.get(key).is_some());
        let superseded: Vec<&StoredStatement> = keys.iter().filter_map(|key| view.get(key)).collect();
        let reference = Ref { form: Form::STATEMENTS, key: keys[0].to_owned(), entry: None };
        let is_less = |existing: &&StoredStatement| counts_less(input.origin, &existing.memory);
        if in_group.contains(keys[0]) || superseded.iter().any(is_less) {
            outcomes.push(Outcome::Present(reference));
            continue;
        }
        let version = version(input, superseded.first().copied(), retention, ctx.now);
        drafts.push(draft(input, &version, &superseded, ctx)?);
        in_group.insert(reference.key.clone());
        outcomes.push(match superseded.is_empty() {
            false => Outcome::Confirmed(reference),
            true => Outcome::Saved(reference),
        });
    }
    Ok(Decision { drafts, outcome: outcomes })
}

/// Records statements from older files, and which of these files were imported completely.
///
/// # Errors
/// As [`record`].
pub fn backfill(
    view: &View,
    input: &[NewStatement],
    files: &[ReadFile],
    retention: &Retention,
    ctx: &Context,
) -> Result<Decision<Vec<Outcome>>> {
    let mut decision = record(view, input, retention, ctx)?;
    if !files.is_empty() {
        decision.drafts.push(entry::backfilled(files, &ctx.meta(), &ctx.branch)?);
    }
    Ok(decision)
}

/// Returns whether an origin is less trusted than that of an existing statement.
fn counts_less(origin: Origin, existing: &Memory) -> bool {
    existing.origin.is_some_and(|before| before != origin && before.less_trusted(origin) == origin)
}

/// Returns the version to write.
///
/// A repeated statement keeps its first text, the greater importance and confidence, and the later end.
fn version(
    input: &NewStatement,
    existing: Option<&StoredStatement>,
    retention: &Retention,
    now: Timestamp,
) -> Statement {
    let new = &input.statement;
    let Some(StoredStatement { data, memory }) = existing else {
        let expires_at = new.expires_at.or_else(|| retention.end(new.category, new.lifetime, now));
        return Statement { expires_at, ..new.clone() }.with_signs();
    };
    let expires_at = new.expires_at.or_else(|| retention.end(new.category, new.lifetime, now));
    Statement {
        text: memory.text.clone(),
        category: new.category,
        importance: new.importance.max(memory.importance.unwrap_or_default()),
        confidence: new.confidence.max(memory.confidence.unwrap_or_default()),
        source: new.source,
        lifetime: new.lifetime,
        said_at: memory.said_at.map_or(new.said_at, |before| before.max(new.said_at)),
        since: Some(data.since),
        // Repeating a statement never shortens the time for which it is kept.
        expires_at: memory.expires_at.and_then(|before| Some(before.max(expires_at?))),
        date: data.date.or(new.date),
        from: new.from.clone().or_else(|| data.from.clone()),
        place: new.place.clone().or_else(|| data.place.clone()),
        rule: new.rule.clone().or_else(|| data.rule.clone()),
        // The version stays in the slot in which it was found.
        signs: data.signs,
    }
}

fn draft(
    input: &NewStatement,
    version: &Statement,
    superseded: &[&StoredStatement],
    ctx: &Context,
) -> Result<Draft> {
    let before = superseded.first().map(|existing| &existing.memory);
    let sensitivity = before.map_or(input.sensitivity, |memory| memory.sensitivity.max(input.sensitivity));
    let suspicion = injection::is_suspicious(&version.text).map(str::to_owned);
    let meta = Meta {
        origin: Some(input.origin),
        quarantined: before.and_then(|memory| memory.quarantined.clone()).or(suspicion),
        scope: input.scope.label(),
        sensitivity,
        retires: superseded.iter().map(|existing| Retire::Memory(existing.memory.id)).collect(),
        ..ctx.meta()
    };
    let name = match (before, input.statement.source) {
        (Some(_), _) => CONFIRM,
        (None, Source::AutoHeuristic) => CAPTURE,
        (None, _) => ADD,
    };
    Ok(version.draft(name, &meta, &ctx.branch)?)
}

/// Removes statements on request, and messages from which none was captured, and returns their number.
///
/// # Errors
/// [`Error::Refused`] if a tool or a page asks to remove one of another origin; [`Error::Tape`] if an entry cannot be
/// serialized.
pub fn forget(statements: &[Memory], ctx: &Context) -> Result<Decision<usize>> {
    statements.iter().try_for_each(|memory| ctx.may_change(memory.origin, || memory.version()))?;
    retire(statements, FORGET, ctx.meta().session.as_deref(), ctx)
}

/// Returns the event of a turn whose message is not to be kept: it removes nothing, and what was said is recalled no longer.
/// Only readers of the chat see it.
///
/// # Errors
/// [`Error::Tape`] if the entry cannot be serialized.
pub fn keep_nothing(ctx: &Context) -> Result<Draft> {
    let meta = Meta { scope: Scope::of_chat(&ctx.session).label(), ..ctx.meta() };
    Ok(entry::retiring(FORGET, Category::Episodic, &meta, &ctx.branch)?)
}

/// Removes statements that expired or duplicate a current memory, and returns their number. Unlike after [`forget`], their
/// messages are still recalled.
///
/// An automatic removal does not name the conversation in which it is written: nobody asked for it there, and readers of the
/// statements may not know that conversation.
///
/// # Errors
/// [`Error::Tape`] if an entry cannot be serialized.
pub fn expire(statements: &[Memory], is_automatic: bool, ctx: &Context) -> Result<Decision<usize>> {
    let session = ctx.meta().session.filter(|_| !is_automatic);
    retire(statements, EXPIRE, session.as_deref(), ctx)
}

/// Writes one event for each scope, category and sensitivity, so that only readers of the statements see it.
fn retire(
    statements: &[Memory],
    name: &str,
    session: Option<&str>,
    ctx: &Context,
) -> Result<Decision<usize>> {
    let mut groups: BTreeMap<(&str, Category, Sensitivity), Vec<Retire>> = BTreeMap::new();
    let is_ours = |memory: &&Memory| [Form::STATEMENTS, Form::MESSAGES].contains(&memory.form);
    for memory in statements.iter().filter(is_ours) {
        let category = memory.category.unwrap_or(Category::Episodic);
        let group = groups.entry((&memory.scope, category, memory.sensitivity)).or_default();
        group.push(Retire::Memory(memory.id));
    }
    let count = groups.values().map(Vec::len).sum();
    let mut drafts = Vec::with_capacity(groups.len());
    for ((scope, category, sensitivity), retires) in groups {
        let scope = Scope::from_label(scope).and_then(|scope| scope.label());
        let meta = Meta { scope, sensitivity, retires, session: session.map(str::to_owned), ..ctx.meta() };
        drafts.push(entry::retiring(name, category, &meta, &ctx.branch)?);
    }
    Ok(Decision { drafts, outcome: count })
}
