//! The replicas of one node.

use std::collections::{BTreeMap, HashMap};

/// The replicas that a node keeps: those that it used last.
pub(super) struct Cache {
    replicas_max: u64,
    clock: u64,
    /// For each workspace, when it was used last, and how many entries its replica has.
    replicas: HashMap<u32, (u64, u32)>,
    /// The workspaces by the time of their last use.
    by_use: BTreeMap<u64, u32>,
}

impl Cache {
    pub(super) fn new(replicas_max: u64) -> Self {
        Self { replicas_max, clock: 0, replicas: HashMap::new(), by_use: BTreeMap::new() }
    }

    /// Uses the replica of a workspace, which has this number of entries from now on, and removes the one that was not
    /// used for longest if there are too many. Returns the number of entries that the replica had; `None` if there was
    /// none.
    pub(super) fn replace(&mut self, workspace: u32, entries: u32) -> Option<u32> {
        self.clock += 1;
        let before = self.replicas.insert(workspace, (self.clock, entries));
        self.by_use.insert(self.clock, workspace);
        if let Some((used, had)) = before {
            self.by_use.remove(&used);
            return Some(had);
        }
        if self.replicas.len() as u64 > self.replicas_max
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.replicas.remove(&oldest);
        }
        None
    }
}
