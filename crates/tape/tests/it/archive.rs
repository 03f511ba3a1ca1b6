//! Closed segments: IDs, the hash chain and positions continue across them.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::common;
use crate::common::{
    counting_salts, draft, drafts, now, open, replace, scan, scan_from, spelled, tape, write_on,
};
use memtape_tape::{
    Archived, Durability, Error, FileStorage, Floor, Group, MemoryStorage, Segments, Storage, Writer, verify,
};
use tempfile::TempDir;

/// Returns a tape in memory and one in a directory.
fn media() -> (TempDir, [Arc<dyn Storage>; 2]) {
    let dir = tempfile::tempdir().unwrap();
    let file = FileStorage::new(dir.path());
    (dir, [Arc::new(MemoryStorage::new()), Arc::new(file)])
}

/// Closes the active segment, as a new process would.
fn archive(storage: &Arc<dyn Storage>) -> Result<Option<Archived>, Error> {
    let tail = scan(storage).tail;
    let (mut writer, _) = Writer::new(storage, tail, Floor::default(), Durability::Sync)?;
    writer.archive(now(), &mut counting_salts())
}

/// Writes groups of these sizes, each in its own segment, except that the last two share one.
fn segmented(storage: &Arc<dyn Storage>, sizes: &[usize]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (n, size) in sizes.iter().enumerate() {
        groups.extend(write_on(storage, Floor::default(), drafts(*size)).0);
        if n + 2 < sizes.len() {
            archive(storage).unwrap().unwrap();
        }
    }
    groups
}

#[test]
fn numbers_and_chain_run_on() {
    let (_dir, media) = media();
    for storage in media {
        let groups = segmented(&storage, &[1, 2, 3, 1, 2]);
        let closed = [(1, 1), (2, 3), (4, 6)].map(|(first, last)| Archived { first, last });
        assert_eq!(storage.archived().unwrap(), closed);
        let found = scan(&storage);
        assert_eq!(spelled(&found.groups), spelled(&groups));
        assert_eq!((found.tail.active, found.tail.next_id), (7, 10));
        let report = verify(&storage).unwrap();
        assert_eq!((report.segments, report.entries, report.last_id), (4, 9, 9));
        assert_eq!((report.bad, report.torn), (vec![], None));
        let segments = Segments::open(&storage).unwrap();
        for located in groups.iter().flat_map(|group| &group.entries) {
            assert_eq!(segments.read(located.entry.id, located.at).unwrap().hash, located.entry.hash);
        }
        // The chain does not depend on the segments: the same groups in a single segment have the same
        // hashes.
        let one = open(&[]);
        let same: Vec<Group> = [1, 2, 3, 1, 2]
            .iter()
            .flat_map(|size| write_on(&one, Floor::default(), drafts(*size)).0)
            .collect();
        assert_eq!(same.last().unwrap().end.last_hash, groups.last().unwrap().end.last_hash);
    }
}

#[test]
fn one_writer_continues_after_an_archive() {
    let (_dir, media) = media();
    for storage in media {
        let tail = scan(&storage).tail;
        let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
        let mut salts = counting_salts();
        let mut groups = writer.append(drafts(2), now(), &mut salts).unwrap();
        assert_eq!(writer.archive(now(), &mut salts).unwrap(), Some(Archived { first: 1, last: 2 }));
        assert_eq!(writer.archive(now(), &mut salts).unwrap(), None, "nothing is left to close");
        groups.extend(writer.append(drafts(1), now(), &mut salts).unwrap());
        assert_eq!((groups[1].end.segment, groups[1].entries[0].at.offset), (3, 0));
        assert_eq!(spelled(&scan(&storage).groups), spelled(&groups));
        assert_eq!(verify(&storage).unwrap().bad, []);
    }
}

#[test]
fn an_empty_tape_is_not_closed() {
    let (_dir, media) = media();
    for storage in media {
        assert_eq!(archive(&storage).unwrap(), None);
        assert_eq!(storage.archived().unwrap(), []);
    }
}

/// A reader whose position is in a segment that was closed since continues from there.
#[test]
fn a_position_outlives_the_archive() {
    let (_dir, media) = media();
    for storage in media {
        let groups = segmented(&storage, &[2, 1, 3, 1]);
        archive(&storage).unwrap().unwrap();
        for n in 0..groups.len() {
            let rest = scan_from(&storage, groups[n].end);
            assert_eq!(spelled(&rest.groups), spelled(&groups[n + 1..]), "from group {n}");
            assert_eq!((rest.damage.len(), rest.tail.next_id, rest.tail.len), (0, 8, 0), "from group {n}");
        }
        let more = write_on(&storage, Floor::default(), drafts(1)).0;
        let last = groups.last().unwrap();
        assert_eq!(spelled(&scan_from(&storage, last.end).groups), spelled(&more));
        assert_eq!(last.end.segment, 4, "a segment keeps its name");
    }
}

/// The process crashed after it closed a segment and before it created the next one.
#[test]
fn a_missing_active_file_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    let groups = segmented(&storage, &[1, 2, 2]);
    archive(&storage).unwrap().unwrap();
    let path = dir.path().join("tape.jsonl");
    for storage in [Arc::clone(&storage), Arc::new(FileStorage::new(dir.path()))] {
        fs::remove_file(&path).unwrap();
        let found = scan(&storage);
        assert_eq!(spelled(&found.groups), spelled(&groups));
        assert_eq!((found.tail.active, found.tail.next_id), (6, 6));
        assert!(FileStorage::exists_in(dir.path()));
        let tail = scan_from(&storage, groups[2].end).tail;
        Writer::new(&storage, tail, Floor::default(), Durability::Sync).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
    }
    write_on(&storage, Floor::default(), drafts(1));
    let report = verify(&storage).unwrap();
    assert_eq!((report.bad, report.last_id, report.segments), (vec![], 6, 3));
}

