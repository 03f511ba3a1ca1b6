//! Lines that are missing, doubled, exchanged or merged, and segments that were cut: what is reported, and what
//! still counts. The tape is that of the tests of damage to lines.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{
    SIZES, agrees_with_verify, alter, break_hash, check, draft, drafts, found, lines, open, replace, scan,
    tape, write_on,
};
use expect_test::{Expect, expect};
use memtape_tape::{Archived, Draft, Floor, Hash, Salt, Seal, Storage, chain, codec};

#[test]
fn a_missing_line() {
    check(
        |lines| drop(lines.remove(3)),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 4 is missing before entry 5
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
        |lines| drop(lines.drain(3..7)),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entries 4 to 7 are missing before entry 8
        8
        next 9
    "#]],
    );
    // Nothing shows that the last group is missing; one line of it does.
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
            1
            line 3 (byte 518): entry 3 does not match its hash
            line 4 (byte 777): entry 4 is missing before entry 5
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
            line 4 (byte 777): entry 4 is missing before entry 5
            5 6 7 | 8
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
        line 5 (byte 1036): entry 4 stands after entry 4
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines.insert(5, lines[4].clone()),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1295): entry 5 stands after entry 5
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines.push(lines[7].clone()),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7 | 8
        line 9 (byte 2072): entry 8 stands after entry 8
        next 10, damaged from byte 2072
    "#]],
    );
    check(
        |lines| lines.extend_from_within(..),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7 | 8
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
        1 | 2 3
        line 4 (byte 777): entry 5 is not in its place before entry 6
        4
        line 6 (byte 1295): entry 5 is missing before entry 6
        6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines.swap(4, 5),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1036): entry 6 is not in its place before entry 7
        line 7 (byte 1554): entry 6 is missing before entry 7
        5 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| lines.swap(0, 7),
        &expect![[r#"
        line 1 (byte 0): entry 8 is not in its place before entry 3
        line 2 (byte 259): entry 2 does not match its hash
        3 | 4 | 5 6 7
        line 8 (byte 1813): entry 1 stands after entry 7
        next 9, damaged from byte 1813
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
        |lines| merge(lines, 3),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): not JSON
        6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 4),
        &expect![[r#"
        1 | 2 3 | 4
        line 5 (byte 1036): not JSON
        7 | 8
        next 9
    "#]],
    );
    check(
        |lines| merge(lines, 6),
        &expect![[r#"
        1 | 2 3 | 4
        line 7 (byte 1554): not JSON
        5 6
        next 9, damaged from byte 1554
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
    (other.id, other.payload, other.meta, other.more) = (id, payload, meta, 5);
    other.seal = Seal::Salt(salt);
    let mut line = Vec::new();
    codec::encode(&other, &mut line);
    lines.push(line);
    expect![[r#"
        1
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
#[allow(clippy::too_many_lines, reason = "most of it is expected text")]
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
        archive/tape-1-4.jsonl: line 2 (byte 259): entry 2 does not match its hash
        3 | 4 | 5 6 7 | 8
    "#]],
    );
    check(
        |lines| alter(&mut lines[3]),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): entry 4 does not match its hash
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| break_hash(&mut lines[3]),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): the hash is not 64 hex digits
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| lines[3].truncate(100),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): the last line has no end
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| drop(lines.pop()),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): the segment ends after entry 3
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| drop(lines.drain(2..)),
        &expect![[r#"
        1
        archive/tape-1-4.jsonl: line 3 (byte 518): the segment ends after entry 2
        2
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
    "#]],
    );
    check(
        Vec::clear,
        &expect![[r#"
        archive/tape-1-4.jsonl: line 1 (byte 0): the segment ends after entry 0
        line 1 (byte 0): entry 5 cannot be linked to the damage before it
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":5"#),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): entry 5 does not match its hash
        5 6 7 | 8
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":7"#),
        &expect![[r#"
        1 | 2 3
        archive/tape-1-4.jsonl: line 4 (byte 777): entry 7 does not match its hash
        5 6 7 | 8
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
        1 | 2 3
        archive/tape-1-8.jsonl: line 4 (byte 777): the segment ends after entry 3
    "#]]
    .assert_eq(&scan(&storage).text);
    agrees_with_verify(&storage);
    let (written, _) = write_on(&storage, Floor::default(), drafts(1));
    assert_eq!(written.last().unwrap().end.last_id, 9);
    expect![[r#"
        1 | 2 3
        archive/tape-1-8.jsonl: line 4 (byte 777): the segment ends after entry 3
        9
    "#]]
    .assert_eq(&scan(&storage).text);
}

/// Each line that is not as it was written states a hash that the next may be linked to: an editor that changed
/// them all must not make the check endless.
#[test]
fn a_tape_that_was_changed_all_over_is_read_in_good_time() {
    let (bytes, _) = tape(&[1; 3000]);
    let text = String::from_utf8(bytes).unwrap().replace("text", "TEXT");
    let begin = Instant::now();
    let read = scan(&open(text.as_bytes()));
    assert_eq!((read.groups.len(), read.damage.len()), (0, 3000));
    assert_eq!(read.tail.next_id, 3001);
    assert_eq!(read.tail.last_hash, Hash::ZERO);
    // It takes a part of a second; were each line compared with all before it, a quarter of a minute.
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}
