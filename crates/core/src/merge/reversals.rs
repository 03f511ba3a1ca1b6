//! The reversals of commits: undo, redo and revert, each of which may be reversed in turn.
//!
//! **Invariant.** A reversal comes after the reversed commit, on the same branch. So one walk from the newest to the
//! oldest determines which reversals are in effect.

use std::collections::BTreeSet;

use memtape_tape::EntryId;

use crate::commit::Reverses;
use crate::lineage::Lineage;

/// The entries of a commit: one group on one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its branch.
    pub branch: String,
    /// Its first entry.
    pub first: EntryId,
    /// Its last entry, which names the commit.
    pub last: EntryId,
}

impl Group {
    /// Returns whether an entry of a branch is part of it.
    #[must_use]
    pub fn holds(&self, branch: &str, entry: EntryId) -> bool {
        self.branch == branch && (self.first..=self.last).contains(&entry)
    }
}

/// A commit that reverses another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// Its own entries.
    pub group: Group,
    /// The last entry of the reversed commit.
    pub of: EntryId,
    /// The effect: the command that reversed it, but a revert of an undo is a redo, and one of a redo an undo.
    pub how: Reverses,
    /// Whether the command was `revert`.
    pub is_revert: bool,
}

impl Reversal {
    /// Creates a reversal by a command.
    #[must_use]
    pub fn new(group: Group, of: EntryId, how: Reverses) -> Self {
        Self { group, of, how, is_revert: how == Reverses::Revert }
    }
}

/// All reversals of a tape, and which commits an undo removes from the history of their branch.
#[derive(Clone, Debug, Default)]
pub struct Reversals {
    /// All reversals in the order of the tape.
    all: Vec<Reversal>,
    /// The commits that took changes from another branch or resolved a conflict, with their undos and redos.
    takes: Vec<Group>,
}

impl Reversals {
    /// Creates the set from all reversals of a tape, in any order, and those of the reversed commits that
    /// took changes from another branch or resolved a conflict.
    #[must_use]
    pub fn new(mut all: Vec<Reversal>, mut takes: Vec<Group>) -> Self {
        all.sort_unstable_by_key(|reversal| reversal.group.last);
        for n in 0..all.len() {
            let Reversal { of, how, ref group, .. } = all[n];
            let is_target = |other: &&Reversal| other.group.last == of && other.group.branch == group.branch;
            let target = all[..n].iter().find(is_target).map(|target| target.how);
            all[n].how = match (how, target) {
                (Reverses::Revert, Some(Reverses::Undo)) => Reverses::Redo,
                (Reverses::Revert, Some(Reverses::Redo)) => Reverses::Undo,
                _ => how,
            };
            let Reversal { how, ref group, .. } = all[n];
            let is_taken = takes.iter().any(|taken| taken.last == of && taken.branch == group.branch);
            if how != Reverses::Revert && is_taken {
                takes.push(group.clone());
            }
        }
        Self { all, takes }
    }

    /// Returns the last entries of the undos and redos of commits that took changes or resolved a conflict.
    pub(super) fn of_takings(&self) -> impl Iterator<Item = EntryId> {
        let is_of_taking = |by: &&Reversal| by.how != Reverses::Revert && self.takes.contains(&by.group);
        self.all.iter().filter(is_of_taking).map(|by| by.group.last)
    }

    /// Returns whether there are no reversals.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the reversals that are in force on a branch up to an entry, newest first.
    pub fn in_force(&self, branch: &str, last: EntryId) -> impl Iterator<Item = &Reversal> {
        self.in_force_of(move |group| group.branch == branch && group.last <= last)
    }

    /// Returns the reversal of a commit that is in force on a lineage.
    #[must_use]
    pub fn of(&self, commit: EntryId, lineage: &Lineage) -> Option<&Reversal> {
        let is_there = |group: &Group| lineage.holds(&group.branch, group.last);
        self.in_force_of(is_there).find(|reversal| reversal.of == commit)
    }

