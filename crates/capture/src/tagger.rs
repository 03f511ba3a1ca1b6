//! Labels the clauses of a message with a linear-chain conditional random field (Lafferty et al. 2001): whether a
//! clause begins a statement of a category, continues it, or belongs to none.
//!
//! The weights are learned from labelled messages (`cargo xtask train-capture`) and stored in `weights.bin`: a scale
//! (a 32-bit float) and a count (32 bits, all little-endian); so many keys of features, ascending (32 bits each); a
//! row of weights for each key, and one for each label as the label before. A row has a byte for each label; a byte
//! `b` stands for the weight `b·|b| / 127² · scale`, so small weights are stored more precisely than large ones. A
//! [`Network`] of each of [`RUNS`] trainings follows: its inputs are the state of the clause, and the mean of their
//! outputs is added to the scores of the labels.

use std::sync::LazyLock;

use memtape_core::Category;

use super::features::Features;
use super::network::{CLAUSE, Network};

/// The categories, in the order of their labels.
pub(super) const CATEGORIES: [Category; 4] =
    [Category::Preference, Category::Fact, Category::Decision, Category::Episodic];
/// The number of labels: none; the beginning and the continuation of each category.
pub(super) const LABELS: usize = 1 + 2 * CATEGORIES.len();
/// The label of clauses that belong to no statement.
pub(super) const NONE: usize = 0;

/// Returns the label of the first clause of a statement of a category.
pub(super) const fn beginning(category: usize) -> usize {
    1 + 2 * category
}

/// Returns the label of the other clauses of a statement of a category.
pub(super) const fn continuation(category: usize) -> usize {
    2 + 2 * category
}

/// Returns whether a clause with the label `to` may follow one with the label `from`.
pub(super) fn follows(from: Option<usize>, to: usize) -> bool {
    let is_continuation = to != NONE && to.is_multiple_of(2);
    !is_continuation || from.is_some_and(|from| from == to || from == to - 1)
}

/// The number of trainings whose mean the weights are: one alone depends on the order of its messages.
pub(super) const RUNS: usize = 2;

/// The scores of the labels of a clause.
pub(super) type Scores = [f32; LABELS];

/// The weights that come with the program.
pub(super) static BUNDLED: LazyLock<Tagger> =
    LazyLock::new(|| Tagger::of(include_bytes!("weights.bin")).expect("the bundled weights are complete"));

/// The bits of a key by which the weights of a feature are looked up.
const DIRECTORY_BITS: u32 = 14;

/// The weights.
pub(super) struct Tagger {
    /// The weight of each label after another one.
    transitions: [Scores; LABELS],
    scale: f32,
    /// For each beginning of a key, the index of the first key that begins with it or a greater one.
    directory: Vec<u32>,
    keys: Vec<u32>,
    /// A row of weights for each key.
    rows: Vec<[i8; LABELS]>,
    networks: [Network<LABELS>; RUNS],
}

impl Tagger {
    /// Reads the file with the weights; `None` if it is not complete.
    pub(super) fn of(file: &[u8]) -> Option<Tagger> {
        let (scale, file) = file.split_first_chunk()?;
        let (count, file) = file.split_first_chunk()?;
        let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
        let (keys, file) = file.split_at_checked(count.checked_mul(4)?)?;
        let (rows, file) = file.split_at_checked((count + LABELS).checked_mul(LABELS)?)?;
        let (first, second) = file.split_at(file.len() / RUNS);
        let networks = [Network::of(first, CLAUSE)?, Network::of(second, CLAUSE)?];
        let ((keys, _), (rows, _)) = (keys.as_chunks(), rows.as_chunks());
        let keys: Vec<u32> = keys.iter().map(|key| u32::from_le_bytes(*key)).collect();
        let rows: Vec<[i8; LABELS]> =
            rows.iter().map(|row: &[u8; LABELS]| row.map(u8::cast_signed)).collect();
        let first = |begin: u32| keys.partition_point(|key| key >> (32 - DIRECTORY_BITS) < begin);
        let directory =
            (0..=1 << DIRECTORY_BITS).map(|begin| u32::try_from(first(begin)).unwrap_or(0)).collect();
        let scale = f32::from_le_bytes(*scale);
        let transitions = std::array::from_fn(|from| {
            let weights = rows[count + from].map(|byte| weight(byte, scale));
            std::array::from_fn(|to| if follows(Some(from), to) { weights[to] } else { f32::NEG_INFINITY })
        });
        Some(Tagger { transitions, scale, directory, keys, rows, networks })
    }

