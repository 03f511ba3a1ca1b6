//! What the server reads of requests, and those that it refuses.

use std::io::{Read, Write};
use std::thread;

use memtape_testkit::scripted_model::{Answer, Protocol, Request, ScriptedModel};
use serde_json::{Value, json};

use super::{ANTHROPIC, OPENAI, Reply, ask, exchange, model_with, post_request, send};

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
