//! Regression tests of who may see and change memories. The law over random cases is in the testkit.

use memtape::ledger::NewFact;
use memtape::{
    Added, At, Audience, Backend, Category, CommitQuestion, Form, Inbound, Layer, MemoryFilter, Message,
    Recall, Ref, Reply, Sensitivity, Session, Workspace, ZoneOutcome, ZonePart,
};
use memtape_testkit::TestWorkspace;

fn chat(label: &str) -> Audience {
    Audience::of_chat(&Session::parse(label).unwrap())
}

fn lines(workspace: &Workspace) -> Vec<String> {
    let memories = workspace.memories(Form::ZONE, &Audience::owner(), &At::head()).unwrap();
    memories.into_iter().map(|memory| memory.text).collect()
}

/// Returns a workspace with a line of its own, lines of two chats, and a daily note of one of them.
fn several() -> TestWorkspace {
    let test = TestWorkspace::new();
    let zone = |audience| test.workspace.zone().for_audience(audience);
    zone(Audience::owner()).remember("for everybody").unwrap();
    zone(chat("telegram:1")).remember("for the first").unwrap();
    zone(chat("telegram:2")).remember("for the second").unwrap();
    test
}

#[test]
fn clearing_the_workspace_scope_keeps_chats() {
    for audience in
        [Audience::owner(), Audience::owner().only(Layer::Global), chat("telegram:1").only(Layer::Global)]
    {
        let test = several();
        test.workspace.zone().for_audience(audience).clear().unwrap();
        assert_eq!(lines(&test.workspace), ["for the first", "for the second"]);
    }
    let test = several();
    test.workspace.zone().for_audience(chat("telegram:1")).clear().unwrap();
    assert_eq!(lines(&test.workspace), ["for everybody", "for the second"]);
    test.workspace.zone().clear().unwrap();
    assert_eq!(lines(&test.workspace), ["for the second"]);
}

#[test]
fn the_owner_forgets_lines_and_notes_of_the_workspace_only() {
    let test = TestWorkspace::new();
    let zone = |audience| test.workspace.zone().for_audience(audience);
    for audience in [Audience::owner(), chat("telegram:1")] {
        zone(audience.clone()).remember("likes tea").unwrap();
        zone(audience).daily("a day", None).unwrap();
    }
    zone(chat("telegram:2")).remember("likes green tea").unwrap();
    let others = |part| {
        let scopes = zone(Audience::owner()).other_scopes(part).unwrap();
        scopes.iter().map(|scope| scope.label().unwrap()).collect::<Vec<_>>()
    };
    let today = zone(Audience::owner()).view(&At::head()).unwrap().1;
    assert_eq!(others(ZonePart::Text("Likes tea")), ["channel:telegram:chat:1"]);
    assert_eq!(others(ZonePart::Text("green tea")), ["channel:telegram:chat:2"]);
    assert_eq!(others(ZonePart::Day(today)), ["channel:telegram:chat:1"]);
    assert_eq!(others(ZonePart::All), ["channel:telegram:chat:1", "channel:telegram:chat:2"]);
    zone(Audience::owner()).forget_text("likes tea").unwrap();
    zone(Audience::owner()).forget_day(today).unwrap();
    assert!(zone(Audience::owner()).forget_text("green tea").is_err());
    assert_eq!(lines(&test.workspace), ["likes tea", "# 2026-02-10\n\na day", "likes green tea"]);
}

#[test]
fn an_ambiguity_error_hides_confidential_memories() {
    let test = TestWorkspace::new();
    let zone = || test.workspace.zone();
    zone().remember("the code of the door is on the wall").unwrap();
    zone()
        .with_sensitivity(Sensitivity::Confidential)
        .remember("the code of the safe is under the lamp")
        .unwrap();
    let said = zone().forget_text("the code").unwrap_err().to_string();
    assert!(said.contains("of the door") && !said.contains("lamp"), "{said}");
    // The message contains its ref instead, by which the owner can read it.
    let reference = said.split_whitespace().find(|word| word.starts_with("zone:")).unwrap();
    let shown = test.workspace.show(&reference.parse().unwrap(), &Audience::owner(), &At::head()).unwrap();
    assert_eq!(shown[0].memory.text, "the code of the safe is under the lamp");
}

