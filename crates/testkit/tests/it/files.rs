//! Law 7, *working copy*, for files: a person's edits in `files/` are never lost or overwritten by concurrent tools or
//! killed commands, and in the end files, tape and git agree. And law 9 for files: erased text is in no object of git.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use git2::Repository;
use memtape::{At, FilePath, Form, Keeper, Options, Origin, Warning, Workspace};
use memtape_store::{Author, Replacement};
use memtape_testkit::TestWorkspace;
use memtape_testkit::forms::files::{on_disk, steps};
use memtape_testkit::forms::notes::save;
use memtape_testkit::secrets::{SAMPLES, files_with};
use memtape_testkit::step::Act as _;
use memtape_testkit::workspace::store_options;
use proptest::prelude::*;

use crate::in_git::{Files, assert_not_in_git, committed, is_clean, messages, on_tape, write};

fn under(dir: &Path, prefix: &str, found: &mut Files) {
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => under(&entry.path(), &format!("{name}/"), found),
            false => drop(found.insert(name, fs::read(entry.path()).unwrap())),
        }
    }
}

fn standing(dir: &Path) -> Files {
    let mut found = Files::new();
    under(&dir.join("files"), "", &mut found);
    found
}

/// Checks that files, tape and git agree, and that reading the files again writes nothing.
fn assert_followed(workspace: &Workspace) {
    let tape = on_tape(workspace);
    assert_eq!(standing(workspace.dir()), tape, "the files are what the tape has");
    assert_eq!(committed(workspace.dir()), tape, "git has what the tape has");
    assert!(!workspace.dir().join(".git").exists() || is_clean(workspace.dir()), "git has nothing to commit");
    let entries = workspace.status(&At::head()).unwrap().entries;
    workspace.follow_files().unwrap();
    assert_eq!(workspace.status(&At::head()).unwrap().entries, entries, "nothing is an edit again");
    assert_eq!(workspace.take_warnings(), []);
}

proptest! {
    #![proptest_config(memtape_testkit::random(10))]

    #[test]
    fn law_7_files_tape_and_git_agree_on_any_text(steps in prop::collection::vec(steps(), 1..15)) {
        let test = TestWorkspace::new();
        for step in &steps {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        test.workspace.follow_files().unwrap();
        let _ = test.workspace.take_warnings();
        assert_followed(&test.workspace);
    }

    #[test]
    fn law_6_a_merge_contains_separate_changes_of_two_branches(
        before in prop::collection::vec(steps(), 0..5),
        text in "[a-z]{1,8}",
    ) {
        let test = TestWorkspace::new();
        let main = &test.workspace;
        for step in &before {
            step.run(main, &test.clock).unwrap();
        }
        main.branches().create("scout", None, &At::head()).unwrap();
        let scout = test.again_on("scout");
        prop_assert!(main.branches().merge("scout").unwrap().commit.is_none());
        write(&scout, "drafts/of-scout.md", &text);
        write(main, "drafts/of-main.md", &text);
        let merged = main.branches().merge("scout").unwrap();
        prop_assert!(merged.commit.is_some());
        prop_assert!(main.branches().merge("scout").unwrap().commit.is_none(), "the same merge changes nothing");
        for path in ["drafts/of-scout.md", "drafts/of-main.md"] {
            let path = FilePath::new(path).unwrap();
            let read = main.files().read(&path, &At::head()).unwrap().text();
            prop_assert_eq!(read.trim_end_matches(['\n', '\r']), text.trim_end_matches(['\n', '\r']));
        }
        let _ = main.take_warnings();
        assert_followed(main);
    }
}

#[test]
fn law_7_a_kill_at_any_moment_loses_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let workspace = Workspace::init(dir, Options::default()).unwrap();
    workspace.branches().create("scout", None, &At::head()).unwrap();
    drop(workspace);
    let (mut acknowledged, mut typed) = (Vec::new(), Vec::new());
    for round in 0..10_u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
            .arg(dir)
            .args([&format!("tool{round}"), "file", "100000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the writer starts");
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..3 + round {
            acknowledged.extend(out.next().map(Result::unwrap));
        }
        std::thread::sleep(Duration::from_millis(round * 3 % 17));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(out.map_while(Result::ok));
        let file = dir.join(format!("files/drafts/{}.md", round % 3));
        let line = format!("person {round}\n");
        save(&file, &[fs::read(&file).unwrap_or_default(), line.clone().into_bytes()].concat());
        typed.push(line.trim().to_owned());
    }
    let mut all = String::new();
    for branch in ["main", "scout"] {
        let on = Workspace::open(dir, Options { branch: Some(branch.into()), ..Options::default() }).unwrap();
        on.follow_files().unwrap();
        for bytes in on_tape(&on).values() {
            all += &String::from_utf8_lossy(bytes);
        }
    }
    for line in acknowledged.iter().chain(&typed) {
        assert!(all.lines().any(|stands| stands == line), "{line:?} is lost");
    }
    let workspace = Workspace::open(dir, Options::default()).unwrap();
    let _ = workspace.take_warnings();
    let current = workspace.files_status(Form::FILES).unwrap().branch.unwrap();
    let on = Workspace::open(dir, Options { branch: Some(current), ..Options::default() }).unwrap();
    assert_followed(&on);
    assert_eq!(Workspace::verify(dir).unwrap().tape.bad, []);
}

