//! Detects text that only repeats what a prompt showed.
//!
//! A model repeats in its replies the memories it was shown, and people quote the replies. Without this check, each
//! turn would capture such a memory again.

use jiff::civil::Date;
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::memory::Ref;
use crate::same;

/// With more words than this before it, the last word may be cut; a cut in a shorter text would match too
/// much.
const CUT_AFTER: usize = 2;

/// The lengths of a year and of a date, 2026-02-10.
const YEAR: usize = 4;
const DATE: usize = 10;

/// The texts that a prompt showed.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    of_users: Vec<ShownText>,
    of_others: Vec<ShownText>,
}

#[derive(Clone, Debug)]
struct ShownText {
    text: String,
    words: Vec<Word>,
}

/// A text that may repeat what a prompt showed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'t> {
    /// The text.
    pub text: &'t str,
    /// The day that its words mean, such as "tomorrow"; `None` if they mean none, or state its date.
    pub date: Option<Date>,
    /// Whether it ends with an ellipsis.
    pub is_cut: bool,
}

/// A word of a text.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    /// The date in brackets after it.
    date: Option<Date>,
}

impl Shown {
    /// Adds a text that users said in the conversation.
    pub fn add_of_user(&mut self, text: &str) {
        self.of_users.push(ShownText::of(text));
    }

    /// Adds a memory, or the text of another participant.
    pub fn add(&mut self, text: &str) {
        self.of_others.push(ShownText::of(text));
    }

    /// Returns whether a text of the agent repeats the shown texts word for word. Case, white space,
    /// punctuation and dates (which rendering adds) are ignored, unless the text means another day; every word
    /// counts, since one "not" changes the meaning. The last of several words may be cut, as a reply may end
    /// anywhere. A text that contains a memory's ref always counts as a repetition, since only a prompt shows refs.
    #[must_use]
    pub fn holds(&self, said: &Said<'_>) -> bool {
        let wanted = words(said.text);
        let means = |window: &[Word]| said.date.is_none_or(|date| names(window, date) || !has_date(window));
        let mut all = self.of_others.iter().chain(&self.of_users);
        names_a_memory(said.text)
            || all.any(|shown| repeats(&shown.words, &wanted, true, means) != Repeats::No)
    }

    /// Returns the same for a text of a user. Users may repeat what users said before and mean it, so that
    /// counts as a repetition only if it is cut. They type whole words: the last one is cut only if an ellipsis
    /// says so. And what they say of a day is new, unless the day was shown, as is what differs in a sign: `C#` after
    /// `C++`.
    #[must_use]
    pub fn holds_for_user(&self, said: &Said<'_>) -> bool {
        let wanted = words(said.text);
        let means = |window: &[Word]| said.date.is_none_or(|date| names(window, date));
        let repeats = |shown: &ShownText| match repeats(&shown.words, &wanted, said.is_cut, means) {
            Repeats::Whole if !same::has_signs_of(said.text, &shown.text) => Repeats::No,
            other => other,
        };
        names_a_memory(said.text)
            || self.of_others.iter().any(|shown| repeats(shown) != Repeats::No)
            || self.of_users.iter().any(|shown| repeats(shown) == Repeats::Cut)
    }
}

impl ShownText {
    fn of(text: &str) -> Self {
        Self { text: text.to_owned(), words: words(text) }
    }
}

/// Returns whether a text contains a ref: only a prompt writes memories so.
fn names_a_memory(text: &str) -> bool {
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '"'));
    parts.into_iter().any(|part| part.contains(':') && part.trim_end_matches('.').parse::<Ref>().is_ok())
}

/// Returns whether one of the words has the date after it.
fn names(words: &[Word], date: Date) -> bool {
    words.iter().any(|word| word.date == Some(date))
}

/// Returns whether one of the words has any date after it.
fn has_date(words: &[Word]) -> bool {
    words.iter().any(|word| word.date.is_some())
}

/// The way in which a text repeats another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Repeats {
    No,
    /// All but the end of its last word.
    Cut,
    Whole,
}

/// Returns how a shown text contains the wanted words; `means` tells whether a part of it may mean the same day.
fn repeats(shown: &[Word], wanted: &[Word], may_be_cut: bool, means: impl Fn(&[Word]) -> bool) -> Repeats {
    let Some((last, before)) = wanted.split_last() else { return Repeats::No };
    let may_be_cut = may_be_cut && before.len() >= CUT_AFTER;
    let is_same = |(one, other): (&Word, &Word)| one.text == other.text;
    let of_window = |window: &[Word]| match window.split_last() {
        Some((shown_last, shown_before)) if shown_before.iter().zip(before).all(is_same) => match () {
            () if !means(window) => Repeats::No,
            () if shown_last.text == last.text => Repeats::Whole,
            () if may_be_cut && shown_last.text.starts_with(&last.text) => Repeats::Cut,
            () => Repeats::No,
        },
        _ => Repeats::No,
    };
    shown.windows(wanted.len()).map(of_window).max().unwrap_or(Repeats::No)
}

