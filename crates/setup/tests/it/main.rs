//! Changes of the configuration files of clients.
//!
//! `UPDATE_EXPECT=1` updates the expected texts; read each one before you commit it.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod edits;
mod files;
mod harness;
mod places;
mod plugin;
mod samples;
