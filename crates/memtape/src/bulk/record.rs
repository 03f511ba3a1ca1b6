//! Records: what an import writes, in the terms of the forms.

use std::borrow::Cow;
use std::collections::HashSet;

use jiff::Timestamp;
use jiff::civil::Date;
use memtape_core::forms::blocks::BlockLayer;
use memtape_core::forms::ledger::entry::folded;
use memtape_core::forms::messages::{Content, Item, Message, ToolUse};
use memtape_core::forms::statements::Statement;
use memtape_core::safety::injection;
use memtape_core::{Context, Meta, Scope, Sensitivity, Session, guard};
use memtape_tape::{Draft, Kind};
use serde_json::Value;

use crate::ledger::Step;
use crate::tape::{check_depth, check_name, named};
use crate::workspace::Workspace;

/// Writes records of a source in groups.
pub struct Bulk<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) source: &'a str,
    pub(super) session: &'a Session,
    pub(super) branch: Option<String>,
}

impl Bulk<'_> {
    /// Returns the same writer for another branch; `None` means the branch of the workspace.
    #[must_use]
    pub fn into_branch(mut self, branch: Option<String>) -> Self {
        self.branch = branch;
        self
    }
}

/// Something to write.
#[derive(Clone, Debug)]
pub enum Record {
    /// A message, or tool calls that a model made at once.
    Message {
        /// The message.
        item: Item,
        /// Whether it asks not to be kept, or answers a message that does: it is not recalled.
        is_unwanted: bool,
    },
    /// An anchor, event or system text.
    Entry {
        /// The entry.
        entry: TapeEntry,
        /// The conversation.
        session: Session,
        /// When it was appended elsewhere.
        said_at: Option<Timestamp>,
    },
    /// A line of the journal.
    Journal {
        /// The type.
        kind: String,
        /// The data, a JSON object.
        data: Value,
        /// The conversation.
        session: Session,
    },
    /// A statement.
    Statement {
        /// The statement.
        statement: Statement,
        /// The scope; `None` if the other program does not say it: that of the last version, or the workspace's.
        scope: Option<Scope>,
        /// How widely it may be shown.
        sensitivity: Sensitivity,
    },
    /// A statement that the other program deleted.
    Deleted,
    /// A change of the ledger.
    Fact {
        /// The change.
        step: Step,
        /// The scope.
        scope: Scope,
        /// The conversation.
        session: Session,
        /// When it was made.
        said_at: Option<Timestamp>,
    },
    /// A version of a document that is merged line by line: long-term memory, or the note of a day.
    Lines {
        /// The day; `None` for long-term memory.
        date: Option<Date>,
        /// The lines, each with the empty lines before it, or the pieces of the note.
        lines: Vec<Line>,
        /// The scope.
        scope: Scope,
        /// Where it comes from.
        place: String,
    },
    /// An entry of a day, which goes to the end of its note.
    Daily {
        /// The day.
        date: Date,
        /// The text.
        text: String,
        /// Its number among equal pieces of the day, from 1.
        nth: u32,
        /// The scope.
        scope: Scope,
        /// When it was written.
        said_at: Option<Timestamp>,
        /// Where it comes from.
        place: String,
    },
    /// A note.
    Note {
        /// The path.
        path: String,
        /// The text.
        text: String,
        /// Where it comes from.
        place: String,
    },
    /// A file.
    File {
        /// The path.
        path: String,
        /// The text.
        text: String,
        /// Where it comes from.
        place: String,
    },
    /// A version of a block.
    Block {
        /// The name.
        name: String,
        /// The value.
        value: String,
        /// The layer of a new name.
        layer: Option<BlockLayer>,
        /// Where it comes from, and when it was set.
        place: String,
    },
}

/// A line of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text.
    pub text: String,
    /// When it was written.
    pub said_at: Option<Timestamp>,
}

/// The place of a record, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    name: String,
    /// The part that the record concerns; `None` for all of it.
    part: Option<String>,
}

/// The places of the records of a group.
#[derive(Debug, Default)]
pub struct Slots {
    /// The places of which a record concerns all.
    whole: HashSet<String>,
    /// The places of which a record concerns a part.
    begun: HashSet<String>,
    parts: HashSet<String>,
}

impl Slots {
    /// Returns whether a record shares its place, or a part of it, with another one.
    #[must_use]
    pub fn have(&self, slot: &Slot) -> bool {
        self.whole.contains(&slot.name)
            || match &slot.part {
                Some(part) => self.parts.contains(part),
                None => self.begun.contains(&slot.name),
            }
    }

    /// Adds the place of a record.
    pub fn add(&mut self, slot: Slot) {
        match slot.part {
            Some(part) => {
                self.begun.insert(slot.name);
                self.parts.insert(part);
            }
            None => {
                self.whole.insert(slot.name);
            }
        }
    }
}

/// An entry that no form owns.
#[derive(Clone, Debug, PartialEq)]
pub enum TapeEntry {
    /// An anchor.
    Anchor {
        /// The name.
        name: String,
        /// The state.
        state: Option<Value>,
    },
    /// An event.
    Event {
        /// The name.
        name: String,
        /// The data.
        data: Option<Value>,
    },
    /// A system text.
    System {
        /// The text.
        content: String,
    },
}

