//! Folds a text for pattern matching: removes invisible characters, turns full-width forms into ASCII, and CRLF into a line
//! feed.
//!
//! **Invariant:** any range of the folded text maps to a range of the original, at character boundaries.

use std::borrow::Cow;
use std::ops::Range;

/// A folded text, and the original places of its characters.
pub(super) struct Folded<'t> {
    text: Cow<'t, str>,
    /// The runs of the folded text, in order; empty if the text is unchanged.
    runs: Vec<Run>,
}

/// A part of the folded text that lies in the original as it is, or one character in place of another one.
struct Run {
    /// The offset in the folded text.
    folded: usize,
    /// The offset in the original.
    original: usize,
    /// The length of the character that was replaced; 0 if the run is unchanged.
    replaced: usize,
}

impl<'t> Folded<'t> {
    /// Folds a text; copies it only if something changes.
    pub(super) fn new(text: &'t str) -> Folded<'t> {
        let is_unchanged = if text.is_ascii() {
            !text.contains('\r')
        } else {
            !text.chars().any(|c| c == '\r' || is_invisible(c) || narrow(c) != c)
        };
        if is_unchanged {
            return Folded { text: Cow::Borrowed(text), runs: Vec::new() };
        }
        let mut folded = String::with_capacity(text.len());
        let mut runs: Vec<Run> = Vec::new();
        let mut is_new = true;
        for (start, c) in text.char_indices() {
            // A label and the value below it are separated by one line end, on every system.
            let is_dropped = is_invisible(c) || c == '\r' && text[start + 1..].starts_with('\n');
            let narrow = narrow(c);
            let replaced = if narrow == c { 0 } else { c.len_utf8() };
            if !is_dropped {
                if is_new || replaced > 0 {
                    runs.push(Run { folded: folded.len(), original: start, replaced });
                }
                folded.push(narrow);
            }
            is_new = is_dropped || replaced > 0;
        }
        Folded { text: Cow::Owned(folded), runs }
    }

    /// Returns the folded text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Maps a range of the folded text to the original.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        if self.runs.is_empty() || range.is_empty() {
            return range.clone();
        }
        let run = |at: usize| &self.runs[self.runs.partition_point(|run| run.folded <= at) - 1];
        let (first, last) = (run(range.start), run(range.end - 1));
        let end = match last.replaced {
            0 => last.original + (range.end - last.folded),
            length => last.original + length,
        };
        first.original + (range.start - first.folded)..end
    }
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
