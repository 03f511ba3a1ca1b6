//! The memories of mem0.

use expect_test::expect;
use memtape::{At, Audience, Form};
use memtape_import::Settings;
use memtape_testkit::TestWorkspace;
use rusqlite::Connection;
use serde_json::json;

use crate::harness::{fixture, import, import_into, read, read_path, run, workspace};

#[test]
fn memories_of_the_platform_become_statements() {
    expect![[r#"
        platform.json:1 [ea925981-272f-40dd-b576-be64e4871429@ad40c19714b27932] Statement(Statement { text: "Prefers window seats on long flights", category: Preference, scope: User("mem0:ana"), importance: None, confidence: None, said_at: Some(2026-01-09T16:00:00Z), since: Some(2026-01-05T18:16:05.490548Z), expires_at: None, date: None, is_private: false })
        platform.json:2 [2c6c8ba1-5f2b-4b6e-9d0a-6d3a6d9b8f11@9f0da263df3de503] Statement(Statement { text: "Ist am 3. März 2026 nach Leipzig umgezogen", category: Episodic, scope: User("mem0:ana"), importance: None, confidence: None, said_at: Some(2026-03-04T07:00:00Z), since: Some(2026-03-04T07:00:00Z), expires_at: None, date: None, is_private: false })
        platform.json:3 [9f3e6d0c-8c0d-4d39-8a57-2f3c61f0b001@8e0fe07395dbdc63] Statement(Statement { text: "Der Gästezugang gilt für die Messe", category: Fact, scope: User("mem0:ana"), importance: None, confidence: None, said_at: Some(2026-03-01T07:00:00Z), since: Some(2026-03-01T07:00:00Z), expires_at: Some(2031-12-31T23:59:59Z), date: None, is_private: false })
        platform.json:4 [1b0a4c3d-77a2-4a6c-9a51-6f3d1c7b9002@7870ed158de1b168] Statement(Statement { text: "Das Projekt verwendet PostgreSQL 17", category: Fact, scope: Chat("mem0:trip-2026"), importance: None, confidence: None, said_at: Some(2026-02-01T12:00:00Z), since: Some(2026-02-01T12:00:00Z), expires_at: None, date: None, is_private: false })
    "#]].assert_eq(&read("mem0/platform.json"));
}

#[test]
fn a_list_without_an_object_around_it_is_read() {
    expect![[r#"
        array.json:1 [11111111-2222-4333-8444-555555555555@a6eab979a056e5df] Statement(Statement { text: "Likes to hike", category: Fact, scope: User("mem0:alex"), importance: None, confidence: None, said_at: Some(2024-07-26T15:44:41.039788Z), since: Some(2024-07-26T15:44:41.039788Z), expires_at: None, date: None, is_private: false })
    "#]].assert_eq(&read("mem0/array.json"));
}

#[test]
fn wrong_types_are_reported_and_relations_become_facts() {
    expect![[r#"
        oss.json:1 [c0ffee00-0000-4000-8000-000000000001@42d25be89a102a21] Statement(Statement { text: "我喜欢早上喝咖啡然后去散步", category: Preference, scope: User("mem0:li%20wei"), importance: None, confidence: None, said_at: Some(2026-01-20T06:30:00.123456Z), since: Some(2026-01-20T06:30:00.123456Z), expires_at: None, date: None, is_private: false })
        oss.json:2 skipped: the memory is not a text, or empty
        oss.json:3 [17@a06f43c269234f32] Statement(Statement { text: "An id that is a number still is an id", category: Fact, scope: User("mem0:42"), importance: None, confidence: None, said_at: None, since: None, expires_at: None, date: None, is_private: false })
        oss.json:4 skipped: the memory has no id
        oss.json:5 skipped: it is not a JSON object
        oss.json:6 skipped: the memory is not a text, or empty
        oss.json:7 skipped: it does not say whose it is: the memories beside it are not all of one user, run or agent
        oss.json:8 skipped: it does not say whose it is: the memories beside it are not all of one user, run or agent
        oss.json:9 skipped: the relation has no type
    "#]].assert_eq(&read("mem0/oss.json"));
}

/// Makes `history.db` from SQL text, and reads the folder that it is in.
fn history(sql: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let sql = std::fs::read_to_string(fixture(sql)).unwrap();
    Connection::open(dir.path().join("history.db")).unwrap().execute_batch(&sql).unwrap();
    read_path("mem0", dir.path())
}

#[test]
fn the_last_version_of_each_memory_is_read_from_the_history() {
    expect![[r#"
        history.db:history:3 [m1@e923ac1f696b721c] Statement(Statement { text: "Ana lives in Leipzig since March", category: Fact, scope: Unknown, importance: None, confidence: None, said_at: Some(2026-03-04T09:00:00Z), since: Some(2026-01-02T09:00:00Z), expires_at: None, date: None, is_private: false })
        history.db:history:5 [m3@ec2d8cef9031c5f9] Statement(Statement { text: "下个月要续签护照", category: Fact, scope: Unknown, importance: None, confidence: None, said_at: Some(2026-03-06T09:00:00Z), since: Some(2026-03-06T09:00:00Z), expires_at: None, date: None, is_private: false })
        history.db:history:6 skipped: the row names no memory
        history.db:history:7 skipped: the memory is not a text, or empty
        history.db:history skipped: 2 earlier versions of memories
        history.db:history skipped: 1 deleted memory
        history.db:messages:1 [x1] Message(Message { session: Some("mem0:run_id%3Dtrip%26user_id%3Dana"), user: Some("ana"), role: "user", text: "I moved to Leipzig in March", name: Some("ana"), said_at: Some(2026-03-04T08:59:00Z) })
        history.db:messages:2 [x2] Message(Message { session: Some("mem0:run_id%3Dtrip%26user_id%3Dana"), user: None, role: "assistant", text: "Noted.", name: None, said_at: Some(2026-03-04T08:59:05Z) })
        history.db:messages:3 [x3] Message(Message { session: Some("mem0:user_id%3Dana"), user: Some("ana"), role: "user", text: "¿Cuándo caduca mi pasaporte?", name: None, said_at: Some(2026-03-06T08:59:00Z) })
    "#]].assert_eq(&history("mem0/history.sql"));
}

/// An index of a database has another order than its table.
#[test]
fn the_last_version_is_the_one_of_the_last_row() {
    let dir = tempfile::tempdir().unwrap();
    let sql = "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, new_memory TEXT, event TEXT, created_at TEXT);
               CREATE INDEX of_memory ON history(memory_id);
               INSERT INTO history VALUES ('1', 'b', 'likes tea', 'ADD', '2026-01-01T09:00:00Z'),
                   ('2', 'a', 'lives in Leeds', 'ADD', '2026-01-02T09:00:00Z'),
                   ('3', 'b', 'likes coffee', 'UPDATE', '2026-01-03T09:00:00Z');";
    Connection::open(dir.path().join("history.db")).unwrap().execute_batch(sql).unwrap();
    let listing = read_path("mem0", dir.path());
    let text = |line: &str| Some(line.split("text: \"").nth(1)?.split('"').next()?.to_owned());
    assert_eq!(listing.lines().filter_map(text).collect::<Vec<_>>(), ["lives in Leeds", "likes coffee"]);
}

#[test]
fn the_first_schema_of_the_history_is_read() {
    expect![[r#"
        history.db:history:1 [old-1@717753a3bb0f1e0c] Statement(Statement { text: "Alex likes to hike", category: Fact, scope: Unknown, importance: None, confidence: None, said_at: Some(2024-07-26T15:44:41.039788Z), since: Some(2024-07-26T15:44:41.039788Z), expires_at: None, date: None, is_private: false })
    "#]].assert_eq(&history("mem0/history-2024.sql"));
}

/// A file of this name that is no database does not keep the others from being read.
#[test]
fn a_database_that_is_none_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("history.db"), "not SQLite").unwrap();
    std::fs::copy(fixture("mem0/array.json"), dir.path().join("array.json")).unwrap();
    let listing = read_path("mem0", dir.path());
    assert!(listing.starts_with("array.json:1 "), "{listing}");
    assert!(listing.ends_with("history.db skipped: it is not a SQLite database\n"), "{listing}");
}

/// Views and triggers of a database are not run, and a table that is a view is none.
#[test]
fn a_hostile_database_runs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let sql = "CREATE TABLE t (x TEXT);
               CREATE VIEW history AS SELECT 'h' AS id, 'm' AS memory_id, 'ADD' AS event, hex(randomblob(1e9)) AS new_memory;
               CREATE TRIGGER after_insert AFTER INSERT ON t BEGIN SELECT 1; END;";
    Connection::open(dir.path().join("history.db")).unwrap().execute_batch(sql).unwrap();
    assert_eq!(read_path("mem0", dir.path()), "history.db skipped: it has no table history\n");
}

#[test]
fn memories_of_the_platform_are_imported() {
    expect![[r#"
        statements -> statements: 4 added, 0 present, 0 left out
        quarantined 0, captured 0
        == main
        statements channel:mem0:user:ana 2026-01-09T16:00:00Z "Prefers window seats on long flights"
        statements channel:mem0:user:ana 2026-03-04T07:00:00Z "Ist am 3. März 2026 nach Leipzig umgezogen"
        statements channel:mem0:user:ana 2026-03-01T07:00:00Z "Der Gästezugang gilt für die Messe"
        statements channel:mem0:chat:trip-2026 2026-02-01T12:00:00Z "Das Projekt verwendet PostgreSQL 17"
    "#]]
    .assert_eq(&import("mem0/platform.json"));
}

#[test]
fn memories_of_wrong_types_are_left_out() {
    expect![[r#"
        statements -> statements: 2 added, 0 present, 0 left out
        left out oss.json:2: the memory is not a text, or empty
        left out oss.json:4: the memory has no id
        left out oss.json:5: it is not a JSON object
        left out oss.json:6: the memory is not a text, or empty
        left out oss.json:7: it does not say whose it is: the memories beside it are not all of one user, run or agent
        left out oss.json:8: it does not say whose it is: the memories beside it are not all of one user, run or agent
        left out oss.json:9: the relation has no type
        undated oss.json:3: the time of the import
        quarantined 0, captured 0
        == main
        statements channel:mem0:user:li%20wei 2026-01-20T06:30:00.123456Z "我喜欢早上喝咖啡然后去散步"
        statements channel:mem0:user:42 2026-04-11T10:00:00Z "An id that is a number still is an id"
    "#]]
    .assert_eq(&import("mem0/oss.json"));
}

/// The last day of a memory is the one that mem0 names.
#[test]
fn a_memory_expires_at_the_end_of_its_day() {
    let dir = tempfile::tempdir().unwrap();
    let memory = |id: u8, day: &str| serde_json::json!({"id": id, "memory": day, "expiration_date": day});
    let memories = [memory(1, "2025-02-01"), memory(3, "2025-03-01T10:00:00-07:00"), memory(2, "2031-12-31")];
    std::fs::write(dir.path().join("a.json"), serde_json::json!(memories).to_string()).unwrap();
    expect![[r#"
        statements -> statements: 1 added, 0 present, 2 left out
        left out a.json:1: it expired on 2025-02-01
        left out a.json:2: it expired on 2025-03-01
        undated a.json:3: the time of the import
        quarantined 0, captured 0
        == main
        statements 2026-04-11T10:00:00Z "2031-12-31"
    "#]]
    .assert_eq(&import_into(&workspace(), "mem0", dir.path(), &Settings::default()));
}

#[test]
fn a_memory_that_was_deleted_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let memory = |id: u8, event: &str| json!({"id": id, "memory": event, "event": event});
    let added = json!({"results": [memory(1, "DELETE"), memory(2, "ADD")]});
    std::fs::write(dir.path().join("a.json"), added.to_string()).unwrap();
    let listing = read_path("mem0", dir.path());
    assert!(listing.starts_with("a.json:1 skipped: the memory is deleted\na.json:2 [2@"), "{listing}");
}

/// A relation names nobody. It is of whom all memories beside it are.
#[test]
fn relations_are_of_the_owner_of_the_memories() {
    let memory = |id: &str, user: &str| json!({"id": id, "memory": format!("{user} sails"), "user_id": user});
    let relation = json!({"source": "alice", "relationship": "has_condition", "target": "diabetes"});
    for (memories, relations) in [
        (json!([memory("1", "alice")]), "alice"),
        (json!([memory("1", "alice"), memory("2", "bob")]), ""),
        (json!([memory("1", "alice"), {"id": "2", "memory": "sails", "agent_id": "a"}]), ""),
        (json!([{"id": "1", "memory": "sails", "agent_id": "a"}]), "workspace"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let document = json!({"results": memories, "relations": [relation]});
        std::fs::write(dir.path().join("m.json"), document.to_string()).unwrap();
        let shown = import_into(&workspace(), "mem0", dir.path(), &Settings::default());
        let ledger: Vec<_> = shown.lines().filter(|line| line.starts_with("ledger ")).collect();
        match relations {
            "" => {
                assert_eq!(ledger.len(), 0, "{shown}");
                assert!(shown.contains("it does not say whose it is"), "{shown}");
            }
            "workspace" => assert!(!ledger[0].contains("channel:"), "{shown}"),
            _ => assert!(ledger[0].starts_with("ledger channel:mem0:user:alice "), "{shown}"),
        }
    }
}

/// The libraries for Python and for TypeScript name the fields differently, and some versions mix the names.
#[test]
fn both_spellings_of_names_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let memories = json!([
        {"id": "1", "memory": "Likes tea", "userId": "ana", "createdAt": "2026-01-01T10:00:00Z", "expirationDate": "2031-01-01"},
        {"id": "2", "memory": "Likes rice", "user_id": "ben", "createdAt": "2026-01-02T10:00:00Z"},
        {"id": "3", "memory": "Asked for soup", "runId": "r", "updatedAt": "2026-01-03T10:00:00Z"},
        {"id": "4", "memory": "Is secret", "userId": ["ana"]},
        {"id": "5", "memory": "Is secret, too", "run_id": true},
        {"id": "6", "memory": "Is an agent's", "agentId": {"a": 1}},
    ]);
    std::fs::write(dir.path().join("a.json"), memories.to_string()).unwrap();
    expect![[r#"
        statements -> statements: 3 added, 0 present, 0 left out
        left out a.json:4: it does not say whose it is: its user, run or agent is neither a text nor a number
        left out a.json:5: it does not say whose it is: its user, run or agent is neither a text nor a number
        left out a.json:6: it does not say whose it is: its user, run or agent is neither a text nor a number
        quarantined 0, captured 0
        == main
        statements channel:mem0:user:ana 2026-01-01T10:00:00Z "Likes tea"
        statements channel:mem0:user:ben 2026-01-02T10:00:00Z "Likes rice"
        statements channel:mem0:chat:r 2026-01-03T10:00:00Z "Asked for soup"
    "#]]
    .assert_eq(&import_into(&workspace(), "mem0", dir.path(), &Settings::default()));
}

/// mem0 may change whose a memory is and when it expires, and not its text.
#[test]
fn a_later_owner_or_end_of_a_memory_counts() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let import = |memory: serde_json::Value| {
        std::fs::write(dir.path().join("a.json"), json!([memory]).to_string()).unwrap();
        run(&test.workspace, "mem0", dir.path(), &Settings::default());
        let memories = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        let shown = |memory: &memtape::Memory| {
            // What has no end is kept for ten years.
            let end = memory.expires_at.filter(|end| *end < "2035-01-01T00:00:00Z".parse().unwrap());
            let end = end.map_or(String::new(), |end| format!(" until {end}"));
            format!("{}{end}", memory.scope)
        };
        memories.iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    let memory =
        |owner: &str, end: &str| json!({"id": 1, "memory": "tea", "user_id": owner, "expiration_date": end});
    assert_eq!(import(memory("ana", "")), "channel:mem0:user:ana");
    assert_eq!(import(memory("ana", "2031-01-01")), "channel:mem0:user:ana until 2031-01-01T23:59:59Z");
    assert_eq!(import(memory("ana", "")), "channel:mem0:user:ana");
    assert_eq!(import(memory("ben", "")), "channel:mem0:user:ben");
    assert_eq!(import(memory("ben", "2025-01-01")), "", "what has expired is removed");
}

/// The history names nobody, and does not make a memory of a user everybody's.
#[test]
fn a_row_of_the_history_is_of_whom_an_export_says() {
    let export = json!([{"id": "m1", "memory": "Ana has asthma", "user_id": "ana", "updated_at": "2026-01-01T10:00:00Z"}]);
    let history = |dir: &std::path::Path, text: &str| {
        let rows = format!(
            "CREATE TABLE history (id TEXT, memory_id TEXT, new_memory TEXT, event TEXT, created_at TEXT);
             INSERT INTO history VALUES ('1', 'm1', '{text}', 'ADD', '2026-02-01T10:00:00+00:00');"
        );
        Connection::open(dir.join("history.db")).unwrap().execute_batch(&rows).unwrap();
    };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("export.json"), export.to_string()).unwrap();
    history(dir.path(), "Ana has asthma");
    expect![[r#"
        statements -> statements: 1 added, 0 present, 1 left out
        left out history.db:history:1: a newer version of it is imported
        quarantined 0, captured 0
        == main
        statements channel:mem0:user:ana 2026-01-01T10:00:00Z "Ana has asthma"
    "#]]
    .assert_eq(&import_into(&workspace(), "mem0", dir.path(), &Settings::default()));
    for (text, added) in [("Ana has asthma", 0), ("Ana has no asthma", 1)] {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        std::fs::write(dir.path().join("export.json"), export.to_string()).unwrap();
        history(dir.path(), text);
        for (file, expected) in [("export.json", 1), ("history.db", added), ("history.db", 0)] {
            let report = run(&test.workspace, "mem0", &dir.path().join(file), &Settings::default());
            assert_eq!((report.added(), report.left_out.count), (expected, 0), "{text} {file}");
        }
        let memories = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        let memories: Vec<_> = memories.iter().map(|memory| (&*memory.scope, &*memory.text)).collect();
        assert_eq!(memories, [("channel:mem0:user:ana", text)]);
    }
}

/// Imports versions of memories one after the other, and returns what is current after each, sorted, with the numbers of
/// those that were added and removed.
fn import_versions(test: &TestWorkspace, versions: &[&[(u8, &str)]]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let import = |version: &&[(u8, &str)]| {
        let memory = |(id, text): &(u8, &str)| match text.strip_prefix("expired ") {
            Some(text) => json!({"id": id, "memory": text, "user_id": "a", "expiration_date": "2025-01-01"}),
            None => json!({"id": id, "memory": text, "user_id": "a"}),
        };
        let memories: Vec<_> = version.iter().map(memory).collect();
        std::fs::write(dir.path().join("a.json"), json!(memories).to_string()).unwrap();
        let report = run(&test.workspace, "mem0", dir.path(), &Settings::default());
        let again = run(&test.workspace, "mem0", dir.path(), &Settings::default());
        assert_eq!((again.added(), again.removed(), again.commits), (0, 0, 0), "{version:?}");
        let memories = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        let mut texts: Vec<_> = memories.into_iter().map(|memory| memory.text).collect();
        texts.sort();
        format!("{} +{} -{}", texts.join(", "), report.added(), report.removed())
    };
    versions.iter().map(import).collect()
}

/// Two memories may have one text, which is one statement. It is current as long as one of them has it.
#[test]
fn a_statement_is_current_as_long_as_a_memory_has_its_text() {
    let versions: &[&[(u8, &str)]] = &[
        &[(1, "Graz"), (2, "Graz")],
        &[(1, "Wien"), (2, "Graz")],
        &[(1, "Wien"), (2, "Wien")],
        &[(1, "Linz"), (2, "Wien")],
        &[(1, "Linz"), (2, "Enns")],
        // They change places.
        &[(1, "Enns"), (2, "Linz")],
        &[(1, "Ried"), (2, "Wels")],
        &[(1, "Steyr"), (2, "Steyr")],
    ];
    let expected = [
        "Graz +1 -0",
        "Graz, Wien +1 -0",
        "Wien +0 -1",
        "Linz, Wien +1 -0",
        "Enns, Linz +1 -0",
        "Enns, Linz +0 -0",
        "Ried, Wels +2 -0",
        "Steyr +1 -1",
    ];
    assert_eq!(import_versions(&workspace(), versions), expected);
}

/// What a person said stays, whatever the memories become.
#[test]
fn a_memory_that_changes_to_a_text_of_a_person_replaces_its_last_version() {
    let test = workspace();
    let ana = Audience::of(None, &["mem0:a".parse().unwrap()]).only(memtape::Layer::User);
    let statements = test.workspace.statements().for_audience(ana);
    statements.add(&memtape::Added::new("Graz", memtape::Category::Fact)).unwrap();
    let versions: &[&[(u8, &str)]] = &[&[(1, "Wien")], &[(1, "Graz")], &[(1, "Linz")]];
    let expected = ["Graz, Wien +1 -0", "Graz +0 -1", "Graz, Linz +1 -0"];
    assert_eq!(import_versions(&test, versions), expected);
}

#[test]
fn a_memory_whose_expiry_is_lifted_returns() {
    let versions: &[&[(u8, &str)]] = &[&[(1, "Graz")], &[(1, "expired Graz")], &[(1, "Graz")]];
    assert_eq!(import_versions(&workspace(), versions), ["Graz +1 -0", " +0 -1", "Graz +1 -0"]);
    // Unless somebody removed it here.
    let test = workspace();
    import_versions(&test, &versions[..1]);
    let statements = test.workspace.statements();
    let found = statements.holding("Graz").unwrap();
    statements.forget(&found.iter().map(memtape::Memory::reference).collect::<Vec<_>>()).unwrap();
    assert_eq!(import_versions(&test, &versions[1..]), [" +0 -0", " +0 -0"]);
}

#[test]
fn a_memory_that_mem0_deleted_is_removed() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let connection = Connection::open(dir.path().join("history.db")).unwrap();
    let import = || {
        let report = run(&test.workspace, "mem0", dir.path(), &Settings::default());
        let memories = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        (memories.len(), report.added(), report.removed(), report.commits)
    };
    let table =
        "CREATE TABLE history (id TEXT, memory_id TEXT, new_memory TEXT, event TEXT, created_at TEXT)";
    connection.execute_batch(table).unwrap();
    let insert = |id: &str, event: &str| {
        let values = format!("('{id}', 'm1', 'Ana sails', '{event}', '2026-02-0{id}T10:00:00+00:00')");
        connection.execute_batch(&format!("INSERT INTO history VALUES {values}")).unwrap();
    };
    insert("1", "ADD");
    assert_eq!(import(), (1, 1, 0, 1));
    insert("2", "DELETE");
    assert_eq!(import(), (0, 0, 1, 1));
    assert_eq!(import(), (0, 0, 0, 0));
    // The history does not say whose it is, and what did was removed.
    insert("3", "ADD");
    assert_eq!(import(), (0, 0, 0, 0));
}
