//! Capture: finds the statements in a message that are worth keeping, and tells whether its answer needs any.
//!
//! [`read`] finds the clauses in which the speaker states a preference, a fact, a decision or an event.
//! [`select`] keeps the candidates that are certain and important enough. [`needs_memory`] tells whether the answer
//! to a message needs what is remembered, and [`update`] whether a newer memory takes the place of an older one. It uses
//! no clock and no files, and no language model but a small sentence model that the caller runs ([`Encoder`]).
//!
//! A message is processed in these steps:
//! - A [`page`] separates the speaker's own words from code, pasted text and quotations, and normalizes
//!   ("folds") them into sentences.
//! - The sentences are split into [`clauses`].
//! - The [`tagger`], a model with weights learned from labelled messages, tells which clauses make a statement of which
//!   category, from their words and what surrounds them ([`features`]), and from their states in the sentence model.
//! - What follows "please remember that" is a statement in any case ([`requests`]).
//! - Words without content are trimmed from the ends of a statement, a short bracket after it is kept, and a word like
//!   "yesterday" is followed by its date ([`dated`], [`days`]), by the tables of the languages that the message may be in
//!   ([`language`]).
//!
//! **Invariants.**
//! - The clause is kept as the speaker wrote it, and never the whole message because of one clause.
//! - The same text read on the same day gives the same result, in time proportional to its length, on one kind of
//!   processor: the last bits of the states differ between kinds.
//! - Spans lie inside the message, at character boundaries, in order, and do not overlap.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;

use memtape_core::Category;
use memtape_core::safety::{injection, secrets};
use memtape_language::han::is_han;

mod bounds;
mod changes;
mod chinese;
mod clauses;
mod compiled;
mod corrected;
mod corrections;
mod dated;
mod days;
mod ended;
mod ending;
mod english;
mod enumeration;
mod features;
mod french;
mod gate;
mod german;
mod italian;
mod japanese;
mod language;
mod latin;
mod network;
mod own;
mod page;
mod paste;
mod portuguese;
mod quotes;
mod requests;
mod russian;
mod spanish;
mod statements;
mod subjects;
mod tables;
mod tagger;
mod tail;
#[cfg(test)]
mod tests;
#[cfg(feature = "training")]
pub mod training;
mod trim;
pub mod update;
mod voices;

pub use changes::changes_life;
pub use corrected::{Correction, corrected, may_correct};
pub use ending::{Ending, Left};
pub use gate::needs_memory;
pub use network::Encoder;
use page::Page;
use tagger::Tagger;

/// The maximum length of a clause, in characters. A longer one is not a single statement.
const CLAUSE_MAX: usize = 300;
/// The minimum weight of a message or clause: a letter or digit weighs 1, a Chinese character 2.
const WEIGHT_MIN: usize = 4;
/// The maximum number of statements of a message that are kept because the speaker asked for it.
const ASKED_STATEMENTS_MAX: usize = 50;
/// The maximum number of matters and statements that a message asks to forget.
const FORGETS_MAX: usize = 50;
/// The factor applied to the confidence of the agent's statements.
const HEARSAY: f64 = 0.9;
/// The rule of a statement that the speaker asked to remember.
const ASKED_RULE: &str = "asked";
/// The maximum number of characters that are reported of a dropped text.
const SHOWN: usize = 300;

/// The role of the speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person.
    User,
    /// The agent. Only the decisions it states are kept, with lower confidence; its statements about itself
    /// are not.
    Assistant,
}

/// What the speaker asks to forget, in a sentence that is no statement itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forget {
    /// Their words: "I live in Leeds" of "forget that I live in Leeds".
    pub text: String,
    /// Whether they name a matter ("my phone number", "Martin") rather than state something.
    pub is_matter: bool,
    /// Whether they mean all that was said about the matter.
    pub is_all: bool,
}

/// The result of reading a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The statements that may be kept, in the order of the message.
    pub candidates: Vec<Candidate>,
    /// The parts that are not kept, in no particular order.
    pub dropped: Vec<Dropped>,
    /// What the speaker asks to forget, up to 50 matters and statements.
    pub forgets: Vec<Forget>,
    /// Whether the speaker asks to forget what they said just before, and the message itself says nothing before that.
    pub forgets_last: bool,
    /// Whether they call that only "that": the message before may end with a question, which is meant then.
    pub forgets_that: bool,
    /// Whether they ask to forget all that they ever said.
    pub forgets_all: bool,
    /// Whether they ask to forget all that they said on the day of the message.
    pub forgets_today: bool,
    /// Whether the speaker asks not to keep what the message says, or a part of it.
    pub is_unwanted: bool,
    /// Whether the message is nothing but a correction of what the speaker said before: "no sorry, I meant Anna".
    pub corrects: Corrects,
}

