//! Points: the position of a reader, written `[BRANCH@]ENTRY`, a date or time, or "2 days ago".

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Span, Timestamp, Zoned};
use memtape_tape::EntryId;

use crate::calendar;
use crate::error::{Error, Result};
use crate::lineage::Lineage;

/// The length of a commit's id, in hex digits.
const COMMIT_DIGITS: usize = 16;
/// The length of the shortest prefix that names a commit, in hex digits.
pub const COMMIT_DIGITS_MIN: usize = 7;
/// The number of characters in a day.
const DAY_CHARS: usize = "2026-02-10".len();

/// The position of a reader: a branch, an entry on it, and the instant for expiry and recency.
#[derive(Clone, Debug)]
pub struct Point {
    /// The visible entries.
    pub lineage: Lineage,
    /// The instant that counts as "now" for this reader.
    pub instant: Timestamp,
}

impl Point {
    /// Returns the last visible entry.
    #[must_use]
    pub fn entry(&self) -> EntryId {
        self.lineage.entry()
    }

    /// Returns the reader's branch.
    #[must_use]
    pub fn branch(&self) -> &str {
        self.lineage.steps().first().map_or(crate::lineage::MAIN, |(branch, _)| branch)
    }
}

/// A point as a person writes it, not yet looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointText {
    /// The branch it names.
    pub branch: Option<String>,
    /// The moment it names.
    pub moment: Moment,
}

/// A moment on a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The last entry.
    #[default]
    Head,
    /// The end of the group of this entry.
    Entry(EntryId),
    /// The commit whose id starts with this prefix.
    Commit(String),
    /// The last entry not after this instant. A day, an hour, a minute or a second includes its end.
    At(Timestamp),
}

impl PointText {
    /// Parses a point. `now` and `zone` resolve "2 days ago" and a local time.
    ///
    /// A time means the end of what it names: a day all of the day, and a time to the second all of that second,
    /// because a program that prints a time to the second cuts off the rest.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the text is not a point.
    pub fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Self> {
        let text = text.trim();
        let (branch, rest) = match text.split_once('@') {
            Some(("", rest)) => (None, rest),
            Some((branch, rest)) => (Some(branch.to_owned()), rest),
            None => (None, text),
        };
        let moment = moment(rest.trim(), now, zone).ok_or_else(|| {
            Error::Invalid(format!(
                "invalid point {text:?}: expected an entry (42 or main@42), a commit id (at least its \
                 first {COMMIT_DIGITS_MIN} digits), a date or time (2026-02-10, 2026-02-10T10:00) or an \
                 age (\"2 days ago\")"
            ))
        })?;
        Ok(Self { branch, moment })
    }
}

