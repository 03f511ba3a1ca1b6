//! No file of a user is lost, and no name is redacted. A name that contains a secret is refused on input; a
//! file that cannot be recorded stays and is reported; and the user can always resolve a name that something
//! else occupies.

use std::fs;
use std::path::Path;

use memtape::{At, Audience, BlockName, Error, ErrorKind, FilePath, Form, Session, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::names::PLAUSIBLE;
use memtape_testkit::workspace::plant_on;
use serde_json::json;

/// A name that contains a real secret.
const REAL: &str = "ghp_0123456789abcdefABCDEF0123456789abcd";

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(done: Result<T, Error>) {
    let e = done.unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Invalid, "{e}");
    let said = e.to_string();
    assert!(said.contains("contains a secret (github-token)") && !said.contains(REAL), "{said}");
}

fn tape(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.dir().join("tape.jsonl")).unwrap()
}

/// Returns the names that are valid on every system.
fn portable() -> impl Iterator<Item = &'static str> {
    PLAUSIBLE.into_iter().filter(|name| !name.contains(':'))
}

#[test]
fn a_written_file_has_its_name_or_is_refused() {
    let test = TestWorkspace::new();
    for name in portable() {
        let path = FilePath::new(&format!("drafts/{name}.md")).unwrap();
        match test.workspace.files().write(&path, "text\n") {
            Ok(_) => {
                let read = test.workspace.files().read(&path, &At::head()).unwrap();
                assert_eq!(read.text(), "text\n");
                let standing = test.path().join("files").join(path.as_str());
                assert_eq!(fs::read_to_string(standing).unwrap(), "text\n", "{name}");
            }
            Err(e) => assert!(e.to_string().contains("contains a secret"), "{e}"),
        }
    }
    let listed = test.workspace.files().list(None, &At::head()).unwrap();
    assert!(listed.len() > portable().count() / 4, "{listed:?}");
    assert!(!tape(&test.workspace).contains("[redacted:"));
    let real = FilePath::new(&format!("drafts/{REAL}.md")).unwrap();
    assert_refused(test.workspace.files().write(&real, "text\n"));
    let note = test.workspace.notes().path(&format!("facts/{REAL}.md")).unwrap();
    assert_refused(test.workspace.notes().write(&note, "- a: b\n"));
    assert!(!tape(&test.workspace).contains(REAL));
}

#[test]
fn a_persons_file_is_recorded_or_stays_and_is_named() {
    let test = TestWorkspace::new();
    let names = || portable().chain([REAL]);
    for (folder, form) in [("files/drafts", Form::FILES), ("facts", Form::NOTES)] {
        fs::create_dir_all(test.path().join(folder)).unwrap();
        for name in names() {
            fs::write(test.path().join(format!("{folder}/{name}.md")), format!("about {name}\n")).unwrap();
        }
        test.workspace.follow_files().unwrap();
        let status = test.workspace.files_status(form).unwrap();
        let count = status.files + status.odd.len();
        assert_eq!(count, names().count(), "each is recorded or named: {:?}", status.odd);
        assert!(status.odd.iter().any(|odd| odd.to_string().contains("contains a secret (github-token)")));
        for name in names() {
            let text = fs::read_to_string(test.path().join(format!("{folder}/{name}.md"))).unwrap();
            assert_eq!(text, format!("about {name}\n"));
        }
    }
    assert!(!tape(&test.workspace).contains(REAL));
    let read = |path: &str| test.workspace.files().read(&FilePath::new(path).unwrap(), &At::head());
    assert!(read("drafts/password reset how to.md").is_ok());
}

