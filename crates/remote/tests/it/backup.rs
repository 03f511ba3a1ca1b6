//! Backups of tapes, and tapes from backups.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use memtape_remote::backup::{BackedUp, Error, backup};
use memtape_remote::objects::{Objects, open_store};
use memtape_remote::restore::{Restored, restore};
use memtape_tape::{
    Draft, Durability, Entry, FileStorage, Floor, Intent, Kind, Position, Replaced, Salt, Scanned, Segments,
    Storage, Writer, erase, verify,
};
use memtape_upstream::{Error as UpstreamError, MemoryUpstream, Upstream};
use serde_json::json;
use serde_json::value::RawValue;
use tempfile::TempDir;

use crate::objects::{Place, small};
use crate::watched::Watched;

/// A tape in a directory.
struct Tape {
    dir: TempDir,
    storage: Arc<dyn Storage>,
    salt: u128,
}

impl Tape {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let storage = FileStorage::new(dir.path());
        storage.create().unwrap();
        Self { dir, storage: Arc::new(storage), salt: 0 }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Appends a group of messages.
    fn append(&mut self, texts: &[&str]) {
        let drafts = texts.iter().map(|text| {
            Draft::new(Kind::Message, &json!({"role": "user", "content": text}), &json!({}), "main").unwrap()
        });
        let drafts = drafts.collect();
        let mut salt = self.salt;
        let mut salts = || {
            salt += 1;
            Salt::new(salt.to_be_bytes())
        };
        self.writer().append(drafts, Timestamp::UNIX_EPOCH, &mut salts).unwrap();
        self.salt = salt;
    }

    fn archive(&mut self) {
        self.writer().archive(Timestamp::UNIX_EPOCH, &mut || Salt::new([7; 16])).unwrap();
    }

    fn writer(&self) -> Writer {
        let tail = Segments::open(&self.storage).unwrap().scan(Position::START);
        let tail = tail.run(|_| Ok::<(), memtape_tape::Error>(())).unwrap();
        Writer::new(&self.storage, tail, Floor::default(), Durability::Os).unwrap().0
    }

    fn entries(&self) -> BTreeMap<u64, Entry> {
        let mut entries = BTreeMap::new();
        let scan = Segments::open(&self.storage).unwrap().scan(Position::START);
        let scanned = scan.run(|scanned| {
            if let Scanned::Group(group) = scanned {
                entries.extend(group.entries.into_iter().map(|located| (located.entry.id, located.entry)));
            }
            Ok::<(), memtape_tape::Error>(())
        });
        scanned.unwrap();
        entries
    }

    fn intent(&self, id: u64) -> Intent {
        let entries = self.entries();
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        Intent {
            after: entries.len() as u64,
            branch: "main".into(),
            meta: raw("{}"),
            reason: "a secret".into(),
            entries: vec![Replaced::new(&entries[&id], raw("{}"), raw("{}")).unwrap()],
            lines: vec![],
        }
    }

    /// Erases the text of an entry.
    fn erase(&mut self, id: u64) {
        self.intent(id).keep(self.storage.as_ref()).unwrap();
        self.salt += 1;
        let salt = self.salt.to_be_bytes();
        let mut salts = || Salt::new(salt);
        erase::finish(&self.storage, Floor::default(), Timestamp::UNIX_EPOCH, &mut salts).unwrap().unwrap();
        self.storage.set_intent(None).unwrap();
    }

    /// Returns all lines of the tape.
    fn bytes(&self) -> Vec<u8> {
        self.entries().values().flat_map(|entry| (entry.line() + "\n").into_bytes()).collect()
    }

    fn backup(&self, upstream: &dyn Upstream) -> Result<BackedUp, Error> {
        backup(self.path(), upstream, &mut |_| {})
    }
}

fn restored(upstream: &dyn Upstream, dir: &Path) -> Result<Restored, Error> {
    restore(upstream, dir, &mut |_, _| {})
}

