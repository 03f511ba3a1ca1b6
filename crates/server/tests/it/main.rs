//! The HTTP server, asked by a client over a socket.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod branches;
mod harness;
mod inspect;
mod memory_stores;
mod requests;
mod streams;
