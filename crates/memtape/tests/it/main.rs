//! The library through its public interface. All tests are one program, because each program contains the
//! model.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod audience;
mod backfill;
mod blocks;
mod branches;
mod confidential;
mod config;
mod consolidate;
mod documents;
mod exchange;
mod export;
mod failures;
mod files;
mod forged;
mod history;
mod ingest;
mod journal;
mod layers;
mod ledger;
mod log;
mod meaning;
mod memory_tool;
mod mirror;
mod names;
mod newest;
mod note_tools;
mod notes;
mod origins;
mod own_files;
mod passing_time;
mod places;
mod prompt;
mod snapshot;
mod speakers;
mod statements;
mod tool_calls;
mod tools;
mod turn;
mod turns;
mod zone;
