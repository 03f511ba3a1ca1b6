//! The unit that a merge decides about.

use crate::memory::{Form, Ref};

/// The unit that a merge decides about: a slot of a form, or a piece of a daily note.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MergeKey {
    /// The form; units sort by the name of their form first.
    form: Form,
    /// The key within the form.
    pub key: String,
    /// Distinguishes several pieces under one key ([`crate::form::Rules::piece`]); `None` if the key is enough.
    pub piece: Option<String>,
}

impl MergeKey {
    /// Creates the unit of a form under a key; `piece` distinguishes several under one key.
    #[must_use]
    pub fn new(form: Form, key: String, piece: Option<String>) -> Self {
        Self { form, key, piece }
    }

    /// Returns the form.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the ref of the current version in the slot.
    #[must_use]
    pub fn reference(&self) -> Ref {
        Ref { form: self.form(), key: self.key.clone(), entry: None }
    }
}
