//! What is checked of every request before it reaches the library.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use memtape::ledger::{NewFact, NewValue};
use memtape::{Added, Category, Options, Sensitivity, Workspace};
use memtape_server::http::tokens::{self, Kind, Token, Tokens};
use serde_json::json;

use crate::harness::{Response, Server};

const MCP: &str = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

fn message(response: &Response) -> &str {
    assert_eq!(response.status, 400, "{}", response.text);
    response.json["error"]["message"].as_str().unwrap()
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
fn requests_of_mcp_are_limited_as_others_are() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let chat = Kind::Fixed { session: "telegram:1".into(), user: None };
    let chat = bearer(&server.token("chat", chat, false));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let pinged =
        |token: &str| server.send_text("POST", "/mcp", &format!("{MCP}{token}"), &ping.to_string()).status;
    let begin = || {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n";
        write!(stream, "{head}Connection: close\r\n{MCP}{chat}\r\n{{").unwrap();
        stream
    };
    // A ping may take the place of a request that begins, which is refused then: one more is needed.
    let mut streams: Vec<TcpStream> = (0..63).map(|_| begin()).collect();
    while pinged(&chat) != 503 {
        assert!(streams.len() < 500, "the requests are not limited");
        streams.push(begin());
        thread::sleep(Duration::from_millis(5));
    }
    assert!(streams.len() >= 64, "{}", streams.len());
    assert_eq!(pinged(&owner), 200);
    let mut first = streams.swap_remove(0);
    first.write_all(format!("{:99}", &ping.to_string()[1..]).as_bytes()).unwrap();
    let mut answer = String::new();
    first.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(pinged(&chat), 200);
}

/// Changes an item of a list.
type Change<'c> = &'c dyn Fn(&serde_json::Value);

#[test]
fn a_list_is_read_on_after_an_item_that_has_changed() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), Options::default()).unwrap();
    let fact =
        |n: u32| NewFact { confidence: 0.9, ..NewFact::new(format!("person {n}"), "lives in", "Porto") };
    for n in 0..5 {
        workspace.ledger().add(&fact(n)).unwrap();
        let path = workspace.notes().path(&format!("facts/n{n}.md")).unwrap();
        workspace.notes().write(&path, &format!("# Note {n}\n")).unwrap();
    }
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let get = |path: &str| {
        let answer = server.send("GET", path, &owner, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.json
    };
    let change_fact = |item: &serde_json::Value| {
        let value = NewValue {
            object: "Faro".into(),
            confidence: 1.0,
            source: "user_explicit".into(),
            quarantined: None,
        };
        let reference: memtape::Ref =
            item["ref"].as_str().unwrap_or_else(|| panic!("{item}")).parse().unwrap();
        workspace.ledger().update_ref(&memtape::Ref { entry: None, ..reference }, &value).unwrap();
    };
    let delete_note = |item: &serde_json::Value| {
        let path = workspace.notes().path(item["path"].as_str().unwrap()).unwrap();
        workspace.notes().delete(&path).unwrap();
    };
    let lists: [(&str, &str, Change<'_>); 2] =
        [("/v1/facts", "ref", &change_fact), ("/v1/notes", "path", &delete_note)];
    for (path, name, change) in lists {
        let names = |page: &serde_json::Value| -> Vec<String> {
            let items = page["items"].as_array().unwrap().iter();
            items.map(|item| item[name].as_str().unwrap().split('@').next().unwrap().to_owned()).collect()
        };
        let all: BTreeSet<_> = names(&get(path)).into_iter().collect();
        let mut page = get(&format!("{path}?limit=2"));
        let mut seen: BTreeSet<_> = names(&page).into_iter().collect();
        change(&page["items"][1]);
        while let Some(next) = page["next"].as_str() {
            page = get(&format!("{path}?limit=2&after={}", next.replace('#', "%23")));
            seen.extend(names(&page));
        }
        assert_eq!((seen.len(), &seen), (5, &all), "{path}");
        let answer = server.send("GET", &format!("{path}?after=nothing"), &owner, None);
        assert_eq!(answer.status, 404, "{}", answer.text);
        assert!(answer.text.contains("pass the `next` of the page before"), "{}", answer.text);
    }
}

#[test]
fn a_hint_names_only_tools_that_can_be_called() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    for path in ["/v1/blocks/nosuch", "/v1/notes/facts/none.md"] {
        let answer = server.send("GET", path, &owner, None);
        assert_eq!((answer.status, &answer.json["error"]["hint"]), (404, &json!(null)), "{}", answer.text);
    }
}

#[test]
fn a_request_has_one_token() {
    let server = Server::start();
    let token = server.token("owner", Kind::Owner, false);
    let both = format!("{}X-Api-Key: {token}\r\n", bearer(&token));
    for path in ["/v1/zone", "/healthz"] {
        let answer = server.send("GET", path, &both, None);
        assert_eq!(message(&answer), "the request has more than one token: Authorization and X-Api-Key");
    }
    // A proxy may ask for a password of its own.
    let proxied = format!("Authorization: Basic YTpi\r\nX-Api-Key: {token}\r\n");
    assert_eq!(server.send("GET", "/v1/zone", &proxied, None).status, 200);
}

#[test]
fn a_query_is_checked() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    for (path, expected) in [
        ("/v1/log?limit=0", "invalid limit 0: expected at least 1"),
        ("/v1/journal?tail=0", "invalid tail 0: expected at least 1"),
        ("/v1/recall?query=a&limit=0", "invalid limit 0: expected at least 1"),
        ("/v1/recall?query=a&query=b", "the parameter query occurs more than once"),
        ("/v1/events?after=x", "invalid parameter after: \"x\" is not a number"),
        ("/v1/events?after=-1", "invalid parameter after: \"-1\" is not a number"),
        ("/v1/events?from=1", "unknown parameter \"from\": expected after"),
    ] {
        assert_eq!(message(&server.send("GET", path, &owner, None)), expected, "{path}");
    }
}

