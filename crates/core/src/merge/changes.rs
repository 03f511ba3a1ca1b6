//! The changes of one slot or piece: which of them each branch includes, and what the branch read after them.
//!
//! A change is a group that decided what the slot reads: a commit that wrote or removed it, a cherry-pick, the resolution of
//! a conflict, or a merge of two sides that had both changed it. Any other merge changes nothing itself: its branch includes
//! the changes of the other branch from then on. So a side is a set of changes, and two sides are compared by these sets.
//!
//! **Invariants.** A set of changes includes what they were made on, except for merges that left the slot in conflict. The
//! steps of a branch only add to its set, so the set at an earlier step is a part of it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;

use super::knowledge::{Record, Records};
use super::lives::Lives;
use super::reversals::Group;
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// A set of changes, by their numbers: a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, n: usize) {
        if self.0.len() <= n / 64 {
            self.0.resize(n / 64 + 1, 0);
        }
        self.0[n / 64] |= 1 << (n % 64);
    }

    fn extend(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            *ours |= theirs;
        }
    }

    fn holds(&self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|bits| bits & (1 << (n % 64)) != 0)
    }

    fn is_within(&self, other: &Self) -> bool {
        let theirs = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(theirs).all(|(ours, theirs)| ours & !theirs == 0)
    }

    fn both(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(ours, theirs)| ours & theirs).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }

    /// Returns it without zeros at the end, so that equal sets are equal.
    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn numbers(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|n| self.holds(*n))
    }
}

/// A merge or a cherry-pick, and what it takes into account. It does not depend on the slot.
#[derive(Debug)]
struct Taking {
    /// The source, up to the last entry that was taken.
    source: Lineage,
    /// The commits of the source that were undone there at the time.
    undone: Vec<Group>,
    /// The target, of a merge, and the commits that were undone there. What both inherited from one branch is part of the
    /// target's own history, whether it was undone there or not.
    into: Option<(Lineage, Vec<Group>)>,
}

/// The merges and cherry-picks of a tape by their entries, and the commits that only undo or redo one of them or a
/// resolution.
#[derive(Debug)]
pub(super) struct Takings {
    all: BTreeMap<EntryId, (String, Taking)>,
    reversers: BTreeSet<EntryId>,
}

impl Takings {
    /// Reads the merges and cherry-picks.
    pub(super) fn new(records: &Records) -> Self {
        let taking = |branch: &str, head: EntryId, into: Option<(Lineage, Vec<Group>)>| {
            let source = Lineage::new(&records.branches, branch, head);
            let undone = records.undone(&source);
            Taking { source, undone, into }
        };
        let merges = records.merges.iter().map(|merge| {
            let into = Lineage::new(&records.branches, &merge.branch, merge.entry.saturating_sub(1));
            let undone = records.undone(&into);
            // On a damaged tape, a merge could contain itself.
            let head = merge.head.min(merge.entry.saturating_sub(1));
            (merge.entry, (merge.branch.clone(), taking(&merge.source, head, Some((into, undone)))))
        });
        let picks = records
            .picks
            .iter()
            .map(|pick| (pick.entry, (pick.branch.clone(), taking(&pick.source, pick.picked, None))));
        Self { all: merges.chain(picks).collect(), reversers: records.reversals.of_takings().collect() }
    }

    /// Returns the merges: the branch and entry of each, the target before it, and what it merged.
    pub(super) fn merges(&self) -> impl Iterator<Item = (&str, EntryId, &Lineage, &Lineage)> {
        self.all.iter().filter_map(|(entry, (branch, taking))| {
            let (into, _) = taking.into.as_ref()?;
            Some((branch.as_str(), *entry, into, &taking.source))
        })
    }
}

/// What a group added to the changes that its branch includes.
#[derive(Clone, Debug)]
struct Step {
    /// The last entry of the group.
    entry: EntryId,
    adds: Adds,
    /// Whether it wrote or removed a version.
    is_touched: bool,
}

/// The changes that a step adds. Most steps are commits, which add one.
#[derive(Clone, Debug)]
enum Adds {
    One(usize),
    Many(Set),
}

impl Adds {
    fn is_within(&self, set: &Set) -> bool {
        match self {
            Self::One(n) => set.holds(*n),
            Self::Many(adds) => adds.is_within(set),
        }
    }

    fn add_to(&self, set: &mut Set) {
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
    resolves: Vec<&'a Record>,
}

/// The steps of a slot on all branches.
pub(super) struct Steps<'a> {
    lives: &'a Lives,
    records: &'a Records,
    own: BTreeMap<&'a str, Vec<Step>>,
    /// For each change, the first one that removed the same version and left nothing, or itself.
    alike: Vec<usize>,
    removed: BTreeMap<MemoryId, usize>,
    /// The decisions: what they were about, and what the slot read after them.
    decisions: BTreeMap<(Set, Option<String>), usize>,
}

