//! The journal: what happened to an agent, read off the tape line by line, in document 3's flat shape.
//!
//! *Reads* entries, and for some of them what stands beside them in their group. *Writes* events `journal.TYPE`, for
//! what has no other home. In reading order: [`types`] (which entry is of which type), `fields` (what its line says),
//! [`prompt`] (how a model is shown the last lines).
//!
//! **Invariants.** Of which type an entry is follows from that entry alone ([`types::of`]), so an index can keep it.
//! What a caller says never takes the place of `ts`, `type`, `entry`, `session` or `branch`. Every entry has lines or
//! none: what cannot be read as expected says less, and breaks nothing.

pub mod call;
mod fields;
pub mod prompt;
pub mod types;

use std::fmt;

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, EntryId, Kind};
use serde_json::{Map, Value, json};

use crate::decision::Given;
use crate::error::{Error, Result};
use crate::lineage::MAIN;
use crate::memory::Origin;
use crate::meta::Meta;
use crate::payload;

/// How the names of events begin that only the journal is for.
pub const PREFIX: &str = "journal.";
/// The longest name of a type, in characters.
pub const TYPE_CHARS_MAX: usize = 64;
/// The most bytes of what a line is given to say, as JSON.
pub const DATA_BYTES_MAX: usize = 64 * 1024;
/// How many lines the tail shows, unless told otherwise.
pub const TAIL: usize = 40;

/// What every line says by itself, whatever else it says.
const OWN_FIELDS: [&str; 5] = ["ts", "type", "entry", "session", "branch"];
/// What stands before the name of a field that a line says by itself, where its data has one of that name.
const OF_DATA: &str = "data_";

/// A line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The entry that it tells of.
    pub entry: EntryId,
    /// When that was appended.
    pub date: Timestamp,
    /// Its type.
    pub kind: String,
    /// What it says, in order.
    pub fields: Map<String, Value>,
    /// The conversation that it is part of.
    pub session: Option<String>,
    /// Its branch, where that is not main.
    pub branch: Option<String>,
    /// Whether what it says may stand in a prompt unasked: no tool and no page said it (but for the result of a tool's
    /// use), and nothing in it is suspected of steering a model.
    pub trusted: bool,
    /// Whether nothing stands any more of what it tells was remembered, nor anything newer in its place. An entry alone
    /// does not say it.
    pub forgotten: bool,
}

/// What stands beside an entry in its group, as far as its lines need it.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// The entry before it that is no result of a tool.
    pub before: Option<Entry>,
    /// The results of tools right after it; after what begins a turn, the entry that follows.
    pub after: Vec<Entry>,
}

/// What of its group an entry's lines need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Itself,
    /// [`Beside::before`].
    Before,
    /// [`Beside::after`], all results of tools that follow it.
    Results,
    /// [`Beside::after`], the one entry that follows it.
    Next,
}

impl Needs {
    /// What the lines of an entry of this kind need, that are of this type.
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

/// The lines of an entry: one, or none; a line for each call where a model called several tools at once.
#[must_use]
pub fn lines(entry: &Entry, beside: &Beside) -> Vec<Line> {
    let meta = Meta::read(entry.meta.get());
    let name = name(entry);
    let Some(kind) = types::of(entry, name.as_deref(), &meta) else { return Vec::new() };
    let session = meta.session.clone();
    // Whoever recorded it, a tool's output is one.
    let is_output = kind == types::TOOL_USE && entry.kind != Kind::ToolCall;
    let is_foreign = meta.origin.is_some_and(Origin::is_foreign);
    let trusted = !is_output && !is_foreign && meta.quarantined.is_none();
    let line = |fields: Map<String, Value>| Line {
        entry: entry.id,
        date: entry.date,
        kind: kind.to_string(),
        fields,
        session: session.clone(),
        branch: (entry.branch != MAIN).then(|| entry.branch.clone()),
        trusted,
        forgotten: false,
    };
    fields::of(entry, &kind, &meta, beside).into_iter().map(line).collect()
}

fn name(entry: &Entry) -> Option<String> {
    matches!(entry.kind, Kind::Anchor | Kind::Event).then(|| payload::event_name(entry)).flatten()
}

impl Line {
    /// What it says, by names that are none of what every line says by itself.
    #[must_use]
    pub fn said(&self) -> Map<String, Value> {
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

    /// The line as one JSON object: `ts` and `type` first, then what it says, then where it stands.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("ts".into(), timestamp(self.date).into());
        out.insert("type".into(), self.kind.clone().into());
        out.extend(self.said());
        out.insert("entry".into(), self.entry.into());
        out.extend(self.session.iter().map(|session| ("session".to_owned(), session.clone().into())));
        out.extend(self.branch.iter().map(|branch| ("branch".to_owned(), branch.clone().into())));
        Value::Object(out)
    }
}

impl fmt::Display for Line {
    /// One line of JSON, without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_json())
    }
}

/// An instant as the journal spells it: UTC with `Z`, milliseconds only where there are any.
#[must_use]
pub fn timestamp(at: Timestamp) -> String {
    let millis = at.as_millisecond().rem_euclid(1000);
    let seconds = at.strftime("%Y-%m-%dT%H:%M:%S");
    match millis {
        0 => format!("{seconds}Z"),
        millis => format!("{seconds}.{millis:03}Z"),
    }
}

/// The event that puts a line into the journal.
///
/// # Errors
/// [`Error::Invalid`] for a type that is none, or data that is no object or too much; [`Error::Refused`] for a type whose
/// lines come from what is done.
pub fn event(kind: &str, data: &Value, given: &Given) -> Result<Draft> {
    types::check(kind)?;
    if !data.is_object() {
        return Err(Error::Invalid(
            "what a line of the journal says is a JSON object, such as {\"action\":\"…\"}".into(),
        ));
    }
    let text = data.to_string();
    if text.len() > DATA_BYTES_MAX {
        return Err(Error::Invalid(format!(
            "a line of the journal says at most {DATA_BYTES_MAX} bytes: this is {} more",
            text.len() - DATA_BYTES_MAX
        )));
    }
    if serde_json::from_str::<Value>(&text).is_err() {
        return Err(Error::Invalid("the JSON is nested too deeply: at most about 120 levels".into()));
    }
    let payload = json!({"name": format!("{PREFIX}{kind}"), "data": data});
    Ok(Draft::new(Kind::Event, &payload, &given.meta(), &given.branch)?)
}

#[cfg(test)]
mod tests;
