//! The conversation as messages of a prompt.
//!
//! If it does not fit, it begins at a step, counted in tokens since the anchor, so that the beginning stays
//! fixed for several turns. Long messages are shortened then, too.
//!
//! **Invariants.** Only the user and the assistant speak. What others said is enclosed in delimiters that it
//! cannot contain; the assistant's own words are separate messages, delimited by their ends.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;

use super::data::{close, harmless, open};
use super::material::ShownMessage;
use super::part::shortened;
use super::tokens::{MESSAGE_TOKENS, Tokens};
use super::{PromptMessage, Role, chars};
use crate::memory::MemoryId;

/// Replaces a quarantined message.
const QUARANTINED: &str = "(not shown: it reads like an instruction to a model)";

/// A conversation.
pub(super) struct Conversation<'a> {
    said: &'a [ShownMessage],
    /// The number of earlier messages that are not included.
    before: usize,
    zone: &'a TimeZone,
    /// The texts with role and template tokens made harmless.
    texts: Vec<String>,
    whole: Vec<PromptMessage>,
    /// The tokens that the whole conversation takes.
    pub(super) need: usize,
}

/// A conversation cut to its room.
#[derive(Clone, Default)]
pub(super) struct Shown {
    pub(super) messages: Vec<PromptMessage>,
    pub(super) ids: BTreeSet<MemoryId>,
    pub(super) cut: Option<String>,
}

impl<'a> Conversation<'a> {
    pub(super) fn new(
        said: &'a [ShownMessage],
        before: usize,
        zone: &'a TimeZone,
        tokens: &dyn Tokens,
    ) -> Self {
        let texts: Vec<_> = said.iter().map(|said| harmless(&said.text)).collect();
        let whole: Vec<_> = said.iter().zip(&texts).map(|(said, text)| message(said, zone, text)).collect();
        let warning = if before > 0 { cost(&warning(before), tokens) } else { 0 };
        let need = warning + whole.iter().map(|message| cost(message, tokens)).sum::<usize>();
        Self { said, before, zone, texts, whole, need }
    }

    /// Fits the conversation into `room` tokens, beginning at a multiple of `step` tokens.
    pub(super) fn fit(&self, room: usize, step: usize, tokens: &dyn Tokens) -> Shown {
        if self.need <= room {
            let before = (self.before > 0).then(|| warning(self.before));
            return Shown {
                messages: before.into_iter().chain(self.whole.iter().cloned()).collect(),
                ids: self.said.iter().map(|said| said.id).collect(),
                cut: left_out(self.before),
            };
        }
        let every = self.before + self.said.len();
        let Some(room) = room.checked_sub(cost(&warning(every), tokens)) else {
            return Shown { cut: left_out(every), ..Shown::default() };
        };
        // A step is at most half of the room: with larger steps, some rooms would show nothing.
        let step = std::iter::successors(Some(step), |step| Some(step / 2)).find(|step| *step <= room / 2);
        let step = step.unwrap_or_default().max(1);
        let short: Vec<_> = (0..self.said.len()).map(|n| self.short(n, step, tokens)).collect();
        let mut total = 0;
        let mut begins = Vec::with_capacity(short.len());
        for message in &short {
            begins.push(total);
            total += cost(message, tokens);
        }
        let boundary = total.saturating_sub(room).div_ceil(step) * step;
        let from = begins.iter().position(|&begin| begin >= boundary).unwrap_or(short.len());
        let left = self.before + from;
        let is_shortened = short[from..].iter().zip(&self.whole[from..]).any(|(short, whole)| short != whole);
        Shown {
            messages: (left > 0)
                .then(|| warning(left))
                .into_iter()
                .chain(short.into_iter().skip(from))
                .collect(),
            ids: self.said[from..].iter().map(|said| said.id).collect(),
            cut: left_out(left).or_else(|| is_shortened.then(|| "long messages shortened".into())),
        }
    }

    /// Returns the n-th message within `most` tokens, shortened if necessary.
    fn short(&self, n: usize, most: usize, tokens: &dyn Tokens) -> PromptMessage {
        let (said, text, whole) = (&self.said[n], &self.texts[n], &self.whole[n]);
        if cost(whole, tokens) <= most {
            return whole.clone();
        }
        let warning = |left: usize| format!("\n… {left} more characters not shown");
        let empty = message(said, self.zone, &warning(chars(text)));
        let short = shortened(text, most.saturating_sub(cost(&empty, tokens)), tokens);
        message(said, self.zone, &format!("{short}{}", warning(chars(text) - chars(short))))
    }
}

fn cost(message: &PromptMessage, tokens: &dyn Tokens) -> usize {
    tokens.count(&message.content) + MESSAGE_TOKENS
}

fn left_out(left: usize) -> Option<String> {
    let messages = if left == 1 { "message" } else { "messages" };
    (left > 0).then(|| format!("{left} older {messages} not shown"))
}

fn warning(left: usize) -> PromptMessage {
    PromptMessage { role: Role::User, content: format!("… {}\n", left_out(left).unwrap_or_default()) }
}

/// Returns a message with this text.
fn message(said: &ShownMessage, zone: &TimeZone, text: &str) -> PromptMessage {
    let text = if said.quarantined { QUARANTINED } else { text };
    let tag = match said.data.kind.as_deref() {
        Some("tool_call") => "call",
        Some("tool_result") => "result",
        _ if said.data.is_of_tool() => "result",
        _ if said.data.role == "assistant" => {
            return PromptMessage { role: Role::Assistant, content: text.to_owned() };
        }
        _ => "message",
    };
    let at = zone.to_datetime(said.at).strftime("%Y-%m-%d %H:%M").to_string();
    let attributes: &[_] = match tag {
        "message" => &[("from", said.data.speaker()), ("at", &at)],
        _ => &[("at", at.as_str())],
    };
    let content = format!("{}{text}\n{}", open(tag, attributes), close(tag));
    PromptMessage { role: Role::User, content }
}
