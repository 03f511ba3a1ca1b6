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
    /// The version that it copies.
    pub copy_of: Option<MemoryId>,
    /// The entries that removed it, each with its branch.
    pub retired: Vec<(String, EntryId)>,
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
        let holds = |branch: &str, entry: EntryId| lineage.last(branch).is_some_and(|last| entry <= last);
        let retired = &self.get(id)?.retired;
        retired.iter().filter(|(branch, by)| holds(branch, *by)).map(|(_, by)| *by).min()
    }

    /// Returns the versions that are current on a lineage, oldest first.
    #[must_use]
    pub fn current(&self, lineage: &Lineage) -> Vec<MemoryId> {
        let holds = |branch: &str, entry: EntryId| lineage.last(branch).is_some_and(|last| entry <= last);
        let stands = |life: &&Life| {
            holds(&life.branch, life.id.entry())
                && !life.retired.iter().any(|(branch, by)| holds(branch, *by))
        };
        self.0.iter().filter(stands).map(|life| life.id).collect()
    }

    /// Returns the state at the end of a lineage.
    #[must_use]
    pub fn state(&self, lineage: &Lineage) -> State {
        self.moments(lineage, &[]).pop().map(|moment| moment.state).unwrap_or_default()
    }

    /// Returns the states on a lineage, without those of the groups that are undone there.
    #[must_use]
    pub fn moments(&self, lineage: &Lineage, undone: &[Group]) -> Vec<Moment> {
        let holds = |branch: &str, entry: EntryId| lineage.last(branch).is_some_and(|last| entry <= last);
        let is_undone = |branch: &str, entry: EntryId| undone.iter().any(|group| group.holds(branch, entry));
        // Within one entry, removals come first: an entry never removes a memory that it creates.
        let mut events: Vec<(EntryId, bool, MemoryId, &str)> = Vec::new();
        for life in self.0.iter().filter(|life| holds(&life.branch, life.id.entry())) {
            events.push((life.id.entry(), true, life.id, &life.branch));
            let first =
                life.retired.iter().filter(|(branch, by)| holds(branch, *by)).min_by_key(|(_, by)| *by);
            events.extend(first.map(|(branch, by)| (*by, false, life.id, branch.as_str())));
        }
        events.sort_unstable();
        let (mut current, mut moments): (Vec<MemoryId>, Vec<Moment>) = (Vec::new(), Vec::new());
        for (n, &(entry, is_created, id, branch)) in events.iter().enumerate() {
            if is_created {
                current.push(id);
            } else {
                current.retain(|other| *other != id);
            }
            let is_last_of_entry = events.get(n + 1).is_none_or(|next| next.0 != entry);
            if !is_last_of_entry || is_undone(branch, entry) {
                continue;
            }
            let state = current.iter().max().map_or(State::Deleted(id), |newest| State::Stands(*newest));
            // An undo that removes a version which never existed changes nothing.
            let never_was = |life: &Life| is_undone(&life.branch, life.id.entry());
            if state.current().is_some() || !self.get(id).is_some_and(never_was) {
                moments.push(Moment { state, branch: branch.to_owned(), entry });
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

    /// Returns whether a state is known.
    #[must_use]
    pub fn is_known(&self, state: State, knowledge: &Knowledge) -> bool {
        let besides = |state: State| knowledge.states().iter().any(|known| self.is_same(*known, state));
        let is_created = |life: &Life| knowledge.holds(&life.branch, life.id.entry());
        match state {
            State::Nothing => false,
            State::Stands(id) => self.kin(id).any(is_created) || besides(state),
            State::Deleted(id) => {
                let is_deletion = |by: EntryId| self.0.iter().all(|life| life.id.entry() != by);
                let mut deletions =
                    self.kin(id).filter(|life| is_created(life)).flat_map(|life| &life.retired);
                deletions.any(|(branch, by)| knowledge.holds(branch, *by) && is_deletion(*by))
                    || besides(state)
            }
        }
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
