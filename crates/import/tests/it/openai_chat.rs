//! The export of ChatGPT.

use expect_test::expect;

use crate::harness::{import, read, read_path};

#[test]
fn the_current_path_of_each_conversation_is_read() {
    expect![[r#"
        conversations.json:1 [68c13686-4a3c-8329-940b-479ccb6a079f/u1b] Message(Message { session: Some("chatgpt:68c13686-4a3c-8329-940b-479ccb6a079f"), user: Some("owner"), role: "user", text: "Ich will nach Porto, am Fenster.\n\nAnd I am allergic to cashews.", name: None, said_at: Some(2026-01-05T09:01:00Z) })
        conversations.json:1 [68c13686-4a3c-8329-940b-479ccb6a079f/a2] Message(Message { session: Some("chatgpt:68c13686-4a3c-8329-940b-479ccb6a079f"), user: None, role: "assistant", text: "Porto, Fensterplatz, ohne Cashews.", name: None, said_at: Some(2026-01-05T09:01:00Z) })
        conversations.json:2 [no-current-node/y] Message(Message { session: Some("chatgpt:no-current-node"), user: Some("owner"), role: "user", text: "新的问题", name: None, said_at: Some(2026-01-06T11:46:42Z) })
        conversations.json:3 skipped: the messages of the conversation form a cycle: it is read as far as that
        conversations.json:3 [a cycle/p] Message(Message { session: Some("chatgpt:a%20cycle"), user: Some("owner"), role: "user", text: "one", name: None, said_at: None })
        conversations.json:3 [a cycle/q] Message(Message { session: Some("chatgpt:a%20cycle"), user: None, role: "assistant", text: "two", name: None, said_at: None })
        conversations.json:4 skipped: the conversation has no id, or its mapping is not an object
        conversations.json:5 skipped: it is not a conversation with a mapping
        conversations.json:7 skipped: it is not a conversation with a mapping
        conversations.json skipped: 6 messages of the system, of tools, or of reasoning
        conversations.json skipped: 3 messages on abandoned paths
    "#]].assert_eq(&read("openai-chat/export"));
}

#[test]
fn an_export_in_parts_is_read_as_far_as_it_is_whole() {
    expect![[r#"
        conversations-000.json:1 [c-1/m] Message(Message { session: Some("chatgpt:c-1"), user: Some("owner"), role: "user", text: "first part", name: None, said_at: Some(2026-01-06T11:46:41Z) })
        conversations-001.json:1 [c-2/m] Message(Message { session: Some("chatgpt:c-2"), user: Some("owner"), role: "user", text: "second part", name: None, said_at: Some(2026-01-06T11:46:42Z) })
        conversations-001.json skipped: it cannot be read after element 1, 2 bytes before its end: EOF while parsing a value
    "#]].assert_eq(&read("openai-chat/parts"));
}

#[test]
fn an_export_is_imported() {
    expect![[r#"
        messages -> messages: 5 added, 0 present, 0 left out
        left out conversations.json:3: the messages of the conversation form a cycle: it is read as far as that
        left out conversations.json:4: the conversation has no id, or its mapping is not an object
        left out conversations.json:5: it is not a conversation with a mapping
        left out conversations.json:7: it is not a conversation with a mapping
        left out conversations.json: 6 messages of the system, of tools, or of reasoning
        left out conversations.json: 3 messages on abandoned paths
        undated conversations.json:3: the time of the import
        undated conversations.json:3: the time of the import
        quarantined 0, captured 0
        == main
        messages channel:chatgpt:chat:68c13686-4a3c-8329-940b-479ccb6a079f 2026-01-05T09:01:00Z "Ich will nach Porto, am Fenster.\n\nAnd I am allergic to cashews."
        messages channel:chatgpt:chat:68c13686-4a3c-8329-940b-479ccb6a079f 2026-01-05T09:01:00Z "Porto, Fensterplatz, ohne Cashews."
        messages channel:chatgpt:chat:no-current-node 2026-01-06T11:46:42Z "新的问题"
        messages channel:chatgpt:chat:a%20cycle "one"
        messages channel:chatgpt:chat:a%20cycle "two"
    "#]].assert_eq(&import("openai-chat/export"));
}

#[test]
fn marks_of_citations_are_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let text = "\u{e200}entity\u{e202}[\"city\",\"Lisbon\",\"Portugal\"]\u{e201}: \u{e200}entity\u{e202}[7]\u{e201}\
                6 \u{e200}cite\u{e202}turn0search0\u{e201} is \u{e200}even";
    let message = serde_json::json!({"id": "m", "author": {"role": "assistant"}, "create_time": 1767603600,
        "content": {"content_type": "text", "parts": [text]}, "recipient": "all"});
    let mapping = serde_json::json!({"m": {"id": "m", "message": message, "parent": null, "children": []}});
    let conversation =
        serde_json::json!([{"id": "c", "mapping": mapping, "current_node": "m", "create_time": 1767603600}]);
    let file = dir.path().join("conversations.json");
    std::fs::write(&file, conversation.to_string()).unwrap();
    assert!(read_path("openai-chat", &file).contains("text: \"Lisbon: 6  is even\""));
}
