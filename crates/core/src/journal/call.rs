//! Calls of memtape's own tools, as the journal keeps them.
//!
//! **Invariants.** A call that writes says nothing that it writes: what that was stands in the entries beside it, and an
//! erasure, or a memory that is forgotten, takes it away there alone. It shows to nobody who does not see them.

use memtape_tape::{Draft, Kind};
use serde_json::{Value, json};

use super::PREFIX;
use super::types::{READ, TOOL_USE};
use crate::branch;
use crate::decision::Given;
use crate::error::Result;
use crate::line::start;
use crate::meta::Meta;
use crate::payload;
use crate::safety::injection;
use crate::scope::Scope;

/// The arguments that name something, or choose: they are kept as they are. Of every other text only its length is.
const NAMES: [&str; 6] = ["path", "name", "date", "mode", "action", "layer"];
/// The arguments that say what a reading call is about, the first that is given.
const TARGETS: [&str; 4] = ["path", "name", "query", "subject"];
/// How many characters are kept of arguments, and of what was asked for.
const INPUT_CHARS: usize = 200;
const TARGET_CHARS: usize = 100;

/// The arguments of a call as one short text: names and numbers as they are, other texts by their length.
#[must_use]
pub fn input(arguments: &Value) -> String {
    let short = |name: &str, value: &Value| match value {
        Value::String(_) if NAMES.contains(&name) => value.clone(),
        Value::String(text) => format!("{} characters", text.chars().count()).into(),
        Value::Array(items) => format!("{} items", items.len()).into(),
        Value::Object(fields) => format!("{} fields", fields.len()).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    };
    let fields = arguments.as_object().into_iter().flatten();
    let short: Value = fields.map(|(name, value)| (name.clone(), short(name, value))).collect();
    start(&short.to_string(), INPUT_CHARS)
}

/// Adds a call to the entries that it writes: the first of their group, but after what begins their branch. Returns where
/// it stands among them; `None` where the call writes nothing.
///
/// # Errors
/// None that a call can cause: what it says is JSON.
pub fn add(drafts: &mut Vec<Draft>, tool: &str, input: &str, given: &Given) -> Result<Option<usize>> {
    let Some(first) = drafts.first() else { return Ok(None) };
    // A group that forks a branch belongs to that one.
    let branch = first.branch.clone();
    let at = usize::from(payload::draft_name(first).as_deref() == Some(branch::FORK));
    let data = json!({"tool": tool, "input": input});
    let payload = json!({"name": format!("{PREFIX}{TOOL_USE}"), "data": data});
    let draft = Draft::new(Kind::Event, &payload, &beside(drafts, given), &branch)?;
    drafts.insert(at, draft);
    Ok(Some(at))
}

/// What a call says of itself: as much in confidence as what it writes, and of the same user or chat. What it writes for
/// everybody is its chat's all the same.
fn beside(drafts: &[Draft], given: &Given) -> Meta {
    let metas: Vec<Meta> = drafts.iter().map(|draft| Meta::read(draft.meta.get())).collect();
    let own = |meta: &Meta| Some(meta.scope()).filter(|scope| *scope != Scope::Global);
    let scopes: Vec<Scope> = metas.iter().filter_map(own).collect();
    // Of a user's memory nobody else in the chat learns, not even that something was written.
    let scope = scopes.iter().find(|scope| matches!(scope, Scope::User(_))).or(scopes.first()).cloned();
    Meta {
        scope: scope.unwrap_or_else(|| Scope::of_chat(&given.session)).label(),
        sensitivity: metas.iter().map(|meta| meta.sensitivity).max().unwrap_or_default(),
        ..Meta::of(&given.session, given.origin)
    }
}

/// The event that says of a reading call what it was about, and how much it gave.
///
/// # Errors
/// None that a call can cause: what it says is JSON.
pub fn reading(tool: &str, arguments: &Value, reply: &str, given: &Given) -> Result<Draft> {
    let about = TARGETS.iter().find_map(|name| arguments.get(name).and_then(Value::as_str));
    // A prompt shows the journal's last lines: what would steer a model is not among them.
    let target = about.filter(|text| injection::is_suspicious(text).is_none());
    let mut data = json!({"tool": tool, "summary": format!("{} characters", reply.chars().count())});
    if let Some(target) = target {
        data["target"] = start(target, TARGET_CHARS).into();
    }
    let payload = json!({"name": format!("{PREFIX}{READ}"), "data": data});
    Ok(Draft::new(Kind::Event, &payload, &given.meta(), &given.branch)?)
}
