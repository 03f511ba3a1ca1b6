//! The git-like memory of nanobot.

use expect_test::expect;
use memtape::export::{Export, Format};
use memtape::ledger::NewFact;
use memtape::{At, Form};
use memtape_import::Settings;

use crate::harness::{import, import_into, read, workspace};

#[test]
fn commits_are_replayed_in_their_order() {
    expect![[r#"
        memory/ledger/events/264766e1d5f2a71d.json [264766e1d5f2a71d] Fact(Fact { change: Record, subject: "user", predicate: "prefers", object: "café ☕", topic: None, confidence: Some(0.9), source: Some("agent_tool"), evidence: None, said_at: Some(2026-02-03T16:29:35.123456Z), whose: Workspace, branch: None })
        memory/ledger/events/a000000000000001.json [a000000000000001] Fact(Fact { change: Record, subject: "user", predicate: "lives_in", object: "Kassel", topic: Some("personal"), confidence: Some(1.0), source: Some("user_explicit"), evidence: Some("I moved to Kassel"), said_at: Some(2026-02-03T17:00:00Z), whose: Workspace, branch: None })
        memory/ledger/events/a000000000000002.json [a000000000000002] Fact(Fact { change: Record, subject: "user", predicate: "prefers", object: "Oolong", topic: None, confidence: Some(0.9), source: Some("agent_tool"), evidence: None, said_at: Some(2026-02-04T08:00:00Z), whose: Workspace, branch: None })
        memory/ledger/events skipped: "../../HEAD" is no id
        memory/ledger/events/a000000000000006.json skipped: it is not a JSON object
        memory/ledger/events/a00000000000000f.json skipped: there is no such file
        memory/ledger/events/a000000000000003.json [a000000000000003] Fact(Fact { change: Forget, subject: "user", predicate: "lives_in", object: "User requested", topic: None, confidence: Some(1.0), source: Some("agent_tool"), evidence: None, said_at: Some(2026-02-05T08:00:00Z), whose: Workspace, branch: None })
        memory/ledger/events/a000000000000005.json skipped: its type "shrug" is not known
        memory/ledger/events/a000000000000004.json [../../../etc/passwd:a000000000000004] Fact(Fact { change: Record, subject: "编辑器", predicate: "is", object: "7", topic: Some("work/technical"), confidence: Some(0.8), source: Some("agent_inferred"), evidence: None, said_at: Some(2026-02-05T09:00:00Z), whose: Workspace, branch: Some("../../../etc/passwd") })
        memory/ledger/events/a000000000000004.json [coding:a000000000000004] Fact(Fact { change: Record, subject: "编辑器", predicate: "is", object: "7", topic: Some("work/technical"), confidence: Some(0.8), source: Some("agent_inferred"), evidence: None, said_at: Some(2026-02-05T09:00:00Z), whose: Workspace, branch: Some("coding") })
        memory/ledger/commits/c000000000000005.json skipped: the commits are a circle: it is its own ancestor
        memory/MEMORY.md [memory/MEMORY.md@4d3fcb823b4a5e86] Lines(Lines { date: None, lines: [Line { number: 1, text: "- legacy line", said_at: None }], whose: Workspace })
    "#]].assert_eq(&read("nanobot-ledger/workspace"));
}

#[test]
fn they_become_facts_and_branches() {
    expect![[r#"
        facts -> ledger: 5 added, 0 present, 1 left out
        long-term lines -> zone: 1 added, 0 present, 0 left out
        left out memory/ledger/events: "../../HEAD" is no id
        left out memory/ledger/events/a000000000000006.json: it is not a JSON object
        left out memory/ledger/events/a00000000000000f.json: there is no such file
        left out memory/ledger/events/a000000000000005.json: its type "shrug" is not known
        left out memory/ledger/events/a000000000000004.json: invalid branch name "../../../etc/passwd": it contains .. or //
        left out memory/ledger/commits/c000000000000005.json: the commits are a circle: it is its own ancestor
        quarantined 0, captured 0
        == main
        ledger 2026-02-04T08:00:00Z "user prefers Oolong"
        zone "- legacy line"
        == coding
        ledger 2026-02-04T08:00:00Z "user prefers Oolong"
        ledger 2026-02-05T09:00:00Z "编辑器 is 7"
    "#]].assert_eq(&import("nanobot-ledger/workspace"));
}

#[test]
fn the_list_of_facts_of_an_export_is_not_long_term_memory() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let fact = NewFact {
        subject: "Ana".into(),
        predicate: "likes".into(),
        object: "tea".into(),
        scope: None,
        confidence: 0.9,
        source: "user_explicit".into(),
        evidence: None,
        days: None,
        quarantined: None,
    };
    test.workspace.ledger().add(&fact).unwrap();
    let export = Export { form: Some(Form::LEDGER), format: Format::Files, ..Export::default() };
    test.workspace.export_to(&export, &At::head(), &dir.path().join("facts"), false).unwrap();
    let shown = import_into(&workspace(), "nanobot-ledger", &dir.path().join("facts"), &Settings::default());
    assert!(shown.contains("Ana likes tea") && !shown.contains("\nzone"), "{shown}");
}
