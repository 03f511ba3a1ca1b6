//! A turn: one inbound message handled from end to end.
//!
//! The way of a turn: policy → the message onto the tape → recall → the model → capture → the closing group. What
//! asks a model is a closure, so that the turn is the same for every agent.
//!
//! **Invariants.** The message is on the tape before any model is asked; a turn that is cut off before its closing
//! group is told to the next one. What a prompt was given is not captured again, whoever repeats it. What comes from
//! tools is marked as theirs. Where a channel is not remembered nothing is written at all.

use std::fmt;

use jiff::Timestamp;
use memtape_capture::Why;
pub use memtape_core::forms::messages::ToolUse;
use memtape_core::forms::messages::{Message, Said};
use memtape_core::forms::statements::entry::EXPIRE;
use memtape_core::forms::statements::{self, Outcome};
use memtape_core::prompt::{self, Prompt, TooSmall};
use memtape_core::turn::{Counters, End, Trigger};
use memtape_core::{
    Audience, Category, Decision, Form, Given, Lifetime, Memory, Meta, Origin, Point, Ref, Scope, turn,
};
use memtape_store::Reader;
use memtape_tape::{Draft, Entry, EntryId, Kind};
use serde_json::{Value, json};

mod capture;

use self::capture::{Capture, Chosen};
use crate::conversation::{self, Conversation};
use crate::error::{Error, Result};
use crate::inbound::{CONVERSATION_MESSAGES, Inbound, check_lengths};
use crate::ledger::upkeep;
use crate::prompt::{Assembling, Prompting, with_shown};
use crate::recall::{Hit, Recalled};
use crate::snapshot::Snapshot;
use crate::statements::held;
use crate::workspace::{At, Workspace};

/// Of so many statements whose time is over a turn takes care at most.
const EXPIRED_MAX: usize = 100;
/// How often a turn looks for them, at most.
const HYGIENE_SECONDS: i64 = 3600;

/// What a model is given.
#[derive(Clone, Debug, Default)]
pub struct Briefing<'a> {
    /// The whole prompt, what was recalled among it; none where the channel is not remembered, or where the message is too
    /// long for the budget.
    pub prompt: Option<&'a Prompt>,
    /// How large the budget would have to be, where the message is too long for it.
    pub too_small: Option<TooSmall>,
    /// The part of the prompt that shows what was recalled; empty where nothing was.
    pub memory: &'a str,
    /// The hits it shows.
    pub recalled: &'a [Hit],
    /// Whether the conversation that the model is shown holds what tools gave: then what the model has written was
    /// perhaps not its own idea.
    pub seen: Option<Origin>,
}

/// What a model answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// What it says; nothing, where it says nothing.
    pub text: Option<String>,
    /// The tools it called, in order.
    pub tools: Vec<ToolUse>,
    /// What is still to be done.
    pub pending_actions: Vec<String>,
}

impl Reply {
    /// A reply that is only a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }
}

/// What came of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// Whether the channel remembers; where it does not, nothing was written and nothing recalled.
    pub remembered: bool,
    /// The message, as a ref.
    pub message: Option<Ref>,
    /// The reply, as a ref.
    pub reply: Option<Ref>,
    /// What was recalled.
    pub recalled: Recalled,
    /// The part of the prompt that shows it.
    pub memory: String,
    /// What was captured.
    pub captured: Vec<Captured>,
    /// What was not, and why.
    pub dropped: Vec<NotKept>,
    /// The turns before it that were cut off: what was said in each.
    pub unfinished: Vec<Unfinished>,
    /// What is counted of it.
    pub counters: Counters,
}

/// A statement that a turn captured.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// What became of it.
    pub outcome: Outcome,
    /// What is stated.
    pub text: String,
    /// What it is about.
    pub category: Category,
    /// Whose it is.
    pub scope: Scope,
    /// How long it should live.
    pub lifetime: Lifetime,
    /// How much it matters.
    pub importance: f64,
    /// How sure it is.
    pub confidence: f64,
    /// The rule that found it.
    pub rule: &'static str,
}

/// What a turn did not capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotKept {
    /// What it is, without secrets.
    pub text: String,
    /// Why.
    pub why: Reason,
}

