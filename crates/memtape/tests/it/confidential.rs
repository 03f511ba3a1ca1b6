//! Confidential memories beside visible ones of the same name. The suite of the laws tests that answers do not reveal them.

use memtape::StatementOutcome;
use memtape::ledger::{How, Named, NewFact, NewValue};
use memtape::{
    Added, At, Audience, Category, CommitQuestion, ErrorKind, Form, Inbound, Layer, Memory, Mode, Origin,
    Reply, Sensitivity, Session, Workspace,
};
use memtape_testkit::TestWorkspace;
use serde_json::json;

fn chat() -> Audience {
    Audience::of_chat(&Session::parse("telegram:1").unwrap())
}

/// The chat, as it may write for the workspace where tools of the owner are allowed.
fn for_all() -> Audience {
    chat().only(Layer::Global)
}

fn salary(object: &str) -> NewFact {
    NewFact::new("user", "earns", object)
}

fn new_value(object: &str) -> NewValue {
    NewValue { object: object.into(), confidence: 1.0, source: "user_explicit".into(), quarantined: None }
}

fn hide(workspace: &Workspace, object: &str) {
    workspace.ledger().with_sensitivity(Sensitivity::Confidential).add(&salary(object)).unwrap();
}

/// Returns the texts of the memories of a form, those that are confidential in parentheses.
fn texts(workspace: &Workspace, form: Form) -> Vec<String> {
    let memories = workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
    let text = |memory: Memory| match memory.sensitivity {
        Sensitivity::Confidential => format!("({})", memory.text),
        _ => memory.text,
    };
    let mut texts: Vec<String> = memories.into_iter().map(text).collect();
    texts.sort();
    texts
}

fn facts(workspace: &Workspace) -> Vec<String> {
    texts(workspace, Form::LEDGER).iter().map(|text| text.replace("user earns ", "")).collect()
}

#[test]
fn a_fact_of_somebody_else_is_beside_the_confidential_one() {
    let test = TestWorkspace::new();
    hide(&test.workspace, "5000");
    let ledger = || test.workspace.ledger().for_audience(for_all());
    assert_eq!(ledger().add(&salary("3000")).unwrap().how, How::Saved);
    assert_eq!(ledger().add(&salary("4000")).unwrap().how, How::Replaced);
    assert_eq!(facts(&test.workspace), ["(5000)", "4000"]);
    let named = Named { subject: "user".into(), predicate: "earns".into(), scope: None };
    assert_eq!(ledger().forget(&named).unwrap().facts.len(), 1);
    assert_eq!(ledger().forget(&named).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(facts(&test.workspace), ["(5000)"]);
}

#[test]
fn the_owner_changes_the_confidential_fact_by_its_name_and_the_other_by_its_ref() {
    let test = TestWorkspace::new();
    let ledger = || test.workspace.ledger();
    hide(&test.workspace, "5000");
    let other = ledger().for_audience(for_all()).add(&salary("3000")).unwrap().reference;
    let named = Named { subject: "user".into(), predicate: "earns".into(), scope: None };
    ledger().update(&named, &new_value("6000")).unwrap();
    assert_eq!(facts(&test.workspace), ["(6000)", "3000"]);
    ledger().add(&salary("7000")).unwrap();
    assert_eq!(facts(&test.workspace), ["(7000)", "3000"]);
    let current = memtape::Ref { entry: None, ..other };
    assert_eq!(ledger().update_ref(&current, &new_value("2000")).unwrap().how, How::Replaced);
    assert_eq!(facts(&test.workspace), ["(7000)", "2000"]);
    ledger().forget_refs(&[current]).unwrap();
    assert_eq!(facts(&test.workspace), ["(7000)"]);
}

#[test]
fn a_fact_that_becomes_confidential_is_undone_and_merged() {
    let test = TestWorkspace::new();
    test.workspace.ledger().add(&salary("5000")).unwrap();
    test.workspace.branches().create("b", None, &At::head()).unwrap();
    hide(&test.workspace, "5000");
    assert_eq!(facts(&test.workspace), ["(5000)"]);
    test.workspace.branches().undo().unwrap();
    assert_eq!(facts(&test.workspace), ["5000"]);
    test.workspace.branches().redo().unwrap();
    assert_eq!(facts(&test.workspace), ["(5000)"]);
    test.workspace.branches().undo().unwrap();
    hide(&test.again_on("b"), "6000");
    let merged = test.workspace.branches().merge("b").unwrap();
    assert_eq!((merged.conflicts.len(), facts(&test.workspace)), (0, vec!["(6000)".to_owned()]));
}

#[test]
fn a_confidential_fact_and_a_visible_one_of_two_branches_are_no_conflict() {
    let test = TestWorkspace::new();
    test.workspace.branches().create("b", None, &At::head()).unwrap();
    hide(&test.again_on("b"), "5000");
    test.workspace.ledger().for_audience(for_all()).add(&salary("3000")).unwrap();
    let merged = test.workspace.branches().merge("b").unwrap();
    assert_eq!(merged.conflicts.len(), 0);
    assert_eq!(facts(&test.workspace), ["(5000)", "3000"]);
    // Two confidential values are one.
    test.workspace.branches().create("c", None, &At::head()).unwrap();
    hide(&test.again_on("c"), "6000");
    hide(&test.workspace, "7000");
    assert_eq!(test.workspace.branches().merge("c").unwrap().conflicts.len(), 1);
}

#[test]
fn a_statement_of_somebody_else_is_beside_the_confidential_one() {
    let test = TestWorkspace::new();
    let added = Added::new("I prefer tea", Category::Preference);
    let add = |audience: Audience, sensitivity| {
        let statements = test.workspace.statements().for_audience(audience);
        statements.with_sensitivity(sensitivity).add(&added).unwrap()
    };
    let owner = Audience::owner;
    let hidden = add(owner(), Sensitivity::Confidential);
    assert!(matches!(add(owner(), Sensitivity::Normal), StatementOutcome::Confirmed(_)));
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), ["(I prefer tea)"]);
    let StatementOutcome::Saved(visible) = add(for_all(), Sensitivity::Normal) else {
        panic!("it is new to them")
    };
    assert_ne!(visible.key, hidden.reference().key);
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), ["(I prefer tea)", "I prefer tea"]);
    // Stated as confidential, it is not visible any more.
    assert!(matches!(add(owner(), Sensitivity::Confidential), StatementOutcome::Confirmed(_)));
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), ["(I prefer tea)"]);
    for _ in 0..2 {
        assert!(matches!(add(for_all(), Sensitivity::Confidential), StatementOutcome::Saved(_)));
    }
    assert_eq!(texts(&test.workspace, Form::STATEMENTS), ["(I prefer tea)"]);
}

