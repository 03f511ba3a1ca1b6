//! The tool for skills: loads one that a prompt lists.

use memtape_core::prompt::quoted;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Example, Parameter, REPLY_CHARS_MAX, Tool, Toolset, arguments, part};
use crate::error::{Error, Result};
use crate::skills::Found;

/// The part of a reply that is reserved for the note on how to read the rest, in characters.
const NOTE_CHARS: usize = 400;

/// The tool `memory_skill`.
pub(super) const SKILL: Tool = Tool {
    name: "memory_skill",
    description: "Load a skill by name, as the prompt lists it. Without a name, list the skills and the \
                  skipped files. Read a long skill in parts, by offset.",
    toolset: Toolset::Blocks,
    read_only: true,
    destructive: false,
    is_verbatim: true,
    examples: &[Example { after: &[], arguments: "{}", reply: "(there are no skills)" }],
    parameters: &[
        Parameter::text("name", "The name of the skill."),
        Parameter::count("offset", "The offset to read from, in characters."),
    ],
    run: skill,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: Option<String>,
    #[serde(default)]
    offset: usize,
}

fn skill(call: &Call<'_>, value: Value) -> Result<String> {
    let Arguments { name, offset } = arguments(value)?;
    let skills = call.workspace.skills();
    let Some(name) = name else {
        let Found { skills, odd } = skills.find();
        let lines = skills.values().map(|(skill, _)| format!("- {}: {}\n", skill.name, skill.description));
        let text: String = lines.collect();
        let text = if text.is_empty() { "(there are no skills)".into() } else { text };
        let odd = odd.iter().map(|why| format!("\n(skipped: {})", quoted(why)));
        let text = odd.fold(text.trim_end().to_owned(), |text, line| text + &line);
        return part(SKILL.name, json!({}), &text, offset);
    };
    let text = skills.load(&name)?;
    let count = text.chars().count();
    if offset > count {
        return Err(Error::Invalid(format!(
            "{name} has {count} characters: offset {offset} is past its end"
        )));
    }
    if count - offset <= REPLY_CHARS_MAX {
        return Ok(text.chars().skip(offset).collect());
    }
    // The note on how to read on repeats the name.
    let most = REPLY_CHARS_MAX.saturating_sub(NOTE_CHARS + name.chars().count() * 6);
    let next = offset + most;
    let part: String = text.chars().skip(offset).take(most).collect();
    let on = json!({"name": name, "offset": next});
    Ok(format!("{part}\n… {} more characters: memory_skill {on}", count - next))
}
