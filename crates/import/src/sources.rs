//! The registry of sources: one line each.

mod anthropic_chat;
mod basic_memory;
mod bub;
mod bud;
mod claude_code;
mod codex;
mod fields;
mod front_matter;
mod letta;
mod mcp_memory;
mod mem0;
mod names;
mod nanobot;
mod nanobot_ledger;
mod openai_chat;
mod openclaw;
mod pegasus;
mod sniff;
mod yeoman;

use crate::error::{Error, Result};
use crate::input::Input;
use crate::source::Source;

const ALL: [&dyn Source; 15] = [
    &anthropic_chat::AnthropicChat,
    &basic_memory::BasicMemory,
    &bub::Bub,
    &bud::Bud,
    &claude_code::ClaudeCode,
    &codex::Codex,
    &letta::Letta,
    &mcp_memory::McpMemory,
    &mem0::Mem0,
    &nanobot::Nanobot,
    &nanobot_ledger::NanobotLedger,
    &openai_chat::OpenAiChat,
    &openclaw::OpenClaw,
    &pegasus::Pegasus,
    &yeoman::Yeoman,
];

/// Returns all sources, by name.
pub fn all() -> impl Iterator<Item = &'static dyn Source> {
    ALL.into_iter()
}

/// Returns the source of a name.
///
/// # Errors
/// [`Error::NoSource`] if there is none.
pub fn find(name: &str) -> Result<&'static dyn Source> {
    let known = || all().map(Source::name).collect();
    all()
        .find(|source| source.name() == name)
        .ok_or_else(|| Error::NoSource { name: name.to_owned(), known: known() })
}

/// Returns the sources whose memory a path looks like, each with the files that it would read.
///
/// # Errors
/// [`Error::Unreadable`] or [`Error::Refused`] if the path cannot be listed, and nothing is found.
pub fn detect(input: &Input) -> Result<Vec<(&'static dyn Source, Vec<String>)>> {
    let (mut found, mut failed) = (Vec::new(), None);
    for source in all() {
        // A folder may have too many files for one source, and hold the memory of another.
        let files = source.detects(input).and_then(|is_there| match is_there {
            true => source.files(input).map(Some),
            false => Ok(None),
        });
        match files {
            Ok(Some(files)) => found.push((source, files)),
            Ok(None) => {}
            Err(e) => failed = failed.or(Some(e)),
        }
    }
    match failed {
        Some(e) if found.is_empty() => Err(e),
        _ => Ok(found),
    }
}
