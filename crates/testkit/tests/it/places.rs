//! The place of the git history of `files/`: never in a repository that memtape did not create, nor inside one unless
//! configured; and erased text is in none of the places.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use git2::Repository;
use memtape::{At, Config, GitPlace, Keeper, Options, Warning, Workspace};
use memtape_server::http::tokens::{Kind, Token, Tokens};
use memtape_testkit::TestWorkspace;
use memtape_testkit::clock::TestClock;
use memtape_testkit::secrets::files_with;
use memtape_testkit::workspace::{START, options};

use crate::in_git::{
    SECRET, assert_not_in_git, commit_by_hand, committed, is_clean, messages, on_tape, write,
};

/// The file of a person's own commit.
const MINE: &str = "files/drafts/mine.bin";

/// Options by which the history is kept at a place, or nowhere.
fn kept_at(git: Option<GitPlace>) -> Options {
    let mut config = Config::default();
    config.files.git = git;
    Options { config, ..options(&TestClock::at(START)) }
}

fn open(dir: &Path, git: Option<GitPlace>) -> Workspace {
    Workspace::open(dir, kept_at(git)).unwrap()
}

fn separate(dir: &Path) -> PathBuf {
    dir.join("history.git")
}

/// Returns the untracked files of a repository, without ignored ones.
fn untracked(dir: &Path) -> Vec<String> {
    let repository = Repository::open(dir).unwrap();
    let mut options = git2::StatusOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true);
    let statuses = repository.statuses(Some(&mut options)).unwrap();
    statuses.iter().map(|status| status.path().unwrap().to_owned()).collect()
}

fn has_commits(dir: &Path) -> bool {
    Repository::open(dir).unwrap().head().is_ok()
}

/// Workspaces in the root of a person's repository and in a folder of it.
fn in_repositories(mut check: impl FnMut(&Path, &Path)) {
    for folder in ["", "agents/ana"] {
        let above = tempfile::tempdir().unwrap();
        Repository::init(above.path()).unwrap();
        let dir = above.path().join(folder);
        fs::create_dir_all(&dir).unwrap();
        check(above.path(), &dir);
    }
}

#[test]
fn memtape_does_not_commit_to_a_foreign_repository() {
    in_repositories(|above, dir| {
        let workspace = Workspace::init(dir, kept_at(Some(GitPlace::Root))).unwrap();
        write(&workspace, "drafts/a.md", "a\n");
        workspace.files().list(None, &At::head()).unwrap();
        assert_eq!(workspace.take_warnings(), []);
        assert!(!has_commits(above));
        assert!(above == dir || !dir.join(".git").exists(), "it would be an embedded repository");
        assert!(!separate(dir).exists());
        let at = above.canonicalize().unwrap().join(".git");
        let Keeper::SomebodyElse(found) = workspace.history_keeper().unwrap() else { panic!("it is Ana's") };
        assert_eq!(found.canonicalize().unwrap(), at);
    });
}

#[test]
fn a_folder_named_like_a_repository_is_none() {
    let above = tempfile::tempdir().unwrap();
    fs::create_dir(above.path().join(".git")).unwrap();
    let dir = above.path().join("memory");
    let workspace = Workspace::init(&dir, kept_at(Some(GitPlace::Root))).unwrap();
    write(&workspace, "drafts/a.md", "a\n");
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::Memtape(dir.join(".git")));
}

#[test]
fn a_workspace_inside_another_has_a_history_of_its_own() {
    let test = TestWorkspace::new();
    write(&test.workspace, "drafts/a.md", "a\n");
    let dir = test.path().join("agents/ana");
    let workspace = Workspace::init(&dir, kept_at(Some(GitPlace::Root))).unwrap();
    write(&workspace, "drafts/b.md", "b\n");
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::Memtape(dir.join(".git")));
    assert_eq!(committed(&dir), on_tape(&workspace));
}

#[test]
fn a_separate_history_works_beside_a_foreign_repository() {
    in_repositories(|above, dir| {
        let workspace = Workspace::init(dir, kept_at(Some(GitPlace::Root))).unwrap();
        write(&workspace, "drafts/a.md", "a\n");
        let workspace = open(dir, Some(GitPlace::Separate));
        write(&workspace, "drafts/a.md", "aa\n");
        assert_eq!(messages(&separate(dir)), ["file.write drafts/a.md (@5)", "file.write drafts/a.md (@4)"]);
        assert_eq!(committed(&separate(dir)), on_tape(&workspace));
        assert!(is_clean(&separate(dir)), "git sees the workspace as its work tree");
        assert_eq!(workspace.history_keeper().unwrap(), Keeper::Memtape(separate(dir)));
        assert_eq!(workspace.take_warnings(), []);
        assert!(!has_commits(above));
        let seen = untracked(above);
        assert!(seen.iter().any(|path| path.ends_with("files/drafts/a.md")), "{seen:?}");
        assert!(!seen.iter().any(|path| path.contains("history.git")), "{seen:?}");
    });
}

