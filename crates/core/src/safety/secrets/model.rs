//! Purpose: judges the values that a text may hold: a logistic regression over what speaks for and against each.
//!
//! The weights stand in `weights.txt`. They are learned from the texts of `evals/secrets` by
//! `cargo run --release -p memtape-evals -- secrets --train`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::features::{FEATURES, candidates, name};

/// The weights of the features.
#[derive(Clone, Debug)]
pub struct Weights(Vec<f32>);

static LEARNED: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_str!("weights.txt")));

impl Weights {
    /// Returns the weights that were learned from all texts.
    #[must_use]
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    /// Returns weights, one for each feature.
    #[must_use]
    pub fn new(weights: Vec<f32>) -> Weights {
        Weights(weights)
    }

    fn read(table: &str) -> Weights {
        let known: HashMap<&str, f32> = table
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.rsplit_once(' '))
            .filter_map(|(name, weight)| Some((name.trim(), weight.parse().ok()?)))
            .collect();
        Weights((0..FEATURES).map(|feature| known.get(name(feature).as_str()).copied().unwrap_or_default()).collect())
    }

    /// Writes the weights as `weights.txt` has them.
    #[must_use]
    pub fn table(&self) -> String {
        let line = |(feature, weight): (usize, &f32)| format!("{} {weight:.2}\n", name(feature));
        self.0.iter().enumerate().filter(|(_, weight)| weight.abs() >= 0.02).map(line).collect()
    }

    fn score(&self, features: &[usize]) -> f32 {
        features.iter().map(|feature| self.0[*feature]).sum()
    }
}

/// How many features there are.
#[must_use]
pub fn feature_count() -> usize {
    FEATURES
}

/// Returns the values that a text may hold, with the features of each.
#[must_use]
pub fn examples(text: &str) -> Vec<(Range<usize>, Vec<usize>)> {
    candidates(text).into_iter().map(|candidate| (candidate.range, candidate.features)).collect()
}

/// Returns the name of a feature.
#[must_use]
pub fn feature_name(feature: usize) -> String {
    name(feature)
}

/// Finds the values that score higher than `least`: a logarithm of odds.
pub(super) fn judged(text: &str, weights: &Weights, least: f32, add: &mut dyn FnMut(Range<usize>, &'static str)) {
    for candidate in candidates(text) {
        if weights.score(&candidate.features) > least {
            add(candidate.range, candidate.kind);
        }
    }
}
