//! Purpose: which day the words of a clause mean.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::language::When;

/// What a day word's pattern found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) weekday: Option<Weekday>,
    pub(super) number: Option<i64>,
    /// Whether the clause tells of the past.
    pub(super) past: bool,
}

/// Returns the day meant by words said on a day; none where they mean none, or none there is.
pub(super) fn resolve(when: When, found: Found, said_on: Date) -> Option<Date> {
    match when {
        When::Day(days) => after(said_on, days),
        When::Ago => after(said_on, -found.number?),
        When::Ahead => after(said_on, found.number?),
        When::Nearest if found.past => last(said_on, found.weekday?),
        When::Nearest | When::Coming => said_on.nth_weekday(1, found.weekday?).ok(),
        When::Last => last(said_on, found.weekday?),
        When::Week(weeks) => {
            let monday = after(said_on, -i64::from(said_on.weekday().to_monday_zero_offset()))?;
            after(monday, weeks * 7 + i64::from(found.weekday?.to_monday_zero_offset()))
        }
        When::None => None,
    }
}

fn after(day: Date, days: i64) -> Option<Date> {
    // More than a life away is no day anybody means.
    (days.abs() <= 36_500).then(|| day.checked_add(days.days()).ok()).flatten()
}

fn last(day: Date, weekday: Weekday) -> Option<Date> {
    day.nth_weekday(-1, weekday).ok()
}
