//! The inputs of a prompt, as plain values.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::contract::Contract;
use super::trigger::Trigger;
use crate::forms::messages::entry::MessageData;
use crate::forms::zone::view::Context;
use crate::memory::{Memory, MemoryId};

/// Renders a part of a prompt within a number of characters; the same number yields the same bytes.
pub type Scaled<'a> = &'a dyn Fn(usize) -> Rendered;

/// A part of a prompt as its form renders it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The memories that it shows.
    pub shows: Vec<MemoryId>,
}

/// The inputs of a prompt that do not depend on which messages it shows.
pub struct Material<'a> {
    /// The contract: audience and day.
    pub contract: Contract,
    /// The blocks, in their order within each layer.
    pub blocks: Vec<Block>,
    /// The available tools.
    pub tools: Vec<ToolLine>,
    /// The available skills.
    pub skills: Vec<Skill>,
    /// The zone.
    pub memory: Option<Context>,
    /// The facts of the branch's persona.
    pub ledger: Option<Scaled<'a>>,
    /// The index of notes.
    pub notes: Option<Scaled<'a>>,
    /// The messages since the last anchor, oldest first.
    pub conversation: Vec<ShownMessage>,
    /// The number of messages between the anchor and those.
    pub before: usize,
    /// The trigger that the model answers.
    pub trigger: Trigger,
    /// The time zone of days and hours.
    pub time_zone: TimeZone,
}

/// A block as a prompt shows it.
#[derive(Clone, Debug)]
pub struct Block {
    /// The memory; `None` if the block is computed.
    pub id: Option<MemoryId>,
    /// Its name.
    pub name: String,
    /// Its layer: 2 identity, 3 semantic, 4 working.
    pub layer: u8,
    /// The text of the block.
    pub text: String,
    /// Whether the owner wrote it at the terminal or in an editor; it is then shown verbatim.
    pub is_the_owners: bool,
    /// Whether a prompt shows it unasked: not if it came from a tool or is quarantined.
    pub is_for_prompts: bool,
}

/// A tool in the list of tools.
#[derive(Clone, Debug)]
pub struct ToolLine {
    /// Its name.
    pub name: String,
    /// Its description; the first sentence is shown.
    pub description: String,
}

/// A skill in the list of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
}

/// A message of the conversation.
#[derive(Clone, Debug)]
pub struct ShownMessage {
    /// The message.
    pub id: MemoryId,
    /// The message's data, which include the speaker.
    pub data: MessageData,
    /// When it was said.
    pub at: Timestamp,
    /// The text.
    pub text: String,
    /// Whether it is quarantined, so that the prompt shows only that it exists.
    pub quarantined: bool,
}

impl ShownMessage {
    /// Creates a message from its memory.
    #[must_use]
    pub fn of(memory: Memory) -> Self {
        let crate::forms::messages::StoredMessage { data, memory } =
            crate::forms::messages::StoredMessage::read(memory);
        let text = match &data.image {
            Some(image) => format!("{}\n(a picture: {image})", memory.text).trim_start().to_owned(),
            None => memory.text,
        };
        Self {
            id: memory.id,
            data,
            at: memory.said_at.unwrap_or(memory.created_at),
            text,
            quarantined: memory.quarantined.is_some(),
        }
    }
}
