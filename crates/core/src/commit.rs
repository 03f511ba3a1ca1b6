//! Commits: the anchor that closes a group of the ledger, and every group that branches bring about.
//!
//! Every group that changes a view is a commit and is addressed by its last entry (`@42`). One that ends in a
//! [`COMMIT`] anchor has document 1's id and message besides.
//!
//! **Invariant.** An anchor names memories by their numbers: a ref's key is a hash of the text, and would outlive an
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

/// How many hex digits name an event or a commit.
const ID_DIGITS: usize = 16;

/// Document 1's commit: what a group did, in words, and where it stands in its branch's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// Its id: [`commit_id`].
    pub id: String,
    /// The branch it stands on.
    pub branch: String,
    /// The ids of the ledger's events in the group.
    pub events: Vec<String>,
    /// What was done, in words.
    pub message: String,
    /// The id of the commit before it on its branch's lineage.
    pub parent_id: Option<String>,
    /// When it was made, as it stands in the id.
    pub timestamp: String,
    /// What else it did.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
}

/// What a commit did besides its events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// The branch it merged, up to which entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<Merge>,
    /// What a merge or a cherry-pick could not settle. A conflict is named by the commit and its place in this list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// The conflicts of earlier commits that it settles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settles: Vec<ConflictId>,
    /// The commit it picked from another branch, by its last entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picks: Option<EntryId>,
    /// The commit it reverts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverts: Option<EntryId>,
    /// The commit it undoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<EntryId>,
    /// The undo that it takes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redoes: Option<EntryId>,
}

/// How a commit takes another back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reverses {
    /// As if it had not happened.
    Undo,
    /// An undo, as if that had not happened.
    Redo,
    /// By a change that is part of the history as any other.
    Revert,
}

impl Reverses {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Revert => "revert",
        }
    }

    /// The one of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Undo, Self::Redo, Self::Revert].into_iter().find(|how| how.as_str() == name)
    }
}

impl Metadata {
    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The commit that it takes back, and how.
    #[must_use]
    pub fn reverses(&self) -> Option<(Reverses, EntryId)> {
        let of = |how, entry: Option<EntryId>| entry.map(|entry| (how, entry));
        of(Reverses::Undo, self.undoes)
            .or(of(Reverses::Redo, self.redoes))
            .or(of(Reverses::Revert, self.reverts))
    }

    /// Whether it took something from another branch, or resolved a conflict.
    #[must_use]
    pub fn takes(&self) -> bool {
        self.merge.is_some() || self.picks.is_some() || !self.settles.is_empty()
    }
}

/// What a merge brought together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merge {
    /// The branch that was merged.
    pub source: String,
    /// Its last entry that counted then.
    pub head: EntryId,
    /// The last entry of the branch merged into.
    pub into: EntryId,
}

/// A thing that was changed in two ways. `None` where that side has retired it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// What stands on the branch merged into, until somebody settles it.
    pub ours: Option<MemoryId>,
    /// What stands on the other.
    pub theirs: Option<MemoryId>,
    /// What both last had in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<MemoryId>,
}

/// What names a conflict: the commit's last entry, and its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConflictId {
    /// The entry of the anchor that recorded it.
    pub commit: EntryId,
    /// Its place among the commit's conflicts, from 0.
    pub n: u32,
}

impl Commit {
    /// A commit of ledger events, with its id.
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

    /// The anchor that records it.
    ///
    /// # Errors
    /// That its text cannot be written as JSON.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Anchor, &json!({"name": COMMIT, "state": self}), meta, &self.branch)
    }

    /// The commit that an anchor records; `None` where it is another entry.
    #[must_use]
    pub fn read(entry: &Entry) -> Option<Self> {
        let is_anchor = entry.kind == Kind::Anchor;
        (is_anchor && payload::event_name(entry).as_deref() == Some(COMMIT))
            .then(|| payload::state(entry))
            .flatten()
    }
}

/// A time as it stands in events and commits, and in their ids.
#[must_use]
pub fn timestamp(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// Document 1's id of a commit: the first 16 hex digits of the SHA-256 of what it is, in canonical JSON. Message and
/// metadata are no part of it.
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

/// Document 1's id of named values, which are given in the order of their names: JSON with a space after each comma and
/// colon, characters as they are.
pub(crate) fn id_of(values: &[(&str, Value)]) -> String {
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
