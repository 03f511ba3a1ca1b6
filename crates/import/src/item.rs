//! Items: what a source yields, in memtape's own terms.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use memtape::bulk::TapeEntry;
use memtape::{Category, Session};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// A piece of memory of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The id of the item within its source. It is the same at every import, as long as the program keeps the
    /// item: an item whose id was imported before is not imported again.
    ///
    /// An item that the program may change under the same id is a version of a *document*: a note, a file, a block, a
    /// text of lines, a statement or a fact. Its id is `DOCUMENT@DIGEST`, with the [`digest`] of its content. A version only replaces
    /// another of the same document, and is known only if it was the last one. A program that keeps all versions has ids
    /// `DOCUMENT@VERSION`, with a version that is no digest: each is imported once.
    ///
    /// An id must not depend on whether a person imports a folder, a folder in it, or a file.
    pub id: String,
    /// Where it comes from.
    pub place: Place,
    /// What it is.
    pub content: Content,
}

/// A place below the imported path, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path of the file.
    pub file: String,
    /// The table, if the file is a database.
    pub table: Option<String>,
    /// The number of the line, row or element, from 1; `None` for the whole file.
    pub number: Option<u64>,
}

impl Place {
    /// Returns the place of a whole file.
    #[must_use]
    pub fn file(file: &str) -> Self {
        Self { file: file.to_owned(), table: None, number: None }
    }

    /// Returns the place of a line of a file, or of an element of its list, counted from 1.
    #[must_use]
    pub fn line(file: &str, number: u64) -> Self {
        Self { number: Some(number), ..Self::file(file) }
    }

    /// Returns the place of a row of a table, counted from 1 in the order of reading.
    #[must_use]
    pub fn row(file: &str, table: &str, number: u64) -> Self {
        Self { table: Some(table.to_owned()), ..Self::line(file, number) }
    }
}

impl fmt::Display for Place {
    /// Formats as `FILE`, `FILE:LINE` or `FILE:TABLE:ROW`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.table.iter().try_for_each(|table| write!(f, ":{table}"))?;
        self.number.iter().try_for_each(|number| write!(f, ":{number}"))
    }
}

/// Returns the label of a conversation from a channel and a chat id of another program, percent-encoded.
#[must_use]
pub fn label(channel: &str, chat: &str) -> String {
    Session::of_chat(channel, chat)
        .map_or_else(|_| format!("{channel}:{chat}"), |session| session.to_string())
}

