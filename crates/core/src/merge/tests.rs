//! Checks the rule against a naive model, which keeps for each branch the set of everything it knows.

mod naive;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::EntryId;
use proptest::prelude::*;

use self::naive::{Decision, Did, Known, Left, Naive, THINGS, is_within};
use super::*;
use crate::commit::{Conflict, ConflictId};
use crate::fixtures;
use crate::forms;
use crate::lineage::{Branch, Lineage, MAIN};
use crate::memory::{Form, MemoryId};

/// The change of a slot by an entry: the states before and after.
#[derive(Clone, Debug)]
struct Group {
    entry: EntryId,
    branch: String,
    merge_key: usize,
    before: Option<u8>,
    after: Known,
}

/// The same tape twice: as the rule reads it, and as the naive model does.
struct World {
    last: EntryId,
    records: Records,
    lives: [Vec<Life>; THINGS],
    memories: BTreeMap<MemoryId, Memory>,
    naive: BTreeMap<String, Naive>,
    /// The decisions about each slot.
    decisions: [Vec<Decision>; THINGS],
    /// All states that a slot ever had on any branch.
    seen: [Vec<Known>; THINGS],
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
enum Step {
    Set { branch: usize, merge_key: usize, says: u8 },
    Delete { branch: usize, merge_key: usize },
    Fork { branch: usize },
    Merge { source: usize, into: usize },
    Pick { group: usize, into: usize },
    Settle { branch: usize, merge_key: usize, theirs: bool },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let branch = 0..4_usize;
    let merge_key = 0..THINGS;
    let step = prop_oneof![
        4 => (branch.clone(), merge_key.clone(), 0..3_u8)
            .prop_map(|(branch, merge_key, says)| Step::Set { branch, merge_key, says }),
        2 => (branch.clone(), merge_key.clone()).prop_map(|(branch, merge_key)| Step::Delete { branch, merge_key }),
        1 => branch.clone().prop_map(|branch| Step::Fork { branch }),
        5 => (branch.clone(), branch.clone()).prop_map(|(source, into)| Step::Merge { source, into }),
        2 => (0..100_usize, branch.clone()).prop_map(|(group, into)| Step::Pick { group, into }),
        2 => (branch, merge_key, any::<bool>())
            .prop_map(|(branch, merge_key, theirs)| Step::Settle { branch, merge_key, theirs }),
    ];
    proptest::collection::vec(step, 1..40)
}

fn memory(id: MemoryId, merge_key: usize, branch: &str, says: u8, copy_of: Option<MemoryId>) -> Memory {
    let memory = fixtures::memory(id, Form::LEDGER, &format!("thing{merge_key}"), &says.to_string());
    Memory { branch: branch.to_owned(), copy_of, ..memory }
}

impl World {
    fn new() -> Self {
        let main = Branch { name: MAIN.into(), ..Branch::default() };
        Self {
            last: 0,
            records: Records { branches: vec![main], ..Records::default() },
            lives: Default::default(),
            memories: BTreeMap::new(),
            naive: BTreeMap::from([(MAIN.to_owned(), Naive::default())]),
            decisions: Default::default(),
            seen: Default::default(),
            groups: Vec::new(),
        }
    }

    fn branch(&self, n: usize) -> String {
        self.records.branches[n % self.records.branches.len()].name.clone()
    }

    fn lineage(&self, branch: &str) -> Lineage {
        Lineage::new(&self.records.branches, branch, self.last)
    }

    fn lives(&self, merge_key: usize) -> Lives {
        Lives::new(self.lives[merge_key].clone())
    }

    fn state(&self, branch: &str, merge_key: usize) -> State {
        self.lives(merge_key).state(&self.lineage(branch))
    }

    fn content(&self, id: MemoryId) -> Option<String> {
        self.memories.get(&id).map(forms::content)
    }

    fn root(&self, merge_key: usize, id: MemoryId) -> MemoryId {
        self.lives(merge_key).root(id)
    }

