//! What a tape records about branches, merges and conflicts, and the knowledge of a lineage that follows from it.
//!
//! A merge gives a side all that its source knew. It gives none of this about an item that it left in conflict, until
//! that is resolved, nor about one whose state the source inherited from the target, which has undone it: that merge
//! changed nothing there, and the branches that the source knew through the undone group can be merged again.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::knowledge::Knowledge;
use super::lives::Lives;
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
    /// The commit that was cherry-picked, if a cherry-pick left it open.
    pub picks: Option<EntryId>,
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
    /// The conflicts, in the order they were recorded.
    pub conflicts: Vec<Record>,
    /// The reversals of commits.
    pub reversals: Reversals,
}

impl Records {
    /// Returns the knowledge of a lineage, with every merge counted in full.
    #[must_use]
    pub fn knowledge(&self, lineage: &Lineage) -> Knowledge {
        self.knowledge_without(lineage, &BTreeSet::new(), None)
    }

    /// Returns the knowledge of a lineage about one slot or piece.
    #[must_use]
    pub fn knowledge_of(&self, lives: &Lives, lineage: &Lineage) -> Knowledge {
        let conflicts = self.about(lives);
        let lives = Some(lives).filter(|lives| self.has_undone(lives));
        let mut open = BTreeSet::new();
        loop {
            let mut knowledge = self.knowledge_without(lineage, &open, lives);
            let before = open.len();
            let unresolved = conflicts.iter().filter(|record| !record.is_resolved(&knowledge));
            open.extend(unresolved.map(|record| record.id.commit));
            // Without that merge, the resolution of another conflict may no longer be known.
            if open.len() == before {
                let resolved = conflicts.iter().filter(|record| record.is_resolved(&knowledge));
                knowledge.picked = resolved.filter_map(|record| record.picks).collect();
                return knowledge;
            }
        }
    }

    /// Returns whether the knowledge about a slot or piece can differ from the knowledge with every merge counted in
    /// full.
    pub(super) fn is_special(&self, lives: &Lives) -> bool {
        self.has_undone(lives) || !self.about(lives).is_empty()
    }

    /// Returns whether a commit that was ever undone, and takes no part in the history then, changed a slot or piece.
    fn has_undone(&self, lives: &Lives) -> bool {
        self.reversals.takes().iter().any(|group| lives.changed_in(group))
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
            .any(|branch| self.knowledge_without(lineage, &merges, None).last(branch) > before.last(branch))
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
        self.merge(record.id.commit)
    }

    /// Returns the merge that a commit is; `None` if it is none.
    #[must_use]
    pub fn merge(&self, commit: EntryId) -> Option<&Merged> {
        self.merges.iter().find(|merge| merge.entry == commit)
    }

    /// Returns the knowledge of a lineage without some merges; `lives`: about one slot or piece.
    fn knowledge_without(
        &self,
        lineage: &Lineage,
        merges: &BTreeSet<EntryId>,
        lives: Option<&Lives>,
    ) -> Knowledge {
        let mut reached: BTreeMap<String, BTreeSet<EntryId>> = BTreeMap::new();
        let mut waiting: Vec<(String, EntryId)> = lineage.steps().to_vec();
        while let Some((branch, last)) = waiting.pop() {
            let undone = self.reversals.undone(&branch, last);
            let lasts = reached.entry(branch.clone()).or_default();
            // With undos, a branch reached only up to an earlier entry may still count what was undone later,
            // so each end is examined separately.
            let before = match self.reversals.is_empty() {
                true => lasts.last().copied().unwrap_or_default(),
                false => 0,
            };
            if last <= before || !lasts.insert(last) {
                continue;
            }
            let is_new = |merge: &&Merged| {
                merge.branch == branch
                    && before < merge.entry
                    && merge.entry <= last
                    && !merges.contains(&merge.entry)
                    && !undone.iter().any(|group| group.last == merge.entry)
            };
            for merge in self.merges.iter().filter(is_new) {
                let source = Lineage::new(&self.branches, &merge.source, merge.head);
                if !lives.is_some_and(|lives| self.is_of_undone(lives, merge, last, &source)) {
                    waiting.extend_from_slice(source.steps());
                }
            }
        }
        let ends: Vec<_> = reached
            .iter()
            .flat_map(|(branch, lasts)| lasts.iter().map(move |last| (branch, *last)))
            .map(|(branch, last)| (branch, last, self.reversals.undone(branch, last)))
            .collect();
        let is_known = |group: &Group| {
            let mut ends = ends.iter();
            ends.any(|(branch, last, undone)| {
                **branch == group.branch && group.last <= *last && !undone.contains(&group)
            })
        };
        let undone: BTreeSet<&Group> = ends.iter().flat_map(|(_, _, undone)| undone).copied().collect();
        let (disputed, forgotten) = undone.into_iter().cloned().partition(is_known);
        let last = reached.iter().filter_map(|(branch, lasts)| Some((branch.clone(), *lasts.last()?)));
        Knowledge {
            last: last.collect(),
            picked: Vec::new(),
            undone: self.undone(lineage),
            forgotten,
            disputed,
        }
    }

    /// Returns whether the source of a merge had inherited its state from a group that the target, up to its entry
    /// `last`, has undone, and the target did not have that state otherwise.
    fn is_of_undone(&self, lives: &Lives, merge: &Merged, last: EntryId, source: &Lineage) -> bool {
        let undone = self.undone(&Lineage::new(&self.branches, &merge.branch, last));
        if undone.is_empty() {
            return false;
        }
        let Some(theirs) = lives.moments(source, &self.undone(source)).pop() else { return false };
        let ours = lives.moments(&Lineage::new(&self.branches, &merge.branch, merge.entry), &undone);
        undone.iter().any(|group| group.holds(&theirs.branch, theirs.entry))
            && !ours.iter().any(|ours| ours.entry < merge.entry && lives.is_same(ours.state, theirs.state))
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
}
