//! The workspace of nanobot.

use std::fs;

use expect_test::expect;
use memtape::{At, Audience, Form, Session};
use memtape_import::Settings;

use crate::harness::{import, import_into, read, read_path, workspace};

#[test]
fn the_three_generations_are_read() {
    expect![[r##"
        memory/MEMORY.md [memory/MEMORY.md@515269d4365c732f] Lines(Lines { date: None, lines: [Line { number: 1, text: "# Long-term Memory", said_at: None }, Line { number: 5, text: "\n\n## User Information", said_at: None }, Line { number: 7, text: "\n- Name: Mara", said_at: None }, Line { number: 8, text: "- Wohnt in Kassel", said_at: None }, Line { number: 14, text: "\n\n\n\n## Project Context", said_at: None }, Line { number: 16, text: "\n- deploys on Tuesdays", said_at: None }], scope: Workspace })
        memory/2026-01-30.md [memory/2026-01-30.md@4d886078e49a6b0b] Lines(Lines { date: Some(2026-01-30), lines: [Line { number: 3, text: "- renewed the passport\n  - photos in the drawer", said_at: None }, Line { number: 5, text: "买了新自行车", said_at: None }], scope: Workspace })
        memory/2026-01-31.md [memory/2026-01-31.md@7118308f9f66d4e3] Lines(Lines { date: Some(2026-01-31), lines: [Line { number: 3, text: "- password: hunter2-Xk29vbQq", said_at: None }, Line { number: 4, text: "- renewed the passport", said_at: None }], scope: Workspace })
    "##]].assert_eq(&read("nanobot/first"));
    expect![[r#"
        workspace/memory/MEMORY.md [workspace/memory/MEMORY.md@79aaee9ffa12d24e] Lines(Lines { date: None, lines: [Line { number: 1, text: "- likes short answers", said_at: None }], scope: Workspace })
        workspace/memory/HISTORY.md:1 skipped: it is before the first entry with a date
        workspace/memory/HISTORY.md:2 [history//fe419ed39f9a340c~1] Daily { date: 2026-02-12, text: "[2026-02-12 09:30] User asked for a route to Leeds.\nChose the train.", nth: 1, said_at: Some(2026-02-12T09:30:00Z), scope: Workspace }
        workspace/memory/HISTORY.md:5 [history//d4c3f76dba42dd72~1] Daily { date: 2026-02-12, text: "[2026-02-12 18:05] Bought tickets.\n[2026-02-30 10:00] no such day", nth: 1, said_at: Some(2026-02-12T18:05:00Z), scope: Workspace }
    "#]].assert_eq(&read("nanobot/second"));
    expect![[r##"
        SOUL.md [SOUL.md@6bf28fb0cf01ddc0] Block { name: "persona", value: "# Soul\n\nI am terse.", layer: Some(2), said_at: None }
        USER.md [USER.md@85b70d3e5be2d82b] Block { name: "owner_context", value: "# User\n\n- Zeitzone: Europe/Berlin", layer: Some(3), said_at: None }
        memory/MEMORY.md [memory/MEMORY.md@b4d92706a70925d9] Lines(Lines { date: None, lines: [Line { number: 1, text: "- keeps bees", said_at: None }], scope: Workspace })
        memory/history.jsonl:1 [history//e969e4761d2b30cf~1] Daily { date: 2026-02-12, text: "[2026-02-12 09:30] User asked for a route to Leeds.", nth: 1, said_at: Some(2026-02-12T09:30:00Z), scope: Workspace }
        memory/history.jsonl:2 [history/telegram:4242/2f4179c3533bed7b~1] Daily { date: 2026-04-02, text: "[2026-04-02 07:10] Die Bienen sind geschwärmt.", nth: 1, said_at: Some(2026-04-02T07:10:00Z), scope: Chat("telegram:4242") }
        memory/history.jsonl:3 skipped: it has no content, or no timestamp such as 2026-04-01 10:00
        memory/history.jsonl:4 skipped: it has no content, or no timestamp such as 2026-04-01 10:00
        memory/history.jsonl:5 skipped: the line is not JSON: EOF while parsing an object
    "##]].assert_eq(&read("nanobot/third"));
}

/// As nanobot reads them, an entry begins with a day in brackets, whatever follows it there.
#[test]
fn an_entry_of_the_history_begins_with_a_day() {
    let dir = tempfile::tempdir().unwrap();
    let text = "[2026-02-12 09:30] one\n[2026-02-13 10:00:05] two\n[2026-02-14 11:00 CET] three\n[2026-02-15] four\n[1] note\n";
    fs::write(dir.path().join("HISTORY.md"), text).unwrap();
    let listing = read_path("nanobot", dir.path());
    let found: Vec<_> = listing.lines().filter_map(|line| line.split("said_at: Some(").nth(1)).collect();
    let said_at: Vec<_> = found.iter().map(|rest| rest.split(')').next().unwrap()).collect();
    let expected =
        ["2026-02-12T09:30:00Z", "2026-02-13T10:00:05Z", "2026-02-14T11:00:00Z", "2026-02-15T00:00:00Z"];
    assert_eq!(said_at, expected, "{listing}");
    assert!(listing.contains("[2026-02-15] four\\n[1] note"), "{listing}");
}

#[test]
fn they_become_a_zone_and_blocks() {
    expect![[r###"
        daily notes -> zone: 4 added, 0 present, 0 left out
        long-term lines -> zone: 6 added, 0 present, 0 left out
        beside memory/2026-01-30.md: episodes/2026-01.md
        beside memory/2026-01-31.md: episodes/2026-01.md
        quarantined 0, captured 0
        == main
        notes "# 2026-01"
        notes "## 2026-01-30\n\n- renewed the passport\n  - photos in the drawer\n买了新自行车"
        notes "## 2026-01-31\n\n- password: [redacted:password]\n- renewed the passport"
        zone "# Long-term Memory"
        zone "## User Information"
        zone "- Name: Mara"
        zone "- Wohnt in Kassel"
        zone "## Project Context"
        zone "- deploys on Tuesdays"
    "###]]
    .assert_eq(&import("nanobot/first"));
    expect![[r###"
        daily notes -> zone: 2 added, 0 present, 0 left out
        long-term lines -> zone: 1 added, 0 present, 0 left out
        left out workspace/memory/HISTORY.md:1: it is before the first entry with a date
        beside workspace/memory/HISTORY.md:2: episodes/2026-02.md
        beside workspace/memory/HISTORY.md:5: episodes/2026-02.md
        quarantined 0, captured 0
        == main
        notes "# 2026-02"
        notes "## 2026-02-12\n\n[2026-02-12 09:30] User asked for a route to Leeds.\nChose the train.\n[2026-02-12 18:05] Bought tickets.\n[2026-02-30 10:00] no such day"
        zone "- likes short answers"
    "###]]
    .assert_eq(&import("nanobot/second"));
    expect![[r###"
        block versions -> blocks: 2 added, 0 present, 0 left out
        daily notes -> zone: 2 added, 0 present, 0 left out
        long-term lines -> zone: 1 added, 0 present, 0 left out
        left out memory/history.jsonl:3: it has no content, or no timestamp such as 2026-04-01 10:00
        left out memory/history.jsonl:4: it has no content, or no timestamp such as 2026-04-01 10:00
        left out memory/history.jsonl:5: the line is not JSON: EOF while parsing an object
        beside memory/history.jsonl:1: episodes/2026-02.md
        proposed SOUL.md: persona
        quarantined 0, captured 0
        == main
        blocks "# Soul\n\nI am terse."
        blocks "# User\n\n- Zeitzone: Europe/Berlin"
        notes "# 2026-02"
        notes "## 2026-02-12\n\n[2026-02-12 09:30] User asked for a route to Leeds."
        zone "- keeps bees"
        zone channel:telegram:chat:4242 2026-04-02T12:00:00Z "# 2026-04-02\n\n[2026-04-02 07:10] Die Bienen sind geschwärmt."
    "###]].assert_eq(&import("nanobot/third"));
}

/// The history names the chat of an entry, and its text may begin with a bracket that is no time.
#[test]
fn equal_entries_of_two_chats_are_both_kept() {
    let dir = tempfile::tempdir().unwrap();
    let line = |chat: &str, text: &str| {
        let line = serde_json::json!({"cursor": 1, "timestamp": "2026-04-10 10:00", "content": text, "session_key": chat});
        format!("{line}\n")
    };
    let lines = [
        line("telegram:111", "User said ok"),
        line("telegram:222", "User said ok"),
        line("telegram:222", "User said ok"),
        line("telegram:111", "[a link](https://example.org)"),
        line("telegram:111", "[2026-04-10 09:30] taken over"),
    ];
    fs::create_dir(dir.path().join("memory")).unwrap();
    fs::write(dir.path().join("memory/history.jsonl"), lines.concat()).unwrap();
    expect![[r##"
        daily notes -> zone: 5 added, 0 present, 0 left out
        quarantined 0, captured 0
        == main
        zone channel:telegram:chat:111 "# 2026-04-10\n\n[2026-04-10 10:00] User said ok"
        zone channel:telegram:chat:111 "[2026-04-10 10:00] [a link](https://example.org)"
        zone channel:telegram:chat:111 "[2026-04-10 09:30] taken over"
        zone channel:telegram:chat:222 "# 2026-04-10\n\n[2026-04-10 10:00] User said ok"
        zone channel:telegram:chat:222 "[2026-04-10 10:00] User said ok"
    "##]]
    .assert_eq(&import_into(&workspace(), "nanobot", dir.path(), &Settings::default()));
}

/// What names nobody does not become everybody's.
#[test]
fn an_entry_of_a_chat_that_cannot_be_read_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let keys = [
        r#","session_key":null"#,
        "",
        r#","session_key":7"#,
        r#","session_key":"telegram""#,
        r#","session_key":"""#,
    ];
    let lines = keys
        .map(|key| format!("{{\"cursor\":1,\"timestamp\":\"2026-04-10 10:00\",\"content\":\"x\"{key}}}\n"));
    fs::create_dir(dir.path().join("memory")).unwrap();
    fs::write(dir.path().join("memory/history.jsonl"), lines.concat()).unwrap();
    expect![[r##"
        daily notes -> zone: 2 added, 0 present, 0 left out
        left out memory/history.jsonl:3: its session_key is not CHANNEL:CHAT
        left out memory/history.jsonl:4: its session_key is not CHANNEL:CHAT
        left out memory/history.jsonl:5: its session_key is not CHANNEL:CHAT
        quarantined 0, captured 0
        == main
        zone "# 2026-04-10\n\n[2026-04-10 10:00] x"
        zone "[2026-04-10 10:00] x"
    "##]]
    .assert_eq(&import_into(&workspace(), "nanobot", dir.path(), &Default::default()));
}

/// The zone would not keep an old day of a chat, which has no notes either.
#[test]
fn an_old_day_of_a_chat_becomes_statements_of_the_chat() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let line = r#"{"cursor":1,"timestamp":"2025-11-20 10:00","content":"Bob moved to Faro","session_key":"telegram:bob"}"#;
    fs::write(dir.path().join("memory/history.jsonl"), line).unwrap();
    let test = workspace();
    expect![[r#"
        daily notes -> zone: 1 added, 0 present, 0 left out
        beside memory/history.jsonl:1: the statements of the chat telegram:bob
        quarantined 0, captured 0
        == main
        statements channel:telegram:chat:bob 2025-11-20T10:00:00Z "[2025-11-20 10:00] Bob moved to Faro"
    "#]]
    .assert_eq(&import_into(&test, "nanobot", dir.path(), &Settings::default()));
    test.clock.advance_days(1);
    test.workspace.zone().prune().unwrap();
    for (session, count) in [("telegram:bob", 1), ("telegram:ana", 0)] {
        let audience = Audience::of_chat(&Session::parse(session).unwrap());
        let memories = test.workspace.memories(Form::STATEMENTS, &audience, &At::head()).unwrap();
        assert_eq!(memories.len(), count, "{session}");
    }
}

/// Only the placeholders of the template are left out.
#[test]
fn a_line_in_parentheses_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let text =
        "## Health\n\n(Ana is allergic to nuts)\n\n## Preferences\n\n(User preferences learned over time)\n";
    fs::write(dir.path().join("memory/MEMORY.md"), text).unwrap();
    let shown = import_into(&workspace(), "nanobot", dir.path(), &Settings::default());
    assert!(shown.contains("2 added, 0 present, 0 left out") && shown.contains("allergic"), "{shown}");
}
