//! The importer: groups, resuming, capture, what exists.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::expect;
use jiff::tz::TimeZone;
use memtape::{At, Audience, Category, Form, Recall, Session};
use memtape_import::item::{Line, Lines};
use memtape_import::{Content, Error, Input, Settings};
use serde_json::json;

use crate::harness::{Items, import_into, run, workspace};

#[test]
fn an_interrupted_import_continues() {
    let test = workspace();
    let dir = tempfile::tempdir().unwrap();
    let input = Input::open(dir.path(), &TimeZone::UTC).unwrap();
    let settings = Settings::default();
    let message = |n: u64| memtape_import::item::Message {
        role: "user".into(),
        text: format!("message {n}"),
        ..Default::default()
    };
    let contents: Vec<_> = (1..=1700).map(|n| Content::Message(message(n))).collect();
    let import = |contents: &[Content], at_end| {
        let source = Items { contents: contents.to_vec(), at_end };
        memtape_import::import(&test.workspace, &source, &input, &settings, &mut |_, _| {})
    };
    assert!(import(&contents[..1234], &|| Err(Error::Refused("stopped".into()))).is_err());
    // What was written in whole groups stays.
    let count = || test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap().len();
    assert_eq!(count(), 1000);
    let report = import(&contents, &|| Ok(())).unwrap();
    assert_eq!((report.added(), report.present(), count()), (700, 1000, 1700));
    let messages = test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap();
    let texts: Vec<_> = messages.into_iter().map(|memory| memory.text).collect();
    assert_eq!(texts, (1..=1700).map(|n| format!("message {n}")).collect::<Vec<_>>());
}

fn tape(dir: &Path, messages: &[(&str, &str, &str)]) {
    let mut lines = String::new();
    for (n, (date, role, content)) in messages.iter().enumerate() {
        let payload = serde_json::json!({"role": role, "content": content});
        let line =
            serde_json::json!({"id": n + 1, "kind": "message", "payload": payload, "meta": {}, "date": date});
        writeln!(lines, "{line}").unwrap();
    }
    fs::write(dir.join("a__b.jsonl"), lines).unwrap();
}

#[test]
fn conversations_are_captured_as_turns_of_their_time() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("2026-03-01T08:00:00+00:00", "user", "I prefer window seats."),
            ("2026-03-01T08:00:05+00:00", "assistant", "I prefer aisle seats."),
            ("2026-03-02T08:00:00+00:00", "user", "For today, answer in French please."),
            (
                "2026-03-03T08:00:00+00:00",
                "user",
                "We decided yesterday to use PostgreSQL for the billing service.",
            ),
            ("2026-03-04T08:00:00+00:00", "user", "My password is hunter2-Xk29vbQq and I live in Leeds."),
        ],
    );
    let test = workspace();
    let settings = Settings { capture: true, ..Settings::default() };
    expect![[r#"
        messages -> messages: 5 added, 0 present, 0 left out
        quarantined 0, captured 3
        == main
        messages channel:bub:chat:b 2026-03-01T08:00:00Z "I prefer window seats."
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "I prefer aisle seats."
        messages channel:bub:chat:b 2026-03-02T08:00:00Z "For today, answer in French please."
        messages channel:bub:chat:b 2026-03-03T08:00:00Z "We decided yesterday to use PostgreSQL for the billing service."
        messages channel:bub:chat:b 2026-03-04T08:00:00Z "My password is [redacted:password] and I live in Leeds."
        statements channel:bub:chat:b 2026-03-01T08:00:00Z "I prefer window seats"
        statements channel:bub:chat:b 2026-03-03T08:00:00Z "We decided yesterday (2026-03-02) to use PostgreSQL for the billing service"
        statements channel:bub:chat:b 2026-03-04T08:00:00Z "I live in Leeds"
    "#]].assert_eq(&import_into(&test, "bub", dir.path(), &settings));
}

#[test]
fn capture_can_follow_an_import() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("2026-03-01T08:00:00+00:00", "user", "I prefer window seats."),
            ("2026-03-02T08:00:00+00:00", "user", "I no longer smoke."),
        ],
    );
    let test = workspace();
    assert_eq!(run(&test.workspace, "bub", dir.path(), &Settings::default()).captured, 0);
    let settings = Settings { capture: true, ..Settings::default() };
    assert_eq!(run(&test.workspace, "bub", dir.path(), &settings).captured, 2);
    assert_eq!(run(&test.workspace, "bub", dir.path(), &settings).captured, 0);
    assert_eq!(test.workspace.take_warnings(), []);
}

