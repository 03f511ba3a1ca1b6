//! The tool for the journal (document 3): events that are recorded nowhere else.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Call, Example, Parameter, Tool, Toolset, arguments};
use crate::error::Result;

/// The tool `memory_journal`.
pub(super) const JOURNAL: Tool = Tool {
    name: "memory_journal",
    description: "Add a line to the journal: a decision with its reason, an error with its recovery, \
                  what was read, what a call cost, or a type of your own. Messages, tool use, insights \
                  and changes of memory are recorded automatically.",
    toolset: Toolset::Blocks,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"type":"decision","data":{"action":"stay_silent","reason":"nothing urgent"}}"#,
            reply: "Noted in the journal as entry 4.",
        },
        Example {
            after: &[],
            arguments: r#"{"type":"error","data":{"tool":"github_prs","error":"rate limited","recovery":"retry in 60s"}}"#,
            reply: "Noted in the journal as entry 5.",
        },
    ],
    parameters: &[
        Parameter::text(
            "type",
            "The type of event, such as decision, error, read or cost: lower-case letters, digits and _.",
        )
        .required(),
        Parameter::object("data", "The details by name: {\"action\":\"…\",\"reason\":\"…\"}.").required(),
    ],
    run: note,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    #[serde(rename = "type")]
    kind: String,
    data: Map<String, Value>,
}

fn note(call: &Call<'_>, value: Value) -> Result<String> {
    let Note { kind, data } = arguments(value)?;
    let entry = call.journal().add(&kind, &Value::Object(data))?;
    Ok(format!("Noted in the journal as entry {entry}."))
}
