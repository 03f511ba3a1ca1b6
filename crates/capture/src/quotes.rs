//! Finds the end of quotations and of text in parentheses.
//!
//! The closing mark of an opening mark that is never closed is searched for once per line, so the time is
//! proportional to the length of the line.

use super::Why;
use memtape_language::han::is_han;

/// Opening marks, their closing marks, and the reason for which the quotation is dropped.
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
/// A quotation of more than `QUOTE_WORDS` words or `QUOTE_CHARS` characters is a sentence of its own.
const QUOTE_WORDS: usize = 3;
/// Words whose beginning an apostrophe stands for: "'til", "'cause".
const ELISIONS: &[&str] =
    &["til", "till", "cause", "cos", "em", "n", "s", "tis", "twas", "bout", "nen", "ne", "ner"];
const QUOTE_CHARS: usize = 24;

/// Returns the length of a quotation after its opening mark, with its closing mark, and the reason for which
/// it is dropped.
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
    // "A 27\" monitor": inches.
    let is_unit = c == '"' && before.is_some_and(|before| before.is_ascii_digit());
    if is_unit || unclosed.contains(&c) {
        return None;
    }
    let Some(at) = rest.find(*closing) else {
        unclosed.push(c);
        return None;
    };
    let close = rest[at..].chars().next().map_or(0, char::len_utf8);
    Some((at + close, *why))
}

/// Returns the length of a quotation in single marks. Because these are apostrophes too, it must begin at a
/// word, end a word, and be long.
fn single(c: char, before: Option<char>, rest: &str, unclosed: &mut Vec<char>) -> Option<usize> {
    let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let opens = before.is_none_or(|c| !c.is_alphanumeric())
        && !word.is_empty()
        && !ELISIONS.contains(&&*word.to_lowercase());
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

/// Returns the length of text in parentheses after the opening one, with the closing one. After a colon it is a face, and
/// opens none: ":(", ":-(".
pub(super) fn aside(c: char, before: &str, rest: &str, unclosed: &mut Vec<char>) -> Option<usize> {
    let closing = match c {
        '(' => [')', '）'],
        '（' => ['）', ')'],
        _ => return None,
    };
    let is_face = c == '(' && before.strip_suffix(['-', '\'']).unwrap_or(before).ends_with([':', ';', '=']);
    if is_face || unclosed.contains(&c) {
        return None;
    }
    let end = rest.find(closing);
    if end.is_none() {
        unclosed.push(c);
    }
    end.map(|at| at + rest[at..].chars().next().map_or(0, char::len_utf8))
}

/// Returns whether a quotation is more than a name or a word.
pub(super) fn is_long(quoted: &str) -> bool {
    let weight: usize = quoted.chars().take(QUOTE_CHARS + 1).map(|c| if is_han(c) { 3 } else { 1 }).sum();
    // Marks may be separated from the words by spaces, as in French, and do not count as words.
    let mut words = quoted.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    weight > QUOTE_CHARS || words.nth(QUOTE_WORDS).is_some()
}
