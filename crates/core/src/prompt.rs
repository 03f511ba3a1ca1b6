//! The prompt: sections assembled within a budget of tokens.
//!
//! The order is that of [`Section`], stable parts before those that change every turn, so that a provider can
//! cache the beginning of a prompt. The system part is one text; the messages follow.
//!
//! **Invariants.** A memory is data: it is enclosed in delimiters that it cannot contain, and nothing in it
//! speaks in another role. Only the owner's trigger and the owner's blocks stand without delimiters, as they are. No prompt exceeds its budget, counted
//! over the rendered whole. Omissions are reported. The same material yields the same bytes.
//!
//! Reading order: this file, [`section`], [`material`], `assemble`, `budget`, `part`, `conversation`,
//! [`contract`], [`trigger`], `data`, [`mod@recalled`], [`tokens`].

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
pub use self::material::{Block, Material, Rendered, ShownMessage, Skill, ToolLine};
pub use self::recalled::{MEMORY_CHARS, OPEN, Recalled, quoted, recalled};
pub use self::section::Section;
pub use self::tokens::{Estimate, MESSAGE_TOKENS, Tokens};
pub use self::trigger::Trigger;
use crate::memory::MemoryId;

/// The role of a prompt's message. Memories never speak as the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person whom the model answers.
    User,
    /// The model.
    Assistant,
}

/// A message of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptMessage {
    /// The speaker.
    pub role: Role,
    /// The text.
    pub content: String,
}

/// The size of one section of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The section.
    pub name: &'static str,
    /// Number of tokens of the section alone.
    pub tokens: usize,
    /// The number of characters.
    pub chars: usize,
    /// Its share of the budget, in percent.
    pub share: usize,
    /// The text that was cut; `None` if the section is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// Its text; of several messages, one after the other.
    #[serde(skip)]
    pub text: String,
}

/// An assembled prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The system part.
    pub system: String,
    /// The messages, in order; the last one is the trigger.
    pub messages: Vec<PromptMessage>,
    /// The size of each section, in order.
    pub sections: Vec<Report>,
    /// The number of tokens, counted over the rendered whole.
    pub tokens: usize,
    /// The maximum number of tokens.
    pub budget: usize,
    /// The part that shows recalled memories; empty if there are none.
    pub memory: String,
    /// The number of recalled memories that it shows.
    pub recalled: usize,
    /// The messages of the conversation that it shows.
    pub shown: BTreeSet<MemoryId>,
}

impl Prompt {
    /// Returns the prompt as one readable text. No line of a message looks like the separator of messages.
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

/// The error that a budget is too small for the trigger and the minimum of every section.
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
            "a budget of {} tokens is too small for the trigger and the minimum of each section: at \
             least {} are needed",
            self.budget, self.least
        )
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}