    /// Writes one entry about a slot on both tapes: a version with a value, or a removal. It is a change, unless it is
    /// taken from another branch, as part of a group that [`World::commit`] ends.
    fn write(
        &mut self,
        branch: &str,
        merge_key: usize,
        says: Option<u8>,
        copy_of: Option<MemoryId>,
        is_taken: bool,
    ) {
        let current = self.lives(merge_key).current(&self.lineage(branch));
        let before = self.naive[branch].merge_keys[merge_key].says;
        self.last += 1;
        let (id, entry) = (MemoryId::new(self.last, 0), self.last);
        for life in self.lives[merge_key].iter_mut().filter(|life| current.contains(&life.id)) {
            life.retired.push(Removal { branch: branch.to_owned(), entry, group: entry });
        }
        if let Some(says) = says {
            self.memories.insert(id, memory(id, merge_key, branch, says, copy_of));
            let life = Life { id, branch: branch.to_owned(), group: entry, copy_of, retired: Vec::new() };
            self.lives[merge_key].push(life);
        }
        let removes = current.iter().max().filter(|_| says.is_none()).map(|id| self.root(merge_key, *id));
        let known = &mut self.naive.get_mut(branch).unwrap().merge_keys[merge_key];
        // A second removal, of what was written anew, is not like the first.
        let removes = removes.filter(|id| known.includes.iter().all(|did| did.removes != Some(*id)));
        known.says = says;
        if !is_taken {
            known.includes.insert(Did { entry, removes });
            let after = known.clone();
            self.groups.push(Group { entry, branch: branch.to_owned(), merge_key, before, after });
        }
    }

    /// Writes the commit of a group that begins after an entry.
    fn commit(&mut self, after: EntryId) {
        self.last += 1;
        let last = self.last;
        for life in self.lives.iter_mut().flatten() {
            let groups = life.retired.iter_mut().map(|by| &mut by.group).chain([&mut life.group]);
            groups.filter(|group| **group > after).for_each(|group| *group = last);
        }
    }

