//! Names that people and agents give: which hold a secret, and where entries hold names.
//!
//! **Invariant.** A name is never redacted, or nothing could be found again: one that holds a secret is refused where it
//! enters.

use std::fmt;

use memtape_tape::Hash;

use super::secrets::find;
use crate::session::decode;

/// Kinds that ids of chats and users can look like: numbers.
const NUMBERS: [&str; 3] = ["card-number", "iban", "pin"];

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Named {
    what: &'static str,
    /// Whether it is an id that a channel gives out, which may be any number.
    is_id: bool,
    /// Whether it follows from other texts, which are redacted before.
    is_derived: bool,
}

impl Named {
    /// A branch.
    pub const BRANCH: Self = Self::given("a branch");
    /// An anchor or an event.
    pub const ENTRY: Self = Self::given("an anchor or an event");
    /// A file.
    pub const FILE: Self = Self::given("a file");
    /// A note.
    pub const NOTE: Self = Self::given("a note");
    /// A section of a note.
    pub const SECTION: Self = Self { is_derived: true, ..Self::given("a section") };
    /// A block.
    pub const BLOCK: Self = Self::given("a block");
    /// A conversation.
    pub const CONVERSATION: Self = Self { is_id: true, ..Self::given("a conversation") };
    /// A chat or a user.
    pub const SCOPE: Self = Self { is_id: true, ..Self::given("a chat or a user") };

    /// Returns a sort of names that somebody gives, called `what` in messages, with its article.
    #[must_use]
    pub const fn given(what: &'static str) -> Self {
        Self { what, is_id: false, is_derived: false }
    }

    /// Returns whether names of this sort follow from other texts, which are redacted before.
    #[must_use]
    pub fn is_derived(self) -> bool {
        self.is_derived
    }

    /// Returns the secret in a name of this sort.
    #[must_use]
    pub fn secret_in(self, name: &str) -> Option<SecretName> {
        let kind = if self.is_id {
            let finds = find(&decode(name));
            finds.into_iter().map(|found| found.kind).find(|kind| !NUMBERS.contains(kind))
        } else {
            secret_in_name(name)
        };
        kind.map(|kind| SecretName { of: self, kind, digest: Hash::of(name.as_bytes()) })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

/// A name that holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SecretName {
    /// What it names.
    pub of: Named,
    /// What the secret is, like `github-token`.
    pub kind: &'static str,
    /// The digest of the name, which tells it from others without saying it.
    pub digest: Hash,
}

/// A field of an anchor or event that holds a name, or several.
#[derive(Clone, Copy, Debug)]
pub struct NameField {
    /// Where it stands in the payload, as a JSON pointer in which `*` is every item of a list.
    pub at: &'static str,
    /// What it names.
    pub of: Named,
}

/// Returns the kind of the secret in a name that people give, like that of a branch or a file.
#[must_use]
pub fn secret_in_name(name: &str) -> Option<&'static str> {
    find(name).first().map(|found| found.kind)
}
