//! Agent files of Letta.

use std::fs;

use expect_test::expect;
use jiff::tz::TimeZone;
use memtape_import::input::Limits;
use memtape_import::{Input, Settings, sources};
use serde_json::json;

use crate::harness::{Listing, import, import_into, read, run, workspace};

#[test]
fn several_agents_share_a_file() {
    expect![[r##"
        agents.af:1 [letta:Planner/2025-10-31T22:58:00Z/user/72f302a03e88b9bb] Message(Message { session: Some("letta:Planner"), user: Some("owner"), role: "user", text: "Ich bin gegen Haselnüsse allergisch.", name: Some("Jonas"), said_at: Some(2025-10-31T22:58:00Z) })
        agents.af:1 [letta:Planner/2025-10-31T22:58:04Z/assistant/e87e42621bc69fe8] Message(Message { session: Some("letta:Planner"), user: None, role: "assistant", text: "Das merke ich mir.", name: None, said_at: Some(2025-10-31T22:58:04Z) })
        agents.af:1 [letta:Planner/2025-11-01T08:00:00Z/user/a28c9dcf8dea0dc8] Message(Message { session: Some("letta:Planner"), user: Some("owner"), role: "user", text: "下周去杭州出差。", name: None, said_at: Some(2025-11-01T08:00:00Z) })
        agents.af:1 skipped: 3 messages of the system, of tools, or of thoughts
        agents.af:3 skipped: it is not an agent
        agents.af:4 skipped: it is not an agent
        agents.af:1 [letta:Planner/block/human@14293c979c159d97] Block { name: "human", value: "First name: Jonas\nAllergisch gegen Haselnüsse", layer: Some(3), said_at: None }
        agents.af:2 [letta:Planner/block/persona@e3bf1e66502edf46] Block { name: "persona", value: "I am Sam. I plan journeys.", layer: Some(2), said_at: None }
        agents.af:3 [letta:Planner/block/booking_policy_2025@06a088c9ebe2ce74] Block { name: "booking_policy_2025", value: "Always ask before booking.", layer: None, said_at: None }
        agents.af:4 [letta:Critic/block/persona@22e47ac92c38cc3d] Block { name: "persona.critic", value: "I am Carla. I find what is missing.", layer: Some(2), said_at: None }
        agents.af:5 skipped: the block has no label, or no value
        agents.af:6 skipped: the label of the block has no letter from a to z
        agents.af:1 [letta:Planner/file/trips/trip.md@554945d4aa39d5d7] File { path: "research/trip.md", text: "# Trip\n\nHangzhou in May.\n" }
        agents.af:2 skipped: the file has no name, or its text is not in the agent file
    "##]].assert_eq(&read("letta/agents.af"));
}

/// Agents of this kind reply with a tool; what they write beside it is a thought.
#[test]
fn the_file_of_an_older_agent_is_read() {
    expect![[r#"
        memgpt-2025.af:1 [letta:otto/block/persona@d0f2f88ad74771ad] Block { name: "persona", value: "I am Otto.", layer: Some(2), said_at: Some(2025-04-02T03:47:27.514261Z) }
        memgpt-2025.af:1 [letta:otto/block/human@de0e45b949a8a30c] Block { name: "human", value: "Vorname: Jana", layer: Some(3), said_at: Some(2025-04-03T10:00:00Z) }
        memgpt-2025.af:1 [letta:otto/2025-04-01T03:47:30Z/user/d18f3c5630330bda] Message(Message { session: Some("letta:otto"), user: Some("owner"), role: "user", text: "Wie heiße ich?", name: None, said_at: Some(2025-04-01T03:47:30Z) })
        memgpt-2025.af:1 [letta:otto/2025-04-01T03:47:35Z/assistant/739a29eab9420fa1] Message(Message { session: Some("letta:otto"), user: None, role: "assistant", text: "Du heißt Jana.", name: None, said_at: Some(2025-04-01T03:47:35Z) })
        memgpt-2025.af:1 skipped: 2 messages of the system, of tools, or of thoughts
    "#]].assert_eq(&read("letta/memgpt-2025.af"));
}

#[test]
fn agents_are_imported() {
    expect![[r##"
        block versions -> blocks: 4 added, 0 present, 0 left out
        files -> files: 1 added, 0 present, 0 left out
        messages -> messages: 3 added, 0 present, 0 left out
        left out agents.af:1: 3 messages of the system, of tools, or of thoughts
        left out agents.af:3: it is not an agent
        left out agents.af:4: it is not an agent
        left out agents.af:5: the block has no label, or no value
        left out agents.af:6: the label of the block has no letter from a to z
        left out agents.af:2: the file has no name, or its text is not in the agent file
        proposed agents.af:2: persona
        proposed agents.af:4: persona.critic
        quarantined 0, captured 0
        == main
        blocks "First name: Jonas\nAllergisch gegen Haselnüsse"
        blocks "I am Sam. I plan journeys."
        blocks "Always ask before booking."
        blocks "I am Carla. I find what is missing."
        files "# Trip\n\nHangzhou in May.\n"
        messages channel:letta:chat:Planner 2025-10-31T22:58:00Z "Ich bin gegen Haselnüsse allergisch."
        messages channel:letta:chat:Planner 2025-10-31T22:58:04Z "Das merke ich mir."
        messages channel:letta:chat:Planner 2025-11-01T08:00:00Z "下周去杭州出差。"
    "##]]
    .assert_eq(&import("letta/agents.af"));
}

#[test]
fn an_older_agent_is_imported() {
    expect![[r#"
        block versions -> blocks: 2 added, 0 present, 0 left out
        messages -> messages: 2 added, 0 present, 0 left out
        left out memgpt-2025.af:1: 2 messages of the system, of tools, or of thoughts
        proposed memgpt-2025.af:1: persona
        quarantined 0, captured 0
        == main
        blocks "I am Otto."
        blocks "Vorname: Jana"
        messages channel:letta:chat:otto 2025-04-01T03:47:30Z "Wie heiße ich?"
        messages channel:letta:chat:otto 2025-04-01T03:47:35Z "Du heißt Jana."
    "#]]
    .assert_eq(&import("letta/memgpt-2025.af"));
}

#[test]
fn files_of_one_name_are_kept_apart() {
    let dir = tempfile::tempdir().unwrap();
    let file =
        |source: &str, text: &str| json!({"source_id": source, "file_name": "trip.md", "content": text});
    let agent = json!({
        "agents": [],
        "blocks": [],
        "files": [file("source-0", "May"), file("source-1", "June")],
        "sources": [{"id": "source-0", "name": "may"}, {"id": "source-1", "name": "june"}],
    });
    fs::write(dir.path().join("a.af"), agent.to_string()).unwrap();
    expect![[r#"
        files -> files: 2 added, 0 present, 0 left out
        quarantined 0, captured 0
        == main
        files "May"
        files "June"
    "#]]
    .assert_eq(&import_into(&workspace(), "letta", dir.path(), &Settings::default()));
}

#[test]
fn equal_messages_without_a_date_are_all_kept() {
    let dir = tempfile::tempdir().unwrap();
    let message = json!({"role": "user", "content": [{"type": "text", "text": "ok"}]});
    let agent =
        json!({"name": "S", "agent_type": "memgpt_agent", "system": "x", "messages": [message, message]});
    fs::write(dir.path().join("a.af"), json!({"agents": [agent]}).to_string()).unwrap();
    let shown = import_into(&workspace(), "letta", dir.path(), &Settings::default());
    assert!(shown.contains("messages -> messages: 2 added, 0 present, 0 left out"), "{shown}");
    // The file has no list of blocks, sources or files: the whole of it is none either.
    assert!(!shown.contains("left out a.af"), "{shown}");
}

/// Letta Code puts reminders before what the person typed.
#[test]
fn reminders_are_not_the_persons_words() {
    let dir = tempfile::tempdir().unwrap();
    let parts = ["<system-reminder>\nI prefer spaces.\n</system-reminder>", "I prefer tabs."];
    let parts = parts.map(|text| json!({"type": "text", "text": text}));
    let message = json!({"role": "user", "content": parts});
    let agent = json!({"name": "S", "agent_type": "letta_v1_agent", "system": "x", "messages": [message]});
    fs::write(dir.path().join("a.af"), json!({"agents": [agent]}).to_string()).unwrap();
    let shown = import_into(&workspace(), "letta", dir.path(), &Settings::default());
    assert!(shown.contains("I prefer tabs.") && !shown.contains("spaces"), "{shown}");
}

/// The persona of each agent waits for its owner, and the order of the agents changes nothing.
#[test]
fn the_order_of_agents_does_not_matter() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let agent = |name: &str| json!({"name": name, "agent_type": "letta_v1_agent", "system": "x", "block_ids": [name]});
    let block = |of: &str, text: &str| json!({"id": of, "label": "persona", "value": text});
    let write = |agents: [&str; 2]| {
        let blocks = agents.map(|name| block(name, &format!("I am {name}.")));
        let file = json!({"agents": agents.map(agent), "blocks": blocks});
        fs::write(dir.path().join("a.af"), file.to_string()).unwrap();
    };
    write(["planner", "scribe"]);
    expect![[r#"
        block versions -> blocks: 2 added, 0 present, 0 left out
        proposed a.af:1: persona
        proposed a.af:2: persona.scribe
        quarantined 0, captured 0
        == main
        blocks "I am planner."
        blocks "I am scribe."
    "#]]
    .assert_eq(&import_into(&test, "letta", dir.path(), &Settings::default()));
    write(["scribe", "planner"]);
    let report = run(&test.workspace, "letta", dir.path(), &Settings::default());
    assert_eq!((report.added(), report.present(), report.left_out.count), (0, 2, 0));
}

/// What cannot be read of one list is reported, and a long one costs no other.
#[test]
fn what_is_left_out_of_a_list_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let long = "x".repeat(30_000);
    let agent =
        |name: &str| json!({"name": name, "agent_type": "x", "system": "x".repeat(15_000)}).to_string();
    let agents = ["a", "b", "c", "d"].map(agent).join(",");
    let block = json!({"label": "human", "value": "Ana"});
    let file = json!({"file_name": "a.md", "content": "x"});
    let text = format!(
        r#"{{"agents": [{agents}], "blocks": [oops, {block}], "sources": [oops], "files": [{{"a": "{long}"}}, {file}]}}"#
    );
    fs::write(dir.path().join("a.af"), text).unwrap();
    let limits = Limits { line_bytes: 20_000, ..Limits::default() };
    let input = Input::open_within(dir.path(), &TimeZone::UTC, limits).unwrap();
    let mut listing = Listing::default();
    sources::find("letta").unwrap().read(&input, &mut listing).unwrap();
    let listed: Vec<_> =
        listing.0.lines().map(|line| line.split_once('@').map_or(line, |(id, _)| id)).collect();
    assert_eq!(
        listed,
        [
            "a.af:1 skipped: it is not JSON: expected value",
            &format!("a.af:2 [{}/a.af/block/human", input.folder()),
            "a.af:1 skipped: it is not JSON: expected value",
            "a.af:1 skipped: it is longer than 20000 bytes",
            &format!("a.af:2 [{}/a.af/file//a.md", input.folder()),
        ]
    );
}
