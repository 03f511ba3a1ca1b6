//! The forms: shapes of memory. Each has the same files: `entry` (what it may write, and what that bears),
//! `ops` (decide: a view and a command become entries) and `view` (fold: memories become what is read).
//!
//! **Invariant.** Forms never import each other.

pub mod ledger;
pub mod messages;
pub mod notes;
pub mod statements;
pub mod zone;

use crate::memory::{Form, Memory};

/// The text whose meaning stands for a memory: what was said, without who said it.
#[must_use]
pub fn meaning(memory: &Memory) -> String {
    match memory.form {
        Form::Messages => messages::view::meaning(memory),
        Form::Ledger | Form::Notes | Form::Statements | Form::Zone => memory.text.clone(),
    }
}
