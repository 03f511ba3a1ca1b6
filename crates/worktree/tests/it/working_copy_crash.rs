//! The working copy when commands are killed, when a person writes at each of their steps, and when links are swapped in.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::model::{
    Act, FOLDERS, Machine, PATHS, Person, Tape, View, check, checkout, copy_in, files, has_stopped, sync,
};
use memtape_tape::Durability;
use memtape_worktree::working_copy::{Base, Look, Steps, Text, What, WorkingCopy, Writing};

/// A workspace whose next command replaces a file, makes one and deletes one.
fn ready(root: &Path, exchanges: bool) -> (std::sync::Arc<Machine>, WorkingCopy, Tape) {
    let secret = root.join("secret");
    for folder in FOLDERS {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(&secret, "secret\n").unwrap();
    let machine = Machine::new(Person::new(root, &secret), exchanges);
    let copy = copy_in(root, &machine);
    let mut tape = Tape::default();
    tape.tool_adds("main", PATHS[0]);
    tape.tool_adds("main", PATHS[1]);
    tape.tool_adds("scout", PATHS[0]);
    sync(&copy, &mut tape, "main").unwrap();
    tape.tool_adds("main", PATHS[0]);
    tape.tool_adds("main", PATHS[2]);
    tape.tool_deletes("main", PATHS[1]);
    (machine, copy, tape)
}

fn acts() -> Vec<Act> {
    let one =
        |path| [Act::Write(path), Act::Save(path), Act::Delete(path), Act::Rewrite(path), Act::Link(path)];
    let mut acts: Vec<_> = (0..2).flat_map(one).collect();
    acts.push(Act::Rename(0, 1));
    acts
}

#[test]
fn a_kill_and_an_edit_at_any_step_lose_nothing() {
    for exchanges in [true, false] {
        for branch in ["main", "scout"] {
            let dir = tempfile::tempdir().unwrap();
            let (machine, copy, mut tape) = ready(dir.path(), exchanges);
            machine.next(None, Vec::new());
            sync(&copy, &mut tape, branch).unwrap();
            let steps = machine.told().len();
            assert!(steps > 12, "{:?}", machine.told());
            for stops_at in 0..=steps {
                for act in acts() {
                    for acts_at in (0..=stops_at).rev().take(2) {
                        let dir = tempfile::tempdir().unwrap();
                        let (machine, copy, mut tape) = ready(dir.path(), exchanges);
                        machine.next(Some(stops_at), vec![(acts_at, act.clone())]);
                        if let Err(e) = sync(&copy, &mut tape, branch) {
                            assert!(has_stopped(&e), "{e}");
                        }
                        machine.next(None, Vec::new());
                        // A replaced link is restored first.
                        sync(&copy, &mut tape, branch).unwrap();
                        machine.person.lock().unwrap().tidy();
                        sync(&copy, &mut tape, branch).unwrap();
                        let person = machine.person.lock().unwrap();
                        let when =
                            format!("{branch}, stopped at {stops_at}, {act:?} at {acts_at}, {exchanges}");
                        check(dir.path(), &tape, &person, branch, &when);
                    }
                }
            }
        }
    }
}

#[test]
fn writes_of_an_interrupted_command_are_no_edits() {
    for exchanges in [true, false] {
        for stops_at in 0.. {
            let dir = tempfile::tempdir().unwrap();
            let (machine, copy, mut tape) = ready(dir.path(), exchanges);
            machine.next(Some(stops_at), Vec::new());
            let done = sync(&copy, &mut tape, "main");
            machine.next(None, Vec::new());
            let entry = tape.entry;
            assert_eq!(copy.look().unwrap().changes, [], "stopped at {stops_at}, before it is finished");
            sync(&copy, &mut tape, "main").unwrap();
            assert_eq!(tape.entry, entry, "stopped at {stops_at}: nothing was recorded");
            if done.is_ok() {
                break;
            }
        }
    }
}

#[test]
fn an_interrupted_command_is_finished_in_a_folder_that_was_moved_since() {
    let old = |name: &str| (format!("facts/{name}.md"), format!("old {name}\n").into_bytes());
    let new = |name: &str| (format!("facts/{name}.md"), format!("new {name}\n").into_bytes());
    let (old, new) = (View::from(["a", "b", "c"].map(old)), View::from(["b", "c", "d"].map(new)));
    let base = |branch: &str| Base { branch: branch.to_owned(), entry: 1 };
    for exchanges in [true, false] {
        for stops_at in 0.. {
            let dir = tempfile::tempdir().unwrap();
            let (root, when) = (dir.path(), format!("stopped at {stops_at}, {exchanges}"));
            let machine = Machine::new(Person::new(root, &root.join("secret")), exchanges);
            let copy = copy_in(root, &machine);
            let mut writing = copy.writing().unwrap();
            writing.assume(&base("main"), &BTreeMap::new(), |_, _| None).unwrap();
            let look = writing.look().unwrap();
            checkout(&mut writing, &look, &base("main"), old.clone()).unwrap();
            machine.next(Some(stops_at), Vec::new());
            let look = writing.look().unwrap();
            let done = checkout(&mut writing, &look, &base("scout"), new.clone());
            machine.next(None, Vec::new());
            fs::rename(root.join("facts"), root.join("episodes")).unwrap();
            let mut writing = copy.writing().unwrap();
            let look = recorded(&writing);
            assert_eq!(look.oddities, [], "{when}");
            for change in look.changes.iter().filter(|change| change.bytes.is_some()) {
                let views = [(&old, "main"), (&new, "scout")];
                let is_of = |view: &View| view.values().any(|text| Some(text) == change.bytes.as_ref());
                let (_, branch) = views.into_iter().find(|(view, _)| is_of(view)).unwrap();
                assert_eq!(change.base.branch, branch, "{when}: {change:?}");
            }
            let open = look.pending.iter().chain(look.changes.iter().map(|change| &change.path));
            let mut puts: BTreeMap<_, _> = open.map(|path| (path.clone(), None)).collect();
            puts.extend(new.clone().into_iter().map(|(path, text)| (path, Some(text))));
            writing.apply(&look, &base("scout"), &puts).unwrap();
            assert_eq!(files(root), new, "{when}");
            if done.is_ok() {
                break;
            }
        }
    }
}

/// Writes into a file that it opened before the command.
struct Late {
    file: std::sync::Mutex<(File, usize)>,
    at: usize,
}

impl Steps for Late {
    fn before(&self, _: &'static str) -> std::io::Result<()> {
        let mut late = self.file.lock().unwrap();
        late.1 += 1;
        match late.1 == self.at {
            true => late.0.write_all(b"late\n"),
            false => Ok(()),
        }
    }
}

fn puts(path: &str, text: &str) -> BTreeMap<String, Option<Vec<u8>>> {
    BTreeMap::from([(path.to_owned(), Some(text.as_bytes().to_vec()))])
}

#[test]
fn a_write_to_an_open_file_during_replacement_is_reported_as_an_edit_of_the_last_text() {
    let base = |entry| Base { branch: "main".to_owned(), entry };
    let path = "facts/a.md";
    for (typed, at) in ["", "typed\n"].into_iter().flat_map(|typed| (1..100).map(move |at| (typed, at))) {
        let dir = tempfile::tempdir().unwrap();
        let copy = WorkingCopy::open(dir.path(), dir.path(), &FOLDERS, Durability::Os).unwrap();
        let mut writing = copy.writing().unwrap();
        writing.assume(&base(0), &BTreeMap::new(), |_, _| None).unwrap();
        let look = writing.look().unwrap();
        writing.apply(&look, &base(1), &puts(path, "old\n")).unwrap();
        let mut file = OpenOptions::new().append(true).open(dir.path().join(path)).unwrap();
        file.write_all(typed.as_bytes()).unwrap();
        let late = std::sync::Arc::new(Late { file: (file, 0).into(), at });
        let copy = WorkingCopy::over(dir.path(), dir.path(), &FOLDERS, Durability::Os, late.clone()).unwrap();
        let mut writing = copy.writing().unwrap();
        let look = recorded(&writing);
        writing.apply(&look, &base(2), &puts(path, "new\n")).unwrap();
        let steps = late.file.lock().unwrap().1;
        // The last look is right before the last step, which removes the file.
        if at >= steps {
            assert!(at > 8, "there were only {steps} steps");
            continue;
        }
        let look = copy.look().unwrap();
        let [change] = &look.changes[..] else { panic!("{:?}", look.changes) };
        let before = format!("old\n{typed}");
        let expected = (&What::Edited, Some(format!("{before}late\n").into_bytes()), &base(1));
        assert_eq!((&change.what, change.bytes.clone(), &change.base), expected, "written at step {at}");
        // The tape has the text before, unless that is an edit whose file was not replaced.
        let text = Some(Text::Utf8(before)).filter(|_| !typed.is_empty());
        assert_eq!(change.base_text, text, "written at step {at}");
        // Once it is recorded, it is not reported again, wherever it was.
        let mut writing = copy.writing().unwrap();
        let look = recorded(&writing);
        writing.apply(&look, &base(3), &puts(path, "new\nlate\n")).unwrap();
        assert_eq!(copy.look().unwrap().changes, []);
        assert_eq!(files(dir.path()), View::from([(path.to_owned(), b"new\nlate\n".to_vec())]));
    }
}

/// Scans, and marks every change as recorded.
fn recorded(writing: &Writing<'_>) -> Look {
    let mut look = writing.look().unwrap();
    for change in &mut look.changes {
        change.is_recorded = change.bytes.is_some();
    }
    look
}

#[test]
fn links_that_are_swapped_in_lead_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    let (root, outside) = (dir.path().join("workspace"), dir.path().join("outside"));
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(root.join("facts")).unwrap();
    for name in ["a.md", "b.md"] {
        fs::write(outside.join(name), "secret\n").unwrap();
    }
    let copy = WorkingCopy::open(&root, &root, &FOLDERS, Durability::Os).unwrap();
    let base = |entry| Base { branch: "main".to_owned(), entry };
    copy.writing().unwrap().assume(&base(0), &BTreeMap::new(), |_, _| None).unwrap();
    let over = AtomicBool::new(false);
    let (mut done, mut entry, mut last) = (0, 0, String::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (file, folder) = (root.join("facts/a.md"), root.join("facts"));
            while !over.load(Ordering::Relaxed) {
                // Whatever comes of each: the other side changes names, too.
                let _ = fs::rename(&file, root.join("aside.md"));
                let _ = symlink(outside.join("a.md"), &file);
                let _ = fs::remove_file(&file);
                let _ = fs::rename(root.join("aside.md"), &file);
                let _ = fs::rename(&folder, root.join("real"));
                let _ = symlink(&outside, &folder);
                std::thread::yield_now();
                let _ = fs::remove_file(&folder);
                let _ = fs::rename(root.join("real"), &folder);
                // On one core the other side runs only here and above.
                std::thread::yield_now();
            }
        });
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(3) {
            entry += 1;
            let text = format!("tool {entry}\n");
            let attempt = || -> memtape_worktree::Result<bool> {
                let mut writing = copy.writing()?;
                let mut look = writing.look()?;
                for change in &mut look.changes {
                    assert_ne!(change.bytes.as_deref(), Some(&b"secret\n"[..]), "the secret was read");
                    change.is_recorded = true;
                }
                let both = ["facts/a.md", "facts/b.md"].into_iter().flat_map(|path| puts(path, &text));
                let applied = writing.apply(&look, &base(entry), &both.collect())?;
                Ok(applied.is_empty())
            };
            let attempted = attempt();
            last = format!("{attempted:?}");
            done += usize::from(attempted.is_ok_and(|all| all));
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(done > 10, "of {entry} only {done} were carried out: {last}");
    let mut left: Vec<_> = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.md", "b.md"], "nothing was made outside");
    for name in left {
        assert_eq!(fs::read(outside.join(name)).unwrap(), b"secret\n", "nothing was changed outside");
    }
}

