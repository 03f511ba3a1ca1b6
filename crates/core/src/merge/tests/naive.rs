//! The naive model: for each branch the set of everything it knows.

use std::collections::BTreeSet;

use memtape_tape::EntryId;

use crate::commit::ConflictId;
use crate::memory::MemoryId;

/// Number of slots.
pub(super) const THINGS: usize = 2;

/// A change of the naive model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Did {
    pub(super) entry: EntryId,
    /// The root of the version that it removed, if it left nothing.
    pub(super) removes: Option<MemoryId>,
}

/// The naive model's record of a slot on a branch: what it reads, and all changes that it includes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Known {
    pub(super) includes: BTreeSet<Did>,
    pub(super) says: Option<u8>,
}

/// A decision: the changes it is about and what the slot reads after it, and its number.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) about: Known,
    pub(super) did: Did,
}

/// Returns whether all changes of one set are in the other. If they count as alike, a removal is also that of another
/// branch.
pub(super) fn is_within(one: &BTreeSet<Did>, other: &BTreeSet<Did>, is_alike: bool) -> bool {
    let is_in = |did: &Did| {
        let is_it = |other: &Did| is_alike && did.removes.is_some() && other.removes == did.removes;
        other.contains(did) || other.iter().any(is_it)
    };
    one.iter().all(is_in)
}

/// A conflict that a branch has seen recorded.
#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) id: ConflictId,
    pub(super) merge_key: usize,
    pub(super) source: Option<String>,
    /// The root of their version.
    pub(super) theirs: Option<MemoryId>,
    pub(super) says: Option<u8>,
    /// The changes that are included once it is resolved.
    pub(super) brings: BTreeSet<Did>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Naive {
    pub(super) merge_keys: [Known; THINGS],
    pub(super) left: Vec<Left>,
    pub(super) settled: BTreeSet<ConflictId>,
}

impl Naive {
    pub(super) fn open(&self, merge_key: usize) -> Vec<Left> {
        let open =
            self.left.iter().filter(|left| left.merge_key == merge_key && !self.settled.contains(&left.id));
        open.cloned().collect()
    }
}
