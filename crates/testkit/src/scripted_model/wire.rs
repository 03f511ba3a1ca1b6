//! JSON bodies and event streams of the two protocols.

use std::time::Duration;

use serde_json::{Value, json};

use super::http::Response;
use super::{Answer, Protocol, Request};

/// Creation time in OpenAI responses, constant so that responses are reproducible.
const CREATED: u64 = 1_700_000_000;

/// Lengths in characters of successive text and argument deltas.
const DELTA_SIZES: [usize; 5] = [1, 4, 2, 7, 23];

/// Counters for the ids of responses and tool calls.
#[derive(Default)]
pub(super) struct Ids {
    responses: u64,
    openai_calls: u64,
    anthropic_calls: u64,
}

impl Ids {
    fn next_response(&mut self, protocol: Protocol) -> String {
        self.responses += 1;
        match protocol {
            Protocol::OpenAi => format!("chatcmpl-{}", self.responses),
            Protocol::Anthropic => format!("msg_{}", self.responses),
        }
    }

    fn next_call(&mut self, protocol: Protocol) -> String {
        let (prefix, counter) = match protocol {
            Protocol::OpenAi => ("call", &mut self.openai_calls),
            Protocol::Anthropic => ("toolu", &mut self.anthropic_calls),
        };
        *counter += 1;
        format!("{prefix}_{counter}")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StopReason {
    End,
    ToolUse,
    Length,
    Refusal,
}

enum Ending {
    Complete,
    Error(String),
    Disconnect,
}

struct ToolCall {
    id: String,
    name: String,
    /// Arguments as text, which a script may make invalid JSON.
    arguments: String,
    /// Arguments as JSON, for the Anthropic body.
    input: Value,
}

struct Completion<'a> {
    request: &'a Request,
    id: String,
    text: String,
    calls: Vec<ToolCall>,
    stop_reason: StopReason,
    ending: Ending,
    /// Pause after each character. `None` streams longer deltas without pauses.
    pause: Option<Duration>,
}

/// Returns the response to a request in the request's protocol.
pub(super) fn respond(request: &Request, answer: Answer, ids: &mut Ids) -> Response {
    let protocol = request.protocol;
    let mut completion = Completion {
        request,
        id: ids.next_response(protocol),
        text: String::new(),
        calls: Vec::new(),
        stop_reason: StopReason::End,
        ending: Ending::Complete,
        pause: None,
    };
    match answer {
        Answer::Say(text) => completion.text = text,
        Answer::Call(calls) => completion.add_calls(calls, ids),
        Answer::SayAndCall(text, calls) => {
            completion.text = text;
            completion.add_calls(calls, ids);
        }
        Answer::Refuse(text) => {
            completion.text = text;
            completion.stop_reason = StopReason::Refusal;
        }
        Answer::CutOff(text) => {
            completion.text = text;
            completion.stop_reason = StopReason::Length;
        }
        Answer::Status { code, message, retry_after } => {
            let response = error(protocol, code, &message);
            return match retry_after {
                Some(seconds) => response.with_header("retry-after", seconds.to_string()),
                None => response,
            };
        }
        Answer::StreamError(_, message) if !request.stream => return error(protocol, 500, &message),
        Answer::StreamError(text, message) => {
            completion.text = text;
            completion.ending = Ending::Error(message);
        }
        Answer::Disconnect(text) => {
            completion.text = text;
            completion.ending = Ending::Disconnect;
        }
        Answer::BadToolArguments(name, arguments) => {
            let input = json!({ "_raw": arguments });
            completion.add_call(ids.next_call(protocol), name, arguments, input);
        }
        Answer::Garbage(text) => return Response::body(200, "text/html; charset=utf-8", text),
        Answer::Hang => return Response::Hang,
        Answer::Drip(text, pause) => {
            completion.text = text;
            completion.pause = Some(pause);
        }
    }
    completion.into_response()
}

/// Returns the list of models.
pub(super) fn models() -> Response {
    let list = json!({ "object": "list", "data": [{ "id": "scripted", "object": "model" }] });
    json_response(200, &list)
}

/// Returns an error response in the shape of the protocol.
pub(super) fn error(protocol: Protocol, status: u16, message: &str) -> Response {
    json_response(status, &error_body(protocol, status, message))
}

fn json_response(status: u16, body: &Value) -> Response {
    Response::body(status, "application/json", body.to_string())
}

fn error_body(protocol: Protocol, status: u16, message: &str) -> Value {
    match protocol {
        Protocol::OpenAi => {
            let (kind, code) = match status {
                401 => ("invalid_request_error", Some("invalid_api_key")),
                429 => ("requests", Some("rate_limit_exceeded")),
                500.. => ("server_error", None),
                _ => ("invalid_request_error", None),
            };
            json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
        }
        Protocol::Anthropic => {
            let kind = match status {
                401 => "authentication_error",
                402 => "billing_error",
                403 => "permission_error",
                404 => "not_found_error",
                413 => "request_too_large",
                429 => "rate_limit_error",
                504 => "timeout_error",
                529 => "overloaded_error",
                500.. => "api_error",
                _ => "invalid_request_error",
            };
            json!({ "type": "error", "error": { "type": kind, "message": message } })
        }
    }
}

impl Completion<'_> {
    fn add_calls(&mut self, calls: Vec<(String, Value)>, ids: &mut Ids) {
        for (name, input) in calls {
            let id = ids.next_call(self.request.protocol);
            self.add_call(id, name, input.to_string(), input);
        }
    }

