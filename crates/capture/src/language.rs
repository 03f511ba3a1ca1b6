//! The content of a language's table.
//!
//! Patterns match folded clauses. A folded clause
//! - is in lower case, with one space between words and one at either end,
//! - has straight apostrophes, and marks set off by spaces (` , `, ` : `),
//! - has no accents except ä ö ü (`é` becomes `e`, `ñ` becomes `n`, `ß` becomes `ss`),
//! - has a `"` for each quotation, and omits text in parentheses.
//!
//! The boundary of a word is therefore a space, and ` i (?:like|love) ` is a complete pattern.
//!
//! Chinese has no spaces between words, so a Chinese clause may begin or end without one. Its characters are
//! simplified.
//!
//! `{name}` in a pattern is replaced by a fragment of the table. `{weekday}` and `{number}` are always
//! defined.

use memtape_core::Category;

use super::Why;

/// The table of one language.
pub(super) struct Language {
    /// The name of the language, such as `english`.
    pub(super) name: &'static str,
    /// Common words by which the language is detected, separated by spaces; empty if it is detected by its
    /// script.
    pub(super) words: &'static str,
    /// Named parts of patterns. A fragment may use those before it.
    pub(super) fragments: &'static [(&'static str, &'static str)],
    /// Words without content before a clause: an alternation, without spaces at the ends.
    pub(super) openers: &'static str,
    /// Words without content after a clause: an alternation, without spaces at the ends.
    pub(super) closers: &'static str,
    /// Patterns at which a sentence is split. The one group of a pattern is the text between two clauses; it
    /// begins and ends with a space (which the clauses get), or is a single mark. The match of a pattern
    /// without a group is not split.
    pub(super) connectors: &'static [&'static str],
    /// Patterns that drop a clause, in the order of evaluation.
    pub(super) gates: &'static [Gate],
    /// Patterns that keep a clause. The first that matches decides the category.
    pub(super) rules: &'static [Rule],
    /// A pattern of words that limit an instruction to this session.
    pub(super) session: &'static str,
    /// A pattern of clauses in the past tense. In such a clause a weekday means the latest one, otherwise the
    /// next one.
    pub(super) past: &'static str,
    /// The names of the weekdays, Monday first: each an alternation.
    pub(super) weekdays: [&'static str; 7],
    /// The words for the numbers from 1 on: each an alternation. Digits are always recognized.
    pub(super) numbers: &'static [&'static str],
    /// Words that mean a day. The first pattern that matches counts.
    pub(super) days: &'static [DayWord],
}

/// A pattern that drops clauses.
pub(super) struct Gate {
    pub(super) why: Why,
    pub(super) reach: Reach,
    pub(super) pattern: &'static str,
}

/// The clauses that a gate drops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The clause that matches.
    Clause,
    /// The clause and those after it in its sentence.
    Rest,
    /// None: ends the effect of an earlier [`Reach::Rest`] or [`Reach::Sentence`] gate with the same reason,
    /// as a new subject does.
    Lift,
    /// All clauses of the sentence.
    Sentence,
    /// The clause and all clauses before it in the message.
    Before,
    /// The clause and all clauses after it in the message.
    Onward,
    /// All clauses of the message.
    Message,
}

/// Creates a gate: `gate(Why::Past, Reach::Clause, " used to ")`.
pub(super) const fn gate(why: Why, reach: Reach, pattern: &'static str) -> Gate {
    Gate { why, reach, pattern }
}

/// A pattern that keeps a clause.
///
/// A pattern may have one group: then the text of the group is kept, otherwise the whole clause.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) category: Category,
    pub(super) importance: f64,
    pub(super) confidence: f64,
    /// Whether the rule also applies to a question, such as "could you always".
    pub(super) asked: bool,
    /// Whether the rule applies only to a clause with a word that limits it to this session.
    pub(super) for_now: bool,
    pub(super) pattern: &'static str,
}

/// Creates a rule for preferences and for instructions to the agent.
pub(super) const fn preference(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Preference, 0.85, 0.92, pattern)
}

/// Creates a rule for facts.
pub(super) const fn fact(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Fact, 0.80, 0.88, pattern)
}

/// Creates a rule for decisions.
pub(super) const fn decision(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Decision, 0.90, 0.90, pattern)
}

/// Creates a rule for events, past or scheduled.
pub(super) const fn episodic(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Episodic, 0.60, 0.80, pattern)
}

const fn rule(
    name: &'static str,
    category: Category,
    importance: f64,
    confidence: f64,
    pattern: &'static str,
) -> Rule {
    Rule { name, category, importance, confidence, asked: false, for_now: false, pattern }
}

impl Rule {
    /// Makes the rule apply to questions too.
    pub(super) const fn asked(self) -> Rule {
        Rule { asked: true, ..self }
    }

    /// Makes the rule apply only to clauses with a word such as "this time".
    pub(super) const fn for_now(self) -> Rule {
        Rule { for_now: true, ..self }
    }

    /// Sets the confidence of the rule.
    pub(super) const fn sure(self, confidence: f64) -> Rule {
        Rule { confidence, ..self }
    }
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
