//! Law 6, *branches*, and laws 1 and 5 on branches: random commands on several branches, over facts, the zone,
//! statements and the sections of a note, against a naive reader who keeps for each branch and thing all that was ever said and all that is known.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use jiff::SignedDuration;
use memtape::ledger::{Named, Told};
use memtape::{
    Added, At, Audience, BlockName, Category, Config, Durability, ErrorKind, Form, Memory, OpenConflict,
    Resolution, Session, Workspace,
};
use memtape_testkit::TestWorkspace;
use memtape_testkit::dump::dump;
use memtape_testkit::laws::copy_tape;
use memtape_testkit::workspace::options;
use proptest::prelude::*;

const MAIN: &str = "main";
const BRANCHES: usize = 4;
/// The blocks that steps are about: one of the identity layer, one of the working layer.
const BLOCKS: [&str; 2] = ["persona", "goals"];
const DAY: &str = "2026-02-10";
/// The note that has a bullet for each kind of tea.
const TEAS: &str = "facts/teas.md";

/// What a version of a thing says.
#[derive(Clone, Debug, PartialEq)]
enum Says {
    /// A fact's value.
    Value(String),
    /// A line or piece stands.
    Text,
    /// How much a statement matters, when it was last told, and first.
    Told { importance: u8, last: u64, first: u64 },
    /// A bullet, of whose lines the first and the last change.
    Bullet([u8; 2]),
}

/// A state, by the write that began it: gone, or born.
type Node = (bool, u64);

/// What was said of a thing at some time.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    write: u64,
    node: Node,
    says: Option<Says>,
    /// The write that it restores.
    restores: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    history: Vec<Item>,
    knows: BTreeSet<Node>,
}

impl Known {
    fn says(&self) -> Option<&Says> {
        self.history.last().and_then(|item| item.says.as_ref())
    }

    /// Whether it is as a group left it, but for what was taken back since.
    fn is_as_left(&self, after: &Item) -> bool {
        let Some(mut now) = self.history.last() else { return false };
        if now.says.is_none() || after.says.is_none() {
            return now.says == after.says;
        }
        while let Some(restored) = now.restores {
            if now.write == after.write {
                break;
            }
            now = self.history.iter().find(|item| item.write == restored).unwrap();
        }
        now.write == after.write
    }

    fn known_to(&self, other: &Self) -> Option<Option<&Says>> {
        let known = self.history.iter().rev().find(|item| other.knows.contains(&item.node));
        known.map(|item| item.says.as_ref())
    }
}

#[derive(Clone, Debug)]
struct Left {
    id: u64,
    thing: String,
    /// Which branch was merged, or picked from; whether it was merged.
    source: (String, bool),
    theirs: Option<Item>,
    brings: BTreeSet<Node>,
}

#[derive(Clone, Debug, Default)]
struct Side {
    things: BTreeMap<String, Known>,
    left: Vec<Left>,
    settled: BTreeSet<u64>,
    /// The groups that stand on the lineage.
    groups: Vec<usize>,
}

impl Side {
    fn get(&self, thing: &str) -> Known {
        self.things.get(thing).cloned().unwrap_or_default()
    }

    fn says(&self, thing: &str) -> Option<Says> {
        self.things.get(thing).and_then(|known| known.says().cloned())
    }

    /// The open conflicts: of several about a thing with one branch the last.
    fn open(&self) -> Vec<Left> {
        let mut open: Vec<Left> = Vec::new();
        for left in self.left.iter().filter(|left| !self.settled.contains(&left.id)) {
            open.retain(|other| other.thing != left.thing || other.source.0 != left.source.0);
            open.push(left.clone());
        }
        open
    }

    fn view(&self) -> BTreeSet<String> {
        let standing = self.things.iter().filter_map(|(thing, known)| Some((thing, known.says()?)));
        standing
            .map(|(thing, says)| match says {
                Says::Value(value) => format!("{thing} = {value}"),
                Says::Text => thing.clone(),
                Says::Told { importance, last, first } => format!("{thing} {importance} {last} {first}"),
                Says::Bullet(lines) => {
                    format!("{thing} = {}", bullet(&thing["bullet ".len()..], *lines).trim_end())
                }
            })
            .collect()
    }
}

/// What a group did to a thing.
type Did = (String, Option<Item>, Item);

#[derive(Clone, Debug)]
struct Group {
    entry: u64,
    branch: String,
    did: Vec<Did>,
    undoes: bool,
    undone: bool,
}

/// A test workspace, and what a naive reader makes of the same commands.
struct World {
    test: TestWorkspace,
    writes: u64,
    now: u64,
    names: Vec<String>,
    sides: BTreeMap<String, Side>,
    groups: Vec<Group>,
    seen: Vec<(String, u64, BTreeSet<String>)>,
}

