//! Checks the rule against a naive model, which keeps for each branch the set of everything it knows, and
//! against a table of what two sides may have done to one slot.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use memtape_tape::EntryId;
use proptest::prelude::*;

use super::*;
use crate::audience::Sensitivity;
use crate::commit::{Conflict, ConflictId};
use crate::lifetime::Lifetime;
use crate::lineage::{Branch, Lineage, MAIN};
use crate::memory::{Form, MemoryId};

/// A state of the naive model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    /// Whether the version is current, as opposed to deleted.
    is_current: bool,
    root: MemoryId,
    /// The entry of the deletion; 0 for a current version.
    deleted_by: EntryId,
    /// Whether it is a deletion that came from another branch.
    is_taken: bool,
}

impl Node {
    fn is_same(&self, other: &Self) -> bool {
        (self.is_current, self.root) == (other.is_current, other.root)
    }

    /// Returns whether they are the same, and not only two deletions that know nothing of each other.
    fn is_shared(&self, other: &Self) -> bool {
        let is_one = self.deleted_by == other.deleted_by || self.is_taken || other.is_taken;
        self.is_same(other) && is_one
    }
}

/// Whether two nodes are the same state.
type Same = fn(&Node, &Node) -> bool;

/// The naive model's record of a slot on a branch.
#[derive(Clone, Debug, Default)]
struct Known {
    history: Vec<(Node, Option<u8>)>,
    knows: BTreeSet<Node>,
}

impl Known {
    fn says(&self) -> Option<u8> {
        self.history.last().and_then(|(_, says)| *says)
    }

    fn push(&mut self, node: Node, says: Option<u8>) {
        self.history.push((node, says));
        self.knows.insert(node);
    }

    fn has(&self, node: &Node, is_same: Same) -> bool {
        self.knows.iter().any(|known| is_same(known, node))
    }

    /// The last value of this side that the other side knows; `None` if it knows none.
    fn known_to(&self, other: &Self, is_same: Same) -> Option<Option<u8>> {
        self.history.iter().rev().find(|(node, _)| other.has(node, is_same)).map(|(_, says)| *says)
    }
}

/// A conflict that a branch has seen recorded.
#[derive(Clone, Debug)]
struct Left {
    id: ConflictId,
    merge_key: usize,
    source: Option<String>,
    theirs: Option<Node>,
    says: Option<u8>,
    /// The states that become known when it is resolved.
    brings: BTreeSet<Node>,
}

#[derive(Clone, Debug, Default)]
struct Naive {
    merge_keys: [Known; THINGS],
    left: Vec<Left>,
    settled: BTreeSet<ConflictId>,
}

impl Naive {
    fn open(&self, merge_key: usize) -> Vec<Left> {
        let open =
            self.left.iter().filter(|left| left.merge_key == merge_key && !self.settled.contains(&left.id));
        open.cloned().collect()
    }
}

const THINGS: usize = 2;

/// The change of a slot by a group: the states before and after.
#[derive(Clone, Debug)]
struct Group {
    merge_key: usize,
    before: (State, Option<(Node, Option<u8>)>),
    after: (Option<Moment>, (Node, Option<u8>)),
}

/// The same tape twice: as the rule reads it, and as the naive model does.
struct World {
    last: EntryId,
    records: Records,
    lives: [Vec<Life>; THINGS],
    memories: BTreeMap<MemoryId, Memory>,
    naive: BTreeMap<String, Naive>,
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
    Memory {
        id,
        form: Form::LEDGER,
        key: format!("thing{merge_key}"),
        branch: branch.to_owned(),
        session: None,
        scope: String::new(),
        sensitivity: Sensitivity::Normal,
        origin: None,
        category: None,
        lifetime: Lifetime::Permanent,
        importance: None,
        confidence: None,
        expires_at: None,
        quarantined: None,
        copy_of,
        previous: None,
        said_at: None,
        created_at: Timestamp::UNIX_EPOCH,
        text: says.to_string(),
        data: None,
    }
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

    fn moment(&self, branch: &str, merge_key: usize) -> Option<Moment> {
        self.lives(merge_key).moments(&self.lineage(branch), &[]).pop()
    }

    fn node_of(&self, merge_key: usize, id: MemoryId) -> Node {
        Node { is_current: true, root: self.lives(merge_key).root(id), deleted_by: 0, is_taken: false }
    }

