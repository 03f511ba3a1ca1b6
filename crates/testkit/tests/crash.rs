//! Law 2, *acknowledged is durable*: the machine stops at every operation of a scenario, with any part of a write
//! on the medium. Whatever is left, every acknowledged group is there whole, no other is seen in part, and
//! writing goes on.

use std::sync::Arc;

use memtape::Clock as _;
use memtape_tape::{
    Draft, Durability, Error, Floor, Kind, MemoryStorage, Position, Scanned, Segments, Storage, Tail, Writer,
};
use memtape_testkit::{FailingStorage, Failure, TestClock, counting_salts};

/// The entries of each group of the scenario.
const GROUPS: [usize; 8] = [1, 3, 1, 2, 4, 1, 1, 3];

fn drafts(group: usize, size: usize) -> Vec<Draft> {
    (0..size)
        .map(|n| {
            let payload = serde_json::json!({"role": "user", "content": format!("group {group}, entry {n}")});
            Draft::new(Kind::Message, &payload, &serde_json::json!({}), "main").unwrap()
        })
        .collect()
}

fn tail(storage: &Arc<dyn Storage>, found: &mut Vec<Vec<String>>) -> Tail {
    let segments = Segments::open(storage).unwrap();
    segments
        .scan(Position::START)
        .run(|scanned| {
            match scanned {
                Scanned::Group(group) => found.push(
                    group.entries.iter().map(|located| located.entry.payload.get().to_owned()).collect(),
                ),
                Scanned::Damage(damage) => panic!("a crash damages nothing: {damage:?}"),
            }
            Ok::<(), Error>(())
        })
        .unwrap()
}

/// Writes the scenario until the machine stops, and gives the groups that were acknowledged.
fn run(storage: &FailingStorage) -> usize {
    storage.create().unwrap();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    let clock = TestClock::at("2026-02-10T10:00:00Z");
    let mut salts = counting_salts();
    let tail = tail(&shared, &mut Vec::new());
    let (mut writer, _) = Writer::new(&shared, tail, Floor::default(), Durability::Sync).unwrap();
    for (n, size) in GROUPS.into_iter().enumerate() {
        if writer.append(drafts(n, size), clock.now(), &mut salts).is_err() {
            return n;
        }
    }
    GROUPS.len()
}

/// Starts again from what is left on the medium.
fn recovers(bytes: Vec<u8>, acknowledged: usize, when: &str) {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::with_tape(bytes));
    let mut found = Vec::new();
    let end = tail(&storage, &mut found);
    assert!(found.len() >= acknowledged, "{when}: {} of {acknowledged} acknowledged groups", found.len());
    for (n, (group, size)) in found.iter().zip(GROUPS).enumerate() {
        let whole: Vec<_> = drafts(n, size).iter().map(|draft| draft.payload.get().to_owned()).collect();
        assert_eq!(group, &whole, "{when}: group {n}");
    }
    let (mut writer, _) = Writer::new(&storage, end, Floor::default(), Durability::Sync).unwrap();
    let clock = TestClock::at("2026-02-11T10:00:00Z");
    writer.append(drafts(99, 2), clock.now(), &mut counting_salts()).unwrap();
    let report = memtape_tape::verify(&storage).unwrap();
    assert_eq!(report.bad, [], "{when}");
    assert_eq!(report.torn, None, "{when}");
    assert_eq!(report.groups as usize, found.len() + 1, "{when}");
    assert_eq!(report.entries, report.last_id, "{when}: ids have no gap");
}

#[test]
fn a_crash_at_any_operation_loses_nothing_acknowledged() {
    let whole = FailingStorage::new(0, Failure::Never);
    assert_eq!(run(&whole), GROUPS.len());
    for at in 1..=whole.operations() {
        for written in [0, 1, 40, 250, 700, usize::MAX] {
            let storage = FailingStorage::new(at, Failure::Crash { written });
            let acknowledged = run(&storage);
            let when = format!("stopped at operation {at}, {written} bytes written");
            recovers(storage.live(), acknowledged, &when);
            // After a power failure any part of what was not synced may be left.
            let (live, durable) = (storage.live(), storage.durable());
            assert!(live.starts_with(&durable));
            for length in (durable.len()..=live.len()).step_by(37) {
                recovers(live[..length].to_vec(), acknowledged, &format!("{when}, {length} bytes left"));
            }
        }
    }
}

#[test]
fn a_tape_cut_at_any_byte_of_the_last_group_keeps_the_others() {
    let whole = FailingStorage::new(0, Failure::Never);
    run(&whole);
    let bytes = whole.live();
    let shorter = FailingStorage::new(2 * GROUPS.len() - 1, Failure::Full { written: 0 });
    assert_eq!(run(&shorter), GROUPS.len() - 1);
    let last = shorter.live().len();
    for length in last..=bytes.len() {
        recovers(bytes[..length].to_vec(), GROUPS.len() - 1, &format!("cut to {length} bytes"));
    }
}
