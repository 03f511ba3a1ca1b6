//! What the tape says of branches: that one was forked, that a conversation goes on on one, that one was deleted.

use memtape_tape::{Draft, Entry, EntryId, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error;
use crate::lineage::MAIN;
use crate::meta::Meta;
use crate::projection;

/// The anchor that forks a branch; its entry stands on the new branch.
pub const FORK: &str = "branch/fork";
/// The event that puts a conversation on a branch.
pub const SWITCH: &str = "branch.switch";
/// The event that deletes a branch. What stands on it stays on the tape.
pub const DELETE: &str = "branch.delete";

/// The longest name of a branch, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// What an entry says of branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A branch begins: the entry's own.
    Fork(Fork),
    /// The entry's conversation goes on on a branch.
    Switch(Switch),
    /// A branch is deleted.
    Delete(Delete),
}

impl Mark {
    /// The same without what somebody worded.
    #[must_use]
    pub fn without_text(&self) -> Self {
        match self {
            Self::Fork(fork) => Self::Fork(Fork { persona: None, ..fork.clone() }),
            other => other.clone(),
        }
    }
}

/// The `state` of a fork.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The branch it comes from.
    pub parent: String,
    /// The last entry they share.
    pub at: EntryId,
    /// Whose memory the new branch is, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
}

/// The `data` of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// The branch to go on on.
    pub branch: String,
    /// Whether new conversations begin there too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub default: bool,
}

/// The `data` of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delete {
    /// The branch.
    pub branch: String,
}

impl Fork {
    /// The anchor that forks `name`.
    ///
    /// # Errors
    /// That its text cannot be written as JSON.
    pub fn draft(&self, name: &str, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Anchor, &json!({"name": FORK, "state": self}), meta, name)
    }
}

impl Switch {
    /// The event that puts the conversation of `meta` on the branch.
    ///
    /// # Errors
    /// That its text cannot be written as JSON.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": SWITCH, "data": self}), meta, &self.branch)
    }
}

impl Delete {
    /// The event that deletes the branch; it stands on main, which is never deleted.
    ///
    /// # Errors
    /// That its text cannot be written as JSON.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": DELETE, "data": self}), meta, MAIN)
    }
}

/// What an entry of this name says of branches; `None` where it says nothing that can be read.
pub(crate) fn mark(name: &str, entry: &Entry) -> Option<Mark> {
    match (&entry.kind, name) {
        // A branch begins at an entry that stands before it.
        (Kind::Anchor, FORK) => {
            projection::state::<Fork>(entry).filter(|fork| fork.at < entry.id).map(Mark::Fork)
        }
        (Kind::Event, SWITCH) => projection::data(entry).map(Mark::Switch),
        (Kind::Event, DELETE) => {
            projection::data::<Delete>(entry).filter(|delete| delete.branch != MAIN).map(Mark::Delete)
        }
        _ => None,
    }
}

/// Checks the name of a branch: letters, digits and `._-/`, no `..`, at most [`NAME_CHARS_MAX`] characters.
///
/// # Errors
/// [`error::Error::Invalid`] with what is wrong with it.
pub fn check_name(name: &str) -> error::Result<()> {
    let wrong = |why: &str| Err(error::Error::Invalid(format!("{name:?} is no name for a branch: {why}")));
    let is_allowed = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    if name.is_empty() {
        return wrong("it is empty");
    }
    if let Some(odd) = name.chars().find(|c| !is_allowed(*c)) {
        return wrong(&format!("{odd:?} is neither a letter, a digit nor one of . _ - /"));
    }
    if name.chars().count() > NAME_CHARS_MAX {
        return wrong(&format!("it is longer than {NAME_CHARS_MAX} characters"));
    }
    if name.contains("..") || name.contains("//") {
        return wrong("it holds .. or //");
    }
    if name.starts_with(['/', '-', '.']) || name.ends_with(['/', '.']) {
        return wrong("it begins with / - . or ends with / .");
    }
    // Where a point is asked for, it would be taken for an entry.
    if name.bytes().all(|b| b.is_ascii_digit()) {
        return wrong("it is only digits");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_branches_are_plain() {
        for name in ["coding-assistant", "creative_writer", "team/ana", "v1.2", "Zürich", "写作"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        let long = "x".repeat(NAME_CHARS_MAX + 1);
        for name in
            ["", "a b", "a@b", "../x", "a..b", "/a", "a/", "-a", ".a", "a\0", "a\nb", "42", "a//b", &long]
        {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
