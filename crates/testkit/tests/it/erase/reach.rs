//! The reach of an erasure: it includes kept indexes and unusual JSON, excludes numbers that look like secrets, and
//! refuses a request that would remove more.

use std::fs;

use memtape::tape::LogQuestion;
use memtape::{At, Workspace};
use memtape_store::{Replacement, Store};
use memtape_tape::EntryId;
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::store_options;
use serde_json::json;

use super::secret::{assert_gone, author, said};

#[test]
fn kept_indexes_go_too() {
    let test = TestWorkspace::new();
    test.older().remember(&said(1)).unwrap();
    test.workspace.zone().context(&At::head()).unwrap();
    let tape = fs::read(test.path().join("tape.jsonl")).unwrap();
    fs::write(test.path().join("tape.jsonl"), "").unwrap();
    test.workspace.zone().context(&At::head()).unwrap();
    fs::write(test.path().join("tape.jsonl"), tape).unwrap();
    fs::write(test.path().join("index-v1.db"), said(1)).unwrap();
    let kept = test.path().join("archive/index-until-6.db");
    assert!(kept.exists());
    test.reopened().scan_and_redact().unwrap();
    assert!(!kept.exists());
    assert_gone(test.path());
}

/// Requests whose erasure would damage other text.
#[test]
fn an_erasure_that_would_remove_more_is_refused() {
    let test = TestWorkspace::new();
    test.append("anchor", r#"{"name":"branch/fork","state":{"parent":"main","at":3}}"#, "{}");
    test.workspace.zone().remember("one\ntwo").unwrap();
    let store = Store::open(test.path(), store_options(&test.clock)).unwrap();
    let erase = |id: EntryId, with: Option<&str>| {
        let with = with.map(|text| {
            let raw = |value: &serde_json::Value| serde_json::value::to_raw_value(value).unwrap();
            (raw(&serde_json::from_str(text).unwrap()), raw(&json!({})))
        });
        store.erase(&author(), "x", |_| Ok(vec![Replacement::Entry { id, with: with.clone() }]))
    };
    let refused = |done: memtape_store::Result<_>| match done {
        Err(e @ memtape_store::Error::NotErasable { .. }) => e.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused(erase(4, None)).contains("it creates or deletes a branch"));
    let one = r#"{"name":"memory.long_term","data":{"content":"one and two"}}"#;
    assert!(refused(erase(6, Some(one))).contains("other memories"));
    let event = erase(6, None).unwrap().event.unwrap();
    assert!(refused(erase(event, None)).contains("it records the digests"));
    let twice = store.erase(&author(), "x", |_| {
        Ok(vec![Replacement::Entry { id: 1, with: None }, Replacement::Entry { id: 1, with: None }])
    });
    assert!(refused(twice).contains("twice"));
    // Nothing is done for text that is already erased.
    assert_eq!(erase(6, None).unwrap().event, None);
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

/// JSON that only a foreign writer can have written: a duplicate field, and nesting that is too deep.
#[test]
fn unusual_json_is_searched() {
    let test = TestWorkspace::new();
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    test.append("message", &format!(r#"{{"role":"user","content":"{}","x":{deep}}}"#, said(1)), "{}");
    test.append("message", &format!(r#"{{"role":"user","content":"{}","content":"tea"}}"#, said(2)), "{}");
    test.append("x", "{}", &format!(r#"{{"note":"{}","session":"telegram:7","retires":[7]}}"#, said(3)));
    assert_eq!(test.workspace.scan().unwrap().finds.len(), 3);
    test.workspace.scan_and_redact().unwrap();
    assert_gone(test.path());
    let log = test.workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    assert_eq!(log[3].payload.get(), "{}");
    assert_eq!(log[4].payload.get(), r#"{"role":"user","content":"tea"}"#);
    let meta =
        r#"{"note":"the password of door 3 is [redacted:password]","session":"telegram:7","retires":[7]}"#;
    assert_eq!(log[5].meta.get(), meta);
    assert_eq!(test.workspace.scan().unwrap().finds, []);
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

/// Numbers of memories and digests can look like the number of a card: they are none.
#[test]
fn numbers_of_the_tape_stay() {
    let test = TestWorkspace::new();
    test.append("x", "{}", r#"{"retires":[4111111111111111],"scope":"channel:x:user:4111111111111111"}"#);
    let now = format!("a4111111111111111b{}", "0".repeat(46));
    let event =
        format!(r#"{{"name":"tape.erase","data":{{"entries":[{{"id":1,"now":"{now}"}}],"reason":"x"}}}}"#);
    test.append("event", &event, "{}");
    assert_eq!(test.workspace.scan().unwrap().finds, []);
    assert_eq!(test.workspace.scan_and_redact().unwrap().event, None);
}
