//! A writer goes on behind damage: what counted before it wrote counts after, whether it cuts the end or keeps it.

use std::sync::Arc;

use crate::common::{
    break_hash, change_hash, drafts, lines, open, read_to, replace, scan, spelled, tape, write_on,
};
use expect_test::{Expect, expect};
use memtape_tape::{Floor, Storage};

/// Harms a tape with groups of these sizes, and says what a reader finds, then what it finds behind a writer that
/// may cut a torn end off, and behind one that may not.
fn check(sizes: &[usize], harm: impl FnOnce(&mut Vec<Vec<u8>>), expected: &Expect) {
    let mut lines = lines(&tape(sizes).0);
    harm(&mut lines);
    let bytes = lines.concat();
    let before = scan(&open(&bytes));
    let mut text = before.text;
    for floor in [Floor::default(), read_to(bytes.len())] {
        let storage: Arc<dyn Storage> = open(&bytes);
        let (written, _) = write_on(&storage, floor, drafts(1));
        let after = scan(&storage);
        text += &format!("--\n{}", after.text);
        assert!(spelled(&after.groups).starts_with(&spelled(&before.groups)), "{text}");
        assert!(spelled(&after.groups).ends_with(&spelled(&written)), "{text}");
    }
    expected.assert_eq(&text);
}

/// Takes the newline of the last line away.
fn unfinish(lines: &mut [Vec<u8>]) {
    lines.last_mut().unwrap().pop();
}

/// Two lines count of which one has a wrong number, for nothing shows which: the number that a writer gives then
/// comes from the same belief, and shows nothing either.
#[test]
fn a_number_that_a_writer_gave_does_not_speak_against_a_line_it_believed() {
    check(
        &[1; 5],
        |lines| {
            break_hash(&mut lines[1]);
            replace(&mut lines[2], r#""id":3"#, r#""id":4"#);
            break_hash(&mut lines[3]);
        },
        &expect![[r#"
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 4 cannot be linked to the damage before it
            4
            line 4 (byte 777): the hash is not 64 hex digits
            line 5 (byte 1036): entry 5 cannot be linked to the damage before it
            5
            --
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 4 cannot be linked to the damage before it
            4
            line 4 (byte 777): the hash is not 64 hex digits
            line 5 (byte 1036): entry 5 cannot be linked to the damage before it
            5 | 6
            --
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 4 cannot be linked to the damage before it
            4
            line 4 (byte 777): the hash is not 64 hex digits
            line 5 (byte 1036): entry 5 cannot be linked to the damage before it
            5 | 6
        "#]],
    );
}

/// The end of a damaged group lacks its newline: whether it counts is up to the next writer.
#[test]
fn a_damaged_group_is_given_once_its_unfinished_line_is_decided() {
    check(
        &[1, 4],
        |lines| {
            lines[3].insert(0, b',');
            lines.insert(3, b"\n".to_vec());
            unfinish(lines);
        },
        &expect![[r#"
            1
            line 4 (byte 777): not JSON
            line 5 (byte 778): not JSON
            --
            1
            line 4 (byte 777): not JSON
            line 5 (byte 778): not JSON
            2 3 | 6 | 7
            --
            1
            line 4 (byte 777): not JSON
            line 5 (byte 778): not JSON
            2 3 5 | 6 | 7
        "#]],
    );
}

/// What shows a line to be wrong may be cut off, and then shows it no more.
#[test]
fn a_line_that_only_a_torn_tail_shows_to_be_wrong_waits_for_a_writer() {
    check(
        &[1; 4],
        |lines| {
            break_hash(&mut lines[1]);
            replace(&mut lines[2], r#""id":3"#, r#""id":94"#);
            unfinish(lines);
        },
        &expect![[r#"
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 94 is not in its place before entry 4
            --
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 94 cannot be linked to the damage before it
            94 | 95
            --
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 94 is not in its place before entry 4
            4 | 5 | 6
        "#]],
    );
    check(
        &[1, 1, 1, 3],
        |lines| {
            break_hash(&mut lines[1]);
            replace(&mut lines[2], r#""id":3"#, r#""id":94"#);
            lines.pop();
        },
        &expect![[r#"
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 94 is not in its place before entry 4
            --
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 94 cannot be linked to the damage before it
            94 | 95
            --
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 94 is not in its place before entry 4
            line 6 (byte 1296): entry 6 is missing before entry 7
            4 5 | 7 | 8
        "#]],
    );
    check(
        &[1; 4],
        |lines| {
            lines[1].remove(0);
            change_hash(&mut lines[2]);
            unfinish(lines);
        },
        &expect![[r#"
            1
            line 2 (byte 259): invalid type: string "id", expected struct Fields
            line 3 (byte 517): entry 3 does not match its hash
            --
            1
            line 2 (byte 259): invalid type: string "id", expected struct Fields
            line 3 (byte 517): entry 3 cannot be linked to the damage before it
            3 | 4
            --
            1
            line 2 (byte 259): invalid type: string "id", expected struct Fields
            line 3 (byte 517): entry 3 does not match its hash
            4 | 5 | 6
        "#]],
    );
}
