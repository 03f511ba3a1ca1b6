//! The state of the naive model: for each branch and item, its complete history and everything that the branch knows.

use std::collections::{BTreeMap, BTreeSet};

use super::shown::bullet;

/// The content of a version of an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Says {
    /// A fact's value.
    Value(String),
    /// A line or piece exists.
    Text,
    /// The importance of a statement, and when it was stated last and first.
    NewFact { importance: u8, last: u64, first: u64 },
    /// A bullet, of whose lines the first and the last change.
    Bullet([u8; 2]),
}

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    /// Whether the item exists.
    pub(crate) is_current: bool,
    /// The write that created the version, which no copy changes.
    pub(crate) root: u64,
    /// The write that deleted it; 0 if the item exists.
    pub(crate) deleted_by: u64,
    /// Whether it is a deletion that came from another branch.
    pub(crate) is_taken: bool,
}

impl Node {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.is_current, self.root) == (other.is_current, other.root)
    }

    /// Returns whether they are the same, and not only two deletions that know nothing of each other.
    pub(crate) fn is_shared(&self, other: &Self) -> bool {
        let is_one = self.deleted_by == other.deleted_by || self.is_taken || other.is_taken;
        self.is_same(other) && is_one
    }
}

/// Whether two nodes are the same state.
pub(crate) type Same = fn(&Node, &Node) -> bool;

/// Where a write comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Own,
    /// Another branch, which has this version or has deleted it.
    Other(Option<Node>),
}

/// A version of an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) write: u64,
    pub(crate) node: Node,
    pub(crate) says: Option<Says>,
    /// The bits of its rank, if it is part of a text.
    pub(crate) place: Option<u64>,
    /// The write that it restores.
    pub(crate) restores: Option<u64>,
    /// Whether it is part of an undone group, or removes an item that therefore never existed.
    pub(crate) is_void: bool,
}

/// The knowledge of a branch about an item: its versions, and the known states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) history: Vec<Item>,
    pub(crate) knows: BTreeSet<Node>,
    /// The writes it has seen, its own and others'.
    pub(crate) seen: BTreeSet<u64>,
}

impl Known {
    pub(crate) fn says(&self) -> Option<&Says> {
        self.history.last().and_then(|item| item.says.as_ref())
    }

    /// Returns whether the item is as a group left it, apart from later reversals.
    pub(crate) fn is_as_left(&self, after: &Item) -> bool {
        let Some(mut now) = self.history.last() else { return false };
        if now.says.is_none() || after.says.is_none() {
            return now.says == after.says;
        }
        while let Some(restored) = now.restores {
            if now.write == after.write {
                break;
            }
            now = self.history.iter().find(|item| item.write == restored).unwrap();
        }
        now.write == after.write
    }

    /// Returns the current version, without undone ones.
    pub(crate) fn last(&self) -> Option<&Item> {
        self.history.iter().rfind(|item| !item.is_void)
    }

    pub(crate) fn has_node(&self, node: &Node, is_same: Same) -> bool {
        self.knows.iter().any(|known| is_same(known, node))
    }

    pub(crate) fn has(&self, item: &Item, is_same: Same) -> bool {
        self.has_node(&item.node, is_same) || self.seen.contains(&item.write)
    }

    pub(crate) fn known_to(&self, other: &Self, is_same: Same) -> Option<&Item> {
        self.history.iter().rev().find(|item| !item.is_void && other.has(item, is_same))
    }

    /// Returns the last version that was also a state of another side, and is not undone there.
    pub(crate) fn had_by(&self, other: &Self, is_same: Same) -> Option<&Item> {
        self.history.iter().rev().find(|item| !item.is_void && other.has_node(&item.node, is_same))
    }
}

/// A conflict that was left open.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(crate) id: u64,
    pub(crate) slot: String,
    /// The branch that was merged or picked from, and whether it was merged.
    pub(crate) source: (String, bool),
    pub(crate) theirs: Option<Item>,
    pub(crate) brings: Known,
}

/// The state of a branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) slots: BTreeMap<String, Known>,
    pub(crate) left: Vec<Left>,
    pub(crate) settled: BTreeSet<u64>,
    /// The groups on the lineage.
    pub(crate) groups: Vec<usize>,
}

