//! What branches need of facts: what tells two of them apart, and one that is retired, corrected or put beside another.

use memtape_tape::Draft;

use super::entry::{Event, EventType, FactData, event_id, folded, topic};
use crate::commit::timestamp;
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::forms::Again;
use crate::lifetime::Lifetime;
use crate::memory::{Memory, Origin};
use crate::meta::Meta;

/// Where a fact comes from that somebody settled a conflict with.
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

/// What the ledger keeps of a fact.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn fact(memory: &Memory) -> Result<FactData> {
    let data = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
    data.ok_or_else(|| Error::Invalid(format!("{} cannot be read as a fact", memory.version())))
}

/// Whether two facts of one slot say the same, and which of them then stands: theirs where it is surer. What a tool or a
/// page said is not put in the place of what somebody told. `None` where they contradict each other.
#[must_use]
pub fn agreed(ours: &Memory, theirs: &Memory) -> Option<bool> {
    let [our_fact, their_fact] = [fact(ours).ok()?, fact(theirs).ok()?];
    let is_foreign = |memory: &Memory| memory.origin.is_some_and(Origin::is_foreign);
    let is_surer = theirs.confidence > ours.confidence && (is_foreign(ours) || !is_foreign(theirs));
    (folded(&our_fact.object) == folded(&their_fact.object)).then_some(is_surer)
}

/// The event that retires a fact: what `meta` says it retires.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    draft(EventType::Forget, memory, meta, given, |_| {})
}

/// The event that puts another value in a fact's place.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn corrected(memory: &Memory, value: &str, meta: &Meta, given: &Given) -> Result<Draft> {
    draft(EventType::Modify, memory, meta, given, |event| {
        value.clone_into(&mut event.object);
        event.confidence = 1.0;
        SETTLED_SOURCE.clone_into(&mut event.source);
        event.evidence = None;
    })
}

/// The scope in which a fact stands beside another of its slot: its topic, and under that a name.
///
/// # Errors
/// [`Error::Invalid`] for a fact that lives as long as its conversation: it has no topic.
pub fn scope_beside(memory: &Memory, name: &str) -> Result<String> {
    if memory.lifetime == Lifetime::Session {
        return Err(Error::Invalid(
            "a fact of one conversation has no topic beside it: keep one of the two, or promote it first"
                .into(),
        ));
    }
    let fact = fact(memory)?;
    Ok(topic(fact.scope.as_deref()).map_or_else(|| name.to_owned(), |topic| format!("{topic}/{name}")))
}

/// The event that bears a fact in another scope.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn beside(memory: &Memory, scope: &str, meta: &Meta, given: &Given) -> Result<Draft> {
    let event_type = if meta.retires.is_empty() { EventType::Add } else { EventType::Modify };
    draft(event_type, memory, meta, given, |event| event.scope = Some(scope.to_owned()))
}

/// An event about a fact as it stands, but for what is changed of it.
fn draft(
    event_type: EventType,
    memory: &Memory,
    meta: &Meta,
    given: &Given,
    change: impl FnOnce(&mut Event),
) -> Result<Draft> {
    let FactData { event, subject, predicate, object, scope, source, evidence, since, .. } = fact(memory)?;
    let mut event = Event {
        id: String::new(),
        subject,
        predicate,
        object,
        scope,
        confidence: memory.confidence.unwrap_or_default(),
        source,
        evidence,
        parent_id: Some(event),
        timestamp: timestamp(given.now),
        expires_at: memory.expires_at.filter(|_| event_type.bears()),
        since: event_type.bears().then_some(since),
        stands: None,
    };
    change(&mut event);
    let Event { subject, predicate, object, scope, .. } = &event;
    event.id = event_id(event_type, subject, predicate, object, scope.as_deref(), &event.timestamp);
    Ok(event.draft(event_type, meta, &given.branch)?)
}

/// Temporary.
pub fn again(memory: &Memory, how: Again, meta: &Meta, given: &Given) -> Result<Draft> {
    match how {
        Again::Copy => {
            let data = fact(memory)?;
            let event = Event {
                id: data.event,
                subject: data.subject,
                predicate: data.predicate,
                object: data.object,
                scope: data.scope,
                confidence: memory.confidence.unwrap_or_default(),
                source: data.source,
                evidence: data.evidence,
                parent_id: data.parent_id,
                timestamp: data.timestamp,
                expires_at: memory.expires_at,
                since: Some(data.since),
                stands: None,
            };
            Ok(event.draft(data.event_type, meta, &given.branch)?)
        }
        Again::Restore => draft(EventType::Modify, memory, meta, given, |_| {}),
    }
}
