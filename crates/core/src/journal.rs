//! The journal: a line-by-line record of what happened to an agent, in document 3's flat shape.
//!
//! The lines are computed from entries and, for some of them, from their neighbours in the group. Events
//! `journal.TYPE` record what no other entry does. Reading order: [`types`] (the type of an entry), `fields`
//! (the content of its line), [`prompt`] (how a model sees the last lines).
//!
//! **Invariants.** The type of an entry follows from that entry only ([`types::of`]), so an index can store
//! it. Caller data never replaces `ts`, `type`, `entry`, `session` or `branch`. An entry of an unexpected
//! shape yields lines with fewer fields, or none, but never an error.

pub mod call;
mod fields;
pub mod prompt;
pub mod types;

use std::fmt;

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, EntryId, Kind};
use serde_json::{Map, Value, json};

use crate::audience::Sensitivity;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::lineage::MAIN;
use crate::memory::Origin;
use crate::meta::Meta;
use crate::payload;

/// The prefix of events that exist only for the journal.
pub const PREFIX: &str = "journal.";
/// The maximum length of a type's name, in characters.
pub const TYPE_CHARS_MAX: usize = 64;
/// The maximum size of the data of a line, in bytes of JSON.
pub const DATA_BYTES_MAX: usize = 64 * 1024;
/// The default number of lines in the tail.
pub const TAIL: usize = 40;

/// The fields that every line has.
const OWN_FIELDS: [&str; 5] = ["ts", "type", "entry", "session", "branch"];
/// The fields that the line of a confidential entry has: names, which its ref contains too, and none of its text.
const OF_CONFIDENTIAL: [&str; 3] = ["tool", "block", "layer"];
/// The prefix of a data field that has the name of such a field.
const OF_DATA: &str = "data_";

/// A line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The entry that it reports.
    pub entry: EntryId,
    /// When that entry was appended.
    pub date: Timestamp,
    /// Its type.
    pub kind: String,
    /// Its data fields, in order.
    pub fields: Map<String, Value>,
    /// The conversation that it is part of.
    pub session: Option<String>,
    /// Its branch; `None` for main.
    pub branch: Option<String>,
    /// Whether a prompt may show its data unasked: it did not come from a tool or a web page (nor is it a
    /// tool's result), and it is not quarantined.
    pub trusted: bool,
    /// Whether every memory that it reports was removed without a newer version. An entry alone does not
    /// determine this.
    pub forgotten: bool,
}

/// The neighbours of an entry in its group, as far as its lines need them.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// The last entry before it that is not a tool result.
    pub before: Option<Entry>,
    /// The tool results right after it; for the beginning of a turn, the entry that follows.
    pub after: Vec<Entry>,
}

/// The neighbours that an entry's lines need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Itself,
    /// [`Beside::before`].
    Before,
    /// [`Beside::after`]: all tool results that follow it.
    Results,
    /// [`Beside::after`]: the one entry that follows it.
    Next,
}

impl Needs {
    /// Returns the data that lines of this type need for an entry of this kind.
    #[must_use]
    pub fn of(kind: &Kind, line: &str) -> Self {
        match (kind, line) {
            (Kind::ToolCall, _) => Self::Results,
            (Kind::ToolResult, _) | (Kind::System | Kind::Message, types::SYSTEM) => Self::Before,
            (Kind::Event, types::TRIGGER) => Self::Next,
            _ => Self::Itself,
        }
    }
}