#[test]
fn a_body_is_an_object() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    for body in ["null", "[]", "\"x\"", "", "5"] {
        let answer = server.send_text("POST", "/v1/turn", &owner, body);
        assert_eq!(message(&answer), "invalid body: expected a JSON object", "{body}");
    }
    let answer = server.send("POST", "/v1/turn", &owner, Some(&json!({"text": "tea", "tools": [5]})));
    assert!(message(&answer).contains("expected an object"), "{}", answer.text);
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
        (nested.as_str(), -32700, json!(7)),
        (r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#, -32600, json!(3)),
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

#[test]
fn half_of_a_surrogate_pair_costs_no_call() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let cut = r#"{"content":"cut \ud83d emoji"}"#;
    let answer = server.send_text("POST", "/v1/tools/memory_save", &owner, cut);
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(server.send("GET", "/v1/zone", &owner, None).text.contains("cut \u{fffd} emoji"));
}

#[test]
fn the_user_of_a_gateway_is_the_id_of_the_channel() {
    let server = Server::start();
    let gateway = bearer(&server.token("bridge", Kind::Gateway { prefix: "web:".into() }, false));
    let of =
        |chat: &str, user: &str| format!("{gateway}Memtape-Session: web:{chat}\r\nMemtape-User: {user}\r\n");
    let say = |head: &str, text: &str| {
        let answer = server.send("POST", "/v1/turn", head, Some(&json!({"text": text})));
        assert_eq!(answer.status, 200, "{}", answer.text);
    };
    let recall = |head: &str| server.send("GET", "/v1/recall?query=window+seats", head, None).text;
    say(&of("a", "ana"), "I prefer window seats on trains.");
    assert!(recall(&of("b", "ana")).contains("window seats"));
    // Whoever chose the id `web:ana` is not `ana`, and neither is an id in another spelling.
    for other in ["web:ana", "web%3Aana", "%61na", "@ana", "an\u{e4}"] {
        let found = recall(&of("c", other));
        assert!(found.contains("hits") && !found.contains("window"), "{other}: {found}");
    }
    say(&of("d", "web:ana"), "I prefer aisle seats on planes.");
    assert!(!recall(&of("b", "ana")).contains("aisle"));
    assert!(recall(&of("e", "web:ana")).contains("aisle"));
}

/// The terminal is where the owner is, but over HTTP the token says who asks, for the prompt as for the tools. No new token
/// names a conversation there, but an old list may have one that does.
#[test]
fn only_a_token_of_the_owner_gets_the_owners_prompt() {
    let server = Server::start();
    let fixed = Kind::Fixed { session: "old:direct".into(), user: None };
    let gateway = Kind::Gateway { prefix: "old:".into() };
    let list = server.dir.path().join(tokens::FILE);
    for (name, kind, head, is_owner) in [
        ("owner", Kind::Owner, "", true),
        ("fixed", fixed, "", false),
        ("gateway", gateway, "Memtape-Session: cli:direct\r\n", false),
    ] {
        let head = format!("{}{head}", bearer(&server.token(name, kind, false)));
        fs::write(&list, fs::read_to_string(&list).unwrap().replace("old:", "cli:")).unwrap();
        let asked = server.send("GET", "/v1/prompt?message=tea", &head, None).json;
        let begun = server.send("POST", "/v1/turn/begin", &head, Some(&json!({"text": "tea"}))).json;
        for prompt in [&asked, &begun["prompt"]] {
            let system = prompt["system"].as_str().unwrap_or_else(|| panic!("{name}: {asked} {begun}"));
            assert_eq!(
                system.contains("You speak with the owner of this memory."),
                is_owner,
                "{name}: {system}"
            );
        }
    }
}

