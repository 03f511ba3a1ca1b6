//! Sessions of Codex.

use std::fs;

use expect_test::expect;
use memtape_import::Settings;
use serde_json::{Value, json};

use crate::harness::{fixture, import_into, read, workspace};

#[test]
fn sessions_of_three_generations_are_read() {
    expect![[r##"
        memories/MEMORY.md [memories/MEMORY.md@033f39ab5cd1d4bc] Note { path: "facts/codex-MEMORY.md", text: "# Memory\n\n- Ana releases on Tuesdays.\n" }
        sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl:5 [5973b6c0-94b8-487b-a530-2aeb6098ae0e:1:7604c63cb1f3c83f] Message(Message { session: Some("project:%2Fhome%2Fana%2Flegacy:5973b6c0-94b8-487b-a530-2aeb6098ae0e"), user: Some("owner"), role: "user", text: "¿Qué hace este repositorio?", name: None, said_at: Some(2025-08-20T10:00:00Z) })
        sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl:9 [5973b6c0-94b8-487b-a530-2aeb6098ae0e:2:79a72c52a670bf7f] Message(Message { session: Some("project:%2Fhome%2Fana%2Flegacy:5973b6c0-94b8-487b-a530-2aeb6098ae0e"), user: None, role: "assistant", text: "Convierte recetas a unidades métricas.", name: None, said_at: Some(2025-08-20T10:00:00Z) })
        sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl skipped: 7 lines without a prompt or a reply
        sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl:4 [0199a2d7-41c4-78b1-b7cc-a45d62a89cd5:1:ae459bf13b4b985f] Message(Message { session: Some("project:github.com%2Fana%2Fapp:0199a2d7-41c4-78b1-b7cc-a45d62a89cd5"), user: Some("owner"), role: "user", text: "Warum ist der Parser langsam?", name: None, said_at: Some(2025-10-02T09:00:02Z) })
        sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl:5 [0199a2d7-41c4-78b1-b7cc-a45d62a89cd5:2:ab1549122350e671] Message(Message { session: Some("project:github.com%2Fana%2Fapp:0199a2d7-41c4-78b1-b7cc-a45d62a89cd5"), user: None, role: "assistant", text: "Er kopiert jede Zeile.", name: None, said_at: Some(2025-10-02T09:00:09Z) })
        sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl skipped: 5 lines without a prompt or a reply
        archived_sessions/rollout-2026-05-01T08-00-00-019ce000-0000-7000-8000-000000000003.jsonl.zst:2 [019ce000-0000-7000-8000-000000000003:1:5d6f714e0aabaafc] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:019ce000-0000-7000-8000-000000000003"), user: Some("owner"), role: "user", text: "Which port does the gateway use?", name: None, said_at: Some(2026-05-01T08:00:01Z) })
        archived_sessions/rollout-2026-05-01T08-00-00-019ce000-0000-7000-8000-000000000003.jsonl.zst:3 [019ce000-0000-7000-8000-000000000003:2:70e5fe7b11bc94a5] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:019ce000-0000-7000-8000-000000000003"), user: None, role: "assistant", text: "It listens on 8443.", name: None, said_at: Some(2026-05-01T08:00:02Z) })
        archived_sessions/rollout-2026-05-01T08-00-00-019ce000-0000-7000-8000-000000000003.jsonl.zst skipped: 1 line without a prompt or a reply
        archived_sessions/rollout-2026-05-02T08-00-00-019ce000-0000-7000-8000-000000000004.jsonl skipped: it does not begin with the description of a session
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:4 [019ce000-0000-7000-8000-000000000001:1:3aa2c9397310ca55] Message(Message { session: Some("project:github.com%2Fana%2Fapp:019ce000-0000-7000-8000-000000000001"), user: Some("owner"), role: "user", text: "把解析器改快一点", name: None, said_at: Some(2026-06-16T08:00:01Z) })
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:7 [019ce000-0000-7000-8000-000000000001:2:8301542ff721256d] Message(Message { session: Some("project:github.com%2Fana%2Fapp:019ce000-0000-7000-8000-000000000001"), user: None, role: "assistant", text: "I borrow the lines instead of copying them.", name: None, said_at: Some(2026-06-16T08:00:04Z) })
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:12 [019ce000-0000-7000-8000-000000000001:3:b581c7b7131eb6c8] Message(Message { session: Some("project:github.com%2Fana%2Fapp:019ce000-0000-7000-8000-000000000001"), user: None, role: "assistant", text: "Done: twice as fast.", name: None, said_at: Some(2026-06-16T08:00:08Z) })
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:13 skipped: the line is not JSON: expected ident
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl skipped: 9 lines without a prompt or a reply
        archived_sessions/rollout-2026-06-17T08-00-00-019ce000-0000-7000-8000-000000000002.jsonl skipped: it is the session of a subagent
    "##]].assert_eq(&read("codex/home"));
}

#[test]
fn sessions_are_imported() {
    let test = workspace();
    // The last session is of June.
    test.clock.advance_days(90);
    expect![[r##"
        messages -> messages: 9 added, 0 present, 0 left out
        notes -> notes: 1 added, 0 present, 0 left out
        left out sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl: 7 lines without a prompt or a reply
        left out sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl: 5 lines without a prompt or a reply
        left out archived_sessions/rollout-2026-05-01T08-00-00-019ce000-0000-7000-8000-000000000003.jsonl.zst: 1 line without a prompt or a reply
        left out archived_sessions/rollout-2026-05-02T08-00-00-019ce000-0000-7000-8000-000000000004.jsonl: it does not begin with the description of a session
        left out sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:13: the line is not JSON: expected ident
        left out sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl: 9 lines without a prompt or a reply
        left out archived_sessions/rollout-2026-06-17T08-00-00-019ce000-0000-7000-8000-000000000002.jsonl: it is the session of a subagent
        quarantined 0, captured 0
        == main
        messages channel:project:chat:%2Fhome%2Fana%2Flegacy 2025-08-20T10:00:00Z "¿Qué hace este repositorio?"
        messages channel:project:chat:%2Fhome%2Fana%2Flegacy 2025-08-20T10:00:00Z "Convierte recetas a unidades métricas."
        messages channel:project:chat:github.com%2Fana%2Fapp 2025-10-02T09:00:02Z "Warum ist der Parser langsam?"
        messages channel:project:chat:github.com%2Fana%2Fapp 2025-10-02T09:00:09Z "Er kopiert jede Zeile."
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-05-01T08:00:01Z "Which port does the gateway use?"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-05-01T08:00:02Z "It listens on 8443."
        messages channel:project:chat:github.com%2Fana%2Fapp 2026-06-16T08:00:01Z "把解析器改快一点"
        messages channel:project:chat:github.com%2Fana%2Fapp 2026-06-16T08:00:04Z "I borrow the lines instead of copying them."
        messages channel:project:chat:github.com%2Fana%2Fapp 2026-06-16T08:00:08Z "Done: twice as fast."
        notes "# Memory"
        notes "- Ana releases on Tuesdays."
    "##]].assert_eq(&import_into(&test, "codex", &fixture("codex/home"), &Settings::default()));
}

/// A fork copies the messages of the other session, and goes on from there.
#[test]
fn a_forked_session_has_its_own_messages_only() {
    let meta = |id: &str, more: Value| {
        let mut payload = json!({"id": id, "cwd": "/home/ana/app"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"type": "session_meta", "payload": payload})
    };
    let message =
        |text: &str| json!({"type": "event_msg", "payload": {"type": "user_message", "message": text}});
    let old = [meta("old", json!({})), message("one"), message("two"), message("three")];
    let named =
        [meta("new", json!({"forked_from_id": "old"})), message("one"), message("two"), message("four")];
    let described = [meta("newer", json!({})), meta("old", json!({})), message("one"), message("five")];
    let of_another = [meta("newest", json!({"forked_from_id": "missing"})), message("one")];
    let dir = tempfile::tempdir().unwrap();
    // The other session may be archived since.
    for (file, lines) in [
        ("sessions/rollout-2.jsonl", &named[..]),
        ("sessions/rollout-3.jsonl", &described),
        ("sessions/rollout-4.jsonl", &of_another),
        ("archived_sessions/rollout-1.jsonl", &old),
    ] {
        let file = dir.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }
    expect![[r#"
        messages -> messages: 6 added, 0 present, 0 left out
        left out archived_sessions/rollout-1.jsonl: 1 line without a prompt or a reply
        left out sessions/rollout-2.jsonl: 1 line without a prompt or a reply
        left out sessions/rollout-2.jsonl: 2 messages of the session that it was forked from
        left out sessions/rollout-3.jsonl: 2 lines without a prompt or a reply
        left out sessions/rollout-3.jsonl: 1 message of the session that it was forked from
        left out sessions/rollout-4.jsonl: 1 line without a prompt or a reply
        undated archived_sessions/rollout-1.jsonl:2: the time of the import
        undated archived_sessions/rollout-1.jsonl:3: the time of the import
        undated archived_sessions/rollout-1.jsonl:4: the time of the import
        undated sessions/rollout-2.jsonl:4: the time of the import
        undated sessions/rollout-3.jsonl:4: the time of the import
        undated sessions/rollout-4.jsonl:2: the time of the import
        quarantined 0, captured 0
        == main
        messages channel:project:chat:%2Fhome%2Fana%2Fapp "one"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp "two"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp "three"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp "four"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp "five"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp "one"
    "#]]
    .assert_eq(&import_into(&workspace(), "codex", dir.path(), &Settings::default()));
}

/// Since version 0.145, what was said may be in the items of a turn. Some versions write both kinds of events.
#[test]
fn completed_items_are_read_once() {
    let dir = tempfile::tempdir().unwrap();
    let item = |kind: &str, part: &str, text: &str| {
        json!({"type": "event_msg", "payload": {"type": "item_completed", "item":
            {"type": kind, "id": "m", "content": [{"type": part, "text": text}]}}})
    };
    let event =
        |kind: &str, text: &str| json!({"type": "event_msg", "payload": {"type": kind, "message": text}});
    let plugins = json!({"type": "response_item", "payload": {"type": "message", "role": "user", "content":
        [{"type": "input_text", "text": "<recommended_plugins>\nLinear\n</recommended_plugins>"}]}});
    let meta = json!({"type": "session_meta", "payload": {"id": "s", "cwd": "/home/ana/app"}});
    let lines = [
        &meta,
        &plugins,
        &item("UserMessage", "text", "/etc is full, clean it"),
        &item("AgentMessage", "Text", "Done."),
        &event("user_message", "again"),
        &item("UserMessage", "text", "again"),
        &event("agent_message", "Done."),
        &item("AgentMessage", "Text", "Done."),
        &item("Reasoning", "text", "hm"),
    ];
    let file = dir.path().join("rollout-1.jsonl");
    fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let shown = import_into(&workspace(), "codex", &file, &Settings::default());
    let messages: Vec<_> = shown.lines().filter_map(|line| line.strip_prefix("messages channel:")).collect();
    let texts: Vec<_> = messages.iter().map(|line| line.split('"').nth(1).unwrap()).collect();
    assert_eq!(texts, ["/etc is full, clean it", "Done.", "again", "Done."]);
}

/// The label of a conversation has no room for the path: as in the hooks, its end names the project.
#[test]
fn the_end_of_a_long_path_names_the_project() {
    let folder = format!("/srv/{}app", "deep/".repeat(200));
    let session = [
        json!({"type": "session_meta", "payload": {"id": "s", "cwd": folder}}),
        json!({"type": "event_msg", "payload": {"type": "user_message", "message": "one"}}),
    ];
    let transcript = [json!({"type": "user", "uuid": "u", "sessionId": "s", "cwd": folder,
        "timestamp": "2026-03-01T09:00:01Z", "message": {"role": "user", "content": "one"}})];
    for (source, lines) in [("codex", &session[..]), ("claude-code", &transcript)] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("rollout-1.jsonl");
        fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        let shown = import_into(&workspace(), source, &file, &Settings::default());
        assert!(shown.contains("messages -> messages: 1 added, 0 present, 0 left out"), "{shown}");
        assert!(shown.contains("deep%2Fapp-"), "{shown}");
    }
}
