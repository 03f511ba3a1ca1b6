//! What a token and a page may do, and what they are not told.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{Answer, Server, added};
use crate::harness::Home;

#[test]
fn a_forbidden_request_is_refused_without_details() {
    let home = Home::new();
    home.setup(&["remember 'the safe is behind the mirror'"]);
    let server = Server::start(&home, "");
    let bearer = format!("Bearer {}", server.token);
    let authorized = ("Authorization", bearer.as_str());
    let dir = home.path("");
    let here = dir.to_string_lossy();
    let refused = |what: &str, answer: &Answer, status: u16| {
        assert_eq!(answer.status, status, "{what}: {}", answer.body);
        assert!(
            !answer.body.contains("mirror") && !answer.body.contains(here.as_ref()),
            "{what}: {}",
            answer.body
        );
    };
    refused("no token", &server.send("GET", "/v1/zone", &[], ""), 401);
    refused("no token, no route", &server.send("GET", "/v1/nope", &[], ""), 401);
    let wrong = format!("{}0", server.token);
    refused("another token", &server.with(&wrong, &[], "GET", "/v1/zone", &Value::Null), 401);
    refused(
        "another host",
        &server.send("GET", "/v1/zone", &[authorized, ("Host", "evil.example")], ""),
        403,
    );
    refused(
        "an origin",
        &server.send("GET", "/v1/zone", &[authorized, ("Origin", "https://evil.example")], ""),
        403,
    );
    refused(
        "an origin, mcp",
        &server.send("POST", "/mcp", &[authorized, ("Origin", "https://evil.example")], "{}"),
        403,
    );
    refused("a large body", &server.send("POST", "/v1/turn", &[authorized], &"x".repeat(5 << 20)), 413);
    refused("a path outside", &server.get("/v1/notes/../../etc/passwd"), 400);
    refused("an encoded path outside", &server.get("/v1/files/..%2f..%2fetc/passwd"), 400);
    refused("an unknown parameter", &server.get("/v1/zone?x=1"), 400);
    refused("a bad body", &server.send("POST", "/v1/turn", &[authorized], "{"), 400);
    refused(
        "another session",
        &server.with(&server.token, &[("Memtape-Session", "telegram:1")], "GET", "/v1/zone", &Value::Null),
        403,
    );
    assert_eq!(server.send("GET", "/healthz", &[], "").body, "ok\n");
    assert_eq!(server.send("DELETE", "/v1/zone", &[authorized], "").status, 405);
}

#[test]
fn a_token_determines_the_audience() {
    let home = Home::new();
    home.setup(&["remember 'the safe is behind the mirror' --session telegram:1"]);
    let made = |line: &str| added(&home, &format!("-C . token add {line}"));
    let (one, two) = (made("one --session telegram:1"), made("two --session telegram:2 --read-only"));
    let gateway = made("bridge --gateway telegram:");
    let server = Server::start(&home, "-C .");
    let recall = "/v1/recall?query=where+is+the+safe";
    let found = |token: &str, head: &[(&str, &str)]| server.with(token, head, "GET", recall, &Value::Null);
    assert!(found(&one, &[]).body.contains("mirror"));
    assert!(!found(&two, &[]).body.contains("mirror"));
    assert!(found(&gateway, &[("Memtape-Session", "telegram:1")]).body.contains("mirror"));
    assert!(!found(&gateway, &[("Memtape-Session", "telegram:2")]).body.contains("mirror"));
    assert_eq!(found(&gateway, &[("Memtape-Session", "slack:1")]).status, 403);
    assert_eq!(found(&gateway, &[]).status, 400);
    let turn = json!({"text": "hello"});
    assert_eq!(server.with(&two, &[], "POST", "/v1/turn", &turn).status, 403);
    assert_eq!(server.with(&two, &[], "POST", "/v1/tools/memory_save", &json!({"content": "x"})).status, 403);
    assert_eq!(server.with(&two, &[], "POST", "/v1/tools/memory_show", &json!({})).status, 200);
    assert_eq!(server.with(&two, &[], "GET", "/v1/status", &Value::Null).json(), json!({"branch": "main"}));
    // A turn is its conversation's.
    let begun = server.with(&one, &[], "POST", "/v1/turn/begin", &turn).json();
    let end = json!({"turn": begun["turn"], "reply": "hi"});
    let other = [("Memtape-Session", "telegram:2")];
    assert_eq!(server.with(&gateway, &other, "POST", "/v1/turn/end", &end).status, 404);
    assert_eq!(server.with(&one, &[], "POST", "/v1/turn/end", &end).status, 200);
    home.setup(&["-C . token remove one"]);
    assert_eq!(found(&one, &[]).status, 401, "a removed token ends at once");
}