/// Parses the start of a period: an age ("1h", "2 days"), or a day or a time, which mean their beginning.
///
/// # Errors
/// [`Error::Invalid`] if the text is none of these.
pub fn since(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Timestamp> {
    let today = calendar::day(now, zone);
    let day = match text.trim().to_lowercase().as_str() {
        "today" => Some(today),
        "yesterday" => today.yesterday().ok(),
        text if text.len() == DAY_CHARS => text.parse::<Date>().ok(),
        _ => None,
    };
    let start = day.and_then(|day| day.to_zoned(zone.clone()).ok()).map(|start| start.timestamp());
    let start = start.or_else(|| time(text.trim(), zone).map(|(start, _)| start));
    start.map_or_else(|| until(text, now, zone), Ok)
}

/// Parses the end of a period: an age ("1h", "2 days"), or a day or a time, which mean their end.
///
/// # Errors
/// [`Error::Invalid`] if the text is none of these.
pub fn until(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Timestamp> {
    let trimmed = text.trim();
    match moment(trimmed, now, zone) {
        Some(Moment::At(instant)) => Some(instant),
        _ => ago(&trimmed.to_lowercase(), now, zone),
    }
    .ok_or_else(|| {
        Error::Invalid(format!(
            "invalid time {text:?}: expected an age (1h, \"2 days\"), a day (2026-02-10) or a time \
             (2026-02-10T10:00)"
        ))
    })
}

/// Parses an instant: a time, a day, which means its end, or an age ("2 days ago").
///
/// # Errors
/// [`Error::Invalid`] if the text is none of these.
pub fn instant(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Timestamp> {
    let text = text.trim();
    match moment(text, now, zone) {
        // What happened at a time happened when it began.
        Some(Moment::At(end)) if text.len() != DAY_CHARS => {
            Ok(time(text, zone).map_or(end, |(start, _)| start))
        }
        Some(Moment::At(end)) => Ok(end),
        _ => Err(Error::Invalid(format!(
            "invalid date {text:?}: expected a day (2026-02-10), a time (2026-02-10T10:00) or an age (\"2 days ago\")"
        ))),
    }
}

fn moment(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Moment> {
    let lower = text.to_lowercase();
    let today = calendar::day(now, zone);
    if lower.is_empty() {
        return None;
    }
    // A number with a leading zero that is long enough for a commit's id is one: no entry is written so.
    let is_entry = lower.len() < COMMIT_DIGITS_MIN || !lower.starts_with('0') && lower.len() < COMMIT_DIGITS;
    if is_entry && lower.bytes().all(|b| b.is_ascii_digit()) {
        return lower.parse().ok().map(Moment::Entry);
    }
    match lower.as_str() {
        "head" => return Some(Moment::Head),
        "now" => return Some(Moment::At(now)),
        "today" => return end_of(today, zone).map(Moment::At),
        "yesterday" => return end_of(today.yesterday().ok()?, zone).map(Moment::At),
        _ => {}
    }
    if is_commit(&lower) {
        return Some(Moment::Commit(lower));
    }
    if let Some(span) = lower.strip_suffix("ago") {
        return ago(span.trim(), now, zone).map(Moment::At);
    }
    // A bare day also parses as a time at midnight, so it is tried first.
    if text.len() == DAY_CHARS
        && let Ok(date) = text.parse::<Date>()
    {
        return end_of(date, zone).map(Moment::At);
    }
    time(text, zone).map(|(_, end)| Moment::At(end))
}

/// Parses a time, with or without an offset, and returns the first and the last microsecond that it names.
///
/// A local time that occurs twice, because the clocks were set back, names both. One that does not occur, because they
/// were set forward, names the time that the clocks then showed.
fn time(text: &str, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
    let (start, last_start) = match text.parse::<Timestamp>() {
        Ok(instant) => (instant, instant),
        // A time zone in brackets counts; a civil time would be read without it.
        Err(_) if text.contains('[') => {
            let instant = text.parse::<Zoned>().ok()?.timestamp();
            (instant, instant)
        }
        Err(_) => {
            let local = zone.to_ambiguous_timestamp(text.parse::<DateTime>().ok()?);
            let later = local.later().ok()?;
            match local.offset() {
                AmbiguousOffset::Gap { .. } => (later, later),
                AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => {
                    (local.earlier().ok()?, later)
                }
            }
        }
    };
    let length = length_of_time(text);
    let last = length.checked_sub(SignedDuration::from_micros(1)).filter(|_| !length.is_zero());
    let end = last.map_or(Ok(last_start), |last| last_start.checked_add(last));
    Some((start, end.unwrap_or(Timestamp::MAX)))
}

/// Returns the length of what a time names: an hour, a minute or a second, or nothing if it has a fraction.
fn length_of_time(text: &str) -> SignedDuration {
    let clock = text.split_once(['T', 't', ' ']).map_or("", |(_, clock)| clock);
    let clock = clock.split(['Z', 'z', '+', '-', '[']).next().unwrap_or_default();
    let digits = clock.bytes().filter(u8::is_ascii_digit).count();
    match digits {
        _ if clock.contains(['.', ',']) => SignedDuration::ZERO,
        1..=2 => SignedDuration::from_hours(1),
        3..=4 => SignedDuration::from_mins(1),
        5..=6 => SignedDuration::from_secs(1),
        _ => SignedDuration::ZERO,
    }
}

/// Returns whether a text is a commit's id or a prefix of one.
fn is_commit(text: &str) -> bool {
    let is_hex = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    is_hex && (COMMIT_DIGITS_MIN..=COMMIT_DIGITS).contains(&text.len())
}

/// Returns the last microsecond of a day.
fn end_of(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let last = date.to_datetime(Time::constant(23, 59, 59, 999_999_000));
    // The last representable day ends after the last representable instant.
    Some(zone.to_ambiguous_timestamp(last).later().unwrap_or(Timestamp::MAX))
}

/// Parses an age: "2 days", "1 hour and 30 minutes", "a week".
fn ago(span: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let span = span.replace(" and ", " ");
    let span = span
        .strip_prefix("a ")
        .or_else(|| span.strip_prefix("an "))
        .map_or(span.clone(), |s| format!("1 {s}"));
    let span: Span = span.parse().ok()?;
    if span.is_negative() {
        return None;
    }
    now.to_zoned(zone.clone()).checked_sub(span).ok().map(|then| then.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        let now: Timestamp = "2026-03-05T12:00:00Z".parse().unwrap();
        match PointText::parse(text, now, &zone) {
            Ok(PointText { branch, moment }) => {
                let branch = branch.map_or(String::new(), |b| format!("{b} "));
                match moment {
                    Moment::Head => format!("{branch}head"),
                    Moment::Entry(id) => format!("{branch}entry {id}"),
                    Moment::Commit(id) => format!("{branch}commit {id}"),
                    Moment::At(at) => format!("{branch}{at}"),
                }
            }
            Err(_) => "no point".into(),
        }
    }

    #[test]
    fn a_day_begins_where_something_begins_and_ends_where_it_ends() {
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        let now: Timestamp = "2026-03-05T12:00:00Z".parse().unwrap();
        let check = |text: &str, begins: &str, ends: &str| {
            let shown = |read: Result<Timestamp>| read.map_or_else(|_| "no time".into(), |at| at.to_string());
            assert_eq!(shown(since(text, now, &zone)), begins, "since {text:?}");
            assert_eq!(shown(until(text, now, &zone)), ends, "until {text:?}");
        };
        check("1h", "2026-03-05T11:00:00Z", "2026-03-05T11:00:00Z");
        check("2 days", "2026-03-03T12:00:00Z", "2026-03-03T12:00:00Z");
        check("2 days ago", "2026-03-03T12:00:00Z", "2026-03-03T12:00:00Z");
        check("a week", "2026-02-26T12:00:00Z", "2026-02-26T12:00:00Z");
        check("2026-03-01", "2026-02-28T23:00:00Z", "2026-03-01T22:59:59.999999Z");
        check("yesterday", "2026-03-03T23:00:00Z", "2026-03-04T22:59:59.999999Z");
        check("Today", "2026-03-04T23:00:00Z", "2026-03-05T22:59:59.999999Z");
        check("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.999999Z");
        check("2026-03-01 10:00", "2026-03-01T09:00:00Z", "2026-03-01T09:00:59.999999Z");
        check("2026-03-01T10:00:00.5Z", "2026-03-01T10:00:00.5Z", "2026-03-01T10:00:00.5Z");
        for text in ["", "42", "soon", "-1h", "5f813bfd", "2026-02-30"] {
            check(text, "no time", "no time");
        }
    }

    #[test]
    fn an_instant_is_the_beginning_of_a_time() {
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        let now: Timestamp = "2026-03-05T12:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("2026-02-10 10:00", "2026-02-10T09:00:00Z"),
            ("2026-02-10T10:00:00Z", "2026-02-10T10:00:00Z"),
            ("2026-02-10", "2026-02-10T22:59:59.999999Z"),
            ("2 days ago", "2026-03-03T12:00:00Z"),
            ("now", "2026-03-05T12:00:00Z"),
        ] {
            assert_eq!(instant(text, now, &zone).unwrap().to_string(), expected, "{text:?}");
        }
        for text in ["2026-02-29", "42", "main@2026-02-10", "5f813bfd", "head"] {
            let why = instant(text, now, &zone).unwrap_err().to_string();
            assert!(why.starts_with("invalid date") && why.contains("2026-02-10T10:00"), "{why}");
        }
    }

    /// A time that the clocks skip is what they show instead, as for a calendar.
    #[test]
    fn a_time_that_does_not_occur_is_later() {
        let zone = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap();
        let now: Timestamp = "2026-03-05T12:00:00Z".parse().unwrap();
        let read = |text: &str| {
            let at = match PointText::parse(text, now, &zone).unwrap().moment {
                Moment::At(at) => at.to_string(),
                other => panic!("{other:?}"),
            };
            (instant(text, now, &zone).unwrap().to_string(), at)
        };
        let pair = |instant: &str, at: &str| (instant.to_owned(), at.to_owned());
        assert_eq!(read("2026-03-08T02:30"), pair("2026-03-08T07:30:00Z", "2026-03-08T07:30:59.999999Z"));
        assert_eq!(read("2026-03-08T01:30"), pair("2026-03-08T06:30:00Z", "2026-03-08T06:30:59.999999Z"));
        // A time that occurs twice begins with the first and ends with the second.
        assert_eq!(read("2026-11-01T01:30"), pair("2026-11-01T05:30:00Z", "2026-11-01T06:30:59.999999Z"));
    }

    #[test]
    fn points_are_read_as_people_write_them() {
        for (text, expected) in [
            ("42", "entry 42"),
            ("@42", "entry 42"),
            ("main@42", "main entry 42"),
            ("work@head", "work head"),
            ("2026-02-10", "2026-02-10T22:59:59.999999Z"),
            // A time includes the whole second, minute or hour that it names, unless it has a fraction.
            ("2026-02-10T10:00", "2026-02-10T09:00:59.999999Z"),
            ("2026-02-10 10:00", "2026-02-10T09:00:59.999999Z"),
            ("2026-02-10T10", "2026-02-10T09:59:59.999999Z"),
            ("2026-02-10 10:00:00", "2026-02-10T09:00:00.999999Z"),
            ("2026-02-10T10:00:00Z", "2026-02-10T10:00:00.999999Z"),
            ("2026-02-10T10:00:00-02:00", "2026-02-10T12:00:00.999999Z"),
            ("2026-02-10T10:00-02:00", "2026-02-10T12:00:59.999999Z"),
            ("2026-02-10T10:00:00.123456Z", "2026-02-10T10:00:00.123456Z"),
            ("2026-02-10 10:00:00.5", "2026-02-10T09:00:00.5Z"),
            ("main@2026-02-10", "main 2026-02-10T22:59:59.999999Z"),
            ("2 days ago", "2026-03-03T12:00:00Z"),
            ("an hour ago", "2026-03-05T11:00:00Z"),
            ("1 hour and 30 minutes ago", "2026-03-05T10:30:00Z"),
            ("1 month ago", "2026-02-05T12:00:00Z"),
            ("2 weeks ago", "2026-02-19T12:00:00Z"),
            ("main@2 days ago", "main 2026-03-03T12:00:00Z"),
            ("9999-12-31", "9999-12-30T22:00:00.999999999Z"),
            ("yesterday", "2026-03-04T22:59:59.999999Z"),
            ("now", "2026-03-05T12:00:00Z"),
            ("5f813bfd", "commit 5f813bfd"),
            ("work@5F813BFD00112233", "work commit 5f813bfd00112233"),
            ("1234567890123456", "commit 1234567890123456"),
            ("123456789", "entry 123456789"),
            // A number of 7 digits may begin a commit's id, which may begin with 0; a shorter one is an entry.
            ("0123456", "commit 0123456"),
            ("012345", "entry 12345"),
            ("5f813b", "no point"),
            ("", "no point"),
            ("soon", "no point"),
            ("2026-02-30", "no point"),
            ("-2 days ago", "no point"),
        ] {
            assert_eq!(check(text), expected, "{text:?}");
        }
    }
}