#[test]
fn a_line_of_somebody_else_is_beside_the_confidential_one() {
    let test = TestWorkspace::new();
    let save = |audience: Audience, sensitivity, mode| {
        test.workspace
            .zone()
            .for_audience(audience)
            .with_sensitivity(sensitivity)
            .save("a line", mode)
            .unwrap()
    };
    let (hidden, visible) = (Sensitivity::Confidential, Sensitivity::Normal);
    let (_, of_owner) = save(Audience::owner(), hidden, Mode::Append);
    let (_, of_all) = save(for_all(), visible, Mode::Append);
    assert_ne!(of_owner[0].key, of_all[0].key);
    assert!(!of_all[0].key.contains('~'), "{of_all:?}");
    assert_eq!(texts(&test.workspace, Form::ZONE), ["(a line)", "a line"]);
    test.workspace.zone().forget_refs(&of_all).unwrap();
    assert_eq!(texts(&test.workspace, Form::ZONE), ["(a line)"]);
    test.workspace.zone().forget_refs(&of_owner).unwrap();
    // A line that is remembered as confidential does not stay visible.
    save(Audience::owner(), visible, Mode::Append);
    save(Audience::owner(), hidden, Mode::Append);
    assert_eq!(texts(&test.workspace, Form::ZONE), ["(a line)"]);
}

#[test]
fn the_commit_of_what_expired_does_not_reveal_confidential_facts() {
    let logged = |confidential: usize| {
        let test = TestWorkspace::new();
        let ledger = || test.workspace.ledger().for_audience(chat());
        let temporary = |object: &str| NewFact { scope: Some("temporary".into()), ..salary(object) };
        for n in 0..confidential {
            ledger()
                .with_sensitivity(Sensitivity::Confidential)
                .add(&NewFact { predicate: format!("owes {n}"), ..temporary("5000") })
                .unwrap();
        }
        ledger().add(&temporary("3000")).unwrap();
        let mut messages = Vec::new();
        for _ in 0..3 {
            test.clock.advance_days(8);
            let conversation = test.workspace.conversation(Session::parse("telegram:1").unwrap());
            conversation.turn(&Inbound::new("hello"), |_| Ok(Reply::new("hi"))).unwrap();
            let question = CommitQuestion { audience: chat(), ..CommitQuestion::default() };
            let log = test.workspace.log(&question, &At::head()).unwrap();
            messages.push(log.iter().map(memtape::log::message).collect::<Vec<_>>());
        }
        // After the last turn, nothing is left.
        assert_eq!(test.workspace.consolidation(&Audience::owner(), &At::head()).unwrap().expired.total(), 0);
        messages
    };
    let without = logged(0);
    assert_eq!(logged(1), without);
    // They take no place of others in what one turn removes.
    assert_eq!(logged(101), without);
}

#[test]
fn the_reason_of_a_merge_is_as_hidden_as_the_changes_that_are_not_listed() {
    let test = TestWorkspace::new();
    test.workspace.branches().create("dev", None, &At::head()).unwrap();
    let dev = test.again_on("dev");
    dev.zone().remember("the tea is green\nthe cake is gone").unwrap();
    hide(&dev, "95000");
    test.workspace.branches().because(Some("the raise to 95000".into())).merge("dev").unwrap();
    for (form, changes) in [(None, None), (None, Some(1)), (None, Some(2)), (Some(Form::ZONE), None)] {
        let question = CommitQuestion { form, changes, limit: Some(1), ..CommitQuestion::default() };
        let log = test.workspace.log(&question, &At::head()).unwrap();
        assert!(log[0].anchor.is_some(), "{log:?}");
        assert_eq!(log[0].reason, None, "{form:?} {changes:?}");
    }
}

#[test]
fn a_commit_is_untrusted_by_the_changes_that_are_not_listed() {
    let test = TestWorkspace::new();
    test.workspace.branches().create("dev", None, &At::head()).unwrap();
    let dev = test.again_on("dev");
    dev.zone().remember("the tea is green").unwrap();
    let of_page = dev.tools().writing_as(Origin::Web);
    of_page.call("memory_save", json!({"content": "the page says so"})).unwrap();
    test.workspace.branches().merge("dev").unwrap();
    for (changes, more) in [(None, 0), (Some(1), 1), (Some(0), 2)] {
        let question = CommitQuestion { changes, limit: Some(1), ..CommitQuestion::default() };
        let log = test.workspace.log(&question, &At::head()).unwrap();
        assert_eq!((log[0].more, log[0].is_untrusted), (more, true));
    }
}
