//! Detects text that only repeats what a prompt showed.
//!
//! A model repeats in its replies the memories it was shown, and people quote the replies. Without this check, each
//! turn would capture such a memory again.

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::memory::Ref;

/// With more words than this before it, the last word may be cut; a cut in a shorter text would match too
/// much.
const CUT_AFTER: usize = 2;

/// The number of digits of a year.
const YEAR: usize = 4;

/// The texts that a prompt showed.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    of_users: Vec<Vec<String>>,
    of_others: Vec<Vec<String>>,
}

impl Shown {
    /// Adds a text that users said in the conversation.
    pub fn add_of_user(&mut self, text: &str) {
        self.of_users.push(words(text));
    }

    /// Adds a memory, or the text of another participant.
    pub fn add(&mut self, text: &str) {
        self.of_others.push(words(text));
    }

    /// Returns whether a text of the agent repeats the shown texts word for word. Case, white space,
    /// punctuation and dates (which rendering adds) are ignored; every word counts, since one "not" changes
    /// the meaning. The last of several words may be cut. A text that contains a memory's ref always counts
    /// as a repetition, since only a prompt shows refs.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        let wanted = words(text);
        let all = self.of_others.iter().chain(&self.of_users);
        names_a_memory(text) || all.into_iter().any(|shown| repeats(shown, &wanted) != Repeats::No)
    }

    /// Returns the same for a text of a user. Users may repeat what users said before and mean it, so that
    /// counts as a repetition only if it is cut.
    #[must_use]
    pub fn holds_for_user(&self, text: &str) -> bool {
        let wanted = words(text);
        names_a_memory(text)
            || self.of_others.iter().any(|shown| repeats(shown, &wanted) != Repeats::No)
            || self.of_users.iter().any(|shown| repeats(shown, &wanted) == Repeats::Cut)
    }
}

/// Returns whether a text contains a ref: only a prompt writes memories so.
fn names_a_memory(text: &str) -> bool {
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '"'));
    parts.into_iter().any(|part| part.contains(':') && part.trim_end_matches('.').parse::<Ref>().is_ok())
}

/// The way in which a text repeats another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Repeats {
    No,
    /// All but the end of its last word.
    Cut,
    Whole,
}

fn repeats(shown: &[String], wanted: &[String]) -> Repeats {
    let Some((last, before)) = wanted.split_last() else { return Repeats::No };
    let may_be_cut = before.len() >= CUT_AFTER;
    let of_window = |window: &[String]| match window.split_last() {
        Some((shown_last, shown_before)) if shown_before == before => match () {
            () if shown_last == last => Repeats::Whole,
            () if may_be_cut && shown_last.starts_with(last.as_str()) => Repeats::Cut,
            () => Repeats::No,
        },
        _ => Repeats::No,
    };
    shown.windows(wanted.len()).map(of_window).max().unwrap_or(Repeats::No)
}

fn words(text: &str) -> Vec<String> {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).map(plain).collect();
    // Rendering adds the day in brackets, or part of it if the line was cut.
    let is_day = |part: &str| part.len() >= YEAR && part.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let parts = folded.split(['(', ')', '[', ']']).filter(|part| !is_day(part.trim()));
    parts.flat_map(|part| part.unicode_words()).map(str::to_owned).collect()
}

/// Unifies the characters that people and programs use as an apostrophe.
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
    fn shown_text_is_detected_despite_decoration() {
        let mut shown = Shown::default();
        shown.add("- [2026-03-04] preference: \"I don't eat pork\"");
        shown.add("我喜欢深色模式，真的");
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
            "I don't eat pork after 6",
            "don't you eat pork",
            "",
            "2026",
            "!",
        ] {
            assert!(!shown.holds(text), "{text:?}");
        }
    }

    #[test]
    fn a_number_makes_it_another_thing() {
        let mut shown = Shown::default();
        shown.add("I get up at 6 (2026-03-04)");
        assert!(shown.holds_for_user("I get up at 6 (2026-03-05)"));
        assert!(!shown.holds_for_user("I get up at 7"));
    }

    #[test]
    fn a_user_may_repeat_a_user_but_an_agent_may_not() {
        let mut shown = Shown::default();
        shown.add_of_user("hello! For today reply in Spanish, please");
        assert!(!shown.holds_for_user("for today reply in Spanish"));
        assert!(shown.holds_for_user("for today reply in Spani"));
        assert!(shown.holds("for today reply in Spanish"));
        shown.add("for today reply in Spanish");
        assert!(shown.holds_for_user("for today reply in Spanish"));
    }
}
