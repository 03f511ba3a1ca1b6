//! The trait that a form of memory implements.
//!
//! A form is a folder below `forms` with an implementation of [`Rules`] and one line in the registry there.
//! Projection, merging, the journal, the secret guard, recall and consolidation call this trait and know no
//! form by name.
//!
//! **Invariant.** Rules are pure: their results depend on their arguments only.

use std::fmt;

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use crate::category::Category;
use crate::created::Created;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::lifetime::Lifetime;
use crate::line::{Fields, LineType};
use crate::memory::{Form, Memory};
use crate::meta::Meta;
use crate::recall::Weights;
use crate::safety::names::NameField;

/// What a form defines.
pub trait Rules: fmt::Debug + Sync {
    /// Returns the form.
    fn form(&self) -> Form;

    /// Returns the prefixes of the names of its events. Only memtape writes entries with such names.
    fn prefixes(&self) -> &'static [&'static str];

    /// Returns whether an anchor or event of this name belongs to the form.
    fn owns(&self, event: &str) -> bool;

    /// Returns the memories that one of its events creates.
    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created>;

    /// Returns the category of the subject of one of its events; `None` if it has none.
    fn category(&self, _entry: &Entry) -> Option<Category> {
        None
    }

    /// Returns the lifetime that one of its events states; `None` if only the memories it creates have one.
    fn lifetime(&self, _entry: &Entry) -> Option<Lifetime> {
        None
    }

    /// Returns the id of the observation that one of its events records and a later commit lists.
    fn observed(&self, _event: &str, _entry: &Entry, _meta: &Meta) -> Option<String> {
        None
    }

    /// Returns whether its keys name slots. A slot has at most one current memory: the newest.
    fn has_slots(&self) -> bool {
        true
    }

    /// Returns the default importance of a memory, from 0 to 1.
    fn importance(&self) -> f64 {
        0.8
    }

    /// Returns the default weights of recall.
    fn weights(&self) -> Weights {
        Weights { relevance: 0.65, importance: 0.20, recency: 0.15 }
    }

    /// Returns the text that is embedded for a memory.
    fn meaning(&self, memory: &Memory) -> String {
        memory.text.clone()
    }

    /// Returns whether consolidation and recall compare the memory with others.
    fn is_compared(&self, _memory: &Memory) -> bool {
        false
    }

    /// Returns the fields of an event that contain names, apart from the event's own name.
    fn names(&self, _event: &str) -> &'static [NameField] {
        &[]
    }

    /// Returns the fields of an event that only memtape reads, as JSON pointers. They are never redacted.
    fn bookkeeping(&self, _event: &str) -> &'static [&'static str] {
        &[]
    }

    /// Returns the fields of an event that contain bytes as base64, as JSON pointers. The bytes are redacted, not the
    /// base64.
    fn encoded(&self, _event: &str) -> &'static [&'static str] {
        &[]
    }

    /// Returns the types of journal lines that its events produce.
    fn line_types(&self) -> &'static [LineType] {
        &[]
    }

    /// Returns the type of the journal line of an event; `None` if it has none.
    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        None
    }

    /// Returns the fields of the journal line of an event with this `data`.
    fn line(&self, _event: &str, _data: &Value, _meta: &Meta) -> Fields {
        Fields::new()
    }

    /// Returns the entry that copies or restores a memory. `meta` holds the rest of what the entry records.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form cannot read the memory, or never copies or restores its memories.
    fn recreate(&self, memory: &Memory, how: Recreation, meta: Meta, ctx: &Context) -> Result<Draft>;

    /// Returns the entry that removes the versions that `meta` names, of which `memory` is one.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form cannot read the memory, or never removes its memories.
    fn retire(&self, memory: &Memory, cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft>;

    /// Returns the string by which two versions of a memory are compared: it is equal if their contents are.
    fn content(&self, memory: &Memory) -> String {
        memory.text.clone()
    }

    /// Returns the part of [`Rules::content`] that somebody chose: without blank lines at the ends, and without what
    /// memtape computes. A version that differs from another only in the rest is in conflict with nothing.
    fn substance(&self, memory: &Memory) -> String {
        self.content(memory)
    }

    /// Returns what distinguishes a memory from others with the same key; `None` if the key is unique.
    fn piece(&self, _memory: &Memory) -> Option<String> {
        None
    }

    /// Returns the place of a memory in the text that it is part of; `None` if it is part of none, or if its place
    /// there is fixed.
    fn position(&self, _memory: &Memory) -> Option<Position> {
        None
    }

    /// Returns a copy of a memory with another text, to resolve a conflict.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form does not accept the text, or if the texts of its memories cannot be
    /// replaced.
    fn with_text(&self, memory: &Memory, _text: &str) -> Result<Memory> {
        let why = format!("the text of {} cannot be replaced", memory.reference());
        Err(Error::Invalid(why).with_hint(Hint::KeepSide { value: false }))
    }

    /// Merges two versions of a memory that both changed since `base`.
    ///
    /// `base` is `None` if neither side had the memory at the merge base.
    fn merge(&self, base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged;
}

/// The place of a memory in a text of several memories.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The name of the text among those of the form.
    pub of: String,
    /// Sort key among the memories of the text.
    pub rank: f64,
    /// Number of empty lines before it, as far as its own text does not contain them.
    pub gap: u32,
}

/// Why an entry creates a memory that already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recreation {
    /// It is copied unchanged to another branch.
    Copy,
    /// It is restored after it was superseded or removed, as a newer version with the same content.
    Restore,
    /// It is copied to another tape, without its history: the entry names no other entry of this tape.
    Extract,
}

/// Why an entry removes a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RemovalCause {
    /// Somebody asked for it.
    #[default]
    Request,
    /// What created the memory is reversed.
    Reversal,
    /// An event of this name removed it before: on another branch, or here until it was restored.
    Event(String),
}

impl RemovalCause {
    /// Returns whether it repeats what an event of this name did.
    #[must_use]
    pub fn is_event(&self, name: &str) -> bool {
        matches!(self, Self::Event(event) if event == name)
    }
}

/// The result of merging two versions that both changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// Our version is kept.
    Ours,
    /// Their version replaces ours.
    Theirs,
    /// A new version that joins both is written.
    Joined(Box<Memory>),
    /// The versions contradict each other.
    Conflict,
}

impl Merged {
    /// Converts the result of joining two versions; `None` and errors become conflicts.
    pub(crate) fn joined(joined: Result<Option<Memory>>) -> Self {
        joined.ok().flatten().map_or(Self::Conflict, |memory| Self::Joined(Box::new(memory)))
    }

    /// Converts the choice of a side; `None` is a conflict.
    pub(crate) fn side(takes_theirs: Option<bool>) -> Self {
        match takes_theirs {
            Some(true) => Self::Theirs,
            Some(false) => Self::Ours,
            None => Self::Conflict,
        }
    }
}
