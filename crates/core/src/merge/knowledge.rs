//! The knowledge of a side: how far it has seen each branch, without what was undone.
//!
//! **Invariant.** Knowledge only grows along a lineage, except that open conflicts defer it and an undo removes it from
//! the history.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::reversals::{Group, Reversals};
use crate::commit::{Conflict, ConflictId};
use crate::lineage::{Branch, Lineage};

/// A merge, as its commit records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The commit's anchor.
    pub entry: EntryId,
    /// The target branch.
    pub branch: String,
    /// The source branch.
    pub source: String,
    /// The last entry of the source that the merge included.
    pub head: EntryId,
}

/// A cherry-pick, as its commit records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The commit's anchor.
    pub entry: EntryId,
    /// The target branch.
    pub branch: String,
    /// The branch of the picked commit.
    pub source: String,
    /// The last entry of the picked commit.
    pub picked: EntryId,
}

/// A conflict as a commit records it, and where it was resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The name of the conflict.
    pub id: ConflictId,
    /// The branch of the commit.
    pub branch: String,
    /// The sides.
    pub conflict: Conflict,
    /// The entries that resolved it, each with its branch.
    pub resolved_by: Vec<(String, EntryId)>,
}

impl Record {
    /// Returns whether it is resolved as far as this knowledge reaches.
    #[must_use]
    pub fn is_resolved(&self, knowledge: &Knowledge) -> bool {
        self.resolved_by.iter().any(|(branch, entry)| knowledge.holds(branch, *entry))
    }
}

/// The branches, merges, conflicts and reversals that a tape records.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The branches.
    pub branches: Vec<Branch>,
    /// The merges.
    pub merges: Vec<Merged>,
    /// The cherry-picks.
    pub picks: Vec<Picked>,
    /// The conflicts, in the order they were recorded.
    pub conflicts: Vec<Record>,
    /// The reversals of commits.
    pub reversals: Reversals,
}

impl Records {
    /// Returns the knowledge of a lineage, with merges that left conflicts counted in full.
    #[must_use]
    pub fn knowledge(&self, lineage: &Lineage) -> Knowledge {
        self.knowledge_without(lineage, &BTreeSet::new())
    }

    /// Returns the first later merge on the lineage into the same branch that contains some of the same entries: if
    /// `merge` is undone, the other merge still makes them known.
    #[must_use]
    pub fn merged_again(&self, merge: &Merged, first: EntryId, lineage: &Lineage) -> Option<&Merged> {
        let before = self.knowledge(&Lineage::new(&self.branches, &merge.branch, first.saturating_sub(1)));
        let brought = self.knowledge(&Lineage::new(&self.branches, &merge.source, merge.head));
        let is_new =
            |(branch, last): &(&String, &EntryId)| **branch != merge.branch && **last > before.last(branch);
        let new: Vec<_> = brought.last.iter().filter(is_new).map(|(branch, _)| branch).collect();
        let mut merges = BTreeSet::from([merge.entry]);
        let mut again = None;
        // The newest such merge must be undone first.
        while new
            .iter()
            .any(|branch| self.knowledge_without(lineage, &merges).last(branch) > before.last(branch))
        {
            let later = self.merges.iter().rfind(|later| {
                later.branch == merge.branch && later.entry > merge.entry && !merges.contains(&later.entry)
            })?;
            merges.insert(later.entry);
            again = Some(later);
        }
        again
    }

    /// Returns the merge that recorded a conflict; `None` if it was a cherry-pick.
    #[must_use]
    pub fn merge_of(&self, record: &Record) -> Option<&Merged> {
        self.merges.iter().find(|merge| merge.entry == record.id.commit)
    }

    /// Returns the branch that was merged or picked from when a conflict was recorded, and its last entry that was taken;
    /// `None` if that is unknown.
    #[must_use]
    pub fn source_of(&self, record: &Record) -> Option<(&str, EntryId)> {
        let pick = || self.picks.iter().find(|pick| pick.entry == record.id.commit);
        let merged = self.merge_of(record).map(|merge| (merge.source.as_str(), merge.head));
        merged.or_else(|| pick().map(|pick| (pick.source.as_str(), pick.picked)))
    }

    fn knowledge_without(&self, lineage: &Lineage, merges: &BTreeSet<EntryId>) -> Knowledge {
        let mut reached: BTreeMap<String, BTreeSet<EntryId>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<(String, EntryId, EntryId)> =
            lineage.steps().iter().map(|(branch, last)| (branch.clone(), *last, 0)).collect();
        while let Some((branch, last, after)) = waiting.pop() {
            let lasts = reached.entry(branch.clone()).or_default();
            // With undos, a branch reached only up to an earlier entry may still count what was undone later,
            // so each end is examined separately.
            let before = match self.reversals.is_empty() {
                true => lasts.last().copied().unwrap_or_default(),
                false => after,
            };
            lasts.insert(last);
            if last <= before || !self.reversals.is_empty() && !seen.insert((branch.clone(), last, after)) {
                continue;
            }
            let undone = self.reversals.undone(&branch, last);
            let is_new = |merge: &&Merged| {
                merge.branch == branch
                    && before < merge.entry
                    && merge.entry <= last
                    && !merges.contains(&merge.entry)
                    && !undone.iter().any(|group| group.last == merge.entry)
            };
            for merge in self.merges.iter().filter(is_new) {
                let into = Lineage::new(&self.branches, &branch, merge.entry);
                // What both inherited is part of the target's own history, where it may be undone.
                for (branch, last) in Lineage::new(&self.branches, &merge.source, merge.head).steps() {
                    let inherited = into.last(branch).unwrap_or_default();
                    if inherited < *last {
                        waiting.push((branch.clone(), *last, inherited));
                    }
                }
            }
        }
        let undone = self.undone(lineage);
        let forgotten =
            reached.iter().flat_map(|(branch, lasts)| self.undone_in_all(branch, lasts)).collect();
        let last = reached.into_iter().filter_map(|(branch, lasts)| Some((branch, lasts.last().copied()?)));
        Knowledge { last: last.collect(), undone, forgotten }
    }

    /// Returns whether a side that knows a commit also knows a reversal of it that is in force.
    #[must_use]
    pub fn is_reversed(&self, commit: EntryId, knowledge: &Knowledge) -> bool {
        let is_known = |group: &Group| knowledge.holds(&group.branch, group.last);
        self.reversals.in_force_of(is_known).any(|reversal| reversal.of == commit)
    }

    /// Returns the undone groups on a lineage that took changes or resolved a conflict.
    #[must_use]
    pub fn undone(&self, lineage: &Lineage) -> Vec<Group> {
        let steps = lineage.steps().iter();
        steps.flat_map(|(branch, last)| self.reversals.undone(branch, *last)).cloned().collect()
    }

    /// Returns the groups of a branch that are undone at every one of these entries that comes after them.
    fn undone_in_all(&self, branch: &str, lasts: &BTreeSet<EntryId>) -> Vec<Group> {
        let Some(last) = lasts.last() else { return Vec::new() };
        let mut undone: Vec<Group> = self.reversals.undone(branch, *last).into_iter().cloned().collect();
        for last in lasts {
            let here = self.reversals.undone(branch, *last);
            undone.retain(|group| group.last > *last || here.contains(&group));
        }
        undone
    }
}

/// For each branch, the last entry that a side knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    last: BTreeMap<String, EntryId>,
    /// The undone groups on the side's own lineage.
    undone: Vec<Group>,
    /// The groups that were seen but are not known, since they were undone.
    forgotten: Vec<Group>,
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
}
