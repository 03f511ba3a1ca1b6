//! The upstream of a workspace: a tape in PostgreSQL or object storage that several machines share.
//!
//! With an upstream, the upstream is the truth, and the workspace's `tape.jsonl` is a [`Replica`] of it: a
//! prefix, byte for byte. A write is appended to the upstream first, by compare-and-append: the upstream
//! accepts a group only if the writer has seen its last entry. Everything else of a workspace is derived from
//! its tape, so nothing else knows about upstreams.
//!
//! [`Upstream`] is the contract; [`MemoryUpstream`] implements it in memory. [`copy()`] copies a tape into an upstream.

mod contact;
mod copy;
mod counts;
mod error;
mod fetched;
mod marker;
mod memory;
mod replica;
mod upstream;

pub use contact::Contact;
pub use copy::{Copied, CopyError, copy};
pub use counts::{Counts, counts};
pub use error::{Error, Result};
pub use fetched::Lines;
pub use marker::{mark, marked};
pub use memory::{Fault, MemoryUpstream};
pub use replica::{Followed, Freshness, Replica, ResolvedWrite, failed};
pub use upstream::{Appended, Fetched, Head, Upstream, ends};
