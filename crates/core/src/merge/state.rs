//! The state of one slot or piece on a side.

use crate::memory::MemoryId;

/// The state of a slot or piece on a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It never existed.
    #[default]
    Nothing,
    /// This version is current.
    Current(MemoryId),
    /// This version was the last one, and was removed.
    Deleted(MemoryId),
}

impl State {
    /// Returns the current version.
    #[must_use]
    pub fn current(self) -> Option<MemoryId> {
        match self {
            Self::Current(id) => Some(id),
            Self::Nothing | Self::Deleted(_) => None,
        }
    }
}
