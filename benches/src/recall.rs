//! The cost of a recall in one of 50 scopes compared to the same match string on the bare full-text table,
//! how it grows with the workspace, its peak memory, and the time from the start of a process to its first
//! answer compared to the bare model.

use std::io::Cursor;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use memtape::{At, Audience, Backend, Ingester, Options, Recall, Session, Workspace};
use memtape_core::recall::tokenize::query_terms;
use memtape_core::recall::vector::Vector;
use memtape_core::{Decision, Form, Origin};
use memtape_embed::{Embedder, Loading, built_in_identity};
use memtape_index::{Batch, Model};
use memtape_store::{Author, Store, SystemClock};
use memtape_tape::{Draft, Kind, Salt};
use rten::{NodeId, ValueOrView};
use rten_tensor::NdTensor;
use rusqlite::Connection;
use serde_json::json;

use crate::write::words;
use crate::{Failure, Series, at_most, kilobytes_at_most, ratio};

/// Number of chats that the messages are spread over.
const CHATS: u64 = 50;
/// Number of messages in the chat that has the same size in every workspace.
const FIXED: u64 = 200;
/// Number of runs of each recall.
const RUNS: u64 = 60;
/// Number of forks between main and the deepest branch.
const FORKS: u64 = 10;

/// Number of tokens that the model makes of a question of five invented words.
const PIECES: i32 = 24;

static MODEL: &[u8] = include_bytes!("../../crates/embed/model/model.onnx");

/// The measured costs in a workspace of one size.
struct Cost {
    entries: u64,
    words: Duration,
    hybrid: Duration,
    fixed: Duration,
}

pub(crate) fn run(entries: u64) -> Result<(), Failure> {
    let mut costs: Vec<Cost> = Vec::new();
    for entries in [entries / 100, entries / 10, entries] {
        println!("\n{entries} messages, {} of them in the chat that is asked", entries / CHATS);
        costs.push(at_size(entries)?);
    }
    println!("\ngrowth, each ten times the one before");
    for pair in costs.windows(2) {
        let [small, large] = pair else { continue };
        let what = |what: &str| format!("{what}, {} / {} messages", large.entries, small.entries);
        ratio(&what("words, the chat grows too"), large.words, small.words, 5.0);
        ratio(&what("hybrid, the chat grows too"), large.hybrid, small.hybrid, 5.0);
        ratio(&what("words, the chat stays as it is"), large.fixed, small.fixed, 3.0);
    }
    Ok(())
}

fn at_size(entries: u64) -> Result<Cost, Failure> {
    let dir = tempfile::tempdir_in(".")?;
    fill(dir.path(), entries)?;
    fork(dir.path())?;
    make_vectors(dir.path())?;
    let main = Workspace::open(dir.path(), Options::default())?;
    let deep = Options { branch: Some(format!("fork-{FORKS}")), ..Options::default() };
    let deep = Workspace::open(dir.path(), deep)?;
    let bare = Connection::open(dir.path().join("memory.db"))?;
    let embedder = Embedder::built_in(Loading::ForFew)?;
    let bare_model = rten::Model::load_static_slice(MODEL)?;
    let mut series: [Series; 8] = Default::default();
    let [floor, head, past, forks, hybrid, embedding, running, fixed] = &mut series;
    for n in 0..RUNS {
        let query = query(n * CHATS + 7);
        let matching = match_text(&bare, &query)?;
        floor.time(|| bare_search(&bare, &matching))?;
        let recall = |backend, chat: &str| -> Result<Recall, Failure> {
            let audience = Audience::of_chat(&Session::parse(chat).map_err(memtape::Error::from)?);
            Ok(Recall { backend: Some(backend), audience, ..Recall::new(&query) })
        };
        let by_words = recall(Backend::SqliteFts, "bench:7")?;
        head.time(|| main.recall(&by_words, &At::head()))?;
        past.time(|| main.recall(&by_words, &At::entry(entries / 2)))?;
        forks.time(|| deep.recall(&by_words, &At::head()))?;
        let by_both = recall(Backend::Hybrid, "bench:7")?;
        // A repeated question has its vector in the cache, so that only the search is measured.
        main.recall(&by_both, &At::head())?;
        hybrid.time(|| main.recall(&by_both, &At::head()))?;
        embedding.time(|| embedder.embed_one(&query))?;
        running.time(|| run_bare_model(&bare_model))?;
        let in_fixed = recall(Backend::SqliteFts, "bench:fixed")?;
        fixed.time(|| main.recall(&in_fixed, &At::head()))?;
    }
    floor.print("bare FTS5, the same match string, 100 rows");
    head.print("recall by words, head");
    past.print("recall by words, half way back");
    forks.print("recall by words, ten forks deep");
    hybrid.print("recall, hybrid, beyond the model");
    embedding.print("the question's vector alone");
    running.print("the bare model, run on as many pieces");
    fixed.print("recall by words in a chat of 200");
    let p50 = |series: &Series| series.percentile(50);
    let of = |what: &str| format!("{what}, {entries} messages");
    ratio(&of("words, head / bare"), p50(head), p50(floor), 1.3);
    ratio(&of("words, half way back / bare"), p50(past), p50(floor), 1.3);
    ratio(&of("words, ten forks deep / bare"), p50(forks), p50(floor), 1.3);
    ratio(&of("hybrid beyond the model / bare"), p50(hybrid), p50(floor), 2.5);
    ratio(&of("the question's vector / bare run of the model"), p50(embedding), p50(running), 1.3);
    let cost = Cost { entries, words: p50(head), hybrid: p50(hybrid) + p50(embedding), fixed: p50(fixed) };
    peak(dir.path(), entries)?;
    first_answer(dir.path(), entries)?;
    Ok(cost)
}

