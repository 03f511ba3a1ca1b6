//! Messages of imported conversations that their speakers asked not to keep.
//!
//! As after a turn, such a message and the replies to it stay in their conversation, but are recalled no longer, nor read
//! by a background task.

use std::collections::HashSet;
use std::hash::Hash;
use std::slice;

use memtape_core::forms::messages::{self, Content, Imported, Item, Known};
use memtape_core::forms::statements::ops::keep_nothing;
use memtape_core::{Context, Decision, Origin};

/// The conversations whose last message of a person asks not to be kept. The messages of each are taken in their order.
#[derive(Debug)]
pub struct Unwanted<S>(HashSet<S>);

impl<S> Default for Unwanted<S> {
    fn default() -> Self {
        Self(HashSet::new())
    }
}

impl<S: Eq + Hash> Unwanted<S> {
    /// Takes the next message of a conversation, and returns whether it asks not to be kept, or answers one that does.
    pub fn includes(&mut self, session: S, role: &str, text: &str) -> bool {
        if role != "user" {
            return self.0.contains(&session);
        }
        let is_unwanted = memtape_capture::is_unwanted(text);
        match is_unwanted {
            true => self.0.insert(session),
            false => self.0.remove(&session),
        };
        is_unwanted
    }
}

/// Imports an item, with the request not to keep it after it if it is an unwanted message.
pub(crate) fn import_said(
    item: &Item,
    is_unwanted: bool,
    known: &mut Known,
    ctx: &Context,
) -> memtape_core::Result<Decision<Imported>> {
    let mut decided = messages::import(slice::from_ref(item), known, ctx)?;
    if is_unwanted && !decided.drafts.is_empty() && matches!(item.content, Content::Message(_)) {
        let ctx = Context { session: item.session.clone(), origin: Origin::User, ..ctx.clone() };
        decided.drafts.push(keep_nothing(&ctx)?);
    }
    Ok(decided)
}
