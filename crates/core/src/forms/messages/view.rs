//! Views of messages.

use super::entry::{Message, MessageData};
use crate::memory::Memory;

/// A message with its data and its memory.
#[derive(Clone, Debug)]
pub struct StoredMessage {
    /// The parsed data of the memory.
    pub data: MessageData,
    /// The memory.
    pub memory: Memory,
}

impl StoredMessage {
    /// Converts a memory of the form. Data that cannot be read counts as empty.
    #[must_use]
    pub fn read(memory: Memory) -> Self {
        Self { data: Self::data(&memory), memory }
    }

    /// Returns the data of a memory of the form; empty if it cannot be read.
    #[must_use]
    pub fn data(memory: &Memory) -> MessageData {
        memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default()
    }

    /// Returns the message as it was recorded.
    #[must_use]
    pub fn message(&self) -> Message {
        Message {
            role: self.data.role.clone(),
            content: self.memory.text.clone(),
            name: self.data.name.clone(),
            image: self.data.image.clone(),
            said_at: self.memory.said_at,
        }
    }
}

/// Returns the text that is embedded for a message: its text and the description of an attached picture.
#[must_use]
pub fn meaning(memory: &Memory) -> String {
    match StoredMessage::data(memory).image {
        Some(image) => format!("{} {image}", memory.text).trim_start().to_owned(),
        None => memory.text.clone(),
    }
}
