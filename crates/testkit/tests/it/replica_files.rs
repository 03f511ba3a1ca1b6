//! Law 7, *working copy*, on several machines: what one of them writes neither doubles nor overwrites what a person edits on
//! another.

use std::fs;
use std::sync::Arc;

use memtape::{At, FilePath, Options, Upstream, Warning, Workspace};
use memtape_testkit::workspace::options;
use memtape_testkit::{TestWorkspace, upstreams};
use tempfile::TempDir;

/// Two machines with one memory, and the directory of the second.
struct Machines {
    test: TestWorkspace,
    upstream: Arc<dyn Upstream>,
    one: Workspace,
    dir: TempDir,
    other: Workspace,
}

fn machines(before: impl Fn(&Workspace)) -> Machines {
    let test = TestWorkspace::new();
    before(&test.workspace);
    let upstream = upstreams::new("memory");
    test.workspace.push(upstream.as_ref()).unwrap();
    let with = || Options { upstream: Some(Arc::clone(&upstream)), ..options(&test.clock) };
    let one = Workspace::open(test.path(), with()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let other = Workspace::replica(dir.path(), with()).unwrap();
    Machines { test, upstream, one, dir, other }
}

fn write(workspace: &Workspace, text: &str) {
    workspace.files().write(&FilePath::new("d/a.md").unwrap(), text).unwrap();
}

fn read(workspace: &Workspace) -> String {
    workspace.files().read(&FilePath::new("d/a.md").unwrap(), &At::head()).unwrap().text()
}

#[test]
fn a_note_and_a_file_that_are_edited_at_once_are_recorded_once() {
    if TestWorkspace::new().upstream.is_some() {
        return;
    }
    let Machines { one, dir, other, test: _test, .. } = machines(|workspace| {
        write(workspace, "a\nb");
        let notes = workspace.notes();
        notes.write(&notes.path("facts/n.md").unwrap(), "- x: 1").unwrap();
    });
    other.status(&At::head()).unwrap();
    write(&one, "a\nB from m1");
    let entries = one.status(&At::head()).unwrap().entries;
    for (at, line) in [("files/d/a.md", "mine\n"), ("facts/n.md", "- y: 2\n")] {
        let at = dir.path().join(at);
        fs::write(&at, fs::read_to_string(&at).unwrap() + line).unwrap();
    }
    assert_eq!(read(&other), "a\nB from m1\nmine\n");
    assert_eq!(fs::read_to_string(dir.path().join("files/d/a.md")).unwrap(), "a\nB from m1\nmine\n");
    assert_eq!(other.status(&At::head()).unwrap().entries, entries + 2, "an event for each");
    assert_eq!(other.take_warnings(), []);
    // One undo takes back both.
    other.branches().undo().unwrap();
    assert_eq!(read(&other), "a\nB from m1\n");
    assert!(!fs::read_to_string(dir.path().join("facts/n.md")).unwrap().contains("- y: 2"));
}

#[test]
fn a_secret_is_kept_when_another_machine_switches_the_branch() {
    if TestWorkspace::new().upstream.is_some() {
        return;
    }
    for is_followed_before in [true, false] {
        let Machines { test, upstream, one, dir, other } = machines(|workspace| write(workspace, "on main"));
        one.branches().create("b", None, &At::head()).unwrap();
        let options = Options { branch: Some("b".into()), upstream: Some(upstream), ..options(&test.clock) };
        write(&Workspace::open(test.path(), options).unwrap(), "on b");
        other.status(&At::head()).unwrap();
        let file = dir.path().join("files/d/a.md");
        let typed = fs::read_to_string(&file).unwrap() + "Password: Correct-Horse-77\n";
        fs::write(&file, &typed).unwrap();
        if is_followed_before {
            other.status(&At::head()).unwrap();
        }
        one.branches().switch("b", true).unwrap();
        other.status(&At::head()).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "on b\n");
        let kept = "files/d/a.md.kept".to_owned();
        assert_eq!(fs::read_to_string(dir.path().join(&kept)).unwrap(), typed);
        let warning = Warning::SecretKeptBeside { path: "files/d/a.md".to_owned(), kept };
        assert!(other.take_warnings().contains(&warning));
    }
}