/// Returns a digest of a text, 16 hexadecimal digits, for the id of an item that has none in its program.
#[must_use]
pub fn digest(text: &str) -> String {
    let sha = Sha256::digest(text);
    sha.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns whether a text has the form of a [`digest`].
pub(crate) fn is_digest(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The scope of an item: who may see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ItemScope {
    /// The workspace's: every conversation sees it.
    #[default]
    Workspace,
    /// A chat's, by the label of a conversation: `CHANNEL:CHAT`.
    Chat(String),
    /// A user's: `CHANNEL:ID`.
    User(String),
    /// That of the last version that says whose it is; the workspace's if there is none.
    Unknown,
}

impl ItemScope {
    /// Returns the label of the chat or the user; empty for any other scope.
    pub(crate) fn label(&self) -> &str {
        match self {
            Self::Workspace | Self::Unknown => "",
            Self::Chat(label) | Self::User(label) => label,
        }
    }
}

/// The content of an item, with one variant for each way into the memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A message of a conversation.
    Message(Message),
    /// Tool calls that a model made at once.
    ToolCalls {
        /// The label of the conversation; `None` for the one that the import names.
        session: Option<String>,
        /// The calls.
        calls: Vec<ToolCall>,
        /// When they were made.
        said_at: Option<Timestamp>,
    },
    /// A preference, fact, decision or event in one sentence.
    Statement(Statement),
    /// The statement under this id was deleted.
    Deleted,
    /// A fact of a subject, with a slot that a newer value replaces.
    Fact(Fact),
    /// A version of a text that is merged line by line: long-term memory, or the note of a day.
    Lines(Lines),
    /// An entry of a day.
    Daily {
        /// The day.
        date: Date,
        /// The text, which may have several lines.
        text: String,
        /// Its number among equal pieces of the day in its file, from 1.
        nth: u32,
        /// When it was written.
        said_at: Option<Timestamp>,
        /// Its scope.
        scope: ItemScope,
    },
    /// A note: Markdown in one of the notes folders (`facts/NAME.md`, `episodes/NAME.md`).
    Note {
        /// The path.
        path: String,
        /// The text.
        text: String,
    },
    /// A file in `insights/`, `research/`, `drafts/` or `archive/`.
    File {
        /// The path.
        path: String,
        /// The text.
        text: String,
    },
    /// A version of a block.
    Block {
        /// The name.
        name: String,
        /// The value.
        value: String,
        /// The layer: 2 identity, 3 semantic, 4 working; `None` for the layer that the name has.
        layer: Option<u8>,
        /// When it was set.
        said_at: Option<Timestamp>,
    },
    /// A line of the journal.
    Journal {
        /// The type.
        kind: String,
        /// The data.
        data: Map<String, Value>,
        /// The label of the conversation, if it is part of one.
        session: Option<String>,
        /// When it happened.
        said_at: Option<Timestamp>,
    },
    /// An entry of another tape that is none of the above: an anchor, an event, a system text.
    Entry {
        /// The kind and the payload.
        entry: TapeEntry,
        /// The label of the conversation.
        session: Option<String>,
        /// When it was appended.
        said_at: Option<Timestamp>,
    },
}

impl Content {
    /// Returns whether it is a version of a document: a text that may change as a whole.
    pub(crate) fn is_document(&self) -> bool {
        matches!(self, Self::Lines(_) | Self::Note { .. } | Self::File { .. } | Self::Block { .. })
    }

    /// Returns whether the program may change it under the same id.
    pub(crate) fn has_versions(&self) -> bool {
        self.is_document() || matches!(self, Self::Statement(_) | Self::Deleted | Self::Fact(_))
    }

    /// Returns when it was said, set or made; `None` for an item that has no such time.
    pub(crate) fn said_at_mut(&mut self) -> Option<&mut Option<Timestamp>> {
        match self {
            Self::Message(Message { said_at, .. })
            | Self::Statement(Statement { said_at, .. })
            | Self::Fact(Fact { said_at, .. })
            | Self::ToolCalls { said_at, .. }
            | Self::Daily { said_at, .. }
            | Self::Block { said_at, .. }
            | Self::Journal { said_at, .. }
            | Self::Entry { said_at, .. } => Some(said_at),
            Self::Deleted | Self::Lines(_) | Self::Note { .. } | Self::File { .. } => None,
        }
    }

    /// Returns how many items it is in a report.
    pub(crate) fn number(&self) -> u64 {
        match self {
            Self::Lines(Lines { lines, .. }) => lines.len() as u64,
            _ => 1,
        }
    }

    /// Returns about how many bytes its texts have.
    pub(crate) fn bytes(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        match self {
            Self::Message(Message { text, name, .. }) => text.len() + length(name),
            Self::ToolCalls { calls, .. } => calls
                .iter()
                .map(|call| call.name.len() + bytes_of(&call.arguments) + length(&call.result))
                .sum(),
            Self::Statement(statement) => statement.text.len(),
            Self::Deleted => 0,
            Self::Fact(Fact { subject, predicate, object, topic, source, evidence, .. }) => {
                let texts = [subject, predicate, object].map(String::len).into_iter();
                texts.chain([topic, source, evidence].map(length)).sum()
            }
            Self::Lines(Lines { lines, .. }) => lines.iter().map(|line| line.text.len()).sum(),
            Self::Daily { text, .. } | Self::Note { text, .. } | Self::File { text, .. } => text.len(),
            Self::Block { value, .. } => value.len(),
            Self::Journal { data, .. } => data.iter().map(|(name, value)| name.len() + bytes_of(value)).sum(),
            Self::Entry { entry, .. } => match entry {
                TapeEntry::Anchor { name, state: value } | TapeEntry::Event { name, data: value } => {
                    name.len() + value.as_ref().map_or(0, bytes_of)
                }
                TapeEntry::System { content } => content.len(),
            },
        }
    }
}

/// Returns about how many bytes the texts of a JSON value have, with something for each value.
fn bytes_of(value: &Value) -> usize {
    let inner: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(bytes_of).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + bytes_of(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    inner + size_of::<Value>()
}

/// A text of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The day; `None` for long-term memory.
    pub date: Option<Date>,
    /// The lines. Line breaks at the beginning of one of long-term memory are the empty lines before it; one of a day may
    /// have several lines.
    pub lines: Vec<Line>,
    /// Its scope.
    pub scope: ItemScope,
}

/// A line of [`Lines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in its file.
    pub number: u64,
    /// The text.
    pub text: String,
    /// When it was written.
    pub said_at: Option<Timestamp>,
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The label of the conversation, `CHANNEL:CHAT[:THREAD]`; `None` for the one that the import names.
    pub session: Option<String>,
    /// The id of the person on the channel of the conversation, if a person said it.
    pub user: Option<String>,
    /// The role: `user`, `assistant`, `system`, `tool`.
    pub role: String,
    /// The text.
    pub text: String,
    /// The name of the speaker.
    pub name: Option<String>,
    /// When it was said.
    pub said_at: Option<Timestamp>,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
    /// The result, if there is one.
    pub result: Option<String>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text.
    pub text: String,
    /// The category.
    pub category: Category,
    /// Its scope.
    pub scope: ItemScope,
    /// The importance, from 0 to 1; `None` for that of an import.
    pub importance: Option<f64>,
    /// The confidence, from 0 to 1; `None` for that of an import.
    pub confidence: Option<f64>,
    /// When it was last said.
    pub said_at: Option<Timestamp>,
    /// When it was first said.
    pub since: Option<Timestamp>,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// The day that it is about.
    pub date: Option<Date>,
    /// Whether the other program shows it only on request.
    pub is_private: bool,
}

