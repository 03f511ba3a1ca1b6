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

/// Returns the verdict, using sets of known states. The base of a cherry-pick is the version before it.
pub(crate) fn verdict(our: &Known, their: &Known) -> Verdict {
    let Some(theirs) = their.last() else { return Verdict::Nothing };
    if our.has(theirs, Node::is_shared) || our.says() == their.says() {
        return Verdict::Nothing;
    }
    let mut base = None;
    // What each side had from the other comes before deletions that both made.
    for is_same in [Node::is_shared, Node::is_same] {
        let (known_of_theirs, known_of_ours) = (their.known_to(our, is_same), our.known_to(their, is_same));
        let is_unchanged = our.has(theirs, is_same)
            || their.says() == known_of_theirs.flatten()
            || known_of_ours.is_some_and(|says| says == their.says());
        if is_unchanged {
            return Verdict::Nothing;
        }
        let ours_is_unchanged = our.last().is_some_and(|ours| their.has(ours, is_same))
            || our.says() == known_of_ours.flatten()
            || known_of_theirs.is_some_and(|says| says == our.says());
        if ours_is_unchanged {
            return Verdict::Takes(theirs.says.is_some().then(|| theirs.clone()));
        }
        base = known_of_theirs.flatten().or(known_of_ours.flatten());
    }
    both_changed(base, our.says(), theirs)
}

fn both_changed(base: Option<&Says>, ours: Option<&Says>, theirs: &Item) -> Verdict {
    match (ours, &theirs.says) {
        (Some(Says::Bullet(ours)), Some(Says::Bullet(lines))) => {
            let Some(Says::Bullet(base)) = base else { return Verdict::Conflict(Some(theirs.clone())) };
            let joined = [0, 1].map(|n| match (ours[n] == base[n], lines[n] == base[n]) {
                (true, _) => Some(lines[n]),
                (_, true) => Some(ours[n]),
                _ => (ours[n] == lines[n]).then_some(ours[n]),
            });
            match joined {
                [Some(first), Some(last)] if [first, last] == *ours => Verdict::Nothing,
                [Some(first), Some(last)] if [first, last] == *lines => Verdict::Takes(Some(theirs.clone())),
                [Some(first), Some(last)] => Verdict::Joins(Says::Bullet([first, last])),
                _ => Verdict::Conflict(Some(theirs.clone())),
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
            match (Some(&joined) == ours, Some(&joined) == theirs.says.as_ref()) {
                (true, _) => Verdict::Nothing,
                (_, true) => Verdict::Takes(Some(theirs.clone())),
                _ => Verdict::Joins(joined),
            }
        }
        (_, says) => Verdict::Conflict(says.is_some().then(|| theirs.clone())),
    }
}

pub(crate) fn pick_verdict(our: &Known, before: Option<&Says>, after: &Item) -> Verdict {
    let is_nothing = our.has_node(&after.node, Node::is_shared)
        || after.says.as_ref() == before
        || our.says() == after.says.as_ref();
    match our.says() == before {
        _ if is_nothing => Verdict::Nothing,
        true => Verdict::Takes(after.says.is_some().then(|| after.clone())),
        false if our.has_node(&after.node, Node::is_same) => Verdict::Nothing,
        false => both_changed(before, our.says(), after),
    }
}
