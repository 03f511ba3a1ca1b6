//! Counts of what the replicas of a process asked of their upstreams.

use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) static FETCHES: AtomicU64 = AtomicU64::new(0);
pub(crate) static FETCHED_BYTES: AtomicU64 = AtomicU64::new(0);
pub(crate) static APPENDS: AtomicU64 = AtomicU64::new(0);
pub(crate) static MOVED: AtomicU64 = AtomicU64::new(0);
pub(crate) static FAILURES: AtomicU64 = AtomicU64::new(0);

/// Counts since the process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests for the lines after an entry, most of which have the answer that there are none.
    pub fetches: u64,
    /// The bytes of these lines.
    pub fetched_bytes: u64,
    /// Groups that were sent.
    pub appends: u64,
    /// Groups that were refused because another machine was faster, and were decided again.
    pub moved: u64,
    /// Requests that failed.
    pub failures: u64,
}

/// Returns the counts of this process.
#[must_use]
pub fn counts() -> Counts {
    let [fetches, fetched_bytes, appends, moved, failures] =
        [&FETCHES, &FETCHED_BYTES, &APPENDS, &MOVED, &FAILURES].map(|count| count.load(Ordering::Relaxed));
    Counts { fetches, fetched_bytes, appends, moved, failures }
}

/// Adds to a count.
pub(crate) fn add(count: &AtomicU64, n: usize) {
    count.fetch_add(n as u64, Ordering::Relaxed);
}
