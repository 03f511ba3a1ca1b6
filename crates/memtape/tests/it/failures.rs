//! Failures of the disk or the clock, and manual changes: each causes a clear error, loses no acknowledged entry, and
//! causes no panic.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use memtape::{At, Config, ErrorKind, Options, Session, Surface, Warning, Workspace};
use memtape_store::{Options as StoreOptions, Store};
use memtape_tape::{Durability, Storage};
use memtape_testkit::workspace::{options, store_options};
use memtape_testkit::{FailingStorage, Failure, Older, TestClock, TestWorkspace, counting_salts};

fn long_term(workspace: &Workspace) -> String {
    workspace.zone().view(&At::head()).unwrap().0.long_term_text()
}

/// Opens a workspace whose storage fails at the operation with this number.
fn failing(dir: &std::path::Path, at: usize, failure: Failure) -> (Workspace, FailingStorage) {
    let storage = FailingStorage::new(at, failure);
    storage.create().unwrap();
    let clock = TestClock::at("2026-02-10T10:00:00Z");
    let options = StoreOptions {
        clock: Box::new(clock),
        salts: Box::new(counting_salts()),
        zone: jiff::tz::TimeZone::UTC,
        durability: Durability::Sync,
        lock_wait: Duration::from_secs(1),
        progress: Box::new(|_| {}),
        session_state: true,
        upstream: None,
    };
    (
        Workspace::over(Store::over(dir, Arc::new(storage.clone()), options), Config::default()).unwrap(),
        storage,
    )
}

#[test]
fn a_full_disk_writes_nothing_and_loses_nothing() {
    for written in [0, 1, 100, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        // Each write consists of two operations, so the append of the third write fails.
        let (workspace, _) = failing(dir.path(), 5, Failure::Full { written });
        workspace.zone().remember("one").unwrap();
        workspace.zone().remember("two").unwrap();
        let e = workspace.zone().remember("three").unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unavailable, "{e}");
        assert_eq!(long_term(&workspace), "one\ntwo");
        workspace.zone().remember("four").unwrap();
        assert_eq!(long_term(&workspace), "one\ntwo\nfour");
    }
}

#[test]
fn after_a_failed_sync_a_writer_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let (workspace, _) = failing(dir.path(), 4, Failure::Full { written: 0 });
    workspace.zone().remember("one").unwrap();
    workspace.zone().remember("two").unwrap_err();
    let e = workspace.zone().remember("three").unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Unavailable);
    assert!(e.to_string().contains("could not be made durable"), "{e}");
    assert_eq!(long_term(&workspace), "one");
}

/// Returns a workspace with a secret on its tape and a torn end, so that every kind of change has to be made.
fn to_be_mended(dir: &std::path::Path, at: usize) -> (Workspace, FailingStorage) {
    let (workspace, storage) = failing(dir, at, Failure::Unsynced);
    let medium: Arc<dyn Storage> = Arc::new(storage.medium());
    let older = Older::over(Store::over(
        dir,
        Arc::clone(&medium),
        store_options(&TestClock::at("2026-02-10T10:00:00Z")),
    ));
    older.remember("the password of the door is tangerine-Falcon-88").unwrap();
    medium.append(storage.live().len() as u64, b"{\"id\":").unwrap();
    (workspace, storage)
}

/// In order: repairs the torn end and appends, closes a segment, starts another one, and redacts both.
const CHANGES: [fn(&Workspace) -> memtape::Result<()>; 4] = [
    |workspace| workspace.zone().remember("one").map(|_| ()),
    |workspace| workspace.archive().map(|_| ()),
    |workspace| workspace.zone().remember("two").map(|_| ()),
    |workspace| workspace.scan_and_redact().map(|_| ()),
];

