//! Purpose: where quotations and asides end.
//!
//! A mark that nothing closes on its line is looked for once, so a line takes time in proportion to its length.

use super::Why;
use super::han::is_han;

/// Marks that open a quotation, those that close it, and why it is dropped.
const QUOTES: [(char, &[char], Why); 12] = [
    ('“', &['”', '“'], Why::Quoted),
    ('„', &['“', '”'], Why::Quoted),
    ('«', &['»'], Why::Quoted),
    ('»', &['«'], Why::Quoted),
    ('‹', &['›'], Why::Quoted),
    ('「', &['」'], Why::Quoted),
    ('『', &['』'], Why::Quoted),
    ('《', &['》'], Why::Quoted),
    ('"', &['"'], Why::Quoted),
    ('`', &['`'], Why::Code),
    ('🎵', &['🎵', '🎶'], Why::Quoted),
    ('🎶', &['🎶', '🎵'], Why::Quoted),
];
/// A quotation of more words than this, or more letters, is a sentence of its own.
const QUOTE_WORDS: usize = 3;
const QUOTE_CHARS: usize = 24;

/// The length of a quotation after its opening mark, with its closing mark, and why it is dropped.
pub(super) fn quotation(
    c: char,
    before: Option<char>,
    rest: &str,
    unclosed: &mut Vec<char>,
) -> Option<(usize, Why)> {
    if c == '\'' || c == '‘' {
        return single(c, before, rest, unclosed).map(|end| (end, Why::Quoted));
    }
    let (_, closing, why) = QUOTES.iter().find(|(open, ..)| *open == c)?;
    if unclosed.contains(&c) {
        return None;
    }
    let Some(at) = rest.find(*closing) else {
        unclosed.push(c);
        return None;
    };
    let close = rest[at..].chars().next().map_or(0, char::len_utf8);
    Some((at + close, *why))
}

/// A quotation in single marks, which are apostrophes too: it begins a word, and ends one some words later.
fn single(c: char, before: Option<char>, rest: &str, unclosed: &mut Vec<char>) -> Option<usize> {
    let opens = before.is_none_or(|c| !c.is_alphanumeric()) && rest.starts_with(char::is_alphabetic);
    if !opens || unclosed.contains(&c) {
        return None;
    }
    let ends = |(at, mark): (usize, &str)| {
        let before = rest[..at].chars().next_back()?;
        let after = rest[at + mark.len()..].chars().next();
        let is_end = !before.is_whitespace() && after.is_none_or(|c| !c.is_alphanumeric());
        is_end.then_some(at + mark.len())
    };
    let end = rest.match_indices(['\'', '’']).find_map(ends);
    if end.is_none() {
        unclosed.push(c);
    }
    end.filter(|&end| is_long(&rest[..end]))
}

/// The length of what stands in parentheses, after the opening one, with the closing one.
pub(super) fn aside(c: char, rest: &str, unclosed: &mut Vec<char>) -> Option<usize> {
    let closing = match c {
        '(' => [')', '）'],
        '（' => ['）', ')'],
        _ => return None,
    };
    if unclosed.contains(&c) {
        return None;
    }
    let end = rest.find(closing);
    if end.is_none() {
        unclosed.push(c);
    }
    end.map(|at| at + rest[at..].chars().next().map_or(0, char::len_utf8))
}

/// Tells whether a quotation is more than a name or a word.
pub(super) fn is_long(quoted: &str) -> bool {
    let weight: usize = quoted.chars().take(QUOTE_CHARS + 1).map(|c| if is_han(c) { 3 } else { 1 }).sum();
    // A mark may stand apart from the words, as French ones do.
    let mut words = quoted.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    weight > QUOTE_CHARS || words.nth(QUOTE_WORDS).is_some()
}
