//! Turns: what each of them writes, recalls, captures and reports.

mod forgetting;
mod last_message;
mod recalling;
mod repeating;
mod steering;

use jiff::{SignedDuration, ToSpan as _};
use memtape::StatementOutcome;
use memtape::ledger::NewFact;
use memtape::turn::Reason;
use memtape::{
    Added, At, Audience, Category, Config, Error, FinishedTurn, Form, Inbound, Kind, Lifetime, Message,
    Origin, Reply, Scope, Session, Trigger, Workspace,
};
use memtape_testkit::TestWorkspace;

use crate::branches::told;

fn session(label: &str) -> Session {
    Session::parse(label).unwrap()
}

fn said_by(workspace: &Workspace, label: &str, user: Option<&str>, text: &str, reply: &str) -> FinishedTurn {
    let inbound = Inbound { user: user.map(str::to_owned), ..Inbound::new(text) };
    let reply = if reply.is_empty() { Reply::default() } else { Reply::new(reply) };
    workspace.conversation(session(label)).turn(&inbound, |_| Ok(reply)).unwrap()
}

fn said(workspace: &Workspace, text: &str) -> FinishedTurn {
    said_by(workspace, "telegram:1", Some("42"), text, "")
}

/// Begins another task, so that prompts no longer show the earlier messages.
fn out_of_sight(workspace: &Workspace) {
    workspace.tape().handoff("another task", None, &session("telegram:1")).unwrap();
}

fn texts(turn: &FinishedTurn) -> Vec<&str> {
    turn.captured.iter().map(|captured| captured.text.as_str()).collect()
}

fn recalled(turn: &FinishedTurn) -> Vec<&str> {
    turn.recalled.hits.iter().map(|hit| hit.memory.text.as_str()).collect()
}

fn kinds(workspace: &Workspace, from: u64) -> Vec<String> {
    let log = workspace.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
    let name = |payload: &str| {
        let value: serde_json::Value = serde_json::from_str(payload).unwrap();
        value["name"].as_str().map(str::to_owned)
    };
    log.iter()
        .filter(|entry| entry.id >= from)
        .map(|entry| match entry.kind {
            Kind::Event => name(entry.payload.get()).unwrap(),
            _ => entry.kind.to_string(),
        })
        .collect()
}

#[test]
fn the_message_is_on_the_tape_before_the_model_is_asked() {
    let test = TestWorkspace::new();
    let conversation = test.workspace.conversation(session("telegram:1"));
    let turn = conversation.turn(&Inbound::new("I prefer tea"), |_| {
        // Another process already sees the message.
        let entries = test.reopened().conversation(session("telegram:1")).last(10, &At::head())?;
        assert_eq!(entries.len(), 1);
        assert!(entries[0].payload.get().contains("I prefer tea"));
        Ok(Reply { pending_actions: vec!["book a table".into()], ..Reply::new("Noted.") })
    });
    let turn = turn.unwrap();
    assert_eq!(
        kinds(&test.workspace, 4),
        ["anchor", "turn.begin", "message", "message", "statement.capture", "turn.end"]
    );
    assert_eq!(turn.message.unwrap().to_string(), "messages:6");
    assert_eq!(turn.reply.unwrap().to_string(), "messages:7");
}

#[test]
fn a_turn_that_was_cut_off_is_told_to_the_next_one_once() {
    let test = TestWorkspace::new();
    let conversation = test.workspace.conversation(session("telegram:1"));
    let inbound = Inbound { user: Some("42".into()), ..Inbound::new("I live in Porto") };
    let failed = conversation.turn(&inbound, |_| Err(Error::Model("no answer".into())));
    assert!(failed.is_err());
    // Another conversation does not see it.
    assert!(said_by(&test.workspace, "telegram:2", None, "hello there", "").unfinished.is_empty());
    let next = said(&test.workspace, "are you there?");
    let unfinished: Vec<_> =
        next.unfinished.iter().map(|cut| (cut.message.to_string(), cut.text.clone())).collect();
    assert_eq!(unfinished, [("messages:6".to_owned(), Some("I live in Porto".to_owned()))]);
    assert!(said(&test.workspace, "and now?").unfinished.is_empty());
    // It is not reported again after a restart either.
    let again = test.reopened();
    assert!(said(&again, "and after a restart?").unfinished.is_empty());
}

