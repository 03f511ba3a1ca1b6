//! Tells whether the answer to a message needs what is remembered about the person who wrote it.
//!
//! Most messages need nothing: small talk, commands, translations, general questions. A memory that merely shares
//! words with such a message distracts the agent. Words and meaning do not tell the two apart; the message itself
//! does. The probability is that of a logistic regression over hashed words and letters, learned from labelled
//! turns (`cargo xtask train-capture`).

use super::clauses;
use super::features::Features;
use super::page::Page;

/// The number of weights.
pub(super) const WEIGHTS: usize = 1 << 16;
/// The number of bytes of the file with the weights.
pub(super) const LENGTH: usize = 4 + WEIGHTS;

static FILE: &[u8; LENGTH] = include_bytes!("gate.bin");

/// Returns the probability, from 0 to 1, that the answer to a message needs something that is remembered.
#[must_use]
pub fn needs_memory(text: &str) -> f32 {
    probability(text, FILE)
}

/// Returns [`needs_memory`] by other weights.
pub(super) fn probability(text: &str, file: &[u8]) -> f32 {
    let features = features(text);
    let Some((scale, weights)) = file.split_first_chunk() else { return 1.0 };
    let weight = |index: u32| {
        let byte = f32::from(weights[index as usize].cast_signed());
        byte * byte.abs()
    };
    let sum: f32 = features.iter().map(|&index| weight(index)).sum();
    probability_of(sum * f32::from_le_bytes(*scale) / (127.0 * 127.0) * unit(features.len()))
}

/// Returns the probability of a score.
pub(super) fn probability_of(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// Returns the value of each feature of a message: long messages have no higher scores than short ones.
pub(super) fn unit(features: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a message has fewer than 2²⁴ features")]
    let count = features.max(1) as f32;
    5.0 / count.sqrt()
}

/// Returns the features of a message, each once.
pub(super) fn features(text: &str) -> Vec<u32> {
    let page = Page::of(text);
    let clauses = clauses::split(&page.sentences);
    let mut features = Features { keys: Vec::new(), names: None };
    super::features::request(text, &page, &clauses, &mut features);
    let mut indices: Vec<u32> =
        features.keys.iter().map(|key| key >> (32 - WEIGHTS.trailing_zeros())).collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}
