//! Splitting a file's text into sections, and joining them.
//!
//! The first section is the *preamble*: everything before the first bullet of a fact file or before the first
//! `##` heading of a block file, including a byte order mark and front matter. It has no name, and may be
//! empty. A file is a block file if it has a line `## …` outside code fences. Every other section starts with
//! the blank lines before its first line, so that appending to the file leaves the section before unchanged.
//!
//! **Invariant.** Sections partition the bytes: splitting and joining any bytes returns the same bytes.
//!
//! **Invariant.** The running time is linear in the length of the text.

use std::collections::{HashMap, HashSet};

use crate::bytes::line_end;
use crate::safety::secrets;

/// Maximum number of sections of a file; the last one contains the rest.
pub const SECTIONS_MAX: usize = 1 << 19;

/// The UTF-8 byte order mark, which some editors write.
const BOM: &[u8] = b"\xEF\xBB\xBF";
/// Maximum length of a name in characters.
const NAME_CHARS_MAX: usize = 60;
/// Maximum length of the key of a bullet in characters; anything longer is a sentence.
const KEY_CHARS_MAX: usize = 40;
/// Number of words that name a bullet without a key.
const WORDS_IN_NAME: usize = 6;
/// The name of a section without text.
const NAMELESS: &str = "(empty)";

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bullets, each of them a fact.
    Facts,
    /// Blocks under `##` headings.
    Blocks,
}

/// A line of a file.
pub(super) struct Line<'a> {
    /// The line without its line break and byte order mark.
    pub(super) text: &'a [u8],
    /// The offset of its first byte, after a byte order mark.
    pub(super) start: usize,
    /// The offset of the next line.
    pub(super) end: usize,
    /// Whether it is outside front matter and code fences.
    pub(super) is_plain: bool,
}

impl Line<'_> {
    /// Returns whether it has only white space.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }
}

/// Iterator over the lines of a file that tracks front matter and code fences.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The offset at which front matter ends.
    matter: usize,
    /// The character and the length of the open fence.
    fence: Option<(u8, usize)>,
}

/// Returns the lines of a file.
pub(super) fn lines(bytes: &[u8]) -> Lines<'_> {
    let at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    Lines { bytes, at, matter: front_matter(bytes, at), fence: None }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let (text, end) = line_at(self.bytes, self.at)?;
        let start = std::mem::replace(&mut self.at, end);
        let is_plain = start >= self.matter && !self.is_fenced(text);
        Some(Line { text, start, end, is_plain })
    }
}

impl Lines<'_> {
    /// Returns whether a line after the front matter is part of a fenced block.
    fn is_fenced(&mut self, text: &[u8]) -> bool {
        let text = text.trim_ascii();
        let sign = text.first().copied().filter(|sign| matches!(sign, b'`' | b'~'));
        let length = sign.map_or(0, |sign| text.iter().take_while(|&&byte| byte == sign).count());
        match self.fence {
            Some((open, least)) => {
                if sign == Some(open) && length >= least && length == text.len() {
                    self.fence = None;
                }
                true
            }
            None => {
                self.fence = sign
                    .filter(|&sign| {
                        // Backticks that are followed by more backticks are inline code.
                        length >= 3 && !(sign == b'`' && text[length..].contains(&b'`'))
                    })
                    .map(|sign| (sign, length));
                self.fence.is_some()
            }
        }
    }
}

/// Returns the line at an offset without its line break, and the offset of the next line.
fn line_at(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    let length = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
    let line = &rest[..length];
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    Some((text.strip_suffix(b"\r").unwrap_or(text), at + length))
}

/// Returns the end of front matter that begins at `start`; `start` if there is none or it is not closed.
fn front_matter(bytes: &[u8], start: usize) -> usize {
    let Some((b"---", mut at)) = line_at(bytes, start).map(|(text, next)| (text.trim_ascii_end(), next))
    else {
        return start;
    };
    while let Some((text, next)) = line_at(bytes, at) {
        at = next;
        if matches!(text.trim_ascii_end(), b"---" | b"...") {
            return at;
        }
    }
    start
}

/// Returns the offset of the text that a person reads: after a byte order mark and front matter.
pub(super) fn body(bytes: &[u8]) -> usize {
    lines(bytes).matter
}

/// Returns the text after the marker of an unindented bullet; `None` for any other line.
pub(super) fn bullet(line: &[u8]) -> Option<&[u8]> {
    let [b'-' | b'*' | b'+', b' ' | b'\t', rest @ ..] = line else { return None };
    (!is_break(line)).then_some(rest)
}

/// Returns whether a line is a thematic break.
fn is_break(line: &[u8]) -> bool {
    let mut signs = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    let first = signs.next();
    matches!(first, Some(b'-' | b'*')) && signs.clone().count() >= 2 && signs.all(|sign| Some(sign) == first)
}

/// Returns the level of a heading and its text; `None` for any other line.
pub(super) fn heading(line: &[u8]) -> Option<(usize, &[u8])> {
    let level = line.iter().take_while(|&&byte| byte == b'#').count();
    let rest = &line[level..];
    let is_heading = (1..=6).contains(&level) && rest.first().is_none_or(u8::is_ascii_whitespace);
    is_heading.then_some((level, rest))
}

