//! The wire format of Anthropic's messages.
//!
//! Reference: <https://docs.anthropic.com/en/api/messages>

use serde::Deserialize;
use serde_json::{Value, json};

use crate::chat::{
    Answer, Message, Rejected, Request, Role, Stop, ToolCall, Usage, alternating, arguments, start,
};

/// The path of the call below the address.
pub(crate) const PATH: &str = "messages";
/// Anthropic's own address.
pub(crate) const BASE_URL: &str = "https://api.anthropic.com/v1";
/// The version of the protocol, sent in the header `anthropic-version`.
pub(crate) const VERSION: &str = "2023-06-01";

/// Returns the body of a call.
pub(crate) fn body(request: &Request, model: &str, stream: bool) -> Value {
    let messages: Vec<Value> = alternating(&request.messages).iter().map(message).collect();
    let mut body = json!({"model": model, "max_tokens": request.max_tokens, "messages": messages});
    if !request.system.is_empty() {
        // The system part is the same from one turn to the next, so the server may keep it.
        body["system"] =
            json!([{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = temperature.into();
    }
    if !request.tools.is_empty() {
        let tool = |tool: &crate::chat::ToolSpec| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema});
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if stream {
        body["stream"] = true.into();
    }
    body
}

fn message(said: &Message) -> Value {
    let mut content = Vec::new();
    for result in &said.results {
        content.push(json!({
            "type": "tool_result", "tool_use_id": result.id, "content": result.text, "is_error": result.is_error,
        }));
    }
    if !said.text.trim().is_empty() {
        content.push(json!({"type": "text", "text": said.text}));
    }
    for call in &said.calls {
        let input = call.arguments.clone().unwrap_or_else(|_| json!({}));
        content.push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input}));
    }
    if content.is_empty() {
        content.push(json!({"type": "text", "text": "(nothing)"}));
    }
    let role = match said.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    json!({"role": role, "content": content})
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Whole,
    },
    ContentBlockStart {
        content_block: Block,
    },
    ContentBlockDelta {
        delta: Delta,
    },
    MessageDelta {
        delta: End,
        #[serde(default)]
        usage: Tokens,
    },
    MessageStop,
    Message(Whole),
    Error {
        error: Fault,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(default)]
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Tokens,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Arguments { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct End {
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Fault {
    #[serde(default)]
    message: String,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Tokens {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
}

/// An answer while its events arrive. A reply that is not streamed is one event.
#[derive(Default)]
pub(crate) struct Parts {
    answer: Answer,
    calls: Vec<(String, String, String)>,
    has_ended: bool,
}

impl Parts {
    /// Adds an event and returns its text.
    ///
    /// # Errors
    /// [`Rejected::Malformed`] if the data is no event of the protocol; [`Rejected::Reported`] if the event reports an error.
    pub(crate) fn add(&mut self, data: &str) -> Result<String, Rejected> {
        let event: Event = serde_json::from_str(data).map_err(|_| {
            Rejected::Malformed(format!("the server sent something else than a message: {}", start(data)))
        })?;
        match event {
            Event::MessageStart { message } => self.count(message.usage),
            Event::ContentBlockStart { content_block } => return Ok(self.add_block(content_block)),
            Event::ContentBlockDelta { delta: Delta::Text { text } } => {
                self.answer.text.push_str(&text);
                return Ok(text);
            }
            Event::ContentBlockDelta { delta: Delta::Arguments { partial_json } } => {
                if let Some((_, _, arguments)) = self.calls.last_mut() {
                    arguments.push_str(&partial_json);
                }
            }
            Event::MessageDelta { delta, usage } => {
                self.count(usage);
                self.stop(delta.stop_reason.as_deref());
            }
            Event::MessageStop => self.has_ended = true,
            Event::Message(whole) => {
                self.count(whole.usage);
                self.stop(whole.stop_reason.as_deref());
                self.has_ended = true;
                return Ok(whole.content.into_iter().map(|block| self.add_block(block)).collect());
            }
            Event::Error { error } => return Err(Rejected::Reported(error.message)),
            Event::ContentBlockDelta { delta: Delta::Other } | Event::Other => {}
        }
        Ok(String::new())
    }

    fn add_block(&mut self, block: Block) -> String {
        match block {
            Block::Text { text } => {
                self.answer.text.push_str(&text);
                text
            }
            Block::ToolUse { id, name, input } => {
                let is_empty = input.as_object().is_none_or(serde_json::Map::is_empty);
                // In a stream, the arguments come in later events.
                let arguments = if is_empty { String::new() } else { input.to_string() };
                self.calls.push((id, name, arguments));
                String::new()
            }
            Block::Other => String::new(),
        }
    }

    fn count(&mut self, tokens: Tokens) {
        let cached =
            [tokens.cache_creation_input_tokens, tokens.cache_read_input_tokens].into_iter().flatten();
        let tokens_in = tokens.input_tokens.unwrap_or_default().saturating_add(cached.sum());
        let usage = self.answer.usage.get_or_insert_default();
        // The counts of a later event include those of an earlier one.
        usage.tokens_in = usage.tokens_in.max(tokens_in);
        usage.tokens_out = usage.tokens_out.max(tokens.output_tokens.unwrap_or_default());
    }

    fn stop(&mut self, reason: Option<&str>) {
        match reason {
            Some("max_tokens" | "model_context_window_exceeded") => self.answer.stop = Stop::Length,
            Some("refusal") => self.answer.stop = Stop::Refusal,
            _ => {}
        }
    }

    /// Returns the answer; `None` if it is not complete.
    pub(crate) fn finish(self) -> Option<Answer> {
        let call = |(id, name, text): (String, String, String)| ToolCall {
            id,
            name,
            arguments: arguments(&text),
            extra: None,
        };
        let calls = self.calls.into_iter().map(call).collect();
        self.has_ended.then_some(Answer { calls, ..self.answer })
    }

    /// Returns the tokens that the call has used, as far as the server has reported them.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.answer.usage
    }

    /// Returns the length of what has arrived, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.answer.text.len() + self.calls.iter().map(|(.., arguments)| arguments.len()).sum::<usize>()
    }

    /// Returns the text that has arrived.
    pub(crate) fn text(&self) -> &str {
        &self.answer.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_fills_the_context_is_cut_off() {
        for (reason, stop) in [
            ("end_turn", Stop::End),
            ("max_tokens", Stop::Length),
            ("model_context_window_exceeded", Stop::Length),
        ] {
            let mut parts = Parts::default();
            parts.add(&json!({"type": "message", "content": [], "stop_reason": reason}).to_string()).unwrap();
            assert_eq!(parts.finish().unwrap().stop, stop, "{reason}");
        }
    }
}
