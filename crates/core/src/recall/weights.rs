//! How much each part of a score counts, by form.
//!
//! `score = relevance·how well it fits + importance·how much it matters + recency·how new it is`, each part from 0
//! to 1. Messages hardly lose by age: what was said long ago is asked for as often.

/// How much each part of a score counts. Weights that add up to 1 give scores from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// How much it counts that a memory fits the question.
    pub relevance: f64,
    /// How much it counts that a memory matters.
    pub importance: f64,
    /// How much it counts that a memory is new.
    pub recency: f64,
}
