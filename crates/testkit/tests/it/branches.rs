//! Law 6, *branches*, and laws 1 and 5 on branches: random commands on several branches, over facts, the zone,
//! statements, blocks and the sections of a note, compared with a naive model that stores, for each branch and item,
//! its complete history and everything that the branch knows.

use std::fs;

use proptest::prelude::*;

use self::steps::{Step, dense, few, step};
use self::world::World;

mod changing;
mod known;
mod merging;
mod order;
mod resolving;
mod reversing;
mod rule;
mod shown;
mod steps;
mod world;

fn run(steps: &[Step]) -> World {
    let mut world = World::new();
    for step in steps {
        world.apply(step);
        world.check();
    }
    world
}

/// Returns what a branch shows after some steps.
fn shown(steps: &[Step], branch: &str) -> Vec<String> {
    run(steps).sides[branch].view().into_iter().collect()
}

/// A branch that was forked between a merge and its undo does not stand in the way of merging again.
#[test]
fn an_undone_merge_can_be_repeated_after_merging_a_branch_with_it() {
    let steps = [
        Step::Line { branch: 0, line: 0 },
        Step::Fork { branch: 0 },
        Step::Line { branch: 1, line: 1 },
        Step::ForgetLine { branch: 1, line: 0 },
        Step::Merge { source: 1, into: 0 },
        Step::Fork { branch: 0 },
        Step::Undo { branch: 0 },
        Step::Line { branch: 2, line: 2 },
        Step::Merge { source: 2, into: 0 },
        Step::Merge { source: 1, into: 0 },
    ];
    assert_eq!(shown(&steps[..9], "main"), ["line remember 0", "line remember 2"]);
    assert_eq!(shown(&steps, "main"), ["line remember 1", "line remember 2"]);
}

/// A deletion that came from a third branch is new to a branch that had deleted the same and undone it.
#[test]
fn a_deletion_of_a_third_branch_is_taken() {
    let steps = [
        Step::Line { branch: 0, line: 0 },
        Step::Fork { branch: 0 },
        Step::Fork { branch: 0 },
        Step::ForgetLine { branch: 1, line: 0 },
        Step::ForgetLine { branch: 2, line: 0 },
        Step::Undo { branch: 2 },
        Step::Merge { source: 1, into: 0 },
        Step::Merge { source: 0, into: 2 },
        Step::Merge { source: 2, into: 0 },
    ];
    assert_eq!(shown(&steps, "main"), [""; 0]);
    assert_eq!(shown(&steps, "b2"), [""; 0]);
}

/// What is written anew after a deletion was taken is merged back, whichever version the deletion removed here.
#[test]
fn a_memory_written_anew_is_merged_back() {
    let forgotten = [
        Step::Line { branch: 0, line: 0 },
        Step::Fork { branch: 0 },
        Step::ForgetLine { branch: 0, line: 0 },
        Step::Merge { source: 0, into: 1 },
        Step::Undo { branch: 1 },
        Step::Merge { source: 0, into: 1 },
        Step::Line { branch: 1, line: 0 },
        Step::Merge { source: 1, into: 0 },
    ];
    assert_eq!(shown(&forgotten, "main"), ["line remember 0"]);
    let (fact, changed) =
        (|branch, value| Step::Fact { branch, fact: 0, value }, [Step::ForgetFact { branch: 0, fact: 0 }]);
    let again = [Step::Merge { source: 0, into: 1 }, fact(1, 0), Step::Merge { source: 1, into: 0 }];
    let restored = [fact(0, 0), Step::Fork { branch: 0 }, fact(1, 1), Step::Undo { branch: 1 }];
    assert_eq!(shown(&[&restored[..], &changed, &again].concat(), "main"), ["fact user likes0 = value0"]);
    let resolved = [
        fact(0, 0),
        Step::Fork { branch: 0 },
        fact(1, 1),
        changed[0].clone(),
        again[0].clone(),
        Step::Settle { branch: 1, conflict: 0, how: 1 },
        fact(1, 0),
        again[2].clone(),
    ];
    assert_eq!(shown(&resolved, "main"), ["fact user likes0 = value0"]);
}

/// Two resolutions of one conflict are in conflict.
#[test]
fn branches_that_resolved_a_conflict_differently_do_not_agree() {
    let fact = |branch, value| Step::Fact { branch, fact: 0, value };
    let ours = |branch| Step::Settle { branch, conflict: 0, how: 0 };
    let merge = |source, into| Step::Merge { source, into };
    let fork = Step::Fork { branch: 0 };
    let steps =
        [fact(0, 0), fork, fact(0, 1), fact(1, 2), merge(1, 0), merge(0, 1), ours(0), ours(1), merge(1, 0)];
    assert_eq!(run(&steps[..8]).open("main").len(), 0);
    assert_eq!(run(&steps).open("main").len(), 1);
    let resolved = [&steps[..], &[ours(0), merge(0, 1)]].concat();
    assert_eq!(shown(&resolved, "b1"), ["fact user likes0 = value1"]);

    let bullet = |branch, value| Step::Bullet { branch, tea: 0, line: 0, value };
    let steps = [
        bullet(0, 0),
        Step::Fork { branch: 0 },
        bullet(0, 1),
        bullet(1, 2),
        merge(1, 0),
        merge(0, 1),
        ours(0),
        ours(1),
        merge(1, 0),
    ];
    assert_eq!(run(&steps).open("main").len(), 1);
}