#[test]
fn a_listing_does_not_say_what_is_confidential() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), Options::default()).unwrap();
    let hidden = Sensitivity::Confidential;
    let illness = NewFact { confidence: 0.9, ..NewFact::new("user", "illness", "migraine") };
    workspace.ledger().with_sensitivity(hidden).add(&illness).unwrap();
    let statement = Added::new("I have a migraine", Category::Fact);
    workspace.statements().with_sensitivity(hidden).add(&statement).unwrap();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    for path in ["/v1/facts", "/v1/statements"] {
        let answer = server.send("GET", path, &owner, None);
        assert!(!answer.text.contains("migraine"), "{}", answer.text);
        assert_eq!(answer.json["items"][0]["sensitivity"], "confidential", "{}", answer.text);
    }
}

#[test]
fn a_turn_that_begins_reports_the_unfinished_one() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let begin = |text: &str| server.send("POST", "/v1/turn/begin", &owner, Some(&json!({"text": text})));
    assert_eq!(begin("tea?").json["unfinished"], json!([]));
    assert_eq!(begin("figs?").json["unfinished"][0]["text"], "tea?");
}

#[test]
fn a_message_that_fits_in_no_prompt_is_reported() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let long = json!({"text": "long ".repeat(40_000)});
    let begun = server.send("POST", "/v1/turn/begin", &owner, Some(&long)).json;
    assert_eq!((&begun["remembered"], &begun["prompt"]), (&json!(true), &json!(null)));
    assert_eq!(begun["too_small"]["budget"], 32_000);
    assert!(begun["too_small"]["least"].as_u64() > Some(32_000), "{}", begun["too_small"]);
}

/// Adds a token of the owner with these toolsets, and returns its header line.
fn owner_with(server: &Server, tools: &[&str]) -> String {
    let token = Token {
        name: "tools".into(),
        hash: String::new(),
        kind: Kind::Owner,
        workspace: None,
        tools: tools.iter().map(|name| (*name).to_owned()).collect(),
        read_only: false,
    };
    bearer(&Tokens::of(server.dir.path()).add(token).unwrap())
}

/// Sends a request of MCP and returns the whole answer.
fn mcp(server: &Server, token: &str, method: &str, params: &serde_json::Value) -> serde_json::Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    server.send_text("POST", "/mcp", &format!("{MCP}{token}"), &request.to_string()).json
}

#[test]
fn methods_that_nobody_knows_are_counted_together() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    for n in 0..3 {
        server.send_text(&format!("MADE-UP-{n}"), "/", "", "");
    }
    let metrics = server.send("GET", "/metrics", &owner, None).text;
    let counted: Vec<_> = metrics.lines().filter(|line| line.starts_with("memtape_requests_total")).collect();
    assert_eq!(counted.len(), 1, "{counted:?}");
    assert!(counted[0].contains("method=\"other\"") && counted[0].ends_with(" 3"), "{counted:?}");
}

#[test]
fn a_token_without_toolsets_can_call_no_tool() {
    let server = Server::start();
    let token = owner_with(&server, &[]);
    assert!(!server.send("GET", "/v1/tools", &token, None).text.contains("memory_"));
    let content = json!({"content": "Ana likes tea"});
    let called = server.send("POST", "/v1/tools/memory_save", &token, Some(&content));
    assert_eq!(called.status, 403, "{}", called.text);
    let params = json!({"name": "memory_save", "arguments": content});
    let called = mcp(&server, &token, "tools/call", &params);
    assert_eq!(called["result"]["isError"], true, "{called}");
    assert!(!server.send("GET", "/v1/zone", &token, None).text.contains("Ana"));
}