#[derive(Clone, Debug)]
enum Step {
    Fact { branch: usize, fact: u8, value: u8 },
    ForgetFact { branch: usize, fact: u8 },
    Line { branch: usize, line: u8 },
    ForgetLine { branch: usize, line: u8 },
    Note { branch: usize, note: u8 },
    ForgetNotes { branch: usize },
    Tell { branch: usize, statement: u8, importance: u8 },
    ForgetStatement { branch: usize, statement: u8 },
    Bullet { branch: usize, tea: u8, line: usize, value: u8 },
    RemoveBullet { branch: usize, tea: u8 },
    Block { branch: usize, block: usize, value: u8 },
    ForgetBlock { branch: usize, block: usize },
    Fork { branch: usize },
    Merge { source: usize, into: usize },
    Pick { group: usize, into: usize },
    Settle { branch: usize, conflict: usize, how: u8 },
    Revert { group: usize, branch: usize },
    Undo { branch: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let b = || 0..BRANCHES;
    prop_oneof![
        6 => (b(), 0..2_u8, 0..3_u8).prop_map(|(branch, fact, value)| Step::Fact { branch, fact, value }),
        2 => (b(), 0..2_u8).prop_map(|(branch, fact)| Step::ForgetFact { branch, fact }),
        2 => (b(), 0..3_u8).prop_map(|(branch, line)| Step::Line { branch, line }),
        2 => (b(), 0..3_u8).prop_map(|(branch, line)| Step::ForgetLine { branch, line }),
        2 => (b(), 0..2_u8).prop_map(|(branch, note)| Step::Note { branch, note }),
        1 => b().prop_map(|branch| Step::ForgetNotes { branch }),
        3 => (b(), 0..2_u8, 1..4_u8)
            .prop_map(|(branch, statement, importance)| Step::Tell { branch, statement, importance }),
        2 => (b(), 0..2_u8).prop_map(|(branch, statement)| Step::ForgetStatement { branch, statement }),
        6 => (b(), 0..2_u8, 0..2_usize, 0..3_u8)
            .prop_map(|(branch, tea, line, value)| Step::Bullet { branch, tea, line, value }),
        1 => (b(), 0..2_u8).prop_map(|(branch, tea)| Step::RemoveBullet { branch, tea }),
        4 => (b(), 0..BLOCKS.len(), 0..3_u8).prop_map(|(branch, block, value)| Step::Block { branch, block, value }),
        1 => (b(), 0..BLOCKS.len()).prop_map(|(branch, block)| Step::ForgetBlock { branch, block }),
        2 => b().prop_map(|branch| Step::Fork { branch }),
        8 => (b(), b()).prop_map(|(source, into)| Step::Merge { source, into }),
        3 => (0..100_usize, b()).prop_map(|(group, into)| Step::Pick { group, into }),
        4 => (b(), 0..10_usize, 0..4_u8).prop_map(|(branch, conflict, how)| Step::Settle { branch, conflict, how }),
        3 => (0..100_usize, b()).prop_map(|(group, branch)| Step::Revert { group, branch }),
        3 => b().prop_map(|branch| Step::Undo { branch }),
    ]
}

fn session(branch: &str) -> Session {
    if branch == MAIN { Session::direct() } else { Session::parse(&format!("cli:{branch}")).unwrap() }
}

fn fact(n: u8) -> String {
    format!("fact user likes{n}")
}

fn named(n: u8) -> Named {
    Named { subject: "user".into(), predicate: format!("likes{n}"), scope: Some("permanent".into()) }
}

fn told(n: u8, value: u8) -> Told {
    let Named { subject, predicate, scope } = named(n);
    Told {
        subject,
        predicate,
        object: format!("value{value}"),
        scope,
        confidence: 1.0,
        source: "user_explicit".into(),
        evidence: None,
        days: None,
        quarantined: None,
    }
}

/// A bullet as it stands in the note.
fn bullet(tea: &str, [first, last]: [u8; 2]) -> String {
    format!("- {tea}: steeps {first} minutes\n  in water\n  of {last}0 degrees\n")
}

/// The thing that a memory is a version of, in the naive reader's words.
fn thing_of(memory: &Memory) -> String {
    match memory.form {
        Form::Ledger => {
            let data: serde_json::Value = serde_json::from_str(memory.data.as_deref().unwrap()).unwrap();
            let scope = data["scope"].as_str().filter(|scope| *scope != "permanent");
            let topic = scope.map_or(String::new(), |scope| format!(" in {scope}"));
            format!(
                "fact {} {}{topic}",
                data["subject"].as_str().unwrap(),
                data["predicate"].as_str().unwrap()
            )
        }
        Form::Zone if memory.key.starts_with(DAY) => format!("note {}", memory.text),
        Form::Zone => format!("line {}", memory.text),
        Form::Blocks => format!("block {}", memory.key),
        Form::Notes => format!("bullet {}", memory.key.split_once('#').unwrap().1),
        _ => format!("said {}", memory.text),
    }
}

fn seconds(at: jiff::Timestamp) -> u64 {
    u64::try_from(at.as_second()).unwrap()
}

fn shown(memory: &Memory) -> String {
    let thing = thing_of(memory);
    let data = || serde_json::from_str::<serde_json::Value>(memory.data.as_deref().unwrap()).unwrap();
    match memory.form {
        Form::Ledger => format!("{thing} = {}", data()["object"].as_str().unwrap()),
        Form::Zone => thing,
        Form::Blocks | Form::Notes => format!("{thing} = {}", memory.text),
        _ => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tenths")]
            let importance = (memory.importance.unwrap() * 10.0).round() as u8;
            let since: jiff::Timestamp = data()["since"].as_str().unwrap().parse().unwrap();
            format!("{thing} {importance} {} {}", seconds(memory.said_at.unwrap()), seconds(since))
        }
    }
}

