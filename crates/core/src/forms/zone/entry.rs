//! Entries of the zone, and the memories they create.
//!
//! Each line of long-term memory is a memory. Its key is the first 16 hexadecimal digits of the SHA-256 of
//! its text; the second of equal lines has `~2` appended, the third `~3`. Each piece of a daily note (the
//! text of one `daily` call) is a memory whose key is the day. In the scope of a chat or a user the key
//! depends on the scope: the scope's label is hashed before the line, and appended to the day. The key of a
//! confidential line depends on that, too.
//!
//! **Invariant.** No two current memories of a scope have the same identity. The identity of a line is its
//! key; that of a piece is its day, its text and its number. Each of several equal lines is therefore
//! superseded, restored and merged on its own. Whether an item is confidential is part of its identity, so that
//! an equal item, written by somebody who may not see it, is another one.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_tape::{Draft, Entry, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::audience::Sensitivity;
use crate::calendar;
use crate::created::{Created, Search};
use crate::decision::Context;
use crate::memory::{Form, MemoryId};
use crate::meta::{Meta, Place};
use crate::payload;
use crate::scope::Scope;

/// Name of the anchor that opens a version.
pub const OPEN: &str = "memory/open";
/// Name of the anchor that closes a version.
pub const SEAL: &str = "memory/seal";
/// Name of the event that adds long-term lines.
pub const LONG_TERM: &str = "memory.long_term";
/// Name of the event that adds to a daily note.
pub const DAILY: &str = "memory.daily";

/// Number of hexadecimal digits of a line's hash in its key.
const KEY_DIGITS: usize = 16;
/// The largest version number; every JSON reader represents integers up to it exactly.
const VERSION_MAX: u64 = 1 << 53;
/// Maximum number of lines in one event, so that each of them gets a memory id.
pub const LINES_MAX: usize = 1 << 19;

/// Returns whether an event of this name belongs to the zone.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    name == LONG_TERM || name == DAILY
}

/// The `data` of a `memory.long_term` event.
#[derive(Serialize, Deserialize)]
struct LongTerm {
    content: String,
    updated_at: Option<Timestamp>,
    /// The number of each line among equal lines. If absent, lines are numbered by their order in `content`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nth: Vec<u32>,
}

/// The `data` of a `memory.daily` event.
#[derive(Serialize, Deserialize)]
struct Daily {
    date: Date,
    content: String,
    updated_at: Option<Timestamp>,
    /// Noon of the note's day, if the text was added on another day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said_at: Option<Timestamp>,
    /// The number of the piece among equal pieces of its day.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    nth: u32,
}

/// The data of a memory besides its text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ZoneData {
    /// Sort key among the other items.
    pub(super) rank: f64,
    /// Number of empty lines before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) gap: u32,
    /// Its number among equal lines of its scope, or among equal pieces of its day, starting at 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub(super) nth: u32,
    /// The day of a daily note; `None` for a long-term line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<Date>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn first() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_first(nth: &u32) -> bool {
    *nth == first()
}

#[derive(Serialize, Deserialize)]
struct Version {
    version: u64,
}

/// Returns the anchor that opens or closes a version.
pub(super) fn anchor(name: &str, version: u64, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Anchor, &json!({"name": name, "state": Version { version }}), meta, branch)
}

/// Returns the version that an anchor of the zone states; `None` if it is missing or greater than 2^53.
#[must_use]
pub fn version(entry: &Entry) -> Option<u64> {
    payload::state::<Version>(entry).map(|state| state.version).filter(|&version| version <= VERSION_MAX)
}

/// Returns the event that adds long-term lines, each with its number among equal lines.
pub(super) fn long_term(lines: &[(Line, u32)], now: Timestamp, meta: &Meta, branch: &str) -> Result<Draft> {
    let numbers: Vec<u32> = lines.iter().map(|(_, nth)| *nth).collect();
    let counted = numbered(lines.iter().map(|(line, _)| line.text.as_str()), &[]);
    let data = LongTerm {
        content: content(lines.iter().map(|(line, _)| line)),
        updated_at: Some(now),
        nth: if numbers == counted { Vec::new() } else { numbers },
    };
    Draft::new(Kind::Event, &json!({"name": LONG_TERM, "data": data}), meta, branch)
}

/// Returns the event that adds a piece to a daily note, with its number among equal pieces.
pub(super) fn daily(date: Date, (content, nth): (String, u32), meta: &Meta, ctx: &Context) -> Result<Draft> {
    let is_late = !content.is_empty() && date != ctx.today();
    let said_at = is_late.then(|| calendar::noon(date, &ctx.zone));
    let data = Daily { date, content, updated_at: Some(ctx.now), said_at, nth };
    Draft::new(Kind::Event, &json!({"name": DAILY, "data": data}), meta, &ctx.branch)
}

/// Joins lines and their gaps into the content of an event.
fn content<'l>(lines: impl Iterator<Item = &'l Line>) -> String {
    let mut text = String::new();
    for (n, line) in lines.enumerate() {
        if n > 0 {
            text.push('\n');
        }
        text.extend(std::iter::repeat_n('\n', line.gap as usize));
        text.push_str(&line.text);
    }
    text
}

