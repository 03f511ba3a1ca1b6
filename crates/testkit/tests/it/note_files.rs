//! Files of notes stay whole: whatever is merged, picked, resolved, reverted or undone, a file has its title where either
//! side had one, a computed summary is that of the file's entries, and a person's summary stays.

use std::collections::BTreeMap;

use memtape::{At, Config, Durability, ErrorKind, NotePath, Origin, Resolution, Session, Workspace};
use memtape_core::forms::notes::summary;
use memtape_testkit::TestWorkspace;
use proptest::prelude::*;

const FILES: [&str; 2] = ["facts/tea.md", "episodes/2026-02.md"];
const NAMES: [&str; 2] = ["main", "other"];

#[derive(Clone, Debug)]
enum Step {
    /// A tool adds a bullet or a block.
    Append(usize, u8),
    /// A tool changes one.
    Change(usize, u8),
    /// A tool removes one.
    Remove(usize, u8),
    /// A tool writes the file anew with these.
    Write(usize, Vec<u8>),
    Delete(usize),
    /// A person writes the summary of the file.
    Summarize(usize, u8),
    Merge,
    /// Picks the last change of the other branch.
    Pick,
    /// Resolves a conflict.
    Resolve(usize, bool),
    Undo,
    Revert,
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let file = || 0..FILES.len();
    let n = || 0..4_u8;
    let step = prop_oneof![
        6 => (file(), n()).prop_map(|(file, n)| Step::Append(file, n)),
        3 => (file(), n()).prop_map(|(file, n)| Step::Change(file, n)),
        2 => (file(), n()).prop_map(|(file, n)| Step::Remove(file, n)),
        1 => (file(), proptest::collection::vec(n(), 1..4)).prop_map(|(file, n)| Step::Write(file, n)),
        2 => file().prop_map(Step::Delete),
        1 => (file(), 0..2_u8).prop_map(|(file, n)| Step::Summarize(file, n)),
        4 => Just(Step::Merge),
        4 => Just(Step::Pick),
        3 => (0..4_usize, any::<bool>()).prop_map(|(n, ours)| Step::Resolve(n, ours)),
        3 => Just(Step::Undo),
        2 => Just(Step::Revert),
    ];
    (0..2_usize, step)
}

fn entry(file: usize, n: u8, value: u8) -> String {
    if file == 0 { format!("- Tea {n}: steeps {value}\n") } else { format!("\n## Day {n}\n- Tea: {value}\n") }
}

fn title(file: usize) -> &'static str {
    ["# Tea Facts\n", "# 2026-02 Episodes\n"][file]
}

fn session(branch: usize) -> Session {
    Session::parse(["cli:direct", "cli:other"][branch]).unwrap()
}

/// A workspace with a conversation on each of two branches.
struct World {
    test: TestWorkspace,
}

impl World {
    fn new() -> Self {
        let test = TestWorkspace::configured(Config { durability: Durability::Os, ..Config::default() });
        let world = Self { test };
        world.step(0, &Step::Append(0, 0));
        let branches = world.test.workspace.branches().in_session(session(1));
        branches.create(NAMES[1], None, &At::head()).unwrap();
        branches.switch(NAMES[1], false).unwrap();
        world
    }

    fn path(&self, file: usize) -> NotePath {
        self.test.workspace.notes().path(FILES[file]).unwrap()
    }

    fn text(&self, branch: usize, file: usize) -> Option<String> {
        let at = self.test.workspace.at(&format!("{}@head", NAMES[branch])).unwrap();
        self.test.workspace.notes().read(&self.path(file), &at).ok().map(|file| file.text())
    }

