//! Undo, redo and revert.

use jiff::SignedDuration;
use memtape::ledger::{How, NewFact, Target};
use memtape::log::describe;
use memtape::{
    At, Audience, ErrorKind, Form, Inbound, Recall, Reply, Sensitivity, Session, Surface, Workspace,
};
use memtape_testkit::TestWorkspace;

use super::{chat, forked, kind, known, named, texts, told};

fn says(workspace: &Workspace, text: &str) {
    workspace.conversation(Session::direct()).turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap();
}

/// Returns whether recall finds a message, by itself or beside the statement that says the same.
fn is_recalled(workspace: &Workspace, message: &str) -> bool {
    let hits = workspace.recall(&Recall::new(message), &At::head()).unwrap().hits;
    hits.iter().any(|hit| {
        hit.memory.text == message
            && (hit.memory.form == Form::MESSAGES || hit.also.iter().any(|also| also.form == Form::MESSAGES))
    })
}

fn temporary(object: &str) -> NewFact {
    NewFact { days: Some(7), ..told("is in", object) }
}

/// The removal of the fact, which nobody asked for, is the last change of the turn.
#[test]
fn undo_takes_back_a_turn_in_which_a_fact_expired() {
    let test = TestWorkspace::new();
    test.workspace.ledger().add(&temporary("Faro")).unwrap();
    test.clock.advance_days(8);
    says(&test.workspace, "I prefer coffee");
    let log = test.workspace.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
    assert!(log.iter().any(|entry| entry.payload.get().contains("ledger.forget")));
    assert_eq!(texts(&test.workspace, Form::STATEMENTS).len(), 1);
    test.workspace.branches().undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), [""; 0]);
}

/// A change belongs to the conversation in which somebody made it, whichever that of the facts is.
#[test]
fn undo_takes_back_a_change_of_another_conversation_s_facts() {
    let test = TestWorkspace::new();
    let session = Session::parse("telegram:7").unwrap();
    let ledger = test.workspace.ledger().in_session(session.clone()).for_audience(chat());
    let fact = NewFact { scope: Some("session".into()), ..told("is in", "Faro") };
    let reference = ledger.add(&fact).unwrap().reference;
    let confidence = || known(&test.workspace, Form::LEDGER)[0].confidence;
    let before = confidence();
    test.workspace.ledger().confirm(&Target::Ref(reference)).unwrap();
    assert!(confidence() > before);
    test.workspace.branches().undo().unwrap();
    assert_eq!(confidence(), before);
    // A reset commits the observations of all conversations first.
    ledger.observe(&told("likes", "tea")).unwrap();
    test.workspace.zone().remember("A").unwrap();
    let reset = test.workspace.tape().reset(None, false).unwrap();
    assert_eq!(texts(&test.workspace, Form::LEDGER), [""; 0]);
    assert!(reset.before + 1 < reset.anchor);
    let at = At::entry(reset.before);
    assert_eq!(test.workspace.memories(Form::LEDGER, &Audience::owner(), &at).unwrap().len(), 2);
    let undone = test.workspace.branches().undo().unwrap();
    assert_eq!(undone.messages_at, Some(reset.before));
    assert_eq!(texts(&test.workspace, Form::ZONE), ["A"]);
    assert_eq!(texts(&test.workspace, Form::LEDGER), ["user is in Faro", "user likes tea"]);
    assert_eq!(test.workspace.branches().redo().unwrap().messages_at, None);
}

