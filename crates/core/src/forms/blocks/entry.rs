//! What blocks say on the tape, and the memories that makes.

use memtape_tape::{Draft, Entry, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::known;
use super::layer::BlockLayer;
use super::name::BlockName;
use crate::created::{Created, Search};
use crate::memory::{Form, MemoryId};
use crate::meta::Meta;
use crate::payload;

/// The event that bears a version of a block.
pub const SET: &str = "block.set";
/// The event that bears a change of the identity layer that waits for the owner.
pub const PROPOSE: &str = "block.propose";
/// The event that retires what waits.
pub const REJECT: &str = "block.reject";
/// The event that retires a block with nothing in its place.
pub const FORGET: &str = "block.forget";

/// Whether an event of this name is the form's.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    [SET, PROPOSE, REJECT, FORGET].contains(&name)
}

/// A version of a block, or one that is proposed: the `data` of `block.set` and `block.propose`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Set {
    /// The block's name.
    pub name: String,
    /// What it says.
    pub value: String,
    /// Its layer.
    pub layer: BlockLayer,
    /// The proposal that was approved, as a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// The version that a proposal would replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<MemoryId>,
}

/// What the form keeps of a memory besides its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockData {
    /// The layer.
    pub layer: BlockLayer,
    /// The proposal that was approved, as a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// The version that a proposal would replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<MemoryId>,
}

impl Set {
    /// The event of this name that says it.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn draft(&self, event: &str, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": event, "data": self}), meta, branch)
    }
}

/// The event that retires what `meta` says, which is about a name.
pub(super) fn retiring(event: &str, name: &BlockName, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": event, "data": {"name": name.as_str()}}), meta, branch)
}

/// The memory that an event of the form bears. What is computed is never borne.
#[must_use]
pub fn creates(event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
    if ![SET, PROPOSE].contains(&event) {
        return Vec::new();
    }
    let Some(Set { name, value, layer, proposal, before }) = payload::data(entry) else {
        return Vec::new();
    };
    let Ok(name) = BlockName::new(&name) else { return Vec::new() };
    if known::index_of(&name).is_some() {
        return Vec::new();
    }
    let data = BlockData { layer, proposal, before };
    let (key, own) = match event {
        SET => (name.as_str().to_owned(), format!("{name} {value}")),
        // What waits is found by its name alone.
        _ => (name.proposed(), String::new()),
    };
    vec![Created {
        key,
        data: serde_json::to_string(&data).ok(),
        search: Search { own, after_previous: false, day: None },
        text: value,
        ..Created::of(Form::BLOCKS, MemoryId::new(entry.id, 0), meta)
    }]
}
