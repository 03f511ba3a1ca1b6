//! What a turn says on the tape: that it began, and what came of it.
//!
//! A turn writes two groups. The first stands there before anything is asked of a model: `turn.begin` and the message.
//! The second closes it: the reply, what was captured, and `turn.end`, which names the beginning. A turn that has no
//! end was cut off.
//!
//! **Invariant.** Both events belong to their chat, and hold no text: what was said stands in messages, what was
//! captured in statements.

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

/// The event that begins a turn; the message, or what else began it, is the entry after it.
pub const BEGIN: &str = "turn.begin";
/// The event that closes a turn.
pub const END: &str = "turn.end";

/// What begins a turn: document 3's kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trigger {
    /// Somebody says something.
    #[default]
    Message,
    /// Time has passed: the agent looks by itself at what there is to do.
    Perch,
    /// A job's time has come.
    Cron,
}

impl Trigger {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Message, Self::Perch, Self::Cron];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Perch => "perch",
            Self::Cron => "cron",
        }
    }

    /// What begins the turn that an event begins; a turn that does not say so was begun by a message.
    #[must_use]
    pub fn of(begin: &Entry) -> Self {
        payload::data::<Begin>(begin).unwrap_or_default().trigger
    }
}

impl FromStr for Trigger {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|trigger| trigger.as_str() == text).ok_or_else(|| {
            Error::Invalid(format!("there is no trigger {text:?}: the triggers are message, perch and cron"))
        })
    }
}

/// The `data` of the event that begins a turn.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Begin {
    trigger: Trigger,
}

/// What came of a turn: the `data` of its closing event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct End {
    /// The event that began it.
    pub begin: EntryId,
    /// The memories that the prompt was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recalled: Vec<MemoryId>,
    /// Its counters.
    #[serde(flatten)]
    pub counters: Counters,
    /// What is still to be done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending_actions: Vec<String>,
    /// The beginnings of turns before it that were cut off, and were reported to it.
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
    /// What was not sure or important enough, or too much for one turn.
    #[serde(rename = "memory_capture_dropped_low_conf")]
    pub capture_dropped_low_conf: u64,
    /// What would have steered a model, was code, or held a secret.
    #[serde(rename = "memory_capture_dropped_safety")]
    pub capture_dropped_safety: u64,
    /// What stood there already.
    #[serde(rename = "memory_capture_deduped")]
    pub capture_deduped: u64,
    /// The characters of prompts that recalled memories took.
    #[serde(rename = "memory_prompt_chars")]
    pub prompt_chars: u64,
}

impl Counters {
    /// Each counter under its name.
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

/// What an entry says of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// That it begins.
    Begin,
    /// What came of it.
    End(End),
}

/// The event that begins a turn.
///
/// # Errors
/// None that a caller can cause.
pub fn begin(trigger: Trigger, session: &Session, meta: &Meta, branch: &str) -> Result<Draft> {
    let payload = match trigger {
        Trigger::Message => json!({"name": BEGIN}),
        trigger => json!({"name": BEGIN, "data": Begin { trigger }}),
    };
    Draft::new(Kind::Event, &payload, &of_chat(session, meta), branch)
}

/// The event that closes a turn.
///
/// # Errors
/// None that a caller can cause.
pub fn end(end: &End, session: &Session, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": END, "data": end}), &of_chat(session, meta), branch)
}

/// Whatever scope a turn's statements have, the turn is its chat's.
fn of_chat(session: &Session, meta: &Meta) -> Meta {
    Meta { scope: Scope::of_chat(session).label(), ..meta.clone() }
}

/// What an event says of a turn.
#[must_use]
pub(crate) fn mark(name: &str, entry: &Entry) -> Option<Mark> {
    match name {
        BEGIN => Some(Mark::Begin),
        // A turn begins before it ends.
        END => payload::data::<End>(entry).filter(|end| end.begin < entry.id).map(Mark::End),
        _ => None,
    }
}
