//! What a turn's text holds that is worth keeping.
//!
//! *Purpose.* Text in, candidates out: [`read`] finds the clauses in which somebody says what they prefer, what is
//! so, what was decided or what happened; [`select`] leaves those that are sure and important enough. There is one
//! engine, and a table for each language; no model, no clock, no file.
//!
//! The way of a message: a [`page`] tells the speaker's own words from code, pasted text and quotations, and folds
//! them into sentences; the tables of the languages it may be in ([`language`]) split these into clauses. A clause
//! that a gate knows (a question, hearsay, a wish, the past …) is dropped; of the others, the first rule that knows
//! one says what it is. A word like "yesterday" is followed by its day in what is kept ([`days`]).
//!
//! **Invariant:** what is kept is the clause, in the speaker's letters: never the whole message because a part of
//! it is worth it.
//! **Invariant:** the same text read on the same day gives the same reading, in time in proportion to its length.
//! **Invariant:** spans lie inside of the message, at borders of characters, in order, and do not overlap.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;

use memtape_core::Category;
use memtape_core::safety::{injection, secrets};

mod chinese;
mod clauses;
mod compiled;
mod days;
mod english;
mod french;
mod german;
mod han;
mod language;
mod needles;
mod page;
mod paste;
mod quotes;
mod reader;
mod spanish;
mod tell;
#[cfg(test)]
mod tests;

use page::Page;

/// A clause longer than this, in characters, is not one thought.
const CLAUSE_MAX: usize = 300;
/// A message or a clause that weighs less says nothing worth keeping; a letter weighs 1, a Chinese character 2.
const WEIGHT_MIN: usize = 4;
/// What the agent says counts for so much of what the user says.
const HEARSAY: f64 = 0.9;
/// So many characters of a message that is dropped whole are shown.
const SHOWN: usize = 300;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person.
    User,
    /// The agent: it can tell of a decision, and is less sure; of itself it says nothing worth keeping.
    Assistant,
}

/// What a message holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What may be kept, in the order of the message.
    pub candidates: Vec<Candidate>,
    /// What looked like it and is not, in no order.
    pub dropped: Vec<Dropped>,
}

/// A clause that may be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The clause in the speaker's letters; a word that means a day is followed by that day in parentheses.
    pub text: String,
    /// Where the clause is in the message, in bytes.
    pub span: Range<usize>,
    /// What it is.
    pub category: Category,
    /// How much it matters, 0 to 1.
    pub importance: f64,
    /// How sure it is to be what the rule takes it for, 0 to 1.
    pub confidence: f64,
    /// Whether it was asked for only now, as in "this time".
    pub session_only: bool,
    /// The day that its words mean, where they mean one.
    pub date: Option<Date>,
    /// The rule that knew it.
    pub rule: &'static str,
    /// The language of the rule.
    pub language: &'static str,
}

/// Something that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// What it is, without secrets; of a message dropped whole, its beginning.
    pub text: String,
    /// The reason.
    pub why: Why,
    /// The rule that would have kept it; empty where none was asked.
    pub rule: &'static str,
}

/// Why something is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Nothing is said in so few letters.
    TooShort,
    /// A clause over 300 characters.
    TooLong,
    /// It looks as if it were written to steer the model, by this rule.
    Unsafe(&'static str),
    /// It has a secret in it.
    Secret,
    /// Code.
    Code,
    /// Logs, mails, tool output, other text that was pasted.
    Pasted,
    /// An order to a shell or a chat program, or for this moment.
    Command,
    /// A question.
    Question,
    /// Somebody else's words.
    Quoted,
    /// What somebody is said to have said.
    Reported,
    /// It is about somebody who is not the speaker.
    Other,
    /// It is supposed or wished.
    Hypothetical,
    /// It was so.
    Past,
    /// It is denied.
    Negated,
    /// It is not meant.
    Joke,
    /// The words have another sense here.
    Idiom,
    /// The agent says it of itself.
    Assistant,
    /// The rule is not sure enough.
    LowConfidence,
    /// It does not matter enough.
    LowImportance,
    /// The turn has enough already.
    TooMany,
}

impl Why {
    /// Tells whether it was dropped for safety, as the counters count.
    #[must_use]
    pub const fn is_safety(self) -> bool {
        matches!(self, Why::Unsafe(_) | Why::Secret | Why::Code)
    }

    /// Tells whether it was dropped by a threshold, as the counters count.
    #[must_use]
    pub const fn is_threshold(self) -> bool {
        matches!(self, Why::LowConfidence | Why::LowImportance)
    }
}

/// What is kept of a reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The least confidence.
    pub min_confidence: f64,
    /// The least importance.
    pub min_importance: f64,
    /// The most candidates of one message.
    pub max_entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { min_confidence: 0.78, min_importance: 0.6, max_entries: 4 }
    }
}

