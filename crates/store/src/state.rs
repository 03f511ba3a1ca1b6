//! The connection of one command or view.

use memtape_index::index::Index;

use crate::error::Result;

/// The connection of one command or view; none before the index is opened, and while it is replaced.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) index: Option<Index>,
}

impl State {
    /// Returns the open index.
    pub(crate) fn index(&self) -> Result<&Index> {
        Ok(self.index.as_ref().ok_or_else(memtape_index::Error::not_open)?)
    }
}
