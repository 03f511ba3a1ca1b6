//! The git history of `files/` is a mirror: after any damage to it, no command fails, every loss is reported, and the
//! history is repaired. It never contains erased text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use git2::{Oid, Repository};
use memtape::{At, FilePath, Keeper, Warning, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::secrets::files_with;
use proptest::prelude::*;

use crate::in_git::{assert_not_in_git, committed, is_clean, messages};

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

fn write(workspace: &Workspace, path: &str, text: &str) {
    workspace.files().write(&FilePath::new(path).unwrap(), text).unwrap();
}

/// Two files, in three commits.
fn begun() -> TestWorkspace {
    let test = TestWorkspace::new();
    write(&test.workspace, "drafts/a.md", "a\n");
    write(&test.workspace, "research/tea/b.md", "b\n");
    write(&test.workspace, "drafts/a.md", "aa\n");
    assert_eq!(test.workspace.take_warnings(), []);
    test
}

fn on_tape(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    let listed = workspace.files().list(None, &At::head()).unwrap();
    let read = |path: &FilePath| workspace.files().read(path, &At::head()).unwrap().bytes;
    listed.iter().map(|file| (file.path.to_string(), read(&file.path))).collect()
}

fn assert_whole(workspace: &Workspace) {
    assert_eq!(committed(workspace.dir()), on_tape(workspace), "git has what the tape has");
    assert!(is_clean(workspace.dir()), "git has nothing to commit");
}

/// Returns the path of an object in git.
fn object(dir: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    dir.join(".git/objects").join(&name[..2]).join(&name[2..])
}

fn head(dir: &Path) -> Oid {
    Repository::open(dir).unwrap().head().unwrap().target().unwrap()
}

fn nth_before_head(dir: &Path, n: usize) -> Oid {
    let repository = Repository::open(dir).unwrap();
    let commit = repository.revparse_single(&format!("HEAD~{n}")).unwrap();
    commit.id()
}

fn files_of(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files_of(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// A commit of a person, beside memtape's, with a text that the tape does not have.
fn commit_by_hand(dir: &Path, text: &str) {
    let repository = Repository::open(dir).unwrap();
    let head = repository.head().unwrap().peel_to_commit().unwrap();
    let blob = repository.blob(text.as_bytes()).unwrap();
    let mut update = git2::build::TreeUpdateBuilder::new();
    update.upsert("mine.txt", blob, git2::FileMode::Blob);
    let tree = update.create_updated(&repository, &head.tree().unwrap()).unwrap();
    let tree = repository.find_tree(tree).unwrap();
    let by = git2::Signature::now("Ana", "ana@example.com").unwrap();
    repository.commit(Some("HEAD"), &by, &by, "my own", &tree, &[&head]).unwrap();
}

#[test]
fn a_history_without_its_head_is_archived_and_recreated() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    commit_by_hand(dir, "mine\n");
    fs::remove_file(object(dir, head(dir))).unwrap();
    write(workspace, "drafts/c.md", "c\n");
    let warnings = workspace.take_warnings();
    assert!(
        matches!(&warnings[..], [Warning::HistorySetAside { kept, .. }] if kept == "archive/git-1"),
        "{warnings:?}"
    );
    assert_eq!(messages(dir).len(), 4, "one commit for each write, made from the tape");
    assert_whole(workspace);
    assert!(dir.join("archive/git-1/.git/config").exists(), "a person may have had more there");
    write(workspace, "drafts/c.md", "cc\n");
    assert_eq!(workspace.take_warnings(), []);
    assert_eq!(messages(dir).len(), 5);
    assert_eq!(test.reopened().history_keeper().unwrap(), Keeper::Memtape(dir.join(".git")));
}

#[test]
fn a_missing_branch_is_not_a_new_repository() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    commit_by_hand(dir, "mine\n");
    fs::remove_file(dir.join(".git/refs/heads/main")).unwrap();
    write(workspace, "drafts/c.md", "c\n");
    assert!(matches!(&workspace.take_warnings()[..], [Warning::HistorySetAside { .. }]));
    assert_whole(workspace);
}

#[test]
fn a_failed_commit_is_reported_and_made_later() {
    // Ids of commits depend only on content and time, so they are the same in another workspace.
    let twin = begun();
    write(&twin.workspace, "drafts/c.md", "c\n");
    let coming = head(twin.path());

    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    let before = head(dir);
    let manifest = fs::read(dir.join(".git/memtape.json")).unwrap();
    let folder = object(dir, coming).parent().unwrap().to_owned();
    assert!(!folder.exists(), "the commit's folder is to be the only one in the way");
    fs::write(&folder, "in the way").unwrap();
    write(workspace, "drafts/c.md", "c\n");
    assert!(matches!(&workspace.take_warnings()[..], [Warning::HistoryLags { .. }]));
    assert_eq!(head(dir), before);
    assert_eq!(fs::read(dir.join(".git/memtape.json")).unwrap(), manifest, "nothing is claimed");
    fs::remove_file(&folder).unwrap();
    workspace.follow_files().unwrap();
    assert_eq!(workspace.take_warnings(), []);
    assert_eq!(head(dir), coming);
    assert_whole(workspace);
}

#[test]
fn an_erasure_continues_if_git_is_damaged() {
    for n in [0, 1] {
        let test = begun();
        let (workspace, dir) = (&test.workspace, test.path());
        test.older().file("drafts/s.md", &format!("use {SECRET}\n")).unwrap();
        workspace.follow_files().unwrap();
        write(workspace, "drafts/c.md", "c\n");
        fs::remove_file(object(dir, nth_before_head(dir, n))).unwrap();
        let _ = workspace.take_warnings();
        assert_ne!(workspace.scan().unwrap().finds, []);
        workspace.scan_and_redact().unwrap();
        let warnings = workspace.take_warnings();
        let is_removal =
            |warning: &Warning| matches!(warning, Warning::HistoryRemoved { what } if what == &[".git"]);
        assert!(warnings.iter().any(is_removal), "{warnings:?}");
        write(workspace, "drafts/c.md", "cc\n");
        assert_not_in_git(dir, SECRET);
        assert_whole(workspace);
        assert_eq!(workspace.scan().unwrap().finds, []);
    }
}

#[test]
fn an_erasure_removes_archived_repositories() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    commit_by_hand(dir, SECRET);
    fs::remove_file(object(dir, head(dir))).unwrap();
    write(workspace, "drafts/c.md", "c\n");
    assert!(dir.join("archive/git-1").exists());
    let finds = workspace.scan().unwrap().finds;
    assert_eq!(finds.len(), 1, "what was set aside is looked through: {finds:?}");
    let _ = workspace.take_warnings();
    workspace.scan_and_redact().unwrap();
    let warnings = workspace.take_warnings();
    let is_removal =
        |warning: &Warning| matches!(warning, Warning::HistoryRemoved { what } if what == &["archive/git-1"]);
    assert!(warnings.iter().any(is_removal), "{warnings:?}");
    assert!(!dir.join("archive/git-1").exists());
    assert_not_in_git(dir, SECRET);
    assert_whole(workspace);
    assert_eq!(workspace.scan().unwrap().finds, []);
}