/// Why something was not captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Capture says so.
    Read(Why),
    /// A prompt was given the same before.
    Echo,
    /// Capture is switched off (`capture.enabled`).
    Off,
    /// Nothing is captured on this channel (`capture.channels`).
    Channel,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Echo => "the prompt was given the same",
            Self::Off => "capture is switched off (capture.enabled)",
            Self::Channel => "nothing is captured on this channel (capture.channels)",
            Self::Read(why) => match why {
                Why::TooShort => "too short",
                Why::TooLong => "too long",
                Why::Unsafe(rule) => return write!(f, "it reads like an order to a model ({rule})"),
                Why::Secret => "it holds a secret",
                Why::Code => "code",
                Why::Pasted => "pasted text",
                Why::Command => "a command",
                Why::Question => "a question",
                Why::Quoted => "a quotation",
                Why::Reported => "what others said",
                Why::Other => "about somebody else",
                Why::Hypothetical => "supposed or wished",
                Why::Past => "it is past",
                Why::Negated => "denied",
                Why::Joke => "not meant",
                Why::Idiom => "an idiom",
                Why::Assistant => "the agent's own",
                Why::LowConfidence => "not sure enough",
                Why::LowImportance => "not important enough",
                Why::TooMany => "more than a turn captures (capture.max_entries_per_turn)",
            },
        })
    }
}

/// A turn that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// What was said.
    pub message: Ref,
    /// Its text; `None` where it cannot be read any more.
    pub text: Option<String>,
}

/// What a turn has found before the model is asked.
struct Before {
    audience: Audience,
    begin: EntryId,
    /// The entries of its first group.
    own: Vec<EntryId>,
    /// When the message was said.
    said_at: Timestamp,
    unfinished: Vec<Unfinished>,
    unfinished_begins: Vec<EntryId>,
    /// The system part of the prompt.
    system: String,
    /// What the prompt shows of the conversation.
    spoken: Vec<Memory>,
}

