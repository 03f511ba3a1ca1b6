//! What a form of memory is: the one trait by which everything else treats all forms alike.
//!
//! A form is a folder below `forms` with an implementation of [`Rules`], and one line in the registry there. Projecting,
//! merging, the journal, the guard against secrets, recall and consolidation ask the rules and know no form by name.
//!
//! **Invariant.** Rules are pure: what they return follows from their arguments alone.

use std::fmt;

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use crate::category::Category;
use crate::created::Created;
use crate::decision::Given;
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

    /// Returns how the names of its events begin. Entries with such names are written by memtape alone.
    fn prefixes(&self) -> &'static [&'static str];

    /// Returns whether an anchor or event of this name is one of the form's.
    fn owns(&self, event: &str) -> bool;

    /// Returns the memories that one of its events creates.
    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created>;

    /// Returns the category of what one of its events is about.
    fn category(&self, _entry: &Entry) -> Option<Category> {
        None
    }

    /// Returns how long what one of its events is about should live; `None` if only what it creates says so.
    fn lifetime(&self, _entry: &Entry) -> Option<Lifetime> {
        None
    }

    /// Returns the id of the observation that one of its events records, which a later commit lists.
    fn observed(&self, _event: &str, _entry: &Entry, _meta: &Meta) -> Option<String> {
        None
    }

    /// Returns whether its keys name slots, in each of which at most one memory is current: the newest.
    fn has_slots(&self) -> bool {
        true
    }

    /// Returns how much a memory matters if nobody said so, from 0 to 1.
    fn importance(&self) -> f64 {
        0.8
    }

    /// Returns the default weights of recall.
    fn weights(&self) -> Weights {
        Weights { relevance: 0.65, importance: 0.20, recency: 0.15 }
    }

    /// Returns the text whose meaning stands for a memory.
    fn meaning(&self, memory: &Memory) -> String {
        memory.text.clone()
    }

    /// Returns whether consolidation compares a memory with others.
    fn is_compared(&self, _memory: &Memory) -> bool {
        false
    }

    /// Returns the fields of one of its events that hold names, besides the event's own name.
    fn names(&self, _event: &str) -> &'static [NameField] {
        &[]
    }

    /// Returns the fields of one of its events that only memtape reads, as JSON pointers: they are never redacted.
    fn bookkeeping(&self, _event: &str) -> &'static [&'static str] {
        &[]
    }

    /// Returns the types of the lines that its events have in the journal.
    fn line_types(&self) -> &'static [LineType] {
        &[]
    }

    /// Returns the type of the line that one of its events has in the journal; `None` if it has none.
    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        None
    }

    /// Returns what the line of one of its events says, given the event's `data`.
    fn line(&self, _event: &str, _data: &Value, _meta: &Meta) -> Fields {
        Fields::new()
    }

    /// Returns the one entry that creates a memory again; `meta` says the rest of it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the memory cannot be read as one of the form's, or is never created again.
    fn again(&self, memory: &Memory, how: Again, meta: Meta, given: &Given) -> Result<Draft>;

    /// Returns the one entry that removes the versions that `meta` names, of which `memory` is one.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the memory cannot be read as one of the form's, or is never removed.
    fn retire(&self, memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft>;

    /// Returns what tells two versions of a memory apart.
    fn content(&self, memory: &Memory) -> String {
        memory.text.clone()
    }

    /// Returns what tells a memory that is one of several under its key from the others; `None` if the key is enough.
    fn piece(&self, _memory: &Memory) -> Option<String> {
        None
    }

    /// Returns the number of empty lines before a memory, if they are kept beside its text.
    fn gap(&self, _memory: &Memory) -> Option<u32> {
        None
    }

    /// Returns a memory with another text, to resolve a conflict about it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a text that the form does not take, and for forms whose memories keep their texts.
    fn with_text(&self, memory: &Memory, _text: &str) -> Result<Memory> {
        let why = format!("{} has no other text than its own", memory.reference());
        Err(Error::Invalid(why).with_hint(Hint::KeepSide { value: false }))
    }

    /// Resolves what was changed on two sides since `base`, which is `None` if neither side had it before.
    fn merge(&self, base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged;
}

/// How a memory is created again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// As it is, on another branch: the same memory in a second place.
    Copy,
    /// After it was superseded or removed: a newer version that says the same.
    Restore,
}

/// What a form makes of two versions that were both changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// Ours is kept.
    Ours,
    /// Theirs is taken.
    Theirs,
    /// A version that joins them is written.
    Joined(Box<Memory>),
    /// They contradict each other.
    Conflict,
}

impl Merged {
    /// Returns what a joined version comes to; `None` and an error are conflicts.
    pub(crate) fn joined(joined: Result<Option<Memory>>) -> Self {
        joined.ok().flatten().map_or(Self::Conflict, |memory| Self::Joined(Box::new(memory)))
    }

    /// Returns which side wins; `None` is a conflict.
    pub(crate) fn side(takes_theirs: Option<bool>) -> Self {
        match takes_theirs {
            Some(true) => Self::Theirs,
            Some(false) => Self::Ours,
            None => Self::Conflict,
        }
    }
}
