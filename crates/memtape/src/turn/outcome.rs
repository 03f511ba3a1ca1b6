//! What a turn gives to the model, takes from it, and returns to its caller.

use std::fmt;

use memtape_capture::Why;
use memtape_core::forms::messages::ToolUse;
use memtape_core::forms::statements::Outcome;
use memtape_core::prompt::{Prompt, TooSmall};
use memtape_core::turn::Counters;
use memtape_core::{Category, Lifetime, Memory, Origin, Ref, Scope};

use crate::recall::{Hit, Recalled};

/// What a model receives for a turn.
#[derive(Clone, Debug, Default)]
pub struct Briefing<'a> {
    /// The complete prompt, including what was recalled; `None` if the channel is not recorded or if the
    /// message does not fit in the budget.
    pub prompt: Option<&'a Prompt>,
    /// The budget that would be needed, if the message does not fit.
    pub too_small: Option<TooSmall>,
    /// The part of the prompt that shows recalled memories; empty if there are none.
    pub memory: &'a str,
    /// The hits that it shows.
    pub recalled: &'a [Hit],
    /// The origin of tool output in the conversation that the model is shown, if there is any. The reply may
    /// then be influenced by that output.
    pub seen: Option<Origin>,
}

/// The reply of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The text; `None` if it says nothing.
    pub text: Option<String>,
    /// The tools that it called, in order.
    pub tools: Vec<ToolUse>,
    /// The actions that are still pending.
    pub pending_actions: Vec<String>,
}

impl Reply {
    /// Returns a reply that consists of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }
}

/// A turn that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinishedTurn {
    /// Whether the channel is recorded. If not, nothing was written and nothing recalled.
    pub remembered: bool,
    /// The reference of the message.
    pub message: Option<Ref>,
    /// The reference of the reply.
    pub reply: Option<Ref>,
    /// The recalled memories.
    pub recalled: Recalled,
    /// The part of the prompt that shows them.
    pub memory: String,
    /// The budget that would be needed, if the message fits in no prompt.
    pub too_small: Option<TooSmall>,
    /// The captured statements.
    pub captured: Vec<Captured>,
    /// The statements that were removed, because the speaker said that they have ended or asked to forget them. If they ask to
    /// forget what they said before, and nothing was captured from that message, it is the message.
    pub forgotten: Vec<Memory>,
    /// The memories of other forms, and the summaries of conversations, that seem to say what was forgotten, such as a line
    /// that the agent wrote. They stay.
    pub copies: Vec<Hit>,
    /// The statements that were not captured, each with the reason.
    pub dropped: Vec<NotKept>,
    /// The interrupted turns before this one.
    pub unfinished: Vec<Unfinished>,
    /// The counters of the turn.
    pub counters: Counters,
    /// Whether the turn had ended before, for example by another process. Nothing was written then.
    pub had_ended: bool,
}

/// A statement that a turn captured.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// Whether it is new or confirms an existing statement.
    pub outcome: Outcome,
    /// The text.
    pub text: String,
    /// The category.
    pub category: Category,
    /// The scope that it was written into.
    pub scope: Scope,
    /// The lifetime.
    pub lifetime: Lifetime,
    /// The importance, from 0 to 1.
    pub importance: f64,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// What it was recognized by ([`memtape_capture::Candidate::rule`]).
    pub rule: String,
}

/// A clause that a turn did not capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotKept {
    /// The text, with secrets redacted.
    pub text: String,
    /// The reason.
    pub why: Reason,
}

/// The reason why a clause was not captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Capture excludes it.
    Read(Why),
    /// The prompt already contained it.
    Echo,
    /// It was said so long ago that it has expired since.
    Expired,
    /// The speaker asks to forget it, and no statement says it.
    NothingToForget,
    /// Capture is switched off (`capture.enabled`).
    Off,
    /// The channel is excluded from capture (`capture.channels`).
    Channel,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Echo => "the prompt contained it",
            Self::Expired => "it has expired since it was said",
            Self::NothingToForget => "nothing to forget was found",
            Self::Off => "capture is disabled (capture.enabled)",
            Self::Channel => "capture is disabled on this channel (capture.channels)",
            Self::Read(why) => match why {
                Why::TooShort => "too short",
                Why::TooLong => "too long",
                Why::Unsafe(rule) => return write!(f, "it reads like an instruction to a model ({rule})"),
                Why::Secret => "it contains a secret",
                Why::Code => "code",
                Why::Pasted => "pasted text",
                Why::Command => "a command",
                Why::Quoted => "a quotation",
                Why::Imagined => "an imagined case",
                Why::Unwanted => "the message asks not to keep it",
                Why::UnclearRequest => "not clearly a request to forget, so nothing was removed",
                Why::Assistant => "the agent's own",
                Why::LowConfidence => "confidence too low",
                Why::LowImportance => "importance too low",
                Why::TooMany => "limit per turn reached (capture.max_entries_per_turn)",
            },
        })
    }
}

/// A turn that was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The reference of its message.
    pub message: Ref,
    /// The text of the message; `None` if it cannot be read any more.
    pub text: Option<String>,
}