impl Record {
    /// Returns what two records of one group must not share, because the second needs to see what the first did.
    #[must_use]
    pub fn slot(&self) -> Option<Slot> {
        let whole = |name: String| Some(Slot { name, part: None });
        match self {
            Self::Fact { step, scope, .. } => {
                let (subject, predicate) = step.about();
                let [subject, predicate] = [subject, predicate].map(folded);
                // Forgetting concerns every topic; a value only its own.
                let part = step.slot().map(|slot| format!("{scope:?} {slot}"));
                Some(Slot { name: format!("fact {subject}\n{predicate}"), part })
            }
            Self::Note { path, .. } => whole(format!("note {}", path.to_lowercase())),
            Self::File { path, .. } => whole(format!("file {}", path.to_lowercase())),
            Self::Block { name, .. } => whole(format!("block {name}")),
            Self::Lines { date, scope, .. } => whole(format!("lines {scope:?} {date:?}")),
            _ => None,
        }
    }

    /// Returns whether every branch shows it.
    pub(super) fn is_on_every_branch(&self) -> bool {
        matches!(self, Self::Message { .. } | Self::Entry { .. } | Self::Journal { .. })
    }

    /// Returns the texts whose length is limited.
    pub(super) fn texts(&self) -> Vec<Cow<'_, str>> {
        match self {
            Self::Message { item: Item { content: Content::Message(message), .. }, .. } => {
                let Message { content, name, image, .. } = message;
                [Some(content), name.as_ref(), image.as_ref()].into_iter().flatten().map(Cow::from).collect()
            }
            // Results are cut.
            Self::Message { item: Item { content: Content::Tools(uses, _), .. }, .. } => {
                let texts = |tool: &ToolUse| [tool.name.clone(), tool.arguments.to_string()];
                uses.iter().flat_map(texts).map(Cow::from).collect()
            }
            Self::Entry { entry, .. } => match entry {
                TapeEntry::System { content } => vec![content.into()],
                TapeEntry::Anchor { state: value, .. } | TapeEntry::Event { data: value, .. } => {
                    value.iter().map(|value| value.to_string().into()).collect()
                }
            },
            Self::Statement { statement, .. } => vec![(&statement.text).into()],
            Self::Daily { text, .. } => vec![text.into()],
            Self::Block { value, .. } => vec![value.into()],
            _ => Vec::new(),
        }
    }

    /// Returns the name, which is never redacted.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Entry { entry: TapeEntry::Anchor { name, .. } | TapeEntry::Event { name, .. }, .. }
            | Self::Journal { kind: name, .. }
            | Self::Note { path: name, .. }
            | Self::File { path: name, .. }
            | Self::Block { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Returns the chat of the conversation.
    pub(super) fn chat(&self) -> Option<&str> {
        match self {
            Self::Message { item: Item { session, .. }, .. }
            | Self::Entry { session, .. }
            | Self::Journal { session, .. } => Some(session.chat()),
            _ => None,
        }
    }

    /// Returns the scope, if the record has one of its own.
    pub(super) fn scope(&self) -> Option<&Scope> {
        match self {
            Self::Statement { scope, .. } => scope.as_ref(),
            Self::Fact { scope, .. } | Self::Lines { scope, .. } | Self::Daily { scope, .. } => Some(scope),
            _ => None,
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Message { item: Item { content: Content::Message(message), .. }, .. } => {
                message.content.is_empty() && message.image.is_none()
            }
            Self::Statement { statement, .. } => statement.text.trim().is_empty(),
            Self::Daily { text, .. } | Self::Note { text, .. } | Self::File { text, .. } => {
                text.trim().is_empty()
            }
            _ => false,
        }
    }
}

impl TapeEntry {
    /// Returns the rule by which it reads like an instruction to a model. That of a system text is found when it is written.
    pub(super) fn suspicion(&self) -> Option<&'static str> {
        let (Self::Anchor { name, state: value } | Self::Event { name, data: value }) = self else {
            return None;
        };
        injection::is_suspicious_name(name).or_else(|| value.as_ref().and_then(guard::suspicion))
    }

    /// Returns the entry. Names that memtape reserves are refused.
    pub(super) fn draft(
        &self,
        session: &Session,
        said_at: Option<Timestamp>,
        ctx: &Context,
    ) -> memtape_index::Result<Draft> {
        let refused = |e: crate::Error| memtape_core::Error::Refused(e.to_string());
        let meta = Meta { session: Some(session.to_string()), ..ctx.meta() };
        let (kind, mut payload) = match self {
            Self::Anchor { name, state } => {
                check_name(name).map_err(refused)?;
                (Kind::Anchor, named(name, "state", state.as_ref()))
            }
            Self::Event { name, data } => {
                check_name(name).map_err(refused)?;
                (Kind::Event, named(name, "data", data.as_ref()))
            }
            Self::System { content } => {
                let message = Message { said_at, ..Message::new("system", content.clone()) };
                return Ok(message.system(&meta, &ctx.branch)?);
            }
        };
        check_depth(&payload).map_err(refused)?;
        if let (Some(said_at), Some(fields)) = (said_at, payload.as_object_mut()) {
            fields.insert("said_at".into(), said_at.to_string().into());
        }
        Ok(Draft::new(kind, &payload, &meta, &ctx.branch)?)
    }
}
