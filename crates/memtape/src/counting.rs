//! What counts the tokens of prompts.

use memtape_core::prompt::tokens::{Estimate, Tokens};
use memtape_embed::Counter;

/// What counts tokens, as a workspace is configured.
pub(crate) enum Counting {
    Estimated,
    Counted(Box<Counter>),
}

impl Tokens for Counting {
    fn count(&self, text: &str) -> usize {
        match self {
            Self::Estimated => Estimate.count(text),
            Self::Counted(counter) => counter.count(text),
        }
    }
}