/// The knowledge that a side gained by a group: states and writes of each item, and conflicts that it left or resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    pub(crate) slots: BTreeMap<String, (BTreeSet<Node>, BTreeSet<u64>)>,
    pub(crate) left: Vec<Left>,
    pub(crate) settled: BTreeSet<u64>,
}

impl Side {
    pub(crate) fn get(&self, slot: &str) -> Known {
        self.slots.get(slot).cloned().unwrap_or_default()
    }

    pub(crate) fn says(&self, slot: &str) -> Option<Says> {
        self.slots.get(slot).and_then(|known| known.says().cloned())
    }

    /// Returns the open conflicts: of several about an item with one branch, the last, unless both sides say the same.
    pub(crate) fn open(&self) -> Vec<Left> {
        let mut open: Vec<Left> = Vec::new();
        for left in self.left.iter().filter(|left| !self.settled.contains(&left.id)) {
            open.retain(|other| other.slot != left.slot || other.source.0 != left.source.0);
            open.push(left.clone());
        }
        open.retain(|left| {
            let theirs = left.theirs.as_ref().and_then(|item| item.says.as_ref());
            match (self.says(&left.slot), theirs) {
                // Statements of one text differ only in what joins.
                (Some(Says::NewFact { .. }), Some(Says::NewFact { .. })) => false,
                (ours, theirs) => ours.as_ref() != theirs,
            }
        });
        open
    }

    /// Returns the knowledge that another side did not have.
    pub(crate) fn beyond(&self, before: &Self) -> Learned {
        let slots = self.slots.iter().map(|(slot, now)| {
            let then = before.get(slot);
            let knows = now.knows.difference(&then.knows).copied().collect();
            (slot.clone(), (knows, now.seen.difference(&then.seen).copied().collect()))
        });
        Learned {
            slots: slots.collect(),
            left: self.left[before.left.len()..].to_vec(),
            settled: self.settled.difference(&before.settled).copied().collect(),
        }
    }

    /// Removes knowledge, except that of its own writes by the group.
    pub(crate) fn forget(&mut self, learned: &Learned, wrote: &BTreeSet<u64>) {
        for (slot, (knows, seen)) in &learned.slots {
            let known = self.slots.get_mut(slot).unwrap();
            known.knows.retain(|node| !knows.contains(node));
            known.seen.retain(|write| !seen.contains(write) || wrote.contains(write));
        }
        self.left.retain(|left| learned.left.iter().all(|other| other.id != left.id));
        self.settled.retain(|id| !learned.settled.contains(id));
    }

    pub(crate) fn learn(&mut self, learned: &Learned) {
        for (slot, (knows, seen)) in &learned.slots {
            let known = self.slots.get_mut(slot).unwrap();
            known.knows.extend(knows);
            known.seen.extend(seen);
        }
        self.left.extend(learned.left.iter().cloned());
        self.left.sort_by_key(|left| left.id);
        self.settled.extend(&learned.settled);
    }

    pub(crate) fn view(&self) -> BTreeSet<String> {
        let standing = self.slots.iter().filter_map(|(slot, known)| Some((slot, known.says()?)));
        standing
            .map(|(slot, says)| match says {
                Says::Value(value) => format!("{slot} = {value}"),
                Says::Text => slot.clone(),
                Says::NewFact { importance, last, first } => {
                    format!("{slot} {importance} {last} {first}")
                }
                Says::Bullet(lines) => {
                    format!("{slot} = {}", bullet(&slot["bullet ".len()..], *lines).trim_end())
                }
            })
            .collect()
    }
}

/// The change of an item by a group.
pub(crate) type Did = (String, Option<Item>, Item);

/// The writes of one command.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) entry: u64,
    pub(crate) branch: String,
    pub(crate) did: Vec<Did>,
    /// The group that it reverses, and how.
    pub(crate) back: Option<(How, usize)>,
    /// Whether `revert` made it.
    pub(crate) is_revert: bool,
    /// The knowledge that its side gained, if it merged, picked or resolved.
    pub(crate) learned: Option<Learned>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    Undo,
    Redo,
    Revert,
}