#[test]
fn a_leftover_of_an_erasure_blocks_no_write() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    test.older().file("drafts/s.md", &format!("use {SECRET}\n")).unwrap();
    workspace.follow_files().unwrap();
    let _ = workspace.take_warnings();
    fs::write(dir.join(".memtape-git"), "in the way").unwrap();
    workspace.scan_and_redact().unwrap();
    write(workspace, "drafts/c.md", "c\n");
    assert_not_in_git(dir, SECRET);
    assert_whole(workspace);
}

/// libgit2 never returns from reading an object that is cut off.
#[test]
fn an_object_that_is_cut_off_is_damage() {
    let count = files_of(&begun().path().join(".git/objects")).len();
    assert!(count > 8, "{count}");
    for nth in 0..count {
        for is_erased in [false, true] {
            let test = begun();
            let (workspace, dir) = (&test.workspace, test.path());
            let object = &files_of(&dir.join(".git/objects"))[nth];
            Damage::CutOff.of(object);
            if is_erased {
                test.older().file("drafts/s.md", &format!("use {SECRET}\n")).unwrap();
                workspace.scan_and_redact().unwrap();
            }
            write(workspace, "drafts/c.md", "c\n");
            workspace.follow_files().unwrap();
            assert_eq!(committed(dir), on_tape(workspace), "{}", object.display());
            let _ = workspace.scan().unwrap();
            assert!(files_with(dir, SECRET).unwrap().is_empty());
        }
    }
}

