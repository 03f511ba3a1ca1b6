//! The end of a turn: capture, and the closing group.

use jiff::Timestamp;
use memtape_capture::Why;
use memtape_core::forms::messages::{Message, ToolUse};
use memtape_core::forms::statements::{self, Outcome};
use memtape_core::safety::secrets;
use memtape_core::turn::{self, Counters, End};
use memtape_core::{Audience, Context, Decision, Form, Meta, Origin, Point, Ref};
use memtape_index::Reader;
use memtape_tape::{Draft, Entry, Kind};
use serde_json::Value;

use super::capture::{Capture, Chosen};
use super::{Before, Captured, FinishedTurn, NotKept, Reason, Reply, is_foreign};
use crate::conversation::{self, Conversation};
use crate::error::Result;
use crate::inbound::Inbound;
use crate::ledger::upkeep;
use crate::statements::held;
use crate::workspace::Workspace;
/// Maximum number of expired statements removed per turn.
const EXPIRED_MAX: usize = 100;
/// Minimum time between two removals of expired statements.
const HYGIENE_SECONDS: i64 = 3600;

impl Conversation<'_> {
    /// Captures statements and writes the closing group.
    pub(super) fn end_turn(
        &self,
        inbound: &Inbound,
        before: &Before,
        reply: &Reply,
        mut turn: FinishedTurn,
    ) -> Result<FinishedTurn> {
        let workspace = self.workspace;
        self.check_reply(reply)?;
        let reply = &without_secrets_of(&inbound.text, reply);
        let tainted = !reply.tools.is_empty() || before.spoken.iter().any(is_foreign);
        let spoken_by = if tainted { Origin::Tool } else { Origin::Assistant };
        let tools = kept(workspace, &reply.tools);
        let capture = Capture::read(self, inbound, before, reply, spoken_by);
        let shown = capture.shown(inbound, &turn);
        let said = reply.text.as_deref().filter(|text| !text.trim().is_empty());
        let said = said.map(|text| workspace.clean_message(Message::new("assistant", text)));
        let author = workspace.author(&self.session, Origin::Assistant);
        let retention = &workspace.config.retention;
        let written = workspace.write(&author, |reader, point, ctx| {
            let mut drafts = Vec::new();
            if reader.is_closed(before.begin)? {
                return Ok(Decision { drafts, outcome: None });
            }
            let said_at = conversation::said_now(reader, point, ctx)?;
            for tool in &tools {
                let tool = std::slice::from_ref(tool);
                drafts.extend(ToolUse::drafts(tool, said_at, &ctx.meta(), &ctx.branch)?);
            }
            if let Some(message) = &said {
                let message = message.clone().dated(said_at);
                let meta = Meta { origin: Some(spoken_by), ..ctx.meta() };
                drafts.push(message.draft(&meta, &ctx.branch)?);
            }
            let mut counters = turn.counters;
            let mut chosen = capture.choose(&shown, reader, point, ctx)?;
            let removed = capture.statements_to_remove(&mut chosen, inbound.said_at, reader, point)?;
            chosen.drop_expired(retention, before.said_at, ctx.now);
            let Chosen { accepted, rules, dropped, .. } = chosen;
            let held = held(reader, point, &accepted, before.audience.is_owner(), ctx)?;
            // What is said is kept from when it was said.
            let then = Context { now: before.said_at, ..ctx.clone() };
            let decided = statements::ops::record(&held, &accepted, retention, &then)?;
            drafts.extend(decided.drafts);
            // The person asked for it, not the agent.
            let asked = Context { origin: Origin::User, ..ctx.clone() };
            drafts.extend(statements::ops::forget(&removed, &asked)?.drafts);
            if capture.is_unwanted() {
                drafts.push(statements::ops::keep_nothing(&asked)?);
            }
            let outcomes = accepted.into_iter().zip(rules).zip(decided.outcome);
            let captured: Vec<_> =
                outcomes.map(|((accepted, rule), is)| Captured::of(accepted, rule, is)).collect();
            count(&mut counters, &turn, &captured, &dropped);
            let is_hourly = is_first_of_hour(reader, point, ctx)?;
            if is_hourly {
                drafts.extend(hygiene(reader, point, ctx)?);
            }
            drafts.extend(upkeep::turn(&workspace.config, is_hourly, reader, point, ctx)?);
            let end = End {
                begin: before.begin,
                recalled: turn.recalled.found().collect(),
                counters,
                pending_actions: reply.pending_actions.clone(),
                unfinished: before.unfinished_begins.clone(),
            };
            drafts.push(turn::end(&end, &self.session, &ctx.meta(), &ctx.branch)?);
            Ok(Decision { drafts, outcome: Some((captured, removed, dropped, counters)) })
        })?;
        let Some(outcome) = written.outcome else { return Ok(FinishedTurn { had_ended: true, ..turn }) };
        (turn.captured, turn.forgotten, turn.dropped, turn.counters) = outcome;
        let copies = self.copies_of(&turn.forgotten, &before.audience);
        turn.copies = workspace.note_failure(copies).unwrap_or_default();
        turn.reply =
            said.and_then(|_| written.entries.iter().find(is_reply)).map(|entry| Ref::of_message(entry.id));
        Ok(turn)
    }
}

