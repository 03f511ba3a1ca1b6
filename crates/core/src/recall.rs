//! Recall: finding memories again.
//!
//! [`tokenize`] turns a text into the terms it is found by, [`question`] looks at what is asked, [`vector`] tells how near two meanings are; [`rank`]
//! puts what was found in order, [`weights`] says how much each part of a score counts, and [`fit`] makes an answer
//! of what fits. [`strength`] says how strongly a memory still stands.

pub mod fit;
pub mod question;
pub mod rank;
pub mod strength;
pub mod tokenize;
pub mod vector;
pub mod weights;

pub use weights::Weights;
