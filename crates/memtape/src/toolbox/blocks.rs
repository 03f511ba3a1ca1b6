//! The tools for blocks (document 3).

use memtape_core::forms::blocks::{BlockLayer, BlockName, Outcome};
use memtape_core::line::truncated;
use serde::Deserialize;
use serde_json::json;

use super::{Call, Example, Parameter, Tool, Toolset, arguments, part};
use crate::error::Result;

/// Maximum length of a value in a line of the list, in characters.
const LIST_CHARS: usize = 100;
/// Maximum length of a value in a line of the history, in characters.
const HISTORY_CHARS: usize = 80;
/// The default number of versions in a history.
const HISTORY_LIMIT: usize = 10;
/// Maximum number of versions in a history.
const HISTORY_MAX: usize = 50;

/// The tool `memory_get_block`.
pub(super) const GET: Tool = Tool {
    name: "memory_get_block",
    description: "Read a block in full, such as current_focus: the short texts that every prompt shows. \
                  Read a long block in parts, by offset.",
    toolset: Toolset::Blocks,
    read_only: true,
    destructive: false,
    is_verbatim: true,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"name":"current_focus"}"#,
            reply: "(block 'current_focus' is empty)",
        },
        Example {
            after: &[("memory_set_block", r#"{"name":"current_focus","value":"memory architecture"}"#)],
            arguments: r#"{"name":"current_focus"}"#,
            reply: "memory architecture",
        },
    ],
    parameters: &[
        Parameter::text("name", "The name of the block.").required(),
        Parameter::count("offset", "The offset to read from, in characters."),
    ],
    run: get,
};

/// The tool `memory_set_block`.
pub(super) const SET: Tool = Tool {
    name: "memory_set_block",
    description: "Set a block; older versions are kept. Layer 3 is for what you learnt (owner_context, \
                  patterns, limitations), layer 4 for current work (current_focus, goals, schedule, and \
                  new names). Layer 2 is identity (persona, values, communication_style): a change is \
                  pending until the owner approves it.",
    toolset: Toolset::Blocks,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"name":"current_focus","value":"memory architecture"}"#,
            reply: "Updated block 'current_focus'",
        },
        Example {
            after: &[],
            arguments: r#"{"name":"current_focus","value":"memory architecture"}"#,
            reply: "Block 'current_focus' is unchanged",
        },
        Example {
            after: &[],
            arguments: r#"{"name":"persona","value":"Calm and exact"}"#,
            reply: "Cannot modify identity blocks (layer 2). These require owner approval. The change \
                    of 'persona' is pending: `memtape block approve persona`",
        },
    ],
    parameters: &[
        Parameter::text("name", "The name of the block: lower-case letters, digits, `_`, `-`, `.`.")
            .required(),
        Parameter::text("value", "The new value.").required(),
        Parameter::range(
            "layer",
            "The layer of a new name, 3 or 4 (default 4). Existing names keep theirs.",
            2,
            4,
        ),
    ],
    run: set,
};

/// The tool `memory_list_blocks`.
pub(super) const LIST: Tool = Tool {
    name: "memory_list_blocks",
    description: "List the blocks by layer, each with the beginning of its text.",
    toolset: Toolset::Blocks,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[Example {
        after: &[("memory_set_block", r#"{"name":"goals","value":"Ship the parser"}"#)],
        arguments: "{}",
        reply: "goals: Ship the parser\nrecent_insights: []\nrecent_research: []\n(empty: communication_style, persona, values, \
                limitations, owner_context, patterns, current_focus, schedule)",
    }],
    parameters: &[],
    run: list,
};

/// The tool `memory_block_history`.
pub(super) const HISTORY: Tool = Tool {
    name: "memory_block_history",
    description: "List the last versions of a block, oldest first.",
    toolset: Toolset::Blocks,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[Example {
        after: &[
            ("memory_set_block", r#"{"name":"goals","value":"Write the parser"}"#),
            ("memory_set_block", r#"{"name":"goals","value":"Ship the parser"}"#),
        ],
        arguments: r#"{"name":"goals"}"#,
        reply: "[2026-02-10 10:00:00] Write the parser\n[2026-02-10 10:00:00] Ship the parser",
    }],
    parameters: &[
        Parameter::text("name", "The name of the block.").required(),
        Parameter::limit("limit", "Number of versions (default 10, at most 50)."),
    ],
    run: history,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Get {
    name: String,
    #[serde(default)]
    offset: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    name: String,
    value: String,
    layer: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct History {
    name: String,
    limit: Option<usize>,
}

fn get(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Get { name, offset } = arguments(value)?;
    let name = BlockName::new(&name)?;
    let block = call.blocks().get(&name, call.at)?;
    let text = block.value.filter(|value| !value.is_empty()).unwrap_or_else(|| empty(&name));
    part(GET.name, json!({"name": name.to_string()}), &text, offset)
}

fn empty(name: &BlockName) -> String {
    format!("(block '{name}' is empty)")
}

fn set(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Set { name, value, layer } = arguments(value)?;
    let name = BlockName::new(&name)?;
    let layer = layer.map(BlockLayer::new).transpose()?;
    Ok(match call.blocks().set(&name, &value, layer)? {
        Outcome::Set(_) => format!("Updated block '{name}'"),
        Outcome::Unchanged => format!("Block '{name}' is unchanged"),
        Outcome::Waits => format!(
            "Cannot modify identity blocks (layer 2). These require owner approval. The change of \
             '{name}' is pending: `memtape block approve {name}`"
        ),
    })
}

fn list(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let List {} = arguments(value)?;
    let (mut lines, mut empty) = (Vec::new(), Vec::new());
    for block in call.blocks().list(None, call.at)? {
        match block.value.filter(|value| !value.is_empty()) {
            Some(value) => lines.push(format!("{}: {}", block.name, beginning(&value, LIST_CHARS))),
            None => empty.push(block.name.to_string()),
        }
    }
    if !empty.is_empty() {
        lines.push(format!("(empty: {})", empty.join(", ")));
    }
    Ok(lines.join("\n"))
}

fn history(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let History { name, limit } = arguments(value)?;
    let name = BlockName::new(&name)?;
    let limit = limit.unwrap_or(HISTORY_LIMIT).min(HISTORY_MAX);
    let versions = call.blocks().history(&name, limit, call.at)?;
    let zone = call.workspace.time_zone();
    let line = |version: &crate::blocks::BlockVersion| {
        let date = zone.to_datetime(version.date).strftime("%Y-%m-%d %H:%M:%S");
        let value = version.value.as_deref();
        format!(
            "[{date}] {}",
            value.map_or_else(|| "(forgotten)".into(), |value| beginning(value, HISTORY_CHARS))
        )
    };
    match versions.is_empty() {
        true => Ok(empty(&name)),
        false => Ok(versions.iter().rev().map(line).collect::<Vec<_>>().join("\n")),
    }
}

/// Returns the beginning of a value on one line.
fn beginning(value: &str, most: usize) -> String {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    truncated(&line, most, "...").into_owned()
}
