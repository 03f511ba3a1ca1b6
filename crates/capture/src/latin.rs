//! Patterns over folded text.
//!
//! Most are compiled quickly: over bytes, without the tables of Unicode ([`Latin`]). A process that takes one message
//! compiles them all, and with those tables they took longer than everything else in it. Their classes have only ASCII
//! characters. Matches begin and end beside spaces and marks of folded text.

use std::ops::Range;
use std::sync::LazyLock;

use memtape_language::han::{is_han, simplify};
use memtape_language::kana::is_kana;
use regex::Regex;
use regex::bytes::{Regex as Bytes, RegexBuilder};

/// A pattern over bytes, for languages with letters.
pub(super) struct Latin(Bytes);

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

/// Compiles a pattern over characters. Its Chinese characters are simplified, as those of folded text are.
pub(super) fn simplified(pattern: &str) -> Regex {
    Regex::new(&simplify(pattern)).expect("a pattern")
}

/// A pattern for languages with letters, and another one for Chinese and Japanese. Each is compiled for the first text that it
/// may match.
pub(super) struct Pattern {
    latin: LazyLock<Latin>,
    han: LazyLock<Regex>,
}

impl Pattern {
    pub(super) const fn of(latin: fn() -> Latin, han: fn() -> Regex) -> Pattern {
        Pattern { latin: LazyLock::new(latin), han: LazyLock::new(han) }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Returns the range of the first match.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        let han = || self.han.find(text).map(|found| found.range());
        let has_han = || text.contains(|c| is_han(c) || is_kana(c));
        self.latin.find(text).or_else(|| has_han().then(han).flatten())
    }
}
