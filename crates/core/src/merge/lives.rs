//! The history of one slot or piece on all branches, and its states on one of them.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::knowledge::Knowledge;
use super::reversals::Group;
use super::state::{Moment, State};
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// One version, and where it was created and removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its number, which includes the entry that created it.
    pub id: MemoryId,
    /// The branch it was created on.
    pub branch: String,
    /// The last entry of the group that created it.
    pub group: EntryId,
    /// The version that it copies.
    pub copy_of: Option<MemoryId>,
    /// Where it was removed.
    pub retired: Vec<Removal>,
}

/// The removal of a version on a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The branch.
    pub branch: String,
    /// The entry.
    pub entry: EntryId,
    /// The last entry of its group.
    pub group: EntryId,
    /// The commit that the group cherry-picks, if it does.
    pub picks: Option<EntryId>,
}

impl Life {
    /// Returns its first removal on a lineage.
    fn removal(&self, lineage: &Lineage) -> Option<&Removal> {
        let removals = self.retired.iter().filter(|by| is_on(lineage, &by.branch, by.entry));
        removals.min_by_key(|by| by.entry)
    }
}

fn is_on(lineage: &Lineage, branch: &str, entry: EntryId) -> bool {
    lineage.last(branch).is_some_and(|last| entry <= last)
}

/// Returns whether the creation of a version is known.
fn is_created(life: &Life, knowledge: &Knowledge) -> bool {
    knowledge.has_picked(life.group) || knowledge.holds(&life.branch, life.id.entry())
}

/// The first of a chain of deletions, each of which was taken from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deletion {
    /// The version that it removed.
    of: MemoryId,
    /// The last entry of its group.
    group: EntryId,
}

/// All versions of one slot or piece, on every branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lives {
    /// The versions, oldest first.
    pub(super) versions: Vec<Life>,
    /// For the groups that took a deletion from another branch, the first deletion.
    pub(super) taken: BTreeMap<EntryId, Deletion>,
}

impl Lives {
    /// Creates a history from versions in any order.
    #[must_use]
    pub fn new(mut lives: Vec<Life>) -> Self {
        lives.sort_unstable_by_key(|life| life.id);
        Self { versions: lives, taken: BTreeMap::new() }
    }

    /// Returns the deletion that the removal of a version by a group repeats; itself if it repeats none.
    pub(super) fn deletion(&self, group: EntryId, of: MemoryId) -> Deletion {
        self.taken.get(&group).copied().unwrap_or(Deletion { of, group })
    }

    /// Returns whether a group changed this slot or piece.
    pub(super) fn changed_in(&self, group: &Group) -> bool {
        let is_in = |life: &Life| {
            group.holds(&life.branch, life.group)
                || life.retired.iter().any(|by| group.holds(&by.branch, by.group))
        };
        self.versions.iter().any(is_in)
    }

    /// Returns whether a version belongs to this history.
    #[must_use]
    pub fn holds(&self, id: MemoryId) -> bool {
        self.get(id).is_some()
    }

    fn get(&self, id: MemoryId) -> Option<&Life> {
        self.versions.binary_search_by_key(&id, |life| life.id).ok().map(|at| &self.versions[at])
    }

    /// Returns the root of a chain of copies; the version itself if it is not a copy.
    #[must_use]
    pub fn root(&self, mut id: MemoryId) -> MemoryId {
        // A copy is newer than its source. A damaged tape may violate this, and the loop must end.
        while let Some(from) = self.get(id).and_then(|life| life.copy_of).filter(|from| *from < id) {
            id = from;
        }
        id
    }

    /// Returns the entry of a lineage that removed a version; `None` if none did.
    #[must_use]
    pub fn retired_by(&self, id: MemoryId, lineage: &Lineage) -> Option<EntryId> {
        self.get(id)?.removal(lineage).map(|removal| removal.entry)
    }

    /// Returns the versions that are current on a lineage, oldest first.
    #[must_use]
    pub fn current(&self, lineage: &Lineage) -> Vec<MemoryId> {
        let is_current =
            |life: &&Life| is_on(lineage, &life.branch, life.id.entry()) && life.removal(lineage).is_none();
        self.versions.iter().filter(is_current).map(|life| life.id).collect()
    }

    /// Returns the versions that were created on a lineage, oldest first.
    pub fn on<'l>(&'l self, lineage: &'l Lineage) -> impl Iterator<Item = &'l Life> {
        self.versions.iter().filter(|life| is_on(lineage, &life.branch, life.id.entry()))
    }

    /// Returns the state at the end of a lineage.
    #[must_use]
    pub fn state(&self, lineage: &Lineage) -> State {
        self.moments(lineage, &[]).pop().map(|moment| moment.state).unwrap_or_default()
    }