#[test]
fn a_branch_keeps_its_name_or_is_refused() {
    let test = TestWorkspace::new();
    let branches = || test.workspace.branches();
    let named = PLAUSIBLE.into_iter().filter(|name| !name.contains([' ', ':', '@']));
    let mut created = 0;
    for name in named.filter(|name| name.len() <= 50) {
        match branches().create(name, None, &At::head()) {
            Ok(_) => {
                created += 1;
                branches().switch(name, true).unwrap();
                assert_eq!(branches().current(&At::head()).unwrap(), name);
                test.workspace.zone().remember(&format!("on {name}")).unwrap();
                test.workspace.status(&At::head()).unwrap();
                branches().switch("main", true).unwrap();
                branches().merge(name).unwrap();
            }
            Err(e) => assert!(e.to_string().contains("contains a secret"), "{e}"),
        }
    }
    assert!(created > 3, "{created}");
    assert_refused(branches().create(REAL, None, &At::head()));
    assert_refused(branches().create_and_switch(REAL, None));
    assert!(!tape(&test.workspace).contains(REAL));
    test.workspace.status(&At::head()).unwrap();
}

#[test]
fn a_tool_cannot_give_its_chat_a_branch_that_disables_it() {
    let test = TestWorkspace::new();
    let session = Session::parse("telegram:42").unwrap();
    let tools =
        || test.workspace.tools().for_audience(Audience::of_chat(&session)).for_session(session.clone());
    for name in ["sk-learn-experiment-2026-a", REAL] {
        let _ = tools().call("memory_branch", json!({"action": "create", "name": name}));
        let _ = tools().call("memory_branch", json!({"action": "switch", "name": name}));
        tools().call("memory_recall", json!({"query": "tea"})).unwrap();
    }
    assert!(!tape(&test.workspace).contains(REAL));
}

#[test]
fn other_names_with_a_secret_are_refused() {
    let test = TestWorkspace::new();
    let (workspace, direct) = (&test.workspace, Session::direct());
    assert_refused(workspace.tape().handoff(REAL, None, &direct));
    assert_refused(workspace.tape().append_event(REAL, None, &direct));
    let block = |name: &str| workspace.blocks().set(&BlockName::new(name).unwrap(), "x", None);
    assert_refused(block(&REAL.to_lowercase()));
    block("wifi_password_reset").unwrap();
    assert!(!tape(workspace).contains(&REAL.to_lowercase()));
}

#[test]
fn scan_names_what_it_cannot_redact() {
    let test = TestWorkspace::new();
    // Older versions accepted these names.
    let fork = json!({"name": "branch/fork", "state": {"parent": "main", "at": 1}}).to_string();
    plant_on(test.path(), REAL, "anchor", &fork);
    plant_on(test.path(), REAL, "anchor", &json!({"name": "milestone"}).to_string());
    let write = json!({"name": "file.write", "data": {"path": format!("drafts/{REAL}.md"), "text": "x\n"}});
    test.append("event", &write.to_string(), "{}");
    fs::create_dir_all(test.path().join("facts")).unwrap();
    fs::write(test.path().join(format!("facts/{REAL}.md")), "- a: b\n").unwrap();
    for redact in [false, true, false] {
        let scan = match redact {
            true => test.workspace.scan_and_redact().unwrap(),
            false => test.workspace.scan().unwrap(),
        };
        let in_git = |find: &memtape::Find| find.place.to_string().starts_with("git: ");
        assert!(scan.finds.iter().all(in_git), "{:?}", scan.finds);
        let said: Vec<_> = scan.left.iter().map(ToString::to_string).collect();
        let of = |what: &str| said.iter().filter(|said| said.contains(what)).count();
        assert_eq!((of("the name of a branch"), of("the name of a file")), (1, 1), "{said:#?}");
        assert_eq!(of("rename the file"), 2, "the note, and the file that the tape has: {said:#?}");
        assert!(tape(&test.workspace).contains(&format!("drafts/{REAL}.md")), "a name is not redacted");
    }
    // Existing files and branches can still be used.
    let path = FilePath::new(&format!("drafts/{REAL}.md")).unwrap();
    test.workspace.files().write(&path, "y\n").unwrap();
    test.again_on(REAL).zone().remember("on the old branch").unwrap();
}

