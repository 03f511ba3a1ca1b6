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
use crate::sets::{self, Part};
use crate::{Failure, RANKED};

#[derive(Deserialize)]
struct Item {
    id: String,
    memory: String,
    question: Option<String>,
}

/// Asks the questions of each file of a part, in every mode.
pub(crate) fn run(dir: &Path, part: Part, modes: &[Mode]) -> Result<(), Failure> {
    let distractors = read(&dir.join("distractors.jsonl"))?;
    for path in sets::files(dir, part)? {
        let items = read(&path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
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
            let session = format!("chat:set:{}", item.id);
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
        let Some(question) = &item.question else { continue };
        let recall = Recall { limit: Some(RANKED), ..Recall::new(question) };
        for (mode, measures) in modes.iter().zip(&mut measures) {
            let hits = workspace.recall(&mode.of(recall.clone()), &At::head())?.hits;
            let ranked: Vec<&str> =
                hits.iter().filter_map(|hit| names.get(&hit.memory.id).copied()).collect();
            measures.add(&ranked, &[item.id.as_str()]);
        }
    }
    Ok(measures)
}
