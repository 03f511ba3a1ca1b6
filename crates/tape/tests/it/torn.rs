//! Torn tails: the remains of an interrupted write are saved and cut off, but never an acknowledged entry.

use std::fs;
use std::sync::Arc;

use crate::common;
use crate::common::{
    draft, drafts, lines, now, open, read_to, replace, scan, scan_from, spelled, tape, write_on,
};
use memtape_tape::{
    Archived, Durability, Error, ErrorKind, FileStorage, Floor, Group, Kind, MemoryStorage, Position,
    Recovered, Segments, Storage, Writer, verify,
};

const SIZES: [usize; 4] = [1, 2, 1, 3];

/// Returns the offsets of the ends of all groups, preceded by the start of the tape.
fn ends(groups: &[Group]) -> Vec<usize> {
    let ends = groups.iter().map(|group| usize::try_from(group.end.offset).unwrap());
    std::iter::once(0).chain(ends).collect()
}

fn medium(bytes: &[u8]) -> (MemoryStorage, Arc<dyn Storage>) {
    let memory = MemoryStorage::with_tape(bytes.to_vec());
    (memory.clone(), Arc::new(memory))
}

/// Returns the byte range in the `error` entry before the written entries.
fn named_range(written: &[Group]) -> (u64, u64) {
    let note = &written[0].entries[0].entry;
    assert_eq!((note.kind.clone(), note.more), (Kind::Error, 0));
    let payload: serde_json::Value = serde_json::from_str(note.payload.get()).unwrap();
    assert_eq!(payload["kind"], "tape.damage");
    (payload["details"]["from_byte"].as_u64().unwrap(), payload["details"]["to_byte"].as_u64().unwrap())
}

#[test]
fn a_tape_cut_at_any_byte_keeps_whole_groups_and_is_writable() {
    let (bytes, groups) = tape(&SIZES);
    for cut in 0..=bytes.len() {
        let (memory, storage) = medium(&bytes[..cut]);
        let whole: Vec<Group> =
            groups.iter().filter(|group| group.end.offset <= cut as u64).cloned().collect();
        let end = ends(&whole).pop().unwrap();
        let found = scan(&storage);
        assert_eq!(spelled(&found.groups), spelled(&whole), "cut at {cut}");
        assert!(found.damage.is_empty(), "cut at {cut}: {}", found.text);
        let report = verify(&storage).unwrap();
        assert_eq!(report.torn, (cut > end).then_some((end as u64, (cut - end) as u64)), "cut at {cut}");

        let (written, recovered) = write_on(&storage, Floor::default(), drafts(2));
        let next = whole.last().map_or(0, |group| group.end.last_id) + 1;
        assert_eq!(written.len(), 1, "cut at {cut}: only what was asked for is written");
        assert_eq!(written[0].entries[0].entry.id, next, "cut at {cut}: the number was never given");
        assert_eq!(spelled(&scan(&storage).groups), spelled(&[whole, written].concat()), "cut at {cut}");
        let report = verify(&storage).unwrap();
        assert_eq!((report.bad, report.torn), (vec![], None), "cut at {cut}");
        let kept: Vec<(String, Vec<u8>)> = memory.torn().into_iter().collect();
        match recovered {
            None => assert!(cut == end && kept.is_empty(), "cut at {cut}"),
            Some(Recovered::Torn { kept: name, bytes: length }) => {
                assert!(name.starts_with(&format!("archive/torn-{next}")), "cut at {cut}: {name}");
                assert_eq!(length, (cut - end) as u64, "cut at {cut}");
                assert_eq!(kept, [(name, bytes[end..cut].to_vec())], "cut at {cut}");
            }
            Some(other) => panic!("cut at {cut}: {other:?}"),
        }
    }
}