/// Returns the texts of the acknowledged changes.
fn acknowledged(done: usize) -> String {
    let lines =
        [Some("the password of the door is"), (done > 0).then_some("one"), (done > 2).then_some("two")];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

#[test]
fn after_any_failed_sync_nothing_more_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let (workspace, whole) = to_be_mended(dir.path(), usize::MAX);
    CHANGES.iter().for_each(|change| change(&workspace).unwrap());
    assert!(whole.operations() > 10, "{} operations", whole.operations());
    for at in 1..=whole.operations() {
        let dir = tempfile::tempdir().unwrap();
        let (workspace, storage) = to_be_mended(dir.path(), at);
        let Some(done) = CHANGES.iter().position(|change| change(&workspace).is_err()) else {
            // An append succeeds; only its sync, which is a separate operation, can fail.
            continue;
        };
        let operations = storage.operations();
        for change in CHANGES {
            let e = change(&workspace).unwrap_err();
            assert!(e.to_string().contains("could not be made durable"), "operation {at}: {e}");
        }
        assert_eq!(storage.operations(), operations, "operation {at}: the medium is not touched again");
        let medium: Arc<dyn Storage> = Arc::new(storage.medium());
        let store = Store::over(
            dir.path(),
            Arc::clone(&medium),
            store_options(&TestClock::at("2026-02-10T10:00:00Z")),
        );
        let next = Workspace::over(store, Config::default()).unwrap();
        next.zone().remember("end").unwrap();
        let text = long_term(&next).replace(" tangerine-Falcon-88", "").replace(" [redacted:password]", "");
        assert!(text.starts_with(&acknowledged(done)) && text.ends_with("end"), "operation {at}: {text}");
        assert_eq!(memtape_tape::verify(&medium).unwrap().bad, [], "operation {at}");
    }
}

#[test]
fn a_clock_set_back_is_reported_and_dates_never_decrease() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("one").unwrap();
    test.clock.advance(SignedDuration::from_hours(-48));
    test.workspace.zone().remember("two").unwrap();
    let warnings = test.workspace.take_warnings();
    assert!(warnings.iter().any(|n| matches!(n, Warning::ClockBehind { .. })), "{warnings:?}");
    assert!(warnings[0].to_string().contains("the clock is "), "{}", warnings[0]);
    let dates: Vec<_> = test
        .workspace
        .tape()
        .log(&memtape::tape::LogQuestion::default(), &At::head())
        .unwrap()
        .iter()
        .map(|entry| entry.date)
        .collect();
    assert!(dates.is_sorted());
}

#[test]
fn an_emptied_tape_is_reported_and_the_old_index_kept() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("precious").unwrap();
    long_term(&test.workspace);
    fs::write(test.path().join("tape.jsonl"), "").unwrap();
    assert_eq!(long_term(&test.workspace), "");
    let warnings = test.workspace.take_warnings();
    let Some(Warning::TapeChanged { applied: 6, kept: Some(kept) }) = warnings.first() else {
        panic!("{warnings:?}");
    };
    let old = rusqlite::Connection::open(test.path().join(kept)).unwrap();
    let text: String = old.query_row("SELECT text FROM memories", [], |row| row.get(0)).unwrap();
    assert_eq!(text, "precious");
    test.workspace.zone().remember("a new start").unwrap();
    assert_eq!(long_term(&test.reopened()), "a new start");
}

#[test]
fn a_missing_tape_is_no_empty_workspace() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("precious").unwrap();
    fs::remove_file(test.path().join("tape.jsonl")).unwrap();
    let e = Workspace::open(test.path(), Options::default()).err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Corrupt, "{e}");
    assert!(e.hint(Surface::CommandLine).unwrap().contains("tape.jsonl"));
}

#[test]
fn a_damaged_index_is_built_again() {
    let damages: [fn(&mut Vec<u8>); 4] = [
        |bytes| bytes.clear(),
        |bytes| bytes.truncate(5000),
        |bytes| bytes[..64].fill(b'x'),
        |bytes| bytes[100..].fill(7),
    ];
    for (n, damage) in damages.into_iter().enumerate() {
        let test = TestWorkspace::new();
        for line in 0..50 {
            test.workspace.zone().remember(&format!("line {line}")).unwrap();
        }
        let expected = long_term(&test.workspace);
        let copy = tempfile::tempdir().unwrap();
        memtape_testkit::laws::copy_tape(test.path(), copy.path()).unwrap();
        let path = copy.path().join("index-v17.db");
        rusqlite::Connection::open(test.path().join("index-v17.db"))
            .unwrap()
            .execute("VACUUM INTO ?1", [path.to_str().unwrap()])
            .unwrap();
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let workspace = Workspace::open(copy.path(), options(&test.clock)).unwrap();
        assert_eq!(long_term(&workspace), expected, "damage {n}");
        workspace.zone().remember("and on").unwrap();
        assert_eq!(long_term(&workspace).lines().count(), 51, "damage {n}");
    }
}