/// A reversal restores no messages, and an undo does not pass over the reset that removed them.
#[test]
fn undo_takes_back_nothing_before_the_reset_of_a_conversation() {
    let test = TestWorkspace::new();
    let branches = test.workspace.branches();
    test.workspace.zone().remember("A").unwrap();
    says(&test.workspace, "hello");
    branches.create("travel", None, &At::head()).unwrap();
    let [one, chat] = ["telegram:7", "telegram:42"].map(|session| Session::parse(session).unwrap());
    test.workspace.conversation(chat.clone()).turn(&Inbound::new("hello"), |_| Ok(Reply::default())).unwrap();
    let mut reset = 0;
    let refused = |reset, of: &Session| {
        let refused = branches.undo().unwrap_err();
        let why = format!("cannot undo the reset @{reset} of {of}: the messages before it stay removed");
        assert_eq!((refused.kind(), refused.to_string()), (ErrorKind::Refused, why));
        assert_eq!(texts(&test.workspace, Form::ZONE), ["A"]);
    };
    // The terminal resets other conversations, too.
    for of in [&Session::direct(), &chat] {
        reset = test.workspace.tape().reset(Some(of), false).unwrap().anchor;
        refused(reset, of);
    }
    // What was changed after it is undone first.
    test.workspace.zone().remember("B").unwrap();
    branches.undo().unwrap();
    refused(reset, &chat);
    // Neither this conversation nor the other branch was reset.
    assert_eq!(kind(test.workspace.branches().in_session(one).undo()), ErrorKind::NotFound);
    branches.switch("travel", false).unwrap();
    assert_eq!(kind(branches.undo()), ErrorKind::NotFound);
}

/// Only what somebody forgets takes back the message that said it.
#[test]
fn a_message_is_recalled_although_its_statement_was_removed() {
    let test = TestWorkspace::new();
    let branches = test.workspace.branches();
    let peanuts = "I am allergic to peanuts";
    says(&test.workspace, peanuts);
    branches.undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), [""; 0]);
    assert!(is_recalled(&test.workspace, peanuts));
    // A forgetting that is redone is one.
    branches.redo().unwrap();
    let statement = known(&test.workspace, Form::STATEMENTS)[0].reference();
    test.workspace.statements().forget(&[statement]).unwrap();
    branches.undo().unwrap();
    assert!(is_recalled(&test.workspace, peanuts));
    branches.redo().unwrap();
    assert!(!is_recalled(&test.workspace, peanuts));
    // The undo of a merge removes a copy.
    let planner = forked(&test);
    let cashews = "I am allergic to cashews";
    says(&planner, cashews);
    branches.merge("planner").unwrap();
    branches.undo().unwrap();
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), [""; 0]);
    assert!(is_recalled(&test.workspace, cashews));
}

/// A merge that takes what upkeep removed on the other branch forgets nothing.
#[test]
fn a_message_is_recalled_although_a_merge_takes_the_expiry_of_its_statement() {
    let test = TestWorkspace::new();
    let message = "My mum is having her hip operation tomorrow";
    says(&test.workspace, message);
    assert_eq!(texts(&test.workspace, Form::STATEMENTS).len(), 1);
    let planner = forked(&test);
    test.clock.advance_days(92);
    says(&planner, "hello again");
    assert_eq!(test.workspace.branches().merge("planner").unwrap().changed.len(), 1);
    assert!(is_recalled(&test.workspace, message));
}

/// A fact that is no longer true can be confirmed again, whatever repeated its deprecation.
#[test]
fn a_deprecation_stays_one() {
    for way in ["undone", "redone", "merged"] {
        let test = TestWorkspace::new();
        let (ledger, branches) = (test.workspace.ledger(), test.workspace.branches());
        let fact = Target::Named(named("lives in"));
        ledger.add(&told("lives in", "Porto")).unwrap();
        if way == "merged" {
            forked(&test).ledger().deprecate(&fact).unwrap();
            branches.merge("planner").unwrap();
        } else {
            ledger.deprecate(&fact).unwrap();
        }
        if way == "undone" {
            ledger.confirm(&fact).unwrap();
            branches.undo().unwrap();
        } else if way == "redone" {
            branches.undo().unwrap();
            branches.redo().unwrap();
        }
        assert_eq!(texts(&test.workspace, Form::LEDGER), [""; 0], "{way}");
        assert_eq!(ledger.confirm(&fact).unwrap().how, How::Restored, "{way}");
    }
}

/// A version that has expired meanwhile is reported as such.
#[test]
fn what_has_ended_is_not_reported_as_restored_or_added_alone() {
    let test = TestWorkspace::new();
    let (ledger, branches) = (test.workspace.ledger(), test.workspace.branches());
    let planner = forked(&test);
    planner.ledger().add(&NewFact { days: Some(7), ..told("flies from", "Porto") }).unwrap();
    ledger.add(&temporary("Faro")).unwrap();
    ledger.forget(&named("is in")).unwrap();
    let restored = branches.undo().unwrap().changed;
    assert!(describe(&restored[0]).ends_with("(restored)"), "{restored:?}");
    branches.redo().unwrap();
    test.clock.advance_days(8);
    for changed in [branches.undo().unwrap().changed, branches.merge("planner").unwrap().changed] {
        let shown = describe(&changed[0]);
        assert!(changed[0].has_ended && shown.contains("ended 2026-"), "{shown}");
    }
}