    fn add_call(&mut self, id: String, name: String, arguments: String, input: Value) {
        self.calls.push(ToolCall { id, name, arguments, input });
        self.stop_reason = StopReason::ToolUse;
    }

    fn into_response(self) -> Response {
        let protocol = self.request.protocol;
        if self.request.stream {
            let mut events = EventStream::new(self.pause.is_some());
            match protocol {
                Protocol::OpenAi => self.write_openai_events(&mut events),
                Protocol::Anthropic => self.write_anthropic_events(&mut events),
            }
            return Response::Stream {
                batches: events.batches,
                pause: self.pause.unwrap_or_default(),
                is_complete: !matches!(self.ending, Ending::Disconnect),
            };
        }
        let body = match protocol {
            Protocol::OpenAi => self.openai_body(),
            Protocol::Anthropic => self.anthropic_body(),
        };
        let mut response = json_response(200, &body);
        if let Response::Body(body) = &mut response {
            let characters = u32::try_from(self.text.chars().count()).unwrap_or(u32::MAX);
            body.delay = self.pause.unwrap_or_default().saturating_mul(characters);
            body.is_cut = matches!(self.ending, Ending::Disconnect);
        }
        response
    }

    fn text_deltas(&self) -> Vec<&str> {
        split(&self.text, if self.pause.is_some() { &[1] } else { &DELTA_SIZES })
    }

    fn prompt_tokens(&self) -> usize {
        (self.request.text().chars().count() / 4).max(1)
    }

    fn completion_tokens(&self) -> usize {
        let arguments = self.calls.iter().map(|call| call.arguments.as_str());
        let characters: usize = arguments.chain([self.text.as_str()]).map(|t| t.chars().count()).sum();
        (characters / 4).max(1)
    }

    fn openai_usage(&self) -> Value {
        let (prompt, completion) = (self.prompt_tokens(), self.completion_tokens());
        json!({
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        })
    }