/// Numbers new texts: each gets the lowest number that no equal text, current or earlier in the list, has.
pub(super) fn numbered<'t>(texts: impl Iterator<Item = &'t str>, current: &[(&'t str, u32)]) -> Vec<u32> {
    let mut taken: HashSet<(&str, u32)> = current.iter().copied().collect();
    // Remembering the next number of each text keeps the search linear if many texts are equal.
    let mut next: HashMap<&str, u32> = HashMap::new();
    let number = |text| {
        let nth = next.entry(text).or_insert_with(first);
        while !taken.insert((text, *nth)) {
            *nth += 1;
        }
        *nth
    };
    texts.map(number).collect()
}

/// Returns the key of a long-term line in a scope. `nth` is its number among equal lines, starting at 1; those that are
/// confidential are numbered apart.
#[must_use]
pub fn line_key(scope: &Scope, text: &str, nth: u32, sensitivity: Sensitivity) -> String {
    let label = scope.label();
    let hashed = match (sensitivity, label) {
        (Sensitivity::Confidential, label) => format!("{}\n{text}\n{sensitivity}", label.unwrap_or_default()),
        (_, Some(label)) => format!("{label}\n{text}"),
        (_, None) => text.to_owned(),
    };
    let key = &Hash::of(hashed.as_bytes()).to_string()[..KEY_DIGITS];
    if is_first(&nth) { key.to_owned() } else { format!("{key}~{nth}") }
}

/// Returns the key of a day's note in a scope.
#[must_use]
pub fn day_key(scope: &Scope, date: Date) -> String {
    scope.label().map_or_else(|| date.to_string(), |label| format!("{date}/{label}"))
}

/// A non-empty line, and the number of empty lines before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The line, without its line break.
    pub text: String,
    /// Number of empty lines before it.
    pub gap: u32,
}

/// Splits a text into its non-empty lines. Empty lines at its end are dropped.
#[must_use]
pub fn lines(text: &str) -> Vec<Line> {
    let mut gap = 0;
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() {
            gap += 1;
        } else {
            lines.push(Line { text: line.to_owned(), gap: std::mem::take(&mut gap) });
        }
    }
    lines
}

/// Returns the memories that an event of the zone creates.
#[must_use]
pub fn creates(name: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
    match name {
        LONG_TERM => payload::data::<LongTerm>(entry)
            .map(|data| long_term_created(&data, entry, meta))
            .unwrap_or_default(),
        _ => payload::data::<Daily>(entry)
            .filter(|data| !data.content.is_empty())
            .map(|data| vec![daily_created(&data, entry, meta)])
            .unwrap_or_default(),
    }
}

fn long_term_created(data: &LongTerm, entry: &Entry, meta: &Meta) -> Vec<Created> {
    let scope = meta.scope();
    let lines = lines(&data.content);
    let counted = numbered(lines.iter().map(|line| line.text.as_str()), &[]);
    let numbers = if data.nth.len() == lines.len() { data.nth.clone() } else { counted };
    (0_u32..)
        .zip(lines.into_iter().zip(numbers).take(LINES_MAX))
        .map(|(n, (line, nth))| {
            let id = MemoryId::new(entry.id, n);
            let nth = nth.max(first());
            let data = ZoneData { rank: Place::rank(meta.place, id, n), gap: line.gap, nth, date: None };
            Created {
                key: line_key(&scope, &line.text, nth, meta.sensitivity),
                search: Search { own: line.text.clone(), ..Search::default() },
                text: line.text,
                ..created(id, meta, data)
            }
        })
        .collect()
}

fn daily_created(daily: &Daily, entry: &Entry, meta: &Meta) -> Created {
    let id = MemoryId::new(entry.id, 0);
    let data = ZoneData {
        rank: Place::rank(meta.place, id, 0),
        gap: 0,
        nth: daily.nth.max(first()),
        date: Some(daily.date),
    };
    Created {
        key: day_key(&meta.scope(), daily.date),
        search: Search {
            own: daily.content.clone(),
            after_previous: false,
            day: Some(calendar::day_words(daily.date)),
        },
        text: daily.content.clone(),
        said_at: daily.said_at.or_else(|| noted_later(daily, entry)),
        ..created(id, meta, data)
    }
}

/// Returns noon of a note's day if the entry was appended on another day by a program that does not record
/// `said_at`.
///
/// The writer's time zone is unknown, so an adjacent day counts as the same day.
fn noted_later(daily: &Daily, entry: &Entry) -> Option<Timestamp> {
    let noted = calendar::day(entry.date, &TimeZone::UTC);
    let days = daily.date.duration_since(noted).as_hours().abs() / 24;
    (days > 1).then(|| calendar::noon(daily.date, &TimeZone::UTC))
}

fn created(id: MemoryId, meta: &Meta, data: ZoneData) -> Created {
    Created { data: serde_json::to_string(&data).ok(), ..Created::of(Form::ZONE, id, meta) }
}