#[test]
fn each_write_and_each_checkout_is_a_commit_on_what_is_checked_out() {
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    assert!(!dir.join(".git").exists(), "no file, no repository");
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::Nobody);
    write(workspace, "insights/2025-12-25.md", "tea\n");
    write(workspace, "insights/2025-12-25.md", "coffee\n");
    save(&on_disk(workspace, "research/tea/a.md"), b"by hand\n");
    workspace.follow_files().unwrap();
    workspace.branches().create("scout", None, &At::head()).unwrap();
    workspace.branches().switch("scout", true).unwrap();
    let scout = test.again_on("scout");
    write(&scout, "drafts/s.md", "scout\n");
    workspace.branches().switch("main", true).unwrap();
    assert_eq!(
        messages(dir),
        [
            "switch to main (@10)",
            "file.write drafts/s.md (@9)",
            "file.write research/tea/a.md (@6)",
            "file.write insights/2025-12-25.md (@5)",
            "file.write insights/2025-12-25.md (@4)",
        ]
    );
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::Memtape(dir.join(".git")));
    assert_followed(workspace);
    let repository = Repository::open(dir).unwrap();
    let commit = repository.head().unwrap().peel_to_commit().unwrap();
    assert_eq!(commit.author().email().unwrap(), "memtape@localhost");
    assert_eq!(commit.time().seconds(), memtape::Clock::now(&test.clock).as_second());
}

#[test]
fn memtape_builds_on_a_persons_commits() {
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    write(workspace, "drafts/a.md", "a\n");
    save(&on_disk(workspace, "drafts/mine.md"), b"mine\n");
    fs::write(dir.join("files/drafts/list.bin"), "not ours\n").unwrap();
    let repository = Repository::open(dir).unwrap();
    let commit = |message: &str| {
        let mut index = repository.index().unwrap();
        index.add_all(["files"], git2::IndexAddOption::DEFAULT, None).unwrap();
        index.write().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let by = git2::Signature::now("Ana", "ana@example.com").unwrap();
        let head = repository.head().unwrap().peel_to_commit().unwrap();
        repository.commit(Some("HEAD"), &by, &by, message, &tree, &[&head]).unwrap();
    };
    commit("my own");
    write(workspace, "drafts/b.md", "b\n");
    assert_eq!(messages(dir)[..2], ["file.write drafts/b.md (@6)", "my own"]);
    assert!(is_clean(dir));
    assert!(committed(dir).contains_key("drafts/list.bin"), "what is not memtape's stays");
    write(workspace, "drafts/b.md", "c\n");
    assert_eq!(messages(dir)[0], "file.write drafts/b.md (@7)");

    // If a person is at work in git, memtape waits and reports it.
    let head = repository.head().unwrap().target().unwrap();
    repository.set_head_detached(head).unwrap();
    write(workspace, "drafts/b.md", "d\n");
    let waits = |warnings: &[Warning]| matches!(warnings, [Warning::HistoryLags { .. }]);
    assert!(waits(&workspace.take_warnings()));
    repository.set_head("refs/heads/main").unwrap();
    fs::write(dir.join(".git/index.lock"), "").unwrap();
    workspace.follow_files().unwrap();
    assert!(waits(&workspace.take_warnings()));
    fs::remove_file(dir.join(".git/index.lock")).unwrap();
    workspace.files().list(None, &At::head()).unwrap();
    assert_eq!(workspace.take_warnings(), []);
    assert_eq!(messages(dir)[0], "file.write drafts/b.md (@8)");
    assert!(is_clean(dir));
}

#[test]
fn a_foreign_repository_is_never_changed() {
    for inside in [true, false] {
        let test = TestWorkspace::new();
        let (workspace, dir) = (&test.workspace, test.path());
        let elsewhere = tempfile::tempdir().unwrap();
        let at = if inside { dir } else { elsewhere.path() };
        Repository::init(at).unwrap();
        if !inside {
            // The form that a worktree or a submodule has.
            fs::write(dir.join(".git"), format!("gitdir: {}\n", at.join(".git").display())).unwrap();
        }
        write(workspace, "drafts/a.md", "a\n");
        workspace.files().list(None, &At::head()).unwrap();
        assert_eq!(workspace.take_warnings(), []);
        assert!(Repository::open(at).unwrap().head().is_err(), "nothing was committed");
        assert_eq!(workspace.history_keeper().unwrap(), Keeper::SomebodyElse(dir.join(".git")));
        assert_eq!(fs::read(on_disk(workspace, "drafts/a.md")).unwrap(), b"a\n");
    }
}