/// What a workspace shows on a branch at a point.
fn view(workspace: &Workspace, point: &str) -> BTreeSet<String> {
    let at = workspace.at(point).unwrap();
    let forms = [Form::Blocks, Form::Ledger, Form::Notes, Form::Zone, Form::Statements].into_iter();
    let memories = forms.flat_map(|form| workspace.memories(form, &Audience::owner(), &at).unwrap());
    let is_heading = |memory: &Memory| memory.form == Form::Notes && memory.key.ends_with('#');
    memories.filter(|memory| !is_heading(memory)).map(|memory| shown(&memory)).collect()
}

/// What becomes of a thing.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    Nothing,
    Takes(Option<Item>),
    Joins(Says),
    Conflict(Option<Item>),
}

/// The rule, told with sets of what is known. The base of a pick is what stood before it.
fn verdict(our: &Known, their: &Known) -> Verdict {
    let Some(theirs) = their.history.last() else { return Verdict::Nothing };
    let (known_of_theirs, known_of_ours) = (their.known_to(our), our.known_to(their));
    let is_unchanged = our.knows.contains(&theirs.node)
        || their.says() == known_of_theirs.flatten()
        || known_of_ours.is_some_and(|says| says == their.says())
        || our.says() == their.says();
    if is_unchanged {
        return Verdict::Nothing;
    }
    let ours_is_unchanged = our.history.last().is_some_and(|ours| their.knows.contains(&ours.node))
        || our.says() == known_of_ours.flatten()
        || known_of_theirs.is_some_and(|says| says == our.says());
    match ours_is_unchanged {
        true => Verdict::Takes(theirs.says.is_some().then(|| theirs.clone())),
        false => both_changed(known_of_theirs.flatten().or(known_of_ours.flatten()), our.says(), theirs),
    }
}

fn both_changed(base: Option<&Says>, ours: Option<&Says>, theirs: &Item) -> Verdict {
    match (ours, &theirs.says) {
        (Some(Says::Bullet(ours)), Some(Says::Bullet(lines))) => {
            let Some(Says::Bullet(base)) = base else { return Verdict::Conflict(Some(theirs.clone())) };
            let joined = [0, 1].map(|n| match (ours[n] == base[n], lines[n] == base[n]) {
                (true, _) => Some(lines[n]),
                (_, true) => Some(ours[n]),
                _ => (ours[n] == lines[n]).then_some(ours[n]),
            });
            match joined {
                [Some(first), Some(last)] if [first, last] == *ours => Verdict::Nothing,
                [Some(first), Some(last)] if [first, last] == *lines => Verdict::Takes(Some(theirs.clone())),
                [Some(first), Some(last)] => Verdict::Joins(Says::Bullet([first, last])),
                _ => Verdict::Conflict(Some(theirs.clone())),
            }
        }
        (
            Some(Says::Told { importance, last, first }),
            Some(Says::Told { importance: their_importance, last: their_last, first: their_first }),
        ) => {
            let joined = Says::Told {
                importance: *importance.max(their_importance),
                last: *last.max(their_last),
                first: *first.min(their_first),
            };
            match (Some(&joined) == ours, Some(&joined) == theirs.says.as_ref()) {
                (true, _) => Verdict::Nothing,
                (_, true) => Verdict::Takes(Some(theirs.clone())),
                _ => Verdict::Joins(joined),
            }
        }
        (_, says) => Verdict::Conflict(says.is_some().then(|| theirs.clone())),
    }
}

fn pick_verdict(our: &Known, before: Option<&Says>, after: &Item) -> Verdict {
    if our.knows.contains(&after.node) || after.says.as_ref() == before || our.says() == after.says.as_ref() {
        return Verdict::Nothing;
    }
    match our.says() == before {
        true => Verdict::Takes(after.says.is_some().then(|| after.clone())),
        false => both_changed(before, our.says(), after),
    }
}

