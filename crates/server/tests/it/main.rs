//! The HTTP server, asked by a client over a socket.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod harness;
mod inspect;
mod memory_stores;
mod requests;
