//! Recall: finding memories again.
//!
//! [`tokenize`] turns a text into the terms it is found by; [`rank`] puts what was found in order.

pub mod rank;
pub mod tokenize;
