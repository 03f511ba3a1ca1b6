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

/// Number of bits of a memory's number that number the memories of one entry.
const NUMBER_BITS: u32 = 20;

/// A memory's number: the entry that creates it × 2²⁰, plus its index in that entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoryId(u64);

impl MemoryId {
    /// Returns the number of the n-th memory (from 0) that an entry creates.
    ///
    /// An entry creates at most 2²⁰ memories; the forms enforce this.
    #[must_use]
    pub fn new(entry: EntryId, n: u32) -> Self {
        debug_assert!(n < 1 << NUMBER_BITS, "an entry creates at most 2^20 memories");
        Self((entry << NUMBER_BITS) | u64::from(n))
    }

    /// Returns the id with this number.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Returns its number.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }

    /// Returns the entry that creates it.
    #[must_use]
    pub fn entry(self) -> EntryId {
        self.0 >> NUMBER_BITS
    }
}

/// A form of memory, by its name. The constants are defined with the rules of each form (`crate::forms`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(&'static str);

impl Form {
    /// Returns the form of this name. Names are lower-case words, as refs write them.
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

/// The origin of a memory.
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
    /// Every origin, the most trusted first.
    pub const ALL: [Self; 6] =
        [Self::User, Self::Editor, Self::Assistant, Self::Import, Self::Web, Self::Tool];

    /// Returns whether the author is not a participant of the conversation; such memories are not put into
    /// prompts unless somebody asks for them.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Tool | Self::Web)
    }

    /// Returns whether a person wrote it.
    #[must_use]
    pub fn is_person(self) -> bool {
        matches!(self, Self::User | Self::Editor)
    }

    /// Returns the less trusted of two origins.
    #[must_use]
    pub fn less_trusted(self, other: Self) -> Self {
        let place = |origin| Self::ALL.iter().position(|known| *known == origin);
        if place(self) >= place(other) { self } else { other }
    }

    /// Returns its name.
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
            .ok_or_else(|| Error::Invalid(format!("unknown origin {text:?}")))
    }
}

impl<'de> Deserialize<'de> for Origin {
    /// Reads an unknown origin, of another program or a later version, as the least trusted one.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(value.as_str().and_then(|text| text.parse().ok()).unwrap_or(Self::Tool))
    }
}

/// A memory as read from the index.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its number.
    pub id: MemoryId,
    /// Its form.
    pub form: Form,
    /// The key within the form.
    pub key: String,
    /// The branch it was created on.
    pub branch: String,
    /// The label of the conversation it came from.
    pub session: Option<String>,
    /// The scope that may see it, as text.
    pub scope: String,
    /// The visibility within its scope.
    pub sensitivity: Sensitivity,
    /// The origin of the memory.
    pub origin: Option<Origin>,
    /// The category, for statements.
    pub category: Option<Category>,
    /// The lifetime.
    pub lifetime: Lifetime,
    /// The importance, from 0 to 1; `None` if not recorded.
    pub importance: Option<f64>,
    /// The confidence, from 0 to 1; `None` if not recorded.
    pub confidence: Option<f64>,
    /// When it expires; `None` if it does not.
    pub expires_at: Option<Timestamp>,
    /// The rule that excludes it from prompts, unless it is asked for; `None` if it is not quarantined.
    pub quarantined: Option<String>,
    /// The memory of another branch that it is a copy of.
    pub copy_of: Option<MemoryId>,
    /// The previous message in its conversation.
    pub previous: Option<MemoryId>,
    /// When it was said or happened; `None` if that is not recorded.
    pub said_at: Option<Timestamp>,
    /// When it was appended.
    pub created_at: Timestamp,
    /// The remembered text.
    pub text: String,
    /// Other data of its form, as JSON.
    pub data: Option<String>,
}

impl Memory {
    /// Returns the merge of this version with another one: as little trusted as either, as sensitive, and quarantined if
    /// one is.
    pub(crate) fn merged_with(&self, theirs: &Self, text: String, data: Option<String>) -> Self {
        let origin = match (self.origin, theirs.origin) {
            (Some(one), Some(other)) => Some(one.less_trusted(other)),
            (one, other) => one.or(other),
        };
        Self {
            origin,
            sensitivity: self.sensitivity.max(theirs.sensitivity),
            quarantined: self.quarantined.clone().or_else(|| theirs.quarantined.clone()),
            text,
            data,
            ..self.clone()
        }
    }

    /// Returns the ref of this version.
    #[must_use]
    pub fn version(&self) -> Ref {
        Ref { entry: Some(self.id.entry()), ..self.reference() }
    }

    /// Returns whether characters of the text stand for bytes that are not UTF-8 (or whether it has such a character itself).
    #[must_use]
    pub fn has_replacements(&self) -> bool {
        self.text.contains(char::REPLACEMENT_CHARACTER)
    }

    /// Returns the ref of the memory, whatever its version.
    #[must_use]
    pub fn reference(&self) -> Ref {
        Ref { form: self.form, key: self.key.clone(), entry: None }
    }

    /// Returns whether it came from a tool or a web page, or is quarantined.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        self.quarantined.is_some() || self.origin.is_some_and(Origin::is_foreign)
    }

    /// Returns whether a prompt may show it unasked: not if it is untrusted or confidential.
    #[must_use]
    pub fn may_be_prompted(&self) -> bool {
        !self.is_untrusted() && self.sensitivity != Sensitivity::Confidential
    }
}

/// A memory's stable name: `form:key`, or `form:key@entry` for one version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ref {
    /// The form.
    pub form: Form,
    /// The key within the form.
    pub key: String,
    /// The entry that created the version; `None` for the current version at the point.
    pub entry: Option<EntryId>,
}

impl Ref {
    /// Returns the error for a ref that names no current memory.
    #[must_use]
    pub fn not_current(&self) -> Error {
        Error::NotFound(format!("{self} is not current"))
    }

    /// Returns the reference of the message of an entry.
    #[must_use]
    pub fn of_message(entry: EntryId) -> Self {
        Self { form: Form::MESSAGES, key: entry.to_string(), entry: None }
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.form, self.key)?;
        self.entry.map_or(Ok(()), |entry| write!(f, "@{entry}"))
    }
}
