//! Changed numbers, and lines that cannot be linked: what is believed of them.
//!
//! The tape of most tests has the groups `1`, `2 3`, `4`, `5 6 7` and `8`, each entry on the line of its number.

use crate::common::{alter, break_hash, change_hash, check, draft, found, lines, open, replace, write_on};
use expect_test::expect;
use memtape_tape::{Draft, Floor, Kind};
use serde_json::json;

/// A number with one wrong bit looks like a gap. Were it believed, all that follows would look like old news.
#[test]
fn a_changed_number_does_not_hide_what_follows() {
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":6"#),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 6 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":94"#),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 94 does not match its hash
        5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[0], r#""id":1"#, r#""id":9"#),
        &expect![[r#"
        line 1 (byte 0): entry 9 does not match its hash
        2 3 | 4 | 5 6 7 | 8
        next 9
    "#]],
    );
    check(
        |lines| replace(&mut lines[7], r#""id":8"#, r#""id":9"#),
        &expect![[r#"
        1 | 2 3 | 4 | 5 6 7
        line 8 (byte 1813): entry 9 does not match its hash
        next 9, damaged from byte 1813
    "#]],
    );
    check(
        |lines| replace(&mut lines[3], r#""id":4"#, r#""id":8796093022207"#),
        &expect![[r#"
        1 | 2 3
        line 4 (byte 777): entry 8796093022207 does not match its hash
        5 6 7 | 8
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
            1
            line 3 (byte 518): the hash is not 64 hex digits
            line 4 (byte 777): entry 94 is not in its place before entry 5
            2 | 5 6 7 | 8
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
            1 | 2 3
            line 4 (byte 777): entry 94 is not in its place before entry 6
            line 5 (byte 1037): entry 5 does not match its hash
            6 7 | 8
            next 9
        "#]],
    );
}

/// Another entry has the number by right, though nothing that is left is chained to it but what follows.
#[test]
fn a_changed_number_does_not_take_the_place_of_another() {
    check(
        |lines| {
            break_hash(&mut lines[2]);
            replace(&mut lines[3], r#""id":4"#, r#""id":6"#);
            break_hash(&mut lines[4]);
        },
        &expect![[r#"
            1
            line 3 (byte 518): the hash is not 64 hex digits
            line 4 (byte 777): entry 6 is not in its place before entry 7
            line 5 (byte 1036): the hash is not 64 hex digits
            line 6 (byte 1295): entry 6 cannot be linked to the damage before it
            2 | 6 7 | 8
            next 9
        "#]],
    );
}

/// Objects in a payload may have an `id` too: they are no entries that damage could hold.
#[test]
fn an_id_in_a_payload_is_no_entry() {
    let storage = open(&[]);
    let payload = json!({"calls": [{"id": 1}, {"id": "a"}, {"id": 2, "kind": "x"}]});
    for n in 0..4 {
        let draft = match n {
            1 => Draft::new(Kind::ToolCall, &payload, &json!({}), "main").unwrap(),
            _ => draft("x"),
        };
        write_on(&storage, Floor::default(), vec![draft]);
    }
    let blob = storage.active().unwrap().unwrap();
    let mut bytes = vec![0; usize::try_from(blob.len().unwrap()).unwrap()];
    blob.read_at(0, &mut bytes).unwrap();
    let mut lines = lines(&bytes);
    lines[1][40] = 0xff;
    lines.remove(2);
    expect![[r#"
        1
        line 2 (byte 254): not UTF-8
        line 3 (byte 537): entry 4 cannot be linked to the damage before it
        4
        next 5
    "#]]
    .assert_eq(&found(&lines.concat()));
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
            1
            line 2 (byte 259): unknown field `4,`, expected one of `id`, `kind`, `payload`, `meta`, `branch`, `date`, `more`, `salt`, `erased`, `hash`
            line 3 (byte 521): entry 5 does not match its hash
            6 7 | 8
            next 9
        "#]],
    );
}

/// The same, and the hash behind it was changed too: the line behind both shows what each ought to have.
#[test]
fn changed_hashes_in_a_row_after_a_gap_cost_their_own_lines() {
    check(
        |lines| {
            lines[1].remove(0);
            change_hash(&mut lines[2]);
            change_hash(&mut lines[3]);
        },
        &expect![[r#"
            1
            line 2 (byte 259): invalid type: string "id", expected struct Fields
            line 3 (byte 517): entry 3 does not match its hash
            line 4 (byte 776): entry 4 does not match its hash
            5 6 7 | 8
            next 9
        "#]],
    );
}

/// The line behind a changed number is chained to it by a hash that was changed as well.
#[test]
fn a_changed_number_before_a_changed_hash_does_not_hide_what_follows() {
    check(
        |lines| {
            break_hash(&mut lines[1]);
            replace(&mut lines[2], r#""id":3"#, r#""id":4"#);
            change_hash(&mut lines[3]);
        },
        &expect![[r#"
            1
            line 2 (byte 259): the hash is not 64 hex digits
            line 3 (byte 518): entry 4 is not in its place before entry 5
            line 4 (byte 777): entry 4 does not match its hash
            5 6 7 | 8
            next 9
        "#]],
    );
}