    fn openai_finish_reason(&self) -> &'static str {
        match self.stop_reason {
            StopReason::End | StopReason::Refusal => "stop",
            StopReason::ToolUse => "tool_calls",
            StopReason::Length => "length",
        }
    }

    fn openai_body(&self) -> Value {
        let is_refusal = self.stop_reason == StopReason::Refusal;
        let is_text = !is_refusal && (self.calls.is_empty() || !self.text.is_empty());
        let mut message = json!({
            "role": "assistant",
            "content": is_text.then_some(&self.text),
            "refusal": is_refusal.then_some(&self.text),
        });
        if !self.calls.is_empty() {
            let calls = self.calls.iter().map(|call| {
                let function = json!({ "name": call.name, "arguments": call.arguments });
                json!({ "id": call.id, "type": "function", "function": function })
            });
            message["tool_calls"] = calls.collect();
        }
        json!({
            "id": self.id,
            "object": "chat.completion",
            "created": CREATED,
            "model": self.request.model,
            "choices": [{
                "index": 0,
                "message": message,
                "logprobs": null,
                "finish_reason": self.openai_finish_reason(),
            }],
            "usage": self.openai_usage(),
        })
    }

    fn has_stream_usage(&self) -> bool {
        self.request.body["stream_options"]["include_usage"] == true
    }

    fn openai_chunk(&self, choices: &Value) -> Value {
        let mut chunk = json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": self.request.model,
            "choices": choices,
        });
        if self.has_stream_usage() {
            chunk["usage"] = Value::Null;
        }
        chunk
    }

    fn openai_delta(&self, delta: &Value, finish_reason: Option<&str>) -> Value {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
        self.openai_chunk(&json!([choice]))
    }

    fn write_openai_events(&self, events: &mut EventStream) {
        let content = (self.calls.is_empty() || !self.text.is_empty()).then_some("");
        let first = json!({ "role": "assistant", "content": content, "refusal": null });
        events.push_data(&self.openai_delta(&first, None));
        let is_refusal = self.stop_reason == StopReason::Refusal;
        let field = if is_refusal { "refusal" } else { "content" };
        for text in self.text_deltas() {
            events.push_data(&self.openai_delta(&json!({ field: text }), None));
            events.end_delta();
        }
        match &self.ending {
            Ending::Complete => {}
            Ending::Error(message) => {
                return events.push_data(&error_body(Protocol::OpenAi, 500, message));
            }
            Ending::Disconnect => return,
        }
        for (index, call) in self.calls.iter().enumerate() {
            let function = json!({ "name": call.name, "arguments": "" });
            let start = json!({ "index": index, "id": call.id, "type": "function", "function": function });
            events.push_data(&self.openai_delta(&json!({ "tool_calls": [start] }), None));
            for arguments in split(&call.arguments, &DELTA_SIZES) {
                let delta = json!({ "index": index, "function": { "arguments": arguments } });
                events.push_data(&self.openai_delta(&json!({ "tool_calls": [delta] }), None));
            }
        }
        events.push_data(&self.openai_delta(&json!({}), Some(self.openai_finish_reason())));
        if self.has_stream_usage() {
            let mut chunk = self.openai_chunk(&json!([]));
            chunk["usage"] = self.openai_usage();
            events.push_data(&chunk);
        }
        events.push("data: [DONE]\n\n");
    }

    fn anthropic_stop_reason(&self) -> &'static str {
        match self.stop_reason {
            StopReason::End => "end_turn",
            StopReason::ToolUse => "tool_use",
            StopReason::Length => "max_tokens",
            StopReason::Refusal => "refusal",
        }
    }

    fn anthropic_message(&self, content: &[Value], stop: Option<&str>, output: usize) -> Value {
        json!({
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.request.model,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": null,
            "usage": { "input_tokens": self.prompt_tokens(), "output_tokens": output },
        })
    }

    fn anthropic_body(&self) -> Value {
        let mut content = Vec::new();
        if !self.text.is_empty() {
            content.push(json!({ "type": "text", "text": self.text }));
        }
        content.extend(self.calls.iter().map(
            |call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.input }),
        ));
        let stop_reason = Some(self.anthropic_stop_reason());
        self.anthropic_message(&content, stop_reason, self.completion_tokens())
    }

    fn write_anthropic_events(&self, events: &mut EventStream) {
        let message = self.anthropic_message(&[], None, 1);
        events.push_event(&json!({ "type": "message_start", "message": message }));
        events.push_event(&json!({ "type": "ping" }));
        let mut index = 0;
        if !self.text.is_empty() {
            events.start_block(index, &json!({ "type": "text", "text": "" }));
            for text in self.text_deltas() {
                events.push_block_delta(index, &json!({ "type": "text_delta", "text": text }));
                events.end_delta();
            }
        }
        match &self.ending {
            Ending::Complete => {}
            Ending::Error(message) => {
                return events.push_event(&error_body(Protocol::Anthropic, 529, message));
            }
            Ending::Disconnect => return,
        }
        if !self.text.is_empty() {
            events.stop_block(index);
            index += 1;
        }
        for call in &self.calls {
            let block = json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} });
            events.start_block(index, &block);
            for piece in [""].into_iter().chain(split(&call.arguments, &DELTA_SIZES)) {
                let delta = json!({ "type": "input_json_delta", "partial_json": piece });
                events.push_block_delta(index, &delta);
            }
            events.stop_block(index);
            index += 1;
        }
        let output = self.completion_tokens();
        events.push_event(&json!({
            "type": "message_delta",
            "delta": { "stop_reason": self.anthropic_stop_reason(), "stop_sequence": null },
            "usage": { "input_tokens": self.prompt_tokens(), "output_tokens": output },
        }));
        events.push_event(&json!({ "type": "message_stop" }));
    }
}

/// Server-sent events, in batches that the server separates by pauses.
struct EventStream {
    batches: Vec<String>,
    is_paused: bool,
}

impl EventStream {
    fn new(is_paused: bool) -> Self {
        Self { batches: vec![String::new()], is_paused }
    }

    fn push(&mut self, text: &str) {
        if let Some(batch) = self.batches.last_mut() {
            batch.push_str(text);
        }
    }

    fn push_data(&mut self, data: &Value) {
        self.push(&format!("data: {data}\n\n"));
    }

    /// Appends an event that is named by the `type` of its data.
    fn push_event(&mut self, data: &Value) {
        let name = data["type"].as_str().unwrap_or_default();
        self.push(&format!("event: {name}\n"));
        self.push_data(data);
    }

    /// Ends the batch after a text delta if the stream has pauses.
    fn end_delta(&mut self) {
        if self.is_paused {
            self.batches.push(String::new());
        }
    }

    fn start_block(&mut self, index: usize, block: &Value) {
        let data = json!({ "type": "content_block_start", "index": index, "content_block": block });
        self.push_event(&data);
    }

    fn push_block_delta(&mut self, index: usize, delta: &Value) {
        let data = json!({ "type": "content_block_delta", "index": index, "delta": delta });
        self.push_event(&data);
    }

    fn stop_block(&mut self, index: usize) {
        self.push_event(&json!({ "type": "content_block_stop", "index": index }));
    }
}

/// Splits a text into pieces of these lengths in characters, repeated as needed.
fn split<'a>(text: &'a str, sizes: &[usize]) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let end = rest.char_indices().nth(size).map_or(rest.len(), |(end, _)| end);
        let (piece, tail) = rest.split_at(end);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}
