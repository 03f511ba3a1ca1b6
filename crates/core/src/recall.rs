//! Recall: search for memories.
//!
//! [`tokenize`] turns a text into search terms, [`question`] analyses a query, and [`vector`] compares
//! meanings; [`rank`] orders the matches, [`weights`] weighs the parts of a score, and [`fit`] limits the
//! answer. [`strength`] estimates how well a memory is retained.

mod dates;
pub mod fit;
pub mod question;
pub mod rank;
pub mod strength;
pub mod tokenize;
pub mod vector;
pub mod weights;

pub use weights::Weights;
