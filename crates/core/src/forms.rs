//! The forms: shapes of memory. Each has the same files: `entry` (what it may write, and what that bears),
//! `ops` (decide: a view and a command become entries) and `view` (fold: memories become what is read).
//!
//! **Invariant.** Forms never import each other.

pub mod messages;
pub mod zone;
