//! The names of blocks.
//!
//! **Invariant.** No two names look alike: they are lower-case ASCII without white space.

use std::fmt;

use crate::error::{Error, Result};
use crate::line::truncated;

/// Maximum length of a name in characters.
pub const NAME_CHARS_MAX: usize = 64;
/// Maximum number of characters of an invalid name that an error shows.
const SHOWN_CHARS: usize = 80;

/// Aliases of names.
const ALIASES: [(&str, &str); 1] = [("focus", "current_focus")];

/// Prefix of the key of a proposal. It ends with a character that no block name contains.
const PROPOSED: &str = "proposed/";

/// The name of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockName(String);

impl BlockName {
    /// Returns the name that an alias stands for; any other text as it is.
    #[must_use]
    pub fn resolved(text: &str) -> &str {
        ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, name)| *name)
    }

    /// Parses a name or an alias.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the text is not a valid name; the message states the rules.
    pub fn new(text: &str) -> Result<Self> {
        let text = Self::resolved(text);
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
        let is_name = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(fits)
            && text.len() <= NAME_CHARS_MAX;
        if is_name {
            return Ok(Self(text.to_owned()));
        }
        Err(Error::Invalid(format!(
            "invalid block name {:?}: a name starts with a letter from a to z, contains only such \
             letters, digits, _, - and ., and has at most {NAME_CHARS_MAX} characters",
            truncated(text, SHOWN_CHARS, "…")
        )))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the key of the pending proposal for this name.
    #[must_use]
    pub fn proposed(&self) -> String {
        format!("{PROPOSED}{self}")
    }

    /// Returns the name from the key of a proposal; `None` for any other key.
    #[must_use]
    pub fn of_proposed(key: &str) -> Option<Self> {
        Self::new(key.strip_prefix(PROPOSED)?).ok()
    }
}

impl fmt::Display for BlockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ambiguous_names_are_invalid() {
        for name in ["a", "persona", "current_focus", "bud-state.v2", &"a".repeat(NAME_CHARS_MAX)] {
            assert_eq!(BlockName::new(name).unwrap().as_str(), name);
        }
        let long = "a".repeat(NAME_CHARS_MAX + 1);
        for name in [
            "",
            "Persona",
            "persona ",
            " persona",
            "pеrsona",
            "persona\u{200b}",
            "1a",
            "_a",
            "../a",
            "a/b",
            "a@1",
            &long,
        ] {
            assert!(BlockName::new(name).is_err(), "{name:?}");
        }
        let proposed = BlockName::new("persona").unwrap().proposed();
        assert!(BlockName::new(&proposed).is_err());
        assert_eq!(BlockName::of_proposed(&proposed).unwrap().as_str(), "persona");
        assert_eq!(BlockName::of_proposed("persona"), None);
    }
}