#[test]
fn an_index_of_another_tape_is_not_used() {
    let (one, two) = (TestWorkspace::new(), TestWorkspace::new());
    one.workspace.zone().remember("of the first").unwrap();
    two.workspace.zone().remember("of the second").unwrap();
    two.workspace.zone().remember("and more").unwrap();
    long_term(&two.workspace);
    let path = one.path().join("index-v17.db");
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(one.path().join(format!("index-v17.db{suffix}")));
    }
    rusqlite::Connection::open(two.path().join("index-v17.db"))
        .unwrap()
        .execute("VACUUM INTO ?1", [path.to_str().unwrap()])
        .unwrap();
    assert_eq!(long_term(&one.reopened()), "of the first");
}

/// Whoever opens an index reads its write-ahead log first.
#[test]
fn the_log_of_an_index_that_is_often_opened_stays_short() {
    let test = TestWorkspace::new();
    let log = test.path().join("index-v17.db-wal");
    let mut longest = 0;
    for n in 0..60 {
        test.reopened().zone().remember(&format!("line {n}: {}", "a word of many ".repeat(200))).unwrap();
        longest = fs::metadata(&log).unwrap().len().max(longest);
    }
    assert!(longest < 2 << 20, "{longest} bytes");
    assert_eq!(long_term(&test.workspace).lines().count(), 60);
}

/// Opens the database of the current index, as another program does.
fn index_of(dir: &std::path::Path) -> rusqlite::Connection {
    rusqlite::Connection::open(memtape_index::current_index(dir).unwrap()).unwrap()
}

/// The latest writes are in SQLite's write-ahead log, which exists as long as a reader has the database open.
#[test]
fn an_index_that_is_kept_is_whole_while_others_read_it() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("one").unwrap();
    long_term(&test.workspace);
    let reader = index_of(test.path());
    reader.execute_batch("BEGIN; SELECT count(*) FROM memories").unwrap();
    reader.query_row("SELECT count(*) FROM memories", [], |row| row.get::<_, u64>(0)).unwrap();
    let before = fs::read(test.path().join("tape.jsonl")).unwrap();
    test.workspace.zone().remember("two").unwrap();
    long_term(&test.workspace);
    fs::write(test.path().join("tape.jsonl"), before).unwrap();
    let again = test.reopened();
    assert_eq!(long_term(&again), "one");
    let warnings = again.take_warnings();
    let [Warning::TapeChanged { kept: Some(kept), .. }] = &warnings[..] else { panic!("{warnings:?}") };
    let kept = rusqlite::Connection::open(test.path().join(kept)).unwrap();
    let two = "SELECT count(*) FROM memories WHERE text = 'two'";
    assert_eq!(kept.query_row(two, [], |row| row.get::<_, u64>(0)).unwrap(), 1);
}

/// A process that writes to a database with the log of another one damages it.
#[test]
fn an_open_replaced_index_does_not_affect_the_new_one() {
    for has_read in [true, false] {
        let test = TestWorkspace::new();
        test.workspace.zone().remember("one").unwrap();
        long_term(&test.workspace);
        let old = index_of(test.path());
        if has_read {
            old.query_row("SELECT count(*) FROM memories", [], |row| row.get::<_, u64>(0)).unwrap();
        }
        test.workspace.reindex().unwrap();
        test.workspace.zone().remember("two").unwrap();
        // The old process opens the write-ahead log only now, and may write to it.
        let _ =
            old.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); CREATE TABLE harm(a); DELETE FROM memories;");
        let _ = old.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
        drop(old);
        let again = test.reopened();
        assert_eq!(long_term(&again), "one\ntwo", "has read: {has_read}");
        assert_eq!(again.take_warnings(), [], "has read: {has_read}");
        let check =
            index_of(test.path()).query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        assert_eq!(check.unwrap(), "ok", "has read: {has_read}");
    }
}

