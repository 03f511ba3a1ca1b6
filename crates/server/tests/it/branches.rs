//! What a client reads is the branch that its conversation is on.

use std::io::BufRead as _;
use std::time::Duration;

use memtape::Toolset;
use memtape_server::http::tokens::{Kind, Token, Tokens};
use serde_json::{Value, json};

use crate::harness::Server;
use crate::streams::begin;

#[test]
fn every_route_reads_the_branch_that_the_tools_write_on() {
    let server = Server::start();
    let tools = [Toolset::Core, Toolset::Ledger, Toolset::Notes, Toolset::Blocks];
    let token = Token {
        name: "app".into(),
        hash: String::new(),
        kind: Kind::Owner,
        workspace: None,
        tools: tools.map(|tools| tools.as_str().to_owned()).to_vec(),
        read_only: false,
    };
    let text = Tokens::of(server.dir.path()).add(token).unwrap();
    let token = format!("Authorization: Bearer {text}\r\n");
    let call = |name: &str, arguments: &Value| {
        let called = server.send("POST", &format!("/v1/tools/{name}"), &token, Some(arguments));
        assert_eq!(called.status, 200, "{name}: {}", called.text);
    };
    call("memory_branch", &json!({"action": "create", "name": "coach"}));
    call("memory_save", &json!({"content": "Ana keeps bees"}));
    call("memory_add", &json!({"subject": "user", "predicate": "lives in", "object": "Porto"}));
    call("memory_set_block", &json!({"name": "current_focus", "value": "the hives"}));
    call("memory_write", &json!({"path": "facts/bees.md", "content": "# Bees\n\nTen hives.\n"}));
    call("memory_file_write", &json!({"path": "insights/honey.md", "content": "# Honey\n"}));
    let said = json!({"text": "I prefer window seats on trains."});
    assert_eq!(server.send("POST", "/v1/turn", &token, Some(&said)).status, 200);
    let get = |path: &str| {
        let read = server.send("GET", path, &token, None);
        assert_eq!(read.status, 200, "{path}: {}", read.text);
        read
    };
    let fact = get("/v1/facts").json["items"][0]["ref"].as_str().unwrap().to_owned();
    let memory = format!("/v1/memories/{fact}");
    let last = get("/v1/log").json["items"][0]["entry"].as_u64().unwrap();
    for (path, expected) in [
        ("/v1/status", "coach"),
        ("/v1/view", "Porto"),
        ("/v1/zone", "bees"),
        ("/v1/facts", "Porto"),
        (&format!("/v1/facts?at={last}"), "Porto"),
        ("/v1/statements", "window seats"),
        ("/v1/blocks", "the hives"),
        ("/v1/blocks/current_focus", "the hives"),
        ("/v1/notes", "facts/bees.md"),
        ("/v1/notes/facts/bees.md", "Ten hives."),
        ("/v1/files", "insights/honey.md"),
        ("/v1/files/insights/honey.md", "Honey"),
        (&memory, "Porto"),
        (&format!("{memory}/why"), "Porto"),
        ("/v1/journal", "the hives"),
        ("/v1/log", "Porto"),
    ] {
        let read = get(path);
        assert!(read.text.contains(expected), "{path}: {}", read.text);
    }
    let (status, events) = begin(&server, &text, "GET /v1/events?after=0 HTTP/1.1", "");
    assert_eq!(status, 200);
    // Less than the time between two signs of life.
    events.get_ref().set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    assert!(events.lines().map_while(Result::ok).any(|line| line.contains("the hives")));
    let head =
        format!("Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n{token}");
    let mcp = |method: &str, params: &Value| {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        server.send("POST", "/mcp", &head, Some(&message)).text
    };
    let listed = mcp("resources/list", &json!({}));
    for expected in ["memtape://blocks/current_focus", "memtape://notes/facts/bees.md"] {
        assert!(listed.contains(expected), "{listed}");
    }
    let view = mcp("resources/read", &json!({"uri": "memtape://view"}));
    assert!(view.contains("Porto"), "{view}");
}
