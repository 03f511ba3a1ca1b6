//! Search by meaning: vectors are computed after a write, stored, recomputed for another model, and never
//! required.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use memtape::{At, Backend, Config, Ingester, Options, PendingVectors, Recall, Session, Warning, Workspace};
use memtape_core::recall::vector::Vector;
use memtape_index::vectors::Kept;
use memtape_index::{Batch, Model, current_index};
use memtape_store::{Options as StoreOptions, Store};
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
    let PendingVectors { known, messages } = workspace.waiting(&At::head()).unwrap();
    (known, messages)
}

/// Returns the number of single vectors and of blocks of vectors in the index.
fn kept(dir: &Path) -> (u64, u64) {
    let index = Connection::open(current_index(dir).unwrap()).unwrap();
    let count = |table: &str| index.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
    (count("vectors").unwrap(), count("vector_blocks").unwrap())
}

fn with_model(test: &TestWorkspace, folder: &Path) -> Workspace {
    let mut config = Config::default();
    config.recall.model = Some(folder.to_owned());
    Workspace::open(test.path(), Options { config, ..options(&test.clock) }).unwrap()
}

/// Returns a directory with the built-in model, set to read less of a text, so that its vectors differ.
fn another_model() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["model.onnx", "vocab.txt"] {
        fs::copy(Path::new(MODEL).join(file), folder.path().join(file)).unwrap();
    }
    fs::write(folder.path().join("sentence_bert_config.json"), r#"{"max_seq_length":64}"#).unwrap();
    folder
}

#[test]
fn a_paraphrase_is_found() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts\nThe bicycle is in the cellar").unwrap();
    let query = "which food is somebody allergic to?";
    assert!(ask(&test.workspace, query, Backend::SqliteFts).is_empty());
    assert_eq!(ask(&test.workspace, query, Backend::Hybrid)[0], "Ana cannot eat hazelnuts");
}

#[test]
fn a_write_waits_for_no_vector() {
    let test = TestWorkspace::new();
    say(&test.workspace, &["the train leaves at nine".to_owned()]);
    // No model is loaded for a message alone.
    assert_eq!(test.workspace.embed_pending().unwrap(), 0);
    assert_eq!(waiting(&test.workspace), (0, 1));
    // Without a vector, a message is found by its words; with one, also by its meaning.
    assert_eq!(ask(&test.workspace, "train", Backend::Hybrid)[0], "the train leaves at nine");
    let query = "when is the departure by rail?";
    assert!(!ask(&test.workspace, query, Backend::Hybrid).contains(&"the train leaves at nine".to_owned()));
    assert_eq!(test.workspace.make_vectors(|_, _| {}).unwrap(), 1);
    assert_eq!(waiting(&test.workspace), (0, 0));
    assert_eq!(ask(&test.workspace, query, Backend::Hybrid)[0], "the train leaves at nine");
    assert_eq!(test.workspace.make_vectors(|_, _| {}).unwrap(), 0);
}

#[test]
fn a_process_that_has_loaded_the_model_takes_a_few_messages_too() {
    let test = TestWorkspace::new();
    let texts: Vec<String> = (0..10).map(|n| format!("{n} boxes of apples")).collect();
    say(&test.workspace, &texts);
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    assert_eq!(waiting(&test.workspace), (1, 10));
    assert_eq!(test.workspace.embed_pending().unwrap(), 9);
    assert_eq!(waiting(&test.workspace), (0, 2));
    assert_eq!(test.workspace.embed_pending().unwrap(), 2);
    assert_eq!(test.workspace.embed_pending().unwrap(), 0);
}

#[test]
fn many_vectors_lie_in_blocks_and_two_makers_make_each_once() {
    let test = TestWorkspace::new();
    let texts: Vec<String> = (0..600).map(|n| format!("{n} boxes of apples")).collect();
    say(&test.workspace, &texts);
    let other = test.reopened();
    std::thread::scope(|scope| {
        scope.spawn(|| test.workspace.make_vectors(|_, _| {}).unwrap());
        scope.spawn(|| other.make_vectors(|_, _| {}).unwrap());
    });
    assert_eq!(waiting(&test.workspace), (0, 0));
    assert_eq!(kept(test.path()), (600 - 2 * 256, 2));
    let found = ask(&test.workspace, "crates with fruit", Backend::Hybrid);
    assert_eq!(found.len(), test.workspace.config().recall.max_results);
    let once: std::collections::BTreeSet<_> = found.iter().collect();
    assert_eq!(once.len(), found.len());
}

