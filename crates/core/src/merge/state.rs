//! How one thing is on a side, and when it became so.

use memtape_tape::EntryId;

use crate::memory::MemoryId;

/// How a thing is on a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It never was.
    #[default]
    Nothing,
    /// This version stands.
    Stands(MemoryId),
    /// This version was the last one, and was retired.
    Deleted(MemoryId),
}

impl State {
    /// The version that stands.
    #[must_use]
    pub fn standing(self) -> Option<MemoryId> {
        match self {
            Self::Stands(id) => Some(id),
            Self::Nothing | Self::Deleted(_) => None,
        }
    }
}

/// A state, and the entry that brought it about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The state.
    pub state: State,
    /// The branch of the entry.
    pub branch: String,
    /// The entry.
    pub entry: EntryId,
}
