//! What a side knows: how far it has seen of each branch, without what was undone.
//!
//! **Invariant.** Knowledge only grows along a lineage, but for what its open conflicts hold back and what an undo takes
//! out of its history.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::reversals::{Group, Reversals};
use super::state::State;
use crate::commit::{Conflict, ConflictId};
use crate::lineage::{Branch, Lineage};

/// A merge, as its commit records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The commit's anchor.
    pub entry: EntryId,
    /// The branch merged into.
    pub branch: String,
    /// The branch that was merged.
    pub source: String,
    /// Its last entry that counted.
    pub head: EntryId,
}

/// A conflict, as a commit records it, and where it was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What names it.
    pub id: ConflictId,
    /// The branch of the commit.
    pub branch: String,
    /// The sides.
    pub conflict: Conflict,
    /// The entries that settled it, each with its branch.
    pub settled: Vec<(String, EntryId)>,
}

impl Record {
    /// Whether it is settled as far as this is known.
    #[must_use]
    pub fn is_settled(&self, knowledge: &Knowledge) -> bool {
        self.settled.iter().any(|(branch, entry)| knowledge.holds(branch, *entry))
    }
}

/// What a tape records of branches, merges and conflicts.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The branches.
    pub branches: Vec<Branch>,
    /// The merges.
    pub merges: Vec<Merged>,
    /// The conflicts, in the order they were recorded.
    pub conflicts: Vec<Record>,
    /// What was taken back.
    pub reversals: Reversals,
}

impl Records {
    /// What a lineage knows; of things in conflict more than counts.
    #[must_use]
    pub fn knowledge(&self, lineage: &Lineage) -> Knowledge {
        self.knowledge_without(lineage, &BTreeSet::new())
    }

    /// What a lineage knows of a thing, given the conflicts about it.
    #[must_use]
    pub fn knowledge_of(&self, conflicts: &[&Record], lineage: &Lineage) -> Knowledge {
        let mut open = BTreeSet::new();
        loop {
            let knowledge = self.knowledge_without(lineage, &open);
            let before = open.len();
            let unsettled = conflicts.iter().filter(|record| !record.is_settled(&knowledge));
            open.extend(unsettled.map(|record| record.id.commit));
            // Without a merge it may not be known any more that another conflict was settled.
            if open.len() == before {
                return self.with_settled(conflicts, knowledge);
            }
        }
    }

    /// Whoever settles what a pick left open knows what it was about.
    fn with_settled(&self, conflicts: &[&Record], mut knowledge: Knowledge) -> Knowledge {
        let settled = conflicts.iter().filter(|record| record.is_settled(&knowledge));
        let picked = settled.filter(|record| self.merge_of(record).is_none());
        let states: Vec<_> = picked
            .filter_map(|record| match record.conflict {
                Conflict { theirs: Some(theirs), .. } => Some(State::Stands(theirs)),
                Conflict { theirs: None, base, .. } => base.map(State::Deleted),
            })
            .collect();
        knowledge.states = states;
        knowledge
    }

    /// The first merge after another on its branch that brought some of the same, as a lineage knows it: without the one,
    /// what it brought is known by the other.
    #[must_use]
    pub fn merged_again(&self, merge: &Merged, first: EntryId, lineage: &Lineage) -> Option<&Merged> {
        let before = self.knowledge(&Lineage::new(&self.branches, &merge.branch, first.saturating_sub(1)));
        let brought = self.knowledge(&Lineage::new(&self.branches, &merge.source, merge.head));
        let is_new =
            |(branch, last): &(&String, &EntryId)| **branch != merge.branch && **last > before.last(branch);
        let new: Vec<_> = brought.last.iter().filter(is_new).map(|(branch, _)| branch).collect();
        let mut merges = BTreeSet::from([merge.entry]);
        let mut again = None;
        // The newest of them is what stands in the way first.
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

    /// The merge that recorded a conflict; `None` where it was a pick.
    #[must_use]
    pub fn merge_of(&self, record: &Record) -> Option<&Merged> {
        self.merges.iter().find(|merge| merge.entry == record.id.commit)
    }

    fn knowledge_without(&self, lineage: &Lineage, merges: &BTreeSet<EntryId>) -> Knowledge {
        let mut reached: BTreeMap<String, BTreeSet<EntryId>> = BTreeMap::new();
        let mut waiting: Vec<(String, EntryId)> = lineage.steps().to_vec();
        while let Some((branch, last)) = waiting.pop() {
            let undone = self.reversals.undone(&branch, last);
            let lasts = reached.entry(branch.clone()).or_default();
            // What was undone later counts where only the entries before were reached: each is looked at by itself.
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
                waiting.extend_from_slice(source.steps());
            }
        }
        let undone = self.undone(lineage);
        let forgotten =
            reached.iter().flat_map(|(branch, lasts)| self.undone_in_all(branch, lasts)).collect();
        let last = reached.into_iter().filter_map(|(branch, lasts)| Some((branch, lasts.last().copied()?)));
        Knowledge { last: last.collect(), states: Vec::new(), undone, forgotten }
    }

    /// What took something and is undone on a lineage.
    #[must_use]
    pub fn undone(&self, lineage: &Lineage) -> Vec<Group> {
        let steps = lineage.steps().iter();
        steps.flat_map(|(branch, last)| self.reversals.undone(branch, *last)).cloned().collect()
    }

    /// The groups of a branch that are undone wherever one of these entries has them before it.
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

/// For each branch the last entry that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    last: BTreeMap<String, EntryId>,
    /// States that are known besides.
    states: Vec<State>,
    /// What is undone on the side's own lineage.
    undone: Vec<Group>,
    /// What was seen and is not known, because it was undone.
    forgotten: Vec<Group>,
}

impl Knowledge {
    /// The last entry of a branch that was seen; 0 where none was.
    #[must_use]
    pub fn last(&self, branch: &str) -> EntryId {
        self.last.get(branch).copied().unwrap_or_default()
    }

    /// Whether an entry of a branch was seen, be it undone or not.
    pub(super) fn has_seen(&self, branch: &str, entry: EntryId) -> bool {
        entry <= self.last(branch)
    }

    /// Whether an entry of a branch is known.
    #[must_use]
    pub fn holds(&self, branch: &str, entry: EntryId) -> bool {
        self.has_seen(branch, entry) && !self.forgotten.iter().any(|group| group.holds(branch, entry))
    }

    /// What is undone on the side's own lineage.
    pub(super) fn undone(&self) -> &[Group] {
        &self.undone
    }

    /// The states that are known wherever they came from.
    pub(super) fn states(&self) -> &[State] {
        &self.states
    }
}
