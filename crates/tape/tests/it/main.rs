//! The tape through its public interface.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod archive;
mod common;
mod damage;
mod erase;
mod format;
mod order;
mod random;
mod reading;
mod torn;
mod writer;
