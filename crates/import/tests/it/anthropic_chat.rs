//! The export of Claude.

use std::fs;

use expect_test::expect;
use memtape::{At, Audience, Form};
use memtape_import::Settings;
use serde_json::json;

use crate::harness::{fixture, import, read, read_path, run, workspace};

#[test]
fn conversations_and_memories_are_read() {
    expect![[r#"
        memories.json:1 [acc-1/claude-memory@0987273b6690dcca] Note { path: "facts/claude-memory.md", text: "**Work context**\n\nMara bakes bread in Nynäshamn.\n\n**Personal context**\n\n- 喜欢酸面包\n" }
        memories.json:1 [acc-1/claude-memory-019d2f6e-0000-7000-8000-00000000000a@6686df479bc9b732] Note { path: "facts/claude-memory-019d2f6e-0000-7000-8000-00000000000a.md", text: "**Purpose**\n\nOpen a bakery.\n" }
        conversations.json:1 [8a7b6c5d-0000-4000-8000-000000000001/m-1] Message(Message { session: Some("claude:8a7b6c5d-0000-4000-8000-000000000001"), user: Some("owner"), role: "user", text: "Mein Sauerteig geht nicht auf.", name: None, said_at: Some(2026-02-03T15:59:23.2Z) })
        conversations.json:1 [8a7b6c5d-0000-4000-8000-000000000001/m-2] Message(Message { session: Some("claude:8a7b6c5d-0000-4000-8000-000000000001"), user: None, role: "assistant", text: "Let me search.\n\nEr ist zu kalt.", name: None, said_at: Some(2026-02-03T15:59:40Z) })
        conversations.json:2 [8a7b6c5d-0000-4000-8000-000000000002/o-1] Message(Message { session: Some("claude:8a7b6c5d-0000-4000-8000-000000000002"), user: Some("owner"), role: "user", text: "¿Cuánta agua lleva?", name: None, said_at: Some(2024-03-01T00:00:01Z) })
        conversations.json:2 [8a7b6c5d-0000-4000-8000-000000000002/o-2] Message(Message { session: Some("claude:8a7b6c5d-0000-4000-8000-000000000002"), user: None, role: "assistant", text: "Un 70 %.", name: None, said_at: None })
        conversations.json:4 skipped: the conversation has no uuid
        conversations.json:5 skipped: it is neither a conversation nor a memory
        conversations.json skipped: 3 messages without words
        conversations.json skipped: 1 attachment with its text
    "#]].assert_eq(&read("anthropic-chat/export"));
}

#[test]
fn an_export_is_imported() {
    expect![[r#"
        messages -> messages: 4 added, 0 present, 0 left out
        notes -> notes: 2 added, 0 present, 0 left out
        left out conversations.json:4: the conversation has no uuid
        left out conversations.json:5: it is neither a conversation nor a memory
        left out conversations.json: 3 messages without words
        left out conversations.json: 1 attachment with its text
        undated conversations.json:2: 2024-03-01T00:00:01Z
        quarantined 0, captured 0
        == main
        messages channel:claude:chat:8a7b6c5d-0000-4000-8000-000000000001 2026-02-03T15:59:23.2Z "Mein Sauerteig geht nicht auf."
        messages channel:claude:chat:8a7b6c5d-0000-4000-8000-000000000001 2026-02-03T15:59:40Z "Let me search.\n\nEr ist zu kalt."
        messages channel:claude:chat:8a7b6c5d-0000-4000-8000-000000000002 2024-03-01T00:00:01Z "¿Cuánta agua lleva?"
        messages channel:claude:chat:8a7b6c5d-0000-4000-8000-000000000002 2024-03-01T00:00:01Z "Un 70 %."
        notes "**Work context**\n\nMara bakes bread in Nynäshamn.\n\n**Personal context**"
        notes "- 喜欢酸面包"
        notes "**Purpose**\n\nOpen a bakery."
    "#]].assert_eq(&import("anthropic-chat/export"));
}

#[test]
fn an_export_in_a_folder_of_its_own_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let own = dir.path().join("data-2026-03-01");
    fs::create_dir(&own).unwrap();
    for file in fs::read_dir(fixture("anthropic-chat/export")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), own.join(file.file_name())).unwrap();
    }
    let above = read_path("anthropic-chat", dir.path());
    assert_eq!(above.replace("data-2026-03-01/", ""), read("anthropic-chat/export"));
}

/// A message that was edited begins another path.
#[test]
fn abandoned_paths_are_left_out() {
    let message = |uuid: &str, parent: Option<&str>, hour: u8| {
        let mut message = json!({"uuid": uuid, "sender": "human", "text": uuid,
            "created_at": format!("2026-02-03T{hour:02}:00:00Z")});
        if let Some(parent) = parent {
            message["parent_message_uuid"] = parent.into();
        }
        message
    };
    let root = Some("00000000-0000-4000-8000-000000000000");
    let tree = [
        message("a", root, 1),
        message("b", Some("a"), 2),
        message("c", Some("a"), 4),
        message("d", Some("b"), 3),
    ];
    let line = [message("a", None, 1), message("b", None, 2)];
    for (messages, current, expected, left_out) in [
        (&tree[..], None, &["a", "c"][..], 2),
        (&tree, Some("d"), &["a", "b", "d"], 1),
        (&tree, Some("missing"), &["a", "c"], 2),
        (&line, None, &["a", "b"], 0),
        (&[message("a", Some("b"), 1), message("b", Some("a"), 2)], None, &[], 2),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let conversation =
            json!([{"uuid": "c1", "chat_messages": messages, "current_leaf_message_uuid": current}]);
        fs::write(dir.path().join("conversations.json"), conversation.to_string()).unwrap();
        let test = workspace();
        let report = run(&test.workspace, "anthropic-chat", dir.path(), &Settings::default());
        let memories = test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap();
        let texts: Vec<_> = memories.iter().map(|memory| memory.text.as_str()).collect();
        assert_eq!((texts.as_slice(), report.left_out.items), (expected, left_out));
    }
}
