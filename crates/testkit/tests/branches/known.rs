//! What the naive reader keeps: for each branch and thing all that was ever said and all that is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::shown::bullet;

/// What a version of a thing says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Says {
    /// A fact's value.
    Value(String),
    /// A line or piece stands.
    Text,
    /// How much a statement matters, when it was last told, and first.
    Told { importance: u8, last: u64, first: u64 },
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
}

/// What a branch has of a thing: what was said of it, and which of its states it knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) history: Vec<Item>,
    pub(crate) knows: BTreeSet<Node>,
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

    pub(crate) fn known_to(&self, other: &Self) -> Option<Option<&Says>> {
        let known = self.history.iter().rev().find(|item| other.knows.contains(&item.node));
        known.map(|item| item.says.as_ref())
    }
}

/// A conflict that was left open.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(crate) id: u64,
    pub(crate) thing: String,
    /// Which branch was merged, or picked from; whether it was merged.
    pub(crate) source: (String, bool),
    pub(crate) theirs: Option<Item>,
    pub(crate) brings: BTreeSet<Node>,
}

/// What a branch has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) things: BTreeMap<String, Known>,
    pub(crate) left: Vec<Left>,
    pub(crate) settled: BTreeSet<u64>,
    /// The groups that stand on the lineage.
    pub(crate) groups: Vec<usize>,
}

impl Side {
    pub(crate) fn get(&self, thing: &str) -> Known {
        self.things.get(thing).cloned().unwrap_or_default()
    }

    pub(crate) fn says(&self, thing: &str) -> Option<Says> {
        self.things.get(thing).and_then(|known| known.says().cloned())
    }

    /// The open conflicts: of several about a thing with one branch the last.
    pub(crate) fn open(&self) -> Vec<Left> {
        let mut open: Vec<Left> = Vec::new();
        for left in self.left.iter().filter(|left| !self.settled.contains(&left.id)) {
            open.retain(|other| other.thing != left.thing || other.source.0 != left.source.0);
            open.push(left.clone());
        }
        open
    }

    pub(crate) fn view(&self) -> BTreeSet<String> {
        let standing = self.things.iter().filter_map(|(thing, known)| Some((thing, known.says()?)));
        standing
            .map(|(thing, says)| match says {
                Says::Value(value) => format!("{thing} = {value}"),
                Says::Text => thing.clone(),
                Says::Told { importance, last, first } => format!("{thing} {importance} {last} {first}"),
                Says::Bullet(lines) => {
                    format!("{thing} = {}", bullet(&thing["bullet ".len()..], *lines).trim_end())
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
    pub(crate) undoes: bool,
    pub(crate) undone: bool,
}