/// Entries that an index has read were acknowledged, even if they are damaged now.
#[test]
fn below_the_floor_nothing_is_cut() {
    let (bytes, groups) = tape(&SIZES);
    let (start, end) = (ends(&groups)[3], bytes.len());
    for cut in start + 1..end {
        let (memory, storage) = medium(&bytes[..cut]);
        let (written, recovered) = write_on(&storage, read_to(end), drafts(1));
        assert!(memory.torn().is_empty(), "cut at {cut}");
        assert!(memory.tape().starts_with(&bytes[..cut]), "cut at {cut}");
        let (from, to) = named_range(&written);
        assert!(from == start as u64 || cut == end - 1, "cut at {cut}: from {from}");
        assert!(
            to as usize == cut || to as usize == cut + 1 && bytes[cut - 1] != b'\n',
            "cut at {cut}: to {to}"
        );
        assert_eq!(recovered, Some(Recovered::Damaged { segment: 1, from, to }), "cut at {cut}");
        // The first line states the size of the group. Without it, it is unknown which other IDs were used.
        let given = if cut >= ends_of_lines(&bytes)[4] { 7 } else { 5 };
        assert!(written[0].entries[0].entry.id > given, "cut at {cut}: it is given again");

        // The remaining lines of the group count from now on, because it was acknowledged.
        let found = scan(&storage);
        let left = (5..=7).filter(|id| ends_of_lines(&bytes)[*id - 1] <= cut + 1).count();
        let counted = found.groups.iter().find(|group| group.entries[0].entry.id == 5);
        assert_eq!(counted.map_or(0, |group| group.entries.len()), left, "cut at {cut}: {}", found.text);
        assert_eq!(spelled(&found.groups[..3]), spelled(&groups[..3]), "cut at {cut}");
        assert!(spelled(&found.groups).ends_with(&spelled(&written)), "cut at {cut}: {}", found.text);
        assert_eq!((found.tail.torn, found.tail.damaged), (None, None), "cut at {cut}");
        // The damage is reported once: the next writer finds the tape in order.
        let (written, recovered) = write_on(&storage, read_to(end), drafts(1));
        assert_eq!((written.len(), recovered), (1, None), "cut at {cut}");
    }
}

/// Returns the offset of the end of each line, including its line feed.
fn ends_of_lines(bytes: &[u8]) -> Vec<usize> {
    lines(bytes)
        .iter()
        .scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        })
        .collect()
}

#[test]
fn a_torn_tail_above_the_floor_is_cut() {
    let (bytes, groups) = tape(&SIZES);
    let start = ends(&groups)[3];
    for floor in [Floor::default(), read_to(ends(&groups)[2]), read_to(start)] {
        let (_, storage) = medium(&bytes[..bytes.len() - 20]);
        let (_, recovered) = write_on(&storage, floor, drafts(1));
        assert!(matches!(recovered, Some(Recovered::Torn { .. })), "{floor:?}: {recovered:?}");
    }
    let (_, storage) = medium(&bytes[..bytes.len() - 20]);
    let (_, recovered) = write_on(&storage, read_to(start + 1), drafts(1));
    assert!(matches!(recovered, Some(Recovered::Damaged { .. })), "{recovered:?}");
}

/// A floor in an earlier segment does not protect the active segment.
#[test]
fn a_floor_in_another_segment_has_no_effect() {
    let (bytes, groups) = tape(&SIZES);
    let (first, second) = bytes.split_at(ends(&groups)[3]);
    let (memory, storage) = medium(first);
    storage.archive(&Archived { first: 1, last: 4 }).unwrap();
    storage.append(0, &second[..second.len() - 1]).unwrap();
    let (written, recovered) = write_on(&storage, read_to(first.len()), drafts(1));
    assert!(matches!(recovered, Some(Recovered::Torn { .. })), "{recovered:?}");
    assert_eq!(memory.torn().into_values().collect::<Vec<_>>(), [second[..second.len() - 1].to_vec()]);
    assert_eq!(written[0].entries[0].entry.id, 5);
    assert_eq!(verify(&storage).unwrap().bad, []);
}

