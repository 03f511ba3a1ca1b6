//! What a message says on the tape, and the memory it is.

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::calendar;
use crate::created::{Created, Search};
use crate::memory::{Form, MemoryId, Origin};
use crate::meta::Meta;
use jiff::tz::TimeZone;

/// A message: the payload of a `message` entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `user`, `assistant`, `system`, `tool` or another.
    pub role: String,
    /// What was said.
    #[serde(default)]
    pub content: String,
    /// Who said it, where the role does not say enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What a picture sent along shows, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// When it was said, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_at: Option<Timestamp>,
}

impl Message {
    /// The entry that records it.
    ///
    /// # Errors
    /// None that a message can cause: every field becomes JSON.
    pub fn draft(&self, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Message, self, meta, branch)
    }

    /// The same, said at this time, unless it says itself when.
    #[must_use]
    pub fn dated(self, said_at: Option<Timestamp>) -> Self {
        Self { said_at: self.said_at.or(said_at), ..self }
    }

    /// The entry that records its text as what nobody said: what began a turn by itself.
    ///
    /// # Errors
    /// None that a message can cause.
    pub fn system(&self, meta: &Meta, branch: &str) -> Result<Draft> {
        let mut payload = json!({"content": self.content});
        if let Some(said_at) = self.said_at {
            payload["said_at"] = said_at.to_string().into();
        }
        Draft::new(Kind::System, &payload, meta, branch)
    }

    /// Who it came from, by its role.
    #[must_use]
    pub fn origin(&self) -> Origin {
        match self.role.as_str() {
            "user" => Origin::User,
            "assistant" => Origin::Assistant,
            "tool" | "function" => Origin::Tool,
            _ => Origin::Import,
        }
    }
}

/// A call of a tool, and what it gave.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolUse {
    /// The tool.
    pub name: String,
    /// What it was called with.
    pub arguments: Value,
    /// What it gave, where that is known.
    pub result: Option<String>,
}

impl ToolUse {
    /// The entries that record calls which a model made at once: the calls, and what they gave, where that is known.
    ///
    /// # Errors
    /// None that a call can cause.
    pub fn drafts(
        uses: &[Self],
        said_at: Option<Timestamp>,
        meta: &Meta,
        branch: &str,
    ) -> Result<Vec<Draft>> {
        let mut calls = json!({"calls": Self::calls(uses)});
        if let Some(said_at) = said_at {
            calls["said_at"] = said_at.to_string().into();
        }
        let mut drafts = vec![Draft::new(Kind::ToolCall, &calls, meta, branch)?];
        if uses.iter().any(|used| used.result.is_some()) {
            let results: Vec<_> =
                uses.iter().map(|used| used.result.as_deref().unwrap_or_default()).collect();
            let meta = Meta { origin: Some(Origin::Tool), ..meta.clone() };
            drafts.push(Draft::new(Kind::ToolResult, &json!({"results": results}), &meta, branch)?);
        }
        Ok(drafts)
    }

    fn calls(uses: &[Self]) -> Value {
        let call = |used: &Self| json!({"function": {"name": used.name, "arguments": used.arguments}});
        uses.iter().map(call).collect()
    }

    /// The calls as the tape's text of them.
    pub(super) fn text(uses: &[Self]) -> String {
        calls(&Self::calls(uses))
    }
}

/// What the form keeps of a message besides its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageData {
    /// The kind of its entry, where it is not `message`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The role.
    pub role: String,
    /// The speaker's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the user who speaks, on the conversation's channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What a picture sent along shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

impl MessageData {
    /// Who speaks: by name, else by the user's id, else by role.
    #[must_use]
    pub fn speaker(&self) -> &str {
        self.name.as_deref().or(self.user.as_deref()).unwrap_or(&self.role)
    }

    /// Whether a tool speaks.
    #[must_use]
    pub fn is_of_tool(&self) -> bool {
        matches!(self.role.as_str(), "tool" | "function")
    }
}

/// The memory that an entry of a conversation is: its chat's, whatever else is said of it.
#[must_use]
pub fn creates(entry: &Entry, meta: &Meta) -> Vec<Created> {
    let Some((text, data, said_at)) = content(entry) else { return Vec::new() };
    let data = MessageData { user: meta.user().map(|user| user.id().to_owned()), ..data };
    if text.is_empty() && data.image.is_none() {
        return Vec::new();
    }
    let mut own = format!("{}: {text}", data.speaker());
    if let Some(image) = &data.image {
        own = format!("{own} {image}");
    }
    let day = said_at.map(|at| calendar::day_words(calendar::day(at, &TimeZone::UTC)));
    vec![Created {
        key: entry.id.to_string(),
        scope: meta.chat(),
        // Whatever is said of a tool's output, it is one.
        origin: if data.is_of_tool() { Some(Origin::Tool) } else { meta.origin },
        said_at,
        text,
        data: serde_json::to_string(&data).ok(),
        search: Search { own, after_previous: true, day },
        ..Created::of(Form::MESSAGES, MemoryId::new(entry.id, 0), meta)
    }]
}

/// The words of an entry of a conversation, whoever wrote it: payloads of other programs are read as far as
/// they go.
fn content(entry: &Entry) -> Option<(String, MessageData, Option<Timestamp>)> {
    let payload: Value = serde_json::from_str(entry.payload.get()).ok()?;
    let string = |name: &str| payload.get(name).and_then(Value::as_str).map(str::to_owned);
    let kind = (entry.kind != Kind::Message).then(|| entry.kind.to_string());
    let (role, text) = match entry.kind {
        Kind::ToolCall => ("assistant".to_owned(), calls(payload.get("calls")?)),
        Kind::ToolResult => ("tool".to_owned(), results(payload.get("results")?)),
        Kind::System => ("system".to_owned(), string("content").unwrap_or_default()),
        _ => (string("role").unwrap_or_else(|| "user".into()), parts(payload.get("content"))),
    };
    let data = MessageData { kind, role, name: string("name"), user: None, image: string("image") };
    let said_at = string("said_at").and_then(|at| at.parse().ok());
    Some((text, data, said_at))
}

/// Who says a message, by name, else by the user's id; `None` where the tape knows neither.
#[must_use]
pub fn named_speaker(payload: &Value, meta: &Meta) -> Option<String> {
    let name = payload.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
    name.map(str::to_owned).or_else(|| meta.user().map(|user| user.id().to_owned()))
}

/// A content that is a text, or a list of parts of which some are texts.
#[must_use]
pub fn parts(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts: Vec<_> = parts
                .iter()
                .filter_map(|part| part.as_str().or_else(|| part.get("text").and_then(Value::as_str)))
                .collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// `name(arguments)` of each call.
fn calls(calls: &Value) -> String {
    let call = |call: &Value| {
        let function = call.get("function").unwrap_or(call);
        let name = function.get("name").and_then(Value::as_str).unwrap_or("?");
        let arguments = function.get("arguments").map(plain).unwrap_or_default();
        format!("{name}({arguments})")
    };
    calls.as_array().map(|list| list.iter().map(call).collect::<Vec<_>>().join("\n")).unwrap_or_default()
}

fn results(results: &Value) -> String {
    results.as_array().map(|list| list.iter().map(plain).collect::<Vec<_>>().join("\n")).unwrap_or_default()
}

/// A string as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
