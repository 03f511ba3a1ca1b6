//! Questions that share no content word with the memory that answers them, among many other memories.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use memtape::{At, Audience, Form, Ingester, MemoryId, Options, Recall, Session, Workspace};
use serde::Deserialize;
use serde_json::json;

use crate::metrics::Measures;
use crate::modes::Mode;
use crate::{Failure, RANKED};

/// The sets and their names in the report.
const SETS: [(&str, &str); 5] = [
    ("english", "English"),
    ("chinese", "Chinese"),
    ("spanish", "Spanish"),
    ("german", "German"),
    ("french", "French"),
];

#[derive(Deserialize)]
struct Item {
    id: String,
    memory: String,
    question: Option<String>,
}

pub(crate) fn run(dir: &Path, modes: &[Mode]) -> Result<(), Failure> {
    let distractors = read(&dir.join("distractors.jsonl"))?;
    for (file, name) in SETS {
        let items = read(&dir.join(format!("{file}.jsonl")))?;
        for (mode, measures) in modes.iter().zip(ask(&items, &distractors, modes)?) {
            measures.print(&format!("{name}, {}", mode.name));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Item>, Failure> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Asks the questions in every mode. Each memory is a message in its own thread of one chat, so that it
/// cannot be found through its neighbours.
fn ask(items: &[Item], distractors: &[Item], modes: &[Mode]) -> Result<Vec<Measures>, Failure> {
    let dir = tempfile::tempdir()?;
    let workspace = Workspace::init(dir.path(), Options::default())?;
    let all: Vec<&Item> = items.iter().chain(distractors).collect();
    let lines: String = all
        .iter()
        .map(|item| {
            let session = format!("paraphrase:set:{}", item.id);
            format!("{}\n", json!({"role": "user", "content": item.memory, "session": session}))
        })
        .collect();
    Ingester::new(&workspace, Session::direct()).run(Cursor::new(lines), |_| ())?;
    let memories = workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head())?;
    if memories.len() != all.len() {
        return Err(format!("{} of {} memories were taken in", memories.len(), all.len()).into());
    }
    let names: BTreeMap<MemoryId, &str> =
        memories.iter().map(|memory| memory.id).zip(all.iter().map(|item| item.id.as_str())).collect();
    workspace.make_vectors(|_, _| {})?;
    let mut measures = vec![Measures::default(); modes.len()];
    for item in items {
        let recall =
            Recall { limit: Some(RANKED), ..Recall::new(item.question.as_deref().unwrap_or_default()) };
        for (mode, measures) in modes.iter().zip(&mut measures) {
            let hits = workspace.recall(&mode.of(recall.clone()), &At::head())?.hits;
            let ranked: Vec<&str> =
                hits.iter().filter_map(|hit| names.get(&hit.memory.id).copied()).collect();
            measures.add(&ranked, &[item.id.as_str()]);
        }
    }
    Ok(measures)
}