#[test]
fn a_turn_can_be_ended_only_by_whom_it_is_of() {
    let home = Home::new();
    home.setup(&["status"]);
    let made = |name: &str, user: &str| {
        added(&home, &format!("-C . token add {name} --session telegram:group --user {user}"))
    };
    let (seven, eight) = (made("seven", "7"), made("eight", "8"));
    let server = Server::start(&home, "-C .");
    let end = |token: &str, turn: &Value| {
        let end = json!({"turn": turn, "reply": "hi"});
        server.with(token, &[], "POST", "/v1/turn/end", &end).status
    };
    let begun = server.with(&seven, &[], "POST", "/v1/turn/begin", &json!({"text": "hello"})).json();
    assert_eq!(end(&eight, &begun["turn"]), 404, "of another user");
    assert_eq!(end(&seven, &begun["message"]), 404, "an id that can be guessed");
    assert_eq!(end(&seven, &begun["turn"]), 200);
}

#[test]
fn a_token_that_may_only_read_writes_nowhere_and_is_not_told_to() {
    let home = Home::new();
    home.setup(&["note write facts/car.md '- color: red'"]);
    let reader = added(&home, "-C . token add reader --read-only");
    let server = Server::start(&home, "-C .");
    let (to, from) = ("/memories/facts/a.md", "/memories/facts/car.md");
    for command in [
        json!({"command": "create", "path": to, "file_text": "x"}),
        json!({"command": "str_replace", "path": from, "old_str": "red", "new_str": "blue"}),
        json!({"command": "insert", "path": from, "insert_line": 0, "insert_text": "x"}),
        json!({"command": "rename", "old_path": from, "new_path": to}),
        json!({"command": "delete", "path": from}),
    ] {
        let answer = server.with(&reader, &[], "POST", "/v1/memory-tool", &command).json();
        assert_eq!(answer["is_error"], true, "{command}: {answer}");
    }
    let view = json!({"command": "view", "path": from});
    let answer = server.with(&reader, &[], "POST", "/v1/memory-tool", &view).json();
    assert!(answer["content"].as_str().is_some_and(|text| text.contains("red")), "{answer}");
    for path in ["/v1/prompt?message=hello", "/v1/brief"] {
        let shown = server.with(&reader, &[], "GET", path, &Value::Null).body;
        assert!(!shown.contains("memory_save"), "{path}: {shown}");
    }
}

#[test]
fn a_prompt_names_the_tools_that_can_be_called() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let begun = server.post("/v1/turn/begin", &json!({"text": "hello"})).json();
    let prompt = server.get("/v1/prompt?message=hello").json();
    let named = |prompt: &Value| {
        let text = prompt.to_string();
        let names = text.split(|c: char| !c.is_ascii_lowercase() && c != '_');
        names.filter(|name| name.starts_with("memory_")).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(named(&begun["prompt"]), named(&prompt));
    assert!(named(&prompt).contains("memory_recall") && !named(&prompt).contains("memory_update"));
}

#[test]
fn an_open_stream_ends_with_its_token() {
    let home = Home::new();
    home.setup(&["status"]);
    let token = added(&home, "-C . token add phone");
    let server = Server::start(&home, "-C .");
    let mut stream = TcpStream::connect(&server.address).expect("the server listens");
    let request = format!(
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).expect("a time");
    home.setup(&["-C . token remove phone"]);
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the stream ends");
}

#[test]
fn pages_of_an_allowed_origin_may_call() {
    let home = Home::new();
    home.setup(&["status"]);
    let token = added(&home, "-C . token add page");
    let server = Server::start(&home, "-C . --origin HTTPS://App.example:443/ --host Mem.example:7117");
    assert_eq!(server.send("GET", "/healthz", &[("Host", "mem.example")], "").status, 200);
    let ask = |origin: &str, host: &str| {
        let head = [("Origin", origin), ("Access-Control-Request-Method", "GET"), ("Host", host)];
        server.send("OPTIONS", "/v1/zone", &head, "")
    };
    let asked = ask("https://app.example", "localhost");
    assert_eq!(asked.status, 204);
    assert_eq!(asked.header("access-control-allow-origin"), Some("https://app.example"));
    assert!(
        asked.header("access-control-allow-headers").is_some_and(|names| names.contains("authorization"))
    );
    for (origin, host) in [("https://evil.example", "localhost"), ("https://app.example", "evil.example")] {
        let asked = ask(origin, host);
        assert!(
            asked.status >= 400 && asked.header("access-control-allow-headers").is_none(),
            "{origin} {host}"
        );
    }
    let origin = [("Origin", "https://app.example")];
    let answer = server.with(&token, &origin, "GET", "/v1/zone", &Value::Null);
    assert_eq!(
        (answer.status, answer.header("access-control-allow-origin")),
        (200, Some("https://app.example"))
    );
    // What a page cannot read without permission.
    let reads = answer.header("access-control-expose-headers").unwrap_or_default();
    assert!(reads.contains("etag") && reads.contains("mcp-protocol-version"), "{reads}");
    // The page reads the reason of a refusal too.
    let refused = server.send("GET", "/v1/zone", &origin, "");
    assert_eq!((refused.status, refused.header("vary")), (401, Some("origin")));
    assert!(refused.header("access-control-expose-headers").is_some());
    let foreign = server.send("GET", "/v1/zone", &[("Origin", "https://evil.example")], "");
    assert_eq!((foreign.status, foreign.header("access-control-expose-headers")), (403, None));
}

