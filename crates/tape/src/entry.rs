//! Entries: one line of the tape each.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::chain::{self, Hash, Salt};
use crate::codec;
use crate::error::{Error, Result};

/// The number of an entry: 1 for the first of a workspace, growing by 1 over all segments.
pub type EntryId = u64;

/// What sort of thing an entry records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Something said in a conversation.
    Message,
    /// A system message of a conversation.
    System,
    /// Calls of tools by a model.
    ToolCall,
    /// What the tools answered.
    ToolResult,
    /// A mark of a place: `{name, state?}`.
    Anchor,
    /// Something that happened: `{name, data?}`.
    Event,
    /// A failure worth keeping.
    Error,
    /// A kind this version does not know: kept and passed over.
    Other(String),
}

impl Kind {
    /// The kind of this name on the tape.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "message" => Self::Message,
            "system" => Self::System,
            "tool_call" => Self::ToolCall,
            "tool_result" => Self::ToolResult,
            "anchor" => Self::Anchor,
            "event" => Self::Event,
            "error" => Self::Error,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The name that stands on the tape.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Message => "message",
            Self::System => "system",
            Self::ToolCall => "tool_call",
            Self::ToolResult => "tool_result",
            Self::Anchor => "anchor",
            Self::Event => "event",
            Self::Error => "error",
            Self::Other(name) => name,
        }
    }

    /// Whether entries of this kind are part of a conversation that a model is shown.
    #[must_use]
    pub fn is_conversation(&self) -> bool {
        matches!(self, Self::Message | Self::ToolCall | Self::ToolResult)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An entry that is yet to be written: the writer adds id, date, `more`, salt and hash.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What sort of thing it records.
    pub kind: Kind,
    /// What it records: a JSON object.
    pub payload: Box<RawValue>,
    /// What else the writer has to say: a JSON object.
    pub meta: Box<RawValue>,
    /// The branch it belongs to.
    pub branch: String,
}

impl Draft {
    /// A draft of any kind, with payload and meta from anything that becomes a JSON object.
    ///
    /// # Errors
    /// [`Error::Unwritable`] where one of them does not become a JSON object.
    pub fn new(kind: Kind, payload: &impl Serialize, meta: &impl Serialize, branch: &str) -> Result<Self> {
        Ok(Self { kind, payload: object(payload)?, meta: object(meta)?, branch: branch.to_owned() })
    }
}

/// Anything as the literal text of a JSON object without line breaks.
fn object(value: &impl Serialize) -> Result<Box<RawValue>> {
    let raw = serde_json::value::to_raw_value(value).map_err(|e| Error::Unwritable(e.to_string()))?;
    if raw.get().starts_with('{') {
        Ok(raw)
    } else {
        Err(Error::Unwritable("payload and meta are JSON objects".into()))
    }
}

/// How a line states the digest of the text that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The text stands there. The digest follows from it and from this salt, which keeps it from being guessed.
    Salt(Salt),
    /// The text is erased, and what stands there came after it. The digest of the text is all that is left of it.
    Erased(Hash),
}

/// One line of the tape.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number.
    pub id: EntryId,
    /// What sort of thing it records.
    pub kind: Kind,
    /// What it records, as the literal JSON object of the line.
    pub payload: Box<RawValue>,
    /// What else its writer had to say, as the literal JSON object of the line.
    pub meta: Box<RawValue>,
    /// The branch it belongs to.
    pub branch: String,
    /// When it was appended; never below the previous entry's.
    pub date: Timestamp,
    /// How many entries of its group follow.
    pub more: u32,
    /// What the digest of its text comes from.
    pub seal: Seal,
    /// What chains it to the entry before.
    pub hash: Hash,
}

impl Entry {
    /// The digest of the text that was written, which its hash covers.
    #[must_use]
    pub fn digest(&self) -> Hash {
        match &self.seal {
            Seal::Salt(salt) => chain::digest(salt, self.payload.get(), self.meta.get()),
            Seal::Erased(digest) => *digest,
        }
    }

    /// Returns its line on the tape, without the newline.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = Vec::new();
        codec::encode(self, &mut line);
        line.pop();
        String::from_utf8(line).expect("a line is made of strings")
    }

    /// The number of the last entry of its group.
    pub(crate) fn group_end(&self) -> EntryId {
        self.id + u64::from(self.more)
    }

    /// Whether the text that was written is erased.
    #[must_use]
    pub fn is_erased(&self) -> bool {
        matches!(self.seal, Seal::Erased(_))
    }

    /// The digest of what stands in its line: of an erased one, what its erasure vouches for.
    #[must_use]
    pub fn standing(&self) -> Hash {
        match &self.seal {
            Seal::Salt(_) => self.digest(),
            Seal::Erased(_) => chain::standing(self.payload.get(), self.meta.get()),
        }
    }
}
