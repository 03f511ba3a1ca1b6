//! The knowledge of a side: how far it has seen each branch, without what was undone.
//!
//! **Invariant.** Knowledge only grows along a lineage, except that open conflicts defer it and an undo removes it from
//! the history.

use std::collections::BTreeMap;

use memtape_tape::EntryId;

use super::reversals::Group;

/// For each branch, the last entry that a side knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    pub(super) last: BTreeMap<String, EntryId>,
    /// The commits that are known in addition: a conflict about cherry-picking them was resolved.
    pub(super) picked: Vec<EntryId>,
    /// The undone groups on the side's own lineage.
    pub(super) undone: Vec<Group>,
    /// The groups that were seen but are not known, since they were undone.
    pub(super) forgotten: Vec<Group>,
    /// The groups that were seen both with and without their undo.
    pub(super) disputed: Vec<Group>,
}

impl Knowledge {
    /// Returns the last entry of a branch that was seen; 0 if none was.
    #[must_use]
    pub fn last(&self, branch: &str) -> EntryId {
        self.last.get(branch).copied().unwrap_or_default()
    }

    /// Returns each branch that was seen, with the last entry of it that was.
    pub fn lasts(&self) -> impl Iterator<Item = (&str, EntryId)> {
        self.last.iter().map(|(branch, last)| (branch.as_str(), *last))
    }

    /// Returns whether an entry of a branch is known.
    #[must_use]
    pub fn holds(&self, branch: &str, entry: EntryId) -> bool {
        entry <= self.last(branch) && !self.forgotten.iter().any(|group| group.holds(branch, entry))
    }

    /// Returns the undone groups on the side's own lineage.
    pub(super) fn undone(&self) -> &[Group] {
        &self.undone
    }

    /// Returns whether the side has undone the group of an entry.
    pub(super) fn has_undone(&self, branch: &str, entry: EntryId) -> bool {
        self.undone.iter().any(|group| group.holds(branch, entry))
    }

    /// Returns whether a commit is known in addition, because a conflict about cherry-picking it was resolved.
    pub(super) fn has_picked(&self, commit: EntryId) -> bool {
        self.picked.contains(&commit)
    }

    /// Returns the groups that were seen both with and without their undo. About what they changed, this side may know
    /// less than it has seen.
    #[must_use]
    pub fn disputed(&self) -> &[Group] {
        &self.disputed
    }
}
