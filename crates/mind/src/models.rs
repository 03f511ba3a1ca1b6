//! The models of a workspace: their tasks, budgets and recorded costs.
//!
//! Every call that a server answered is a line `cost` of the journal, and every other one a line `error`. The budgets of an
//! hour and a day are computed from these lines, so they hold over all processes.

use std::cell::Cell;

use jiff::{SignedDuration, Timestamp};
use memtape::config::ModelConfig;
use memtape::journal::Question;
use memtape::journal::costs::{By, Costs};
use memtape::{At, Origin, Session, Workspace};
use serde_json::{Value, json};

use crate::chat::{Answer, Request, ToolCall, Usage};
use crate::endpoint::Endpoint;
use crate::error::{Error, Result};

const TOKENS_PER_PRICE: f64 = 1_000_000.0;
const HOURS_A_DAY: i64 = 24;

/// The purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To answer a person.
    Reply,
    /// To extract facts from a conversation.
    Extract,
    /// To decide what happens to facts that contradict each other.
    Resolve,
    /// To write notes after a task.
    Reflect,
    /// To summarise a conversation that is handed off.
    Summary,
    /// To consolidate memories.
    Consolidate,
    /// To find out whether the model answers.
    Check,
}

impl Purpose {
    /// Returns its name in the journal.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::Extract => "extract",
            Self::Resolve => "resolve",
            Self::Reflect => "reflect",
            Self::Summary => "summary",
            Self::Consolidate => "consolidate",
            Self::Check => "check",
        }
    }
}

/// The models that are configured.
pub struct Models {
    main: Endpoint,
    background: Option<Endpoint>,
    config: ModelConfig,
}

impl Models {
    /// Prepares the configured models; `None` if there are none. Nothing is sent.
    ///
    /// `environment` looks up an environment variable.
    ///
    /// # Errors
    /// [`Error::Configuration`] if a name is missing, an address is no HTTP address, a key cannot be read, or a key would
    /// be sent to another machine without encryption.
    pub fn open(config: &ModelConfig, environment: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        let Some(main) = Endpoint::new("model", &config.main, config, environment)? else { return Ok(None) };
        let background = Endpoint::new("model.background", &config.background, config, environment)?;
        Ok(Some(Self { main, background, config: config.clone() }))
    }

    /// Returns the model that answers.
    #[must_use]
    pub fn main(&self) -> &Endpoint {
        &self.main
    }

    /// Returns the model that works in the background; `None` if the main one does.
    #[must_use]
    pub fn background(&self) -> Option<&Endpoint> {
        self.background.as_ref()
    }

    /// Returns a caller for one turn of a conversation.
    #[must_use]
    pub fn caller<'a>(&'a self, workspace: &'a Workspace, session: &Session) -> Caller<'a> {
        Caller {
            models: self,
            workspace,
            session: session.clone(),
            spent: Cell::default(),
            count: Cell::default(),
        }
    }
}

/// Calls models for one turn of a conversation, within the budgets.
pub struct Caller<'a> {
    models: &'a Models,
    workspace: &'a Workspace,
    session: Session,
    spent: Cell<Usage>,
    count: Cell<u64>,
}

