//! Days in the workspace's time zone, and their names for search.

use jiff::civil::Date;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::error::{Error, Result};

/// Returns the day an instant falls on.
#[must_use]
pub fn day(instant: Timestamp, zone: &TimeZone) -> Date {
    zone.to_datetime(instant).date()
}

/// Returns the offset from UTC that a date and time states for itself, such as `+01:00`; `None` if it states none, or 0,
/// which programs write wherever they are.
#[must_use]
pub fn own_offset(text: &str) -> Option<Offset> {
    match Pieces::parse(text.trim()).ok()?.offset()? {
        PiecesOffset::Numeric(numeric) => Some(numeric.offset()).filter(|offset| *offset != Offset::UTC),
        _ => None,
    }
}

/// Returns a number of days of 24 hours.
#[must_use]
pub fn days(count: u32) -> SignedDuration {
    SignedDuration::from_hours(24 * i64::from(count))
}

/// Returns the instant a number of days of 24 hours earlier, or the first that can be written.
#[must_use]
pub fn days_before(instant: Timestamp, count: u32) -> Timestamp {
    instant.checked_sub(days(count)).unwrap_or(Timestamp::MIN)
}

/// Returns the noon of a day.
#[must_use]
pub fn noon(day: Date, zone: &TimeZone) -> Timestamp {
    let noon = day.at(12, 0, 0, 0);
    // Only the last representable days have no noon.
    zone.to_ambiguous_timestamp(noon).compatible().unwrap_or(Timestamp::MAX)
}

/// Reads a day, `YYYY-MM-DD`.
///
/// # Errors
/// [`Error::Invalid`] if the text is not a valid day.
pub fn parse_day(text: &str) -> Result<Date> {
    let invalid = || Error::Invalid(format!("invalid day {text:?}: expected YYYY-MM-DD"));
    // A date with a time would also parse, and silently lose its time.
    if text.len() != "2026-02-10".len() {
        return Err(invalid());
    }
    text.parse().map_err(|_| invalid())
}

/// Reads an instant: a date and time with or without an offset or a time zone in brackets (without either, in `zone`), a
/// day (its beginning), or seconds or milliseconds since 1970.
///
/// # Errors
/// [`Error::Invalid`] if the text is none of these, or out of range.
pub fn parse_instant(text: &str, zone: &TimeZone) -> Result<Timestamp> {
    let text = text.trim();
    let invalid = || {
        Error::Invalid(format!(
            "invalid date {text:?}: expected a date such as \
                                             2026-02-10T10:00:00+00:00"
        ))
    };
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(instant);
    }
    // A time zone in brackets counts; a civil time would be read without it.
    if text.contains('[') {
        return text.parse::<Zoned>().map(|time| time.timestamp()).map_err(|_| invalid());
    }
    if let Ok(time) = text.parse::<jiff::civil::DateTime>() {
        return zone.to_ambiguous_timestamp(time).compatible().map_err(|_| invalid());
    }
    let seconds: f64 = text.parse().map_err(|_| invalid())?;
    if !seconds.is_finite() {
        return Err(invalid());
    }
    // Timestamps in milliseconds have three digits more than current ones in seconds.
    let seconds = if seconds.abs() > 1e11 { seconds / 1000.0 } else { seconds };
    #[allow(clippy::cast_possible_truncation, reason = "a value out of range is refused by jiff")]
    Timestamp::from_microsecond((seconds * 1e6) as i64).map_err(|_| invalid())
}

/// Returns a day in words: `Tuesday, 10 February 2026`.
#[must_use]
pub fn day_words(day: Date) -> String {
    day.strftime("%A, %-d %B %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_in_many_spellings() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        for (text, expected) in [
            ("2026-02-10T10:00:00Z", "2026-02-10T10:00:00Z"),
            ("2026-02-10T10:00:00+01:00", "2026-02-10T09:00:00Z"),
            ("2026-02-10T10:00:00", "2026-02-10T08:00:00Z"),
            ("2026-02-10T10:00:00[America/New_York]", "2026-02-10T15:00:00Z"),
            ("2026-02-10T10:00:00+01:00[Europe/Vienna]", "2026-02-10T09:00:00Z"),
            ("2026-02-10 10:00", "2026-02-10T08:00:00Z"),
            ("2026-02-10", "2026-02-09T22:00:00Z"),
            ("1770717600", "2026-02-10T10:00:00Z"),
            ("1770717600000", "2026-02-10T10:00:00Z"),
        ] {
            assert_eq!(parse_instant(text, &zone).unwrap().to_string(), expected, "{text}");
        }
        for text in ["", "soon", "2026-13-01", "NaN", "1e300", "2026-02-10T10:00:00[Nowhere/Town]"] {
            assert!(parse_instant(text, &zone).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_time_states_its_offset() {
        for (text, hours) in [
            ("2026-03-05T00:30:00+01:00", Some(1)),
            ("2026-03-05 00:30-05:00", Some(-5)),
            ("2026-03-05T00:30:00+00:00", None),
            ("2026-03-05T00:30:00Z", None),
            ("2026-03-05T00:30:00", None),
            ("2026-03-05", None),
            ("1770717600", None),
            ("2 days ago", None),
        ] {
            assert_eq!(own_offset(text), hours.map(jiff::tz::offset), "{text}");
        }
    }

    #[test]
    fn a_day_has_words() {
        assert_eq!(day_words(parse_day("2026-02-10").unwrap()), "Tuesday, 10 February 2026");
        assert!(parse_day("2026-02-30").is_err());
    }
}