/// Some editors remove the last line feed of a file. A writer that had read up to the end has read one byte
/// more than there is now; it must neither leave a hole nor continue on the same line.
#[test]
fn a_missing_final_newline_is_restored() {
    let (bytes, groups) = tape(&SIZES);
    let end = groups[3].end;
    let dir = tempfile::tempdir().unwrap();
    let file: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    file.create().unwrap();
    fs::write(dir.path().join("tape.jsonl"), &bytes[..bytes.len() - 1]).unwrap();
    for storage in [file, open(&bytes[..bytes.len() - 1])] {
        let tail = scan_from(&storage, end).tail;
        assert_eq!(tail.len, end.offset - 1);
        assert!(!tail.is_clean());
        let (mut writer, recovered) =
            Writer::new(&storage, tail, read_to(bytes.len()), Durability::Sync).unwrap();
        let written = writer.append(drafts(1), now(), &mut common::counting_salts()).unwrap();
        assert_eq!(named_range(&written), (end.offset - 1, end.offset));
        let (from, to) = (end.offset - 1, end.offset);
        assert_eq!(recovered, Some(Recovered::Damaged { segment: 1, from, to }));
        assert_eq!(spelled(&scan(&storage).groups), spelled(&[groups.clone(), written].concat()));
        assert_eq!(verify(&storage).unwrap().bad, []);
    }
}

/// If more than the line feed is missing, the last line that was read no longer exists, and no reader can continue
/// there.
/// there.
#[test]
fn no_reader_continues_beyond_the_end() {
    let (bytes, groups) = tape(&SIZES);
    let position = groups[3].end;
    let one_group_less = ends(&groups)[3];
    for cut in [0, 1, one_group_less - 1, one_group_less, bytes.len() - 2] {
        let mut scanner = Segments::open(&open(&bytes[..cut])).unwrap().scan(position);
        let refused = scanner.next().unwrap_err();
        assert!(matches!(refused, Error::Unreadable { id: 7, .. }), "cut at {cut}: {refused}");
        assert_eq!(refused.kind(), ErrorKind::Corrupt);
    }
    let nothing: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    assert!(Segments::open(&nothing).unwrap().scan(position).next().is_err());
    assert!(Segments::open(&nothing).unwrap().scan(Position::START).next().unwrap().is_none());
}

/// Damage before a torn tail is left in place and reported.
#[test]
fn only_bytes_after_the_damage_are_cut() {
    let (bytes, _) = tape(&SIZES);
    let mut lines = lines(&bytes);
    replace(&mut lines[3], "text", "TEXT");
    let (before, torn) = (lines[..4].concat(), lines[4..6].concat());
    let (memory, storage) = medium(&[before.clone(), torn.clone()].concat());
    let (written, recovered) = write_on(&storage, Floor::default(), drafts(1));
    assert!(matches!(recovered, Some(Recovered::Torn { .. })), "{recovered:?}");
    assert_eq!(memory.torn().into_values().collect::<Vec<_>>(), [torn]);
    assert_eq!(named_range(&written), (before.len() as u64 - lines[3].len() as u64, before.len() as u64));
    assert_eq!(written[0].entries[0].entry.id, 5, "4 had been given, and is not given again");
    assert_eq!(verify(&storage).unwrap().bad.len(), 1);
}

/// A writer that finds damage reports it once, before its own entries, even if it has nothing else to write.
#[test]
fn damage_at_the_end_is_named_once() {
    let (bytes, _) = tape(&SIZES);
    for garbage in ["garbage\n", "\n", "one\ntwo\n"] {
        let damaged = [&bytes, garbage.as_bytes()].concat();
        let (memory, storage) = medium(&damaged);
        let (written, recovered) = write_on(&storage, Floor::default(), Vec::new());
        assert_eq!(named_range(&written), (bytes.len() as u64, damaged.len() as u64));
        assert!(matches!(recovered, Some(Recovered::Damaged { segment: 1, .. })), "{recovered:?}");
        assert!(memory.tape().starts_with(&damaged));
        let (written, recovered) = write_on(&storage, Floor::default(), Vec::new());
        assert_eq!((written.len(), recovered), (0, None));
    }
}

