//! Models through the public interface.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod built_in;
mod folder;