#[test]
fn an_imported_message_corrects_or_takes_back_the_one_before_it() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("2026-03-01T08:00:00+00:00", "user", "My sister is called Hanna"),
            ("2026-03-01T08:00:01+00:00", "user", "no sorry, I meant Olga"),
            ("2026-03-01T08:00:02+00:00", "user", "I am allergic to peanuts"),
            ("2026-03-01T08:00:03+00:00", "user", "Forget that."),
            ("2026-03-01T08:00:04+00:00", "user", "I live in Leeds"),
        ],
    );
    let test = workspace();
    let report = run(&test.workspace, "bub", dir.path(), &Settings { capture: true, ..Settings::default() });
    // "Forget that" captures nothing, and is a commit.
    assert_eq!((report.captured, report.capture_commits), (4, 5));
    let statements = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
    let mut texts: Vec<String> = statements.into_iter().map(|memory| memory.text).collect();
    texts.sort();
    assert_eq!(texts, ["I live in Leeds", "My sister is called Hanna (corrected: no sorry, I meant Olga)"]);
}

/// As in a turn, what a person asks not to keep is recalled no longer, and neither is the reply.
#[test]
fn what_is_not_to_be_kept_is_not_recalled() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("2026-03-01T08:00:00+00:00", "user", "I'm pregnant, but please don't save that."),
            ("2026-03-01T08:00:05+00:00", "assistant", "I save nothing about your pregnancy."),
            ("2026-03-01T08:01:00+00:00", "user", "Ich verdiene 5000 Euro. Schreib das nicht auf."),
            ("2026-03-01T08:02:00+00:00", "user", "Which port does the gateway use?"),
            ("2026-03-01T08:02:05+00:00", "assistant", "The gateway listens on port 8443."),
        ],
    );
    for capture in [false, true] {
        let test = workspace();
        let settings = Settings { capture, ..Settings::default() };
        let report = run(&test.workspace, "bub", dir.path(), &settings);
        assert_eq!((report.added(), report.unwanted), (5, 3));
        let recalls = |query: &str, word: &str| {
            let recall = Recall { audience: Audience::owner(), ..Recall::new(query) };
            let hits = test.workspace.recall(&recall, &At::head()).unwrap().hits;
            hits.iter().any(|hit| hit.memory.text.contains(word))
        };
        assert!(!recalls("Am I pregnant?", "pregnan"));
        assert!(!recalls("Wie viel Euro verdiene ich?", "5000"));
        assert!(recalls("Which port does the gateway use?", "8443"));
        let messages = test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap();
        assert_eq!(messages.len(), 5);
    }
}

/// As after a turn, a message is recalled no longer once a statement that was captured from it was forgotten, and neither
/// is the reply.
#[test]
fn what_was_captured_and_forgotten_is_not_recalled() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("2026-03-01T08:00:00+00:00", "user", "I prefer Earl Grey tea in the morning."),
            ("2026-03-01T08:00:05+00:00", "assistant", "Earl Grey it is."),
            ("2026-03-01T08:01:00+00:00", "user", "I prefer window seats."),
        ],
    );
    let test = workspace();
    let report = run(&test.workspace, "bub", dir.path(), &Settings { capture: true, ..Settings::default() });
    assert_eq!(report.captured, 2);
    let recalls = |query: &str, word: &str| {
        let recall = Recall { audience: Audience::owner(), ..Recall::new(query) };
        let hits = test.workspace.recall(&recall, &At::head()).unwrap().hits;
        hits.iter().filter(|hit| hit.memory.text.contains(word)).count()
    };
    assert!(recalls("Earl Grey", "Earl Grey") > 0);
    let statements = test.workspace.statements();
    let found = statements.holding("Earl Grey").unwrap();
    statements.forget(&found.iter().map(memtape::Memory::reference).collect::<Vec<_>>()).unwrap();
    assert_eq!(recalls("Earl Grey", "Earl Grey"), 0);
    assert!(recalls("window seats", "window") > 0);
}

