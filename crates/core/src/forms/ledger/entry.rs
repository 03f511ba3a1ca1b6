//! Entries of the ledger, and the facts they create.

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use crate::audience::Sensitivity;
use crate::commit;
use crate::created::{Created, Search};
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId};
use crate::meta::Meta;
use crate::payload;
use crate::scope::Scope;
use crate::slots::Slots;

/// Prefix of the names of the ledger's events.
const PREFIX: &str = "ledger.";
/// Name of the event that removes a fact that is no longer true.
pub const DEPRECATE: &str = "ledger.deprecate";
/// Number of hexadecimal digits of the hash that is the key of a slot.
const KEY_DIGITS: usize = 16;

/// The type of an event, as named in document 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventType {
    /// A new fact is recorded.
    Add,
    /// The value of a fact is corrected.
    Modify,
    /// An observation confirms or contradicts a fact.
    Observe,
    /// A fact is confirmed.
    Confirm,
    /// A fact is no longer true.
    Deprecate,
    /// Removes a fact.
    Forget,
}

impl EventType {
    /// Every type.
    pub const ALL: [Self; 6] =
        [Self::Add, Self::Modify, Self::Observe, Self::Confirm, Self::Deprecate, Self::Forget];

    /// Returns its name in document 1.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Modify => "modify",
            Self::Observe => "observe",
            Self::Confirm => "confirm",
            Self::Deprecate => "deprecate",
            Self::Forget => "forget",
        }
    }

    /// Returns the name of its event on the tape.
    #[must_use]
    pub fn event_name(self) -> String {
        format!("{PREFIX}{}", self.as_str())
    }

    /// Returns the type of an event by its name; `None` if the event does not belong to the ledger.
    #[must_use]
    pub fn of_event(name: &str) -> Option<Self> {
        let name = name.strip_prefix(PREFIX)?;
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns whether an event of this type creates a fact.
    #[must_use]
    pub fn creates_memory(self) -> bool {
        !matches!(self, Self::Deprecate | Self::Forget)
    }
}

/// The `data` of the ledger's events: `MemoryEvent` of document 1.
///
/// The type is in the event's name, the sensitivity in the entry's `meta`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its id, computed by [`event_id`].
    pub id: String,
    /// The subject of the fact.
    pub subject: String,
    /// The predicate of the fact.
    pub predicate: String,
    /// The value.
    pub object: String,
    /// A lifetime (`permanent`, `session`, `temporary`), or a topic such as `work/technical`.
    pub scope: Option<String>,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The source: `user_explicit`, `agent_tool`, or any other word.
    pub source: String,
    /// The evidence for the value.
    pub evidence: Option<String>,
    /// The id of the event that created the previous version.
    pub parent_id: Option<String>,
    /// The time of the event, spelled as in the hash of the id.
    pub timestamp: String,
    /// When the fact expires; `None` if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When the fact was recorded last, if that differs from `timestamp`: it was removed and restored since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_at: Option<Timestamp>,
    /// When the fact was first recorded, if that differs from `timestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// The value that stays current after an observation that contradicts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands: Option<FactValue>,
}

/// The value of a fact, with its confidence and source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactValue {
    /// The value.
    pub object: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The source.
    pub source: String,
    /// The evidence for the value.
    pub evidence: Option<String>,
}

/// The data of a fact besides its text: the event that created it, in the fields of document 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactData {
    /// The id of the event that created the fact.
    pub event: String,
    /// The type of that event.
    pub event_type: EventType,
    /// The subject of the fact.
    pub subject: String,
    /// The predicate of the fact.
    pub predicate: String,
    /// The current value.
    pub object: String,
    /// A lifetime or a topic, as the writer spelled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The source.
    pub source: String,
    /// The evidence for the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The id of the event that created the previous version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// The time of the event, spelled as in the hash of the id.
    pub timestamp: String,
    /// When the fact was first recorded.
    pub since: Timestamp,
    /// The observed value, if the event was a contradicting observation and the previous value stayed
    /// current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<FactValue>,
}

/// Returns the lifetime that `scope` of document 1 names; permanent if it names none.
#[must_use]
pub fn lifetime(scope: Option<&str>) -> Lifetime {
    scope.and_then(|scope| folded(scope).parse().ok()).unwrap_or_default()
}