impl Statement {
    /// Returns a statement of the workspace.
    #[must_use]
    pub fn new(text: impl Into<String>, category: Category) -> Self {
        Self {
            text: text.into(),
            category,
            scope: ItemScope::Workspace,
            importance: None,
            confidence: None,
            said_at: None,
            since: None,
            expires_at: None,
            date: None,
            is_private: false,
        }
    }
}

/// What happens to a fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FactChange {
    /// It is recorded. Another value of the same subject, predicate and topic is superseded, the same value confirmed.
    #[default]
    Record,
    /// It is observed: the same value becomes surer, another one less sure, until it is superseded.
    Observe,
    /// It is no longer true.
    Deprecate,
    /// It is forgotten, in every topic if none is named.
    Forget,
}

/// A fact of the ledger, or a change of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fact {
    /// What happens.
    pub change: FactChange,
    /// The subject.
    pub subject: String,
    /// The predicate.
    pub predicate: String,
    /// The value; empty if the change needs none.
    pub object: String,
    /// A topic such as `work/technical`, or a lifetime.
    pub topic: Option<String>,
    /// The confidence, from 0 to 1; `None` for that of an import.
    pub confidence: Option<f64>,
    /// The source, in the words of the other program; `None` for the name of the import's source.
    pub source: Option<String>,
    /// The evidence.
    pub evidence: Option<String>,
    /// When it was recorded.
    pub said_at: Option<Timestamp>,
    /// Its scope.
    pub scope: ItemScope,
    /// The branch, if the other program has branches; `None` for the branch of the import.
    pub branch: Option<String>,
}
