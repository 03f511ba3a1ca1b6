//! Statements: what people said about themselves, their preferences and decisions, and their lives (document
//! 4).
//!
//! *Writes* the events `statement.capture`, `statement.add` and `statement.confirm`, which create a statement
//! each; `statement.forget` and `statement.expire`, which remove statements; and `statement.backfill`, which
//! lists older files that were imported completely. *Reads* the same.
//!
//! **Invariants.** The same text in the same scope (ignoring case, white space and surrounding punctuation)
//! is the same statement: repeating it creates a newer version under the same ref, never a second statement.
//! A version never has less confidence or importance, a lower sensitivity or a less trusted origin than the
//! version before it.

pub mod entry;
pub mod merge;
pub mod ops;
pub mod rules;
pub mod view;

pub use entry::{ReadFile, Source, Statement};
pub use ops::{NewStatement, Outcome, Retention};
pub use view::View;
