//! Law 7, *working copy*, for the files: whatever a person does at any step of any command, and wherever commands are
//! killed, none of their texts is lost or overwritten unseen.

use std::collections::BTreeSet;
use std::fs;

use crate::model::{Act, FOLDERS, Machine, PATHS, Person, Tape, check, copy_in, has_stopped, sync};
use proptest::prelude::*;

const BRANCHES: [&str; 2] = ["main", "scout"];

#[derive(Clone, Debug)]
enum Op {
    Person(Act),
    /// A tool adds a line on a branch.
    Tool(usize, usize),
    ToolDeletes(usize, usize),
    /// A command updates the files to a branch; the person acts at its steps, and it may be killed at one.
    Command {
        branch: usize,
        stops_at: Option<usize>,
        acts: Vec<(usize, Act)>,
    },
}

fn act() -> impl Strategy<Value = Act> {
    let path = || 0..PATHS.len();
    prop_oneof![
        3 => path().prop_map(Act::Write),
        3 => path().prop_map(Act::Save),
        2 => path().prop_map(Act::Rewrite),
        2 => path().prop_map(Act::Delete),
        2 => (path(), path()).prop_map(|(from, to)| Act::Rename(from, to)),
        1 => path().prop_map(Act::Chmod),
        1 => path().prop_map(Act::Link),
        1 => path().prop_map(Act::Touch),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let stops_at = prop_oneof![2 => Just(None), 1 => (0_usize..60).prop_map(Some)];
    let acts = prop::collection::vec((0_usize..50, act()), 0..5);
    prop_oneof![
        3 => act().prop_map(Op::Person),
        3 => (0..BRANCHES.len(), 0..PATHS.len()).prop_map(|(branch, path)| Op::Tool(branch, path)),
        1 => (0..BRANCHES.len(), 0..PATHS.len()).prop_map(|(branch, path)| Op::ToolDeletes(branch, path)),
        4 => (0..BRANCHES.len(), stops_at, acts)
            .prop_map(|(branch, stops_at, acts)| Op::Command { branch, stops_at, acts }),
    ]
}

fn renames(op: &Op) -> bool {
    let is_rename = |act: &Act| matches!(act, Act::Rename(..));
    match op {
        Op::Person(act) => is_rename(act),
        Op::Command { acts, .. } => acts.iter().any(|(_, act)| is_rename(act)),
        Op::Tool(..) | Op::ToolDeletes(..) => false,
    }
}

fn run(ops: &[Op], exchanges: bool) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("workspace");
    let secret = dir.path().join("secret.md");
    FOLDERS.iter().for_each(|folder| fs::create_dir_all(root.join(folder)).unwrap());
    fs::write(&secret, "secret\n").unwrap();
    let machine = Machine::new(Person::new(&root, &secret), exchanges);
    let copy = copy_in(&root, &machine);
    let mut tape = Tape::default();
    sync(&copy, &mut tape, "main").unwrap();
    let (mut branch, mut killed) = ("main", false);
    for op in ops {
        match op {
            Op::Person(act) => machine.person.lock().unwrap().act(act),
            Op::Tool(branch, path) => tape.tool_adds(BRANCHES[*branch], PATHS[*path]),
            Op::ToolDeletes(branch, path) => tape.tool_deletes(BRANCHES[*branch], PATHS[*path]),
            Op::Command { branch: to, stops_at, acts } => {
                branch = BRANCHES[*to];
                machine.next(*stops_at, acts.clone());
                let done = sync(&copy, &mut tape, branch);
                machine.next(None, Vec::new());
                killed |= done.is_err();
                if let Err(e) = done {
                    assert!(has_stopped(&e), "{e}");
                }
            }
        }
    }
    // A replaced link is restored first.
    sync(&copy, &mut tape, branch).unwrap();
    machine.person.lock().unwrap().tidy();
    sync(&copy, &mut tape, branch).unwrap();
    check(&root, &tape, &machine.person.lock().unwrap(), branch, "in the end");
    // A text that was renamed back and forth is reported again.
    if !killed && !ops.iter().any(renames) {
        let once: BTreeSet<_> = tape.recorded.iter().collect();
        assert_eq!(once.len(), tape.recorded.len(), "a text was handed up twice: {:?}", tape.recorded);
    }
    let before = tape.entry;
    assert_eq!(copy.look().unwrap().changes, [], "what was written is read back as it is");
    sync(&copy, &mut tape, branch).unwrap();
    assert_eq!(tape.entry, before);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_a_person_is_lost(ops in prop::collection::vec(op(), 1..25), exchanges in any::<bool>()) {
        run(&ops, exchanges);
    }
}

