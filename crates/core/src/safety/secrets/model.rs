//! Purpose: judges the values that a text may hold: a logistic regression over their features.
//!
//! A feature is a hash, so there is no table of them: a sentence's words and a value's form need no list. The weights
//! stand in `weights.bin`: the threshold and the unit of a weight (two `f32`, little-endian), then for each feature its
//! hash (`u32`) and its weight in units (`i8`). They are learned from the texts of `evals/secrets` by
//! `cargo run --release -p memtape-evals -- secrets --train`.

use std::ops::Range;
use std::sync::LazyLock;

use super::features::candidates;

/// By how much the odds of a value are higher that is set to the name of a secret, or quoted behind it.
const SET: f32 = 3.0;
/// Weights of fewer units are left out.
const UNITS_MIN: i8 = 2;
/// So many bytes `weights.bin` has for a feature.
const ENTRY: usize = 5;

/// Learned weights of features.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// Places for features and their weights, at least twice as many as there are features; a feature stands at the
    /// first free place from its hash on. A place with weight zero is free.
    places: Vec<(u32, f32)>,
    /// From which logarithm of the odds on a value is a secret.
    threshold: f32,
}

static LEARNED: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_bytes!("weights.bin")));

impl Weights {
    /// Returns the weights that the program was built with.
    #[must_use]
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    /// Reads weights as [`Weights::encode`] writes them.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Weights {
        let Some((head, entries)) = bytes.split_first_chunk::<8>() else { return Weights::default() };
        let [threshold, unit] =
            [0, 4].map(|at| f32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let size = (entries.len() / ENTRY * 2).next_power_of_two().max(2);
        let mut weights = Weights { places: vec![(0, 0.0); size], threshold };
        for entry in entries.chunks_exact(ENTRY) {
            let feature = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            let place = weights.place(feature);
            weights.places[place] = (feature, f32::from(entry[4].cast_signed()) * unit);
        }
        weights
    }

    /// Writes a threshold and weights. Weights too small for the unit are left out.
    #[must_use]
    pub fn encode(threshold: f32, weights: &[(u32, f32)]) -> Vec<u8> {
        let largest = weights.iter().fold(0.0_f32, |largest, (_, weight)| largest.max(weight.abs()));
        let unit = largest / f32::from(i8::MAX);
        let mut bytes = [threshold.to_le_bytes(), unit.to_le_bytes()].concat();
        for (feature, weight) in weights {
            #[allow(clippy::cast_possible_truncation, reason = "no weight is larger than the largest")]
            let units = (weight / unit).round() as i8;
            if units.abs() >= UNITS_MIN {
                bytes.extend(feature.to_le_bytes());
                bytes.push(units.cast_unsigned());
            }
        }
        bytes
    }

    /// Where a feature stands, or the free place where it would.
    fn place(&self, feature: u32) -> usize {
        let mask = self.places.len() - 1;
        let mut place = usize::try_from(feature).unwrap_or_default() & mask;
        while self.places[place].1 != 0.0 && self.places[place].0 != feature {
            place = (place + 1) & mask;
        }
        place
    }

    /// Returns the logarithm of the odds that a value with these features is a secret, above the threshold.
    fn score(&self, features: &[u32]) -> f32 {
        features.iter().map(|feature| self.places[self.place(*feature)].1).sum::<f32>() - self.threshold
    }
}

/// Returns the values that a text may hold, with the features of each.
#[must_use]
pub fn examples(text: &str) -> Vec<(Range<usize>, Vec<u32>)> {
    candidates(text).into_iter().map(|candidate| (candidate.range, candidate.features)).collect()
}

/// Returns the values that score higher than `least`: a logarithm of odds above the threshold. Without weights, none.
/// Of values that lie in each other it is the one with the highest score.
pub(super) fn judged(text: &str, weights: &Weights, least: f32) -> Vec<(Range<usize>, &'static str)> {
    if weights.places.is_empty() {
        return Vec::new();
    }
    let mut best: Vec<(f32, Range<usize>, &'static str)> = Vec::new();
    for candidate in candidates(text) {
        let score = weights.score(&candidate.features) + if candidate.is_set { SET } else { 0.0 };
        if score <= least {
            continue;
        }
        // Candidates come in the order of their starts, so one can only lie in the last ones.
        while best.last().is_some_and(|(other, range, _)| range.end > candidate.range.start && *other < score)
        {
            best.pop();
        }
        if best.last().is_none_or(|(_, range, _)| range.end <= candidate.range.start) {
            best.push((score, candidate.range, candidate.kind));
        }
    }
    best.into_iter().map(|(_, range, kind)| (range, kind)).collect()
}