/// Splits a file into its sections, the preamble first, and returns the kind of the file.
#[must_use]
pub fn split(bytes: &[u8]) -> (Kind, Vec<&[u8]>) {
    let (mut facts, mut blocks) = (Vec::new(), Vec::new());
    let mut blank = None;
    for line in lines(bytes) {
        if line.is_plain && line.is_blank() {
            blank.get_or_insert(line.start);
            continue;
        }
        let before = blank.take().unwrap_or(line.start);
        if !line.is_plain {
            continue;
        }
        match heading(line.text) {
            Some((2, _)) => blocks.push(before),
            // A heading before the first bullet belongs to the preamble.
            Some(_) if !facts.is_empty() => facts.push(before),
            None if bullet(line.text).is_some() => facts.push(before),
            _ => {}
        }
    }
    let (kind, mut starts) = if blocks.is_empty() { (Kind::Facts, facts) } else { (Kind::Blocks, blocks) };
    starts.truncate(SECTIONS_MAX - 1);
    let ends = starts.iter().copied().chain([bytes.len()]);
    let sections = [0].into_iter().chain(starts.iter().copied()).zip(ends).map(|(from, to)| &bytes[from..to]);
    (kind, sections.collect())
}

/// Joins sections, in order, to the text of a file.
///
/// A section without a final line break that is not the last was once the end of the file: a line break is
/// added.
#[must_use]
pub fn join<'a>(sections: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut text = Vec::new();
    for section in sections {
        let is_open = text.last().is_some_and(|&byte| byte != b'\n') && text != BOM;
        if is_open && !section.is_empty() {
            text.extend_from_slice(line_end(&text).as_bytes());
        }
        text.extend_from_slice(section);
    }
    text
}

/// Returns the name of a section: the key of its bullet or its first words, or the text of its heading.
///
/// Names are never redacted later, so secrets are removed from the name here.
#[must_use]
pub fn name(section: &[u8]) -> String {
    let first = lines(section).find(|line| !line.is_blank()).map_or(&b""[..], |line| line.text);
    let name = match (heading(first), bullet(first)) {
        (Some((_, text)), _) => plain(text).trim_end_matches('#').trim_end().to_owned(),
        (None, Some(text)) => key(text).unwrap_or_else(|| first_words(text).to_lowercase()),
        (None, None) => first_words(first).to_lowercase(),
    };
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let name = secrets::redact(&name);
    match name.trim() {
        "" => NAMELESS.to_owned(),
        name => without_version(name),
    }
}

/// What begins a section.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// A heading: its level and its text.
    Heading(usize, String),
    /// A bullet, with its key if it has one.
    Bullet(Option<String>),
    /// Any other line, or none.
    Text,
}

/// Returns what begins a section.
pub(super) fn start(section: &[u8]) -> Start {
    let first = lines(section).find(|line| !line.is_blank()).map_or(&b""[..], |line| line.text);
    match (heading(first), bullet(first)) {
        (Some((level, text)), _) => Start::Heading(level, plain(text)),
        (None, Some(text)) => Start::Bullet(key(text)),
        (None, None) => Start::Text,
    }
}

/// Returns the subject of a bullet (without its marker): the text before its first colon, if that is short.
pub(super) fn key(text: &[u8]) -> Option<String> {
    let text = plain(text);
    let (at, colon) = text.char_indices().find(|(_, c)| matches!(c, ':' | '：'))?;
    let after = text[at + colon.len_utf8()..].chars().next();
    // A colon without a space after it is part of a time or an address.
    let is_key = colon == '：' || after.is_none_or(|c| c.is_whitespace() || matches!(c, '*' | '_'));
    let key = text[..at].trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
    (is_key && !key.is_empty() && key.chars().count() <= KEY_CHARS_MAX).then(|| key.to_owned())
}

/// Returns the first words of a text, at most as long as a key.
pub(super) fn first_words(text: &[u8]) -> String {
    let text = plain(text);
    let text = text.trim_matches(|c: char| matches!(c, '*' | '_' | '`'));
    let mut words = String::new();
    for word in text.split(' ').take(WORDS_IN_NAME) {
        let longer = words.chars().count() + word.chars().count() >= KEY_CHARS_MAX;
        if !words.is_empty() && longer {
            break;
        }
        words.push_str(if words.is_empty() { "" } else { " " });
        words.extend(word.chars().take(KEY_CHARS_MAX));
    }
    words
}

/// Puts a text on one line: single spaces, no invisible characters. Only the first 4096 bytes are read.
pub(super) fn plain(text: &[u8]) -> String {
    const BYTES_READ: usize = 4096;
    let text = String::from_utf8_lossy(&text[..text.len().min(BYTES_READ)]);
    let visible = |c: &char| !c.is_control() && !matches!(c, '\u{FEFF}' | '\u{FFFD}' | '\u{200B}');
    let words = text.split_whitespace().map(|word| word.chars().filter(visible).collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Changes a name whose end could be parsed as the version of a ref, like `@44`.
fn without_version(name: &str) -> String {
    match name.rsplit_once('@') {
        Some((before, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{before} {digits}").trim_start().to_owned()
        }
        _ => name.to_owned(),
    }
}

/// Returns names for new sections that are unique among themselves and the `taken` names.
///
/// Equal names get the suffixes `~2`, `~3` in the order of their appearance.
pub(super) fn names<'a>(sections: impl Iterator<Item = &'a [u8]>, mut taken: HashSet<String>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let unique = |section: &[u8]| {
        let base = name(section);
        let count = counts.entry(base.clone()).or_insert(1);
        let mut unique = base.clone();
        while !taken.insert(unique.clone()) {
            *count += 1;
            unique = format!("{base}~{count}");
        }
        unique
    };
    sections.map(unique).collect()
}

#[cfg(test)]
pub(crate) mod tests;
