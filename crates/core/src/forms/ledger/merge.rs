//! Merging facts: comparing versions, correcting a fact, and moving one beside another.

use memtape_tape::Draft;

use super::entry::{FactData, slot_key, text, topic};
use super::input::{NewValue, TOOL_SOURCE, USER_SOURCE};
use super::recreate::with_value;
use super::view::Fact;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::lifetime::Lifetime;
use crate::memory::{Memory, Origin};
use crate::meta::Meta;
use crate::same;
use crate::scope::Scope;

/// Returns what distinguishes two versions of a fact: its text, confidence, end, source and evidence.
///
/// The event that created a version and its time are not included.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let data = fact(memory).ok();
    let data = data.as_ref();
    format!(
        "{}\n{:?}\n{:?}\n{:?}\n{:?}",
        memory.text,
        memory.confidence,
        memory.expires_at,
        data.map(|data| &data.source),
        data.and_then(|data| data.evidence.as_ref()),
    )
}

fn fact(memory: &Memory) -> Result<FactData> {
    let fact = Fact::read(memory.clone()).map(|fact| fact.data);
    fact.ok_or_else(|| Error::Invalid(format!("{} is not a readable fact", memory.version())))
}

/// Compares two facts of one slot with the same value; `Some(true)` if theirs has more confidence and
/// replaces ours.
///
/// A fact of a tool or a page never replaces one of another origin. `None` if the values contradict each other.
#[must_use]
pub fn agreed(ours: &Memory, theirs: &Memory) -> Option<bool> {
    let [our_fact, their_fact] = [fact(ours).ok()?, fact(theirs).ok()?];
    let is_foreign = |memory: &Memory| memory.origin.is_some_and(Origin::is_foreign);
    let is_surer = theirs.confidence > ours.confidence && (is_foreign(ours) || !is_foreign(theirs));
    (same::folded(&our_fact.object) == same::folded(&their_fact.object)).then_some(is_surer)
}

/// Returns the source and the confidence of a value that resolves a conflict: those of a statement if the origin of the
/// memory is a person; otherwise the confidence stays.
fn settled(memory: &Memory) -> (&'static str, f64) {
    match memory.origin.is_some_and(Origin::is_person) {
        true => (USER_SOURCE, 1.0),
        false => (TOOL_SOURCE, memory.confidence.unwrap_or_default()),
    }
}

/// Returns the event that replaces the value of a fact to resolve a conflict.
///
/// `memory` has the origin of who states the value. The new value has no evidence. A person's has the confidence 1 and the
/// source `user_explicit`; a model's keeps the confidence of the fact.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a fact, or the value is empty or too long.
pub fn corrected(memory: &Memory, value: &str, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let (source, confidence) = settled(memory);
    let value = NewValue { object: value.to_owned(), confidence, source: source.into(), quarantined: None };
    with_value(memory, &value, None, meta, ctx)
}

/// Returns a fact with another value, as [`corrected`] records it.
///
/// A memory that cannot be read as a fact is returned unchanged.
#[must_use]
pub fn with_other(memory: &Memory, value: &str) -> Memory {
    let Ok(fact) = fact(memory) else { return memory.clone() };
    let object = value.trim().to_owned();
    let text = text(&fact.subject, &fact.predicate, &object);
    let (source, confidence) = settled(memory);
    let data = FactData { object, source: source.into(), evidence: None, ..fact };
    Memory { text, confidence: Some(confidence), data: serde_json::to_string(&data).ok(), ..memory.clone() }
}

/// Returns the scopes in which a fact can exist beside another of its slot, without end: `name`, `name~2` and so on, below
/// its topic if it has one. A scope that names a lifetime is left out.
///
/// # Errors
/// [`Error::Invalid`] if the lifetime of the fact is its session (it has no topic), or the memory cannot be
/// read.
pub fn scopes_beside(memory: &Memory, name: &str) -> Result<impl Iterator<Item = String>> {
    if memory.lifetime == Lifetime::Session {
        return Err(Error::Invalid(
            "a fact whose lifetime is a session has no topic in which both versions could be kept: keep \
             one of the two"
                .into(),
        ));
    }
    let fact = fact(memory)?;
    let first =
        topic(fact.scope.as_deref()).map_or_else(|| name.to_owned(), |topic| format!("{topic}/{name}"));
    let next = first.clone();
    let scopes = std::iter::once(first).chain((2_u32..).map(move |n| format!("{next}~{n}")));
    Ok(scopes.filter(|scope| topic(Some(scope)).is_some()))
}

/// Returns the key of a fact in another scope.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a fact.
pub fn key_beside(memory: &Memory, scope: &str) -> Result<String> {
    let fact = fact(memory)?;
    let whose = Scope::from_label(&memory.scope).unwrap_or_default();
    let (session, sensitivity) = (memory.session.as_deref(), memory.sensitivity);
    Ok(slot_key(&whose, session, &fact.subject, &fact.predicate, Some(scope), sensitivity))
}

/// Returns the event that creates a fact in another scope.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a fact.
pub fn beside(memory: &Memory, scope: &str, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let FactData { object, source, .. } = fact(memory)?;
    let confidence = memory.confidence.unwrap_or_default();
    let value = NewValue { object, confidence, source, quarantined: memory.quarantined.clone() };
    with_value(memory, &value, Some(scope), meta, ctx)
}
