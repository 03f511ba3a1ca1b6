//! Checks the bytes of the scripted model with requests over plain sockets.

mod failing;
mod requests;

use std::io::{Read, Write};
use std::net::TcpStream;

use memtape_testkit::scripted_model::{Answer, ScriptedModel};
use serde_json::{Value, json};

const OPENAI: &str = "/v1/chat/completions";
const ANTHROPIC: &str = "/v1/messages";

/// A response as read from the socket until the server closed it.
struct Reply {
    head: String,
    /// Body without the chunked coding.
    body: Vec<u8>,
    /// Chunks of a chunked body.
    chunks: Vec<Vec<u8>>,
    /// Whether the HTTP body ended as announced.
    is_complete: bool,
}

impl Reply {
    fn parse(bytes: &[u8]) -> Self {
        let end = find(bytes, b"\r\n\r\n").expect("the response has a head");
        let head = String::from_utf8(bytes[..end].to_vec()).expect("the head is text");
        let (body, mut chunks, mut is_complete) = (&bytes[end + 4..], Vec::new(), false);
        assert!(head.contains("\r\nconnection: close"), "{head}");
        if !head.contains("transfer-encoding: chunked") {
            let length = head.split("content-length: ").nth(1).expect("the head has a length");
            let length: usize = length.lines().next().expect("a line").parse().expect("a number");
            return Self { head, body: body.to_vec(), chunks, is_complete: body.len() == length };
        }
        let mut rest = body;
        while let Some(end) = find(rest, b"\r\n") {
            let size = std::str::from_utf8(&rest[..end]).expect("the size is text");
            let size = usize::from_str_radix(size, 16).expect("the size is hexadecimal");
            let (chunk, tail) = rest[end + 2..].split_at(size);
            rest = tail.strip_prefix(b"\r\n").expect("a line end follows the chunk");
            if size == 0 {
                is_complete = true;
                break;
            }
            chunks.push(chunk.to_vec());
        }
        assert!(rest.is_empty());
        Self { head, body: chunks.concat(), chunks, is_complete }
    }

    /// Returns the decoded part of a chunked response that is still arriving.
    fn parse_prefix(bytes: &[u8]) -> Vec<u8> {
        let mut body = Vec::new();
        let Some(end) = find(bytes, b"\r\n\r\n") else { return body };
        let mut rest = &bytes[end + 4..];
        while let Some(end) = find(rest, b"\r\n") {
            let size = std::str::from_utf8(&rest[..end]).expect("the size is text");
            let size = usize::from_str_radix(size, 16).expect("the size is hexadecimal");
            if rest.len() < end + 2 + size + 2 {
                break;
            }
            body.extend_from_slice(&rest[end + 2..end + 2 + size]);
            rest = &rest[end + 2 + size + 2..];
        }
        body
    }

