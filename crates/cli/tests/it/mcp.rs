//! `mcp`: the Model Context Protocol over standard input and output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use expect_test::{expect, expect_file};
use serde_json::{Value, json};

use crate::harness::Home;

/// A client of protocol 2025-06-18, which begins with `initialize`.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    pub(crate) fn start(home: &Home, options: &str) -> Self {
        let mut client = Self::raw(home, options);
        let begun = client.call(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "the owner", "version": "1"},
            }),
        );
        assert_eq!(begun["result"]["protocolVersion"], "2025-06-18", "{begun}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn raw(home: &Home, options: &str) -> Self {
        let mut command = home.command(&format!("-C . mcp {options}")).into_command();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        Self { child, input, output, last: 0 }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().expect("the input is open"), "{message}").expect("the server reads");
    }

    /// Sends a request and returns the response to it. Notifications before it are passed over.
    #[allow(clippy::needless_pass_by_value, reason = "as json! gives it")]
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        loop {
            let message = self.next();
            if message["id"] == self.last {
                return message;
            }
        }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server answers");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"))
    }

    /// Calls a tool and returns its text, after `error: ` if it failed.
    #[allow(clippy::needless_pass_by_value, reason = "as json! gives it")]
    pub(crate) fn tool(&mut self, name: &str, arguments: Value) -> String {
        let reply = self.call("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &reply["result"];
        assert!(result.get("structuredContent").is_none(), "clients would show nothing else: {result}");
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}"));
        let error = if result["isError"] == true { "error: " } else { "" };
        format!("{error}{text}")
    }

    fn names(&mut self) -> Vec<String> {
        let listed = self.call("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }
}

impl Drop for Client {
    /// The server ends when its input does.
    fn drop(&mut self) {
        drop(self.input.take());
        let status = self.child.wait().expect("the server ends");
        assert!(status.success() || std::thread::panicking(), "{status}");
    }
}

#[test]
fn tools_are_listed_and_called() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    let core = ["memory_recall", "memory_save", "memory_daily", "memory_add", "memory_forget", "memory_show"];
    assert_eq!(client.names(), core);
    let saved = client.tool("memory_save", json!({"content": "Ana is allergic to nuts", "mode": "append"}));
    assert_eq!(saved, "saved to long-term memory");
    let found = client.tool("memory_recall", json!({"query": "what is Ana allergic to?"}));
    assert!(found.contains("Ana is allergic to nuts"), "{found}");
    expect![[r#"
        error: invalid arguments: missing field `content`
        error: unknown tool "nope": expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show
        error: memory_write is not one of the listed tools: expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show
        error: memory_clear is a tool for the owner: it can be called only where the owner allows it"#]]
    .assert_eq(
        &[
            client.tool("memory_save", json!({})),
            client.tool("nope", json!({})),
            client.tool("memory_write", json!({"path": "facts/a.md", "content": "x"})),
            client.tool("memory_clear", json!({})),
        ]
        .join("\n"),
    );
    // The owner reads at the terminal what the agent saved, and from where.
    let journal = home.run("journal --type tool_use --json").snapshot();
    assert!(journal.contains("\"session\":\"mcp:direct:"), "{journal}");
}

#[test]
fn a_client_that_switches_to_a_branch_moves_no_other_client() {
    let home = Home::new();
    let mut client = Client::start(&home, "--tools core,ledger");
    client.tool("memory_branch", json!({"action": "create", "name": "trial"}));
    client.tool("memory_save", json!({"content": "Ana may be vegetarian", "mode": "append"}));
    let mut other = Client::start(&home, "");
    other.tool("memory_save", json!({"content": "Ana likes tea", "mode": "append"}));
    let shown = home.run("zone show").stdout;
    assert!(shown.contains("Ana likes tea") && !shown.contains("vegetarian"), "{shown}");
}

#[test]
fn the_core_tools_take_little_room() {
    let home = Home::new();
    let listed = Client::start(&home, "").call("tools/list", json!({}));
    // Four characters a token is a low estimate for JSON.
    let tokens = listed["result"].to_string().len().div_ceil(3);
    assert!(tokens < 1500, "{tokens} tokens");
    let all = Client::start(&home, "--tools core,ledger,notes,blocks,owner").call("tools/list", json!({}));
    for tool in all["result"]["tools"].as_array().expect("a list") {
        is_flat(&tool["inputSchema"], true);
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
}

/// Models and clients know the tools by these definitions: a change of them is a change of the interface.
#[test]
fn the_definitions_of_all_tools_are_as_recorded() {
    let home = Home::new();
    let mut client = Client::start(&home, "--tools core,ledger,notes,blocks,owner");
    let listed = client.call("tools/list", json!({}))["result"].clone();
    let text = serde_json::to_string_pretty(&listed).expect("JSON has a text");
    expect_file!["tools.json"].assert_eq(&(text + "\n"));
}

/// Checks that a schema has nothing that clients reject.
fn is_flat(schema: &Value, is_root: bool) {
    match schema {
        Value::Object(fields) => {
            for key in ["$ref", "$defs", "definitions"] {
                assert!(!fields.contains_key(key), "{key} in {schema}");
            }
            for key in ["oneOf", "anyOf", "allOf"] {
                assert!(!(is_root && fields.contains_key(key)), "{key} in {schema}");
            }
            assert!(fields.get("type").is_none_or(|kind| !kind.is_array()), "a list of types in {schema}");
            fields.values().for_each(|field| is_flat(field, false));
        }
        Value::Array(items) => items.iter().for_each(|item| is_flat(item, false)),
        _ => {}
    }
}

#[test]
fn a_read_only_server_offers_nothing_that_writes() {
    let home = Home::new();
    let mut client = Client::start(&home, "--read-only --tools core,notes");
    assert_eq!(client.names(), ["memory_recall", "memory_show", "memory_list", "memory_read"]);
    let refused = client.tool("memory_save", json!({"content": "x"}));
    assert!(refused.starts_with("error: "), "{refused}");
}

#[test]
fn a_server_for_a_chat_shows_no_other_chat() {
    let home = Home::new();
    home.setup(&["remember 'the safe is behind the mirror' --session telegram:1"]);
    let mut other = Client::start(&home, "--session telegram:2");
    let found = other.tool("memory_recall", json!({"query": "where is the safe?"}));
    assert!(!found.contains("mirror"), "{found}");
    assert!(
        !other.call("resources/read", json!({"uri": "memtape://journal"})).to_string().contains("mirror")
    );
    let mut own = Client::start(&home, "--session telegram:1");
    assert!(own.tool("memory_recall", json!({"query": "where is the safe?"})).contains("mirror"));
}

#[test]
fn resources_and_prompts_are_listed_and_read() {
    let home = Home::new();
    home.write("facts/ana maria.md", "# Ana\n\n- allergic to nuts\n");
    home.setup(&["fact add user city Porto", "file write insights/2024-02-10.md 'look twice'"]);
    let mut client = Client::start(&home, "");
    let listed = client.call("resources/list", json!({}));
    let uris: Vec<_> = listed["result"]["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|resource| resource["uri"].as_str().expect("a URI").to_owned())
        .collect();
    for uri in ["memtape://view", "memtape://journal", "memtape://notes/facts/ana%20maria.md"] {
        assert!(uris.iter().any(|listed| listed == uri), "{uri} in {uris:?}");
    }
    for uri in &uris {
        let read = client.call("resources/read", json!({"uri": uri}));
        assert!(read["result"]["contents"][0]["text"].is_string(), "{uri}: {read}");
    }
    let text = |client: &mut Client, uri: &str| {
        client.call("resources/read", json!({"uri": uri}))["result"]["contents"][0]["text"].clone()
    };
    assert_eq!(text(&mut client, "memtape://notes/facts/ana%20maria.md"), "# Ana\n\n- allergic to nuts\n");
    assert_eq!(text(&mut client, "memtape://files/insights/2024-02-10.md"), "look twice\n");
    for uri in
        ["memtape://nothing", "memtape://notes/../../etc/passwd", "memtape://notes/facts/no.md", "file:///x"]
    {
        let read = client.call("resources/read", json!({"uri": uri}));
        assert!(read["error"]["message"].is_string(), "{uri}: {read}");
    }
    let prompts = client.call("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"].as_array().map(Vec::len), Some(3));
    let brief = client.call("prompts/get", json!({"name": "session-brief"})).to_string();
    assert!(brief.contains("user city Porto") && brief.contains("You speak with the owner"), "{brief}");
    let topic = json!({"name": "what-do-you-know", "arguments": {"topic": "city"}});
    assert!(client.call("prompts/get", topic).to_string().contains("Porto"));
    let text = json!({"name": "remember", "arguments": {"text": "buy milk"}});
    assert!(client.call("prompts/get", text).to_string().contains("buy milk"));
}

#[test]
fn parameters_that_cannot_be_used_are_invalid_params() {
    let home = Home::new();
    home.write("facts/ana.md", "# Ana\n");
    let mut client = Client::start(&home, "");
    for (method, params) in [
        ("tools/call", json!({"name": 1})),
        ("tools/call", json!({"name": "memory_show", "arguments": "x"})),
        ("tools/call", json!({})),
        ("prompts/get", json!({"name": "nope"})),
        ("prompts/get", json!({"name": "remember"})),
        ("prompts/get", json!({"name": "remember", "arguments": {"text": 1}})),
        ("prompts/get", json!({"name": "remember", "arguments": {"text": "tea", "txet": "tea"}})),
        ("prompts/get", json!({"name": "session-brief", "arguments": {"topic": "tea"}})),
        ("prompts/get", json!({"name": "what-do-you-know", "arguments": {"topic": ["tea"]}})),
        ("resources/list", json!({"cursor": "nonsense"})),
        ("resources/list", json!({"cursor": "memtape://nothing"})),
        ("resources/list", json!({"cursor": "memtape://notes/"})),
        ("tools/list", json!({"cursor": "x"})),
        ("prompts/list", json!({"cursor": "x"})),
        ("resources/templates/list", json!({"cursor": "x"})),
    ] {
        let answer = client.call(method, params.clone());
        assert_eq!(answer["error"]["code"], -32602, "{method} {params}: {answer}");
    }
    let failed = client.call("resources/read", json!({}));
    assert_eq!(failed["error"]["message"], "invalid parameters of resources/read: missing field `uri`");
    let long = "x".repeat(300_000);
    for (method, params) in [
        ("prompts/get", json!({"name": long})),
        ("resources/list", json!({"cursor": long})),
        ("resources/read", json!({"uri": long})),
        (long.as_str(), json!({})),
    ] {
        let message = client.call(method, params)["error"]["message"].to_string();
        assert!(message.len() < 1000 && message.contains("xxx…"), "{}", message.len());
    }
    // A resource that was removed since is a cursor still.
    let cursor = json!({"cursor": "memtape://files/drafts/none.md"});
    assert_eq!(client.call("resources/list", cursor)["result"]["resources"], json!([]));
    let failed = client.tool(&long, json!({}));
    assert!(failed.starts_with("error: unknown tool \"xxx") && failed.len() < 1000, "{}", failed.len());
}

#[test]
fn a_long_list_of_resources_has_pages() {
    let home = Home::new();
    for n in 0..120 {
        home.write(&format!("facts/note {n:03}.md"), format!("# Note {n}\n"));
    }
    let mut client = Client::start(&home, "");
    let first = client.call("resources/list", json!({}))["result"].clone();
    let cursor = first["nextCursor"].as_str().expect("there is more").to_owned();
    let second = client.call("resources/list", json!({"cursor": cursor}))["result"].clone();
    let uris = |page: &Value| {
        let resources = page["resources"].as_array().expect("a list").clone();
        resources.into_iter().map(|resource| resource["uri"].to_string()).collect::<Vec<_>>()
    };
    let all: std::collections::BTreeSet<_> = uris(&first).into_iter().chain(uris(&second)).collect();
    assert_eq!(all.iter().filter(|uri| uri.contains("note%20")).count(), 120);
    assert_eq!(all.len(), uris(&first).len() + uris(&second).len(), "no resource is on two pages");
    assert!(second.get("nextCursor").is_none());
}

/// Writes by other processes until the client gets a notification, and returns that.
fn notified(home: &Home, client: &mut Client, method: &str, write: impl Fn(u32) -> String) -> Value {
    // The first look finds out what there is; a later change is then one.
    let begun = std::time::Instant::now();
    for n in 0.. {
        home.setup(&[&write(n)]);
        client.last += 1;
        let ping = client.last;
        client.send(&json!({"jsonrpc": "2.0", "id": ping, "method": "ping"}));
        let mut told = None;
        loop {
            let message = client.next();
            if message["method"] == method {
                told = Some(message["params"].clone());
            }
            if message["id"] == ping {
                break;
            }
        }
        if let Some(told) = told {
            return told;
        }
        assert!(begun.elapsed().as_secs() < 60, "there was no {method}");
    }
    unreachable!("the loop has no end")
}

#[test]
fn a_subscription_hears_of_a_change_by_another_process() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    client.call("resources/subscribe", json!({"uri": "memtape://view"}));
    let write = |n| format!("fact add user city City{n}");
    let told = notified(&home, &mut client, "notifications/resources/updated", write);
    assert_eq!(told["uri"], "memtape://view");
}

#[test]
fn a_client_that_subscribes_again_hears_of_a_change_once() {
    let home = Home::new();
    home.setup(&["fact add user city Lisbon"]);
    let mut client = Client::start(&home, "");
    let view = json!({"uri": "memtape://view"});
    client.call("resources/subscribe", view.clone());
    for _ in 0..4 {
        client.call("resources/unsubscribe", view.clone());
        client.call("resources/subscribe", view.clone());
    }
    for city in ["Porto", "Braga", "Faro"] {
        home.setup(&[&format!("fact add user city {city}")]);
        assert_eq!(client.next()["method"], "notifications/resources/updated");
    }
    client.send(&json!({"jsonrpc": "2.0", "id": "end", "method": "ping"}));
    assert_eq!(client.next()["id"], "end");
}

#[test]
fn every_request_is_answered_before_the_server_ends() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    // While another process writes, calls wait.
    let lock =
        std::fs::File::options().append(true).open(home.path("lock")).expect("the lock of the writers");
    lock.lock().expect("nobody writes");
    for id in 100..104 {
        let save =
            json!({"name": "memory_save", "arguments": {"content": format!("line {id}"), "mode": "append"}});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": save}));
    }
    drop(client.input.take());
    // The server reads to the end of its input, and waits with the answers.
    std::thread::sleep(std::time::Duration::from_millis(100));
    drop(lock);
    let mut ids: Vec<_> = (0..4).map(|_| client.next()["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (100..104).map(Some).collect::<Vec<_>>());
}

#[test]
fn calls_take_effect_in_the_order_in_which_they_were_sent() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    let call = |id: u64, name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    for id in 100..120 {
        let lives_in = format!("city {id}");
        let fact = json!({"subject": "Ana", "predicate": "lives in", "object": lives_in});
        client.send(&call(id, "memory_add", fact));
    }
    client.send(&call(120, "memory_recall", json!({"query": "Where does Ana live?"})));
    let answers: Vec<_> = (100..=120).map(|_| client.next()).collect();
    let recalled = answers.iter().find(|answer| answer["id"] == 120).expect("an answer");
    assert!(recalled.to_string().contains("city 119"), "{recalled}");
    assert!(home.run("fact list").raw().contains("city 119"), "the last value stays");
}

#[test]
fn a_cancelled_request_and_a_subscription_do_not_keep_the_server() {
    let home = Home::new();
    let mut client = Client::raw(&home, "");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    client.call("server/discover", json!({"_meta": meta}));
    let listen = json!({"_meta": meta, "notifications": {"resourcesListChanged": true}});
    client.send(&json!({"jsonrpc": "2.0", "id": 8, "method": "subscriptions/listen", "params": listen}));
    let recall = json!({"_meta": meta, "name": "memory_recall", "arguments": {"query": "tea"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": recall}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}));
    drop(client.input.take());
    assert!(client.child.wait().expect("the server ends").success());
}

#[test]
fn the_version_with_batches_is_not_negotiated() {
    let home = Home::new();
    for (asked, answered) in
        [("2025-03-26", "2024-11-05"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")]
    {
        let mut client = Client::raw(&home, "");
        let client_info = json!({"name": "t", "version": "1"});
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client_info});
        let begun = client.call("initialize", params);
        assert_eq!(begun["result"]["protocolVersion"], answered, "{begun}");
    }
}

#[test]
fn a_message_that_is_too_long_is_answered_as_such() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    let save = json!({"name": "memory_save", "arguments": {"content": "x".repeat(17 << 20)}});
    // Other members may come in any order, and most clients begin with the id.
    let line = format!(r#"{{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{save}}}"#);
    client.input.as_mut().expect("the input is open").write_all((line + "\n").as_bytes()).expect("it reads");
    let answer = client.next();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(70), &json!(-32600)), "{answer}");
    let message = answer["error"]["message"].to_string();
    assert!(message.contains("longer than 16777216 bytes"), "{message}");
    assert!(client.tool("memory_show", json!({})).contains("version="));
}

#[test]
fn a_hint_names_only_tools_that_are_listed() {
    let home = Home::new();
    for (options, is_named) in [("", false), ("--tools core,notes,blocks", true)] {
        let mut client = Client::start(&home, options);
        for uri in ["memtape://blocks/nosuch", "memtape://notes/facts/no.md"] {
            let read = client.call("resources/read", json!({"uri": uri}))["error"]["message"].to_string();
            assert_eq!(read.contains("(memory_list"), is_named, "{options} {uri}: {read}");
        }
    }
}

#[test]
fn a_client_that_has_listed_the_resources_hears_of_a_new_one() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    client.call("resources/list", json!({}));
    let write = |n| format!("note write facts/new-{n}.md Text");
    notified(&home, &mut client, "notifications/resources/list_changed", write);
}

#[test]
fn a_client_that_leaves_at_once_is_no_failure() {
    let home = Home::new();
    let mut client = Client::raw(&home, "");
    client.input = None;
    assert!(client.child.wait().expect("the server ends").success());
}

#[test]
fn the_last_request_needs_no_line_end() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    let save = json!({"name": "memory_save", "arguments": {"content": "Ana likes tea"}});
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": save});
    let mut input = client.input.take().expect("the input is open");
    write!(input, "{request}").expect("the server reads");
    drop(input);
    assert!(client.child.wait().expect("the server ends").success());
    assert!(home.run("zone list").stdout.contains("Ana likes tea"));
}

#[test]
fn a_client_may_discover_before_anything_else() {
    let home = Home::new();
    let mut client = Client::raw(&home, "");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = client.call("server/discover", json!({"_meta": meta}));
    let versions = discovered["result"]["supportedVersions"].to_string();
    assert!(versions.contains("2026-07-28") && versions.contains("2025-06-18"), "{discovered}");
    let listed = client.call("tools/list", json!({"_meta": meta}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(6), "{listed}");
}

#[test]
fn a_workspace_that_cannot_be_opened_is_an_error_of_the_tool() {
    let home = Home::bare();
    let mut client = Client::start(&home, "");
    let failed = client.tool("memory_show", json!({}));
    assert!(failed.starts_with("error: ") && failed.contains("no workspace"), "{failed}");
    assert!(failed.contains("(create one with `memtape init "), "{failed}");
    home.setup(&["init"]);
    assert!(client.tool("memory_show", json!({})).contains("version="));
}

#[test]
fn who_sends_what_cannot_be_read_is_answered() {
    let home = Home::new();
    let mut client = Client::start(&home, "");
    let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let call = |id: u64, content: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"memory_save","arguments":{{"content":{content}}}}}}}"#
        )
    };
    let mut answer = |line: &str| {
        // An empty line and a notification are not answered.
        let lines =
            format!("\n \t\r\n{{\"jsonrpc\":\"2.0\",\"method\":\"no/notification\",\"params\":5}}\n{line}\n");
        client
            .input
            .as_mut()
            .expect("the input is open")
            .write_all(lines.as_bytes())
            .expect("the server reads");
        client.next()
    };
    assert_eq!(answer(&call(2, r#""cut \ud83d emoji""#))["result"]["isError"], false);
    for (line, code, id) in [
        (call(3, "1e400"), -32700, json!(3)),
        (call(4, &nested), -32700, json!(4)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}"#.into(), -32600, json!(5)),
        (r#"{"id":"six","method":"ping"}"#.into(), -32600, json!("six")),
        ("no JSON".into(), -32700, json!(null)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping""#.into(), -32700, json!(null)),
        (r#"[{"jsonrpc":"2.0","id":8,"method":"ping"}]"#.into(), -32600, json!(null)),
    ] {
        let answer = answer(&line);
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}: {answer}");
    }
    drop(client);
    let kept = home.run("zone show").stdout;
    assert!(kept.contains("cut \u{fffd} emoji"), "{kept}");
}

#[test]
fn a_notification_before_the_handshake_is_ignored() {
    let home = Home::new();
    let mut client = Client::raw(&home, "");
    client.call("ping", json!({}));
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    client.send(&cancelled);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    let begin = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    });
    let begun = client.call("initialize", begin);
    assert_eq!(begun["result"]["protocolVersion"], "2025-06-18", "{begun}");
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert!(client.names().contains(&"memory_save".to_owned()));
}