#[test]
fn a_turn_that_another_process_ends_is_what_it_began_as() {
    let test = TestWorkspace::new();
    let ended = |inbound: &Inbound| {
        test.workspace.conversation(session("telegram:1")).begin(inbound).unwrap();
        let other = test.reopened();
        let conversation = other.conversation(session("telegram:1"));
        let open = conversation.open_turns(None).unwrap().pop().unwrap();
        conversation.end(open, &Reply::new("Noted.")).unwrap()
    };
    let job = Inbound { trigger: Trigger::Cron, ..Inbound::new("I prefer tea") };
    assert_eq!(texts(&ended(&job)), [""; 0]);
    let reply = Inbound { reply_to: Some("I live in Leeds".into()), ..Inbound::new("ok. I live in Leeds") };
    assert_eq!(ended(&reply).dropped[0].why, Reason::Echo);
}

#[test]
fn a_channel_that_is_not_remembered_writes_and_recalls_nothing() {
    for (enabled, channels) in [("false", "*"), ("true", "discord")] {
        let flags = vec![format!("turn.enabled={enabled}"), format!("turn.channels={channels}")];
        let sources = memtape::config::Sources { flags, ..Default::default() };
        let config = memtape::config::load(&sources).unwrap().config;
        let test = TestWorkspace::configured(config);
        let before = std::fs::read(test.path().join("tape.jsonl")).unwrap();
        let mut asked = false;
        let turn = test
            .workspace
            .conversation(session("telegram:1"))
            .turn(&Inbound::new("I prefer tea"), |_| {
                asked = true;
                Ok(Reply::new("fine"))
            })
            .unwrap();
        assert!(asked, "the model answers all the same");
        assert_eq!(turn, FinishedTurn::default());
        assert_eq!(std::fs::read(test.path().join("tape.jsonl")).unwrap(), before);
        assert!(!test.path().join("mirror").exists());
    }
}

#[test]
fn statements_go_into_the_scopes_of_their_categories() {
    let test = TestWorkspace::new();
    let text = "I prefer dark mode. My name is Ana. We decided to use Postgres. For today reply in Spanish";
    let turn = said(&test.workspace, text);
    let mut kept: Vec<_> = turn.captured.iter().map(|c| (c.category, c.scope.clone(), c.lifetime)).collect();
    kept.sort_by_key(|(category, scope, _)| (*category, scope.layer()));
    let chat = Scope::of_chat(&session("telegram:1"));
    let user = Scope::User("telegram:42".parse().unwrap());
    assert_eq!(
        kept,
        [
            (Category::Preference, chat.clone(), Lifetime::Session),
            (Category::Preference, user.clone(), Lifetime::Permanent),
            (Category::Fact, user, Lifetime::Permanent),
            (Category::Decision, chat.clone(), Lifetime::Permanent),
        ]
    );
    // Without a known user, a statement belongs to the chat.
    let turn = said_by(&test.workspace, "telegram:1", None, "I prefer short answers", "");
    assert_eq!(turn.captured[0].scope, chat);
}

#[test]
fn the_same_person_is_known_in_another_chat_and_nobody_else_is_told() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I'm allergic to hazelnuts. We decided to use Postgres");
    let elsewhere = said_by(&test.workspace, "telegram:2", Some("42"), "hazelnuts in Postgres?", "");
    assert_eq!(recalled(&elsewhere), ["I'm allergic to hazelnuts"]);
    for (chat, user) in [("telegram:2", Some("7")), ("telegram:3", None), ("discord:1", Some("42"))] {
        let other = said_by(&test.workspace, chat, user, "what about hazelnuts and Postgres?", "");
        assert!(!other.memory.contains("allergic"), "{chat} {user:?}: {}", other.memory);
        assert!(recalled(&other).iter().all(|text| !text.contains("allergic")), "{chat} {user:?}");
    }
}

/// Adds a statement, which a prompt shows only if it is recalled.
fn remembers(test: &TestWorkspace, text: &str) {
    let added = Added::new(text, Category::Fact);
    test.workspace.statements().add(&added).unwrap();
}

