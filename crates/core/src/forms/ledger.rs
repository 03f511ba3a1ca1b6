//! The ledger (document 1): facts that consist of a subject, a predicate and an object, each in a slot.
//!
//! *Writes* the events `ledger.add`, `ledger.modify`, `ledger.observe`, `ledger.confirm`, `ledger.deprecate`
//! and `ledger.forget`, and closes each group with the anchor `memory/commit`. Each fact is one memory.
//!
//! **Invariants.** A slot has at most one current fact: a newer one supersedes the one before it. A confidential fact has
//! a slot of its own ([`crate::slots`]), which only the owner sees. Tools and pages can
//! add facts, but never change or remove a fact of another origin. The id of an event is the hash of its content, as
//! recorded on the tape.

pub mod entry;
mod group;
pub mod input;
pub mod merge;
pub mod ops;
pub mod recreate;
pub mod rules;
pub mod upkeep;
pub mod view;

pub use entry::{Event, EventType, FactData, FactValue};
pub use group::{Observation, Setting, commit_together};
pub use input::{Named, NewFact, NewValue, TOOL_SOURCE, USER_SOURCE};
pub use ops::{Done, How, Retired};
pub use recreate::{recreate, retiring, with_value};
pub use view::{Fact, View};

#[cfg(test)]
mod desk;