    fn status(&self) -> u16 {
        self.head[9..12].parse().expect("the status is a number")
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// Returns the data of all events, and checks that each event is framed by the protocol's rules.
    fn events(&self) -> Vec<Value> {
        assert_eq!(self.status(), 200);
        assert!(self.head.contains("content-type: text/event-stream"));
        let events = self.text().strip_suffix("\n\n").expect("the last event ends").split("\n\n");
        events
            .filter(|event| *event != "data: [DONE]")
            .map(|event| {
                let (name, data) = match event.strip_prefix("event: ") {
                    Some(event) => event.split_once('\n').expect("a named event has data"),
                    None => ("", event),
                };
                let data = data.strip_prefix("data: ").expect("the event has data");
                let data: Value = serde_json::from_str(data).expect("the data is JSON");
                assert!(name.is_empty() || data["type"] == name, "{event}");
                data
            })
            .collect()
    }

    fn is_done(&self) -> bool {
        self.is_complete && self.text().ends_with("data: [DONE]\n\n")
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

fn connect(model: &ScriptedModel) -> TcpStream {
    let url = model.base_url();
    let address = url.strip_prefix("http://").and_then(|url| url.strip_suffix("/v1"));
    TcpStream::connect(address.expect("the base URL has an address")).expect("the server accepts")
}

fn send(model: &ScriptedModel, request: &str) -> TcpStream {
    let mut stream = connect(model);
    stream.write_all(request.as_bytes()).expect("the server reads");
    stream
}

fn exchange(model: &ScriptedModel, request: &str) -> Reply {
    let mut bytes = Vec::new();
    send(model, request).read_to_end(&mut bytes).expect("the server answers");
    Reply::parse(&bytes)
}

fn post_request(path: &str, body: &Value) -> String {
    let body = body.to_string();
    format!("POST {path} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// Sends one request with a prompt of 40 characters.
fn ask(model: &ScriptedModel, path: &str, is_stream: bool) -> Reply {
    let message = json!({ "role": "user", "content": "0123456789".repeat(4) });
    let body = json!({ "model": "m", "messages": [message], "stream": is_stream });
    exchange(model, &post_request(path, &body))
}

fn model_with(answer: Answer) -> ScriptedModel {
    ScriptedModel::start(move |_| answer.clone())
}

fn two_calls() -> Vec<(String, Value)> {
    vec![
        ("get_weather".into(), json!({ "city": "Oslo", "days": 3, "unit": "celsius" })),
        ("list".into(), json!({})),
    ]
}

fn joined(events: &[Value], pointer: &str) -> String {
    events.iter().filter_map(|event| event.pointer(pointer)?.as_str()).collect()
}

fn openai_text(events: &[Value]) -> String {
    joined(events, "/choices/0/delta/content")
}

fn openai_finish(events: &[Value]) -> String {
    joined(events, "/choices/0/finish_reason")
}

fn anthropic_stop(events: &[Value]) -> String {
    joined(events, "/delta/stop_reason")
}

#[test]
fn openai_body_has_the_documented_shape() {
    let reply = ask(&model_with(Answer::Say("Hello there.".into())), OPENAI, false);
    assert!(reply.is_complete && reply.head.contains("content-type: application/json"));
    assert_eq!(
        reply.text(),
        concat!(
            r#"{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"m","choices":["#,
            r#"{"index":0,"message":{"role":"assistant","content":"Hello there.","refusal":null},"#,
            r#""logprobs":null,"finish_reason":"stop"}],"#,
            r#""usage":{"prompt_tokens":10,"completion_tokens":3,"total_tokens":13}}"#
        )
    );
}

#[test]
fn openai_stream_has_the_documented_bytes() {
    let reply = ask(&model_with(Answer::Say("Hello.".into())), OPENAI, true);
    let chunk = |delta: &str, finish: &str| {
        let head = r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m""#;
        let choice = format!(r#"{{"index":0,"delta":{delta},"finish_reason":{finish}}}"#);
        format!("data: {head},\"choices\":[{choice}]}}\n\n")
    };
    let expected = [
        chunk(r#"{"role":"assistant","content":"","refusal":null}"#, "null"),
        chunk(r#"{"content":"H"}"#, "null"),
        chunk(r#"{"content":"ello"}"#, "null"),
        chunk(r#"{"content":"."}"#, "null"),
        chunk("{}", r#""stop""#),
        "data: [DONE]\n\n".to_owned(),
    ];
    assert_eq!(reply.text(), expected.concat());
    assert!(reply.is_done());
}

#[test]
fn anthropic_body_has_the_documented_shape() {
    let reply = ask(&model_with(Answer::Say("Hello there.".into())), ANTHROPIC, false);
    assert_eq!(
        reply.text(),
        concat!(
            r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","#,
            r#""content":[{"type":"text","text":"Hello there."}],"stop_reason":"end_turn","#,
            r#""stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":3}}"#
        )
    );
}

#[test]
fn anthropic_stream_has_the_documented_bytes() {
    let reply = ask(&model_with(Answer::Say("Hello.".into())), ANTHROPIC, true);
    let delta = |text: &str| {
        let delta = format!(r#"{{"type":"text_delta","text":"{text}"}}"#);
        format!(
            "event: content_block_delta\n\
             data: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{delta}}}\n\n"
        )
    };
    let start = concat!(
        "event: message_start\n",
        r#"data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","#,
        r#""model":"m","content":[],"stop_reason":null,"stop_sequence":null,"#,
        r#""usage":{"input_tokens":10,"output_tokens":1}}}"#,
        "\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n",
        "event: content_block_start\n",
        r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        "\n\n"
    );
    let end = concat!(
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "event: message_delta\n",
        r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"#,
        r#""usage":{"input_tokens":10,"output_tokens":1}}"#,
        "\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
    );
    assert_eq!(reply.text(), [start, &delta("H"), &delta("ello"), &delta("."), end].concat());
    assert!(reply.is_complete);
}

#[test]
fn openai_stream_reports_usage_only_on_request() {
    let model = model_with(Answer::Say("Hello there.".into()));
    let events = ask(&model, OPENAI, true).events();
    assert!(events.iter().all(|event| event.get("usage").is_none()));

    let body = json!({
        "model": "m", "stream": true, "stream_options": { "include_usage": true },
        "messages": [{ "role": "user", "content": "Hi" }],
    });
    let reply = exchange(&model, &post_request(OPENAI, &body));
    let events = reply.events();
    let (last, others) = events.split_last().expect("there are events");
    assert!(others.iter().all(|event| event["usage"].is_null() && event["choices"][0].is_object()));
    assert_eq!(last["choices"], json!([]));
    assert_eq!(last["usage"], json!({ "prompt_tokens": 1, "completion_tokens": 3, "total_tokens": 4 }));
    assert!(reply.is_done());
}

#[test]
fn openai_body_has_tool_calls() {
    let model = model_with(Answer::Call(two_calls()));
    let choice = &ask(&model, OPENAI, false).json()["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let arguments = r#"{"city":"Oslo","days":3,"unit":"celsius"}"#;
    assert_eq!(
        choice["message"]["tool_calls"],
        json!([
            { "id": "call_1", "type": "function",
              "function": { "name": "get_weather", "arguments": arguments } },
            { "id": "call_2", "type": "function", "function": { "name": "list", "arguments": "{}" } },
        ])
    );
    let next = ask(&model, OPENAI, false).json();
    assert_eq!(next["choices"][0]["message"]["tool_calls"][0]["id"], "call_3");
    assert_eq!(next["id"], "chatcmpl-2");
}

#[test]
fn openai_stream_has_parallel_tool_calls() {
    let reply = ask(&model_with(Answer::SayAndCall("Wait.".into(), two_calls())), OPENAI, true);
    let events = reply.events();
    assert_eq!(openai_text(&events), "Wait.");
    assert_eq!(openai_finish(&events), "tool_calls");
    let deltas: Vec<&Value> =
        events.iter().filter_map(|event| event.pointer("/choices/0/delta/tool_calls/0")).collect();
    for (index, (name, arguments)) in two_calls().into_iter().enumerate() {
        let deltas: Vec<&&Value> = deltas.iter().filter(|delta| delta["index"] == index).collect();
        let id = format!("call_{}", index + 1);
        let start = json!({ "index": index, "id": id, "type": "function",
                            "function": { "name": name, "arguments": "" } });
        assert_eq!(*deltas[0], &start);
        assert!(deltas.len() > 2 && deltas[1..].iter().all(|delta| delta.get("id").is_none()));
        let text: String =
            deltas.iter().filter_map(|delta| delta["function"]["arguments"].as_str()).collect();
        assert_eq!(text, arguments.to_string());
    }
    assert!(reply.is_done());

    let events = ask(&model_with(Answer::Call(two_calls())), OPENAI, true).events();
    assert_eq!(events[0]["choices"][0]["delta"]["content"], Value::Null);
}

#[test]
fn anthropic_body_has_tool_calls() {
    let model = model_with(Answer::SayAndCall("Wait.".into(), two_calls()));
    let body = ask(&model, ANTHROPIC, false).json();
    assert_eq!(body["stop_reason"], "tool_use");
    assert_eq!(
        body["content"],
        json!([
            { "type": "text", "text": "Wait." },
            { "type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": two_calls()[0].1 },
            { "type": "tool_use", "id": "toolu_2", "name": "list", "input": {} },
        ])
    );
    assert_eq!(ask(&model, ANTHROPIC, false).json()["content"][1]["id"], "toolu_3");
}

#[test]
fn anthropic_stream_has_parallel_tool_calls() {
    let events = ask(&model_with(Answer::SayAndCall("Wait.".into(), two_calls())), ANTHROPIC, true).events();
    assert_eq!(joined(&events, "/delta/text"), "Wait.");
    assert_eq!(anthropic_stop(&events), "tool_use");
    for (index, (name, arguments)) in (1..).zip(two_calls()) {
        let block: Vec<&Value> = events.iter().filter(|event| event["index"] == index).collect();
        let id = format!("toolu_{index}");
        let start = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
        assert_eq!(block[0]["content_block"], start);
        assert_eq!(block[1]["delta"], json!({ "type": "input_json_delta", "partial_json": "" }));
        let pieces: Vec<&str> =
            block.iter().filter_map(|event| event.pointer("/delta/partial_json")?.as_str()).collect();
        assert!(pieces.len() > 2);
        assert_eq!(pieces.concat(), arguments.to_string());
        assert_eq!(block[block.len() - 1]["type"], "content_block_stop");
    }
}

#[test]
fn pieces_split_events_but_not_characters_in_json() {
    let text = "Grüße aus Tromsø: 日本語 🦀 \u{2028}\"quoted\"\nend. ".repeat(20);
    let model = model_with(Answer::Say(text.clone()));
    for (path, pointer) in [(OPENAI, "/choices/0/delta/content"), (ANTHROPIC, "/delta/text")] {
        let reply = ask(&model, path, true);
        assert_eq!(joined(&reply.events(), pointer), text);
        assert!(!reply.text().contains('\u{fffd}'));
        let inside = reply.chunks.iter().filter(|chunk| !chunk.ends_with(b"\n\n")).count();
        assert!(inside * 10 > reply.chunks.len() * 9);
        assert!(reply.chunks.iter().any(|chunk| std::str::from_utf8(chunk).is_err()));
        assert!(reply.chunks.iter().any(|chunk| find(chunk, b"\n\n").is_some()));
    }
}

#[test]
fn empty_text_is_a_valid_answer() {
    let model = model_with(Answer::Say(String::new()));
    assert_eq!(ask(&model, OPENAI, false).json()["choices"][0]["message"]["content"], "");
    assert_eq!(openai_finish(&ask(&model, OPENAI, true).events()), "stop");
    assert_eq!(ask(&model, ANTHROPIC, false).json()["content"], json!([]));
    assert_eq!(anthropic_stop(&ask(&model, ANTHROPIC, true).events()), "end_turn");
}
