//! A file's line `> Summary: …`, and its bullet `- Updated: …`: read, and brought up to date when a tool or a command
//! writes.
//!
//! **Whose a summary is.** A summary that a person or a caller wrote stays until they change it. The program replaces
//! only one that it computed: one that the section that holds it is marked with (`computed`), or one that is what would
//! be computed of the file as it is. The mark is on the tape, and goes with the summary as long as its text stays, so a
//! person who edits other lines does not make it theirs.
//!
//! **Invariant.** What is replaced is what is read. Bringing up to date twice is bringing up to date once, and touches
//! no other byte of the file.

use jiff::civil::Date;

use super::entry::field;
use super::sections::{self, Kind, bullet, first_words, heading, key, lines, plain};
use crate::bytes::line_end;
use crate::calendar;

/// How many items a computed summary has at most.
pub const ITEMS_MAX: usize = 20;
/// How long a summary is at most, in characters.
pub const CHARS_MAX: usize = 200;
/// How long one item is at most, in characters.
const ITEM_CHARS_MAX: usize = 60;
/// The bullet that says when a file was last changed.
const UPDATED: &str = "Updated";

/// Where a file's summary stands.
struct Found {
    /// The line, without its end.
    from: usize,
    to: usize,
    text: String,
}

/// The first summary of a file outside code fences that says something, else the first that says nothing.
fn find(bytes: &[u8]) -> Option<Found> {
    let mut empty = None;
    for line in lines(bytes).filter(|line| line.is_plain) {
        let Some(text) = summary_line(line.text) else { continue };
        let found = Found { from: line.start, to: line.start + line.text.len(), text };
        if !found.text.is_empty() {
            return Some(found);
        }
        empty.get_or_insert(found);
    }
    empty
}

/// What a line `> Summary: …` says.
fn summary_line(line: &[u8]) -> Option<String> {
    let quoted = String::from_utf8_lossy(line.strip_prefix(b">")?);
    Some(quoted.trim_start().strip_prefix("Summary:")?.trim().to_owned())
}

/// The summary of a file; `None` where it has none that says something.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<String> {
    find(bytes).map(|found| found.text).filter(|text| !text.is_empty())
}

/// Whether a section holds the summary that is read of this file.
pub(super) fn holds(section: &[u8], summary: &str) -> bool {
    lines(section).any(|line| summary_line(line.text).is_some_and(|text| text == summary))
}

/// What becomes of a file's summary when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary<'a> {
    /// It becomes this one.
    New(&'a str),
    /// It is computed of the file's entries.
    Computed,
    /// It stays.
    Kept,
}

impl<'a> Summary<'a> {
    /// What becomes of the summary of a text that is written in place of another: a new one is taken, one that was not
    /// computed stays.
    #[must_use]
    pub fn of(text: &[u8], new: Option<&'a str>, computed_before: Option<&str>) -> Self {
        if let Some(new) = new.filter(|new| !plain(new.as_bytes()).is_empty()) {
            return Self::New(new);
        }
        let is_own = |own: String| Some(own.as_str()) != computed_before && of_entries(text) != Some(own);
        if read(text).is_some_and(is_own) { Self::Kept } else { Self::Computed }
    }
}

/// The file with its summary and the day of its change brought up to date.
#[must_use]
pub fn bring_up_to_date(bytes: &[u8], summary: Summary<'_>, today: Date) -> Vec<u8> {
    let bytes = updated(bytes, today);
    let summary = match summary {
        Summary::New(own) => Some(cut(&plain(own.as_bytes()), CHARS_MAX))
            .filter(|own| !own.is_empty())
            .or_else(|| of_entries(&bytes)),
        Summary::Computed => of_entries(&bytes),
        Summary::Kept => None,
    };
    match summary {
        Some(summary) => with(&bytes, &summary),
        None => bytes,
    }
}

/// The file with this summary.
pub(super) fn with(bytes: &[u8], summary: &str) -> Vec<u8> {
    let line = format!("> Summary: {summary}");
    match find(bytes) {
        Some(found) if found.text == summary => bytes.to_vec(),
        Some(found) => [&bytes[..found.from], line.as_bytes(), &bytes[found.to..]].concat(),
        None => inserted(bytes, &line),
    }
}

/// A text with this summary, where it has one, and with the day of its last change of another.
pub(super) fn kept_up_as(bytes: &[u8], summary: Option<&str>, other: &[u8]) -> Vec<u8> {
    let text = match (find(bytes), summary) {
        (Some(_), Some(summary)) => with(bytes, summary),
        _ => bytes.to_vec(),
    };
    let day = lines(other).filter(|line| line.is_plain).find_map(|line| field(line.text, UPDATED));
    match day.and_then(|day| calendar::parse_day(&day).ok()) {
        Some(day) => updated(&text, day),
        None => text,
    }
}