#[test]
fn a_conversation_does_not_show_confidential_memories() {
    let test = TestWorkspace::new();
    let message = |text: &str, sensitivity: &str| {
        let meta = format!(r#"{{"session":"telegram:1","sensitivity":"{sensitivity}"}}"#);
        test.append("message", &format!(r#"{{"role":"user","content":"{text}"}}"#), &meta);
    };
    message("it is 1234", "confidential");
    message("keep that to us", "private");
    message("thanks", "normal");
    let conversation = test.workspace.conversation(Session::parse("telegram:1").unwrap());
    for entries in [conversation.context(&At::head()).unwrap(), conversation.last(9, &At::head()).unwrap()] {
        let texts: Vec<_> = entries.iter().map(|entry| entry.payload.get()).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert!(texts[0].contains("keep that") && texts[1].contains("thanks"), "{texts:?}");
    }
}

#[test]
fn a_private_memory_is_kept_once() {
    let test = TestWorkspace::new();
    let private = || test.workspace.zone().with_sensitivity(Sensitivity::Private);
    private().remember("afraid of dogs").unwrap();
    assert!(matches!(private().remember("afraid of dogs").unwrap().0, ZoneOutcome::Present(_)));
    assert_eq!(lines(&test.workspace).len(), 1);
    // It belongs to the terminal's chat, so no other chat sees it.
    assert_eq!(test.workspace.zone().for_audience(chat("telegram:1")).context(&At::head()).unwrap(), "");
    assert_ne!(test.workspace.zone().for_audience(chat("cli:direct")).context(&At::head()).unwrap(), "");
    // A chat's private line stays in that chat, even if the write scope is the workspace.
    let first = chat("telegram:1").only(Layer::Global);
    private().for_audience(first).remember("afraid of cats").unwrap();
    assert_ne!(test.workspace.zone().for_audience(chat("telegram:1")).context(&At::head()).unwrap(), "");
    assert_eq!(test.workspace.zone().for_audience(chat("telegram:2")).context(&At::head()).unwrap(), "");
}

fn say(test: &TestWorkspace, session: &str, text: &str) {
    let message = Message::new("user", text);
    test.workspace.conversation(Session::parse(session).unwrap()).say(&message).unwrap();
}

/// Returns the texts of the hits by words, with their BM25 scores.
fn by_words(test: &TestWorkspace, audience: Audience) -> Vec<(String, f64)> {
    let recall = Recall { audience, backend: Some(Backend::SqliteFts), ..Recall::new("green tea in pots") };
    let recalled = test.workspace.recall(&recall, &At::head()).unwrap();
    recalled.hits.into_iter().map(|hit| (hit.memory.text, hit.terms.bm25)).collect()
}

#[test]
fn messages_of_others_do_not_change_scores() {
    let test = TestWorkspace::new();
    for text in
        ["green tea, please", "tea grows in pots", "the pots are in the shed", "coffee", "tea tea tea"]
    {
        say(&test, "telegram:1", text);
    }
    let before = by_words(&test, chat("telegram:1"));
    assert!(before.len() >= 4, "{before:?}");
    for n in 0..60 {
        say(
            &test,
            "telegram:2",
            &format!("{n} green tea in green pots, and much more of it than anybody needs"),
        );
        say(&test, "telegram:3", "yes");
    }
    assert_eq!(by_words(&test, chat("telegram:1")), before);
}

#[test]
fn confidential_memories_do_not_change_scores() {
    let test = TestWorkspace::new();
    let zone = || test.workspace.zone().for_audience(chat("telegram:1"));
    for text in ["green tea, please", "tea grows in pots", "the pots are in the shed", "coffee"] {
        zone().remember(text).unwrap();
    }
    let before = by_words(&test, chat("telegram:1"));
    assert_eq!(before.len(), 3, "{before:?}");
    for n in 0..5 {
        let text = format!("{n} green tea in pots, and much more of it");
        zone().with_sensitivity(Sensitivity::Confidential).remember(&text).unwrap();
    }
    assert_eq!(by_words(&test, chat("telegram:1")), before);
    // The owner's listing finds them by their words.
    let terms = ["green", "much"].map(str::to_owned).to_vec();
    let listing = MemoryFilter { audience: Audience::owner(), terms, limit: 9, ..MemoryFilter::default() };
    assert_eq!(test.workspace.newest_first(&listing, &At::head()).unwrap().len(), 5);
}

#[test]
fn an_audience_that_sees_everything_scores_as_the_owner_does() {
    let test = TestWorkspace::new();
    for text in
        ["green tea, please", "tea grows in pots", "the pots are in the shed", "coffee", "tea tea tea"]
    {
        say(&test, "telegram:1", text);
    }
    let (of_chat, of_owner) = (by_words(&test, chat("telegram:1")), by_words(&test, Audience::owner()));
    assert_eq!(of_chat.len(), of_owner.len());
    for ((text, score), (of_owner, owners)) in of_chat.iter().zip(&of_owner) {
        assert_eq!(text, of_owner);
        assert!((score - owners).abs() < 1e-9, "{text}: {score} and {owners}");
    }
}

/// Returns what a chat's log, journal and tape show.
fn shown(workspace: &Workspace, label: &str) -> String {
    let audience = chat(label);
    let journal = workspace.journal().for_audience(audience.clone());
    let lines = journal.lines(&memtape::journal::Question::default(), &At::head()).unwrap();
    let tape = workspace.tape().for_audience(audience.clone());
    let entries = tape.log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
    let log = workspace.log(&CommitQuestion { audience, ..CommitQuestion::default() }, &At::head()).unwrap();
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let entries: Vec<String> =
        entries.iter().map(|entry| format!("{} {}", entry.payload.get(), entry.meta.get())).collect();
    format!("{}\n{}\n{log:?}", lines.join("\n"), entries.join("\n"))
}

/// A commit about memories of several scopes counts the conflicts of all, and its reason may describe any of them.
#[test]
fn a_commit_about_several_scopes_shows_in_no_chat() {
    let test = TestWorkspace::new();
    let fact = |workspace: &Workspace, predicate: &str, object: &str| {
        let ledger = workspace.ledger().in_session(Session::parse("telegram:1").unwrap());
        let ledger = ledger.for_audience(chat("telegram:1"));
        ledger.add(&crate::branches::told(predicate, object)).unwrap().reference
    };
    let theirs = fact(&test.workspace, "works in", "Porto");
    fact(&test.workspace, "lives in", "Porto");
    test.workspace.branches().create("work", None, &At::head()).unwrap();
    let work = test.again_on("work");
    let ours = work.ledger().add(&crate::branches::told("likes", "tea")).unwrap().reference;
    fact(&work, "lives in", "Utrecht");
    fact(&test.workspace, "lives in", "Lisbon");
    let because = |reason: &str| test.workspace.branches().because(Some(reason.into()));
    assert_eq!(because("all about zebras").merge("work").unwrap().conflicts.len(), 1);
    let both = [ours, theirs].map(|found| (Ref { entry: None, ..found }, "both are zebras".to_owned()));
    assert!(test.workspace.branches().propose_removal(&both, "propose it").unwrap().is_some());
    let shown = shown(&test.workspace, "telegram:2");
    for hidden in ["\"type\":\"merge\"", "\"conflicts\"", "zebras", "propose it"] {
        assert!(!shown.contains(hidden), "{hidden}: {shown}");
    }
    let log = test.workspace.log(&CommitQuestion::default(), &At::head()).unwrap();
    assert!(log.iter().any(|commit| commit.reason.as_deref() == Some("all about zebras")));
}

/// What is removed by itself was removed in no conversation: a turn of one chat shows in no entry of another.
#[test]
fn upkeep_names_no_conversation_to_another_chat() {
    let mut config = memtape_testkit::config();
    config.zone.retention_days = 3;
    let test = TestWorkspace::configured(config);
    let (session, audience) = (Session::parse("telegram:2").unwrap(), chat("telegram:2"));
    let statements = test.workspace.statements().in_session(session.clone()).for_audience(audience.clone());
    statements.add(&Added::new("we met at the harbour", Category::Episodic)).unwrap();
    let ledger = test.workspace.ledger().in_session(session.clone()).for_audience(audience.clone());
    let fact = NewFact { days: Some(1), ..crate::branches::told("is in", "Porto") };
    ledger.add(&fact).unwrap();
    let zone = test.workspace.zone().in_session(session.clone()).for_audience(audience);
    zone.daily("rain at the harbour", None).unwrap();
    test.clock.advance_days(100);
    let conversation = test.workspace.conversation(Session::parse("telegram:1").unwrap());
    conversation.turn(&Inbound::new("hello"), |_| Ok(Reply::new("hi"))).unwrap();
    let shown = shown(&test.workspace, "telegram:2");
    for removal in ["statement.expire", "ledger.forget", "memory.daily"] {
        assert!(
            shown.matches(removal).count() > usize::from(removal == "memory.daily"),
            "{removal}: {shown}"
        );
    }
    assert!(!shown.contains("telegram:1"), "{shown}");
}

/// The owner removes lines and pieces of a chat: the entries are those of the chat.
#[test]
fn what_the_owner_forgets_of_a_chat_shows_in_no_other_chat() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone().for_audience(chat("telegram:1"));
    let (_, mut refs) = zone.remember("the gate opens with 1234").unwrap();
    refs.extend(zone.daily("rain at the harbour", None).unwrap().1);
    let before = shown(&test.workspace, "telegram:2");
    let mine = shown(&test.workspace, "telegram:1").len();
    test.workspace.zone().because(Some("the gate asked for it".into())).forget_refs(&refs).unwrap();
    let after = shown(&test.workspace, "telegram:2");
    let new: Vec<&str> = after.lines().filter(|line| !before.contains(line)).collect();
    assert!(!after.contains("asked for it"), "{after}");
    assert!(new.iter().all(|line| !line.contains("\"retires\"") && !line.contains("zone_update")), "{new:?}");
    assert!(shown(&test.workspace, "telegram:1").len() > mine);
}