#[test]
fn an_existing_segment_is_never_replaced() {
    let (dir, media) = media();
    for storage in media {
        let groups = segmented(&storage, &[2, 1, 1]);
        let closed = Archived { first: 1, last: 2 };
        let refused = storage.archive(&closed).unwrap_err();
        assert!(matches!(&refused, Error::SegmentExists(name) if name == "tape-1-2.jsonl"), "{refused}");
        assert_eq!(spelled(&scan(&storage).groups), spelled(&groups));
        // After the refusal, a writer continues in the same segment.
        write_on(&storage, Floor::default(), drafts(1));
        assert_eq!(verify(&storage).unwrap().entries, 5);
    }
    assert_eq!(fs::read_dir(dir.path().join("archive")).unwrap().count(), 1);
}

/// Other files in the archive are not taken for segments: no reader could open a segment with such a name.
#[test]
fn other_names_are_no_segments() {
    let others = [
        "torn-5",
        "tape.jsonl",
        "tape-1.jsonl",
        "tape-1-2",
        "tape-1-2.jsonl.tmp",
        "tape-a-b.jsonl",
        "tape-+1-2.jsonl",
        "tape-01-2.jsonl",
        "tape-2-1.jsonl",
        "tape-0-1.jsonl",
        "tape-1-2 (copy).jsonl",
        "tape--1-2.jsonl",
        "tape-1-99999999999999999999.jsonl",
    ];
    let dir = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    let groups = segmented(&storage, &[2, 1, 1]);
    for name in others {
        assert_eq!(Archived::from_file_name(name), None, "{name}");
        fs::write(dir.path().join("archive").join(name), "x\n").unwrap();
    }
    assert_eq!(storage.archived().unwrap(), [Archived { first: 1, last: 2 }]);
    assert_eq!(spelled(&scan(&storage).groups), spelled(&groups));
}

#[test]
fn a_torn_tail_is_cut_before_and_damage_is_named_before() {
    let (bytes, groups) = tape(&[1, 2]);
    let torn = open(&bytes[..bytes.len() - 1]);
    assert_eq!(archive(&torn).unwrap(), Some(Archived { first: 1, last: 1 }));
    assert_eq!(spelled(&scan(&torn).groups), spelled(&groups[..1]));

    let mut lines = common::lines(&bytes);
    replace(&mut lines[2], "text", "TEXT");
    let damaged = open(&lines.concat());
    assert_eq!(archive(&damaged).unwrap(), Some(Archived { first: 1, last: 4 }));
    let (written, _) = write_on(&damaged, Floor::default(), drafts(1));
    assert_eq!(written[0].entries[0].entry.id, 5);
    let report = verify(&damaged).unwrap();
    assert_eq!(report.bad.len(), 1, "only the line itself: {:?}", report.bad);
    assert_eq!((report.groups, report.segments), (4, 2));
}

/// Several writers lock, read and write, as separate processes would. One of them closes the segment
/// repeatedly, while a reader reads.
#[test]
fn writers_in_threads_lose_nothing() {
    const WRITERS: usize = 3;
    const WRITES: usize = 40;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let write = |name: usize| {
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(path));
        let mut read = memtape_tape::Position::START;
        for n in 0..WRITES {
            let _guard = storage.lock(Duration::from_secs(30)).unwrap();
            let tail = scan_from(&storage, read).tail;
            let (mut writer, recovered) =
                Writer::new(&storage, tail, Floor::default(), Durability::Os).unwrap();
            assert_eq!(recovered, None);
            let both =
                vec![draft(&format!("writer {name} begins {n}")), draft(&format!("writer {name} ends {n}"))];
            read = writer.append(both, now(), &mut counting_salts()).unwrap()[0].end;
            if name == 0 && n % 4 == 3 {
                writer.archive(now(), &mut counting_salts()).unwrap().unwrap();
            }
        }
    };
    let read = || {
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(path));
        let mut position = memtape_tape::Position::START;
        let mut seen = 0;
        let begin = Instant::now();
        while seen < WRITERS * WRITES * 2 {
            assert!(begin.elapsed() < Duration::from_secs(60), "only {seen} entries are seen");
            let found = scan_from(&storage, position);
            assert_eq!(found.damage, []);
            for group in &found.groups {
                assert_eq!(group.entries.len(), 2, "groups are seen whole");
                assert_eq!(group.entries[0].entry.id as usize, seen + 1, "and each once");
                seen += 2;
            }
            position = found.tail.end;
        }
    };
    thread::scope(|scope| {
        (0..WRITERS).for_each(|name| drop(scope.spawn(move || write(name))));
        scope.spawn(read);
    });
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(path));
    let report = verify(&storage).unwrap();
    assert_eq!((report.bad, report.torn), (vec![], None));
    assert_eq!((report.groups as usize, report.last_id as usize), (WRITERS * WRITES, WRITERS * WRITES * 2));
    assert_eq!(report.segments as usize, WRITES / 4 + 1);
    let texts = format!("{:?}", scan(&storage).groups);
    for name in 0..WRITERS {
        for n in 0..WRITES {
            assert!(texts.contains(&format!("writer {name} begins {n}\"")), "writer {name} lost {n}");
        }
    }
}
