//! When two texts say the same.
//!
//! Case, spaces, full-width forms, a list's bullet, and the marks that end or quote a sentence do not count. Every
//! other sign does: `C++` is not `C#`, `20 €` not `20 $`, `-5` not `5`, `10²` not `102`.
//!
//! The keys of statements and facts have their own forms, which the format defines.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::script::is_unspaced;

/// The marks that end or quote a sentence.
const MARKS: &str = ".,;:!?。、؟،؛।॥۔\"'`“”‘’„‚«»‹›「」『』";
/// The marks that begin one. A full stop or a comma may belong to a number, such as `.5`.
const OPENING: &str = "¿¡\"'`“”‘’„‚«»‹›「」『』";
const BRACKETS: &str = "()[]{}";
/// The marks that Markdown puts around words.
const EMPHASIS: &str = "*_~";
const BULLETS: [&str; 5] = ["- ", "* ", "+ ", "• ", "> "];

/// Returns a text in lower case, with single spaces and usual forms of characters; powers, fractions and other numerals
/// stay as they are.
#[must_use]
pub fn folded(text: &str) -> String {
    let mut usual = String::with_capacity(text.len());
    for part in text.split_inclusive(is_numeral) {
        let numeral = part.chars().next_back().filter(|c| is_numeral(*c));
        let rest = &part[..part.len() - numeral.map_or(0, char::len_utf8)];
        usual.extend(rest.nfkc().chain(numeral));
    }
    let lower: String = usual.chars().flat_map(char::to_lowercase).collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns what a text says: two texts with the same result say the same.
#[must_use]
pub fn said(text: &str) -> String {
    let folded = folded(text);
    let item = BULLETS.iter().find_map(|bullet| folded.strip_prefix(*bullet));
    // "- 5" may be a number.
    let item = item.filter(|item| !item.starts_with(char::is_numeric)).unwrap_or(&folded);
    match trimmed(item) {
        // A text of marks only is compared by its marks.
        "" => folded,
        said => said.to_owned(),
    }
}

/// Returns the words of a folded text that have a sign at an end, such as `c#` or `-5`.
pub fn signed_words(folded: &str) -> impl Iterator<Item = &str> {
    let is_sign = |c: char| !c.is_alphanumeric() && !is_combining_mark(c) && !EMPHASIS.contains(c);
    let is_signed = move |word: &&str| {
        let ends = [word.chars().next(), word.chars().next_back()];
        is_word(word) && ends.into_iter().flatten().any(is_sign)
    };
    folded.split(' ').map(trimmed).filter(is_signed)
}

/// Returns whether a text has every word of a query that has a sign at an end.
#[must_use]
pub fn has_signs_of(query: &str, text: &str) -> bool {
    let (query, text) = (folded(query), folded(text));
    signed_words(&query).all(|word| {
        text.match_indices(word).any(|(at, _)| {
            let (before, mut after) = (&text[..at], text[at + word.len()..].chars());
            let (next, following) = (after.next(), after.next());
            // "-5" is not in "-5.3".
            let goes_on = next.is_some_and(|c| ".,:".contains(c)) && following.is_some_and(char::is_numeric);
            before.chars().next_back().is_none_or(is_bound)
                && next.is_none_or(|c| is_bound(c) || c == '-')
                && !goes_on
        })
    })
}

/// Returns a text without the marks around it. Brackets stay in a word without letters and digits, such as `:)`.
fn trimmed(mut text: &str) -> &str {
    loop {
        let (first, last) = (text.split(' ').next(), text.rsplit(' ').next());
        let [is_first_word, is_last_word] = [first, last].map(|word| word.is_some_and(is_word));
        let opens = |c: char| c == ' ' || OPENING.contains(c) || is_first_word && BRACKETS.contains(c);
        let ends = |c: char| c == ' ' || MARKS.contains(c) || is_last_word && BRACKETS.contains(c);
        let rest = text.trim_start_matches(opens).trim_end_matches(ends);
        if rest.len() == text.len() {
            return rest;
        }
        text = rest;
    }
}

fn is_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

fn is_bound(c: char) -> bool {
    c == ' ' || c == '/' || is_unspaced(c) || [MARKS, OPENING, BRACKETS].iter().any(|marks| marks.contains(c))
}

/// Returns whether a character is a power, an index, a fraction or another numeral, whose usual form would be another
/// number: `2` for `²`.
fn is_numeral(c: char) -> bool {
    let is_full_width = ('\u{FF00}'..='\u{FFEF}').contains(&c);
    let is_power_or_index = ('\u{2070}'..='\u{209C}').contains(&c);
    !c.is_ascii() && !is_full_width && (c.is_numeric() || is_power_or_index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_say_the_same_whatever_their_case_spaces_form_and_marks() {
        for (a, b) in [
            ("I  prefer\tDark mode ", "i prefer dark mode"),
            ("I prefer dark mode.", "«I prefer dark mode!»"),
            ("- I prefer dark mode", "I prefer dark mode"),
            ("ｄａｒｋ ｍｏｄｅ", "dark mode"),
            ("我喜欢茶。", "我喜欢茶"),
            ("I program in C++.", "i program in c++"),
            ("(I owe 20 € now)", "I owe 20 € now!"),
            ("e\u{301}", "é"),
        ] {
            assert_eq!(said(a), said(b), "{a:?} {b:?}");
        }
        for (a, b) in [
            ("C", "C++"),
            ("I program in C++", "I program in C#"),
            ("grade A+", "grade A-"),
            ("20 €", "20 $"),
            ("-5 degrees", "5 degrees"),
            ("- 5 degrees", "5 degrees"),
            (".5 l", "5 l"),
            ("so it goes 😀", "so it goes 😡"),
            ("so it goes :)", "so it goes :("),
            ("10² cm", "102 cm"),
            ("½", "1⁄2"),
            (":-)", ":-("),
            ("?", "!"),
            ("I like tea", "I like tea?no"),
        ] {
            assert_ne!(said(a), said(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_word_with_a_sign_is_found_only_with_it() {
        for (query, text, is_there) in [
            ("C#", "Ana likes C#.", true),
            ("C#", "C++/C# (both)", true),
            ("C#", "Ana programs in C++", false),
            ("C+", "Ana programs in C++", false),
            ("c++", "a C++-based tool", true),
            ("temperature -5", "temperature -5 today", true),
            ("temperature -5", "temperature 5 today", false),
            ("5€", "25€", false),
            ("-5", "it is -5.3 today", false),
            ("-5", "it is -5.", true),
            ("$5", "$5,000", false),
            ("C#", "我用C#编程", true),
            ("แม่", "แม่ชอบชา", true),
            ("**tea**", "likes tea", true),
            ("tea.", "tea and milk", true),
            ("tea", "#tea", true),
        ] {
            assert_eq!(has_signs_of(query, text), is_there, "{query:?} {text:?}");
        }
    }
}