/// A statement that a message ends is removed, also if the messages were imported before.
#[test]
fn capture_after_an_import_ends_what_one_import_ends() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("2026-03-01T08:00:00+00:00", "user", "I live in Leeds."),
            ("2026-03-02T08:00:00+00:00", "user", "I no longer live in Leeds."),
        ],
    );
    let settings = Settings { capture: true, ..Settings::default() };
    let [at_once, later] = [false, true].map(|is_later| {
        let test = workspace();
        if is_later {
            run(&test.workspace, "bub", dir.path(), &Settings::default());
        }
        run(&test.workspace, "bub", dir.path(), &settings);
        let statements = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        statements.into_iter().map(|memory| (memory.text, memory.data)).collect::<Vec<_>>()
    });
    let texts = |memories: &[(String, Option<String>)]| {
        memories.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&at_once), texts(&later));
    assert!(!texts(&later).contains(&"I live in Leeds".to_owned()), "{later:?}");
    assert!(
        later.iter().all(|(_, data)| data.as_ref().is_some_and(|data| data.contains("from"))),
        "{later:?}"
    );
}

#[test]
fn an_older_message_takes_nothing_from_a_newer_statement() {
    let test = workspace();
    let settings = Settings { capture: true, ..Settings::default() };
    for (date, text) in [
        ("2026-03-02T08:00:00+00:00", "Please remember that I am allergic to peanuts and penicillin."),
        ("2026-03-01T08:00:00+00:00", "Forget that I'm allergic to peanuts."),
    ] {
        let dir = tempfile::tempdir().unwrap();
        tape(dir.path(), &[(date, "user", text)]);
        assert_eq!(run(&test.workspace, "bub", dir.path(), &settings).added(), 1);
    }
    let statements = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
    let texts: Vec<_> = statements.iter().map(|memory| memory.text.as_str()).collect();
    assert_eq!(texts, ["I am allergic to peanuts and penicillin"]);
}

#[test]
fn what_a_person_set_is_kept() {
    let test = workspace();
    let name = memtape::BlockName::new("focus").unwrap();
    test.workspace.blocks().set(&name, "mine", None).unwrap();
    let added = memtape::Added::new("I like tea", Category::Preference);
    test.workspace.statements().add(&added).unwrap();
    let dir = tempfile::tempdir().unwrap();
    rusqlite::Connection::open(dir.path().join("memory.db"))
        .unwrap()
        .execute_batch(
            "CREATE TABLE memory_blocks (id INTEGER PRIMARY KEY, name TEXT, value TEXT, layer INTEGER, created_at TEXT);
             INSERT INTO memory_blocks VALUES (1, 'focus', 'theirs', 4, '2026-01-01 00:00:00');",
        )
        .unwrap();
    expect![[r#"
        block versions -> blocks: 0 added, 0 present, 1 left out
        left out memory.db:memory_blocks:1: block current_focus has another value here
        quarantined 0, captured 0
        == main
        blocks "mine"
        statements 2026-04-11T10:00:00Z "I like tea"
    "#]]
    .assert_eq(&import_into(&test, "bud", dir.path(), &Settings::default()));
}

#[test]
fn messages_go_where_the_import_says() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("journal.jsonl"),
        "{\"ts\":\"2026-01-02T10:00:05Z\",\"type\":\"trigger\",\"from\":\"tim\",\"content\":\"hello\"}\n",
    )
    .unwrap();
    let settings = Settings { session: Session::parse("telegram:42").unwrap(), ..Settings::default() };
    let test = workspace();
    run(&test.workspace, "bud", dir.path(), &settings);
    let messages = test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(messages[0].session.as_deref(), Some("telegram:42"));
}

