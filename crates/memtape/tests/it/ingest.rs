//! Ingesting conversations.

use std::io::Cursor;

use memtape::{At, Audience, Form, Ingested, Ingester, Recall, Session, Workspace};
use memtape_testkit::TestWorkspace;

fn ingest(workspace: &Workspace, lines: &[&str]) -> Ingested {
    Ingester::new(workspace, Session::direct()).run(Cursor::new(lines.join("\n")), |_| ()).unwrap()
}

const TEA: &str = r#"{"role":"user","content":"I like tea","session":"chat:1"}"#;
const TEA_DATED: &str =
    r#"{"role":"user","content":"I like tea","session":"chat:1","date":"2026-01-05T08:00:00Z"}"#;

#[test]
fn existing_messages_are_not_added_twice() {
    let test = TestWorkspace::new();
    assert_eq!(ingest(&test.workspace, &[TEA, TEA_DATED, TEA]).added, 3);
    // The nth copy in the input corresponds to the nth copy on the tape.
    let again = ingest(&test.workspace, &[TEA, TEA, TEA, TEA_DATED]);
    assert_eq!((again.added, again.present), (1, 3));
    let again = ingest(&test.reopened(), &[TEA]);
    assert_eq!((again.added, again.present), (0, 1));
    // A message with another session, role, name, date or text is a different one.
    let others = [
        r#"{"role":"user","content":"I like tea","session":"chat:2"}"#,
        r#"{"role":"assistant","content":"I like tea","session":"chat:1"}"#,
        r#"{"role":"user","name":"Ana","content":"I like tea","session":"chat:1"}"#,
        r#"{"role":"user","content":"I like tea","session":"chat:1","date":"2026-01-05T08:00:01Z"}"#,
        r#"{"role":"user","content":"I like tea.","session":"chat:1"}"#,
    ];
    assert_eq!(ingest(&test.workspace, &others).added, 5);
}

