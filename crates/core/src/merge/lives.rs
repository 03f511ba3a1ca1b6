//! The history of one slot or piece on all branches, and its states on one of them.

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
    /// Whether the group is a merge, a cherry-pick or the resolution of a conflict.
    pub is_taken: bool,
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

/// All versions of one slot or piece, on every branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lives(Vec<Life>);

impl Lives {
    /// Creates a history from versions in any order.
    #[must_use]
    pub fn new(mut lives: Vec<Life>) -> Self {
        lives.sort_unstable_by_key(|life| life.id);
        Self(lives)
    }

    /// Returns whether a version belongs to this history.
    #[must_use]
    pub fn holds(&self, id: MemoryId) -> bool {
        self.get(id).is_some()
    }

    fn get(&self, id: MemoryId) -> Option<&Life> {
        self.0.binary_search_by_key(&id, |life| life.id).ok().map(|at| &self.0[at])
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
        self.0.iter().filter(is_current).map(|life| life.id).collect()
    }

    /// Returns the versions that were created on a lineage, oldest first.
    pub fn on<'l>(&'l self, lineage: &'l Lineage) -> impl Iterator<Item = &'l Life> {
        self.0.iter().filter(|life| is_on(lineage, &life.branch, life.id.entry()))
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
        let mut events: Vec<(EntryId, bool, MemoryId, &str, bool)> = Vec::new();
        for life in self.0.iter().filter(|life| is_on(lineage, &life.branch, life.id.entry())) {
            events.push((life.group, false, life.id, &life.branch, false));
            let by = life.removal(lineage);
            events.extend(by.map(|by| (by.group, true, life.id, by.branch.as_str(), by.is_taken)));
        }
        events.sort_unstable();
        let (mut current, mut moments): (Vec<MemoryId>, Vec<Moment>) = (Vec::new(), Vec::new());
        for (n, &(group, is_removal, id, branch, is_taken)) in events.iter().enumerate() {
            if is_removal {
                current.retain(|other| *other != id);
            } else {
                current.push(id);
            }
            let is_last_of_group = events.get(n + 1).is_none_or(|next| next.0 != group);
            if !is_last_of_group || is_undone(branch, group) {
                continue;
            }
            let state = current.iter().max().map_or(State::Deleted(id), |newest| State::Stands(*newest));
            // An undo that removes a version which never existed changes nothing.
            let never_was = |life: &Life| is_undone(&life.branch, life.id.entry());
            if state.current().is_some() || !self.get(id).is_some_and(never_was) {
                moments.push(Moment { state, branch: branch.to_owned(), entry: group, is_taken });
            }
        }
        moments
    }

    /// Returns whether a side knows a state of the other side: it knows the state, or has seen the entry. A
    /// side that has seen the entry without knowing the state has undone it; that the other side keeps the
    /// state is no change there.
    #[must_use]
    pub fn is_moment_known(&self, moment: &Moment, knowledge: &Knowledge) -> bool {
        knowledge.has_seen(&moment.branch, moment.entry) || self.is_known(moment.state, knowledge)
    }

    /// Returns whether a side knows a state of the other side, and not only an equal deletion of its own
    /// ([`Lives::is_shared`]), or has seen the entry.
    #[must_use]
    pub fn is_moment_shared(&self, moment: &Moment, knowledge: &Knowledge) -> bool {
        knowledge.has_seen(&moment.branch, moment.entry) || self.is_shared(moment, knowledge)
    }

    /// Returns whether a state is known.
    #[must_use]
    pub fn is_known(&self, state: State, knowledge: &Knowledge) -> bool {
        match state {
            State::Nothing => false,
            State::Stands(id) => {
                self.kin(id).any(|life| knowledge.holds(&life.branch, life.id.entry()))
                    || self.is_known_besides(state, knowledge)
            }
            State::Deleted(id) => {
                self.deletions(id, knowledge).next().is_some() || self.is_known_besides(state, knowledge)
            }
        }
    }

    /// Returns whether a state is known, and came from one side to the other if it is a deletion. Two sides
    /// that each delete a version know the same state, but neither has it from the other.
    #[must_use]
    pub fn is_shared(&self, moment: &Moment, knowledge: &Knowledge) -> bool {
        let State::Deleted(id) = moment.state else { return self.is_known(moment.state, knowledge) };
        knowledge.holds(&moment.branch, moment.entry)
            || self.deletions(id, knowledge).any(|removal| moment.is_taken || removal.is_taken)
            || self.is_known_besides(moment.state, knowledge)
    }

    /// Returns whether a state is known independently of a lineage.
    fn is_known_besides(&self, state: State, knowledge: &Knowledge) -> bool {
        knowledge.states().iter().any(|known| self.is_same(*known, state))
    }

    /// Returns the known removals of the versions with the same root that left the slot empty.
    fn deletions<'l>(&'l self, id: MemoryId, knowledge: &'l Knowledge) -> impl Iterator<Item = &'l Removal> {
        let is_kept = |by: &Removal, life: &Life| {
            life.group == by.group && life.retired.iter().all(|removal| removal.group != by.group)
        };
        self.kin(id)
            .filter(|life| knowledge.holds(&life.branch, life.id.entry()))
            .flat_map(|life| &life.retired)
            .filter(|by| knowledge.holds(&by.branch, by.entry))
            .filter(move |by| !self.0.iter().any(|life| is_kept(by, life)))
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

    /// Returns the versions with the same root.
    fn kin(&self, id: MemoryId) -> impl Iterator<Item = &Life> {
        let root = self.root(id);
        self.0.iter().filter(move |life| self.root(life.id) == root)
    }
}