/// Returns the topic that `scope` of document 1 names; `None` if it is blank or names a lifetime.
#[must_use]
pub fn topic(scope: Option<&str>) -> Option<&str> {
    scope.map(str::trim).filter(|scope| !scope.is_empty() && folded(scope).parse::<Lifetime>().is_err())
}

/// Returns the part of a slot that a scope determines: the lifetime and the topic.
#[must_use]
pub fn slot_of(scope: Option<&str>) -> (Lifetime, Option<String>) {
    (lifetime(scope), topic(scope).map(folded))
}

/// Normalizes a part of a slot for comparison: NFKC, lower case, single spaces.
#[must_use]
pub fn folded(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the key of a slot: a hash of its owner's scope, subject, predicate, and topic or lifetime, and of
/// whether its fact is confidential.
///
/// The slot of a fact with the lifetime of a session also depends on the conversation. A confidential fact has
/// a slot of its own, so that those who may not see it neither learn of it nor change it by writing.
#[must_use]
pub fn slot_key(
    whose: &Scope,
    session: Option<&str>,
    subject: &str,
    predicate: &str,
    scope: Option<&str>,
    sensitivity: Sensitivity,
) -> String {
    let place = match lifetime(scope) {
        Lifetime::Session => session.unwrap_or_default(),
        _ => "",
    };
    // Topics, `session` and `temporary` have slots of their own; a permanent fact without a topic has none to
    // add.
    let scope = match lifetime(scope) {
        Lifetime::Permanent => topic(scope).map(folded).unwrap_or_default(),
        ends => ends.as_str().to_owned(),
    };
    let whose = whose.label().unwrap_or_default();
    let (subject, predicate) = (folded(subject), folded(predicate));
    let parts = [&whose, place, &subject, &predicate, &scope];
    match sensitivity {
        Sensitivity::Confidential => hashed(&[&parts[..], &[sensitivity.as_str()]].concat()),
        _ => hashed(&parts),
    }
}

/// Returns the slots of a subject and a predicate in a scope and a topic or lifetime.
#[must_use]
pub fn slots(
    whose: &Scope,
    session: Option<&str>,
    subject: &str,
    predicate: &str,
    scope: Option<&str>,
) -> Slots {
    Slots::of(|sensitivity| slot_key(whose, session, subject, predicate, scope, sensitivity))
}

/// Returns the key that all slots of a subject and a predicate share, in every scope and topic.
#[must_use]
pub fn about(subject: &str, predicate: &str) -> String {
    hashed(&[&folded(subject), &folded(predicate)])
}

fn hashed(parts: &[&str]) -> String {
    Hash::of(parts.join("\n").as_bytes()).to_string()[..KEY_DIGITS].to_owned()
}

/// Returns the id of an event as document 1 defines it.
///
/// It is the first 16 hexadecimal digits of the SHA-256 of the event's content and time.
#[must_use]
pub fn event_id(
    event_type: EventType,
    subject: &str,
    predicate: &str,
    object: &str,
    scope: Option<&str>,
    timestamp: &str,
) -> String {
    commit::id_of(&[
        ("event_type", json!(event_type.as_str())),
        ("object", json!(object)),
        ("predicate", json!(predicate)),
        ("scope", json!(scope)),
        ("subject", json!(subject)),
        ("timestamp", json!(timestamp)),
    ])
}

impl Event {
    /// Returns the entry that records the event.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the event cannot be serialized as JSON.
    pub fn draft(&self, event_type: EventType, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": event_type.event_name(), "data": self}), meta, branch)
    }

    /// Returns the event that an entry records, and its type; `None` if the entry is not an event of the
    /// ledger.
    #[must_use]
    pub fn read(entry: &Entry) -> Option<(EventType, Self)> {
        let name = (entry.kind == Kind::Event).then(|| payload::event_name(entry)).flatten()?;
        Some((EventType::of_event(&name)?, payload::data(entry)?))
    }
}

/// Returns the id of the observation that an event records.
///
/// `None` for events of other types, and for a copy, which is listed by the commit that made the copy.
#[must_use]
pub fn observed(name: &str, entry: &Entry, meta: &Meta) -> Option<String> {
    let is_observation = EventType::of_event(name) == Some(EventType::Observe);
    (is_observation && meta.from.is_none())
        .then(|| payload::data::<Event>(entry))
        .flatten()
        .map(|event| event.id)
}

/// Returns the lifetime of the fact that an event of the ledger is about.
#[must_use]
pub(crate) fn recorded_lifetime(entry: &Entry) -> Lifetime {
    payload::data::<Event>(entry).map(|event| lifetime(event.scope.as_deref())).unwrap_or_default()
}

/// Returns a fact as a sentence, for search and display.
#[must_use]
pub fn text(subject: &str, predicate: &str, object: &str) -> String {
    format!("{subject} {predicate} {object}")
}

/// Returns the memory that an event of the ledger creates, if any.
#[must_use]
pub fn creates(event_type: EventType, entry: &Entry, meta: &Meta) -> Vec<Created> {
    let Some(event) = event_type.creates_memory().then(|| payload::data::<Event>(entry)).flatten() else {
        return Vec::new();
    };
    let Event { subject, predicate, scope, timestamp, .. } = event;
    let said = FactValue {
        object: event.object,
        confidence: event.confidence,
        source: event.source,
        evidence: event.evidence,
    };
    let (value, observed) = match event.stands {
        Some(stands) => (stands, Some(said)),
        None => (said, None),
    };
    if [&subject, &predicate, &value.object].iter().any(|part| part.trim().is_empty()) {
        return Vec::new();
    }
    let said_at = event.said_at.or_else(|| timestamp.parse().ok()).unwrap_or(entry.date);
    let text = text(&subject, &predicate, &value.object);
    // The words of the topic are searchable, too.
    let own = topic(scope.as_deref()).map_or_else(|| text.clone(), |topic| format!("{text} {topic}"));
    let (session, sensitivity) = (meta.session.as_deref(), meta.sensitivity);
    let key = slot_key(&meta.scope(), session, &subject, &predicate, scope.as_deref(), sensitivity);
    let about = about(&subject, &predicate);
    let lifetime = lifetime(scope.as_deref());
    let data = FactData {
        event: event.id,
        event_type,
        subject,
        predicate,
        object: value.object,
        scope,
        source: value.source,
        evidence: value.evidence,
        parent_id: event.parent_id,
        timestamp,
        since: event.since.unwrap_or(said_at),
        observed,
    };
    vec![Created {
        key,
        about: Some(about),
        lifetime,
        confidence: Some(value.confidence.clamp(0.0, 1.0)),
        said_at: Some(said_at),
        expires_at: event.expires_at,
        data: serde_json::to_string(&data).ok(),
        search: Search { own, ..Search::default() },
        text,
        ..Created::of(Form::LEDGER, MemoryId::new(entry.id, 0), meta)
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_the_same_whatever_the_case_and_spaces() {
        let key = |subject: &str, scope: Option<&str>| {
            slot_key(&Scope::Global, Some("cli:direct"), subject, "prefers", scope, Sensitivity::Normal)
        };
        assert_eq!(key("User", None), key(" user ", Some("Permanent")));
        assert_eq!(key("user", Some("Work/Technical")), key("user", Some("work/technical")));
        let different = [None, Some("session"), Some("temporary"), Some("work")].map(|s| key("user", s));
        for (n, one) in different.iter().enumerate() {
            assert!(different[n + 1..].iter().all(|other| other != one));
        }
        let of = |session: &str, sensitivity: Sensitivity| {
            slot_key(&Scope::Global, Some(session), "user", "prefers", Some("session"), sensitivity)
        };
        assert_ne!(of("a:b", Sensitivity::Normal), key("user", Some("session")));
        assert_eq!(of("cli:direct", Sensitivity::Private), key("user", Some("session")));
        assert_ne!(of("cli:direct", Sensitivity::Confidential), key("user", Some("session")));
    }

    #[test]
    fn a_scope_is_a_lifetime_or_a_topic() {
        assert_eq!((lifetime(Some("session")), topic(Some("session"))), (Lifetime::Session, None));
        assert_eq!((lifetime(Some("work")), topic(Some("work"))), (Lifetime::Permanent, Some("work")));
        assert_eq!((lifetime(None), topic(None)), (Lifetime::Permanent, None));
        assert_eq!(topic(Some("  ")), None);
    }
}
