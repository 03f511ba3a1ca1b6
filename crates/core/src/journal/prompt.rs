//! How a model is shown the last lines of the journal: `[10:00:00] trigger: source=message from=Ana preview=hello`.
//!
//! **Invariants.** No line is longer than [`LINE_CHARS`], and nothing in it speaks in another role or closes what it
//! stands in. Of what a tool or a page said, of what is suspected of steering a model, and of what was forgotten, nothing
//! is shown but that it was there. The same lines give the same bytes.

use std::fmt::Write as _;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::Line;
use super::types::TOOL_USE;
use crate::calendar;
use crate::safety::render::neutral_line;

/// The longest line, in characters.
pub const LINE_CHARS: usize = 160;
/// What stands there where there are no lines.
pub const NOTHING: &str = "(no recent activity)";
/// What stands where the rest of a line was left out.
const CUT: char = '…';
/// All of a text whose start is shown.
const WHOLE: &str = "content";
/// What a tool gave.
const RESULT: &str = "result";
/// Fields that hold the start of a text.
const STARTS: [&str; 3] = ["preview", "context", RESULT];
/// The fields that a line shows that nobody trusts, where they hold a word.
const HARMLESS: [&str; 3] = ["source", "channel", "action"];
/// The longest such word, in bytes.
const WORD_BYTES: usize = 16;
/// What is said in place of the rest.
const FORGOTTEN: &str = "(what it said does not stand any more)";
/// What is said in place of the rest.
const LEFT_OUT: &str = "(what it says is left out: it is not the user's or the agent's own)";

/// The lines as a prompt shows them, each ended by a newline; of a day in this time zone each but the first says only
/// the time.
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

/// One line, as a prompt shows it after one of this day.
#[must_use]
pub fn shown(line: &Line, before: Option<Date>, zone: &TimeZone) -> String {
    let day = calendar::day(line.date, zone);
    let time = line.date.to_zoned(zone.clone());
    let time = match before == Some(day) {
        true => time.strftime("%H:%M:%S").to_string(),
        false => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    };
    let mut said = format!("[{time}] {}:", line.kind);
    for (name, value) in line.said().iter().filter(|(name, _)| may_show(line, name)) {
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

/// Whether a field is shown.
fn may_show(line: &Line, name: &str) -> bool {
    // A text whose start stands there already is not told again.
    let is_told = name == WHOLE && STARTS.iter().any(|start| line.fields.contains_key(*start));
    let is_output = line.kind == TOOL_USE && name == RESULT;
    !is_told && !is_output && ((line.trusted && !line.forgotten) || is_harmless(line, name))
}

/// Whether a field holds one short word that memtape could have chosen: no sentence that speaks to a model.
fn is_harmless(line: &Line, name: &str) -> bool {
    let is_word =
        |word: &str| word.len() <= WORD_BYTES && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    HARMLESS.contains(&name) && line.fields.get(name).and_then(Value::as_str).is_some_and(is_word)
}

/// As much of a text as a line can show of it.
fn start(text: &str) -> String {
    text.chars().take(LINE_CHARS).collect()
}

/// A line within its limit. A cut may leave half a token, which is none.
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
