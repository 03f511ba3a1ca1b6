//! The wire format of OpenAI's chat completions, which most servers speak.
//!
//! Reference: <https://platform.openai.com/docs/api-reference/chat>

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::chat::{
    Answer, Message, Rejected, Request, Role, Stop, ToolCall, Usage, alternating, arguments, start,
};

/// The path of the call below the address.
pub(crate) const PATH: &str = "chat/completions";
/// OpenAI's own address.
pub(crate) const BASE_URL: &str = "https://api.openai.com/v1";
/// The factor by which the limit of a reasoning model is larger.
const REASONING: u32 = 4;
/// The data of the event that ends a stream.
pub(crate) const DONE: &str = "[DONE]";

/// Returns the body of a call.
pub(crate) fn body(request: &Request, model: &str, stream: bool) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    alternating(&request.messages).iter().for_each(|said| message(said, &mut messages));
    let mut body = json!({"model": model, "messages": messages});
    if reasons(model) {
        // These models accept only this name of the limit, which includes their reasoning, and no temperature.
        body["max_completion_tokens"] = request.max_tokens.saturating_mul(REASONING).into();
    } else {
        body["max_tokens"] = request.max_tokens.into();
        if let Some(temperature) = request.temperature {
            body["temperature"] = temperature.into();
        }
    }
    if !request.tools.is_empty() {
        let tool = |tool: &crate::chat::ToolSpec| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.schema,
            }})
        };
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if stream {
        body["stream"] = true.into();
        body["stream_options"] = json!({"include_usage": true});
    }
    body
}

/// Returns whether a model is one of OpenAI's reasoning models.
fn reasons(model: &str) -> bool {
    let model = model.rsplit('/').next().unwrap_or(model);
    ["gpt-5", "o1", "o3", "o4"].iter().any(|prefix| model.starts_with(prefix))
}

fn message(said: &Message, out: &mut Vec<Value>) {
    for result in &said.results {
        out.push(json!({"role": "tool", "tool_call_id": result.id, "content": result.text}));
    }
    match said.role {
        Role::User if said.text.is_empty() => {}
        Role::User => out.push(json!({"role": "user", "content": said.text})),
        Role::Assistant => {
            let has_calls = !said.calls.is_empty();
            let content =
                if said.text.is_empty() && has_calls { Value::Null } else { said.text.clone().into() };
            let mut message = json!({"role": "assistant", "content": content});
            if !said.calls.is_empty() {
                let call = |call: &ToolCall| {
                    let arguments = match &call.arguments {
                        Ok(value) => value.to_string(),
                        // A server refuses a history with arguments that are no JSON.
                        Err(_) => "{}".to_owned(),
                    };
                    let function = json!({"name": call.name, "arguments": arguments});
                    let mut item = json!({"id": call.id, "type": "function", "function": function});
                    if let Some(extra) = &call.extra {
                        item["extra_content"] = extra.clone();
                    }
                    item
                };
                message["tool_calls"] = said.calls.iter().map(call).collect();
                if !said.reasoning.is_empty() {
                    message["reasoning_content"] = said.reasoning.clone().into();
                }
            }
            out.push(message);
        }
    }
}

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Tokens>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default, alias = "delta")]
    message: Option<Part>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Part {
    #[serde(default, deserialize_with = "text")]
    content: String,
    /// DeepSeek's, which wants it back with the calls.
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
}

/// Reads a text. Some servers send a list of parts, of which the texts count.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part["type"] == "text");
            Ok(texts.filter_map(|part| part["text"].as_str()).collect())
        }
        value => Err(serde::de::Error::custom(format!("expected a text, not {value}"))),
    }
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    index: Option<usize>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Function,
    /// Gemini's, which wants it back with the call.
    #[serde(default)]
    extra_content: Option<Value>,
}

#[derive(Default, Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct Tokens {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

/// A call while its parts arrive.
#[derive(Default)]
struct BegunCall {
    id: String,
    name: String,
    arguments: String,
    extra: Option<Value>,
}

/// An answer while its parts arrive. A reply that is not streamed has one part.
#[derive(Default)]
pub(crate) struct Parts {
    answer: Answer,
    calls: Vec<BegunCall>,
    has_ended: bool,
}

