//! Entries: one line of the tape each.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::chain::{self, Hash, Salt};
use crate::error::{Error, Result};

/// The number of an entry: 1 for the first of a workspace, growing by 1 over all segments.
pub type EntryId = u64;

/// Returns the text of a date on the tape: UTC with microseconds, `2026-02-10T10:00:00.000000+00:00`.
#[must_use]
pub fn date_text(date: Timestamp) -> String {
    date.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

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

/// An entry that is yet to be written: the writer adds `id`, `date`, `more`, `salt`, `prev` and `hash`.
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
    /// The text is in the line. The digest is computed from it and from this salt, which keeps it from being guessed.
    Salt(Salt),
    /// The text is erased: this is its digest, and `payload` and `meta` hold what replaces it.
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
    /// What else its writer recorded, as the literal JSON object of the line.
    pub meta: Box<RawValue>,
    /// The branch it belongs to.
    pub branch: String,
    /// When it was appended; never before the previous entry's date.
    pub date: Timestamp,
    /// How many entries of its group follow.
    pub more: u32,
    /// The salt, or the digest of an erased text.
    pub seal: Seal,
    /// The hash of the entry it was written after; [`Hash::ZERO`] for the first.
    pub prev: Hash,
    /// Its own hash, over everything above.
    pub hash: Hash,
}

impl Entry {
    /// Returns the digest of the text that was written, which the hash covers.
    #[must_use]
    pub fn digest(&self) -> Hash {
        match &self.seal {
            Seal::Salt(salt) => chain::digest(salt, self.payload.get(), self.meta.get()),
            Seal::Erased(digest) => *digest,
        }
    }

    /// Computes the hash that its line must state.
    #[must_use]
    pub fn computed_hash(&self) -> Hash {
        let Self { id, kind, branch, more, prev, .. } = self;
        let (date, digest) = (date_text(self.date), self.digest());
        Hash::of(format!("{prev}\n{id}\n{kind}\n{branch}\n{date}\n{more}\n{digest}").as_bytes())
    }

    /// Returns the number of the last entry of its group.
    pub(crate) fn group_end(&self) -> EntryId {
        self.id + u64::from(self.more)
    }

    /// Whether the text that was written is erased.
    #[must_use]
    pub fn is_erased(&self) -> bool {
        matches!(self.seal, Seal::Erased(_))
    }

    /// Returns the digest of the text that is in its line now: of an erased one, the digest that the event of its
    /// erasure states.
    #[must_use]
    pub fn current_digest(&self) -> Hash {
        match &self.seal {
            Seal::Salt(_) => self.digest(),
            Seal::Erased(_) => chain::replacement_digest(self.payload.get(), self.meta.get()),
        }
    }
}