/// The changes that a side includes.
#[derive(Clone, Debug, Default)]
pub(super) struct Included {
    set: Set,
    /// The last group that wrote or removed a version.
    touched: Option<EntryId>,
}

impl Included {
    fn add(&mut self, adds: &Adds, step: &Step) {
        adds.add_to(&mut self.set);
        if step.is_touched {
            self.touched = Some(step.entry);
        }
    }
}

impl<'a> Steps<'a> {
    /// Reads the steps of a slot in the order of the tape; `content` returns the content of a version.
    pub(super) fn new(
        lives: &'a Lives,
        records: &'a Records,
        takings: &'a Takings,
        content: &dyn Fn(MemoryId) -> Option<String>,
    ) -> Self {
        let about = &records.about(lives);
        let mut touches = touches(lives, about);
        for (entry, (branch, taking)) in &takings.all {
            // A cherry-pick concerns the slots that it changed, and those of its conflicts.
            let is_conflict = || about.iter().any(|record| record.id.commit == *entry);
            if taking.into.is_some() || is_conflict() {
                touches.entry(*entry).or_default().branch = branch;
            }
        }
        let mut steps = Self {
            lives,
            records,
            own: BTreeMap::new(),
            alike: Vec::new(),
            removed: BTreeMap::new(),
            decisions: BTreeMap::new(),
        };
        // What a merge or a cherry-pick brings that left the slot in conflict.
        let mut deferred: BTreeMap<EntryId, Set> = BTreeMap::new();
        for (entry, touch) in touches {
            if takings.reversers.contains(&entry) {
                continue;
            }
            let taking = takings.all.get(&entry).map(|(_, taking)| taking);
            let is_touched = touch.creates || touch.removes.is_some();
            let adds = if taking.is_none() && touch.resolves.is_empty() {
                Adds::One(steps.commit(entry, &touch))
            } else {
                let (mut set, mut decides) =
                    taking.map_or((Set::default(), true), |taking| steps.taken(taking));
                if about.iter().any(|record| record.id.commit == entry) {
                    deferred.insert(entry, std::mem::take(&mut set));
                    decides = false;
                }
                let resolved = touch.resolves.iter().filter_map(|record| deferred.get(&record.id.commit));
                resolved.for_each(|taken| set.extend(taken));
                if decides || touch.writes {
                    let n = steps.decision(entry, &touch, &set, content);
                    set.insert(n);
                }
                Adds::Many(set)
            };
            if is_touched || !matches!(&adds, Adds::Many(set) if set.is_empty()) {
                steps.own.entry(touch.branch).or_default().push(Step { entry, adds, is_touched });
            }
        }
        steps
    }

