//! What the ledger says on the tape, and the facts that bears.

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use crate::commit;
use crate::created::{Created, Search};
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId};
use crate::meta::Meta;
use crate::payload;
use crate::scope::Scope;

/// How the names of the ledger's events begin.
const PREFIX: &str = "ledger.";
/// The event that retires what is no longer so.
pub const DEPRECATE: &str = "ledger.deprecate";
/// How many hex digits of a hash name a slot.
const KEY_DIGITS: usize = 16;

/// What an event does, in document 1's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventType {
    /// Something new is known.
    Add,
    /// What was known is corrected.
    Modify,
    /// Something was seen that confirms what is known, or doubts it.
    Observe,
    /// What is known was found to be so.
    Confirm,
    /// What was known is no longer so.
    Deprecate,
    /// What was known is to be forgotten.
    Forget,
}

impl EventType {
    /// Every type.
    pub const ALL: [Self; 6] =
        [Self::Add, Self::Modify, Self::Observe, Self::Confirm, Self::Deprecate, Self::Forget];

    /// Its name in document 1.
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

    /// The name of its event on the tape.
    #[must_use]
    pub fn event_name(self) -> String {
        format!("{PREFIX}{}", self.as_str())
    }

    /// The type of the event of this name; `None` for one that is not the ledger's.
    #[must_use]
    pub fn of_event(name: &str) -> Option<Self> {
        let name = name.strip_prefix(PREFIX)?;
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether a fact stands after it.
    #[must_use]
    pub fn bears(self) -> bool {
        !matches!(self, Self::Deprecate | Self::Forget)
    }
}

/// The `data` of the ledger's events: document 1's `MemoryEvent`. Its type is the event's name, its sensitivity the
/// entry's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its id: [`event_id`].
    pub id: String,
    /// What or whom it is about.
    pub subject: String,
    /// What is said of it.
    pub predicate: String,
    /// The value.
    pub object: String,
    /// A lifetime (`permanent`, `session`, `temporary`), or a topic such as `work/technical`.
    pub scope: Option<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Where it came from: `user_explicit`, `agent_tool`, or any other word.
    pub source: String,
    /// What it rests on.
    pub evidence: Option<String>,
    /// The id of the event that bore the version before it.
    pub parent_id: Option<String>,
    /// When, as it stands in the id.
    pub timestamp: String,
    /// When the fact ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When the thing was first known, where that is not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What stands after an observation that doubts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands: Option<Standing>,
}

/// A value that stands though something else was observed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The value.
    pub object: String,
    /// How sure it is now.
    pub confidence: f64,
    /// Where it came from.
    pub source: String,
    /// What it rests on.
    pub evidence: Option<String>,
}

/// What the ledger keeps of a fact besides its text: the event that bore it, in document 1's fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactData {
    /// The id of the event that bore it.
    pub event: String,
    /// What that event did.
    pub event_type: EventType,
    /// What or whom it is about.
    pub subject: String,
    /// What is said of it.
    pub predicate: String,
    /// The value.
    pub object: String,
    /// A lifetime or a topic, as it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Where it came from.
    pub source: String,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The id of the event that bore the version before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// When the event was, as it stands in its id.
    pub timestamp: String,
    /// When the thing was first known.
    pub since: Timestamp,
    /// What the event saw, where something else stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Standing>,
}

/// How long a fact of this scope should live: what document 1's `scope` says, where it names a lifetime.
#[must_use]
pub fn lifetime(scope: Option<&str>) -> Lifetime {
    scope.and_then(|scope| folded(scope).parse().ok()).unwrap_or_default()
}

/// The topic of this scope: what document 1's `scope` says, where it names no lifetime.
#[must_use]
pub fn topic(scope: Option<&str>) -> Option<&str> {
    scope.map(str::trim).filter(|scope| !scope.is_empty() && folded(scope).parse::<Lifetime>().is_err())
}

/// What a scope tells apart among facts of the same subject and predicate: how long they live, and their topic.
#[must_use]
pub fn slot_of(scope: Option<&str>) -> (Lifetime, Option<String>) {
    (lifetime(scope), topic(scope).map(folded))
}

