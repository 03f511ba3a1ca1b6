//! Patterns that are compiled quickly: over bytes, without the tables of Unicode. A process that takes one message compiles
//! them all, and with those tables they took longer than everything else in it.
//!
//! Their classes have only ASCII characters. Matches begin and end beside spaces and marks of folded text.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

/// A pattern over folded text.
pub(super) struct Latin(Regex);

impl Latin {
    pub(super) fn of(pattern: &str) -> Latin {
        Latin(RegexBuilder::new(pattern).unicode(false).build().expect("a pattern"))
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text.as_bytes())
    }

    /// Returns the range of the first match.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        self.0.find(text.as_bytes()).map(|found| found.range())
    }
}
