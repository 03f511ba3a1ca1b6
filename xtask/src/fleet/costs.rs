//! What requests cost, as `memtape-benches upstream` measured it on two shared cores with PostgreSQL 15 beside it.
//!
//! Measure them again where it matters: a commit costs what a sync of the disk does.

use std::time::Duration;

/// Size of an entry on a tape, and of its part of the index, in bytes.
pub(super) const ENTRY_BYTES: f64 = 551.0;
pub(super) const INDEX_BYTES: f64 = 839.0;
/// Number of entries that one fetch returns at most: 4 MiB.
const PAGE_ENTRIES: u32 = 7600;

/// How long a node waits for an append, for a fetch, and for each entry until it is in the replica and its index.
const APPEND: Duration = Duration::from_micros(903);
const FETCH: Duration = Duration::from_micros(168);
const ENTRY: Duration = Duration::from_micros(72);

/// How many requests of a kind PostgreSQL carries out a second, of four clients at once.
const APPENDS_A_SECOND: f64 = 2032.0;
const FETCHES_A_SECOND: f64 = 19_990.0;
/// How many entries it returns a second to one client, which checks and keeps them meanwhile.
const ENTRIES_A_SECOND: f64 = 92_371.0;

/// What turns asked of PostgreSQL.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pub(super) turns: u64,
    /// Number of turns that found a replica.
    pub(super) hits: u64,
    pub(super) appends: u64,
    pub(super) fetches: u64,
    /// Number of entries that were fetched.
    pub(super) entries: u64,
}

impl Asked {
    /// Returns how long the nodes waited for PostgreSQL and for their index, in seconds.
    pub(super) fn wait(&self) -> f64 {
        let all = |count: u64, each: Duration| count as f64 * each.as_secs_f64();
        all(self.appends, APPEND) + all(self.fetches, FETCH) + all(self.entries, ENTRY)
    }

    /// Returns how long one server is busy with it, in seconds.
    pub(super) fn server_time(&self) -> f64 {
        self.appends as f64 / APPENDS_A_SECOND
            + self.fetches as f64 / FETCHES_A_SECOND
            + self.entries as f64 / ENTRIES_A_SECOND
    }
}

/// Returns the number of round trips for entries that a replica lacks, beyond the one that finds out. A fetch asks for
/// the head, and then for the page; the last page is recognised by the head.
pub(super) fn pages(entries: u32) -> u64 {
    let pages = u64::from(entries.div_ceil(PAGE_ENTRIES));
    pages + pages.saturating_sub(1)
}