#[test]
fn what_is_told_again_is_one_statement() {
    let test = TestWorkspace::new();
    let first = said(&test.workspace, "I prefer dark mode");
    test.clock.advance(SignedDuration::from_hours(24 * 30));
    let again = said(&test.workspace, "as I said, I prefer DARK mode!");
    assert!(matches!(first.captured[0].outcome, StatementOutcome::Saved(_)));
    assert!(matches!(again.captured[0].outcome, StatementOutcome::Confirmed(_)), "{again:?}");
    assert_eq!(again.counters.capture_deduped, 1);
    let statements = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(statements.len(), 1);
    let ends = "2026-03-12T10:00:00Z".parse::<jiff::Timestamp>().unwrap() + (3650 * 24).hours();
    assert_eq!(statements[0].expires_at.unwrap().as_second() / 60, ends.as_second() / 60);
}

#[test]
fn a_turn_of_another_user_is_told_once_it_must_have_been_cut_off() {
    let test = TestWorkspace::new();
    let conversation = test.workspace.conversation(session("telegram:1"));
    let bob = Inbound { user: Some("22".into()), ..Inbound::new("I drink mate") };
    let begun = conversation.begin(&bob).unwrap();
    // Bob's agent may still be answering.
    assert_eq!(said(&test.workspace, "hello").unfinished, []);
    test.clock.advance(SignedDuration::from_mins(14));
    assert_eq!(said(&test.workspace, "hello?").unfinished, []);
    // So may it while the owner speaks.
    let owner = conversation.turn(&Inbound::new("who is there?"), |_| Ok(Reply::default())).unwrap();
    assert_eq!(owner.unfinished, []);
    test.clock.advance(SignedDuration::from_mins(2));
    let told = said(&test.workspace, "hello again").unfinished;
    assert_eq!(told.iter().map(|cut| Some(&cut.message)).collect::<Vec<_>>(), [begun.message()]);
    assert_eq!(said(&test.workspace, "and now?").unfinished, []);
    // One's own is told at once.
    let begun = conversation.begin(&bob).unwrap();
    let told = said_by(&test.workspace, "telegram:1", Some("22"), "are you there?", "").unfinished;
    assert_eq!(told.iter().map(|cut| Some(&cut.message)).collect::<Vec<_>>(), [begun.message()]);
}

#[test]
fn what_the_agent_says_is_captured_only_where_that_is_wanted() {
    for (assistant, expected) in [(false, 0), (true, 1)] {
        let mut config = memtape_testkit::config();
        config.capture.assistant = assistant;
        let test = TestWorkspace::configured(config);
        let reply = "We decided to use Postgres for the new service.";
        let turn = said_by(&test.workspace, "telegram:1", Some("42"), "so what did we settle on?", reply);
        assert_eq!(turn.captured.len(), expected, "{turn:?}");
        for captured in &turn.captured {
            let shown =
                test.workspace.show(captured.outcome.reference(), &Audience::owner(), &At::head()).unwrap();
            assert_eq!(shown[0].memory.origin, Some(Origin::Assistant));
        }
    }
}

#[test]
fn capture_keeps_to_its_channels_and_can_be_switched_off() {
    let off = |set: fn(&mut Config)| {
        let mut config = memtape_testkit::config();
        set(&mut config);
        let test = TestWorkspace::configured(config);
        said_by(&test.workspace, "matrix:1", Some("42"), "I prefer dark mode", "").captured.len()
            + said_by(&test.workspace, "telegram:1", Some("42"), "I prefer dark mode", "").captured.len()
    };
    assert_eq!(off(|_| ()), 2);
    assert_eq!(off(|config| config.capture.enabled = false), 0);
    assert_eq!(off(|config| config.capture.max_entries = 0), 0);
}

/// Who switches capture off wants less to be remembered, not more.
#[test]
fn what_people_ask_to_forget_or_not_to_keep_counts_without_capture() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I live in Leeds");
    let mut config = memtape_testkit::config();
    config.capture.enabled = false;
    let options = memtape::Options { config, ..memtape_testkit::workspace::options(&test.clock) };
    let off = Workspace::open(test.path(), options).unwrap();
    let turn = said(&off, "Forget that I live in Leeds. I'm vegan.");
    assert_eq!((turn.forgotten.len(), texts(&turn)), (1, vec![]));
    assert_eq!(turn.dropped[0].why, Reason::Off);
    let turn = said(&off, "I have HIV. Don't save this.");
    assert_eq!(texts(&turn), [""; 0]);
    out_of_sight(&off);
    let recall = memtape::Recall::new("HIV");
    assert_eq!(off.recall(&recall, &At::head()).unwrap().hits, []);
}

