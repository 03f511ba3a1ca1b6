//! Progress of background work: the last entry that a task has read in a conversation or a branch.
//!
//! The tape is the only state, so a task that is interrupted continues from its last event.
//!
//! **Invariant.** Only memtape writes these events: a forged one would hide messages from a task.

use memtape_tape::{Draft, Entry, EntryId, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::lineage::MAIN;
use crate::meta::Meta;
use crate::payload;

/// The prefix of the events; the name of the task follows.
const PREFIX: &str = "mind.";

/// Returns the name of the events of a task.
#[must_use]
pub fn event_name(task: &str) -> String {
    format!("{PREFIX}{task}")
}

/// The `data` of the event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskProgress {
    /// The task, which is in the name of the event.
    #[serde(skip)]
    pub task: String,
    /// The last entry that the task has read.
    pub through: EntryId,
    /// The state that the task needs in its next run.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub state: Value,
}

impl TaskProgress {
    /// Returns the event. It is on main, so that every branch finds it.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if it does not serialize as a JSON object.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": event_name(&self.task), "data": self}), meta, MAIN)
    }

    /// Reads an event; `None` if it is another one or malformed.
    #[must_use]
    pub fn read(entry: &Entry) -> Option<Self> {
        let name = payload::event_name(entry)?;
        let task = name.strip_prefix(PREFIX)?.to_owned();
        Some(Self { task, ..payload::data(entry)? })
    }
}
