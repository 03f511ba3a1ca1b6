//! The tools for notes (document 2): facts and episodes as Markdown files.

use memtape_core::forms::notes::Patch;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Example, NOTE_CHARS, Parameter, REPLY_CHARS_MAX, Tool, Toolset, arguments, part};
use crate::error::{Error, Result};

/// Maximum length of a summary in a listing, in characters.
const SUMMARY_CHARS_MAX: usize = 400;

/// The tool `memory_list`.
pub(super) const LIST: Tool = Tool {
    name: "memory_list",
    description: "List the memory files, each with its summary and its size in bytes: lasting facts, \
                  and episodes of past work. Read the files that are relevant to the task with \
                  memory_read.",
    toolset: Toolset::Notes,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example { after: &[], arguments: "{}", reply: "[]" },
        Example {
            after: &[(
                "memory_write",
                "{\"path\":\"facts/user.md\",\"content\":\"# User Facts\\n\\n- Name: Zhang San\\n\"}",
            )],
            arguments: "{}",
            reply: "[{\"path\":\"facts/user.md\",\"summary\":\"Name\",\"size\":49}]",
        },
    ],
    parameters: &[Parameter::text(
        "after",
        "Only files after this one, to continue a list that was too long.",
    )],
    run: list,
};

/// The tool `memory_read`.
pub(super) const READ: Tool = Tool {
    name: "memory_read",
    description: "Read a memory file, FOLDER/NAME.md. Read a long file in parts, by offset.",
    toolset: Toolset::Notes,
    read_only: true,
    destructive: false,
    is_verbatim: true,
    examples: &[Example {
        after: &[(
            "memory_write",
            "{\"path\":\"facts/user.md\",\"content\":\"# User Facts\\n\\n- Name: Zhang San\\n\"}",
        )],
        arguments: "{\"path\":\"facts/user.md\"}",
        reply: "# User Facts\n\n> Summary: Name\n\n- Name: Zhang San\n",
    }],
    parameters: &[
        Parameter::text("path", "The path, such as \"facts/user.md\".").required(),
        Parameter::count("offset", "The offset to read from, in characters."),
    ],
    run: read,
};

/// The tool `memory_write`.
pub(super) const WRITE: Tool = Tool {
    name: "memory_write",
    description: "Write or overwrite a memory file: lasting facts as `- Key: value` lines. The line `> \
                  Summary:` is updated automatically. To change a part, use memory_patch.",
    toolset: Toolset::Notes,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[Example {
        after: &[],
        arguments: "{\"path\":\"facts/user.md\",\"content\":\"# User Facts\\n\\n- Name: Zhang San\\n- Role: Developer\\n\"}",
        reply: "{\"success\":true}",
    }],
    parameters: &[
        Parameter::text("path", "The path, such as \"facts/user.md\".").required(),
        Parameter::text("content", "The content, as Markdown.").required(),
    ],
    run: write,
};

/// The tool `memory_patch`.
pub(super) const PATCH: Tool = Tool {
    name: "memory_patch",
    description: "Replace text in a memory file: each old text must occur in it exactly once. Either \
                  all patches are applied or none. Pass `patches`, or one patch as `old_str` and \
                  `new_str`.",
    toolset: Toolset::Notes,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[(
                "memory_write",
                "{\"path\":\"facts/user.md\",\"content\":\"- Name: Zhang San\\n- Role: Developer\\n\"}",
            )],
            arguments: "{\"path\":\"facts/user.md\",\"patches\":[{\"oldText\":\"Developer\",\"newText\":\"Architect\"}]}",
            reply: "{\"success\":true,\"appliedCount\":1}",
        },
        Example {
            after: &[],
            arguments: "{\"path\":\"facts/user.md\",\"old_str\":\"Zhang San\",\"new_str\":\"Zhang San ($&)\"}",
            reply: "{\"success\":true,\"appliedCount\":1}",
        },
    ],
    parameters: &[
        Parameter::text("path", "The path, such as \"facts/user.md\".").required(),
        Parameter::objects(
            "patches",
            "The replacements, in order.",
            &[
                Parameter::text("oldText", "The text to replace.").required(),
                Parameter::text("newText", "The replacement.").required(),
            ],
        ),
        Parameter::text("old_str", "The text to replace; with `new_str`, instead of `patches`."),
        Parameter::text("new_str", "The replacement."),
    ],
    run: patch,
};

