//! Recall: finding memories again.

pub mod tokenize;
