//! The ledger (document 1): facts of a subject, a predicate and an object, each with its slot.
//!
//! *Writes* events `ledger.add`, `ledger.modify`, `ledger.observe`, `ledger.confirm`, `ledger.deprecate` and
//! `ledger.forget`. *Bears* one memory a fact.
//!
//! **Invariant.** In one slot at most one fact stands: a newer one retires the one before it.

pub mod entry;
pub mod merge;

pub use entry::{Event, EventType, FactData, Standing};
