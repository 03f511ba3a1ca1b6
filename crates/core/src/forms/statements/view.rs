//! Statements as commands and readers see them.

use std::collections::BTreeMap;

use super::entry::StatementData;
use crate::memory::Memory;

/// A current statement and its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredStatement {
    /// The parsed data of the memory.
    pub data: StatementData,
    /// The memory.
    pub memory: Memory,
}

impl StoredStatement {
    /// Converts a memory of the form; `None` if its data cannot be read.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        Some(Self { data: Self::data(&memory)?, memory })
    }

    /// Returns the data of a memory of the form; `None` if it cannot be read.
    #[must_use]
    pub fn data(memory: &Memory) -> Option<StatementData> {
        serde_json::from_str(memory.data.as_deref()?).ok()
    }
}

/// Current statements, by key.
#[derive(Clone, Debug, Default)]
pub struct View {
    held: BTreeMap<String, StoredStatement>,
}

impl View {
    /// Folds the memories of the form, which may come in any order.
    #[must_use]
    pub fn fold(memories: Vec<Memory>) -> Self {
        let held = memories.into_iter().filter_map(StoredStatement::read);
        let mut view = Self::default();
        for held in held {
            let newer = |old: &StoredStatement| old.memory.id < held.memory.id;
            if view.held.get(&held.memory.key).is_none_or(newer) {
                view.held.insert(held.memory.key.clone(), held);
            }
        }
        view
    }

    /// Returns the statement with this key; `None` if there is none.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&StoredStatement> {
        self.held.get(key)
    }

    /// Returns every statement, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = &StoredStatement> {
        self.held.values()
    }
}