/// The tool `memory_append`.
pub(super) const APPEND: Tool = Tool {
    name: "memory_append",
    description: "Add an entry to a memory file, such as an episode to the month's, `episodes/2026-02.md`: `## Title`, then \
                  `- Summary:` in under ten words, `- Date:`, what was done, what was learnt. With `summary`, that is the \
                  file's summary.",
    toolset: Toolset::Notes,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[Example {
        after: &[],
        arguments: "{\"path\":\"episodes/2026-02.md\",\"entry\":\"## Logger fix\\n- Summary: logger fix\\n- Date: 2026-02-10\"}",
        reply: "{\"success\":true}",
    }],
    parameters: &[
        Parameter::text("path", "The path, such as \"episodes/2026-02.md\".").required(),
        Parameter::text("entry", "The entry, as Markdown.").required(),
        Parameter::text("summary", "The summary of the file, if the entries' own summaries do not cover it."),
    ],
    run: append,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    after: Option<String>,
}

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatchArguments {
    path: String,
    patches: Option<Vec<OnePatch>>,
    old_str: Option<String>,
    new_str: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct OnePatch {
    old_text: String,
    new_text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Append {
    path: String,
    entry: String,
    summary: Option<String>,
}

fn list(call: &Call<'_>, value: Value) -> Result<String> {
    let List { after } = arguments(value)?;
    let files = call.notes().list(call.at)?;
    let from = match &after {
        None => 0,
        Some(path) => {
            1 + files.iter().position(|file| file.path == *path).ok_or_else(|| {
                Error::NotFound(format!("there is no note {path}: call memory_list without `after`"))
            })?
        }
    };
    let mut items: Vec<String> = Vec::new();
    let mut chars = 0;
    for file in &files[from..] {
        let mut file = file.clone();
        if let Some((end, _)) = file.summary.char_indices().nth(SUMMARY_CHARS_MAX) {
            file.summary.replace_range(end.., "…");
        }
        let item = serde_json::to_string(&file).map_err(|e| Error::Invalid(e.to_string()))?;
        chars += item.chars().count() + 1;
        if chars > REPLY_CHARS_MAX - NOTE_CHARS && !items.is_empty() {
            break;
        }
        items.push(item);
    }
    let left = files.len() - from - items.len();
    let list = format!("[{}]", items.join(","));
    Ok(match files.get((from + items.len()).wrapping_sub(1)).filter(|_| left > 0) {
        Some(last) => {
            format!("{list}\n… {left} more files: memory_list {}", json!({"after": last.path}))
        }
        None => list,
    })
}

fn read(call: &Call<'_>, value: Value) -> Result<String> {
    let Read { path, offset } = arguments(value)?;
    let notes = call.notes();
    let text = notes.read(&notes.path(&path)?, call.at)?.text();
    part(READ.name, json!({"path": path}), &text, offset)
}

fn write(call: &Call<'_>, value: Value) -> Result<String> {
    let Write { path, content } = arguments(value)?;
    let notes = call.notes();
    notes.write(&notes.path(&path)?, &content)?;
    Ok(json!({"success": true}).to_string())
}

fn patch(call: &Call<'_>, value: Value) -> Result<String> {
    let PatchArguments { path, patches, old_str, new_str } = arguments(value)?;
    let patches: Vec<Patch> = match (patches, old_str, new_str) {
        (Some(patches), None, None) => {
            patches.into_iter().map(|patch| Patch { old: patch.old_text, new: patch.new_text }).collect()
        }
        (None, Some(old), Some(new)) => vec![Patch { old, new }],
        _ => {
            return Err(Error::Invalid(
                "pass `patches`, each with oldText and newText, or old_str and new_str".into(),
            ));
        }
    };
    let notes = call.notes();
    notes.patch(&notes.path(&path)?, &patches)?;
    // The fields are in the order in which the document prints them.
    Ok(format!("{{\"success\":true,\"appliedCount\":{}}}", patches.len()))
}

fn append(call: &Call<'_>, value: Value) -> Result<String> {
    let Append { path, entry, summary } = arguments(value)?;
    let notes = call.notes();
    notes.append(&notes.path(&path)?, &entry, summary.as_deref())?;
    Ok(json!({"success": true}).to_string())
}
