//! The rules of the writer: dates, empty groups, the lock, and positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common;
use crate::common::{counting_salts, draft, drafts, now, open, scan, spelled};
use jiff::{SignedDuration, Timestamp};
use memtape_tape::{
    Durability, ErrorKind, FileStorage, Floor, MemoryStorage, Segments, Storage, Writer, entry, verify,
};

/// Appends one entry with a new writer at this clock time, and returns its date.
fn date_at(storage: &Arc<dyn Storage>, clock: Timestamp) -> String {
    let tail = scan(storage).tail;
    let (mut writer, _) = Writer::new(storage, tail, Floor::default(), Durability::Sync).unwrap();
    let promised = writer.date(clock);
    let groups = writer.append(vec![draft("x")], clock, &mut counting_salts()).unwrap();
    assert_eq!(groups[0].entries[0].entry.date, promised);
    assert_eq!(scan(storage).tail.last_date, promised, "a reader finds the date that was promised");
    entry::date_text(promised)
}

#[test]
fn dates_never_fall() {
    let storage = open(&[]);
    let hour = SignedDuration::from_hours(1);
    assert_eq!(date_at(&storage, now()), "2026-02-10T10:00:00.000000+00:00");
    assert_eq!(date_at(&storage, now() - hour), "2026-02-10T10:00:00.000000+00:00");
    assert_eq!(date_at(&storage, now() + hour), "2026-02-10T11:00:00.000000+00:00");
    assert_eq!(date_at(&storage, Timestamp::UNIX_EPOCH), "2026-02-10T11:00:00.000000+00:00");
    assert_eq!(date_at(&storage, Timestamp::MIN), "2026-02-10T11:00:00.000000+00:00");
    let dates: Vec<Timestamp> =
        scan(&storage).groups.iter().map(|group| group.entries[0].entry.date).collect();
    assert!(dates.is_sorted());
}

#[test]
fn dates_never_fall_in_one_writer_nor_after_an_archive() {
    let storage = open(&[]);
    let tail = scan(&storage).tail;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
    let mut salts = counting_salts();
    let early = now() - SignedDuration::from_hours(24);
    writer.append(drafts(1), now(), &mut salts).unwrap();
    writer.append(drafts(1), early, &mut salts).unwrap();
    writer.archive(early, &mut salts).unwrap();
    writer.append(drafts(1), early, &mut salts).unwrap();
    for group in scan(&storage).groups {
        assert_eq!(group.entries[0].entry.date, now());
    }
}

/// A date is truncated to microseconds, so that it is never later than the clock.
#[test]
fn a_finer_clock_is_cut() {
    let clock: Timestamp = "2026-02-10T10:00:00.123456999Z".parse().unwrap();
    assert_eq!(date_at(&open(&[]), clock), "2026-02-10T10:00:00.123456+00:00");
}

/// The first date is not before the epoch, whatever the clock shows.
#[test]
fn a_clock_before_all_time_is_the_epoch() {
    assert_eq!(date_at(&open(&[]), Timestamp::MIN), "1970-01-01T00:00:00.000000+00:00");
    let storage = open(&[]);
    let last = date_at(&storage, "9999-12-30T00:00:00Z".parse().unwrap());
    assert_eq!(date_at(&storage, now()), last, "nor is it below a date of a clock that was far ahead");
    assert_eq!(verify(&storage).unwrap().bad, []);
}

#[test]
fn no_drafts_write_nothing() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let (written, recovered) = common::write_on(&storage, Floor::default(), Vec::new());
    assert_eq!((written.len(), recovered), (0, None));
    assert_eq!(memory.tape(), b"");
}

/// The groups and the tail that a writer returns are those that a reader finds.
#[test]
fn writer_and_reader_agree() {
    let storage = open(&[]);
    let tail = scan(&storage).tail;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
    let mut salts = counting_salts();
    let mut written = Vec::new();
    for size in [1, 3, 2] {
        written.extend(writer.append(drafts(size), now(), &mut salts).unwrap());
        let found = scan(&storage);
        assert_eq!(spelled(&found.groups), spelled(&written));
        assert_eq!(format!("{:?}", found.tail), format!("{:?}", writer.tail()));
    }
    let more: Vec<u32> = written.iter().flat_map(|g| g.entries.iter().map(|l| l.entry.more)).collect();
    assert_eq!(more, [0, 2, 1, 0, 1, 0]);
}

#[test]
fn an_entry_is_read_only_at_its_position() {
    let (bytes, groups) = common::tape(&[2, 1]);
    let segments = Segments::open(&open(&bytes)).unwrap();
    let at = groups[0].entries[1].at;
    assert_eq!(segments.read(2, at).unwrap().id, 2);
    let elsewhere = [
        (3, at),
        (2, memtape_tape::Location { offset: at.offset + 1, ..at }),
        (2, memtape_tape::Location { length: at.length + 1, ..at }),
        (2, memtape_tape::Location { length: at.length - 1, ..at }),
        (2, memtape_tape::Location { offset: 1 << 40, ..at }),
        (2, memtape_tape::Location { segment: 2, ..at }),
    ];
    for (id, at) in elsewhere {
        assert_eq!(segments.read(id, at).unwrap_err().kind(), ErrorKind::Corrupt, "{id} {at:?}");
    }
}

/// Only one writer at a time holds the lock, whether or not they share the storage.
#[test]
fn the_lock_keeps_writers_apart() {
    let dir = tempfile::tempdir().unwrap();
    let memory: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let shared: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    let other: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    for (one, two) in [(&memory, &memory), (&shared, &shared), (&shared, &other)] {
        let guard = one.lock(Duration::ZERO).unwrap();
        let begin = Instant::now();
        let busy = two.lock(Duration::from_millis(30)).map(drop).unwrap_err();
        assert_eq!(busy.kind(), ErrorKind::Busy);
        assert!(begin.elapsed() >= Duration::from_millis(30));
        drop(guard);
        drop(two.lock(Duration::ZERO).unwrap());

        let inside = AtomicUsize::new(0);
        let enter = |storage: &Arc<dyn Storage>| {
            for _ in 0..50 {
                let _guard = storage.lock(Duration::from_secs(30)).unwrap();
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                thread::yield_now();
                inside.fetch_sub(1, Ordering::SeqCst);
            }
        };
        thread::scope(|scope| {
            [one, two, one].map(|storage| scope.spawn(move || enter(storage)).thread().id())
        });
    }
}
