//! Trains the weights of the secret detector. Training is deterministic: the same texts give the same
//! weights.

use std::collections::HashMap;
use std::ops::Range;

use memtape_core::safety::secrets::find_by;
use memtape_core::safety::secrets::model::{Weights, examples};

use super::Text;
use super::frames::Dice;

/// Number of training runs with different random orders. Their weights are averaged.
const RUNS: u64 = 3;
/// Number of passes over all examples in a run.
const ROUNDS: u16 = 8;
/// Initial learning rate.
const PACE: f32 = 0.08;
/// Strength of L2 regularization.
const COST: f32 = 2e-5;
/// Minimum number of texts in which a feature must occur.
const TEXTS_MIN: u32 = 3;
/// Feature dropout: each step ignores one in this many features, so that the model does not depend on a
/// single one.
const LEFT_OUT: usize = 5;
/// Weights of negative examples relative to a secret: from a text without secrets, from a text with secrets,
/// and one that extends beyond a secret.
const OTHERS: [f32; 3] = [1.0, 0.6, 0.1];
/// Weight of an example from a template, and the number of texts for each template.
pub(super) const FRAMES: (f32, usize) = (0.4, 3);
/// Log-odds above which a value is a secret. A lower threshold raises recall, a higher one precision.
const THRESHOLD: f32 = 0.3;

/// A training example: the features of a candidate, its label, and its weight.
struct Example {
    features: Vec<u32>,
    is_secret: bool,
    counts: f32,
}

/// The examples of a text, without those that structure or encoding already decides.
pub(super) struct Values(Vec<Example>);

impl Values {
    /// Labels the candidates of a text. `counts` is the weight of its examples.
    pub(super) fn of(text: &Text, counts: f32) -> Values {
        let touches = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        let exact = find_by(&text.text, &Weights::default());
        let places = |secret: &String| -> Vec<Range<usize>> {
            text.text.match_indices(secret.as_str()).map(|(at, _)| at..at + secret.len()).collect()
        };
        let places: Vec<Range<usize>> = text.secrets.iter().flat_map(places).collect();
        let mut values = Vec::new();
        for (range, features) in examples(&text.text) {
            if exact.iter().any(|found| touches(&found.range, &range)) {
                continue;
            }
            let (mut is_secret, mut is_part, mut goes_on) = (false, false, false);
            for place in places.iter().filter(|place| touches(place, &range)) {
                let more = place.start.saturating_sub(range.start) + range.end.saturating_sub(place.end);
                let less = range.start.saturating_sub(place.start) + place.end.saturating_sub(range.end);
                is_secret |= more <= 2 && less <= 1;
                is_part |= less > 1;
                goes_on |= more > 2;
            }
            let share = match () {
                () if is_secret => 1.0,
                () if goes_on => OTHERS[2],
                () if is_part => continue,
                () if places.is_empty() => OTHERS[0],
                () => OTHERS[1],
            };
            values.push(Example { features, is_secret, counts: share * counts });
        }
        Values(values)
    }
}

/// Trains weights and returns the content of `weights.bin`.
pub(super) fn learn<'t>(texts: impl Iterator<Item = &'t Values>) -> Vec<u8> {
    let texts: Vec<&Values> = texts.collect();
    let known = features(&texts);
    let index: HashMap<u32, usize> = known.iter().enumerate().map(|(at, feature)| (*feature, at)).collect();
    let row = |example: &Example| -> Vec<usize> {
        example.features.iter().filter_map(|feature| index.get(feature).copied()).collect()
    };
    let rows: Vec<(Vec<usize>, f32, f32)> = texts
        .iter()
        .flat_map(|text| &text.0)
        .map(|example| (row(example), f32::from(u8::from(example.is_secret)), example.counts))
        .collect();
    let mut sums = vec![0.0; known.len()];
    for seed in 0..RUNS {
        for (sum, weight) in sums.iter_mut().zip(descend(&rows, known.len(), &mut Dice(seed * 7 + 3))) {
            *sum += weight;
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "runs are few")]
    let mean: Vec<(u32, f32)> = known.into_iter().zip(sums.iter().map(|sum| sum / RUNS as f32)).collect();
    Weights::encode(THRESHOLD, &mean)
}

/// Returns the features that occur in enough texts, sorted.
fn features(texts: &[&Values]) -> Vec<u32> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for text in texts {
        let mut features: Vec<u32> = text.0.iter().flat_map(|example| &example.features).copied().collect();
        features.sort_unstable();
        features.dedup();
        for feature in features {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let mut known: Vec<u32> =
        counts.into_iter().filter(|(_, count)| *count >= TEXTS_MIN).map(|(feature, _)| feature).collect();
    known.sort_unstable();
    known
}

/// Fits the weights by stochastic gradient descent with the step sizes of `AdaGrad`. One example is one step.
fn descend(rows: &[(Vec<usize>, f32, f32)], features: usize, dice: &mut Dice) -> Vec<f32> {
    let mut weights = vec![0.0_f32; features];
    let mut squares = vec![1e-2_f32; features];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut used = Vec::new();
    #[allow(clippy::cast_precision_loss, reason = "one of a few is left out")]
    let scale = LEFT_OUT as f32 / (LEFT_OUT - 1) as f32;
    for round in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            order.swap(at, dice.roll(at + 1));
        }
        let pace = PACE * (1.0 - 0.9 * f32::from(round) / f32::from(ROUNDS));
        for (row, target, counts) in order.iter().map(|at| &rows[*at]) {
            used.clear();
            used.extend(row.iter().copied().filter(|_| dice.roll(LEFT_OUT) != 0));
            let sum = scale * used.iter().map(|feature| weights[*feature]).sum::<f32>();
            let error = (1.0 / (1.0 + (-sum).exp()) - target) * counts;
            for feature in &used {
                let slope = error + COST * weights[*feature];
                squares[*feature] += slope * slope;
                weights[*feature] -= pace * slope / squares[*feature].sqrt();
            }
        }
    }
    weights
}
