//! No secret that is known by its shape reaches a file, whichever way it comes in.
use std::io::Cursor;

use memtape::ledger::{Named, NewFact, NewValue};
use memtape::statements::Added;
use memtape::{
    At, Backend, BlockName, BlockOutcome, Category, Config, Durability, Inbound, Message, Mode, Origin,
    Recall, Reply, Session, ToolUse, Trigger, Workspace,
};
use memtape_testkit::TestWorkspace;
use memtape_testkit::secrets::{SAMPLES, Sample, files_with};
use serde_json::{Value, json};

/// A way by which a text comes in.
type Way = fn(&Workspace, &str);

const WAYS: &[(&str, Way)] = &[
    ("ingest", |workspace, text| {
        let line = json!({"role": "user", "content": text, "name": text, "image": text}).to_string();
        let done =
            memtape::Ingester::new(workspace, Session::direct()).run(Cursor::new(line), |_| ()).unwrap();
        assert_eq!(done.added, 1);
    }),
    ("say", |workspace, text| {
        let message = Message::new("user", text);
        workspace.conversation(Session::direct()).say(&message).unwrap();
    }),
    ("turn", |workspace, text| {
        let inbound = Inbound {
            name: Some(text.into()),
            reply_to: Some(text.into()),
            ..Inbound::new(&format!("I prefer tea. I live in Porto, {text}. We decided: {text}"))
        };
        let tool = ToolUse {
            name: text.into(),
            arguments: json!({"a": text, text: [text]}),
            result: Some(format!("{{\"x\": {}}}", Value::from(text))),
        };
        let reply = Reply {
            text: Some(format!("I will remember: {text}")),
            tools: vec![tool],
            pending_actions: vec![text.into()],
        };
        workspace.conversation(session()).turn(&inbound, |_| Ok(reply)).unwrap();
    }),
    ("remember", |workspace, text| {
        workspace.zone().remember(text).unwrap();
    }),
    ("save", |workspace, text| {
        workspace.zone().because(Some(text.into())).save(&format!("a line\n{text}"), Mode::Append).unwrap();
    }),
    ("block", |workspace, text| {
        let blocks = || workspace.blocks().because(Some(text.into()));
        let name = |name: &str| BlockName::new(name).unwrap();
        blocks().set(&name("goals"), text, None).unwrap();
        let agents = blocks().writing_as(Origin::Assistant);
        assert_eq!(agents.set(&name("persona"), text, None).unwrap(), BlockOutcome::Waits);
    }),
    ("trigger", |workspace, text| {
        let inbound = Inbound { trigger: Trigger::Cron, ..Inbound::new(text) };
        workspace.conversation(session()).turn(&inbound, |_| Ok(Reply::default())).unwrap();
    }),
    ("daily", |workspace, text| {
        workspace.zone().daily(text, None).unwrap();
    }),
    ("add", |workspace, text| {
        let statements = workspace.statements().because(Some(text.into()));
        statements.add(&Added::new(text, Category::Fact)).unwrap();
    }),
    ("fact", |workspace, text| {
        let ledger = workspace.ledger().because(Some(text.into()));
        let parts: Vec<&str> = (0..4).map(|n| if n == 0 { text } else { "item" }).collect();
        for n in 0..parts.len() {
            let part = |m: usize| parts[(m + n) % parts.len()].to_owned();
            let told = NewFact {
                subject: part(0),
                predicate: format!("{} {n}", part(1)),
                object: part(2),
                scope: Some(part(3)),
                confidence: 0.9,
                source: text.into(),
                evidence: Some(text.into()),
                days: None,
                quarantined: None,
            };
            let named =
                Named { subject: told.subject.clone(), predicate: told.predicate.clone(), scope: None };
            ledger.add(&told).unwrap();
            ledger.observe(&NewFact { object: "another thing".into(), ..told }).unwrap();
            let new = NewValue {
                object: format!("{text}!"),
                confidence: 1.0,
                source: text.into(),
                quarantined: None,
            };
            ledger.update(&named, &new).unwrap();
            ledger.forget(&named).unwrap();
        }
    }),
    ("tool call", |workspace, text| {
        for (tool, arguments) in [
            ("memory_save", json!({"content": text, "mode": "append"})),
            ("memory_daily", json!({"content": text})),
            ("memory_add", json!({"subject": "item", "predicate": "is", "object": text, "evidence": text})),
            (
                "memory_update",
                json!({"subject": "item", "predicate": "is", "new_value": "x", "reason": text}),
            ),
            ("memory_forget", json!({"subject": "item", "predicate": "is", "reason": text})),
        ] {
            workspace.tools().call(tool, arguments).unwrap();
        }
        let noted = json!({"type": "error", "data": {"error": text, text: [{"in": text}]}});
        workspace.tools().call("memory_journal", noted).unwrap();
        // The target of `forget` may not exist; the reason is only recorded if it does.
        workspace.zone().remember("a line to forget").unwrap();
        let forget = json!({"text": "a line to forget", "reason": text});
        workspace.tools().call("memory_forget", forget).unwrap();
    }),
    ("journal", |workspace, text| {
        workspace.journal().add("decision", &json!({"reason": text, text: 1})).unwrap();
    }),
    ("tape", |workspace, text| {
        let tape = workspace.tape();
        tape.append_event("deploy", Some(&json!({"log": [text], text: 1})), &Session::direct()).unwrap();
        tape.append_system(text, &Session::direct()).unwrap();
        tape.handoff("phase", Some(&json!({"summary": text})), &Session::direct()).unwrap();
    }),
];

