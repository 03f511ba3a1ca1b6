//! The same memory, imported by different paths: a folder, one in it, a file.

use std::fs;
use std::path::Path;

use memtape::{At, Audience, Form};
use memtape_import::Settings;
use memtape_testkit::TestWorkspace;

use crate::harness::{run, workspace};

fn put(dir: &Path, file: &str, text: &str) {
    fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
    fs::write(dir.join(file), text).unwrap();
}

fn texts(test: &TestWorkspace, form: Form) -> Vec<String> {
    let memories = test.workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
    memories.into_iter().map(|memory| memory.text).collect()
}

/// Forgotten lines do not return, however the path is given.
#[test]
fn a_line_has_one_id_in_every_path() {
    const LINES: &str = "likes tea\nhas a cat\n";
    let cases: [(&str, &str, &[&str]); 4] = [
        ("nanobot", "ws/memory/MEMORY.md", &["ws", "ws/memory", "ws/memory/MEMORY.md"]),
        ("nanobot", "home/workspace/memory/MEMORY.md", &["home", "home/workspace", "home/workspace/memory"]),
        ("openclaw", "oc/workspace/MEMORY.md", &["oc", "oc/workspace", "oc/workspace/MEMORY.md"]),
        ("nanobot", "ws/memory/2026-04-10.md", &["ws", "ws/memory"]),
    ];
    for (source, file, paths) in cases {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        put(dir.path(), file, LINES);
        for (n, path) in paths.iter().enumerate() {
            let report = run(&test.workspace, source, &dir.path().join(path), &Settings::default());
            assert_eq!(report.added(), if n == 0 { 2 } else { 0 }, "{source} {path}");
            if n == 0 && !file.contains("2026") {
                test.workspace.zone().forget_text("has a cat").unwrap();
            }
        }
    }
}

/// An archive is the same tape under another name.
#[test]
fn a_line_of_an_archived_tape_has_the_same_id() {
    const TAPE: &str = r#"{"id":1,"kind":"anchor","payload":{"name":"memory/open","state":{"version":1}},"meta":{}}
{"id":2,"kind":"event","payload":{"name":"memory.long_term","data":{"content":"likes tea\nhas a cat"}},"meta":{}}
{"id":3,"kind":"event","payload":{"name":"memory.daily","data":{"date":"2026-04-10","content":"met Bob"}},"meta":{}}
{"id":4,"kind":"anchor","payload":{"name":"memory/seal","state":{"version":1}},"meta":{}}
"#;
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let name = "abc__bub%3A0898b22730d57afc.jsonl";
    put(dir.path(), name, TAPE);
    assert_eq!(run(&test.workspace, "bub", dir.path(), &Settings::default()).added(), 3);
    test.workspace.zone().forget_text("has a cat").unwrap();
    test.workspace.zone().forget_day("2026-04-10".parse().unwrap()).unwrap();
    fs::rename(dir.path().join(name), dir.path().join(format!("{name}.20260301T000000Z.bak"))).unwrap();
    assert_eq!(run(&test.workspace, "bub", dir.path(), &Settings::default()).added(), 0);
}

#[test]
fn a_document_is_found_under_the_name_that_it_has() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let project = "projects/-home-ana-app";
    put(dir.path(), &format!("{project}/memory/MEMORY.md"), "- [t](t.md)\n");
    for (n, path) in ["", project, &format!("{project}/memory"), ""].into_iter().enumerate() {
        put(dir.path(), &format!("{project}/memory/t.md"), &format!("tabs v{n}\n"));
        let report = run(&test.workspace, "claude-code", &dir.path().join(path), &Settings::default());
        assert_eq!(report.added(), 1, "{path}");
        assert_eq!(texts(&test, Form::NOTES), [format!("tabs v{n}")], "{path}");
    }
}

/// A fork begins with a copy of the messages of another session, with dates of its own.
#[test]
fn a_forked_session_repeats_nothing_of_the_other_one() {
    let line = |at: &str, kind: &str, payload: &str| {
        format!("{{\"timestamp\":\"2026-02-01T{at}Z\",\"type\":\"{kind}\",\"payload\":{payload}}}\n")
    };
    let meta = |at: &str, id: &str, more: &str| {
        let payload =
            format!("{{\"id\":\"{id}\",\"timestamp\":\"2026-02-01T{at}Z\",\"cwd\":\"/home/ana/app\"{more}}}");
        line(at, "session_meta", &payload)
    };
    let said = |at: &str, kind: &str, text: &str| {
        line(at, "event_msg", &format!("{{\"type\":\"{kind}_message\",\"message\":\"{text}\"}}"))
    };
    let copied = |at: &str| said(at, "user", "first prompt") + &said(at, "agent", "first reply");
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("rollout-2026-02-01T10-00-00-aaa.jsonl", meta("10:00:00", "aaa", "") + &copied("10:00:01")),
        (
            "rollout-2026-02-01T11-00-00-bbb.jsonl",
            meta("11:00:00", "bbb", ",\"forked_from_id\":\"aaa\"")
                + &meta("10:00:00", "aaa", "")
                + &copied("11:00:00")
                + &said("11:00:05", "user", "second prompt"),
        ),
        (
            "rollout-2026-02-01T12-00-00-ccc.jsonl",
            meta("12:00:00", "ccc", ",\"forked_from_id\":\"bbb\"")
                + &meta("11:00:00", "bbb", ",\"forked_from_id\":\"aaa\"")
                + &meta("10:00:00", "aaa", "")
                + &copied("12:00:00")
                + &said("12:00:00", "user", "second prompt")
                + &said("12:00:05", "user", "third prompt"),
        ),
    ];
    for (name, text) in &files {
        put(dir.path(), &format!("sessions/{name}"), text);
    }
    let expected = ["first prompt", "first reply", "second prompt", "third prompt"];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let test = workspace();
        for n in order {
            let path = dir.path().join("sessions").join(files[n].0);
            run(&test.workspace, "codex", &path, &Settings::default());
        }
        assert_eq!(run(&test.workspace, "codex", dir.path(), &Settings::default()).added(), 0);
        let mut all = texts(&test, Form::MESSAGES);
        all.sort();
        assert_eq!(all, expected, "{order:?}");
    }
}
