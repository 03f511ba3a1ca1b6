//! `serve` and `token`: a real server on a real socket.

mod access;
mod tokens;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread::{self, JoinHandle};

use expect_test::expect;
use serde_json::{Value, json};

use crate::harness::Home;

/// A running server, which is terminated after the test.
pub(crate) struct Server {
    child: Child,
    address: String,
    /// The token of the owner; empty if the server created none.
    token: String,
    /// Reads what the server writes to standard error after its address.
    reported: Option<JoinHandle<Vec<String>>>,
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {:?}", self.body))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Server {
    /// Starts a server of the workspace, or with other options.
    pub(crate) fn start(home: &Home, options: &str) -> Self {
        let workspace = if options.is_empty() { "-C ." } else { "" };
        let line = format!("serve --listen 127.0.0.1:0 {workspace} {options}");
        let mut command = home.command(&line).into_command();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("the output is a pipe")).lines();
        let mut line = || lines.next().expect("the server says where it is").expect("a line");
        let first = line();
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(": ").next());
        let address = address.unwrap_or_else(|| panic!("{first}")).to_owned();
        let mut token = String::new();
        if options.is_empty() {
            token = line().rsplit(' ').next().expect("a token").to_owned();
        }
        // The rest is read so that the server never waits for a full pipe.
        let reported = Some(thread::spawn(move || lines.map_while(Result::ok).collect()));
        Self { child, address, token, reported }
    }

    /// Stops the server, and returns the lines that it wrote to standard error after its address.
    fn stop(&mut self) -> Vec<String> {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        self.reported.take().expect("it was not stopped before").join().expect("lines")
    }

    /// Sends a request with the lines of its head after the first one, and returns the response.
    fn send(&self, method: &str, path: &str, head: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !head.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in head {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all((request + "\r\n").as_bytes()).expect("the server reads");
        // A server that refuses a body may close the connection before it was sent.
        let _ = stream.write_all(body.as_bytes());
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("the server answers");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[("Authorization", &format!("Bearer {}", self.token))], "")
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        self.send("POST", path, &[("Authorization", &bearer)], &body.to_string())
    }

    /// The same server with another token.
    pub(crate) fn with(
        &self,
        token: &str,
        head: &[(&str, &str)],
        method: &str,
        path: &str,
        body: &Value,
    ) -> Answer {
        let bearer = format!("Bearer {token}");
        let head: Vec<_> =
            [("Authorization", bearer.as_str())].into_iter().chain(head.iter().copied()).collect();
        self.send(method, path, &head, &if body.is_null() { String::new() } else { body.to_string() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Adds a token and returns its text.
pub(crate) fn added(home: &Home, line: &str) -> String {
    home.run(&format!("{line} --json")).json()["token"].as_str().expect("a token").to_owned()
}

#[test]
fn tools_reads_and_turns_work_over_http() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let saved = server
        .post("/v1/tools/memory_save", &json!({"content": "Ana is allergic to nuts", "mode": "append"}));
    assert_eq!((saved.status, saved.json()), (200, json!({"reply": "saved to long-term memory"})));
    let hits = server.get("/v1/recall?query=what%20is%20Ana%20allergic%20to").json();
    assert_eq!(hits["hits"][0]["text"], "Ana is allergic to nuts");
    let turn = server.post("/v1/turn", &json!({"text": "I prefer tea", "reply": "Noted."})).json();
    assert_eq!(turn["captured"][0]["text"], "I prefer tea");
    let begun = server.post("/v1/turn/begin", &json!({"text": "what do I drink?"})).json();
    assert!(begun["memory"].as_str().expect("a text").contains("I prefer tea"), "{begun}");
    assert!(begun["prompt"]["system"].as_str().expect("a text").contains("# Memory"));
    // It is longer than `ingest.max_message_bytes`: the turn stays open.
    let too_long = json!({"turn": begun["turn"], "reply": "x".repeat(2 << 20)});
    assert_eq!(server.post("/v1/turn/end", &too_long).status, 403);
    // A whole turn is checked before it begins.
    let entries = server.get("/v1/status").json()["entries"].clone();
    for more in [
        json!({"reply": "x".repeat(2 << 20)}),
        json!({"pending_actions": ["x".repeat(2 << 20)]}),
        json!({"tools": [{"name": "page", "arguments": {"url": "x".repeat(2 << 20)}}]}),
    ] {
        let mut whole = json!({"text": "I prefer milk"});
        whole.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        assert_eq!(server.post("/v1/turn", &whole).status, 403);
    }
    assert_eq!(server.get("/v1/status").json()["entries"], entries);
    let end = json!({"turn": begun["turn"], "reply": "Tea.", "tools": [{"name": "kettle", "arguments": {"on": true}}]});
    assert_eq!(server.post("/v1/turn/end", &end).json()["message"], begun["message"]);
    assert_eq!(server.post("/v1/turn/end", &end).status, 404, "a turn ends once");
    assert_eq!(server.get("/v1/zone").json()["long_term"], "Ana is allergic to nuts");
    let lines = server.get("/v1/journal?limit=2").json();
    let next = lines["next"].as_u64().expect("there is more");
    let more = server.get(&format!("/v1/journal?after={next}")).json();
    assert!(
        more["items"]
            .as_array()
            .is_some_and(|items| items.iter().all(|item| item["entry"].as_u64() > Some(next)))
    );
    // The same shapes as at the terminal.
    assert_eq!(server.get("/v1/facts").json(), json!({"items": [], "next": null}));
    assert_eq!(server.get("/v1/blocks/persona").json()["name"], "persona");
    assert_eq!(server.get("/v1/log?limit=1").json()["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_a_tool_writes_gets_its_vectors_in_the_background() {
    let home = Home::new();
    home.setup(&["status"]);
    let server = Server::start(&home, "");
    for (path, body) in [
        ("/v1/tools/memory_save", json!({"content": "Snails eat the lettuce at night", "mode": "append"})),
        (
            "/v1/memory-tool",
            json!({"command": "create", "path": "/memories/a.md", "file_text": "Ana likes tea"}),
        ),
    ] {
        assert_eq!(server.post(path, &body).status, 200, "{path}");
        let begun = std::time::Instant::now();
        let status = loop {
            let status = home.run("status").stdout;
            if status.contains("none pending") || begun.elapsed().as_secs() > 30 {
                break status;
            }
        };
        assert!(status.contains("none pending"), "{path}: {status}");
    }
}

#[test]
fn responses_have_entity_tags() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let read = server.get("/v1/zone");
    let tag = read.header("etag").expect("a tag").to_owned();
    let bearer = format!("Bearer {}", server.token);
    let again = server.send("GET", "/v1/zone", &[("Authorization", &bearer), ("If-None-Match", &tag)], "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    server.post("/v1/tools/memory_save", &json!({"content": "new"}));
    let changed = server.send("GET", "/v1/zone", &[("Authorization", &bearer), ("If-None-Match", &tag)], "");
    assert_eq!(changed.status, 200);
}

#[test]
fn lists_have_pages() {
    let home = Home::new();
    for n in 0..5 {
        home.write(&format!("facts/n{n}.md"), "# N\n");
    }
    let server = Server::start(&home, "");
    let mut seen = Vec::new();
    let mut path = "/v1/notes?limit=2".to_owned();
    loop {
        let page = server.get(&path).json();
        seen.extend(page["items"].as_array().expect("a list").iter().map(|item| item["path"].to_string()));
        match page["next"].as_str() {
            Some(next) => path = format!("/v1/notes?limit=2&after={next}"),
            None => break,
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
    assert_eq!(server.get("/v1/notes?after=facts/none.md").status, 404);
}

#[test]
fn a_workspace_that_vanishes_is_no_empty_one() {
    let home = Home::new();
    home.setup(&["remember 'Ana is allergic to nuts'"]);
    let server = Server::start(&home, "");
    assert!(server.get("/v1/zone").body.contains("nuts"));
    std::fs::rename(home.path("tape.jsonl"), home.path("away")).expect("renamed");
    for path in ["/v1/zone", "/v1/recall?query=nuts", "/v1/status"] {
        assert_eq!(server.get(path).status, 503, "{path}");
    }
    let turn = server.post("/v1/turn", &json!({"text": "I moved to Porto"}));
    assert_eq!(turn.status, 503, "{}", turn.body);
    std::fs::rename(home.path("away"), home.path("tape.jsonl")).expect("renamed");
    assert!(server.get("/v1/zone").body.contains("nuts"));
}

#[test]
fn an_error_repeats_little_of_what_was_sent() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let long = "x".repeat(300_000);
    let short = |what: &str, answer: &Answer| {
        assert!(answer.status >= 400 && answer.body.len() < 1500, "{what}: {}", answer.body.len());
        assert!(answer.body.contains("xxx…"), "{what}: {}", answer.body);
    };
    let mut unknown = json!({"content": "tea"});
    unknown[&long] = 1.into();
    short("a field", &server.post("/v1/tools/memory_save", &unknown));
    short("a mode", &server.post("/v1/tools/memory_save", &json!({"content": "tea", "mode": &long})));
    short("a text for a number", &server.post("/v1/tools/memory_recall", &json!({"days": &long})));
    let mut turn = json!({"text": "tea"});
    turn[&long] = 1.into();
    short("a field of a turn", &server.post("/v1/turn", &turn));
    // A path is limited by the HTTP library.
    let name = &long[..20_000];
    short("a tool", &server.post(&format!("/v1/tools/{name}"), &json!({})));
    short("a parameter", &server.get(&format!("/v1/zone?{name}=1")));
    short("a number", &server.get(&format!("/v1/recall?query=x&limit={name}")));
    short("a store", &server.get(&format!("/v1/memory_stores/{name}")));
    short("a note", &server.get(&format!("/v1/notes/{name}.md")));
    let view = json!({"command": "view", "path": format!("/memories/{long}")});
    let viewed = server.post("/v1/memory-tool", &view).json();
    assert!(viewed["content"].as_str().is_some_and(|text| text.len() < 1500), "{}", viewed["content"]);
}

#[test]
fn hints_name_no_commands_of_the_terminal() {
    let home = Home::new();
    let server = Server::start(&home, "");
    for path in ["/v1/files/drafts/none.md", "/v1/notes/facts/none.md", "/v1/journal?type=nope"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        for command in ["file list", "note list", "journal add", "`memtape"] {
            assert!(!answer.body.contains(command), "{path}: {}", answer.body);
        }
    }
}

#[test]
fn many_workspaces_are_kept_apart() {
    let home = Home::new();
    home.setup(&["init all/ana", "init all/ben", "-C all/ana remember 'the safe is behind the mirror'"]);
    let made = |line: &str| added(&home, &format!("token add --workspaces all {line}"));
    let (ana, ben) = (made("a --opens ana"), made("b --opens ben"));
    home.check(
        &["token add --workspaces all c --opens ../ana", "token add --workspaces all d"],
        &expect![[r#"
            $ memtape token add --workspaces all c --opens ../ana
            ! error: there is no workspace "../ana" in all
            [exit 3]
            $ memtape token add --workspaces all d
            ! error: name the workspace of the token with --opens NAME
            [exit 2]
        "#]],
    );
    let server = Server::start(&home, "--workspaces all");
    let zone = |token: &str| server.with(token, &[], "GET", "/v1/zone", &Value::Null).json();
    assert_eq!(zone(&ana)["long_term"], "the safe is behind the mirror");
    assert_eq!(zone(&ben)["long_term"], "");
    let hits = server.with(&ana, &[], "GET", "/v1/recall?query=safe", &Value::Null).json();
    let reference = hits["hits"][0]["ref"].as_str().expect("a ref").to_owned();
    let foreign = server.with(&ben, &[], "GET", &format!("/v1/memories/{reference}"), &Value::Null);
    assert_eq!(foreign.status, 404, "{}", foreign.body);
    assert!(!foreign.body.contains("mirror"));
}

#[test]
fn a_missing_workspace_is_reported_once() {
    let home = Home::new();
    home.setup(&["init all/ana"]);
    let ana = added(&home, "token add --workspaces all a --opens ana");
    std::fs::rename(home.path("all/ana"), home.path("away")).unwrap();
    let mut server = Server::start(&home, "--workspaces all");
    let status = |server: &Server| server.with(&ana, &[], "GET", "/v1/status", &Value::Null).status;
    for _ in 0..3 {
        assert_eq!(status(&server), 503);
    }
    std::fs::rename(home.path("away"), home.path("all/ana")).unwrap();
    assert_eq!(status(&server), 200);
    let reported = server.stop();
    let warnings = reported.iter().filter(|line| line.contains("there is no workspace in "));
    assert_eq!(warnings.count(), 1, "{reported:?}");
}

#[test]
fn mcp_works_over_http_without_sessions() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let reader = added(&home, "-C . token add reader --read-only");
    let call_with = |token: &str, id: u64, method: &str, params: Value| {
        let head = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-06-18"),
        ];
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let answer = server.with(token, &head, "POST", "/mcp", &body);
        assert_eq!(answer.header("mcp-session-id"), None, "several clients lose it");
        answer.json()
    };
    let call = |id, method: &str, params| call_with(&server.token, id, method, params);
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let begun = call(1, "initialize", client.clone());
    assert_eq!(begun["result"]["serverInfo"]["name"], "memtape");
    assert_eq!(
        begun["result"]["capabilities"]["resources"],
        json!({}),
        "there is no way to notify the client"
    );
    assert!(begun["result"]["instructions"].to_string().contains("memory_save"), "{begun}");
    let begun = call_with(&reader, 1, "initialize", client);
    assert!(!begun["result"]["instructions"].to_string().contains("memory_save"), "{begun}");
    assert_eq!(call(2, "tools/list", json!({}))["result"]["tools"].as_array().map(Vec::len), Some(6));
    let saved = json!({"name": "memory_save", "arguments": {"content": "tea"}});
    assert_eq!(call(3, "tools/call", saved)["result"]["content"][0]["text"], "saved to long-term memory");
}

#[test]
fn the_journal_is_followed_as_events() {
    let home = Home::new();
    home.setup(&["remember one"]);
    let server = Server::start(&home, "");
    let mut stream = TcpStream::connect(&server.address).expect("the server listens");
    let request = format!(
        "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        server.token
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut lines =
        BufReader::new(stream).lines().map_while(Result::ok).filter(|line| line.starts_with("data: "));
    let mut until = |text: &str| lines.by_ref().any(|line| line.contains(text));
    assert!(until("one"));
    server.post("/v1/tools/memory_save", &json!({"content": "two", "mode": "append"}));
    assert!(until("two"));
}

#[test]
fn metrics_and_the_document_cover_the_routes() {
    let home = Home::new();
    let server = Server::start(&home, "");
    server.get("/v1/zone");
    let metrics = server.get("/metrics").body;
    assert!(
        metrics.contains("memtape_requests_total{method=\"GET\",route=\"/v1/zone\",status=\"200\"} 1"),
        "{metrics}"
    );
    let document = server.send("GET", "/openapi.json", &[], "").json();
    let paths = document["paths"].as_object().expect("paths");
    for path in ["/v1/recall", "/v1/notes/{path}", "/v1/events"] {
        assert!(paths.contains_key(path), "{path}");
    }
    for (path, item) in paths {
        for operation in item.as_object().expect("operations").values() {
            let declared = operation["parameters"].as_array().expect("parameters");
            let in_path = declared.iter().filter(|parameter| parameter["in"] == "path").count();
            assert_eq!(in_path, path.matches('{').count(), "{path}");
        }
    }
}

#[test]
fn the_document_states_what_requests_are_refused() {
    let home = Home::new();
    let server = Server::start(&home, "");
    let document = server.send("GET", "/openapi.json", &[], "").json();
    let of = |path: &str, method: &str| document["paths"][path][method].clone();
    let parameter = |operation: &Value, name: &str| {
        let all = operation["parameters"].as_array().expect("parameters");
        all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}: {operation}")).clone()
    };
    assert_eq!(parameter(&of("/v1/recall", "get"), "query")["required"], true);
    assert_eq!(server.get("/v1/recall").status, 400);
    let store = server.get("/v1/memory_stores").json()["data"][0]["id"].as_str().expect("an id").to_owned();
    for path in [
        "/v1/memory_stores",
        "/v1/memory_stores/{memory_store_id}/memories",
        "/v1/memory_stores/{memory_store_id}/memory_versions",
    ] {
        let limit = parameter(&of(path, "get"), "limit")["schema"].clone();
        assert_eq!(limit, json!({"type": "integer", "minimum": 1, "maximum": 100}), "{path}");
        let path = path.replace("{memory_store_id}", &store);
        for (limit, status) in [(0, 400), (1, 200), (100, 200), (101, 400)] {
            assert_eq!(server.get(&format!("{path}?limit={limit}")).status, status, "{path} {limit}");
        }
    }
    let memories = of("/v1/memory_stores/{memory_store_id}/memories", "get");
    assert_eq!(parameter(&memories, "view")["schema"]["enum"], json!(["basic", "full"]));
    assert_eq!(parameter(&memories, "depth")["schema"]["maximum"], 1);
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let is_refused = operation["summary"].as_str().is_some_and(|text| text.starts_with("Refused"));
            assert_eq!(operation["responses"].get("200").is_none(), is_refused, "{method} {path}");
        }
    }
    let said_at = &of("/v1/turn", "post")["requestBody"]["content"]["application/json"]["schema"]["properties"]
        ["said_at"];
    assert_eq!(said_at.get("format"), None);
    let turn = json!({"text": "I like tea", "said_at": "2 days ago"});
    assert_eq!(server.post("/v1/turn", &turn).status, 200);
}

#[cfg(unix)]
#[test]
fn a_terminated_server_ends_in_order() {
    let home = Home::new();
    let mut server = Server::start(&home, "");
    let id = server.child.id().to_string();
    assert!(
        std::process::Command::new("kill").args(["-TERM", &id]).status().is_ok_and(|status| status.success())
    );
    assert!(server.child.wait().expect("it ends").success());
}

/// The program that opens the browser may fail: the address, which is the only way in, is printed nevertheless.
#[cfg(unix)]
#[test]
fn the_address_of_the_inspector_is_printed_where_no_browser_opens() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.write("bin/xdg-open", "#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(home.path("bin/xdg-open"), PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", home.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = home.command("inspect").env("PATH", path).into_command();
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let first = BufReader::new(child.stderr.take().unwrap()).lines().next();
    child.kill().unwrap();
    child.wait().unwrap();
    let first = first.unwrap().unwrap();
    assert!(first.contains("open this address, which works once: http://127.0.0.1:"), "{first}");
    assert!(first.contains("/inspect/open?ticket="), "{first}");
}

#[test]
fn the_workspaces_of_a_server_are_in_a_directory_or_a_database() {
    let home = Home::bare();
    let ran = home.run("serve --workspaces s3://bucket/agents --cache cache");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (2, "error: serve --workspaces takes a directory or postgres://…\n"),
        "{}",
        ran.snapshot()
    );
    assert!(!home.path("cache").exists());
}
