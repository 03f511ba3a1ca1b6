//! The changes of one slot or piece: which of them each branch includes, and what the branch read after them.
//!
//! A change is a group that decided what the slot reads: a commit that wrote or removed it, a cherry-pick, the resolution of
//! a conflict, or a merge of two sides that had both changed it. Any other merge changes nothing itself: its branch includes
//! the changes of the other branch from then on. So a side is a set of changes, and two sides are compared by these sets.
//!
//! **Invariants.** A set of changes includes what they were made on, except for merges that left the slot in conflict. The
//! steps of a branch only add to its set, so the set at an earlier step is a part of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memtape_tape::EntryId;

use super::bit_set::BitSet;
use super::history::{History, Taking, Takings};
use super::knowledge::Records;
use super::lives::Lives;
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// What a group added to the changes that its branch includes.
#[derive(Debug)]
struct Step {
    /// The last entry of the group.
    entry: EntryId,
    adds: Adds,
    /// Whether it wrote or removed a version.
    is_touched: bool,
}

/// The numbers of the changes that a step adds. Most steps are commits, which add one.
#[derive(Debug)]
enum Adds {
    One(usize),
    Many(BitSet),
}

impl Adds {
    fn is_subset(&self, set: &BitSet) -> bool {
        match self {
            Self::One(n) => set.contains(*n),
            Self::Many(adds) => adds.is_subset(set),
        }
    }

    fn add_to(&self, set: &mut BitSet) {
        match self {
            Self::One(n) => set.insert(*n),
            Self::Many(adds) => set.extend(adds),
        }
    }
}

/// What a group did to the slot.
#[derive(Default)]
struct Touch<'a> {
    branch: &'a str,
    creates: bool,
    /// Whether it created a version that is not a copy.
    writes: bool,
    removes: Option<MemoryId>,
    /// Whether it is a merge or a cherry-pick that left the slot in conflict.
    is_conflict: bool,
    /// The commits that left the slot in the conflicts that it resolved.
    resolves: Vec<EntryId>,
}

/// The steps of a slot on all branches.
pub(super) struct Steps<'a> {
    lives: &'a Lives,
    records: &'a Records,
    by_branch: BTreeMap<&'a str, Vec<Step>>,
    /// For each change, the first one that removed the same version and left nothing, or itself.
    alike: Vec<usize>,
    /// For each version, the first change that removed it and left nothing.
    removed: BTreeMap<MemoryId, usize>,
    /// The decisions: what they were about, and what the slot read after them.
    decisions: BTreeMap<(BitSet, Option<String>), usize>,
}

/// The changes that a side includes.
#[derive(Debug, Default)]
pub(super) struct Included {
    set: BitSet,
    /// The last group that wrote or removed a version.
    touched: Option<EntryId>,
}

impl<'s> FromIterator<&'s Step> for Included {
    fn from_iter<T: IntoIterator<Item = &'s Step>>(steps: T) -> Self {
        let mut included = Self::default();
        for step in steps {
            step.adds.add_to(&mut included.set);
            if step.is_touched {
                included.touched = Some(step.entry);
            }
        }
        included
    }
}

/// How removals of one version on several branches count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removals {
    /// As different changes.
    Distinct,
    /// As the same change.
    Alike,
}

