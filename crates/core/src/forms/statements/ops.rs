//! What the commands of statements decide.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use memtape_tape::Draft;

use super::entry::{self, ADD, CAPTURE, CONFIRM, EXPIRE, FORGET, ReadFile, Source, Statement};
use super::view::{Held, View};
use crate::audience::Sensitivity;
use crate::category::Category;
use crate::decision::{Decision, Given};
use crate::error::{Error, Result};
use crate::lifetime::Lifetime;
use crate::memory::{Form, Memory, Origin, Ref};
use crate::meta::{Meta, Retire};
use crate::safety::injection;
use crate::scope::Scope;

/// How long what is meant for once lives at most.
const SESSION: SignedDuration = SignedDuration::from_hours(24);
const HOURS_A_DAY: i64 = 24;
/// Nobody keeps a thing for longer.
const DAYS_MAX: u32 = 1_000_000;

/// For how many days statements are kept after they were last told, by category; 0 keeps them for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention(pub BTreeMap<Category, u32>);

impl Retention {
    /// When a statement ends that is told now.
    #[must_use]
    pub fn end(&self, category: Category, lifetime: Lifetime, now: Timestamp) -> Option<Timestamp> {
        if lifetime == Lifetime::Session {
            return now.checked_add(SESSION).ok();
        }
        let days = self.0.get(&category).copied().unwrap_or_default().min(DAYS_MAX);
        let long = SignedDuration::from_hours(i64::from(days) * HOURS_A_DAY);
        (days > 0).then(|| now.saturating_add(long).unwrap_or(Timestamp::MAX))
    }
}

/// A statement, whose it is, and who tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The statement. When it ends is set by the retention where nothing is said.
    pub statement: Statement,
    /// Whose it is.
    pub scope: Scope,
    /// Who it comes from.
    pub origin: Origin,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
}

/// What became of a statement that was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Saved(Ref),
    /// It stood there, and was told again: a newer version stands there now.
    Confirmed(Ref),
    /// It stood there, from somebody whose word counts more: nothing changed.
    Present(Ref),
}

impl Outcome {
    /// What names the statement.
    #[must_use]
    pub fn reference(&self) -> &Ref {
        match self {
            Self::Saved(reference) | Self::Confirmed(reference) | Self::Present(reference) => reference,
        }
    }
}

/// Keeps statements. The view holds at least those of the same keys.
///
/// # Errors
/// [`Error::Invalid`] for a text that says nothing.
pub fn tell(
    view: &View,
    told: &[Told],
    retention: &Retention,
    given: &Given,
) -> Result<Decision<Vec<Outcome>>> {
    let mut drafts = Vec::with_capacity(told.len());
    let mut outcomes = Vec::with_capacity(told.len());
    let mut in_group: Vec<String> = Vec::new();
    let session = given.session.to_string();
    for told in told {
        if told.statement.text.trim().is_empty() {
            return Err(Error::Invalid("there is nothing to keep in an empty text".into()));
        }
        let key = told.statement.key(&told.scope, Some(&session));
        let reference = Ref { form: Form::STATEMENTS, key: key.clone(), entry: None };
        let held = view.get(&key);
        if in_group.contains(&key) || held.is_some_and(|held| counts_less(told.origin, &held.memory)) {
            outcomes.push(Outcome::Present(reference));
            continue;
        }
        let version = version(told, held, retention, given.now);
        drafts.push(draft(told, &version, held, given)?);
        outcomes.push(match held {
            Some(_) => Outcome::Confirmed(reference),
            None => Outcome::Saved(reference),
        });
        in_group.push(key);
    }
    Ok(Decision { drafts, outcome: outcomes })
}

