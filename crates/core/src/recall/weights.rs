//! The weights of the parts of a score, by form.
//!
//! `score = relevance·how well it matches + importance·how much it matters + recency·how new it is`, each
//! part from 0 to 1. Messages lose little by age, since old ones are asked for as often.

/// The weights of the parts of a score. Weights that add up to 1 yield scores from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The weight of how well a memory matches the query.
    pub relevance: f64,
    /// The weight of how much a memory matters.
    pub importance: f64,
    /// The weight of how new a memory is.
    pub recency: f64,
}