/// Returns the lines of an entry: none, one, or one for each tool call if a model made several at once.
///
/// Those of a confidential entry have at most the fields `tool`, `block` and `layer`: its memories are shown by their ref.
#[must_use]
pub fn lines(entry: &Entry, beside: &Beside) -> Vec<Line> {
    let meta = Meta::read(entry.meta.get());
    let name = name(entry);
    let Some(kind) = types::of(entry, name.as_deref(), &meta) else { return Vec::new() };
    let session = meta.session.clone();
    // A tool's output is untrusted, whoever recorded it.
    let is_output = kind == types::TOOL_USE && entry.kind != Kind::ToolCall;
    let is_foreign = meta.origin.is_some_and(Origin::is_foreign);
    let trusted = !is_output && !is_foreign && meta.quarantined.is_none();
    let is_confidential = meta.sensitivity == Sensitivity::Confidential;
    let line = |mut fields: Map<String, Value>| {
        fields.retain(|name, _| !is_confidential || OF_CONFIDENTIAL.contains(&name.as_str()));
        Line {
            entry: entry.id,
            date: entry.date,
            kind: kind.to_string(),
            fields,
            session: session.clone(),
            branch: (entry.branch != MAIN).then(|| entry.branch.clone()),
            trusted,
            forgotten: false,
        }
    };
    fields::of(entry, &kind, &meta, beside).into_iter().map(line).collect()
}

fn name(entry: &Entry) -> Option<String> {
    matches!(entry.kind, Kind::Anchor | Kind::Event).then(|| payload::event_name(entry)).flatten()
}

impl Line {
    /// Returns the data fields, renamed if they clash with a field that every line has.
    #[must_use]
    pub fn data_fields(&self) -> Map<String, Value> {
        let mut out = Map::new();
        for (name, value) in &self.fields {
            let mut name = name.clone();
            while OWN_FIELDS.contains(&name.as_str()) || out.contains_key(&name) {
                name.insert_str(0, OF_DATA);
            }
            out.insert(name, value.clone());
        }
        out
    }

    /// Returns the line as one JSON object: `ts` and `type`, then its data, then `entry`, `session` and
    /// `branch`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("ts".into(), timestamp(self.date).into());
        out.insert("type".into(), self.kind.clone().into());
        out.extend(self.data_fields());
        out.insert("entry".into(), self.entry.into());
        out.extend(self.session.iter().map(|session| ("session".to_owned(), session.clone().into())));
        out.extend(self.branch.iter().map(|branch| ("branch".to_owned(), branch.clone().into())));
        Value::Object(out)
    }
}

impl fmt::Display for Line {
    /// Writes one line of JSON without a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_json())
    }
}

/// Formats an instant for the journal: UTC with `Z`, milliseconds only if they are not zero.
#[must_use]
pub fn timestamp(at: Timestamp) -> String {
    let millis = at.as_millisecond().rem_euclid(1000);
    let seconds = at.strftime("%Y-%m-%dT%H:%M:%S");
    match millis {
        0 => format!("{seconds}Z"),
        millis => format!("{seconds}.{millis:03}Z"),
    }
}

/// Returns the event that adds a line to the journal.
///
/// # Errors
/// [`Error::Invalid`] if the type is not a valid name, or the data is not an object, is larger than
/// [`DATA_BYTES_MAX`] or is nested too deeply; [`Error::Refused`] with a hint, as [`types::check`] returns
/// it, for a type that only commands create.
pub fn event(kind: &str, data: &Value, ctx: &Context) -> Result<Draft> {
    types::check(kind)?;
    if !data.is_object() {
        return Err(Error::Invalid(
            "the data of a journal line must be a JSON object, such as {\"action\":\"…\"}".into(),
        ));
    }
    let text = data.to_string();
    if text.len() > DATA_BYTES_MAX {
        return Err(Error::Invalid(format!(
            "the data of a journal line is {} bytes over the limit of {DATA_BYTES_MAX}",
            text.len() - DATA_BYTES_MAX
        )));
    }
    if serde_json::from_str::<Value>(&text).is_err() {
        return Err(Error::Invalid("the JSON is nested too deeply: the limit is about 120 levels".into()));
    }
    let payload = json!({"name": format!("{PREFIX}{kind}"), "data": data});
    Ok(Draft::new(Kind::Event, &payload, &ctx.meta(), &ctx.branch)?)
}

#[cfg(test)]
mod tests;
