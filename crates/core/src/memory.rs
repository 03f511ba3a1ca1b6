//! Memories, and the refs that name them.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use memtape_tape::EntryId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::audience::Sensitivity;
use crate::category::Category;
use crate::error::Error;
use crate::lifetime::Lifetime;

/// How many bits of a memory's number count the memories of one entry.
const NUMBER_BITS: u32 = 20;

/// A memory's number: the entry that bears it × 2²⁰, plus its place in that entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoryId(u64);

impl MemoryId {
    /// The n-th memory (from 0) that an entry bears.
    ///
    /// One entry bears at most 2²⁰ memories; the forms see to it.
    #[must_use]
    pub fn new(entry: EntryId, n: u32) -> Self {
        debug_assert!(n < 1 << NUMBER_BITS, "an entry bears at most 2^20 memories");
        Self((entry << NUMBER_BITS) | u64::from(n))
    }

    /// The memory of this number.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }

    /// The entry that bears it.
    #[must_use]
    pub fn entry(self) -> EntryId {
        self.0 >> NUMBER_BITS
    }
}

/// A form of memory, by its name. The constants stand beside the rules of each form (`crate::forms`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(&'static str);

impl Form {
    /// Returns the form of this name. Names are lower-case words, as they stand in refs.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// Returns its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Who a memory came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A person who talks to the agent, or the owner at the terminal.
    User,
    /// A person who edited a file.
    Editor,
    /// The agent.
    Assistant,
    /// A tool's output.
    Tool,
    /// A page that was fetched.
    Web,
    /// Another system's store.
    Import,
}

impl Origin {
    /// Every origin, the one whose word counts most first.
    pub const ALL: [Self; 6] =
        [Self::User, Self::Editor, Self::Assistant, Self::Import, Self::Web, Self::Tool];

    /// Whether somebody who is not a part of the conversation wrote it: then nothing of it is put into a prompt by
    /// itself.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Tool | Self::Web)
    }

    /// Whether a person wrote it with their own hands.
    #[must_use]
    pub fn is_person(self) -> bool {
        matches!(self, Self::User | Self::Editor)
    }

    /// The one of two whose word counts less.
    #[must_use]
    pub fn less_trusted(self, other: Self) -> Self {
        let place = |origin| Self::ALL.iter().position(|known| *known == origin);
        if place(self) >= place(other) { self } else { other }
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Editor => "editor",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::Web => "web",
            Self::Import => "import",
        }
    }
}

impl FromStr for Origin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|origin| origin.as_str() == text)
            .ok_or_else(|| Error::Invalid(format!("there is no origin {text:?}")))
    }
}

impl<'de> Deserialize<'de> for Origin {
    /// A word of another program, or of a later version, is rather not trusted.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(value.as_str().and_then(|text| text.parse().ok()).unwrap_or(Self::Tool))
    }
}

/// One thing remembered, as it is read from the index.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its number.
    pub id: MemoryId,
    /// Its form.
    pub form: Form,
    /// What names the thing within its form.
    pub key: String,
    /// The branch it was born on.
    pub branch: String,
    /// The conversation it came from, as a label.
    pub session: Option<String>,
    /// Whose it is, as a scope's text.
    pub scope: String,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
    /// Who it came from.
    pub origin: Option<Origin>,
    /// What a statement is about.
    pub category: Option<Category>,
    /// How long it should live.
    pub lifetime: Lifetime,
    /// How much it matters, from 0 to 1, where somebody said so.
    pub importance: Option<f64>,
    /// How sure it is, from 0 to 1, where somebody said so.
    pub confidence: Option<f64>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// By which rule it is never put into a prompt by itself.
    pub quarantined: Option<String>,
    /// The memory of another branch that it is a copy of.
    pub copy_of: Option<MemoryId>,
    /// The message before it in its conversation.
    pub previous: Option<MemoryId>,
    /// When it was said or happened.
    pub said_at: Option<Timestamp>,
    /// When it was appended.
    pub created_at: Timestamp,
    /// What is remembered.
    pub text: String,
    /// What else its form keeps of it, as JSON.
    pub data: Option<String>,
}

impl Memory {
    /// The ref of this version of the thing.
    #[must_use]
    pub fn version(&self) -> Ref {
        Ref { entry: Some(self.id.entry()), ..self.reference() }
    }

    /// The ref of the thing, whatever its version.
    #[must_use]
    pub fn reference(&self) -> Ref {
        Ref { form: self.form, key: self.key.clone(), entry: None }
    }

    /// Whether a prompt may show it by itself: not what a tool or a page said, what is quarantined, or what is
    /// confidential.
    #[must_use]
    pub fn may_be_prompted(&self) -> bool {
        self.quarantined.is_none()
            && !self.origin.is_some_and(Origin::is_foreign)
            && self.sensitivity != Sensitivity::Confidential
    }
}

/// A memory's stable name: `form:key`, or `form:key@entry` for one version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ref {
    /// The form.
    pub form: Form,
    /// The key within the form.
    pub key: String,
    /// The entry that bore the version meant; `None` for the one that stands at the point.
    pub entry: Option<EntryId>,
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.form, self.key)?;
        self.entry.map_or(Ok(()), |entry| write!(f, "@{entry}"))
    }
}
