//! A build without the feature `git` finds the repositories of a workspace, changes none, and claims nothing about what
//! is in one.

use std::fs;
use std::path::Path;

use git2::Repository;
use memtape_tape::Durability;
use memtape_worktree::git::rewrite::{self, Cuts, Rewritten};
use memtape_worktree::git::{self, Failure, Found, History, Place};

const WORKSPACE: &str = "w_1";

/// Creates a repository as memtape does.
fn memtapes(path: &Path, workspace: &str) {
    Repository::init(path).unwrap().config().unwrap().set_str("memtape.workspace", workspace).unwrap();
}

fn find(dir: &Path) -> Result<Found, Failure> {
    git::find(dir, Place::Root, WORKSPACE)
}

/// Asserts that an erasure leaves the repository as it is, and reports that.
fn assert_kept(dir: &Path) {
    assert!(matches!(find(dir), Err(Failure::Unsupported)));
    let Rewritten { foreign, removed, kept } = rewrite::rewrite(dir, WORKSPACE, &Cuts::default());
    assert_eq!((foreign, removed), (None, Vec::new()));
    let [kept] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!((&*kept.at, &*kept.why), (".git", "this build of memtape has no git support"));
    assert!(dir.join(".git/HEAD").exists() && !dir.join(".memtape-git").exists());
    let searched = git::each_text(dir, Place::Root, WORKSPACE, |_, _| panic!("no text can be read"));
    assert!(matches!(searched, Err(Failure::Unsupported)));
}

#[test]
fn a_repository_of_memtape_is_kept_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    assert!(matches!(find(dir), Ok(Found::Nothing)));
    assert!(rewrite::rewrite(dir, WORKSPACE, &Cuts::default()).kept.is_empty());
    memtapes(dir, WORKSPACE);
    assert_kept(dir);
    assert!(!git::move_to(dir, Place::Separate, WORKSPACE).unwrap());
    let created = History::create(dir, Place::Separate, WORKSPACE, Durability::Os);
    assert!(matches!(created, Err(Failure::Unsupported)));
    assert!(!dir.join("history.git").exists());
}

#[test]
fn a_damaged_repository_is_not_removed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    memtapes(dir, WORKSPACE);
    let manifest = format!(r#"{{"workspace":"{WORKSPACE}","branch":"main","entry":1,"head":null}}"#);
    fs::write(dir.join(".git/memtape.json"), manifest).unwrap();
    for config in ["", "[memtape"] {
        fs::write(dir.join(".git/config"), config).unwrap();
        assert_kept(dir);
    }
    // Somebody made it a repository of their own.
    fs::write(dir.join(".git/config"), "[core]\n\tbare = false\n").unwrap();
    assert!(matches!(find(dir), Ok(Found::Foreign(_))));
}

#[test]
fn other_repositories_are_foreign() {
    let dir = tempfile::tempdir().unwrap();
    let (outer, inner) = (dir.path(), dir.path().join("memory"));
    fs::create_dir(&inner).unwrap();
    memtapes(outer, "w_2");
    assert!(matches!(find(outer), Ok(Found::Foreign(_))));
    assert!(matches!(find(&inner), Ok(Found::Nothing)));
    fs::write(outer.join(".git/config"), "").unwrap();
    assert!(matches!(find(&inner), Ok(Found::Foreign(at)) if at.ends_with(".git")));
    assert!(rewrite::rewrite(&inner, WORKSPACE, &Cuts::default()).foreign.is_some());
}

#[test]
fn an_interrupted_erasure_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    memtapes(&dir.join(".memtape-git/new"), WORKSPACE);
    memtapes(&dir.join(".memtape-git/old"), WORKSPACE);
    rewrite::recover(dir).unwrap();
    assert!(dir.join(".git/HEAD").exists() && !dir.join(".memtape-git").exists());
}

#[test]
fn archived_repositories_are_removed_by_an_erasure() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    assert!(git::each_archived_text(dir, |_, _| ()).is_ok());
    memtapes(&dir.join("archive/git-1"), WORKSPACE);
    assert!(matches!(git::each_archived_text(dir, |_, _| ()), Err(Failure::Unsupported)));
    assert_eq!(rewrite::rewrite(dir, WORKSPACE, &Cuts::default()).removed, ["archive/git-1"]);
    assert!(!git::is_anywhere(dir));
}