    fn step(&self, branch: usize, step: &Step) -> bool {
        let workspace: &Workspace = &self.test.workspace;
        let tool = workspace.notes().in_session(session(branch)).writing_as(Origin::Assistant);
        let branches = workspace.branches().in_session(session(branch));
        let text = |file: usize| self.text(branch, file).unwrap_or_default();
        let done = match step {
            Step::Change(file, _) | Step::Remove(file, _) if text(*file).is_empty() => return false,
            Step::Append(file, n) if !text(*file).contains(entry(*file, *n, 0).lines().last().unwrap()) => {
                tool.append(&self.path(*file), &entry(*file, *n, 0), None).map(|_| ())
            }
            Step::Append(..) => return false,
            Step::Change(file, n) => {
                let value = [1, 2][branch];
                let changed = text(*file).replace(&entry(*file, *n, 0), &entry(*file, *n, value));
                tool.write(&self.path(*file), &changed).map(|_| ())
            }
            Step::Remove(file, n) => {
                let changed = text(*file).replace(&entry(*file, *n, 0), "");
                tool.write(&self.path(*file), &changed).map(|_| ())
            }
            Step::Write(file, of) => {
                let entries: String = of.iter().map(|n| entry(*file, *n, 0)).collect();
                tool.write(&self.path(*file), &format!("{}\n{entries}", title(*file))).map(|_| ())
            }
            Step::Delete(file) => tool.delete(&self.path(*file)).map(|_| ()),
            Step::Summarize(file, n) => {
                let before = text(*file);
                let own = format!("> Summary: in my words {n}");
                let line = before.lines().find(|line| line.starts_with("> Summary:")).map(str::to_owned);
                let Some(line) = line else { return false };
                let person = workspace.notes().in_session(session(branch));
                person.write(&self.path(*file), &before.replace(&line, &own)).map(|_| ())
            }
            Step::Merge => branches.merge(NAMES[1 - branch]).map(|_| ()),
            Step::Pick => branches
                .cherry_pick(&workspace.at(&format!("{}@head", NAMES[1 - branch])).unwrap())
                .map(|_| ()),
            Step::Resolve(n, ours) => {
                let at = workspace.at(&format!("{}@head", NAMES[branch])).unwrap();
                let open = branches.conflicts(&at).unwrap();
                let Some(n) = n.checked_rem(open.len()) else { return false };
                let how = if *ours { Resolution::Ours } else { Resolution::Theirs };
                let mut reference = open[n].reference.clone();
                reference.entry = Some(open[n].commit);
                branches.resolve(&reference, &how).map(|_| ())
            }
            Step::Undo => branches.undo().map(|_| ()),
            Step::Revert => {
                branches.revert(&workspace.at(&format!("{}@head", NAMES[branch])).unwrap()).map(|_| ())
            }
        };
        done.map_err(|e| {
            let kinds = [ErrorKind::Invalid, ErrorKind::NotFound, ErrorKind::Conflict];
            assert!(kinds.contains(&e.kind()), "{e}");
        })
        .is_ok()
    }

    /// Checks every file of a branch.
    fn check(&self, branch: usize) {
        for (file, path) in FILES.iter().enumerate() {
            let Some(text) = self.text(branch, file) else { continue };
            assert!(text.starts_with(title(file)), "{path} has its title:\n{text}");
            let own = summary::read(text.as_bytes());
            let computed = summary::of_entries(text.as_bytes());
            let is_own = own.as_ref().is_some_and(|own| own.starts_with("in my words"));
            if computed.is_some() {
                assert!(
                    is_own || own == computed,
                    "the summary of {path} is its own, or that of its entries:\n{text}"
                );
            }
        }
    }

    fn head(&self) -> u64 {
        self.test.workspace.status(&At::head()).unwrap().entries
    }