#[cfg(unix)]
#[test]
fn an_object_in_the_place_of_a_file_is_reported_and_recoverable() {
    type Put = fn(&Path, &Path);
    let puts: [(&str, Put); 4] = [
        ("it is a symbolic link", |file, other| std::os::unix::fs::symlink(other, file).unwrap()),
        ("it is a folder with the name of a file", |file, _| fs::create_dir(file).unwrap()),
        ("it is not a regular file", |file, _| {
            assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
        }),
        ("it has 2 hard links", |file, other| fs::hard_link(other, file).unwrap()),
    ];
    for (why, put) in puts {
        let test = TestWorkspace::new();
        let (notes, branches) = (|| test.workspace.notes(), || test.workspace.branches());
        let path = notes().path("facts/user.md").unwrap();
        notes().append(&path, "- tea: green", None).unwrap();
        let (file, other) = (test.path().join("facts/user.md"), test.path().join("other"));
        fs::rename(&file, &other).unwrap();
        put(&file, &other);
        let _ = test.workspace.take_warnings();
        notes().append(&path, "- milk: none", None).unwrap();
        let said: Vec<_> = test.workspace.take_warnings().iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|said| said.contains("facts/user.md") && said.contains(why)), "{said:?}");
        let status = test.workspace.files_status(Form::NOTES).unwrap();
        assert_eq!((status.secrets.len(), status.odd.len()), (0, 1), "{status:?}");
        branches().create("scout", None, &At::head()).unwrap();
        branches().switch("scout", true).unwrap();
        branches().switch("main", true).unwrap();
        match file.is_dir() {
            true => fs::remove_dir(&file).unwrap(),
            false => fs::remove_file(&file).unwrap(),
        }
        test.workspace.status(&At::head()).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("- tea: green") && text.contains("- milk: none"), "{why}: {text}");
        let view = notes().view(&At::head()).unwrap();
        assert_eq!(
            view.get(&path).unwrap().bytes(),
            text.into_bytes(),
            "{why}: nothing was taken for deleted"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_first_note_is_named() {
    let test = TestWorkspace::new();
    fs::create_dir(test.path().join("facts")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", test.path().join("facts/user.md")).unwrap();
    let path = test.workspace.notes().path("facts/user.md").unwrap();
    test.workspace.notes().append(&path, "- tea: green", None).unwrap();
    let said: Vec<_> = test.workspace.take_warnings().iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|said| said.contains("facts/user.md is not written")), "{said:?}");
}

#[test]
fn folders_below_files_have_any_name_and_ignored_files_are_listed() {
    let test = TestWorkspace::new();
    let write = |path: &str| {
        let path = test.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "text\n").unwrap();
    };
    [
        "files/recipes/soup.md",
        "files/recipes/deep/down/tea.md",
        "files/recipes/.hidden.md",
        "files/recipes/photo.png",
        "files/todo.md",
        "files/recipes/prices.csv",
        "files/con/x.md",
        "facts/deep/x.md",
        "facts/list.txt",
        "facts/.obsidian/x.md",
        "facts/ok.md",
    ]
    .into_iter()
    .for_each(write);
    test.workspace.follow_files().unwrap();
    let listed = test.workspace.files().list(Some("recipes"), &At::head()).unwrap();
    let listed: Vec<_> = listed.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(listed, ["recipes/deep/down/tea.md", "recipes/prices.csv", "recipes/soup.md"]);
    assert_eq!(test.workspace.files().list(None, &At::head()).unwrap().len(), 4);
    let notes = test.workspace.files_status(Form::NOTES).unwrap();
    assert_eq!((notes.files, notes.passed_over.count), (1, 2));
    assert_eq!(notes.passed_over.paths, ["facts/deep/", "facts/list.txt"]);
    let files = test.workspace.files_status(Form::FILES).unwrap();
    assert_eq!(files.passed_over.paths, ["files/recipes/photo.png"]);
    let odd: Vec<_> = files.odd.iter().map(ToString::to_string).collect();
    assert_eq!(odd.len(), 1, "{odd:?}");
    assert!(odd.iter().any(|odd| odd.starts_with("files/con is left alone: ")), "{odd:?}");
    test.workspace.files().archive(&FilePath::new("recipes/soup.md").unwrap()).unwrap();
    assert!(test.path().join("files/archive/recipes/soup.md").exists());
}

