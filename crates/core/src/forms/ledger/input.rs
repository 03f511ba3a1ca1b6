//! Facts as callers state them, and their validation.
//!
//! **Invariant.** A subject, a predicate and a topic are one line without control characters, so that a fact
//! is shown on one line and its slot has one spelling.

use crate::decision::Context;
use crate::error::{Error, Result};
use crate::forms::ledger::entry::slots;
use crate::safety::is_blank;
use crate::slots::Slots;

/// Maximum length of a subject, predicate, topic or source in characters.
pub const WORDS_CHARS_MAX: usize = 200;
/// Maximum length of a value or of evidence in characters.
pub const TEXT_CHARS_MAX: usize = 8000;
/// Maximum number of days that a fact can be kept for.
const DAYS_MAX: u32 = 1_000_000;
/// The source of a fact that a person adds on purpose, in the words of document 1.
pub const USER_SOURCE: &str = "user_explicit";
/// The source of a fact that an agent adds, in the words of document 1.
pub const TOOL_SOURCE: &str = "agent_tool";

/// A fact to add or observe. Its scope and sensitivity come from the command's context.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFact {
    /// The subject of the fact.
    pub subject: String,
    /// The predicate of the fact.
    pub predicate: String,
    /// The value.
    pub object: String,
    /// A lifetime (`permanent`, `session`, `temporary`), or a topic such as `work/technical`.
    pub scope: Option<String>,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The source: `user_explicit`, `agent_tool`, or any other word.
    pub source: String,
    /// The evidence for the value.
    pub evidence: Option<String>,
    /// Number of days until it expires; `None` uses the default of its lifetime.
    pub days: Option<u32>,
    /// The injection rule that it matches, which quarantines it; `None` if it matches none.
    pub quarantined: Option<String>,
}

impl NewFact {
    /// Returns a fact as a person states it: certain, in no topic, and with the default end.
    #[must_use]
    pub fn new(subject: impl Into<String>, predicate: impl Into<String>, object: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            predicate: predicate.into(),
            object: object.into(),
            scope: None,
            confidence: 1.0,
            source: USER_SOURCE.to_owned(),
            evidence: None,
            days: None,
            quarantined: None,
        }
    }

    /// Returns the normalized fact: trimmed, with single-line parts on one line.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a part is empty or too long, or a number is out of range.
    pub fn checked(&self) -> Result<Self> {
        let days = match self.days {
            Some(days) if !(1..=DAYS_MAX).contains(&days) => {
                return Err(Error::Invalid(format!(
                    "days must be a number from 1 to {DAYS_MAX}, not {days}"
                )));
            }
            days => days,
        };
        Ok(Self {
            subject: words("the subject", &self.subject)?,
            predicate: words("the predicate", &self.predicate)?,
            object: text("the object", &self.object)?,
            scope: scope(self.scope.as_deref())?,
            confidence: share("confidence", self.confidence)?,
            source: words("the source", &self.source)?,
            evidence: match self.evidence.as_deref().map(str::trim).filter(|evidence| !evidence.is_empty()) {
                Some(evidence) => Some(text("the evidence", evidence)?),
                None => None,
            },
            days,
            quarantined: self.quarantined.clone(),
        })
    }

    /// Returns its slots.
    #[must_use]
    pub fn slots(&self, ctx: &Context) -> Slots {
        let session = ctx.session.to_string();
        slots(&ctx.scope, Some(&session), &self.subject, &self.predicate, self.scope.as_deref())
    }
}

/// Facts named by their subject and predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The subject of the facts.
    pub subject: String,
    /// The predicate of the facts.
    pub predicate: String,
    /// The lifetime or topic; `None` matches all.
    pub scope: Option<String>,
}

impl Named {
    /// Returns the name with each part on one line.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a part is empty or too long.
    pub fn checked(&self) -> Result<Self> {
        Ok(Self {
            subject: words("the subject", &self.subject)?,
            predicate: words("the predicate", &self.predicate)?,
            scope: scope(self.scope.as_deref())?,
        })
    }
}