    fn texts(&self, branch: usize) -> BTreeMap<usize, String> {
        (0..FILES.len()).filter_map(|file| Some((file, self.text(branch, file)?))).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_have_their_titles_and_summaries(steps in proptest::collection::vec(step(), 1..30)) {
        let world = World::new();
        let mut before: [Vec<BTreeMap<usize, String>>; 2] = [Vec::new(), Vec::new()];
        let mut takes_back = [false; 2];
        for (branch, step) in &steps {
            let (texts, head) = (world.texts(*branch), world.head());
            // To revert an undo or a revert is to redo.
            if matches!(step, Step::Revert) && takes_back[*branch] {
                continue;
            }
            let done = world.step(*branch, step);
            world.check(*branch);
            if world.head() != head {
                takes_back[*branch] = matches!(step, Step::Undo | Step::Revert);
            }
            if matches!(step, Step::Undo) {
                // The changes that the fork shares were made before it, by the conversation on `main`.
                if let (true, Some(expected)) = (done, before[*branch].pop()) {
                    prop_assert_eq!(world.texts(*branch), expected, "an undo gives back every byte");
                }
            } else if world.head() != head {
                before[*branch].push(texts);
            }
        }
    }
}

fn write(test: &TestWorkspace, path: &str, text: &str) {
    let notes = test.workspace.notes();
    notes.write(&notes.path(path).unwrap(), text).unwrap();
}

fn read(test: &TestWorkspace, path: &str) -> String {
    let notes = test.workspace.notes();
    notes.read(&notes.path(path).unwrap(), &At::head()).unwrap().text()
}

/// Returns a workspace in which a branch deletes a file and `main` changes one of its bullets.
fn deleted_there_and_changed_here() -> TestWorkspace {
    let test = TestWorkspace::new();
    write(&test, USER, "# User Facts\n\n- Name: Ana\n- Role: developer\n");
    let other = test.workspace.branches().in_session(session(1));
    other.create(NAMES[1], None, &At::head()).unwrap();
    other.switch(NAMES[1], false).unwrap();
    let there = test.workspace.notes().in_session(session(1));
    there.delete(&there.path(USER).unwrap()).unwrap();
    write(&test, USER, "# User Facts\n\n> Summary: Name, Role\n\n- Name: Ana\n- Role: lead\n");
    test
}

const USER: &str = "facts/user.md";
const ROLE: &str = "# User Facts\n\n> Summary: Role\n- Role: lead\n";

#[test]
fn a_bullet_that_was_changed_keeps_its_heading_where_the_file_was_deleted() {
    let test = deleted_there_and_changed_here();
    let merged = test.workspace.branches().merge(NAMES[1]).unwrap();
    assert_eq!(merged.conflicts.len(), 1);
    assert_eq!(read(&test, USER), ROLE);
    // Deleting the last section deletes the file.
    let reference = "notes:facts/user.md#Role".parse().unwrap();
    test.workspace.branches().resolve(&reference, &Resolution::Theirs).unwrap();
    let path = test.workspace.notes().path(USER).unwrap();
    let gone = test.workspace.notes().read(&path, &At::head());
    assert_eq!(gone.unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_bullet_that_is_resolved_into_a_deleted_file_brings_its_heading() {
    let test = deleted_there_and_changed_here();
    let other = test.workspace.branches().in_session(session(1));
    assert_eq!(other.merge("main").unwrap().conflicts.len(), 1);
    let reference = "notes:facts/user.md#Role".parse().unwrap();
    other.resolve(&reference, &Resolution::Theirs).unwrap();
    let at = test.workspace.at("other@head").unwrap();
    let path = test.workspace.notes().path(USER).unwrap();
    assert_eq!(test.workspace.notes().read(&path, &at).unwrap().text(), ROLE);
}

#[test]
fn a_second_entry_that_is_picked_brings_its_title() {
    let test = TestWorkspace::new();
    let other = test.workspace.branches().in_session(session(1));
    other.create(NAMES[1], None, &At::head()).unwrap();
    other.switch(NAMES[1], false).unwrap();
    let there = test.workspace.notes().in_session(session(1));
    let path = there.path("episodes/2026-02.md").unwrap();
    there.append(&path, "## One\n- Summary: first", None).unwrap();
    there.append(&path, "## Two\n- Summary: second", None).unwrap();
    let picked = test.workspace.branches().cherry_pick(&test.workspace.at("other@head").unwrap()).unwrap();
    assert_eq!(picked.conflicts, vec![]);
    let expected = "# 2026-02 Episodes\n\n> Summary: second\n\n## Two\n- Summary: second\n";
    assert_eq!(read(&test, "episodes/2026-02.md"), expected);
}

#[test]
fn a_merge_computes_the_summary_of_the_merged_file() {
    let test = TestWorkspace::new();
    let path = "facts/user.md";
    write(&test, path, "# User Facts\n\n- Name: Ana\n");
    let other = test.workspace.branches().in_session(session(1));
    other.create(NAMES[1], None, &At::head()).unwrap();
    other.switch(NAMES[1], false).unwrap();
    let there = test.workspace.notes().in_session(session(1));
    there.append(&there.path(path).unwrap(), "- Role: lead", None).unwrap();
    let here = test.workspace.notes();
    here.append(&here.path(path).unwrap(), "- Tea: green", None).unwrap();
    let merged = test.workspace.branches().merge(NAMES[1]).unwrap();
    assert_eq!(merged.conflicts, vec![]);
    let text = read(&test, path);
    assert_eq!(summary::read(text.as_bytes()).as_deref(), Some("Name, Role, Tea"), "{text}");
    // A person's summary takes precedence over the computed one of the other side.
    let own = text.replace("> Summary: Name, Role, Tea", "> Summary: who Ana is");
    write(&test, path, &own);
    there.append(&there.path(path).unwrap(), "- Home: Porto", None).unwrap();
    test.workspace.branches().merge(NAMES[1]).unwrap();
    assert!(read(&test, path).contains("> Summary: who Ana is\n"), "{}", read(&test, path));
}

#[test]
fn a_summary_that_the_program_did_not_compute_stays() {
    let test = TestWorkspace::new();
    let path = "facts/user.md";
    let file = test.path().join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let summary = |test: &TestWorkspace| summary::read(read(test, path).as_bytes()).unwrap();
    let notes = || test.workspace.notes().writing_as(Origin::Assistant);
    let append =
        |entry: &str, own: Option<&str>| notes().append(&notes().path(path).unwrap(), entry, own).unwrap();
    // Written in an editor, and longer than a computed summary.
    let own = "everything I know about Ana, ".repeat(10);
    std::fs::write(&file, format!("# Ana\n\n> Summary: {own}\n\n- Name: Ana\n")).unwrap();
    append("- Role: lead", None);
    assert_eq!(summary(&test), own.trim());
    // A caller may change it; that is theirs, and stays too.
    append("- Tea: green", Some("a caller's words"));
    append("- Tea: black", None);
    assert_eq!(summary(&test), "a caller's words");
    let patch = memtape::Patch { old: "- Role: lead".into(), new: "- Role: boss".into() };
    notes().patch(&notes().path(path).unwrap(), &[patch]).unwrap();
    assert_eq!(summary(&test), "a caller's words");
    // A whole text that has none does not change it either.
    write(&test, path, "# Ana\n\n- Name: Ana\n");
    assert_eq!(summary(&test), "a caller's words");
    // Without a summary, memtape computes it, and updates it after a person edited another part.
    let patch = memtape::Patch { old: "> Summary: a caller's words\n\n".into(), new: String::new() };
    notes().patch(&notes().path(path).unwrap(), &[patch]).unwrap();
    assert_eq!(summary(&test), "Name");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + "- Age: 30\n").unwrap();
    assert_eq!(summary(&test), "Name", "a person's edit alone changes nothing");
    append("- Role: lead", None);
    assert_eq!(summary(&test), "Name, Age, Role");
    // A computed summary that is written back unchanged is no caller's summary.
    write(&test, path, &read(&test, path).replace("- Age: 30\n", ""));
    assert_eq!(summary(&test), "Name, Role");
}

#[test]
fn a_hand_made_file_without_a_summary_is_listed_with_a_computed_one() {
    let test = TestWorkspace::new();
    let file = test.path().join("facts/user.md");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "# Ana\n\n- Name: Ana\n- Tea: green\n").unwrap();
    let listed = test.workspace.notes().list(&At::head()).unwrap();
    assert_eq!(listed[0].summary, "Name, Tea");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# Ana\n\n- Name: Ana\n- Tea: green\n");
}