impl Conversation<'_> {
    /// Handles an inbound message from end to end. `answer` is the model: it is given what was recalled, and may write
    /// by itself meanwhile. A turn without a model is a finished turn all the same.
    ///
    /// # Errors
    /// That there is no text; what the medium says; or what `answer` says: then the turn stays unfinished, and the next
    /// one reports it.
    pub fn turn(
        &self,
        inbound: &Inbound,
        answer: impl FnOnce(&Briefing<'_>) -> Result<Reply>,
    ) -> Result<Turn> {
        let policy = &self.workspace.config.turn;
        if !policy.enabled || !policy.channels.hold(self.session.channel()) {
            let briefing = Briefing::default();
            answer(&briefing)?;
            return Ok(Turn::default());
        }
        if inbound.text.trim().is_empty() {
            return Err(Error::Invalid("there is nothing to answer in an empty message".into()));
        }
        let is_of_nobody = inbound.user.is_none() && inbound.name.is_none() && inbound.reply_to.is_none();
        if inbound.trigger != Trigger::Message && !is_of_nobody {
            let trigger = inbound.trigger.as_str();
            return Err(Error::Invalid(format!(
                "nobody speaks in a {trigger} turn: name no user, and no message that it replies to"
            )));
        }
        check_lengths(self.workspace, inbound)?;
        // What is wrong with the tokenizer is told before anything is written.
        self.workspace.counting()?;
        let mut before = self.begin_turn(inbound)?;
        let mut turn = Turn { remembered: true, ..Turn::default() };
        turn.message = Some(message_ref(before.begin + 1));
        turn.unfinished.clone_from(&before.unfinished);
        let prompt = self.brief(inbound, &mut before, &mut turn)?;
        let seen = before.spoken.iter().find(|memory| is_foreign(memory)).and_then(|memory| memory.origin);
        let briefing = Briefing {
            prompt: prompt.as_ref().ok(),
            too_small: prompt.as_ref().err().copied(),
            memory: &turn.memory,
            recalled: &turn.recalled.hits,
            seen,
        };
        let reply = answer(&briefing)?;
        self.end_turn(inbound, &before, &reply, turn)
    }

    /// Puts the message onto the tape, and finds what stands before it.
    fn begin_turn(&self, inbound: &Inbound) -> Result<Before> {
        let workspace = self.workspace;
        let audience = workspace.audience(Some(&self.session), inbound.user.as_deref())?;
        let user = audience.user().map(ToString::to_string);
        let message = workspace.clean_message(Message {
            role: "user".into(),
            content: inbound.text.clone(),
            name: workspace.declared_name(&audience).or(inbound.name.as_deref()).map(str::to_owned),
            image: None,
            said_at: inbound.said_at,
        });
        let reply_to = inbound.reply_to.as_deref().map(|text| workspace.clean(text).into_owned());
        // What nobody said is the agent's own.
        let origin = match inbound.trigger {
            Trigger::Message => Origin::User,
            Trigger::Perch | Trigger::Cron => Origin::Assistant,
        };
        let author = workspace.author(&self.session, origin);
        let written = workspace.write(&author, |reader, point, given| {
            let mut drafts =
                conversation::opening(workspace, std::slice::from_ref(&self.session), reader, point, given)?;
            let message = message.clone().dated(conversation::said_now(reader, point, given)?);
            let meta = given.meta();
            drafts.push(turn::begin(inbound.trigger, &self.session, &meta, &given.branch)?);
            let begins = drafts.len() - 1;
            let meta = Meta { user: user.clone(), ..meta };
            drafts.push(match inbound.trigger {
                Trigger::Message => replying(message.draft(&meta, &given.branch)?, reply_to.as_deref())?,
                Trigger::Perch | Trigger::Cron => message.system(&meta, &given.branch)?,
            });
            let unfinished_begins = reader.open_turns(&self.session)?;
            let mut unfinished = Vec::with_capacity(unfinished_begins.len());
            for begin in &unfinished_begins {
                let message = message_ref(begin + 1);
                let said = reader.by_ref(&message, &audience, point)?.pop();
                unfinished.push(Unfinished { message, text: said.map(|said| said.text) });
            }
            Ok(Decision { drafts, outcome: (begins, given.now, unfinished_begins, unfinished) })
        })?;
        let (begins, now, unfinished_begins, unfinished) = written.outcome;
        let begin = written.entries.get(begins).map_or(0, |entry| entry.id);
        let said_at = inbound.said_at.unwrap_or(now);
        Ok(Before {
            audience,
            begin,
            own: written.entries.iter().map(|entry| entry.id).collect(),
            said_at,
            unfinished,
            unfinished_begins,
            system: String::new(),
            spoken: Vec::new(),
        })
    }

    /// The prompt for the message, and what it shows; where the message is too long for any, what would be shown of
    /// memory alone.
    fn brief(
        &self,
        inbound: &Inbound,
        before: &mut Before,
        turn: &mut Turn,
    ) -> Result<Result<Prompt, TooSmall>> {
        let workspace = self.workspace;
        let assembling = Assembling {
            inbound,
            asking: &Prompting::default(),
            audience: &before.audience,
            own: &before.own,
            said_at: Some(before.said_at),
        };
        let read = |snapshot: &Snapshot<'_>| {
            let at = &snapshot.at();
            let (prompt, recalled) = self.assemble(&assembling, at)?;
            let spoken = workspace.read(at, &self.session, |reader, point| match &prompt {
                Ok(prompt) => reader.by_ids(prompt.shown.iter().copied()),
                Err(_) => reader.spoken(&self.session, CONVERSATION_MESSAGES, point),
            })?;
            Ok((prompt, recalled, spoken))
        };
        let (prompt, recalled, spoken) =
            workspace.with_snapshot(&self.session, &before.audience, &At::head(), read)?;
        before.spoken = spoken;
        let max_chars = workspace.config.recall.max_prompt_chars;
        turn.memory = match &prompt {
            Ok(prompt) => prompt.memory.clone(),
            Err(_) => with_shown(&recalled, |memories| {
                prompt::recalled(memories, workspace.time_zone(), max_chars).0
            }),
        };
        turn.recalled = recalled;
        before.system = prompt.as_ref().map_or_else(|_| String::new(), |prompt| prompt.system.clone());
        Ok(prompt)
    }

    /// Captures, and writes the closing group.
    fn end_turn(&self, inbound: &Inbound, before: &Before, reply: &Reply, mut turn: Turn) -> Result<Turn> {
        let workspace = self.workspace;
        let tainted = !reply.tools.is_empty() || before.spoken.iter().any(is_foreign);
        let spoken_by = if tainted { Origin::Tool } else { Origin::Assistant };
        let tools = kept(workspace, &reply.tools)?;
        for text in reply.text.iter().chain(&reply.pending_actions) {
            workspace.check_length("the reply", text)?;
        }
        let capture = Capture::read(self, inbound, before, reply, spoken_by);
        let shown = capture.shown(inbound, &turn);
        let said = reply.text.as_deref().filter(|text| !text.trim().is_empty());
        let said = said.map(|text| {
            workspace.clean_message(Message {
                role: "assistant".into(),
                content: text.to_owned(),
                name: None,
                image: None,
                said_at: None,
            })
        });
        let author = workspace.author(&self.session, Origin::Assistant);
        let retention = &workspace.config.retention;
        let written = workspace.write(&author, |reader, point, given| {
            let mut drafts = Vec::new();
            let said_at = conversation::said_now(reader, point, given)?;
            for tool in &tools {
                let tool = std::slice::from_ref(tool);
                drafts.extend(ToolUse::drafts(tool, said_at, &given.meta(), &given.branch)?);
            }
            if let Some(message) = &said {
                let message = message.clone().dated(said_at);
                let meta = Meta { origin: Some(spoken_by), ..given.meta() };
                drafts.push(message.draft(&meta, &given.branch)?);
            }
            let mut counters = turn.counters;
            let Chosen { told, rules, dropped } = capture.choose(&shown, reader, point, given)?;
            let held = held(reader, point, &told, given)?;
            let decided = statements::ops::tell(&held, &told, retention, given)?;
            drafts.extend(decided.drafts);
            let outcomes = told.into_iter().zip(rules).zip(decided.outcome);
            let captured: Vec<_> = outcomes.map(|((told, rule), is)| Captured::of(told, rule, is)).collect();
            count(&mut counters, &turn, &captured, &dropped);
            drafts.extend(hygiene(reader, point, given)?);
            let is_hourly = is_first_of_hour(reader, point, given)?;
            drafts.extend(upkeep::turn(&workspace.config, is_hourly, reader, point, given)?);
            let end = End {
                begin: before.begin,
                recalled: turn.recalled.found().collect(),
                counters,
                pending_actions: reply.pending_actions.clone(),
                unfinished: before.unfinished_begins.clone(),
            };
            drafts.push(turn::end(&end, &self.session, &given.meta(), &given.branch)?);
            Ok(Decision { drafts, outcome: (captured, dropped, counters) })
        })?;
        (turn.captured, turn.dropped, turn.counters) = written.outcome;
        turn.reply =
            said.and_then(|_| written.entries.iter().find(is_reply)).map(|entry| message_ref(entry.id));
        Ok(turn)
    }
}

