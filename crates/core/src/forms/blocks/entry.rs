//! Entries of blocks, and the memories they create.

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

/// Name of the event that creates a version of a block.
pub const SET: &str = "block.set";
/// Name of the event that creates a proposal for a block of the identity layer.
pub const PROPOSE: &str = "block.propose";
/// Name of the event that removes a proposal.
pub const REJECT: &str = "block.reject";
/// Name of the event that removes a block.
pub const FORGET: &str = "block.forget";

/// Returns whether an event of this name belongs to the form.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    [SET, PROPOSE, REJECT, FORGET].contains(&name)
}

/// A version of a block or a proposal: the `data` of `block.set` and `block.propose`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Set {
    /// The block's name.
    pub name: String,
    /// The value of the block.
    pub value: String,
    /// Its layer.
    pub layer: BlockLayer,
    /// The ref of the approved proposal, if the version comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// The version that a proposal would replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<MemoryId>,
}

/// The data of a memory besides its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockData {
    /// The layer of the block.
    pub layer: BlockLayer,
    /// The ref of the approved proposal, if the version comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// The version that a proposal would replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<MemoryId>,
}

impl Set {
    /// Returns the event with this name.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the event cannot be serialized as JSON.
    pub fn draft(&self, event: &str, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": event, "data": self}), meta, branch)
    }
}

/// Returns the event that removes the memories that `meta` names, under the name of their block.
pub(super) fn retiring(event: &str, name: &BlockName, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": event, "data": {"name": name.as_str()}}), meta, branch)
}

/// Returns the memory that an event of the form creates, if any. Computed blocks never have one.
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
        // A proposal is found by its key only, so its text is not indexed.
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
