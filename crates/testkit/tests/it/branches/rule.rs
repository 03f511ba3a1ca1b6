//! The merge rule of the naive model: each side is a set of all the changes that it includes.

use std::collections::BTreeSet;

use super::known::{Changes, Item, Says, Side, is_within};
use super::world::World;

/// The outcome for an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    Nothing,
    Takes(Option<Item>),
    Joins(Says),
    Conflict(Option<Item>),
}

/// An item on two sides that meet.
pub(crate) struct Met {
    ours: Changes,
    theirs: Changes,
    our_now: Option<Item>,
    /// Our version before groups that are undone on the other side.
    our_before: Option<Item>,
    their_now: Option<Item>,
    /// The last common versions, without and with equal removals counted as one.
    common: [Vec<Option<Item>>; 2],
}

/// The comparison of two sides, with the last common version if both changed.
#[derive(PartialEq)]
enum Compared<'k> {
    Nothing,
    Take,
    Changed(Option<&'k Says>),
}

impl World {
    /// Compares an item on two branches.
    pub(crate) fn met(&self, into: &str, source: &str, slot: &str) -> Met {
        let [our, their] = [into, source].map(|branch| &self.sides[branch]);
        let undone: BTreeSet<usize> = our.undone.union(&their.undone).copied().collect();
        let [our, their] = [our.get(slot), their.get(slot)];
        let [ours, theirs] = [&our, &their].map(|known| known.changes(&undone));
        let [our_before, their_now] = [&our, &their].map(|known| known.last(usize::MAX, &undone).cloned());
        let common = [false, true].map(|is_alike| {
            let mut common: Vec<(Changes, Option<Item>)> = vec![(Changes::new(), None)];
            for name in &self.names {
                let side = &self.sides[name];
                let undone = undone.union(&side.undone).copied().collect();
                let known = side.get(slot);
                let (changes, last) = known.common([&ours, &theirs], &undone, is_alike);
                if common.iter().all(|(other, _)| !is_within(&changes, other, is_alike)) {
                    common.retain(|(other, _)| !is_within(other, &changes, is_alike));
                    common.push((changes, last.cloned()));
                }
            }
            common.into_iter().map(|(_, last)| last).collect()
        });
        Met { ours, theirs, our_now: our.history.last().cloned(), our_before, their_now, common }
    }
}

impl Met {
    /// Returns whether each side has changes that the other does not include.
    pub(crate) fn is_apart(&self) -> bool {
        !is_within(&self.ours, &self.theirs, false) && !is_within(&self.theirs, &self.ours, false)
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let theirs = self.their_now.as_ref().filter(|item| item.says.is_some());
        let ours = self.our_now.as_ref().and_then(|item| item.says.as_ref());
        match self.compared(&|item| item.says.clone()) {
            Compared::Take => Verdict::Takes(theirs.cloned()),
            Compared::Changed(base) => both_changed(base, ours, theirs),
            Compared::Nothing if ours.is_some() && ours == theirs.and_then(|item| item.says.as_ref()) => {
                let moved = self.compared(&|item| Some((item.says.clone()?, item.place)));
                if moved == Compared::Take { Verdict::Takes(theirs.cloned()) } else { Verdict::Nothing }
            }
            Compared::Nothing => Verdict::Nothing,
        }
    }

    /// Compares two sides by what `read` returns of an item.
    fn compared<T: PartialEq>(&self, read: &dyn Fn(&Item) -> Option<T>) -> Compared<'_> {
        let read = |item: Option<&Item>| item.and_then(read);
        let (before, theirs) = (read(self.our_before.as_ref()), read(self.their_now.as_ref()));
        if is_within(&self.theirs, &self.ours, false) || read(self.our_now.as_ref()) == theirs {
            return Compared::Nothing;
        }
        let mut base = None;
        for is_alike in [false, true] {
            if is_within(&self.theirs, &self.ours, is_alike) {
                return Compared::Nothing;
            }
            if is_within(&self.ours, &self.theirs, is_alike) {
                return Compared::Take;
            }
            let [common, others @ ..] = &self.common[usize::from(is_alike)][..] else { unreachable!() };
            if others.iter().any(|other| read(other.as_ref()) != read(common.as_ref())) {
                continue;
            }
            base = common.as_ref().and_then(|item| item.says.as_ref());
            match (before == read(common.as_ref()), theirs == read(common.as_ref())) {
                (true, _) => return Compared::Take,
                (_, true) => return Compared::Nothing,
                _ => {}
            }
        }
        Compared::Changed(base)
    }
}

fn both_changed(base: Option<&Says>, ours: Option<&Says>, theirs: Option<&Item>) -> Verdict {
    let conflict = || Verdict::Conflict(theirs.cloned());
    let their_says = theirs.and_then(|item| item.says.as_ref());
    match (ours, their_says) {
        (Some(Says::Bullet(ours)), Some(Says::Bullet(lines))) => {
            let Some(Says::Bullet(base)) = base else { return conflict() };
            let joined = [0, 1].map(|n| match (ours[n] == base[n], lines[n] == base[n]) {
                (true, _) => Some(lines[n]),
                (_, true) => Some(ours[n]),
                _ => (ours[n] == lines[n]).then_some(ours[n]),
            });
            match joined {
                [Some(first), Some(last)] if [first, last] == *ours => Verdict::Nothing,
                [Some(first), Some(last)] if [first, last] == *lines => Verdict::Takes(theirs.cloned()),
                [Some(first), Some(last)] => Verdict::Joins(Says::Bullet([first, last])),
                _ => conflict(),
            }
        }
        (
            Some(Says::NewFact { importance, last, first }),
            Some(Says::NewFact { importance: their_importance, last: their_last, first: their_first }),
        ) => {
            let joined = Says::NewFact {
                importance: *importance.max(their_importance),
                last: *last.max(their_last),
                first: *first.min(their_first),
            };
            match (Some(&joined) == ours, Some(&joined) == their_says) {
                (true, _) => Verdict::Nothing,
                (_, true) => Verdict::Takes(theirs.cloned()),
                _ => Verdict::Joins(joined),
            }
        }
        _ => conflict(),
    }
}

pub(crate) fn pick_verdict(
    side: &Side,
    slot: &str,
    before: Option<&Item>,
    after: &Item,
    theirs: &Changes,
) -> Verdict {
    let our = side.get(slot);
    let ours_include = our.changes(&side.undone);
    let take = || Verdict::Takes(Some(after).filter(|item| item.says.is_some()).cloned());
    let says = |item: Option<&Item>| item.and_then(|item| item.says.clone());
    let placed = |item: Option<&Item>| item.and_then(|item| Some((item.says.clone()?, item.place)));
    let (ours, after_it) = (our.history.last(), Some(after));
    if is_within(theirs, &ours_include, false) {
        return Verdict::Nothing;
    }
    if says(ours) == says(after_it) {
        let is_moved = placed(ours) == placed(before) && placed(before) != placed(after_it);
        return if is_moved { take() } else { Verdict::Nothing };
    }
    match says(ours) == says(before) {
        _ if says(after_it) == says(before) => Verdict::Nothing,
        true => take(),
        false if is_within(theirs, &ours_include, true) => Verdict::Nothing,
        false => both_changed(
            before.and_then(|item| item.says.as_ref()),
            our.says(),
            after_it.filter(|item| item.says.is_some()),
        ),
    }
}
