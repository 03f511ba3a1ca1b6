//! Upstreams in other systems: PostgreSQL and object storage.
//!
//! [`open`] returns the [`Upstream`] of an address. The contract is synchronous; the clients of these systems are
//! not, and run on threads of [`runtime`].

pub mod backup;
pub mod objects;
pub mod restore;
mod runtime;

use std::sync::Arc;

use memtape_upstream::Upstream;
