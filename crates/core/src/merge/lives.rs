//! The history of one thing, over all branches, and the states it went through on one of them.

use memtape_tape::EntryId;

use super::knowledge::Knowledge;
use super::reversals::Group;
use super::state::{Moment, State};
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// One version of a thing: where it was born and retired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its number, which says by which entry it was born.
    pub id: MemoryId,
    /// The branch it was born on.
    pub branch: String,
    /// What it is a copy of.
    pub copy_of: Option<MemoryId>,
    /// The entries that retired it, each with its branch.
    pub retired: Vec<(String, EntryId)>,
}

/// All versions of one thing, on whichever branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lives(Vec<Life>);

impl Lives {
    /// From versions in any order.
    #[must_use]
    pub fn new(mut lives: Vec<Life>) -> Self {
        lives.sort_unstable_by_key(|life| life.id);
        Self(lives)
    }

    /// Whether a version is one of this thing.
    #[must_use]
    pub fn holds(&self, id: MemoryId) -> bool {
        self.get(id).is_some()
    }

    fn get(&self, id: MemoryId) -> Option<&Life> {
        self.0.binary_search_by_key(&id, |life| life.id).ok().map(|at| &self.0[at])
    }

    /// What a version is a copy of in the end: itself, where it is none.
    #[must_use]
    pub fn root(&self, mut id: MemoryId) -> MemoryId {
        // A copy is younger than what it copies; on a damaged tape it may not be, and a circle must end.
        while let Some(from) = self.get(id).and_then(|life| life.copy_of).filter(|from| *from < id) {
            id = from;
        }
        id
    }

    /// The entry of a lineage that retired a version; `None` where it stands there.
    #[must_use]
    pub fn retired_by(&self, id: MemoryId, lineage: &Lineage) -> Option<EntryId> {
        let holds = |branch: &str, entry: EntryId| lineage.last(branch).is_some_and(|last| entry <= last);
        let retired = &self.get(id)?.retired;
        retired.iter().filter(|(branch, by)| holds(branch, *by)).map(|(_, by)| *by).min()
    }

    /// The versions that stand on a lineage, oldest first.
    #[must_use]
    pub fn standing(&self, lineage: &Lineage) -> Vec<MemoryId> {
        let holds = |branch: &str, entry: EntryId| lineage.last(branch).is_some_and(|last| entry <= last);
        let stands = |life: &&Life| {
            holds(&life.branch, life.id.entry())
                && !life.retired.iter().any(|(branch, by)| holds(branch, *by))
        };
        self.0.iter().filter(stands).map(|life| life.id).collect()
    }

    /// How the thing is at the end of a lineage.
    #[must_use]
    pub fn state(&self, lineage: &Lineage) -> State {
        self.moments(lineage, &[]).pop().map(|moment| moment.state).unwrap_or_default()
    }

    /// The states the thing went through on a lineage, but for those of the groups that are undone there.
    #[must_use]
    pub fn moments(&self, lineage: &Lineage, undone: &[Group]) -> Vec<Moment> {
        let holds = |branch: &str, entry: EntryId| lineage.last(branch).is_some_and(|last| entry <= last);
        let is_undone = |branch: &str, entry: EntryId| undone.iter().any(|group| group.holds(branch, entry));
        // Of one entry what it retires comes first: it never retires what it bears.
        let mut events: Vec<(EntryId, bool, MemoryId, &str)> = Vec::new();
        for life in self.0.iter().filter(|life| holds(&life.branch, life.id.entry())) {
            events.push((life.id.entry(), true, life.id, &life.branch));
            let first =
                life.retired.iter().filter(|(branch, by)| holds(branch, *by)).min_by_key(|(_, by)| *by);
            events.extend(first.map(|(branch, by)| (*by, false, life.id, branch.as_str())));
        }
        events.sort_unstable();
        let (mut standing, mut moments): (Vec<MemoryId>, Vec<Moment>) = (Vec::new(), Vec::new());
        for (n, &(entry, born, id, branch)) in events.iter().enumerate() {
            if born {
                standing.push(id);
            } else {
                standing.retain(|other| *other != id);
            }
            let is_last_of_entry = events.get(n + 1).is_none_or(|next| next.0 != entry);
            if !is_last_of_entry || is_undone(branch, entry) {
                continue;
            }
            let state = standing.iter().max().map_or(State::Deleted(id), |newest| State::Stands(*newest));
            // That an undo retires what never was changes nothing.
            let never_was = |life: &Life| is_undone(&life.branch, life.id.entry());
            if state.standing().is_some() || !self.get(id).is_some_and(never_was) {
                moments.push(Moment { state, branch: branch.to_owned(), entry });
            }
        }
        moments
    }

    /// Whether a side knows a state that another went through: it knows the state, or has seen the entry itself. Who has
    /// seen the entry and does not know the state has undone it, and others' standing by it is no change of theirs.
    #[must_use]
    pub fn is_moment_known(&self, moment: &Moment, knowledge: &Knowledge) -> bool {
        knowledge.has_seen(&moment.branch, moment.entry) || self.is_known(moment.state, knowledge)
    }

    /// Whether a state is known.
    #[must_use]
    pub fn is_known(&self, state: State, knowledge: &Knowledge) -> bool {
        let besides = |state: State| knowledge.states().iter().any(|known| self.is_same(*known, state));
        let is_born = |life: &Life| knowledge.holds(&life.branch, life.id.entry());
        match state {
            State::Nothing => false,
            State::Stands(id) => self.kin(id).any(is_born) || besides(state),
            State::Deleted(id) => {
                let is_deletion = |by: EntryId| self.0.iter().all(|life| life.id.entry() != by);
                let mut deletions = self.kin(id).filter(|life| is_born(life)).flat_map(|life| &life.retired);
                deletions.any(|(branch, by)| knowledge.holds(branch, *by) && is_deletion(*by))
                    || besides(state)
            }
        }
    }

    /// Whether two states are one: of the same root.
    #[must_use]
    pub fn is_same(&self, one: State, other: State) -> bool {
        match (one, other) {
            (State::Stands(one), State::Stands(other)) | (State::Deleted(one), State::Deleted(other)) => {
                self.root(one) == self.root(other)
            }
            (one, other) => one == other,
        }
    }

    /// The versions of one root.
    fn kin(&self, id: MemoryId) -> impl Iterator<Item = &Life> {
        let root = self.root(id);
        self.0.iter().filter(move |life| self.root(life.id) == root)
    }
}
