//! Operations of turns.

use axum::http::StatusCode;
use memtape::{Inbound, Reply, ToolUse, Turn, calendar, json};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::Failure;
use super::reading::prompt_json;
use super::{Answer, Input, Method, Operation};

/// The operations.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        method: Method::Post,
        path: "/v1/turn",
        summary: "Record a message and the reply to it, and capture what is worth keeping",
        query: &[],
        body: Some(|| schema(&[message_fields(), reply_fields()], &["text"])),
        writes: true,
        is_refused: false,
        run: turn,
    },
    Operation {
        method: Method::Post,
        path: "/v1/turn/begin",
        summary: "Record a message and return the prompt for the model",
        query: &[],
        body: Some(|| schema(&[message_fields()], &["text"])),
        writes: true,
        is_refused: false,
        run: begin,
    },
    Operation {
        method: Method::Post,
        path: "/v1/turn/end",
        summary: "Record the model's reply to a turn that has begun, and capture",
        query: &[],
        body: Some(|| schema(&[json!({"turn": {"type": "string"}}), reply_fields()], &["turn"])),
        writes: true,
        is_refused: false,
        run: end,
    },
];

fn schema(fields: &[Value], required: &[&str]) -> Value {
    let properties: serde_json::Map<_, _> = fields
        .iter()
        .filter_map(Value::as_object)
        .flatten()
        .map(|(name, field)| (name.clone(), field.clone()))
        .collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn message_fields() -> Value {
    json!({
        "text": {"type": "string"},
        "name": {"type": "string", "description": "The name of the sender, as the channel sends it."},
        "reply_to": {"type": "string", "description": "The text of the message that it replies to."},
        "said_at": {
            "type": "string",
            "description": "When it was said: a date, a time, or an age such as \"2 days ago\"; now if absent.",
        },
    })
}

fn reply_fields() -> Value {
    json!({
        "reply": {"type": "string", "description": "What the model replied."},
        "tools": {
            "type": "array",
            "description": "The tools that the model called.",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "arguments": {"type": "object"},
                    "result": {"type": "string"},
                },
                "required": ["name"],
                "additionalProperties": false,
            },
        },
        "pending_actions": {"type": "array", "items": {"type": "string"}},
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    text: String,
    name: Option<String>,
    reply_to: Option<String>,
    said_at: Option<String>,
}

impl Message {
    fn inbound(self, input: &Input<'_>) -> Result<Inbound, Failure> {
        Ok(Inbound {
            user: input.caller.user.clone(),
            name: self.name,
            reply_to: self.reply_to,
            is_owner: Some(input.caller.is_owner),
            offset: self.said_at.as_deref().and_then(calendar::own_offset),
            said_at: self.said_at.map(|date| input.workspace.instant(&date)).transpose()?,
            ..Inbound::new(&self.text)
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Called {
    name: String,
    #[serde(default)]
    arguments: serde_json::Map<String, Value>,
    result: Option<String>,
}

fn reply(text: Option<String>, tools: Vec<Called>, pending_actions: Vec<String>) -> Reply {
    let tool =
        |Called { name, arguments, result }| ToolUse { name, arguments: Value::Object(arguments), result };
    Reply { text, tools: tools.into_iter().map(tool).collect(), pending_actions }
}

fn turn(input: &Input<'_>) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Whole {
        text: String,
        name: Option<String>,
        reply_to: Option<String>,
        said_at: Option<String>,
        reply: Option<String>,
        #[serde(default)]
        tools: Vec<Called>,
        #[serde(default)]
        pending_actions: Vec<String>,
    }
    let Whole { text, name, reply_to, said_at, reply: said, tools, pending_actions } = input.body()?;
    let inbound = Message { text, name, reply_to, said_at }.inbound(input)?;
    let reply = reply(said, tools, pending_actions);
    let conversation = input.workspace.conversation(input.caller.session.clone());
    conversation.check_reply(&reply)?;
    Ok(json::turn(&conversation.turn(&inbound, |_| Ok(reply))?))
}

fn begin(input: &Input<'_>) -> Answer {
    let inbound = input.body::<Message>()?.inbound(input)?;
    let conversation = input.workspace.conversation(input.caller.session.clone());
    let turn = conversation.begin_with(&inbound, &input.caller.prompting(None))?;
    let mut value = begun(&turn);
    value["turn"] = json!(input.server.turns.keep((&workspace(input), input.token), input.caller, turn));
    Ok(value)
}

/// Returns the data that the client passes to the model.
fn begun(turn: &Turn) -> Value {
    let briefing = turn.briefing();
    json!({
        "remembered": turn.message().is_some(),
        "message": turn.message().map(ToString::to_string),
        "prompt": briefing.prompt.map(prompt_json),
        "too_small": briefing.too_small.map(json::too_small),
        "memory": briefing.memory,
        "recalled": briefing.recalled.iter().map(json::hit).collect::<Vec<_>>(),
        "unfinished": json::unfinished(turn.unfinished()),
    })
}

fn end(input: &Input<'_>) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Ended {
        turn: String,
        reply: Option<String>,
        #[serde(default)]
        tools: Vec<Called>,
        #[serde(default)]
        pending_actions: Vec<String>,
    }
    let Ended { turn, reply: said, tools, pending_actions } = input.body()?;
    let conversation = input.workspace.conversation(input.caller.session.clone());
    let reply = reply(said, tools, pending_actions);
    let ended =
        input.server.turns.end(&workspace(input), input.caller, &turn, |turn| conversation.end(turn, &reply));
    match ended {
        Some(finished) => Ok(json::turn(&finished?)),
        None => Err(Failure::new(StatusCode::NOT_FOUND, "not_found", "there is no such open turn")),
    }
}

/// Returns the server's name of the workspace.
fn workspace(input: &Input<'_>) -> String {
    input.workspace.dir().to_string_lossy().into_owned()
}