#[test]
fn scan_redacts_recorded_and_ignored_files() {
    let test = TestWorkspace::new();
    let secret = format!("my token is {REAL}\n");
    let paths = ["files/recipes/a.md", "files/recipes/list.txt", "facts/deep/x.md", "facts/ok.md"];
    for path in paths {
        let path = test.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("before\n{secret}after\n")).unwrap();
    }
    test.workspace.follow_files().unwrap();
    let scan = test.workspace.scan_and_redact().unwrap();
    let mut found: Vec<_> = scan.finds.iter().map(|find| find.place.to_string()).collect();
    found.sort();
    assert_eq!(
        found,
        ["facts/deep/x.md:2", "facts/ok.md:2", "files/recipes/a.md:2", "files/recipes/list.txt:2"]
    );
    for path in paths {
        let text = fs::read_to_string(test.path().join(path)).unwrap();
        assert_eq!(text, "before\nmy token is [redacted:github-token]\nafter\n", "{path}");
    }
    assert_eq!((scan.left.as_slice(), test.workspace.scan().unwrap().finds.as_slice()), (&[][..], &[][..]));
    let _ = test.workspace.take_warnings();
    test.workspace.follow_files().unwrap();
    assert_eq!(test.workspace.take_warnings(), []);
}

/// Names that some systems take for one: what a branch or an earlier commit has, and what the branch has that takes it.
const COLLISIONS: [(Form, &str, &str); 4] = [
    (Form::NOTES, "facts/joost.md", "facts/Joost.md"),
    (Form::NOTES, "facts/caf\u{e9}.md", "facts/CAF\u{c9}.md"),
    (Form::FILES, "drafts/plan.md", "drafts/Plan.md"),
    (Form::FILES, "drafts/a.md", "Drafts/b.md"),
];

fn put(workspace: &Workspace, form: Form, path: &str) {
    if form == Form::NOTES {
        let notes = workspace.notes();
        notes.write(&notes.path(path).unwrap(), "- a: 1\n").unwrap();
    } else {
        workspace.files().write(&FilePath::new(path).unwrap(), "text\n").unwrap();
    }
}

fn remove(workspace: &Workspace, form: Form, path: &str) {
    if form == Form::NOTES {
        let notes = workspace.notes();
        notes.delete(&notes.path(path).unwrap()).unwrap();
    } else {
        workspace.files().delete(&FilePath::new(path).unwrap()).unwrap();
    }
}

#[test]
fn merging_and_reverting_create_no_name_that_writing_refuses() {
    for (form, theirs, ours) in COLLISIONS {
        let test = TestWorkspace::new();
        let workspace = &test.workspace;
        workspace.branches().create("plans", None, &At::head()).unwrap();
        put(&test.again_on("plans"), form, theirs);
        let commit = At::entry(workspace.status(&At::head()).unwrap().entries);
        put(workspace, form, ours);
        let entries = workspace.status(&At::head()).unwrap().entries;
        let branches = workspace.branches();
        let refused = |done: Option<Error>| {
            let e = done.unwrap();
            assert_eq!(e.kind(), ErrorKind::Conflict, "{e}");
            assert!(e.to_string().contains(&format!("{theirs} collides with {ours}")), "{e}");
        };
        refused(branches.merge("plans").err());
        refused(branches.would_merge("plans").err());
        refused(branches.cherry_pick(&commit).err());
        assert_eq!(workspace.status(&At::head()).unwrap().entries, entries);
        // Nothing is in the way after the other file is renamed or deleted.
        remove(workspace, form, ours);
        branches.merge("plans").unwrap();
        // What was deleted comes back, unless its name is taken.
        remove(workspace, form, theirs);
        let deleted = At::entry(workspace.status(&At::head()).unwrap().entries);
        put(workspace, form, ours);
        refused(branches.revert(&deleted).err());
        remove(workspace, form, ours);
        branches.revert(&deleted).unwrap();
    }
}
