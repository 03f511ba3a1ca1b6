//! The zone returns texts byte for byte: a view shows the saved text, and undo restores the earlier view, for any text:
//! repeated lines, blank lines, white space, foreign line ends and scripts.

use memtape::{At, Config, Durability, ErrorKind, Mode, Session, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::dump::dump;
use memtape_testkit::laws::copy_tape;
use memtape_testkit::workspace::options;
use proptest::prelude::*;

/// A command on a branch.
#[derive(Clone, Debug)]
enum Step {
    Save(String),
    Append(String),
    /// Adds to the note of a day of the month.
    Daily(String, i8),
    /// Forgets one of the lines that are shown.
    Forget(usize),
    ForgetDay(i8),
    Clear,
    Undo,
    /// Reverts the last change.
    Revert,
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0_u8..3).prop_map(|n| ["alpha", "beta", "- gamma"][usize::from(n)].to_owned()),
        3 => Just(String::new()),
        1 => Just("  alpha".to_owned()),
        1 => Just("beta \t ".to_owned()),
        1 => Just("   ".to_owned()),
        1 => Just("的茶 ☕ e\u{301}\u{202e}\u{feff}".to_owned()),
        1 => Just("a\rb\u{85}\u{2028}c\u{a0}".to_owned()),
        1 => "[a-z~@#]{1,5}",
        1 => Just("very long ".repeat(2_000)),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec((line(), prop_oneof![6 => Just("\n"), 1 => Just("\r\n")]), 0..9);
    lines.prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end.to_owned()]).collect())
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => text().prop_map(Step::Save),
        3 => text().prop_map(Step::Append),
        3 => (prop_oneof![text(), Just("twice".to_owned())], 1..3_i8).prop_map(|(text, day)| Step::Daily(text, day)),
        3 => (0..20_usize).prop_map(Step::Forget),
        1 => (1..3_i8).prop_map(Step::ForgetDay),
        1 => Just(Step::Clear),
        6 => Just(Step::Undo),
        2 => Just(Step::Revert),
    ]
}

/// A workspace with a conversation on each of two branches.
struct World {
    test: TestWorkspace,
    /// The view before each change of a branch that is not undone.
    before: [Vec<String>; 2],
    /// The view before its last change, if that was no undo.
    last: [Option<String>; 2],
}

const NAMES: [&str; 2] = ["main", "other"];

fn session(branch: usize) -> Session {
    Session::parse(["cli:direct", "cli:other"][branch]).unwrap()
}

/// Returns the view of the zone on a branch.
fn shown(workspace: &Workspace, branch: usize) -> String {
    let at = workspace.at(&format!("{}@head", NAMES[branch])).unwrap();
    workspace.zone().view(&at).unwrap().0.export()
}

fn long_term(workspace: &Workspace, branch: usize) -> String {
    let at = workspace.at(&format!("{}@head", NAMES[branch])).unwrap();
    workspace.zone().view(&at).unwrap().0.long_term_text()
}

