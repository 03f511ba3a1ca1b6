//! Memories as their entries create them, before an index stores them.

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
    /// The key within the form.
    pub key: String,
    /// The scope that may see it.
    pub scope: Scope,
    /// The visibility within its scope.
    pub sensitivity: Sensitivity,
    /// The origin of the memory.
    pub origin: Option<Origin>,
    /// The category, for statements.
    pub category: Option<Category>,
    /// The lifetime.
    pub lifetime: Lifetime,
    /// The importance, from 0 to 1.
    pub importance: Option<f64>,
    /// The confidence, from 0 to 1.
    pub confidence: Option<f64>,
    /// When it was said or happened; `None` if that is not recorded.
    pub said_at: Option<Timestamp>,
    /// When it expires; `None` if it does not.
    pub expires_at: Option<Timestamp>,
    /// The rule that excludes it from prompts, unless it is asked for; `None` if it is not quarantined.
    pub quarantined: Option<String>,
    /// The memory of another branch that it is a copy of.
    pub copy_of: Option<MemoryId>,
    /// Names all slots of the same subject and predicate, for forms that have them.
    pub about: Option<String>,
    /// The remembered text.
    pub text: String,
    /// Other data of its form, as JSON.
    pub data: Option<String>,
    /// The words by which search finds it.
    pub search: Search,
}

impl Created {
    /// Returns the part of a created memory that follows from the entry's `meta`; the form adds the rest.
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
            // Only the first memory of an entry can be a copy.
            copy_of: meta.from.filter(|_| id == MemoryId::new(id.entry(), 0)),
            about: None,
            text: String::new(),
            data: None,
            search: Search::default(),
        }
    }
}

/// The words by which search finds a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The memory's own words.
    pub own: String,
    /// Whether the words of the previous message in its conversation also find it.
    pub after_previous: bool,
    /// The words of its day.
    pub day: Option<String>,
}
