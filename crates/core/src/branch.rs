//! The entries about branches: forks, switches of a conversation, and deletions.

use memtape_tape::{Draft, Entry, EntryId, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::error;
use crate::lineage::MAIN;
use crate::meta::Meta;
use crate::payload;
use crate::scope::Scope;

/// The anchor that forks a branch; its entry is on the new branch.
pub const FORK: &str = "branch/fork";
/// The event that switches a conversation to a branch.
pub const SWITCH: &str = "branch.switch";
/// The event that deletes a branch. The branch's entries stay on the tape.
pub const DELETE: &str = "branch.delete";

/// The maximum length of a branch name, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// Separates a name from the mark of its scope; a valid name never contains it.
const MARK: char = '~';
/// The number of hexadecimal digits in the mark of a scope.
const MARK_DIGITS: usize = 8;

/// A branch operation that an entry records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The entry's branch is created.
    Fork(Fork),
    /// The entry's conversation switches to a branch.
    Switch(Switch),
    /// A branch is deleted.
    Delete(Delete),
}

impl Mark {
    /// Returns the mark without free text.
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
    /// The branch it is forked from.
    pub parent: String,
    /// The last entry they share.
    pub at: EntryId,
    /// A description of whose memory the new branch is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
}

/// The `data` of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// The branch to switch to.
    pub branch: String,
    /// Whether new conversations begin on that branch too.
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
    /// Returns the anchor that forks `name`.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the fork does not serialize as a JSON object.
    pub fn draft(&self, name: &str, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Anchor, &json!({"name": FORK, "state": self}), meta, name)
    }
}

impl Switch {
    /// Returns the event that switches the conversation of `meta` to the branch.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the switch does not serialize as a JSON object.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": SWITCH, "data": self}), meta, &self.branch)
    }
}

impl Delete {
    /// Returns the event that deletes the branch; it is on main, which is never deleted.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the deletion does not serialize as a JSON object.
    pub fn draft(&self, meta: &Meta) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": DELETE, "data": self}), meta, MAIN)
    }
}

/// Returns the branch operation that an entry of this name records; `None` if it records none or is
/// malformed.
#[must_use]
pub fn mark(name: &str, entry: &Entry) -> Option<Mark> {
    match (&entry.kind, name) {
        // A branch forks from an entry before its own.
        (Kind::Anchor, FORK) => {
            payload::state::<Fork>(entry).filter(|fork| fork.at < entry.id).map(Mark::Fork)
        }
        (Kind::Event, SWITCH) => payload::data(entry).map(Mark::Switch),
        (Kind::Event, DELETE) => {
            payload::data::<Delete>(entry).filter(|delete| delete.branch != MAIN).map(Mark::Delete)
        }
        _ => None,
    }
}

/// Returns the name of a branch that is forked in a scope: unchanged in the workspace; in a chat's or user's scope,
/// followed by a mark of that scope. So names of different scopes never collide, and no reply reveals which names other
/// scopes use.
#[must_use]
pub fn name_in(scope: &Scope, plain: &str) -> String {
    match scope.label() {
        None => plain.to_owned(),
        Some(label) => {
            let digest = hex::encode(Sha256::digest(label.as_bytes()));
            format!("{plain}{MARK}{}", &digest[..MARK_DIGITS])
        }
    }
}

/// Returns the name as it was chosen, without the mark of its scope.
#[must_use]
pub fn plain_name(name: &str) -> &str {
    name.split_once(MARK).map_or(name, |(plain, _)| plain)
}

/// Checks a branch name: letters, digits and `._-/`, no `..` or `//`, at most [`NAME_CHARS_MAX`] characters.
///
/// # Errors
/// [`error::Error::Invalid`] with the rule that the name breaks.
pub fn check_name(name: &str) -> error::Result<()> {
    let wrong = |why: &str| Err(error::Error::Invalid(format!("invalid branch name {name:?}: {why}")));
    let is_allowed = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    if name.is_empty() {
        return wrong("it is empty");
    }
    if let Some(odd) = name.chars().find(|c| !is_allowed(*c)) {
        return wrong(&format!("{odd:?} is not a letter, a digit or one of . _ - /"));
    }
    if name.chars().count() > NAME_CHARS_MAX {
        return wrong(&format!("it is longer than {NAME_CHARS_MAX} characters"));
    }
    if name.contains("..") || name.contains("//") {
        return wrong("it contains .. or //");
    }
    if name.starts_with(['/', '-', '.']) || name.ends_with(['/', '.']) {
        return wrong("it begins with / - . or ends with / .");
    }
    // A point would read digits as an entry.
    if name.bytes().all(|b| b.is_ascii_digit()) {
        return wrong("it consists of digits only");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_scopes_give_the_same_name() {
        let scopes = ["channel:telegram:chat:1", "channel:telegram:chat:2", "channel:telegram:user:1"];
        let scopes: Vec<Scope> = scopes.into_iter().filter_map(Scope::from_label).collect();
        let names: std::collections::BTreeSet<String> =
            scopes.iter().chain([&Scope::Global]).map(|scope| name_in(scope, "work")).collect();
        assert_eq!(names.len(), 4);
        assert!(names.iter().all(|name| plain_name(name) == "work"));
        assert!(names.iter().all(|name| name == "work" || check_name(name).is_err()), "{names:?}");
    }

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
