//! Checks the bytes of the scripted model with requests over plain sockets.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use memtape_testkit::scripted_model::{Answer, Protocol, Request, ScriptedModel};
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
fn refusals_are_marked_in_both_protocols() {
    let model = model_with(Answer::Refuse("I cannot help.".into()));
    let choice = &ask(&model, OPENAI, false).json()["choices"][0];
    let message = json!({ "role": "assistant", "content": null, "refusal": "I cannot help." });
    assert_eq!(choice["message"], message);
    assert_eq!(choice["finish_reason"], "stop");
    let events = ask(&model, OPENAI, true).events();
    assert_eq!(joined(&events, "/choices/0/delta/refusal"), "I cannot help.");
    assert_eq!((openai_text(&events), openai_finish(&events)), (String::new(), "stop".into()));

    assert_eq!(ask(&model, ANTHROPIC, false).json()["stop_reason"], "refusal");
    assert_eq!(anthropic_stop(&ask(&model, ANTHROPIC, true).events()), "refusal");
}

#[test]
fn cut_off_answers_name_the_token_limit() {
    let model = model_with(Answer::CutOff("Once upon a".into()));
    assert_eq!(ask(&model, OPENAI, false).json()["choices"][0]["finish_reason"], "length");
    let events = ask(&model, OPENAI, true).events();
    assert_eq!((openai_text(&events), openai_finish(&events)), ("Once upon a".into(), "length".into()));
    assert_eq!(ask(&model, ANTHROPIC, false).json()["stop_reason"], "max_tokens");
    assert_eq!(anthropic_stop(&ask(&model, ANTHROPIC, true).events()), "max_tokens");
}

#[test]
fn errors_have_the_shape_of_the_protocol() {
    let status = |code, retry_after| Answer::Status { code, message: "Slow down".into(), retry_after };
    let model = model_with(status(429, Some(7)));
    for is_stream in [false, true] {
        let reply = ask(&model, OPENAI, is_stream);
        assert_eq!(reply.status(), 429);
        assert!(reply.is_complete && reply.head.contains("\r\nretry-after: 7"));
        let error = json!({ "message": "Slow down", "type": "requests", "param": null,
                            "code": "rate_limit_exceeded" });
        assert_eq!(reply.json(), json!({ "error": error }));
        let reply = ask(&model, ANTHROPIC, is_stream);
        assert_eq!(reply.status(), 429);
        let error = json!({ "type": "rate_limit_error", "message": "Slow down" });
        assert_eq!(reply.json(), json!({ "type": "error", "error": error }));
    }
    for (code, openai, anthropic) in [
        (400, "invalid_request_error", "invalid_request_error"),
        (401, "invalid_request_error", "authentication_error"),
        (500, "server_error", "api_error"),
        (529, "server_error", "overloaded_error"),
    ] {
        let model = model_with(status(code, None));
        let reply = ask(&model, OPENAI, false);
        assert_eq!((reply.status(), &reply.json()["error"]["type"]), (code, &json!(openai)));
        assert!(!reply.head.contains("retry-after"));
        assert_eq!(ask(&model, ANTHROPIC, false).json()["error"]["type"], anthropic);
    }
}

#[test]
fn stream_errors_follow_the_text() {
    let model = model_with(Answer::StreamError("Partial".into(), "Overloaded".into()));
    let reply = ask(&model, OPENAI, true);
    let events = reply.events();
    assert_eq!((openai_text(&events), openai_finish(&events)), ("Partial".into(), String::new()));
    assert_eq!(events[events.len() - 1]["error"]["message"], "Overloaded");
    assert!(reply.is_complete && !reply.text().contains("[DONE]"));

    let reply = ask(&model, ANTHROPIC, true);
    let events = reply.events();
    assert_eq!(joined(&events, "/delta/text"), "Partial");
    let end = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    assert!(reply.is_complete && reply.text().ends_with(end));

    for path in [OPENAI, ANTHROPIC] {
        let reply = ask(&model, path, false);
        assert_eq!((reply.status(), &reply.json()["error"]["message"]), (500, &json!("Overloaded")));
    }
}

