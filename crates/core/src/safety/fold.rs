//! Folds a text for pattern matching: removes invisible characters, and turns full-width forms into ASCII.
//!
//! **Invariant:** any range of the folded text maps to a range of the original, at character boundaries.

use std::borrow::Cow;
use std::ops::Range;

/// A folded text, and the original place of each of its bytes.
pub(super) struct Folded<'t> {
    text: Cow<'t, str>,
    /// For each byte, the original range of its character; empty if the text is unchanged.
    places: Vec<(usize, usize)>,
}

impl<'t> Folded<'t> {
    /// Folds a text; copies it only if something changes.
    pub(super) fn new(text: &'t str) -> Folded<'t> {
        if text.is_ascii() || !text.chars().any(is_folded) {
            return Folded { text: Cow::Borrowed(text), places: Vec::new() };
        }
        let mut folded = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len());
        for (start, c) in text.char_indices() {
            if is_invisible(c) {
                continue;
            }
            folded.push(narrow(c));
            places.resize(folded.len(), (start, start + c.len_utf8()));
        }
        Folded { text: Cow::Owned(folded), places }
    }

    /// Returns the folded text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Maps a range of the folded text to the original.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        if self.places.is_empty() || range.is_empty() {
            return range.clone();
        }
        self.places[range.start].0..self.places[range.end - 1].1
    }
}

fn is_folded(c: char) -> bool {
    is_invisible(c) || narrow(c) != c
}

/// Returns whether a character is invisible wherever it occurs: joiners, direction marks, fillers, letters of
/// the tag block.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns whether a text has no visible character.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control() || is_invisible(c))
}

/// Returns the ASCII character of a full-width form, of another space or of a hyphen.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}'
        | '\u{A0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200A}'
        | '\u{202F}'
        | '\u{205F}'
        | '\u{2800}' => ' ',
        '\u{2010}'..='\u{2012}' => '-',
        _ => c,
    }
}
