//! The same calls write the same tape through every face.

use memtape::{Inbound, Options, Reply, Session, ToolUse, Workspace};
use regex::Regex;
use serde_json::{Value, json};

use crate::harness::Home;
use crate::mcp::Client;
use crate::serve::{Server, added};

const WHO: &str = "--session telegram:1 --user 7";
const TOOLS: &str = "core,ledger,notes,blocks";

/// The calls, over every toolset and with failures among them.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("memory_save", json!({"content": "Ana is allergic to nuts\nshe lives in Porto"})),
        ("memory_daily", json!({"content": "- booked the flights", "date": "2024-02-10"})),
        ("memory_add", json!({"subject": "user", "predicate": "prefers", "object": "tea"})),
        (
            "memory_add",
            json!({"subject": "app", "predicate": "port", "object": "8080", "scope": "work/technical"}),
        ),
        ("memory_recall", json!({"query": "tea"})),
        ("memory_update", json!({"subject": "app", "predicate": "port", "new_value": "9090"})),
        ("memory_save", json!({"content": "window seats", "mode": "append"})),
        ("memory_forget", json!({"text": "she lives in Porto", "reason": "moved"})),
        ("memory_forget", json!({"subject": "user", "predicate": "drinks"})),
        ("memory_write", json!({"path": "facts/a.md", "content": "# A\n"})),
        ("memory_set_block", json!({"name": "current_focus", "value": "the release"})),
        ("memory_journal", json!({"type": "decision", "data": {"action": "ship", "reason": "it is ready"}})),
        ("memory_save", json!({})),
        ("memory_save", json!({"content": "my password is hunter2-Xy9!kf"})),
        ("memory_show", json!({})),
    ]
}

/// Returns the lines of a tape with placeholders for what differs from run to run: dates, salts, hashes and the
/// names made of them.
fn shape(home: &Home) -> Vec<String> {
    let volatile = [(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "[DATE]"), (r"\b[0-9a-f]{8,}\b", "[HEX]")];
    let volatile = volatile.map(|(pattern, shown)| (Regex::new(pattern).expect("a pattern"), shown));
    let tape = String::from_utf8(home.tape()).expect("a tape is UTF-8");
    let shaped =
        volatile.iter().fold(tape, |text, (pattern, shown)| pattern.replace_all(&text, *shown).into_owned());
    shaped.lines().map(str::to_owned).collect()
}

fn library(home: &Home) -> Workspace {
    Workspace::open(&home.path(""), Options::default()).expect("the workspace opens")
}

#[test]
fn a_tool_call_does_the_same_through_every_face() {
    let [through_library, through_commands, through_mcp, through_http] = std::array::from_fn(|_| Home::new());
    {
        let workspace = library(&through_library);
        let session = Session::parse("telegram:1").expect("a session");
        let toolsets: Vec<_> = TOOLS.split(',').map(|name| name.parse().expect("a toolset")).collect();
        let audience = workspace.audience(Some(&session), Some("7")).expect("an audience");
        let tools = workspace.tools().of(&toolsets).for_session(session).for_audience(audience);
        for (name, arguments) in calls() {
            let _ = tools.call(name, arguments);
        }
    }
    for (name, arguments) in calls() {
        let line = format!("tool call {name} {WHO}");
        let _ = through_commands.command(&line).arg(arguments.to_string()).run();
    }
    {
        let mut client = Client::start(&through_mcp, &format!("{WHO} --tools {TOOLS}"));
        for (name, arguments) in calls() {
            client.tool(name, arguments);
        }
    }
    {
        let token = added(&through_http, &format!("-C . token add a {WHO} --tools {TOOLS}"));
        let server = Server::start(&through_http, "-C .");
        for (name, arguments) in calls() {
            server.with(&token, &[], "POST", &format!("/v1/tools/{name}"), &arguments);
        }
    }
    let expected = shape(&through_library);
    assert!(expected.len() > 20, "{expected:#?}");
    for (face, home) in [("commands", &through_commands), ("MCP", &through_mcp), ("HTTP", &through_http)] {
        pretty(face, &expected, &shape(home));
    }
}

/// Fails with the first line that differs.
fn pretty(face: &str, expected: &[String], found: &[String]) {
    for (n, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert_eq!(expected, found, "{face}, line {}", n + 1);
    }
    assert_eq!(expected.len(), found.len(), "{face}");
}

#[test]
fn a_turn_does_the_same_through_every_face() {
    let turns = [
        ("I prefer tea in the morning", Some("Noted."), None),
        ("what do I drink?", Some("Tea."), Some(("kettle", json!({"on": true}), "boiling"))),
        ("We decided to deploy on Tuesdays. The gate code is 4711#", None, None),
    ];
    let [through_library, through_commands, through_http, in_steps] = std::array::from_fn(|_| Home::new());
    {
        let workspace = library(&through_library);
        let conversation = workspace.conversation(Session::parse("telegram:1").expect("a session"));
        for (text, reply, tool) in &turns {
            let inbound = Inbound { user: Some("7".into()), ..Inbound::new(text) };
            let tools = tool.iter().map(|(name, arguments, result)| ToolUse {
                name: (*name).into(),
                arguments: arguments.clone(),
                result: Some((*result).into()),
            });
            let reply = Reply { text: reply.map(str::to_owned), tools: tools.collect(), ..Reply::default() };
            conversation.turn(&inbound, |_| Ok(reply)).expect("a turn");
        }
    }
    for (text, reply, tool) in &turns {
        let mut command = through_commands.command(&format!("turn {WHO}")).arg("-m").arg(text);
        if let Some(reply) = reply {
            command = command.arg("--reply").arg(reply);
        }
        if let Some((name, arguments, result)) = tool {
            command =
                command.arg("--tool").arg(format!("{name}={arguments}")).arg("--tool-result").arg(result);
        }
        assert_eq!(command.run().code, 0);
    }
    let body = |text: &str, reply: &Option<&str>, tool: &Option<(&str, Value, &str)>| {
        let mut body = json!({"text": text, "reply": reply});
        if let Some((name, arguments, result)) = tool {
            body["tools"] = json!([{"name": name, "arguments": arguments, "result": result}]);
        }
        body
    };
    for (home, is_whole) in [(&through_http, true), (&in_steps, false)] {
        let token = added(home, &format!("-C . token add a {WHO}"));
        let server = Server::start(home, "-C .");
        for (text, reply, tool) in &turns {
            let mut body = body(text, reply, tool);
            if is_whole {
                assert_eq!(server.with(&token, &[], "POST", "/v1/turn", &body).status, 200);
                continue;
            }
            let begun = server.with(&token, &[], "POST", "/v1/turn/begin", &json!({"text": text})).json();
            let fields = body.as_object_mut().expect("an object");
            fields.remove("text");
            fields.insert("turn".into(), begun["turn"].clone());
            assert_eq!(server.with(&token, &[], "POST", "/v1/turn/end", &body).status, 200);
        }
    }
    let expected = shape(&through_library);
    for (face, home) in
        [("commands", &through_commands), ("HTTP", &through_http), ("HTTP in steps", &in_steps)]
    {
        pretty(face, &expected, &shape(home));
    }
}
