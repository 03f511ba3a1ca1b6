//! The zone: long-term memory and daily notes, as defined by document 0.
//!
//! *Writes* the anchors `memory/open` and `memory/seal` with `{version}`, and between them, in the same
//! group, events `memory.long_term` and `memory.daily`. *Reads* the same.
//!
//! **Invariants.** A version contains only what changed: an event contains the lines it adds and names those
//! it removes. The zone consists of its memories, not of its anchors: an anchor without its counterpart hides
//! nothing. `updated_at` is the time at which that item last changed. Lines are sorted by rank.

pub mod document;
pub mod entry;
pub mod import;
pub mod merge;
pub mod ops;
pub mod rules;
pub mod view;

pub use ops::{Mode, Outcome, ZonePart};
pub use view::ZoneView;
