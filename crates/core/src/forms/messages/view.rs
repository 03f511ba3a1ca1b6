//! Messages as they are read.

use super::entry::{Message, MessageData};
use crate::memory::Memory;

/// A message and who said it.
#[derive(Clone, Debug)]
pub struct Said {
    /// What the form keeps of it.
    pub data: MessageData,
    /// The memory.
    pub memory: Memory,
}

impl Said {
    /// Reads a memory of the form.
    #[must_use]
    pub fn read(memory: Memory) -> Self {
        let data = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
        Self { data: data.unwrap_or_default(), memory }
    }

    /// The message as it was taken in.
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

/// The text whose meaning stands for a message: what was said, and what a picture sent along shows.
#[must_use]
pub fn meaning(memory: &Memory) -> String {
    match Said::read(memory.clone()).data.image {
        Some(image) => format!("{} {image}", memory.text).trim_start().to_owned(),
        None => memory.text.clone(),
    }
}
