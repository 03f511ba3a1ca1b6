//! The journal, which shows the tape in the format of document 3, and decay.
use std::collections::HashSet;
use std::fs;

use jiff::SignedDuration;
use memtape::decay::{DecayQuestion, UnusedMemory};
use memtape::journal::costs::By;
use memtape::journal::{Line, Question};
use memtape::{
    Added, At, Audience, Category, ErrorKind, Form, Inbound, Message, Reply, Session, ToolUse, Warning,
    Workspace,
};
use memtape_testkit::TestWorkspace;
use serde_json::{Value, json};

fn session(text: &str) -> Session {
    Session::parse(text).unwrap()
}

fn say(workspace: &Workspace, to: &str, role: &str, text: &str) {
    let message = Message::new(role, text);
    workspace.conversation(session(to)).say(&message).unwrap();
}

fn all(workspace: &Workspace, question: &Question) -> Vec<Line> {
    workspace.journal().lines(question, &At::head()).unwrap()
}

fn types(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.kind.as_str()).collect()
}

fn decided(workspace: &Workspace, n: usize) {
    for n in 0..n {
        workspace.journal().add("decision", &json!({"n": n})).unwrap();
    }
}

fn numbers(lines: &[Line]) -> Vec<u64> {
    lines.iter().filter_map(|line| line.fields.get("n").and_then(Value::as_u64)).collect()
}