/// Returns the first five words of a message.
fn query(n: u64) -> String {
    words(n).split(' ').take(5).collect::<Vec<_>>().join(" ")
}

fn fill(dir: &Path, entries: u64) -> Result<(), Failure> {
    let workspace = Workspace::init(dir, Options::default())?;
    let mut lines = String::new();
    let mut say = |chat: String, n: u64| {
        lines.push_str(&json!({"role": "user", "content": words(n), "session": chat}).to_string());
        lines.push('\n');
    };
    (0..FIXED).for_each(|n| say("bench:fixed".to_owned(), n));
    (0..entries).for_each(|n| say(format!("bench:{}", n % CHATS), n));
    Ingester::new(&workspace, Session::direct()).run(Cursor::new(lines), |_| ())?;
    Ok(())
}

/// Opens the store in a directory, and creates it if there is none.
pub(crate) fn open_store(dir: &Path) -> Result<Store, Failure> {
    let config = memtape::Config::default();
    let mut salt = 0_u128;
    Ok(Store::create(
        dir,
        memtape_store::Options {
            clock: Box::new(SystemClock),
            salts: Box::new(move || {
                salt += 1;
                Salt::new(salt.to_be_bytes())
            }),
            zone: config.time_zone,
            durability: config.durability,
            lock_wait: config.lock_wait,
            progress: Box::new(|_| {}),
            session_state: true,
            upstream: None,
        },
    )?)
}

/// Creates a chain of branches, each forked from the one before.
fn fork(dir: &Path) -> Result<(), Failure> {
    let store = open_store(dir)?;
    let mut parent = "main".to_owned();
    for n in 1..=FORKS {
        let branch = format!("fork-{n}");
        let author = Author { branch: Some(parent.clone()), ..Author::new(Session::direct(), Origin::User) };
        store.write(&author, |reader, given| {
            let state = json!({"name": "branch/fork", "state": {"parent": parent, "at": reader.head()}});
            let draft = Draft::new(Kind::Anchor, &state, &given.meta(), &branch)?;
            Ok(Decision { drafts: vec![draft], outcome: () })
        })?;
        parent = branch;
    }
    Ok(())
}

/// Stores random vectors for the messages of one chat. The cost of a search does not depend on their meaning,
/// so the model is not run.
fn make_vectors(dir: &Path) -> Result<(), Failure> {
    let identity = built_in_identity();
    let model = Model { name: identity.name, digest: identity.digest, dimensions: identity.dimensions };
    let workspace = Workspace::open(dir, Options::default())?;
    let asked = Audience::of_chat(&Session::parse("bench:7").map_err(memtape::Error::from)?);
    let memories = workspace.memories(Form::MESSAGES, &asked, &At::head())?;
    let store = open_store(dir)?;
    store.read(|_| Ok(()))?;
    for batch in memories.chunks(1000) {
        let vectors: Vec<_> =
            batch.iter().map(|memory| Some(some_vector(memory.id.number(), model.dimensions))).collect();
        store.keep_vectors(&model, &Batch { after: 0, memories: batch.to_vec() }, &vectors)?;
    }
    Ok(())
}

