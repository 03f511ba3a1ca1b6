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

/// A change of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    /// The write that made it; the number of a decision of a merge, a pick or a resolution.
    pub(crate) write: u64,
    /// The root of the version that it removed, unless the side had removed that before.
    pub(crate) removes: Option<u64>,
}

/// A set of changes.
pub(crate) type Changes = BTreeSet<Change>;

/// Returns whether all changes of one set are in another. If removals count as alike, one of the same version by another
/// branch is the same.
pub(crate) fn is_within(one: &Changes, other: &Changes, is_alike: bool) -> bool {
    let is_it =
        |one: &Change, other: &Change| is_alike && one.removes.is_some() && one.removes == other.removes;
    one.iter().all(|change| other.contains(change) || other.iter().any(|other| is_it(change, other)))
}

/// Where a write comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Own,
    /// Another branch, which has a version with this root or has removed it.
    Other(Option<u64>),
    /// A decision of a merge, a pick or a resolution.
    Decided,
    /// The undo or redo of a merge, a pick or a resolution.
    Back,
}

/// A version of an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) write: u64,
    /// The write that created the version, which no copy changes; of a removal, that of the removed version.
    pub(crate) root: u64,
    pub(crate) says: Option<Says>,
    /// The bits of its rank, if it is part of a text.
    pub(crate) place: Option<u64>,
    /// The write that it restores.
    pub(crate) restores: Option<u64>,
    pub(crate) source: Source,
    /// The group that wrote it.
    pub(crate) group: usize,
}

/// The knowledge of a branch about an item: its versions, and the changes that each group included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) history: Vec<Item>,
    pub(crate) includes: Vec<(usize, Changes)>,
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

    /// Includes changes by a group.
    pub(crate) fn include(&mut self, group: usize, changes: Changes) {
        match self.includes.last_mut().filter(|(last, _)| *last == group) {
            Some((_, includes)) => includes.extend(changes),
            None => self.includes.push((group, changes)),
        }
    }

    /// Returns the changes without those of undone groups.
    pub(crate) fn changes(&self, undone: &BTreeSet<usize>) -> Changes {
        let counts = self.includes.iter().filter(|(group, _)| !undone.contains(group));
        counts.flat_map(|(_, changes)| changes).copied().collect()
    }

    /// Returns the last version up to a group, without undone ones and what undid them.
    pub(crate) fn last(&self, group: usize, undone: &BTreeSet<usize>) -> Option<&Item> {
        let counts = |item: &&Item| {
            item.group <= group && item.source != Source::Back && !undone.contains(&item.group)
        };
        self.history.iter().rfind(counts)
    }

    /// Returns the longest part of the history with changes that are all within two sets: the changes, and the version
    /// after them.
    pub(crate) fn common(
        &self,
        [ours, theirs]: [&Changes; 2],
        undone: &BTreeSet<usize>,
        is_alike: bool,
    ) -> (Changes, Option<&Item>) {
        let (mut changes, mut last) = (Changes::new(), None);
        for (group, adds) in self.includes.iter().filter(|(group, _)| !undone.contains(group)) {
            if !is_within(adds, ours, is_alike) || !is_within(adds, theirs, is_alike) {
                break;
            }
            changes.extend(adds);
            last = self.last(*group, undone);
        }
        (changes, last)
    }
}

/// A conflict that was left open.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(crate) id: u64,
    pub(crate) slot: String,
    /// The branch that was merged or picked from, and whether it was merged.
    pub(crate) source: (String, bool),
    /// The last entry that was merged or picked.
    pub(crate) head: u64,
    pub(crate) theirs: Option<Item>,
    /// The changes that are included once it is resolved.
    pub(crate) brings: Changes,
    /// The group that left it.
    pub(crate) group: usize,
}

/// The state of a branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) slots: BTreeMap<String, Known>,
    pub(crate) left: Vec<Left>,
    /// The groups that resolved a conflict, or brought its resolution, and the conflict.
    pub(crate) settled: Vec<(usize, u64)>,
    /// The groups on the lineage.
    pub(crate) groups: Vec<usize>,
    /// Those that are undone, of merges, picks and resolutions, and of their undos and redos.
    pub(crate) undone: BTreeSet<usize>,
}

impl Side {
    pub(crate) fn get(&self, slot: &str) -> Known {
        self.slots.get(slot).cloned().unwrap_or_default()
    }

    pub(crate) fn says(&self, slot: &str) -> Option<Says> {
        self.slots.get(slot).and_then(|known| known.says().cloned())
    }

    pub(crate) fn is_settled(&self, id: u64) -> bool {
        self.settled.iter().any(|(group, other)| *other == id && !self.undone.contains(group))
    }

    /// Returns the conflicts that are neither undone nor resolved.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = &Left> {
        self.left.iter().filter(|left| !self.undone.contains(&left.group) && !self.is_settled(left.id))
    }

    /// Returns the open conflicts, unless both sides say the same, each with those that resolving it resolves: itself, and
    /// earlier ones about the same item with the same branch that took no more of it.
    pub(crate) fn open(&self) -> Vec<(Left, Vec<u64>)> {
        let mut open: Vec<(Left, Vec<u64>)> = Vec::new();
        for left in self.unsettled() {
            let is_replaced = |(other, _): &mut (Left, Vec<u64>)| {
                (&other.slot, &other.source.0) == (&left.slot, &left.source.0) && other.head <= left.head
            };
            let mut ids: Vec<u64> = open.extract_if(.., is_replaced).flat_map(|(_, ids)| ids).collect();
            ids.push(left.id);
            open.push((left.clone(), ids));
        }
        open.retain(|(left, _)| {
            let theirs = left.theirs.as_ref().and_then(|item| item.says.as_ref());
            match (self.says(&left.slot), theirs) {
                // Statements of one text differ only in what joins.
                (Some(Says::NewFact { .. }), Some(Says::NewFact { .. })) => false,
                (ours, theirs) => ours.as_ref() != theirs,
            }
        });
        open
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
    /// Whether it merged, picked or resolved.
    pub(crate) is_taking: bool,
    /// The changes of the items it changed that its branch included after it.
    pub(crate) includes: BTreeMap<String, Changes>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    Undo,
    Redo,
    Revert,
}
