//! Lists everything that is remembered, a page at a time, newest first.

use memtape_core::Memory;
pub use memtape_core::recall::tokenize::query_terms;
pub use memtape_index::MemoryFilter;

use crate::error::Result;
use crate::workspace::{At, Workspace, conversation_of};

impl Workspace {
    /// Returns a page of the memories at a point, newest first.
    ///
    /// The next page begins before the last memory of this one ([`MemoryFilter::before`]). The cost of a page does not
    /// depend on how many precede it. Confidential memories are included only for the owner.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn newest_first(&self, filter: &MemoryFilter, at: &At) -> Result<Vec<Memory>> {
        self.read(at, &filter.audience, &conversation_of(&filter.audience), |reader, point| {
            reader.newest_first(filter, point)
        })
    }
}