    /// Writes one entry about a slot on both tapes: a version with a value, or a deletion. `is_taken`: it comes from
    /// another branch.
    fn write(
        &mut self,
        branch: &str,
        merge_key: usize,
        says: Option<u8>,
        copy_of: Option<MemoryId>,
        is_taken: bool,
    ) {
        let before = self.state(branch, merge_key);
        let naive_before = self.naive[branch].merge_keys[merge_key].history.last().copied();
        let current = self.lives(merge_key).current(&self.lineage(branch));
        self.last += 1;
        let id = MemoryId::new(self.last, 0);
        for life in self.lives[merge_key].iter_mut().filter(|life| current.contains(&life.id)) {
            let (entry, group) = (self.last, self.last);
            life.retired.push(Removal { branch: branch.to_owned(), entry, group, is_taken });
        }
        if let Some(says) = says {
            self.memories.insert(id, memory(id, merge_key, branch, says, copy_of));
            let life = Life { id, branch: branch.to_owned(), group: self.last, copy_of, retired: Vec::new() };
            self.lives[merge_key].push(life);
        }
        let after = self.moment(branch, merge_key);
        let node = match after.as_ref().expect("something was written").state {
            State::Deleted(id) => {
                Node { is_current: false, deleted_by: self.last, is_taken, ..self.node_of(merge_key, id) }
            }
            State::Stands(id) => self.node_of(merge_key, id),
            State::Nothing => unreachable!(),
        };
        self.naive.get_mut(branch).unwrap().merge_keys[merge_key].push(node, says);
        self.groups.push(Group { merge_key, before: (before, naive_before), after: (after, (node, says)) });
    }

    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Set { branch, merge_key, says } => {
                self.write(&self.branch(branch), merge_key, Some(says), None, false);
            }
            Step::Delete { branch, merge_key } => {
                let branch = self.branch(branch);
                if self.naive[&branch].merge_keys[merge_key].says().is_some() {
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
        let current = self.lives(merge_key).current(&self.lineage(into));
        outcome(&merge_key_of(merge_key), compared, &current, &self.memories)
    }

    fn merge(&mut self, source: &str, into: &str) {
        let (ours, theirs) = (self.lineage(into), self.lineage(source));
        let meeting = Meeting::new(&self.records, &ours, &theirs);
        let mut plan = Plan::default();
        for merge_key in 0..THINGS {
            let lives = self.lives(merge_key);
            let outcome = self.decide(merge_key, &meeting.compare(&lives), into);
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
        let theirs_knew = self.naive[source].clone();
        for change in &plan.changes {
            let (says, from) = match &change.creates {
                Some(creates) => (Some(says(creates.memory())), Some(creates.memory().id)),
                None => (None, None),
            };
            let merge_key = number(&change.merge_key);
            self.write(into, merge_key, says, from, true);
        }
        let head = self.last;
        self.last += 1;
        let commit = self.last;
        let merged = Merged { entry: commit, branch: into.to_owned(), source: source.to_owned(), head };
        self.records.merges.push(merged);
        self.settled(into, &plan.settles);
        let conflicts: Vec<_> = plan.left_open().map(|(merge_key, c)| (number(merge_key), *c)).collect();
        self.record(into, Some(source), &conflicts, |merge_key| {
            theirs_knew.merge_keys[merge_key].knows.clone()
        });
        let ours = self.naive.get_mut(into).unwrap();
        ours.settled.extend(theirs_knew.settled.iter().copied());
        for merge_key in
            (0..THINGS).filter(|merge_key| !found[*merge_key].conflict && !found[*merge_key].still_open)
        {
            ours.merge_keys[merge_key].knows.extend(theirs_knew.merge_keys[merge_key].knows.iter().copied());
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
            let last = their.history.last().map(|(node, _)| *node);
            let verdict = naive_verdict(our, their);
            let mut found = Found::default();
            match verdict {
                Some(true) => found.takes = Some(their.says()),
                None => {
                    let theirs = their.says().and(last);
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
        brings: impl Fn(usize) -> BTreeSet<Node>,
    ) {
        for (n, (merge_key, conflict)) in (0_u32..).zip(conflicts) {
            let id = ConflictId { commit: self.last, n };
            let record = Record { id, branch: into.to_owned(), conflict: *conflict, resolved_by: Vec::new() };
            self.records.conflicts.push(record);
            let theirs = conflict.theirs.map(|id| self.node_of(*merge_key, id));
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

    fn settled(&mut self, branch: &str, ids: &[ConflictId]) {
        for record in self.records.conflicts.iter_mut().filter(|record| ids.contains(&record.id)) {
            record.resolved_by.push((branch.to_owned(), self.last));
        }
        let naive = self.naive.get_mut(branch).unwrap();
        for left in naive.left.iter().filter(|left| ids.contains(&left.id)) {
            naive.merge_keys[left.merge_key].knows.extend(left.brings.iter().copied());
        }
        naive.settled.extend(ids.iter().copied());
    }

    fn pick(&mut self, group: usize, into: &str) {
        if self.groups.is_empty() {
            return;
        }
        let Group { merge_key, before, after } = self.groups[group % self.groups.len()].clone();
        let (lives, ours) = (self.lives(merge_key), self.lineage(into));
        let about = self.records.about(&lives);
        let knowledge = self.records.knowledge_of(&about, &ours);
        let compared = Compared::picked(
            &lives,
            Side { lineage: &ours, knowledge: &knowledge },
            before.0,
            after.0.as_ref(),
        );
        let outcome = self.decide(merge_key, &compared, into);
        // The naive model: theirs is known, or its change is already current here.
        let our = &self.naive[into].merge_keys[merge_key];
        let base = before.1.and_then(|(_, says)| says);
        let (node, says_after) = after.1;
        let is_nothing = our.has(&node, Node::is_shared)
            || says_after == base
            || our.says() == says_after
            || our.says() != base && our.has(&node, Node::is_same);
        match outcome {
            Outcome::Nothing => assert!(is_nothing),
            Outcome::Changes(change) => {
                assert!(!is_nothing && our.says() == base);
                let from = change.creates.as_ref().map(|creates| creates.memory().id);
                self.write(into, merge_key, says_after, from, true);
                self.last += 1;
            }
            Outcome::Conflict(conflict) => {
                assert!(!is_nothing && our.says() != base);
                self.last += 1;
                self.record(into, None, &[(merge_key, conflict)], |_| {
                    BTreeSet::from([Node { is_taken: !node.is_current, ..node }])
                });
            }
        }
    }

    fn settle(&mut self, branch: &str, merge_key: usize, theirs: bool) {
        let open = self.naive[branch].open(merge_key);
        let Some(last) = open.last().cloned() else { return };
        let ids: Vec<_> = open.iter().filter(|left| left.source == last.source).map(|left| left.id).collect();
        let stands = self.naive[branch].merge_keys[merge_key].says();
        if theirs && last.says != stands {
            let record = self.records.conflicts.iter().find(|record| record.id == last.id).unwrap();
            let from = record.conflict.theirs;
            self.write(branch, merge_key, last.says, from, true);
        }
        self.last += 1;
        self.settled(branch, &ids);
    }

    fn check(&self) {
        for (branch, naive) in &self.naive {
            for merge_key in 0..THINGS {
                let found = self.state(branch, merge_key).current().map(|id| says(&self.memories[&id]));
                assert_eq!(found, naive.merge_keys[merge_key].says(), "thing {merge_key} on {branch}");
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

/// Returns whether ours takes theirs; `None` if both changed.
fn naive_verdict(our: &Known, their: &Known) -> Option<bool> {
    let last_is_known = |known: &Known, to: &Known, is_same| {
        known.history.last().is_some_and(|(node, _)| to.has(node, is_same))
    };
    if last_is_known(their, our, Node::is_shared) || our.says() == their.says() {
        return Some(false);
    }
    // What each side had from the other comes before deletions that both made.
    for is_same in [Node::is_shared, Node::is_same] {
        let (known_of_theirs, known_of_ours) = (their.known_to(our, is_same), our.known_to(their, is_same));
        // A side that knows of the item without ever having had it knows that it was deleted.
        let is_back = |says: Option<u8>| match (known_of_theirs, known_of_ours) {
            (None, None) => says.is_none(),
            (one, other) => one == Some(says) || other == Some(says),
        };
        if last_is_known(their, our, is_same) || is_back(their.says()) {
            return Some(false);
        }
        let ours_is_unchanged = last_is_known(our, their, is_same) || is_back(our.says());
        if ours_is_unchanged {
            return Some(true);
        }
    }
    None
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

/// Applies what one side did to a slot since the fork: each letter is a new value, `-` a deletion.
fn done(world: &mut World, branch: &str, steps: &str) {
    for step in steps.chars() {
        let says = (step != '-').then(|| u8::try_from(step).unwrap());
        world.write(branch, 0, says, None, false);
    }
}

/// Returns what merging `theirs` into `ours` does after each side changed the common state: `.` for nothing,
/// else the value taken (`-` for a deletion), or the two sides of a conflict.
fn meeting(had: &str, ours: &str, theirs: &str) -> String {
    let mut world = World::new();
    done(&mut world, MAIN, had);
    world.fork(MAIN);
    done(&mut world, MAIN, ours);
    done(&mut world, "b1", theirs);
    met(&world)
}

/// Returns what merging `b1` into main does to the first slot.
fn met(world: &World) -> String {
    let (our, their) = (world.lineage(MAIN), world.lineage("b1"));
    let compared = Meeting::new(&world.records, &our, &their).compare(&world.lives(0));
    let text = |id: Option<MemoryId>| id.map_or('-', |id| char::from(says(&world.memories[&id])));
    match world.decide(0, &compared, MAIN) {
        Outcome::Nothing => ".".to_owned(),
        Outcome::Changes(change) => text(change.creates.map(|creates| creates.memory().id)).to_string(),
        Outcome::Conflict(Conflict { ours, theirs, .. }) => format!("{}|{}", text(ours), text(theirs)),
    }
}

/// Returns a table with a row for our changes and a column for theirs: each letter is a value, `-` a
/// deletion.
fn table(had: &str, sides: &[&str]) -> String {
    let row = |head: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>6}")).collect();
        format!("{head:6}{cells}\n")
    };
    let name = |side: &&str| if side.is_empty() { "0".to_owned() } else { (*side).to_owned() };
    let head = row("", sides.iter().map(name).collect());
    let rows = sides
        .iter()
        .map(|ours| row(&name(ours), sides.iter().map(|theirs| meeting(had, ours, theirs)).collect()));
    head + &rows.collect::<String>()
}

#[test]
fn verdicts_for_an_item_that_both_sides_had() {
    let table = table("a", &["", "a", "b", "c", "ba", "-", "-a", "-b", "b-"]);
    expect_test::expect![[r#"
                   0     a     b     c    ba     -    -a    -b    b-
        0          .     .     b     c     .     -     .     b     -
        a          .     .     b     c     .     -     .     b     -
        b          .     .     .   b|c     .   b|-     .     .   b|-
        c          .     .   c|b     .     .   c|-     .   c|b   c|-
        ba         .     .     b     c     .     -     .     b     -
        -          .     .   -|b   -|c     .     .     .     b     .
        -a         .     .     b     c     .     -     .     b     -
        -b         .     .     .   b|c     .     .     .     .   b|-
        b-         .     .   -|b   -|c     .     .     .   -|b     .
    "#]]
    .assert_eq(&table);
}

#[test]
fn verdicts_for_an_item_that_neither_side_had() {
    let table = table("", &["", "a", "b", "a-", "a-b", "ab", "ab-", "ab-a", "a-a"]);
    expect_test::expect![[r#"
                   0     a     b    a-   a-b    ab   ab-  ab-a   a-a
        0          .     a     b     .     b     b     .     a     a
        a          .     .   a|b     .   a|b   a|b     .     .     .
        b          .   b|a     .     .     .     .     .   b|a   b|a
        a-         .     a     b     .     b     b     .     a     a
        a-b        .   b|a     .     .     .     .     .   b|a   b|a
        ab         .   b|a     .     .     .     .     .   b|a   b|a
        ab-        .     a     b     .     b     b     .     a     a
        ab-a       .     .   a|b     .   a|b   a|b     .     .     .
        a-a        .     .   a|b     .   a|b   a|b     .     .     .
    "#]]
    .assert_eq(&table);
}

/// A version that a group removes and creates again is not deleted: only the end of a group is a state.
#[test]
fn a_version_that_is_moved_is_not_deleted() {
    let mut world = World::new();
    done(&mut world, MAIN, "a");
    world.fork(MAIN);
    // Our group has one entry that removes the version, and one that creates it elsewhere.
    done(&mut world, MAIN, "-a");
    let group = world.last;
    for life in &mut world.lives[0] {
        life.retired.iter_mut().for_each(|by| by.group = group);
    }
    let lives = world.lives(0);
    let ours = world.lineage(MAIN);
    let removed = State::Deleted(world.lives[0][0].id);
    assert!(lives.moments(&ours, &[]).iter().all(|moment| moment.state != removed));
    assert!(!lives.is_known(removed, &world.records.knowledge(&ours)));
    done(&mut world, "b1", "-");
    assert_eq!(met(&world), "-");
    done(&mut world, "b1", "b");
    assert_eq!(met(&world), "b");
    done(&mut world, "b1", "-");
    done(&mut world, MAIN, "c");
    assert_eq!(met(&world), "c|-");
}

/// A deletion that was picked is known, so merging it later does not repeat it.
#[test]
fn a_deletion_that_was_picked_is_not_repeated() {
    let mut world = World::new();
    done(&mut world, MAIN, "a");
    world.fork(MAIN);
    done(&mut world, "b1", "-");
    world.pick(1, MAIN);
    assert_eq!(world.state(MAIN, 0).current(), None);
    done(&mut world, MAIN, "a");
    assert_eq!(met(&world), ".");
    world.pick(1, MAIN);
    assert!(world.state(MAIN, 0).current().is_some());
}
