//! What a side knows: how far it has seen of each branch.
//!
//! **Invariant.** Knowledge only grows along a lineage, but for what its open conflicts hold back.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::lives::State;
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

    /// The merge that recorded a conflict; `None` where it was a pick.
    #[must_use]
    pub fn merge_of(&self, record: &Record) -> Option<&Merged> {
        self.merges.iter().find(|merge| merge.entry == record.id.commit)
    }

    fn knowledge_without(&self, lineage: &Lineage, merges: &BTreeSet<EntryId>) -> Knowledge {
        let mut knowledge = Knowledge::default();
        let mut waiting: Vec<(String, EntryId)> = lineage.steps().to_vec();
        while let Some((branch, last)) = waiting.pop() {
            let before = knowledge.last(&branch);
            if last <= before {
                continue;
            }
            let is_new = |merge: &&Merged| {
                merge.branch == branch
                    && before < merge.entry
                    && merge.entry <= last
                    && !merges.contains(&merge.entry)
            };
            for merge in self.merges.iter().filter(is_new) {
                let source = Lineage::new(&self.branches, &merge.source, merge.head);
                waiting.extend_from_slice(source.steps());
            }
            knowledge.last.insert(branch, last);
        }
        knowledge
    }
}

/// For each branch the last entry that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    last: BTreeMap<String, EntryId>,
    /// States that are known besides.
    states: Vec<State>,
}

impl Knowledge {
    /// The last entry of a branch that is known; 0 where none is.
    #[must_use]
    pub fn last(&self, branch: &str) -> EntryId {
        self.last.get(branch).copied().unwrap_or_default()
    }

    /// Whether an entry of a branch is known.
    #[must_use]
    pub fn holds(&self, branch: &str, entry: EntryId) -> bool {
        entry <= self.last(branch)
    }

    /// The states that are known wherever they came from.
    pub(super) fn states(&self) -> &[State] {
        &self.states
    }
}