    /// Includes changes in those of a branch, and a decision about them. One about the same changes, after which the slot
    /// read the same, is the same.
    fn include(&mut self, branch: &str, merge_key: usize, changes: &BTreeSet<Did>, decides: bool) {
        let known = &mut self.naive.get_mut(branch).unwrap().merge_keys[merge_key];
        known.includes.extend(changes);
        if decides {
            let decisions = &mut self.decisions[merge_key];
            let same =
                decisions.iter().find(|decision| decision.about == *known).map(|decision| decision.did);
            let did = same.unwrap_or(Did { entry: self.last, removes: None });
            decisions.push(Decision { about: known.clone(), did });
            known.includes.insert(did);
        }
    }

    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Set { branch, merge_key, says } => {
                self.write(&self.branch(branch), merge_key, Some(says), None, false);
            }
            Step::Delete { branch, merge_key } => {
                let branch = self.branch(branch);
                if self.naive[&branch].merge_keys[merge_key].says.is_some() {
                    self.write(&branch, merge_key, None, None, false);
                }
            }
            Step::Fork { branch } => self.fork(&self.branch(branch)),
            Step::Merge { source, into } => {
                let (source, into) = (self.branch(source), self.branch(into));
                if source != into {
                    self.merge(&source, &into);
                }
            }
            Step::Pick { group, into } => self.pick(group, &self.branch(into)),
            Step::Settle { branch, merge_key, theirs } => {
                self.settle(&self.branch(branch), merge_key, theirs);
            }
        }
    }

    fn fork(&mut self, parent: &str) {
        if self.records.branches.len() == 4 {
            return;
        }
        let name = format!("b{}", self.records.branches.len());
        let branch =
            Branch { name: name.clone(), parent: Some((parent.to_owned(), self.last)), ..Branch::default() };
        self.records.branches.push(branch);
        self.naive.insert(name, self.naive[parent].clone());
        self.last += 1;
    }

    fn decide(&self, merge_key: usize, compared: &Compared, into: &str) -> Outcome {
        let current = self.lives(merge_key).current(&self.lineage(into)).into_iter();
        let current: Vec<_> = current.map(|id| self.memories[&id].clone()).collect();
        outcome(&merge_key_of(merge_key), compared, &current, &self.memories).unwrap()
    }

    fn merge(&mut self, source: &str, into: &str) {
        let (ours, theirs) = (self.lineage(into), self.lineage(source));
        let meeting = Meeting::new(&self.records, &ours, &theirs);
        let mut plan = Plan::default();
        for merge_key in 0..THINGS {
            let lives = self.lives(merge_key);
            let outcome = self.decide(merge_key, &meeting.compare(&lives, &|id| self.content(id)), into);
            plan.add(&merge_key_of(merge_key), outcome, &meeting.open_with(source, &lives), &lives);
        }
        plan.sort();
        let naive = self.naive_merge(source, into);
        let found: Vec<_> = (0..THINGS)
            .map(|merge_key| {
                let is_it = |other: &MergeKey| *other == merge_key_of(merge_key);
                let change = plan.changes.iter().find(|change| is_it(&change.merge_key));
                Found {
                    takes: change.map(|change| change.creates.as_ref().map(|creates| says(creates.memory()))),
                    conflict: plan.conflicts.iter().any(|(merge_key, _)| is_it(merge_key)),
                    still_open: plan.still_open.iter().any(|(merge_key, _)| is_it(merge_key)),
                }
            })
            .collect();
        assert_eq!((&found, &plan.settles), (&naive.0, &naive.1), "merging {source} into {into}");
        if plan.is_empty() {
            return;
        }
        let [ours_knew, theirs_knew] = [into, source].map(|branch| self.naive[branch].clone());
        let before = self.last;
        for change in &plan.changes {
            let (says, from) = match &change.creates {
                Some(creates) => (Some(says(creates.memory())), Some(creates.memory().id)),
                None => (None, None),
            };
            let merge_key = number(&change.merge_key);
            self.write(into, merge_key, says, from, true);
        }
        self.commit(before);
        let (entry, branch, source) = (self.last, into.to_owned(), source.to_owned());
        self.records.merges.push(Merged { entry, branch, source: source.clone(), head: before });
        self.settled(into, &plan.settles, false);
        let conflicts: Vec<_> = plan.left_open().map(|(merge_key, c)| (number(merge_key), *c)).collect();
        self.record(into, Some(&source), &conflicts, |merge_key| {
            theirs_knew.merge_keys[merge_key].includes.clone()
        });
        self.naive.get_mut(into).unwrap().settled.extend(theirs_knew.settled.iter().copied());
        for merge_key in
            (0..THINGS).filter(|merge_key| !found[*merge_key].conflict && !found[*merge_key].still_open)
        {
            let [our, their] = [&ours_knew, &theirs_knew].map(|knew| &knew.merge_keys[merge_key]);
            let is_decided = !is_within(&our.includes, &their.includes, false)
                && !is_within(&their.includes, &our.includes, false);
            let includes = their.includes.clone();
            self.include(into, merge_key, &includes, is_decided);
        }
    }

    /// Returns the result of the naive model: the outcome for each slot, and the conflicts it would resolve.
    fn naive_merge(&self, source: &str, into: &str) -> (Vec<Found>, Vec<ConflictId>) {
        let (ours, theirs) = (&self.naive[into], &self.naive[source]);
        let mut settles = Vec::new();
        let found = (0..THINGS).map(|n| {
            let (our, their) = (&ours.merge_keys[n], &theirs.merge_keys[n]);
            let open: Vec<_> =
                ours.open(n).into_iter().filter(|left| left.source.as_deref() == Some(source)).collect();
            let verdict = self.naive_verdict(n, our, their);
            let mut found = Found::default();
            match verdict {
                Some(true) => found.takes = Some(their.says),
                None => {
                    let theirs = self.state(source, n).current().map(|id| self.root(n, id));
                    found.still_open = open.iter().any(|left| left.theirs == theirs);
                    found.conflict = !found.still_open;
                }
                Some(false) => {}
            }
            if verdict.is_some() {
                settles.extend(open.iter().map(|left| left.id));
            }
            found
        });
        let found = found.collect();
        settles.sort();
        (found, settles)
    }

    fn record(
        &mut self,
        into: &str,
        source: Option<&str>,
        conflicts: &[(usize, Conflict)],
        brings: impl Fn(usize) -> BTreeSet<Did>,
    ) {
        for (n, (merge_key, conflict)) in (0_u32..).zip(conflicts) {
            let id = ConflictId { commit: self.last, n };
            let record = Record { id, branch: into.to_owned(), conflict: *conflict, resolved_by: Vec::new() };
            self.records.conflicts.push(record);
            let theirs = conflict.theirs.map(|id| self.root(*merge_key, id));
            let says = conflict.theirs.map(|id| says(&self.memories[&id]));
            let left = Left {
                id,
                merge_key: *merge_key,
                source: source.map(str::to_owned),
                theirs,
                says,
                brings: brings(*merge_key),
            };
            self.naive.get_mut(into).unwrap().left.push(left);
        }
    }

    /// Resolves conflicts. Unless a merge does so, that is a change.
    fn settled(&mut self, branch: &str, ids: &[ConflictId], is_change: bool) {
        for record in self.records.conflicts.iter_mut().filter(|record| ids.contains(&record.id)) {
            record.resolved_by.push((branch.to_owned(), self.last));
        }
        let left: Vec<_> =
            self.naive[branch].left.iter().filter(|left| ids.contains(&left.id)).cloned().collect();
        for merge_key in 0..THINGS {
            let of_it = left.iter().filter(|left| left.merge_key == merge_key);
            let includes = of_it.clone().flat_map(|left| &left.brings).copied().collect();
            let is_resolved = of_it.count() > 0;
            self.include(branch, merge_key, &includes, is_change && is_resolved);
        }
        self.naive.get_mut(branch).unwrap().settled.extend(ids.iter().copied());
    }

    fn pick(&mut self, group: usize, into: &str) {
        if self.groups.is_empty() {
            return;
        }
        let Group { entry, branch, merge_key, before: base, after } =
            self.groups[group % self.groups.len()].clone();
        let ours = self.lineage(into);
        let compared = Picking::new(&self.records, &ours, &branch, entry, entry)
            .compare(&self.lives(merge_key), &|id| self.content(id));
        let outcome = self.decide(merge_key, &compared, into);
        // The naive model: theirs is known, or its change is already current here.
        let our = &self.naive[into].merge_keys[merge_key];
        let is_nothing = is_within(&after.includes, &our.includes, false)
            || after.says == base
            || our.says == after.says
            || our.says != base && is_within(&after.includes, &our.includes, true);
        let last = self.last;
        match outcome {
            Outcome::Nothing => assert!(is_nothing),
            Outcome::Changes(change) => {
                assert!(!is_nothing && our.says == base);
                let from = change.creates.as_ref().map(|creates| creates.memory().id);
                self.write(into, merge_key, after.says, from, true);
                self.commit(last);
                self.include(into, merge_key, &after.includes, true);
            }
            Outcome::Conflict(conflict) => {
                assert!(!is_nothing && our.says != base);
                self.commit(last);
                self.record(into, None, &[(merge_key, conflict)], |_| after.includes.clone());
            }
        }
        if self.last > last {
            let (entry, branch, source, picked) = (self.last, into.to_owned(), branch, entry);
            self.records.picks.push(Picked { entry, branch, source, picked });
        }
    }

    fn settle(&mut self, branch: &str, merge_key: usize, theirs: bool) {
        let open = self.naive[branch].open(merge_key);
        let Some(last) = open.last().cloned() else { return };
        let ids: Vec<_> = open.iter().filter(|left| left.source == last.source).map(|left| left.id).collect();
        let stands = self.naive[branch].merge_keys[merge_key].says;
        let before = self.last;
        if theirs && last.says != stands {
            let record = self.records.conflicts.iter().find(|record| record.id == last.id).unwrap();
            let from = record.conflict.theirs;
            self.write(branch, merge_key, last.says, from, true);
        }
        self.commit(before);
        self.settled(branch, &ids, true);
    }

    /// Returns whether ours takes theirs; `None` if both changed.
    fn naive_verdict(&self, merge_key: usize, our: &Known, their: &Known) -> Option<bool> {
        let (ours, theirs) = (&our.includes, &their.includes);
        if is_within(theirs, ours, false) || our.says == their.says {
            return Some(false);
        }
        for is_alike in [false, true] {
            if is_within(theirs, ours, is_alike) {
                return Some(false);
            }
            if is_within(ours, theirs, is_alike) {
                return Some(true);
            }
            // The states with changes that both sides include, and of these the ones that no other goes beyond.
            let is_common = |seen: &&Known| {
                is_within(&seen.includes, ours, is_alike) && is_within(&seen.includes, theirs, is_alike)
            };
            let nothing = Known::default();
            let common: Vec<_> = self.seen[merge_key].iter().filter(is_common).chain([&nothing]).collect();
            let is_last = |seen: &Known| {
                let mut others = common.iter();
                others.all(|other| {
                    !is_within(&seen.includes, &other.includes, is_alike)
                        || is_within(&other.includes, &seen.includes, is_alike)
                })
            };
            let last: Vec<_> = common.iter().filter(|seen| is_last(seen)).map(|seen| seen.says).collect();
            let [base, others @ ..] = &last[..] else { unreachable!("nothing is common to all") };
            match (our.says == *base, their.says == *base) {
                _ if others.iter().any(|other| other != base) => {}
                (true, _) => return Some(true),
                (_, true) => return Some(false),
                _ => {}
            }
        }
        None
    }

    fn check(&mut self) {
        for naive in self.naive.values() {
            for (known, seen) in naive.merge_keys.iter().zip(&mut self.seen) {
                if !seen.contains(known) {
                    // What a branch reads depends only on the changes that it includes, not on the way they took.
                    let same = seen.iter().find(|other| other.includes == known.includes);
                    assert_eq!(same.map(|other| other.says), None, "{known:?} is read otherwise elsewhere");
                    seen.push(known.clone());
                }
            }
        }
        for (branch, naive) in &self.naive {
            for merge_key in 0..THINGS {
                let found = self.state(branch, merge_key).current().map(|id| says(&self.memories[&id]));
                assert_eq!(found, naive.merge_keys[merge_key].says, "thing {merge_key} on {branch}");
            }
        }
    }
}

/// The outcome for a slot: the version it takes, or whether it is a conflict.
#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    takes: Option<Option<u8>>,
    conflict: bool,
    still_open: bool,
}

fn says(memory: &Memory) -> u8 {
    memory.text.parse().unwrap()
}

fn merge_key_of(n: usize) -> MergeKey {
    MergeKey::new(Form::LEDGER, format!("thing{n}"), None)
}

fn number(merge_key: &MergeKey) -> usize {
    merge_key.key.strip_prefix("thing").unwrap().parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_rule_agrees_with_a_naive_reader_who_remembers_everything(steps in steps()) {
        let mut world = World::new();
        for step in &steps {
            world.apply(step);
            world.check();
        }
        // Merging the same branch again changes nothing.
        let names: Vec<_> = world.naive.keys().cloned().collect();
        for (source, into) in names.iter().flat_map(|a| names.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
            world.merge(source, into);
            world.check();
            let before = world.last;
            world.merge(source, into);
            prop_assert_eq!(before, world.last, "merging {} into {} twice", source, into);
        }
    }
}
