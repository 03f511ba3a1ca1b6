//! `fact`, and what `show`, `why`, `recall` and `forget` say of facts.

use expect_test::expect;
use serde_json::json;

use crate::harness::Home;

/// Facts of the workspace and of a chat.
fn home() -> Home {
    let home = Home::new();
    home.setup(&[
        "fact add user 'prefers backend' Python --scope work/technical --confidence .9 --evidence 'I prefer Python'",
        "fact add user prefers 'dark mode'",
        "fact add user prefers cocoa --scope session --session telegram:1",
        "fact add office is closed --days 2 --source calendar",
        "fact add safe 'opens with' 12-34 --sensitivity confidential",
    ]);
    home
}

#[test]
fn what_is_told_is_said_back_with_its_ref_and_its_commit() {
    let home = Home::new();
    home.check(
        &[
            "fact add user prefers 'dark mode'",
            "fact add User prefers 'Dark  Mode'",
            "fact add user prefers 'dark mode' --evidence 'said so'",
            "fact add user prefers 'light mode' --confidence .7",
            "fact update user prefers 'solarized' --reason 'it changed'",
            "fact observe door is open",
            "fact observe door is open",
            "fact add door is open --confidence .9",
            "fact observe door is shut",
            "fact observe door is shut",
            "fact deprecate user prefers --reason 'no longer so'",
            "fact list",
            "fact confirm user prefers",
            "fact confirm user prefers",
            "fact forget user prefers",
            "fact list",
        ],
        &expect![[""]],
    );
}

#[test]
fn what_fails_says_why() {
    let home = home();
    home.check(
        &[
            "fact update user likes tea",
            "fact forget user likes",
            "fact add user prefers '' ",
            "fact add user prefers x --confidence 2",
            "fact add user prefers x --days 0",
            "fact add user prefers x --sensitivity odd",
            "fact add user prefers water --scope temporary",
            "fact update user prefers tea",
            "fact update user prefers tea --scope temporary",
            "fact confirm user",
            "fact confirm zone:0123456789abcdef",
            "fact promote 0123456789abcdef",
            "fact promote ledger:0123456789abcdef",
            "fact history nobody is",
            "fact history nobody is --json",
            "fact list --lifetime long",
            "fact update user 'prefers backend' Rust --session telegram:1",
            "fact forget user prefers --at 3",
        ],
        &expect![[""]],
    );
}

#[test]
fn facts_are_listed_by_topic_lifetime_and_subject() {
    let home = home();
    home.check(
        &[
            "fact list",
            "fact list --topic work",
            "fact list --lifetime session",
            "fact list --subject OFFICE",
            "fact list --predicate prefers --session telegram:1",
            "fact list --topic tea",
            "fact list --subject nobody --json",
            "fact list --at 4",
        ],
        &expect![[""]],
    );
    for n in 0..60 {
        home.setup(&[&format!("fact add item{n} is here")]);
    }
    let listed = home.run("fact list");
    assert_eq!((listed.stdout.lines().count(), listed.stderr.as_str()), (50, "15 more: --all lists them\n"));
    assert_eq!(home.run("fact list --all").stdout.lines().count(), 65);
    assert_eq!(home.run("fact list --json").json()["more"], 15);
}

#[test]
fn a_fact_is_shown_found_explained_and_forgotten_by_its_ref() {
    let home = home();
    let key = "ledger:1bd55b1c56bb8f73";
    home.check(
        &[
            &format!("show {key}"),
            "fact update user 'prefers backend' Rust --reason 'it changed'",
            &format!("why {key}"),
            &format!("fact history {key}"),
            "recall 'backend' --form ledger",
            "tool call memory_recall '{\"query\":\"backend\"}'",
            &format!("forget {key} --yes --reason 'asked to'"),
            &format!("show {key}"),
            &format!("forget {key} --yes"),
        ],
        &expect![[""]],
    );
}

#[test]
fn a_fact_of_a_conversation_can_be_kept_for_good() {
    let home = home();
    let key = home.run("fact list --lifetime session --json").json()["facts"][0]["ref"].clone();
    let key = key.as_str().unwrap();
    home.check(
        &[
            "fact list --session telegram:1:other --subject user --predicate prefers",
            &format!("fact promote {key}"),
            &format!("fact promote {key}"),
            "fact list --session telegram:1:other --subject user --predicate prefers",
            "fact history user prefers --session telegram:1:other",
        ],
        &expect![[""]],
    );
}

#[test]
fn json_has_the_fields_of_document_1() {
    let home = home();
    let added = home.run("fact add user prefers 'light mode' --json").json();
    assert_eq!((&added["outcome"], &added["text"]), (&json!("replaced"), &json!("user prefers light mode")));
    assert_eq!(added["before"]["object"], "dark mode");
    for field in ["event", "commit"] {
        assert_eq!(added[field].as_str().unwrap().len(), 16, "{field}");
    }
    let shown = home.run(&format!("show {} --json", added["ref"].as_str().unwrap())).json();
    let fact = &shown[0]["fact"];
    assert_eq!((&fact["id"], &fact["parent_id"]), (&added["event"], &added["before"]["id"]));
    assert_eq!((&fact["event_type"], &fact["confidence"]), (&json!("modify"), &json!(1.0)));
    // What is confidential shows by its ref alone.
    let facts = home.run("fact list --subject safe --json").json();
    assert_eq!((&facts["facts"][0]["object"], &facts["facts"][0]["subject"]), (&json!(null), &json!(null)));
    let again = home.run("fact add safe 'opens with' 99 --json").json();
    assert_eq!(again["before"]["object"], json!(null));
    let history = home.run("fact history user prefers --json").json();
    assert_eq!(history.as_array().unwrap().len(), 3, "{history}");
    let forgotten = home.run("fact forget user prefers --reason done --json").json();
    assert_eq!(forgotten["forgotten"].as_array().unwrap().len(), 1);
    let gone = home.run("fact history user prefers --scope permanent --json").json();
    assert_eq!(gone[1]["end"]["reason"], "done");
}

#[test]
fn the_tools_of_the_ledger_are_listed_where_they_are_asked_for_and_callable_always() {
    let home = Home::new();
    let core = home.run("tool list").stdout;
    assert!(core.contains("memory_add") && !core.contains("memory_search"), "{core}");
    assert!(home.run("tool list --toolset ledger").stdout.contains("memory_search"));
    home.check(
        &[
            "tool call memory_add '{\"subject\":\"user\",\"predicate\":\"prefers\",\"object\":\"tea\"}' --session telegram:1",
            "tool call memory_search '{\"subject\":\"user\"}' --session telegram:2",
            "tool call memory_forget '{\"subject\":\"user\",\"predicate\":\"prefers\"}' --session telegram:1",
            "tool list --toolset nothing",
        ],
        &expect![[""]],
    );
}
