//! Memories as their entries create them, before they have a place in an index.

use jiff::Timestamp;

use crate::audience::Sensitivity;
use crate::category::Category;
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId, Origin};
use crate::meta::Meta;
use crate::scope::Scope;

/// A memory as its entry creates it.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    /// Its number.
    pub id: MemoryId,
    /// Its form.
    pub form: Form,
    /// What names the thing within its form.
    pub key: String,
    /// Whose it is.
    pub scope: Scope,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
    /// Who it came from.
    pub origin: Option<Origin>,
    /// What a statement is about.
    pub category: Option<Category>,
    /// How long it should live.
    pub lifetime: Lifetime,
    /// How much it matters, from 0 to 1.
    pub importance: Option<f64>,
    /// How sure it is, from 0 to 1.
    pub confidence: Option<f64>,
    /// When it was said or happened.
    pub said_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// By which rule it is never put into a prompt by itself.
    pub quarantined: Option<String>,
    /// The memory of another branch that it is a copy of.
    pub copy_of: Option<MemoryId>,
    /// What names all slots of the same subject and predicate, where the form has such.
    pub about: Option<String>,
    /// What is remembered.
    pub text: String,
    /// What else its form keeps of it, as JSON.
    pub data: Option<String>,
    /// What it is found by.
    pub search: Search,
}

impl Created {
    /// Returns what an entry's `meta` says of a memory that it creates; the form adds the rest.
    #[must_use]
    pub fn of(form: Form, id: MemoryId, meta: &Meta) -> Self {
        Self {
            id,
            form,
            key: String::new(),
            scope: meta.scope(),
            sensitivity: meta.sensitivity,
            origin: meta.origin,
            category: None,
            lifetime: Lifetime::default(),
            importance: None,
            confidence: None,
            said_at: None,
            expires_at: None,
            quarantined: meta.quarantined.clone(),
            // An entry that is a copy creates one memory.
            copy_of: meta.from.filter(|_| id == MemoryId::new(id.entry(), 0)),
            about: None,
            text: String::new(),
            data: None,
            search: Search::default(),
        }
    }
}

/// What a memory is found by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Its own words.
    pub own: String,
    /// Whether the words of the message before it in its conversation help to find it.
    pub after_previous: bool,
    /// The words of its day.
    pub day: Option<String>,
}
