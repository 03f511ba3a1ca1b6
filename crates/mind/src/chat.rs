//! A conversation with a model, independent of the protocol: requests and answers.

use std::ops::AddAssign;

use serde_json::Value;

/// Placeholder for the beginning of a conversation that begins with the model: many servers require the user first.
const BEFORE: &str = "(The conversation began earlier.)";
/// Characters per token, where a server does not count.
pub(crate) const CHARS_PER_TOKEN: usize = 4;
/// Maximum number of characters of a foreign text that an error shows.
const SHOWN_CHARS: usize = 200;

/// The role of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person, or the program that speaks for them.
    User,
    /// The model.
    Assistant,
}

/// A message: text, the model's calls of tools, or their results.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The speaker. Results of tools are the user's.
    pub role: Role,
    /// The text; empty if there is none.
    pub text: String,
    /// The tools that the model calls.
    pub calls: Vec<ToolCall>,
    /// The reasoning before the calls, which some servers want back with them; empty if there is none.
    pub reasoning: String,
    /// The results of calls.
    pub results: Vec<ToolResult>,
}

impl Message {
    /// Returns a text of the user.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            text: text.into(),
            calls: Vec::new(),
            reasoning: String::new(),
            results: Vec::new(),
        }
    }

    /// Returns a text of the model.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, ..Self::user(text) }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The id by which the result refers to it.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments; the text itself if it is no JSON object.
    pub arguments: Result<Value, String>,
    /// What the server wants back with the call; `None` if nothing.
    pub extra: Option<Value>,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The id of the call.
    pub id: String,
    /// The text.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The name.
    pub name: String,
    /// The description of its effect, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub schema: Value,
}

/// A request to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The system part.
    pub system: String,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The tools that it may call.
    pub tools: Vec<ToolSpec>,
    /// Maximum tokens of the answer, thinking included. A larger `model.max_tokens` counts instead.
    pub max_tokens: u32,
    /// The temperature; `None` is that of the model.
    pub temperature: Option<f64>,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// It has said everything, or it calls tools.
    #[default]
    End,
    /// The answer reached the maximum length.
    Length,
    /// It refuses to answer.
    Refusal,
}

/// An answer of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The text; empty if there is none.
    pub text: String,
    /// The tools that it calls.
    pub calls: Vec<ToolCall>,
    /// The reasoning that came apart from the text; empty if there is none.
    pub reasoning: String,
    /// Why it stopped.
    pub stop: Stop,
    /// The tokens that the call used; `None` if the server does not report them.
    pub usage: Option<Usage>,
}

/// The tokens of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The tokens that the model received.
    pub tokens_in: u64,
    /// The tokens that it returned.
    pub tokens_out: u64,
}

impl Usage {
    /// Returns how many tokens a text of this length has, where a server does not count them.
    pub(crate) fn estimated(bytes: usize) -> u64 {
        bytes.div_ceil(CHARS_PER_TOKEN) as u64
    }

    /// Returns the sum.
    #[must_use]
    pub fn total(self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.tokens_in = self.tokens_in.saturating_add(other.tokens_in);
        self.tokens_out = self.tokens_out.saturating_add(other.tokens_out);
    }
}

/// Why a part of an answer cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    /// It is not of the protocol.
    Malformed(String),
    /// The server reports an error in it.
    Reported(String),
}

/// Returns messages in which the user is first and the roles alternate, as many servers and the templates of many models
/// demand: texts of one role that follow each other become one.
pub(crate) fn alternating(messages: &[Message]) -> Vec<Message> {
    let mut joined: Vec<Message> = Vec::with_capacity(messages.len() + 1);
    if messages.first().is_some_and(|first| first.role == Role::Assistant) {
        joined.push(Message::user(BEFORE));
    }
    for message in messages {
        let is_text = |message: &Message| message.calls.is_empty() && message.results.is_empty();
        match joined.last_mut() {
            Some(last) if last.role == message.role && is_text(last) && is_text(message) => {
                last.text = format!("{}\n\n{}", last.text, message.text);
            }
            _ => joined.push(message.clone()),
        }
    }
    joined
}

/// Parses the arguments of a call. No arguments mean an empty object.
pub(crate) fn arguments(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        _ => Err(text.to_owned()),
    }
}

/// Returns the beginning of a foreign text, for an error.
pub(crate) fn start(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
