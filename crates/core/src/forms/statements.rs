//! Statements: what people said of themselves, like and decided, and what happened to them (document 4).
//!
//! *Writes* events `statement.capture`, `statement.add` and `statement.confirm`, which bear a statement each, and
//! `statement.forget` and `statement.expire`, which retire some; and `statement.backfill`, which says which older files
//! were read to their end. *Reads* the same.
//!
//! **Invariants.** What is told again in the same scope, in the same words but for case, white space and the
//! punctuation around them, is the same statement: a newer version under the same ref, never a second one. A version
//! is never less sure, less important or more widely shown than the one before it, and never comes from somebody
//! whose word counts less.

pub mod entry;
pub mod merge;
pub mod ops;
pub mod rules;
pub mod view;

pub use entry::{ReadFile, Source, Statement};
pub use ops::{Outcome, Retention, Told};
pub use view::View;
