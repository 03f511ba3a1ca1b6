//! Upstreams in other systems: PostgreSQL and object storage.
//!
//! [`open`] returns the [`Upstream`] of an address. The contract is synchronous; the clients of these systems are
//! not, and run on threads of their own.

pub mod address;
pub mod backup;
pub mod objects;
pub mod postgres;
pub mod restore;
mod runtime;

use std::sync::Arc;

use memtape_upstream::{Error, Result, Upstream};

pub use address::Address;

/// Returns the address of a workspace in the system at an address that names none.
#[must_use]
pub fn workspace_at(url: &str, name: &str) -> String {
    let encoded = address::encoded(name);
    match url.split_once('?') {
        _ if !url.starts_with("postgres") => format!("{}/{encoded}", url.trim_end_matches('/')),
        Some(_) => format!("{url}&workspace={encoded}"),
        None => format!("{url}?workspace={encoded}"),
    }
}

/// Opens the upstream at an address. It connects when it is first used.
///
/// # Errors
/// [`Error::Refused`] if the address is malformed, or of a system that is not supported.
pub fn open(url: &str) -> Result<Arc<dyn Upstream>> {
    match url.split_once("://") {
        Some(("postgres" | "postgresql", _)) => Ok(Arc::new(postgres::Postgres::open(url)?)),
        Some(("s3" | "gs" | "az" | "file", _)) => objects::Objects::open(url),
        _ => Err(Error::Refused {
            upstream: "the address".into(),
            why: "it begins with none of postgres://, s3://, gs://, az:// and file://".into(),
        }),
    }
}
