//! Importing messages without duplicates.

use std::collections::HashMap;

use jiff::Timestamp;
use memtape_tape::{Draft, Result};

use super::entry::{Message, ToolUse};
use crate::decision::{Context, Decision};
use crate::memory::Origin;
use crate::meta::Meta;
use crate::scope::User;
use crate::session::Session;

/// The identity of a message: a hash of its conversation, time (if any), role, name, text and picture.
type Sameness = u64;

/// Counters of each message on the tape and in the input.
///
/// They match the n-th occurrence in the input with the n-th on the tape.
#[derive(Debug, Default)]
pub struct Known {
    on_tape: HashMap<Sameness, u32>,
    in_input: HashMap<Sameness, u32>,
    /// The messages of the input that were counted since the last call of [`Known::settle`].
    counted: Vec<Sameness>,
}

impl Known {
    /// Counts a message that is on the tape.
    pub fn on_tape(&mut self, session: &Session, message: &Message) {
        *self.on_tape.entry(sameness(session, message)).or_default() += 1;
    }

    /// Takes the messages of the input back that were counted for a write that is decided again.
    pub fn restart(&mut self) {
        for sameness in self.counted.drain(..) {
            self.in_input.entry(sameness).and_modify(|nth| *nth -= 1);
        }
    }

    /// States that the messages of the input that were counted are written.
    pub fn settle(&mut self) {
        self.counted.clear();
    }

    /// Counts a message of the input, and returns whether the tape already has as many of them.
    fn meets(&mut self, sameness: Sameness) -> bool {
        let nth = self.in_input.entry(sameness).or_default();
        *nth += 1;
        self.counted.push(sameness);
        *nth <= self.on_tape.get(&sameness).copied().unwrap_or_default()
    }
}

/// Hashes a message to 64 bits of SHA-256: a collision among a million messages has a chance of 1 in 37
/// million.
fn sameness(session: &Session, message: &Message) -> Sameness {
    use sha2::{Digest as _, Sha256};
    let mut sha = Sha256::new();
    let said_at = message.said_at.map(|at| at.as_microsecond().to_string()).unwrap_or_default();
    let name = message.name.as_deref().unwrap_or_default();
    // The text of a message that is only a picture is its description.
    let image = message.image.as_deref().unwrap_or_default();
    for part in [&session.to_string(), &said_at, &message.role, name, &message.content, image] {
        // The length prefix distinguishes "ab" + "c" from "a" + "bc".
        sha.update((part.len() as u64).to_le_bytes());
        sha.update(part);
    }
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(sha.finalize());
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// A part of a conversation to import.
#[derive(Clone, Debug)]
pub struct Item {
    /// The conversation.
    pub session: Session,
    /// The user who said it, if known.
    pub user: Option<User>,
    /// Its content.
    pub content: Content,
    /// Number of messages of the input that it consists of.
    pub messages: u64,
}

/// The content of an item.
#[derive(Clone, Debug)]
pub enum Content {
    /// A message.
    Message(Message),
    /// Simultaneous tool calls of a model, and their time.
    Tools(Vec<ToolUse>, Option<Timestamp>),
}

impl Item {
    /// Returns the identity of the item, by which duplicates are found.
    fn sameness(&self) -> Sameness {
        match &self.content {
            Content::Message(message) => sameness(&self.session, message),
            Content::Tools(uses, said_at) => {
                let (role, content) = ("assistant".to_owned(), ToolUse::text(uses));
                let message = Message { said_at: *said_at, ..Message::new(role, content) };
                sameness(&self.session, &message)
            }
        }
    }

    fn drafts(&self, ctx: &Context) -> Result<Vec<Draft>> {
        let meta = |origin| Meta {
            user: self.user.as_ref().map(ToString::to_string),
            ..Meta::of(&self.session, origin)
        };
        match &self.content {
            Content::Message(message) => Ok(vec![message.draft(&meta(message.origin()), &ctx.branch)?]),
            Content::Tools(uses, said_at) => {
                ToolUse::drafts(uses, *said_at, &meta(Origin::Assistant), &ctx.branch)
            }
        }
    }
}

/// The result of importing a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Number of messages added.
    pub added: u64,
    /// Number of messages that existed already.
    pub present: u64,
    /// The conversations to which messages were added, in the order of the input.
    pub sessions: Vec<Session>,
}

/// Imports a batch of messages, skipping those that `known` has already.
///
/// # Errors
/// [`memtape_tape::Error::Unwritable`] if an entry cannot be serialized as JSON.
pub fn import(batch: &[Item], known: &mut Known, ctx: &Context) -> Result<Decision<Imported>> {
    let mut drafts: Vec<Draft> = Vec::with_capacity(batch.len());
    let mut taken = Imported::default();
    for item in batch {
        if known.meets(item.sameness()) {
            taken.present += item.messages;
            continue;
        }
        drafts.extend(item.drafts(ctx)?);
        taken.added += item.messages;
        if !taken.sessions.contains(&item.session) {
            taken.sessions.push(item.session.clone());
        }
    }
    Ok(Decision { drafts, outcome: taken })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_counted_once_if_its_write_is_decided_again() {
        let (session, message) = (Session::direct(), Message::new("user", "I like tea"));
        let mut known = Known::default();
        known.on_tape(&session, &message);
        let sameness = sameness(&session, &message);
        assert!(known.meets(sameness));
        known.restart();
        assert!(known.meets(sameness), "it is the first one of the input again");
        known.settle();
        known.restart();
        assert!(!known.meets(sameness));
    }
}
