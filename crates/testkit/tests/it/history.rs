//! The git history of `files/` is a mirror: after any damage to it, no command fails, every loss is reported, and the
//! history is repaired. It never contains erased text.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use git2::{Oid, Repository, Status};
use memtape::{FilePath, FileWork, Keeper, Options, Warning, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::secrets::{files_below, files_with};
use memtape_testkit::workspace::options;
use proptest::prelude::*;

use crate::in_git::{
    SECRET, assert_not_in_git, commit_by_hand, committed, is_clean, messages, on_tape, write,
};

/// Two files, in three commits.
fn begun() -> TestWorkspace {
    let test = TestWorkspace::new();
    write(&test.workspace, "drafts/a.md", "a\n");
    write(&test.workspace, "research/tea/b.md", "b\n");
    write(&test.workspace, "drafts/a.md", "aa\n");
    assert_eq!(test.workspace.take_warnings(), []);
    test
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

#[test]
fn a_history_without_its_head_is_archived_and_recreated() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    commit_by_hand(dir, "mine.txt", "mine\n", "my own");
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
    commit_by_hand(dir, "mine.txt", "mine\n", "my own");
    fs::remove_file(dir.join(".git/refs/heads/main")).unwrap();
    write(workspace, "drafts/c.md", "c\n");
    assert!(matches!(&workspace.take_warnings()[..], [Warning::HistorySetAside { .. }]));
    assert_whole(workspace);
}

/// Damages the file in which `git gc` collects the references.
fn damage_packed_references(dir: &Path) {
    fs::write(dir.join(".git/packed-refs"), "no references\n").unwrap();
}

#[test]
fn a_repository_whose_references_cannot_be_read_is_archived_and_recreated() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    damage_packed_references(dir);
    write(workspace, "drafts/c.md", "c\n");
    let warnings = workspace.take_warnings();
    assert!(matches!(&warnings[..], [Warning::HistorySetAside { .. }]), "{warnings:?}");
    assert_whole(workspace);
}

#[test]
fn a_reference_to_a_deleted_branch_is_no_damage() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    test.older().file("drafts/s.md", &format!("use {SECRET}\n")).unwrap();
    workspace.follow_files().unwrap();
    commit_by_hand(dir, "mine.txt", "mine\n", "my own");
    fs::write(dir.join(".git/refs/heads/alias"), "ref: refs/heads/topic\n").unwrap();
    let _ = workspace.take_warnings();
    assert_ne!(workspace.scan().unwrap().finds, []);
    workspace.scan_and_redact().unwrap();
    let warnings = workspace.take_warnings();
    let is_of_history = |warning: &Warning| {
        matches!(warning, Warning::HistoryRemoved { .. } | Warning::HistoryKeepsErased { .. })
    };
    assert!(!warnings.iter().any(is_of_history), "{warnings:?}");
    assert!(messages(dir).iter().any(|message| message == "my own"));
    assert_not_in_git(dir, SECRET);
}

/// The entries of two copies of a workspace have the same numbers.
#[test]
fn the_history_follows_the_tape_of_another_copy() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    let other = tempfile::tempdir().unwrap();
    fs::copy(dir.join("tape.jsonl"), other.path().join("tape.jsonl")).unwrap();
    workspace.files().delete(&FilePath::new("research/tea/b.md").unwrap()).unwrap();
    assert_whole(workspace);
    let copy = Workspace::open(other.path(), options(&test.clock)).unwrap();
    for n in 0..5 {
        write(&copy, "drafts/c.md", &format!("{n}\n"));
    }
    fs::copy(other.path().join("tape.jsonl"), dir.join("tape.jsonl")).unwrap();
    let again = test.reopened();
    again.follow_files().unwrap();
    assert!(committed(dir).contains_key("research/tea/b.md"));
    assert_whole(&again);
}

#[test]
fn a_repository_in_a_format_that_libgit2_does_not_know_is_no_damage() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    let config = || git2::Config::open(&dir.join(".git/config")).unwrap();
    config().set_i32("core.repositoryformatversion", 1).unwrap();
    config().set_str("extensions.refstorage", "reftable").unwrap();
    write(workspace, "drafts/c.md", "c\n");
    let warnings = workspace.take_warnings();
    let is_named =
        matches!(&warnings[..], [Warning::HistoryLags { why }] if why.contains("extensions.refstorage"));
    assert!(is_named, "{warnings:?}");
    assert!(!dir.join("archive").exists());
    config().remove("extensions.refstorage").unwrap();
    workspace.follow_files().unwrap();
    assert_whole(workspace);
    assert_eq!(messages(dir).len(), 4);
}