impl<'a> Caller<'a> {
    /// Returns the workspace.
    #[must_use]
    pub fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// Returns the conversation.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the number of calls that a server answered.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count.get()
    }

    /// Sends a request to one of the models, to find out whether it answers.
    ///
    /// # Errors
    /// See [`Caller::call`].
    pub fn check(&self, endpoint: &Endpoint, request: &Request) -> Result<Answer> {
        self.check_budget()?;
        self.send(endpoint, Purpose::Check, request, None)
    }

    /// Calls a model, streaming the answer to `on_text` if it is set, and records the cost of the call.
    ///
    /// # Errors
    /// - [`Error::Budget`] if a budget is used up. Nothing is sent.
    /// - [`Error::Model`] if the model does not answer.
    /// - [`Error::Memtape`] if the costs cannot be read or recorded.
    pub fn call(
        &self,
        purpose: Purpose,
        request: &Request,
        on_text: Option<&mut dyn FnMut(&str)>,
    ) -> Result<Answer> {
        self.check_budget()?;
        let max_tokens = request.max_tokens.max(self.models.config.max_tokens);
        let request = Request { max_tokens, ..request.clone() };
        let endpoint = match &self.models.background {
            Some(background) if purpose != Purpose::Reply => background,
            _ => &self.models.main,
        };
        self.send(endpoint, purpose, &request, on_text)
    }

    fn send(
        &self,
        endpoint: &Endpoint,
        purpose: Purpose,
        request: &Request,
        on_text: Option<&mut dyn FnMut(&str)>,
    ) -> Result<Answer> {
        let mut recorded = Ok(());
        let answer = endpoint.call(request, on_text, &mut |failure| {
            if let (Some(usage), Ok(())) = (failure.usage, &recorded) {
                let tokens_in = match usage.tokens_in {
                    0 => estimated(request, &Answer::default()).tokens_in,
                    reported => reported,
                };
                recorded = self.record(endpoint, purpose, Usage { tokens_in, ..usage });
            }
        });
        recorded?;
        match answer {
            Ok(answer) => {
                let usage = answer.usage.unwrap_or_else(|| estimated(request, &answer));
                self.record(endpoint, purpose, usage)?;
                Ok(answer)
            }
            Err(Error::Model(failure)) => {
                // The text of the error comes from the server, so it is not trusted.
                let journal =
                    self.workspace.journal().in_session(self.session.clone()).writing_as(Origin::Tool);
                journal.add(
                    "error",
                    &json!({"tool": "model", "model": endpoint.model(), "error": failure.why}),
                )?;
                Err(Error::Model(failure))
            }
            Err(e) => Err(e),
        }
    }

    fn record(&self, endpoint: &Endpoint, purpose: Purpose, usage: Usage) -> Result<()> {
        let mut spent = self.spent.get();
        spent += usage;
        self.spent.set(spent);
        self.count.set(self.count.get() + 1);
        let mut line = json!({
            "model": endpoint.model(), "purpose": purpose.as_str(),
            "tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out,
        });
        let (price_in, price_out) = endpoint.prices();
        if price_in + price_out > 0.0 {
            let cost =
                (float(usage.tokens_in) * price_in + float(usage.tokens_out) * price_out) / TOKENS_PER_PRICE;
            line["cost"] = cost.into();
        }
        let journal = self.workspace.journal().in_session(self.session.clone()).writing_as(Origin::Assistant);
        journal.add("cost", &line)?;
        Ok(())
    }

    /// Refuses a call if a budget is used up.
    fn check_budget(&self) -> Result<()> {
        let budget = self.models.config.budget;
        let over = |limit: u64, spent: u64| limit > 0 && spent >= limit;
        let used_up =
            |key: &str, what: &str| Err(Error::Budget(format!("{what} is used up (model.budget.{key})")));
        if over(budget.turn_tokens, self.spent.get().total()) {
            return used_up(
                "turn_tokens",
                &format!("the budget of {} tokens for one turn", budget.turn_tokens),
            );
        }
        if budget.hour_tokens > 0 && over(budget.hour_tokens, tokens(&self.spent_within(1)?)) {
            return used_up("hour_tokens", &format!("the budget of {} tokens an hour", budget.hour_tokens));
        }
        if budget.day_tokens == 0 && budget.day_cost <= 0.0 {
            return Ok(());
        }
        let day = self.spent_within(HOURS_A_DAY)?;
        if over(budget.day_tokens, tokens(&day)) {
            return used_up("day_tokens", &format!("the budget of {} tokens a day", budget.day_tokens));
        }
        if budget.day_cost > 0.0 && day.cost.unwrap_or_default() >= budget.day_cost {
            return used_up("day_cost", &format!("the daily budget of {}", budget.day_cost));
        }
        Ok(())
    }

    /// Returns what all calls of the last hours cost.
    fn spent_within(&self, hours: i64) -> Result<Costs> {
        let now = self.workspace.now();
        let since = now.checked_sub(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MIN);
        // What is dated later was written while the clock was ahead.
        let question = Question { since: Some(since), until: Some(now), ..Question::default() };
        let by_model = self.workspace.journal().costs(By::Model, &question, &At::head())?;
        let mut all = Costs::default();
        for costs in by_model.into_values() {
            all.calls += costs.calls;
            all.tokens_in = all.tokens_in.saturating_add(costs.tokens_in);
            all.tokens_out = all.tokens_out.saturating_add(costs.tokens_out);
            if let Some(cost) = costs.cost {
                *all.cost.get_or_insert_default() += cost;
            }
        }
        Ok(all)
    }
}

fn tokens(costs: &Costs) -> u64 {
    costs.tokens_in.saturating_add(costs.tokens_out)
}

#[allow(clippy::cast_precision_loss, reason = "no call has 2^53 tokens")]
fn float(tokens: u64) -> f64 {
    tokens as f64
}

/// Estimates the tokens of a call whose server does not report them.
fn estimated(request: &Request, answer: &Answer) -> Usage {
    let called = |calls: &[ToolCall]| -> usize {
        let arguments = calls.iter().map(|call| call.arguments.as_ref().map_or_else(String::len, printed));
        arguments.sum()
    };
    let said = request.messages.iter().map(|message| {
        let results = message.results.iter().map(|result| result.text.len());
        message.text.len() + message.reasoning.len() + called(&message.calls) + results.sum::<usize>()
    });
    let tools = request.tools.iter().map(|tool| tool.description.len() + printed(&tool.schema));
    let asked = request.system.len() + said.sum::<usize>() + tools.sum::<usize>();
    let answered = answer.text.len() + answer.reasoning.len() + called(&answer.calls);
    Usage { tokens_in: Usage::estimated(asked), tokens_out: Usage::estimated(answered) }
}

/// Returns the length of a value as JSON.
fn printed(value: &Value) -> usize {
    value.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Message, ToolSpec};

    #[test]
    fn the_estimate_includes_tools_and_their_calls() {
        let schema = json!({"type": "object"});
        let tool = ToolSpec { name: "a".into(), description: "d".repeat(40), schema };
        let call = ToolCall {
            id: "1".into(),
            name: "a".into(),
            arguments: Ok(json!({"text": "t".repeat(400)})),
            extra: None,
        };
        let answer = Answer { calls: vec![call.clone()], ..Answer::default() };
        let said = Message { calls: vec![call], ..Message::assistant("") };
        let request = Request { messages: vec![said], tools: vec![tool], ..Request::default() };
        let usage = estimated(&request, &answer);
        // `{"text":"…"}` and `{"type":"object"}`.
        assert_eq!(
            (usage.tokens_in, usage.tokens_out),
            ((411 + 40 + 17_u64).div_ceil(4), 411_u64.div_ceil(4))
        );
    }
}
