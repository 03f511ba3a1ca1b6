//! Law 6, *branches*, and laws 1 and 5 on branches: random commands on several branches, over facts, the zone,
//! statements, blocks and the sections of a note, compared with a naive model that stores, for each branch and item,
//! its complete history and everything that the branch knows.

use std::fs;

use proptest::prelude::*;

use self::steps::{Step, few, step};
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

proptest! {
    #![proptest_config(memtape_testkit::random(16))]

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
        let is_open = |slot: &str| world.sides.values().any(|side| side.open().iter().any(|left| left.slot == slot));
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