    /// Returns the reversals that are in force among those whose groups a test accepts, newest first.
    pub(super) fn in_force_of(&self, is_there: impl Fn(&Group) -> bool) -> impl Iterator<Item = &Reversal> {
        let mut reversed = BTreeSet::new();
        self.all.iter().rev().filter(move |reversal| is_there(&reversal.group)).filter(move |reversal| {
            let is_in_force = !reversed.contains(&reversal.group.last);
            if is_in_force {
                reversed.insert(reversal.of);
            }
            is_in_force
        })
    }

    /// Returns what a commit reverses; `None` if it reverses nothing.
    #[must_use]
    pub fn by(&self, commit: EntryId) -> Option<&Reversal> {
        self.all.iter().find(|reversal| reversal.group.last == commit)
    }

    /// Returns the commit at the start of a chain of undos and redos. A revert is a commit like any other.
    #[must_use]
    pub fn origin(&self, mut commit: EntryId) -> EntryId {
        // A reversal is newer than the reversed commit, so the chain ends.
        let is_of_chain = |by: &&Reversal, commit| by.how != Reverses::Revert && by.of < commit;
        while let Some(reversal) = self.by(commit).filter(|by| is_of_chain(by, commit)) {
            commit = reversal.of;
        }
        commit
    }

    /// Returns the undone groups of a branch at an entry that took changes or resolved a conflict: they are
    /// no part of its history there.
    #[must_use]
    pub fn undone(&self, branch: &str, last: EntryId) -> Vec<&Group> {
        let is_on = |group: &&Group| group.branch == branch && group.last <= last;
        if !self.takes.iter().any(|group| is_on(&group)) {
            return Vec::new();
        }
        let undone: BTreeSet<EntryId> = self
            .in_force(branch, last)
            .filter(|reversal| reversal.how != Reverses::Revert)
            .map(|reversal| reversal.of)
            .collect();
        self.takes.iter().filter(is_on).filter(|group| undone.contains(&group.last)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lineage::MAIN;

    fn group(last: EntryId) -> Group {
        Group { branch: MAIN.into(), first: last, last }
    }

    fn reversals(all: &[(EntryId, Reverses, EntryId)]) -> Reversals {
        let all = all.iter().map(|&(entry, how, of)| Reversal::new(group(entry), of, how));
        Reversals::new(all.collect(), vec![group(1)])
    }

    fn undone(all: &[(EntryId, Reverses, EntryId)], last: EntryId) -> Vec<EntryId> {
        reversals(all).undone(MAIN, last).iter().map(|group| group.last).collect()
    }

    #[test]
    fn an_undo_counts_until_it_is_taken_back() {
        use Reverses::{Redo, Revert, Undo};
        let tape = [(2, Undo, 1), (3, Redo, 2), (4, Undo, 3), (5, Revert, 4)];
        assert_eq!(undone(&tape, 1), [0; 0]);
        assert_eq!(undone(&tape, 2), [1]);
        assert_eq!(undone(&tape, 3), [2]);
        // The redo is undone, so the undo counts again.
        assert_eq!(undone(&tape, 4), [1, 3]);
        // Reverting an undo is a redo, and reverting a redo an undo.
        assert_eq!(undone(&tape, 5), [2, 4]);
        assert_eq!(undone(&[(2, Undo, 1), (3, Redo, 2), (4, Revert, 3)], 4), [1, 3]);
        // A revert is an ordinary change: the reverted commit stays part of the history.
        assert_eq!(undone(&[(2, Revert, 1)], 2), [0; 0]);
        assert_eq!(undone(&[(2, Revert, 1), (3, Undo, 2)], 3), [0; 0]);
    }

    #[test]
    fn a_chain_of_undos_and_redos_starts_after_a_revert() {
        use Reverses::{Redo, Revert, Undo};
        assert_eq!(reversals(&[(2, Undo, 1), (3, Redo, 2)]).origin(3), 1);
        // The third commit reverts an undo, which is a redo; the first reverts an ordinary commit.
        assert_eq!(reversals(&[(2, Revert, 1), (3, Undo, 2), (4, Revert, 3)]).origin(4), 2);
    }
}