#[test]
fn messages_are_imported_on_one_branch_only() {
    let dir = tempfile::tempdir().unwrap();
    tape(dir.path(), &[("2026-03-01T08:00:00+00:00", "user", "hello")]);
    let test = workspace();
    test.workspace.branches().create("trial", None, &At::head()).unwrap();
    assert_eq!(run(&test.again_on("trial"), "bub", dir.path(), &Settings::default()).added(), 1);
    // Every branch shows messages.
    let report = run(&test.workspace, "bub", dir.path(), &Settings::default());
    assert_eq!((report.added(), report.present()), (0, 1));
}

#[test]
fn two_imports_at_once_write_each_item_once() {
    let test = workspace();
    let dir = tempfile::tempdir().unwrap();
    let input = Input::open(dir.path(), &TimeZone::UTC).unwrap();
    let (text, scope) = ("- milk".to_owned(), memtape_import::ItemScope::Workspace);
    let message =
        memtape_import::item::Message { role: "user".into(), text: "hello".into(), ..Default::default() };
    let line = Line { number: 1, text: text.clone(), said_at: None };
    let data = [("about".to_owned(), "kettle".into())].into_iter().collect();
    let contents = vec![
        Content::Message(message),
        Content::Lines(Lines { lines: vec![line], ..Lines::default() }),
        Content::Daily { date: "2026-04-10".parse().unwrap(), text, nth: 1, said_at: None, scope },
        Content::Journal { kind: "note".into(), data, session: None, said_at: None },
        Content::Note { path: "facts/a.md".into(), text: "milk".into() },
    ];
    let import = |at_end| {
        let source = Items { contents: contents.clone(), at_end };
        memtape_import::import(&test.workspace, &source, &input, &Settings::default(), &mut |_, _| {})
    };
    // Another import of the same items overtakes this one.
    let overtake = || {
        assert_eq!(import(&|| Ok(()))?.added(), 5);
        Ok(())
    };
    let report = import(&overtake).unwrap();
    assert_eq!((report.added(), report.present()), (0, 5));
    let tape = fs::read_to_string(test.path().join("tape.jsonl")).unwrap();
    for text in ["hello", "\"import.items\"", "kettle"] {
        assert_eq!(tape.matches(text).count(), 1, "{text}");
    }
}

/// A folder of OpenClaw with a line of long-term memory, a note and a block.
fn agent() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (file, text) in [("MEMORY.md", "- tea"), ("TOOLS.md", "# Kettle\n"), ("USER.md", "Ana")] {
        fs::write(dir.path().join(file), text).unwrap();
    }
    dir
}

fn count(workspace: &memtape::Workspace) -> usize {
    let read = |form| workspace.memories(form, &Audience::owner(), &At::head()).unwrap().len();
    [Form::ZONE, Form::NOTES, Form::BLOCKS].into_iter().map(read).sum()
}

#[test]
fn what_was_undone_can_be_imported_again() {
    let (test, dir) = (workspace(), agent());
    let import = || run(&test.workspace, "openclaw", dir.path(), &Settings::default());
    let branches = || test.workspace.branches();
    assert_eq!(import().added(), 3);
    branches().undo().unwrap();
    assert_eq!(count(&test.workspace), 0);
    branches().redo().unwrap();
    assert_eq!((import().added(), count(&test.workspace)), (0, 3));
    branches().undo().unwrap();
    assert_eq!((import().added(), count(&test.workspace)), (3, 3));
    assert_eq!((import().added(), count(&test.workspace)), (0, 3));
}