#[test]
fn another_model_recomputes_every_vector() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    say(&test.workspace, &["the train leaves at nine".to_owned()]);
    test.workspace.make_vectors(|_, _| {}).unwrap();
    let digest = |dir: &Path| -> String {
        let index = Connection::open(current_index(dir).unwrap()).unwrap();
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
fn an_unreadable_model_is_reported_and_search_uses_words() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let broken = with_model(&test, folder.path());
    assert_eq!(ask(&broken, "hazelnuts", Backend::Hybrid), ["Ana cannot eat hazelnuts"]);
    let warnings = broken.take_warnings();
    let [Warning::NoMeaning { why }] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(why.contains("model.onnx"), "{why}");
}

#[test]
fn a_replaced_model_leaves_no_memory_without_a_vector() {
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
            upstream: None,
        },
    )
    .unwrap();
    let [first, second] =
        ["first", "second"].map(|name| Model { name: name.into(), digest: name.into(), dimensions: 2 });
    let next = |model: &Model| store.read(|reader| reader.next_waiting(model, false, 2)).unwrap();
    let keep = |model: &Model, batch: &Batch| {
        let vectors = vec![Some(Vector::of(&[0.6, 0.8])); batch.memories.len()];
        store.keep_vectors(model, batch, &vectors).unwrap()
    };
    assert_eq!(keep(&first, &next(&first)), Kept::Stored);
    let rest = next(&first);
    assert_eq!(rest.memories.len(), 1);
    assert_eq!(keep(&second, &next(&second)), Kept::Stored);
    // The second model has replaced the first one's vectors. Storing only the third would hide that they are
    // missing.
    assert_eq!(keep(&first, &rest), Kept::OtherModel);
    assert_eq!(kept(test.path()), (2, 0));
    assert_eq!(next(&second).memories.len(), 1);
    assert_eq!(next(&first).after, 0);
    // A new index has no vectors of any model.
    let rest = next(&second);
    store.reindex().unwrap();
    assert_eq!(keep(&second, &rest), Kept::Outdated);
    assert_eq!(keep(&second, &next(&second)), Kept::Stored);
}

/// A long text would keep a command busy for minutes, so it computes only some of the vectors.
#[test]
fn no_command_works_off_a_backlog_of_vectors() {
    let test = TestWorkspace::new();
    let lines: Vec<String> = (0..60).map(|n| format!("line {n} of many")).collect();
    test.workspace.zone().remember(&lines.join("\n")).unwrap();
    assert_eq!(test.workspace.embed_pending().unwrap(), 16);
    assert_eq!(waiting(&test.workspace), (44, 0));
    test.workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    assert_eq!(test.workspace.embed_pending().unwrap(), 16);
    // A recall computes some more vectors, and searches by words where a vector is missing.
    assert_eq!(ask(&test.workspace, "hazelnuts", Backend::Hybrid)[0], "Ana cannot eat hazelnuts");
    assert_eq!(waiting(&test.workspace), (0, 0));
    test.workspace.zone().remember(&lines.join(" again\n")).unwrap();
    ask(&test.workspace, "hazelnuts", Backend::Hybrid);
    assert_eq!(waiting(&test.workspace), (27, 0));
    assert_eq!(test.workspace.make_vectors(|_, _| ()).unwrap(), 27);
}

/// Returns the fields of a protobuf message: number, start of the field, start of its value, and end.
fn fields(message: &[u8]) -> Vec<(u64, usize, usize, usize)> {
    let mut at = 0;
    let mut found = Vec::new();
    while at < message.len() {
        let begin = at;
        let tag = varint(message, &mut at);
        let value = at;
        match tag & 7 {
            0 => drop(varint(message, &mut at)),
            1 => at += 8,
            2 => {
                let length = usize::try_from(varint(message, &mut at)).unwrap();
                found.push((tag >> 3, begin, at, at + length));
                at += length;
                continue;
            }
            _ => at += 4,
        }
        found.push((tag >> 3, begin, value, at));
    }
    found
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return value;
        }
    }
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        out.push(u8::try_from(value & 127).unwrap() | 128);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap());
}