impl World {
    fn new() -> Self {
        let test = TestWorkspace::configured(Config { durability: Durability::Os, ..Config::default() });
        let now = seconds(memtape::Clock::now(&test.clock));
        let notes = test.workspace.notes().in_session(session("setup"));
        notes.write(&notes.path(TEAS).unwrap(), "# Teas\n\n> Summary: every tea\n").unwrap();
        Self {
            test,
            writes: 0,
            now,
            names: vec![MAIN.into()],
            sides: BTreeMap::from([(MAIN.into(), Side::default())]),
            groups: Vec::new(),
            seen: Vec::new(),
        }
    }

    fn branch(&self, n: usize) -> String {
        self.names[n % self.names.len()].clone()
    }

    fn head(&self) -> u64 {
        self.test.workspace.status(&At::head()).unwrap().entries
    }

    /// Says something of a thing on a branch; a copy has its root's node.
    fn write(&mut self, branch: &str, thing: &str, says: Option<Says>, copies: Option<Node>) -> Did {
        self.writes += 1;
        let known = self.sides.get_mut(branch).unwrap().things.entry(thing.to_owned()).or_default();
        let before = known.history.last().cloned();
        let node = match (&says, &before) {
            (Some(_), _) => copies.unwrap_or((true, self.writes)),
            (None, Some(before)) => (false, before.node.1),
            (None, None) => panic!("what never was is not deleted"),
        };
        let item = Item { write: self.writes, node, says, restores: None };
        known.history.push(item.clone());
        known.knows.insert(node);
        (thing.to_owned(), before, item)
    }

    fn group(&mut self, branch: &str, did: Vec<Did>, undoes: bool) {
        let group = Group { entry: self.head(), branch: branch.to_owned(), did, undoes, undone: false };
        self.groups.push(group);
        let number = self.groups.len() - 1;
        self.sides.get_mut(branch).unwrap().groups.push(number);
    }

    fn say(&mut self, branch: &str, thing: &str, says: Option<Says>) {
        let did = self.write(branch, thing, says, None);
        self.group(branch, vec![did], false);
    }

    fn apply(&mut self, step: &Step) {
        self.test.clock.advance(SignedDuration::from_secs(1));
        self.now += 1;
        match *step {
            Step::Fact { .. } | Step::ForgetFact { .. } => self.facts(step),
            Step::Line { .. } | Step::ForgetLine { .. } | Step::Note { .. } | Step::ForgetNotes { .. } => {
                self.zone(step);
            }
            Step::Tell { .. } | Step::ForgetStatement { .. } => self.statements(step),
            Step::Bullet { .. } | Step::RemoveBullet { .. } => self.bullets(step),
            Step::Block { .. } | Step::ForgetBlock { .. } => self.blocks(step),
            Step::Fork { branch } => self.fork(&self.branch(branch)),
            Step::Merge { source, into } => self.merge(&self.branch(source), &self.branch(into)),
            Step::Pick { group, into } => self.pick(group, &self.branch(into)),
            Step::Settle { branch, conflict, how } => self.settle(&self.branch(branch), conflict, how),
            Step::Revert { group, branch } => self.revert(group, &self.branch(branch)),
            Step::Undo { branch } => self.undo(&self.branch(branch)),
        }
    }

