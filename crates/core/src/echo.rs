//! Whether somebody only repeats what a prompt was given.
//!
//! What a model was shown comes back in its replies, and in what people quote of them. Captured again, each turn would
//! make one memory two.

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::memory::Ref;

/// After so many words the last one may be cut: in a shorter text it says too much.
const CUT_AFTER: usize = 3;

/// Texts that were shown, to compare others with.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    texts: Vec<Vec<String>>,
}

impl Shown {
    /// What these texts show.
    #[must_use]
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self { texts: texts.into_iter().map(words).collect() }
    }

    /// Whether a text stands word for word in what was shown. Case, white space, punctuation and numbers (which a
    /// rendering adds as dates) do not matter; every word does, for one "not" makes it another thing. The last word of
    /// several may be cut. What names a memory by its ref was copied from a prompt, whichever.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        let wanted = words(text);
        names_a_memory(text) || !wanted.is_empty() && self.texts.iter().any(|shown| contains(shown, &wanted))
    }
}

/// Whether a ref stands in a text: only a prompt writes memories so.
fn names_a_memory(text: &str) -> bool {
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '"'));
    parts.into_iter().any(|part| part.contains(':') && part.trim_end_matches('.').parse::<Ref>().is_ok())
}

fn contains(shown: &[String], wanted: &[String]) -> bool {
    let Some((last, before)) = wanted.split_last() else { return false };
    let may_be_cut = before.len() >= CUT_AFTER;
    shown.windows(wanted.len()).any(|window| {
        let Some((shown_last, shown_before)) = window.split_last() else { return false };
        shown_before == before && (shown_last == last || may_be_cut && shown_last.starts_with(last.as_str()))
    })
}

fn words(text: &str) -> Vec<String> {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).map(plain).collect();
    let says = |word: &&str| word.chars().any(char::is_alphabetic);
    folded.unicode_words().filter(says).map(str::to_owned).collect()
}

/// One sign for the apostrophe, which people and programs write in several ways.
fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{2BC}' => '\'',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_is_known_again_however_it_is_decorated() {
        let shown = Shown::of(["- [2026-03-04] preference: \"I don't eat pork\"", "我喜欢深色模式，真的"]);
        for text in [
            "I don’t eat pork!",
            "i DON'T eat  pork (2026-03-05)",
            "我喜欢深色模式",
            "I don't eat po…",
            "I like tea (messages:21@21).",
        ] {
            assert!(shown.holds(text), "{text:?}");
        }
        for text in [
            "I eat pork",
            "I don't eat pork or beef",
            "two messages: I like tea",
            "don't you eat pork",
            "",
            "2026",
            "!",
        ] {
            assert!(!shown.holds(text), "{text:?}");
        }
    }
}
