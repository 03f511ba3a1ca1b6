//! A test workspace beside the naive reader: each step is done to both.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use memtape::{At, Config, Durability, Session, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::dump::dump;
use memtape_testkit::laws::copy_tape;
use memtape_testkit::workspace::options;

use super::known::{Change, Changes, Did, Group, How, Item, Says, Side, Source};
use super::shown::{place, seconds, view};
use super::steps::Step;

const MAIN: &str = "main";
/// The note that has a bullet for each kind of tea.
pub(crate) const TEAS: &str = "facts/teas.md";

/// A decision of a merge, a pick or a resolution about an item.
struct Decision {
    slot: String,
    /// The changes that it is about.
    about: Changes,
    /// What the item says after it.
    says: Option<Says>,
    write: u64,
}

/// A test workspace, and what a naive reader makes of the same commands.
pub(crate) struct World {
    pub(crate) test: TestWorkspace,
    pub(crate) writes: u64,
    pub(crate) now: u64,
    pub(crate) names: Vec<String>,
    pub(crate) sides: BTreeMap<String, Side>,
    pub(crate) groups: Vec<Group>,
    pub(crate) seen: Vec<(String, u64, BTreeSet<String>)>,
    decisions: Vec<Decision>,
    /// What was kept beside an item because of a conflict with a branch: the item, the branch and the root.
    pub(crate) kept_beside: BTreeSet<(String, String, u64)>,
}

/// A conversation that is on a branch.
pub(crate) fn session(branch: &str) -> Session {
    if branch == MAIN { Session::direct() } else { Session::parse(&format!("cli:{branch}")).unwrap() }
}

impl World {
    pub(crate) fn new() -> Self {
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
            decisions: Vec::new(),
            kept_beside: BTreeSet::new(),
        }
    }

    pub(crate) fn branch(&self, n: usize) -> String {
        self.names[n % self.names.len()].clone()
    }

    pub(crate) fn head(&self) -> u64 {
        self.test.workspace.status(&At::head()).unwrap().entries
    }

    /// Writes a version of an item on a branch; a copy has the root of its source.
    pub(crate) fn write(&mut self, branch: &str, slot: &str, says: Option<Says>, source: Source) -> Did {
        self.writes += 1;
        let (write, group) = (self.writes, self.groups.len());
        let side = self.sides.get_mut(branch).unwrap();
        let known = side.slots.entry(slot.to_owned()).or_default();
        let before = known.history.last().cloned();
        let root = match (&says, source, &before) {
            (Some(_), Source::Other(Some(root)), _) => root,
            (Some(_), ..) => write,
            (None, _, before) => before.as_ref().expect("what never was is not removed").root,
        };
        let place = says.as_ref().and_then(|_| place(&self.test.workspace, &format!("{branch}@head"), slot));
        if source == Source::Own {
            let removed_before =
                known.changes(&side.undone).iter().any(|change| change.removes == Some(root));
            let removes = Some(root).filter(|_| says.is_none() && !removed_before);
            known.include(group, Changes::from([Change { write, removes }]));
        }
        let item = Item { write, root, says, place, restores: None, source, group };
        known.history.push(item.clone());
        (slot.to_owned(), before, item)
    }

    /// Includes changes by the group that is being written, and a decision about them. One about the same changes, after
    /// which the item said the same, is the same.
    pub(crate) fn include(&mut self, branch: &str, slot: &str, mut changes: Changes, decides: bool) {
        let side = self.sides.get_mut(branch).unwrap();
        let known = side.slots.entry(slot.to_owned()).or_default();
        if decides {
            let mut about = known.changes(&side.undone);
            about.extend(&changes);
            let (slot, says) = (slot.to_owned(), known.says().cloned());
            let is_same =
                |other: &&Decision| (&other.slot, &other.about, &other.says) == (&slot, &about, &says);
            let same = self.decisions.iter().find(is_same).map(|decision| decision.write);
            let write = same.unwrap_or_else(|| {
                self.writes += 1;
                self.decisions.push(Decision { slot, about, says, write: self.writes });
                self.writes
            });
            changes.insert(Change { write, removes: None });
        }
        known.include(self.groups.len(), changes);
    }

    pub(crate) fn group(&mut self, branch: &str, did: Vec<Did>, back: Option<(How, usize)>) {
        let group = Group {
            entry: self.head(),
            branch: branch.to_owned(),
            did,
            back,
            is_revert: false,
            is_taking: false,
            includes: BTreeMap::new(),
        };
        let number = self.groups.len();
        self.groups.push(group);
        let side = self.sides.get_mut(branch).unwrap();
        side.groups.push(number);
        self.note_included();
    }

    /// Notes what the branch of the last group includes after it of the items that it changed.
    pub(crate) fn note_included(&mut self) {
        let Group { did, includes, branch, .. } = self.groups.last_mut().unwrap();
        let side = &self.sides[branch];
        let slots = did.iter().map(|(slot, ..)| slot);
        *includes = slots.map(|slot| (slot.clone(), side.get(slot).changes(&side.undone))).collect();
    }

    /// Writes the group of a merge, a pick or a resolution.
    pub(crate) fn taking(&mut self, branch: &str, did: Vec<Did>) {
        self.group(branch, did, None);
        self.groups.last_mut().unwrap().is_taking = true;
    }

    pub(crate) fn say(&mut self, branch: &str, slot: &str, says: Option<Says>) {
        let did = self.write(branch, slot, says, Source::Own);
        self.group(branch, vec![did], None);
    }

    pub(crate) fn apply(&mut self, step: &Step) {
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
            Step::Redo { branch } => self.redo(&self.branch(branch)),
        }
    }

    pub(crate) fn any_group(&self, n: usize) -> Option<(usize, Group)> {
        let number = n.checked_rem(self.groups.len())?;
        Some((number, self.groups[number].clone()))
    }

    /// Checks law 6: each branch shows the view of the naive model.
    pub(crate) fn check(&mut self) {
        let head = self.head();
        for name in self.names.clone() {
            let expected = self.sides[&name].view();
            assert_eq!(view(&self.test.workspace, &format!("{name}@head")), expected, "on {name}");
            self.seen.push((name, head, expected));
        }
    }

    /// Checks laws 5 and 1: earlier points still show the same, also with a rebuilt index.
    pub(crate) fn check_time(&self) {
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
