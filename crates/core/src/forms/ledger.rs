//! The ledger (document 1): facts of a subject, a predicate and an object, each with its slot.
//!
//! *Writes* events `ledger.add`, `ledger.modify`, `ledger.observe`, `ledger.confirm`, `ledger.deprecate` and
//! `ledger.forget`, and closes each group with the anchor `memory/commit`. *Bears* one memory a fact.
//!
//! **Invariants.** In one slot at most one fact stands: a newer one retires the one before it. What a tool or a page
//! says adds facts, and never changes or retires what somebody else told. An event's id is the hash of what the event
//! says, on the tape.

pub mod again;
pub mod entry;
mod group;
pub mod merge;
pub mod ops;
pub mod rules;
pub mod told;
pub mod upkeep;
pub mod view;

pub use again::{again, retiring, with_value};
pub use entry::{Event, EventType, FactData, Standing};
pub use group::{Observation, Setting};
pub use ops::{Done, How, Retired};
pub use told::{Named, NewValue, Told};
pub use view::{Fact, View};

#[cfg(test)]
mod desk;