/// A value that replaces the value of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct NewValue {
    /// The value.
    pub object: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The source.
    pub source: String,
    /// The injection rule that it matches, which quarantines it; `None` if it matches none.
    pub quarantined: Option<String>,
}

impl NewValue {
    /// Returns the normalized value.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a part is empty or too long, or the confidence is out of range.
    pub fn checked(&self) -> Result<Self> {
        Ok(Self {
            object: text("the new value", &self.object)?,
            confidence: share("confidence", self.confidence)?,
            source: words("the source", &self.source)?,
            quarantined: self.quarantined.clone(),
        })
    }
}

/// Returns a lifetime or a topic on one line; `None` if it is blank.
fn scope(scope: Option<&str>) -> Result<Option<String>> {
    match scope.map(one_line).filter(|scope| !scope.is_empty()) {
        Some(scope) => Ok(Some(within("the scope", scope, WORDS_CHARS_MAX)?)),
        None => Ok(None),
    }
}

fn words(what: &str, words: &str) -> Result<String> {
    filled(what, within(what, one_line(words), WORDS_CHARS_MAX)?)
}

fn text(what: &str, text: &str) -> Result<String> {
    filled(what, within(what, text.trim().to_owned(), TEXT_CHARS_MAX)?)
}

fn filled(what: &str, text: String) -> Result<String> {
    match is_blank(&text) {
        true => Err(Error::Invalid(format!("{what} is empty"))),
        false => Ok(text),
    }
}

fn within(what: &str, text: String, most: usize) -> Result<String> {
    match text.chars().count() {
        n if n > most => Err(Error::Invalid(format!(
            "{what} is {n} characters long, {} over the limit of {most}",
            n - most
        ))),
        _ => Ok(text),
    }
}

fn share(what: &str, number: f64) -> Result<f64> {
    match (0.0..=1.0).contains(&number) {
        true => Ok(number),
        false => Err(Error::Invalid(format!("{what} must be a number from 0 to 1, not {number}"))),
    }
}

/// Puts a text on one line: white space and control characters become single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_fact() -> NewFact {
        NewFact {
            scope: Some(" ".into()),
            confidence: 0.9,
            evidence: Some(String::new()),
            ..NewFact::new(" user\n\tname\0d ", "prefers", " dark\nmode ")
        }
    }

    #[test]
    fn input_is_normalized() {
        let checked = new_fact().checked().unwrap();
        assert_eq!((checked.subject.as_str(), checked.object.as_str()), ("user name d", "dark\nmode"));
        assert_eq!((checked.scope.as_deref(), checked.evidence.as_deref()), (None, None));
        assert_eq!(checked.checked().unwrap(), checked);
    }

    #[test]
    fn an_invalid_fact_is_refused_by_name() {
        let cases = [
            (NewFact { subject: " \n".into(), ..new_fact() }, "the subject is empty"),
            (NewFact { object: String::new(), ..new_fact() }, "the object is empty"),
            (NewFact { object: "\0\u{200B}".into(), ..new_fact() }, "the object is empty"),
            (NewFact { source: String::new(), ..new_fact() }, "the source is empty"),
            (
                NewFact { predicate: "ä".repeat(203), ..new_fact() },
                "the predicate is 203 characters long, 3 over the limit of 200",
            ),
            (
                NewFact { object: "x".repeat(8001), ..new_fact() },
                "the object is 8001 characters long, 1 over the limit of 8000",
            ),
            (NewFact { confidence: 1.1, ..new_fact() }, "confidence must be a number from 0 to 1, not 1.1"),
            (
                NewFact { confidence: f64::NAN, ..new_fact() },
                "confidence must be a number from 0 to 1, not NaN",
            ),
            (NewFact { days: Some(0), ..new_fact() }, "days must be a number from 1 to 1000000, not 0"),
        ];
        for (input, why) in cases {
            assert_eq!(input.checked().unwrap_err().to_string(), why);
        }
    }
}
