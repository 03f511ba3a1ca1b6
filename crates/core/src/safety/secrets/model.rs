//! Classifies candidate values as secrets with a logistic regression over hashed features.
//!
//! Features are hashes, so the model needs no vocabulary: any word and any form of a value has a feature. The
//! weights are in `weights.bin`: the threshold and the unit of a weight (two `f32`, little-endian), then a hash
//! table with open addressing and linear probing. A slot holds a feature (`u32`) and its weight in units (`i8`);
//! one with weight 0 is free. The table is used where it lies in the program, because every process needs it.
//! `cargo run --release -p memtape-evals -- secrets --train` trains it on the texts of `evals/secrets`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use super::features::candidates;

/// Log-odds added to the score of a value that is assigned to the name of a secret or quoted after one.
const SET: f32 = 3.0;
/// Smallest absolute weight, in units, that is stored.
const UNITS_MIN: i8 = 2;
/// Size of the threshold and the unit before the table, in bytes.
const HEAD: usize = 8;
/// Size of a slot, in bytes.
const SLOT: usize = 5;

/// The weights of features, and the threshold.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// The slots of the table. Their number is a power of two, or zero.
    slots: Cow<'static, [u8]>,
    /// The log-odds of one unit of a weight.
    unit: f32,
    /// The log-odds above which a value is a secret.
    threshold: f32,
}

static LEARNED: LazyLock<Weights> = LazyLock::new(|| Weights::read(&include_bytes!("weights.bin")[..]));

impl Weights {
    /// Returns the weights built into the program.
    #[must_use]
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    /// Returns the weights in bytes as written by [`Weights::encode`].
    ///
    /// Returns no weights, with which nothing is classified as a secret, if the bytes are no such table.
    #[must_use]
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Weights {
        let bytes = bytes.into();
        let Some((head, slots)) = bytes.split_first_chunk::<HEAD>() else { return Weights::default() };
        if slots.len() % SLOT != 0 || !(slots.len() / SLOT).is_power_of_two() {
            return Weights::default();
        }
        let [threshold, unit] =
            [0, 4].map(|at| f32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let slots = match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[HEAD..]),
            Cow::Owned(mut bytes) => Cow::Owned(bytes.split_off(HEAD)),
        };
        Weights { slots, unit, threshold }
    }

    /// Serializes a threshold and weights. Omits weights that are too small for the unit.
    #[must_use]
    pub fn encode(threshold: f32, weights: &[(u32, f32)]) -> Vec<u8> {
        let largest = weights.iter().fold(0.0_f32, |largest, (_, weight)| largest.max(weight.abs()));
        let unit = largest / f32::from(i8::MAX);
        let stored: Vec<(u32, i8)> = weights
            .iter()
            .map(|(feature, weight)| {
                #[allow(clippy::cast_possible_truncation, reason = "no weight is larger than the largest")]
                let units = (weight / unit).round() as i8;
                (*feature, units)
            })
            .filter(|(_, units)| units.abs() >= UNITS_MIN)
            .collect();
        // At most three quarters of the slots are occupied.
        let mut slots = vec![0; (stored.len() * 4 / 3 + 2).next_power_of_two() * SLOT];
        for (feature, units) in stored {
            let at = place(&slots, feature);
            slots[at..at + 4].copy_from_slice(&feature.to_le_bytes());
            slots[at + 4] = units.cast_unsigned();
        }
        [&threshold.to_le_bytes()[..], &unit.to_le_bytes(), &slots].concat()
    }

    /// Returns the sum of the weights of features. An unknown feature has weight zero.
    fn sum(&self, features: &[u32]) -> f32 {
        let units = |feature: &u32| i32::from(self.slots[place(&self.slots, *feature) + 4].cast_signed());
        #[allow(clippy::cast_precision_loss, reason = "a candidate has some hundreds of features")]
        let units = features.iter().map(units).sum::<i32>() as f32;
        units * self.unit
    }
}

/// Returns the offset of the slot of a feature, or of the free slot where it would be inserted.
fn place(slots: &[u8], feature: u32) -> usize {
    let mask = slots.len() / SLOT - 1;
    let mut place = usize::try_from(feature).unwrap_or_default() & mask;
    loop {
        let slot = &slots[place * SLOT..][..SLOT];
        if slot[4] == 0 || slot[..4] == feature.to_le_bytes() {
            return place * SLOT;
        }
        place = (place + 1) & mask;
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
    if weights.slots.is_empty() {
        return Vec::new();
    }
    let mut best: Vec<(f32, Range<usize>, &'static str)> = Vec::new();
    let (candidates, shared) = candidates(text);
    if candidates.is_empty() {
        return Vec::new();
    }
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