#[test]
fn what_was_forgotten_does_not_return() {
    let (test, dir) = (workspace(), agent());
    let import = || run(&test.workspace, "openclaw", dir.path(), &Settings::default());
    import();
    test.workspace.zone().forget_text("tea").unwrap();
    assert_eq!((import().added(), count(&test.workspace)), (0, 2));
}

#[test]
fn each_branch_has_its_own_imports() {
    for is_deleted in [false, true] {
        let (test, dir) = (workspace(), agent());
        test.workspace.branches().create("side", None, &At::head()).unwrap();
        let import = |workspace: &memtape::Workspace| {
            run(workspace, "openclaw", dir.path(), &Settings::default()).added()
        };
        let side = test.again_on("side");
        assert_eq!((import(&side), import(&side)), (3, 0));
        if is_deleted {
            test.workspace.branches().delete("side").unwrap();
        }
        assert_eq!((import(&test.workspace), import(&test.workspace)), (3, 0));
        assert_eq!(count(&test.workspace), 3);
    }
}

#[test]
fn a_branch_knows_what_was_merged_into_it() {
    let (test, dir) = (workspace(), agent());
    test.workspace.branches().create("side", None, &At::head()).unwrap();
    run(&test.again_on("side"), "openclaw", dir.path(), &Settings::default());
    let branches = test.workspace.branches();
    branches.merge("side").unwrap();
    test.workspace.zone().forget_text("tea").unwrap();
    assert_eq!(run(&test.workspace, "openclaw", dir.path(), &Settings::default()).added(), 0);
    assert_eq!(count(&test.workspace), 2);
    // A branch that was forked from it, too.
    branches.create("later", None, &At::head()).unwrap();
    let later = test.again_on("later");
    assert_eq!(run(&later, "openclaw", dir.path(), &Settings::default()).added(), 0);
}

/// Lines that are equal mean something else below another heading.
#[test]
fn repeated_lines_are_kept() {
    const LINES: &str =
        "## Anna\n- allergic to nuts\n\n## Ben\n- allergic to nuts\n\n| a |\n|---|\n| b |\n|---|\n";
    // The second day is in the zone, and the first in the note of its month.
    for (file, day) in
        [("MEMORY.md", None), ("memory/2026-06-01.md", None), ("memory/2026-02-01.md", Some("2026-02"))]
    {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        fs::create_dir(dir.path().join("memory")).unwrap();
        let file = dir.path().join(file);
        fs::write(&file, LINES).unwrap();
        let shown = import_into(&test, "openclaw", dir.path(), &Settings::default());
        assert!(shown.contains(": 8 added, 0 present, 0 left out"), "{shown}");
        assert_eq!(shown.matches("- allergic to nuts").count(), 2, "{shown}");
        assert_eq!(shown.matches("|---|").count(), 2, "{shown}");
        assert_eq!(shown.contains("beside"), day.is_some(), "{shown}");
        // A third one is new.
        fs::write(&file, format!("{LINES}- allergic to nuts\n")).unwrap();
        let report = run(&test.workspace, "openclaw", dir.path(), &Settings::default());
        assert_eq!((report.added(), report.present()), (1, 8));
    }
}

/// Every prompt shows every block, so blocks are limited.
#[test]
fn a_block_that_is_too_long_becomes_a_note() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let long = "Ana. ".repeat(test.workspace.config().blocks.max_chars / 5 + 1);
    for (file, text) in [("SOUL.md", "short"), ("USER.md", &long)] {
        fs::write(dir.path().join(file), text).unwrap();
    }
    let shown = import_into(&test, "openclaw", dir.path(), &Settings::default());
    assert!(shown.contains("beside USER.md: facts/owner_context.md"), "{shown}");
    assert!(shown.contains(long.trim()), "{shown}");
}

