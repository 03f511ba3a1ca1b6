//! The fields of each type of line. Forms define those of their own events ([`crate::form::Rules::line`]).

use memtape_tape::{Entry, Kind};
use serde_json::Value;

use super::types::{
    self, BRANCH_CREATE, BRANCH_DELETE, CHECKOUT, CHERRY_PICK, ERASE, EVENT, HANDOFF, RESET, SESSION,
};
use super::{Beside, PREFIX};
use crate::commit::{Commit, Metadata};
use crate::forms;
use crate::forms::messages::entry::{named_speaker, parts};
use crate::line::{Fields, PREVIEW_CHARS, copy, copy_as, field, shorten, start, text};
use crate::meta::{Meta, Retire};
use crate::payload;
use crate::turn;

/// The number of characters shown of a tool's input and result.
const TOOL_CHARS: usize = 200;

/// Returns the fields of an entry's lines; several if a model made several tool calls at once.
pub(super) fn of(entry: &Entry, kind: &str, meta: &Meta, beside: &Beside) -> Vec<Fields> {
    let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
    let one = |fields: Option<Fields>| fields.into_iter().collect();
    match entry.kind {
        Kind::ToolCall => calls(&payload, beside),
        Kind::ToolResult => results(&payload, beside),
        Kind::Message | Kind::System => one(message_fields(&payload, kind, meta, beside)),
        Kind::Error => one(Some(error(&payload))),
        Kind::Anchor => one(Some(anchor(entry, &payload, kind, meta))),
        _ => one(event(&payload, kind, meta, beside)),
    }
}

fn message_fields(payload: &Value, kind: &str, meta: &Meta, beside: &Beside) -> Option<Fields> {
    // The line of the turn's beginning already reports a trigger that is not a message.
    if beside.before.as_ref().is_some_and(|before| begun_by(before).is_some()) {
        return None;
    }
    let content = parts(payload.get("content"));
    let image = text(payload, "image");
    let name = named_speaker(payload, meta);
    let from = name.as_deref().or_else(|| Some(text(payload, "role")).filter(|role| !role.is_empty()));
    let mut fields = match kind {
        types::TRIGGER => {
            Fields::from_iter([field("source", "message"), field("from", from.unwrap_or("user"))])
        }
        types::MESSAGE_SENT => {
            let session = meta.session();
            session.iter().map(|session| field("channel", session.channel())).collect()
        }
        types::TOOL_USE => Fields::from_iter([field("tool", from.unwrap_or("?"))]),
        types::MESSAGE => {
            let mut fields = Fields::from_iter([field("role", text(payload, "role"))]);
            fields.extend(from.filter(|from| *from != text(payload, "role")).map(|from| field("from", from)));
            fields
        }
        _ => Fields::new(),
    };
    match kind {
        types::TOOL_USE => shorten(&mut fields, "result", &content, TOOL_CHARS),
        _ => shorten(&mut fields, "preview", &content, PREVIEW_CHARS),
    }
    if !image.is_empty() {
        fields.extend([field("image", image)]);
    }
    Some(fields)
}

/// Returns the trigger of a turn that did not begin with a message.
fn begun_by(entry: &Entry) -> Option<&'static str> {
    let is_begin = entry.kind == Kind::Event && payload::event_name(entry).as_deref() == Some(turn::BEGIN);
    is_begin.then(|| types::trigger(entry)).flatten()
}

/// Returns each call with its result; results are in the order of their calls.
fn calls(payload: &Value, beside: &Beside) -> Vec<Fields> {
    let results: Vec<Value> = beside.after.iter().flat_map(|entry| list(entry, "results")).collect();
    let calls = payload.get("calls").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut left = results.into_iter();
    let line = |call: &Value| {
        let function = call.get("function").unwrap_or(call);
        let mut fields = Fields::from_iter([field(
            "tool",
            Some(text(function, "name")).filter(|name| !name.is_empty()).unwrap_or("?"),
        )]);
        let input = function.get("arguments").map(plain).unwrap_or_default();
        if !input.is_empty() && input != "null" && input != "{}" {
            fields.extend([field("input", &start(&input, TOOL_CHARS))]);
        }
        if let Some(result) = left.next() {
            shorten(&mut fields, "result", &plain(&result), TOOL_CHARS);
        }
        fields
    };
    calls.iter().map(line).collect()
}