/// Whether a message, or a clause of it, corrects what was said before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corrects {
    /// It does not.
    #[default]
    Nothing,
    /// It may: "no, 24", "sorry, 24".
    Perhaps,
    /// It says so: "I meant Anna".
    Certainly,
}

/// A clause that may be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The clause as the speaker wrote it. A word that means a day is followed by its date in parentheses.
    pub text: String,
    /// The position of the clause in the message, in bytes.
    pub span: Range<usize>,
    /// Whether an ellipsis follows it, so that its last word may be half a word.
    pub is_cut: bool,
    /// The category of the statement.
    pub category: Category,
    /// The importance, from 0 to 1.
    pub importance: f64,
    /// The probability that the clause is worth keeping, from 0 to 1.
    pub confidence: f64,
    /// Whether words before it announce that it corrects what the speaker said before: "actually, …".
    pub corrects: bool,
    /// Whether the preference applies only to this session, as in "this time".
    pub session_only: bool,
    /// Whether the speaker asks not to tell others.
    pub is_confided: bool,
    /// The day that the clause names; `None` if it names none.
    pub date: Option<Date>,
    /// The words of what no longer holds, if the statement says that something has ended: "i eat meat" of "I no longer
    /// eat meat".
    pub ended: Option<String>,
    /// What it was recognized by: `asked`, if the speaker asked to remember it, otherwise `learned` and the words
    /// that spoke most for it.
    pub rule: String,
}

/// A part of a message that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The text, with secrets redacted; of a long text only the first 300 characters.
    pub text: String,
    /// Why it is not kept.
    pub why: Why,
    /// What it was recognized by, as of a candidate; empty if it was not examined.
    pub rule: String,
}

/// The reason why a part of a message is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The text is too short.
    TooShort,
    /// The clause has more than 300 characters.
    TooLong,
    /// It looks like a prompt injection, detected by the named rule.
    Unsafe(&'static str),
    /// It contains a secret.
    Secret,
    /// It is code.
    Code,
    /// It is pasted text: a log, a mail, tool output or other foreign text.
    Pasted,
    /// It is a command for a shell or chat program, or an instruction for this moment only.
    Command,
    /// It quotes someone else.
    Quoted,
    /// It is part of an imagined case, or taken back as a joke or as not true.
    Imagined,
    /// The speaker asks not to keep it.
    Unwanted,
    /// It may be a request to forget something, or something else, so nothing is removed.
    UnclearRequest,
    /// The agent states it about itself.
    Assistant,
    /// The confidence is below the threshold.
    LowConfidence,
    /// The importance is below the threshold.
    LowImportance,
    /// The message has more candidates than the limit.
    TooMany,
}

impl Why {
    /// Returns whether the statistics count this reason as a safety reason.
    #[must_use]
    pub const fn is_safety(self) -> bool {
        matches!(self, Why::Unsafe(_) | Why::Secret | Why::Code)
    }

    /// Returns whether the statistics count this reason as a threshold.
    #[must_use]
    pub const fn is_threshold(self) -> bool {
        matches!(self, Why::LowConfidence | Why::LowImportance)
    }
}

/// The limits that [`select`] applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The minimum confidence, from 0 to 1.
    pub min_confidence: f64,
    /// The minimum importance, from 0 to 1.
    pub min_importance: f64,
    /// The maximum number of candidates of one message.
    pub max_entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { min_confidence: 0.5, min_importance: 0.6, max_entries: 4 }
    }
}

/// Finds the candidates of a message that was written on the day `said_on`.
#[must_use]
pub fn read(text: &str, role: Role, said_on: Date, encoder: &dyn Encoder) -> Reading {
    read_with(text, role, said_on, &tagger::BUNDLED, encoder)
}

fn read_with(text: &str, role: Role, said_on: Date, tagger: &Tagger, encoder: &dyn Encoder) -> Reading {
    let page = Page::of(text);
    let mut reading = Reading { dropped: page.dropped(text), ..Reading::default() };
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
    let secrets = secrets::find(text);
    statements::find(text, &page, &secrets, said_on, (tagger, encoder), &mut reading);
    reading.drop_repeats();
    reading.drop_secrets(&secrets);
    if role == Role::Assistant {
        reading.drop_own_words();
    }
    reading
}