impl<'a> Steps<'a> {
    /// Reads the steps of a slot in the order of the tape; `content` returns the content of a version.
    pub(super) fn new(
        lives: &'a Lives,
        records: &'a Records,
        takings: &'a Takings,
        content: &dyn Fn(MemoryId) -> Option<String>,
    ) -> Self {
        let mut steps = Self {
            lives,
            records,
            by_branch: BTreeMap::new(),
            alike: Vec::new(),
            removed: BTreeMap::new(),
            decisions: BTreeMap::new(),
        };
        // What a merge or a cherry-pick that left the slot in conflict adds once that is resolved.
        let mut deferred: BTreeMap<EntryId, BitSet> = BTreeMap::new();
        for (entry, touch) in touches(lives, records, takings) {
            let is_touched = touch.creates || touch.removes.is_some();
            let taking = takings.get(entry);
            let adds = if taking.is_none() && touch.resolves.is_empty() {
                Adds::One(steps.commit(entry, &touch))
            } else {
                let (mut set, mut decides) =
                    taking.map_or((BitSet::default(), true), |taking| steps.taken(taking));
                if touch.is_conflict {
                    deferred.insert(entry, std::mem::take(&mut set));
                    decides = false;
                }
                let resolved = touch.resolves.iter().filter_map(|commit| deferred.get(commit));
                resolved.for_each(|adds| set.extend(adds));
                if decides || touch.writes {
                    let n = steps.decision(entry, &touch, &set, content);
                    set.insert(n);
                }
                Adds::Many(set)
            };
            if is_touched || !matches!(&adds, Adds::Many(set) if set.is_empty()) {
                steps.by_branch.entry(touch.branch).or_default().push(Step { entry, adds, is_touched });
            }
        }
        steps
    }

    /// Numbers a new change.
    fn change(&mut self) -> usize {
        self.alike.push(self.alike.len());
        self.alike.len() - 1
    }

    /// Numbers a commit of a branch. A removal that leaves nothing is like the first one of the same version, unless the
    /// branch includes that.
    fn commit(&mut self, entry: EntryId, touch: &Touch<'_>) -> usize {
        let n = self.change();
        let Some(id) = touch.removes.filter(|_| !touch.creates) else { return n };
        let first = *self.removed.entry(self.lives.root(id)).or_insert(n);
        if first != n && !self.before(entry, touch).set.iter().any(|n| self.alike[n] == first) {
            self.alike[n] = first;
        }
        n
    }

    /// Numbers a decision of a branch. It is the same as another about the same changes if the slot read the same after it.
    fn decision(
        &mut self,
        entry: EntryId,
        touch: &Touch<'_>,
        brings: &BitSet,
        content: &dyn Fn(MemoryId) -> Option<String>,
    ) -> usize {
        let mut about = self.before(entry, touch).set;
        about.extend(brings);
        let reads = self.current(&Lineage::new(&self.records.branches, touch.branch, entry));
        let decided = (about, reads.and_then(content));
        if let Some(n) = self.decisions.get(&decided) {
            return *n;
        }
        let n = self.change();
        self.decisions.insert(decided, n);
        n
    }

    /// Returns what the branch of a group included before it.
    fn before(&self, entry: EntryId, touch: &Touch<'_>) -> Included {
        self.included(&History::of(self.records, touch.branch, entry.saturating_sub(1)))
    }

    /// Returns the changes that a merge or a cherry-pick brings, and whether it decides. A cherry-pick does, whatever a
    /// merge would do. A merge does if each side has changes that the other does not include.
    fn taken(&self, taking: &Taking) -> (BitSet, bool) {
        let mut set = BitSet::default();
        for (branch, step) in self.on(&taking.source) {
            // What both inherited is part of the target's own history, whether it was undone there or not.
            if taking.into.as_ref().is_none_or(|into| !into.lineage.holds(branch, step.entry)) {
                step.adds.add_to(&mut set);
            }
        }
        let Some(into) = &taking.into else { return (set, true) };
        if set.is_empty() {
            return (set, false);
        }
        let ours = self.included(into).set;
        if set.is_subset(&ours) {
            return (BitSet::default(), false);
        }
        let decides = !ours.is_subset(&self.included(&taking.source).set);
        (set, decides)
    }