    fn facts(&mut self, step: &Step) {
        match *step {
            Step::Fact { branch, fact: n, value } => {
                let branch = self.branch(branch);
                let told = told(n, value);
                self.test.workspace.ledger().in_session(session(&branch)).add(&told).unwrap();
                let says = Some(Says::Value(told.object));
                if self.sides[&branch].says(&fact(n)) != says {
                    self.say(&branch, &fact(n), says);
                }
            }
            Step::ForgetFact { branch, fact: n } => {
                let branch = self.branch(branch);
                let done = self.test.workspace.ledger().in_session(session(&branch)).forget(&named(n));
                match self.sides[&branch].says(&fact(n)) {
                    Some(_) => {
                        done.unwrap();
                        self.say(&branch, &fact(n), None);
                    }
                    None => assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound),
                }
            }
            _ => unreachable!(),
        }
    }

    fn zone(&mut self, step: &Step) {
        match *step {
            Step::Line { branch, line } => {
                let (branch, line) = (self.branch(branch), format!("remember {line}"));
                self.test.workspace.zone().in_session(session(&branch)).remember(&line).unwrap();
                let thing = format!("line {line}");
                if self.sides[&branch].says(&thing).is_none() {
                    self.say(&branch, &thing, Some(Says::Text));
                }
            }
            Step::ForgetLine { branch, line } => {
                let (branch, line) = (self.branch(branch), format!("remember {line}"));
                let done = self.test.workspace.zone().in_session(session(&branch)).forget_text(&line);
                let thing = format!("line {line}");
                match self.sides[&branch].says(&thing) {
                    Some(_) => {
                        done.unwrap();
                        self.say(&branch, &thing, None);
                    }
                    None => assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound),
                }
            }
            Step::Note { branch, note } => {
                let (branch, note) = (self.branch(branch), format!("note{note}"));
                let notes = self.notes(&branch);
                let text = if notes.is_empty() { format!("# {DAY}\n\n{note}") } else { note.clone() };
                let thing = format!("note {text}");
                if self.sides[&branch].says(&thing).is_none() {
                    self.test
                        .workspace
                        .zone()
                        .in_session(session(&branch))
                        .daily(&note, Some(DAY.parse().unwrap()))
                        .unwrap();
                    self.say(&branch, &thing, Some(Says::Text));
                }
            }
            Step::ForgetNotes { branch } => {
                let branch = self.branch(branch);
                let notes = self.notes(&branch);
                let done =
                    self.test.workspace.zone().in_session(session(&branch)).forget_day(DAY.parse().unwrap());
                assert_eq!(done.is_ok(), !notes.is_empty());
                if done.is_ok() {
                    let did = notes.iter().map(|thing| self.write(&branch, thing, None, None)).collect();
                    self.group(&branch, did, false);
                }
            }
            _ => unreachable!(),
        }
    }

    /// The pieces of the day's note that stand.
    fn notes(&self, branch: &str) -> Vec<String> {
        let things = self.sides[branch].things.iter();
        let notes = things.filter(|(thing, known)| thing.starts_with("note ") && known.says().is_some());
        notes.map(|(thing, _)| thing.clone()).collect()
    }

    fn statements(&mut self, step: &Step) {
        let text = |n: u8| format!("I like thing {n}");
        match *step {
            Step::Tell { branch, statement, importance } => {
                let branch = self.branch(branch);
                let text = text(statement);
                let added = Added {
                    importance: f64::from(importance) / 10.0,
                    ..Added::new(&text, Category::Preference)
                };
                self.test.workspace.statements().in_session(session(&branch)).add(&added).unwrap();
                let thing = format!("said {text}");
                let says = match self.sides[&branch].says(&thing) {
                    Some(Says::Told { importance: before, first, .. }) => {
                        Says::Told { importance: before.max(importance), last: self.now, first }
                    }
                    _ => Says::Told { importance, last: self.now, first: self.now },
                };
                self.say(&branch, &thing, Some(says));
            }
            Step::ForgetStatement { branch, statement } => {
                let branch = self.branch(branch);
                let thing = format!("said {}", text(statement));
                let statements = self.test.workspace.statements().in_session(session(&branch));
                let holding: Vec<_> = statements
                    .list(&memtape::Selection::default(), &At::head())
                    .unwrap()
                    .into_iter()
                    .filter(|held| held.memory.text == text(statement))
                    .map(|held| held.memory.reference())
                    .collect();
                assert_eq!(holding.len(), usize::from(self.sides[&branch].says(&thing).is_some()));
                if !holding.is_empty() {
                    statements.forget(&holding).unwrap();
                    self.say(&branch, &thing, None);
                }
            }
            _ => unreachable!(),
        }
    }

    fn blocks(&mut self, step: &Step) {
        let (branch, block, value) = match *step {
            Step::Block { branch, block, value } => (branch, block, Some(format!("value{value}"))),
            Step::ForgetBlock { branch, block } => (branch, block, None),
            _ => unreachable!(),
        };
        let (branch, name) = (self.branch(branch), BlockName::new(BLOCKS[block]).unwrap());
        let thing = format!("block {name}");
        let before = self.sides[&branch].says(&thing);
        let blocks = self.test.workspace.blocks().in_session(session(&branch));
        match &value {
            Some(value) => {
                blocks.set(&name, value, None).unwrap();
            }
            None if before.is_some() => blocks.forget(&name).unwrap(),
            None => assert_eq!(blocks.forget(&name).unwrap_err().kind(), ErrorKind::NotFound),
        }
        let says = value.map(Says::Value);
        if says != before {
            self.say(&branch, &thing, says);
        }
    }

    fn bullets(&mut self, step: &Step) {
        let (branch, tea, change) = match *step {
            Step::Bullet { branch, tea, line, value } => (branch, tea, Some((line, value))),
            Step::RemoveBullet { branch, tea } => (branch, tea, None),
            _ => unreachable!(),
        };
        let (branch, tea) = (self.branch(branch), format!("tea{tea}"));
        let thing = format!("bullet {tea}");
        let before = match self.sides[&branch].says(&thing) {
            Some(Says::Bullet(lines)) => Some(lines),
            _ => None,
        };
        let after = change.map(|(line, value)| {
            let mut lines = before.unwrap_or([value; 2]);
            lines[line] = value;
            lines
        });
        let notes = self.test.workspace.notes().in_session(session(&branch));
        let path = notes.path(TEAS).unwrap();
        let head = self.test.workspace.at(&format!("{branch}@head")).unwrap();
        let text = String::from_utf8(notes.read(&path, &head).unwrap().bytes()).unwrap();
        let [old, new] =
            [before, after].map(|lines| lines.map_or(String::new(), |lines| bullet(&tea, lines)));
        let text = match before {
            Some(_) => text.replacen(&old, &new, 1),
            None => text + &new,
        };
        notes.write(&path, &text).unwrap();
        if before != after {
            self.say(&branch, &thing, after.map(Says::Bullet));
        }
    }

    fn fork(&mut self, parent: &str) {
        if self.names.len() == BRANCHES {
            return;
        }
        let name = format!("b{}", self.names.len());
        let branches = self.test.workspace.branches().in_session(session(parent));
        branches.create(&name, None, &At::head()).unwrap();
        self.test.workspace.branches().in_session(session(&name)).switch(&name, false).unwrap();
        let side = self.sides[parent].clone();
        self.sides.insert(name.clone(), side);
        self.names.push(name);
    }

    fn merge(&mut self, source: &str, into: &str) {
        let branches = self.test.workspace.branches().in_session(session(into));
        if source == into {
            assert_eq!(branches.merge(source).unwrap_err().kind(), ErrorKind::Invalid);
            return;
        }
        let (ours, theirs) = (self.sides[into].clone(), self.sides[source].clone());
        let things: BTreeSet<String> = ours.things.keys().chain(theirs.things.keys()).cloned().collect();
        let (mut changes, mut left, mut settles, mut is_new) = (Vec::new(), Vec::new(), Vec::new(), false);
        for thing in &things {
            let source = (source.to_owned(), true);
            let open: Vec<_> = ours
                .left
                .iter()
                .filter(|left| {
                    left.thing == *thing && left.source == source && !ours.settled.contains(&left.id)
                })
                .collect();
            let verdict = verdict(&ours.get(thing), &theirs.get(thing));
            if let Verdict::Conflict(item) = &verdict {
                let node = item.as_ref().map(|item| item.node);
                is_new |= !open.iter().any(|left| left.theirs.as_ref().map(|item| item.node) == node);
                left.push((thing.clone(), item.clone()));
                continue;
            }
            settles.extend(open.iter().map(|left| left.id));
            if verdict != Verdict::Nothing {
                changes.push((thing.clone(), verdict));
            }
        }
        let would = branches.would_merge(source).unwrap();
        let before = self.head();
        let done = branches.merge(source).unwrap();
        let count = (done.changed.len(), done.conflicts.len() + done.still_open.len(), done.settled);
        assert_eq!(count, (changes.len(), left.len(), settles.len()), "{source} into {into}: {done:?}");
        assert_eq!(
            (would.changed, would.conflicts, would.still_open),
            (done.changed, done.conflicts, done.still_open)
        );
        let is_empty = changes.is_empty() && settles.is_empty() && !is_new;
        assert_eq!(done.commit.is_none(), is_empty);
        if is_empty {
            assert_eq!(self.head(), before);
            return;
        }
        let did = changes.into_iter().map(|(thing, verdict)| self.take(into, &thing, verdict)).collect();
        self.group(into, did, false);
        self.settled(into, &settles);
        for (thing, item) in &left {
            let brings = theirs.get(thing).knows;
            self.leave(into, (source, true), thing, item.clone(), brings);
        }
        let side = self.sides.get_mut(into).unwrap();
        side.settled.extend(theirs.settled.iter().copied());
        for thing in things.iter().filter(|thing| left.iter().all(|(other, _)| other != *thing)) {
            let knows = &mut side.things.entry(thing.clone()).or_default().knows;
            knows.extend(theirs.get(thing).knows);
        }
    }

    fn take(&mut self, into: &str, thing: &str, verdict: Verdict) -> Did {
        match verdict {
            Verdict::Takes(Some(item)) => self.write(into, thing, item.says, Some(item.node)),
            Verdict::Takes(None) => self.write(into, thing, None, None),
            Verdict::Joins(says) => self.write(into, thing, Some(says), None),
            other => panic!("{other:?} changes nothing"),
        }
    }

    fn leave(
        &mut self,
        into: &str,
        source: (&str, bool),
        thing: &str,
        theirs: Option<Item>,
        brings: BTreeSet<Node>,
    ) {
        self.writes += 1;
        let left = Left {
            id: self.writes,
            thing: thing.to_owned(),
            source: (source.0.to_owned(), source.1),
            theirs,
            brings,
        };
        self.sides.get_mut(into).unwrap().left.push(left);
    }

    fn settled(&mut self, branch: &str, ids: &[u64]) {
        let side = self.sides.get_mut(branch).unwrap();
        for left in side.left.iter().filter(|left| ids.contains(&left.id)) {
            let knows = &mut side.things.entry(left.thing.clone()).or_default().knows;
            knows.extend(left.brings.iter().copied());
        }
        side.settled.extend(ids.iter().copied());
    }

    fn any_group(&self, n: usize) -> Option<(usize, Group)> {
        let number = n.checked_rem(self.groups.len())?;
        Some((number, self.groups[number].clone()))
    }

    fn pick(&mut self, group: usize, into: &str) {
        let Some((_, group)) = self.any_group(group) else { return };
        let ours = self.sides[into].clone();
        let (mut changes, mut left, mut still_open) = (Vec::new(), Vec::new(), 0);
        for (thing, before, after) in &group.did {
            let before = before.as_ref().and_then(|item| item.says.as_ref());
            match pick_verdict(&ours.get(thing), before, after) {
                Verdict::Nothing => {}
                Verdict::Conflict(item) => {
                    let node = item.as_ref().map(|item| item.node);
                    let mut open =
                        ours.left.iter().filter(|l| l.thing == *thing && !ours.settled.contains(&l.id));
                    match open.any(|left| left.theirs.as_ref().map(|item| item.node) == node) {
                        true => still_open += 1,
                        false => left.push((thing.clone(), item, after.node)),
                    }
                }
                verdict => changes.push((thing.clone(), verdict)),
            }
        }
        let at = self.test.workspace.at(&format!("@{}", group.entry)).unwrap();
        let done = self.test.workspace.branches().in_session(session(into)).cherry_pick(&at);
        if group.did.is_empty() {
            // It settled something only: it is a commit, and has nothing to give.
            assert_eq!(done.unwrap().commit, None);
            return;
        }
        let done = done.unwrap();
        let count = (done.changed.len(), done.conflicts.len(), done.still_open.len());
        assert_eq!(count, (changes.len(), left.len(), still_open), "@{} into {into}: {done:?}", group.entry);
        if changes.is_empty() && left.is_empty() {
            assert_eq!(done.commit, None);
            return;
        }
        let did = changes.into_iter().map(|(thing, verdict)| self.take(into, &thing, verdict)).collect();
        self.group(into, did, false);
        for (thing, item, node) in left {
            self.leave(into, (&group.branch, false), &thing, item, BTreeSet::from([node]));
        }
    }

    fn open(&self, branch: &str) -> Vec<OpenConflict> {
        let at = self.test.workspace.at(&format!("{branch}@head")).unwrap();
        self.test.workspace.branches().conflicts(&at).unwrap()
    }

    fn settle(&mut self, branch: &str, conflict: usize, how: u8) {
        let open = self.open(branch);
        let naive = self.sides[branch].open();
        assert_eq!(open.len(), naive.len(), "open on {branch}: {open:?} {naive:?}");
        if open.is_empty() {
            return;
        }
        let conflict = &open[conflict % open.len()];
        let side = conflict.theirs.as_ref().or(conflict.base.as_ref()).or(conflict.ours.as_ref()).unwrap();
        let thing = thing_of(side);
        let left = naive.iter().find(|l| l.thing == thing && l.source.0 == conflict.source).unwrap().clone();
        let all = self.sides[branch].left.iter();
        let ids: Vec<u64> = all
            .filter(|l| {
                l.thing == thing && l.source.0 == left.source.0 && !self.sides[branch].settled.contains(&l.id)
            })
            .map(|left| left.id)
            .collect();
        let ours = self.sides[branch].says(&thing);
        let is_fact = thing.starts_with("fact");
        let how = match how {
            0 => Resolution::Ours,
            1 => Resolution::Theirs,
            2 => Resolution::Both,
            _ => Resolution::Value(format!("settled{}", self.now)),
        };
        let reference = memtape::Ref { entry: Some(conflict.commit), ..conflict.reference.clone() };
        let done = self.test.workspace.branches().in_session(session(branch)).resolve(&reference, &how);
        let their_says = left.theirs.as_ref().and_then(|item| item.says.clone());
        let mut did = Vec::new();
        match how {
            Resolution::Ours => {}
            Resolution::Theirs if their_says == ours => {}
            Resolution::Theirs => {
                did.push(self.write(branch, &thing, their_says, left.theirs.map(|item| item.node)));
            }
            Resolution::Value(_) | Resolution::Both if !is_fact => {
                assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
                return;
            }
            Resolution::Value(value) => did.push(self.write(branch, &thing, Some(Says::Value(value)), None)),
            Resolution::Both if their_says.is_none() || ours.is_none() => {
                assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
                return;
            }
            Resolution::Both => {
                let beside = match thing.split_once(" in ") {
                    Some(_) => format!("{thing}/{}", left.source.0),
                    None => format!("{thing} in {}", left.source.0),
                };
                did.push(self.write(branch, &beside, their_says, None));
            }
        }
        done.unwrap();
        self.group(branch, did, false);
        self.settled(branch, &ids);
    }

    /// What brings back what was before a group; `None` where something was built on it.
    fn back(&self, group: &Group, branch: &str) -> Option<Vec<(String, Option<Item>)>> {
        let did = group.did.iter();
        did.map(|(thing, before, after)| {
            let is_so = self.sides[branch].get(thing).is_as_left(after);
            is_so.then(|| (thing.clone(), before.clone().filter(|item| item.says.is_some())))
        })
        .collect()
    }

    fn take_back(&mut self, branch: &str, back: Vec<(String, Option<Item>)>, undoes: bool) {
        let did = back.into_iter().map(|(thing, before)| -> Did {
            let restores = before.as_ref().map(|item| item.write);
            let did = self.write(branch, &thing, before.and_then(|item| item.says), None);
            let known = self.sides.get_mut(branch).unwrap().things.get_mut(&thing).unwrap();
            known.history.last_mut().unwrap().restores = restores;
            (did.0, did.1, known.history.last().unwrap().clone())
        });
        let did = did.collect();
        self.group(branch, did, undoes);
    }

    fn revert(&mut self, group: usize, branch: &str) {
        let Some((number, group)) = self.any_group(group) else { return };
        let at = self.test.workspace.at(&format!("@{}", group.entry)).unwrap();
        let done = self.test.workspace.branches().in_session(session(branch)).revert(&at);
        if !self.sides[branch].groups.contains(&number) || group.did.is_empty() {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
            return;
        }
        match self.back(&group, branch) {
            None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict),
            Some(back) => {
                assert_eq!(done.unwrap().changed.len(), back.len());
                self.take_back(branch, back, false);
            }
        }
    }

    fn undo(&mut self, branch: &str) {
        let last = self.groups.iter().rposition(|group| {
            group.branch == branch && !group.undoes && !group.undone && !group.did.is_empty()
        });
        let done = self.test.workspace.branches().in_session(session(branch)).undo();
        let Some(last) = last else {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound);
            return;
        };
        match self.back(&self.groups[last].clone(), branch) {
            None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict),
            Some(back) => {
                let done = done.unwrap();
                assert_eq!((done.entry, done.changed.len()), (self.groups[last].entry, back.len()));
                self.groups[last].undone = true;
                self.take_back(branch, back, true);
            }
        }
    }

    /// Law 6: each branch shows what the naive reader says.
    fn check(&mut self) {
        let head = self.head();
        for name in self.names.clone() {
            let expected = self.sides[&name].view();
            assert_eq!(view(&self.test.workspace, &format!("{name}@head")), expected, "on {name}");
            self.seen.push((name, head, expected));
        }
    }

    /// Laws 5 and 1: what was seen is seen still, also by an index that is built anew.
    fn check_time(&self) {
        let copy = tempfile::tempdir().unwrap();
        copy_tape(self.test.path(), copy.path()).unwrap();
        let rebuilt = Workspace::open(copy.path(), options(&self.test.clock)).unwrap();
        for (name, entry, expected) in &self.seen {
            let point = format!("{name}@{entry}");
            assert_eq!(&view(&self.test.workspace, &point), expected, "at {point}");
            assert_eq!(&view(&rebuilt, &point), expected, "rebuilt, at {point}");
        }
        assert_eq!(dump(self.test.path()).unwrap(), dump(copy.path()).unwrap());
    }
}

fn run(steps: &[Step]) -> World {
    let mut world = World::new();
    for step in steps {
        world.apply(step);
        world.check();
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn branches_show_what_a_naive_reader_says(steps in proptest::collection::vec(step(), 1..50)) {
        let mut world = run(&steps);
        world.check_time();
        // The same merge twice changes nothing.
        for (source, into) in [(1, 0), (0, 1), (2, 1), (1, 2), (3, 0)] {
            let (source, into) = (world.branch(source), world.branch(into));
            world.merge(&source, &into);
            world.check();
            let head = world.head();
            world.merge(&source, &into);
            prop_assert_eq!(head, world.head());
        }
    }

    #[test]
    fn the_same_commands_write_the_same_bytes(steps in proptest::collection::vec(step(), 1..40)) {
        let [one, other] = [run(&steps), run(&steps)];
        let tape = |world: &World| fs::read_to_string(world.test.path().join("tape.jsonl")).unwrap();
        prop_assert_eq!(tape(&one), tape(&other));
    }
}