#[test]
fn a_directory_keeps_every_torn_tail() {
    let dir = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    storage.create().unwrap();
    write_on(&storage, Floor::default(), drafts(2));
    let path = dir.path().join("tape.jsonl");
    let whole = fs::read(&path).unwrap();
    for (name, text) in [("torn-3", "{\"id\":3,"), ("torn-3.2", "x"), ("torn-3.3", "{\"id\":3,")] {
        fs::write(&path, [&whole, text.as_bytes()].concat()).unwrap();
        let tail = scan(&storage).tail;
        let (_, recovered) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
        let kept = format!("archive/{name}");
        assert_eq!(recovered, Some(Recovered::Torn { kept, bytes: text.len() as u64 }));
        assert_eq!(fs::read_to_string(dir.path().join("archive").join(name)).unwrap(), text);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    let (written, _) = write_on(&storage, Floor::default(), vec![draft("on")]);
    assert_eq!(written[0].end.last_id, 3);
    assert_eq!(verify(&storage).unwrap().bad, []);
}

/// A group without its end counts because something was written after it. If that was torn and is cut, the
/// group still counts as acknowledged, and its lost ID is not reused.
#[test]
fn a_group_that_lost_its_end_outlives_the_torn_tail_after_it() {
    let (bytes, groups) = tape(&[3, 2]);
    let mut lines = lines(&bytes);
    lines.remove(2);
    let (_, storage) = medium(&lines[..3].concat());
    let before = scan(&storage);
    assert_eq!(common::ids(&before.groups[0]), "1 2");
    let (written, recovered) = write_on(&storage, Floor::default(), drafts(1));
    assert!(matches!(recovered, Some(Recovered::Torn { .. })), "{recovered:?}");
    assert_eq!(written[0].entries[0].entry.id, groups[1].entries[0].entry.id);
    assert_eq!(spelled(&scan(&storage).groups), spelled(&[before.groups, written].concat()));
}

/// The last line of a damaged group has no line feed. The next writer decides whether it counts.
#[test]
fn a_damaged_group_counts_once_its_unfinished_line_is_decided() {
    let mut lines = lines(&tape(&[1, 4]).0);
    replace(&mut lines[3], "text", "TEXT");
    lines[4].pop();
    assert_eq!(on(&lines), ["1", "1 | 2 3 | 6 | 7", "1 | 2 3 5 | 6 | 7"]);
}

/// A line copied to an earlier position is detected by the lines after it. If those are torn and cut, nothing
/// shows that it is misplaced.
#[test]
fn a_copied_line_before_a_torn_tail_waits_for_a_writer() {
    let all = lines(&tape(&[1, 1, 1, 3]).0);
    let mut lines = [all[0].clone(), all[2].clone(), all[1].clone()];
    lines[2].pop();
    assert_eq!(on(&lines), ["1", "1 | 3 | 4", "1 | 2 | 3 | 4"]);
}

/// Returns the groups that a reader finds: before a write, after a write that may cut the tail, and after one
/// that may not.
fn on(lines: &[Vec<u8>]) -> [String; 3] {
    let ids = |scan: &common::Scan| scan.groups.iter().map(common::ids).collect::<Vec<_>>().join(" | ");
    let bytes = lines.concat();
    let before = scan(&open(&bytes));
    let after = [Floor::default(), read_to(bytes.len())].map(|floor| {
        let storage = open(&bytes);
        let (written, _) = write_on(&storage, floor, drafts(1));
        let after = scan(&storage);
        assert!(spelled(&after.groups).starts_with(&spelled(&before.groups)), "{}", after.text);
        assert!(spelled(&after.groups).ends_with(&spelled(&written)), "{}", after.text);
        ids(&after)
    });
    let [cut, kept] = after;
    [ids(&before), cut, kept]
}
