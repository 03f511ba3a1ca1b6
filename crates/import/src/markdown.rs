//! What several sources share about Markdown files.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use memtape::calendar;

use crate::error::Result;
use crate::item::{Content, Item, Place, Whose, digest};
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

/// Yields the lines of a text as long-term memory, one item each, with the empty lines between them.
///
/// The id of a line is `name`, the name of its file within the memory of the program, and its text: so a line that moves is
/// the same, and a line that was forgotten since does not return. Lines that `is_template` accepts are left out without a report: they are the other program's own.
///
/// # Errors
/// Any error of the sink.
pub fn long_term(
    file: &str,
    name: &str,
    text: &str,
    said_at: Option<Timestamp>,
    repeated: &mut Repeated,
    is_template: impl Fn(&str) -> bool,
    sink: &mut dyn Sink,
) -> Result<()> {
    let mut gap = 0;
    for (n, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if line.is_empty() {
            gap += 1;
            continue;
        }
        if is_template(line) {
            continue;
        }
        let of_text = digest(line);
        let nth = repeated.nth(&of_text);
        sink.item(Item {
            id: format!("{name}#{of_text}~{nth}"),
            place: Place::line(file, n as u64 + 1),
            content: Content::LongTerm {
                text: format!("{}{line}", "\n".repeat(gap)),
                nth,
                said_at,
                whose: Whose::Workspace,
            },
        })?;
        gap = 0;
    }
    Ok(())
}

/// Yields the note of a day: a piece for each line, with the indented lines below it. The heading is the day. `name` is
/// as for [`long_term`].
///
/// # Errors
/// Any error of the sink.
pub fn daily(
    file: &str,
    name: &str,
    date: Date,
    text: &str,
    repeated: &mut Repeated,
    sink: &mut dyn Sink,
) -> Result<()> {
    let heading = format!("# {date}");
    let mut pieces: Vec<(u64, String)> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim_end();
        match pieces.last_mut() {
            _ if line.is_empty() || line == heading => {}
            Some((_, piece)) if line.starts_with([' ', '\t']) => {
                piece.push('\n');
                piece.push_str(line);
            }
            _ => pieces.push((n as u64 + 1, line.to_owned())),
        }
    }
    for (line, text) in pieces {
        let of_day = format!("{date}/{}", digest(&text));
        let nth = repeated.nth(&of_day);
        let id = format!("{name}#{of_day}~{nth}");
        let content = Content::Daily { date, text, nth, said_at: None, whose: Whose::Workspace };
        sink.item(Item { id, place: Place::line(file, line), content })?;
    }
    Ok(())
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
