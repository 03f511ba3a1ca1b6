//! Statements as commands and readers see them.

use std::collections::BTreeMap;

use super::entry::StatementData;
use crate::memory::Memory;

/// A statement that stands, with what the form keeps of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// What the form keeps of it.
    pub data: StatementData,
    /// The memory.
    pub memory: Memory,
}

impl Held {
    /// Reads a memory of the form; `None` for one of another.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let data = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok())?;
        Some(Self { data, memory })
    }
}

/// Statements that stand, by their keys.
#[derive(Clone, Debug, Default)]
pub struct View {
    held: BTreeMap<String, Held>,
}

impl View {
    /// Folds memories of the form, in any order.
    #[must_use]
    pub fn fold(memories: Vec<Memory>) -> Self {
        let held = memories.into_iter().filter_map(Held::read);
        let mut view = Self::default();
        for held in held {
            let newer = |old: &Held| old.memory.id < held.memory.id;
            if view.held.get(&held.memory.key).is_none_or(newer) {
                view.held.insert(held.memory.key.clone(), held);
            }
        }
        view
    }

    /// The statement of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Held> {
        self.held.get(key)
    }

    /// Every statement, by key.
    pub fn iter(&self) -> impl Iterator<Item = &Held> {
        self.held.values()
    }
}
