//! Helpers of the tape tests: building tapes, damaging them, and describing as text what a reader finds.

#![allow(dead_code, reason = "each file of tests uses its own part of this")]
use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::Expect;
use jiff::Timestamp;
use memtape_tape::{
    BadLine, Damage, Draft, Durability, Error, Floor, Group, Kind, MemoryStorage, Position, Recovered, Salt,
    Salts, Scanned, Segments, Storage, Tail, Writer, verify,
};
use serde_json::json;

/// The fixed time of the tests' clock.
pub(crate) fn now() -> Timestamp {
    "2026-02-10T10:00:00Z".parse().unwrap()
}

/// Returns salts that count up, so that a test always writes the same bytes.
pub(crate) fn counting_salts() -> impl Salts {
    let mut n: u128 = 0;
    move || {
        n += 1;
        Salt::new(n.to_be_bytes())
    }
}

/// Returns an event with a short text.
pub(crate) fn draft(text: &str) -> Draft {
    Draft::new(Kind::Event, &json!({"name": "test", "data": text}), &json!({}), "main").unwrap()
}

/// Returns this number of events.
pub(crate) fn drafts(count: usize) -> Vec<Draft> {
    (0..count).map(|n| draft(&format!("text {n}"))).collect()
}

/// Returns a storage whose active segment has this content.
pub(crate) fn open(bytes: &[u8]) -> Arc<dyn Storage> {
    Arc::new(MemoryStorage::with_tape(bytes.to_vec()))
}

/// Returns a tape with one group of each of these sizes, and the groups.
pub(crate) fn tape(sizes: &[usize]) -> (Vec<u8>, Vec<Group>) {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let tail = scan(&storage).tail;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
    let mut salts = counting_salts();
    let groups =
        sizes.iter().flat_map(|size| writer.append(drafts(*size), now(), &mut salts).unwrap()).collect();
    (memory.tape(), groups)
}

/// Returns the bytes of the active segment.
pub(crate) fn bytes(storage: &Arc<dyn Storage>) -> Vec<u8> {
    let blob = storage.active().unwrap().unwrap();
    let mut bytes = vec![0; usize::try_from(blob.len().unwrap()).unwrap()];
    assert_eq!(blob.read_at(0, &mut bytes).unwrap(), bytes.len());
    bytes
}

/// Returns the lines of a tape, each with its line feed.
pub(crate) fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Replaces the first occurrence of a text in a line, which must contain it.
pub(crate) fn replace(line: &mut Vec<u8>, old: &str, new: &str) {
    let text = String::from_utf8(line.clone()).unwrap();
    assert!(text.contains(old), "{old:?} stands in {text}");
    *line = text.replacen(old, new, 1).into_bytes();
}

/// The result of a scan.
pub(crate) struct Scan {
    pub(crate) groups: Vec<Group>,
    pub(crate) damage: Vec<Damage>,
    pub(crate) tail: Tail,
    /// Groups and damage in their order, as text. In `1 | 2 3`, the bar separates two groups.
    pub(crate) text: String,
}

/// Reads the whole tape.
pub(crate) fn scan(storage: &Arc<dyn Storage>) -> Scan {
    scan_from(storage, Position::START)
}

/// Reads the tape from a position on.
pub(crate) fn scan_from(storage: &Arc<dyn Storage>, from: Position) -> Scan {
    let (mut groups, mut damage, mut text) = (Vec::new(), Vec::new(), String::new());
    let mut begun = false;
    let each = |scanned| {
        match scanned {
            Scanned::Group(group) => {
                write!(text, "{}{}", if begun { " | " } else { "" }, ids(&group)).unwrap();
                begun = true;
                groups.push(group);
            }
            Scanned::Damage(found) => {
                writeln!(text, "{}{}", if begun { "\n" } else { "" }, BadLine(found.clone())).unwrap();
                begun = false;
                damage.push(found);
            }
        }
        Ok::<(), Error>(())
    };
    let tail = Segments::open(storage).unwrap().scan(from).run(each).unwrap();
    if begun {
        text.push('\n');
    }
    Scan { groups, damage, tail, text }
}

/// Describes what a reader finds, and the state of the tape's end as a writer sees it.
pub(crate) fn found(bytes: &[u8]) -> String {
    let Scan { tail, mut text, .. } = scan(&open(bytes));
    write!(text, "next {}", tail.next_id).unwrap();
    if let Some(torn) = tail.torn {
        write!(text, ", torn from byte {} (entry {})", torn.start, torn.first).unwrap();
    }
    if let Some(from) = tail.damaged {
        write!(text, ", damaged from byte {from}").unwrap();
    }
    if tail.unfinished_line {
        text.push_str(", unfinished");
    }
    text.push('\n');
    text
}

/// Returns the IDs of a group's entries.
pub(crate) fn ids(group: &Group) -> String {
    group.entries.iter().map(|located| located.entry.id.to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns each group as text; two texts are equal if and only if the groups are.
pub(crate) fn spelled(groups: &[Group]) -> Vec<String> {
    groups.iter().map(|group| format!("{group:?}")).collect()
}

/// Scans the tape and appends one group, as a new process would.
pub(crate) fn write_on(
    storage: &Arc<dyn Storage>,
    floor: Floor,
    drafts: Vec<Draft>,
) -> (Vec<Group>, Option<Recovered>) {
    let tail = scan(storage).tail;
    let (mut writer, recovered) = Writer::new(storage, tail, floor, Durability::Sync).unwrap();
    (writer.append(drafts, now(), &mut counting_salts()).unwrap(), recovered)
}

/// Returns the floor of a reader that has read the first segment up to this offset.
pub(crate) fn read_to(offset: usize) -> Floor {
    Floor { segment: 1, offset: offset as u64 }
}

/// The group sizes of the tape that most damage tests use.
pub(crate) const SIZES: [usize; 5] = [1, 2, 1, 3, 1];

/// Damages a tape, passed as its lines and indexed from 0, and checks the result of reading it.
pub(crate) fn check(harm: impl FnOnce(&mut Vec<Vec<u8>>), expected: &Expect) {
    let mut lines = lines(&tape(&SIZES).0);
    harm(&mut lines);
    let bytes = lines.concat();
    expected.assert_eq(&found(&bytes));
    agrees_with_verify(&open(&bytes));
}

/// Checks that `verify` reports exactly the damage that a reader skips, and counts the groups that it
/// returns.
pub(crate) fn agrees_with_verify(storage: &Arc<dyn Storage>) {
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

/// Changes the text of an entry without changing its hash.
pub(crate) fn alter(line: &mut Vec<u8>) {
    replace(line, "text", "TEXT");
}

/// Makes the hash of a line syntactically invalid.
pub(crate) fn break_hash(line: &mut [u8]) {
    let at = line.len() - 10;
    line[at] = b'!';
}

/// Changes one digit of a line's hash.
pub(crate) fn change_hash(line: &mut [u8]) {
    let at = line.len() - 10;
    line[at] = if line[at] == b'0' { b'1' } else { b'0' };
}
