//! What a comparison needs to know of a tape whichever slot is compared: the histories of branches, merges and
//! cherry-picks. It is read once.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::knowledge::Records;
use super::reversals::Group;
use crate::lineage::Lineage;

/// A lineage without the commits that are undone.
#[derive(Debug)]
pub(super) struct History {
    pub(super) lineage: Lineage,
    undone: Vec<Group>,
}

impl History {
    /// Returns the history of a lineage.
    pub(super) fn new(records: &Records, lineage: Lineage) -> Self {
        let undone = records.undone(&lineage);
        Self { lineage, undone }
    }

    /// Returns the history of a branch up to an entry.
    pub(super) fn of(records: &Records, branch: &str, last: EntryId) -> Self {
        Self::new(records, Lineage::new(&records.branches, branch, last))
    }

    /// Returns the histories of two sides. A commit that one side has undone counts on neither: the other only inherited
    /// it.
    pub(super) fn of_sides(records: &Records, lineages: [Lineage; 2]) -> [Self; 2] {
        let [one, other] = lineages.map(|lineage| Self::new(records, lineage));
        let undone = [one.undone, other.undone].concat();
        [one.lineage, other.lineage].map(|lineage| Self { lineage, undone: undone.clone() })
    }

    /// Returns the histories of all branches, without the commits that are undone on a side.
    pub(super) fn of_branches(records: &Records, side: &Self) -> Vec<Self> {
        let history = |name: &str| {
            let Self { lineage, undone } = Self::of(records, name, EntryId::MAX);
            Self { lineage, undone: [undone.as_slice(), &side.undone].concat() }
        };
        records.branches.iter().map(|branch| history(&branch.name)).collect()
    }

    /// Returns whether an entry of a branch on the lineage is undone.
    pub(super) fn is_undone(&self, branch: &str, entry: EntryId) -> bool {
        self.undone.iter().any(|group| group.holds(branch, entry))
    }
}

/// A merge or a cherry-pick, and what it takes into account.
#[derive(Debug)]
pub(super) struct Taking {
    /// The branch that it changes.
    branch: String,
    /// The source, up to the last entry that was taken.
    pub(super) source: History,
    /// The target of a merge, before it. A cherry-pick takes changes whatever its target includes.
    pub(super) into: Option<History>,
}

/// The merges and cherry-picks of a tape by their entries.
#[derive(Debug)]
pub(super) struct Takings {
    all: BTreeMap<EntryId, Taking>,
    /// The commits that only undo or redo one of them or a resolution.
    reversers: BTreeSet<EntryId>,
}

impl Takings {
    /// Reads the merges and cherry-picks.
    pub(super) fn new(records: &Records) -> Self {
        let lineage = |branch: &str, last| Lineage::new(&records.branches, branch, last);
        let merges = records.merges.iter().map(|merge| {
            let before = merge.entry.saturating_sub(1);
            // On a damaged tape, a merge could contain itself.
            let source = lineage(&merge.source, merge.head.min(before));
            let [into, source] = History::of_sides(records, [lineage(&merge.branch, before), source]);
            (merge.entry, Taking { branch: merge.branch.clone(), source, into: Some(into) })
        });
        let picks = records.picks.iter().map(|pick| {
            let source = History::of(records, &pick.source, pick.picked);
            (pick.entry, Taking { branch: pick.branch.clone(), source, into: None })
        });
        Self { all: merges.chain(picks).collect(), reversers: records.reversals.of_takings().collect() }
    }

    /// Returns the merge or cherry-pick that ends at an entry; `None` if none does.
    pub(super) fn get(&self, entry: EntryId) -> Option<&Taking> {
        self.all.get(&entry)
    }

    /// Returns the merges: the branch and entry of each, the target before it, and what it merged.
    pub(super) fn merges(&self) -> impl Iterator<Item = (&str, EntryId, &Lineage, &Lineage)> {
        self.all.iter().filter_map(|(entry, taking)| {
            let into = taking.into.as_ref()?;
            Some((taking.branch.as_str(), *entry, &into.lineage, &taking.source.lineage))
        })
    }

    /// Returns whether a commit only undoes or redoes a merge, a cherry-pick or a resolution.
    pub(super) fn is_reverser(&self, entry: EntryId) -> bool {
        self.reversers.contains(&entry)
    }
}
