//! What is checked of every request before it reaches the library.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use memtape_server::http::tokens::Kind;
use serde_json::json;

use crate::harness::Server;

const MCP: &str = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

#[test]
fn unfinished_bodies_of_a_token_stop_no_other_one() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let chat = Kind::Fixed { session: "telegram:1".into(), user: None };
    let chat = bearer(&server.token("chat", chat, false));
    let begin = || {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let head = "POST /v1/turn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n";
        write!(stream, "{head}Connection: close\r\n{chat}\r\n{{").unwrap();
        stream
    };
    let is_busy = || server.send("GET", "/v1/zone", &chat, None).status == 503;
    let mut streams = Vec::new();
    while !is_busy() {
        streams.push(begin());
        thread::sleep(Duration::from_millis(5));
    }
    assert!(streams.len() >= 64, "{}", streams.len());
    assert_eq!(server.send("GET", "/healthz", "", None).text, "ok\n");
    assert_eq!(server.send("GET", "/v1/zone", &owner, None).status, 200);
    // A body that is complete in the end is read as a whole.
    let mut first = streams.swap_remove(0);
    first.write_all(format!("{:99}", "\"text\": \"tea\"}").as_bytes()).unwrap();
    let mut answer = String::new();
    first.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(!is_busy());
}

#[test]
fn a_malformed_request_of_mcp_is_an_error_of_json_rpc() {
    let server = Server::start();
    let head = format!("{MCP}{}", bearer(&server.token("owner", Kind::Owner, false)));
    let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let nested = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"x","arguments":{{"a":{nested}}}}}}}"#
    );
    for (body, code, id) in [
        ("garbage", -32700, json!(null)),
        (nested.as_str(), -32700, json!(null)),
        (r#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(7)),
        (r#"{"id":{},"method":5}"#, -32600, json!(null)),
    ] {
        let answer = server.send_text("POST", "/mcp", &head, body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        assert_eq!(
            (&answer.json["error"]["code"], &answer.json["id"]),
            (&json!(code), &id),
            "{}",
            answer.text
        );
    }
}
