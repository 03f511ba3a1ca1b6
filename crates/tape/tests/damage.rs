//! Damage in known places: what is reported, what still counts, and where the chain goes on.
//!
//! The tape of most tests has the groups `1`, `2 3`, `4`, `5 6 7` and `8`, each entry on the line of its number.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod common;

use std::sync::Arc;

use common::{draft, drafts, found, lines, open, replace, scan, tape, write_on};
use expect_test::{Expect, expect};
use memtape_tape::{
    Archived, Draft, Floor, Hash, MemoryStorage, Salt, Segments, Storage, chain, codec, verify,
};

const SIZES: [usize; 5] = [1, 2, 1, 3, 1];

/// Harms a tape that is given as its lines, counted from 0, and says what is found then.
fn check(harm: impl FnOnce(&mut Vec<Vec<u8>>), expected: &Expect) {
    let mut lines = lines(&tape(&SIZES).0);
    harm(&mut lines);
    let bytes = lines.concat();
    expected.assert_eq(&found(&bytes));
    agrees_with_verify(&open(&bytes));
}

/// A check of the whole tape reports what a reader passes over, and counts what a reader gives.
fn agrees_with_verify(storage: &Arc<dyn Storage>) {
    let (read, report) = (scan(storage), verify(storage).unwrap());
    assert_eq!(report.bad.into_iter().map(|bad| bad.0).collect::<Vec<_>>(), read.damage);
    assert_eq!(report.groups, read.groups.len() as u64);
    assert_eq!(report.entries, read.groups.iter().map(|group| group.entries.len() as u64).sum::<u64>());
    assert_eq!(report.last_id, read.groups.last().map_or(0, |group| group.end.last_id));
    assert_eq!(report.torn.is_some(), read.tail.torn.is_some());
    let segments = Segments::open(storage).unwrap();
    for located in read.groups.iter().flat_map(|group| &group.entries) {
        let again = segments.read(located.entry.id, located.at).unwrap();
        assert_eq!(format!("{again:?}"), format!("{:?}", located.entry));
    }
}

/// Changes the text of an entry, and not its hash.
fn alter(line: &mut Vec<u8>) {
    replace(line, "text", "TEXT");
}

/// Breaks the hash so that it is no hash any more.
fn break_hash(line: &mut Vec<u8>) {
    let at = line.len() - 10;
    line[at] = b'!';
}

/// Changes a digit of the hash to another one.
fn change_hash(line: &mut [u8]) {
    let at = line.len() - 10;
    line[at] = if line[at] == b'0' { b'1' } else { b'0' };
}

#[test]
fn an_undamaged_tape_is_clean() {
    check(
        |_| (),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
        group 8
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
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], "main", "mine"),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], "event", "vvent"),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], ":00.000000", ":00.000001"),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""more":0"#, r#""more":1"#),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""meta":{}"#, r#""meta":{"origin":"user"}"#),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
}

#[test]
fn an_unreadable_line_costs_itself() {
    check(
        |lines| replace(&mut lines[3], "{", "["),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): invalid type: string "id", expected u64
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines[3][40] = 0xff,
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): not UTF-8
        group 5 6 7
        group 8
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
        group 2 3
        group 4
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| alter(&mut lines[7]),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
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
        group 1
        group 2 3
        line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| change_hash(&mut lines[7]),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
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
        group 1
        line 3 (byte 518): entry 3 does not match its hash
        line 4 (byte 777): entry 4 does not match its hash
        line 5 (byte 1036): entry 5 does not match its hash
        group 2
        group 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| {
            alter(&mut lines[2]);
            change_hash(&mut lines[3]);
        },
        &expect![[r#"
            group 1
            line 3 (byte 518): entry 3 does not match its hash
            line 4 (byte 777): entry 4 does not match its hash
            group 2
            group 5 6 7
            group 8
            next 9
        "#]],
    );
}

#[test]
fn after_an_unreadable_hash_the_next_line_counts_but_is_not_linked() {
    check(
        |lines| break_hash(&mut lines[3]),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): the hash is not 64 hex digits
        line 5 (byte 1036): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines[3] = b"\n".to_vec(),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): not JSON
        line 5 (byte 778): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines[0] = b"x\n".to_vec(),
        &expect![[r#"
        line 1 (byte 0): not JSON
        line 2 (byte 2): entry 2 cannot be linked to the damage before it
        group 2 3
        group 4
        group 5 6 7
        group 8
        next 9
    "#]],
    );
}