/// The directory in which the other process works, if this test is that process.
const WORKSPACE: &str = "MEMTAPE_TEST_WORKING_COPY";

fn views() -> [View; 2] {
    let view = |name: &str, from: usize| {
        (from..from + 4).map(|n| (format!("facts/{n}.md"), format!("{name} {n}\n").into_bytes())).collect()
    };
    [view("first", 0), view("second", 2)]
}

/// Switches the files between two branches forever, and appends each reported edit to a log.
fn swap_forever(root: &Path) {
    let mut log = OpenOptions::new().create(true).append(true).open(root.join("log")).unwrap();
    let copy = WorkingCopy::open(root, root, &FOLDERS, Durability::Os).unwrap();
    for turn in 0_usize.. {
        let to = Base { branch: format!("branch {}", turn % 2), entry: 1 };
        let mut writing = copy.writing().unwrap();
        if writing.manifest().is_none() {
            writing.assume(&to, &BTreeMap::new(), |_, _| None).unwrap();
        }
        let mut look = writing.look().unwrap();
        for change in &mut look.changes {
            let text = change.bytes.as_deref().unwrap_or(b"deleted\n");
            log.write_all(text).unwrap();
            change.is_recorded = true;
        }
        checkout(&mut writing, &look, &to, views()[turn % 2].clone()).unwrap();
    }
}

