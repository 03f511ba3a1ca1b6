//! What a prompt is made of: plain values, whoever read them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::contract::Contract;
use super::trigger::Trigger;
use crate::forms::messages::entry::MessageData;
use crate::forms::zone::view::Context;
use crate::memory::{Memory, MemoryId};

/// A part of a prompt that its form fits into so many characters, the same bytes for the same number.
pub type Scaled<'a> = &'a dyn Fn(usize) -> Rendered;

/// A part of a prompt as its form renders it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The memories that it shows.
    pub shows: Vec<MemoryId>,
}

/// What a prompt is made of, but for what depends on which messages it shows.
pub struct Material<'a> {
    /// Whom the memory is for, and the day.
    pub contract: Contract,
    /// The blocks, in the order in which they are shown within their layers.
    pub blocks: Vec<Block>,
    /// The tools that can be called.
    pub tools: Vec<ToolLine>,
    /// The skills there are.
    pub skills: Vec<Skill>,
    /// The zone.
    pub memory: Option<Context>,
    /// What the persona of the branch knows.
    pub ledger: Option<Scaled<'a>>,
    /// Which notes there are.
    pub notes: Option<Scaled<'a>>,
    /// What was said since the last anchor, oldest first.
    pub conversation: Vec<Said>,
    /// How many messages were said since the anchor before those.
    pub before: usize,
    /// What the model is to answer.
    pub trigger: Trigger,
    /// The zone of days and hours.
    pub time_zone: TimeZone,
}

/// A block as a prompt shows it.
#[derive(Clone, Debug)]
pub struct Block {
    /// The memory; none where it is computed.
    pub id: Option<MemoryId>,
    /// Its name.
    pub name: String,
    /// Its layer: 2 identity, 3 semantic, 4 working.
    pub layer: u8,
    /// What stands in it.
    pub text: String,
    /// Whether the owner wrote it, at the terminal or in an editor: then it stands as it is.
    pub is_the_owners: bool,
    /// Whether a prompt shows it by itself: not what a tool gave, nor what is quarantined.
    pub is_for_prompts: bool,
}

/// A tool, as it is listed.
#[derive(Clone, Debug)]
pub struct ToolLine {
    /// What it is called by.
    pub name: String,
    /// What it does; its first sentence is shown.
    pub description: String,
}

/// A skill, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// What it is loaded by.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// Something said.
#[derive(Clone, Debug)]
pub struct Said {
    /// The message.
    pub id: MemoryId,
    /// What the form keeps of it: who speaks.
    pub data: MessageData,
    /// When it was said.
    pub at: Timestamp,
    /// What was said.
    pub text: String,
    /// Whether it is never put into a prompt by itself.
    pub quarantined: bool,
}

impl Said {
    /// A message by the memory it is.
    #[must_use]
    pub fn of(memory: Memory) -> Self {
        let crate::forms::messages::Said { data, memory } = crate::forms::messages::Said::read(memory);
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
