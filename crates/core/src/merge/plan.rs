//! The plan of a merge: its changes, the conflicts it leaves open, and the earlier conflicts it resolves.

use std::collections::BTreeMap;

use memtape_tape::EntryId;

use super::MergeKey;
use super::changes::Steps;
use super::group::{Change, Creation};
use super::history::{History, Takings};
use super::knowledge::{Knowledge, Record, Records};
use super::lives::Lives;
use super::verdict::{Compared, Verdict};
use crate::commit::{Conflict, ConflictId};
use crate::error::{Error, Result};
use crate::form::{Merged, RemovalCause};
use crate::forms;
use crate::lineage::Lineage;
use crate::memory::{Memory, MemoryId};

/// The two sides of a merge: what is the same for every slot.
#[derive(Debug)]
pub struct Meeting<'a> {
    records: &'a Records,
    takings: Takings,
    ours: History,
    theirs: History,
    branches: Vec<History>,
    our_knowledge: Knowledge,
    their_knowledge: Knowledge,
}

impl<'a> Meeting<'a> {
    /// Prepares the merge of `theirs` into `ours`.
    #[must_use]
    pub fn new(records: &'a Records, ours: &Lineage, theirs: &Lineage) -> Self {
        let [our_knowledge, their_knowledge] = [ours, theirs].map(|lineage| records.knowledge(lineage));
        let [ours, theirs] = History::of_sides(records, [ours, theirs].map(Lineage::clone));
        let branches = History::of_branches(records, &ours);
        Self {
            records,
            takings: Takings::new(records),
            ours,
            theirs,
            branches,
            our_knowledge,
            their_knowledge,
        }
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

    /// Returns the two sides of each merge that their side knows and ours does not: what both of these had changed was
    /// decided by the merge, even if it wrote nothing.
    pub fn decided(&self) -> impl Iterator<Item = [Knowledge; 2]> {
        let is_new = |branch: &str, entry| {
            self.their_knowledge.holds(branch, entry) && !self.our_knowledge.holds(branch, entry)
        };
        self.takings
            .merges()
            .filter(move |(branch, entry, ..)| is_new(branch, *entry))
            .map(|(.., into, source)| [into, source].map(|lineage| self.records.knowledge(lineage)))
    }

    /// Returns the conflicts that may have to be compared again, whichever side changed since: those that are open as far
    /// as our side knows.
    pub fn unsettled(&self) -> impl Iterator<Item = &Record> {
        self.records.conflicts.iter().filter(|record| {
            let is_known = |knowledge: &Knowledge| knowledge.holds(&record.branch, record.id.commit);
            let is_known = is_known(&self.our_knowledge) || is_known(&self.their_knowledge);
            is_known && !record.is_resolved(&self.our_knowledge)
        })
    }

    /// Compares the two sides of a slot or piece; `content` returns [`crate::forms::content`] of a version.
    #[must_use]
    pub fn compare(&self, lives: &Lives, content: &dyn Fn(MemoryId) -> Option<String>) -> Compared {
        let steps = Steps::new(lives, self.records, &self.takings, content);
        Compared::merged(&steps, &self.ours, &self.theirs, &self.branches)
    }

    /// Returns the conflicts about it that a merge of this source left open on our lineage.
    #[must_use]
    pub fn open_with(&self, source: &str, lives: &Lives) -> Vec<&'a Record> {
        let is_theirs =
            |record: &&Record| self.records.merge_of(record).is_some_and(|merge| merge.source == source);
        let open = self.records.open(lives, &self.ours.lineage, &self.our_knowledge);
        open.into_iter().filter(is_theirs).collect()
    }
}

/// A commit that is picked, and the branch that it is picked into: what is the same for every slot.
#[derive(Debug)]
pub struct Picking<'a> {
    records: &'a Records,
    takings: Takings,
    ours: History,
    before: Lineage,
    after: History,
}

impl<'a> Picking<'a> {
    /// Prepares the cherry-pick of the commit from `first` to `last` of a branch.
    #[must_use]
    pub fn new(records: &'a Records, ours: &Lineage, branch: &str, first: EntryId, last: EntryId) -> Self {
        Self {
            records,
            takings: Takings::new(records),
            ours: History::new(records, ours.clone()),
            before: Lineage::new(&records.branches, branch, first.saturating_sub(1)),
            after: History::of(records, branch, last),
        }
    }

    /// Returns the lineage at the commit.
    #[must_use]
    pub fn theirs(&self) -> &Lineage {
        &self.after.lineage
    }

    /// Compares a slot or piece; `content` returns [`crate::forms::content`] of a version.
    #[must_use]
    pub fn compare(&self, lives: &Lives, content: &dyn Fn(MemoryId) -> Option<String>) -> Compared {
        let steps = Steps::new(lives, self.records, &self.takings, content);
        Compared::picked(&steps, &self.ours, &self.before, &self.after)
    }
}