    /// Returns the weights of a feature; `None` if it has none.
    fn row(&self, key: u32) -> Option<&[i8; LABELS]> {
        let begin = (key >> (32 - DIRECTORY_BITS)) as usize;
        let (first, end) = (self.directory[begin] as usize, self.directory[begin + 1] as usize);
        let at = self.keys[first..end].iter().position(|other| *other == key)?;
        Some(&self.rows[first + at])
    }

    /// Adds the weights of features to the scores of a clause.
    pub(super) fn add(&self, features: &Features, scores: &mut Scores) {
        for row in features.keys.iter().filter_map(|key| self.row(*key)) {
            for (score, byte) in scores.iter_mut().zip(row) {
                *score += weight(*byte, self.scale);
            }
        }
    }

    /// Adds what the state of a clause says to its scores.
    pub(super) fn add_state(&self, clause: &[f32], scores: &mut Scores) {
        for network in &self.networks {
            let outputs = network.outputs(clause);
            scores.iter_mut().zip(outputs).for_each(|(score, output)| *score += output / RUNS as f32);
        }
    }

    /// Returns the weight that a feature adds to a label.
    pub(super) fn of_feature(&self, key: u32, label: usize) -> f32 {
        self.row(key).map_or(0.0, |row| weight(row[label], self.scale))
    }

    /// Returns, for each clause, the probability of each label.
    pub(super) fn marginals(&self, scores: &[Scores]) -> Vec<Scores> {
        Chain::of(scores, &self.transitions).marginals()
    }
}

/// The sums of the forward-backward algorithm, as logarithms.
pub(super) struct Chain<'s> {
    scores: &'s [Scores],
    forward: Vec<Scores>,
    backward: Vec<Scores>,
    /// The logarithm of the sum over all sequences of labels.
    total: f32,
}

impl<'s> Chain<'s> {
    /// Computes the sums of a message with at least one clause.
    pub(super) fn of(scores: &'s [Scores], transitions: &[[f32; LABELS]; LABELS]) -> Chain<'s> {
        let mut forward: Vec<Scores> = Vec::with_capacity(scores.len());
        for (at, own) in scores.iter().enumerate() {
            let mut sums = [f32::NEG_INFINITY; LABELS];
            for (label, sum) in sums.iter_mut().enumerate() {
                let before = match at.checked_sub(1) {
                    None if follows(None, label) => 0.0,
                    None => f32::NEG_INFINITY,
                    Some(last) => log_sum(|from| forward[last][from] + transitions[from][label]),
                };
                *sum = before + own[label];
            }
            forward.push(sums);
        }
        let mut backward = vec![[0.0; LABELS]; scores.len()];
        for at in (1..scores.len()).rev() {
            let next = backward[at];
            for (label, sum) in backward[at - 1].iter_mut().enumerate() {
                *sum = log_sum(|to| transitions[label][to] + scores[at][to] + next[to]);
            }
        }
        let total = forward.last().map_or(0.0, |last| log_sum(|label| last[label]));
        Chain { scores, forward, backward, total }
    }

    /// Returns the probability that a clause, not the first, has the label `to` and the one before it `from`.
    #[cfg(feature = "training")]
    pub(super) fn pair(&self, at: usize, from: usize, to: usize, transitions: &[Scores; LABELS]) -> f32 {
        let before = self.forward[at - 1][from] + transitions[from][to];
        (before + self.scores[at][to] + self.backward[at][to] - self.total).exp()
    }

    /// Returns, for each clause, the probability of each label.
    pub(super) fn marginals(&self) -> Vec<Scores> {
        let share =
            |at: usize, label: usize| (self.forward[at][label] + self.backward[at][label] - self.total).exp();
        (0..self.scores.len()).map(|at| std::array::from_fn(|label| share(at, label))).collect()
    }
}

/// Returns the logarithm of the sum of the exponentials of a value for each label.
fn log_sum(value: impl Fn(usize) -> f32) -> f32 {
    let values: Scores = std::array::from_fn(value);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY {
        return most;
    }
    most + values.iter().map(|value| (value - most).exp()).sum::<f32>().ln()
}

/// Returns the weight that a byte stands for.
pub(super) fn weight(byte: i8, scale: f32) -> f32 {
    let byte = f32::from(byte);
    byte * byte.abs() / (127.0 * 127.0) * scale
}