/// A confidential piece of a daily note and another one of the same text are two memories.
#[test]
fn undo_restores_the_piece_that_was_forgotten() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.daily("rain", None).unwrap();
    let (_, refs) = zone.daily("met Bob", None).unwrap();
    let hidden = test.workspace.zone().with_sensitivity(Sensitivity::Confidential);
    hidden.daily("met Bob", None).unwrap();
    let pieces = || texts(&test.workspace, Form::ZONE).iter().filter(|text| *text == "met Bob").count();
    assert_eq!(pieces(), 2);
    zone.forget_refs(&refs).unwrap();
    assert_eq!(pieces(), 1);
    test.workspace.branches().undo().unwrap();
    assert_eq!(pieces(), 2);
}

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

/// memtape computes the summary of a note and the day of its last change again with every change of the note.
#[test]
fn a_change_of_a_note_is_reverted_although_its_summary_was_computed_again() {
    let test = TestWorkspace::new();
    let notes = test.workspace.notes();
    let path = notes.path("facts/a.md").unwrap();
    let head = || At::entry(test.workspace.status(&At::head()).unwrap().entries);
    let text = || notes.read(&path, &At::head()).unwrap().text();
    notes.write(&path, "- alpha\n- beta\n- Updated: 2026-01-01\n").unwrap();
    let commits = ["- gamma", "- delta", "- epsilon"].map(|line| {
        test.clock.advance_days(1);
        notes.append(&path, line, None).unwrap();
        let shown = test.workspace.log(&memtape::CommitQuestion::default(), &At::head()).unwrap().remove(0);
        assert!(memtape::log::message(&shown).starts_with(&format!("remembered: {line}")));
        head()
    });
    assert!(text().starts_with("> Summary: alpha, beta, gamma, delta, epsilon\n"), "{}", text());
    test.workspace.branches().revert(&commits[0]).unwrap();
    assert!(text().starts_with("> Summary: alpha, beta, delta, epsilon\n"), "{}", text());
    assert!(!text().contains("- gamma"));
    // A change of the section itself is in the way, and the error names it.
    notes.patch(&path, &[memtape::Patch { old: "- delta".into(), new: "- Delta: 4".into() }]).unwrap();
    let last = test.workspace.status(&At::head()).unwrap().entries;
    let refused = test.workspace.branches().revert(&commits[1]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Conflict);
    assert!(refused.to_string().ends_with(&format!("changed later; revert @{last} first")), "{refused}");
    test.workspace.branches().revert(&commits[2]).unwrap();
    assert!(text().starts_with("> Summary: alpha, beta, Delta\n"), "{}", text());
}

/// The reported change is that of the log: a version to be named, and not the one that it restores or copies.
#[test]
fn a_reversal_and_a_merge_report_the_versions_that_they_wrote() {
    let test = TestWorkspace::new();
    let branches = test.workspace.branches();
    let planner = forked(&test);
    planner.zone().remember("Ana swims").unwrap();
    planner.notes().write(&planner.notes().path("facts/a.md").unwrap(), "- one\n- two\n").unwrap();
    let logged = || {
        let shown = test.workspace.log(&memtape::CommitQuestion::default(), &At::head()).unwrap().remove(0);
        shown.changes.into_iter().map(|change| change.after).collect::<Vec<_>>()
    };
    let after =
        |changed: Vec<memtape::Change>| changed.into_iter().map(|change| change.after).collect::<Vec<_>>();
    test.clock.advance_days(1);
    assert_eq!(after(branches.merge("planner").unwrap().changed), logged());
    test.workspace.ledger().add(&told("is in", "Faro")).unwrap();
    test.workspace.ledger().add(&told("is in", "Porto")).unwrap();
    assert_eq!(after(branches.undo().unwrap().changed), logged());
    assert_eq!(after(branches.redo().unwrap().changed), logged());
}
