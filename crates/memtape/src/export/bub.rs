//! The export as a tape of document 0's program (Bub): one version of the zone, then the messages.
//!
//! A line is `{"id","kind","payload","meta","date"}`. The zone comes first, because that program shows its model
//! the conversation since the last anchor.

use std::io::Write;

use jiff::Timestamp;
use memtape_core::Form;
use memtape_core::forms::messages::entry::parts;
use memtape_tape::Kind;
use memtape_tape::entry::date_text;
use serde_json::{Map, Value, json};

use super::Exported;
use super::source::{Source, put};
use crate::error::Result;
use crate::reading::SESSION_START;

/// Writes the tape.
pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<Exported> {
    let mut tape = Tape { out, id: 0 };
    let now = source.reader.now();
    tape.put(&Kind::Anchor, &json!({"name": SESSION_START, "state": {"owner": "human"}}), &json!({}), now)?;
    if source.has(Form::ZONE) {
        zone(source, &mut tape, now)?;
    }
    if source.has(Form::MESSAGES) {
        source.each(Some(Form::MESSAGES), |memory| {
            let entry = source.reader.entry(memory.id.entry())?;
            let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
            let payload = match entry.kind {
                Kind::ToolCall => json!({"calls": calls(memory.id.entry(), &payload["calls"])}),
                Kind::ToolResult => json!({"results": payload["results"]}),
                Kind::System => json!({"content": payload["content"]}),
                // That program passes the payload on to the model as it is.
                _ => json!({
                    "role": payload["role"].as_str().unwrap_or("user"),
                    "content": parts(payload.get("content")),
                }),
            };
            let meta = match &memory.session {
                Some(session) => json!({"session": session}),
                None => json!({}),
            };
            tape.put(&entry.kind, &payload, &meta, memory.said_at.unwrap_or(memory.created_at))
        })?;
    }
    let entries = usize::try_from(tape.id).unwrap_or(usize::MAX);
    Ok(Exported { entries, other_forms: source.other_forms()?, ..source.exported() })
}

/// Writes the zone as one complete version: long-term memory, then the daily notes, newest first.
fn zone(source: &Source<'_>, tape: &mut Tape<'_>, now: Timestamp) -> Result<()> {
    let view = source.zone()?;
    let version = view.version.max(1);
    let mut put = |kind: &Kind, payload: Value| tape.put(kind, &payload, &json!({}), now);
    put(&Kind::Anchor, json!({"name": "memory/open", "state": {"version": version}}))?;
    let content = view.long_term_text();
    if !content.is_empty() {
        let at = date_text(view.long_term.iter().map(|line| line.updated_at).max().unwrap_or(now));
        let data = json!({"content": content, "updated_at": at});
        put(&Kind::Event, json!({"name": "memory.long_term", "data": data}))?;
    }
    for (day, pieces) in view.dailies.iter().rev() {
        let at = date_text(pieces.iter().map(|piece| piece.updated_at).max().unwrap_or(now));
        let data = json!({"date": day.to_string(), "content": view.daily_text(*day).unwrap_or_default(), "updated_at": at});
        put(&Kind::Event, json!({"name": "memory.daily", "data": data}))?;
    }
    put(&Kind::Anchor, json!({"name": "memory/seal", "state": {"version": version}}))
}

/// Returns calls in the shape of OpenAI's chat completions: with an id, and their arguments as a text.
fn calls(entry: u64, calls: &Value) -> Vec<Value> {
    let call = |(n, call): (usize, &Value)| {
        let mut function: Map<String, Value> =
            call.get("function").unwrap_or(call).as_object().cloned().unwrap_or_default();
        if let Some(arguments) = function.get_mut("arguments").filter(|arguments| !arguments.is_string()) {
            *arguments = Value::String(arguments.to_string());
        }
        json!({"id": format!("call-{entry}-{n}"), "type": "function", "function": function})
    };
    calls.as_array().into_iter().flatten().enumerate().map(call).collect()
}

struct Tape<'w> {
    out: &'w mut dyn Write,
    /// The id of the last entry.
    id: u64,
}

impl Tape<'_> {
    fn put(&mut self, kind: &Kind, payload: &Value, meta: &Value, date: Timestamp) -> Result<()> {
        self.id += 1;
        let date = date_text(date);
        let entry =
            json!({"id": self.id, "kind": kind.as_str(), "payload": payload, "meta": meta, "date": date});
        put(self.out, format!("{entry}\n"))
    }
}