/// Two branches that merged the same changes with the same result are equal: what one of them changes afterwards is taken,
/// also if it reads as before one of the merges.
#[test]
fn branches_with_the_same_merges_are_equal() {
    let merge = |source, into| Step::Merge { source, into };
    let bullet = |branch, line, value| Step::Bullet { branch, tea: 0, line, value };
    let forks = [Step::Fork { branch: 0 }, Step::Fork { branch: 0 }, Step::Fork { branch: 0 }];
    let merges = [merge(1, 0), merge(2, 0), merge(1, 3), merge(2, 3)];
    let joined = [&[bullet(0, 0, 0)], &forks[..], &[bullet(1, 0, 1), bullet(2, 1, 1)], &merges].concat();
    let changed = [&joined[..], &[bullet(0, 1, 0), merge(0, 3), merge(3, 0)]].concat();
    let expected = ["bullet tea0 = - tea0: steeps 1 minutes\n  in water\n  of 00 degrees"];
    assert_eq!(shown(&changed, "main"), expected);
    assert_eq!(shown(&changed, "b3"), expected);

    let block = |branch, value| Step::Block { branch, block: 1, value };
    let theirs = |branch| Step::Settle { branch, conflict: 0, how: 1 };
    let resolved = [
        &[block(0, 0)],
        &forks[..],
        &[block(1, 1), block(2, 2), merge(1, 0), merge(2, 0), theirs(0), merge(1, 3), merge(2, 3), theirs(3)],
    ];
    let resolved = [&resolved.concat()[..], &[block(0, 1)]].concat();
    assert_eq!(shown(&[&resolved[..], &[merge(0, 3)]].concat(), "b3"), ["block goals = value1"]);
    // Both changed it since.
    assert_eq!(run(&[&resolved[..], &[block(3, 0), merge(0, 3)]].concat()).open("b3").len(), 1);
}

proptest! {
    #![proptest_config(memtape_testkit::random(16))]

    /// The same about few items, with more undos and more ways from one branch to another.
    #[test]
    fn branches_agree_with_a_naive_model_after_undone_merges(steps in dense()) {
        run(&steps);
    }

    #[test]
    fn branches_agree_with_a_naive_model(steps in proptest::collection::vec(step(), 1..50)) {
        let mut world = run(&steps);
        world.check_time();
        // The same merge twice changes nothing.
        for (source, into) in [(1, 0), (0, 1), (2, 1), (1, 2), (3, 0)] {
            let (source, into) = (world.branch(source), world.branch(into));
            world.merge(&source, &into);
            world.check();
            let head = world.head();
            world.merge(&source, &into);
            prop_assert_eq!(head, world.head());
        }
    }

    /// A merge after its undo has the same result as the first one, and so has a redo.
    #[test]
    fn merge_undo_merge_equals_merge(steps in proptest::collection::vec(step(), 1..40)) {
        let mut world = run(&steps);
        for (source, into) in [(1, 0), (0, 1), (2, 1), (1, 2), (3, 0)] {
            let (source, into) = (world.branch(source), world.branch(into));
            let (before, head) = (world.sides[&into].view(), world.head());
            world.merge(&source, &into);
            if world.head() == head {
                continue;
            }
            let (merged, open) = (world.sides[&into].view(), world.open(&into).len());
            world.undo(&into);
            world.check();
            prop_assert_eq!(&world.sides[&into].view(), &before);
            world.merge(&source, &into);
            world.check();
            prop_assert_eq!((world.sides[&into].view(), world.open(&into).len()), (merged.clone(), open));
            world.undo(&into);
            world.redo(&into);
            world.check();
            prop_assert_eq!((world.sides[&into].view(), world.open(&into).len()), (merged, open));
        }
        world.check_time();
    }

    /// Once all branches were merged into each other, they differ only in open conflicts: a change or a deletion reaches
    /// a branch whatever way it takes.
    #[test]
    fn branches_that_were_merged_agree(steps in few()) {
        let mut world = run(&steps);
        let names = world.names.clone();
        for _ in 0..names.len() {
            for (source, into) in names.iter().flat_map(|one| names.iter().map(move |other| (one, other))) {
                if source != into {
                    world.merge(source, into);
                    world.check();
                }
            }
        }
        let is_open = |slot: &str| world.sides.values().any(|side| side.open().iter().any(|(left, _)| left.slot == slot));
        for slot in world.sides.values().flat_map(|side| side.slots.keys()).filter(|slot| !is_open(slot)) {
            let says: Vec<_> = names.iter().map(|name| (name, world.sides[name].says(slot))).collect();
            prop_assert!(says.iter().all(|(_, says)| *says == world.sides["main"].says(slot)), "{slot}: {says:?}");
        }
    }

    #[test]
    fn the_same_commands_write_the_same_bytes(steps in proptest::collection::vec(step(), 1..40)) {
        let [one, other] = [run(&steps), run(&steps)];
        let tape = |world: &World| fs::read_to_string(world.test.path().join("tape.jsonl")).unwrap();
        prop_assert_eq!(tape(&one), tape(&other));
    }
}
