//! What the zone says on the tape, and the memories that bears.
//!
//! A line of long-term memory is a memory, its key the first 16 hex digits of its text's SHA-256; the second of equal
//! lines has `~2` after that, the third `~3`. A piece of a daily note (what one `daily` call added) is a memory, its key
//! the day. Where the memory is a chat's or a user's, the key says so: the line is hashed with its scope's label before
//! it, and the day is followed by it.
//!
//! **Invariant.** Among the current memories of a scope no two have the same identity: a line's is its key, a piece's
//! its day, text and number. So each of several equal lines is superseded, restored and merged by itself.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_tape::{Draft, Entry, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::calendar;
use crate::created::{Created, Search};
use crate::decision::Given;
use crate::memory::{Form, MemoryId};
use crate::meta::{Meta, Place};
use crate::payload;
use crate::scope::Scope;

/// The anchor that opens a version.
pub const OPEN: &str = "memory/open";
/// The anchor that closes a version.
pub const SEAL: &str = "memory/seal";
/// The event that adds long-term lines.
pub const LONG_TERM: &str = "memory.long_term";
/// The event that adds to a daily note.
pub const DAILY: &str = "memory.daily";

/// How many hex digits of a line's hash name it.
const KEY_DIGITS: usize = 16;
/// The largest whole number that every JSON reader keeps exact.
const VERSION_MAX: u64 = 1 << 53;
/// More lines than this in one event would not fit the numbers of memories.
pub const LINES_MAX: usize = 1 << 19;

/// Whether an event of this name is the zone's.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    name == LONG_TERM || name == DAILY
}

/// The `data` of a `memory.long_term` event.
#[derive(Serialize, Deserialize)]
struct LongTerm {
    content: String,
    updated_at: Option<Timestamp>,
    /// The number of each line among equal ones; without it, its place among the equal lines of the content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nth: Vec<u32>,
}

/// The `data` of a `memory.daily` event.
#[derive(Serialize, Deserialize)]
struct Daily {
    date: Date,
    content: String,
    updated_at: Option<Timestamp>,
    /// The noon of the day, where the text was added on another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said_at: Option<Timestamp>,
    /// The number of the piece among equal ones of its day.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    nth: u32,
}

/// What the zone keeps of a memory besides its text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ZoneData {
    /// Where it stands among the others.
    pub(super) rank: f64,
    /// Empty lines before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) gap: u32,
    /// Its number among equal lines of its scope, or equal pieces of its day; the first is 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub(super) nth: u32,
    /// The day of a daily note.
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

/// The anchor that opens or closes a version.
pub(super) fn anchor(name: &str, version: u64, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Anchor, &json!({"name": name, "state": Version { version }}), meta, branch)
}

/// The version that an anchor of the zone states; `None` for one that cannot be counted on from.
#[must_use]
pub fn version(entry: &Entry) -> Option<u64> {
    payload::state::<Version>(entry).map(|state| state.version).filter(|&version| version <= VERSION_MAX)
}

/// The event that adds long-term lines, each with its number among equal ones.
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

/// The event that adds to a daily note a piece with its number among equal ones.
pub(super) fn daily(date: Date, (content, nth): (String, u32), meta: &Meta, given: &Given) -> Result<Draft> {
    let is_late = !content.is_empty() && date != given.today();
    let said_at = is_late.then(|| calendar::noon(date, &given.zone));
    let data = Daily { date, content, updated_at: Some(given.now), said_at, nth };
    Draft::new(Kind::Event, &json!({"name": DAILY, "data": data}), meta, &given.branch)
}

/// Lines as the content of an event, with their gaps.
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

/// The numbers of new texts among equal ones: of each the lowest that neither a current text nor one before it has.
pub(super) fn numbered<'t>(texts: impl Iterator<Item = &'t str>, current: &[(&'t str, u32)]) -> Vec<u32> {
    let mut taken: HashSet<(&str, u32)> = current.iter().copied().collect();
    // Where to go on looking, so that many equal texts take no longer than many different ones.
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

/// The key of a long-term line in a scope: of the first of equal lines, or of the one with this number.
#[must_use]
pub fn line_key(scope: &Scope, text: &str, nth: u32) -> String {
    let hashed = scope.label().map_or_else(|| text.to_owned(), |label| format!("{label}\n{text}"));
    let key = &Hash::of(hashed.as_bytes()).to_string()[..KEY_DIGITS];
    if is_first(&nth) { key.to_owned() } else { format!("{key}~{nth}") }
}

/// The key of a day's note in a scope.
#[must_use]
pub fn day_key(scope: &Scope, date: Date) -> String {
    scope.label().map_or_else(|| date.to_string(), |label| format!("{date}/{label}"))
}

/// A line that says something, and how many empty ones stand before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The line, without its end.
    pub text: String,
    /// Empty lines before it.
    pub gap: u32,
}

/// The lines of a text. Empty lines at its end say nothing and are dropped.
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

/// The memories that an event of the zone bears.
#[must_use]
pub fn creates(name: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
    match name {
        LONG_TERM => payload::data::<LongTerm>(entry)
            .map(|data| long_term_births(&data, entry, meta))
            .unwrap_or_default(),
        _ => payload::data::<Daily>(entry)
            .filter(|data| !data.content.is_empty())
            .map(|data| vec![daily_birth(&data, entry, meta)])
            .unwrap_or_default(),
    }
}

fn long_term_births(data: &LongTerm, entry: &Entry, meta: &Meta) -> Vec<Created> {
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
                key: line_key(&scope, &line.text, nth),
                search: Search { own: line.text.clone(), ..Search::default() },
                text: line.text,
                ..birth(id, meta, data)
            }
        })
        .collect()
}

fn daily_birth(daily: &Daily, entry: &Entry, meta: &Meta) -> Created {
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
        ..birth(id, meta, data)
    }
}

/// The noon of a note's day, where a program that does not say so added to it on another one. In which time zone is not
/// known: a neighbouring day may be the same.
fn noted_later(daily: &Daily, entry: &Entry) -> Option<Timestamp> {
    let noted = calendar::day(entry.date, &TimeZone::UTC);
    let days = daily.date.duration_since(noted).as_hours().abs() / 24;
    (days > 1).then(|| calendar::noon(daily.date, &TimeZone::UTC))
}

fn birth(id: MemoryId, meta: &Meta, data: ZoneData) -> Created {
    Created { data: serde_json::to_string(&data).ok(), ..Created::of(Form::ZONE, id, meta) }
}