    /// Returns the states on a lineage at the end of each group, without those of the groups that are undone there.
    #[must_use]
    pub fn moments(&self, lineage: &Lineage, undone: &[Group]) -> Vec<Moment> {
        let is_undone = |branch: &str, entry: EntryId| undone.iter().any(|group| group.holds(branch, entry));
        // Within one group, creations come first: it may remove a version that it creates.
        let mut events: Vec<(EntryId, bool, MemoryId, &str)> = Vec::new();
        for life in self.versions.iter().filter(|life| is_on(lineage, &life.branch, life.id.entry())) {
            events.push((life.group, false, life.id, &life.branch));
            events.extend(life.removal(lineage).map(|by| (by.group, true, life.id, by.branch.as_str())));
        }
        events.sort_unstable();
        let (mut current, mut moments): (Vec<MemoryId>, Vec<Moment>) = (Vec::new(), Vec::new());
        for (n, &(group, is_removal, id, branch)) in events.iter().enumerate() {
            if is_removal {
                current.retain(|other| *other != id);
            } else {
                current.push(id);
            }
            let is_last_of_group = events.get(n + 1).is_none_or(|next| next.0 != group);
            if !is_last_of_group || is_undone(branch, group) {
                continue;
            }
            let deleted = || State::Deleted(self.deletion(group, id).of);
            let state = current.iter().max().map_or_else(deleted, |newest| State::Stands(*newest));
            // An undo that removes a version which never existed changes nothing.
            let never_was = |life: &Life| is_undone(&life.branch, life.id.entry());
            if state.current().is_some() || !self.get(id).is_some_and(never_was) {
                moments.push(Moment { state, branch: branch.to_owned(), entry: group });
            }
        }
        moments
    }

    /// Returns whether a side knows a state of the other side: it knows the state, or has undone the group. That the
    /// other side, which was forked in between, keeps the state is no change there.
    #[must_use]
    pub fn is_moment_known(&self, moment: &Moment, knowledge: &Knowledge) -> bool {
        knowledge.has_undone(&moment.branch, moment.entry) || self.is_known(moment.state, knowledge)
    }

    /// Returns whether `other` knows a state of the side `own`, and not only an equal deletion
    /// ([`Lives::is_shared`]), or has undone the group.
    #[must_use]
    pub fn is_moment_shared(&self, moment: &Moment, own: &Knowledge, other: &Knowledge) -> bool {
        other.has_undone(&moment.branch, moment.entry) || self.is_shared(moment.state, own, other)
    }

    /// Returns whether a state is known.
    #[must_use]
    pub fn is_known(&self, state: State, knowledge: &Knowledge) -> bool {
        match state {
            State::Nothing => false,
            State::Stands(id) => {
                let root = self.root(id);
                let mut kin = self.versions.iter().filter(|life| self.root(life.id) == root);
                kin.any(|life| is_created(life, knowledge))
            }
            State::Deleted(id) => self.deletions(id, knowledge).next().is_some(),
        }
    }

    /// Returns whether a state of the side `own` is known to the side `other`, and one has it from the other, or both
    /// from a third, if it is a deletion: there is a deletion that both know. Two sides that each delete a version know
    /// the same state, but neither has it from the other.
    #[must_use]
    pub fn is_shared(&self, state: State, own: &Knowledge, other: &Knowledge) -> bool {
        let State::Deleted(id) = state else { return self.is_known(state, other) };
        let known: BTreeSet<EntryId> = self.deletions(id, own).collect();
        self.deletions(id, other).any(|deletion| known.contains(&deletion))
    }

    /// Returns whether the state that a commit left is known: that version, or that very deletion.
    #[must_use]
    pub fn is_picked(&self, moment: &Moment, knowledge: &Knowledge) -> bool {
        let State::Deleted(id) = moment.state else { return self.is_known(moment.state, knowledge) };
        let picked = self.deletion(moment.entry, id).group;
        self.deletions(id, knowledge).any(|deletion| deletion == picked)
    }

    /// Returns the known deletions of the versions with the same root that left the slot empty, each by the group of
    /// the first deletion that it repeats.
    fn deletions<'l>(&'l self, id: MemoryId, knowledge: &'l Knowledge) -> impl Iterator<Item = EntryId> + 'l {
        let is_kept = |by: &Removal, life: &Life| {
            life.group == by.group && life.retired.iter().all(|removal| removal.group != by.group)
        };
        let is_known = |life: &Life, by: &Removal| {
            knowledge.has_picked(by.group)
                || is_created(life, knowledge) && knowledge.holds(&by.branch, by.entry)
        };
        let root = self.root(id);
        self.versions
            .iter()
            .flat_map(|life| life.retired.iter().map(move |by| (life, by)))
            .filter(move |(life, by)| is_known(life, by))
            .map(|(life, by)| (by, self.deletion(by.group, life.id)))
            .filter(move |(_, deletion)| self.root(deletion.of) == root)
            .filter(move |(by, _)| !self.versions.iter().any(|life| is_kept(by, life)))
            .map(|(_, deletion)| deletion.group)
    }

    /// Returns whether two states are the same: the same kind, with the same root.
    #[must_use]
    pub fn is_same(&self, one: State, other: State) -> bool {
        match (one, other) {
            (State::Stands(one), State::Stands(other)) | (State::Deleted(one), State::Deleted(other)) => {
                self.root(one) == self.root(other)
            }
            (one, other) => one == other,
        }
    }
}