#[test]
fn a_process_that_is_killed_neither_loses_an_edit_nor_invents_one() {
    if let Some(root) = std::env::var_os(WORKSPACE) {
        swap_forever(&PathBuf::from(root));
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::create_dir(root.join("facts")).unwrap();
    let begin = || -> Child {
        let name = "working_copy_crash::a_process_that_is_killed_neither_loses_an_edit_nor_invents_one";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", name, "--nocapture"]).env(WORKSPACE, root);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let logged = || {
        let mut text = String::new();
        File::open(root.join("log"))
            .map(|mut log| log.read_to_string(&mut text).unwrap())
            .unwrap_or_default();
        text
    };
    let mut child = begin();
    let mut wrote = Vec::new();
    for n in 0_u64..40 {
        let text = format!("person {n}\n");
        let path = root.join(format!("facts/{}.md", n % 6));
        if n % 2 == 0 {
            fs::write(root.join("saving~"), &text).unwrap();
            fs::rename(root.join("saving~"), &path).unwrap();
        } else {
            // Edits the file in place if it exists.
            fs::write(&path, &text).unwrap();
        }
        wrote.push(text.clone());
        std::thread::sleep(Duration::from_micros(n * 797 % 9_001));
        child.kill().unwrap();
        child.wait().unwrap();
        child = begin();
        let begun = Instant::now();
        while !logged().contains(&text) {
            assert!(child.try_wait().unwrap().is_none(), "the process failed");
            assert!(begun.elapsed() < Duration::from_secs(20), "{text:?} is lost: {:?}", files(root));
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for line in logged().lines() {
        assert!(wrote.contains(&format!("{line}\n")), "{line:?} was no edit");
    }
}