/// A message without a date is as old as the one before it, the first ones as the first with a date.
#[test]
fn messages_without_a_date_are_dated_like_those_beside_them() {
    let dir = tempfile::tempdir().unwrap();
    tape(
        dir.path(),
        &[
            ("", "user", "one"),
            ("soon", "user", "two"),
            ("2026-03-01T08:00:05+00:00", "user", "three"),
            ("2026-13-45T08:00:05+00:00", "user", "four"),
            ("9999-03-01T08:00:05+00:00", "assistant", "five"),
            ("1970-01-01T00:00:00+00:00", "user", "six"),
        ],
    );
    expect![[r#"
        messages -> messages: 6 added, 0 present, 0 left out
        undated a__b.jsonl:1: 2026-03-01T08:00:05Z
        undated a__b.jsonl:2: 2026-03-01T08:00:05Z
        undated a__b.jsonl:4: 2026-03-01T08:00:05Z
        undated a__b.jsonl:5: 2026-03-01T08:00:05Z
        undated a__b.jsonl:6: 2026-03-01T08:00:05Z
        quarantined 0, captured 0
        == main
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "one"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "two"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "three"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "four"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "five"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "six"
    "#]]
    .assert_eq(&import_into(&workspace(), "bub", dir.path(), &Settings::default()));
    // A file of which no message has a date.
    tape(dir.path(), &[("", "user", "I prefer window seats."), ("", "assistant", "Noted.")]);
    let file = fs::File::options().write(true).open(dir.path().join("a__b.jsonl")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_772_000_000)).unwrap();
    let settings = Settings { capture: true, ..Settings::default() };
    expect![[r#"
        messages -> messages: 2 added, 0 present, 0 left out
        undated a__b.jsonl:1: 2026-02-25T06:13:20Z
        undated a__b.jsonl:2: 2026-02-25T06:13:20Z
        quarantined 0, captured 1
        == main
        messages channel:bub:chat:b 2026-02-25T06:13:20Z "I prefer window seats."
        messages channel:bub:chat:b 2026-02-25T06:13:20Z "Noted."
        statements channel:bub:chat:b 2026-02-25T06:13:20Z "I prefer window seats"
    "#]]
    .assert_eq(&import_into(&workspace(), "bub", dir.path(), &settings));
    // A file whose date is no help either.
    let test = workspace();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(4_000_000_000)).unwrap();
    let report = run(&test.workspace, "bub", dir.path(), &settings);
    let left_out: Vec<_> =
        report.left_out.listed.iter().map(|(place, why)| format!("{place}: {why}")).collect();
    assert_eq!(left_out, ["a__b.jsonl:1: no statements are captured from it: its date is not known"]);
}

/// What stands between the messages of a tape ends no wait for their date, and has that date too.
#[test]
fn tool_calls_and_events_wait_with_the_messages() {
    let dir = tempfile::tempdir().unwrap();
    let message = |text: &str| json!({"role": "user", "content": text});
    let entries = [
        ("message", message("one"), None),
        ("tool_call", json!({"calls": [{"name": "list", "arguments": {}}]}), None),
        ("event", json!({"name": "run", "data": {"status": "ok"}}), None),
        ("message", message("two"), Some("2026-03-01T08:00:05+00:00")),
    ];
    let line = |(n, (kind, payload, date)): (usize, &(&str, serde_json::Value, Option<&str>))| {
        json!({"id": n + 1, "kind": kind, "payload": payload, "date": date}).to_string()
    };
    let lines: Vec<_> = entries.iter().enumerate().map(line).collect();
    fs::write(dir.path().join("a__b.jsonl"), lines.join("\n")).unwrap();
    expect![[r#"
        groups of tool calls -> messages: 1 added, 0 present, 0 left out
        messages -> messages: 2 added, 0 present, 0 left out
        tape entries -> tape: 1 added, 0 present, 0 left out
        undated a__b.jsonl:1: 2026-03-01T08:00:05Z
        quarantined 0, captured 0
        == main
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "one"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "list({})"
        messages channel:bub:chat:b 2026-03-01T08:00:05Z "two"
    "#]]
    .assert_eq(&import_into(&workspace(), "bub", dir.path(), &Settings::default()));
}