#[test]
#[cfg(unix)]
fn a_link_planted_in_the_history_leads_no_write_outside() {
    for name in [
        "memtape.committing",
        "memtape.json~",
        "memtape.json",
        ".gitignore",
        "index",
        "info/exclude",
        "refs/heads/main",
        "logs/HEAD",
        "logs/refs/heads/main",
    ] {
        for is_there in [true, false] {
            let elsewhere = tempfile::tempdir().unwrap();
            let outside = elsewhere.path().join("outside");
            let text = if is_there { Some("untouched".to_owned()) } else { None };
            if let Some(text) = &text {
                fs::write(&outside, text).unwrap();
            }
            let test = TestWorkspace::new();
            let (workspace, dir) = (&test.workspace, test.path());
            write(workspace, "drafts/a.md", "a\n");
            let link = dir.join(".git").join(name);
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(&outside, &link).unwrap();
            write(workspace, "drafts/b.md", "b\n");
            write(workspace, "drafts/c.md", "c\n");
            assert_eq!(fs::read_to_string(&outside).ok(), text, "{name}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_link_to_another_repository_leads_no_commit_there() {
    let other = TestWorkspace::new();
    write(&other.workspace, "drafts/a.md", "theirs\n");
    for name in ["index", "refs/heads/main", "refs/heads", "logs/HEAD", "objects"] {
        let test = TestWorkspace::new();
        let (workspace, dir) = (&test.workspace, test.path());
        write(workspace, "drafts/a.md", "a\n");
        let link = dir.join(".git").join(name);
        let theirs = other.path().join(".git").join(name);
        let _ = if link.is_dir() { fs::remove_dir_all(&link) } else { fs::remove_file(&link) };
        let mut before = Files::new();
        under(&other.path().join(".git"), "", &mut before);
        std::os::unix::fs::symlink(theirs, &link).unwrap();
        write(workspace, "drafts/b.md", "b\n");
        let mut after = Files::new();
        under(&other.path().join(".git"), "", &mut after);
        assert_eq!(before, after, "{name}");
        assert_eq!(workspace.history_keeper().unwrap(), Keeper::SomebodyElse(dir.join(".git")), "{name}");
    }
}

#[test]
fn law_9_erased_text_is_in_no_file_and_no_git_object() {
    let secret = "walnut-harbour-7";
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    write(workspace, "drafts/kept.md", "kept\n");
    write(workspace, "drafts/a.md", &format!("first {secret}\n"));
    write(workspace, "drafts/a.md", "second\n");
    let before = messages(dir).len();
    let store = memtape_store::Store::open(dir, store_options(&test.clock)).unwrap();
    let author = Author::new(memtape::Session::direct(), Origin::User);
    let erased =
        store.erase(&author, "asked to", |_| Ok(vec![Replacement::Entry { id: 5, with: None }])).unwrap();
    assert_eq!(erased.entries, 1);
    let again = test.reopened();
    again.follow_files().unwrap();
    assert_not_in_git(dir, secret);
    assert_eq!(messages(dir).len(), before, "each commit was written anew");
    assert_followed(&again);
    assert_eq!(Workspace::verify(dir).unwrap().tape.bad, []);
    let history = Repository::open(dir).unwrap();
    let past = history.revparse_single("HEAD:files/drafts/kept.md").unwrap();
    assert_eq!(past.as_blob().unwrap().content(), b"kept\n");
}

#[test]
fn every_kind_of_secret_stays_off_the_tape_and_out_of_git() {
    for sample in SAMPLES {
        let test = TestWorkspace::new();
        let workspace = &test.workspace;
        let files = workspace.files().writing_as(Origin::Assistant);
        files.write(&FilePath::new("drafts/tool.md").unwrap(), sample.text).unwrap();
        save(&on_disk(workspace, "drafts/person.md"), format!("# T\n\n{}\n", sample.text).as_bytes());
        workspace.follow_files().unwrap();
        let found = files_with(test.path(), sample.secret).unwrap();
        assert_eq!(found.len(), 1, "{} stands in {found:?}", sample.kind);
        assert!(found[0].ends_with("files/drafts/person.md"), "{found:?}");
        assert_eq!(workspace.files_status(Form::FILES).unwrap().secrets, ["files/drafts/person.md"]);
        workspace.scan_and_redact().unwrap();
        assert_not_in_git(test.path(), sample.secret);
        let _ = workspace.take_warnings();
        assert_followed(workspace);
    }
}

#[test]
fn a_secret_only_in_git_is_found_and_removed() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    write(workspace, "drafts/a.md", "a\n");
    let repository = Repository::open(dir).unwrap();
    let head = repository.head().unwrap().peel_to_commit().unwrap();
    let blob = repository.blob(format!("use {secret} for it\n").as_bytes()).unwrap();
    let mut update = git2::build::TreeUpdateBuilder::new();
    update.upsert("files/drafts/b.md", blob, git2::FileMode::Blob);
    let tree = update.create_updated(&repository, &head.tree().unwrap()).unwrap();
    let tree = repository.find_tree(tree).unwrap();
    let by = git2::Signature::now("Ana", "ana@example.com").unwrap();
    repository.commit(Some("HEAD"), &by, &by, "a mistake", &tree, &[&head]).unwrap();
    assert_eq!(workspace.scan().unwrap().finds.len(), 1);
    workspace.scan_and_redact().unwrap();
    assert_not_in_git(dir, secret);
    assert_eq!(workspace.scan().unwrap().finds, []);
}

#[test]
fn an_interrupted_git_operation_is_finished() {
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    write(workspace, "drafts/a.md", "a\n");
    // A commit left its locks.
    fs::write(dir.join(".git/memtape.committing"), "").unwrap();
    for lock in ["index.lock", "refs/heads/main.lock", "HEAD.lock"] {
        fs::write(dir.join(".git").join(lock), "").unwrap();
    }
    write(workspace, "drafts/a.md", "aa\n");
    assert_followed(workspace);
    // The old repository was moved away, and the new one is not in place yet.
    fs::create_dir_all(dir.join(".memtape-git/new")).unwrap();
    fs::rename(dir.join(".git"), dir.join(".memtape-git/new/.git")).unwrap();
    fs::create_dir_all(dir.join(".memtape-git/old")).unwrap();
    write(workspace, "drafts/b.md", "b\n");
    assert!(!dir.join(".memtape-git").exists());
    assert_eq!(
        messages(dir),
        ["file.write drafts/b.md (@6)", "file.write drafts/a.md (@5)", "file.write drafts/a.md (@4)"]
    );
    // A new one that was not whole.
    fs::create_dir_all(dir.join(".memtape-git/new/.git")).unwrap();
    write(workspace, "drafts/c.md", "c\n");
    assert!(!dir.join(".memtape-git").exists());
    assert_followed(workspace);
}

#[cfg(unix)]
#[test]
fn unmanageable_files_are_reported_and_not_changed() {
    use std::os::unix::fs::symlink;
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    write(workspace, "research/tea/a.md", "a\n");
    write(workspace, "research/b.md", "b\n");
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("a.md"), "outside\n").unwrap();
    fs::rename(dir.join("files/research/tea"), dir.join("aside")).unwrap();
    symlink(outside.path(), dir.join("files/research/tea")).unwrap();
    fs::create_dir_all(dir.join("files/insights/deep")).unwrap();
    fs::write(dir.join("files/insights/deep/x.md"), "x").unwrap();
    fs::write(dir.join("files/research/list.bin"), "x").unwrap();
    symlink("/etc/hostname", dir.join("files/drafts.md")).unwrap();
    fs::create_dir_all(dir.join("files/drafts")).unwrap();
    symlink("/etc/hostname", dir.join("files/drafts/h.md")).unwrap();
    workspace.follow_files().unwrap();
    let mut odd: Vec<_> =
        workspace.files_status(Form::FILES).unwrap().odd.into_iter().map(|odd| odd.path).collect();
    odd.sort();
    assert_eq!(odd, ["files/drafts.md", "files/drafts/h.md", "files/insights/deep", "files/research/tea"]);
    assert_eq!(on_tape(workspace).keys().collect::<Vec<_>>(), ["research/b.md", "research/tea/a.md"]);
    write(workspace, "research/tea/a.md", "tool\n");
    assert_eq!(fs::read(outside.path().join("a.md")).unwrap(), b"outside\n", "nothing outside is written");
}

/// Prints the cost of a write with a commit beside that of one without.
#[test]
fn a_commit_costs_about_what_a_durable_write_does() {
    let test = TestWorkspace::new();
    let best = |run: &dyn Fn(usize)| {
        (0..30)
            .map(|n| {
                let since = Instant::now();
                run(n);
                since.elapsed()
            })
            .min()
            .unwrap()
    };
    write(&test.workspace, "drafts/a.md", "a");
    let file = best(&|n| write(&test.workspace, "drafts/a.md", &n.to_string()));
    fs::rename(test.path().join(".git"), test.path().join("aside")).unwrap();
    Repository::init(test.path()).unwrap();
    let without = best(&|n| write(&test.workspace, "drafts/a.md", &format!("w{n}")));
    eprintln!("a write with its commit {file:?}, without {without:?}");
    assert!(file < without * 10, "{file:?} {without:?}");
}