#[test]
fn a_missing_line() {
    check(
        |lines| drop(lines.remove(3)),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 is missing before entry 5
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(0)),
        &expect![[r#"
        line 1 (byte 0): entry 1 is missing before entry 2
        group 2 3
        group 4
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.drain(3..7)),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entries 4 to 7 are missing before entry 8
        group 8
        next 9
    "#]],
    );
    // Nothing shows that the last group is missing; one line of it does.
    check(
        |lines| drop(lines.remove(7)),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
        next 8
    "#]],
    );
    check(
        |lines| drop(lines.drain(5..)),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        next 8, torn from byte 1036 (entry 5)
    "#]],
    );
}

#[test]
fn a_missing_line_after_a_damaged_one() {
    check(
        |lines| {
            alter(&mut lines[2]);
            lines.remove(3);
        },
        &expect![[r#"
            group 1
            line 3 (byte 518): entry 3 does not match its hash
            line 4 (byte 777): entry 4 is missing before entry 5
            group 2
            group 5 6 7
            group 8
            next 9
        "#]],
    );
    check(
        |lines| {
            lines.remove(3);
            alter(&mut lines[3]);
        },
        &expect![[r#"
            group 1
            group 2 3
            line 4 (byte 777): entry 4 is missing before entry 5
            group 5 6 7
            group 8
            next 9
        "#]],
    );
}

#[test]
fn a_line_twice() {
    check(
        |lines| lines.insert(4, lines[3].clone()),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 5 (byte 1036): entry 4 stands after entry 4
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines.insert(5, lines[4].clone()),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 6 (byte 1295): entry 5 stands after entry 5
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines.push(lines[7].clone()),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
        group 8
        line 9 (byte 2072): entry 8 stands after entry 8
        next 10, damaged from byte 2072
    "#]],
    );
    check(
        |lines| lines.extend_from_within(..),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
        group 8
        line 9 (byte 2072): entry 1 stands after entry 8
        line 10 (byte 2331): entry 2 stands after entry 8
        line 11 (byte 2590): entry 3 stands after entry 8
        line 12 (byte 2849): entry 4 stands after entry 8
        line 13 (byte 3108): entry 5 stands after entry 8
        line 14 (byte 3367): entry 6 stands after entry 8
        line 15 (byte 3626): entry 7 stands after entry 8
        line 16 (byte 3885): entry 8 stands after entry 8
        next 17, damaged from byte 2072
    "#]],
    );
}

/// What stands out of order cannot be taken back into the order.
#[test]
fn swapped_lines() {
    check(
        |lines| lines.swap(3, 4),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 4 is missing before entry 5
        line 5 (byte 1036): entry 4 stands after entry 5
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines.swap(4, 5),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 5 (byte 1036): entry 5 is missing before entry 6
        line 6 (byte 1295): entry 5 stands after entry 6
        group 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines.swap(0, 7),
        &expect![[r#"
        line 1 (byte 0): entry 8 stands before entry 3
        line 2 (byte 259): entry 2 does not match its hash
        group 3
        group 4
        group 5 6 7
        line 8 (byte 1813): entry 1 stands after entry 7
        next 9, damaged from byte 1813
    "#]],
    );
}

#[test]
fn two_damaged_lines_in_a_row() {
    check(
        |lines| lines[2..4].iter_mut().for_each(alter),
        &expect![[r#"
        group 1
        line 3 (byte 518): entry 3 does not match its hash
        line 4 (byte 777): entry 4 does not match its hash
        group 2
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines[2..4].iter_mut().for_each(break_hash),
        &expect![[r#"
        group 1
        line 3 (byte 518): the hash is not 64 hex digits
        line 4 (byte 777): the hash is not 64 hex digits
        line 5 (byte 1036): entry 5 cannot be linked to the damage before it
        group 2
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| {
            break_hash(&mut lines[2]);
            alter(&mut lines[3]);
        },
        &expect![[r#"
            group 1
            line 3 (byte 518): the hash is not 64 hex digits
            line 4 (byte 777): entry 4 cannot be linked to the damage before it
            group 2
            group 4
            group 5 6 7
            group 8
            next 9
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
        group 3
        group 4
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 3),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): not JSON
        group 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 4),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 5 (byte 1036): not JSON
        group 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 6),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 7 (byte 1554): not JSON
        group 5 6
        next 9, damaged from byte 1554
    "#]],
    );
}

#[test]
fn damage_inside_a_group_leaves_the_others() {
    check(
        |lines| alter(&mut lines[4]),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 5 (byte 1036): entry 5 does not match its hash
        group 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| alter(&mut lines[5]),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 6 (byte 1295): entry 6 does not match its hash
        group 5 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| alter(&mut lines[6]),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 7 (byte 1554): entry 7 does not match its hash
        group 5 6
        group 8
        next 9
    "#]],
    );
    check(
        |lines| lines[5..7].iter_mut().for_each(alter),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 6 (byte 1295): entry 6 does not match its hash
        line 7 (byte 1554): entry 7 does not match its hash
        group 5
        group 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(5)),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 6 (byte 1295): entry 6 is missing before entry 7
        group 5 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| drop(lines.remove(6)),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 7 (byte 1554): entry 7 is missing before entry 8
        group 5 6
        group 8
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
        group 1
        group 2 3
        group 4
        line 5 (byte 1036): entry 5 does not match its hash
        group 6 7
        next 8
    "#]],
    );
    last(
        |lines| alter(&mut lines[6]),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 7 (byte 1554): entry 7 does not match its hash
        group 5 6
        next 8, damaged from byte 1554
    "#]],
    );
    last(
        |lines| lines[5..7].iter_mut().for_each(alter),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 6 (byte 1295): entry 6 does not match its hash
        line 7 (byte 1554): entry 7 does not match its hash
        group 5
        next 8, damaged from byte 1295
    "#]],
    );
    last(
        |lines| *lines[5].last_mut().unwrap() = b' ',
        &expect![[r#"
        group 1
        group 2 3
        group 4
        line 6 (byte 1295): not JSON
        group 5
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
            group 1
            group 2 3
            group 4
            line 6 (byte 1295): entry 6 does not match its hash
            next 8, damaged from byte 1295
        "#]],
    );
}

#[test]
fn lines_that_end_in_cr_lf() {
    check(
        |lines| {
            for line in lines {
                line.insert(line.len() - 1, b'\r');
            }
        },
        &expect![[r#"
            line 1 (byte 0): it ends in CR LF
            line 2 (byte 260): it ends in CR LF
            line 3 (byte 520): it ends in CR LF
            line 4 (byte 780): it ends in CR LF
            line 5 (byte 1040): it ends in CR LF
            line 6 (byte 1300): it ends in CR LF
            line 7 (byte 1560): it ends in CR LF
            line 8 (byte 1820): it ends in CR LF
            next 9, damaged from byte 0
        "#]],
    );
}

/// A number with one wrong bit looks like a gap. Were it believed, all that follows would look like old news.
#[test]
fn a_changed_number_does_not_hide_what_follows() {
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":6"#),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 6 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":94"#),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 94 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[0], r#""id":1"#, r#""id":9"#),
        &expect![[r#"
        line 1 (byte 0): entry 9 does not match its hash
        group 2 3
        group 4
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[7], r#""id":8"#, r#""id":9"#),
        &expect![[r#"
        group 1
        group 2 3
        group 4
        group 5 6 7
        line 8 (byte 1813): entry 9 does not match its hash
        next 9, damaged from byte 1813
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":8796093022207"#),
        &expect![[r#"
        group 1
        group 2 3
        line 4 (byte 777): entry 8796093022207 does not match its hash
        group 5 6 7
        group 8
        next 9
    "#]],
    );
    // Where the line cannot be linked either, those that follow show its number to be wrong.
    check(
        |lines| {
            break_hash(&mut lines[2]);
            replace(&mut lines[3], r#""id":4"#, r#""id":94"#);
        },
        &expect![[r#"
            group 1
            line 3 (byte 518): the hash is not 64 hex digits
            line 4 (byte 777): entry 94 stands before entry 5
            group 2
            group 5 6 7
            group 8
            next 9
        "#]],
    );
    check(
        |lines| {
            replace(&mut lines[3], r#""id":4"#, r#""id":94"#);
            alter(&mut lines[3]);
            alter(&mut lines[4]);
        },
        &expect![[r#"
            group 1
            group 2 3
            line 4 (byte 777): entry 94 stands before entry 6
            line 5 (byte 1037): entry 5 does not match its hash
            group 6 7
            group 8
            next 9
        "#]],
    );
}

/// The damage before it may have held fewer entries than are missing, so that a line seems to follow a gap; it is
/// its hash that was changed.
#[test]
fn a_changed_hash_after_a_gap_costs_its_own_line() {
    check(
        |lines| {
            let rest = lines[3].split_off(6);
            lines[1].splice(9.., rest);
            lines.drain(2..4);
            change_hash(&mut lines[2]);
        },
        &expect![[r#"
            group 1
            line 2 (byte 259): unknown field `4,`, expected one of `id`, `kind`, `payload`, `meta`, `branch`, `date`, `more`, `salt`, `hash`
            line 3 (byte 521): entry 5 does not match its hash
            group 6 7
            group 8
            next 9
        "#]],
    );
}

/// A group that begins inside another can only come from a writer with a defect, for the chain is whole.
#[test]
fn a_group_inside_another_ends_it() {
    let (bytes, groups) = tape(&[1, 3]);
    let mut lines = lines(&bytes);
    lines.truncate(3);
    let last = &groups[1].entries[1].entry;
    let Draft { kind, payload, meta, branch } = draft("next");
    let (id, date, salt) = (4, last.date, Salt::new([7; 16]));
    let digest = chain::digest(&salt, payload.get(), meta.get());
    let sealed = chain::sealed(id, kind.as_str(), &branch, &codec::date_text(date), 5, &digest);
    let mut other = last.clone();
    other.hash = chain::link(&last.hash, &sealed);
    (other.id, other.payload, other.meta, other.salt, other.more) = (id, payload, meta, salt, 5);
    let mut line = Vec::new();
    codec::encode(&other, &mut line);
    lines.push(line);
    expect![[r#"
        group 1
        line 4 (byte 777): entry 4 begins a group inside another, which is passed over
        next 10, torn from byte 777 (entry 4)
    "#]]
    .assert_eq(&found(&lines.concat()));
    agrees_with_verify(&open(&lines.concat()));
}

/// A tape whose first segment, with the entries 1 to 4, is closed, and may be harmed after that.
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
        group 1
        group 2 3
        group 4
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| alter(&mut lines[1]),
        &expect![[r#"
        group 1
        archive/tape-1-4.jsonl: line 2 (byte 259): entry 2 does not match its hash
        group 3
        group 4
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| alter(&mut lines[3]),
        &expect![[r#"
        group 1
        group 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): entry 4 does not match its hash
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| break_hash(&mut lines[3]),
        &expect![[r#"
        group 1
        group 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): the hash is not 64 hex digits
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| lines[3].truncate(100),
        &expect![[r#"
        group 1
        group 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): the last line has no end
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| drop(lines.pop()),
        &expect![[r#"
        group 1
        group 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): the segment ends after entry 3
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| drop(lines.drain(2..)),
        &expect![[r#"
        group 1
        archive/tape-1-4.jsonl: line 3 (byte 518): the segment ends after entry 2
        group 2
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
    "#]],
    );
    check(
        Vec::clear,
        &expect![[r#"
        archive/tape-1-4.jsonl: line 1 (byte 0): the segment ends after entry 0
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":5"#),
        &expect![[r#"
        group 1
        group 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): entry 5 does not match its hash
        group 5 6 7
        group 8
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":7"#),
        &expect![[r#"
        group 1
        group 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): entry 7 does not match its hash
        group 5 6 7
        group 8
    "#]],
    );
}

/// The name of a closed segment says how far it went: its end cannot go unseen, nor its numbers be given again.
#[test]
fn the_cut_end_of_the_last_closed_segment_is_seen() {
    let all = lines(&tape(&SIZES).0);
    let storage = open(&all[..3].concat());
    storage.archive(&Archived { first: 1, last: 8 }).unwrap();
    expect![[r#"
        group 1
        group 2 3
        archive/tape-1-8.jsonl: line 4 (byte 777): the segment ends after entry 3
    "#]]
    .assert_eq(&scan(&storage).text);
    agrees_with_verify(&storage);
    let (written, _) = write_on(&storage, Floor::default(), drafts(1));
    assert_eq!(written.last().unwrap().end.last_id, 9);
    expect![[r#"
        group 1
        group 2 3
        archive/tape-1-8.jsonl: line 4 (byte 777): the segment ends after entry 3
        group 9
    "#]]
    .assert_eq(&scan(&storage).text);
}

/// Each line that is not as it was written states a hash that the next may be linked to: an editor that changed
/// them all must not make the check endless.
#[test]
fn a_tape_that_was_changed_all_over_is_read_in_good_time() {
    let (bytes, _) = tape(&[1; 3000]);
    let text = String::from_utf8(bytes).unwrap().replace("text", "TEXT");
    let read = scan(&open(text.as_bytes()));
    assert_eq!((read.groups.len(), read.damage.len()), (0, 3000));
    assert_eq!(read.tail.next_id, 3001);
    assert_eq!(read.tail.last_hash, Hash::ZERO);
}
