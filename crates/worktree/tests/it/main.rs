//! The working copy, with a person beside it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "these are tests")]

mod model;
#[cfg(not(feature = "git"))]
mod without_git;
mod working_copy;
mod working_copy_crash;
mod working_copy_law;