/// Returns the text that the zone keeps: without white space at the ends of lines, and without blank lines around it.
fn kept(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn day(day: i8) -> jiff::civil::Date {
    jiff::civil::date(2026, 2, day)
}

impl World {
    fn new() -> Self {
        let test = TestWorkspace::configured(Config { durability: Durability::Os, ..Config::default() });
        Self { test, before: Default::default(), last: Default::default() }
    }

    fn fork(&mut self) {
        self.last[1] = self.last[0].clone();
        let branches = self.test.workspace.branches().in_session(session(1));
        branches.create(NAMES[1], None, &At::head()).unwrap();
        branches.switch(NAMES[1], false).unwrap();
    }

    fn head(&self) -> u64 {
        self.test.workspace.status(&At::head()).unwrap().entries
    }

    fn step(&mut self, branch: usize, step: &Step) {
        // To revert an undo or a revert is to redo.
        if matches!(step, Step::Revert) && self.last[branch].is_none() {
            return;
        }
        let (before, head) = (shown(&self.test.workspace, branch), self.head());
        let workspace = &self.test.workspace;
        let zone = workspace.zone().in_session(session(branch));
        let branches = workspace.branches().in_session(session(branch));
        let done = match step {
            Step::Save(text) => zone.save(text, Mode::Replace).map(|_| ()),
            Step::Append(text) => zone.save(text, Mode::Append).map(|_| ()),
            Step::Daily(text, n) => zone.daily(text, Some(day(*n))).map(|_| ()),
            Step::Forget(n) => {
                let lines: Vec<&str> = before.lines().filter(|line| !line.trim().is_empty()).collect();
                let Some(n) = n.checked_rem(lines.len()) else { return };
                zone.forget_text(lines[n]).map(|_| ())
            }
            Step::ForgetDay(n) => zone.forget_day(day(*n)).map(|_| ()),
            Step::Clear => zone.clear().map(|_| ()),
            Step::Undo => branches.undo().map(|_| ()),
            Step::Revert => branches.revert(&At::head()).map(|_| ()),
        };
        let is_refused = |e: memtape::Error| {
            let kinds = [ErrorKind::Invalid, ErrorKind::NotFound, ErrorKind::Conflict];
            assert!(kinds.contains(&e.kind()), "{e}");
        };
        let is_done = done.map_err(is_refused).is_ok();
        let after = shown(workspace, branch);
        let last = self.last[branch].clone();
        if self.head() != head {
            let takes_back = matches!(step, Step::Undo | Step::Revert);
            self.last[branch] = (!takes_back).then(|| before.clone());
        }
        match step {
            Step::Undo => {
                let expected = self.before[branch].pop();
                assert_eq!(is_done, expected.is_some(), "whatever was done can be undone");
                assert_eq!(after, expected.unwrap_or(before), "an undo shows what was shown before");
                return;
            }
            Step::Revert if is_done => {
                assert_eq!(Some(&after), last.as_ref(), "so does a revert of the last change");
            }
            Step::Save(text) if is_done => {
                let long_term = long_term(workspace, branch);
                assert_eq!(long_term, kept(text), "what is saved is what is shown");
                let head = self.head();
                zone.save(&long_term, Mode::Replace).unwrap();
                assert_eq!(self.head(), head, "saving what is shown changes nothing");
            }
            _ => {}
        }
        if self.head() != head {
            self.before[branch].push(before);
        }
    }

    /// A rebuilt index shows the same.
    fn check_rebuilt(&self) {
        let copy = tempfile::tempdir().unwrap();
        copy_tape(self.test.path(), copy.path()).unwrap();
        let rebuilt = Workspace::open(copy.path(), options(&self.test.clock)).unwrap();
        assert_eq!(shown(&rebuilt, 0), shown(&self.test.workspace, 0));
        assert_eq!(dump(self.test.path()).unwrap(), dump(copy.path()).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn undo_restores_the_earlier_view(steps in proptest::collection::vec(step(), 1..25)) {
        let mut world = World::new();
        for step in &steps {
            world.step(0, step);
        }
        // All of it, back to the beginning.
        while !world.before[0].is_empty() {
            world.step(0, &Step::Undo);
        }
        world.check_rebuilt();
    }

    #[test]
    fn a_branch_merged_into_one_that_did_not_change_shows_its_lines_there(
        first in proptest::collection::vec(step(), 1..6),
        steps in proptest::collection::vec(step(), 1..12),
    ) {
        let mut world = World::new();
        for step in &first {
            world.step(0, step);
        }
        world.fork();
        for step in &steps {
            world.step(1, step);
        }
        let before = shown(&world.test.workspace, 0);
        let merged = world.test.workspace.branches().in_session(session(0)).merge(NAMES[1]).unwrap();
        // Each line as often as there; a moved line may be at its old position.
        let lines = |branch: usize| {
            let shown = shown(&world.test.workspace, branch);
            let mut lines: Vec<String> = shown.lines().map(str::to_owned).filter(|l| !l.trim().is_empty()).collect();
            lines.sort();
            lines
        };
        prop_assert_eq!(lines(0), lines(1));
        prop_assert_eq!(merged.conflicts, vec![]);
        if merged.commit.is_some() {
            world.before[0].push(before);
            world.step(0, &Step::Undo);
        }
    }
}
