//! The plan of a merge: its changes, the conflicts it leaves open, and the earlier conflicts it resolves.

use std::collections::BTreeMap;

use super::MergeKey;
use super::group::{Change, Creation};
use super::knowledge::{Knowledge, Record, Records};
use super::lives::Lives;
use super::state::State;
use super::verdict::{Compared, Side, Verdict};
use crate::commit::{Conflict, ConflictId};
use crate::form::Merged;
use crate::forms;
use crate::lineage::Lineage;
use crate::memory::{Memory, MemoryId};

/// The two lineages of a merge, and the knowledge of each.
#[derive(Debug)]
pub struct Meeting<'a> {
    records: &'a Records,
    ours: &'a Lineage,
    theirs: &'a Lineage,
    our_knowledge: Knowledge,
    their_knowledge: Knowledge,
}

impl<'a> Meeting<'a> {
    /// Prepares the merge of `theirs` into `ours`.
    #[must_use]
    pub fn new(records: &'a Records, ours: &'a Lineage, theirs: &'a Lineage) -> Self {
        let [our_knowledge, their_knowledge] = [ours, theirs].map(|lineage| records.knowledge(lineage));
        Self { records, ours, theirs, our_knowledge, their_knowledge }
    }

    /// Returns the knowledge of our side, with conflicts disregarded.
    #[must_use]
    pub fn our_knowledge(&self) -> &Knowledge {
        &self.our_knowledge
    }

    /// Returns the knowledge of their side, with conflicts disregarded.
    #[must_use]
    pub fn their_knowledge(&self) -> &Knowledge {
        &self.their_knowledge
    }

    /// Compares the two sides of a slot or piece.
    #[must_use]
    pub fn compare(&self, lives: &Lives) -> Compared {
        let about = self.records.about(lives);
        if about.is_empty() {
            let side = |lineage: &'a Lineage, knowledge| Side { lineage, knowledge };
            let (ours, theirs) =
                (side(self.ours, &self.our_knowledge), side(self.theirs, &self.their_knowledge));
            return Compared::new(lives, ours, theirs);
        }
        let [ours, theirs] =
            [self.ours, self.theirs].map(|lineage| self.records.knowledge_of(&about, lineage));
        let ours = Side { lineage: self.ours, knowledge: &ours };
        Compared::new(lives, ours, Side { lineage: self.theirs, knowledge: &theirs })
    }

    /// Returns the conflicts about it that a merge of this source left open on our lineage.
    #[must_use]
    pub fn open_with(&self, source: &str, lives: &Lives) -> Vec<&'a Record> {
        let is_theirs =
            |record: &&Record| self.records.merge_of(record).is_some_and(|merge| merge.source == source);
        self.open(lives).into_iter().filter(is_theirs).collect()
    }

    /// Returns the conflicts about it that are open on our lineage.
    #[must_use]
    pub fn open(&self, lives: &Lives) -> Vec<&'a Record> {
        let about = self.records.about(lives).into_iter();
        about.filter(|record| record.is_open(self.ours, &self.our_knowledge)).collect()
    }
}

impl Record {
    /// Returns whether it was recorded on a lineage, is not undone there, and is not resolved as far as the
    /// knowledge reaches.
    #[must_use]
    pub fn is_open(&self, lineage: &Lineage, knowledge: &Knowledge) -> bool {
        let is_there = lineage.last(&self.branch).is_some_and(|last| self.id.commit <= last);
        let is_undone = knowledge.undone().iter().any(|group| group.holds(&self.branch, self.id.commit));
        is_there && !is_undone && !self.is_resolved(knowledge)
    }

    /// Returns the versions it names.
    pub fn versions(&self) -> impl Iterator<Item = MemoryId> {
        let Conflict { ours, theirs, base } = self.conflict;
        [ours, theirs, base].into_iter().flatten()
    }
}

impl Records {
    /// Returns the conflicts about a slot or piece, in the order they were recorded.
    #[must_use]
    pub fn about(&self, lives: &Lives) -> Vec<&Record> {
        self.conflicts.iter().filter(|record| record.versions().any(|id| lives.holds(id))).collect()
    }
}

/// The outcome for one slot or piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The slot is not changed.
    Nothing,
    /// It changes.
    Changes(Box<Change>),
    /// Both sides changed it.
    Conflict(Conflict),
}

