//! Damage to lines is reported at its position, and only the damaged lines are lost.
//!
//! The tape of most tests has the groups `1`, `2 3`, `4`, `5 6 7` and `8`; the entry with ID n is on line n.

use std::sync::Arc;

use crate::common::{SIZES, alter, break_hash, change_hash, check, found, lines, open, replace, scan, tape};
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

/// Damages each field of the first, a middle and the last line: there is one report, and all other lines
/// count.
#[test]
fn a_changed_line_costs_itself() {
    type Harm = fn(&mut Vec<u8>);
    let harms: [Harm; 18] = [
        |line| replace(line, r#"{"id":"#, r#"{"id":1"#),
        |line| replace(line, r#"{"id":"#, r#"{"id":879609302"#),
        |line| replace(line, "event", "vvent"),
        alter,
        |line| replace(line, r#""meta":{}"#, r#""meta":{"origin":"user"}"#),
        |line| replace(line, "main", "mine"),
        |line| replace(line, ":00.000000", ":00.000001"),
        |line| replace(line, r#""more":0"#, r#""more":1"#),
        |line| replace(line, r#""salt":"0"#, r#""salt":"1"#),
        |line| replace(line, r#""prev":""#, r#""prev":"e"#),
        |line| {
            let at = line.len() - 90;
            line[at] = if line[at] == b'0' { b'1' } else { b'0' };
        },
        |line| change_hash(line),
        |line| break_hash(line),
        |line| replace(line, "{", "["),
        |line| line[40] = 0xff,
        |line| line.insert(line.len() - 1, b'\r'),
        |line| *line = b"\n".to_vec(),
        |line| *line = b"garbage\n".to_vec(),
    ];
    let mut reports = String::new();
    for harm in harms {
        for n in [0, 3, 7] {
            let mut lines = lines(&tape(&SIZES).0);
            harm(&mut lines[n]);
            let read = scan(&open(&lines.concat()));
            let left = ["2 3 | 4 | 5 6 7 | 8", "1 | 2 3 | 5 6 7 | 8", "1 | 2 3 | 4 | 5 6 7"][n / 3];
            assert_eq!(read.groups.iter().map(crate::common::ids).collect::<Vec<_>>().join(" | "), left);
            assert_eq!((read.damage.len(), read.damage[0].line), (1, Some(n as u64 + 1)), "{}", read.text);
            assert_eq!((read.tail.next_id, read.tail.damaged.is_some()), (9, n == 7));
            if n == 3 {
                reports += &format!("{}\n", read.damage[0].why);
            }
        }
    }
    expect![[r#"
        entry 14 does not match its hash
        entry 8796093024 does not match its hash
        entry 4 does not match its hash
        entry 4 does not match its hash
        entry 4 does not match its hash
        entry 4 does not match its hash
        entry 4 does not match its hash
        entry 4 does not match its hash
        entry 4 does not match its hash
        the previous line's hash is not 64 hex digits
        entry 4 does not match its hash
        entry 4 does not match its hash
        the hash is not 64 hex digits
        invalid type: string "id", expected u64
        not UTF-8
        it ends in CR LF
        not JSON
        not JSON
    "#]]
    .assert_eq(&reports);
}

/// For every set of damaged lines, all other lines count, and nothing else is reported.
#[test]
fn any_damaged_lines_cost_themselves() {
    let original = lines(&tape(&SIZES).0);
    for set in 0..1_u32 << original.len() {
        for harm in
            [alter, |line: &mut Vec<u8>| break_hash(line), |line: &mut Vec<u8>| *line = b"x\n".to_vec()]
        {
            let is_hit = |id: u64| set & 1 << (id - 1) != 0;
            let mut lines = original.clone();
            (1..).zip(&mut lines).filter(|(id, _)| is_hit(*id)).for_each(|(_, line)| harm(line));
            let read = scan(&open(&lines.concat()));
            let entries = read.groups.iter().flat_map(|group| &group.entries);
            let left: Vec<u64> = entries.map(|located| located.entry.id).collect();
            assert_eq!(left, (1..=8).filter(|id| !is_hit(*id)).collect::<Vec<_>>(), "{}", read.text);
            let reported: Vec<u64> = read.damage.iter().filter_map(|damage| damage.line).collect();
            assert_eq!(reported, (1..=8).filter(|id| is_hit(*id)).collect::<Vec<_>>(), "{}", read.text);
            assert_eq!(read.tail.next_id, 9);
        }
    }
}

/// The last group is incomplete and damaged. It counts if the damaged lines may have been all that is missing
/// of it.
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
        line 5 (byte 1332): entry 5 does not match its hash
        6 7
        next 8
    "#]],
    );
    last(
        |lines| lines[5..7].iter_mut().for_each(alter),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1665): entry 6 does not match its hash
        line 7 (byte 1998): entry 7 does not match its hash
        5
        next 8, damaged from byte 1665
    "#]],
    );
    last(
        |lines| *lines[5].last_mut().unwrap() = b' ',
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1665): not JSON
        5
        next 8, damaged from byte 1665
    "#]],
    );
    // This group cannot have been complete. It does not count, but is not cut either: it may have been
    // acknowledged.
    last(
        |lines| {
            alter(&mut lines[5]);
            lines.pop();
        },
        &expect![[r#"
            1 | 2 3 | 4
            line 6 (byte 1665): entry 6 does not match its hash
            next 8, damaged from byte 1665
        "#]],
    );
    last(
        |lines| drop(lines.remove(5)),
        &expect![[r#"
        1 | 2 3 | 4
        line 6 (byte 1665): entry 6 is missing before entry 7
        5 7
        next 8
    "#]],
    );
    last(
        |lines| {
            lines.pop();
            lines.remove(4);
        },
        &expect![[r#"
            1 | 2 3 | 4
            line 5 (byte 1332): entry 5 is missing before entry 6
            next 8, torn from byte 1332 (entry 6)
        "#]],
    );
}