fn is_foreign(memory: &Memory) -> bool {
    // What an agent says after it saw a tool's output is marked; only the output itself marks what comes after it.
    memory.origin.is_some_and(Origin::is_foreign) && Said::read(memory.clone()).data.is_of_tool()
}

fn is_reply(entry: &&Entry) -> bool {
    entry.kind == Kind::Message
}

fn message_ref(entry: EntryId) -> Ref {
    Ref { form: Form::MESSAGES, key: entry.to_string(), entry: None }
}

/// The message's entry, with the message it replies to beside its text.
fn replying(draft: Draft, reply_to: Option<&str>) -> memtape_tape::Result<Draft> {
    let Some(reply_to) = reply_to else { return Ok(draft) };
    let mut payload: Value = serde_json::from_str(draft.payload.get()).unwrap_or_default();
    payload["reply_to"] = reply_to.into();
    Ok(Draft {
        payload: Draft::new(draft.kind.clone(), &payload, &json!({}), &draft.branch)?.payload,
        ..draft
    })
}

/// The tools that a model called, as they may be kept: nothing that is too long.
fn kept(workspace: &Workspace, tools: &[ToolUse]) -> Result<Vec<ToolUse>> {
    let kept = |tool: &ToolUse| {
        workspace.check_length("a tool's name", &tool.name)?;
        workspace.check_length(&format!("what {} is called with", tool.name), &tool.arguments.to_string())?;
        let result = tool.result.as_deref().map(|result| workspace.cut_to_length(result).into_owned());
        Ok(ToolUse { result, ..tool.clone() })
    };
    tools.iter().map(kept).collect()
}

fn count(counters: &mut Counters, turn: &Turn, captured: &[Captured], dropped: &[NotKept]) {
    let n = |found: usize| found as u64;
    let whys = || {
        dropped.iter().filter_map(|dropped| match dropped.why {
            Reason::Read(why) => Some(why),
            Reason::Echo | Reason::Off | Reason::Channel => None,
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

/// Retires statements whose time is over, hourly at most.
fn hygiene(reader: &Reader<'_>, point: &Point, given: &Given) -> memtape_store::Result<Vec<Draft>> {
    let mut expired = reader.expired(&Audience::owner(), point, EXPIRED_MAX)?;
    expired.retain(|memory| memory.form == Form::STATEMENTS);
    if expired.is_empty() {
        return Ok(Vec::new());
    }
    let last = reader.last_named(EXPIRE, point)?;
    // A clock that was once ahead has left dates that are yet to come: they put nothing off.
    if last.is_some_and(|last| given.now.duration_since(last).abs().as_secs() < HYGIENE_SECONDS) {
        return Ok(Vec::new());
    }
    Ok(statements::ops::expire(&expired, given)?.drafts)
}

/// Whether no turn was closed yet in this hour of the clock: what reads much is done then.
fn is_first_of_hour(reader: &Reader<'_>, point: &Point, given: &Given) -> memtape_store::Result<bool> {
    let hour = |at: Timestamp| at.as_second().div_euclid(HYGIENE_SECONDS);
    let last = reader.last_named(turn::END, point)?;
    Ok(last.is_none_or(|last| hour(last) != hour(given.now)))
}