/// Reads a message said on a day.
#[must_use]
pub fn read(text: &str, role: Role, said_on: Date) -> Reading {
    let page = Page::of(text);
    let mut reading = Reading { candidates: Vec::new(), dropped: page.dropped(text) };
    let own = page.own(text);
    if let Some(rule) = injection::is_suspicious(&own) {
        reading.drop_whole(text, Why::Unsafe(rule));
        return reading;
    }
    if weight(&own) < WEIGHT_MIN {
        if reading.dropped.is_empty() {
            reading.drop_whole(text, Why::TooShort);
        }
        return reading;
    }
    for table in tell::languages(&page.sentences) {
        table.get().read(text, &page.sentences, said_on, &mut reading);
    }
    reading.drop_overlaps();
    reading.drop_repeats();
    reading.drop_secrets(text);
    if role == Role::Assistant {
        reading.drop_own_words();
    }
    reading
}

/// Leaves of a reading what is over the thresholds, and no more than the limit; what matters most goes first.
#[must_use]
pub fn select(reading: Reading, limits: &Limits) -> Reading {
    let mut reading = reading;
    reading.keep(|candidate| {
        if candidate.confidence < limits.min_confidence {
            Some(Why::LowConfidence)
        } else if candidate.importance < limits.min_importance {
            Some(Why::LowImportance)
        } else {
            None
        }
    });
    let mut stays = most_important(&reading.candidates, limits.max_entries).into_iter();
    reading.keep(|_| (!stays.next().unwrap_or(false)).then_some(Why::TooMany));
    reading
}

/// Returns which of some candidates are the `max` most important ones: of those that matter the same the surer, then the
/// first.
#[must_use]
pub fn most_important<'c>(candidates: impl IntoIterator<Item = &'c Candidate>, max: usize) -> Vec<bool> {
    let candidates: Vec<_> = candidates.into_iter().collect();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (candidates[a], candidates[b]);
        b.importance.total_cmp(&a.importance).then(b.confidence.total_cmp(&a.confidence))
    });
    let mut stays = vec![false; candidates.len()];
    order.iter().take(max).for_each(|&index| stays[index] = true);
    stays
}

impl Reading {
    /// Drops each candidate for which there is a reason.
    fn keep(&mut self, mut why: impl FnMut(&Candidate) -> Option<Why>) {
        let dropped = &mut self.dropped;
        self.candidates.retain(|candidate| {
            let Some(why) = why(candidate) else { return true };
            let text = secrets::redact(&candidate.text).into_owned();
            dropped.push(Dropped { text, why, rule: candidate.rule });
            false
        });
    }

    fn drop_whole(&mut self, text: &str, why: Why) {
        self.dropped.push(Dropped { text: shown(text), why, rule: "" });
    }

    /// Of candidates that overlap (two languages know the same clause) leaves the surer one.
    fn drop_overlaps(&mut self) {
        self.candidates.sort_by(|a, b| a.span.start.cmp(&b.span.start).then(b.span.end.cmp(&a.span.end)));
        let mut kept: Vec<Candidate> = Vec::with_capacity(self.candidates.len());
        for candidate in self.candidates.drain(..) {
            match kept.last_mut() {
                Some(last) if candidate.span.start < last.span.end => {
                    if candidate.confidence > last.confidence {
                        *last = candidate;
                    }
                }
                _ => kept.push(candidate),
            }
        }
        self.candidates = kept;
    }

    /// Of what is said twice leaves the first.
    fn drop_repeats(&mut self) {
        let mut said = BTreeSet::new();
        self.candidates.retain(|candidate| said.insert((candidate.category, candidate.text.to_lowercase())));
    }

    /// Drops each clause in which there is a secret.
    fn drop_secrets(&mut self, text: &str) {
        if self.candidates.is_empty() {
            return;
        }
        let finds = secrets::find(text);
        self.keep(|candidate| {
            let first = finds.partition_point(|found| found.range.end <= candidate.span.start);
            let has = finds.get(first).is_some_and(|found| found.range.start < candidate.span.end);
            has.then_some(Why::Secret)
        });
    }

    /// Leaves of the agent's words the decisions, and makes them less sure.
    fn drop_own_words(&mut self) {
        self.keep(|candidate| (candidate.category != Category::Decision).then_some(Why::Assistant));
        for candidate in &mut self.candidates {
            candidate.confidence *= HEARSAY;
        }
    }
}

/// The beginning of a text, without secrets.
#[must_use]
pub fn shown(text: &str) -> String {
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    secrets::redact(&text[..end]).into_owned()
}

/// How much a text can say: a letter or digit weighs 1, a Chinese character 2. Counts no further than it must.
fn weight(text: &str) -> usize {
    let weigh = |c: char| match c {
        c if han::is_han(c) => 2,
        c if c.is_alphanumeric() => 1,
        _ => 0,
    };
    text.chars().map(weigh).filter(|weight| *weight > 0).take(WEIGHT_MIN).sum()
}