/// Decides the outcome for one slot or piece. `memories` must contain the versions that the comparison names
/// and those in `current`, which are current on our side.
#[must_use]
pub fn outcome(
    merge_key: &MergeKey,
    compared: &Compared,
    current: &[MemoryId],
    memories: &BTreeMap<MemoryId, Memory>,
) -> Outcome {
    let get = |id: MemoryId| memories.get(&id);
    let change = |creates: Option<Creation>| {
        let retires: Vec<Memory> = current.iter().filter_map(|id| get(*id)).cloned().collect();
        let is_nothing = creates.is_none() && retires.is_empty();
        match is_nothing {
            true => Outcome::Nothing,
            false => Outcome::Changes(Box::new(Change { merge_key: merge_key.clone(), creates, retires })),
        }
    };
    let copy = |memory: &Memory| change(Some(Creation::Copy(memory.clone())));
    let [ours, theirs] = [compared.ours, compared.theirs].map(State::current);
    let take = || theirs.map_or_else(|| change(None), |id| get(id).map_or(Outcome::Nothing, copy));
    let base = match compared.verdict(|id| get(id).map(forms::content)) {
        // Versions with the same content may differ in their place: theirs is taken if only theirs moved, and places
        // never conflict.
        Verdict::Nothing => match (ours, theirs.and_then(get)) {
            (Some(_), Some(theirs)) if is_moved(compared, memories) => return copy(theirs),
            _ => return Outcome::Nothing,
        },
        Verdict::Take => return take(),
        Verdict::Changed { base } => base,
    };
    match (ours.and_then(get), theirs.and_then(get)) {
        (Some(ours), Some(theirs)) => match forms::merge(base.and_then(get), ours, theirs) {
            Merged::Ours => return Outcome::Nothing,
            Merged::Theirs => return copy(theirs),
            Merged::Joined(joined) => return change(Some(Creation::Joined(*joined))),
            Merged::Conflict => {}
        },
        (None, None) => return Outcome::Nothing,
        _ => {}
    }
    // Blank lines at the ends and what memtape computes are no change that could be in conflict with another.
    match compared.verdict(|id| get(id).map(forms::substance)) {
        Verdict::Nothing => Outcome::Nothing,
        Verdict::Take => take(),
        Verdict::Changed { .. } => Outcome::Conflict(Conflict { ours, theirs, base }),
    }
}

/// Returns whether theirs differs from ours only in its place, and ours is at the common one.
fn is_moved(compared: &Compared, memories: &BTreeMap<MemoryId, Memory>) -> bool {
    let says =
        |id: MemoryId| memories.get(&id).map(|memory| (forms::content(memory), forms::position(memory)));
    let [ours, theirs] = [compared.ours, compared.theirs].map(|state| state.current().and_then(says));
    let is_alike = ours.map(|ours| ours.0) == theirs.map(|theirs| theirs.0);
    is_alike && compared.verdict(says) == Verdict::Take
}

/// The combined outcomes of a merge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The changes.
    pub changes: Vec<Change>,
    /// The new conflicts, each with its slot.
    pub conflicts: Vec<(MergeKey, Conflict)>,
    /// The conflicts that were open before and still are.
    pub still_open: Vec<(MergeKey, Conflict)>,
    /// The conflicts of earlier commits that it resolves.
    pub settles: Vec<ConflictId>,
}

impl Plan {
    /// Returns whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.conflicts.is_empty() && self.settles.is_empty()
    }

    /// Returns the conflicts that the commit records. They include the ones open before: otherwise this merge
    /// would count as one that left nothing open about them.
    pub fn left_open(&self) -> impl Iterator<Item = &(MergeKey, Conflict)> {
        self.conflicts.iter().chain(&self.still_open)
    }

    /// Adds the outcome for a slot or piece; `open` are the open conflicts about it.
    pub fn add(&mut self, merge_key: &MergeKey, outcome: Outcome, open: &[&Record], lives: &Lives) {
        let state = |theirs: Option<MemoryId>| theirs.map_or(State::Nothing, State::Stands);
        match outcome {
            Outcome::Conflict(conflict) => {
                let is_same =
                    |record: &&Record| lives.is_same(state(record.conflict.theirs), state(conflict.theirs));
                match open.iter().any(is_same) {
                    true => self.still_open.push((merge_key.clone(), conflict)),
                    false => self.conflicts.push((merge_key.clone(), conflict)),
                }
            }
            Outcome::Nothing => self.settles.extend(open.iter().map(|record| record.id)),
            Outcome::Changes(change) => {
                self.settles.extend(open.iter().map(|record| record.id));
                self.changes.push(*change);
            }
        }
    }

    /// Sorts the lists into the order in which they are written.
    pub fn sort(&mut self) {
        self.changes.sort_by(|one, other| one.merge_key.cmp(&other.merge_key));
        self.conflicts.sort_by(|one, other| one.0.cmp(&other.0));
        self.still_open.sort_by(|one, other| one.0.cmp(&other.0));
        self.settles.sort();
        self.settles.dedup();
    }
}