fn is_reply(entry: &&Entry) -> bool {
    entry.kind == Kind::Message
}

/// Returns a reply without the secrets of the message that it answers, which nothing in the reply may name.
fn without_secrets_of(message: &str, reply: &Reply) -> Reply {
    let clean = |text: &String| secrets::redact_repeated(text, message).into_owned();
    let tool = |tool: &ToolUse| ToolUse {
        name: tool.name.clone(),
        arguments: with_strings(&tool.arguments, &clean),
        result: tool.result.as_ref().map(clean),
    };
    Reply {
        text: reply.text.as_ref().map(clean),
        tools: reply.tools.iter().map(tool).collect(),
        pending_actions: reply.pending_actions.iter().map(clean).collect(),
    }
}

/// Returns a value with each of its strings replaced, except the names of fields.
fn with_strings(value: &Value, replaced: &impl Fn(&String) -> String) -> Value {
    match value {
        Value::String(text) => replaced(text).into(),
        Value::Array(values) => values.iter().map(|value| with_strings(value, replaced)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| (name.clone(), with_strings(value, replaced));
            fields.iter().map(field).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Returns the tool calls as they may be stored: results that are too long are cut.
fn kept(workspace: &Workspace, tools: &[ToolUse]) -> Vec<ToolUse> {
    let kept = |tool: &ToolUse| {
        let result = tool.result.as_deref().map(|result| workspace.cut_to_length(result).into_owned());
        ToolUse { result, ..tool.clone() }
    };
    tools.iter().map(kept).collect()
}

fn count(counters: &mut Counters, turn: &FinishedTurn, captured: &[Captured], dropped: &[NotKept]) {
    let n = |found: usize| found as u64;
    let whys = || {
        dropped.iter().filter_map(|dropped| match dropped.why {
            Reason::Read(why) => Some(why),
            Reason::Echo | Reason::Expired | Reason::NothingToForget | Reason::Off | Reason::Channel => None,
        })
    };
    let is_miss = turn.recalled.found().next().is_none();
    counters.recall_hit = u64::from(!is_miss);
    counters.recall_miss = u64::from(is_miss);
    counters.prompt_chars = n(turn.memory.chars().count());
    counters.capture_saved = n(captured.iter().filter(|c| matches!(c.outcome, Outcome::Saved(_))).count());
    counters.capture_deduped = n(captured.len()) - counters.capture_saved;
    counters.capture_dropped_low_conf =
        n(whys().filter(|why| why.is_threshold() || *why == Why::TooMany).count());
    counters.capture_dropped_safety = n(whys().filter(|why| why.is_safety()).count());
}

/// Returns the removal of expired statements.
fn hygiene(reader: &Reader<'_>, point: &Point, ctx: &Context) -> memtape_index::Result<Vec<Draft>> {
    let expired = reader.expired(Form::STATEMENTS, &Audience::owner(), point, EXPIRED_MAX)?;
    Ok(statements::ops::expire(&expired, true, ctx)?.drafts)
}

/// Returns whether this is the first turn of the clock hour that is closed. Expensive maintenance runs only
/// then.
fn is_first_of_hour(reader: &Reader<'_>, point: &Point, ctx: &Context) -> memtape_index::Result<bool> {
    let hour = |at: Timestamp| at.as_second().div_euclid(HYGIENE_SECONDS);
    let last = reader.last_named(turn::END, point)?;
    Ok(last.is_none_or(|last| hour(last) != hour(ctx.now)))
}
