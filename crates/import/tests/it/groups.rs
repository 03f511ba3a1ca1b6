//! The groups in which items are written.

use std::fs;

use jiff::tz::TimeZone;
use memtape::{At, Audience, Category, Form};
use memtape_import::item::Statement;
use memtape_import::{Content, Input, ItemScope, Report, Settings};
use memtape_testkit::TestWorkspace;
use serde_json::json;

use crate::harness::{Items, run, workspace};

/// Imports items, and returns the report and the number of groups.
fn import_items(test: &TestWorkspace, items: Vec<Content>) -> (Report, usize) {
    let dir = tempfile::tempdir().unwrap();
    let input = Input::open(dir.path(), &TimeZone::UTC).unwrap();
    let source = Items { contents: items, at_end: &|| Ok(()) };
    let mut groups = 0;
    let report =
        memtape_import::import(&test.workspace, &source, &input, &Settings::default(), &mut |_, _| {
            groups += 1;
        });
    (report.unwrap(), groups)
}

fn message(text: &str, user: Option<&str>) -> Content {
    Content::Message(memtape_import::item::Message {
        role: "user".into(),
        text: text.into(),
        user: user.map(str::to_owned),
        ..Default::default()
    })
}

/// A group is written when its texts are long, whichever they are.
#[test]
fn a_group_is_bounded_by_all_of_its_texts() {
    let long = "x".repeat(3 << 20);
    let data = [("about".to_owned(), long.as_str().into())].into_iter().collect();
    let arguments = json!({"path": [long]});
    let call = memtape_import::item::ToolCall { name: "list".into(), arguments, result: None };
    let fact = memtape_import::item::Fact { evidence: Some(long.clone()), ..Default::default() };
    let event = memtape::bulk::TapeEntry::Event { name: "run".into(), data: Some(json!({"a": long})) };
    for content in [
        Content::Journal { kind: "note".into(), data, session: None, said_at: None },
        Content::ToolCalls { session: None, calls: vec![call], said_at: None },
        Content::Fact(fact),
        Content::Entry { entry: event, session: None, said_at: None },
        message(&long, None),
    ] {
        let (_, groups) = import_items(&workspace(), vec![content.clone(); 6]);
        assert!(groups > 2, "{groups}");
    }
}

/// The number of commits is that of the undos.
#[test]
fn every_commit_of_an_import_is_reported() {
    let statement = |text: &str, scope: ItemScope| {
        Content::Statement(Statement { scope, ..Statement::new(text, Category::Fact) })
    };
    let secret = "telegram:ghp_0123456789abcdefABCDEF0123456789abcd";
    let of_secret = statement("six", ItemScope::User(secret.into()));
    let cases = [(of_secret, 1), (message("six", Some(secret)), 2)];
    for (refused, commits) in cases {
        let test = workspace();
        let mut items: Vec<_> =
            ["one", "two", "three", "four"].map(|text| statement(text, ItemScope::Workspace)).into();
        items.insert(1, refused);
        let (report, _) = import_items(&test, items);
        assert_eq!((report.added(), report.left_out.count, report.commits), (4, 1, commits));
        for _ in 0..report.commits {
            test.workspace.branches().undo().unwrap();
        }
        let left = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        assert!(left.is_empty(), "{left:?}");
    }
    // What is captured from the conversation of the import is undone there.
    let dir = tempfile::tempdir().unwrap();
    let line = json!({"ts": "2026-01-02T10:00:05Z", "type": "trigger", "from": "tim", "content": "I prefer window seats."});
    fs::write(dir.path().join("journal.jsonl"), line.to_string()).unwrap();
    let settings = Settings { capture: true, ..Settings::default() };
    let report = run(&workspace().workspace, "bud", dir.path(), &settings);
    assert_eq!((report.captured, report.commits, report.capture_commits), (1, 1, 0));
}
