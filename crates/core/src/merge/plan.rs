//! What a merge comes to: what changes, what is left open, what earlier conflicts it settles.

use std::collections::BTreeMap;

use super::Thing;
use super::group::{Bears, Change};
use super::knowledge::{Knowledge, Record, Records};
use super::lives::Lives;
use super::state::State;
use super::verdict::{Compared, Side, Verdict};
use crate::commit::{Conflict, ConflictId};
use crate::form::Merged;
use crate::forms;
use crate::lineage::Lineage;
use crate::memory::{Memory, MemoryId};

/// Two lineages that meet, and what each knows.
#[derive(Debug)]
pub struct Meeting<'a> {
    records: &'a Records,
    ours: &'a Lineage,
    theirs: &'a Lineage,
    our_knowledge: Knowledge,
    their_knowledge: Knowledge,
}

impl<'a> Meeting<'a> {
    /// What merging `theirs` into `ours` rests on.
    #[must_use]
    pub fn new(records: &'a Records, ours: &'a Lineage, theirs: &'a Lineage) -> Self {
        let [our_knowledge, their_knowledge] = [ours, theirs].map(|lineage| records.knowledge(lineage));
        Self { records, ours, theirs, our_knowledge, their_knowledge }
    }

    /// What ours knows, but for what is in conflict.
    #[must_use]
    pub fn our_knowledge(&self) -> &Knowledge {
        &self.our_knowledge
    }

    /// Compares the two sides of a thing.
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

    /// The conflicts about a thing that a merge of this source left open on our lineage.
    #[must_use]
    pub fn open_with(&self, source: &str, lives: &Lives) -> Vec<&'a Record> {
        let is_theirs =
            |record: &&Record| self.records.merge_of(record).is_some_and(|merge| merge.source == source);
        self.open(lives).into_iter().filter(is_theirs).collect()
    }

    /// The conflicts about a thing that are open on our lineage.
    #[must_use]
    pub fn open(&self, lives: &Lives) -> Vec<&'a Record> {
        let about = self.records.about(lives).into_iter();
        about.filter(|record| record.is_open(self.ours, &self.our_knowledge)).collect()
    }
}

impl Record {
    /// Whether it was recorded on a lineage, not undone there, and is not settled as far as that knows.
    #[must_use]
    pub fn is_open(&self, lineage: &Lineage, knowledge: &Knowledge) -> bool {
        let is_there = lineage.last(&self.branch).is_some_and(|last| self.id.commit <= last);
        let is_undone = knowledge.undone().iter().any(|group| group.holds(&self.branch, self.id.commit));
        is_there && !is_undone && !self.is_settled(knowledge)
    }

    /// The versions it names.
    pub fn versions(&self) -> impl Iterator<Item = MemoryId> {
        let Conflict { ours, theirs, base } = self.conflict;
        [ours, theirs, base].into_iter().flatten()
    }
}

impl Records {
    /// The conflicts about a thing, in the order they were recorded.
    #[must_use]
    pub fn about(&self, lives: &Lives) -> Vec<&Record> {
        self.conflicts.iter().filter(|record| record.versions().any(|id| lives.holds(id))).collect()
    }
}

/// What becomes of one thing.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It stays as it is.
    Nothing,
    /// It changes.
    Changes(Box<Change>),
    /// It was changed in two ways.
    Conflict(Conflict),
}

