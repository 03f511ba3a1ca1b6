//! The laws, over every form. They are one program, because every test program that is linked contains the model.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod architecture;
mod backfill;
mod branches;
mod concurrent;
mod crash;
mod dependencies;
mod erase;
mod files;
mod history;
mod identity;
mod in_git;
mod laws;
mod modules;
mod names;
mod noninterference;
mod note_files;
mod notes;
mod places;
mod postgres;
mod processes;
mod readers;
mod replica_damage;
mod replica_files;
mod replica_stale;
mod scripted_model;
mod secrets;
mod slots;
mod turns;
mod unchanged_files;
mod upstreams;
mod zone;
