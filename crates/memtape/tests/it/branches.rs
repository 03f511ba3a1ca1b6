//! Branches in the library: defects of the original implementation, permissions, and how each form is merged.

mod access;
mod conflicts;
mod reverting;

use jiff::SignedDuration;
use memtape::ledger::{How, Named, NewFact, Target};
use memtape::{
    Added, At, Audience, BlockName, Category, ErrorKind, Form, Inbound, Memory, Message, Mode, Options,
    Prompting, Ref, Reply, Sensitivity, Session, Workspace,
};
use memtape_core::commit::Commit;
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::options;

const DAY: &str = "2026-02-10";

/// Returns a fact about the user, to add to the ledger.
pub(crate) fn told(predicate: &str, object: &str) -> NewFact {
    NewFact { confidence: 0.9, ..NewFact::new("user", predicate, object) }
}

fn named(predicate: &str) -> Named {
    Named { subject: "user".into(), predicate: predicate.into(), scope: None }
}

/// Opens the test's workspace on a branch.
fn on(test: &TestWorkspace, branch: &str) -> Workspace {
    Workspace::open(test.path(), Options { branch: Some(branch.into()), ..options(&test.clock) }).unwrap()
}

/// Creates a branch and opens the workspace on it.
fn forked(test: &TestWorkspace) -> Workspace {
    test.workspace.branches().create("planner", Some("Plans journeys"), &At::head()).unwrap();
    on(test, "planner")
}

fn known(workspace: &Workspace, form: Form) -> Vec<Memory> {
    workspace.memories(form, &Audience::owner(), &At::head()).unwrap()
}

fn texts(workspace: &Workspace, form: Form) -> Vec<String> {
    let mut texts: Vec<String> = known(workspace, form).into_iter().map(|memory| memory.text).collect();
    texts.sort();
    texts
}

fn chat() -> Audience {
    Audience::of_chat(&Session::parse("telegram:7").unwrap())
}

