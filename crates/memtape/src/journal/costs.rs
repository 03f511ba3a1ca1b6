//! The costs of model calls, summed up from the journal lines of the type `cost`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_core::calendar;
use memtape_core::journal::types::COST;
use serde_json::Value;

use super::{Journal, Line, Question};
use crate::error::{Error, Result};
use crate::workspace::At;

/// The grouping of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By the model that was called.
    Model,
    /// By day, in the workspace's time zone.
    Day,
    /// By conversation.
    Session,
}

/// The sums over a group of calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// The number of calls.
    pub calls: u64,
    /// The tokens that models received.
    pub tokens_in: u64,
    /// The tokens that models returned.
    pub tokens_out: u64,
    /// The sum of the recorded costs, in the unit of the lines; `None` if no line records one.
    pub cost: Option<f64>,
}

impl Journal<'_> {
    /// Returns the sums of the `cost` lines that match a question, in the order of the group names. A call counts at the
    /// time that its line states as `at`, or else at the date of the line.
    ///
    /// Lines without a value for the group are counted under `-`.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn costs(&self, by: By, question: &Question, at: &At) -> Result<BTreeMap<String, Costs>> {
        // The date of a line is never before that of the call.
        let asked = Question { types: vec![COST.to_owned()], until: None, ..question.clone() };
        let mut sums: BTreeMap<String, Costs> = BTreeMap::new();
        self.each(&asked, at, |line| {
            let date = called_at(&line);
            let is_late = question.until.is_some_and(|until| date > until);
            if question.since.is_none_or(|since| date >= since) && !is_late {
                sums.entry(self.key(by, &line, date)).or_default().add(&line);
            }
            Ok::<(), Error>(())
        })?;
        Ok(sums)
    }

    fn key(&self, by: By, line: &Line, date: Timestamp) -> String {
        let said = match by {
            By::Model => line.fields.get("model").and_then(Value::as_str).map(str::to_owned),
            By::Day => Some(calendar::day(date, self.workspace.time_zone()).to_string()),
            By::Session => line.session.clone(),
        };
        said.filter(|said| !said.is_empty()).unwrap_or_else(|| "-".into())
    }
}

/// Returns when the model of a line was called.
fn called_at(line: &Line) -> Timestamp {
    let stated = line.fields.get("at").and_then(Value::as_str);
    stated.and_then(|at| at.parse().ok()).unwrap_or(line.date)
}

impl Costs {
    fn add(&mut self, line: &Line) {
        let number = |name: &str| line.fields.get(name).and_then(Value::as_u64).unwrap_or_default();
        self.calls += 1;
        self.tokens_in = self.tokens_in.saturating_add(number("tokens_in"));
        self.tokens_out = self.tokens_out.saturating_add(number("tokens_out"));
        if let Some(cost) = line.fields.get("cost").and_then(Value::as_f64) {
            *self.cost.get_or_insert_default() += cost;
        }
    }
}