    /// Returns the steps of a history, oldest first, each with its branch.
    fn on<'s>(&'s self, history: &'s History) -> impl Iterator<Item = (&'s str, &'s Step)> {
        let steps = history.lineage.steps().iter().rev().flat_map(|(branch, last)| {
            let steps = self.by_branch.get(branch.as_str()).into_iter().flatten();
            steps.take_while(|step| step.entry <= *last).map(|step| (branch.as_str(), step))
        });
        steps.filter(|(branch, step)| !history.is_undone(branch, step.entry))
    }

    /// Returns the version that is current on a lineage.
    pub(super) fn current(&self, lineage: &Lineage) -> Option<MemoryId> {
        self.lives.state(lineage).current()
    }

    /// Returns the changes that a history includes.
    pub(super) fn included(&self, history: &History) -> Included {
        self.on(history).map(|(_, step)| step).collect()
    }

    /// Returns the version that a lineage read after the last of the changes that it includes.
    pub(super) fn reads(&self, lineage: &Lineage, included: &Included) -> Option<MemoryId> {
        self.current(&lineage.up_to(included.touched?))
    }

    /// Returns whether several branches removed the same version and left nothing.
    pub(super) fn has_alike(&self) -> bool {
        self.alike.iter().enumerate().any(|(n, first)| n != *first)
    }

    /// Returns whether one side includes only changes that the other includes too.
    pub(super) fn is_subset(&self, one: &Included, other: &Included, removals: Removals) -> bool {
        one.set.is_subset(&self.with_alike(&other.set, removals))
    }

    /// Returns a set with all changes that count as the same as one of it.
    fn with_alike<'s>(&self, set: &'s BitSet, removals: Removals) -> Cow<'s, BitSet> {
        match removals {
            Removals::Distinct => Cow::Borrowed(set),
            Removals::Alike => {
                let firsts: BitSet = set.iter().map(|n| self.alike[n]).collect();
                let all = self.alike.iter().enumerate();
                Cow::Owned(all.filter(|(_, first)| firsts.contains(**first)).map(|(n, _)| n).collect())
            }
        }
    }

    /// Returns the last common states of two sides: what any branch read when it included only changes that both sides
    /// include, and as many of those as any.
    pub(super) fn common(
        &self,
        one: &Included,
        other: &Included,
        branches: &[History],
        removals: Removals,
    ) -> Vec<Option<MemoryId>> {
        let [one, other] = [one, other].map(|side| self.with_alike(&side.set, removals));
        let both = one.intersection(&other);
        let mut common: Vec<(BitSet, Option<MemoryId>)> = vec![(BitSet::default(), None)];
        for branch in branches {
            let steps = self.on(branch).map(|(_, step)| step);
            let included: Included = steps.take_while(|step| step.adds.is_subset(&both)).collect();
            let set = self.with_alike(&included.set, removals);
            if common.iter().all(|(other, _)| !set.is_subset(other)) {
                common.retain(|(other, _)| !other.is_subset(&set));
                let reads = self.reads(&branch.lineage, &included);
                common.push((set.into_owned(), reads));
            }
        }
        common.into_iter().map(|(_, reads)| reads).collect()
    }
}

/// Returns what each group did to the slot, by its last entry. Every merge may bring changes of it.
fn touches<'a>(lives: &'a Lives, records: &'a Records, takings: &'a Takings) -> BTreeMap<EntryId, Touch<'a>> {
    let mut touches: BTreeMap<EntryId, Touch<'a>> = BTreeMap::new();
    for life in lives.iter() {
        let touch = touches.entry(life.group).or_default();
        touch.branch = &life.branch;
        touch.creates = true;
        touch.writes |= life.copy_of.is_none();
        for by in &life.retired {
            let touch = touches.entry(by.group).or_default();
            touch.branch = &by.branch;
            touch.removes = touch.removes.max(Some(life.id));
        }
    }
    for record in records.about(lives) {
        // A proposal to remove a memory records a conflict too, but takes no changes.
        if takings.get(record.id.commit).is_some() {
            let touch = touches.entry(record.id.commit).or_default();
            touch.branch = &record.branch;
            touch.is_conflict = true;
        }
        for (branch, entry) in &record.resolved_by {
            let touch = touches.entry(*entry).or_default();
            touch.branch = branch;
            touch.resolves.push(record.id.commit);
        }
    }
    for (branch, entry, ..) in takings.merges() {
        touches.entry(entry).or_default().branch = branch;
    }
    touches.retain(|entry, _| !takings.is_reverser(*entry));
    touches
}
