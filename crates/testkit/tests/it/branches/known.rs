//! What the naive reader keeps: for each branch and thing all that was ever said and all that is known.

use std::collections::{BTreeMap, BTreeSet};

use super::shown::bullet;

/// What a version of a thing says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Says {
    /// A fact's value.
    Value(String),
    /// A line or piece stands.
    Text,
    /// How much a statement matters, when it was last told, and first.
    NewFact { importance: u8, last: u64, first: u64 },
    /// A bullet, of whose lines the first and the last change.
    Bullet([u8; 2]),
}

/// A state, by the write that began it: gone, or born.
pub(crate) type Node = (bool, u64);

/// What was said of a thing at some time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) write: u64,
    pub(crate) node: Node,
    pub(crate) says: Option<Says>,
    /// The write that it restores.
    pub(crate) restores: Option<u64>,
    /// Whether it is part of what was undone, or retires what never was because of that.
    pub(crate) is_void: bool,
}

/// What a branch has of a thing: what was said of it, and which of its states it knows.
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

    /// Whether it is as a group left it, but for what was taken back since.
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

    /// What it says last, but for what was undone.
    pub(crate) fn last(&self) -> Option<&Item> {
        self.history.iter().rfind(|item| !item.is_void)
    }

    pub(crate) fn has(&self, item: &Item) -> bool {
        self.knows.contains(&item.node) || self.seen.contains(&item.write)
    }

    pub(crate) fn known_to(&self, other: &Self) -> Option<Option<&Says>> {
        let known = self.history.iter().rev().find(|item| !item.is_void && other.has(item));
        known.map(|item| item.says.as_ref())
    }
}

/// A conflict that was left open.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(crate) id: u64,
    pub(crate) slot: String,
    /// Which branch was merged, or picked from; whether it was merged.
    pub(crate) source: (String, bool),
    pub(crate) theirs: Option<Item>,
    pub(crate) brings: Known,
}

/// What a branch has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) slots: BTreeMap<String, Known>,
    pub(crate) left: Vec<Left>,
    pub(crate) settled: BTreeSet<u64>,
    /// The groups that stand on the lineage.
    pub(crate) groups: Vec<usize>,
}

/// What a side learned by a group: which states and writes of each thing, and which conflicts it left and settled.
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

    /// The open conflicts: of several about a thing with one branch the last.
    pub(crate) fn open(&self) -> Vec<Left> {
        let mut open: Vec<Left> = Vec::new();
        for left in self.left.iter().filter(|left| !self.settled.contains(&left.id)) {
            open.retain(|other| other.slot != left.slot || other.source.0 != left.source.0);
            open.push(left.clone());
        }
        open
    }

    /// What it knows that another side did not.
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

    /// Forgets what was learned, but that it was there itself when the group wrote.
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

/// What a group did to a thing.
pub(crate) type Did = (String, Option<Item>, Item);

/// What one command wrote.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) entry: u64,
    pub(crate) branch: String,
    pub(crate) did: Vec<Did>,
    /// What it takes back, and how.
    pub(crate) back: Option<(How, usize)>,
    /// What its side learned by it, where it took something or settled it.
    pub(crate) learned: Option<Learned>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    Undo,
    Redo,
    Revert,
}
