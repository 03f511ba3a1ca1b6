//! Replicas of upstreams that are not reached, or have no entries.

use std::time::Duration;

use memtape::{At, Options, Warning, Workspace};
use memtape_testkit::{TestWorkspace, upstreams};

/// Every workspace has entries: an upstream without any has lost them, or its first backup was interrupted.
#[test]
fn an_upstream_without_entries_is_not_cloned() {
    for kind in ["memory", "s3"] {
        let upstream = upstreams::new(kind);
        upstream.create().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let options = Options { upstream: Some(upstream), ..Options::default() };
        let Err(error) = Workspace::replica(&dir.path().join("new"), options) else { panic!("{kind}") };
        assert_eq!(error.kind(), memtape::ErrorKind::NotFound, "{kind}: {error}");
        assert!(!dir.path().join("new").exists());
    }
}

/// What is read from a replica that does not reach its upstream says so, until it is reached again.
#[test]
fn a_stale_answer_is_marked_until_the_upstream_is_reached() {
    let disk = tempfile::tempdir().unwrap();
    let (place, moved) = (disk.path().join("tape"), disk.path().join("moved"));
    let url = format!("file://{}", place.display());
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.push(memtape_remote::open(&url).unwrap().as_ref()).unwrap();
    let open = || {
        let mut config = memtape_testkit::config();
        config.upstream.wait = Duration::ZERO;
        let upstream = Some(memtape_remote::open(&url).unwrap());
        Workspace::open(test.path(), Options { config, upstream, ..Options::default() }).unwrap()
    };
    let replica = open();
    replica.zone().remember("Ana likes tea").unwrap();
    let recall = || replica.tools().call("memory_recall", serde_json::json!({"query": "tea"})).unwrap();
    assert!(!recall().contains("as of"), "{}", recall());
    std::fs::rename(&place, &moved).unwrap();
    let reply = recall();
    assert!(reply.starts_with("(this is the memory as of ") && reply.contains("Ana likes tea"), "{reply}");
    assert!(replica.stale().is_some_and(|stale| stale.since.is_some()));
    std::fs::rename(&moved, &place).unwrap();
    // The upstream is there again, but another command has failed a moment ago.
    let other = open();
    other.zone().view(&At::head()).unwrap();
    let warnings = other.take_warnings();
    let [Warning::Offline { why, .. }] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(why.ends_with("seconds ago, and not asked again since)"), "{why}");
    // A command that reaches it afterwards does not say that it cannot.
    replica.zone().view(&At::head()).unwrap();
    replica.zone().remember("Ana likes coffee").unwrap();
    assert_eq!((replica.stale(), replica.take_warnings()), (None, vec![]));
    assert!(!recall().contains("as of"), "{}", recall());
}
