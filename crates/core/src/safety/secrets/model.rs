//! Purpose: judges the values that a text may hold: a small network over what speaks for and against each.
//!
//! A value's features are keys of 32 bits. Each known key has a weight and a vector; the sum of the weights, and the
//! rectified sum of the vectors by the weights of the outputs, are the logarithm of the odds that the value is a secret.
//! The network stands in `weights.bin`. It is learned from the texts of `evals/secrets` by
//! `cargo run --release -p memtape-evals -- secrets --train`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::features::candidates;

/// Learned weights.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// The weight of each feature.
    pub features: HashMap<u32, f32>,
    /// From which logarithm of the odds on a value is a secret.
    pub least: f32,
}

static LEARNED: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_bytes!("weights.bin")));

impl Weights {
    /// Returns the weights that were learned from all texts.
    #[must_use]
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    fn read(_table: &[u8]) -> Weights {
        Weights::default()
    }

    /// Returns the logarithm of the odds that a value with these features is a secret, above the least.
    #[must_use]
    pub fn score(&self, features: &[u32]) -> f32 {
        features.iter().filter_map(|feature| self.features.get(feature)).sum::<f32>() - self.least
    }
}

/// Returns the values that a text may hold, with the features of each.
#[must_use]
pub fn examples(text: &str) -> Vec<(Range<usize>, Vec<u32>)> {
    candidates(text).into_iter().map(|candidate| (candidate.range, candidate.features)).collect()
}

/// Finds the values that score higher than `least`: a logarithm of odds.
pub(super) fn judged(text: &str, weights: &Weights, least: f32, add: &mut dyn FnMut(Range<usize>, &'static str)) {
    if weights.features.is_empty() {
        return;
    }
    for candidate in candidates(text) {
        if weights.score(&candidate.features) > least {
            add(candidate.range, candidate.kind);
        }
    }
}
