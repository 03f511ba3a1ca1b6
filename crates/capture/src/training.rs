//! Training of the weights from labelled messages, for `cargo xtask train-capture`.
//!
//! The weights maximize the conditional likelihood, with an L1 and an L2 penalty, by "follow the regularized leader"
//! (McMahan et al. 2013, "Ad click prediction", algorithm 1): most of them are zero and are not stored. The same
//! messages give the same weights.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use jiff::civil::Date;

use memtape_core::Category;

use super::clauses;
use super::features::{Features, Words};
use super::network::{CLAUSE, MESSAGE, Network};
use super::page::Page;
use super::tagger::{
    CATEGORIES, Chain, LABELS, NONE, RUNS, Scores, Tagger, beginning, continuation, follows,
};
use super::update::{HASHED, Inputs, NUMBERS, Pair, Update};
use super::{Encoder, Reading, Role, gate};

mod network;

use network::{Learner, Pass};

/// One in so many examples is learned from without its states, so that the words alone are enough where the model does
/// not run.
const UNKNOWN: usize = 10;

/// The seed of the first training. Of two pairs of trainings, the one with the better weights on `dev`.
const SEED: u64 = 700;

/// The value of a feature that is left of two.
const KEPT: f32 = 2.0;

/// A message of a person with the statements that are to be kept.
pub struct Example<'t> {
    /// The message.
    pub text: &'t str,
    /// The positions in the message, in bytes, and the categories of the statements.
    pub keep: Vec<(Range<usize>, Category)>,
}

/// The settings of a training.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often each message is used.
    pub rounds: u32,
    /// The first step size.
    pub step: f32,
    /// The weight of the L1 penalty.
    pub l1: f32,
    /// The weight of the L2 penalty.
    pub l2: f32,
}

/// Trained weights of capture, to measure them before they are bundled.
pub struct Trained(Tagger);

impl Trained {
    /// Reads the content of `weights.bin`; `None` if it is not complete.
    #[must_use]
    pub fn of(file: &[u8]) -> Option<Trained> {
        Tagger::of(file).map(Trained)
    }

    /// Reads a message with these weights ([`read`](super::read)).
    #[must_use]
    pub fn read(&self, text: &str, role: Role, said_on: Date, encoder: &dyn Encoder) -> Reading {
        super::read_with(text, role, said_on, &self.0, encoder)
    }
}

/// Returns [`Pair::update`] by other weights than the bundled ones.
///
/// # Panics
/// Panics if the weights are not complete.
#[must_use]
pub fn update_with(pair: &Pair<'_>, weights: &[u8]) -> Update {
    pair.update_by(weights)
}

/// A message as features and labels.
struct Prepared {
    shared: Vec<u32>,
    clauses: Vec<Vec<u32>>,
    labels: Vec<usize>,
    /// The state of the message, then those of the clauses; empty if the model did not read them.
    states: Vec<Vec<f32>>,
}

/// A message as one example: with half of its features.
struct Thinned<'p> {
    message: &'p Prepared,
    shared: Vec<u32>,
    clauses: Vec<Vec<u32>>,
    /// Whether the states are known.
    is_known: bool,
}

impl Prepared {
    /// Drops half of the features (Srivastava et al. 2014). What is left must do without them, so the weights rely less
    /// on the words of one author, and the network learns more.
    fn thinned(&self, is_known: bool, random: &mut Random) -> Thinned<'_> {
        let mut thin = |features: &[u32]| -> Vec<u32> {
            features.iter().copied().filter(|_| random.below(2) == 0).collect()
        };
        let shared = thin(&self.shared);
        let clauses = self.clauses.iter().map(|features| thin(features)).collect();
        Thinned { message: self, shared, clauses, is_known }
    }

    fn state(&self, index: usize) -> &[f32] {
        self.states.get(index).map_or(&[], Vec::as_slice)
    }
}

/// Weights and the sums from which they are computed.
struct Weights {
    settings: Settings,
    weights: Vec<f32>,
    sums: Vec<f32>,
    squares: Vec<f32>,
}