impl Parts {
    /// Adds a part and returns its text.
    ///
    /// # Errors
    /// [`Rejected::Malformed`] if the data is no chunk of a completion; [`Rejected::Reported`] if the chunk reports an error.
    pub(crate) fn add(&mut self, data: &str) -> Result<String, Rejected> {
        let chunk: Completion = serde_json::from_str(data).map_err(|_| {
            Rejected::Malformed(format!("the server sent something else than a completion: {}", start(data)))
        })?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            let message = error.get("message").and_then(Value::as_str).map(str::to_owned);
            return Err(Rejected::Reported(message.unwrap_or_else(|| error.to_string())));
        }
        if let Some(Tokens { prompt_tokens, completion_tokens }) = chunk.usage {
            self.answer.usage = Some(Usage { tokens_in: prompt_tokens, tokens_out: completion_tokens });
        }
        let Some(choice) = chunk.choices.into_iter().next() else { return Ok(String::new()) };
        let part = choice.message.unwrap_or_default();
        let refusal = part.refusal.filter(|refusal| !refusal.is_empty());
        if refusal.is_some() {
            self.answer.stop = Stop::Refusal;
        }
        let text = part.content + refusal.as_deref().unwrap_or_default();
        self.answer.text.push_str(&text);
        self.answer.reasoning.push_str(part.reasoning_content.as_deref().unwrap_or_default());
        part.tool_calls.into_iter().flatten().for_each(|call| self.add_call(call));
        // Some servers send an empty reason in place of none.
        if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
            self.has_ended = true;
            match reason.as_str() {
                "length" => self.answer.stop = Stop::Length,
                "content_filter" => self.answer.stop = Stop::Refusal,
                _ => {}
            }
        }
        Ok(text)
    }

    fn add_call(&mut self, call: Call) {
        // Some servers send an empty id in place of none.
        let new_id = call.id.filter(|id| !id.is_empty());
        let is_known = |id: &String| self.calls.iter().any(|known| known.id == *id);
        let is_new = match &new_id {
            Some(id) => !is_known(id),
            None => call.function.name.as_ref().is_some_and(|name| !name.is_empty()),
        };
        // Some servers name no index. A wild index cannot reserve memory.
        let last = self.calls.len().saturating_sub(usize::from(!is_new));
        let index = call.index.unwrap_or(last).min(self.calls.len());
        // Some versions of Ollama number every call 0.
        let is_other =
            self.calls.get(index).is_some_and(|known| is_new && new_id.is_some() && !known.id.is_empty());
        let index = if is_other { self.calls.len() } else { index };
        if index == self.calls.len() {
            self.calls.push(Default::default());
        }
        let Some(BegunCall { id, name, arguments, extra }) = self.calls.get_mut(index) else { return };
        *extra = extra.take().or(call.extra_content);
        id.push_str(new_id.as_deref().filter(|_| id.is_empty()).unwrap_or_default());
        name.push_str(call.function.name.as_deref().filter(|_| name.is_empty()).unwrap_or_default());
        match call.function.arguments {
            Some(Value::String(text)) => arguments.push_str(&text),
            // Some servers send the object itself.
            Some(value @ Value::Object(_)) => *arguments = value.to_string(),
            _ => {}
        }
    }

    /// Returns the answer; `None` if it is not complete.
    pub(crate) fn finish(self) -> Option<Answer> {
        let calls = self.calls.into_iter().enumerate().map(|(n, call)| ToolCall {
            id: if call.id.is_empty() { format!("call_{n}") } else { call.id },
            name: call.name,
            arguments: arguments(&call.arguments),
            extra: call.extra,
        });
        self.has_ended.then(|| Answer { calls: calls.collect(), ..self.answer })
    }

    /// Returns the tokens that the call has used, as far as the server has reported them.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.answer.usage
    }

    /// Returns the length of what has arrived, in bytes.
    pub(crate) fn len(&self) -> usize {
        let arguments = self.calls.iter().map(|call| call.arguments.len());
        self.answer.text.len() + self.answer.reasoning.len() + arguments.sum::<usize>()
    }

    /// Returns the text that has arrived.
    pub(crate) fn text(&self) -> &str {
        &self.answer.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(chunks: &[Value]) -> Vec<(String, Result<Value, String>)> {
        let mut parts = Parts::default();
        for chunk in chunks {
            parts.add(&json!({"choices": [{"delta": {"tool_calls": chunk}}]}).to_string()).unwrap();
        }
        parts.add(&json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string()).unwrap();
        parts.finish().unwrap().calls.into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    #[test]
    fn calls_are_put_together_whether_or_not_a_server_numbers_them() {
        let (one, two) = (("a".to_owned(), Ok(json!({"x": 1}))), ("b".to_owned(), Ok(json!({}))));
        let numbered = [
            json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": ""}}]),
            json!([{"index": 0, "function": {"arguments": "{\"x\":"}}]),
            json!([{"index": 1, "id": "2", "function": {"name": "b", "arguments": ""}}]),
            json!([{"index": 0, "function": {"arguments": " 1}"}}]),
        ];
        assert_eq!(calls(&numbered), [one.clone(), two.clone()]);
        let whole = [
            json!([{"id": "1", "function": {"name": "a", "arguments": {"x": 1}}}]),
            json!([{"id": "2", "function": {"name": "b", "arguments": "{}"}}]),
        ];
        assert_eq!(calls(&whole), [one.clone(), two.clone()]);
        let anonymous = [
            json!([{"function": {"name": "a", "arguments": "{\"x\":"}}]),
            json!([{"function": {"arguments": "1}"}}]),
            json!([{"function": {"name": "b"}}]),
        ];
        assert_eq!(calls(&anonymous), [one.clone(), two.clone()]);
        let all_zero = [
            json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": "{\"x\": 1}"}}]),
            json!([{"index": 0, "id": "2", "function": {"name": "b", "arguments": "{}"}}]),
        ];
        assert_eq!(calls(&all_zero), [one.clone(), two.clone()]);
        let empty_later = [
            json!([{"index": 0, "id": "1", "function": {"name": "a", "arguments": ""}}]),
            json!([{"index": 0, "id": "", "function": {"name": "", "arguments": "{\"x\":"}}]),
            json!([{"index": 0, "id": "", "function": {"arguments": " 1}"}}]),
            json!([{"index": 1, "id": "2", "function": {"name": "b", "arguments": "{}"}}]),
        ];
        assert_eq!(calls(&empty_later), [one.clone(), two.clone()]);
        let all_empty = [json!([
            {"id": "", "function": {"name": "a", "arguments": "{\"x\": 1}"}},
            {"id": "", "function": {"name": "b", "arguments": "{}"}},
        ])];
        assert_eq!(calls(&all_empty), [one, two]);
        assert_eq!(
            calls(&[json!([{"index": 7, "id": "1", "function": {"name": "a", "arguments": "[]"}}])])[0].1,
            Err("[]".into())
        );
    }
    #[test]
    fn what_a_server_wants_back_is_in_the_history() {
        let signed = json!({"google": {"thought_signature": "abc"}});
        let mut parts = Parts::default();
        for delta in [
            json!({"reasoning_content": "I need "}),
            json!({"reasoning_content": "a."}),
            json!({"tool_calls": [
                {"index": 0, "id": "1", "function": {"name": "a", "arguments": ""}, "extra_content": signed},
                {"index": 1, "id": "2", "function": {"name": "b", "arguments": "{}"}},
            ]}),
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}),
        ] {
            parts.add(&json!({"choices": [{"delta": delta}]}).to_string()).unwrap();
        }
        parts.add(r#"{"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}"#).unwrap();
        let Answer { text, calls, reasoning, .. } = parts.finish().unwrap();
        let said = Message { calls, reasoning, ..Message::assistant(text) };
        let request = Request { messages: vec![Message::user("hello"), said], ..Request::default() };
        let said = &body(&request, "m", false)["messages"][1];
        assert_eq!(said["reasoning_content"], "I need a.");
        assert_eq!(said["tool_calls"][0]["extra_content"], signed);
        assert_eq!(said["tool_calls"][1].get("extra_content"), None);
        // A text alone takes nothing back.
        let said = Message { reasoning: "hm".into(), ..Message::assistant("Hi.") };
        let request = Request { messages: vec![Message::user("hello"), said], ..Request::default() };
        assert_eq!(body(&request, "m", false)["messages"][1].get("reasoning_content"), None);
    }

    #[test]
    fn a_list_of_parts_is_its_texts() {
        let thoughts = json!({"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]});
        for (content, said) in [
            (json!([thoughts, {"type": "text", "text": "Hi"}, {"type": "text", "text": "."}]), "Hi."),
            (json!([thoughts]), ""),
            (Value::Null, ""),
        ] {
            for part in ["message", "delta"] {
                let chunk = json!({"choices": [{part: {"content": content}}]}).to_string();
                assert_eq!(Parts::default().add(&chunk), Ok(said.to_owned()), "{chunk}");
            }
        }
        let chunk = json!({"choices": [{"delta": {"content": 7}}]}).to_string();
        assert!(matches!(Parts::default().add(&chunk), Err(Rejected::Malformed(_))));
    }

    #[test]
    fn an_empty_reason_is_no_end() {
        let mut parts = Parts::default();
        parts.add(r#"{"choices": [{"delta": {"content": "Hi"}, "finish_reason": ""}]}"#).unwrap();
        assert_eq!(parts.finish(), None);
    }
}