/// Keeps statements that were read from older files, and says which of the files were read to their end.
///
/// # Errors
/// As [`tell`].
pub fn backfill(
    view: &View,
    told: &[Told],
    files: &[ReadFile],
    retention: &Retention,
    given: &Given,
) -> Result<Decision<Vec<Outcome>>> {
    let mut decision = tell(view, told, retention, given)?;
    if !files.is_empty() {
        decision.drafts.push(entry::backfilled(files, &given.meta(), &given.branch)?);
    }
    Ok(decision)
}

/// Whether somebody's word counts less than that of who told a statement before.
fn counts_less(origin: Origin, held: &Memory) -> bool {
    held.origin.is_some_and(|before| before != origin && before.less_trusted(origin) == origin)
}

/// The version that stands after a statement was told: of two tellings the first text, the greater importance and
/// confidence, the later end, the longer life.
fn version(told: &Told, held: Option<&Held>, retention: &Retention, now: Timestamp) -> Statement {
    let new = &told.statement;
    let Some(Held { data, memory }) = held else {
        let expires_at = new.expires_at.or_else(|| retention.end(new.category, new.lifetime, now));
        return Statement { expires_at, ..new.clone() };
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
        // What was kept for ever, or for longer, is not cut short by being told again.
        expires_at: memory.expires_at.and_then(|before| Some(before.max(expires_at?))),
        date: data.date.or(new.date),
        from: new.from.clone().or_else(|| data.from.clone()),
        place: new.place.clone().or_else(|| data.place.clone()),
        rule: new.rule.clone().or_else(|| data.rule.clone()),
    }
}

fn draft(told: &Told, version: &Statement, held: Option<&Held>, given: &Given) -> Result<Draft> {
    let before = held.map(|held| &held.memory);
    let sensitivity = before.map_or(told.sensitivity, |memory| memory.sensitivity.max(told.sensitivity));
    let suspicion = injection::is_suspicious(&version.text).map(str::to_owned);
    let meta = Meta {
        origin: Some(told.origin),
        quarantined: before.and_then(|memory| memory.quarantined.clone()).or(suspicion),
        scope: told.scope.label(),
        sensitivity,
        retires: before.map(|memory| Retire::Memory(memory.id)).into_iter().collect(),
        ..given.meta()
    };
    let name = match (before, told.statement.source) {
        (Some(_), _) => CONFIRM,
        (None, Source::AutoHeuristic) => CAPTURE,
        (None, _) => ADD,
    };
    Ok(version.draft(name, &meta, &given.branch)?)
}

/// Retires statements, because somebody wants them forgotten. Gives their number.
///
/// # Errors
/// None that a caller can cause.
pub fn forget(statements: &[Memory], given: &Given) -> Result<Decision<usize>> {
    retire(statements, FORGET, given)
}

/// Retires statements that have had their time. Gives their number.
///
/// # Errors
/// None that a caller can cause.
pub fn expire(statements: &[Memory], given: &Given) -> Result<Decision<usize>> {
    retire(statements, EXPIRE, given)
}

/// An event for each scope, category and sensitivity: it shows to whoever sees what it is about, and to nobody else.
fn retire(statements: &[Memory], name: &str, given: &Given) -> Result<Decision<usize>> {
    let mut groups: BTreeMap<(&str, Category, Sensitivity), Vec<Retire>> = BTreeMap::new();
    for memory in statements.iter().filter(|memory| memory.form == Form::STATEMENTS) {
        let category = memory.category.unwrap_or(Category::Episodic);
        let group = groups.entry((&memory.scope, category, memory.sensitivity)).or_default();
        group.push(Retire::Memory(memory.id));
    }
    let count = groups.values().map(Vec::len).sum();
    let mut drafts = Vec::with_capacity(groups.len());
    for ((scope, category, sensitivity), retires) in groups {
        let scope = Scope::from_label(scope).and_then(|scope| scope.label());
        let meta = Meta { scope, sensitivity, retires, ..given.meta() };
        drafts.push(entry::retiring(name, category, &meta, &given.branch)?);
    }
    Ok(Decision { drafts, outcome: count })
}
