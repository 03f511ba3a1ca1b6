//! Splits a Markdown text into bullets and paragraphs.
//!
//! **Invariant.** Every word of the text is part of a piece, except headings, rules, comments, stamps and
//! bullet markers.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_core::{Category, calendar};

use super::files::category_of;

/// The width of a tab, in columns.
const TAB: usize = 4;
/// The width of a bullet marker with its space, which is how far sub-bullets are indented.
const BULLET: usize = 2;

/// A bullet with what belongs to it, or a paragraph.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The number of its first line, from 1.
    pub(super) line: usize,
    /// The text. Wrapped lines are joined; sub-bullets are on lines of their own.
    pub(super) text: String,
    /// The category of the headings above it.
    pub(super) category: Option<Category>,
    /// The time of the stamp that it begins with.
    pub(super) stamp: Option<Timestamp>,
}

/// Returns the pieces of a text. Stamps without an offset are in `zone`.
pub(super) fn pieces(text: &str, zone: &TimeZone) -> Vec<Piece> {
    let mut reader = Reader::new(zone);
    // Files of other programs may begin with a byte order mark.
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        reader.line(line, number);
    }
    reader.close();
    reader.pieces
}

struct Reader<'a> {
    zone: &'a TimeZone,
    pieces: Vec<Piece>,
    open: Option<Open>,
    /// The headings above, each with its level.
    headings: Vec<(usize, String)>,
    /// The marker that closes the current code block.
    fence: Option<&'static str>,
    in_comment: bool,
    /// Whether the previous line was empty.
    after_gap: bool,
}

/// A piece that is not complete yet.
struct Open {
    line: usize,
    /// The indentation of a bullet; `None` for a paragraph.
    indent: Option<usize>,
    text: String,
    /// Whether the next line must not be joined to the last one.
    is_broken: bool,
}

impl<'a> Reader<'a> {
    fn new(zone: &'a TimeZone) -> Self {
        Self {
            zone,
            pieces: Vec::new(),
            open: None,
            headings: Vec::new(),
            fence: None,
            in_comment: false,
            after_gap: false,
        }
    }

    fn line(&mut self, line: &str, number: usize) {
        if let Some(fence) = self.fence {
            self.code(line, number);
            if line.trim().starts_with(fence) {
                self.fence = None;
            }
            return;
        }
        let shown = self.without_comments(line);
        let text = shown.trim();
        if text.is_empty() {
            self.after_gap = true;
            return;
        }
        let indent = shown.chars().take_while(|c| c.is_whitespace()).map(width).sum();
        self.text(text, indent, number);
        self.after_gap = false;
    }

    /// Handles a line with text.
    fn text(&mut self, text: &str, indent: usize, number: usize) {
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence)) {
            if self.after_gap && !self.belongs(indent) {
                self.close();
            }
            self.code(&format!("{}{text}", " ".repeat(indent)), number);
            // A code block may begin and end on one line.
            self.fence = Some(fence).filter(|fence| !text[fence.len()..].contains(*fence));
        } else if let Some((level, title)) = heading(text) {
            self.close();
            self.headings.retain(|(above, _)| *above < level);
            self.headings.push((level, title.to_owned()));
        } else if is_rule(text) {
            self.close();
        } else if let Some(rest) = bullet(text) {
            match &mut self.open {
                Some(Open { indent: Some(above), text: joined, is_broken, .. }) if *above < indent => {
                    joined.push_str(&format!(
                        "\n{}{text}",
                        " ".repeat((indent - *above).saturating_sub(BULLET))
                    ));
                    *is_broken = false;
                }
                _ => self.begin(Some(indent), rest, number),
            }
        } else if !self.belongs(indent) && (self.after_gap || stamped(text, self.zone).is_some()) {
            self.begin(None, text, number);
        } else {
            self.join(text, number);
        }
    }

    /// Returns whether a line with this indentation belongs to the current bullet.
    fn belongs(&self, indent: usize) -> bool {
        matches!(&self.open, Some(Open { indent: Some(above), .. }) if *above < indent)
    }

    fn begin(&mut self, indent: Option<usize>, text: &str, line: usize) {
        self.close();
        self.open = Some(Open { line, indent, text: text.to_owned(), is_broken: false });
    }

    fn join(&mut self, text: &str, number: usize) {
        let after_gap = self.after_gap;
        let Some(open) = &mut self.open else { return self.begin(None, text, number) };
        // Rows of tables and lines of quotations are never wrapped, so they are not joined.
        let is_row = text.starts_with(['|', '>']);
        open.text.push(if after_gap || open.is_broken || is_row { '\n' } else { ' ' });
        open.text.push_str(text);
        open.is_broken = false;
    }

    /// Adds a line of code unchanged.
    fn code(&mut self, line: &str, number: usize) {
        match &mut self.open {
            Some(open) => {
                open.text.push('\n');
                open.text.push_str(line.trim_end());
            }
            None => self.begin(None, line.trim_end(), number),
        }
        if let Some(open) = &mut self.open {
            open.is_broken = true;
        }
    }

    fn close(&mut self) {
        let Some(Open { line, text, .. }) = self.open.take() else { return };
        let (stamp, text) = match stamped(&text, self.zone) {
            Some((stamp, rest)) => (Some(stamp), rest.to_owned()),
            None => (None, text),
        };
        if text.chars().any(char::is_alphanumeric) {
            let category = self.headings.iter().rev().find_map(|(_, title)| category_of(title));
            self.pieces.push(Piece { line, text, category, stamp });
        }
    }

    /// Returns a line without HTML comments, which may span several lines.
    fn without_comments(&mut self, line: &str) -> String {
        let mut shown = String::new();
        let mut rest = line;
        loop {
            let (sign, length) = if self.in_comment { ("-->", 3) } else { ("<!--", 4) };
            let found = rest.find(sign);
            if !self.in_comment {
                shown.push_str(&rest[..found.unwrap_or(rest.len())]);
            }
            let Some(at) = found else { return shown };
            rest = &rest[at + length..];
            self.in_comment = !self.in_comment;
        }
    }
}

fn width(c: char) -> usize {
    if c == '\t' { TAB } else { 1 }
}

/// Parses `## Title` into its level and title.
fn heading(text: &str) -> Option<(usize, &str)> {
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading = (1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// Returns whether a line is a horizontal rule.
fn is_rule(text: &str) -> bool {
    ['-', '*', '_', '=']
        .into_iter()
        .any(|sign| text.matches(sign).count() >= 3 && text.chars().all(|c| c == sign || c.is_whitespace()))
}

/// Returns the text after a bullet marker: `-`, `*`, `+`, `1.` or `1)`.
fn bullet(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+']),
        1..=9 => text[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    rest.and_then(|rest| rest.strip_prefix([' ', '\t'])).map(str::trim_start)
}

/// Parses a text that begins with `[YYYY-MM-DD HH:MM]`, in `zone`, or with `[YYYY-MM-DD HH:MM:SS UTC]`, into
/// the time and the rest.
fn stamped<'t>(text: &'t str, zone: &TimeZone) -> Option<(Timestamp, &'t str)> {
    let (stamp, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (stamp, zone) = match stamp.strip_suffix(" UTC") {
        Some(stamp) => (stamp, TimeZone::UTC),
        None => (stamp, zone.clone()),
    };
    let has_time = matches!(stamp.len(), 16 | 19) && stamp.contains(':') && stamp.contains('-');
    let stamp = has_time.then(|| calendar::parse_instant(stamp, &zone).ok())??;
    Some((stamp, rest.trim_start()))
}

#[cfg(test)]
mod tests;
