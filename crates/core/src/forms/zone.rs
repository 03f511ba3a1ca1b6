//! The zone: long-term memory and daily notes, as the owner dictates them (document 0).
//!
//! *Writes* anchors `memory/open` and `memory/seal` with `{version}`, and between them events
//! `memory.long_term` and `memory.daily`, in one group. *Reads* the same.
//!
//! **Invariants.** A version holds only what changed: an event bears the lines it adds and names those it
//! retires. The zone is its memories, not its anchors: an orphan anchor hides nothing. `updated_at` is when
//! that item last changed. Lines stand in the order of their ranks.

pub mod entry;
pub mod merge;
pub mod ops;
pub mod rules;
pub mod view;

pub use ops::{Mode, Outcome};
pub use view::ZoneView;
