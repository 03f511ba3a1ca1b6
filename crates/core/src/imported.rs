//! The record of what was imported from another program: an event in the group of the imported items.
//!
//! **Invariant.** The event names an item if and only if its group contains the item, or the item needed no entry. So an
//! import that was interrupted, or is repeated, continues after the last group.

use memtape_tape::{Draft, Entry, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::meta::Meta;
use crate::payload;

/// The name of the event.
pub const ITEMS: &str = "import.items";

/// Items of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The name of the source.
    pub source: String,
    /// The digest of the id of each item: 16 hexadecimal digits.
    pub items: Vec<String>,
}

impl Imported {
    /// Reads an event; `None` if it is another one.
    #[must_use]
    pub fn read(entry: &Entry) -> Option<Self> {
        payload::data(entry)
    }

    /// Returns the event.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if it cannot be serialized.
    pub fn draft(&self, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": ITEMS, "data": self}), meta, branch)
    }
}
