//! Checks the rule against a table of what two sides may have done to one slot.

use super::{World, merge_key_of, says};
use crate::commit::Conflict;
use crate::lineage::MAIN;
use crate::memory::MemoryId;
use crate::merge::{Meeting, Outcome, outcome};

/// Applies what one side did to a slot since the fork: each letter is a new value, `-` a deletion.
fn done(world: &mut World, branch: &str, steps: &str) {
    for step in steps.chars() {
        let says = (step != '-').then(|| u8::try_from(step).unwrap());
        world.write(branch, 0, says, None, false);
    }
}

/// Returns what merging `theirs` into `ours` does after each side changed the common state: `.` for nothing,
/// else the value taken (`-` for a deletion), or the two sides of a conflict.
fn meeting(had: &str, ours: &str, theirs: &str) -> String {
    let mut world = World::new();
    done(&mut world, MAIN, had);
    world.fork(MAIN);
    done(&mut world, MAIN, ours);
    done(&mut world, "b1", theirs);
    met(&world)
}

/// Returns what merging `b1` into main does to the first slot.
fn met(world: &World) -> String {
    let (our, their) = (world.lineage(MAIN), world.lineage("b1"));
    let compared =
        Meeting::new(&world.records, &our, &their).compare(&world.lives(0), &|id| world.content(id));
    let text = |id: Option<MemoryId>| id.map_or('-', |id| char::from(says(&world.memories[&id])));
    match world.decide(0, &compared, MAIN) {
        Outcome::Nothing => ".".to_owned(),
        Outcome::Changes(change) => text(change.creates.map(|creates| creates.memory().id)).to_string(),
        Outcome::Conflict(Conflict { ours, theirs, .. }) => format!("{}|{}", text(ours), text(theirs)),
    }
}

/// Returns a table with a row for our changes and a column for theirs: each letter is a value, `-` a
/// deletion.
fn table(had: &str, sides: &[&str]) -> String {
    let row = |head: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>6}")).collect();
        format!("{head:6}{cells}\n")
    };
    let name = |side: &&str| if side.is_empty() { "0".to_owned() } else { (*side).to_owned() };
    let head = row("", sides.iter().map(name).collect());
    let rows = sides
        .iter()
        .map(|ours| row(&name(ours), sides.iter().map(|theirs| meeting(had, ours, theirs)).collect()));
    head + &rows.collect::<String>()
}

#[test]
fn verdicts_for_an_item_that_both_sides_had() {
    let table = table("a", &["", "a", "b", "c", "ba", "-", "-a", "-b", "b-"]);
    expect_test::expect![[r#"
                   0     a     b     c    ba     -    -a    -b    b-
        0          .     .     b     c     .     -     .     b     -
        a          .     .     b     c     .     -     .     b     -
        b          .     .     .   b|c     .   b|-     .     .   b|-
        c          .     .   c|b     .     .   c|-     .   c|b   c|-
        ba         .     .     b     c     .     -     .     b     -
        -          .     .   -|b   -|c     .     .     .     b     .
        -a         .     .     b     c     .     -     .     b     -
        -b         .     .     .   b|c     .     .     .     .   b|-
        b-         .     .   -|b   -|c     .     .     .   -|b     .
    "#]]
    .assert_eq(&table);
}

#[test]
fn verdicts_for_an_item_that_neither_side_had() {
    let table = table("", &["", "a", "b", "a-", "a-b", "ab", "ab-", "ab-a", "a-a"]);
    expect_test::expect![[r#"
                   0     a     b    a-   a-b    ab   ab-  ab-a   a-a
        0          .     a     b     .     b     b     .     a     a
        a          .     .   a|b     .   a|b   a|b     .     .     .
        b          .   b|a     .     .     .     .     .   b|a   b|a
        a-         .     a     b     .     b     b     .     a     a
        a-b        .   b|a     .     .     .     .     .   b|a   b|a
        ab         .   b|a     .     .     .     .     .   b|a   b|a
        ab-        .     a     b     .     b     b     .     a     a
        ab-a       .     .   a|b     .   a|b   a|b     .     .     .
        a-a        .     .   a|b     .   a|b   a|b     .     .     .
    "#]]
    .assert_eq(&table);
}

/// A version that a group removes and creates again is not deleted: only the end of a group is a state.
#[test]
fn a_version_that_is_moved_is_not_deleted() {
    let mut world = World::new();
    done(&mut world, MAIN, "a");
    world.fork(MAIN);
    // Our group has one entry that removes the version, and one that creates it elsewhere.
    done(&mut world, MAIN, "-a");
    let group = world.last;
    for life in &mut world.lives[0] {
        life.retired.iter_mut().for_each(|by| by.group = group);
    }
    done(&mut world, "b1", "-");
    assert_eq!(met(&world), "-");
    done(&mut world, "b1", "b");
    assert_eq!(met(&world), "b");
    done(&mut world, "b1", "-");
    done(&mut world, MAIN, "c");
    assert_eq!(met(&world), "c|-");
}

/// A deletion that was picked is known, so merging it later does not repeat it.
#[test]
fn a_deletion_that_was_picked_is_not_repeated() {
    let mut world = World::new();
    done(&mut world, MAIN, "a");
    world.fork(MAIN);
    done(&mut world, "b1", "-");
    world.pick(1, MAIN);
    assert_eq!(world.state(MAIN, 0).current(), None);
    done(&mut world, MAIN, "a");
    assert_eq!(met(&world), ".");
    world.pick(1, MAIN);
    assert!(world.state(MAIN, 0).current().is_some());
}

/// What was erased is not what two sides have in common, and is not taken.
#[test]
fn an_erased_version_is_no_common_state_and_is_not_taken() {
    let mut world = World::new();
    done(&mut world, MAIN, "a");
    world.fork(MAIN);
    done(&mut world, MAIN, "b");
    done(&mut world, "b1", "c");
    let key = merge_key_of(0);
    let decide = |world: &World, ours: &str, theirs: &str| {
        let [our, their] = [ours, theirs].map(|branch| world.lineage(branch));
        let compared =
            Meeting::new(&world.records, &our, &their).compare(&world.lives(0), &|id| world.content(id));
        outcome(&key, &compared, &[], &world.memories)
    };
    let mut kept = [(MAIN, "b1"), ("b1", MAIN)].map(|(ours, theirs)| decide(&world, ours, theirs).unwrap());
    for outcome in &mut kept {
        let Outcome::Conflict(conflict) = outcome else { panic!("{outcome:?}") };
        assert!(conflict.base.take().is_some());
    }
    world.memories.retain(|_, memory| says(memory) != b'a');
    assert_eq!(kept, [(MAIN, "b1"), ("b1", MAIN)].map(|(our, their)| decide(&world, our, their).unwrap()));
    world.memories.retain(|_, memory| says(memory) != b'c');
    assert_eq!(
        decide(&world, MAIN, "b1").unwrap_err().to_string(),
        "cannot take the version of ledger:thing0 in entry 4: its text was erased"
    );
}
