//! Law 2, *acknowledged is durable*: the machine stops at every operation of a scenario, with any part of a write on
//! the disk. Afterwards every acknowledged group is complete, no other group is partly visible, and writing works.

use std::sync::Arc;

use memtape::Clock as _;
use memtape_tape::{
    Draft, Durability, Error, Floor, Kind, MemoryStorage, Position, Recovered, Scanned, Segments, Storage,
    Tail, Writer, verify,
};
use memtape_testkit::{FailingStorage, Failure, TestClock, counting_salts};

/// The entries of each group of the scenario.
const GROUPS: [usize; 12] = [1, 3, 1, 2, 4, 1, 1, 3, 2, 1, 5, 1];

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

fn writer_on(storage: &Arc<dyn Storage>, durability: Durability) -> Writer {
    let end = tail(storage, &mut Vec::new());
    Writer::new(storage, end, Floor::default(), durability).unwrap().0
}

/// Writes the scenario until the machine stops, and returns the number of acknowledged groups.
fn run(storage: &FailingStorage) -> usize {
    storage.create().unwrap();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    let clock = TestClock::at("2026-02-10T10:00:00Z");
    let mut salts = counting_salts();
    let mut writer = writer_on(&shared, Durability::Sync);
    for (n, size) in GROUPS.into_iter().enumerate() {
        if writer.append(drafts(n, size), clock.now(), &mut salts).is_err() {
            return n;
        }
    }
    GROUPS.len()
}

