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
    /// The write that deleted it, also for a branch that took that from another; 0 if the item exists.
    pub(crate) deleted_by: u64,
}

impl Node {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.is_current, self.root) == (other.is_current, other.root)
    }
}

/// When a version of one side, which comes first, is known to another.
pub(crate) type IsKnown = fn(&Known, &Item, &Known) -> bool;

/// Where a write comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Own,
    /// Another branch, which is in this state; `None` if it never had the item.
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

    pub(crate) fn has(&self, node: &Node) -> bool {
        self.knows.iter().any(|known| known.is_same(node))
    }

    /// Returns whether it has undone this very version.
    fn has_undone(&self, item: &Item) -> bool {
        self.history.iter().any(|own| own.is_void && own.write == item.write)
    }

    pub(crate) fn is_known(&self, item: &Item, other: &Self) -> bool {
        other.has(&item.node)
    }

    /// Returns whether another side knows a version, and if it is a deletion, both know one and the same.
    pub(crate) fn is_shared(&self, item: &Item, other: &Self) -> bool {
        match item.node.is_current {
            true => other.has(&item.node),
            false => self.knows.intersection(&other.knows).any(|known| known.is_same(&item.node)),
        }
    }

    /// Returns whether the last version is known to another side, or undone there.
    pub(crate) fn last_is_known(&self, other: &Self, is_known: IsKnown) -> bool {
        self.last().is_some_and(|last| other.has_undone(last) || is_known(self, last, other))
    }

    /// Returns the last version that another side knows or has undone.
    pub(crate) fn known_to(&self, other: &Self, is_known: IsKnown) -> Option<&Item> {
        let counts = |item: &Item| other.has_undone(item) || is_known(self, item, other);
        self.history.iter().rfind(|item| !item.is_void && counts(item))
    }

    /// Returns the last version that was also a state of another side, and is not undone there.
    pub(crate) fn had_by(&self, other: &Self, is_known: IsKnown) -> Option<&Item> {
        self.history.iter().rfind(|item| !item.is_void && is_known(self, item, other))
    }

    /// Learns what another side knows, unless that inherited its state from this side, which has undone it.
    pub(crate) fn learn(&mut self, theirs: &Self) {
        let is_had =
            |last: &Item| self.history.iter().any(|own| !own.is_void && own.node.is_same(&last.node));
        if !theirs.last().is_some_and(|last| self.has_undone(last) && !is_had(last)) {
            self.knows.extend(&theirs.knows);
        }
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
    /// Their state, also if they deleted the item.
    pub(crate) node: Option<Node>,
    /// The states that become known when it is resolved.
    pub(crate) brings: BTreeSet<Node>,
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

/// What a side learns by a group that merges, picks or resolves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    /// What the other side knew of the items that were not left in conflict.
    pub(crate) theirs: BTreeMap<String, Known>,
    /// The conflicts that the group left open.
    pub(crate) left: Vec<Left>,
    /// The conflicts that it resolved.
    pub(crate) resolved: Vec<u64>,
    /// The conflicts that are resolved since, also elsewhere.
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

    /// Adds a group, which counts as part of the history unless it is void.
    pub(crate) fn add(&mut self, group: &Group, is_void: bool) {
        for (slot, _, item) in &group.did {
            let known = self.slots.entry(slot.clone()).or_default();
            // An undo that removes an item that never existed changes nothing.
            let is_of_void = item.says.is_none() && known.history.last().is_some_and(|item| item.is_void);
            let is_void = is_void || is_of_void;
            known.history.push(Item { is_void, ..item.clone() });
            if !is_void {
                known.knows.insert(item.node);
            }
        }
        let Some(learned) = group.learned.as_ref().filter(|_| !is_void) else { return };
        for left in self.left.iter().filter(|left| learned.resolved.contains(&left.id)) {
            self.slots.entry(left.slot.clone()).or_default().knows.extend(&left.brings);
        }
        self.settled.extend(&learned.settled);
        self.left.extend(learned.left.iter().cloned());
        for (slot, theirs) in &learned.theirs {
            self.slots.entry(slot.clone()).or_default().learn(theirs);
        }
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
    /// What its side learned, if it merged, picked or resolved.
    pub(crate) learned: Option<Learned>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    Undo,
    Redo,
    Revert,
}
