//! The content of a language's table.
//!
//! Patterns match folded clauses. A folded clause
//! - is in lower case, with one space between words and one at either end,
//! - has straight apostrophes, and marks set off by spaces (` , `, ` : `),
//! - has no accents except ä ö ü (`é` becomes `e`, `ñ` becomes `n`, `ß` becomes `ss`, `й` becomes `и`),
//! - has a `"` for each quotation, and omits text in parentheses.
//!
//! The boundary of a word is therefore a space, and ` i (?:like|love) ` is a complete pattern.
//!
//! Chinese and Japanese have no spaces between words, so their clauses may begin or end without one. Their characters are
//! simplified, and so are those of patterns.
//!
//! `{name}` in a pattern is replaced by a fragment of the table. `{weekday}` and `{number}` are always
//! defined.

/// The table of one language.
pub(super) struct Language {
    /// Whether words are separated by spaces.
    pub(super) spaced: bool,
    /// Whether it is a Romance language. These share so many words that a text in one seems to be in others too.
    pub(super) is_romance: bool,
    /// Named parts of patterns. A fragment may use those before it.
    pub(super) fragments: &'static [(&'static str, &'static str)],
    /// Words without content before a clause: an alternation, without spaces at the ends.
    pub(super) openers: &'static str,
    /// Those that begin other words too, or names: openers only before a mark, or before `speaker`.
    pub(super) interjections: &'static str,
    /// Words of the speaker after such an opener: an alternation.
    pub(super) speaker: &'static str,
    /// Words without content after a clause: an alternation, without spaces at the ends.
    pub(super) closers: &'static str,
    /// A pattern of words that limit an instruction to this session.
    pub(super) session: &'static str,
    /// A pattern of clauses in the past tense. In such a clause a weekday means the latest one, otherwise the
    /// next one.
    pub(super) past: &'static str,
    /// A pattern of words that look like the past tense and are not in it. They are left out before `past` is matched.
    pub(super) present: &'static str,
    /// A pattern of clauses that may be in the past tense or not: a weekday in them gets no date.
    pub(super) doubtful: &'static str,
    /// Returns whether a word, in small letters and with its accents, is a verb in the past tense.
    pub(super) is_preterite: fn(&str) -> bool,
    /// A pattern of clauses in which something was arranged, moved or promised: the weekday in them may be that of the event
    /// as well as that of the arrangement, so it gets no date.
    pub(super) arranged: &'static str,
    /// The names of the weekdays, Monday first: each an alternation of plain words, a word before its own beginning.
    pub(super) weekdays: [&'static str; 7],
    /// The words for the numbers from 1 on: each an alternation. Digits are always recognized.
    pub(super) numbers: &'static [&'static str],
    /// Words that mean a day. The first pattern that matches counts.
    pub(super) days: &'static [DayWord],
}

/// A pattern of words that mean a day.
///
/// The date is inserted after the pattern's last group, or after the whole match if there is no group.
pub(super) struct DayWord {
    pub(super) when: When,
    pub(super) pattern: &'static str,
}

/// The day that a day word means, relative to the day of the message.
#[derive(Clone, Copy)]
pub(super) enum When {
    /// This many days later; negative for earlier.
    Day(i64),
    /// As many days earlier as the `{number}` in the pattern.
    Ago,
    /// As many days later as the `{number}` in the pattern.
    Ahead,
    /// The previous or next `{weekday}`, depending on the tense of the clause.
    Nearest,
    /// The next `{weekday}`, or no day in the past tense: "I cancelled the appointment of Friday".
    Next,
    /// The last `{weekday}` before the day.
    Last,
    /// The first `{weekday}` after the day.
    Coming,
    /// The `{weekday}` of the week this many weeks later; weeks begin on Monday.
    Week(i64),
    /// No day: a span or a habit. Later patterns are not evaluated.
    None,
}

/// Creates a day word: `day(When::Day(-1), " (?:yesterday|last night) ")`.
pub(super) const fn day(when: When, pattern: &'static str) -> DayWord {
    DayWord { when, pattern }
}