/// Decides about a thing. The memories are those that the comparison names, and those that stand with us.
#[must_use]
pub fn outcome(
    thing: &Thing,
    compared: &Compared,
    standing: &[MemoryId],
    memories: &BTreeMap<MemoryId, Memory>,
) -> Outcome {
    let get = |id: MemoryId| memories.get(&id);
    let change = |bears: Option<Bears>| {
        let retires: Vec<Memory> = standing.iter().filter_map(|id| get(*id)).cloned().collect();
        let is_nothing = bears.is_none() && retires.is_empty();
        match is_nothing {
            true => Outcome::Nothing,
            false => Outcome::Changes(Box::new(Change { thing: thing.clone(), bears, retires })),
        }
    };
    let copy = |memory: &Memory| change(Some(Bears::Copy(memory.clone())));
    let [ours, theirs] = [compared.ours, compared.theirs].map(State::standing);
    let base = match compared.verdict(|id| get(id).map(forms::content)) {
        // Of what both say alike the empty lines before it may differ: they are taken, and never a conflict.
        Verdict::Nothing => match (ours, theirs.and_then(get)) {
            (Some(_), Some(theirs)) if is_spaced_anew(compared, memories) => return copy(theirs),
            _ => return Outcome::Nothing,
        },
        Verdict::Take => {
            return theirs.map_or_else(|| change(None), |id| get(id).map_or(Outcome::Nothing, copy));
        }
        Verdict::Changed { base } => base,
    };
    match (ours.and_then(get), theirs.and_then(get)) {
        (Some(ours), Some(theirs)) => match forms::merge(base.and_then(get), ours, theirs) {
            Merged::Ours => return Outcome::Nothing,
            Merged::Theirs => return copy(theirs),
            Merged::Joined(joined) => return change(Some(Bears::Joined(*joined))),
            Merged::Conflict => {}
        },
        (None, None) => return Outcome::Nothing,
        _ => {}
    }
    Outcome::Conflict(Conflict { ours, theirs, base })
}

/// Whether theirs says the same as ours after other empty lines, where ours has those that both had.
fn is_spaced_anew(compared: &Compared, memories: &BTreeMap<MemoryId, Memory>) -> bool {
    let says = |id: MemoryId| memories.get(&id).map(|memory| (forms::content(memory), forms::gap(memory)));
    let [ours, theirs] = [compared.ours, compared.theirs].map(|state| state.standing().and_then(says));
    let is_alike = ours.map(|ours| ours.0) == theirs.map(|theirs| theirs.0);
    is_alike && compared.verdict(says) == Verdict::Take
}

/// What all outcomes come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What changes.
    pub changes: Vec<Change>,
    /// What is left open anew, with the thing it is about.
    pub conflicts: Vec<(Thing, Conflict)>,
    /// What was left open before, and still is.
    pub still_open: Vec<(Thing, Conflict)>,
    /// The conflicts of earlier commits that are none any more.
    pub settles: Vec<ConflictId>,
}

impl Plan {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.conflicts.is_empty() && self.settles.is_empty()
    }

    /// What the commit records as left open. What was open before is among it, where there is a commit at all: else the
    /// merge would count as one that left nothing open about it.
    pub fn left_open(&self) -> impl Iterator<Item = &(Thing, Conflict)> {
        self.conflicts.iter().chain(&self.still_open)
    }

    /// Adds what becomes of a thing about which these conflicts are open.
    pub fn add(&mut self, thing: &Thing, outcome: Outcome, open: &[&Record], lives: &Lives) {
        let state = |theirs: Option<MemoryId>| theirs.map_or(State::Nothing, State::Stands);
        match outcome {
            Outcome::Conflict(conflict) => {
                let is_same =
                    |record: &&Record| lives.is_same(state(record.conflict.theirs), state(conflict.theirs));
                match open.iter().any(is_same) {
                    true => self.still_open.push((thing.clone(), conflict)),
                    false => self.conflicts.push((thing.clone(), conflict)),
                }
            }
            Outcome::Nothing => self.settles.extend(open.iter().map(|record| record.id)),
            Outcome::Changes(change) => {
                self.settles.extend(open.iter().map(|record| record.id));
                self.changes.push(*change);
            }
        }
    }

    /// Puts all in the order in which it is written.
    pub fn sort(&mut self) {
        self.changes.sort_by(|one, other| one.thing.cmp(&other.thing));
        self.conflicts.sort_by(|one, other| one.0.cmp(&other.0));
        self.still_open.sort_by(|one, other| one.0.cmp(&other.0));
        self.settles.sort();
        self.settles.dedup();
    }
}
