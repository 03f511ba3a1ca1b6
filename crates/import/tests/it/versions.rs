//! Later versions of what the other program changes under one id, and what became of the earlier ones here.

use std::fs;
use std::path::Path;

use memtape::{At, Audience, BlockName, FilePath, Form, NotePath};
use memtape_import::Settings;
use memtape_testkit::TestWorkspace;
use serde_json::json;

use crate::harness::{import_into, run, workspace};

/// A program, and how it writes something that it changes under one id.
struct Program {
    source: &'static str,
    form: Form,
    write: fn(&Path, &str),
}

const PROGRAMS: [Program; 9] = [
    Program { source: "pegasus", form: Form::NOTES, write: |dir, text| put(dir, "facts/user.md", text) },
    Program { source: "openclaw", form: Form::NOTES, write: |dir, text| put(dir, "TOOLS.md", text) },
    Program { source: "openclaw", form: Form::BLOCKS, write: |dir, text| put(dir, "USER.md", text) },
    Program { source: "nanobot", form: Form::BLOCKS, write: |dir, text| put(dir, "USER.md", text) },
    Program { source: "letta", form: Form::FILES, write: attached },
    Program { source: "mem0", form: Form::STATEMENTS, write: memory },
    Program { source: "mem0", form: Form::STATEMENTS, write: history },
    Program { source: "yeoman", form: Form::STATEMENTS, write: entry },
    Program { source: "mcp-memory", form: Form::LEDGER, write: entity },
];

fn put(dir: &Path, file: &str, text: &str) {
    fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
    fs::write(dir.join(file), text).unwrap();
}

fn attached(dir: &Path, text: &str) {
    let agent = json!({"agent_type": "x", "system": "", "name": "Sam", "source_ids": ["source-0"]});
    let file = json!({"source_id": "source-0", "file_name": "trip.txt", "content": text});
    let sources = json!([{"id": "source-0", "name": "trips"}]);
    put(dir, "a.af", &json!({"agents": [agent], "files": [file], "sources": sources}).to_string());
}

fn memory(dir: &Path, text: &str) {
    put(dir, "memories.json", &json!([{"id": "m1", "memory": text, "user_id": "ana"}]).to_string());
}

fn history(dir: &Path, text: &str) {
    let _ = fs::remove_file(dir.join("history.db"));
    let connection = rusqlite::Connection::open(dir.join("history.db")).unwrap();
    let rows = format!(
        "CREATE TABLE history (id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at TEXT);
         INSERT INTO history VALUES ('1', 'm1', NULL, '{text}', 'ADD', '2026-01-01T10:00:00+00:00');"
    );
    connection.execute_batch(&rows).unwrap();
}

fn entry(dir: &Path, text: &str) {
    let _ = fs::remove_file(dir.join("longterm.db"));
    let connection = rusqlite::Connection::open(dir.join("longterm.db")).unwrap();
    let rows = format!(
        "CREATE TABLE memory_entries (id TEXT, scope_type TEXT, kind TEXT, content TEXT, created_at TEXT);
         INSERT INTO memory_entries VALUES ('1', 'global', 'fact', '{text}', '2026-01-01T10:00:00+00:00');"
    );
    connection.execute_batch(&rows).unwrap();
}

fn entity(dir: &Path, text: &str) {
    put(
        dir,
        "memory.jsonl",
        &json!({"type": "entity", "name": "Ana", "entityType": text, "observations": []}).to_string(),
    );
}

fn texts(test: &TestWorkspace, form: Form) -> Vec<String> {
    let memories = test.workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
    memories.into_iter().map(|memory| memory.text.trim_start_matches("Ana entity type ").to_owned()).collect()
}

/// Removes everything of a form, as a person does.
fn remove_all(test: &TestWorkspace, form: Form) {
    let workspace = &test.workspace;
    for memory in workspace.memories(form, &Audience::owner(), &At::head()).unwrap() {
        let of_key = memory.key.split('#').next().unwrap();
        match form {
            Form::NOTES => drop(workspace.notes().delete(&NotePath::of_file(of_key).unwrap()).unwrap()),
            Form::FILES => drop(workspace.files().delete(&FilePath::new(of_key).unwrap()).unwrap()),
            Form::BLOCKS => workspace.blocks().forget(&BlockName::new(of_key).unwrap()).unwrap(),
            Form::STATEMENTS => drop(workspace.statements().forget(&[memory.reference()]).unwrap()),
            _ => drop(workspace.ledger().forget_refs(&[memory.reference()]).unwrap()),
        }
    }
}

