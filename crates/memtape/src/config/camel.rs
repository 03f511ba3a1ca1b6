//! The configuration format of document 4: JSON with keys in camelCase, translated to the keys of the table.
//!
//! **Invariants.** The example in the document loads. A key that memtape recognises but does not use is a
//! warning; a key that is not in document 4 is an error.

use serde_json::Value;

use super::kind::shortened;
use super::names;

/// A key of document 4, below `memory`.
pub(super) struct Row {
    /// Its name in the document.
    pub(super) name: &'static str,
    /// Its translation.
    pub(super) means: Means,
}

/// The translation of a key of document 4.
pub(super) enum Means {
    /// This key of the table.
    Key(&'static str),
    /// Whether memories are found by meaning, which decides `recall.backend`.
    Embedding,
    /// Nothing, for this reason.
    Nothing(&'static str),
}

use Means::{Embedding, Key, Nothing};

const PLACE: &str = "-C or MEMTAPE_WORKSPACE sets the workspace";
const STATE_DIR: &str = "the files are always in mirror/session-state";
const BACKEND: &str = "recall.model selects the model";

/// Every key of document 4, in the order of the document.
pub(super) const ROWS: &[Row] = &[
    Row { name: "enabled", means: Key("turn.enabled") },
    Row { name: "dbPath", means: Nothing(PLACE) },
    Row { name: "backend", means: Key("recall.backend") },
    Row { name: "recall.maxResults", means: Key("recall.max_results") },
    Row { name: "recall.maxPromptChars", means: Key("recall.max_prompt_chars") },
    Row { name: "recall.userPreferenceLayerResults", means: Key("recall.user_layer_results") },
    Row { name: "capture.enabled", means: Key("capture.enabled") },
    Row { name: "capture.mode", means: Key("capture.mode") },
    Row { name: "capture.minConfidence", means: Key("capture.min_confidence") },
    Row { name: "capture.minImportance", means: Key("capture.min_importance") },
    Row { name: "capture.channels", means: Key("capture.channels") },
    Row { name: "capture.captureAssistant", means: Key("capture.assistant") },
    Row { name: "capture.maxEntriesPerTurn", means: Key("capture.max_entries_per_turn") },
    Row { name: "retention.episodicDays", means: Key("retention.episodic_days") },
    Row { name: "retention.factDays", means: Key("retention.fact_days") },
    Row { name: "retention.preferenceDays", means: Key("retention.preference_days") },
    Row { name: "retention.decisionDays", means: Key("retention.decision_days") },
    Row { name: "wal.enabled", means: Key("wal.enabled") },
    Row { name: "wal.stateDir", means: Nothing(STATE_DIR) },
    Row { name: "embedding.enabled", means: Embedding },
    Row { name: "embedding.backend", means: Nothing(BACKEND) },
];

/// The content of a document.
#[derive(Default)]
pub(super) struct Read {
    /// The values that it sets.
    pub(super) assigned: Vec<Assigned>,
    /// The keys that have no effect.
    pub(super) idle: Vec<String>,
}

/// A value that a document sets.
pub(super) struct Assigned {
    /// The key of the table.
    pub(super) key: String,
    /// Its name in the document.
    pub(super) written: String,
    /// The value.
    pub(super) value: Value,
}

/// Reads a document. Keys beside `memory` belong to another program and are ignored.
pub(super) fn read(document: &Value) -> Result<Read, String> {
    let mut found = Vec::new();
    match document.get("memory") {
        Some(memory @ Value::Object(_)) => walk("memory", memory, &mut found)?,
        Some(other) => return Err(format!("memory must be an object, not {}", shortened(other))),
        None if document.is_object() => {}
        None => return Err(r#"not a configuration: expected {"memory": {...}}"#.into()),
    }
    let mut read = Read::default();
    let mut idle: Vec<(&str, Vec<String>)> = Vec::new();
    let mut embedding = None;
    for (written, row, value) in found {
        match row.means {
            Key(key) => read.assigned.push(Assigned { key: key.to_owned(), written, value: value.clone() }),
            Embedding => embedding = Some((written, value)),
            Nothing(why) => match idle.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, names)) => names.push(written),
                None => idle.push((why, vec![written])),
            },
        }
    }
    if let Some((written, value)) = embedding {
        read.assigned.extend(backend(written, value, &read.assigned)?);
    }
    let warning = |(why, names): (&str, Vec<String>)| format!("no effect ({why}): {}", names.join(", "));
    read.idle = idle.into_iter().map(warning).collect();
    Ok(read)
}

/// Translates `embedding.enabled` to a backend. True means search by meaning, whatever `backend` is set to.
/// False leaves the decision to `backend` and means words only if that is not set.
fn backend(written: String, value: &Value, assigned: &[Assigned]) -> Result<Option<Assigned>, String> {
    let enabled = value
        .as_bool()
        .ok_or_else(|| format!("{written} must be true or false, not {}", shortened(value)))?;
    let key = "recall.backend";
    let is_said = assigned.iter().any(|other| other.key == key);
    let backend = if enabled { "hybrid" } else { "sqlite_fts" };
    Ok((enabled || !is_said).then(|| Assigned { key: key.into(), written, value: backend.into() }))
}

/// Collects the keys of a document. A name in snake_case is read as the one in camelCase.
fn walk<'a>(
    group: &str,
    value: &'a Value,
    found: &mut Vec<(String, &'static Row, &'a Value)>,
) -> Result<(), String> {
    for (key, value) in value.as_object().into_iter().flatten() {
        let written = format!("{group}.{key}");
        let path = snake(written.strip_prefix("memory.").unwrap_or(&written));
        if let Some(row) = ROWS.iter().find(|row| snake(row.name) == path) {
            found.push((written, row, value));
            continue;
        }
        let is_group = ROWS.iter().any(|row| row.name.starts_with(&format!("{path}.")));
        match value {
            Value::Object(inner) if is_group || !inner.is_empty() => walk(&written, value, found)?,
            other if is_group => {
                return Err(format!("{written} must be an object, not {}", shortened(other)));
            }
            _ => return Err(unknown(&written)),
        }
    }
    Ok(())
}

fn unknown(written: &str) -> String {
    match names::nearest(written, ROWS.iter().map(|row| format!("memory.{}", row.name))) {
        Some(nearest) => format!("unknown key {written:?}: did you mean {nearest:?}?"),
        None => format!("unknown key {written:?}: remove it"),
    }
}

/// Converts `maxResults` to `max_results`.
fn snake(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, c| {
        if c.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counterpart_is_a_key() {
        for row in ROWS {
            if let Key(key) = row.means {
                assert!(names::find(key).is_some(), "{key}");
            }
        }
    }
}
