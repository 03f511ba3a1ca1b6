//! Consolidation with a model.

use memtape::config::Provider;
use memtape::{At, Form, Resolution};
use memtape_mind::consolidate;
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::{Value, json};

use crate::{World, stated};

fn fact(world: &World, object: &str, scope: &str) {
    let fact = stated("office", "is in", object, Some(scope));
    world.workspace().ledger().add(&fact).unwrap();
}

/// A model that wants to remove what mentions Berlin.
fn judge(request: &Request) -> Answer {
    let lines = request.last_text();
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let remove: Vec<Value> = lines
        .filter(|line| line["text"].as_str().unwrap().contains("Berlin"))
        .map(|line| json!({"id": line["id"], "why": "they moved"}))
        .collect();
    Answer::Say(json!({"remove": remove}).to_string())
}

#[test]
fn a_removal_proposed_by_the_model_awaits_a_decision() {
    let world = World::new(Provider::OpenAi, judge);
    fact(&world, "Berlin", "work");
    fact(&world, "Munich", "company");
    let judged = consolidate(world.workspace(), &world.models).unwrap();
    assert_eq!(judged.proposed.len(), 1, "{judged:?}");
    assert!(judged.commit.is_some());
    assert_eq!(world.texts(Form::LEDGER).len(), 2);
    let branches = world.workspace().branches();
    let open = branches.conflicts(&At::head()).unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!(
        (open[0].ours.as_ref().unwrap().text.as_str(), &open[0].theirs),
        ("office is in Berlin", &None)
    );
    // Nothing has changed since: nothing is asked, and nothing is proposed twice.
    let asked = world.model.requests().len();
    assert_eq!(consolidate(world.workspace(), &world.models).unwrap().proposed, []);
    assert_eq!(world.model.requests().len(), asked);
    // The proposal can be undone, and accepted.
    branches.undo().unwrap();
    assert!(branches.conflicts(&At::head()).unwrap().is_empty());
    branches.redo().unwrap();
    branches.resolve(&open[0].reference, &Resolution::Theirs).unwrap();
    assert_eq!(world.texts(Form::LEDGER), ["office is in Munich"]);
    assert!(branches.conflicts(&At::head()).unwrap().is_empty());
}

#[test]
fn old_episodes_become_a_line_each_in_one_commit() {
    let world = World::new(Provider::Anthropic, |request| {
        assert!(request.last_text().contains("## Logger fix"), "{}", request.last_text());
        Answer::Say(
            json!({"episodes": ["- Logger fix (2025-03-02): pino leak, own transport", "- Short ids (2025-03-09): 16 hex"]})
                .to_string(),
        )
    });
    let notes = world.workspace().notes();
    let old = notes.path("episodes/2025-03.md").unwrap();
    let text = "# 2025-03 Episodes\n\n> Summary: logger, ids\n\n## Logger fix\n- Date: 2025-03-02\n- Problem: a leak\n\n## Short ids\n- Date: 2025-03-09\n";
    notes.write(&old, text).unwrap();
    let new = notes.path("episodes/2026-02.md").unwrap();
    notes.write(&new, "# 2026-02 Episodes\n\n## Today\n- Date: 2026-02-10\n").unwrap();
    let judged = consolidate(world.workspace(), &world.models).unwrap();
    assert_eq!(judged.summarised, ["episodes/2025-03.md"]);
    let read = |path| notes.read(path, &At::head()).unwrap().text();
    assert!(
        read(&old).ends_with(
            "\n- Logger fix (2025-03-02): pino leak, own transport\n- Short ids (2025-03-09): 16 hex\n"
        ),
        "{}",
        read(&old)
    );
    assert!(read(&new).contains("## Today"));
    assert!(consolidate(world.workspace(), &world.models).unwrap().summarised.is_empty());
    world.workspace().branches().undo().unwrap();
    assert_eq!(read(&old), text);
}

#[test]
fn a_summary_is_kept_if_the_next_one_fails() {
    let mut is_down = true;
    let world = World::configured(
        Provider::OpenAi,
        |config| config.model.retries = 0,
        move |request| match request.last_text().contains("## April") {
            true if std::mem::take(&mut is_down) => {
                Answer::Status { code: 500, message: "oops".into(), retry_after: None }
            }
            true => Answer::Say(json!({"episodes": ["- April: rain"]}).to_string()),
            false => Answer::Say(json!({"episodes": ["- March: wind"]}).to_string()),
        },
    );
    let notes = world.workspace().notes();
    for (path, text) in [
        ("episodes/2025-03.md", "# A\n\n## March\nwind\n"),
        ("episodes/2025-04.md", "# B\n\n## April\nrain\n"),
    ] {
        notes.write(&notes.path(path).unwrap(), text).unwrap();
    }
    let judged = consolidate(world.workspace(), &world.models).unwrap();
    assert_eq!(judged.summarised, ["episodes/2025-03.md"], "{judged:?}");
    assert!(judged.failure.is_some() && judged.summary_commit.is_some(), "{judged:?}");
    let judged = consolidate(world.workspace(), &world.models).unwrap();
    assert_eq!((judged.summarised, judged.failure), (vec!["episodes/2025-04.md".to_owned()], None));
    assert_eq!(world.model.requests().len(), 3);
}

#[test]
fn every_finding_is_judged_once() {
    let world = World::new(Provider::OpenAi, judge);
    let ledger = world.workspace().ledger();
    for n in 0..45 {
        let doubtful = stated(&format!("colleague {n}"), "may like", &format!("tea {n}"), None);
        ledger.add(&memtape::ledger::NewFact { confidence: 0.2, ..doubtful }).unwrap();
    }
    for _ in 0..3 {
        consolidate(world.workspace(), &world.models).unwrap();
    }
    let requests = world.model.requests();
    assert_eq!(requests.len(), 2);
    let mut judged: Vec<String> = requests.iter().map(Request::last_text).collect();
    judged.iter_mut().for_each(|text| text.push('\n'));
    let judged = judged.concat();
    for n in 0..45 {
        assert_eq!(judged.matches(&format!("may like tea {n}\"")).count(), 1, "{n}: {judged}");
    }
}
