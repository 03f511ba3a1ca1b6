//! Edits of a text by position.

use std::ops::Range;

/// The replacement of a part of a text. Positions are in bytes of the text before any replacement.
#[derive(Debug)]
pub(crate) struct Splice {
    range: Range<usize>,
    text: String,
}

impl Splice {
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    pub(crate) fn delete(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }

    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }
}

/// A text without memtape's parts.
pub(crate) struct Removed {
    pub(crate) text: String,
    /// The position of a server named `memtape` that does not run memtape, which therefore stays.
    pub(crate) foreign: Option<usize>,
}

/// Returns the text after the replacements, which do not overlap. Insertions at one position keep their order.
pub(crate) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let mut out = String::with_capacity(text.len() + 1024);
    let mut done = 0;
    for splice in splices {
        out.push_str(&text[done..splice.range.start]);
        out.push_str(&splice.text);
        done = splice.range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns the line end that a text uses: that of its first line.
pub(crate) fn newline(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns the text without one line end at its end.
pub(crate) fn without_newline(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

/// Returns the white space at the beginning of the line that contains a position.
pub(crate) fn indentation(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let length = text[line..at].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[line..line + length]
}