fn some_vector(seed: u64, dimensions: usize) -> Vector {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let values: Vec<f32> = (0..dimensions).map(|_| next()).collect();
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    Vector::of(&values.iter().map(|value| value / length).collect::<Vec<_>>())
}

/// Returns the full-text query of a recall: any of the terms, in the scope of the chat or of the workspace.
fn match_text(bare: &Connection, query: &str) -> Result<String, Failure> {
    let number = "SELECT id FROM scopes WHERE name = 'channel:bench:chat:7' OR layer = 'global' ORDER BY id";
    let scopes: Vec<i64> =
        bare.prepare(number)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let terms = query_terms(query);
    let any: Vec<String> = terms
        .iter()
        .flat_map(|term| scopes.iter().map(move |scope| format!("\"{term}|{scope:x}\"")))
        .collect();
    Ok(any.join(" OR "))
}

fn bare_search(bare: &Connection, matching: &str) -> Result<Vec<u64>, rusqlite::Error> {
    bare.prepare_cached(
        "SELECT rowid, bm25(memories_fts, 1.0, 0.4, 0.8) FROM memories_fts
         WHERE memories_fts MATCH ?1 ORDER BY 2 LIMIT 100",
    )?
    .query_map([matching], |row| row.get(0))?
    .collect()
}

/// Prints the peak memory of a process that runs a few recalls.
fn peak(dir: &Path, entries: u64) -> Result<(), Failure> {
    for (backend, limit) in [("words", 40.0), ("hybrid", 110.0)] {
        let program = std::env::current_exe()?;
        let output = Command::new(program).arg("peak").arg(backend).arg(dir).output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let figure = text.parse().map_err(|_| format!("{backend}: {text:?} is no figure"))?;
        at_most(&format!("resident memory, {backend}, {entries} messages"), figure, limit, " MB");
    }
    Ok(())
}

/// Runs a few recalls and prints the peak memory of this process, in megabytes.
pub(crate) fn ask_and_weigh(backend: &str, dir: &Path) -> Result<(), Failure> {
    let workspace = Workspace::open(dir, Options::default())?;
    let backend = if backend == "words" { Backend::SqliteFts } else { Backend::Hybrid };
    let audience = Audience::of_chat(&Session::parse("bench:7").map_err(memtape::Error::from)?);
    for n in 0..10 {
        let recall = Recall {
            backend: Some(backend),
            audience: audience.clone(),
            ..Recall::new(&query(n * CHATS + 7))
        };
        workspace.recall(&recall, &At::head())?;
    }
    println!("{}", kilobytes_at_most()? / 1000);
    Ok(())
}

/// Compares a process from its start to its answer with loading and running the bare model.
fn first_answer(dir: &Path, entries: u64) -> Result<(), Failure> {
    let program = std::env::current_exe()?.with_file_name("memtape");
    let (mut answer, mut bare) = (Series::default(), Series::default());
    for n in 0..20 {
        let query = query(n * CHATS + 7);
        let mut command = Command::new(&program);
        command.arg("-C").arg(dir).args(["recall", "--session", "bench:7"]).arg(&query);
        let status = answer.time(|| command.stdout(Stdio::null()).status())?;
        if !status.success() {
            return Err("the memtape program failed: run `cargo build --release` first".into());
        }
        bare.time(|| run_bare_model(&rten::Model::load_static_slice(MODEL)?))?;
    }
    answer.print("memtape recall, from start to answer");
    bare.print("the bare model: load and run");
    let what = format!("start to first answer / bare model, {entries} messages");
    ratio(&what, answer.percentile(50), bare.percentile(50), 3.0);
    Ok(())
}

/// Runs the model on [`PIECES`] tokens.
fn run_bare_model(model: &rten::Model) -> Result<(), Failure> {
    let pieces: Vec<i32> = (0..PIECES).map(|n| 2000 + n).collect();
    let input = |id: &NodeId| {
        let ones = model.node_info(*id).and_then(|node| node.name()) != Some("input_ids");
        let data = if ones { vec![1; pieces.len()] } else { pieces.clone() };
        (*id, ValueOrView::from(rten::Value::from(NdTensor::from_data([1, pieces.len()], data))))
    };
    let inputs = model.input_ids().iter().map(input).collect();
    model.run(inputs, model.output_ids(), None)?;
    Ok(())
}
