//! What a merge decides about.

use crate::memory::{Form, Ref};

/// What a merge decides about: a slot of a form, or a piece of a daily note.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thing {
    /// The form: things are taken in the order of their forms' names.
    form: Form,
    /// The key within the form.
    pub key: String,
    /// What tells one of several pieces under the key from the others ([`crate::forms::piece`]).
    pub piece: Option<String>,
}

impl Thing {
    /// The thing of a form under a key; `piece` tells apart several under one.
    #[must_use]
    pub fn new(form: Form, key: String, piece: Option<String>) -> Self {
        Self { form, key, piece }
    }

    /// The form.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The ref of what stands in the slot.
    #[must_use]
    pub fn reference(&self) -> Ref {
        Ref { form: self.form(), key: self.key.clone(), entry: None }
    }
}
