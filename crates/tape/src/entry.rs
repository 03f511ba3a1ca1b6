//! Entries of the tape. Each entry is one line.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::chain::{self, Hash, Salt};
use crate::error::{Error, Result};

/// The number of an entry. The first entry of a workspace is 1; ids grow by 1 across all segments.
pub type EntryId = u64;

/// Formats a date for the tape: UTC with microseconds, `2026-02-10T10:00:00.000000+00:00`.
#[must_use]
pub fn date_text(date: Timestamp) -> String {
    date.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// The kind of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A message of a conversation.
    Message,
    /// A system message of a conversation.
    System,
    /// Tool calls by a model.
    ToolCall,
    /// Results of tool calls.
    ToolResult,
    /// A named mark on the tape: `{name, state?}`.
    Anchor,
    /// An event: `{name, data?}`.
    Event,
    /// A recorded failure.
    Error,
    /// A kind that this version does not know. Such entries are kept and ignored.
    Other(String),
}

impl Kind {
    /// Returns the kind with this name on the tape, [`Kind::Other`] for an unknown name.
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

    /// Returns the kind's name on the tape.
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

    /// Returns whether entries of this kind belong to a conversation that is shown to a model.
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

/// An entry to be written. The writer adds `id`, `date`, `more`, `salt`, `prev` and `hash`.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The kind of the entry.
    pub kind: Kind,
    /// The content, a JSON object.
    pub payload: Box<RawValue>,
    /// Metadata of the writer, a JSON object.
    pub meta: Box<RawValue>,
    /// The branch that the entry belongs to.
    pub branch: String,
}

impl Draft {
    /// Creates a draft. `payload` and `meta` must serialize to JSON objects.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if one of them does not serialize to a JSON object.
    pub fn new(kind: Kind, payload: &impl Serialize, meta: &impl Serialize, branch: &str) -> Result<Self> {
        Ok(Self { kind, payload: object(payload)?, meta: object(meta)?, branch: branch.to_owned() })
    }

    /// Returns the same draft with other metadata. `meta` must serialize to a JSON object.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if it does not.
    pub fn with_meta(self, meta: &impl Serialize) -> Result<Self> {
        Ok(Self { meta: object(meta)?, ..self })
    }
}

/// Serializes a value to the literal text of a JSON object without line breaks.
fn object(value: &impl Serialize) -> Result<Box<RawValue>> {
    let raw = serde_json::value::to_raw_value(value).map_err(|e| Error::Unwritable(e.to_string()))?;
    if raw.get().starts_with('{') {
        Ok(raw)
    } else {
        Err(Error::Unwritable("payload or meta is not a JSON object".into()))
    }
}

/// The field from which the digest of the original text is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The text is in the line. The digest is computed from the text and this salt. The salt prevents
    /// guessing an erased text from its digest.
    Salt(Salt),
    /// The text is erased. This is its digest; `payload` and `meta` contain the replacement.
    Erased(Hash),
}

/// An entry: one line of the tape.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The entry's number.
    pub id: EntryId,
    /// The kind of the entry.
    pub kind: Kind,
    /// The content, as the literal JSON object of the line.
    pub payload: Box<RawValue>,
    /// Metadata of the writer, as the literal JSON object of the line.
    pub meta: Box<RawValue>,
    /// The branch that the entry belongs to.
    pub branch: String,
    /// The time of the append; never before the previous entry's date.
    pub date: Timestamp,
    /// The number of entries of the same group that follow.
    pub more: u32,
    /// The salt, or the digest of the erased text.
    pub seal: Seal,
    /// The hash of the previous entry at the time of writing; [`Hash::ZERO`] for the first entry.
    pub prev: Hash,
    /// The entry's own hash, over all fields above.
    pub hash: Hash,
}

impl Entry {
    /// Returns the digest of the original text, which the hash covers.
    #[must_use]
    pub fn digest(&self) -> Hash {
        match &self.seal {
            Seal::Salt(salt) => chain::digest(salt, self.payload.get(), self.meta.get()),
            Seal::Erased(digest) => *digest,
        }
    }

    /// Computes the hash from the other fields. In an intact line it equals `hash`.
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

    /// Returns whether the original text is erased.
    #[must_use]
    pub fn is_erased(&self) -> bool {
        matches!(self.seal, Seal::Erased(_))
    }

    /// Returns the digest of the text that is in the line now. For an erased entry this is the digest that
    /// its erasure event states.
    #[must_use]
    pub fn current_digest(&self) -> Hash {
        match &self.seal {
            Seal::Salt(_) => self.digest(),
            Seal::Erased(_) => chain::replacement_digest(self.payload.get(), self.meta.get()),
        }
    }
}
