//! Tells whether the answer to a message needs what is remembered about the person who wrote it.
//!
//! Most messages need nothing: small talk, commands, translations, general questions. A memory that merely shares
//! words with such a message distracts the agent. Words and meaning do not tell the two apart; the message itself
//! does. The probability is that of a logistic regression over hashed words and letters, and of a [`Network`] over the
//! message's state, whose outputs are added. Both are learned from labelled turns (`cargo xtask train-capture`).

use std::ops::Range;
use std::sync::LazyLock;

use super::clauses;
use super::features::Features;
use super::network::{Encoder, MESSAGE, Network};
use super::own;
use super::page::Page;
use super::tagger;

/// The number of weights.
pub(super) const WEIGHTS: usize = 1 << 16;

/// The probability for a short question about something of the person's own: the share of the labelled ones.
const OWN_QUESTION: f32 = 0.98;

static BUNDLED: LazyLock<Gate> =
    LazyLock::new(|| Gate::of(include_bytes!("gate.bin")).expect("the bundled weights are complete"));

/// Returns the probability, from 0 to 1, that the answer to a message needs something that is remembered.
#[must_use]
pub fn needs_memory(text: &str, encoder: &dyn Encoder) -> f32 {
    let learned = BUNDLED.probability(text, encoder);
    if own::is_asked(text) { learned.max(OWN_QUESTION) } else { learned }
}

/// The weights: a scale, a byte for each hashed feature, and the network.
pub(super) struct Gate {
    scale: f32,
    weights: Vec<i8>,
    network: Network<1>,
}

impl Gate {
    /// Reads the file with the weights; `None` if it is not complete.
    pub(super) fn of(file: &[u8]) -> Option<Gate> {
        let (scale, file) = file.split_first_chunk()?;
        let (weights, file) = file.split_at_checked(WEIGHTS)?;
        let weights = weights.iter().map(|byte| byte.cast_signed()).collect();
        Some(Gate { scale: f32::from_le_bytes(*scale), weights, network: Network::of(file, MESSAGE)? })
    }

    /// Returns [`needs_memory`] by these weights.
    pub(super) fn probability(&self, text: &str, encoder: &dyn Encoder) -> f32 {
        let Read { features, places } = read(text);
        let weight = |index: &u32| tagger::weight(self.weights[*index as usize], self.scale);
        let words = features.iter().map(weight).sum::<f32>() * unit(features.len());
        let states = encoder.states(text, &places);
        let [state] = self.network.outputs(states.first().map_or(&[], Vec::as_slice));
        probability_of(words + state)
    }
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

/// What a message is judged by.
pub(super) struct Read {
    /// The hashed features, each once.
    pub(super) features: Vec<u32>,
    /// The clauses. Their states are not used, but capture asks for the same ones, and so the model runs once.
    pub(super) places: Vec<Range<usize>>,
}

/// Reads a message.
pub(super) fn read(text: &str) -> Read {
    let page = Page::of(text);
    let clauses = clauses::split(&page.sentences);
    let mut features = Features { keys: Vec::new(), names: None };
    super::features::request(text, &page, &clauses, &mut features);
    let mut indices: Vec<u32> =
        features.keys.iter().map(|key| key >> (32 - WEIGHTS.trailing_zeros())).collect();
    indices.sort_unstable();
    indices.dedup();
    Read { features: indices, places: clauses::places(&page.sentences, &clauses) }
}
