//! Undo, redo and revert.

use jiff::SignedDuration;
use memtape::{At, Audience, ErrorKind, Form, Session, Surface, Workspace};
use memtape_testkit::TestWorkspace;

use super::{forked, kind, known, named, texts, told};

/// A revert is the last change, whatever it reverts.
#[test]
fn undo_takes_back_the_revert_of_a_redo() {
    let test = TestWorkspace::new();
    let (zone, branches) = (test.workspace.zone(), test.workspace.branches());
    zone.remember("A").unwrap();
    branches.undo().unwrap();
    let redo = branches.redo().unwrap().commit.unwrap().entry;
    zone.remember("B").unwrap();
    let at = test.workspace.at(&format!("@{redo}")).unwrap();
    branches.revert(&at).unwrap();
    assert_eq!(texts(&test.workspace, Form::ZONE), ["B"]);
    let why = branches.revert(&at).unwrap_err().to_string();
    assert!(why.starts_with(&format!("commit @{redo} is already undone")), "{why}");
    branches.undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::ZONE), ["A", "B"]);
    branches.undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::ZONE), ["A"]);
}

/// A fact that an undo restores was not said again.
#[test]
fn a_restored_fact_keeps_its_time() {
    let test = TestWorkspace::new();
    let said = |workspace: &Workspace| known(workspace, Form::LEDGER)[0].said_at;
    test.workspace.ledger().add(&told("likes", "tea")).unwrap();
    let first = said(&test.workspace);
    test.clock.advance(SignedDuration::from_hours(1));
    test.workspace.ledger().forget(&named("likes")).unwrap();
    test.workspace.branches().undo().unwrap();
    assert_eq!(said(&test.workspace), first);
    let planner = forked(&test);
    test.clock.advance(SignedDuration::from_hours(1));
    planner.ledger().forget(&named("likes")).unwrap();
    planner.branches().undo().unwrap();
    test.workspace.ledger().forget(&named("likes")).unwrap();
    test.workspace.branches().undo().unwrap();
    test.workspace.branches().merge("planner").unwrap();
    assert_eq!(said(&test.workspace), first);
}

#[test]
fn undo_reverses_only_changes_of_this_conversation() {
    let test = TestWorkspace::new();
    let chat = Session::parse("cli:other").unwrap();
    test.workspace.ledger().add(&told("lives in", "Porto")).unwrap();
    test.workspace.ledger().in_session(chat.clone()).add(&told("flies from", "Faro")).unwrap();
    test.workspace.ledger().add(&told("lives in", "Lisbon")).unwrap();
    test.workspace.branches().undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::LEDGER), ["user flies from Faro", "user lives in Porto"]);
    test.workspace.branches().undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::LEDGER), ["user flies from Faro"]);
    assert_eq!(kind(test.workspace.branches().undo()), ErrorKind::NotFound);
    // Another conversation has changed the same fact since, so the undo is a conflict.
    test.workspace.ledger().in_session(chat.clone()).add(&told("flies from", "Porto")).unwrap();
    test.workspace.ledger().add(&told("flies from", "Ghent")).unwrap();
    assert_eq!(kind(test.workspace.branches().in_session(chat).undo()), ErrorKind::Conflict);
    assert_eq!(texts(&test.workspace, Form::LEDGER), ["user flies from Ghent"]);
}

#[test]
fn a_merge_is_reverted_and_the_revert_too() {
    let test = TestWorkspace::new();
    test.workspace.ledger().add(&told("lives in", "Porto")).unwrap();
    test.workspace.zone().remember("Ana sings").unwrap();
    let planner = forked(&test);
    planner.ledger().add(&told("lives in", "Utrecht")).unwrap();
    planner.zone().forget_text("Ana sings").unwrap();
    planner.zone().remember("Ana swims").unwrap();
    let merge = test.workspace.branches().merge("planner").unwrap().commit.unwrap();
    let both = |workspace: &Workspace| (texts(workspace, Form::LEDGER), texts(workspace, Form::ZONE));
    let merged = both(&test.workspace);
    assert_eq!(merged, both(&planner));
    let back = test.workspace.branches().revert(&At::entry(merge.entry)).unwrap();
    assert_eq!(both(&test.workspace), (vec!["user lives in Porto".into()], vec!["Ana sings".into()]));
    // A revert is an ordinary change: the other branch takes it over, and merging again changes nothing.
    assert_eq!(test.workspace.branches().merge("planner").unwrap().commit, None);
    planner.branches().merge("main").unwrap();
    assert_eq!(both(&planner), both(&test.workspace));
    test.workspace.branches().revert(&At::entry(back.commit.unwrap().entry)).unwrap();
    assert_eq!(both(&test.workspace), merged);
}

#[test]
fn a_number_names_an_entry_and_never_a_commit_that_begins_with_it() {
    let test = TestWorkspace::new();
    // Commits are added until the id of one begins with a number of two digits that is no entry.
    let number = (0..60)
        .find_map(|n| {
            test.workspace.ledger().add(&told(&format!("likes {n}"), "tea")).unwrap();
            let commit =
                test.workspace.log(&memtape::CommitQuestion::default(), &At::head()).unwrap().remove(0);
            let id = commit.id?;
            let head = test.workspace.status(&At::head()).unwrap().entries;
            id[..2].parse::<u64>().ok().filter(|number| !id.starts_with('0') && *number > head)
        })
        .unwrap();
    let last = test.workspace.status(&At::head()).unwrap().entries;
    for text in [format!("{number}"), format!("@{number}"), format!("main@{number}")] {
        let at = test.workspace.at(&text).unwrap();
        let why = test.workspace.branches().revert(&at).unwrap_err();
        assert_eq!(why.kind(), ErrorKind::NotFound, "{text}");
        let expected = format!(
            "the tape ends at entry {last}: there is no entry {number}, and a commit id needs at least 7 digits"
        );
        assert_eq!(why.to_string(), expected);
        assert_eq!(kind(test.workspace.branches().cherry_pick(&at)), ErrorKind::NotFound, "{text}");
        assert_eq!(
            kind(test.workspace.show_commit(&text, &Audience::owner(), &At::head())),
            ErrorKind::NotFound
        );
        assert_eq!(kind(test.workspace.diff(&text, "head", &Audience::owner(), None)), ErrorKind::NotFound);
        assert_eq!(kind(test.workspace.status(&at)), ErrorKind::NotFound, "{text}");
    }
}

/// A commit of another branch is reverted by the commit that brought it.
#[test]
fn a_commit_that_was_merged_or_picked_is_reverted_by_name_of_that() {
    let test = TestWorkspace::new();
    let planner = forked(&test);
    let mut commits = Vec::new();
    for line in ["Ana sings", "Ana swims"] {
        planner.zone().remember(line).unwrap();
        commits
            .push(test.workspace.at(&format!("@{}", planner.status(&At::head()).unwrap().entries)).unwrap());
    }
    let hint = |commit: &At| {
        let refused = test.workspace.branches().revert(commit).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Invalid);
        refused.hint(Surface::CommandLine).unwrap()
    };
    assert!(hint(&commits[0]).contains("cherry-pick"));
    let picked = test.workspace.branches().cherry_pick(&commits[0]).unwrap().commit.unwrap().entry;
    assert_eq!(hint(&commits[0]), format!("`memtape revert @{picked}` reverts it"));
    let merged = test.workspace.branches().merge("planner").unwrap().commit.unwrap().entry;
    assert_eq!(hint(&commits[1]), format!("`memtape revert @{merged}` reverts it"));
    test.workspace.branches().undo().unwrap();
    assert!(hint(&commits[1]).contains("cherry-pick"));
}