/// Returns results without a call before them in the group.
fn results(payload: &Value, beside: &Beside) -> Vec<Fields> {
    if beside.before.as_ref().is_some_and(|before| before.kind == Kind::ToolCall) {
        return Vec::new();
    }
    let results = payload.get("results").and_then(Value::as_array).cloned().unwrap_or_default();
    let line = |result: &Value| {
        let mut fields = Fields::from_iter([field("tool", "?")]);
        shorten(&mut fields, "result", &plain(result), TOOL_CHARS);
        fields
    };
    results.iter().map(line).collect()
}

fn list(entry: &Entry, name: &str) -> Vec<Value> {
    let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
    payload.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn error(payload: &Value) -> Fields {
    let mut fields = Fields::from_iter([field("error", text(payload, "message"))]);
    copy(&mut fields, payload, &["kind", "details"]);
    fields
}

fn anchor(entry: &Entry, payload: &Value, kind: &str, meta: &Meta) -> Fields {
    let state = payload.get("state").cloned().unwrap_or_default();
    match kind {
        SESSION => Fields::new(),
        RESET => {
            let whole =
                meta.retires.iter().any(|retire| matches!(retire, Retire::Rule(rule) if rule.everything));
            Fields::from_iter([field("of", if whole { "everything" } else { "conversation" })])
        }
        BRANCH_CREATE => {
            let mut fields = Fields::from_iter([field("name", &entry.branch)]);
            copy(&mut fields, &state, &["parent", "at", "persona"]);
            fields
        }
        HANDOFF => {
            let mut fields = Fields::new();
            copy(&mut fields, payload, &["name", "state"]);
            fields
        }
        _ => Commit::read(entry).map(|commit| committed(&commit, kind)).unwrap_or_default(),
    }
}

fn committed(commit: &Commit, kind: &str) -> Fields {
    let Metadata { merge, conflicts, picks, .. } = &commit.metadata;
    let mut fields = Fields::new();
    fields.extend(merge.iter().map(|merge| field("from", &merge.source)));
    let of = match kind {
        CHERRY_PICK => *picks,
        _ => commit.metadata.reverses().map(|(_, entry)| entry),
    };
    fields.extend(of.map(|entry| ("of".to_owned(), entry.into())));
    fields.extend([field("message", &commit.message)]);
    if !conflicts.is_empty() {
        fields.insert("conflicts".into(), conflicts.len().into());
    }
    fields
}

fn event(payload: &Value, kind: &str, meta: &Meta, beside: &Beside) -> Option<Fields> {
    let name = text(payload, "name");
    let data = payload.get("data").cloned().unwrap_or_default();
    let mut fields = Fields::new();
    if let Some(rules) = forms::owner(name).filter(|_| kind != EVENT) {
        return Some(rules.line(name, &data, meta));
    }
    match kind {
        _ if kind != EVENT && name.starts_with(PREFIX) => return Some(flat(data)),
        types::TRIGGER => {
            fields.extend([field("source", text(&data, "trigger"))]);
            let next = beside.after.first().map(|entry| {
                let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
                parts(payload.get("content"))
            });
            shorten(&mut fields, "context", &next.unwrap_or_default(), PREVIEW_CHARS);
        }
        CHECKOUT => {
            copy_as(&mut fields, &data, "branch", "to");
            copy(&mut fields, &data, &["default"]);
        }
        BRANCH_DELETE => copy_as(&mut fields, &data, "branch", "name"),
        ERASE => {
            let entries = data.get("entries").and_then(Value::as_array).map_or(0, Vec::len);
            fields.insert("entries".into(), entries.into());
            copy(&mut fields, &data, &["reason"]);
        }
        _ => copy(&mut fields, payload, &["name", "data"]),
    }
    Some(fields)
}

/// Returns the fields of an event that exists only for the journal.
fn flat(data: Value) -> Fields {
    match data {
        Value::Object(fields) => fields,
        Value::Null => Fields::new(),
        other => Fields::from_iter([("data".to_owned(), other)]),
    }
}

/// Returns a string verbatim, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