/// Nothing here hangs on what a power failure leaves, nor on what texts mean.
fn workspace() -> TestWorkspace {
    let mut config = Config { durability: Durability::Os, ..Config::default() };
    config.recall.backend = Backend::SqliteFts;
    TestWorkspace::configured(config)
}

fn session() -> Session {
    Session::parse("telegram:42").unwrap()
}

/// Sends a text on every way; the number keeps those apart that read the same without their secrets.
fn sent(workspace: &Workspace, n: usize, sample: &Sample) {
    for (_, way) in WAYS {
        way(workspace, &format!("item {n}, {}", sample.text));
    }
}

#[test]
fn no_input_path_writes_a_secret_to_a_file() {
    let test = workspace();
    for (n, sample) in SAMPLES.iter().enumerate() {
        sent(&test.workspace, n, sample);
    }
    // A question is not recorded either, and the index has read the whole tape.
    test.workspace.recall(&Recall::new(SAMPLES[2].text), &At::head()).unwrap();
    test.workspace.reindex().unwrap();
    for sample in SAMPLES {
        let found = files_with(test.path(), sample.secret).unwrap();
        assert!(found.is_empty(), "{} {:?} stands in {found:?}", sample.kind, sample.secret);
    }
}

#[test]
fn a_replacement_names_the_kind_of_the_secret() {
    let test = workspace();
    for (n, sample) in SAMPLES.iter().enumerate() {
        let before = test.workspace.status(&At::head()).unwrap().entries;
        sent(&test.workspace, n, sample);
        let log = test.workspace.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
        let marker = format!("[redacted:{}]", sample.kind);
        let new = log.iter().filter(|entry| entry.id > before);
        let marked = new.filter(|entry| entry.payload.get().contains(&marker)).count();
        assert!(marked >= WAYS.len(), "{marker}: {marked}");
    }
}

#[test]
fn the_same_text_with_a_secret_is_the_same_line() {
    let test = workspace();
    let text = "the wifi password is Correct-Horse-77";
    let (_, refs) = test.workspace.zone().remember(text).unwrap();
    assert_eq!(refs.len(), 1);
    let (again, _) = test.workspace.zone().remember(text).unwrap();
    assert!(matches!(again, memtape::ZoneOutcome::Present(_)), "{again:?}");
    let line = json!({"role": "user", "content": text}).to_string();
    for added in [1, 0] {
        let ingester = memtape::Ingester::new(&test.workspace, Session::direct());
        assert_eq!(ingester.run(Cursor::new(line.clone()), |_| ()).unwrap().added, added);
    }
    let hits = test.workspace.recall(&Recall::new("wifi password"), &At::head()).unwrap().hits;
    assert!(hits.iter().all(|hit| hit.memory.text == "the wifi password is [redacted:password]"), "{hits:?}");
    assert!(hits.iter().any(|hit| hit.memory.origin == Some(Origin::User)));
}
