//! The knowledge graph of the reference memory server.

use std::fs;

use expect_test::expect;
use memtape_import::Settings;

use crate::harness::{import, import_into, read, run, workspace};

#[test]
fn a_graph_becomes_facts() {
    expect![[r#"
        memory.jsonl:1 [2e4e636a6f70d6ef-ce0b3196fe191b0a@38a81e87e79631e6] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "entity type", object: "person", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:1 [2e4e636a6f70d6ef-772c6953848bf5b1-70a1fbaac6a3b24f] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "observation", object: "Is allergic to cashews", topic: Some("person/70a1fbaa"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:1 [2e4e636a6f70d6ef-772c6953848bf5b1-bb0e4121242cc116] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "observation", object: "Prefiere el té verde", topic: Some("person/bb0e4121"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:1 [2e4e636a6f70d6ef-772c6953848bf5b1-feeb531b4e1d9ff7] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "observation", object: "speaks Spanish, German and a little 中文", topic: Some("person/feeb531b"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:2 [a63833eb2dd3442d-ce0b3196fe191b0a@f168ccdd91548c5a] Fact(Fact { change: Record, subject: "Nordkust AB", predicate: "entity type", object: "company", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:3 [a38d6d49c7efabe5-ce0b3196fe191b0a@244210e48437b655] Fact(Fact { change: Record, subject: "travel_planner", predicate: "entity type", object: "project", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:3 [a38d6d49c7efabe5-772c6953848bf5b1-f48ca25f583f22b0] Fact(Fact { change: Record, subject: "travel_planner", predicate: "observation", object: "Deadline: 2026-04-01", topic: Some("project/f48ca25f"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:3 [a38d6d49c7efabe5-772c6953848bf5b1-aaef4cb0fa3c2550] Fact(Fact { change: Record, subject: "travel_planner", predicate: "observation", object: "API key sk-ant-api03-Zk3v9QmX7bTnW2pLr8YcHd5JfGs4AeUo1KiBx6NwVtRqMzEyDlCuPhOgSaIj0F_Tw5Rb8Nk2Xc7Vm4Qp9Ly3Zd-AAAAAA is in the vault", topic: Some("project/aaef4cb0"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:5 [2e4e636a6f70d6ef-eead661698c3bd75-a63833eb2dd3442d] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "works_at", object: "Nordkust AB", topic: Some("to/Nordkust AB"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:6 [2e4e636a6f70d6ef-1c4cc0b7c9f047f7-a38d6d49c7efabe5] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "maintains", object: "travel_planner", topic: Some("to/travel_planner"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.jsonl:7 [2e4e636a6f70d6ef-1c4cc0b7c9f047f7-3f3af1ecebbd1410] Fact(Fact { change: Record, subject: "Ana Ruiz", predicate: "maintains", object: "session", topic: Some("to/session"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
    "#]].assert_eq(&read("mcp-memory/graph"));
}

#[test]
fn a_broken_graph_is_read_as_far_as_it_is_one() {
    expect![[r#"
        memory.json:1 [843ac01149cced78-ce0b3196fe191b0a@5de94d691ae3039a] Fact(Fact { change: Record, subject: "Ok", predicate: "entity type", object: "thing", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:1 [843ac01149cced78-772c6953848bf5b1-93f6e11d9ce3e407] Fact(Fact { change: Record, subject: "Ok", predicate: "observation", object: "works", topic: Some("thing/93f6e11d"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:2 skipped: the line is not JSON: EOF while parsing a string
        memory.json:3 skipped: the line is not a JSON object
        memory.json:4 skipped: the entity has no name
        memory.json:5 skipped: an observation is not a text
        memory.json:5 skipped: an observation is not a text
        memory.json:5 skipped: an observation is not a text
        memory.json:5 [9373180ae9048ec0-772c6953848bf5b1-982d9e3eb996f559] Fact(Fact { change: Record, subject: "Wrong types", predicate: "observation", object: "text", topic: Some("entity/982d9e3e"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:6 [eacd31d849f9f7ed-ce0b3196fe191b0a@5de94d691ae3039a] Fact(Fact { change: Record, subject: "No list", predicate: "entity type", object: "thing", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:6 [eacd31d849f9f7ed-772c6953848bf5b1-b94ddd8ea66566c0] Fact(Fact { change: Record, subject: "No list", predicate: "observation", object: "one text", topic: Some("thing/b94ddd8e"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:7 [843ac01149cced78-ce0b3196fe191b0a@5de94d691ae3039a] Fact(Fact { change: Record, subject: "Ok", predicate: "entity type", object: "thing", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:7 [843ac01149cced78-772c6953848bf5b1-93f6e11d9ce3e407] Fact(Fact { change: Record, subject: "Ok", predicate: "observation", object: "works", topic: Some("thing/93f6e11d"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:7 [843ac01149cced78-772c6953848bf5b1-dc8ffdbf2736dbdf] Fact(Fact { change: Record, subject: "Ok", predicate: "observation", object: "twice", topic: Some("thing/dc8ffdbf"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:8 skipped: the relation has not two ends
        memory.json:9 [843ac01149cced78-42c9bff437c81ffe-7e32434dfc2c2109] Fact(Fact { change: Record, subject: "Ok", predicate: "points at", object: "Nowhere", topic: Some("to/Nowhere"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:10 skipped: its type is neither entity nor relation
        memory.json:11 [3754d6cb3a38e118-ce0b3196fe191b0a@9b279e415088dd13] Fact(Fact { change: Record, subject: "../../etc/passwd", predicate: "entity type", object: "path trick", topic: None, confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        memory.json:11 [3754d6cb3a38e118-772c6953848bf5b1-e80a97e9c28ba463] Fact(Fact { change: Record, subject: "../../etc/passwd", predicate: "observation", object: "a name with a line break stays a name\0", topic: Some("path trick/e80a97e9"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
    "#]].assert_eq(&read("mcp-memory/broken"));
}

#[test]
fn a_graph_is_imported() {
    expect![[r#"
        facts -> ledger: 10 added, 0 present, 1 left out
        left out memory.jsonl:3: it contains a secret
        quarantined 0, captured 0
        == main
        ledger 2026-04-11T10:00:00Z "Ana Ruiz entity type person"
        ledger 2026-04-11T10:00:00Z "Ana Ruiz observation Is allergic to cashews"
        ledger 2026-04-11T10:00:00Z "Ana Ruiz observation Prefiere el té verde"
        ledger 2026-04-11T10:00:00Z "Ana Ruiz observation speaks Spanish, German and a little 中文"
        ledger 2026-04-11T10:00:00Z "Nordkust AB entity type company"
        ledger 2026-04-11T10:00:00Z "travel_planner entity type project"
        ledger 2026-04-11T10:00:00Z "travel_planner observation Deadline: 2026-04-01"
        ledger 2026-04-11T10:00:00Z "Ana Ruiz works_at Nordkust AB"
        ledger 2026-04-11T10:00:00Z "Ana Ruiz maintains travel_planner"
        ledger 2026-04-11T10:00:00Z "Ana Ruiz maintains session"
    "#]]
    .assert_eq(&import("mcp-memory/graph"));
}

#[test]
fn a_broken_graph_is_imported() {
    expect![[r#"
        facts -> ledger: 9 added, 2 present, 0 left out
        left out memory.json:2: the line is not JSON: EOF while parsing a string
        left out memory.json:3: the line is not a JSON object
        left out memory.json:4: the entity has no name
        left out memory.json:5: an observation is not a text
        left out memory.json:5: an observation is not a text
        left out memory.json:5: an observation is not a text
        left out memory.json:8: the relation has not two ends
        left out memory.json:10: its type is neither entity nor relation
        quarantined 0, captured 0
        == main
        ledger 2026-04-11T10:00:00Z "Ok entity type thing"
        ledger 2026-04-11T10:00:00Z "Ok observation works"
        ledger 2026-04-11T10:00:00Z "Wrong types observation text"
        ledger 2026-04-11T10:00:00Z "No list entity type thing"
        ledger 2026-04-11T10:00:00Z "No list observation one text"
        ledger 2026-04-11T10:00:00Z "Ok observation twice"
        ledger 2026-04-11T10:00:00Z "Ok points at Nowhere"
        ledger 2026-04-11T10:00:00Z "../../etc/passwd entity type path trick"
        ledger 2026-04-11T10:00:00Z "../../etc/passwd observation a name with a line break stays a name\0"
    "#]]
    .assert_eq(&import("mcp-memory/broken"));
}

#[test]
fn names_that_differ_in_case_are_two_entities() {
    let dir = tempfile::tempdir().unwrap();
    let lines = [
        r#"{"type":"entity","name":"Zoë","entityType":"person","observations":["sails"]}"#,
        r#"{"type":"entity","name":"ZOË","entityType":"ship","observations":["leaks"]}"#,
        r#"{"type":"relation","from":"Zoë","to":"ZOË","relationType":"owns"}"#,
    ];
    fs::write(dir.path().join("memory.jsonl"), lines.join("\n")).unwrap();
    expect![[r#"
        facts -> ledger: 5 added, 0 present, 0 left out
        quarantined 0, captured 0
        == main
        ledger 2026-04-11T10:00:00Z "Zoë (c6a1) entity type person"
        ledger 2026-04-11T10:00:00Z "Zoë (c6a1) observation sails"
        ledger 2026-04-11T10:00:00Z "ZOË entity type ship"
        ledger 2026-04-11T10:00:00Z "ZOË observation leaks"
        ledger 2026-04-11T10:00:00Z "Zoë (c6a1) owns ZOË"
    "#]]
    .assert_eq(&import_into(&workspace(), "mcp-memory", dir.path(), &Settings::default()));
}

/// The name of an entity in the ledger does not depend on the order of the lines.
#[test]
fn what_was_imported_of_a_spelling_stays_its_own() {
    const CAT: &str = r#"{"type":"entity","name":"alice","entityType":"cat","observations":["purrs"]}"#;
    const PERSON: &str = r#"{"type":"entity","name":"Alice","entityType":"person","observations":["codes"]}"#;
    let texts = |test: &memtape_testkit::TestWorkspace| {
        let memories =
            test.workspace.memories(memtape::Form::LEDGER, &memtape::Audience::owner(), &memtape::At::head());
        let mut texts: Vec<_> = memories.unwrap().into_iter().map(|memory| memory.text).collect();
        texts.sort();
        texts
    };
    let mut all = Vec::new();
    for lines in [[CAT, PERSON], [PERSON, CAT]] {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        let file = dir.path().join("memory.jsonl");
        fs::write(&file, lines.join("\n")).unwrap();
        run(&test.workspace, "mcp-memory", dir.path(), &Settings::default());
        all.push(texts(&test));
        for line in lines {
            fs::write(&file, line).unwrap();
            let report = run(&test.workspace, "mcp-memory", dir.path(), &Settings::default());
            assert_eq!((report.added(), texts(&test)), (0, all[0].clone()), "{line}");
        }
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0].len(), 4);
}

/// All observations of an entity are one commit, which one undo takes back.
#[test]
fn a_graph_is_one_commit() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let observations: Vec<_> = (0..300).map(|n| format!("plays game {n}")).collect();
    let lines = [
        serde_json::json!({"type": "entity", "name": "Ana", "entityType": "person", "observations": observations}),
        serde_json::json!({"type": "entity", "name": "Bob", "entityType": "person", "observations": ["plays chess"]}),
        serde_json::json!({"type": "relation", "from": "Ana", "to": "Bob", "relationType": "knows"}),
    ];
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    fs::write(dir.path().join("memory.jsonl"), lines.join("\n")).unwrap();
    let import = || run(&test.workspace, "mcp-memory", dir.path(), &Settings::default());
    let report = import();
    assert_eq!((report.added(), report.commits), (304, 1));
    test.workspace.branches().undo().unwrap();
    let facts =
        test.workspace.memories(memtape::Form::LEDGER, &memtape::Audience::owner(), &memtape::At::head());
    assert_eq!(facts.unwrap().len(), 0);
    assert_eq!(import().added(), 304);
}

/// A name keeps its facts, whatever other names there are later.
#[test]
fn a_later_name_does_not_take_over_the_facts_of_another() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let import = |lines: &[&str]| {
        fs::write(dir.path().join("memory.jsonl"), lines.join("\n")).unwrap();
        import_into(&test, "mcp-memory", dir.path(), &Settings::default())
    };
    let person = r#"{"type":"entity","name":"Ana","entityType":"person","observations":["sails"]}"#;
    let airline = r#"{"type":"entity","name":"ANA","entityType":"airline","observations":["flies"]}"#;
    let employs = r#"{"type":"relation","from":"ANA","to":"Ana","relationType":"employs"}"#;
    let later = r#"{"type":"entity","name":"Ana","entityType":"person","observations":["sails","reads"]}"#;
    import(&[person]);
    import(&[airline, person]);
    expect![[r#"
        facts -> ledger: 2 added, 4 present, 0 left out
        quarantined 0, captured 0
        == main
        ledger 2026-04-11T10:00:00Z "Ana entity type person"
        ledger 2026-04-11T10:00:00Z "Ana observation sails"
        ledger 2026-04-11T10:00:00Z "ANA (4826) entity type airline"
        ledger 2026-04-11T10:00:00Z "ANA (4826) observation flies"
        ledger 2026-04-11T10:00:00Z "ANA (4826) employs Ana"
        ledger 2026-04-11T10:00:00Z "Ana observation reads"
    "#]]
    .assert_eq(&import(&[airline, employs, later]));
}

/// The last line of an entity counts, in each import.
#[test]
fn an_entity_with_two_types_has_the_last_one() {
    let dir = tempfile::tempdir().unwrap();
    let line =
        |kind: &str| format!(r#"{{"type":"entity","name":"Ana","entityType":"{kind}","observations":[]}}"#);
    fs::write(dir.path().join("memory.jsonl"), ["person", "robot"].map(line).join("\n")).unwrap();
    expect![[r#"
        facts -> ledger: 1 added, 0 present, 0 left out
        left out memory.jsonl:1: a later line gives the entity another type
        quarantined 0, captured 0
        == main
        ledger 2026-04-11T10:00:00Z "Ana entity type robot"
    "#]]
    .assert_eq(&import_into(&workspace(), "mcp-memory", dir.path(), &Settings::default()));
}
