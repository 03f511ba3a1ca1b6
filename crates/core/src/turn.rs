//! The two groups that a turn writes to the tape: its beginning and its end.
//!
//! A turn writes its first group before a model is called: `turn.begin` and the message. The second group
//! closes it: the reply, the captured statements, and `turn.end`, which names the beginning. A turn without
//! an end was interrupted.
//!
//! **Invariant.** Both events belong to the turn's chat and contain no text: messages contain what was said, and
//! statements what was captured.

use std::str::FromStr;

use memtape_tape::{Draft, Entry, EntryId, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::Error;
use crate::memory::MemoryId;
use crate::meta::Meta;
use crate::payload;
use crate::scope::Scope;
use crate::session::Session;

/// The anchor that begins or resets a conversation.
pub const SESSION_START: &str = "session/start";
/// The event that begins a turn; the entry after it is the message or other trigger ([`message_of`]).
pub const BEGIN: &str = "turn.begin";
/// The event that closes a turn.
pub const END: &str = "turn.end";

/// Returns the entry of the message or other trigger of the turn that an entry began.
#[must_use]
pub fn message_of(begin: EntryId) -> EntryId {
    begin + 1
}

/// The triggers of a turn: document 3's kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trigger {
    /// A person sends a message.
    #[default]
    Message,
    /// A periodic tick, at which the agent looks for work.
    Perch,
    /// A scheduled job is due.
    Cron,
}

impl Trigger {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Message, Self::Perch, Self::Cron];

    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Perch => "perch",
            Self::Cron => "cron",
        }
    }

    /// Returns the trigger that a `turn.begin` records; a message if it records none.
    #[must_use]
    pub fn of(begin: &Entry) -> Self {
        payload::data::<Begin>(begin).unwrap_or_default().trigger
    }
}

impl FromStr for Trigger {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|trigger| trigger.as_str() == text).ok_or_else(|| {
            Error::Invalid(format!("unknown trigger {text:?}: expected message, perch or cron"))
        })
    }
}

/// The `data` of the event that begins a turn.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Begin {
    trigger: Trigger,
}

/// The result of a turn: the `data` of its closing event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct End {
    /// The event that began the turn.
    pub begin: EntryId,
    /// The memories that the prompt contained.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recalled: Vec<MemoryId>,
    /// Its counters.
    #[serde(flatten)]
    pub counters: Counters,
    /// The pending actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending_actions: Vec<String>,
    /// The beginnings of earlier interrupted turns that were reported to this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<EntryId>,
}

/// Document 4's counters, of one turn or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Turns whose recall found something.
    #[serde(rename = "memory_recall_hit")]
    pub recall_hit: u64,
    /// Turns whose recall found nothing.
    #[serde(rename = "memory_recall_miss")]
    pub recall_miss: u64,
    /// Statements that were captured.
    #[serde(rename = "memory_capture_saved")]
    pub capture_saved: u64,
    /// Candidates that were not certain or important enough, or exceeded the limit of one turn.
    #[serde(rename = "memory_capture_dropped_low_conf")]
    pub capture_dropped_low_conf: u64,
    /// Candidates that could steer a model, were code, or contained a secret.
    #[serde(rename = "memory_capture_dropped_safety")]
    pub capture_dropped_safety: u64,
    /// Candidates that were already kept.
    #[serde(rename = "memory_capture_deduped")]
    pub capture_deduped: u64,
    /// The number of prompt characters taken by recalled memories.
    #[serde(rename = "memory_prompt_chars")]
    pub prompt_chars: u64,
}

impl Counters {
    /// Returns each counter with its name.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("memory_recall_hit", self.recall_hit),
            ("memory_recall_miss", self.recall_miss),
            ("memory_capture_saved", self.capture_saved),
            ("memory_capture_dropped_low_conf", self.capture_dropped_low_conf),
            ("memory_capture_dropped_safety", self.capture_dropped_safety),
            ("memory_capture_deduped", self.capture_deduped),
            ("memory_prompt_chars", self.prompt_chars),
        ]
    }
}

/// The part of a turn that an entry records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The turn begins.
    Begin,
    /// The turn ends with this result.
    End(End),
}

/// Returns the event that begins a turn.
///
/// # Errors
/// [`memtape_tape::Error::Unwritable`] if the event does not serialize as a JSON object.
pub fn begin(trigger: Trigger, session: &Session, meta: &Meta, branch: &str) -> Result<Draft> {
    let payload = match trigger {
        Trigger::Message => json!({"name": BEGIN}),
        trigger => json!({"name": BEGIN, "data": Begin { trigger }}),
    };
    Draft::new(Kind::Event, &payload, &of_chat(session, meta), branch)
}

/// Returns the event that closes a turn.
///
/// # Errors
/// [`memtape_tape::Error::Unwritable`] if the event does not serialize as a JSON object.
pub fn end(end: &End, session: &Session, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": END, "data": end}), &of_chat(session, meta), branch)
}

/// A turn belongs to its chat, whatever scope its statements have.
fn of_chat(session: &Session, meta: &Meta) -> Meta {
    Meta { scope: Scope::of_chat(session).label(), ..meta.clone() }
}

/// Returns what an event records of a turn; `None` if nothing.
#[must_use]
pub(crate) fn mark(name: &str, entry: &Entry) -> Option<Mark> {
    match name {
        BEGIN => Some(Mark::Begin),
        // A turn ends after its beginning.
        END => payload::data::<End>(entry).filter(|end| end.begin < entry.id).map(Mark::End),
        _ => None,
    }
}
