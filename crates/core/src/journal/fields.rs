//! What the lines of each type say of their entries.
//!
//! **Invariant.** A text is shown by its first characters on one line, as `preview`; `content` holds all of it, and is
//! there only where that is more.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use memtape_tape::{Entry, Kind};
use serde_json::{Map, Value};

use super::types::{
    self, BRANCH_CREATE, BRANCH_DELETE, CHECKOUT, CHERRY_PICK, ERASE, EVENT, HANDOFF, INSIGHT, RESET, SESSION,
};
use super::{Beside, PREFIX};
use crate::commit::{Commit, Metadata};
use crate::forms::messages::entry::{named_speaker, parts};
use crate::meta::{Meta, Retire};
use crate::projection;
use crate::turn;

/// How many characters of a text a preview holds (document 3).
const PREVIEW_CHARS: usize = 100;
/// How many characters of what a tool was given, and of what it gave, are shown.
const TOOL_CHARS: usize = 200;

/// What a line says, in order.
type Fields = Map<String, Value>;

/// What the lines of an entry say; more than one where a model called several tools at once.
pub(super) fn of(entry: &Entry, kind: &str, meta: &Meta, beside: &Beside) -> Vec<Fields> {
    let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
    let one = |fields: Option<Fields>| fields.into_iter().collect();
    match entry.kind {
        Kind::ToolCall => calls(&payload, beside),
        Kind::ToolResult => results(&payload, beside),
        Kind::Message | Kind::System => one(said(&payload, kind, meta, beside)),
        Kind::Error => one(Some(error(&payload))),
        Kind::Anchor => one(Some(anchor(entry, &payload, kind, meta))),
        _ => one(event(&payload, kind, meta, beside)),
    }
}

fn said(payload: &Value, kind: &str, meta: &Meta, beside: &Beside) -> Option<Fields> {
    // What a turn was begun by without a message is told by what begins it.
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

/// What began a turn, where that was no message.
fn begun_by(entry: &Entry) -> Option<&'static str> {
    let is_begin = entry.kind == Kind::Event && projection::event_name(entry).as_deref() == Some(turn::BEGIN);
    is_begin.then(|| types::trigger(entry)).flatten()
}

/// Each call with its result: results stand in the order of their calls.
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

/// Results that no call before them explains.
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
    // What the name says after its first part: `add` of `ledger.add`.
    let action = name.split_once('.').map_or("", |(_, action)| action);
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
        types::FOCUS_CHANGE | types::BLOCK_UPDATE | types::BLOCK_PROPOSAL => {
            fields.extend([field("block", text(&data, "name"))]);
            copy(&mut fields, &data, &["layer"]);
            shorten(&mut fields, "preview", text(&data, "value"), PREVIEW_CHARS);
        }
        types::BLOCK_REJECTION => fields.extend([field("block", text(&data, "name"))]),
        INSIGHT => fields.extend([field("content", &written(&data)), field("file", text(&data, "path"))]),
        types::FILE_UPDATE => {
            fields.extend([field("action", action), field("file", text(&data, "path"))]);
            if data.get("text").or_else(|| data.get("base64")).is_some() {
                shorten(&mut fields, "preview", &written(&data), PREVIEW_CHARS);
            }
        }
        types::FACT_UPDATE => {
            fields.extend([field("action", action)]);
            copy(&mut fields, &data, &["subject", "predicate", "object", "scope", "confidence"]);
        }
        types::STATEMENT_UPDATE => {
            fields.extend([field("action", action)]);
            copy(&mut fields, &data, &["category", "files"]);
            if let Some(text) = data.get("text").and_then(Value::as_str) {
                shorten(&mut fields, "preview", text, PREVIEW_CHARS);
            }
        }
        types::NOTE_UPDATE => {
            fields.extend([field("action", action), field("file", text(&data, "path"))]);
            let sections = data.get("sections").and_then(Value::as_array).cloned().unwrap_or_default();
            let whole: String = sections.iter().map(written).collect();
            if !whole.is_empty() {
                shorten(&mut fields, "preview", &whole, PREVIEW_CHARS);
            }
        }
        types::ZONE_UPDATE => zone(&mut fields, action, &data, meta),
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

/// Lines or a day's text were added, or only taken away.
fn zone(fields: &mut Fields, action: &str, data: &Value, meta: &Meta) {
    let content = text(data, "content");
    let forgets = content.is_empty() && !meta.retires.is_empty();
    fields.extend([field("action", if forgets { "forget" } else { action })]);
    copy(fields, data, &["date"]);
    if !content.is_empty() {
        shorten(fields, "preview", content, PREVIEW_CHARS);
    }
}

/// What an event for the journal alone says.
fn flat(data: Value) -> Fields {
    match data {
        Value::Object(fields) => fields,
        Value::Null => Fields::new(),
        other => Fields::from_iter([("data".to_owned(), other)]),
    }
}

/// A text that stands there as it is, or as base64 where it is no UTF-8.
fn written(data: &Value) -> String {
    let bytes = data.get("base64").and_then(Value::as_str).and_then(|text| BASE64.decode(text).ok());
    bytes.map_or_else(|| text(data, "text").to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Adds the start of a text under a name, and all of it as `content` where it was cut.
fn shorten(fields: &mut Fields, name: &str, text: &str, chars: usize) {
    let shown = start(text, chars);
    let is_cut = text.trim().chars().nth(chars).is_some();
    fields.extend([field(name, &shown)]);
    if is_cut {
        fields.extend([field("content", text)]);
    }
}

/// The first characters of a text, on one line.
pub(super) fn start(text: &str, chars: usize) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().take(chars).map(one_line).collect::<String>().trim_end().to_owned()
}

fn field(name: &str, text: &str) -> (String, Value) {
    (name.to_owned(), text.into())
}

/// A field that is a text; empty where it is none.
fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn copy(fields: &mut Fields, from: &Value, names: &[&str]) {
    for name in names {
        copy_as(fields, from, name, name);
    }
}

fn copy_as(fields: &mut Fields, from: &Value, name: &str, to: &str) {
    if let Some(value) = from.get(name).filter(|value| !value.is_null()) {
        fields.insert(to.to_owned(), value.clone());
    }
}

/// A string as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