#[test]
fn erased_text_is_in_no_configured_place_of_git() {
    for since in [Some(GitPlace::Separate), Some(GitPlace::Root), None] {
        in_repositories(|above, dir| {
            let workspace = Workspace::init(dir, kept_at(Some(GitPlace::Separate))).unwrap();
            write(&workspace, "drafts/a.md", "a\n");
            commit_by_hand(&separate(dir), MINE, SECRET, &format!("use {SECRET}"));
            let workspace = open(dir, since);
            assert_eq!(workspace.scan().unwrap().finds.len(), 2, "the file and the message");
            workspace.scan_and_redact().unwrap();
            assert_not_in_git(&separate(dir), SECRET);
            assert_eq!(files_with(dir, SECRET).unwrap(), Vec::<String>::new());
            assert_eq!(workspace.scan().unwrap().finds, []);
            let warnings = workspace.take_warnings();
            let at = above.canonicalize().unwrap().join(".git");
            assert!(
                matches!(&warnings[..], [Warning::HistoryNotOurs { at: found }] if found.canonicalize().unwrap() == at),
                "{warnings:?}"
            );
            let workspace = open(dir, Some(GitPlace::Separate));
            write(&workspace, "drafts/b.md", "b\n");
            assert_eq!(messages(&separate(dir)).len(), 3, "its commits go on");
            assert!(committed(&separate(dir)).contains_key("drafts/b.md"));
            let seen = untracked(above);
            assert!(!seen.iter().any(|path| path.contains("history.git")), "{seen:?}");
        });
    }
}

#[test]
fn an_erasure_of_a_separate_history_that_was_interrupted_is_finished() {
    let test = TestWorkspace::new();
    let dir = test.path();
    let workspace = open(dir, Some(GitPlace::Separate));
    write(&workspace, "drafts/a.md", "a\n");
    // The old repository was moved away, and the new one is not in place yet.
    fs::create_dir_all(dir.join(".memtape-git/new")).unwrap();
    fs::rename(separate(dir), dir.join(".memtape-git/new/history.git")).unwrap();
    fs::create_dir_all(dir.join(".memtape-git/old")).unwrap();
    write(&workspace, "drafts/b.md", "b\n");
    assert!(!dir.join(".memtape-git").exists());
    assert_eq!(messages(&separate(dir)), ["file.write drafts/b.md (@5)", "file.write drafts/a.md (@4)"]);
    assert_eq!(workspace.take_warnings(), []);
}

#[test]
fn a_separate_history_that_is_damaged_is_set_aside_and_made_anew() {
    let test = TestWorkspace::new();
    let dir = test.path();
    let workspace = open(dir, Some(GitPlace::Separate));
    write(&workspace, "drafts/a.md", "a\n");
    fs::remove_dir_all(separate(dir).join("objects")).unwrap();
    fs::create_dir(separate(dir).join("objects")).unwrap();
    write(&workspace, "drafts/b.md", "b\n");
    assert!(matches!(&workspace.take_warnings()[..], [Warning::HistorySetAside { .. }]));
    assert_eq!(committed(&separate(dir)), on_tape(&workspace));
    assert!(!dir.join(".git").exists());
}

#[test]
fn the_history_moves_with_the_setting() {
    let test = TestWorkspace::new();
    let dir = test.path();
    write(&test.workspace, "drafts/a.md", "a\n");
    commit_by_hand(dir, MINE, "mine\n", "my own");
    let own = messages(dir);
    let there = open(dir, Some(GitPlace::Separate));
    // Asking is enough.
    there.files().list(None, &At::head()).unwrap();
    assert!(!dir.join(".git").exists());
    assert!(messages(&separate(dir)).ends_with(&own), "a person's own commits move along");
    write(&there, "drafts/b.md", "b\n");
    assert_eq!(there.take_warnings(), []);

    let back = open(dir, Some(GitPlace::Root));
    write(&back, "drafts/c.md", "c\n");
    assert!(!separate(dir).exists());
    assert!(messages(dir).ends_with(&own));
    assert_eq!(messages(dir)[0], "file.write drafts/c.md (@6)");
    assert_eq!(back.take_warnings(), []);
}

#[test]
fn no_history_is_kept_where_it_is_off() {
    let test = TestWorkspace::new();
    let dir = test.path();
    let workspace = open(dir, None);
    write(&workspace, "drafts/a.md", "a\n");
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::Off);
    assert!(!dir.join(".git").exists() && !separate(dir).exists());
    assert_eq!(workspace.take_warnings(), []);
}

#[test]
fn a_foreign_directory_blocks_a_separate_history() {
    let test = TestWorkspace::new();
    let dir = test.path();
    Repository::init_bare(separate(dir)).unwrap();
    let workspace = open(dir, Some(GitPlace::Separate));
    write(&workspace, "drafts/a.md", "a\n");
    assert!(!has_commits(&separate(dir)));
    assert_eq!(workspace.history_keeper().unwrap(), Keeper::Blocked(separate(dir)));
}

/// No other command may write to a file that a workspace has.
#[test]
fn each_file_of_a_used_workspace_belongs_to_it() {
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    let workspace = open(test.path(), Some(GitPlace::Root));
    workspace.zone().remember("Ana likes tea").unwrap();
    workspace.conversation(memtape::Session::direct()).begin(&memtape::Inbound::new("hello")).unwrap();
    let note = workspace.notes().path("facts/tea.md").unwrap();
    workspace.notes().write(&note, "- green").unwrap();
    write(&workspace, "tea/green.md", "green");
    workspace.archive().unwrap();
    let owner = Token {
        name: "owner".into(),
        hash: String::new(),
        kind: Kind::Owner,
        workspace: None,
        tools: vec!["core".into()],
        read_only: false,
    };
    Tokens::of(test.path()).add(owner).unwrap();
    let upstream: Arc<dyn memtape::Upstream> = Arc::new(memtape_upstream::MemoryUpstream::new("used"));
    workspace.push(upstream.as_ref()).unwrap();
    let options = Options { upstream: Some(upstream), ..kept_at(Some(GitPlace::Separate)) };
    let replica = Workspace::open(test.path(), options).unwrap();
    replica.zone().remember("Ana likes coffee").unwrap();
    write(&replica, "tea/black.md", "black");
    let names: Vec<_> = fs::read_dir(test.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.len() > 12, "{names:?}");
    for name in names {
        assert!(replica.check_is_free(&test.path().join(&name)).is_err(), "{name:?}");
    }
}