impl Weights {
    fn new(count: usize, settings: Settings) -> Weights {
        Weights { settings, weights: vec![0.0; count], sums: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// Moves a weight along a gradient.
    fn step(&mut self, index: usize, gradient: f32) {
        let Settings { step, l1, l2, .. } = self.settings;
        let before = self.squares[index].sqrt();
        self.squares[index] += gradient * gradient;
        let after = self.squares[index].sqrt();
        self.sums[index] += gradient + (after - before) / step * self.weights[index];
        let sum = self.sums[index];
        self.weights[index] =
            if sum.abs() <= l1 { 0.0 } else { (sum - l1.copysign(sum)) / ((1.0 + after) / step + l2) };
    }
}

/// Trains the weights of capture, and returns the content of `weights.bin`.
#[must_use]
pub fn train(examples: &[Example<'_>], encoder: &dyn Encoder, settings: Settings) -> Vec<u8> {
    let mut prepared: Vec<Prepared> =
        examples.iter().filter_map(|example| prepare(example, encoder)).collect();
    // A feature of one or two messages says little about others.
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for message in &prepared {
        let keys: BTreeSet<u32> = message.clauses.iter().flatten().chain(&message.shared).copied().collect();
        keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    }
    let keys: Vec<u32> = counts.into_iter().filter(|(_, count)| *count >= 3).map(|(key, _)| key).collect();
    for message in &mut prepared {
        for features in message.clauses.iter_mut().chain([&mut message.shared]) {
            let index = |key: &u32| keys.binary_search(key).ok().and_then(|index| u32::try_from(index).ok());
            *features = features.iter().filter_map(index).collect();
        }
    }
    let transitions = keys.len() * LABELS;
    let learned: Vec<(Vec<f32>, Network<LABELS>)> = thread::scope(|scope| {
        let start = |run| {
            let prepared = &prepared;
            scope.spawn(move || learn(prepared, transitions, settings, run))
        };
        let running: Vec<_> = (0..RUNS as u64).map(start).collect();
        running.into_iter().map(|run| run.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    #[expect(clippy::cast_precision_loss, reason = "there are few runs")]
    let mean = |at: usize| learned.iter().map(|(weights, _)| weights[at]).sum::<f32>() / RUNS as f32;
    let weights: Vec<f32> = (0..transitions + LABELS * LABELS).map(mean).collect();
    let is_used = |index: &usize| weights[index * LABELS..][..LABELS].iter().any(|weight| *weight != 0.0);
    let used: Vec<usize> = (0..keys.len()).filter(is_used).collect();
    let rows = used.iter().copied().chain(keys.len()..keys.len() + LABELS);
    let stored: Vec<f32> = rows.flat_map(|row| &weights[row * LABELS..][..LABELS]).copied().collect();
    let (scale, bytes) = encode(&stored);
    let mut file = scale.to_le_bytes().to_vec();
    file.extend(u32::try_from(used.len()).unwrap_or(0).to_le_bytes());
    file.extend(used.iter().flat_map(|index| keys[*index].to_le_bytes()));
    file.extend(bytes);
    learned.iter().for_each(|(_, network)| file.extend(network.bytes()));
    file
}

/// Learns weights and a network once. Runs differ by the order of the messages, by the features that are dropped, and
/// by the first weights of the network.
fn learn(
    prepared: &[Prepared],
    transitions: usize,
    settings: Settings,
    run: u64,
) -> (Vec<f32>, Network<LABELS>) {
    let seed = SEED + 100 * run;
    let mut weights = Weights::new(transitions + LABELS * LABELS, settings);
    let clauses = prepared.iter().flat_map(|one| (1..one.states.len()).map(|index| one.state(index)));
    let planned = prepared.len() * settings.rounds as usize;
    let mut learner = Learner::new(CLAUSE, &clauses.collect::<Vec<_>>(), planned, seed + 2);
    let (mut random, mut dropping) = (Random(seed + 3), Random(seed + 4));
    each(prepared, settings.rounds, seed + 1, |message| {
        let is_known = random.below(UNKNOWN) > 0;
        step(&message.thinned(is_known, &mut dropping), transitions, &mut weights, &mut learner);
    });
    (weights.weights, learner.network)
}

/// Trains the weights of the gate, and returns the content of `gate.bin`. An example is a message and whether it
/// needs what is remembered about the person.
#[must_use]
pub fn train_gate(examples: &[(&str, bool)], encoder: &dyn Encoder, settings: Settings) -> Vec<u8> {
    let prepared: Vec<(Vec<u32>, Vec<f32>, bool)> = examples
        .iter()
        .map(|(text, needs)| {
            let read = gate::read(text);
            let state = encoder.states(text, &read.places).into_iter().next();
            (read.features, state.unwrap_or_default(), *needs)
        })
        .collect();
    let mut weights = Weights::new(gate::WEIGHTS, settings);
    let states: Vec<&[f32]> = prepared.iter().map(|(_, state, _)| state.as_slice()).collect();
    let mut learner = Learner::new(MESSAGE, &states, prepared.len() * settings.rounds as usize, 2);
    let mut random = Random(3);
    each(&prepared, settings.rounds, 1, |(features, state, needs)| {
        let state = if random.below(UNKNOWN) > 0 { state } else { &[][..] };
        let unit = gate::unit(features.len());
        let words: f32 = features.iter().map(|&index| weights.weights[index as usize] * unit).sum();
        let ([output], pass) = learner.outputs(state);
        let gradient = f32::from(u8::from(*needs)) - gate::probability_of(words + output);
        features.iter().for_each(|&index| weights.step(index as usize, gradient * unit));
        learner.learn(&pass, &[gradient]);
        learner.end_example();
    });
    let (scale, bytes) = encode(&weights.weights);
    scale.to_le_bytes().into_iter().chain(bytes).chain(learner.network.bytes()).collect()
}

/// A question and two memories, and whether the newer one takes the place of the older one.
pub struct UpdateExample<'w> {
    /// The question and the memories.
    pub pair: Pair<'w>,
    /// Whether the newer memory answers the question, and the older one does not; `None` if unknown.
    pub answers: Option<bool>,
    /// Whether the older memory does not hold any more; `None` if unknown.
    pub replaces: Option<bool>,
    /// How much the example counts.
    pub weight: f32,
}

/// Trains the weights of [`Pair::update`], and returns the content of `update.bin`.
#[must_use]
pub fn train_updates(examples: &[UpdateExample<'_>], settings: Settings) -> Vec<u8> {
    let inputs: Vec<Inputs> = examples.iter().map(|example| example.pair.inputs()).collect();
    let mut file = Vec::new();
    for label in [|one: &UpdateExample<'_>| one.answers, |one: &UpdateExample<'_>| one.replaces] {
        let labelled: Vec<(&Inputs, f32, f32)> = (inputs.iter().zip(examples))
            .filter_map(|(inputs, example)| {
                Some((inputs, f32::from(u8::from(label(example)?)), example.weight))
            })
            .collect();
        let mut weights = Weights::new(NUMBERS + HASHED, settings);
        each(&labelled, settings.rounds, 1, |(inputs, is, weight)| {
            let unit = inputs.unit();
            let values = || {
                let hashed = inputs.hashed.iter().map(|&index| (NUMBERS + index as usize, unit));
                inputs.numbers.iter().copied().enumerate().chain(hashed)
            };
            let score: f32 = values().map(|(index, value)| weights.weights[index] * value).sum();
            let gradient = (is - gate::probability_of(score)) * weight;
            values().for_each(|(index, value)| weights.step(index, gradient * value));
        });
        let (numbers, hashed) = weights.weights.split_at(NUMBERS);
        let (scale, bytes) = encode(hashed);
        file.extend([scale].iter().chain(numbers).flat_map(|weight| weight.to_le_bytes()));
        file.extend(bytes);
    }
    file
}

/// Calls a function with each example, in another order in each round and for each seed.
fn each<T>(examples: &[T], rounds: u32, seed: u64, mut call: impl FnMut(&T)) {
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = Random(seed);
    for _ in 0..rounds {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        order.iter().for_each(|index| call(&examples[*index]));
    }
}

fn prepare(example: &Example<'_>, encoder: &dyn Encoder) -> Option<Prepared> {
    let page = Page::of(example.text);
    let clauses = clauses::split(&page.sentences);
    if clauses.is_empty() {
        return None;
    }
    let words = Words::of(&page.sentences, &clauses);
    let mut shared = Features { keys: Vec::new(), names: None };
    words.message(&clauses, &mut shared);
    let features = |at: usize| {
        let mut features = Features { keys: Vec::new(), names: None };
        words.clause(&clauses, at, &mut features);
        features.keys
    };
    let places = clauses::places(&page.sentences, &clauses);
    let states = encoder.states(example.text, &places);
    let mut labels = Vec::new();
    let mut last = None;
    for range in places {
        let overlap = |keep: &Range<usize>| {
            let common = keep.end.min(range.end).saturating_sub(keep.start.max(range.start));
            2 * common > range.len() || 5 * common > 3 * keep.len()
        };
        let statement = example.keep.iter().position(|(keep, _)| overlap(keep));
        labels.push(statement.map_or(NONE, |index| {
            let category = CATEGORIES.iter().position(|one| *one == example.keep[index].1).unwrap_or(0);
            if last == Some(index) { continuation(category) } else { beginning(category) }
        }));
        last = statement;
    }
    let clauses = (0..clauses.len()).map(features).collect();
    Some(Prepared { shared: shared.keys, clauses, labels, states })
}

/// Moves the weights along the gradient of one message. The weights of transitions begin at `transitions`.
fn step(example: &Thinned<'_>, transitions: usize, weights: &mut Weights, learner: &mut Learner<LABELS>) {
    let Thinned { message, shared: of_message, clauses, is_known } = example;
    let add = |features: &[u32], scores: &mut Scores| {
        for index in features {
            let row = &weights.weights[*index as usize * LABELS..][..LABELS];
            scores.iter_mut().zip(row).for_each(|(score, weight)| *score += weight * KEPT);
        }
    };
    let mut shared: Scores = [0.0; LABELS];
    add(of_message, &mut shared);
    let state = |index: usize| if *is_known { message.state(index) } else { &[] };
    let (scores, passes): (Vec<Scores>, Vec<Pass>) = clauses
        .iter()
        .enumerate()
        .map(|(at, features)| {
            let (mut scores, pass) = learner.outputs(state(at + 1));
            scores.iter_mut().zip(shared).for_each(|(score, shared)| *score += shared);
            add(features, &mut scores);
            (scores, pass)
        })
        .unzip();
    let between: [Scores; LABELS] = std::array::from_fn(|from| {
        std::array::from_fn(|to| match follows(Some(from), to) {
            true => weights.weights[transitions + from * LABELS + to],
            false => f32::NEG_INFINITY,
        })
    });
    let chain = Chain::of(&scores, &between);
    let mut sum: Scores = [0.0; LABELS];
    for (at, marginal) in chain.marginals().iter().enumerate() {
        let is = |label: usize| f32::from(u8::from(message.labels[at] == label));
        let gradients: Scores = std::array::from_fn(|label| is(label) - marginal[label]);
        sum.iter_mut().zip(gradients).for_each(|(sum, gradient)| *sum += gradient);
        learner.learn(&passes[at], &gradients);
        for index in &clauses[at] {
            let row = *index as usize * LABELS;
            (0..LABELS).for_each(|label| weights.step(row + label, gradients[label] * KEPT));
        }
    }
    learner.end_example();
    for index in of_message {
        let row = *index as usize * LABELS;
        (0..LABELS).for_each(|label| weights.step(row + label, sum[label] * KEPT));
    }
    for at in 1..scores.len() {
        for from in 0..LABELS {
            for to in (0..LABELS).filter(|to| follows(Some(from), *to)) {
                let is = message.labels[at - 1] == from && message.labels[at] == to;
                let gradient = f32::from(u8::from(is)) - chain.pair(at, from, to, &between);
                weights.step(transitions + from * LABELS + to, gradient);
            }
        }
    }
}

/// Returns the scale and a byte for each weight, as [`tagger::weight`](super::tagger::weight) reads them.
fn encode(weights: &[f32]) -> (f32, Vec<u8>) {
    let scale = weights.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
    let byte = |weight: &f32| {
        #[expect(clippy::cast_possible_truncation, reason = "the value is from -127 to 127")]
        let byte = ((weight.abs() / scale).sqrt() * 127.0).round().copysign(*weight) as i8;
        byte.cast_unsigned()
    };
    (scale, weights.iter().map(byte).collect())
}

/// A generator of pseudo-random numbers (Steele et al. 2014, SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % limit
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