/// The retry of a commit writes the same objects as the commit that was interrupted.
#[test]
fn an_object_of_an_interrupted_commit_may_be_cut_off() {
    let twin = begun();
    write(&twin.workspace, "research/rice/c.md", "c\n");
    let all = files_of(&twin.path().join(".git/objects"));
    let test = begun();
    let new: Vec<_> = all.iter().map(|path| path.strip_prefix(twin.path()).unwrap()).collect();
    let new: Vec<_> = new.into_iter().filter(|path| !test.path().join(path).exists()).collect();
    assert_eq!(new.len(), 6, "a text, four folders and a commit");
    for object in new {
        let test = begun();
        let (workspace, dir) = (&test.workspace, test.path());
        fs::create_dir_all(dir.join(object).parent().unwrap()).unwrap();
        fs::copy(twin.path().join(object), dir.join(object)).unwrap();
        Damage::CutOff.of(&dir.join(object));
        write(workspace, "research/rice/c.md", "c\n");
        assert!(matches!(&workspace.take_warnings()[..], [Warning::HistorySetAside { .. }]));
        assert_whole(workspace);
    }
}

#[derive(Clone, Copy, Debug)]
enum Damage {
    Removed,
    Emptied,
    CutOff,
    Flipped(prop::sample::Index),
    Folder,
}

impl Damage {
    fn of(self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        match self {
            Self::Removed => {}
            Self::Emptied => fs::write(path, "").unwrap(),
            Self::CutOff => fs::write(path, &bytes[..bytes.len() / 2]).unwrap(),
            Self::Flipped(at) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] ^= 0x15;
                fs::write(path, bytes).unwrap();
            }
            Self::Flipped(_) | Self::Folder => fs::create_dir(path).unwrap(),
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Removed),
        Just(Damage::Emptied),
        Just(Damage::CutOff),
        any::<prop::sample::Index>().prop_map(Damage::Flipped),
        Just(Damage::Folder),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_damage_to_git_blocks_nothing_and_is_repaired(
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..4),
        is_erased in any::<bool>(),
    ) {
        let test = begun();
        let (workspace, dir) = (&test.workspace, test.path());
        test.older().file("drafts/s.md", &format!("use {SECRET}\n")).unwrap();
        workspace.follow_files().unwrap();
        let mut done = Vec::new();
        for (at, damage) in &damages {
            let files = files_of(&dir.join(".git"));
            let path = &files[at.index(files.len())];
            damage.of(path);
            done.push(path.strip_prefix(dir).unwrap().display().to_string());
        }
        if is_erased {
            workspace.scan_and_redact().unwrap();
        }
        // Every command works on the state that the previous one left.
        write(workspace, "drafts/c.md", "c\n");
        write(workspace, "drafts/a.md", "a\n");
        workspace.follow_files().unwrap();
        let warnings = workspace.take_warnings();
        // A repository whose owner is unknown is foreign, and is not written to; a lock may be a person's, and is
        // reported.
        let is_foreign = workspace.history_keeper().unwrap() == Keeper::SomebodyElse(dir.join(".git"));
        prop_assert!(!is_foreign || done.iter().any(|path| path == ".git/config"), "{done:?}");
        if !is_foreign {
            prop_assert_eq!(committed(dir), on_tape(workspace), "{:?}: {:?}", done, warnings);
            // Git's list of excluded files belongs to the person.
            let is_excluding = done.iter().all(|path| path != ".git/info/exclude");
            prop_assert!(!is_excluding || is_clean(dir), "{:?}: {:?}", done, warnings);
            if is_erased {
                assert_not_in_git(dir, SECRET);
            }
        }
        if is_erased {
            let holding = files_with(dir, SECRET).unwrap();
            prop_assert!(holding.is_empty(), "{:?}", holding);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_secret_in_the_history_of_another_user_is_found() {
    let test = TestWorkspace::new();
    let (workspace, dir) = (&test.workspace, test.path());
    write(workspace, "drafts/a.md", "a\n");
    {
        let repository = Repository::open(dir).unwrap();
        let blob = repository.blob(b"one\nghp_0123456789abcdefABCDEF0123456789abcd").unwrap();
        let mut tree = repository.treebuilder(None).unwrap();
        tree.insert("note", blob, 0o100_644).unwrap();
        let tree = repository.find_tree(tree.write().unwrap()).unwrap();
        let me = git2::Signature::now("me", "me@localhost").unwrap();
        repository.commit(Some("refs/heads/mine"), &me, &me, "typed", &tree, &[]).unwrap();
    }
    // Only root can change the owner of files.
    if std::os::unix::fs::chown(dir.join(".git"), Some(65534), Some(65534)).is_err() {
        return;
    }
    let scan = workspace.scan().unwrap();
    let found: Vec<_> = scan.finds.iter().map(|find| format!("{}: {}", find.place, find.kind)).collect();
    assert_eq!(found, ["git: another user's history:2: github-token"]);
    assert!(matches!(&workspace.take_warnings()[..], [Warning::HistoryOfOtherUser { at }] if at == ".git"));
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::OtherUsers(dir.join(".git")));
}
