//! Resolves words like "yesterday" to a date.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::language::When;

/// The parts that the pattern of a day word matched.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) weekday: Option<Weekday>,
    pub(super) number: Option<i64>,
    /// Whether the clause is in the past tense.
    pub(super) past: bool,
}

/// Returns the day that words said on `said_on` mean; `None` if they mean no single day or the date does not
/// exist.
pub(super) fn resolve(when: When, found: Found, said_on: Date) -> Option<Date> {
    match when {
        When::Day(days) => after(said_on, days),
        When::Ago => after(said_on, -found.number?),
        When::Ahead => after(said_on, found.number?),
        When::Nearest if found.past => last(said_on, found.weekday?),
        When::Next if found.past => None,
        When::Nearest | When::Next | When::Coming => said_on.nth_weekday(1, found.weekday?).ok(),
        When::Last => last(said_on, found.weekday?),
        When::Week(weeks) => {
            let monday = after(said_on, -i64::from(said_on.weekday().to_monday_zero_offset()))?;
            after(monday, weeks * 7 + i64::from(found.weekday?.to_monday_zero_offset()))
        }
        When::None => None,
    }
}

fn after(day: Date, days: i64) -> Option<Date> {
    // Nobody means a day more than 100 years away.
    (days.abs() <= 36_500).then(|| day.checked_add(days.days()).ok()).flatten()
}

fn last(day: Date, weekday: Weekday) -> Option<Date> {
    day.nth_weekday(-1, weekday).ok()
}
