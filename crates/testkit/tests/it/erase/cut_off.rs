//! An erasure that is interrupted at any operation of its storage, or fails there, is finished by the next writer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use memtape::At;
use memtape_store::{Store, Warning};
use memtape_tape::{EntryId, MemoryStorage, Storage, verify};
use memtape_testkit::secrets::files_below;
use memtape_testkit::workspace::{START, store_options};
use memtape_testkit::{FailingStorage, Failure, TestClock};

use super::removed::memories;
use super::secret::{SECRET, assert_gone, lines, older, over, said};

/// Returns the content of every mirror.
fn mirrors(dir: &Path) -> BTreeMap<PathBuf, String> {
    let folder = dir.join("mirror");
    let found = if folder.exists() { files_below(&folder).unwrap() } else { Vec::new() };
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The acknowledged state.
#[derive(Default)]
struct Acknowledged {
    texts: Vec<String>,
    /// The lines on the tape before the erasure.
    lines: usize,
}

/// Two segments with secrets of every form in both, then the erasure, then one more line.
fn scenario(dir: &Path, storage: &FailingStorage) -> Acknowledged {
    let mut acknowledged = Acknowledged::default();
    storage.create().unwrap();
    // A failure ends it; the tests check the state that was acknowledged before.
    let _ = play(dir, storage, &mut acknowledged);
    acknowledged
}

fn play(dir: &Path, storage: &FailingStorage, acknowledged: &mut Acknowledged) -> memtape::Result<()> {
    let workspace = over(dir, Arc::new(storage.clone()));
    let older = older(dir, Arc::new(storage.clone()));
    let mut written = |text: String, entries: memtape_store::Result<Vec<EntryId>>| {
        acknowledged.lines += entries?.len();
        acknowledged.texts.push(text);
        Ok::<(), memtape_store::Error>(())
    };
    written(said(1), older.remember(&said(1)))?;
    written("tea".into(), older.remember("tea"))?;
    written(said(2), older.add(&said(2)))?;
    workspace.archive()?;
    written(said(3), older.remember(&said(3)))?;
    written("cake".into(), older.remember("cake"))?;
    written(said(4), older.turn(&format!("Hello! {}", said(4)), &said(4), "I see."))?;
    workspace.scan_and_redact()?;
    workspace.zone().remember("end")?;
    acknowledged.texts.push("end".into());
    Ok(())
}

/// Opens the workspace as the next process does, and checks that the result is as without an interruption.
fn recovers(
    dir: &Path,
    medium: MemoryStorage,
    acknowledged: &Acknowledged,
    write_first: bool,
    when: &str,
) -> Vec<String> {
    let storage: Arc<dyn Storage> = Arc::new(medium);
    let begun = storage.intent().unwrap().is_some();
    let workspace = over(dir, Arc::clone(&storage));
    if write_first {
        workspace.zone().remember("the next process was here").unwrap();
        assert_eq!(storage.intent().unwrap(), None, "{when}: a writer finishes it first");
    }
    let shown = memories(&workspace, &At::head(), &BTreeSet::new());
    let finished = workspace.take_warnings().iter().any(|warning| matches!(warning, Warning::Erased { .. }));
    assert_eq!(finished, begun, "{when}");
    assert_eq!(storage.intent().unwrap(), None, "{when}");
    let shown: BTreeSet<String> = shown.into_iter().map(|(_, text)| text).collect();
    let redacted = |line: &String| line.replace(SECRET, "[redacted:password]");
    for line in &acknowledged.texts {
        assert!(shown.contains(line) || shown.contains(&redacted(line)), "{when}: {line:?} is lost");
    }
    if begun {
        assert_gone(dir);
        assert!(!lines(&storage).concat().contains(SECRET), "{when}");
    }
    workspace.scan_and_redact().unwrap();
    assert_eq!(workspace.scan().unwrap().finds, [], "{when}");
    assert_gone(dir);
    let left = lines(&storage);
    assert!(!left.concat().contains(SECRET), "{when}");
    let report = verify(&storage).unwrap();
    assert_eq!((report.bad, report.torn), (vec![], None), "{when}");
    assert_eq!(report.entries, report.last_id, "{when}: ids have no gap");
    let events = left.iter().filter(|line| line.contains("tape.erase")).count();
    let erased = left.iter().any(|line| line.contains(r#","erased":""#));
    assert_eq!(events, usize::from(erased), "{when}: an erasure is told once");
    if erased && dir.join("mirror").exists() {
        let mirrors = mirrors(dir);
        Store::over(dir, storage, store_options(&TestClock::at(START))).reindex().unwrap();
        assert_eq!(mirrors, self::mirrors(dir), "{when}: the mirrors show what stands");
    }
    left
}

#[test]
fn a_crash_at_any_operation_loses_nothing_and_keeps_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let whole = FailingStorage::new(0, Failure::Never);
    let acknowledged = scenario(dir.path(), &whole);
    assert_eq!(acknowledged.texts.len(), 7);
    let end = recovers(dir.path(), whole.medium(), &acknowledged, false, "not at all");
    for at in 1..=whole.operations() {
        for written in [0, 100, usize::MAX] {
            for power in [false, true] {
                let dir = tempfile::tempdir().unwrap();
                let storage = FailingStorage::new(at, Failure::Crash { written });
                let acknowledged = scenario(dir.path(), &storage);
                let when = format!("stopped at operation {at}, {written} bytes written, power lost: {power}");
                let medium = storage.medium();
                if power {
                    // Unsynced data is lost, and the index was built from it, so it belongs to another tape.
                    medium.truncate(storage.durable().len() as u64).unwrap();
                    files_below(dir.path()).unwrap().iter().for_each(|file| fs::remove_file(file).unwrap());
                    drop(fs::remove_dir_all(dir.path().join("mirror")));
                }
                let left = recovers(dir.path(), medium, &acknowledged, written == 100, &when);
                // The acknowledged lines are the same as without the crash, including erased ones.
                let same = left.iter().zip(&end).take(acknowledged.lines);
                for (left, end) in same {
                    assert_eq!(left, end, "{when}");
                }
            }
        }
    }
}

/// A single failure, such as a full disk, is reported, and the next command continues.
#[test]
fn a_failure_is_reported_and_finished_by_the_next_command() {
    let whole = FailingStorage::new(0, Failure::Never);
    scenario(tempfile::tempdir().unwrap().path(), &whole);
    for at in 1..=whole.operations() {
        let dir = tempfile::tempdir().unwrap();
        let storage = FailingStorage::new(at, Failure::Full { written: 50 });
        let acknowledged = scenario(dir.path(), &storage);
        recovers(
            dir.path(),
            storage.medium(),
            &acknowledged,
            at % 2 == 0,
            &format!("failed at operation {at}"),
        );
    }
}

/// A reader that cannot get the lock reads the tape, and not an index that may contain erased text.
#[test]
fn a_reader_beside_an_unfinished_erasure_reads_the_tape() {
    let dir = tempfile::tempdir().unwrap();
    let whole = FailingStorage::new(0, Failure::Never);
    scenario(dir.path(), &whole);
    // The last operations are: the closed segment, the active one, the intent's removal, and one write of two.
    let dir = tempfile::tempdir().unwrap();
    let storage = FailingStorage::new(whole.operations() - 3, Failure::Crash { written: 0 });
    scenario(dir.path(), &storage);
    let medium: Arc<dyn Storage> = Arc::new(storage.medium());
    assert!(medium.intent().unwrap().is_some());
    let workspace = over(dir.path(), Arc::clone(&medium));
    let lock = medium.lock(Duration::ZERO).unwrap();
    let (view, _) = workspace.zone().view(&At::head()).unwrap();
    // The closed segment was written anew, the other not yet.
    let text = view.long_term_text();
    assert!(
        !text.contains(&said(1)) && text.contains("door 1 is [redacted:password]") && text.contains(&said(3))
    );
    let warnings = workspace.take_warnings();
    assert!(matches!(warnings[..], [Warning::ErasureRunning]), "{warnings:?}");
    drop(lock);
    workspace.zone().view(&At::head()).unwrap();
    let warnings = workspace.take_warnings();
    assert!(matches!(warnings[..], [Warning::Erased { entries: 5 }]), "{warnings:?}");
    assert_eq!(medium.intent().unwrap(), None);
}
