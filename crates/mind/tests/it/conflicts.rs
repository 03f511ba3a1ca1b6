//! Conflicts that a model resolves.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memtape::config::Provider;
use memtape::{At, Audience, FilePath, Form, Session, Workspace};
use memtape_mind::{Error, resolve};
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::{Value, json};

use crate::{World, stated};

/// Decides all conflicts in the same way.
fn decisions(request: &Request, action: &str, value: Option<&str>) -> Answer {
    let decide = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        json!({"n": line["n"], "action": action, "value": value, "why": "said last"})
    };
    let decisions: Vec<Value> = request.last_text().lines().map(decide).collect();
    Answer::Say(json!({"decisions": decisions}).to_string())
}

#[test]
fn a_version_that_the_model_has_not_seen_is_not_replaced() {
    let path = Arc::new(OnceLock::<PathBuf>::new());
    let dir = Arc::clone(&path);
    let world = World::new(Provider::OpenAi, move |request| {
        let other = Workspace::open(dir.get().unwrap(), memtape::Options::default()).unwrap();
        other.ledger().add(&stated("Ana", "lives in", "Lisbon", None)).unwrap();
        decisions(request, "theirs", None)
    });
    path.set(world.test.path().to_owned()).unwrap();
    let workspace = world.workspace();
    workspace.ledger().add(&stated("Ana", "lives in", "Porto", None)).unwrap();
    let known = workspace.memories(Form::LEDGER, &Audience::owner(), &At::head()).unwrap();
    let removals = [(known[0].reference(), "doubtful".to_owned())];
    let proposed = workspace.branches().propose_removal(&removals, "propose it").unwrap();
    assert!(proposed.is_some());
    let resolved = resolve(workspace, &world.models, &Session::direct(), None).unwrap();
    assert_eq!(resolved.len(), 1, "{resolved:?}");
    assert_eq!(resolved[0].commit, None, "{resolved:?}");
    assert_eq!(world.texts(Form::LEDGER), ["Ana lives in Lisbon"]);
}

#[test]
fn a_value_keeps_line_ends_and_replaces_no_bytes_that_are_no_text() {
    let world = World::new(Provider::OpenAi, |request| decisions(request, "value", Some("both\nend\n")));
    let write = |workspace: &Workspace, name: &str, text: &str| {
        workspace.files().write(&FilePath::new(&format!("research/{name}")).unwrap(), text).unwrap();
    };
    let workspace = world.workspace();
    write(workspace, "windows.md", "base\r\nend\r\n");
    write(workspace, "latin.md", "base\n");
    workspace.branches().create("work", None, &At::head()).unwrap();
    let other = world.test.again_on("work");
    write(&other, "windows.md", "theirs\r\nend\r\n");
    write(&other, "latin.md", "theirs\n");
    write(workspace, "windows.md", "ours\r\nend\r\n");
    let latin = world.test.path().join("files/research/latin.md");
    std::fs::write(&latin, b"caf\xe9\n").unwrap();
    assert_eq!(workspace.branches().merge("work").unwrap().conflicts.len(), 2);
    let resolved = resolve(workspace, &world.models, &Session::direct(), None).unwrap();
    for resolved in &resolved {
        assert_eq!(resolved.commit.is_some(), resolved.reference.key.contains("windows"), "{resolved:?}");
    }
    let mut texts = world.texts(Form::FILES);
    texts.sort();
    assert_eq!(texts, ["both\r\nend\r\n", "caf\u{fffd}\n"]);
    assert_eq!(std::fs::read(&latin).unwrap(), b"caf\xe9\n");
}

#[test]
fn only_the_conflict_that_is_named_is_resolved() {
    let world = World::new(Provider::OpenAi, |request| decisions(request, "theirs", None));
    let workspace = world.workspace();
    let lives = |workspace: &Workspace, city: &str| {
        workspace.ledger().add(&stated("Ana", "lives in", city, None)).unwrap();
    };
    lives(workspace, "Porto");
    for (branch, city) in [("planner", "Lisbon"), ("work", "Utrecht")] {
        workspace.branches().create(branch, None, &At::head()).unwrap();
        lives(&world.test.again_on(branch), city);
    }
    lives(workspace, "Faro");
    for branch in ["planner", "work"] {
        assert_eq!(workspace.branches().merge(branch).unwrap().conflicts.len(), 1, "{branch}");
    }
    let open = || workspace.branches().conflicts(&At::head()).unwrap();
    let first = open()[0].version();
    let resolve = || resolve(workspace, &world.models, &Session::direct(), Some(&first));
    let resolved = resolve().unwrap();
    assert_eq!(resolved.len(), 1, "{resolved:?}");
    assert!(resolved[0].commit.is_some(), "{resolved:?}");
    assert_eq!((world.texts(Form::LEDGER), open().len()), (vec!["Ana lives in Lisbon".to_owned()], 1));
    // It is resolved, and the other one is not meant.
    assert!(matches!(resolve(), Err(Error::Invalid(_))));
    assert_eq!((world.model.requests().len(), open().len()), (1, 1));
}
