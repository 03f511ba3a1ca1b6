//! What memories mean: vectors are made after a write, kept, made anew for another model, and never needed.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use memtape::{At, Backend, Config, Ingester, Notice, Options, Recall, Session, Waiting, Workspace};
use memtape_core::recall::vector::Vector;
use memtape_store::{Batch, INDEX_FILE, Model, Options as StoreOptions, Store};
use memtape_tape::Durability;
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::{counting_salts, options};
use rusqlite::Connection;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../embed/model");

fn ask(workspace: &Workspace, query: &str, backend: Backend) -> Vec<String> {
    let recall = Recall { backend: Some(backend), ..Recall::new(query) };
    let hits = workspace.recall(&recall, &At::head()).unwrap().hits;
    hits.into_iter().map(|hit| hit.memory.text).collect()
}

fn say(workspace: &Workspace, texts: &[String]) {
    let lines: String = texts
        .iter()
        .map(|text| format!("{}\n", serde_json::json!({"role": "user", "content": text})))
        .collect();
    Ingester::new(workspace, Session::direct()).run(Cursor::new(lines), |_| ()).unwrap();
}

fn waiting(workspace: &Workspace) -> (u64, u64) {
    let Waiting { known, messages } = workspace.waiting(&At::head()).unwrap();
    (known, messages)
}

/// How many vectors lie loose, and how many blocks of them there are.
fn kept(dir: &Path) -> (u64, u64) {
    let index = Connection::open(dir.join(INDEX_FILE)).unwrap();
    let count = |table: &str| index.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
    (count("vectors").unwrap(), count("vector_blocks").unwrap())
}

fn with_model(test: &TestWorkspace, folder: &Path) -> Workspace {
    let mut config = Config::default();
    config.recall.model = Some(folder.to_owned());
    Workspace::open(test.path(), Options { config, ..options(&test.clock) }).unwrap()
}

/// A folder with the built-in model that reads less of a text, and so makes other vectors.
fn another_model() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["model.onnx", "vocab.txt"] {
        fs::copy(Path::new(MODEL).join(file), folder.path().join(file)).unwrap();
    }
    fs::write(folder.path().join("sentence_bert_config.json"), r#"{"max_seq_length":64}"#).unwrap();
    folder
}

#[test]
fn what_was_said_in_other_words_is_found() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts\nThe bicycle is in the cellar").unwrap();
    let query = "which food is somebody allergic to?";
    assert!(ask(&test.workspace, query, Backend::SqliteFts).is_empty());
    assert_eq!(ask(&test.workspace, query, Backend::Hybrid)[0], "Ana cannot eat hazelnuts");
}

#[test]
fn a_write_waits_for_no_vector_and_tending_makes_it() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    say(&test.workspace, &["the train leaves at nine".to_owned()]);
    assert_eq!(waiting(&test.workspace), (1, 1));
    assert_eq!(test.workspace.tend().unwrap(), 1);
    assert_eq!(waiting(&test.workspace), (0, 1));
    // Without a vector a message is found by its words, and with one by what it means.
    assert_eq!(ask(&test.workspace, "train", Backend::Hybrid)[0], "the train leaves at nine");
    let query = "when is the departure by rail?";
    assert!(!ask(&test.workspace, query, Backend::Hybrid).contains(&"the train leaves at nine".to_owned()));
    assert_eq!(test.workspace.make_vectors(|_| {}).unwrap(), 1);
    assert_eq!(waiting(&test.workspace), (0, 0));
    assert_eq!(ask(&test.workspace, query, Backend::Hybrid)[0], "the train leaves at nine");
    assert_eq!(test.workspace.make_vectors(|_| {}).unwrap(), 0);
}

#[test]
fn many_vectors_lie_in_blocks_and_two_makers_make_each_once() {
    let test = TestWorkspace::new();
    let texts: Vec<String> = (0..600).map(|n| format!("{n} boxes of apples")).collect();
    say(&test.workspace, &texts);
    let other = test.again();
    std::thread::scope(|scope| {
        scope.spawn(|| test.workspace.make_vectors(|_| {}).unwrap());
        scope.spawn(|| other.make_vectors(|_| {}).unwrap());
    });
    assert_eq!(waiting(&test.workspace), (0, 0));
    assert_eq!(kept(test.path()), (600 - 2 * 256, 2));
    let found = ask(&test.workspace, "crates with fruit", Backend::Hybrid);
    assert_eq!(found.len(), test.workspace.config().recall.max_results);
    let once: std::collections::BTreeSet<_> = found.iter().collect();
    assert_eq!(once.len(), found.len());
}

#[test]
fn another_model_makes_every_vector_anew() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    say(&test.workspace, &["the train leaves at nine".to_owned()]);
    test.workspace.make_vectors(|_| {}).unwrap();
    let digest = |dir: &Path| -> String {
        let index = Connection::open(dir.join(INDEX_FILE)).unwrap();
        index.query_row("SELECT digest FROM model", [], |row| row.get(0)).unwrap()
    };
    let before = digest(test.path());
    let folder = another_model();
    let other = with_model(&test, folder.path());
    assert_eq!(waiting(&other), (1, 1));
    assert_eq!(
        ask(&other, "which food is somebody allergic to?", Backend::Hybrid)[0],
        "Ana cannot eat hazelnuts"
    );
    assert_eq!(waiting(&other), (0, 1));
    assert_ne!(digest(test.path()), before);
    assert_eq!(kept(test.path()), (1, 0));
}

#[test]
fn a_model_that_cannot_be_read_is_noted_and_words_go_on() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let broken = with_model(&test, folder.path());
    assert_eq!(ask(&broken, "hazelnuts", Backend::Hybrid), ["Ana cannot eat hazelnuts"]);
    let notices = broken.take_notices();
    let [Notice::NoMeaning { why }] = &notices[..] else { panic!("{notices:?}") };
    assert!(why.contains("model.onnx"), "{why}");
}

#[test]
fn a_model_that_another_one_displaced_leaves_no_gap() {
    let test = TestWorkspace::new();
    say(&test.workspace, &["one", "two", "three"].map(str::to_owned));
    let store = Store::open(
        test.path(),
        StoreOptions {
            clock: Box::new(test.clock.clone()),
            salts: Box::new(counting_salts()),
            zone: TimeZone::UTC,
            durability: Durability::Os,
            lock_wait: Duration::from_secs(5),
            progress: Box::new(|_| {}),
            session_state: true,
        },
    )
    .unwrap();
    let [first, second] =
        ["first", "second"].map(|name| Model { name: name.into(), digest: name.into(), dimensions: 2 });
    let next = |model: &Model| store.read(|reader| reader.next_waiting(model, false, 2)).unwrap();
    let keep = |model: &Model, batch: &Batch| {
        let vectors = vec![Vector::of(&[0.6, 0.8]); batch.memories.len()];
        store.keep_vectors(model, batch, &vectors).unwrap()
    };
    assert!(keep(&first, &next(&first)));
    let rest = next(&first);
    assert_eq!(rest.memories.len(), 1);
    assert!(keep(&second, &next(&second)));
    // What the first one made of the first two is gone: to keep the third alone would hide that.
    assert!(!keep(&first, &rest));
    assert_eq!(kept(test.path()), (2, 0));
    assert_eq!(next(&second).memories.len(), 1);
    assert_eq!(next(&first).after, 0);
}
