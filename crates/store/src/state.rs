//! The connection of one command or view.

use std::sync::Arc;

use memtape_index::index::{Applied, Index};
use memtape_tape::{Segments, Tail};

use crate::error::Result;

/// The connection of one command or view; none before the index is opened, and while it is replaced.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) index: Option<Index>,
    /// What the lock holder saw when it last caught up. Nobody else appends meanwhile, so its next step need not look
    /// again; whatever it changes itself clears this, and so does another connection.
    pub(crate) seen: Option<Arc<Seen>>,
}

/// A tape whose entries are all in the index.
pub(crate) struct Seen {
    pub(crate) segments: Segments,
    pub(crate) tail: Tail,
    pub(crate) applied: Applied,
}

impl State {
    /// Returns a state with a connection.
    pub(crate) fn of(index: Option<Index>) -> Self {
        Self { index, seen: None }
    }

    /// Takes the connection, and with it what was seen.
    pub(crate) fn take_index(&mut self) -> Option<Index> {
        std::mem::take(self).index
    }

    /// Returns the open index.
    pub(crate) fn index(&self) -> Result<&Index> {
        Ok(self.index.as_ref().ok_or_else(memtape_index::Error::not_open)?)
    }
}
