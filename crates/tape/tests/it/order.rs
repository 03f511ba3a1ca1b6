//! Missing, copied, moved and merged lines, and truncated segments: the reported damage, and the entries that still
//! count.
//! The tape is the same as in the tests of damage to lines.

use std::sync::Arc;

use crate::common::{
    SIZES, agrees_with_verify, alter, break_hash, check, draft, drafts, found, ids, lines, open, replace,
    scan, tape, write_on,
};
use expect_test::{Expect, expect};
use memtape_tape::{Archived, Draft, Floor, Hash, Salt, Seal, Storage, codec};

#[test]
fn a_missing_line() {
    check(
        |lines| drop(lines.remove(3)),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 999): entry 4 is missing before entry 5
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(0)),
        &expect![[r#"
        line 1 (byte 0): entry 1 is missing before entry 2
        2 3 | 4 | 5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(5)),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1665): entry 6 is missing before entry 7
        5 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(6)),
        &expect![[r#"
        1 | 2 3 | 4
        line 7 (byte 1998): entry 7 is missing before entry 8
        5 6 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.drain(3..7)),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 999): entries 4 to 7 are missing before entry 8
        8
        next 9
    "#]],
    );
    // If the last group is missing completely, nothing on the tape shows it; if one of its lines is left,
    // that line does.
    check(
        |lines| drop(lines.remove(7)),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7
        next 8
    "#]],
    );
    check(
        |lines| drop(lines.drain(5..)),
        &expect![[r#"
        1 | 2 3 | 4
        next 8, torn from byte 1332 (entry 5)
    "#]],
    );
}

/// Lines that are missing next to a damaged line are not reported separately.
#[test]
fn a_missing_line_beside_a_damaged_one() {
    check(
        |lines| {
            alter(&mut lines[2]);
            lines.remove(3);
        },
        &expect![[r#"
            1
            line 3 (byte 666): entry 3 does not match its hash
            2 | 5 6 7 | 8
            next 9
        "#]],
    );
    check(
        |lines| {
            lines.remove(3);
            alter(&mut lines[3]);
        },
        &expect![[r#"
            1 | 2 3
            line 4 (byte 999): entry 5 does not match its hash
            6 7 | 8
            next 9
        "#]],
    );
}

#[test]
fn a_line_twice() {
    check(
        |lines| lines.insert(4, lines[3].clone()),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1332): entry 4 comes after entry 4
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines.push(lines[7].clone()),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7 | 8
        line 9 (byte 2664): entry 8 comes after entry 8
        next 9, damaged from byte 2664
    "#]],
    );
    check(
        |lines| lines.extend_from_within(..),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7 | 8
        line 9 (byte 2664): entry 1 comes after entry 8
        line 10 (byte 2997): entry 2 comes after entry 8
        line 11 (byte 3330): entry 3 comes after entry 8
        line 12 (byte 3663): entry 4 comes after entry 8
        line 13 (byte 3996): entry 5 comes after entry 8
        line 14 (byte 4329): entry 6 comes after entry 8
        line 15 (byte 4662): entry 7 comes after entry 8
        line 16 (byte 4995): entry 8 comes after entry 8
        next 9, damaged from byte 2664
    "#]],
    );
}

/// A copy of any line at any position is reported, and no entry is lost.
#[test]
fn a_copied_line_costs_nothing() {
    let all = lines(&tape(&SIZES).0);
    for from in 0..all.len() {
        for to in 0..=all.len() {
            let mut lines = all.clone();
            lines.insert(to, all[from].clone());
            let read = scan(&open(&lines.concat()));
            let entries: usize = read.groups.iter().map(|group| group.entries.len()).sum();
            assert_eq!((entries, read.damage.len()), (8, 1), "{from} to {to}: {}", read.text);
        }
    }
}

/// A moved line is lost, because its position cannot be restored. The lines around it count.
#[test]
fn a_moved_line_costs_itself() {
    let all = lines(&tape(&SIZES).0);
    for from in 0..all.len() {
        for to in (0..all.len()).filter(|to| *to != from) {
            let mut lines = all.clone();
            let line = lines.remove(from);
            lines.insert(to, line);
            let read = scan(&open(&lines.concat()));
            let entries: usize = read.groups.iter().map(|group| group.entries.len()).sum();
            assert_eq!(entries, 7, "{from} to {to}: {}", read.text);
            assert!(!read.damage.is_empty());
        }
    }
    check(
        |lines| lines.swap(3, 4),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 999): entry 5 comes before entry 4
        4
        line 6 (byte 1665): entry 5 is missing before entry 6
        6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines.swap(0, 7),
        &expect![[r#"
        line 1 (byte 0): entry 8 comes before entry 2
        line 2 (byte 333): entry 1 is missing before entry 2
        2 3 | 4 | 5 6 7
        line 8 (byte 2331): entry 1 comes after entry 7
        next 8, damaged from byte 2331
    "#]],
    );
}

/// Two intact tapes are joined in one file: the first line of the second is reported.
#[test]
fn a_line_of_another_tape_is_reported() {
    let other = open(&[]);
    for text in ["one", "two", "three", "four", "five"] {
        write_on(&other, Floor::default(), vec![draft(text)]);
    }
    let other = crate::common::bytes(&other);
    check(
        |lines| lines[3] = crate::common::lines(&other)[3].clone(),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 999): entry 4 was written after another entry 3
        4
        line 5 (byte 1330): entry 5 was written after another entry 4
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.splice(4.., crate::common::lines(&other)[4..].iter().cloned())),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1332): entry 5 was written after another entry 4
        5
        next 6
    "#]],
    );
}

#[test]
fn merged_lines() {
    let merge = |lines: &mut Vec<Vec<u8>>, n: usize| *lines[n].last_mut().unwrap() ^= 1;
    check(
        |lines| merge(lines, 0),
        &expect![[r#"
        line 1 (byte 0): not JSON
        3 | 4 | 5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 4),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1332): not JSON
        7 | 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 6),
        &expect![[r#"
        1 | 2 3 | 4
        line 7 (byte 1998): not JSON
        5 6
        next 9, damaged from byte 1998
    "#]],
    );
}

/// A group starts inside another one, with every line intact and chained: only a defective writer produces
/// that.
#[test]
fn a_group_inside_another_is_reported() {
    let (bytes, groups) = tape(&[1, 3]);
    let mut lines = lines(&bytes);
    lines.truncate(3);
    let last = &groups[1].entries[1].entry;
    let Draft { payload, .. } = draft("next");
    let seal = Seal::Salt(Salt::new([7; 16]));
    let mut other = memtape_tape::Entry { id: 4, payload, more: 5, seal, prev: last.hash, ..last.clone() };
    other.hash = other.computed_hash();
    let mut line = Vec::new();
    codec::encode(&other, &mut line);
    lines.push(line);
    expect![[r#"
        1
        line 4 (byte 999): entry 4 begins a group inside another
        2 3
        next 10, torn from byte 999 (entry 4)
    "#]]
    .assert_eq(&found(&lines.concat()));
    agrees_with_verify(&open(&lines.concat()));
}

/// Returns a tape whose first segment, with the entries 1 to 4, is damaged as requested and closed.
fn two_segments(harm: impl FnOnce(&mut Vec<Vec<u8>>)) -> Arc<dyn Storage> {
    let all = lines(&tape(&SIZES).0);
    let (first, second) = all.split_at(4);
    let mut first = first.to_vec();
    harm(&mut first);
    let storage = open(&first.concat());
    storage.archive(&Archived { first: 1, last: 4 }).unwrap();
    storage.append(0, &second.concat()).unwrap();
    storage
}

#[test]
fn damage_in_a_closed_segment_is_named_by_its_file() {
    let check = |harm: fn(&mut Vec<Vec<u8>>), expected: &Expect| {
        let storage = two_segments(harm);
        expected.assert_eq(&scan(&storage).text);
        agrees_with_verify(&storage);
    };
    check(
        |_| (),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7 | 8
    "#]],
    );
    check(
        |lines| alter(&mut lines[1]),
        &expect![[r#"
        1
        archive/tape-1-4.jsonl: line 2 (byte 333): entry 2 does not match its hash
        3 | 4 | 5 6 7 | 8
    "#]],
    );
    check(
        |lines| break_hash(&mut lines[3]),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 999): the hash is not 64 hex digits
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| lines[3].truncate(100),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 999): the last line is incomplete
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| drop(lines.pop()),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 999): the segment ends after entry 3
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| drop(lines.drain(2..)),
        &expect![[r#"
        1
        archive/tape-1-4.jsonl: line 3 (byte 666): the segment ends after entry 2
        2 | 5 6 7 | 8
    "#]],
    );
    check(
        Vec::clear,
        &expect![[r#"
        archive/tape-1-4.jsonl: line 1 (byte 0): the segment ends after entry 0
        5 6 7 | 8
    "#]],
    );
    check(
        |segment| segment.push(lines(&tape(&SIZES).0)[6].clone()),
        &expect![[r#"
        1 | 2 3 | 4
        archive/tape-1-4.jsonl: line 5 (byte 1332): entry 7 is in a segment that ends with entry 4
        5 6 7 | 8
    "#]],
    );
}

/// The name of a closed segment contains its last ID, so truncation is detected, and the lost IDs are not
/// reused.
#[test]
fn the_cut_end_of_the_last_closed_segment_is_seen() {
    let all = lines(&tape(&SIZES).0);
    for harm in [|_: &mut Vec<u8>| (), alter] {
        let mut segment = all[..3].to_vec();
        harm(&mut segment[2]);
        let storage = open(&segment.concat());
        storage.archive(&Archived { first: 1, last: 8 }).unwrap();
        assert_eq!(scan(&storage).damage.len(), 1, "{}", scan(&storage).text);
        agrees_with_verify(&storage);
        let (written, _) = write_on(&storage, Floor::default(), drafts(1));
        assert_eq!(written.iter().map(ids).collect::<Vec<_>>(), ["9"]);
        let read = scan(&storage);
        assert_eq!((ids(read.groups.last().unwrap()), read.damage.len()), ("9".into(), 1), "{}", read.text);
    }
}

/// A tape on which every line was changed can still be read and appended to.
#[test]
fn a_tape_that_was_changed_all_over() {
    let (bytes, _) = tape(&[1; 300]);
    let mut lines = lines(&bytes);
    lines.iter_mut().for_each(|line| replace(line, "text", "TEXT"));
    let storage = open(&lines.concat());
    let read = scan(&storage);
    assert_eq!((read.groups.len(), read.damage.len()), (0, 300));
    assert_eq!((read.tail.next_id, read.tail.last_hash), (301, Hash::ZERO));
    let (written, _) = write_on(&storage, Floor::default(), drafts(1));
    assert_eq!(written.iter().map(ids).collect::<Vec<_>>(), ["301", "302"]);
    assert_eq!(scan(&storage).damage.len(), 300);
}
