//! A reader sees everything that is acknowledged, and waits for no more than that.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use memtape::{At, Config, Mode, Options, Workspace};
use memtape_index::index::Index;
use memtape_store::Store;
use memtape_tape::{FileStorage, Scanned, Segments, Storage};
use memtape_testkit::clock::TestClock;
use memtape_testkit::storage::{FailingStorage, Failure};
use memtape_testkit::workspace::store_options;

/// Far longer than any answer takes.
const LONG: Duration = Duration::from_secs(10);

fn long_term(workspace: &Workspace) -> String {
    workspace.zone().view(&At::head()).unwrap().0.long_term_text()
}

/// A write is on the tape before it is in the index. A reader that comes in between waits for the index, but not for
/// the writes that follow: any number of them could overtake it.
#[test]
fn a_reader_waits_for_the_write_under_way_and_for_no_later_one() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let tape = |dir: &Path| dir.join("tape.jsonl");
    fs::copy(tape(dir.path()), tape(other.path())).unwrap();
    let before = fs::metadata(tape(dir.path())).unwrap().len();
    let elsewhere = Workspace::open(other.path(), Options::default()).unwrap();
    elsewhere.zone().save("tea", Mode::Append).unwrap();
    let written = fs::read(tape(other.path())).unwrap().split_off(usize::try_from(before).unwrap());

    // The write under way: on the tape, and in a transaction of the index that is not committed yet.
    let index = Index::open(dir.path()).unwrap();
    let applied = index.applied().unwrap();
    let transaction = index.begin_write().unwrap();
    OpenOptions::new().append(true).open(tape(dir.path())).unwrap().write_all(&written).unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir.path()));
    let mut scanner = Segments::open(&storage).unwrap().scan(applied.position);
    let mut groups = Vec::new();
    while let Some(Scanned::Group(group)) = scanner.next().unwrap() {
        groups.push(group);
    }
    index.project(applied, &groups).unwrap();
    let (answers, answer) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| answers.send(long_term(&workspace)).unwrap());
        assert!(answer.recv_timeout(Duration::from_millis(50)).is_err(), "it shows what is not acknowledged");
        transaction.commit().unwrap();
        let _next = index.begin_write().unwrap();
        let shown = answer.recv_timeout(LONG).expect("the reader waits for a later write");
        assert_eq!(shown, "tea");
    });
}

#[test]
fn a_reader_in_the_writing_process_does_not_wait_for_the_write() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Arc::new(OnceLock::<Workspace>::new());
    let (answers, answer) = mpsc::channel();
    let reads = Arc::clone(&workspace);
    let while_syncing = move || {
        let Some(workspace) = reads.get() else { return };
        thread::scope(|scope| {
            let (reads, read) = mpsc::channel();
            scope.spawn(move || reads.send(long_term(workspace)));
            answers.send(read.recv_timeout(LONG)).unwrap();
        });
    };
    let storage = FailingStorage::new(0, Failure::Never).while_syncing(while_syncing);
    let storage: Arc<dyn Storage> = Arc::new(storage);
    storage.create().unwrap();
    let store = Store::over(dir.path(), storage, store_options(&TestClock::at("2026-02-10T10:00:00Z")));
    let opened = Workspace::over(store, Config::default()).unwrap();
    opened.zone().remember("coffee").unwrap();
    assert!(workspace.set(opened).is_ok());
    let workspace = workspace.get().unwrap();
    workspace.zone().remember("tea").unwrap();
    let during: Vec<_> = answer.try_iter().collect();
    assert!(!during.is_empty() && during.iter().all(|shown| shown.as_deref() == Ok("coffee")), "{during:?}");
    assert_eq!(long_term(workspace), "coffee\ntea");
}