#[test]
fn questions_are_answered_while_the_index_is_replaced() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("0").unwrap();
    let (dir, clock) = (test.path(), &test.clock);
    std::thread::scope(|scope| {
        let ask = || {
            let mut last = 0;
            while last < 12 {
                // A new workspace per read, as in a process of its own, which opens the index again.
                let reader = Workspace::open(dir, options(clock)).unwrap();
                let lines = long_term(&reader).lines().count();
                assert!(lines >= last, "{lines} lines after {last}");
                assert_eq!(reader.take_warnings(), []);
                last = lines;
            }
        };
        let readers = [scope.spawn(ask), scope.spawn(ask)];
        for n in 1..12 {
            test.workspace.reindex().unwrap();
            test.workspace.zone().remember(&n.to_string()).unwrap();
        }
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
    let indexes = fs::read_dir(dir).unwrap().flatten().map(|file| file.file_name().into_string().unwrap());
    let mut indexes: Vec<String> =
        indexes.filter(|name| name.starts_with("index-") && name.ends_with(".db")).collect();
    indexes.sort();
    assert_eq!(indexes, ["index-v17.11.db"]);
}

#[test]
fn a_busy_workspace_is_reported() {
    let test = TestWorkspace::new();
    let lock = fs::File::open(test.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let config = Config { lock_wait: Duration::from_millis(20), ..Config::default() };
    let impatient = Options { config, ..options(&test.clock) };
    let workspace = Workspace::open(test.path(), impatient).unwrap();
    let e = workspace.zone().remember("x").unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Busy, "{e}");
    // Reading needs no lock.
    assert_eq!(long_term(&workspace), "");
}

/// Replaces bytes of a file in place.
fn alter(path: &std::path::Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_line_altered_since_it_was_read_is_not_shown_and_hides_no_other() {
    let test = TestWorkspace::new();
    for n in 0..3 {
        test.workspace
            .tape()
            .append_event("deploy", Some(&serde_json::json!({"n": n})), &Session::direct())
            .unwrap();
    }
    let question = memtape::tape::LogQuestion::default();
    assert_eq!(test.workspace.tape().log(&question, &At::head()).unwrap().len(), 6);
    alter(&test.path().join("tape.jsonl"), r#"{"n":1}"#, r#"{"n":7}"#);
    let log = test.workspace.tape().log(&question, &At::head()).unwrap();
    assert_eq!(log.iter().map(|entry| entry.id).collect::<Vec<_>>(), [1, 2, 3, 4, 6]);
    assert!(matches!(test.workspace.take_warnings()[..], [Warning::Unreadable { id: 5, .. }]));
}

#[test]
fn reindexing_a_damaged_tape_keeps_the_old_index() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("precious").unwrap();
    test.workspace.zone().remember("after it").unwrap();
    long_term(&test.workspace);
    alter(&test.path().join("tape.jsonl"), "precious", "previous");
    test.workspace.reindex().unwrap();
    assert_eq!(long_term(&test.workspace), "after it");
    let warnings = test.workspace.take_warnings();
    assert!(warnings.iter().any(|warning| matches!(warning, Warning::IndexKept { .. })), "{warnings:?}");
}

/// A line that was copied to an earlier position counts once the torn tail after it is cut; the index then
/// has it too.
#[test]
fn entries_behind_a_cut_tail_are_in_the_index() {
    let test = TestWorkspace::new();
    for name in ["first", "second", "third"] {
        test.workspace.tape().append_event(name, None, &Session::direct()).unwrap();
    }
    let tape = fs::read_to_string(test.path().join("tape.jsonl")).unwrap();
    let lines: Vec<&str> = tape.lines().collect();
    let (whole, [second, third]) = lines.split_at(lines.len() - 2) else { panic!("{tape}") };
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("tape.jsonl"), format!("{}\n{third}\n{second}", whole.join("\n"))).unwrap();
    let workspace = Workspace::open(dir.path(), options(&test.clock)).unwrap();
    workspace.tape().append_event("fourth", None, &Session::direct()).unwrap();
    let names = || {
        let log = workspace.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
        log.iter().map(|entry| entry.payload.get().to_owned()).collect::<Vec<_>>()
    };
    let live = names();
    assert!(live.iter().any(|payload| payload.contains("third")), "{live:?}");
    workspace.reindex().unwrap();
    assert_eq!(names(), live);
}

#[test]
fn an_acknowledged_group_that_was_cut_inside_shows_the_same_before_and_after_a_rebuild() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("whole").unwrap();
    test.workspace.zone().remember("cut").unwrap();
    long_term(&test.workspace);
    let tape = test.path().join("tape.jsonl");
    let text = fs::read_to_string(&tape).unwrap();
    let without_seal: String =
        text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect();
    fs::write(&tape, without_seal).unwrap();
    test.workspace.zone().remember("new").unwrap();
    let live = long_term(&test.workspace);
    test.workspace.reindex().unwrap();
    assert_eq!(long_term(&test.workspace), live);
    assert_eq!(live, "whole\ncut\nnew", "the rest of an acknowledged group counts");
    assert!(!Workspace::verify(test.path()).unwrap().tape.bad.is_empty());
}

