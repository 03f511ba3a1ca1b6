//! Streams of events and of changed resources.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use memtape_server::http::tokens::Kind;
use serde_json::{Value, json};

use crate::harness::Server;

/// Begins a stream; the reader is after the head of the response.
pub(crate) fn begin(server: &Server, token: &str, request: &str, body: &str) -> (u16, BufReader<TcpStream>) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let length = body.len();
    write!(
        stream,
        "{request}\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap().parse().unwrap();
    while line != "\r\n" {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0, "the head of the response ends");
    }
    (status, reader)
}

/// Begins to follow resources.
fn listen(server: &Server, token: &str, uris: &[String]) -> (u16, BufReader<TcpStream>) {
    let request = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n\
                   Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
                   Mcp-Method: subscriptions/listen";
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"_meta": meta, "notifications": {"resourceSubscriptions": uris}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params});
    begin(server, token, request, &body.to_string())
}

#[test]
fn the_streams_of_a_token_are_limited_together() {
    let server = Server::start();
    let (app, other) = (server.token("app", Kind::Owner, false), server.token("b", Kind::Owner, false));
    let view = ["memtape://view".to_owned()];
    let mut streams = Vec::new();
    for n in 0..64 {
        let (status, stream) = match n % 2 {
            0 => begin(&server, &app, "GET /v1/events HTTP/1.1", ""),
            _ => listen(&server, &app, &view),
        };
        assert_eq!(status, 200, "{n}");
        streams.push(stream);
    }
    assert_eq!(listen(&server, &app, &view).0, 503);
    assert_eq!(begin(&server, &app, "GET /v1/events HTTP/1.1", "").0, 503);
    let authorization = format!("Authorization: Bearer {app}\r\n");
    assert_eq!(server.send("GET", "/v1/status", &authorization, None).status, 200);
    assert_eq!(listen(&server, &other, &view).0, 200);
}

#[test]
fn a_stream_follows_a_limited_number_of_resources() {
    let server = Server::start();
    let app = server.token("app", Kind::Owner, false);
    let uris: Vec<_> = (0..150).map(|n| format!("memtape://notes/facts/n{n}.md")).collect();
    let (status, stream) = listen(&server, &app, &uris);
    assert_eq!(status, 200);
    let mut lines = stream.lines().map_while(Result::ok);
    let acknowledged = lines.find(|line| line.contains("acknowledged")).unwrap();
    let acknowledged: Value = serde_json::from_str(acknowledged.strip_prefix("data:").unwrap()).unwrap();
    assert_eq!(acknowledged["params"]["notifications"]["resourceSubscriptions"], json!(uris[..100]));
}
