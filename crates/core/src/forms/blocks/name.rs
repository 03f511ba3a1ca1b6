//! The names of blocks.
//!
//! **Invariant.** No two names look alike: they are ASCII, in lower case, without white space.

use std::fmt;

use crate::error::{Error, Result};

/// How long a name is at most.
pub const NAME_CHARS_MAX: usize = 64;
/// How much of what is no name an error shows, in characters.
const SHOWN_CHARS: usize = 80;

/// Other words for a name.
const ALIASES: [(&str, &str); 1] = [("focus", "current_focus")];

/// What stands before a name in the key of what waits for the owner. No name holds its last character.
const PROPOSED: &str = "proposed/";

/// The name of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockName(String);

impl BlockName {
    /// Reads a name, or an alias of one.
    ///
    /// # Errors
    /// [`Error::Invalid`] for anything else, with what a name is.
    pub fn new(text: &str) -> Result<Self> {
        let text = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, name)| *name);
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
        let is_name = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(fits)
            && text.len() <= NAME_CHARS_MAX;
        if is_name {
            return Ok(Self(text.to_owned()));
        }
        let shown: String = text.chars().take(SHOWN_CHARS).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        Err(Error::Invalid(format!(
            "{:?} is no name of a block: a name begins with a letter from a to z, goes on with such letters, digits, _, - \
             or ., and has at most {NAME_CHARS_MAX}",
            shown + more
        )))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of what waits for the owner to approve it under this name.
    #[must_use]
    pub fn proposed(&self) -> String {
        format!("{PROPOSED}{self}")
    }

    /// The name whose proposal a key names; `None` for the key of a block.
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
    fn names_that_could_be_taken_for_another_are_none() {
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