/// Returns whether a message asks not to keep what it says, or a part of it. The sentence model is not needed.
#[must_use]
pub fn is_unwanted(text: &str) -> bool {
    statements::dropping::is_unwanted(text)
}

/// Drops the candidates below the thresholds, then the least important ones beyond the limit. A candidate that says that
/// something has ended stays whatever its confidence: the caller, who knows what is stored, drops it if it ends nothing.
#[must_use]
pub fn select(reading: Reading, limits: &Limits) -> Reading {
    let mut reading = reading;
    reading.keep(|candidate| {
        // What says that something has ended is worth more than its confidence tells: without it, the old statement stays.
        if candidate.confidence < limits.min_confidence && candidate.ended.is_none() {
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

/// Returns, for each candidate, whether it is among the `max` most important. Ties are broken by confidence,
/// then by order. What the speaker asked to remember does not count, up to 50 statements.
#[must_use]
pub fn most_important<'c>(candidates: impl IntoIterator<Item = &'c Candidate>, max: usize) -> Vec<bool> {
    let candidates: Vec<_> = candidates.into_iter().collect();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (candidates[a], candidates[b]);
        b.importance.total_cmp(&a.importance).then(b.confidence.total_cmp(&a.confidence))
    });
    let is_asked = |index: &usize| candidates[*index].is_asked();
    let asked = (0..candidates.len()).filter(is_asked).take(ASKED_STATEMENTS_MAX);
    let asked: Vec<usize> = asked.collect();
    order.retain(|index| !asked.contains(index));
    let mut stays = vec![false; candidates.len()];
    asked.into_iter().chain(order.into_iter().take(max)).for_each(|index| stays[index] = true);
    stays
}

/// Returns whether a message ends with a question or a request, apart from exclamations. "Forget that" after it withdraws no
/// statement.
#[must_use]
pub fn ends_with_request(text: &str) -> bool {
    statements::ends_with_request(&Page::of(text).sentences)
}

/// Returns whether a message has no sentence of more than two words.
#[must_use]
pub fn is_exclamation(text: &str) -> bool {
    Page::of(text).sentences.iter().all(statements::is_exclamation)
}

impl Candidate {
    /// Returns whether the speaker asked to remember it.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.rule == ASKED_RULE
    }
}

impl Reading {
    /// Drops every candidate for which `why` returns a reason.
    fn keep(&mut self, mut why: impl FnMut(&Candidate) -> Option<Why>) {
        let dropped = &mut self.dropped;
        self.candidates.retain(|candidate| {
            let Some(why) = why(candidate) else { return true };
            let text = secrets::redact(&candidate.text).into_owned();
            dropped.push(Dropped { text, why, rule: candidate.rule.clone() });
            false
        });
    }

    fn drop_whole(&mut self, text: &str, why: Why) {
        self.dropped.push(Dropped { text: shown(text), why, rule: String::new() });
    }

    /// Removes repeated statements except the first.
    fn drop_repeats(&mut self) {
        let mut said = BTreeSet::new();
        self.candidates.retain(|candidate| said.insert((candidate.category, candidate.text.to_lowercase())));
    }

    /// Drops every candidate that contains a secret: one whose clauses stand on both sides of it.
    fn drop_secrets(&mut self, secrets: &[secrets::Found]) {
        self.keep(|candidate| holds(secrets, &candidate.span).then_some(Why::Secret));
    }

    /// Drops all candidates except decisions, and lowers their confidence.
    fn drop_own_words(&mut self) {
        self.keep(|candidate| (candidate.category != Category::Decision).then_some(Why::Assistant));
        for candidate in &mut self.candidates {
            candidate.confidence *= HEARSAY;
        }
    }
}

/// Returns whether a part of a text holds any of its secrets.
fn holds(secrets: &[secrets::Found], part: &Range<usize>) -> bool {
    let first = secrets.partition_point(|secret| secret.range.end <= part.start);
    secrets.get(first).is_some_and(|secret| secret.range.start < part.end)
}

/// Returns the first 300 characters of a text, with secrets redacted.
#[must_use]
pub fn shown(text: &str) -> String {
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    secrets::redact(&text[..end]).into_owned()
}

/// Returns the weight of a text: a letter or digit weighs 1, a Chinese character 2. Counts only up to
/// [`WEIGHT_MIN`].
fn weight(text: &str) -> usize {
    let weigh = |c: char| match c {
        c if is_han(c) => 2,
        c if c.is_alphanumeric() => 1,
        _ => 0,
    };
    text.chars().map(weigh).filter(|weight| *weight > 0).take(WEIGHT_MIN).sum()
}
