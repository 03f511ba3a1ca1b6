//! What a model is shown: the whole prompt, assembled of sections within a budget of tokens.
//!
//! The order is that of [`Section`], what seldom changes before what changes with every turn: a provider that keeps the
//! beginning of a prompt need not read it again. The system part is one text; then come the messages.
//!
//! **Invariants.** A memory is data: it stands between delimiters that it cannot contain, and nothing in it speaks in
//! another role; only what the owner wrote stands as it is. No prompt has more tokens than its budget, counted over the
//! rendered whole. What is left out is named. The same material gives the same bytes.
//!
//! In reading order: this file, [`section`], [`material`], `assemble`, `budget`, `part`, `conversation`, [`contract`],
//! [`trigger`], `data`, [`mod@recalled`], [`tokens`].

mod assemble;
mod budget;
pub mod contract;
mod conversation;
mod data;
pub mod material;
mod part;
pub mod recalled;
pub mod section;
pub mod tokens;
pub mod trigger;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;

pub use self::assemble::{Volatile, assemble};
pub use self::contract::Contract;
pub use self::data::label;
pub use self::material::{Block, Material, Rendered, Said, Skill, ToolLine};
pub use self::recalled::{MEMORY_CHARS, OPEN, Recalled, quoted, recalled};
pub use self::section::Section;
pub use self::tokens::{Estimate, MESSAGE_TOKENS, Tokens};
pub use self::trigger::Trigger;
use crate::memory::MemoryId;

/// Who speaks in a message of a prompt. Nothing that is remembered speaks as the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Whoever the model answers.
    User,
    /// The model.
    Assistant,
}

/// A message of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// What a section of a prompt came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The section.
    pub name: &'static str,
    /// How many tokens it takes, counted by itself.
    pub tokens: usize,
    /// How many characters.
    pub chars: usize,
    /// Its share of the budget, in percent.
    pub share: usize,
    /// What was left out of it; nothing where it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
}

/// A prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The system part.
    pub system: String,
    /// The messages, in order; the last one is the trigger.
    pub messages: Vec<PromptMessage>,
    /// What each section came to, in order.
    pub sections: Vec<Report>,
    /// How many tokens it has, counted over what is rendered.
    pub tokens: usize,
    /// How many it may have.
    pub budget: usize,
    /// The part that shows what was recalled; empty where nothing is.
    pub memory: String,
    /// How many of the recalled memories it shows.
    pub recalled: usize,
    /// The messages of the conversation that it shows.
    pub shown: BTreeSet<MemoryId>,
}

impl Prompt {
    /// The prompt as one text, to read. No line of a message looks like what stands between messages.
    #[must_use]
    pub fn text(&self) -> String {
        let plain = |text: &str| format!("\n{text}").replace("\n----- ", "\n ----- ")[1..].to_owned();
        let message = |message: &PromptMessage| {
            let role = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            let end = if message.content.ends_with('\n') { "" } else { "\n" };
            format!("\n----- {role} -----\n{}{end}", plain(&message.content))
        };
        format!(
            "----- system -----\n{}\n{}",
            plain(self.system.trim_end()),
            self.messages.iter().map(message).collect::<String>()
        )
    }
}

/// That a budget is too small for the trigger and what every section needs at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSmall {
    /// The budget, in tokens.
    pub budget: usize,
    /// The smallest one that works.
    pub least: usize,
}

impl std::fmt::Display for TooSmall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a prompt of {} tokens is too small for the trigger and what each section needs at least: the smallest that \
             works is {}",
            self.budget, self.least
        )
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}
