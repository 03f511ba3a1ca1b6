//! Training of a [`Network`] by the gradients of its outputs: Adam (Kingma and Ba 2015) with dropout of half of the
//! inputs (Srivastava et al. 2014), since the messages are few.

use super::Random;
use crate::network::{HIDDEN, Network, Sums};

/// The number of examples of a step.
const BATCH: u32 = 64;
/// The first step size; the last is zero.
const STEP: f32 = 2e-3;
/// The decay of the mean gradient and of the mean squared gradient.
const DECAY: (f32, f32) = (0.9, 0.999);

/// A network that learns.
pub(super) struct Learner<const O: usize> {
    pub(super) network: Network<O>,
    /// The sums of the gradients of this step, the means of gradients and of squared gradients, in the order in which
    /// weights are stored.
    gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    examples: u32,
    steps: i32,
    /// The number of examples of the whole training.
    planned: f32,
    random: Random,
}

/// What a network made of one input, for [`Learner::learn`].
pub(super) struct Pass {
    /// The inputs that were not dropped: their indices and values.
    inputs: Vec<(usize, f32)>,
    hidden: Sums,
}

impl<const O: usize> Learner<O> {
    /// Creates a network for states of a length, such as `examples`, and for `planned` calls of [`Learner::end_example`].
    pub(super) fn new(length: usize, examples: &[&[f32]], planned: usize, seed: u64) -> Self {
        let typical = typical(length, examples);
        let mut random = Random(seed);
        let deviation = 1.0 / count(length).sqrt();
        let mut weight = || normal(&mut random) * deviation;
        let first = (0..length).map(|_| std::array::from_fn(|_| weight())).collect();
        let network = Network { typical, first, biases: [0.0; HIDDEN], second: vec![[0.0; O]; HIDDEN] };
        let weights = (length + 1) * HIDDEN + HIDDEN * O;
        let zeros = || vec![0.0; weights];
        let (gradients, means, squares) = (zeros(), zeros(), zeros());
        let planned = count(planned);
        Self { network, gradients, means, squares, examples: 0, steps: 0, planned, random }
    }

    /// Returns the outputs for a state, of which half of the numbers are dropped.
    pub(super) fn outputs(&mut self, state: &[f32]) -> ([f32; O], Pass) {
        let mut inputs = Vec::new();
        let mut bits = 0;
        for (at, (value, (mean, scale))) in state.iter().zip(&self.network.typical).enumerate() {
            if at % 64 == 0 {
                bits = self.random.next();
            }
            if bits >> (at % 64) & 1 == 1 {
                inputs.push((at, 2.0 * (value - mean) * scale));
            }
        }
        let mut sums = self.network.biases;
        for (index, value) in &inputs {
            let weights = &self.network.first[*index];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
        (self.network.outputs_of(&sums), Pass { inputs, hidden: sums.map(|sum| sum.max(0.0)) })
    }

    /// Adds the gradients of the outputs of a pass.
    pub(super) fn learn(&mut self, pass: &Pass, outputs: &[f32; O]) {
        let (first, rest) = self.gradients.split_at_mut(self.network.first.len() * HIDDEN);
        let (biases, second) = rest.split_at_mut(HIDDEN);
        let mut hidden = [0.0; HIDDEN];
        for (at, value) in pass.hidden.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let weights = self.network.second[at].iter().zip(outputs);
            hidden[at] = weights.map(|(weight, output)| weight * output).sum();
            let gradients = second[at * O..][..O].iter_mut().zip(outputs);
            gradients.for_each(|(gradient, output)| *gradient += value * output);
        }
        biases.iter_mut().zip(hidden).for_each(|(gradient, hidden)| *gradient += hidden);
        for (index, value) in &pass.inputs {
            let gradients = first[index * HIDDEN..][..HIDDEN].iter_mut().zip(hidden);
            gradients.for_each(|(gradient, hidden)| *gradient += value * hidden);
        }
    }

    /// Ends an example: after a batch of them, the weights move.
    pub(super) fn end_example(&mut self) {
        self.examples += 1;
        if !self.examples.is_multiple_of(BATCH) {
            return;
        }
        self.steps += 1;
        let (mean, square) = DECAY;
        let (of_mean, of_square) = (1.0 - mean.powi(self.steps), 1.0 - square.powi(self.steps));
        #[expect(clippy::cast_precision_loss, reason = "a share of the training")]
        let left = 1.0 - (self.examples as f32 / self.planned).min(1.0);
        let Network { first, biases, second, .. } = &mut self.network;
        let weights = first.iter_mut().flatten().chain(biases).chain(second.iter_mut().flatten());
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (first, second)) in weights.zip(&mut self.gradients).zip(moments) {
            let one = std::mem::take(gradient) / count(BATCH as usize);
            *first = mean * *first + (1.0 - mean) * one;
            *second = square * *second + (1.0 - square) * one * one;
            *weight += STEP * left * (*first / of_mean) / ((*second / of_square).sqrt() + 1e-8);
        }
    }
}

/// Returns the mean and the reciprocal deviation of each number of some states.
fn typical(length: usize, states: &[&[f32]]) -> Vec<(f32, f32)> {
    let known: Vec<&&[f32]> = states.iter().filter(|state| !state.is_empty()).collect();
    let all = count(known.len().max(1));
    let mean_of = |of: &dyn Fn(&[f32]) -> f32| known.iter().map(|state| of(state)).sum::<f32>() / all;
    (0..length)
        .map(|at| {
            let mean = mean_of(&|state| state[at]);
            let variance = mean_of(&|state| (state[at] - mean).powi(2));
            (mean, 1.0 / variance.sqrt().max(1e-6))
        })
        .collect()
}

/// Returns a number of a distribution with the mean 0 and the deviation 1.
fn normal(random: &mut Random) -> f32 {
    // The sum of twelve even numbers is nearly normal.
    (0..12).map(|_| count(random.below(1 << 16)) / 65_536.0).sum::<f32>() - 6.0
}

fn count(number: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "numbers here are below 2²⁴")]
    let count = number as f32;
    count
}