impl Record {
    /// Returns whether it was recorded on a lineage, is not undone there, and is not resolved as far as the
    /// knowledge reaches.
    #[must_use]
    pub fn is_open(&self, lineage: &Lineage, knowledge: &Knowledge) -> bool {
        let is_there = lineage.holds(&self.branch, self.id.commit);
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

    /// Returns the conflicts about a slot or piece that are open on a lineage, as far as the knowledge reaches.
    #[must_use]
    pub fn open(&self, lives: &Lives, lineage: &Lineage, knowledge: &Knowledge) -> Vec<&Record> {
        let about = self.about(lives).into_iter();
        about.filter(|record| record.is_open(lineage, knowledge)).collect()
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

/// Decides the outcome for one slot or piece. `current` are the versions that are current on our side. `memories` must
/// contain the versions that the comparison names, except those whose text was erased: such a version is no common state.
///
/// # Errors
/// [`Error::NotFound`] if the text of theirs was erased, and ours would have to take it or be in conflict with it.
pub fn outcome(
    merge_key: &MergeKey,
    compared: &Compared,
    current: &[Memory],
    memories: &BTreeMap<MemoryId, Memory>,
) -> Result<Outcome> {
    let get = |id: MemoryId| memories.get(&id);
    let change = |creates: Option<Creation>| match creates.is_none() && current.is_empty() {
        true => Outcome::Nothing,
        false => Outcome::Changes(Box::new(Change {
            merge_key: merge_key.clone(),
            creates,
            retires: current.to_vec(),
            cause: RemovalCause::Request,
        })),
    };
    let copy = |memory: &Memory| change(Some(Creation::Copy(memory.clone())));
    let Compared { ours, theirs, .. } = *compared;
    let verdict = compared.verdict(|id| get(id).map(forms::content).ok_or(id));
    if let Some(id) = theirs.filter(|id| get(*id).is_none() && verdict != Verdict::Nothing) {
        let (reference, entry) = (merge_key.reference(), id.entry());
        let why = format!("cannot take the version of {reference} in entry {entry}: its text was erased");
        return Err(Error::NotFound(why));
    }
    let take = || theirs.and_then(get).map_or_else(|| change(None), copy);
    let base = match verdict {
        // Versions with the same content may differ in their place: theirs is taken if only theirs moved, and places
        // never conflict.
        Verdict::Nothing => match (ours, theirs.and_then(get)) {
            (Some(_), Some(theirs)) if is_moved(compared, memories) => return Ok(copy(theirs)),
            _ => return Ok(Outcome::Nothing),
        },
        Verdict::Take => return Ok(take()),
        Verdict::Changed { base } if base.is_none_or(|id| get(id).is_some()) => Some(base),
        Verdict::Changed { .. } | Verdict::Apart => None,
    };
    let joined = |ours, theirs| match base {
        Some(base) => forms::merge(base.and_then(get), ours, theirs),
        None => joined_both_ways(ours, theirs),
    };
    match (ours.and_then(get), theirs.and_then(get)) {
        (Some(ours), Some(theirs)) => match joined(ours, theirs) {
            Merged::Ours => return Ok(Outcome::Nothing),
            Merged::Theirs => return Ok(copy(theirs)),
            Merged::Joined(joined) => return Ok(change(Some(Creation::Joined(*joined)))),
            Merged::Conflict => {}
        },
        (None, None) if ours.is_none() => return Ok(Outcome::Nothing),
        _ => {}
    }
    // Blank lines at the ends and what memtape computes are no change that could be in conflict with another.
    Ok(match compared.verdict(|id| get(id).map(forms::substance).ok_or(id)) {
        Verdict::Nothing => Outcome::Nothing,
        Verdict::Take => take(),
        Verdict::Changed { .. } | Verdict::Apart => {
            Outcome::Conflict(Conflict { ours, theirs, base: base.flatten() })
        }
    })
}

/// Joins two versions without a common one, if the result is the same on both branches.
fn joined_both_ways(ours: &Memory, theirs: &Memory) -> Merged {
    match (forms::merge(None, ours, theirs), forms::merge(None, theirs, ours)) {
        (Merged::Joined(one), Merged::Joined(other)) if forms::content(&one) == forms::content(&other) => {
            Merged::Joined(one)
        }
        (Merged::Ours, Merged::Theirs) => Merged::Ours,
        (Merged::Theirs, Merged::Ours) => Merged::Theirs,
        _ => Merged::Conflict,
    }
}

/// Returns whether theirs differs from ours only in its place, and ours is at the common one.
fn is_moved(compared: &Compared, memories: &BTreeMap<MemoryId, Memory>) -> bool {
    let says = |id: MemoryId| {
        memories.get(&id).map(|memory| (forms::content(memory), memory.form.rules().position(memory)))
    };
    let [ours, theirs] = [compared.ours, compared.theirs].map(|id| id.and_then(says));
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
        let root = |theirs: Option<MemoryId>| theirs.map(|id| lives.root(id));
        match outcome {
            Outcome::Conflict(conflict) => {
                let is_same = |record: &&Record| root(record.conflict.theirs) == root(conflict.theirs);
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