#[test]
fn an_index_with_other_tables_is_built_again() {
    for sql in ["CREATE TABLE entries(a)", "DELETE FROM applied", "DROP TABLE memories"] {
        let test = TestWorkspace::new();
        test.workspace.zone().remember("one").unwrap();
        long_term(&test.workspace);
        drop(test.reopened());
        let path = test.path().join("index-v17.db");
        if sql.starts_with("CREATE") {
            for suffix in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(test.path().join(format!("index-v17.db{suffix}")));
            }
        }
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        // A write is the first operation to find the damage.
        test.reopened().zone().remember("two").unwrap_or_else(|e| panic!("{sql}: {e}"));
        assert_eq!(long_term(&test.reopened()), "one\ntwo", "{sql}");
    }
}

#[test]
fn an_unknown_branch_is_neither_read_nor_made() {
    let test = TestWorkspace::new();
    let options = Options { branch: Some("nope".into()), ..options(&test.clock) };
    let workspace = Workspace::open(test.path(), options).unwrap();
    assert_eq!(workspace.zone().remember("x").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(workspace.zone().view(&At::head()).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn entries_cut_off_without_a_trace_are_named_on_the_tape() {
    let test = TestWorkspace::new();
    for line in ["one", "two", "three"] {
        test.workspace.zone().remember(line).unwrap();
    }
    long_term(&test.workspace);
    let tape = test.path().join("tape.jsonl");
    let text = fs::read_to_string(&tape).unwrap();
    let kept: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    fs::write(&tape, kept).unwrap();
    assert_eq!(Workspace::verify(test.path()).unwrap().missing_since, Some(12));
    // A read rebuilds the index and keeps the evidence.
    assert_eq!(long_term(&test.workspace), "one");
    assert_eq!(Workspace::verify(test.path()).unwrap().missing_since, Some(12));
    test.reopened().zone().remember("four").unwrap();
    let errors = memtape::tape::LogQuestion { kinds: vec![memtape::Kind::Error], ..Default::default() };
    let log = test.workspace.tape().log(&errors, &At::head()).unwrap();
    expect_test::expect![[
        r#"{"kind":"tape.lost","message":"acknowledged entries are gone from the tape","details":{"from_entry":7,"to_entry":12}}"#
    ]]
    .assert_eq(log[0].payload.get());
    assert_eq!(long_term(&test.workspace), "one\nfour");
    assert_eq!(Workspace::verify(test.path()).unwrap().missing_since, None);
}

/// A command that rebuilds the index may be the first one after the tape was cut.
#[test]
fn reindexing_a_cut_tape_keeps_the_old_index_and_what_was_acknowledged() {
    let test = TestWorkspace::new();
    for line in ["one", "two", "three"] {
        test.workspace.zone().remember(line).unwrap();
    }
    long_term(&test.workspace);
    let tape = test.path().join("tape.jsonl");
    let text = fs::read_to_string(&tape).unwrap();
    let kept: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    fs::write(&tape, kept).unwrap();
    test.reopened().reindex().unwrap();
    let old = rusqlite::Connection::open(test.path().join("archive/index-until-12.db")).unwrap();
    let texts: u64 = old.query_row("SELECT count(*) FROM memories", [], |row| row.get(0)).unwrap();
    assert_eq!(texts, 3);
    assert_eq!(Workspace::verify(test.path()).unwrap().missing_since, Some(12));
    test.reopened().zone().remember("four").unwrap();
    let errors = memtape::tape::LogQuestion { kinds: vec![memtape::Kind::Error], ..Default::default() };
    let log = test.workspace.tape().log(&errors, &At::head()).unwrap();
    assert!(log[0].payload.get().contains("tape.lost"), "{}", log[0].payload.get());
    assert_eq!(long_term(&test.workspace), "one\nfour");
}

#[test]
fn reindexing_first_does_not_cut_an_acknowledged_group() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("whole").unwrap();
    test.workspace.zone().remember("cut").unwrap();
    long_term(&test.workspace);
    let tape = test.path().join("tape.jsonl");
    let text = fs::read_to_string(&tape).unwrap();
    let count = text.lines().count();
    let without_seal: String = text.lines().take(count - 1).map(|line| format!("{line}\n")).collect();
    fs::write(&tape, without_seal).unwrap();
    let again = test.reopened();
    again.reindex().unwrap();
    again.zone().remember("new").unwrap();
    assert_eq!(long_term(&again), "whole\ncut\nnew", "the rest of an acknowledged group counts");
    again.reindex().unwrap();
    assert_eq!(long_term(&again), "whole\ncut\nnew");
}

/// A length in the index is no reason to allocate that much.
#[test]
fn a_length_in_the_index_that_is_damaged_does_not_end_the_process() {
    for column in ["line_length", "line_offset"] {
        let test = TestWorkspace::new();
        test.workspace.zone().remember("one").unwrap();
        long_term(&test.workspace);
        index_of(test.path()).execute(&format!("UPDATE applied SET {column} = 1 << 62"), []).unwrap();
        assert_eq!(long_term(&test.reopened()), "one", "{column}");
    }
}

/// A process that has the workspace open follows the directory that has its name.
#[test]
fn a_directory_that_is_replaced_has_one_writer() {
    let parent = tempfile::tempdir().unwrap();
    let (dir, old) = (parent.path().join("agent"), parent.path().join("agent.old"));
    let clock = TestClock::at("2026-02-10T10:00:00Z");
    let running = Workspace::init(&dir, options(&clock)).unwrap();
    running.zone().remember("of before").unwrap();
    fs::rename(&dir, &old).unwrap();
    fs::create_dir(&dir).unwrap();
    memtape_testkit::laws::copy_tape(&old, &dir).unwrap();
    let store = Store::open(&dir, store_options(&clock)).unwrap();
    let writing = store.write_guard().unwrap();
    let config = Config { lock_wait: Duration::ZERO, ..memtape_testkit::config() };
    let other = Workspace::open(&dir, Options { config, ..options(&clock) }).unwrap();
    assert_eq!(other.zone().remember("of another").unwrap_err().kind(), ErrorKind::Busy);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| running.zone().remember("of now").map(drop));
        std::thread::sleep(Duration::from_millis(100));
        assert!(!waiting.is_finished(), "it waits for the writer of the new directory");
        drop(writing);
        waiting.join().unwrap().unwrap();
    });
    assert_eq!(long_term(&running), "of before\nof now");
    fs::remove_dir_all(&dir).unwrap();
    running.zone().remember("nowhere").unwrap_err();
}

/// A closed segment is all of the tape, if the process stopped before it made a new file.
#[test]
fn a_workspace_without_an_active_segment_can_be_copied_for_a_trial() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("one").unwrap();
    test.workspace.archive().unwrap();
    fs::remove_file(test.path().join("tape.jsonl")).unwrap();
    let scratch = test.reopened().scratch().unwrap();
    assert_eq!(long_term(scratch.workspace()), "one");
}
