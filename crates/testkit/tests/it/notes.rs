//! Law 7, *working copy*: a person's edits of note files are never lost, overwritten or moved to another branch by
//! concurrent tools or killed commands, and in the end files and tape agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use memtape::{At, Form, Options, Origin, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::forms::notes::{FILES, NoteStep, save, steps};
use memtape_testkit::secrets::{SAMPLES, files_with};
use memtape_testkit::step::Act as _;
use proptest::prelude::*;

const BRANCHES: [&str; 2] = ["main", "scout"];

type Files = BTreeMap<String, Vec<u8>>;

/// The files of the folders.
fn on_disk(dir: &Path) -> Files {
    let mut found = Files::new();
    for folder in ["facts", "episodes"] {
        for entry in fs::read_dir(dir.join(folder)).into_iter().flatten() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// The notes of a branch, as the tape has them.
fn on_tape(workspace: &Workspace, branch: &str) -> Files {
    let at = workspace.at(&format!("{branch}@{}", workspace.status(&At::head()).unwrap().entries)).unwrap();
    let view = workspace.notes().view(&at).unwrap();
    view.files().map(|file| (file.path.to_string(), file.bytes())).collect()
}

fn lines(files: &Files) -> BTreeSet<String> {
    files
        .values()
        .flat_map(|text| String::from_utf8_lossy(text).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Checks that files and tape agree, and that reading the files again writes nothing.
fn assert_followed(workspace: &Workspace) {
    let current = workspace.branches().current(&At::head()).unwrap();
    let entries = || workspace.status(&At::head()).unwrap().entries;
    let before = entries();
    assert_eq!(on_disk(workspace.dir()), on_tape(workspace, &current));
    assert_eq!(entries(), before);
    workspace.follow_files().unwrap();
    assert_eq!(entries(), before, "what was written is read back as it is");
    assert_eq!(workspace.take_warnings(), []);
}

fn assert_followed_but_for_warnings(workspace: &Workspace) {
    let _ = workspace.take_warnings();
    assert_followed(workspace);
}

/// A person who adds lines to files that no tool writes.
#[derive(Default)]
struct Person {
    count: usize,
    /// Their lines, and the branch whose files they added them to; without lines that they removed.
    wrote: BTreeMap<String, String>,
}

impl Person {
    fn read(dir: &Path, file: usize) -> Vec<String> {
        let text = fs::read_to_string(dir.join(FILES[file])).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn save(dir: &Path, file: usize, lines: &[String]) {
        save(
            &dir.join(FILES[file]),
            lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes(),
        );
    }

    fn insert(&mut self, dir: &Path, file: usize, at: usize, branch: &str) {
        self.count += 1;
        let line = format!("- Person {0}: line {0}", self.count);
        let mut lines = Self::read(dir, file);
        lines.insert(at % (lines.len() + 1), line.clone());
        Self::save(dir, file, &lines);
        self.wrote.insert(line, branch.to_owned());
    }

    fn take_out(&mut self, dir: &Path, file: usize, at: usize) {
        let mut lines = Self::read(dir, file);
        if !lines.is_empty() {
            let line = lines.remove(at % lines.len());
            self.wrote.remove(&line);
            Self::save(dir, file, &lines);
        }
    }

    fn remove(&mut self, dir: &Path, file: usize) {
        for line in Self::read(dir, file) {
            self.wrote.remove(&line);
        }
        let _ = fs::remove_file(dir.join(FILES[file]));
    }

    fn rename(&mut self, dir: &Path, from: usize, to: usize) {
        if from != to && dir.join(FILES[from]).exists() {
            self.remove(dir, to);
            fs::create_dir_all(dir.join(FILES[to]).parent().unwrap()).unwrap();
            fs::rename(dir.join(FILES[from]), dir.join(FILES[to])).unwrap();
        }
    }
}

#[derive(Clone, Debug)]
enum Op {
    Insert(usize, usize),
    TakeOut(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    /// A tool adds an entry on a branch.
    Tool(usize, usize),
    /// A tool replaces a file's heading on a branch.
    Patch(usize, usize),
    Checkout(usize),
    /// Any command records the edits.
    Warning,
    /// The next command is another process's.
    Restart,
}

fn op() -> impl Strategy<Value = Op> {
    let file = || 0..FILES.len();
    let branch = || 0..BRANCHES.len();
    prop_oneof![
        5 => (file(), any::<usize>()).prop_map(|(file, at)| Op::Insert(file, at)),
        2 => (file(), any::<usize>()).prop_map(|(file, at)| Op::TakeOut(file, at)),
        1 => file().prop_map(Op::Remove),
        1 => (file(), file()).prop_map(|(from, to)| Op::Rename(from, to)),
        4 => (branch(), file()).prop_map(|(branch, file)| Op::Tool(branch, file)),
        2 => (branch(), file()).prop_map(|(branch, file)| Op::Patch(branch, file)),
        3 => branch().prop_map(Op::Checkout),
        2 => Just(Op::Warning),
        1 => Just(Op::Restart),
    ]
}

fn run(ops: &[Op]) {
    let test = TestWorkspace::new();
    let dir = test.path();
    let mut workspace = test.reopened();
    workspace.branches().create("scout", None, &At::head()).unwrap();
    let (mut person, mut current, mut tool) = (Person::default(), "main", 0);
    for op in ops {
        match *op {
            Op::Insert(file, at) => person.insert(dir, file, at, current),
            Op::TakeOut(file, at) => person.take_out(dir, file, at),
            Op::Remove(file) => person.remove(dir, file),
            Op::Rename(from, to) => person.rename(dir, from, to),
            Op::Tool(branch, file) => {
                tool += 1;
                let on = test.again_on(BRANCHES[branch]);
                let notes = on.notes().writing_as(Origin::Assistant);
                notes.append(&notes.path(FILES[file]).unwrap(), &format!("- Tool {tool}: x"), None).unwrap();
            }
            Op::Patch(branch, file) => {
                let on = test.again_on(BRANCHES[branch]);
                let notes = on.notes().writing_as(Origin::Assistant);
                let path = notes.path(FILES[file]).unwrap();
                let patch = memtape::Patch { old: ": x".into(), new: ": y".into() };
                let _ = notes.patch(&path, &[patch]);
            }
            Op::Checkout(branch) => {
                workspace.branches().switch(BRANCHES[branch], true).unwrap();
                current = BRANCHES[branch];
                assert_followed(&workspace);
            }
            Op::Warning => assert_followed(&workspace),
            Op::Restart => workspace = test.reopened(),
        }
    }
    workspace.follow_files().unwrap();
    assert_followed(&workspace);
    let on: BTreeMap<&str, BTreeSet<String>> =
        BRANCHES.into_iter().map(|branch| (branch, lines(&on_tape(&workspace, branch)))).collect();
    for (line, branch) in &person.wrote {
        for (other, lines) in &on {
            assert_eq!(lines.contains(line), other == branch, "{line:?} of {branch}, on {other}");
        }
    }
}

proptest! {
    #![proptest_config(memtape_testkit::random(16))]

    #[test]
    fn law_7_no_text_of_a_person_is_lost_or_moved(ops in prop::collection::vec(op(), 1..25)) {
        run(&ops);
    }

    #[test]
    fn law_7_files_and_tape_agree_on_any_text(steps in prop::collection::vec(steps(), 1..15)) {
        let test = TestWorkspace::new();
        for step in &steps {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        test.workspace.follow_files().unwrap();
        assert_followed(&test.workspace);
    }

    #[test]
    fn law_6_a_merge_keeps_separate_changes_of_sections(
        before in prop::collection::vec(steps(), 0..6),
        after in prop::collection::vec(steps(), 1..6),
    ) {
        let test = TestWorkspace::new();
        let main = &test.workspace;
        for step in &before {
            step.run(main, &test.clock).unwrap();
        }
        main.branches().create("scout", None, &At::head()).unwrap();
        let scout = test.again_on("scout");
        prop_assert!(main.branches().merge("scout").unwrap().commit.is_none());
        // One side only: the merge makes it the other's.
        for step in after.iter().filter(|step| matches!(step, NoteStep::Append(..) | NoteStep::Write(..) | NoteStep::Delete(_))) {
            step.run(&scout, &test.clock).unwrap();
        }
        main.branches().merge("scout").unwrap();
        prop_assert_eq!(on_tape(main, "main"), on_tape(main, "scout"));
        prop_assert!(main.branches().merge("scout").unwrap().commit.is_none());
        assert_followed(main);
    }
}

#[test]
fn a_merge_joins_by_hunks_and_leaves_a_conflict_as_a_value() {
    let test = TestWorkspace::new();
    let main = &test.workspace;
    let block = |a: &str, b: &str| format!("# T\n\n## Leak\n- Summary: leak\n- A: {a}\n- keep\n- B: {b}\n");
    let write = |workspace: &Workspace, text: &str| {
        let notes = workspace.notes();
        notes.write(&notes.path("episodes/2026-02.md").unwrap(), text).unwrap();
    };
    let text = || String::from_utf8(on_disk(test.path())["episodes/2026-02.md"].clone()).unwrap();
    write(main, &block("1", "1"));
    main.branches().create("scout", None, &At::head()).unwrap();
    let scout = test.again_on("scout");
    write(main, &block("2", "1"));
    write(&scout, &(block("1", "3") + "\n## Other\n- Summary: more\n- x\n"));
    let taken = main.branches().merge("scout").unwrap();
    assert_eq!(taken.conflicts.len(), 0);
    assert!(text().contains("- A: 2\n- keep\n- B: 3\n") && text().contains("## Other"), "{}", text());
    write(main, &text().replace("- B: 3", "- B: mine"));
    let theirs = String::from_utf8(on_tape(main, "scout")["episodes/2026-02.md"].clone()).unwrap();
    write(&scout, &theirs.replace("- B: 3", "- B: theirs"));
    let taken = main.branches().merge("scout").unwrap();
    assert_eq!(taken.conflicts.len(), 1);
    assert!(text().contains("- B: mine") && !text().contains("<<<<"), "{}", text());
}

fn noter(dir: &Path, name: &str, count: u32) -> Child {
    Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
        .arg(dir)
        .args([name, "note", &count.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

#[test]
fn law_7_processes_that_are_killed_lose_nothing_of_a_person() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    Workspace::init(dir, Options::default()).unwrap().branches().create("scout", None, &At::head()).unwrap();
    let mut person = Person::default();
    let mut acknowledged = BTreeSet::new();
    for round in 0..12_u64 {
        let mut child = noter(dir, &format!("tool{round}"), 1000);
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        // The tool writes on both branches, and switches between them.
        for _ in 0..3 + round {
            acknowledged.extend(out.next().map(Result::unwrap));
        }
        std::thread::sleep(Duration::from_millis(round * 3 % 17));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(out.map_while(Result::ok));
        // The person edits the current text of a file, even in the middle of a switch.
        for file in 0..FILES.len() {
            person.insert(dir, file, usize::try_from(round).unwrap(), "either");
        }
    }
    let workspace = Workspace::open(dir, Options::default()).unwrap();
    workspace.follow_files().unwrap();
    let _ = workspace.take_warnings();
    assert_followed(&workspace);
    let all: BTreeSet<String> =
        BRANCHES.into_iter().flat_map(|branch| lines(&on_tape(&workspace, branch))).collect();
    for line in person.wrote.keys() {
        assert!(all.contains(line), "{line:?} of the person is lost");
    }
    for line in &acknowledged {
        assert!(all.contains(line), "{line:?} of a tool is lost");
    }
    assert_eq!(Workspace::verify(dir).unwrap().tape.bad, []);
}

#[test]
fn law_7_concurrent_tool_writes_lose_no_edit() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let workspace = Workspace::init(dir, Options::default()).unwrap();
    let tool = Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
        .arg(dir)
        .args(["tool", "append", "60"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the writer starts");
    let mut person = Person::default();
    for n in 0..60 {
        person.insert(dir, n % FILES.len(), usize::MAX, "main");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(tool.wait_with_output().unwrap().status.success());
    workspace.follow_files().unwrap();
    let _ = workspace.take_warnings();
    assert_followed(&workspace);
    let all = lines(&on_tape(&workspace, "main"));
    for line in person.wrote.keys() {
        assert!(all.contains(line), "{line:?} of the person is lost");
    }
}

/// The computed summary makes the text on the tape differ from the person's in its first line, so two such texts have no
/// common beginning.
#[test]
fn law_7_lines_that_are_added_during_tool_writes_occur_once() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let notes = workspace.notes();
    let path = notes.path("facts/list.md").unwrap();
    notes.write(&path, "- start: here\n").unwrap();
    let file = dir.path().join("facts/list.md");
    for tool in 0..10 {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for line in 0..30 {
                    let mut file = OpenOptions::new().append(true).open(&file).unwrap();
                    writeln!(file, "- person {tool}.{line}: wrote").unwrap();
                    std::thread::sleep(Duration::from_millis(3));
                }
            });
            for line in 0..3 {
                notes.append(&path, &format!("- tool {tool}.{line}: wrote"), None).unwrap();
            }
        });
    }
    workspace.follow_files().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let mut counts = BTreeMap::new();
    text.lines().filter(|line| line.starts_with("- ")).for_each(|line| *counts.entry(line).or_insert(0) += 1);
    counts.retain(|_, count| *count > 1);
    assert_eq!(counts, BTreeMap::new());
}

#[test]
fn every_kind_of_secret_of_any_author_stays_off_the_tape() {
    for (n, sample) in SAMPLES.iter().enumerate() {
        let test = TestWorkspace::new();
        let notes = test.workspace.notes().writing_as(Origin::Assistant);
        notes.append(&notes.path("facts/tool.md").unwrap(), sample.text, None).unwrap();
        save(&test.path().join("episodes/person.md"), format!("# T\n\n{}\n", sample.text).as_bytes());
        test.workspace.follow_files().unwrap();
        let before = test.workspace.status(&At::head()).unwrap().entries;
        test.reopened().follow_files().unwrap();
        assert_eq!(test.workspace.status(&At::head()).unwrap().entries, before, "{n} is no edit again");
        let found = files_with(test.path(), sample.secret).unwrap();
        assert_eq!(found.len(), 1, "{} stands in {found:?}", sample.kind);
        assert!(found[0].ends_with("episodes/person.md"), "{found:?}");
        assert_eq!(test.workspace.files_status(Form::NOTES).unwrap().secrets, ["episodes/person.md"]);
        test.workspace.scan_and_redact().unwrap();
        assert_eq!(files_with(test.path(), sample.secret).unwrap(), Vec::<String>::new(), "{}", sample.kind);
        assert_followed_but_for_warnings(&test.workspace);
    }
}
