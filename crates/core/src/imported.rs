//! The record of what was imported from another program: an event in the group of the imported items.
//!
//! **Invariant.** The event names an item if and only if its group contains the item, or the item needed no entry. So an
//! import that was interrupted, or is repeated, continues after the last group.

use std::collections::BTreeMap;

use memtape_tape::{Draft, Entry, EntryId, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::meta::Meta;
use crate::payload;

/// The name of the event.
pub const ITEMS: &str = "import.items";

/// Returns the digest of an id: the first 64 bits of its SHA-256.
#[must_use]
pub fn digest(id: &str) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(Sha256::digest(id));
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// Items of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The name of the source.
    pub source: String,
    /// The digest of the id of each item: 16 hexadecimal digits.
    pub items: Vec<String>,
    /// The documents of which the group has a version, each by the digest of its id: how many entries before this event
    /// the entry is that wrote the version; 0 if none did.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub documents: BTreeMap<String, u64>,
    /// The documents of which no entry was written because another document has the same text, each with the entry that
    /// wrote it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kept: BTreeMap<String, EntryId>,
}

impl Imported {
    /// Creates the record of some digests.
    #[must_use]
    pub fn new(source: &str, digests: &[u64]) -> Self {
        let items = digests.iter().map(|digest| format!("{digest:016x}")).collect();
        Self { source: source.to_owned(), items, documents: BTreeMap::new(), kept: BTreeMap::new() }
    }

    /// Returns the same record with documents, each with the number of entries from the one that wrote its version to
    /// this event.
    #[must_use]
    pub fn with_documents(mut self, documents: impl IntoIterator<Item = (u64, u64)>) -> Self {
        self.documents.extend(documents.into_iter().map(|(digest, back)| (format!("{digest:016x}"), back)));
        self
    }

    /// Returns the same record with the entries of documents that have the text of another one.
    #[must_use]
    pub fn with_kept(mut self, kept: impl IntoIterator<Item = (u64, EntryId)>) -> Self {
        self.kept.extend(kept.into_iter().map(|(digest, entry)| (format!("{digest:016x}"), entry)));
        self
    }

    /// Returns the documents, each with the entry that wrote its version, if `id` is the entry of the event.
    pub fn documents(&self, id: EntryId) -> impl Iterator<Item = (u64, Option<EntryId>)> {
        let written = move |back: u64| id.checked_sub(back).filter(|_| back > 0);
        let read = |digest: &str| u64::from_str_radix(digest, 16).ok();
        let entry = move |digest: &str, back| written(back).or_else(|| self.kept.get(digest).copied());
        self.documents.iter().filter_map(move |(digest, back)| Some((read(digest)?, entry(digest, *back))))
    }

    /// Returns the digests.
    pub fn digests(&self) -> impl Iterator<Item = u64> {
        self.items.iter().filter_map(|item| u64::from_str_radix(item, 16).ok())
    }

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
