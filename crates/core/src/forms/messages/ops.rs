//! Taking messages in: what is already there is not added again.

use std::collections::HashMap;

use memtape_tape::{Draft, Result};

use super::entry::Message;
use crate::decision::{Decision, Given};
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
    fn meets(&mut self, session: &Session, message: &Message) -> bool {
        let sameness = sameness(session, message);
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

/// What became of a batch of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Messages that were added.
    pub added: u64,
    /// Messages that were already there.
    pub present: u64,
}

/// Takes a batch of messages in.
///
/// # Errors
/// None that a message can cause.
pub fn take_in(batch: &[(Session, Message)], known: &mut Known, given: &Given) -> Result<Decision<Taken>> {
    let mut drafts: Vec<Draft> = Vec::with_capacity(batch.len());
    let mut taken = Taken::default();
    for (session, message) in batch {
        if known.meets(session, message) {
            taken.present += 1;
            continue;
        }
        let meta = crate::meta::Meta::of(session, message.origin());
        drafts.push(message.draft(&meta, &given.branch)?);
        taken.added += 1;
    }
    Ok(Decision { drafts, outcome: taken })
}