#[test]
fn the_current_version_is_the_one_of_the_program() {
    for Program { source, form, write } in PROGRAMS {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        for (text, added) in [("tea", 1), ("mate", 1), ("tea", 1), ("tea", 0), ("mate", 1), ("soup", 1)] {
            write(dir.path(), text);
            let report = run(&test.workspace, source, dir.path(), &Settings::default());
            assert_eq!((report.added(), report.left_out.count), (added, 0), "{source} {form}: {text}");
            assert_eq!(texts(&test, form), [text], "{source} {form}");
        }
    }
}

#[test]
fn a_later_version_of_what_was_removed_does_not_return() {
    for Program { source, form, write } in PROGRAMS {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        let import = || run(&test.workspace, source, dir.path(), &Settings::default());
        write(dir.path(), "tea");
        import();
        remove_all(&test, form);
        for text in ["tea", "mate", "soup"] {
            write(dir.path(), text);
            let report = import();
            assert_eq!(report.added(), 0, "{source} {form}: {text}");
            assert_eq!(report.left_out.count, u64::from(text != "tea"), "{source} {form}: {text}");
            assert!(texts(&test, form).is_empty(), "{source} {form}");
        }
    }
}

/// What another import adds to a note stays when the note changes in its program.
#[test]
fn what_another_import_added_to_a_note_is_kept() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let (pegasus, nanobot) = (dir.path().join("pg"), dir.path().join("nb"));
    let trip = "# 2026-01\n\n## Trip\n\n- went to Rome\n";
    put(&pegasus, "episodes/2026-01.md", trip);
    put(&nanobot, "memory/2026-01-10.md", "# 2026-01-10\n- dentist at nine\n");
    let import = |source: &str, path: &Path| run(&test.workspace, source, path, &Settings::default());
    assert_eq!(import("pegasus", &pegasus).added(), 1);
    assert_eq!(import("nanobot", &nanobot).added(), 1);
    for town in ["Naples", "Pisa"] {
        put(&pegasus, "episodes/2026-01.md", &format!("{trip}- and to {town}\n"));
        let report = import("pegasus", &pegasus);
        assert_eq!(report.beside.listed[0].1, "episodes/2026-01-pegasus.md");
        let all = texts(&test, Form::NOTES).concat();
        assert!(all.contains("dentist") && all.contains(town), "{all}");
        assert_eq!(all.contains("Naples"), town == "Naples", "{all}");
    }
}

#[test]
fn a_version_that_the_owner_approved_was_not_changed() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let persona = BlockName::new("persona").unwrap();
    let import = |text: &str| {
        put(dir.path(), "SOUL.md", text);
        run(&test.workspace, "openclaw", dir.path(), &Settings::default())
    };
    let blocks = || test.workspace.blocks();
    for text in ["calm", "quick"] {
        assert_eq!(import(text).proposed.count, 1, "{text}");
        blocks().approve(&persona, None, false).unwrap();
        assert_eq!(texts(&test, Form::BLOCKS), [text]);
        assert_eq!(import(text).added(), 0, "{text}");
    }
    // A version that was rejected may be followed by another one.
    assert_eq!(import("loud").proposed.count, 1);
    blocks().reject(&persona).unwrap();
    assert_eq!(import("loud").added(), 0);
    assert_eq!(import("louder").proposed.count, 1);
    blocks().reject(&persona).unwrap();
    // The program returned to the version that was approved.
    assert_eq!(import("loud and clear").proposed.count, 1);
    assert_eq!(import("quick").added(), 1);
    assert!(blocks().reject(&persona).is_err(), "no proposal is pending");
    assert_eq!(import("quick").added(), 0);
    // What the owner set is kept.
    blocks().set(&persona, "mine", None).unwrap();
    assert_eq!((import("loudest").added(), texts(&test, Form::BLOCKS)), (0, vec!["mine".to_owned()]));
}

#[test]
fn a_block_and_the_note_that_it_becomes_take_each_others_place() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let long = "Ana. ".repeat(test.workspace.config().blocks.max_chars / 5 + 1);
    for (text, expected) in
        [(long.as_str(), [1, 0]), ("Ana", [0, 1]), (long.as_str(), [1, 0]), ("Ben", [0, 1])]
    {
        put(dir.path(), "USER.md", text);
        run(&test.workspace, "openclaw", dir.path(), &Settings::default());
        assert_eq!([Form::NOTES, Form::BLOCKS].map(|form| texts(&test, form).len()), expected);
    }
    // The identity of the agent is its owner's.
    let long = "Calm. ".repeat(test.workspace.config().blocks.max_chars / 6 + 1);
    put(dir.path(), "SOUL.md", &long);
    run(&test.workspace, "openclaw", dir.path(), &Settings::default());
    put(dir.path(), "SOUL.md", "calm");
    assert_eq!(run(&test.workspace, "openclaw", dir.path(), &Settings::default()).proposed.count, 1);
    assert!(texts(&test, Form::NOTES).is_empty());
}

