//! Renders the last journal lines for a model: `[10:00:00] trigger: source=message from=Ana preview=hello`.
//!
//! **Invariants.** No line is longer than [`LINE_CHARS`], speaks in another role, or closes its enclosing
//! delimiter. Lines from tools or web pages, quarantined lines and forgotten lines show only that they exist.
//! The same lines yield the same bytes.

use std::fmt::Write as _;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::Line;
use super::types::TOOL_USE;
use crate::calendar;
use crate::safety::render::neutral_line;

/// The maximum length of a line, in characters.
pub const LINE_CHARS: usize = 160;
/// The text shown if there are no lines.
pub const NOTHING: &str = "(no recent activity)";
/// Marks the end of a line that was cut.
const CUT: char = '…';
/// The field with a whole text.
const WHOLE: &str = "content";
/// The field with a tool's result.
const RESULT: &str = "result";
/// The fields that contain the start of a text.
const STARTS: [&str; 3] = ["preview", "context", RESULT];
/// The fields of an untrusted line that are shown if they consist of a single word.
const HARMLESS: [&str; 3] = ["source", "channel", "action"];
/// The maximum length of such a word, in bytes.
const WORD_BYTES: usize = 16;
/// Replaces the data of a forgotten line.
const FORGOTTEN: &str = "(forgotten or changed since)";
/// Replaces the data of an untrusted line.
const LEFT_OUT: &str = "(not shown: from an untrusted source)";

/// Renders lines for a prompt, each ended by a newline; within a day in this time zone, only the first line
/// shows the date.
#[must_use]
pub fn tail(lines: &[Line], zone: &TimeZone) -> String {
    if lines.is_empty() {
        return format!("{NOTHING}\n");
    }
    let mut out = String::new();
    let mut before = None;
    for line in lines {
        out.push_str(&shown(line, before, zone));
        out.push('\n');
        before = Some(calendar::day(line.date, zone));
    }
    out
}

/// Renders one line for a prompt; `before` is the day of the previous line.
#[must_use]
pub fn shown(line: &Line, before: Option<Date>, zone: &TimeZone) -> String {
    let day = calendar::day(line.date, zone);
    let time = line.date.to_zoned(zone.clone());
    let time = match before == Some(day) {
        true => time.strftime("%H:%M:%S").to_string(),
        false => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    };
    let mut said = format!("[{time}] {}:", line.kind);
    for (name, value) in line.data_fields().iter().filter(|(name, _)| may_show(line, name)) {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = write!(said, " {}={}", start(name), start(&value));
    }
    match line {
        Line { forgotten: true, .. } => said.push_str(&format!(" {FORGOTTEN}")),
        Line { trusted: false, .. } => said.push_str(&format!(" {LEFT_OUT}")),
        _ => {}
    }
    bounded(&neutral_line(&said))
}

/// Returns whether a field is shown.
fn may_show(line: &Line, name: &str) -> bool {
    // A text is not repeated if its start is already shown.
    let is_redundant = name == WHOLE && STARTS.iter().any(|start| line.fields.contains_key(*start));
    let is_output = line.kind == TOOL_USE && name == RESULT;
    !is_redundant && !is_output && ((line.trusted && !line.forgotten) || is_harmless(line, name))
}

/// Returns whether a field holds one short word, too short for a sentence that steers a model.
fn is_harmless(line: &Line, name: &str) -> bool {
    let is_word =
        |word: &str| word.len() <= WORD_BYTES && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    HARMLESS.contains(&name) && line.fields.get(name).and_then(Value::as_str).is_some_and(is_word)
}

/// Returns as much of a text as one line can show.
fn start(text: &str) -> String {
    text.chars().take(LINE_CHARS).collect()
}

/// Cuts a line to the limit. A cut must not leave half a token that [`neutral_line`] would not recognise.
fn bounded(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        None => line.to_owned(),
        Some(_) => {
            let mut cut: String = line.chars().take(LINE_CHARS - 1).collect();
            cut.truncate(cut.trim_end().len());
            cut.push(CUT);
            cut
        }
    }
}
