//! The command line as seen by a user: each test runs the real `memtape`, and most compare its whole output.
//!
//! `UPDATE_EXPECT=1` updates the snapshots; read each one before you commit it.

mod audience;
mod backfill;
mod backup;
mod block;
mod branches;
mod config;
mod consolidate;
mod export;
mod fact;
mod file;
mod global;
mod golden;
mod guard;
mod harness;
mod help;
mod hook;
mod import;
mod ingest;
mod journal;
mod log;
mod mcp;
mod memory_tool;
mod mind;
mod note;
#[cfg(unix)]
mod permissions;
mod prompt;
mod readme;
mod recall;
mod scan;
mod serve;
mod setup;
mod start;
mod statements;
mod status;
mod tape;
#[cfg(target_os = "linux")]
mod terminal;
mod tool;
mod turn;
mod upstream;
mod verbs;
mod verify;
mod zone;
