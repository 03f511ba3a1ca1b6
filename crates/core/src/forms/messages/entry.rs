//! Entries of conversations, and the memories they create.

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The role: `user`, `assistant`, `system`, `tool` or another.
    pub role: String,
    /// The text.
    #[serde(default)]
    pub content: String,
    /// The name of the speaker, if the role is not enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A description of an attached picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// When it was said, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_at: Option<Timestamp>,
}

impl Message {
    /// Returns a message of this role.
    #[must_use]
    pub fn new(role: impl Into<String>, content: impl Into<String>) -> Self {
        Self { role: role.into(), content: content.into(), name: None, image: None, said_at: None }
    }

    /// Returns the entry that records it.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the message cannot be serialized as JSON.
    pub fn draft(&self, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Message, self, meta, branch)
    }

    /// Returns the message with this time, unless it has one already.
    #[must_use]
    pub fn dated(self, said_at: Option<Timestamp>) -> Self {
        Self { said_at: self.said_at.or(said_at), ..self }
    }

    /// Returns the entry that records its text as a system message, for a trigger without a speaker.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if the entry cannot be serialized as JSON.
    pub fn system(&self, meta: &Meta, branch: &str) -> Result<Draft> {
        let mut payload = json!({"content": self.content});
        if let Some(said_at) = self.said_at {
            payload["said_at"] = said_at.to_string().into();
        }
        Draft::new(Kind::System, &payload, meta, branch)
    }

    /// Returns the origin that its role implies.
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

/// A tool call and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolUse {
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
    /// The result, if it is known.
    pub result: Option<String>,
}

impl ToolUse {
    /// Returns the entries that record simultaneous calls of a model: the calls, and their results if any is
    /// known.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Unwritable`] if an entry cannot be serialized as JSON.
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

    /// Returns the text of the calls, for search and display.
    pub(super) fn text(uses: &[Self]) -> String {
        calls(&Self::calls(uses))
    }
}

/// The data of a message besides its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageData {
    /// The kind of its entry, if it is not `message`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The role.
    pub role: String,
    /// The name of the speaker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the speaking user on the conversation's channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// A description of an attached picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

impl MessageData {
    /// Returns the speaker: the name, otherwise the id of the user, otherwise the role.
    #[must_use]
    pub fn speaker(&self) -> &str {
        self.name.as_deref().or(self.user.as_deref()).unwrap_or(&self.role)
    }

    /// Returns whether the same speaker said another message of the conversation: by the ids, since anybody can choose a
    /// name. Only if neither has an id, the names tell.
    #[must_use]
    pub fn is_of_same_speaker(&self, other: &Self) -> bool {
        match (&self.user, &other.user) {
            (None, None) => self.speaker() == other.speaker(),
            (one, other) => one == other,
        }
    }

    /// Returns whether it is the output of a tool.
    #[must_use]
    pub fn is_of_tool(&self) -> bool {
        matches!(self.role.as_str(), "tool" | "function")
    }
}

/// Returns the memory that an entry of a conversation creates, if any. Its scope is always that of the chat.
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
        // The output of a tool always has the origin `tool`, whatever its `meta` contains.
        origin: if data.is_of_tool() { Some(Origin::Tool) } else { meta.origin },
        said_at,
        text,
        data: serde_json::to_string(&data).ok(),
        search: Search { own, after_previous: true, day },
        ..Created::of(Form::MESSAGES, MemoryId::new(entry.id, 0), meta)
    }]
}

/// Returns the text of an entry of a conversation, its data and its time.
///
/// Payloads of other programs are read as far as they can be understood.
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

/// Returns the name or user id of the speaker of a message; `None` if the tape records neither.
#[must_use]
pub fn named_speaker(payload: &Value, meta: &Meta) -> Option<String> {
    let name = payload.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
    name.map(str::to_owned).or_else(|| meta.user().map(|user| user.id().to_owned()))
}

/// Returns the text of a content that is a string or a list of parts, some of which are texts.
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

/// Formats each call as `name(arguments)`.
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

/// Returns a string unchanged, and any other value as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
