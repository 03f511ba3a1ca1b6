//! Learns the weights of the detector from texts, and measures by texts of a hand that was left out.

use memtape_core::safety::secrets::find_by;
use memtape_core::safety::secrets::model::{Weights, examples, feature_count};

use super::{Text, frames};

/// How often the weights are brought nearer to the best ones.
const STEPS: usize = 400;
/// How much a weight costs: the square of it, by the texts that there are.
const COST_: f64 = 0.6;
/// How much a value that is no secret counts, against one that is.
const FALSE_WEIGHT: f64 = 1.0;

/// A value, what speaks for and against it, whether it is a secret, and how much it counts.
struct Example {
    features: Vec<usize>,
    is_secret: bool,
    counts: f64,
}

/// The values of a text that other means than the weights do not find.
fn examples_of(text: &Text) -> Vec<Example> {
    let exact = find_by(&text.text, &Weights::new(no_weights()));
    let places: Vec<_> = text
        .secrets
        .iter()
        .flat_map(|secret| text.text.match_indices(secret.as_str()).map(|(at, _)| at..at + secret.len()))
        .collect();
    let mut found = Vec::new();
    for (range, features) in examples(&text.text) {
        if exact.iter().any(|known| known.range.start < range.end && range.start < known.range.end) {
            continue;
        }
        let mut is_secret = false;
        let mut is_cut = false;
        for place in &places {
            if place.start < range.end && range.start < place.end {
                let beside = place.start.saturating_sub(range.start) + range.end.saturating_sub(place.end);
                let left = range.start.saturating_sub(place.start) + place.end.saturating_sub(range.end);
                is_secret |= beside <= 1 && left <= 1;
                is_cut |= beside > 1 || left > 1;
            }
        }
        if is_secret || !is_cut {
            let counts = if is_secret { 1.0 } else { FALSE_WEIGHT };
            found.push(Example { features, is_secret, counts });
        }
    }
    found
}

/// Weights by which nothing is found.
fn no_weights() -> Vec<f32> {
    let mut weights = vec![0.0; feature_count()];
    weights[0] = -1.0;
    weights
}

/// Learns weights from texts: the same ones from the same texts.
pub(super) fn learn<'t>(texts: impl Iterator<Item = &'t Text>) -> Weights {
    let mut examples: Vec<Example> = texts.flat_map(examples_of).collect();
    let env = |name: &str, d: f64| std::env::var(name).ok().and_then(|c| c.parse().ok()).unwrap_or(d);
    for text in frames::texts(env("FRAMES", 1500.0) as usize) {
        for mut example in examples_of(&text) {
            example.counts *= env("FRAME_WEIGHT", 0.2);
            examples.push(example);
        }
    }
    let cost: f64 = std::env::var("COST").ok().and_then(|c| c.parse().ok()).unwrap_or(COST_);
    let shift: f64 = std::env::var("SHIFT").ok().and_then(|c| c.parse().ok()).unwrap_or(0.0);
    let mut weights = vec![0.0_f64; feature_count()];
    let mut squares = vec![1e-6_f64; feature_count()];
    for step in 0..STEPS {
        let mut slopes: Vec<f64> = weights.iter().map(|weight| cost * weight).collect();
        slopes[0] = 0.0;
        for example in &examples {
            let score: f64 = example.features.iter().map(|feature| weights[*feature]).sum();
            let error = (1.0 / (1.0 + (-score).exp()) - f64::from(u8::from(example.is_secret))) * example.counts;
            for feature in &example.features {
                slopes[*feature] += error;
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "steps are few")]
        let pace = 0.5 * (1.0 - step as f64 / STEPS as f64);
        for ((weight, slope), square) in weights.iter_mut().zip(&slopes).zip(&mut squares) {
            *square = 0.9 * *square + 0.1 * slope * slope;
            *weight -= pace * 0.2 * slope / square.sqrt();
        }
    }
    weights[0] += shift;
    #[allow(clippy::cast_possible_truncation, reason = "two places behind the point are written")]
    Weights::new(weights.into_iter().map(|weight| ((weight * 100.0).round() / 100.0) as f32).collect())
}