/// The events of a ledger are many versions of one slot.
#[test]
fn a_fact_that_was_forgotten_does_not_return_with_the_next_event() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let event = |kind: &str, object: &str, number: u32, last: u32| {
        let id = format!("e{number}");
        let event = json!({"event_type": kind, "subject": "Ana", "predicate": "likes", "object": object,
            "timestamp": format!("2026-02-0{number}T10:00:00"), "id": id});
        put(dir.path(), &format!("memory/ledger/events/{id}.json"), &event.to_string());
        let commit = json!({"branch": "main", "events": [id], "id": format!("c{number}"),
            "parent_id": (number > 1).then(|| format!("c{}", number - 1))});
        put(dir.path(), &format!("memory/ledger/commits/c{number}.json"), &commit.to_string());
        let branch = json!({"name": "main", "head": format!("c{last}")});
        put(dir.path(), "memory/branches/main.json", &branch.to_string());
    };
    let import = || run(&test.workspace, "nanobot-ledger", dir.path(), &Settings::default());
    let facts = || texts(&test, Form::LEDGER);
    event("add", "tea", 1, 1);
    event("forget", "", 2, 2);
    event("add", "tea", 3, 3);
    import();
    assert_eq!(facts(), ["Ana likes tea"], "what the other program forgot may return");
    remove_all(&test, Form::LEDGER);
    event("confirm", "tea", 4, 4);
    let report = import();
    assert_eq!((report.added(), report.left_out.count), (0, 1));
    assert!(facts().is_empty());
}

/// Several exports, or an archive and what continues it, may have versions of one document: the newest counts, and the
/// same import again changes nothing.
#[test]
fn the_newest_of_several_versions_counts() {
    let memory = |text: &str, at: &str| {
        json!([{"id": "m1", "memory": text, "user_id": "ana", "updated_at": at}]).to_string()
    };
    let agent = |text: &str| {
        let block = json!({"label": "human", "value": text});
        json!({"agent_type": "x", "system": "", "name": "Sam", "core_memory": [block]}).to_string()
    };
    let zone = |text: &str| {
        let entries = [
            ("anchor", json!({"name": "memory/open", "state": {"version": 1}})),
            ("event", json!({"name": "memory.long_term", "data": {"content": text}})),
            ("anchor", json!({"name": "memory/seal", "state": {"version": 1}})),
        ];
        let line = |(n, (kind, payload)): (usize, &(&str, serde_json::Value))| {
            json!({"id": n + 1, "kind": kind, "payload": payload}).to_string()
        };
        entries.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    };
    let (may, june) = ("2026-05-01T10:00:00Z", "2026-06-01T10:00:00Z");
    for (source, form, older, newer) in [
        ("mem0", Form::STATEMENTS, ("b.json", memory("old", may)), ("a.json", memory("new", june))),
        ("mem0", Form::STATEMENTS, ("a.json", memory("old", "")), ("b.json", memory("new", ""))),
        ("letta", Form::BLOCKS, ("may.af", agent("old")), ("june.af", agent("new"))),
        ("bub", Form::ZONE, ("a__b.jsonl.20260501T070000Z.bak", zone("old")), ("a__b.jsonl", zone("new"))),
    ] {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        for (days, (file, text)) in [(2, &older), (1, &newer)] {
            put(dir.path(), file, text);
            let changed_at = std::time::SystemTime::now() - std::time::Duration::from_secs(days * 86_400);
            fs::File::options()
                .append(true)
                .open(dir.path().join(file))
                .unwrap()
                .set_modified(changed_at)
                .unwrap();
        }
        import_into(&test, source, dir.path(), &Settings::default());
        assert_eq!(texts(&test, form), ["new"], "{source}");
        // An older version that is found later replaces nothing.
        put(
            dir.path(),
            &older.0.replace("2026", "2025").replace("may", "april"),
            &older.1.replace("old", "oldest"),
        );
        let before = fs::read(test.path().join("tape.jsonl")).unwrap();
        if source != "letta" {
            run(&test.workspace, source, dir.path(), &Settings::default());
            assert!(fs::read(test.path().join("tape.jsonl")).unwrap() == before, "{source}");
        }
    }
}
