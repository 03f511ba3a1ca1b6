//! Erasure: the text is removed, everything else is unchanged, and the event proves what replaced the text.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common;
use crate::common::{counting_salts, lines, now, open, scan, write_on};
use expect_test::expect;
use memtape_tape::{
    Draft, Durability, Entry, Error, FileStorage, Floor, Intent, Kind, MemoryStorage, RawLine, Replaced,
    ReplacedLine, Segments, Storage, Writer, erase, verify,
};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;
use serde_json::value::RawValue;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// Returns a text that occurs only in the entry with this ID.
fn text_of(id: u64) -> String {
    format!("«{id}» was said")
}

/// Writes groups of these sizes; a segment is closed after each group that is marked.
fn fill(storage: &Arc<dyn Storage>, groups: &[(usize, bool)]) {
    let mut id = 0;
    for (size, closed) in groups {
        let draft = |_| {
            id += 1;
            let payload = json!({"role": "user", "content": text_of(id)});
            Draft::new(Kind::Message, &payload, &json!({"note": text_of(id)}), "main").unwrap()
        };
        write_on(storage, Floor::default(), (0..*size).map(draft).collect());
        if *closed {
            let (mut writer, _) =
                Writer::new(storage, scan(storage).tail, Floor::default(), Durability::Sync).unwrap();
            writer.archive(now(), &mut counting_salts()).unwrap();
        }
    }
}

fn entries(storage: &Arc<dyn Storage>) -> BTreeMap<u64, Entry> {
    let groups = scan(storage).groups;
    groups
        .into_iter()
        .flat_map(|group| group.entries)
        .map(|located| (located.entry.id, located.entry))
        .collect()
}

/// Returns all lines of all segments.
fn all_lines(storage: &Arc<dyn Storage>) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let each = |line: RawLine<'_>| {
        all.push(line.bytes.to_vec());
        Ok::<(), Error>(())
    };
    Segments::open(storage).unwrap().each_line(each).unwrap();
    all
}

/// The replacement of an entry's text; `None` for nothing.
type With = Option<&'static str>;

