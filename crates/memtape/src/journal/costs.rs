//! What the calls of models cost, summed up from the journal's lines of the type `cost`.

use std::collections::BTreeMap;

use memtape_core::calendar;
use memtape_core::journal::types::COST;
use serde_json::Value;

use super::{Journal, Line, Question};
use crate::error::{Error, Result};
use crate::workspace::At;

/// What costs are summed up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The model that was called.
    Model,
    /// The day, in the workspace's time zone.
    Day,
    /// The conversation.
    Session,
}

/// The sums over some calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// How many calls.
    pub calls: u64,
    /// The tokens that models were given.
    pub tokens_in: u64,
    /// The tokens that they gave.
    pub tokens_out: u64,
    /// What it cost, where lines say so, in whatever they count.
    pub cost: Option<f64>,
}

impl Journal<'_> {
    /// What the lines of the type `cost` that answer a question sum up to, by what they say of themselves; in order. A
    /// line that does not say it counts under `-`.
    ///
    /// # Errors
    /// What the medium says.
    pub fn costs(&self, by: By, question: &Question, at: &At) -> Result<BTreeMap<String, Costs>> {
        let question = Question { types: vec![COST.to_owned()], ..question.clone() };
        let mut sums: BTreeMap<String, Costs> = BTreeMap::new();
        self.each(&question, at, |line| {
            sums.entry(self.key(by, &line)).or_default().add(&line);
            Ok::<(), Error>(())
        })?;
        Ok(sums)
    }

    fn key(&self, by: By, line: &Line) -> String {
        let said = match by {
            By::Model => line.fields.get("model").and_then(Value::as_str).map(str::to_owned),
            By::Day => Some(calendar::day(line.date, self.workspace.time_zone()).to_string()),
            By::Session => line.session.clone(),
        };
        said.filter(|said| !said.is_empty()).unwrap_or_else(|| "-".into())
    }
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
