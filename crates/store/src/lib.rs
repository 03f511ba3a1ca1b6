//! Stores a workspace: joins the tape files of a directory and their index.
//!
//! [`Store`] is the only layer between memory operations and storage. It takes the writer lock, brings the
//! index ([`memtape_index`]) up to the end of the tape ([`memtape_tape`]), appends what a command decides,
//! projects it, and updates the mirror files ([`memtape_worktree::mirror`]). What a command writes is decided
//! in [`memtape_core`], not here, and the working copies are brought up to date by the caller.
//!
//! **Invariants.** The tape is the source of truth. The index may be deleted or damaged at any time; it is
//! rebuilt from the tape, and every query first brings it up to date. Every write runs these steps in order:
//! catch up the index, decide, append, project, update the mirrors.
//!
//! A query and the decision of a command read only the index and the tape, so they return the errors of
//! [`memtape_index`].
//!
//! Suggested reading order: [`store`], `view`, `write_guard`, `under_way`, `state`, `catch_up`, `indexing`, `following`,
//! [`erase`], [`copy`], `push`, `verify`, `mirror`, `author`, [`warning`], [`error`].

mod author;
mod catch_up;
pub mod copy;
pub mod erase;
pub mod error;
mod following;
mod indexing;
mod mirror;
mod push;
mod state;
pub mod store;
mod under_way;
mod verify;
mod view;
pub mod warning;
mod write_guard;

pub use author::{Author, Expected, ToolCall};
pub use catch_up::IndexProgress;
pub use copy::Copied;
pub use erase::{Erased, Replacement};
pub use error::{Error, Result};
pub use store::{Clock, Following, Options, Store, SystemClock, Written};
pub use verify::Verified;
pub use view::View;
pub use warning::Warning;
pub use write_guard::WriteGuard;