#[test]
fn a_file_created_during_its_removal_is_new() {
    let command = |branch, acts| Op::Command { branch, stops_at: None, acts };
    for (first, second) in (20..32).flat_map(|first| (first..first + 8).map(move |second| (first, second))) {
        let acts = vec![(second, Act::Save(2)), (first, Act::Save(2))];
        let ops = [
            Op::Person(Act::Write(0)),
            Op::Person(Act::Save(2)),
            command(1, Vec::new()),
            Op::Person(Act::Delete(0)),
            Op::Person(Act::Write(2)),
            Op::Person(Act::Write(2)),
            command(1, Vec::new()),
            Op::Tool(1, 0),
            Op::Person(Act::Save(0)),
            command(0, acts),
            Op::Person(Act::Write(0)),
        ];
        run(&ops, false);
    }
}

#[test]
fn a_new_file_written_during_a_tools_write_loses_nothing() {
    for (second, third) in (14..26).flat_map(|second| (second + 1..30).map(move |third| (second, third))) {
        let acts = vec![(0, Act::Write(1)), (second, Act::Write(1)), (third, Act::Save(1))];
        let ops = [Op::Tool(1, 1), Op::Command { branch: 1, stops_at: None, acts }];
        [false, true].into_iter().for_each(|exchanges| run(&ops, exchanges));
    }
}

#[test]
fn a_text_restored_after_recording_is_reported() {
    let command = |acts| Op::Command { branch: 0, stops_at: None, acts };
    for step in 0..40 {
        let acts = vec![(0, Act::Rename(2, 3)), (0, Act::Save(2)), (step, Act::Rename(3, 2))];
        let ops = [
            Op::Person(Act::Write(2)),
            command(Vec::new()),
            Op::Tool(0, 2),
            Op::Person(Act::Write(0)),
            command(acts),
        ];
        [false, true].into_iter().for_each(|exchanges| run(&ops, exchanges));
    }
}

#[test]
fn a_new_file_deleted_before_the_tool_s_was_seen_deletes_no_more_than_itself() {
    let command = |branch, acts| Op::Command { branch, stops_at: None, acts };
    for step in 1..40 {
        let ops = [
            Op::Person(Act::Write(1)),
            command(0, Vec::new()),
            command(1, Vec::new()),
            command(0, vec![(1, Act::Save(1)), (step, Act::Delete(1))]),
        ];
        [false, true].into_iter().for_each(|exchanges| run(&ops, exchanges));
    }
}

#[test]
fn only_the_link_stays_aside_that_a_file_was_written_in_place_of() {
    let command = |branch, acts| Op::Command { branch, stops_at: None, acts };
    for (link, save) in (8..20).flat_map(|link| (link..24).map(move |save| (link, save))) {
        let ops = [
            Op::Tool(0, 0),
            Op::Tool(1, 0),
            command(0, Vec::new()),
            command(1, vec![(link, Act::Link(0)), (save, Act::Save(0))]),
        ];
        [false, true].into_iter().for_each(|exchanges| run(&ops, exchanges));
    }
}

#[test]
fn a_file_moved_while_it_has_two_names_is_the_person_s() {
    let command = |branch, stops_at| Op::Command { branch, stops_at, acts: Vec::new() };
    for stop in 0..40 {
        let ops = [
            Op::Person(Act::Write(0)),
            Op::Tool(1, 3),
            command(1, Some(stop)),
            Op::Person(Act::Rename(3, 0)),
        ];
        let rewritten = [&ops[..3], &[Op::Person(Act::Rewrite(3))], &ops[3..]].concat();
        [false, true].into_iter().for_each(|exchanges| {
            run(&ops, exchanges);
            run(&rewritten, exchanges);
        });
    }
}
