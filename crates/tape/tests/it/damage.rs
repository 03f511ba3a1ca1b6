//! Damage to lines in known places: what is reported, what still counts, and where the chain goes on.
//!
//! The tape of most tests has the groups `1`, `2 3`, `4`, `5 6 7` and `8`, each entry on the line of its number.

use std::sync::Arc;

use crate::common::{SIZES, alter, break_hash, change_hash, check, found, open, replace, tape};
use expect_test::{Expect, expect};
use memtape_tape::{MemoryStorage, Storage, verify};

#[test]
fn an_undamaged_tape_is_clean() {
    check(
        |_| (),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7 | 8
        next 9
    "#]],
    );
    let report = verify(&open(&tape(&SIZES).0)).unwrap();
    assert_eq!((report.entries, report.groups, report.segments, report.last_id), (8, 5, 1, 8));
    assert_eq!((report.bad, report.torn), (vec![], None));
}

#[test]
fn an_empty_tape_is_clean() {
    expect![[r#"
        next 1
    "#]]
    .assert_eq(&found(b""));
    let nothing: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let report = verify(&nothing).unwrap();
    assert_eq!((report.entries, report.groups, report.segments, report.last_id), (0, 0, 0, 0));
}

#[test]
fn a_changed_line_costs_itself() {
    check(
        |lines| alter(&mut lines[3]),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], "main", "mine"),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], "event", "vvent"),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], ":00.000000", ":00.000001"),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""more":0"#, r#""more":1"#),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""meta":{}"#, r#""meta":{"origin":"user"}"#),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
}

#[test]
fn an_unreadable_line_costs_itself() {
    check(
        |lines| replace(&mut lines[3], "{", "["),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): invalid type: string "id", expected u64
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines[3][40] = 0xff,
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): not UTF-8
        5 6 7 | 8
        next 9
    "#]],
    );
}

#[test]
fn the_first_line_and_the_last() {
    check(
        |lines| alter(&mut lines[0]),
        &expect![[r#"
        line 1 (byte 0): entry 1 does not match its hash
        2 3 | 4 | 5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| alter(&mut lines[7]),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7
        line 8 (byte 1813): entry 8 does not match its hash
        next 9, damaged from byte 1813
    "#]],
    );
    check(
        |lines| *lines = vec![b"garbage\n".to_vec()],
        &expect![[r#"
        line 1 (byte 0): not JSON
        next 2, damaged from byte 0
    "#]],
    );
}

#[test]
fn a_changed_hash_costs_its_own_line() {
    check(
        |lines| change_hash(&mut lines[3]),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| change_hash(&mut lines[7]),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7
        line 8 (byte 1813): entry 8 does not match its hash
        next 9, damaged from byte 1813
    "#]],
    );
}

/// Three hashes in a row, as a search and replace would leave them.
#[test]
fn changed_hashes_in_a_row_cost_their_own_lines() {
    check(
        |lines| lines[2..5].iter_mut().for_each(|line| change_hash(line)),
        &expect![[r#"
        1
        line 3 (byte 518): entry 3 does not match its hash
        line 4 (byte 777): entry 4 does not match its hash
        line 5 (byte 1036): entry 5 does not match its hash
        2 | 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| {
            alter(&mut lines[2]);
            change_hash(&mut lines[3]);
        },
        &expect![[r#"
            1
            line 3 (byte 518): entry 3 does not match its hash
            line 4 (byte 777): entry 4 does not match its hash
            2 | 5 6 7 | 8
            next 9
        "#]],
    );
}

#[test]
fn after_an_unreadable_hash_the_next_line_counts_but_is_not_linked() {
    check(
        |lines| break_hash(&mut lines[3]),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): the hash is not 64 hex digits
        line 5 (byte 1036): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines[3] = b"\n".to_vec(),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): not JSON
        line 5 (byte 778): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines[0] = b"x\n".to_vec(),
        &expect![[r#"
        line 1 (byte 0): not JSON
        line 2 (byte 2): entry 2 cannot be linked to the damage before it
        2 3 | 4 | 5 6 7 | 8
        next 9
    "#]],
    );
}

#[test]
fn two_damaged_lines_in_a_row() {
    check(
        |lines| lines[2..4].iter_mut().for_each(alter),
        &expect![[r#"
        1
        line 3 (byte 518): entry 3 does not match its hash
        line 4 (byte 777): entry 4 does not match its hash
        2 | 5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines[2..4].iter_mut().for_each(|line| break_hash(line)),
        &expect![[r#"
        1
        line 3 (byte 518): the hash is not 64 hex digits
        line 4 (byte 777): the hash is not 64 hex digits
        line 5 (byte 1036): entry 5 cannot be linked to the damage before it
        2 | 5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| {
            break_hash(&mut lines[2]);
            alter(&mut lines[3]);
        },
        &expect![[r#"
            1
            line 3 (byte 518): the hash is not 64 hex digits
            line 4 (byte 777): entry 4 cannot be linked to the damage before it
            2 | 4 | 5 6 7 | 8
            next 9
        "#]],
    );
}

#[test]
fn damage_inside_a_group_leaves_the_others() {
    check(
        |lines| alter(&mut lines[4]),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1036): entry 5 does not match its hash
        6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| alter(&mut lines[5]),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1295): entry 6 does not match its hash
        5 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| alter(&mut lines[6]),
        &expect![[r#"
        1 | 2 3 | 4
        line 7 (byte 1554): entry 7 does not match its hash
        5 6 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines[5..7].iter_mut().for_each(alter),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1295): entry 6 does not match its hash
        line 7 (byte 1554): entry 7 does not match its hash
        5 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(5)),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1295): entry 6 is missing before entry 7
        5 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(6)),
        &expect![[r#"
        1 | 2 3 | 4
        line 7 (byte 1554): entry 7 is missing before entry 8
        5 6 | 8
        next 9
    "#]],
    );
}

/// The last group is damaged: what damage may have held is taken for held.
#[test]
fn damage_inside_the_last_group() {
    let last = |harm: fn(&mut Vec<Vec<u8>>), expected: &Expect| {
        check(
            |lines| {
                lines.pop();
                harm(lines);
            },
            expected,
        );
    };
    last(
        |lines| alter(&mut lines[4]),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1036): entry 5 does not match its hash
        6 7
        next 8
    "#]],
    );
    last(
        |lines| alter(&mut lines[6]),
        &expect![[r#"
        1 | 2 3 | 4
        line 7 (byte 1554): entry 7 does not match its hash
        5 6
        next 8, damaged from byte 1554
    "#]],
    );
    last(
        |lines| lines[5..7].iter_mut().for_each(alter),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1295): entry 6 does not match its hash
        line 7 (byte 1554): entry 7 does not match its hash
        5
        next 8, damaged from byte 1295
    "#]],
    );
    last(
        |lines| *lines[5].last_mut().unwrap() = b' ',
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1295): not JSON
        5
        next 8, damaged from byte 1295
    "#]],
    );
    // Here the group cannot have been whole: neither counts nor is torn what a writer may have acknowledged.
    last(
        |lines| {
            alter(&mut lines[5]);
            lines.pop();
        },
        &expect![[r#"
            1 | 2 3 | 4
            line 6 (byte 1295): entry 6 does not match its hash
            next 8, damaged from byte 1295
        "#]],
    );
}