#[test]
fn a_turn_becomes_journal_lines() {
    let test = TestWorkspace::new();
    let reply = Reply {
        text: Some("You have two.".into()),
        tools: vec![ToolUse {
            name: "calendar".into(),
            arguments: json!({"day": "today"}),
            result: Some("2 events".into()),
        }],
        ..Reply::default()
    };
    let inbound = Inbound { name: Some("Ana".into()), ..Inbound::new("I prefer tea. What is on today?") };
    test.workspace.conversation(session("telegram:42")).turn(&inbound, |_| Ok(reply)).unwrap();
    let lines = all(&test.workspace, &Question::default());
    let told: String = lines.iter().map(|line| format!("{line}\n")).collect();
    expect_test::expect![[r#"
        {"ts":"2026-02-10T10:00:00Z","type":"session_start","entry":1,"session":"cli:direct"}
        {"ts":"2026-02-10T10:00:00Z","type":"session_start","entry":4,"session":"telegram:42"}
        {"ts":"2026-02-10T10:00:00Z","type":"trigger","source":"message","from":"Ana","preview":"I prefer tea. What is on today?","entry":6,"session":"telegram:42"}
        {"ts":"2026-02-10T10:00:00Z","type":"tool_use","tool":"calendar","input":"{\"day\":\"today\"}","result":"2 events","entry":7,"session":"telegram:42"}
        {"ts":"2026-02-10T10:00:00Z","type":"message_sent","channel":"telegram","preview":"You have two.","entry":9,"session":"telegram:42"}
        {"ts":"2026-02-10T10:00:00Z","type":"statement_update","action":"capture","category":"preference","preview":"I prefer tea","entry":10,"session":"telegram:42"}
    "#]]
    .assert_eq(&told);
}

/// What a person asks not to keep is no event of other chats.
#[test]
fn a_confided_message_shows_in_no_other_chat() {
    let test = TestWorkspace::new();
    let said = Inbound::new("I'm pregnant, but please don't save that.");
    test.workspace.conversation(session("telegram:42")).turn(&said, |_| Ok(Reply::default())).unwrap();
    let lines = |chat: &str| {
        let journal = test.workspace.journal().for_audience(Audience::of_chat(&session(chat)));
        journal.lines(&Question::default(), &At::head()).unwrap()
    };
    assert!(types(&lines("telegram:42")).contains(&"statement_update"));
    assert!(!types(&lines("telegram:43")).contains(&"statement_update"), "{:?}", lines("telegram:43"));
}

#[test]
fn the_tail_is_the_last_lines_in_the_order_they_were_written() {
    let test = TestWorkspace::new();
    let tail = |n| Question { tail: Some(n), ..Question::default() };
    // There are fewer lines than requested.
    assert_eq!(types(&all(&test.workspace, &tail(40))), ["session_start"]);
    decided(&test.workspace, 50);
    assert_eq!(numbers(&all(&test.workspace, &tail(3))), [47, 48, 49]);
    assert_eq!(all(&test.workspace, &tail(40)).len(), 40);
    assert_eq!(all(&test.workspace, &tail(0)), []);
    assert_eq!(all(&test.workspace, &Question::default()).len(), 51);
}

#[test]
fn all_lines_come_in_pages_that_cut_no_entry() {
    let test = TestWorkspace::new();
    for n in 0..700 {
        let calls: Vec<_> =
            (0..3).map(|m| json!({"name": format!("tool-{n}-{m}"), "arguments": ""})).collect();
        test.append("tool_call", &json!({"calls": calls}).to_string(), r#"{"session":"a:b"}"#);
    }
    let lines = all(&test.workspace, &Question { types: vec!["tool_use".into()], ..Question::default() });
    let tools: Vec<_> = lines.iter().map(|line| line.fields["tool"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<_> = (0..700).flat_map(|n| (0..3).map(move |m| format!("tool-{n}-{m}"))).collect();
    assert_eq!(tools, expected);
    let last = all(&test.workspace, &Question { tail: Some(2), ..Question::default() });
    assert_eq!(
        last.iter().map(|line| line.fields["tool"].clone()).collect::<Vec<_>>(),
        ["tool-699-1", "tool-699-2"]
    );
}

#[test]
fn lines_are_chosen_by_type_time_conversation_and_text() {
    let test = TestWorkspace::new();
    say(&test.workspace, "telegram:1", "user", "Green Tea?");
    test.clock.advance(SignedDuration::from_hours(1));
    say(&test.workspace, "telegram:2", "assistant", "Coffee!");
    test.clock.advance(SignedDuration::from_hours(1));
    decided(&test.workspace, 1);
    let chosen = |question: Question| {
        let tail = Question { tail: Some(40), ..question.clone() };
        let lines = all(&test.workspace, &question);
        assert_eq!(lines, all(&test.workspace, &tail));
        types(&lines).join(" ")
    };
    let of = |types: &[&str]| Question {
        types: types.iter().map(|t| (*t).to_owned()).collect(),
        ..Question::default()
    };
    assert_eq!(chosen(of(&["decision", "trigger", "decision"])), "trigger decision");
    assert_eq!(chosen(of(&["nothing"])), "");
    let at = |text: &str| Some(test.workspace.until(text).unwrap());
    assert_eq!(
        chosen(Question { since: at("1h"), ..Question::default() }),
        "session_start message_sent decision"
    );
    assert_eq!(
        chosen(Question { until: at("1h"), ..Question::default() }),
        "session_start session_start trigger session_start message_sent"
    );
    assert_eq!(chosen(Question { until: at("2025-01-01"), ..Question::default() }), "");
    assert_eq!(
        chosen(Question { session: Some(session("telegram:2")), ..Question::default() }),
        "session_start message_sent"
    );
    assert_eq!(chosen(Question { session: Some(session("telegram:9")), ..Question::default() }), "");
    assert_eq!(chosen(Question { grep: Some("GREEN tea".into()), ..Question::default() }), "trigger");
    assert_eq!(
        chosen(Question { grep: Some("\"type\":\"decision\"".into()), ..Question::default() }),
        "decision"
    );
    let kind = test.workspace.journal().lines(&of(&["No Type"]), &At::head()).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::Invalid);
}

/// Changes a byte of each line that contains a text, so that the line becomes unreadable.
fn damage(test: &TestWorkspace, text: &str) {
    let path = test.path().join("tape.jsonl");
    let tape = fs::read_to_string(&path).unwrap();
    assert!(tape.contains(text));
    fs::write(path, tape.replace(text, &"#".repeat(text.len()))).unwrap();
}

#[test]
fn one_bad_line_hides_no_other() {
    let test = TestWorkspace::new();
    decided(&test.workspace, 1);
    say(&test.workspace, "telegram:1", "user", "broken soon");
    decided(&test.workspace, 1);
    assert_eq!(all(&test.workspace, &Question::default()).len(), 5);
    damage(&test, "broken soon");
    for tail in [Some(40), None] {
        let lines = all(&test.workspace, &Question { tail, ..Question::default() });
        assert_eq!(types(&lines), ["session_start", "decision", "session_start", "decision"]);
        assert!(matches!(test.workspace.take_warnings()[..], [Warning::Unreadable { .. }]));
    }
    assert_eq!(test.workspace.journal().recent(&HashSet::new(), &At::head()).unwrap().len(), 4);
}

#[test]
fn the_tail_and_a_rare_type_read_no_line_that_they_do_not_show() {
    let test = TestWorkspace::new();
    test.workspace.journal().add("rare", &json!({"n": 1})).unwrap();
    for _ in 0..100 {
        say(&test.workspace, "telegram:1", "user", "an older message");
    }
    say(&test.workspace, "telegram:2", "user", "the last one");
    all(&test.workspace, &Question { tail: Some(1), ..Question::default() });
    // From here on, reading one of these lines would cause a warning about damage.
    damage(&test, "an older message");
    let tail = |question: Question| all(&test.workspace, &Question { tail: Some(1), ..question });
    assert_eq!(tail(Question::default())[0].fields["preview"], "the last one");
    assert_eq!(types(&tail(Question { types: vec!["rare".into()], ..Question::default() })), ["rare"]);
    let chat = test.workspace.journal().for_audience(Audience::of_chat(&session("telegram:2")));
    let lines = chat.lines(&Question { tail: Some(1), ..Question::default() }, &At::head()).unwrap();
    assert_eq!(lines[0].fields["preview"], "the last one");
    assert_eq!(tail(Question { session: Some(session("telegram:2")), ..Question::default() }).len(), 1);
    assert!(test.workspace.take_warnings().is_empty());
    // The line before is the anchor that begins its conversation; reading it causes the warning.
    all(&test.workspace, &Question { tail: Some(3), ..Question::default() });
    assert!(!test.workspace.take_warnings().is_empty());
}

#[test]
fn events_belong_to_their_branch_and_messages_to_all() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.zone().remember("before").unwrap();
    workspace.branches().create_and_switch("work", None).unwrap();
    workspace.zone().remember("at work").unwrap();
    say(workspace, "telegram:1", "user", "hello");
    let on = |point: &str| {
        let lines = workspace.journal().lines(&Question::default(), &workspace.at(point).unwrap()).unwrap();
        lines
            .iter()
            .filter_map(|line| line.fields.get("preview")?.as_str().map(str::to_owned))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(on("work@head"), "before at work hello");
    assert_eq!(on("main@head"), "before hello");
    let lines = workspace.journal().lines(&Question::default(), &workspace.at("work@head").unwrap()).unwrap();
    let work: Vec<_> = lines.iter().filter(|line| line.branch.as_deref() == Some("work")).collect();
    assert!(work.iter().any(|line| line.to_string().contains(r#""branch":"work""#)), "{lines:?}");
}

#[test]
fn the_prompt_journal_excludes_confidential_and_shown_lines() {
    let test = TestWorkspace::new();
    say(&test.workspace, "telegram:1", "user", "shown elsewhere");
    let said = all(&test.workspace, &Question::default()).last().unwrap().entry;
    test.workspace.zone().with_sensitivity(memtape::Sensitivity::Confidential).remember("hush").unwrap();
    decided(&test.workspace, 1);
    assert_eq!(all(&test.workspace, &Question::default()).len(), 5);
    let tail = test.workspace.journal().tail(&HashSet::from([said]), &At::head()).unwrap();
    assert_eq!(
        tail,
        "[2026-02-10 10:00:00] session_start:\n[10:00:00] session_start:\n[10:00:00] decision: n=0\n"
    );
    test.workspace.tape().reset(Some(&session("telegram:1")), false).unwrap();
    let tail = test.workspace.journal().tail(&HashSet::new(), &At::head()).unwrap();
    assert!(
        !tail.contains("shown elsewhere") && tail.ends_with("[10:00:00] reset: of=conversation\n"),
        "{tail}"
    );
    let nobody = test.workspace.journal().for_audience(Audience::of_chat(&session("discord:9")));
    assert_eq!(nobody.tail(&HashSet::new(), &At::head()).unwrap(), "(no recent activity)\n");
}

#[test]
fn the_line_of_a_confidential_entry_has_no_text() {
    let test = TestWorkspace::new();
    test.workspace.zone().with_sensitivity(memtape::Sensitivity::Confidential).remember("hush").unwrap();
    let shown = all(&test.workspace, &Question::default());
    let line = shown.iter().find(|line| line.kind == "zone_update").unwrap();
    assert!(line.fields.is_empty(), "{line}");
    test.workspace.tools().call("memory_set_block", json!({"name": "persona", "value": "hush"})).unwrap();
    let shown = all(&test.workspace, &Question::default());
    let fields =
        |kind: &str| Value::Object(shown.iter().rfind(|line| line.kind == kind).unwrap().data_fields());
    assert_eq!(fields("block_proposal"), json!({"block": "persona", "layer": 2}));
    assert_eq!(fields("tool_use"), json!({"tool": "memory_set_block"}));
    let wanted = Question { grep: Some("hush".into()), ..Question::default() };
    assert_eq!(all(&test.workspace, &wanted), []);
}

#[test]
fn the_journal_is_followed_also_across_processes() {
    let test = TestWorkspace::new();
    let journal = test.workspace.journal();
    let start = journal.head().unwrap();
    assert_eq!(journal.after(&Question::default(), start).unwrap(), (Vec::new(), start));
    let other = test.reopened();
    decided(&other, 2);
    let (lines, seen) = journal.after(&Question::default(), start).unwrap();
    assert_eq!(numbers(&lines), [0, 1]);
    other.zone().remember("tea").unwrap();
    let (lines, end) = journal.after(&Question { tail: Some(1), ..Question::default() }, seen).unwrap();
    assert_eq!(types(&lines), ["zone_update"]);
    assert_eq!(journal.after(&Question::default(), end).unwrap().0, []);
}

#[test]
fn only_types_without_another_command_can_be_added() {
    let test = TestWorkspace::new();
    let journal = test.workspace.journal();
    let kind = |kind: &str, data: &Value| journal.add(kind, data).map_err(|e| e.kind());
    assert_eq!(kind("trigger", &json!({})), Err(ErrorKind::Refused));
    assert_eq!(kind("Bad", &json!({})), Err(ErrorKind::Invalid));
    assert_eq!(kind("decision", &json!("text")), Err(ErrorKind::Invalid));
    let long = |n: usize| json!({"t": "x".repeat(n)});
    assert_eq!(kind("decision", &long(64 * 1024)), Err(ErrorKind::Invalid));
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({ "d": deep });
    }
    assert_eq!(kind("decision", &deep), Err(ErrorKind::Invalid));
    assert_eq!(kind("decision", &long(64 * 1024 - 8)), Ok(4));
    let tape = test.workspace.tape();
    let refused = tape.append_event("journal.message_sent", None, &Session::direct()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Refused);
    tape.append_event("journal.decision", Some(&json!({"ts": "1970-01-01", "n": 7})), &Session::direct())
        .unwrap();
    let line = all(&test.workspace, &Question::default()).pop().unwrap().to_json();
    assert_eq!(
        (&line["ts"], &line["data_ts"], &line["n"]),
        (&json!("2026-02-10T10:00:00Z"), &json!("1970-01-01"), &json!(7))
    );
}

#[test]
fn costs_are_summed_up() {
    let test = TestWorkspace::new();
    let journal = |to: &str| test.workspace.journal().in_session(session(to));
    journal("a:b")
        .add("cost", &json!({"tokens_in": 1500, "tokens_out": 800, "model": "opus", "cost": 0.5}))
        .unwrap();
    test.clock.advance(SignedDuration::from_hours(24));
    journal("a:c").add("cost", &json!({"tokens_in": 10, "tokens_out": "?", "model": "opus"})).unwrap();
    journal("a:c").add("cost", &json!({"tokens_in": 1, "tokens_out": u64::MAX})).unwrap();
    journal("a:c").add("cost", &json!({"tokens_in": 1, "tokens_out": u64::MAX})).unwrap();
    let by = |by| {
        let costs = test.workspace.journal().costs(by, &Question::default(), &At::head()).unwrap();
        costs
            .iter()
            .map(|(of, c)| format!("{of}: {} {} {:?}", c.calls, c.tokens_in, c.cost))
            .collect::<Vec<_>>()
    };
    assert_eq!(by(By::Model), ["-: 2 2 None", "opus: 2 1510 Some(0.5)"]);
    assert_eq!(by(By::Day), ["2026-02-10: 1 1500 Some(0.5)", "2026-02-11: 3 12 None"]);
    assert_eq!(by(By::Session), ["a:b: 1 1500 Some(0.5)", "a:c: 3 12 None"]);
}

#[test]
fn a_call_counts_at_its_own_time_after_the_clock_was_once_ahead() {
    let test = TestWorkspace::new();
    let call = || {
        test.workspace.journal().add("cost", &json!({"tokens_in": 1, "model": "opus"})).unwrap();
    };
    call();
    test.clock.advance_days(30);
    call();
    test.clock.advance_days(-29);
    call();
    let days = |since: Option<&str>, until: Option<&str>| -> Vec<String> {
        let at = |text: Option<&str>| text.map(|text| text.parse().unwrap());
        let question = Question { since: at(since), until: at(until), ..Question::default() };
        let costs = test.workspace.journal().costs(By::Day, &question, &At::head()).unwrap();
        costs.iter().map(|(day, costs)| format!("{day}: {}", costs.calls)).collect()
    };
    assert_eq!(days(None, None), ["2026-02-10: 1", "2026-02-11: 1", "2026-03-12: 1"]);
    assert_eq!(days(Some("2026-02-11T00:00:00Z"), Some("2026-02-12T00:00:00Z")), ["2026-02-11: 1"]);
    assert_eq!(days(Some("2026-02-12T00:00:00Z"), None), ["2026-03-12: 1"]);
}

#[test]
fn unused_memories_decay_and_recalled_ones_decay_slower() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.zone().remember("Ana keeps bees").unwrap();
    workspace.zone().remember("Ben climbs").unwrap();
    let ask = |text: &str| {
        workspace
            .conversation(session("telegram:1"))
            .turn(&Inbound::new(text), |_| Ok(Reply::default()))
            .unwrap()
    };
    test.clock.advance(SignedDuration::from_hours(24 * 10));
    assert_eq!(ask("Does Ana keep bees?").recalled.found().count(), 1);
    let then = workspace.status(&At::head()).unwrap().entries;
    test.clock.advance(SignedDuration::from_hours(24 * 35));
    workspace.zone().remember("new").unwrap();
    let fading = |days, form, at: &At| {
        let question = DecayQuestion { days, form, ..DecayQuestion::default() };
        let decay = workspace.decay(&question, at).unwrap();
        assert_eq!(decay.left, 0);
        let told = |f: &UnusedMemory| format!("{} {:.2} {}", f.memory.text, f.strength, f.recalls);
        decay.faded.iter().map(told).collect::<Vec<_>>()
    };
    let head = At::head();
    assert_eq!(fading(30, None, &head), ["Ben climbs 0.22 0", "Ana keeps bees 0.56 1"]);
    assert_eq!(fading(40, None, &head), ["Ben climbs 0.22 0"]);
    assert_eq!(fading(30, Some(Form::LEDGER), &head), [""; 0]);
    // The recall was later that day, so at this point there had been none.
    assert_eq!(fading(5, None, &At::entry(then)), ["Ben climbs 0.72 0"]);
    let entries = workspace.status(&head).unwrap().entries;
    let limited = workspace.decay(&DecayQuestion { limit: 1, ..DecayQuestion::default() }, &head).unwrap();
    assert_eq!((limited.faded.len(), limited.left), (1, 1));
    assert_eq!(workspace.status(&head).unwrap().entries, entries);
    let messages = DecayQuestion { form: Some(Form::MESSAGES), ..DecayQuestion::default() };
    assert_eq!(workspace.decay(&messages, &head).unwrap_err().kind(), ErrorKind::Invalid);
    let stranger = DecayQuestion {
        audience: Audience::of_chat(&session("x:y")).only(memtape::Layer::Chat),
        ..DecayQuestion::default()
    };
    assert_eq!(workspace.decay(&stranger, &head).unwrap().faded, []);
}

#[test]
fn a_prompt_excludes_forgotten_memories() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let goals = memtape::BlockName::new("goals").unwrap();
    workspace.blocks().set(&goals, "buy a boat", None).unwrap();
    workspace.zone().remember("the boat is blue").unwrap();
    workspace.zone().remember("the house is red").unwrap();
    let added = Added::new("I love boats", Category::Preference);
    workspace.statements().add(&added).unwrap();
    for focus in ["boats at first", "houses"] {
        workspace.blocks().set(&memtape::BlockName::new("current_focus").unwrap(), focus, None).unwrap();
    }
    let tail = || workspace.journal().tail(&HashSet::new(), &At::head()).unwrap();
    for told in ["buy a boat", "boat is blue", "love boats", "boats at first", "house is red"] {
        assert!(tail().contains(told), "{told}: {}", tail());
    }
    let before = test.workspace.status(&At::head()).unwrap().entries;
    workspace.blocks().forget(&goals).unwrap();
    workspace.zone().forget_text("the boat is blue").unwrap();
    let statements = workspace.statements();
    let held = statements.list(&memtape::Selection::default(), &At::head()).unwrap();
    statements.forget(&[held[0].memory.reference()]).unwrap();
    for told in ["buy a boat", "boat is blue", "love boats"] {
        assert!(!tail().contains(told), "{told}: {}", tail());
    }
    // A newer version has replaced the older one, and the other entries are unchanged.
    assert!(tail().contains("boats at first") && tail().contains("house is red"), "{}", tail());
    let then = workspace.journal().tail(&HashSet::new(), &At::entry(before)).unwrap();
    assert!(then.contains("buy a boat") && then.contains("love boats"), "{then}");
}

/// Statements of two categories are forgotten by one group of two entries.
#[test]
fn only_a_message_is_retracted_by_the_entry_after_it() {
    let test = TestWorkspace::new();
    let statements = test.workspace.statements();
    for (text, category) in [("I love boats", Category::Preference), ("Ana lives in Porto", Category::Fact)] {
        statements.add(&Added::new(text, category)).unwrap();
    }
    let held = statements.list(&memtape::Selection::default(), &At::head()).unwrap();
    let references: Vec<_> = held.iter().map(|held| held.memory.reference()).collect();
    statements.forget(&references).unwrap();
    let recent = test.workspace.journal().recent(&HashSet::new(), &At::head()).unwrap();
    let forgotten = |action: &str| -> Vec<bool> {
        recent
            .iter()
            .filter(|line| line.fields.get("action") == Some(&json!(action)))
            .map(|line| line.forgotten)
            .collect()
    };
    assert_eq!((forgotten("add"), forgotten("forget")), (vec![true, true], vec![false, false]));
}
