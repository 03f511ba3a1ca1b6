//! The merge rule of the naive model: it uses sets of known states where the library compares numbers.

use super::known::{Item, Known, Node, Says};

/// The outcome for an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    Nothing,
    Takes(Option<Item>),
    Joins(Says),
    Conflict(Option<Item>),
}

/// The comparison of two sides, with the last common version if both changed.
#[derive(PartialEq)]
enum Compared<'k> {
    Nothing,
    Take,
    Changed(Option<&'k Says>),
}

/// Returns the verdict, using sets of known states. The base of a cherry-pick is the version before it.
pub(crate) fn verdict(our: &Known, their: &Known) -> Verdict {
    let theirs = their.last().filter(|item| item.says.is_some());
    match compared(our, their, &|item| item.says.clone()) {
        Compared::Take => Verdict::Takes(theirs.cloned()),
        Compared::Changed(base) => both_changed(base, our.says(), theirs),
        Compared::Nothing if our.says().is_some() && our.says() == their.says() => {
            let moved = compared(our, their, &|item| Some((item.says.clone()?, item.place)));
            if moved == Compared::Take { Verdict::Takes(theirs.cloned()) } else { Verdict::Nothing }
        }
        Compared::Nothing => Verdict::Nothing,
    }
}

/// Compares two sides by what `read` returns of an item.
fn compared<'k, T: PartialEq>(
    our: &'k Known,
    their: &'k Known,
    read: &dyn Fn(&Item) -> Option<T>,
) -> Compared<'k> {
    let says = |item: Option<&Item>| item.and_then(read);
    let (ours, theirs) = (says(our.history.last()), says(their.history.last()));
    let last_is_known =
        |known: &Known, to: &Known, is_same| known.last().is_some_and(|last| to.has(last, is_same));
    if last_is_known(their, our, Node::is_shared) || ours == theirs {
        return Compared::Nothing;
    }
    let mut base = None;
    // What each side had from the other comes before deletions that both made.
    for is_same in [Node::is_shared, Node::is_same] {
        // A side that knows of the item without ever having had it knows that it was deleted.
        let common_theirs = their.known_to(our, is_same).or_else(|| our.had_by(their, is_same));
        let common_ours = our.known_to(their, is_same).or_else(|| their.had_by(our, is_same));
        let is_at = |common: Option<&Item>, now: &Option<T>| common.is_some() && says(common) == *now;
        if last_is_known(their, our, is_same) || theirs == says(common_theirs) || is_at(common_ours, &theirs)
        {
            return Compared::Nothing;
        }
        if last_is_known(our, their, is_same) || ours == says(common_ours) || is_at(common_theirs, &ours) {
            return Compared::Take;
        }
        base = [common_theirs, common_ours].into_iter().flatten().find_map(|item| item.says.as_ref());
    }
    Compared::Changed(base)
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

pub(crate) fn pick_verdict(our: &Known, before: Option<&Item>, after: &Item) -> Verdict {
    let take = || Verdict::Takes(Some(after).filter(|item| item.says.is_some()).cloned());
    let says = |item: Option<&Item>| item.and_then(|item| item.says.clone());
    let placed = |item: Option<&Item>| item.and_then(|item| Some((item.says.clone()?, item.place)));
    let (ours, after_it) = (our.history.last(), Some(after));
    if our.has_node(&after.node, Node::is_shared) {
        return Verdict::Nothing;
    }
    if says(ours) == says(after_it) {
        let is_moved = placed(ours) == placed(before) && placed(before) != placed(after_it);
        return if is_moved { take() } else { Verdict::Nothing };
    }
    match says(ours) == says(before) {
        _ if says(after_it) == says(before) => Verdict::Nothing,
        true => take(),
        false if our.has_node(&after.node, Node::is_same) => Verdict::Nothing,
        false => both_changed(
            before.and_then(|item| item.says.as_ref()),
            our.says(),
            after_it.filter(|item| item.says.is_some()),
        ),
    }
}
