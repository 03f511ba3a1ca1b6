//! Conversations start, days pass, and clocks are wrong.
use jiff::civil::date;
use memtape::ledger::NewFact;
use memtape::tape::LogQuestion;
use memtape::{
    At, Audience, Config, Form, Inbound, Ingester, Kind, Lifetime, Message, Recall, Reply, Session, Workspace,
};
use memtape_testkit::TestWorkspace;

fn session(label: &str) -> Session {
    Session::parse(label).unwrap()
}

fn says(workspace: &Workspace, label: &str, text: &str) -> memtape::FinishedTurn {
    workspace.conversation(session(label)).turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap()
}

/// Returns the sessions of the start anchors on the tape.
fn starts(workspace: &Workspace) -> Vec<String> {
    let log = workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    let starts = log.iter().filter(|e| e.kind == Kind::Anchor && e.payload.get().contains("session/start"));
    starts.map(|e| memtape_core::Meta::read(e.meta.get()).session.unwrap()).collect()
}

#[test]
fn a_conversation_begins_with_its_first_message() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    for _ in 0..2 {
        says(w, "telegram:1", "hello");
        let lines = r#"{"role":"user","content":"hi","session":"slack:x"}
{"role":"user","content":"again","session":"slack:x"}"#;
        Ingester::new(w, Session::direct()).run(lines.as_bytes(), |_| ()).unwrap();
        let message = Message::new("user", "hi");
        w.conversation(session("irc:room")).say(&message).unwrap();
        // Writing a note does not start a conversation.
        w.zone().in_session(session("telegram:2")).remember("tea").unwrap();
    }
    assert_eq!(starts(w), ["cli:direct", "telegram:1", "slack:x", "irc:room"]);
    w.tape().handoff("another task", None, &session("telegram:1")).unwrap();
    says(w, "telegram:1", "and on");
    assert_eq!(starts(w).len(), 4);
}

#[test]
fn a_group_begins_a_conversation_and_its_first_turn() {
    let test = TestWorkspace::new();
    says(&test.workspace, "telegram:1", "hello");
    let log = test.workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    let start = log.iter().find(|e| e.meta.get().contains("telegram:1")).unwrap();
    assert!(start.payload.get().contains("session/start"));
    assert_eq!(start.more, 2, "with turn.begin and the message");
    assert_eq!(test.workspace.conversation(session("telegram:1")).context(&At::head()).unwrap().len(), 1);
}

#[test]
fn old_daily_notes_go_by_themselves_once_a_day() {
    let mut config = Config::default();
    config.zone.retention_days = 30;
    let test = TestWorkspace::configured(config);
    let days = || test.workspace.zone().view(&At::head()).unwrap().0.dailies.len();
    test.workspace.zone().daily("fed the cat", None).unwrap();
    says(&test.workspace, "telegram:1", "hello");
    test.clock.advance_days(40);
    assert_eq!(days(), 1);
    says(&test.workspace, "telegram:1", "still here");
    assert_eq!(days(), 0);
    // Old daily notes are removed at most once per day.
    test.workspace.zone().daily("long ago", Some(date(2026, 1, 1))).unwrap();
    says(&test.workspace, "telegram:2", "a new conversation");
    assert_eq!(days(), 1);
    test.clock.advance_days(1);
    says(&test.workspace, "telegram:2", "good morning");
    assert_eq!(days(), 0);
}

#[test]
fn a_daily_note_is_of_its_day_and_not_of_the_day_it_was_written() {
    let time_zone = jiff::tz::TimeZone::get("Pacific/Auckland").unwrap();
    let config = Config { time_zone, ..Config::default() };
    let test = TestWorkspace::configured(config);
    let zone = || test.workspace.zone();
    zone().daily("walked the dog to the harbour", Some(date(2025, 3, 1))).unwrap();
    zone().daily("walked the dog to the park", None).unwrap();
    let hits = test.workspace.recall(&Recall::new("walked the dog"), &At::head()).unwrap().hits;
    let day = |hit: &memtape::Hit| {
        let at = hit.memory.said_at.unwrap_or(hit.memory.created_at);
        memtape::calendar::day(at, test.workspace.time_zone())
    };
    // A note of today is more relevant.
    assert!(hits[0].memory.text.contains("park"), "{hits:?}");
    let harbour = hits.iter().find(|hit| hit.memory.text.contains("harbour")).unwrap();
    assert_eq!(day(harbour), date(2025, 3, 1));
    assert!(harbour.terms.recency < hits[0].terms.recency, "{harbour:?}");
}

#[test]
fn an_entry_of_a_clock_that_was_ahead_does_not_move_the_days() {
    let mut config = Config::default();
    config.zone.retention_days = 30;
    let test = TestWorkspace::configured(config);
    let w = &test.workspace;
    let years = jiff::SignedDuration::from_hours(24 * 365 * 4);
    w.zone().daily("before", None).unwrap();
    test.clock.advance(years);
    w.conversation(session("irc:room")).say(&Message::new("user", "from 2030")).unwrap();
    test.clock.advance(-years);
    w.zone().daily("after", None).unwrap();
    let (view, today) = w.zone().view(&At::head()).unwrap();
    assert_eq!(today, date(2026, 2, 10));
    let days: Vec<_> = view.dailies.keys().copied().collect();
    assert_eq!(days, [date(2026, 2, 10)]);
    let path = w.files().path("insights/tea.md").unwrap();
    w.files().write(&path, "tea\n").unwrap();
    w.notes().write(&w.notes().path("facts/tea.md").unwrap(), "- Tea: green\n").unwrap();
    let is_today = |at: jiff::Timestamp| at.to_string().starts_with("2026-02-10");
    assert!(w.files().list(None, &At::head()).unwrap().iter().all(|file| is_today(file.updated_at)));
    for form in [Form::FILES, Form::NOTES, Form::ZONE] {
        let written = w.memories(form, &Audience::owner(), &At::head()).unwrap();
        assert!(
            !written.is_empty() && written.iter().all(|memory| is_today(memory.created_at)),
            "{written:?}"
        );
    }
    w.reindex().unwrap();
    assert!(w.files().list(None, &At::head()).unwrap().iter().all(|file| is_today(file.updated_at)));
    // A temporary fact expires by the clock, and is then removed.
    let told = NewFact {
        scope: Some("temporary".into()),
        confidence: 0.9,
        source: "Ana".into(),
        days: Some(2),
        ..NewFact::new("Ana", "is in", "Lisbon")
    };
    w.ledger().add(&told).unwrap();
    let facts = || w.ledger().list(&memtape::ledger::Filter::default(), &At::head()).unwrap();
    assert_eq!(facts().len(), 1);
    let turn = says(w, "telegram:1", "I prefer tea");
    assert_eq!(turn.captured[0].lifetime, Lifetime::Permanent);
    test.clock.advance_days(3);
    assert_eq!(facts().len(), 0);
    let recalled = w.recall(&Recall::new("prefer tea"), &At::head()).unwrap();
    for hit in &recalled.hits {
        let at = hit.memory.said_at.unwrap_or(hit.memory.created_at);
        assert!(at.to_string().starts_with("2026-02-10"), "{hit:?}");
    }
    test.clock.advance_days(40);
    says(w, "telegram:1", "still here");
    assert!(w.zone().view(&At::head()).unwrap().0.dailies.is_empty());
}
