//! What a table of a language holds.
//!
//! Patterns are plain: they are matched on a folded clause, which is lower case, has one space between words and one
//! at either end, straight apostrophes, marks set off by spaces (` , `, ` : `), no accents save ä ö ü (so `é` is
//! written `e`, `ñ` is `n`, `ß` is `ss`), a `"` for each quotation, and nothing of what stands in parentheses. So the
//! border of a word is a space, and ` i (?:like|love) ` is a whole pattern.
//!
//! Chinese has no spaces between its characters: there a clause may begin or end without one. Its letters are
//! simplified ones.
//!
//! `{name}` in a pattern stands for a fragment of the table. `{weekday}`, `{number}` are there in day words.

use memtape_core::Category;

use super::Why;

/// The table of one language.
pub(super) struct Language {
    /// Its name, as in `english`.
    pub(super) name: &'static str,
    /// Words by which it is known, with a space between them; none for a language that is known by its script.
    pub(super) words: &'static str,
    /// Named parts of patterns; one may use those before it.
    pub(super) fragments: &'static [(&'static str, &'static str)],
    /// What may stand before a clause and says nothing: an alternation, without spaces at the ends.
    pub(super) openers: &'static str,
    /// What may stand after a clause and says nothing.
    pub(super) closers: &'static str,
    /// Where a sentence comes apart: patterns whose one group is what is left out between two clauses. The group
    /// begins and ends with a space (which the clauses get), or is a mark alone. What one without a group matches
    /// stays whole.
    pub(super) connectors: &'static [&'static str],
    /// What drops a clause, in the order in which they are asked.
    pub(super) gates: &'static [Gate],
    /// What keeps one; the first that matches says what it is.
    pub(super) rules: &'static [Rule],
    /// What makes an instruction one for now.
    pub(super) session: &'static str,
    /// A clause that tells of the past; its weekday is the latest, else the coming one.
    pub(super) past: &'static str,
    /// Words of the days of the week, Monday first: each an alternation.
    pub(super) weekdays: [&'static str; 7],
    /// Words of numbers from one on: each an alternation. Digits are known.
    pub(super) numbers: &'static [&'static str],
    /// Words that mean a day; the first that matches counts.
    pub(super) days: &'static [DayWord],
}

/// Something by which clauses are dropped.
pub(super) struct Gate {
    pub(super) why: Why,
    pub(super) reach: Reach,
    pub(super) pattern: &'static str,
}

/// How far a gate reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The clause.
    Clause,
    /// The clause and those after it in its sentence.
    Rest,
    /// Ends what an earlier clause said of the rest for the same reason, as a new subject does.
    Lift,
    /// All clauses of the sentence.
    Sentence,
    /// The clause and all before it in the message.
    Before,
    /// The clause and all that follow in the message.
    Onward,
    /// The whole message.
    Message,
}

/// Drops what matches: `gate(Why::Past, Reach::Clause, " used to ")`.
pub(super) const fn gate(why: Why, reach: Reach, pattern: &'static str) -> Gate {
    Gate { why, reach, pattern }
}

/// Something by which a clause is kept.
///
/// A pattern may have one group: then that is what is kept, else the whole clause.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) category: Category,
    pub(super) importance: f64,
    pub(super) confidence: f64,
    /// Whether it holds in a question too, as "could you always" does.
    pub(super) asked: bool,
    /// Whether it holds only beside a word that makes it one for now.
    pub(super) for_now: bool,
    pub(super) pattern: &'static str,
}

/// A rule for what somebody prefers, or how the agent is to do things.
pub(super) const fn preference(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Preference, 0.85, 0.92, pattern)
}

/// A rule for what is so.
pub(super) const fn fact(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Fact, 0.80, 0.88, pattern)
}

/// A rule for what was decided.
pub(super) const fn decision(name: &'static str, pattern: &'static str) -> Rule {
    rule(name, Category::Decision, 0.90, 0.90, pattern)
}

/// A rule for what happened, or is fixed to happen.
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
    /// The rule, which holds in questions too.
    pub(super) const fn asked(self) -> Rule {
        Rule { asked: true, ..self }
    }

    /// The rule, which holds only beside a word like "this time".
    pub(super) const fn for_now(self) -> Rule {
        Rule { for_now: true, ..self }
    }

    /// The rule, which is so sure.
    pub(super) const fn sure(self, confidence: f64) -> Rule {
        Rule { confidence, ..self }
    }
}

/// A word that means a day, and which.
///
/// The day is written after the pattern's last group, or else after the whole match.
pub(super) struct DayWord {
    pub(super) when: When,
    pub(super) pattern: &'static str,
}

/// Which day is meant.
#[derive(Clone, Copy)]
pub(super) enum When {
    /// So many days from the day it is said.
    Day(i64),
    /// As many days before as the `{number}` in the pattern.
    Ago,
    /// As many days after.
    Ahead,
    /// The `{weekday}` before, or the one to come, as the clause's tense says.
    Nearest,
    /// The last one before the day.
    Last,
    /// The first one after the day.
    Coming,
    /// That of the week so many weeks on, Monday first.
    Week(i64),
    /// A span or a habit, which has no day: so no pattern after it is asked.
    None,
}

/// Words that mean a day: `day(When::Day(-1), " (?:yesterday|last night) ")`.
pub(super) const fn day(when: When, pattern: &'static str) -> DayWord {
    DayWord { when, pattern }
}