/// The file with a line after the first heading of its preamble, or at its top.
fn inserted(bytes: &[u8], line: &str) -> Vec<u8> {
    let end = line_end(bytes);
    let preamble = sections::split(bytes).1[0].len();
    let title = lines(&bytes[..preamble]).find(|line| line.is_plain && heading(line.text).is_some());
    let at = title.map_or_else(|| sections::body(bytes), |title| title.end);
    let (before, after) = bytes.split_at(at);
    let mut text = before.to_vec();
    // The top of a file needs no blank line, and a byte order mark is no line.
    if at > 0 && at != byte_order_mark(bytes) {
        text.extend_from_slice(if before.ends_with(b"\n") { "" } else { end }.as_bytes());
        text.extend_from_slice(end.as_bytes());
    }
    text.extend_from_slice(line.as_bytes());
    text.extend_from_slice(end.as_bytes());
    let next_is_blank = lines(after).next().is_none_or(|line| line.is_blank());
    text.extend_from_slice(if next_is_blank { "" } else { end }.as_bytes());
    text.extend_from_slice(after);
    text
}

fn byte_order_mark(bytes: &[u8]) -> usize {
    lines(bytes).next().map_or(bytes.len(), |line| line.start)
}

/// What the entries of a file are about, the newest last; `None` where there is nothing to say.
#[must_use]
pub fn of_entries(bytes: &[u8]) -> Option<String> {
    let (kind, sections) = sections::split(bytes);
    let items = sections[1..].iter().rev().filter_map(|section| match kind {
        Kind::Facts => of_fact(section),
        Kind::Blocks => of_block(section),
    });
    let mut newest: Vec<String> = Vec::new();
    let mut left = CHARS_MAX;
    for item in items {
        let item = cut(&item, ITEM_CHARS_MAX);
        if newest.contains(&item) {
            continue;
        }
        let cost = item.chars().count() + if newest.is_empty() { 0 } else { ", ".len() };
        if newest.len() == ITEMS_MAX || cost > left {
            break;
        }
        left -= cost;
        newest.push(item);
    }
    newest.reverse();
    Some(newest.join(", ")).filter(|summary| !summary.is_empty())
}

fn of_fact(section: &[u8]) -> Option<String> {
    let first = lines(section).find(|line| !line.is_blank())?;
    let text = bullet(first.text)?;
    let item = key(text).unwrap_or_else(|| first_words(text));
    (item != UPDATED && !item.is_empty()).then_some(item)
}

fn of_block(section: &[u8]) -> Option<String> {
    let own = lines(section).filter(|line| line.is_plain).find_map(|line| field(line.text, "Summary"));
    let own = own.filter(|own| !own.is_empty());
    own.or_else(|| Some(sections::name(section))).filter(|item| !item.is_empty())
}

/// A text of at most so many characters; what is cut off leaves a sign.
fn cut(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let short: String = text.chars().take(chars - 1).collect();
    format!("{}…", short.trim_end())
}

/// The day on the first bullet `Updated` of a file.
pub(super) fn day(bytes: &[u8]) -> Option<Date> {
    let mut plain = lines(bytes).filter(|line| line.is_plain);
    plain.find_map(|line| field(line.text, UPDATED).and_then(|day| calendar::parse_day(&day).ok()))
}

/// The file with the day on its bullets `Updated`: those of a fact file, or before the first block.
pub(super) fn updated(bytes: &[u8], day: Date) -> Vec<u8> {
    let (kind, sections) = sections::split(bytes);
    let own = match kind {
        Kind::Facts => bytes.len(),
        Kind::Blocks => sections[0].len(),
    };
    let mut text = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for line in lines(bytes).take_while(|line| line.start < own).filter(|line| line.is_plain) {
        // A person's own words after `Updated:` are theirs.
        let Some(written) = field(line.text, UPDATED).filter(|day| calendar::parse_day(day).is_ok()) else {
            continue;
        };
        let Some(at) = line.text.windows(written.len()).rposition(|part| part == written.as_bytes()) else {
            continue;
        };
        text.extend_from_slice(&bytes[copied..line.start + at]);
        text.extend_from_slice(day.to_string().as_bytes());
        copied = line.start + at + written.len();
    }
    text.extend_from_slice(&bytes[copied..]);
    text
}

#[cfg(test)]
mod tests;
