//! Names that people and agents choose: whether they contain a secret, and where entries contain them.
//!
//! **Invariant.** A name is never redacted, since lookups depend on it: a new name that contains a secret is rejected.

use std::fmt;

use memtape_tape::Hash;

use super::secrets::find_in_name;
use crate::session::decode;

/// The kinds of secrets that ids of chats and users can resemble: numbers.
const NUMBERS: [&str; 4] = ["card-number", "iban", "pin", "social-security-number"];

/// A sort of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Named {
    what: &'static str,
    /// Whether it is an id assigned by a channel, which may be any number.
    is_id: bool,
    /// Whether it is derived from other texts, which are redacted first.
    is_derived: bool,
}

impl Named {
    /// A branch.
    pub const BRANCH: Self = Self::of_kind("a branch");
    /// An anchor or an event.
    pub const ENTRY: Self = Self::of_kind("an anchor or an event");
    /// A file.
    pub const FILE: Self = Self::of_kind("a file");
    /// A note.
    pub const NOTE: Self = Self::of_kind("a note");
    /// A section of a note.
    pub const SECTION: Self = Self { is_derived: true, ..Self::of_kind("a section") };
    /// A block.
    pub const BLOCK: Self = Self::of_kind("a block");
    /// A conversation.
    pub const CONVERSATION: Self = Self { is_id: true, ..Self::of_kind("a conversation") };
    /// A chat or a user.
    pub const SCOPE: Self = Self { is_id: true, ..Self::of_kind("a chat or a user") };

    /// Returns a kind of chosen names; messages call it `what`, with its article.
    #[must_use]
    pub const fn of_kind(what: &'static str) -> Self {
        Self { what, is_id: false, is_derived: false }
    }

    /// Returns whether names of this sort are derived from other texts, which are redacted first.
    #[must_use]
    pub fn is_derived(self) -> bool {
        self.is_derived
    }

    /// Returns the secret in a name of this sort; `None` if it holds none.
    #[must_use]
    pub fn secret_in(self, name: &str) -> Option<SecretName> {
        let kind = if self.is_id {
            let finds = find_in_name(&decode(name));
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

/// A name that contains a secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SecretName {
    /// The sort of the name.
    pub of: Named,
    /// The kind of the secret, like `github-token`.
    pub kind: &'static str,
    /// The digest of the name, which identifies it without revealing it.
    pub digest: Hash,
}

/// A field of an anchor or event that holds one or more names.
#[derive(Clone, Copy, Debug)]
pub struct NameField {
    /// Its place in the payload, as a JSON pointer in which `*` is every item of a list.
    pub at: &'static str,
    /// The sort of the names.
    pub of: Named,
}

/// Returns the kind of the secret in a chosen name, like that of a branch or a file; `None` if it holds none.
#[must_use]
pub fn secret_in_name(name: &str) -> Option<&'static str> {
    find_in_name(name).first().map(|found| found.kind)
}
