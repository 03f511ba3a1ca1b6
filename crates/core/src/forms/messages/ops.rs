//! Taking messages in: what is already there is not added again.

use std::collections::HashMap;

use jiff::Timestamp;
use memtape_tape::{Draft, Result};

use super::entry::{Message, ToolUse};
use crate::decision::{Decision, Given};
use crate::memory::Origin;
use crate::meta::Meta;
use crate::scope::User;
use crate::session::Session;

/// What makes two messages the same: conversation, time or none, role, name and text.
type Sameness = u64;

/// How often each message stands on the tape and in the input, so that the n-th of the input meets the n-th
/// on the tape.
#[derive(Debug, Default)]
pub struct Known {
    on_tape: HashMap<Sameness, u32>,
    in_input: HashMap<Sameness, u32>,
}

impl Known {
    /// Notes a message that stands on the tape.
    pub fn on_tape(&mut self, session: &Session, message: &Message) {
        *self.on_tape.entry(sameness(session, message)).or_default() += 1;
    }

    /// Notes a message of the input, and says whether the tape has as many of it already.
    fn meets(&mut self, sameness: Sameness) -> bool {
        let nth = self.in_input.entry(sameness).or_default();
        *nth += 1;
        *nth <= self.on_tape.get(&sameness).copied().unwrap_or_default()
    }
}

/// 64 bits of SHA-256: among a million messages two different ones meet with a chance of 1 in 37 million.
fn sameness(session: &Session, message: &Message) -> Sameness {
    use sha2::{Digest as _, Sha256};
    let mut sha = Sha256::new();
    let said_at = message.said_at.map(|at| at.as_microsecond().to_string()).unwrap_or_default();
    let name = message.name.as_deref().unwrap_or_default();
    // Of a message that is a picture, the caption is the text.
    let image = message.image.as_deref().unwrap_or_default();
    for part in [&session.to_string(), &said_at, &message.role, name, &message.content, image] {
        // The length keeps "ab" + "c" apart from "a" + "bc".
        sha.update((part.len() as u64).to_le_bytes());
        sha.update(part);
    }
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(sha.finalize());
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Something of a conversation that is taken in.
#[derive(Clone, Debug)]
pub struct Item {
    /// The conversation.
    pub session: Session,
    /// The user who said it, where it is known who that was.
    pub user: Option<User>,
    /// What it is.
    pub content: Content,
    /// How many messages of the input it was made of.
    pub messages: u64,
}

/// What is taken in.
#[derive(Clone, Debug)]
pub enum Content {
    /// Something said.
    Message(Message),
    /// Tools that a model called at once, and when.
    Tools(Vec<ToolUse>, Option<Timestamp>),
}

impl Item {
    /// By what the same thing is known again.
    fn sameness(&self) -> Sameness {
        match &self.content {
            Content::Message(message) => sameness(&self.session, message),
            Content::Tools(uses, said_at) => {
                let (role, content) = ("assistant".to_owned(), ToolUse::text(uses));
                let message = Message { role, content, name: None, image: None, said_at: *said_at };
                sameness(&self.session, &message)
            }
        }
    }

    fn drafts(&self, given: &Given) -> Result<Vec<Draft>> {
        let meta = |origin| Meta {
            user: self.user.as_ref().map(ToString::to_string),
            ..Meta::of(&self.session, origin)
        };
        match &self.content {
            Content::Message(message) => Ok(vec![message.draft(&meta(message.origin()), &given.branch)?]),
            Content::Tools(uses, said_at) => {
                ToolUse::drafts(uses, *said_at, &meta(Origin::Assistant), &given.branch)
            }
        }
    }
}

/// What became of a batch of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Messages that were added.
    pub added: u64,
    /// Messages that were already there.
    pub present: u64,
    /// The conversations that something was added to, in the order of the input.
    pub sessions: Vec<Session>,
}

/// Takes a batch of messages in.
///
/// # Errors
/// None that a message can cause.
pub fn take_in(batch: &[Item], known: &mut Known, given: &Given) -> Result<Decision<Taken>> {
    let mut drafts: Vec<Draft> = Vec::with_capacity(batch.len());
    let mut taken = Taken::default();
    for item in batch {
        if known.meets(item.sameness()) {
            taken.present += item.messages;
            continue;
        }
        drafts.extend(item.drafts(given)?);
        taken.added += item.messages;
        if !taken.sessions.contains(&item.session) {
            taken.sessions.push(item.session.clone());
        }
    }
    Ok(Decision { drafts, outcome: taken })
}