fn kind<T: std::fmt::Debug>(result: memtape::Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

/// A branch that never had a memory still passes its deletion on, together with what it takes.
#[test]
fn a_deletion_travels_through_a_branch_that_never_had_the_memory() {
    let test = TestWorkspace::new();
    let main = &test.workspace;
    main.branches().create("team", None, &At::head()).unwrap();
    let note = main.notes().path("facts/u.md").unwrap();
    main.notes().write(&note, "- Name: Ana\n- Wrong: yes\n").unwrap();
    main.ledger().add(&told("is", "wrong")).unwrap();
    main.ledger().add(&told("was in", "Faro")).unwrap();
    main.zone().remember("Wrong").unwrap();
    main.branches().create("planner", None, &At::head()).unwrap();
    main.notes().write(&note, "- Name: Ana\n- City: Bonn\n").unwrap();
    main.ledger().forget(&named("is")).unwrap();
    main.ledger().deprecate(&Target::Named(named("was in"))).unwrap();
    main.zone().forget_text("Wrong").unwrap();
    let (team, planner) = (on(&test, "team"), on(&test, "planner"));
    team.branches().merge("main").unwrap();
    planner.branches().merge("team").unwrap();
    for form in [Form::NOTES, Form::LEDGER, Form::ZONE] {
        assert_eq!(texts(&planner, form), texts(main, form), "{form}");
    }
    assert_eq!(planner.branches().merge("main").unwrap().commit, None);
    assert_eq!(main.branches().merge("planner").unwrap().commit, None);
    // It stays what it was: a fact that is no longer true can be confirmed again.
    assert_eq!(planner.ledger().confirm(&Target::Named(named("was in"))).unwrap().how, How::Restored);
}

#[test]
fn the_commit_of_a_merge_names_both_heads_and_its_events() {
    let test = TestWorkspace::new();
    let planner = forked(&test);
    let event = planner.ledger().add(&told("flies from", "Rotterdam")).unwrap().event.unwrap();
    planner.zone().remember("Ana swims").unwrap();
    let taken = test.workspace.branches().merge("planner").unwrap();
    let entry = taken.commit.unwrap().entry;
    let log = test.workspace.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
    let group: Vec<_> = log.iter().rev().take_while(|e| e.id + u64::from(e.more) == entry).collect();
    let commit = Commit::read(group[0]).unwrap();
    let merge = commit.metadata.merge.unwrap();
    assert_eq!((commit.events, merge.source.as_str()), (vec![event], "planner"));
    assert!(merge.head > merge.into);
    // The merged lines are one new version of the zone, with its opening and closing anchors.
    let names: Vec<String> =
        group.iter().rev().map(|entry| entry.payload.get().chars().take(30).collect()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(names[1].contains("memory/open") && names[3].contains("memory/seal"), "{names:?}");
    assert_eq!(test.workspace.status(&At::head()).unwrap().zone_version, 2);
}

#[test]
fn a_copy_keeps_scope_and_time() {
    let test = TestWorkspace::new();
    let planner = forked(&test);
    let session = Session::parse("telegram:7").unwrap();
    let statements = planner.statements().in_session(session.clone()).for_audience(chat());
    statements
        .with_sensitivity(Sensitivity::Private)
        .add(&Added::new("I like tea", Category::Preference))
        .unwrap();
    planner.zone().remember("first\nsecond").unwrap();
    test.clock.advance(SignedDuration::from_hours(5));
    test.workspace.branches().merge("planner").unwrap();
    let [theirs, ours] = [&planner, &test.workspace].map(|w| known(w, Form::STATEMENTS).remove(0));
    assert_eq!(ours.copy_of, Some(theirs.id));
    let copied = Memory {
        id: theirs.id,
        branch: theirs.branch.clone(),
        created_at: theirs.created_at,
        copy_of: None,
        ..ours
    };
    assert_eq!(copied, theirs);
    // Only its own chat sees it, no other.
    let other = Audience::of_chat(&Session::parse("telegram:8").unwrap());
    assert_eq!(test.workspace.memories(Form::STATEMENTS, &other, &At::head()).unwrap(), []);
    assert_eq!(test.workspace.memories(Form::STATEMENTS, &chat(), &At::head()).unwrap().len(), 1);
    let (view, _) = test.workspace.zone().view(&At::head()).unwrap();
    assert_eq!(view.long_term_text(), "first\nsecond");
}

#[test]
fn equal_statements_on_two_branches_merge() {
    let test = TestWorkspace::new();
    let tell = |workspace: &Workspace, importance: f64| {
        test.clock.advance(SignedDuration::from_secs(60));
        let added = Added { importance, ..Added::new("I like tea", Category::Preference) };
        workspace.statements().add(&added).unwrap();
    };
    let planner = forked(&test);
    tell(&test.workspace, 0.4);
    tell(&planner, 0.9);
    tell(&test.workspace, 0.5);
    let before = known(&test.workspace, Form::STATEMENTS).remove(0);
    let taken = test.workspace.branches().merge("planner").unwrap();
    assert_eq!((taken.changed.len(), taken.conflicts.len()), (1, 0));
    let joined = known(&test.workspace, Form::STATEMENTS);
    assert_eq!((joined.len(), joined[0].importance, joined[0].said_at), (1, Some(0.9), before.said_at));
    // The merge creates a new version, which the other branch takes over; then both are equal.
    assert_eq!((joined[0].copy_of, joined[0].key.clone()), (None, before.key));
    assert_eq!(planner.branches().merge("main").unwrap().changed.len(), 1);
    assert_eq!(test.workspace.branches().merge("planner").unwrap().commit, None);
}

#[test]
fn notes_that_two_branches_began_have_one_heading() {
    let test = TestWorkspace::new();
    let planner = forked(&test);
    let day = DAY.parse().unwrap();
    test.workspace.zone().daily("sang", Some(day)).unwrap();
    planner.zone().daily("swam", Some(day)).unwrap();
    planner.zone().daily("sang", Some(day)).unwrap();
    test.workspace.branches().merge("planner").unwrap();
    let (view, _) = test.workspace.zone().view(&At::head()).unwrap();
    assert_eq!(view.daily_text(day).unwrap(), format!("# {DAY}\n\nsang\nswam\nsang"));
}

/// Adds one memory of a form.
fn add_one(workspace: &Workspace, form: Form) {
    match form {
        Form::LEDGER => drop(workspace.ledger().add(&told("lives in", "Porto")).unwrap()),
        Form::STATEMENTS => {
            drop(workspace.statements().add(&Added::new("I like tea", Category::Preference)).unwrap());
        }
        Form::ZONE => drop(workspace.zone().remember("Ana sings").unwrap()),
        Form::NOTES => {
            let notes = workspace.notes();
            drop(notes.write(&notes.path("facts/user.md").unwrap(), "- a\n- b\n").unwrap());
        }
        _ => {
            let name = BlockName::new("style").unwrap();
            workspace.blocks().set(&name, "Brief", None).unwrap();
        }
    }
}

/// Removes the memory of [`add_one`].
fn forget_one(workspace: &Workspace, form: Form) {
    match form {
        Form::LEDGER => drop(workspace.ledger().forget(&named("lives in")).unwrap()),
        Form::STATEMENTS => {
            let found: Vec<Ref> = known(workspace, form).iter().map(Memory::reference).collect();
            drop(workspace.statements().forget(&found).unwrap());
        }
        Form::ZONE => drop(workspace.zone().forget_text("Ana sings").unwrap()),
        Form::NOTES => {
            let notes = workspace.notes();
            drop(notes.write(&notes.path("facts/user.md").unwrap(), "- a\n").unwrap());
        }
        _ => workspace.blocks().forget(&BlockName::new("style").unwrap()).unwrap(),
    }
}

#[test]
fn a_deletion_counts_although_the_other_side_took_one_back() {
    for form in [Form::LEDGER, Form::STATEMENTS, Form::ZONE, Form::NOTES, Form::BLOCKS] {
        let test = TestWorkspace::new();
        add_one(&test.workspace, form);
        let before = texts(&test.workspace, form);
        let planner = forked(&test);
        forget_one(&planner, form);
        let forgotten = texts(&planner, form);
        forget_one(&test.workspace, form);
        test.workspace.branches().undo().unwrap();
        assert_eq!(texts(&test.workspace, form), before, "{form}");
        // What main has is what both had, so it brings nothing back.
        planner.branches().merge("main").unwrap();
        assert_eq!(texts(&planner, form), forgotten, "{form}");
        test.workspace.branches().merge("planner").unwrap();
        assert_eq!(texts(&test.workspace, form), forgotten, "{form}");
    }
}

#[test]
fn a_deletion_is_picked_although_this_side_took_one_back() {
    let test = TestWorkspace::new();
    add_one(&test.workspace, Form::ZONE);
    let planner = forked(&test);
    forget_one(&planner, Form::ZONE);
    let commit = test.workspace.at("planner@head").unwrap();
    forget_one(&test.workspace, Form::ZONE);
    test.workspace.branches().undo().unwrap();
    test.workspace.branches().cherry_pick(&commit).unwrap();
    assert_eq!(texts(&test.workspace, Form::ZONE), [""; 0]);
}

#[test]
fn a_deletion_counts_although_the_other_side_moved_the_memory() {
    let test = TestWorkspace::new();
    let zone = |workspace: &Workspace, text: &str| {
        drop(workspace.zone().save(text, Mode::Replace).unwrap());
    };
    zone(&test.workspace, "a\nb\nc");
    let planner = forked(&test);
    zone(&planner, "a\nb\nnew c");
    zone(&test.workspace, "c\na\nb");
    test.workspace.branches().merge("planner").unwrap();
    assert_eq!(texts(&test.workspace, Form::ZONE), ["a", "b", "new c"]);
    let note = |workspace: &Workspace, text: &str| {
        let notes = workspace.notes();
        drop(notes.write(&notes.path("facts/user.md").unwrap(), text).unwrap());
    };
    note(&test.workspace, "## A\na\n\n## B\nb\n");
    test.workspace.branches().create("late", None, &At::head()).unwrap();
    let late = on(&test, "late");
    note(&late, "## A\na\n");
    // A section that was moved and changed as well is in conflict with its deletion.
    note(&test.workspace, "## B\nother\n\n## A\na\n");
    let merged = test.workspace.branches().merge("late").unwrap();
    assert_eq!((merged.changed.len(), merged.conflicts.len()), (0, 1), "{merged:?}");
}

/// A message is removed on every branch, so the one after it must not be found by its words.
#[test]
fn after_a_reset_on_another_branch_a_conversation_starts_over() {
    let test = TestWorkspace::new();
    let session = Session::parse("telegram:7").unwrap();
    let say = |text: &str| {
        let message =
            Message { role: "user".into(), content: text.into(), name: None, image: None, said_at: None };
        test.workspace.conversation(session.clone()).say(&message).unwrap();
    };
    say("my password hint is the name of our dog");
    test.workspace.branches().in_session(session.clone()).create_and_switch("planner", None).unwrap();
    test.workspace.tape().reset(Some(&session), false).unwrap();
    say("hello again");
    say("and a good day");
    let planner = on(&test, "planner");
    for is_rebuilt in [false, true] {
        if is_rebuilt {
            planner.reindex().unwrap();
        }
        let mut messages = known(&planner, Form::MESSAGES);
        messages.sort_by_key(|message| message.id);
        let [first, second] = &messages[..] else { panic!("{messages:?}") };
        assert_eq!((first.text.as_str(), first.previous), ("hello again", None), "{is_rebuilt}");
        assert_eq!(second.previous, Some(first.id), "{is_rebuilt}");
    }
}

/// A branch may have the name of a deleted one, with which it shares nothing.
#[test]
fn the_notes_of_a_deleted_branch_are_not_those_of_a_new_one_with_its_name() {
    let test = TestWorkspace::new();
    let main = &test.workspace;
    let written = main.notes().path("facts/tea.md").unwrap();
    main.branches().create("coder", None, &At::head()).unwrap();
    let old = on(&test, "coder");
    old.notes().write(&old.notes().path("facts/old.md").unwrap(), "- Old: a secret plan\n").unwrap();
    main.notes().write(&written, "- Tea: green\n").unwrap();
    let session = Session::parse("telegram:5").unwrap();
    let conversation = main.conversation(session.clone());
    let inbound = Inbound { user: Some("1".into()), ..Inbound::new("hello there") };
    conversation.turn(&inbound, |_| Ok(Reply::default())).unwrap();
    main.branches().delete("coder").unwrap();
    main.branches().create("coder", None, &At::head()).unwrap();
    main.branches().in_session(session).switch("coder", false).unwrap();
    // The prompt shows the notes as of the conversation's first message, which is older than the branch.
    let prompt = conversation.prompt(&inbound, &Prompting::default(), &At::head()).unwrap().text();
    assert!(prompt.contains("facts/tea.md"), "{prompt}");
    assert!(!prompt.contains("facts/old.md"), "{prompt}");
    let acts = |workspace: &Workspace| -> Vec<String> {
        let versions = workspace.notes().log(&written, &At::head()).unwrap();
        versions.into_iter().map(|version| version.act).collect()
    };
    assert_eq!(acts(&on(&test, "coder")), acts(main));
}