    /// Numbers a change that its branch did not yet include.
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
        let before = Lineage::new(&self.records.branches, touch.branch, entry.saturating_sub(1));
        let includes = || self.included(&before, &self.records.undone(&before)).set;
        if first != n && !self.set(&includes(), Equal::Alike).holds(first) {
            self.alike[n] = first;
        }
        n
    }

    /// Numbers a decision of a branch. It is the same as another about the same changes if the slot read the same after it.
    fn decision(
        &mut self,
        entry: EntryId,
        touch: &Touch<'_>,
        brings: &Set,
        content: &dyn Fn(MemoryId) -> Option<String>,
    ) -> usize {
        let before = Lineage::new(&self.records.branches, touch.branch, entry.saturating_sub(1));
        let mut about = self.included(&before, &self.records.undone(&before)).set;
        about.extend(brings);
        let reads = self.current(&Lineage::new(&self.records.branches, touch.branch, entry));
        let decided = (about.trimmed(), reads.and_then(content));
        if let Some(n) = self.decisions.get(&decided) {
            return *n;
        }
        let n = self.change();
        self.decisions.insert(decided, n);
        n
    }

    /// Returns the changes that a merge or a cherry-pick brings, and whether it decides. A cherry-pick does, whatever a
    /// merge would do. A merge does if each side has changes that the other does not include.
    fn taken(&self, taking: &Taking) -> (Set, bool) {
        let mut set = Set::default();
        for (branch, step) in self.on(&taking.source) {
            let is_inherited = taking.into.as_ref().is_some_and(|(into, _)| into.holds(branch, step.entry));
            let is_undone = || taking.undone.iter().any(|group| group.holds(branch, step.entry));
            if !is_inherited && !is_undone() {
                step.adds.add_to(&mut set);
            }
        }
        let Some((into, undone)) = &taking.into else { return (set, true) };
        if set.is_empty() {
            return (set, false);
        }
        let undone = [undone.as_slice(), &taking.undone].concat();
        let [ours, theirs] = [into, &taking.source].map(|lineage| self.included(lineage, &undone).set);
        match theirs.is_within(&ours) {
            true => (Set::default(), false),
            false => (set, !ours.is_within(&theirs)),
        }
    }

    /// Returns the steps on a lineage, oldest first, each with its branch.
    fn on<'s>(&'s self, lineage: &'s Lineage) -> impl Iterator<Item = (&'s str, &'s Step)> {
        lineage.steps().iter().rev().flat_map(|(branch, last)| {
            let own = self.own.get(branch.as_str()).into_iter().flatten();
            own.take_while(|step| step.entry <= *last).map(|step| (branch.as_str(), step))
        })
    }

    /// Returns the steps on a lineage without those of undone commits.
    fn counting<'s>(&'s self, lineage: &'s Lineage, undone: &'s [Group]) -> impl Iterator<Item = &'s Step> {
        self.on(lineage)
            .filter(|(branch, step)| !undone.iter().any(|group| group.holds(branch, step.entry)))
            .map(|(_, step)| step)
    }

    /// Returns the version that is current on a lineage.
    pub(super) fn current(&self, lineage: &Lineage) -> Option<MemoryId> {
        self.lives.state(lineage).current()
    }

    /// Returns what a lineage includes, without undone commits.
    pub(super) fn included(&self, lineage: &Lineage, undone: &[Group]) -> Included {
        let mut included = Included::default();
        for step in self.counting(lineage, undone) {
            included.add(&step.adds, step);
        }
        included
    }

    /// Returns the version that a lineage read after the last of the changes that it includes.
    pub(super) fn reads(&self, lineage: &Lineage, included: &Included) -> Option<MemoryId> {
        self.current(&lineage.up_to(included.touched?))
    }

    /// Returns whether one side includes only changes that the other includes too.
    pub(super) fn is_within(&self, one: &Included, other: &Included, how: Equal) -> bool {
        self.set(&one.set, how).is_within(&self.set(&other.set, how))
    }

    fn set<'s>(&self, set: &'s Set, how: Equal) -> Cow<'s, Set> {
        match how {
            Equal::Same => Cow::Borrowed(set),
            Equal::Alike => {
                let mut alike = Set::default();
                set.numbers().for_each(|n| alike.insert(self.alike[n]));
                Cow::Owned(alike)
            }
        }
    }

    fn adds<'s>(&self, adds: &'s Adds, how: Equal) -> Cow<'s, Adds> {
        match (how, adds) {
            (Equal::Same, adds) => Cow::Borrowed(adds),
            (Equal::Alike, Adds::One(n)) => Cow::Owned(Adds::One(self.alike[*n])),
            (Equal::Alike, Adds::Many(set)) => Cow::Owned(Adds::Many(self.set(set, how).into_owned())),
        }
    }

    /// Returns the last common states of two sides: what any branch read when it included only changes that both sides
    /// include, and as many of those as any. `undone` are the commits that count on neither side.
    pub(super) fn common(
        &self,
        one: &Included,
        other: &Included,
        undone: &[Group],
        how: Equal,
    ) -> Vec<Option<MemoryId>> {
        let both = self.set(&one.set, how).both(&self.set(&other.set, how));
        let mut common: Vec<(Included, Option<MemoryId>)> = vec![(Included::default(), None)];
        for branch in &self.records.branches {
            let lineage = Lineage::new(&self.records.branches, &branch.name, EntryId::MAX);
            let mut undone = undone.to_vec();
            undone.extend(self.records.undone(&lineage));
            let mut included = Included::default();
            for step in self.counting(&lineage, &undone) {
                let adds = self.adds(&step.adds, how);
                if !adds.is_within(&both) {
                    break;
                }
                included.add(&adds, step);
            }
            if common.iter().all(|(other, _)| !included.set.is_within(&other.set)) {
                common.retain(|(other, _)| !other.set.is_within(&included.set));
                let reads = self.reads(&lineage, &included);
                common.push((included, reads));
            }
        }
        common.into_iter().map(|(_, reads)| reads).collect()
    }
}

/// Which changes count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equal {
    /// Only a change itself.
    Same,
    /// Also removals of the same version.
    Alike,
}

/// Returns what each group did to the slot, by its last entry.
fn touches<'a>(lives: &'a Lives, about: &[&'a Record]) -> BTreeMap<EntryId, Touch<'a>> {
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
    for record in about {
        for (branch, entry) in &record.resolved_by {
            let touch = touches.entry(*entry).or_default();
            touch.branch = branch;
            touch.resolves.push(record);
        }
    }
    touches
}