/// Returns the message with the values of the fields with this number changed.
fn with_field(message: &[u8], number: u64, change: &dyn Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len());
    for (field, begin, value, end) in fields(message) {
        if field != number {
            out.extend_from_slice(&message[begin..end]);
            continue;
        }
        let changed = change(&message[value..end]);
        put_varint(&mut out, number << 3 | 2);
        put_varint(&mut out, changed.len() as u64);
        out.extend_from_slice(&changed);
    }
    out
}

/// Returns a directory with the built-in model, restricted to its first positions. As with any model, it
/// cannot run a text with more tokens; no file in the directory states the limit.
fn model_of_positions(positions: u64) -> tempfile::TempDir {
    const GRAPH: u64 = 7;
    const TENSOR: u64 = 5;
    const DIMENSIONS: u64 = 1;
    const RAW: u64 = 9;
    let folder = tempfile::tempdir().unwrap();
    fs::copy(Path::new(MODEL).join("vocab.txt"), folder.path().join("vocab.txt")).unwrap();
    let model = fs::read(Path::new(MODEL).join("model.onnx")).unwrap();
    let cut = with_field(&model, GRAPH, &|graph| {
        with_field(graph, TENSOR, &|tensor| {
            let name = b"position_embeddings.weight_quantized";
            if !tensor.windows(name.len()).any(|part| part == name) {
                return tensor.to_vec();
            }
            let mut out = Vec::new();
            // One row per position, with one byte for each dimension of a vector.
            for n in [positions, 384] {
                put_varint(&mut out, DIMENSIONS << 3);
                put_varint(&mut out, n);
            }
            let length = usize::try_from(positions).unwrap() * 384;
            let rest = with_field(tensor, RAW, &|raw| raw[..length].to_vec());
            for (field, begin, _, end) in fields(&rest) {
                if field != DIMENSIONS {
                    out.extend_from_slice(&rest[begin..end]);
                }
            }
            out
        })
    });
    fs::write(folder.path().join("model.onnx"), cut).unwrap();
    folder
}

#[test]
fn a_question_that_the_model_fails_on_is_answered_by_words() {
    let test = TestWorkspace::new();
    let model = model_of_positions(128);
    let workspace = with_model(&test, model.path());
    workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    assert_eq!(ask(&workspace, "which food is somebody allergic to?", Backend::Hybrid).len(), 1);
    assert_eq!(workspace.take_warnings(), []);
    let long = format!("hazelnuts {}", "and a word ".repeat(100));
    assert_eq!(ask(&workspace, &long, Backend::Hybrid), ["Ana cannot eat hazelnuts"]);
    let warnings = workspace.take_warnings();
    assert!(matches!(&warnings[..], [Warning::NoMeaning { .. }]), "{warnings:?}");
}

#[test]
fn a_memory_that_the_model_fails_on_blocks_no_other() {
    let test = TestWorkspace::new();
    let model = model_of_positions(128);
    let workspace = with_model(&test, model.path());
    workspace.zone().remember(&format!("bicycles {}", "and a word ".repeat(100))).unwrap();
    workspace.zone().remember("Ana cannot eat hazelnuts").unwrap();
    assert_eq!(workspace.embed_pending().unwrap(), 2);
    let warnings = workspace.take_warnings();
    assert!(matches!(&warnings[..], [Warning::NoVector { memories: 1, .. }]), "{warnings:?}");
    assert_eq!(waiting(&workspace), (0, 0));
    let query = "which food is somebody allergic to?";
    assert_eq!(ask(&workspace, query, Backend::Hybrid)[0], "Ana cannot eat hazelnuts");
    assert_eq!(ask(&workspace, "bicycles", Backend::Hybrid).len(), 1);
    assert_eq!(workspace.take_warnings(), []);
}

/// The part of a note before its first heading or bullet is a memory too, and every question was near a blank one.
#[test]
fn a_blank_part_of_a_note_answers_nothing() {
    let test = TestWorkspace::new();
    fs::create_dir_all(test.path().join("facts")).unwrap();
    fs::write(test.path().join("facts/a.md"), "- Tee: grün\n").unwrap();
    let recall = Recall { backend: Some(Backend::Hybrid), ..Recall::new("k") };
    let recalled = test.workspace.recall(&recall, &At::head()).unwrap();
    let blank = recalled.hits.iter().filter(|hit| hit.memory.text.trim().is_empty());
    assert_eq!(blank.count(), 0);
}
