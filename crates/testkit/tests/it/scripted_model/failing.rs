//! Answers that fail, are cut off or malformed, and those that take time.

use std::io::Read;
use std::time::{Duration, Instant};

use memtape_testkit::scripted_model::Answer;
use serde_json::json;

use super::{
    ANTHROPIC, OPENAI, Reply, anthropic_stop, ask, connect, joined, model_with, openai_finish, openai_text,
    post_request, send,
};

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
