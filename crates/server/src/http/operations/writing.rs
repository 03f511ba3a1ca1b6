//! Operations that call tools.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::super::answer::Failure;
use super::{Answer, Input, Method, Operation};

/// The operations.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        method: Method::Post,
        path: "/v1/tools/{name}",
        summary: "Call a tool with its arguments",
        query: &[],
        body: Some(|| json!({"type": "object", "description": "The arguments, by the tool's schema."})),
        // A tool that only reads can be called with a token that may only read; the toolbox refuses the others.
        writes: false,
        is_refused: false,
        run: tool,
    },
    Operation {
        method: Method::Post,
        path: "/v1/memory-tool",
        summary: "Run a command of Anthropic's memory tool (memory_20250818)",
        query: &[],
        body: Some(|| {
            json!({
                "type": "object",
                "properties": {
                    "command": {
                        "type": "string",
                        "enum": ["view", "create", "str_replace", "insert", "delete", "rename"],
                    },
                    "path": {"type": "string"},
                },
                "required": ["command"],
            })
        }),
        writes: false,
        is_refused: false,
        run: memory_tool,
    },
];

fn arguments(input: &Input<'_>) -> Result<Value, Failure> {
    input.body::<Value>()
}

fn tool(input: &Input<'_>) -> Answer {
    let tools = input.caller.tools(input.workspace)?;
    Ok(json!({"reply": tools.call(input.path("name"), arguments(input)?)?}))
}

/// Answers with the text that the model reads, as a result or as an error of the tool.
fn memory_tool(input: &Input<'_>) -> Answer {
    let tools = input.caller.tools(input.workspace)?;
    let (content, is_error) = match tools.memory_tool(arguments(input)?) {
        Ok(content) => (content, false),
        Err(e) => match Failure::from(e) {
            failure
                if failure.status() == StatusCode::SERVICE_UNAVAILABLE
                    || failure.status().is_server_error() =>
            {
                return Err(failure);
            }
            failure => (failure.message().to_owned(), true),
        },
    };
    Ok(json!({"content": content, "is_error": is_error}))
}
