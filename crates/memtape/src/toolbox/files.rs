//! The tools for files (document 3): long Markdown texts.

use serde::Deserialize;
use serde_json::{Value, json};

use super::memory_tool::paths::Item;
use super::{Call, Example, Parameter, Tool, Toolset, arguments, part};
use crate::error::{Error, Result};

/// The tool `memory_file_read`.
pub(super) const READ: Tool = Tool {
    name: "memory_file_read",
    description: "Read a file of long-term memory: insights/DAY.md, research/PROJECT/NAME.md, or \
                  any other path, such as drafts/NAME.md. Read a long file in parts, by offset.",
    toolset: Toolset::Blocks,
    read_only: true,
    destructive: false,
    is_verbatim: true,
    examples: &[Example {
        after: &[(
            "memory_file_write",
            "{\"path\":\"insights/2025-12-31.md\",\"content\":\"# Check-ins\\n\\nThe owner prefers mornings.\\n\"}",
        )],
        arguments: "{\"path\":\"insights/2025-12-31.md\"}",
        reply: "# Check-ins\n\nThe owner prefers mornings.\n",
    }],
    parameters: &[
        Parameter::text("path", "The path, such as \"insights/2025-12-31.md\".").required(),
        Parameter::count("offset", "The offset to read from, in characters."),
    ],
    run: read,
};

/// The tool `memory_file_write`.
pub(super) const WRITE: Tool = Tool {
    name: "memory_file_write",
    description: "Write or overwrite a file of long-term memory: learnings as insights/DAY.md, research \
                  as research/PROJECT/NAME.md, anything else under any other path, such as drafts/NAME.md. \
                  Every version is kept.",
    toolset: Toolset::Blocks,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: "{\"path\":\"insights/2025-12-31.md\",\"content\":\"# Check-ins\\n\\nThe owner prefers mornings.\\n\"}",
            reply: "{\"success\":true,\"ref\":\"files:insights/2025-12-31.md\",\"size\":41}",
        },
        Example {
            after: &[],
            arguments: "{\"path\":\"research/vacation-planning/hotels.md\",\"content\":\"- Casa do Mar\\n\"}",
            reply: "{\"success\":true,\"ref\":\"files:research/vacation-planning/hotels.md\",\"size\":14}",
        },
    ],
    parameters: &[
        Parameter::text("path", "The path, such as \"insights/2025-12-31.md\".").required(),
        Parameter::text("content", "The content, as Markdown.").required(),
    ],
    run: write,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    #[serde(default)]
    offset: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Write {
    path: String,
    content: String,
}

fn read(call: &Call<'_>, value: Value) -> Result<String> {
    let Read { path, offset } = arguments(value)?;
    let files = call.files();
    let text = files.read(&files.path(&path)?, call.at)?.text();
    part(READ.name, json!({"path": path}), &text, offset)
}

fn write(call: &Call<'_>, value: Value) -> Result<String> {
    let Write { path, content } = arguments(value)?;
    if let Item::Note(path) = Item::parse(&path, &call.workspace.config.notes.folders)? {
        return Err(Error::Invalid(format!("{path} is the path of a note, not of a file")));
    }
    let files = call.files();
    let path = files.path(&path)?;
    files.write(&path, &content)?;
    // Redaction may have shortened the text, so its size is read back.
    let file = files.read(&path, call.at)?;
    Ok(json!({"success": true, "ref": file.reference().to_string(), "size": file.bytes.len()}).to_string())
}
