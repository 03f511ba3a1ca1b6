//! Tests of upstreams over real systems, and of backups.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod backup;
mod crashes;
mod objects;
mod tape;
mod watched;
