//! The versions of one slot or piece on all branches, and which of them are current on one of them.

use memtape_tape::EntryId;

use super::state::State;
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
}

impl Life {
    /// Returns its first removal on a lineage.
    fn removal(&self, lineage: &Lineage) -> Option<&Removal> {
        let removals = self.retired.iter().filter(|by| lineage.holds(&by.branch, by.entry));
        removals.min_by_key(|by| by.entry)
    }
}

/// All versions of one slot or piece, on every branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lives(Vec<Life>);

impl Lives {
    /// Creates the collection from versions in any order.
    #[must_use]
    pub fn new(mut lives: Vec<Life>) -> Self {
        lives.sort_unstable_by_key(|life| life.id);
        Self(lives)
    }

    /// Returns the versions, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Life> {
        self.0.iter()
    }

    /// Returns whether a version is one of them.
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

    /// Returns the last entry of the last group of a lineage that created or removed a version; `None` if none did.
    #[must_use]
    pub fn last_change(&self, lineage: &Lineage) -> Option<EntryId> {
        self.on(lineage).map(|life| life.removal(lineage).map_or(life.group, |removal| removal.group)).max()
    }

    /// Returns the versions that are current on a lineage, oldest first.
    #[must_use]
    pub fn current(&self, lineage: &Lineage) -> Vec<MemoryId> {
        self.on(lineage).filter(|life| life.removal(lineage).is_none()).map(|life| life.id).collect()
    }

    /// Returns the versions that were created on a lineage, oldest first.
    pub fn on<'l>(&'l self, lineage: &'l Lineage) -> impl Iterator<Item = &'l Life> {
        self.0.iter().filter(|life| lineage.holds(&life.branch, life.id.entry()))
    }

    /// Returns the state at the end of a lineage.
    #[must_use]
    pub fn state(&self, lineage: &Lineage) -> State {
        if let Some(newest) = self.current(lineage).pop() {
            return State::Current(newest);
        }
        let removed = self.on(lineage).filter_map(|life| Some((life.removal(lineage)?.group, life.id)));
        removed.max().map_or(State::Nothing, |(_, id)| State::Deleted(id))
    }
}
