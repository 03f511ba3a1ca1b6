//! The messages' implementation of [`Rules`].

use memtape_tape::{Draft, Entry};

use super::view;
use crate::created::Created;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::form::{Merged, Recreation, RemovalCause, Rules};
use crate::memory::{Form, Memory};
use crate::meta::Meta;
use crate::recall::Weights;

impl Form {
    /// The form of messages.
    pub const MESSAGES: Self = Self::named("messages");
}

/// The rules of messages.
#[derive(Debug)]
pub struct Messages;

impl Rules for Messages {
    fn form(&self) -> Form {
        Form::MESSAGES
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &[]
    }

    /// Messages are entries of their own kinds, not events.
    fn owns(&self, _event: &str) -> bool {
        false
    }

    fn creates(&self, _event: &str, _entry: &Entry, _meta: &Meta) -> Vec<Created> {
        Vec::new()
    }

    fn has_slots(&self) -> bool {
        false
    }

    fn importance(&self) -> f64 {
        0.5
    }

    /// The age of a message hardly matters, because old messages are asked for as often as new ones.
    fn weights(&self) -> Weights {
        Weights { relevance: 0.79, importance: 0.20, recency: 0.01 }
    }

    fn meaning(&self, memory: &Memory) -> String {
        view::meaning(memory)
    }

    fn recreate(&self, _memory: &Memory, _how: Recreation, _meta: Meta, _ctx: &Context) -> Result<Draft> {
        Err(kept())
    }

    fn retire(&self, _memory: &Memory, _cause: &RemovalCause, _meta: &Meta, _ctx: &Context) -> Result<Draft> {
        Err(kept())
    }

    fn merge(&self, _base: Option<&Memory>, _ours: &Memory, _theirs: &Memory) -> Merged {
        Merged::Conflict
    }
}

fn kept() -> Error {
    Error::Invalid("messages cannot be changed or forgotten".into())
}