/// Restores into a new directory and returns the tape.
fn copy(upstream: &dyn Upstream) -> Vec<u8> {
    let dir = TempDir::new().unwrap();
    restored(upstream, &dir.path().join("new/tape")).unwrap();
    let dir = dir.path().join("new/tape");
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(&dir));
    assert_eq!(verify(&storage).unwrap().bad, []);
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "nothing else is left");
    fs::read(dir.join("tape.jsonl")).unwrap()
}

#[test]
fn a_backup_is_incremental_and_restores_the_same_bytes() {
    for place in Place::all() {
        let mut tape = Tape::new();
        let mut entries = 0;
        for round in 0..5_u64 {
            for n in 0..=round {
                tape.append(&["one", &format!("{round}/{n}")]);
            }
            if round == 2 {
                tape.archive();
            }
            let all = tape.entries().len() as u64;
            let done = tape.backup(&place.open("b", small())).unwrap();
            let bytes = tape.bytes()[..].len() as u64;
            assert_eq!((done.is_new, done.added, done.present), (round == 0, all - entries, entries));
            assert!(done.bytes > 0 && done.bytes <= bytes && done.erased == 0);
            assert_eq!(copy(&place.open("b", small())), tape.bytes(), "round {round}");
            entries = all;
        }
        let again = tape.backup(&place.open("b", small())).unwrap();
        assert_eq!(again, BackedUp { present: entries, ..BackedUp::default() });
    }
}

#[test]
fn an_erasure_reaches_the_backup() {
    for place in Place::all() {
        let mut tape = Tape::new();
        for n in 0..5 {
            tape.append(&[if n == 0 { "hunter2" } else { "harmless" }]);
            tape.backup(&place.open("b", small())).unwrap();
        }
        assert!(!place.files_with("hunter2").is_empty());
        tape.append(&["hunter2 again", "and once more"]);
        tape.erase(1);
        tape.append(&["later"]);
        tape.erase(6);
        let done = tape.backup(&place.open("b", small())).unwrap();
        assert_eq!((done.added, done.erased), (5, 1), "entry 6 was erased before it was backed up");
        assert_eq!(place.files_with("hunter2"), Vec::<String>::new());
        assert_eq!(copy(&place.open("b", small())), tape.bytes());
    }
}

/// A store may keep what a backup may not delete.
#[test]
fn an_erasure_that_does_not_reach_the_backup_is_reported_each_time() {
    let place = Place::files();
    let mut tape = Tape::new();
    tape.append(&["hunter2"]);
    let mut store = Watched::new(open_store(&place.url("b"), &[]).unwrap());
    store.keeps_objects = true;
    let upstream = Objects::new("watched", Arc::new(store), small());
    tape.backup(&upstream).unwrap();
    tape.erase(1);
    for _ in 0..2 {
        let error = tape.backup(&upstream).unwrap_err();
        assert!(error.to_string().contains("older objects still have the text"), "{error}");
    }
    assert_eq!(tape.backup(&place.open("b", small())).unwrap().added, 0);
    assert_eq!(place.files_with("hunter2"), Vec::<String>::new());
}

#[test]
fn a_tape_that_is_archived_meanwhile_is_backed_up() {
    let mut tape = Tape::new();
    tape.append(&["one"]);
    let upstream = MemoryUpstream::new("b");
    tape.backup(&upstream).unwrap();
    tape.append(&["two"]);
    let (path, mut is_archived) = (tape.path().to_owned(), false);
    let mut archive = |_| {
        if !std::mem::replace(&mut is_archived, true) {
            tape.archive();
        }
    };
    let done = backup(&path, &upstream, &mut archive).unwrap();
    assert_eq!((done.added, done.present), (1, 1));
    assert_eq!(copy(&upstream), tape.bytes());
}

