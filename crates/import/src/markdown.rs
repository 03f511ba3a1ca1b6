//! What several sources share about Markdown files.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use memtape::calendar;

use crate::error::Result;
use crate::item::{Content, Item, ItemScope, Line, Lines, Place, digest};
use crate::sink::Sink;

/// How many equal lines, and equal pieces of a day, a file has so far.
#[derive(Default)]
pub struct Repeated(HashMap<String, u32>);

impl Repeated {
    /// Returns the number of a text among equal ones, from 1.
    pub(crate) fn nth(&mut self, text: &str) -> u32 {
        let nth = self.0.entry(text.to_owned()).or_default();
        *nth += 1;
        *nth
    }
}

/// Returns the lines of a text of long-term memory, each with the empty lines before it. Those that `is_template` accepts
/// are left out: they are the other program's own.
pub fn long_term(text: &str, said_at: Option<Timestamp>, is_template: impl Fn(&str) -> bool) -> Vec<Line> {
    let mut gap = 0;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim_end)) {
        if line.is_empty() {
            gap += 1;
        } else if !is_template(line) {
            lines.push(Line { number, text: format!("{}{line}", "\n".repeat(gap)), said_at });
            gap = 0;
        }
    }
    lines
}

/// Returns the pieces of the note of a day: each line, with the indented lines below it. The heading is the day.
pub fn daily(date: Date, text: &str) -> Vec<Line> {
    let heading = format!("# {date}");
    let mut pieces: Vec<Line> = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim_end)) {
        match pieces.last_mut() {
            _ if line.is_empty() || line == heading => {}
            Some(piece) if line.starts_with([' ', '\t']) => {
                piece.text.push('\n');
                piece.text.push_str(line);
            }
            _ => pieces.push(Line { number, text: line.to_owned(), said_at: None }),
        }
    }
    pieces
}

/// Yields a version of a text of lines. `document` is the id of the text.
///
/// # Errors
/// Every error that the sink returns, unchanged.
pub fn lines(
    document: &str,
    place: Place,
    date: Option<Date>,
    lines: Vec<Line>,
    sink: &mut dyn Sink,
) -> Result<()> {
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let id = format!("{document}@{}", digest(&text.join("\n")));
    if lines.is_empty() {
        return Ok(());
    }
    let content = Content::Lines(Lines { date, lines, scope: ItemScope::Workspace });
    sink.item(Item { id, place, content })
}

/// Returns a text without the headings that have nothing below them, such as those of a template that was never filled.
/// The lines keep their numbers.
#[must_use]
pub fn without_empty_sections(text: &str, is_template: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    // The level of the nearest thing that stays, from the end: text is below every heading.
    let mut below = 0;
    for line in lines.iter_mut().rev() {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if level == 0 {
            if !line.trim().is_empty() && !is_template(line) {
                below = usize::MAX;
            }
        } else if level < below {
            below = level;
        } else {
            *line = "";
        }
    }
    lines.join("\n")
}

/// Returns the day that the name of a file states: `YYYY-MM-DD.md`.
#[must_use]
pub fn day_of(path: &str) -> Option<Date> {
    calendar::parse_day(path.rsplit('/').next()?.strip_suffix(".md")?).ok()
}
