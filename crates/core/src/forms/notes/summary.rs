//! The line `> Summary: …` and the bullet `- Updated: …` of a file: reading and updating them.
//!
//! **Ownership.** A summary that a person or a caller wrote stays until they change it. memtape replaces only
//! a summary that it computed: one whose section is marked `computed`, or one equal to what would be computed
//! from the current file. The mark is on the tape and stays with the summary as long as its text does, so a
//! person who edits other lines does not take the summary over.
//!
//! **Invariant.** The line that is replaced is the line that is read. Updating is idempotent, and changes no
//! other byte of the file.

use std::ops::Range;

use jiff::civil::Date;

use super::entry::field;
use super::sections::{self, Kind, bullet, first_words, heading, key, lines, plain};
use crate::bytes::line_end;
use crate::calendar;
use crate::safety::secrets;

/// Maximum number of items in a computed summary.
pub const ITEMS_MAX: usize = 20;
/// Maximum length of a summary in characters.
pub const CHARS_MAX: usize = 200;
/// Maximum length of one item in characters.
const ITEM_CHARS_MAX: usize = 60;
/// The beginning of the line of a summary.
const SUMMARY: &str = "> Summary: ";
/// Key of the bullet with the day of the file's last change.
const UPDATED: &str = "Updated";

/// The position of a file's summary.
struct Found {
    /// Start of the line; `to` is its end, without the line break.
    from: usize,
    to: usize,
    text: String,
}

/// Finds the first non-empty summary outside code fences, otherwise the first empty one. In a file of blocks, such a line of a
/// block is the block's own.
fn find(bytes: &[u8]) -> Option<Found> {
    let own = own(bytes);
    let mut empty = None;
    for line in lines(bytes).take_while(|line| line.start < own).filter(|line| line.is_plain) {
        let Some(text) = summary_line(line.text) else { continue };
        let found = Found { from: line.start, to: line.start + line.text.len(), text };
        if !found.text.is_empty() {
            return Some(found);
        }
        empty.get_or_insert(found);
    }
    empty
}

/// Returns the text of a line `> Summary: …`; `None` for any other line.
fn summary_line(line: &[u8]) -> Option<String> {
    let quoted = String::from_utf8_lossy(line.strip_prefix(b">")?);
    Some(quoted.trim_start().strip_prefix("Summary:")?.trim().to_owned())
}

/// Returns the summary of a file; `None` if it has none or only empty ones.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<String> {
    find(bytes).map(|found| found.text).filter(|text| !text.is_empty())
}

/// Returns whether a section contains the line with this summary.
pub(super) fn holds(section: &[u8], summary: &str) -> bool {
    lines(section).any(|line| summary_line(line.text).is_some_and(|text| text == summary))
}

/// The rule for a file's summary when the file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary<'a> {
    /// It is replaced by this one.
    New(&'a str),
    /// It is computed from the file's entries.
    Computed,
    /// It is kept.
    Kept,
}

impl<'a> Summary<'a> {
    /// Chooses what happens to the summary of a text: a new one is used, and one that was not computed is
    /// kept.
    ///
    /// `computed_before` is the computed summary of the text that is replaced, if it had one.
    #[must_use]
    pub fn of(text: &[u8], new: Option<&'a str>, computed_before: Option<&str>) -> Self {
        if let Some(new) = new.filter(|new| !plain(new.as_bytes()).is_empty()) {
            return Self::New(new);
        }
        let is_own = |own: String| Some(own.as_str()) != computed_before && of_entries(text) != Some(own);
        if read(text).is_some_and(is_own) { Self::Kept } else { Self::Computed }
    }
}

/// Returns the file with an updated summary and `Updated` day.
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

/// Returns the file with this summary.
pub(super) fn with(bytes: &[u8], summary: &str) -> Vec<u8> {
    let line = format!("{SUMMARY}{summary}");
    match find(bytes) {
        Some(found) if found.text == summary => bytes.to_vec(),
        Some(found) => [&bytes[..found.from], line.as_bytes(), &bytes[found.to..]].concat(),
        None => inserted(bytes, &line),
    }
}

/// Returns the range of the line of a file's summary, without the line break, if it is this one.
pub(super) fn line(bytes: &[u8], summary: &str) -> Option<Range<usize>> {
    find(bytes).filter(|found| found.text == summary).map(|found| found.from..found.to)
}

/// Returns a text without the line of its summary.
pub(super) fn without(bytes: &[u8]) -> Vec<u8> {
    let Some(found) = find(bytes) else { return bytes.to_vec() };
    let rest = &bytes[found.to..];
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    let rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    [&bytes[..found.from], rest].concat()
}

/// Returns a text with this summary, if it has one already, and with the `Updated` day of `other`.
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

/// Inserts a line after the first heading of the preamble, or at the top of the file.
fn inserted(bytes: &[u8], line: &str) -> Vec<u8> {
    let end = line_end(bytes);
    let preamble = sections::split(bytes).1[0].len();
    let title = lines(&bytes[..preamble]).find(|line| line.is_plain && heading(line.text).is_some());
    let at = title.map_or_else(|| sections::body(bytes), |title| title.end);
    let (before, after) = bytes.split_at(at);
    let mut text = before.to_vec();
    // No blank line is needed at the top of the file. A byte order mark does not count as a line.
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

/// Returns the computed summary of a file's entries, the newest last; `None` if there is nothing to
/// summarize.
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
    without_secrets(&mut newest);
    Some(newest.join(", ")).filter(|summary| !summary.is_empty())
}

/// Removes the items that would be redacted in the summary. Alone they need not look like secrets: "WLAN-Passwort" before
/// "Büro4711" makes one of it.
fn without_secrets(items: &mut Vec<String>) {
    loop {
        let found = secrets::find(&format!("{SUMMARY}{}", items.join(", ")));
        let mut start = SUMMARY.len();
        let before = items.len();
        items.retain(|item| {
            let end = start + item.len();
            let is_secret = found.iter().any(|found| found.range.start < end && start < found.range.end);
            start = end + ", ".len();
            !is_secret
        });
        if items.len() == before {
            return;
        }
    }
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

/// Shortens a text to a number of characters. An ellipsis marks the cut.
fn cut(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let short: String = text.chars().take(chars - 1).collect();
    format!("{}…", short.trim_end())
}

/// Returns the day of the first bullet `Updated` of a file; `None` if there is no such bullet or day.
pub(super) fn day(bytes: &[u8]) -> Option<Date> {
    let mut plain = lines(bytes).filter(|line| line.is_plain);
    plain.find_map(|line| field(line.text, UPDATED).and_then(|day| calendar::parse_day(&day).ok()))
}

/// Returns the end of the part that is about the file itself: all of a fact file, or what is before the first block.
fn own(bytes: &[u8]) -> usize {
    match sections::split(bytes) {
        (Kind::Facts, _) => bytes.len(),
        (Kind::Blocks, sections) => sections[0].len(),
    }
}

/// Sets the day of the bullets `Updated` in the part that is about the file itself.
pub(super) fn updated(bytes: &[u8], day: Date) -> Vec<u8> {
    let own = own(bytes);
    let mut text = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for line in lines(bytes).take_while(|line| line.start < own).filter(|line| line.is_plain) {
        // A value that is not a day was written by a person and is kept.
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
