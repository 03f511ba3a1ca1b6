//! LoCoMo: questions about a conversation of many sessions, each asked of the memory of that conversation.
//!
//! The expected results are the turns that the data set names as evidence. Evidence IDs are split at `;`, `,`
//! and spaces; `D1:3` is turn 3 of session 1. IDs that name no turn are dropped, and so are questions without
//! any evidence left. Questions of category 5 are adversarial and reported separately.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use jiff::civil::DateTime;
use memtape::{At, Audience, Form, Ingester, MemoryId, Options, Recall, Session, Workspace};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::metrics::Measures;
use crate::modes::Mode;
use crate::{Failure, RANKED};

/// The category of adversarial questions.
const ADVERSARIAL: u8 = 5;

#[derive(Deserialize)]
struct Sample {
    sample_id: String,
    conversation: BTreeMap<String, Value>,
    qa: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    #[serde(default)]
    evidence: Vec<Value>,
    category: u8,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    blip_caption: Option<String>,
}

/// For each mode, the measures by category.
type Measured = Vec<BTreeMap<u8, Measures>>;

pub(crate) fn run(file: &Path, modes: &[Mode], out: Option<&Path>) -> Result<(), Failure> {
    let text = fs::read_to_string(file)?;
    let samples: Vec<Sample> =
        serde_json::from_str(&text).or_else(|_| serde_json::from_str(&text).map(|one| vec![one]))?;
    let mut rankings = Vec::new();
    let mut measured: Measured = vec![BTreeMap::new(); modes.len()];
    for sample in &samples {
        ask(sample, modes, &mut measured, &mut rankings)?;
    }
    for (mode, by_category) in modes.iter().zip(&measured) {
        print(mode, by_category);
    }
    if let Some(out) = out {
        fs::File::create(out)?.write_all(&rankings)?;
    }
    Ok(())
}

fn print(mode: &Mode, by_category: &BTreeMap<u8, Measures>) {
    let mut overall = Measures::default();
    for (category, measures) in by_category {
        if *category == ADVERSARIAL {
            measures.print(&format!("{}, category 5 (adversarial)", mode.name));
        } else {
            measures.print(&format!("{}, category {category}", mode.name));
            overall.merge(measures);
        }
    }
    overall.print(&format!("{}, categories 1 to 4", mode.name));
}

/// Asks every question of a conversation in every mode. Only the rankings of the last mode are kept.
fn ask(
    sample: &Sample,
    modes: &[Mode],
    measured: &mut Measured,
    rankings: &mut Vec<u8>,
) -> Result<(), Failure> {
    let dir = tempfile::tempdir()?;
    let workspace = Workspace::init(dir.path(), Options::default())?;
    let names = ingest(&workspace, sample)?;
    workspace.make_vectors(|_, _| {})?;
    for question in &sample.qa {
        let gold = evidence(question, &names);
        if gold.is_empty() {
            continue;
        }
        let recall = Recall {
            audience: Audience::of_chat(&chat(sample)?),
            forms: vec![Form::MESSAGES],
            limit: Some(RANKED),
            ..Recall::new(&question.question)
        };
        for (n, mode) in modes.iter().enumerate() {
            let hits = workspace.recall(&mode.of(recall.clone()), &At::head())?.hits;
            let ranked: Vec<&str> =
                hits.iter().filter_map(|hit| names.get(&hit.memory.id).map(String::as_str)).collect();
            measured[n].entry(question.category).or_default().add(&ranked, &gold);
            if n + 1 == modes.len() {
                let line =
                    json!({"sample_id": sample.sample_id, "question": question.question, "ranked": ranked});
                writeln!(rankings, "{line}")?;
            }
        }
    }
    Ok(())
}

fn chat(sample: &Sample) -> Result<Session, Failure> {
    Ok(Session::parse(&format!("locomo:{}", sample.sample_id)).map_err(memtape::Error::from)?)
}

/// Ingests every turn, with one thread of the chat per session, and returns the turn ID of each memory.
fn ingest(workspace: &Workspace, sample: &Sample) -> Result<BTreeMap<MemoryId, String>, Failure> {
    let mut sessions: Vec<(u32, &Value)> = sample
        .conversation
        .iter()
        .filter_map(|(key, turns)| Some((key.strip_prefix("session_")?.parse().ok()?, turns)))
        .collect();
    sessions.sort_by_key(|(number, _)| *number);
    let (mut lines, mut names) = (String::new(), Vec::new());
    for (number, turns) in sessions {
        let date = sample.conversation.get(&format!("session_{number}_date_time")).and_then(Value::as_str);
        let date = date.map(said_at).transpose()?;
        for turn in Vec::<Turn>::deserialize(turns)? {
            if turn.text.is_empty() && turn.blip_caption.is_none() {
                continue;
            }
            let line = json!({
                "role": "user",
                "name": turn.speaker,
                "content": turn.text,
                "image": turn.blip_caption,
                "session": format!("locomo:{}:{number}", sample.sample_id),
                "date": date,
            });
            lines.push_str(&format!("{line}\n"));
            names.push(turn.dia_id);
        }
    }
    let ingested = Ingester::new(workspace, Session::direct()).run(Cursor::new(lines), |_| ())?;
    let memories = workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head())?;
    if memories.len() != names.len() || !ingested.bad.is_empty() {
        return Err(format!(
            "{}: {} of {} turns were taken in",
            sample.sample_id,
            memories.len(),
            names.len()
        )
        .into());
    }
    Ok(memories.iter().map(|memory| memory.id).zip(names).collect())
}

/// Parses a date such as `1:56 pm on 8 May, 2023`.
fn said_at(text: &str) -> Result<String, Failure> {
    let time = DateTime::strptime("%I:%M %p on %d %B, %Y", text).map_err(|e| format!("{text:?}: {e}"))?;
    Ok(time.to_string())
}

fn evidence<'a>(question: &Question, names: &'a BTreeMap<MemoryId, String>) -> Vec<&'a str> {
    let mut gold: Vec<&str> = Vec::new();
    for id in question.evidence.iter().filter_map(Value::as_str).flat_map(|ids| ids.split([';', ',', ' '])) {
        if let Some(name) = names.values().find(|name| *name == id)
            && !gold.contains(&name.as_str())
        {
            gold.push(name);
        }
    }
    gold
}
