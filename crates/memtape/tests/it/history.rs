//! Undo, redo and revert: an undo restores the earlier state, and a redo the later one.

use memtape::ledger::Named;
use memtape::{At, Audience, ErrorKind, Form, Options, Resolution, Session, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::options;

use crate::branches::told;

fn forget(workspace: &Workspace, predicate: &str) {
    let named = Named { subject: "user".into(), predicate: predicate.into(), scope: None };
    workspace.ledger().forget(&named).unwrap();
}

fn on(test: &TestWorkspace, branch: &str) -> Workspace {
    Workspace::open(test.path(), Options { branch: Some(branch.into()), ..options(&test.clock) }).unwrap()
}

fn create(test: &TestWorkspace, branch: &str) -> Workspace {
    test.workspace.branches().create(branch, None, &At::head()).unwrap();
    on(test, branch)
}

fn facts(workspace: &Workspace) -> Vec<String> {
    let facts = workspace.memories(Form::LEDGER, &Audience::owner(), &At::head()).unwrap();
    let mut texts: Vec<String> = facts.into_iter().map(|memory| memory.text).collect();
    texts.sort();
    texts
}

fn open(workspace: &Workspace) -> usize {
    workspace.branches().conflicts(&At::head()).unwrap().len()
}

/// Returns a workspace whose branch `trip` added, changed and forgot facts, one of which main changed too.
fn parted() -> (TestWorkspace, Workspace) {
    let test = TestWorkspace::new();
    for (predicate, object) in [("lives in", "Porto"), ("eats", "fish"), ("works at", "home")] {
        test.workspace.ledger().add(&told(predicate, object)).unwrap();
    }
    let trip = create(&test, "trip");
    trip.ledger().add(&told("lives in", "Utrecht")).unwrap();
    trip.ledger().add(&told("flies from", "Faro")).unwrap();
    forget(&trip, "eats");
    trip.ledger().add(&told("works at", "sea")).unwrap();
    test.workspace.ledger().add(&told("works at", "a mill")).unwrap();
    (test, trip)
}

#[test]
fn an_undone_merge_can_be_repeated() {
    let (test, trip) = parted();
    let branches = test.workspace.branches();
    let (before, theirs) = (facts(&test.workspace), facts(&trip));
    let first = branches.merge("trip").unwrap();
    let merged = facts(&test.workspace);
    assert_eq!((first.changed.len(), first.conflicts.len(), open(&test.workspace)), (3, 1, 1));
    for _ in 0..2 {
        branches.undo().unwrap();
        assert_eq!((facts(&test.workspace), open(&test.workspace)), (before.clone(), 0));
        // Undoing on main does not change the branch.
        assert!(trip.branches().would_merge("main").unwrap().changed.is_empty());
        let again = branches.merge("trip").unwrap();
        assert_eq!((again.changed.len(), again.conflicts.len()), (3, 1));
        assert_eq!((facts(&test.workspace), open(&test.workspace)), (merged.clone(), 1));
        assert_eq!(branches.merge("trip").unwrap().commit, None);
    }
    assert_eq!(facts(&trip), theirs);
}

#[test]
fn commits_of_an_undone_merge_can_be_picked() {
    let (test, trip) = parted();
    let branches = test.workspace.branches();
    trip.ledger().add(&told("lives in", "Ghent")).unwrap();
    let commit = trip.log(&memtape::CommitQuestion::default(), &At::head()).unwrap()[0].entry;
    branches.merge("trip").unwrap();
    branches.undo().unwrap();
    for _ in 0..2 {
        let picked = branches.cherry_pick(&At::entry(commit)).unwrap();
        assert_eq!(picked.changed.len() + picked.conflicts.len(), 1);
        branches.undo().unwrap();
    }
    assert_eq!(branches.merge("trip").unwrap().changed.len(), 3);
}

#[test]
fn an_undone_resolve_opens_its_conflict_again() {
    let stay = |test: &TestWorkspace| facts(&test.workspace).iter().any(|fact| fact.ends_with("a mill"));
    for how in [Resolution::Ours, Resolution::Theirs, Resolution::Both, Resolution::Value("a ship".into())] {
        let (test, _) = parted();
        let branches = test.workspace.branches();
        let reference = branches.merge("trip").unwrap().conflicts[0].reference.clone();
        let merged = facts(&test.workspace);
        branches.resolve(&reference, &how).unwrap();
        let resolved = facts(&test.workspace);
        assert_eq!(open(&test.workspace), 0, "{how:?}");
        branches.undo().unwrap();
        assert_eq!((facts(&test.workspace), open(&test.workspace)), (merged.clone(), 1), "{how:?}");
        assert!(stay(&test));
        branches.redo().unwrap();
        assert_eq!((facts(&test.workspace), open(&test.workspace)), (resolved, 0), "{how:?}");
        branches.undo().unwrap();
        branches.resolve(&reference, &Resolution::Theirs).unwrap();
        assert_eq!(open(&test.workspace), 0);
        assert!(facts(&test.workspace).contains(&"user works at sea".to_owned()));
    }
}

#[test]
fn a_merge_that_only_left_a_conflict_is_undone_too() {
    let test = TestWorkspace::new();
    test.workspace.ledger().add(&told("lives in", "Porto")).unwrap();
    let trip = create(&test, "trip");
    trip.ledger().add(&told("lives in", "Utrecht")).unwrap();
    test.workspace.ledger().add(&told("lives in", "Lisbon")).unwrap();
    let merge = test.workspace.branches().merge("trip").unwrap().commit.unwrap();
    assert_eq!(test.workspace.branches().undo().unwrap().entry, merge.entry);
    assert_eq!((facts(&test.workspace), open(&test.workspace)), (vec!["user lives in Lisbon".into()], 0));
    assert_eq!(test.workspace.branches().redo().unwrap().entry, merge.entry);
    assert_eq!(open(&test.workspace), 1);
}

#[test]
fn redo_reverses_undos_one_by_one_until_a_change() {
    let test = TestWorkspace::new();
    let branches = test.workspace.branches();
    let mut views = vec![facts(&test.workspace)];
    for city in ["Porto", "Lisbon", "Faro"] {
        test.workspace.ledger().add(&told("lives in", city)).unwrap();
        views.push(facts(&test.workspace));
    }
    assert_eq!(branches.redo().unwrap_err().kind(), ErrorKind::NotFound);
    for _ in 0..2 {
        for view in views.iter().rev().skip(1) {
            branches.undo().unwrap();
            assert_eq!(&facts(&test.workspace), view);
        }
        assert_eq!(branches.undo().unwrap_err().kind(), ErrorKind::NotFound);
        for view in views.iter().skip(1) {
            branches.redo().unwrap();
            assert_eq!(&facts(&test.workspace), view);
        }
        assert_eq!(branches.redo().unwrap_err().kind(), ErrorKind::NotFound);
    }
    branches.undo().unwrap();
    branches.undo().unwrap();
    branches.redo().unwrap();
    // A change by another conversation does not affect undo and redo, but a change by this one does.
    let chat = Session::parse("telegram:7").unwrap();
    test.workspace.ledger().in_session(chat).add(&told("eats", "fish")).unwrap();
    branches.redo().unwrap();
    branches.undo().unwrap();
    test.workspace.ledger().add(&told("lives in", "Ghent")).unwrap();
    let error = branches.redo().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(error.to_string().contains("follows the last undo"), "{error}");
}

#[test]
fn a_reverted_commit_is_not_reverted_twice() {
    let test = TestWorkspace::new();
    let branches = test.workspace.branches();
    let head = || test.workspace.status(&At::head()).unwrap().entries;
    test.workspace.ledger().add(&told("lives in", "Porto")).unwrap();
    let first = head();
    test.workspace.ledger().add(&told("lives in", "Lisbon")).unwrap();
    let commit = head();
    let already = |entry: u64, how: &str| {
        let error = branches.revert(&At::entry(entry)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict);
        assert!(error.to_string().contains(&format!("already {how}")), "{error}");
    };
    let revert = branches.revert(&At::entry(commit)).unwrap().commit.unwrap().entry;
    already(commit, "reverted");
    // Reverting the revert restores the change, which can then be reverted again.
    branches.revert(&At::entry(revert)).unwrap();
    already(revert, "reverted");
    assert_eq!(facts(&test.workspace), ["user lives in Lisbon"]);
    branches.revert(&At::entry(commit)).unwrap();
    for _ in 0..3 {
        branches.undo().unwrap();
    }
    assert_eq!(facts(&test.workspace), ["user lives in Lisbon"]);
    let undo = branches.undo().unwrap();
    assert_eq!((undo.entry, facts(&test.workspace)), (commit, vec!["user lives in Porto".into()]));
    already(commit, "undone");
    // Reverting an undo is a redo.
    let undo = undo.commit.unwrap().entry;
    branches.revert(&At::entry(undo)).unwrap();
    already(undo, "redone");
    assert_eq!(facts(&test.workspace), ["user lives in Lisbon"]);
    assert_eq!(branches.undo().unwrap().changed.len(), 1);
    assert_eq!(facts(&test.workspace), ["user lives in Porto"]);
    // If another conversation reverts the change, there is nothing left to undo.
    branches.redo().unwrap();
    let other = test.workspace.branches().in_session(Session::parse("cli:other").unwrap());
    other.revert(&At::entry(commit)).unwrap();
    assert_eq!(branches.undo().unwrap().entry, first);
    assert!(facts(&test.workspace).is_empty());
}

#[test]
fn changes_that_others_merged_before_an_undo_stay() {
    let (test, trip) = parted();
    let branches = test.workspace.branches();
    let before = facts(&test.workspace);
    // A branch that merges main while main contains the merge, one forked from main at that point, and the
    // source itself.
    let friend = create(&test, "friend");
    branches.merge("trip").unwrap();
    let merged = facts(&test.workspace);
    friend.branches().merge("main").unwrap();
    let child = create(&test, "child");
    branches.undo().unwrap();
    for other in [&friend, &child] {
        assert_eq!(facts(other), merged);
        assert_eq!(other.branches().merge("main").unwrap().commit, None);
        assert_eq!(facts(other), merged);
    }
    // The child has changed nothing itself, so merging it restores nothing.
    assert_eq!(branches.merge("child").unwrap().commit, None);
    assert_eq!(facts(&test.workspace), before);
    assert_eq!(branches.merge("trip").unwrap().changed.len(), 3);
    branches.undo().unwrap();
    // The friend has merged the changes itself, so merging it restores them.
    assert_eq!(branches.merge("friend").unwrap().changed.len(), 3);
    assert_eq!(facts(&test.workspace), merged);
    drop(trip);
}

#[test]
fn a_merge_is_not_undone_below_a_later_one_of_the_same() {
    let (test, trip) = parted();
    test.workspace.branches().merge("trip").unwrap();
    trip.ledger().add(&told("sings", "fado")).unwrap();
    let other = test.workspace.branches().in_session(Session::parse("cli:other").unwrap());
    let later = other.merge("trip").unwrap().commit.unwrap();
    let error = test.workspace.branches().undo().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(error.to_string().contains(&format!("@{}", later.entry)), "{error}");
    other.undo().unwrap();
    test.workspace.branches().undo().unwrap();
    assert_eq!(test.workspace.branches().merge("trip").unwrap().changed.len(), 4);
}
