//! Classifies candidate values as secrets with a logistic regression over hashed features.
//!
//! Features are hashes, so the model needs no vocabulary: any word and any form of a value has a feature. The
//! weights are in `weights.bin`: the threshold and the unit of a weight (two `f32`, little-endian), then for
//! each feature its hash (`u32`) and its weight in units (`i8`). `cargo run --release -p memtape-evals --
//! secrets --train` trains them on the texts of `evals/secrets`.

use std::ops::Range;
use std::sync::LazyLock;

use super::features::candidates;

/// Log-odds added to the score of a value that is assigned to the name of a secret or quoted after one.
const SET: f32 = 3.0;
/// Smallest absolute weight, in units, that is stored.
const UNITS_MIN: i8 = 2;
/// Size of the entry of a feature in `weights.bin`, in bytes.
const ENTRY: usize = 5;

/// The weights of features, and the threshold.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// Hash table of features and their weights, with open addressing, linear probing and a load of at most
    /// one half. A slot with weight zero is free.
    places: Vec<(u32, f32)>,
    /// The log-odds above which a value is a secret.
    threshold: f32,
}

static LEARNED: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_bytes!("weights.bin")));

impl Weights {
    /// Returns the weights built into the program.
    #[must_use]
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    /// Parses weights as written by [`Weights::encode`].
    ///
    /// Returns no weights, with which nothing is classified as a secret, if the input is too short for a
    /// header.
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

    /// Serializes a threshold and weights. Omits weights that are too small for the unit.
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

    /// Returns the slot of a feature, or the free slot where it would be inserted.
    fn place(&self, feature: u32) -> usize {
        let mask = self.places.len() - 1;
        let mut place = usize::try_from(feature).unwrap_or_default() & mask;
        while self.places[place].1 != 0.0 && self.places[place].0 != feature {
            place = (place + 1) & mask;
        }
        place
    }

    /// Returns the sum of the weights of features. An unknown feature has weight zero.
    fn sum(&self, features: &[u32]) -> f32 {
        features.iter().map(|feature| self.places[self.place(*feature)].1).sum()
    }
}

/// Returns the candidates in a text as byte ranges, with all features of each, for training.
#[must_use]
pub fn examples(text: &str) -> Vec<(Range<usize>, Vec<u32>)> {
    let (candidates, shared) = candidates(text);
    let whole = |mut features: Vec<u32>| {
        features.extend_from_slice(&shared);
        features
    };
    candidates.into_iter().map(|candidate| (candidate.range, whole(candidate.features))).collect()
}

/// Returns the candidates whose score is higher than `least`. A score is the log-odds minus the threshold.
///
/// Of overlapping candidates, only the one with the highest score is returned. Without weights, none is.
pub(super) fn judged(text: &str, weights: &Weights, least: f32) -> Vec<(Range<usize>, &'static str)> {
    if weights.places.is_empty() {
        return Vec::new();
    }
    let mut best: Vec<(f32, Range<usize>, &'static str)> = Vec::new();
    let (candidates, shared) = candidates(text);
    let base = weights.sum(&shared) - weights.threshold;
    for candidate in candidates {
        let score = base + weights.sum(&candidate.features) + if candidate.is_set { SET } else { 0.0 };
        if score <= least {
            continue;
        }
        // Candidates are sorted by start, so a candidate can overlap only the most recently accepted ones.
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