#[test]
fn what_is_no_continuation_of_the_backup_is_refused() {
    let mut tape = Tape::new();
    tape.append(&["one"]);
    tape.append(&["two"]);
    let upstream = MemoryUpstream::new("b");
    tape.backup(&upstream).unwrap();
    let before = copy(&upstream);
    let mut shorter = Tape::new();
    shorter.append(&["one"]);
    let mut other = Tape::new();
    (0..3).for_each(|_| other.append(&["other"]));
    // A group of the other tape goes on where the backup ends.
    let mut joined = Tape::new();
    joined.append(&["one"]);
    joined.append(&["two", "three"]);
    for tape in [&shorter, &other, &joined] {
        let error = tape.backup(&upstream).unwrap_err();
        assert!(matches!(error, Error::OtherTape { entry: 2, .. }), "{error:?}");
    }
    assert_eq!(copy(&upstream), before);
}

#[test]
fn a_tape_that_is_not_whole_is_refused() {
    let mut tape = Tape::new();
    let upstream = MemoryUpstream::new("b");
    assert!(matches!(backup(Path::new("/nonexistent"), &upstream, &mut |_| {}), Err(Error::NoTape(_))));
    tape.append(&["one"]);
    tape.append(&["two"]);
    tape.intent(1).keep(tape.storage.as_ref()).unwrap();
    assert!(matches!(tape.backup(&upstream), Err(Error::Erasing)));
    tape.storage.set_intent(None).unwrap();
    let path = tape.path().join("tape.jsonl");
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, good.replace("one", "One")).unwrap();
    assert!(matches!(tape.backup(&upstream), Err(Error::Damaged(_))));
    // An unfinished write was never acknowledged.
    fs::write(&path, format!("{good}{{\"id\":3")).unwrap();
    assert!(matches!(upstream.head(), Err(UpstreamError::NoTape { .. })), "nothing was created");
    assert_eq!(tape.backup(&upstream).unwrap().added, 2);
    assert_eq!(copy(&upstream), good.as_bytes());
}

#[test]
fn an_interrupted_restoration_continues() {
    let mut tape = Tape::new();
    for n in 0..6 {
        tape.append(&["hunter2", &n.to_string()]);
    }
    let upstream = MemoryUpstream::new("b");
    tape.backup(&upstream).unwrap();
    let whole = tape.bytes();
    // Meanwhile, an entry is erased that the interrupted restoration has already written, and one that it has not.
    let mut later = tape;
    later.erase(1);
    later.erase(7);
    later.backup(&upstream).unwrap();
    let second: usize = whole.split_inclusive(|byte| *byte == b'\n').take(2).map(<[u8]>::len).sum();
    for (written, present) in
        [(0, 0), (10, 0), (second - 1, 0), (second, 2), (second + 300, 2), (whole.len(), 12)]
    {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("tape.jsonl.restoring"), &whole[..written]).unwrap();
        let done = restored(&upstream, dir.path()).unwrap();
        assert_eq!(
            fs::read(dir.path().join("tape.jsonl")).unwrap(),
            later.bytes(),
            "{written} bytes written"
        );
        let bytes = later.bytes().len() as u64;
        assert_eq!(done, Restored { entries: 14, present, bytes });
    }
}

#[test]
fn a_restoration_overwrites_nothing_and_takes_nothing_wrong() {
    let mut tape = Tape::new();
    tape.append(&["one"]);
    let upstream = MemoryUpstream::new("b");
    assert!(matches!(restored(&upstream, tape.path()), Err(Error::NoBackup(_))));
    // A first backup that was interrupted, or whose groups are lost.
    upstream.create().unwrap();
    let dir = TempDir::new().unwrap();
    assert!(matches!(restored(&upstream, dir.path()), Err(Error::EmptyBackup(_))));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    tape.backup(&upstream).unwrap();
    assert!(matches!(restored(&upstream, tape.path()), Err(Error::NotEmpty(dir)) if dir == tape.path()));
    let mut other = Tape::new();
    other.append(&["other"]);
    let dir = TempDir::new().unwrap();
    let partial: PathBuf = dir.path().join("tape.jsonl.restoring");
    fs::write(&partial, other.bytes()).unwrap();
    let error = restored(&upstream, dir.path()).unwrap_err();
    assert!(matches!(error, Error::OtherRestoration { entry: 1, .. }), "{error:?}");
    assert_eq!(fs::read(partial).unwrap(), other.bytes());
}