#[test]
fn disconnects_cut_the_response() {
    let model = model_with(Answer::Disconnect("Partial".into()));
    let reply = ask(&model, OPENAI, true);
    let events = reply.events();
    assert_eq!((openai_text(&events), openai_finish(&events)), ("Partial".into(), String::new()));
    assert!(!reply.is_complete && !reply.text().contains("[DONE]"));

    let reply = ask(&model, ANTHROPIC, true);
    assert_eq!(joined(&reply.events(), "/delta/text"), "Partial");
    assert!(!reply.is_complete && !reply.text().contains("message_stop"));

    for path in [OPENAI, ANTHROPIC] {
        let reply = ask(&model, path, false);
        assert!(!reply.is_complete && reply.text().starts_with(r#"{"id":"#));
    }
}

#[test]
fn bad_tool_arguments_are_sent_as_text() {
    let text = r#"{"city": "Oslo", "days":"#;
    let model = model_with(Answer::BadToolArguments("get_weather".into(), text.into()));
    let body = ask(&model, OPENAI, false).json();
    let function = json!({ "name": "get_weather", "arguments": text });
    assert_eq!(body["choices"][0]["message"]["tool_calls"][0]["function"], function);
    let events = ask(&model, OPENAI, true).events();
    assert_eq!(joined(&events, "/choices/0/delta/tool_calls/0/function/arguments"), text);
    assert_eq!(openai_finish(&events), "tool_calls");

    let body = ask(&model, ANTHROPIC, false).json();
    assert_eq!(body["content"][0]["input"], json!({ "_raw": text }));
    let events = ask(&model, ANTHROPIC, true).events();
    assert_eq!(joined(&events, "/delta/partial_json"), text);
}

#[test]
fn garbage_is_sent_unchanged() {
    let model = model_with(Answer::Garbage("<html>Bad gateway</html>".into()));
    for (path, is_stream) in [(OPENAI, false), (OPENAI, true), (ANTHROPIC, false), (ANTHROPIC, true)] {
        let reply = ask(&model, path, is_stream);
        assert_eq!((reply.status(), reply.text()), (200, "<html>Bad gateway</html>"));
        assert!(reply.is_complete && reply.head.contains("content-type: text/html"));
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

#[test]
fn drip_pauses_after_each_character() {
    let model = model_with(Answer::Drip("abcøe".into(), Duration::from_millis(30)));
    for (path, pointer) in [(OPENAI, "/choices/0/delta/content"), (ANTHROPIC, "/delta/text")] {
        let start = Instant::now();
        let reply = ask(&model, path, true);
        assert!(start.elapsed() >= Duration::from_millis(150));
        let deltas: Vec<String> = reply
            .events()
            .iter()
            .filter_map(|event| Some(event.pointer(pointer)?.as_str()?.to_owned()))
            .filter(|text| !text.is_empty())
            .collect();
        assert_eq!(deltas, ["a", "b", "c", "ø", "e"]);
        assert!(reply.is_complete);
        let start = Instant::now();
        assert!(ask(&model, path, false).text().contains("abcøe"));
        assert!(start.elapsed() >= Duration::from_millis(150));
    }
}

#[test]
fn drip_sends_each_character_before_its_pause() {
    let model = model_with(Answer::Drip("ab".into(), Duration::from_secs(600)));
    let body = json!({ "model": "m", "messages": [], "stream": true });
    let mut stream = send(&model, &post_request(ANTHROPIC, &body));
    let mut bytes = Vec::new();
    let event = br#""text":"a"}}"#;
    // The chunked coding may split the event, so the search ignores chunk sizes and line ends.
    while !Reply::parse_prefix(&bytes).windows(event.len()).any(|window| window == event) {
        let mut buffer = [0; 64];
        let count = stream.read(&mut buffer).expect("the server sends");
        assert_ne!(count, 0);
        bytes.extend_from_slice(&buffer[..count]);
    }
    let start = Instant::now();
    drop(model);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn hang_sends_nothing_until_the_server_is_dropped() {
    let model = model_with(Answer::Hang);
    let body = json!({ "model": "m", "messages": [] });
    let mut stream = send(&model, &post_request(OPENAI, &body));
    stream.set_read_timeout(Some(Duration::from_millis(100))).expect("the timeout is valid");
    assert!(stream.read(&mut [0; 1]).is_err());
    // A connection without a request must not delay the drop either.
    let _idle = connect(&model);
    let start = Instant::now();
    drop(model);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(matches!(stream.read(&mut [0; 1]), Ok(0) | Err(_)));
}

#[test]
fn requests_are_parsed_in_both_protocols() {
    let model = model_with(Answer::Say("ok".into()));
    let openai = json!({
        "model": "gpt", "stream": true,
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "developer", "content": [{ "type": "text", "text": "Use tools." }] },
            { "role": "user", "content": [{ "type": "text", "text": "Hi" }, { "type": "image_url" }] },
            { "role": "assistant", "content": null, "tool_calls": [] },
            { "role": "tool", "tool_call_id": "call_1", "content": "12 degrees" },
        ],
        "tools": [{ "type": "function", "function": { "name": "get_weather" } }],
    });
    let anthropic = json!({
        "model": "claude", "system": [{ "type": "text", "text": "Be brief." }],
        "messages": [
            { "role": "user", "content": "Hi" },
            { "role": "assistant", "content": [{ "type": "tool_use", "id": "toolu_1", "input": {} }] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_1", "content": "12 degrees" },
                { "type": "tool_result", "content": [{ "type": "text", "text": "sunny" }] },
                { "type": "text", "text": "Well?" },
            ] },
        ],
        "tools": [{ "name": "get_weather", "input_schema": {} }, { "name": "list" }],
    });
    exchange(&model, &post_request(OPENAI, &openai));
    let request = post_request("/v1/messages?beta=true", &anthropic);
    exchange(&model, &request.replace("Host: test", "X-Api-Key:  secret "));

    let requests: Vec<Request> = model.requests();
    let [first, second] = requests.as_slice() else { panic!("two requests were recorded") };
    assert_eq!((first.protocol, first.model.as_str(), first.stream), (Protocol::OpenAi, "gpt", true));
    assert_eq!(first.system, "Be brief.\nUse tools.");
    assert_eq!((first.messages.len(), &first.messages[0]), (3, &openai["messages"][2]));
    assert_eq!(first.tools, ["get_weather"]);
    assert_eq!(first.last_text(), "12 degrees");
    assert_eq!(first.text(), "Be brief.\nUse tools.\nHi\n12 degrees");
    assert_eq!((first.header("HOST"), first.header("x-api-key")), (Some("test"), None));
    assert_eq!(first.body, openai);

    assert_eq!((second.protocol, second.model.as_str()), (Protocol::Anthropic, "claude"));
    assert!(!second.stream);
    assert_eq!((second.system.as_str(), second.messages.len()), ("Be brief.", 3));
    assert_eq!(second.tools, ["get_weather", "list"]);
    assert_eq!(second.last_text(), "12 degrees\nsunny\nWell?");
    assert_eq!(second.text(), "Be brief.\nHi\n12 degrees\nsunny\nWell?");
    assert_eq!(second.headers[0], ("x-api-key".into(), "secret".into()));
}

#[test]
fn chunked_request_bodies_are_read() {
    let model = model_with(Answer::Say("ok".into()));
    let request = "POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
                   B;ext=1\r\n{\"model\":\"m\r\n2\r\n\"}\r\n0\r\nTrailer: x\r\n\r\n";
    assert_eq!(exchange(&model, request).status(), 200);
    assert_eq!(model.requests()[0].model, "m");
}

#[test]
fn expect_continue_is_acknowledged() {
    let model = model_with(Answer::Say("ok".into()));
    let mut stream =
        send(&model, "POST /v1/messages HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).expect("the server acknowledges");
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"{}").expect("the server reads");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the server answers");
    assert_eq!(Reply::parse(&bytes).status(), 200);
}

#[test]
fn other_requests_fail_with_the_right_status() {
    let model = model_with(Answer::Say("ok".into()));
    let reply = exchange(&model, &post_request("/v1/embeddings", &json!({})));
    assert_eq!(reply.status(), 404);
    let error = json!({ "message": "Invalid URL (POST /v1/embeddings)", "type": "invalid_request_error",
                        "param": null, "code": null });
    assert_eq!(reply.json(), json!({ "error": error }));

    let reply = exchange(&model, "GET /v1/messages HTTP/1.1\r\n\r\n");
    assert_eq!((reply.status(), &reply.json()["type"]), (405, &json!("error")));
    assert!(reply.head.contains("\r\nallow: POST"));
    assert_eq!(exchange(&model, &post_request("/v1/models", &json!({}))).status(), 405);

    for body in [Value::Null, json!([1]), json!("text")] {
        assert_eq!(exchange(&model, &post_request(OPENAI, &body)).status(), 400);
    }
    assert_eq!(exchange(&model, "POST /v1/messages HTTP/1.1\r\n\r\n").status(), 400);
    let truncated = "POST /v1/messages HTTP/1.1\r\nContent-Length: 3\r\n\r\n{\"a";
    assert_eq!(exchange(&model, truncated).json()["type"], "error");
    for malformed in ["hello\r\n\r\n", "POST /v1/messages HTTP/1.1\r\nContent-Length: x\r\n\r\n{}"] {
        assert_eq!(exchange(&model, malformed).status(), 400);
    }
    assert!(model.requests().is_empty());
}

#[test]
fn models_are_listed() {
    let reply = exchange(&model_with(Answer::Hang), "GET /v1/models HTTP/1.1\r\n\r\n");
    assert_eq!(reply.status(), 200);
    assert_eq!(reply.text(), r#"{"object":"list","data":[{"id":"scripted","object":"model"}]}"#);
}

#[test]
fn a_panic_in_the_script_closes_only_its_connection() {
    let mut is_first = true;
    let model = ScriptedModel::start(move |_| {
        assert!(!std::mem::take(&mut is_first), "this panic is part of the test");
        Answer::Say("ok".into())
    });
    let mut bytes = Vec::new();
    let mut stream = send(&model, &post_request(OPENAI, &json!({})));
    stream.read_to_end(&mut bytes).expect("the connection closes");
    assert!(bytes.is_empty());
    assert_eq!(ask(&model, OPENAI, false).status(), 200);
    assert_eq!(model.requests().len(), 2);
}

#[test]
fn concurrent_requests_get_their_own_answers_and_ids() {
    let model = ScriptedModel::start(|request| {
        Answer::Call(vec![("echo".into(), json!({ "text": request.last_text() }))])
    });
    let mut ids: Vec<String> = thread::scope(|scope| {
        let model = &model;
        let threads: Vec<_> = (0..16)
            .map(|number| {
                scope.spawn(move || {
                    let message = json!({ "role": "user", "content": format!("number {number}") });
                    let body = json!({ "messages": [message] });
                    let body = exchange(model, &post_request(ANTHROPIC, &body)).json();
                    let call = &body["content"][0];
                    assert_eq!(call["input"]["text"], format!("number {number}"));
                    call["id"].as_str().expect("the id is text").to_owned()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("the thread succeeds")).collect()
    });
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), model.requests().len()), (16, 16));
}