#[test]
fn instructions_and_prompts_name_only_tools_that_are_listed() {
    let server = Server::start();
    let begin = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    });
    let token = owner_with(&server, &["ledger", "notes"]);
    let begun = mcp(&server, &token, "initialize", &begin);
    let instructions = begun["result"]["instructions"].as_str().unwrap_or_else(|| panic!("{begun}"));
    assert!(instructions.contains("long-term memory") && !instructions.contains("memory_"), "{instructions}");
    let prompts = mcp(&server, &token, "prompts/list", &json!({})).to_string();
    assert!(prompts.contains("what-do-you-know") && !prompts.contains("\"remember\""), "{prompts}");
    let topic = json!({"name": "what-do-you-know", "arguments": {"topic": "tea"}});
    let got = mcp(&server, &token, "prompts/get", &topic);
    assert!(got["result"]["messages"].to_string().contains("this topic"), "{got}");
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let begun = mcp(&server, &owner, "initialize", &begin);
    let instructions = begun["result"]["instructions"].as_str().unwrap_or_else(|| panic!("{begun}"));
    for tool in ["Call memory_recall", "Save with memory_save (mode \"append\") or memory_add"] {
        assert!(instructions.contains(tool), "{instructions}");
    }
}

#[cfg(unix)]
#[test]
fn a_content_that_is_not_utf_8_is_not_changed() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let file = server.dir.path().join("files/old.txt");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, b"Gr\xfc\xdfe\n").unwrap();
    let read = mcp(&server, &owner, "resources/read", &json!({"uri": "memtape://files/old.txt"}));
    let content = &read["result"]["contents"][0];
    assert_eq!(content["blob"], "R3L832UK", "{read}");
    assert_eq!(content["mimeType"], "application/octet-stream", "{read}");
    let store = server.send("GET", "/v1/memory_stores", &owner, None).json;
    let store = store["data"][0]["id"].as_str().unwrap();
    let path = format!("/v1/memory_stores/{store}/memories?view=full");
    let listed = server.send("GET", &path, &owner, None).json;
    let memory = listed["data"].as_array().unwrap().iter().find(|memory| memory["content_size_bytes"] == 6);
    assert_eq!(memory.unwrap_or_else(|| panic!("{listed}"))["content"], json!(null));
}

#[test]
fn the_streams_of_a_token_are_limited() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let other = bearer(&server.token("other", Kind::Owner, false));
    let begin = |token: &str| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        write!(stream, "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n{token}\r\n").unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8(status[9..].to_vec()).unwrap())
    };
    let mut streams: Vec<_> = (0..64).map(|_| begin(&owner)).collect();
    assert!(streams.iter().all(|(_, status)| status == "200"), "{streams:?}");
    assert_eq!(begin(&owner).1, "503");
    assert_eq!(begin(&other).1, "200");
    streams.clear();
    while begin(&owner).1 != "200" {
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_stream_of_a_workspace_that_cannot_be_opened_is_a_failure() {
    let server = Server::of(tempfile::tempdir().unwrap());
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let answer = server.send("GET", "/v1/events", &owner, None);
    assert_eq!(answer.status, server.send("GET", "/v1/zone", &owner, None).status, "{}", answer.text);
    assert_ne!(answer.status, 200);
}

#[test]
fn a_body_may_begin_with_a_byte_order_mark() {
    let server = Server::start();
    let owner = bearer(&server.token("owner", Kind::Owner, false));
    let save = "\u{feff}{\"content\": \"Ana keeps bees\"}";
    let saved = server.send_text("POST", "/v1/tools/memory_save", &owner, save);
    assert_eq!(saved.status, 200, "{}", saved.text);
    let list = server.send_text("POST", "/v1/tools/memory_save", &owner, "\u{feff}[]");
    assert_eq!(message(&list), "invalid body: expected a JSON object");
}

#[test]
fn a_ref_with_a_slash_is_encoded() {
    let server = Server::start();
    let token = bearer(&server.token("app", Kind::Owner, false));
    let answer = server.send("GET", "/v1/memories/files:insights/tea.md", &token, None);
    assert_eq!(answer.status, 404, "{}", answer.text);
    assert!(answer.text.contains("write the slashes of a ref as %2F"), "{}", answer.text);
    let answer = server.send("GET", "/v1/memories/files:insights%2Ftea.md", &token, None);
    assert!(answer.text.contains("files:insights/tea.md is not current"), "{}", answer.text);
}

#[test]
fn a_workspace_that_is_not_there_is_unavailable_and_reveals_no_path() {
    let server = Server::of_many(tempfile::tempdir().unwrap());
    let token = bearer(&server.token_of(Some("gone"), "app", Kind::Owner, false));
    for path in ["/v1/status", "/v1/events", "/v1/memory_stores"] {
        let answer = server.send("GET", path, &token, None);
        assert_eq!(answer.status, 503, "{path}: {}", answer.text);
        assert!(answer.text.contains("the workspace cannot be opened"), "{path}: {}", answer.text);
        assert!(!answer.text.contains("gone"), "{path}: {}", answer.text);
    }
}