/// A part of a slot as it is compared: NFKC, lower case, single spaces.
#[must_use]
pub fn folded(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What names a slot: whose it is, what it is about, and its topic or lifetime. A fact that lives as long as its
/// conversation has a slot in that conversation.
#[must_use]
pub fn slot_key(
    whose: &Scope,
    session: Option<&str>,
    subject: &str,
    predicate: &str,
    scope: Option<&str>,
) -> String {
    let place = match lifetime(scope) {
        Lifetime::Session => session.unwrap_or_default(),
        _ => "",
    };
    // A topic and the lifetimes that end are slots of their own; what is kept for good needs no word.
    let scope = match lifetime(scope) {
        Lifetime::Permanent => topic(scope).map(folded).unwrap_or_default(),
        ends => ends.as_str().to_owned(),
    };
    let whose = whose.label().unwrap_or_default();
    hashed(&[&whose, place, &folded(subject), &folded(predicate), &scope])
}

/// What names all slots of a subject and a predicate, whoever's and in whichever topic.
#[must_use]
pub fn about(subject: &str, predicate: &str) -> String {
    hashed(&[&folded(subject), &folded(predicate)])
}

fn hashed(parts: &[&str]) -> String {
    Hash::of(parts.join("\n").as_bytes()).to_string()[..KEY_DIGITS].to_owned()
}

/// Document 1's id of an event: the first 16 hex digits of the SHA-256 of what it says and when.
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
    /// The entry that records it.
    ///
    /// # Errors
    /// That its text cannot be written as JSON.
    pub fn draft(&self, event_type: EventType, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": event_type.event_name(), "data": self}), meta, branch)
    }

    /// The event that an entry records, and its type; `None` where it is another entry.
    #[must_use]
    pub fn read(entry: &Entry) -> Option<(EventType, Self)> {
        let name = (entry.kind == Kind::Event).then(|| payload::event_name(entry)).flatten()?;
        Some((EventType::of_event(&name)?, payload::data(entry)?))
    }
}

/// The id of the observation that an event of this name records; `None` for another event, and for a copy, which the
/// commit that made it accounts for.
#[must_use]
pub fn observed(name: &str, entry: &Entry, meta: &Meta) -> Option<String> {
    let is_observation = EventType::of_event(name) == Some(EventType::Observe);
    (is_observation && meta.from.is_none())
        .then(|| payload::data::<Event>(entry))
        .flatten()
        .map(|event| event.id)
}

/// How long the fact should live that an event of the ledger tells of.
#[must_use]
pub(crate) fn told_lifetime(entry: &Entry) -> Lifetime {
    payload::data::<Event>(entry).map(|event| lifetime(event.scope.as_deref())).unwrap_or_default()
}

/// A fact in words, as it is searched and shown.
#[must_use]
pub fn text(subject: &str, predicate: &str, object: &str) -> String {
    format!("{subject} {predicate} {object}")
}

/// The memory that an event of the ledger bears.
#[must_use]
pub fn creates(event_type: EventType, entry: &Entry, meta: &Meta) -> Vec<Created> {
    let Some(event) = event_type.bears().then(|| payload::data::<Event>(entry)).flatten() else {
        return Vec::new();
    };
    let Event { subject, predicate, scope, timestamp, .. } = event;
    let said = Standing {
        object: event.object,
        confidence: event.confidence,
        source: event.source,
        evidence: event.evidence,
    };
    let (standing, observed) = match event.stands {
        Some(stands) => (stands, Some(said)),
        None => (said, None),
    };
    if [&subject, &predicate, &standing.object].iter().any(|part| part.trim().is_empty()) {
        return Vec::new();
    }
    let said_at = timestamp.parse().unwrap_or(entry.date);
    let text = text(&subject, &predicate, &standing.object);
    // What is found by its topic is found by the words of it.
    let own = topic(scope.as_deref()).map_or_else(|| text.clone(), |topic| format!("{text} {topic}"));
    let key = slot_key(&meta.scope(), meta.session.as_deref(), &subject, &predicate, scope.as_deref());
    let about = about(&subject, &predicate);
    let lifetime = lifetime(scope.as_deref());
    let data = FactData {
        event: event.id,
        event_type,
        subject,
        predicate,
        object: standing.object,
        scope,
        source: standing.source,
        evidence: standing.evidence,
        parent_id: event.parent_id,
        timestamp,
        since: event.since.unwrap_or(said_at),
        observed,
    };
    vec![Created {
        key,
        about: Some(about),
        lifetime,
        confidence: Some(standing.confidence.clamp(0.0, 1.0)),
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
            slot_key(&Scope::Global, Some("cli:direct"), subject, "prefers", scope)
        };
        assert_eq!(key("User", None), key(" user ", Some("Permanent")));
        assert_eq!(key("user", Some("Work/Technical")), key("user", Some("work/technical")));
        let different = [None, Some("session"), Some("temporary"), Some("work")].map(|s| key("user", s));
        for (n, one) in different.iter().enumerate() {
            assert!(different[n + 1..].iter().all(|other| other != one));
        }
        let elsewhere = slot_key(&Scope::Global, Some("a:b"), "user", "prefers", Some("session"));
        assert_ne!(elsewhere, key("user", Some("session")));
    }

    #[test]
    fn a_scope_is_a_lifetime_or_a_topic() {
        assert_eq!((lifetime(Some("session")), topic(Some("session"))), (Lifetime::Session, None));
        assert_eq!((lifetime(Some("work")), topic(Some("work"))), (Lifetime::Permanent, Some("work")));
        assert_eq!((lifetime(None), topic(None)), (Lifetime::Permanent, None));
        assert_eq!(topic(Some("  ")), None);
    }
}
