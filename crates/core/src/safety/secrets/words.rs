//! Splits a text into words and assigns each word its themes.
//!
//! **Invariant:** each character is read a bounded number of times.

use std::borrow::Cow;
use std::ops::Range;

use super::lexicon::{Themes, fold, is_unspaced, phrase, themes, unspaced};

/// A word: a run of letters and digits, a part of a camel-case identifier, or a lexicon word in a script
/// without spaces.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) range: Range<usize>,
    pub(super) themes: Themes,
    /// The hash of the word in lower case, without diacritics, with every digit as 0.
    pub(super) hash: u32,
    pub(super) line: usize,
    pub(super) sentence: usize,
}

impl Word {
    /// Returns whether the word suggests a secret.
    pub(super) fn is_speaking(&self) -> bool {
        self.themes != Themes::VALUE && !self.themes.only(Themes::SPEAKING).is_empty()
    }
}

/// Maximum length in bytes of a word that is looked up in a phrase.
const WORD_MAX: usize = 48;
/// Words that can follow the name of a secret in an identifier that still names the secret.
const AFTER: &[&str] = &[
    "value",
    "base64",
    "b64",
    "data",
    "plain",
    "plaintext",
    "text",
    "current",
    "default",
    "old",
    "new",
    "prod",
    "production",
    "dev",
    "staging",
    "test",
    "live",
    "hex",
    "str",
    "string",
];

/// Returns the words of a text, in order. The last word of a phrase carries the themes of the phrase.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut folded: Vec<Cow<str>> = Vec::new();
    let (mut line, mut sentence) = (0, 0);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if !c.is_alphanumeric() {
            at += c.len_utf8();
            if c == '\n' {
                line += 1;
                sentence += 1;
            } else if ends_sentence(text, at, c, words.last()) {
                sentence += 1;
            }
            continue;
        }
        let end = at + word_length(&text[at..]);
        let word = fold(&text[at..end]);
        words.push(Word { range: at..end, themes: themes_of(&word), hash: word_hash(&word), line, sentence });
        folded.push(word);
        at = end;
    }
    let mut index = 0;
    while index < words.len() {
        let word = |at: usize| {
            let is_near = at == 0 || is_phrase_gap(text, words.get(index + at - 1)?, words.get(index + at)?);
            folded.get(index + at).filter(|word| is_near && word.len() <= WORD_MAX).map(|word| &**word)
        };
        let (length, known) = phrase(word).unwrap_or((1, Themes::default()));
        if !known.is_empty() {
            for word in &mut words[index..index + length] {
                word.themes = word.themes.only(Themes::PLACES);
            }
            words[index + length - 1].themes = known;
        }
        index += length;
    }
    identifiers(text, &mut words, &folded);
    words
}

/// Returns the hash of a folded word. Digits hash as 0, so numbers of equal length have the same hash.
pub(super) fn word_hash(word: &str) -> u32 {
    fnv(word.bytes().map(|b| if b.is_ascii_digit() { b'0' } else { b }))
}

/// Returns the hash of a text.
pub(super) fn hash(text: &str) -> u32 {
    fnv(text.bytes())
}

/// Computes the 32-bit FNV-1a hash.
fn fnv(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the themes of a word. If it has none, returns those of the word without the number at its end.
fn themes_of(word: &str) -> Themes {
    let known = themes(word);
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if known.is_empty() && stem.len() + 2 >= word.len() && stem.len() > 2 { themes(stem) } else { known }
}

/// Returns the length in bytes of the word at the start of the text.
fn word_length(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let Some((_, first)) = characters.next() else { return 0 };
    if is_unspaced(first) {
        if let Some(length) = unspaced(text) {
            return length;
        }
        let is_end = |(at, c): &(usize, char)| !is_unspaced(*c) || unspaced(&text[*at..]).is_some();
        return characters
            .take(8)
            .find(is_end)
            .map_or_else(|| text.char_indices().nth(8).map_or(text.len(), |(at, _)| at), |(at, _)| at);
    }
    let mut last = first;
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let is_hump = c.is_ascii_uppercase()
            && (last.is_ascii_lowercase()
                || last.is_ascii_uppercase() && next.is_some_and(|next| next.is_ascii_lowercase()));
        let is_mark = matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{DFF}');
        if !c.is_alphanumeric() && !is_mark || is_unspaced(c) || is_hump {
            return at;
        }
        last = c;
    }
    text.len()
}

fn ends_sentence(text: &str, at: usize, c: char, last: Option<&Word>) -> bool {
    match c {
        '。' | '！' | '？' => true,
        '!' | '?' => text[at..].chars().next().is_none_or(char::is_whitespace),
        '.' => {
            let is_long = last.is_some_and(|last| {
                last.range.end + 1 < at
                    || last.range.len() > 3
                    || text[last.range.clone()].contains(|c: char| c.is_ascii_digit())
            });
            is_long && text[at..].chars().next().is_none_or(char::is_whitespace)
        }
        _ => false,
    }
}

fn is_phrase_gap(text: &str, before: &Word, after: &Word) -> bool {
    let gap = &text[before.range.end..after.range.start];
    gap.len() <= 3 && gap.chars().all(|c| " _-'’/".contains(c)) && before.line == after.line
}

/// Removes the themes of a word in an identifier that a later word redefines: `password_file` names a file.
fn identifiers(text: &str, words: &mut [Word], folded: &[Cow<str>]) {
    for index in 0..words.len() {
        let word = &words[index];
        let after = text[word.range.end..].chars().next();
        let before = text[..word.range.start].chars().next_back();
        // The name of a function that is called, or a part of a path or URL.
        if after == Some('(') && text[..word.range.start].ends_with(['_', '.'])
            || before.is_some_and(|c| "@/\\".contains(c)) && after.is_some_and(|c| "/\\._".contains(c))
        {
            words[index].themes = Themes::default();
            continue;
        }
        let Some(next) = words.get(index + 1) else { continue };
        let gap = &text[word.range.end..next.range.start];
        let is_joined = (matches!(gap, "" | "_" | "." | "-") || gap == "=" && folded[index + 1] == "base64")
            && !text[next.range.start..].starts_with(is_unspaced)
            && !text[..word.range.end].ends_with(is_unspaced);
        if !is_joined || word.themes.only(Themes::NAMES).is_empty() {
            continue;
        }
        if AFTER.contains(&&*folded[index + 1]) {
            words[index + 1].themes = words[index].themes;
        } else if gap == "-" && (folded[index + 1].chars().count() <= 3 || !next.themes.is_empty()) {
            let kept = words[index].themes;
            words[index + 1].themes = next.themes.with(kept);
        } else if !gap.is_empty() || next.range.len() > 1 {
            words[index].themes = Themes::default();
        }
    }
}
