//! Counts the tokens of prompts.

use memtape_core::prompt::tokens::{Estimate, Tokens};
use memtape_embed::Counter;

/// The token counter that a workspace is configured with.
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