fn intent(storage: &Arc<dyn Storage>, wanted: &[(u64, With)], lines: Vec<ReplacedLine>) -> Intent {
    let entries = entries(storage);
    let replaced = |(id, with): &(u64, With)| {
        let payload = with.map_or_else(|| raw("{}"), |text| raw(&json!({"content": text}).to_string()));
        Replaced::new(&entries[id], payload, raw(r#"{"retires":[1048576]}"#)).unwrap()
    };
    Intent {
        after: scan(storage).tail.next_id - 1,
        branch: "main".into(),
        meta: raw("{}"),
        reason: "it was asked for".into(),
        entries: wanted.iter().map(replaced).collect(),
        lines,
    }
}

/// Completes an erasure, as a process does that finds its intent. Returns the ID of the event.
fn finish(storage: &Arc<dyn Storage>, intent: &Intent) -> u64 {
    intent.keep(storage.as_ref()).unwrap();
    erase::finish(storage, Floor::default(), now(), &mut counting_salts()).unwrap().unwrap();
    storage.set_intent(None).unwrap();
    assert!(erase::finish(storage, Floor::default(), now(), &mut counting_salts()).unwrap().is_none());
    scan(storage).tail.next_id - 1
}

fn media() -> (tempfile::TempDir, [Arc<dyn Storage>; 2]) {
    let dir = tempfile::tempdir().unwrap();
    let file = FileStorage::new(dir.path());
    file.create().unwrap();
    (dir, [Arc::new(MemoryStorage::new()), Arc::new(file)])
}

#[test]
fn an_erased_entry_keeps_its_place() {
    let (_dir, media) = media();
    for storage in media {
        fill(&storage, &[(1, false), (2, true), (1, false)]);
        let before = entries(&storage);
        let event = finish(&storage, &intent(&storage, &[(1, None), (3, Some("[redacted]"))], vec![]));
        assert_eq!(event, 5);
        let after = entries(&storage);
        assert_eq!(after[&1].payload.get(), "{}");
        assert_eq!(after[&3].payload.get(), r#"{"content":"[redacted]"}"#);
        for id in 1..=4 {
            let (old, new) = (&before[&id], &after[&id]);
            assert_eq!(
                (old.hash, old.digest(), old.date, old.more),
                (new.hash, new.digest(), new.date, new.more)
            );
            assert_eq!(new.is_erased(), id == 1 || id == 3);
        }
        let report = verify(&storage).unwrap();
        assert_eq!((report.entries, report.segments, report.bad, report.torn), (5, 2, vec![], None));
    }
}

/// The expected digest covers payload, line feed and meta, as `docs/FORMAT.md` states; computed with
/// `sha256sum`.
#[test]
fn the_event_vouches_for_the_erased_line() {
    let storage = open(&[]);
    fill(&storage, &[(1, false)]);
    finish(&storage, &intent(&storage, &[(1, None)], vec![]));
    expect![[r#"{"name":"tape.erase","data":{"entries":[{"id":1,"now":"8a35bb1e8a09d7ed6e19bb3309f76438531cf4e462a53f269a784acf89e79c7e"}],"reason":"it was asked for"}}"#]]
        .assert_eq(entries(&storage)[&2].payload.get());
}

#[test]
fn the_last_event_counts() {
    let storage = open(&[]);
    fill(&storage, &[(2, false), (1, true)]);
    finish(&storage, &intent(&storage, &[(2, Some("once"))], vec![]));
    finish(&storage, &intent(&storage, &[(2, None)], vec![]));
    assert_eq!(verify(&storage).unwrap().bad, []);
    // The text of the first erasure is no longer the one that the last event proves.
    let old = intent(&storage, &[(2, Some("once"))], vec![]);
    old.rewrite(&storage).unwrap();
    let bad = verify(&storage).unwrap().bad;
    expect!["archive/tape-1-3.jsonl: byte 369: the text of erased entry 2 does not match the record of its erasure"]
        .assert_eq(&bad.iter().map(ToString::to_string).collect::<String>());
}

#[test]
fn many_entries_take_several_events() {
    let storage = open(&[]);
    fill(&storage, &[(2001, false)]);
    let wanted: Vec<(u64, With)> = (1..=2001).map(|id| (id, None)).collect();
    let last = finish(&storage, &intent(&storage, &wanted, vec![]));
    assert_eq!(last, 2004);
    assert_eq!(verify(&storage).unwrap().bad, []);
    // Interrupted before the segments were rewritten: the events are not written again.
    let again = Intent { after: 2001, ..intent(&storage, &wanted, vec![]) };
    assert_eq!(finish(&storage, &again), 2004);
}

/// Any program can mark a line as erased. The chain is still intact, but `verify` reports the line.
#[test]
fn a_line_that_only_claims_to_be_erased_is_bad() {
    let storage = open(&[]);
    fill(&storage, &[(2, false), (1, false)]);
    intent(&storage, &[(1, Some("never said"))], vec![]).rewrite(&storage).unwrap();
    let found = scan(&storage);
    assert_eq!((found.groups.len(), found.damage), (2, vec![]), "it is read");
    let report = verify(&storage).unwrap();
    assert_eq!((report.entries, report.bad.len()), (3, 1));
    expect!["byte 0: the text of erased entry 1 does not match the record of its erasure"]
        .assert_eq(&report.bad[0].to_string());
}

/// An exact copy of a line counts as damage, but contains the text too.
#[test]
fn a_copy_of_the_line_loses_its_text_too() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    fill(&storage, &[(1, false), (1, false)]);
    let tape = memory.tape();
    let copied = [tape.as_slice(), &lines(&tape)[0]].concat();
    let memory = MemoryStorage::with_tape(copied);
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let bad = verify(&storage).unwrap().bad.len();
    finish(&storage, &intent(&storage, &[(1, None)], vec![]));
    assert!(!String::from_utf8(memory.tape()).unwrap().contains(&text_of(1)));
    assert_eq!(verify(&storage).unwrap().bad.len(), bad);
}

/// The copy may be in any closed segment, also in one that has none of the entries by its name.
#[test]
fn a_copy_in_another_segment_loses_its_text_too() {
    let dir = tempfile::tempdir().unwrap();
    let file = FileStorage::new(dir.path());
    file.create().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(file);
    fill(&storage, &[(1, true), (1, true), (1, false)]);
    let [first, second] =
        ["tape-1-1.jsonl", "tape-2-2.jsonl"].map(|name| dir.path().join("archive").join(name));
    let copied = [std::fs::read(&second).unwrap(), std::fs::read(&first).unwrap()].concat();
    std::fs::write(&second, copied).unwrap();
    finish(&storage, &intent(&storage, &[(1, None)], vec![]));
    for line in all_lines(&storage) {
        assert!(!String::from_utf8(line).unwrap().contains(&text_of(1)));
    }
}

#[test]
fn a_damaged_line_loses_its_text_where_asked() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    fill(&storage, &[(1, false), (1, false), (1, false)]);
    let mut broken = lines(&memory.tape());
    broken[1].insert(0, b'!');
    let memory = MemoryStorage::with_tape(broken.concat());
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let with = String::from_utf8(broken[1].clone()).unwrap().replace(&text_of(2), "gone");
    let line = ReplacedLine { segment: 1, line: 2, with: with.trim_end().into() };
    finish(&storage, &intent(&storage, &[], vec![line]));
    let tape = String::from_utf8(memory.tape()).unwrap();
    assert!(!tape.contains(&text_of(2)) && tape.contains(&text_of(1)) && tape.contains(&text_of(3)));
    let report = verify(&storage).unwrap();
    assert_eq!((report.entries, report.bad.len()), (3, 1), "{:?}", report.bad);
}

#[test]
fn a_replacement_that_would_not_parse_is_refused() {
    let storage = open(&[]);
    fill(&storage, &[(1, false)]);
    let entry = &entries(&storage)[&1];
    for (payload, meta) in [("[]", "{}"), ("{}", "7"), ("{\n}", "{}")] {
        let refused = Replaced::new(entry, raw(payload), raw(meta));
        assert!(matches!(refused, Err(Error::Unwritable(_))), "{payload} {meta}");
    }
}

#[test]
fn an_unreadable_intent_is_reported() {
    let storage = open(&[]);
    fill(&storage, &[(1, false)]);
    storage.set_intent(Some(b"{\"entries\":")).unwrap();
    let told = erase::finish(&storage, Floor::default(), now(), &mut counting_salts());
    assert!(matches!(told, Err(Error::Intent(_))), "{told:?}");
}

/// A reader that has the tape open continues to read the old file, and can detect that it was replaced.
#[test]
fn readers_and_writers_detect_an_erasure() {
    let dir = tempfile::tempdir().unwrap();
    let open = || -> Arc<dyn Storage> { Arc::new(FileStorage::new(dir.path())) };
    let (mine, other) = (open(), open());
    mine.create().unwrap();
    fill(&mine, &[(2, false)]);
    let segments = Segments::open(&other).unwrap();
    let located = scan(&other).groups[0].entries[0].clone();
    assert!(segments.are_current().unwrap());
    finish(&mine, &intent(&mine, &[(1, None)], vec![]));
    assert!(!segments.are_current().unwrap());
    assert_eq!(segments.read(1, located.at).unwrap().payload.get(), located.entry.payload.get());
    // The other writer appends to the new file.
    write_on(&other, Floor::default(), common::drafts(2));
    assert_eq!(entries(&mine).len(), 5);
    assert_eq!(verify(&mine).unwrap().bad, []);
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    storage.create().unwrap();
    fill(&storage, &[(1, false)]);
    let tape = dir.path().join("tape.jsonl");
    std::fs::set_permissions(&tape, std::fs::Permissions::from_mode(0o640)).unwrap();
    finish(&storage, &intent(&storage, &[(1, None)], vec![]));
    assert_eq!(std::fs::metadata(&tape).unwrap().permissions().mode() & 0o777, 0o640);
    let names: BTreeSet<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, BTreeSet::from(["tape.jsonl".into()]), "nothing is left beside it");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn the_text_is_removed_and_the_rest_unchanged(
        groups in prop::collection::vec((1..4_usize, prop::bool::weighted(0.3)), 1..8),
        erasures in prop::collection::vec(
            prop::collection::vec((any::<Index>(), prop::option::of(Just("something else"))), 1..5),
            1..3,
        ),
        altered in any::<Index>(),
        file in prop::bool::weighted(0.1),
    ) {
        let (_dir, [memory, directory]) = media();
        let storage = if file { directory } else { memory };
        fill(&storage, &groups);
        let written = u64::try_from(groups.iter().map(|(size, _)| size).sum::<usize>()).unwrap();
        let before = all_lines(&storage);
        let hashes: Vec<_> = entries(&storage).values().map(|entry| entry.hash).collect();
        let mut erased = BTreeSet::new();
        for erasure in &erasures {
            let wanted: BTreeMap<u64, With> = erasure
                .iter()
                .map(|(at, with)| (at.index(usize::try_from(written).unwrap()) as u64 + 1, *with))
                .collect();
            erased.extend(wanted.keys().copied());
            let wanted: Vec<_> = wanted.into_iter().collect();
            finish(&storage, &intent(&storage, &wanted, vec![]));
        }
        let after = all_lines(&storage);
        for (id, (old, new)) in (1_u64..).zip(before.iter().zip(&after)) {
            prop_assert_eq!(old == new, !erased.contains(&id), "entry {}", id);
        }
        let text = String::from_utf8(after.concat()).unwrap();
        for id in 1..=written {
            prop_assert_eq!(text.contains(&text_of(id)), !erased.contains(&id), "entry {}", id);
        }
        let found = scan(&storage);
        prop_assert_eq!(&found.damage, &vec![]);
        let events = entries(&storage);
        prop_assert!(events.values().take(hashes.len()).map(|entry| entry.hash).eq(hashes.iter().copied()));
        let report = verify(&storage).unwrap();
        prop_assert_eq!((report.bad, report.torn), (vec![], None));
        common::agrees_with_verify(&storage);

        // Change the replacement text of an erased line afterwards.
        let erased: Vec<u64> = erased.into_iter().collect();
        let id = *altered.get(&erased);
        let forged = intent(&storage, &[(id, Some("never said"))], vec![]);
        forged.rewrite(&storage).unwrap();
        let bad = verify(&storage).unwrap().bad;
        prop_assert_eq!(bad.len(), 1);
        let told = bad[0].to_string();
        let why = format!("the text of erased entry {id} does not match");
        prop_assert!(told.contains(&why), "{}", told);
    }
}