#[test]
fn what_has_ended_counts_beyond_the_limit_of_a_turn() {
    let mut config = memtape_testkit::config();
    config.capture.max_entries = 1;
    let test = TestWorkspace::configured(config);
    said(&test.workspace, "I have a cat.");
    let turn = said(&test.workspace, "I'm allergic to nuts. I live in Leeds. I no longer have a cat.");
    assert_eq!((texts(&turn).len(), turn.forgotten.len()), (1, 1), "{turn:?}");
    assert_eq!(turn.forgotten[0].text, "I have a cat");
}

#[test]
fn what_was_said_earlier_is_kept_from_then() {
    let mut config = memtape_testkit::config();
    config.retention.0.insert(Category::Fact, 10);
    let test = TestWorkspace::configured(config);
    let said_on = |date: &str, text: &str| {
        let said_at = Some(date.parse().unwrap());
        let inbound = Inbound { user: Some("42".into()), said_at, ..Inbound::new(text) };
        test.workspace.conversation(session("telegram:1")).turn(&inbound, |_| Ok(Reply::default())).unwrap()
    };
    let turn = said_on("2026-01-30T10:00:00Z", "I live in Leeds");
    assert_eq!((texts(&turn), turn.dropped[0].why), (vec![], Reason::Expired));
    assert_eq!(texts(&said_on("2026-02-01T10:00:00Z", "I live in York")), ["I live in York"]);
    test.clock.advance_days(2);
    assert!(test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap().is_empty());
}

#[test]
fn statements_whose_time_is_over_are_retired_hourly_at_most() {
    let test = TestWorkspace::new();
    said(&test.workspace, "My mum is having her hip operation tomorrow");
    let expired = |n: i64| {
        test.clock.advance(SignedDuration::from_hours(n));
        let from = test.workspace.status(&At::head()).unwrap().entries + 1;
        said(&test.workspace, "hello again");
        kinds(&test.workspace, from).iter().filter(|name| *name == "statement.expire").count()
    };
    assert_eq!(expired(24 * 89), 0);
    // It is no longer shown, whether or not it was removed yet.
    test.clock.advance(SignedDuration::from_hours(24 * 2));
    assert!(test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap().is_empty());
    assert_eq!(expired(0), 1);
    assert_eq!(expired(2), 0);
}

#[test]
fn expired_facts_do_not_keep_expired_statements() {
    let test = TestWorkspace::new();
    for n in 0..101 {
        let fact = NewFact { days: Some(7), ..told(&format!("asked for {n}"), "tea") };
        test.workspace.ledger().add(&fact).unwrap();
    }
    said(&test.workspace, "My mum is having her hip operation tomorrow");
    test.clock.advance_days(92);
    let from = test.workspace.status(&At::head()).unwrap().entries + 1;
    said(&test.workspace, "hello again");
    let names = kinds(&test.workspace, from);
    assert!(names.contains(&"statement.expire".to_owned()), "{names:?}");
}

#[test]
fn a_message_of_nothing_is_refused_and_writes_nothing() {
    let test = TestWorkspace::new();
    let before = test.workspace.status(&At::head()).unwrap().entries;
    let turn = test
        .workspace
        .conversation(session("telegram:1"))
        .turn(&Inbound::new(" \n"), |_| Ok(Reply::default()));
    assert!(turn.is_err());
    assert_eq!(test.workspace.status(&At::head()).unwrap().entries, before);
}

