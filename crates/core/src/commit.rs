//! Commits: the anchor that closes a ledger group and every group that a branch operation writes.
//!
//! Every group that changes a view is a commit and is addressed by its last entry (`@42`). A group that ends
//! in a [`COMMIT`] anchor also has document 1's id and message.
//!
//! **Invariant.** An anchor names memories by number: a ref's key is a hash of the text and would survive an
//! erasure.

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, EntryId, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::memory::MemoryId;
use crate::meta::Meta;
use crate::payload;

/// The anchor that closes a group.
pub const COMMIT: &str = "memory/commit";

/// The number of hex digits that name an event or a commit.
const ID_DIGITS: usize = 16;

/// Document 1's commit: what a group did, in words, and its place in the branch's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// Its id: [`commit_id`].
    pub id: String,
    /// The branch it is on.
    pub branch: String,
    /// The ids of the ledger's events in the group.
    pub events: Vec<String>,
    /// The commit message.
    pub message: String,
    /// The id of the previous commit on its branch's lineage.
    pub parent_id: Option<String>,
    /// The time of the commit, spelled as the id includes it.
    pub timestamp: String,
    /// Other effects of the commit.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
}

/// The effects of a commit besides its events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// The branch it merged, and up to which entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<Merge>,
    /// The conflicts a merge or cherry-pick left open. A conflict is named by the commit and its index in
    /// this list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// The conflicts of earlier commits that it resolves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settles: Vec<ConflictId>,
    /// The commit it cherry-picked from another branch, by its last entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picks: Option<EntryId>,
    /// The commit it reverts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverts: Option<EntryId>,
    /// The commit it undoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<EntryId>,
    /// The undo that it reverses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redoes: Option<EntryId>,
}

/// The way in which a commit reverses another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reverses {
    /// Removes the commit's effect as if it had not happened.
    Undo,
    /// Reverses an undo as if it had not happened.
    Redo,
    /// Records the reversal as an ordinary change in the history.
    Revert,
}

impl Reverses {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Revert => "revert",
        }
    }

    /// Returns the variant of this name; `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Undo, Self::Redo, Self::Revert].into_iter().find(|how| how.as_str() == name)
    }
}

impl Metadata {
    /// Returns whether every field is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the commit that it reverses, and how.
    #[must_use]
    pub fn reverses(&self) -> Option<(Reverses, EntryId)> {
        let of = |how, entry: Option<EntryId>| entry.map(|entry| (how, entry));
        of(Reverses::Undo, self.undoes)
            .or(of(Reverses::Redo, self.redoes))
            .or(of(Reverses::Revert, self.reverts))
    }

    /// Returns whether it took changes from another branch, or opened or resolved a conflict.
    #[must_use]
    pub fn takes(&self) -> bool {
        self.merge.is_some() || self.picks.is_some() || !self.conflicts.is_empty() || !self.settles.is_empty()
    }
}

/// The two sides of a merge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merge {
    /// The branch that was merged.
    pub source: String,
    /// The last entry of that branch that the merge included.
    pub head: EntryId,
    /// The last entry of the branch merged into.
    pub into: EntryId,
}

/// A memory that both sides changed. `None` is a side that removed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The current version on the target branch, until the conflict is resolved.
    pub ours: Option<MemoryId>,
    /// The current version on the source branch.
    pub theirs: Option<MemoryId>,
    /// The last version that both had in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<MemoryId>,
}

/// The name of a conflict: the commit's last entry, and the index in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConflictId {
    /// The entry of the anchor that recorded it.
    pub commit: EntryId,
    /// The index among the commit's conflicts, from 0.
    pub n: u32,
}

impl Commit {
    /// Creates a commit of ledger events and computes its id.
    #[must_use]
    pub fn new(
        branch: &str,
        events: Vec<String>,
        message: impl Into<String>,
        parent_id: Option<String>,
        now: Timestamp,
        metadata: Metadata,
    ) -> Self {
        let timestamp = timestamp(now);
        let id = commit_id(branch, &events, parent_id.as_deref(), &timestamp);
        Self {
            id,
            branch: branch.to_owned(),
            events,
            message: message.into(),
            parent_id,
            timestamp,
            metadata,
        }
    }

    /// Returns the anchor that records it.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the commit does not serialize as a JSON object.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Anchor, &json!({"name": COMMIT, "state": self}), meta, &self.branch)
    }

    /// Returns the commit that an anchor records; `None` for any other entry.
    #[must_use]
    pub fn read(entry: &Entry) -> Option<Self> {
        let is_anchor = entry.kind == Kind::Anchor;
        (is_anchor && payload::event_name(entry).as_deref() == Some(COMMIT))
            .then(|| payload::state(entry))
            .flatten()
    }
}

/// Formats a time as events, commits and their ids contain it.
#[must_use]
pub fn timestamp(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// Returns document 1's id of a commit: the first 16 hex digits of the SHA-256 of its branch, events, parent
/// and timestamp as canonical JSON. Message and metadata are not part of it.
#[must_use]
pub fn commit_id(branch: &str, events: &[String], parent_id: Option<&str>, timestamp: &str) -> String {
    let mut events = events.to_vec();
    events.sort();
    id_of(&[
        ("branch", json!(branch)),
        ("events", json!(events)),
        ("parent_id", json!(parent_id)),
        ("timestamp", json!(timestamp)),
    ])
}

/// Returns document 1's id of named values, which must be sorted by name: the hash of JSON with a space after
/// each comma and colon, without escaping of non-ASCII characters.
#[must_use]
pub fn id_of(values: &[(&str, Value)]) -> String {
    debug_assert!(values.is_sorted_by_key(|(name, _)| *name), "names are sorted");
    let fields: Vec<_> =
        values.iter().map(|(name, value)| format!("{}: {}", json!(name), spaced(value))).collect();
    let text = format!("{{{}}}", fields.join(", "));
    Hash::of(text.as_bytes()).to_string()[..ID_DIGITS].to_owned()
}

fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_document_1() {
        let event = id_of(&[
            ("event_type", json!("add")),
            ("object", json!("café ☕")),
            ("predicate", json!("prefers")),
            ("scope", Value::Null),
            ("subject", json!("user")),
            ("timestamp", json!("2026-02-03T16:29:35.123456")),
        ]);
        assert_eq!(event, "264766e1d5f2a71d");
        assert_eq!(commit_id("main", &[event], None, "2026-02-03T16:29:36"), "d9ee574f9bfb5de2");
    }
}