#[test]
fn a_page_may_send_the_headers_of_mcp_and_of_sdks() {
    let home = Home::new();
    home.setup(&["status"]);
    let server = Server::start(&home, "-C . --origin https://app.example");
    let ask = |origin: &str, names: Option<&str>| {
        let mut head =
            vec![("Origin", origin), ("Access-Control-Request-Method", "POST"), ("Host", "localhost")];
        head.extend(names.map(|names| ("Access-Control-Request-Headers", names)));
        let asked = server.send("OPTIONS", "/mcp", &head, "");
        asked.header("access-control-allow-headers").map(str::to_owned)
    };
    let page = "https://app.example";
    let of_mcp = ask(page, None).expect("an answer");
    for name in ["authorization", "mcp-protocol-version", "mcp-method", "mcp-name"] {
        assert!(of_mcp.split(", ").any(|known| known == name), "{name} in {of_mcp}");
    }
    let of_sdk = "authorization,content-type,mcp-method,mcp-param-city,x-stainless-os";
    assert_eq!(ask(page, Some(of_sdk)).as_deref(), Some(of_sdk));
    assert_eq!(ask(page, Some("a b")), Some(of_mcp), "no names of headers");
    assert_eq!(ask("https://evil.example", Some(of_sdk)), None);
}

#[test]
fn a_header_that_decides_who_asks_is_sent_once() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let bearer = format!("Bearer {}", server.token);
    let authorized = ("Authorization", bearer.as_str());
    for (name, twice) in [
        ("host", [("Host", "localhost"), ("Host", "evil.example")]),
        ("host", [("Host", "localhost"), ("Host", "localhost")]),
        ("authorization", [authorized, ("Host", "localhost")]),
        ("memtape-session", [("Memtape-Session", "telegram:1"), ("Memtape-Session", "telegram:2")]),
    ] {
        for path in ["/v1/zone", "/healthz", "/mcp", "/inspect"] {
            let answer = server.send("GET", path, &[&[authorized], &twice[..]].concat(), "");
            assert_eq!(answer.status, 400, "{name} {path}: {}", answer.body);
            assert!(answer.body.contains(&format!("more than one header {name}")), "{}", answer.body);
        }
    }
}

#[test]
fn only_a_token_of_the_server_reads_its_metrics() {
    let home = Home::new();
    home.setup(&["status"]);
    let made = |line: &str| added(&home, &format!("-C . token add {line}"));
    let (owner, reader) = (made("owner"), made("watch --read-only"));
    let (chat, bridge) = (made("chat --session telegram:1"), made("bridge --gateway telegram:"));
    let server = Server::start(&home, "-C .");
    let read = |token: &str, head: &[(&str, &str)]| server.with(token, head, "GET", "/metrics", &Value::Null);
    for token in [&owner, &reader, &bridge] {
        let answer = read(token, &[]);
        assert!(answer.status == 200 && answer.body.contains("memtape_requests_total"), "{}", answer.body);
    }
    assert_eq!(read(&bridge, &[("Memtape-Session", "telegram:1")]).status, 200);
    let refused = read(&chat, &[]);
    assert_eq!(refused.status, 403);
    assert!(!refused.body.contains("memtape_"), "{}", refused.body);
    assert_eq!(server.send("GET", "/metrics", &[], "").status, 401);
}

#[test]
fn a_token_of_a_chat_does_not_see_that_another_chat_saves() {
    let home = Home::new();
    let chat = added(&home, "-C . token add chat --session telegram:1");
    let server = Server::start(&home, "-C .");
    let read = || {
        let zone = server.with(&chat, &[], "GET", "/v1/zone", &Value::Null).json();
        let shown = server.with(&chat, &[], "POST", "/v1/tools/memory_show", &json!({})).json();
        (zone, shown)
    };
    let before = read();
    assert_eq!(before.0, json!({"long_term": "", "dailies": {}}));
    home.setup(&["-C . remember 'the safe is behind the mirror' --session telegram:2"]);
    assert_eq!(read(), before);
    let owner = added(&home, "-C . token add owner");
    assert!(server.with(&owner, &[], "GET", "/v1/zone", &Value::Null).json()["version"].is_u64());
}

#[test]
fn a_token_of_the_owner_speaks_as_the_owner() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let chat = added(&home, "-C . token add chat --session telegram:1");
    let owner = "You speak with the owner of this memory.";
    let system = |prompt: &Value| prompt["system"].as_str().expect("a text").to_owned();
    assert!(server.get("/v1/brief").body.contains(owner));
    let prompt = server.get("/v1/prompt?message=hello").json();
    assert!(system(&prompt).contains(owner), "{prompt}");
    let begun = server.post("/v1/turn/begin", &json!({"text": "hello"})).json();
    assert!(system(&begun["prompt"]).contains(owner), "{begun}");
    for path in ["/v1/brief", "/v1/prompt?message=hello"] {
        let shown = server.with(&chat, &[], "GET", path, &Value::Null).body;
        assert!(!shown.contains(owner), "{path}: {shown}");
    }
}