fn words(text: &str) -> Vec<Word> {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).map(plain).collect();
    let mut words: Vec<Word> = Vec::new();
    let mut before = "";
    for part in folded.split(['(', ')', '[', ']']) {
        let day = part.trim().trim_end_matches('.');
        if is_day(day) {
            // At the beginning of a line, it is that of what follows.
            let is_after = before.trim_end_matches(' ').ends_with(char::is_alphanumeric);
            if let Some(last) = words.last_mut().filter(|_| is_after) {
                last.date = day.parse().ok();
            }
        } else {
            words.extend(part.unicode_words().map(|word| Word { text: word.to_owned(), date: None }));
        }
        before = part;
    }
    words
}

/// Returns whether a text in brackets is a date, which rendering adds, or a part of one if the line was cut.
fn is_day(text: &str) -> bool {
    let is_of_date = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    (YEAR + 1..=DATE).contains(&text.len()) && text.bytes().enumerate().all(is_of_date)
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

    fn said(text: &str) -> Said<'_> {
        Said { text, ..Said::default() }
    }

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
            assert!(shown.holds(&said(text)), "{text:?}");
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
            assert!(!shown.holds(&said(text)), "{text:?}");
        }
    }

    #[test]
    fn a_number_makes_it_another_thing() {
        let mut shown = Shown::default();
        shown.add("I get up at 6 (2026-03-04)");
        shown.add("Our bus line is (2041)");
        assert!(shown.holds_for_user(&said("I get up at 6 (2026-03-05)")));
        assert!(shown.holds_for_user(&said("our bus line is 2041")));
        for text in ["I get up at 7", "our bus line is (2042)"] {
            assert!(!shown.holds_for_user(&said(text)), "{text}");
        }
    }

    #[test]
    fn a_user_may_repeat_a_user_but_an_agent_may_not() {
        let mut shown = Shown::default();
        shown.add_of_user("hello! For today reply in Spanish, please");
        let cut = Said { is_cut: true, ..said("for today reply in Spani") };
        assert!(!shown.holds_for_user(&said("for today reply in Spanish")));
        assert!(shown.holds_for_user(&cut));
        assert!(shown.holds(&said("for today reply in Spanish")));
        shown.add("for today reply in Spanish");
        assert!(shown.holds_for_user(&said("for today reply in Spanish")));
    }

    #[test]
    fn a_sign_makes_it_another_thing_for_a_user() {
        let mut shown = Shown::default();
        shown.add("- [2026-03-04] fact: \"I program in C++\"");
        assert!(shown.holds_for_user(&said("I program in C++!")));
        assert!(!shown.holds_for_user(&said("I program in C#")));
        assert!(shown.holds_for_user(&said("I **program** in C++")));
    }

    #[test]
    fn the_beginning_of_a_word_is_another_word_unless_it_is_cut() {
        for (before, now) in [
            ("My office is in room 21", "My office is in room 2"),
            ("My cat is called Tommy", "My cat is called Tom"),
        ] {
            let mut shown = Shown::default();
            shown.add(before);
            shown.add_of_user(before);
            assert!(!shown.holds_for_user(&said(now)), "{now}");
            assert!(shown.holds_for_user(&Said { is_cut: true, ..said(now) }), "{now}");
            assert!(shown.holds(&said(now)), "{now}");
        }
    }

    #[test]
    fn the_same_words_mean_another_day_another_time() {
        let mut shown = Shown::default();
        shown.add("- [2026-03-03] event: \"I see the dentist tomorrow (2026-03-04) at 9\"");
        for (text, day, repeats) in [
            ("I see the dentist tomorrow (2026-03-04) at 9", 4, true),
            ("I see the dentist tomorrow (2026-03-05) at 9", 5, false),
            ("I see the dentist tomorrow (2026-03-03) at 9", 3, false),
        ] {
            let said = Said { date: Some(jiff::civil::date(2026, 3, day)), ..said(text) };
            assert_eq!((shown.holds(&said), shown.holds_for_user(&said)), (repeats, repeats), "{text}");
        }
        // The agent repeats at once, without the date, what the user has just said.
        shown.add_of_user("we decided to meet tomorrow");
        let date = Some(jiff::civil::date(2026, 3, 5));
        assert!(shown.holds(&Said { date, ..said("we decided to meet tomorrow (2026-03-05)") }));
    }
}
