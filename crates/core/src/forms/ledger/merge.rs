//! What branches need of facts: what tells two of them apart, and one that is corrected or put beside another.

use memtape_tape::Draft;

use super::again::with_value;
use super::entry::{FactData, folded, slot_key, text, topic};
use super::told::NewValue;
use super::view::Fact;
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::lifetime::Lifetime;
use crate::memory::{Memory, Origin};
use crate::meta::Meta;
use crate::scope::Scope;

/// Where a value comes from that somebody settled a conflict with.
const SETTLED_SOURCE: &str = "user_explicit";

/// What tells two versions of a fact apart: not by which event it came, nor when.
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
    fact.ok_or_else(|| Error::Invalid(format!("{} cannot be read as a fact", memory.version())))
}

/// Whether two facts of one slot say the same, and whether theirs then stands: where it is surer. What a tool or a page
/// said is not put in the place of what somebody told. `None` where they contradict each other.
#[must_use]
pub fn agreed(ours: &Memory, theirs: &Memory) -> Option<bool> {
    let [our_fact, their_fact] = [fact(ours).ok()?, fact(theirs).ok()?];
    let is_foreign = |memory: &Memory| memory.origin.is_some_and(Origin::is_foreign);
    let is_surer = theirs.confidence > ours.confidence && (is_foreign(ours) || !is_foreign(theirs));
    (folded(&our_fact.object) == folded(&their_fact.object)).then_some(is_surer)
}

/// The event that puts another value in a fact's place.
///
/// # Errors
/// [`Error::Invalid`] for a value that cannot be written.
pub fn corrected(memory: &Memory, value: &str, meta: &Meta, given: &Given) -> Result<Draft> {
    let value = NewValue {
        object: value.to_owned(),
        confidence: 1.0,
        source: SETTLED_SOURCE.into(),
        quarantined: None,
    };
    with_value(memory, &value, None, meta, given)
}

/// A fact as it reads with another value.
#[must_use]
pub fn with_other(memory: &Memory, value: &str) -> Memory {
    let Ok(fact) = fact(memory) else { return memory.clone() };
    let object = value.trim().to_owned();
    let text = text(&fact.subject, &fact.predicate, &object);
    let data = FactData { object, source: SETTLED_SOURCE.into(), evidence: None, ..fact };
    Memory { text, confidence: Some(1.0), data: serde_json::to_string(&data).ok(), ..memory.clone() }
}

/// The scope in which a fact stands beside another of its slot: its topic, and under that a name.
///
/// # Errors
/// [`Error::Invalid`] for a fact that lives as long as its conversation: it has no topic.
pub fn scope_beside(memory: &Memory, name: &str) -> Result<String> {
    if memory.lifetime == Lifetime::Session {
        return Err(Error::Invalid(
            "a fact of one conversation has no topic that the other could stand in: keep one of the two"
                .into(),
        ));
    }
    let fact = fact(memory)?;
    Ok(topic(fact.scope.as_deref()).map_or_else(|| name.to_owned(), |topic| format!("{topic}/{name}")))
}

/// The key of a fact in another scope.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn key_beside(memory: &Memory, scope: &str) -> Result<String> {
    let fact = fact(memory)?;
    let whose = Scope::from_label(&memory.scope).unwrap_or_default();
    Ok(slot_key(&whose, memory.session.as_deref(), &fact.subject, &fact.predicate, Some(scope)))
}

/// The event that bears a fact in another scope.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn beside(memory: &Memory, scope: &str, meta: &Meta, given: &Given) -> Result<Draft> {
    let FactData { object, source, .. } = fact(memory)?;
    let confidence = memory.confidence.unwrap_or_default();
    let value = NewValue { object, confidence, source, quarantined: memory.quarantined.clone() };
    with_value(memory, &value, Some(scope), meta, given)
}