/// Restarts from the bytes on the disk, and checks them.
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
    let report = verify(&storage).unwrap();
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
            // After a power failure, any part of the bytes that were not synced may remain.
            let (live, durable) = (storage.live(), storage.durable());
            assert!(live.starts_with(&durable));
            for length in (durable.len()..=live.len()).step_by(13) {
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

/// A scenario with a torn tail in the middle, left by a killed process: the next writer repairs it before it writes.
/// Returns the number of acknowledged groups.
fn run_with_recovery(storage: &FailingStorage, floor: Floor) -> usize {
    storage.create().unwrap();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    let clock = TestClock::at("2026-02-10T10:00:00Z");
    for (n, size) in GROUPS.into_iter().enumerate() {
        let mut torn = Vec::new();
        if n == 3 || n == 6 {
            torn.extend_from_slice(b"{\"id\":");
            if shared.append(storage.live().len() as u64, &torn).is_err() {
                return n;
            }
        }
        // A scan that finds damage would panic: what a crash leaves is torn.
        let tail = tail(&shared, &mut Vec::new());
        assert_eq!(tail.torn.is_some(), !torn.is_empty());
        let Ok((mut writer, recovered)) = Writer::new(&shared, tail, floor, Durability::Sync) else {
            return n;
        };
        assert_eq!(matches!(recovered, Some(Recovered::Torn { .. })), !torn.is_empty());
        if writer.append(drafts(n, size), clock.now(), &mut counting_salts()).is_err() {
            return n;
        }
    }
    GROUPS.len()
}

#[test]
fn a_crash_while_a_torn_tail_is_cut_loses_nothing() {
    let whole = FailingStorage::new(0, Failure::Never);
    assert_eq!(run_with_recovery(&whole, Floor::default()), GROUPS.len());
    assert_eq!(whole.operations(), 2 * GROUPS.len() + 2 * 3, "each tail is written, kept and cut");
    for at in 1..=whole.operations() {
        for written in [0, 3, usize::MAX] {
            let storage = FailingStorage::new(at, Failure::Crash { written });
            let acknowledged = run_with_recovery(&storage, Floor::default());
            let when = format!("stopped at operation {at}, {written} bytes written");
            recovers(storage.live(), acknowledged, &when);
            recovers(storage.durable(), acknowledged, &format!("{when}, power lost"));
        }
    }
}

/// A writer at the end of a tape of two groups, whose next operation but `skip` fails.
fn failing_after_two(skip: usize, failure: Failure) -> (FailingStorage, Arc<dyn Storage>) {
    // Each group is written and synced.
    let storage = FailingStorage::new(4 + skip + 1, failure);
    storage.create().unwrap();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    let now = TestClock::at("2026-02-10T10:00:00Z").now();
    let mut writer = writer_on(&shared, Durability::Sync);
    for (n, size) in GROUPS.into_iter().take(2).enumerate() {
        writer.append(drafts(n, size), now, &mut counting_salts()).unwrap();
    }
    (storage, shared)
}

#[test]
fn a_full_disk_leaves_no_part_of_a_group() {
    let now = TestClock::at("2026-02-10T10:00:00Z").now();
    for written in 0..700 {
        let (storage, shared) = failing_after_two(0, Failure::Full { written });
        let before = storage.live();
        let mut writer = writer_on(&shared, Durability::Sync);
        assert!(matches!(writer.append(drafts(2, 2), now, &mut counting_salts()), Err(Error::Io { .. })));
        assert_eq!(storage.live(), before, "{written} bytes written");
        // Once the disk has space, the same writer continues with the same numbers.
        let groups = writer.append(drafts(2, 2), now, &mut counting_salts()).unwrap();
        assert_eq!(groups[0].entries[0].entry.id, 5);
        let report = verify(&shared).unwrap();
        assert_eq!((report.bad, report.torn, report.groups), (vec![], None, 3), "{written} bytes written");
    }
}

/// After a failed sync the content of the disk is unknown: this writer refuses to write, and the next one reads it
/// again.
#[test]
fn a_failed_sync_poisons_the_writer() {
    let now = TestClock::at("2026-02-10T10:00:00Z").now();
    for failure in [Failure::Full { written: 0 }, Failure::Crash { written: 0 }] {
        let (storage, shared) = failing_after_two(1, failure);
        let before = storage.live();
        let mut writer = writer_on(&shared, Durability::Sync);
        assert!(matches!(writer.append(drafts(2, 1), now, &mut counting_salts()), Err(Error::Sync { .. })));
        let operations = storage.operations();
        let refused = writer.append(drafts(3, 1), now, &mut counting_salts());
        assert!(matches!(refused, Err(Error::Poisoned { .. })), "{refused:?}");
        let refused = writer.archive(now, &mut counting_salts());
        assert!(matches!(refused, Err(Error::Poisoned { .. })), "{refused:?}");
        assert_eq!(storage.operations(), operations, "the medium is not touched again");
        if failure == (Failure::Full { written: 0 }) {
            assert_eq!(storage.live(), before, "what was not acknowledged is taken back");
        }
        recovers(storage.live(), 2, "after a failed sync");
    }
}

/// A failed write that cannot be truncated is left to the next writer.
#[test]
fn a_failed_write_that_cannot_be_truncated_poisons_the_writer() {
    let now = TestClock::at("2026-02-10T10:00:00Z").now();
    let (storage, shared) = failing_after_two(0, Failure::Crash { written: 100 });
    let mut writer = writer_on(&shared, Durability::Sync);
    assert!(matches!(writer.append(drafts(2, 1), now, &mut counting_salts()), Err(Error::Io { .. })));
    let refused = writer.append(drafts(2, 1), now, &mut counting_salts());
    assert!(matches!(refused, Err(Error::Poisoned { .. })), "{refused:?}");
    recovers(storage.live(), 2, "a part was written");
}

#[test]
fn durability_of_the_system_syncs_nothing() {
    let storage = FailingStorage::new(0, Failure::Never);
    storage.create().unwrap();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    let now = TestClock::at("2026-02-10T10:00:00Z").now();
    let mut writer = writer_on(&shared, Durability::Os);
    for (n, size) in GROUPS.into_iter().enumerate() {
        writer.append(drafts(n, size), now, &mut counting_salts()).unwrap();
    }
    assert_eq!(storage.operations(), GROUPS.len(), "one write a group");
    assert_eq!(storage.durable(), b"");
    // A segment is synced when it is closed, because the sync of a later group would not cover it.
    writer.archive(now, &mut counting_salts()).unwrap().unwrap();
    assert!(!storage.durable().is_empty());
}
