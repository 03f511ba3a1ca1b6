//! Calls of memtape's own tools in the journal.
//!
//! **Invariants.** The record of a writing call contains no text that it writes: that is only in the entries
//! beside it, so erasing or forgetting those removes it completely. The record is visible only to those who
//! see these entries.

use memtape_tape::{Draft, Kind};
use serde_json::{Value, json};

use super::PREFIX;
use super::types::{READ, TOOL_USE};
use crate::branch;
use crate::decision::Context;
use crate::error::Result;
use crate::line::start;
use crate::meta::Meta;
use crate::payload;
use crate::safety::injection;
use crate::scope::Scope;

/// The arguments kept verbatim: names and choices. Of other texts only the length is kept.
const NAMES: [&str; 9] =
    ["command", "path", "old_path", "new_path", "name", "date", "mode", "action", "layer"];
/// The arguments that identify the target of a reading call; the first one present counts.
const TARGETS: [&str; 4] = ["path", "name", "query", "subject"];
/// The maximum number of characters kept of the arguments, and of the target.
const INPUT_CHARS: usize = 200;
const TARGET_CHARS: usize = 100;

/// Returns the arguments of a call as one short text: names and numbers verbatim, other texts as their
/// length.
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

/// Inserts the record of a call into the entries that it writes: first in their group, but after the fork of
/// their branch. Returns its index; `None` if the call writes nothing.
///
/// # Errors
/// [`crate::Error::Tape`] if the record does not serialize as a JSON object; a valid call never causes it.
pub fn add(drafts: &mut Vec<Draft>, tool: &str, input: &str, ctx: &Context) -> Result<Option<usize>> {
    let Some(first) = drafts.first() else { return Ok(None) };
    // A group that forks a branch belongs to the new branch.
    let branch = first.branch.clone();
    let at = usize::from(payload::draft_name(first).as_deref() == Some(branch::FORK));
    let data = json!({"tool": tool, "input": input});
    let payload = json!({"name": format!("{PREFIX}{TOOL_USE}"), "data": data});
    let draft = Draft::new(Kind::Event, &payload, &beside(drafts, ctx), &branch)?;
    drafts.insert(at, draft);
    Ok(Some(at))
}

/// Returns the `meta` of a call's record: as sensitive as what it writes, and of the same user or chat. The
/// record of a write to the workspace belongs to the chat.
fn beside(drafts: &[Draft], ctx: &Context) -> Meta {
    let metas: Vec<Meta> = drafts.iter().map(|draft| Meta::read(draft.meta.get())).collect();
    let own = |meta: &Meta| Some(meta.scope()).filter(|scope| *scope != Scope::Global);
    let scopes: Vec<Scope> = metas.iter().filter_map(own).collect();
    // Others in the chat must not learn that a user's memory was written.
    let scope = scopes.iter().find(|scope| matches!(scope, Scope::User(_))).or(scopes.first()).cloned();
    Meta {
        scope: scope.unwrap_or_else(|| Scope::of_chat(&ctx.session)).label(),
        sensitivity: metas.iter().map(|meta| meta.sensitivity).max().unwrap_or_default(),
        ..Meta::of(&ctx.session, ctx.origin)
    }
}

/// Returns the event that records a reading call: its target, and the size of its result.
///
/// # Errors
/// [`crate::Error::Tape`] if the record does not serialize as a JSON object; a valid call never causes it.
pub fn reading(tool: &str, arguments: &Value, reply: &str, ctx: &Context) -> Result<Draft> {
    let about = TARGETS.iter().find_map(|name| arguments.get(name).and_then(Value::as_str));
    // A prompt shows the last journal lines, so a suspicious target is left out.
    let target = about.filter(|text| injection::is_suspicious(text).is_none());
    let mut data = json!({"tool": tool, "summary": format!("{} characters", reply.chars().count())});
    if let Some(target) = target {
        data["target"] = start(target, TARGET_CHARS).into();
    }
    let payload = json!({"name": format!("{PREFIX}{READ}"), "data": data});
    Ok(Draft::new(Kind::Event, &payload, &ctx.meta(), &ctx.branch)?)
}