#[test]
fn why_tells_the_message_the_changes_and_the_recalls_to_who_sees_them() {
    let test = TestWorkspace::new();
    let first = said(&test.workspace, "hi! I prefer window seats on long flights");
    said(&test.workspace, "I prefer window seats on long flights");
    let asked = said_by(&test.workspace, "telegram:2", Some("42"), "window seats for long flights?", "");
    assert_eq!(asked.counters.recall_hit, 1);
    let reference = first.captured[0].outcome.reference();
    let why = test.workspace.why(reference, &Audience::owner(), &At::head()).unwrap();
    let names: Vec<_> = why.versions.iter().map(|version| version.change.name.as_str()).collect();
    assert_eq!(names, ["statement.capture", "statement.confirm"]);
    assert_eq!(why.versions[0].from.as_ref().unwrap().text, "hi! I prefer window seats on long flights");
    assert!(why.versions[0].end.is_some() && why.versions[1].end.is_none());
    let asked: Vec<_> = why.recalls.iter().map(|spoken| spoken.text.as_str()).collect();
    assert_eq!(asked, ["I prefer window seats on long flights", "window seats for long flights?"]);
    // In another chat, the user sees the statement but not the message it was captured from.
    let elsewhere = test.workspace.audience(Some(&session("telegram:2")), Some("42")).unwrap();
    let why = test.workspace.why(reference, &elsewhere, &At::head()).unwrap();
    assert!(why.versions.iter().all(|version| version.from.is_none()));
    assert_eq!(why.recalls.len(), 1);
    // Other users do not see it.
    let other = test.workspace.audience(Some(&session("telegram:1")), Some("7")).unwrap();
    assert!(test.workspace.why(reference, &other, &At::head()).is_err());
    // The message lists what was captured from it.
    let why = test.workspace.why(&first.message.unwrap(), &Audience::owner(), &At::head()).unwrap();
    assert_eq!(why.captured.len(), 1);
}

#[test]
fn a_message_lists_each_statement_once_and_whether_it_is_current() {
    let test = TestWorkspace::new();
    let message = said(&test.workspace, "I prefer coffee").message.unwrap();
    let captured = || {
        let why = test.workspace.why(&message, &Audience::owner(), &At::head()).unwrap();
        why.captured.iter().map(|version| version.end.is_none()).collect::<Vec<_>>()
    };
    let branches = test.workspace.branches().in_session(session("telegram:1"));
    assert_eq!(captured(), [true]);
    branches.undo().unwrap();
    assert_eq!(captured(), [false]);
    branches.redo().unwrap();
    branches.undo().unwrap();
    branches.redo().unwrap();
    assert_eq!(captured(), [true]);
}

#[test]
fn a_conversation_that_never_was_is_not_reset() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I prefer coffee");
    let before = test.workspace.status(&At::head()).unwrap().entries;
    let reset = test.workspace.tape().reset(Some(&session("telegram:typo")), false);
    assert!(matches!(reset, Err(Error::NotFound(_))), "{reset:?}");
    assert_eq!(test.workspace.status(&At::head()).unwrap().entries, before);
    test.workspace.tape().reset(Some(&session("telegram:1")), false).unwrap();
}

#[test]
fn a_said_message_is_a_message_like_any_other() {
    let test = TestWorkspace::new();
    let message = Message::new("user", "I prefer tea");
    test.workspace.conversation(session("telegram:1")).say(&message).unwrap();
    // A message outside a turn cannot be an unfinished turn.
    assert!(said(&test.workspace, "hello you").unfinished.is_empty());
}

#[test]
fn what_is_meant_for_once_is_another_thing_in_another_thread() {
    let test = TestWorkspace::new();
    let text = "For today reply in Spanish";
    for thread in ["telegram:1:a", "telegram:1:b"] {
        let turn = said_by(&test.workspace, thread, Some("42"), text, "");
        assert!(matches!(turn.captured[0].outcome, StatementOutcome::Saved(_)), "{turn:?}");
    }
    let shown = |thread: &str| {
        let audience = Audience::of_chat(&session(thread));
        test.workspace.memories(Form::STATEMENTS, &audience, &At::head()).unwrap().len()
    };
    assert_eq!(
        [shown("telegram:1:a"), shown("telegram:1:b"), shown("telegram:1"), shown("telegram:2")],
        [1, 1, 0, 0]
    );
    test.clock.advance(SignedDuration::from_hours(25));
    assert_eq!(shown("telegram:1:a"), 0);
}

#[test]
fn what_is_said_twice_in_a_message_takes_one_place() {
    let test = TestWorkspace::new();
    let turn = said(
        &test.workspace,
        "I prefer tea. I prefer tea. I PREFER tea. I prefer tea. I prefer coffee. I live in Lisbon.",
    );
    assert_eq!(texts(&turn), ["I prefer tea", "I prefer coffee", "I live in Lisbon"]);
}