#[test]
fn two_at_once_add_a_message_once() {
    let test = TestWorkspace::new();
    let lines: Vec<String> = (0..1500)
        .map(|n| format!(r#"{{"role":"user","content":"message {n}","session":"chat:{}"}}"#, n % 3))
        .collect();
    let text = lines.join("\n");
    let totals = std::thread::scope(|scope| {
        let run = || {
            let workspace = test.reopened();
            Ingester::new(&workspace, Session::direct()).run(Cursor::new(text.clone()), |_| ()).unwrap()
        };
        let threads = [scope.spawn(run), scope.spawn(run)];
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(totals.iter().map(|t| t.added).sum::<u64>(), 1500);
    assert_eq!(test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap().len(), 1500);
}

#[test]
fn bad_lines_are_reported_and_skipped() {
    let test = TestWorkspace::new();
    let lines = [
        "\u{feff}{\"role\":\"user\",\"content\":\"with a byte order mark\"}\r",
        "",
        "not json",
        "[1,2]",
        r#"{"role":"user"}"#,
        r#"{"content":"no role"}"#,
        r#"{"role":"user","content":7}"#,
        r#"{"role":"user","content":"x","date":"soon"}"#,
        r#"{"role":"user","content":"x","session":""}"#,
        r#"{"role":"user","content":[{"type":"text","text":"in parts"}]}"#,
        r#"{"role":"user","image":"a cat on a red chair"}"#,
        r#"{"role":"user","content":"by seconds","date":1770717600}"#,
    ];
    let ingested = ingest(&test.workspace, &lines);
    assert_eq!(ingested.added, 4);
    let numbers: Vec<_> = ingested.bad.iter().map(|bad| bad.line).collect();
    assert_eq!(numbers, [3, 4, 5, 6, 7, 8, 9]);
    let found = test.workspace.recall(&Recall::new("red chair"), &At::head()).unwrap();
    assert_eq!(found.hits.len(), 1, "a picture is found by its caption");
    let invalid = b"{\"role\":\"user\",\"content\":\"\xff\"}\n{\"role\":\"user\",\"content\":\"fine\"}\n";
    let ingested =
        Ingester::new(&test.workspace, Session::direct()).run(Cursor::new(&invalid[..]), |_| ()).unwrap();
    assert_eq!((ingested.added, ingested.bad.len()), (1, 1));
}

#[test]
fn dates_are_kept_and_never_invented() {
    let test = TestWorkspace::new();
    ingest(&test.workspace, &[TEA, TEA_DATED]);
    let memories = test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(memories[0].said_at, None);
    assert_eq!(memories[1].said_at.unwrap().to_string(), "2026-01-05T08:00:00Z");
    let found = test.workspace.recall(&Recall::new("what was said on Monday?"), &At::head()).unwrap();
    assert_eq!(found.hits[0].memory.id, memories[1].id, "a day's words find it");
}

/// As in a turn, what a person asks not to keep is not recalled, and neither is the reply.
#[test]
fn what_is_not_to_be_kept_is_not_recalled() {
    let test = TestWorkspace::new();
    let lines = [
        r#"{"role":"user","content":"Please do not remember this: I have gout","session":"chat:1"}"#,
        r#"{"role":"user","content":"I have a boat","session":"chat:2"}"#,
        r#"{"role":"assistant","content":"Ok about your gout","session":"chat:1"}"#,
        r#"{"role":"user","content":"And my foot hurts","session":"chat:1"}"#,
    ];
    let ingested = ingest(&test.workspace, &lines);
    assert_eq!((ingested.added, ingested.unwanted), (4, 2));
    let recalled = |word: &str| {
        let found = test.workspace.recall(&Recall::new(word), &At::head()).unwrap();
        found.hits.iter().filter(|hit| hit.memory.text.contains(word)).count()
    };
    assert_eq!((recalled("gout"), recalled("boat"), recalled("foot")), (0, 1, 1));
    let again = ingest(&test.workspace, &lines);
    assert_eq!((again.added, again.present, again.unwanted), (0, 4, 0));
}

#[test]
fn a_message_is_found_by_the_one_before_it() {
    let test = TestWorkspace::new();
    ingest(
        &test.workspace,
        &[
            r#"{"role":"assistant","content":"What is your favourite colour?","session":"chat:1"}"#,
            r#"{"role":"user","content":"Ochre.","session":"chat:1"}"#,
            r#"{"role":"user","content":"Good night.","session":"chat:2"}"#,
        ],
    );
    let found = test.workspace.recall(&Recall::new("favourite colour"), &At::head()).unwrap();
    let texts: Vec<_> = found.hits.iter().map(|hit| hit.memory.text.as_str()).collect();
    assert_eq!(texts, ["What is your favourite colour?", "Ochre."]);
}

#[test]
fn a_session_sees_its_chat_and_the_workspace_s_memory() {
    let test = TestWorkspace::new();
    ingest(
        &test.workspace,
        &[
            r#"{"role":"user","content":"the secret is green","session":"chat:1"}"#,
            r#"{"role":"user","content":"the secret is blue","session":"chat:2"}"#,
            r#"{"role":"user","content":"the secret is white","session":"chat:1:thread"}"#,
        ],
    );
    test.workspace.zone().remember("the secret is red").unwrap();
    let ask = |session: Option<&str>| {
        let session = session.map(|s| Session::parse(s).unwrap());
        let audience = test.workspace.audience(session.as_ref(), None).unwrap();
        let recall = Recall { audience, ..Recall::new("secret") };
        let hits = test.workspace.recall(&recall, &At::head()).unwrap().hits;
        let mut texts: Vec<_> = hits.into_iter().map(|hit| hit.memory.text).collect();
        texts.sort();
        texts
    };
    assert_eq!(ask(Some("chat:1")), ["the secret is green", "the secret is red", "the secret is white"]);
    assert_eq!(ask(Some("chat:3")), ["the secret is red"]);
    assert_eq!(ask(None).len(), 4);
}