#[test]
fn what_a_person_stages_while_a_commit_is_made_stays_staged() {
    let test = begun();
    let dir = test.path().to_owned();
    let stage = {
        let dir = dir.clone();
        move |work: FileWork, _: u64, _: u64| {
            if work == FileWork::Commit {
                fs::write(dir.join("mine.txt"), "mine\n").unwrap();
                let repository = Repository::open(&dir).unwrap();
                let mut index = repository.index().unwrap();
                index.add_path(Path::new("mine.txt")).unwrap();
                index.write().unwrap();
            }
        }
    };
    let options = Options { files_progress: Arc::new(stage), ..options(&test.clock) };
    let workspace = Workspace::open(&dir, options).unwrap();
    write(&workspace, "drafts/c.md", "c\n");
    assert_eq!(workspace.take_warnings(), []);
    let repository = Repository::open(&dir).unwrap();
    assert_eq!(repository.status_file(Path::new("mine.txt")).unwrap(), Status::INDEX_NEW);
    assert_eq!(repository.status_file(Path::new("files/drafts/c.md")).unwrap(), Status::CURRENT);
    assert_eq!(committed(&dir), on_tape(&workspace));
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
    let damages: [fn(&Path); 3] = [
        |dir| fs::remove_file(object(dir, head(dir))).unwrap(),
        |dir| fs::remove_file(object(dir, nth_before_head(dir, 1))).unwrap(),
        // What is checked out can still be read.
        damage_packed_references,
    ];
    for damage in damages {
        let test = begun();
        let (workspace, dir) = (&test.workspace, test.path());
        test.older().file("drafts/s.md", &format!("use {SECRET}\n")).unwrap();
        workspace.follow_files().unwrap();
        write(workspace, "drafts/c.md", "c\n");
        damage(dir);
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
    commit_by_hand(dir, "mine.txt", SECRET, "my own");
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
    let count = files_below(&begun().path().join(".git/objects")).unwrap().len();
    assert!(count > 8, "{count}");
    for nth in 0..count {
        for is_erased in [false, true] {
            let test = begun();
            let (workspace, dir) = (&test.workspace, test.path());
            let object = &files_below(&dir.join(".git/objects")).unwrap()[nth];
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
    let all = files_below(&twin.path().join(".git/objects")).unwrap();
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
            let files = files_below(&dir.join(".git")).unwrap();
            let path = &files[at.index(files.len())];
            damage.of(path);
            done.push(path.strip_prefix(dir).unwrap().display().to_string());
        }
        // A flipped bit can make another version of git's format, which is no damage.
        let is_known = |e: git2::Error| !e.message().contains("unsupported repository version");
        prop_assume!(Repository::open(dir).err().is_none_or(is_known));
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

/// git keeps the messages of tags, stashes, and commits that were amended beside the branches.
#[test]
fn a_secret_that_no_branch_has_is_found_and_removed_and_tags_stay() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    {
        let repository = Repository::open(dir).unwrap();
        let head = repository.head().unwrap().peel(git2::ObjectType::Commit).unwrap();
        let by = git2::Signature::now("Ana", "ana@example.com").unwrap();
        repository.tag("v1", &head, &by, &format!("release {SECRET}\n"), false).unwrap();
        repository.blob(format!("staged {SECRET}\n").as_bytes()).unwrap();
        let tree = head.as_commit().unwrap().tree().unwrap();
        let author = git2::Signature::now(SECRET, "ana@example.com").unwrap();
        repository.commit(None, &author, &by, "amended", &tree, &[]).unwrap();
        repository.commit(Some("refs/heads/mine"), &author, &by, "mine", &tree, &[]).unwrap();
    }
    let finds = workspace.scan().unwrap().finds;
    let name = |find: &memtape::Find| match &find.place {
        memtape::Place::File { name, .. } => name.clone(),
        memtape::Place::Entry(entry) => entry.to_string(),
    };
    let mut places: Vec<_> = finds.iter().map(name).collect();
    places.sort();
    let no_branch = "git: an object that no branch has";
    assert_eq!(places, ["git: a commit's author", no_branch, no_branch, no_branch]);
    workspace.scan_and_redact().unwrap();
    assert_not_in_git(dir, SECRET);
    assert_eq!(workspace.scan().unwrap().finds, []);
    let repository = Repository::open(dir).unwrap();
    let tag = repository.find_reference("refs/tags/v1").unwrap().peel_to_tag().unwrap();
    assert_eq!(tag.message().unwrap(), Some("release [redacted:github-token]\n"));
    assert_eq!(tag.target_id(), head(dir));
}

/// What a person typed is kept beside the file if it has a secret that the tape does not have.
#[test]
fn a_kept_text_is_nothing_to_commit() {
    let test = begun();
    let (workspace, dir) = (&test.workspace, test.path());
    for (n, kept) in ["a.md.kept", "a.md.kept2"].into_iter().enumerate() {
        fs::write(dir.join("files/drafts/a.md"), format!("{n} {SECRET}\n")).unwrap();
        workspace.follow_files().unwrap();
        write(workspace, "drafts/a.md", &format!("aa {n}\n"));
        assert!(dir.join("files/drafts").join(kept).exists(), "{kept}");
    }
    assert!(is_clean(dir));
}
