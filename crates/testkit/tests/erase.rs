//! Law 9, *erasure*: the text is in no file under the workspace, `verify` passes, nothing else changes, and nothing that
//! was retired comes back. It holds wherever an erasure is cut off, once somebody opens the workspace again.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memtape::tape::LogQuestion;
use memtape::{At, Audience, Config, Form, Origin, Scope, Sensitivity, Session, Workspace};
use memtape_store::{Author, INDEX_FILE, Notice, Replacement, Store};
use memtape_tape::storage::{Blob, Guard};
use memtape_tape::{
    Archived, BadLine, EntryId, Error, MemoryStorage, Position, RawLine, Scanned, Segments, Storage, verify,
};
use memtape_testkit::workspace::{START, store_options};
use memtape_testkit::{FailingStorage, Failure, Older, Step, TestClock, TestWorkspace};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

/// What must go. The sentence around it stays.
const SECRET: &str = "tangerine-Falcon-88";

fn said(n: u32) -> String {
    format!("the password of door {n} is {SECRET}")
}

fn over(dir: &Path, storage: Arc<dyn Storage>) -> Workspace {
    Workspace::over(Store::over(dir, storage, store_options(&TestClock::at(START))), Config::default())
        .unwrap()
}

/// The same as an older version has it, which takes no secret out.
fn older(dir: &Path, storage: Arc<dyn Storage>) -> Older {
    Older::over(Store::over(dir, storage, store_options(&TestClock::at(START))))
}

fn author() -> Author {
    Author {
        session: Session::direct(),
        origin: Origin::User,
        branch: Some("main".into()),
        scope: Scope::Global,
        sensitivity: Sensitivity::Normal,
        reason: None,
    }
}

/// All lines of all segments.
fn lines(storage: &Arc<dyn Storage>) -> Vec<String> {
    let mut all = Vec::new();
    let each = |line: RawLine<'_>| {
        all.push(String::from_utf8_lossy(line.bytes).into_owned());
        Ok::<(), Error>(())
    };
    Segments::open(storage).unwrap().each_line(each).unwrap();
    all
}

/// Every file under a folder, links not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => found.extend(files(&entry.path())),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found
}

/// Every mirror and what it says.
fn mirrors(dir: &Path) -> BTreeMap<PathBuf, String> {
    let folder = dir.join("mirror");
    let found = if folder.exists() { files(&folder) } else { Vec::new() };
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[track_caller]
fn assert_gone(dir: &Path) {
    for file in files(dir) {
        // Another process may remove the index meanwhile.
        let bytes = fs::read(&file).unwrap_or_default();
        let holds = bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
        assert!(!holds, "{} holds the secret", file.display());
    }
}

/// What was acknowledged.
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
    // What fails ends it; the tests look at what was acknowledged before.
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

/// Opens what is left, as the next process does, and sees that all is as if nothing had been cut off.
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
    let finished = workspace.take_notices().iter().any(|notice| matches!(notice, Notice::Erased { .. }));
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
                    // Of what was not synced nothing is left, and what was made from it is another medium's.
                    medium.truncate(storage.durable().len() as u64).unwrap();
                    files(dir.path()).iter().for_each(|file| fs::remove_file(file).unwrap());
                    drop(fs::remove_dir_all(dir.path().join("mirror")));
                }
                let left = recovers(dir.path(), medium, &acknowledged, written == 100, &when);
                // The lines of what was acknowledged are the same as without the crash, those erased too.
                let same = left.iter().zip(&end).take(acknowledged.lines);
                for (left, end) in same {
                    assert_eq!(left, end, "{when}");
                }
            }
        }
    }
}

/// What fails once, as on a full disk, is told, and the next command goes on from there.
#[test]
fn a_failure_is_told_and_finished_by_the_next_command() {
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

/// Whoever cannot have the lock reads the tape, and not an index that may hold what is gone.
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
    let notices = workspace.take_notices();
    assert!(matches!(notices[..], [Notice::ErasurePending { .. }]), "{notices:?}");
    drop(lock);
    workspace.zone().view(&At::head()).unwrap();
    let notices = workspace.take_notices();
    assert!(matches!(notices[..], [Notice::Erased { entries: 5 }]), "{notices:?}");
    assert_eq!(medium.intent().unwrap(), None);
}

/// A medium on which another store erases while the n-th piece is read, or after the n-th look at which file is the
/// active segment.
struct Meddled {
    inner: MemoryStorage,
    blob: Mutex<Option<Opened>>,
    meddler: Arc<Meddler>,
}

struct Meddler {
    dir: PathBuf,
    medium: MemoryStorage,
    reads: AtomicUsize,
    looks: AtomicUsize,
    at: When,
}

/// A segment, and how the reader sees it.
type Opened = (Arc<dyn Blob>, Arc<MeddledBlob>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Read(usize),
    Look(usize),
}

impl Meddler {
    fn erase(&self) {
        over(&self.dir, Arc::new(self.medium.clone())).scan_and_redact().unwrap();
    }
}

struct MeddledBlob {
    blob: Arc<dyn Blob>,
    meddler: Arc<Meddler>,
}

impl MeddledBlob {
    fn wrap(blob: &Arc<dyn Blob>, meddler: &Arc<Meddler>) -> Arc<Self> {
        Arc::new(Self { blob: Arc::clone(blob), meddler: Arc::clone(meddler) })
    }
}

impl Blob for MeddledBlob {
    fn len(&self) -> memtape_tape::Result<u64> {
        self.blob.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> memtape_tape::Result<usize> {
        let read = self.blob.read_at(offset, buf);
        let n = self.meddler.reads.fetch_add(1, Ordering::SeqCst) + 1;
        if self.meddler.at == When::Read(n) {
            self.meddler.erase();
        }
        read
    }
}

impl Meddled {
    fn new(dir: &Path, medium: &MemoryStorage, at: When) -> Self {
        let (reads, looks) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let meddler = Meddler { dir: dir.into(), medium: medium.clone(), reads, looks, at };
        Self { inner: medium.clone(), blob: Mutex::default(), meddler: Arc::new(meddler) }
    }
}

impl Storage for Meddled {
    fn active(&self) -> memtape_tape::Result<Option<Arc<dyn Blob>>> {
        let Some(inner) = self.inner.active()? else { return Ok(None) };
        let n = self.meddler.looks.fetch_add(1, Ordering::SeqCst) + 1;
        if self.meddler.at == When::Look(n) {
            self.meddler.erase();
        }
        let mut known = self.blob.lock().unwrap();
        match &*known {
            Some((of, blob)) if Arc::ptr_eq(of, &inner) => Ok(Some(Arc::clone(blob) as Arc<dyn Blob>)),
            _ => {
                let blob = MeddledBlob::wrap(&inner, &self.meddler);
                *known = Some((inner, Arc::clone(&blob)));
                Ok(Some(blob))
            }
        }
    }

    fn archived(&self) -> memtape_tape::Result<Vec<Archived>> {
        self.inner.archived()
    }

    fn open_archived(&self, segment: &Archived) -> memtape_tape::Result<Arc<dyn Blob>> {
        Ok(MeddledBlob::wrap(&self.inner.open_archived(segment)?, &self.meddler))
    }

    fn lock(&self, wait: Duration) -> memtape_tape::Result<Box<dyn Guard>> {
        self.inner.lock(wait)
    }

    fn create(&self) -> memtape_tape::Result<()> {
        self.inner.create()
    }

    fn append(&self, at: u64, bytes: &[u8]) -> memtape_tape::Result<()> {
        self.inner.append(at, bytes)
    }

    fn sync(&self) -> memtape_tape::Result<()> {
        self.inner.sync()
    }

    fn truncate(&self, len: u64) -> memtape_tape::Result<()> {
        self.inner.truncate(len)
    }

    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> memtape_tape::Result<String> {
        self.inner.keep_torn(id, bytes)
    }

    fn intent(&self) -> memtape_tape::Result<Option<Vec<u8>>> {
        self.inner.intent()
    }

    fn set_intent(&self, intent: Option<&[u8]>) -> memtape_tape::Result<()> {
        self.inner.set_intent(intent)
    }

    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> memtape_tape::Result<()>,
    ) -> memtape_tape::Result<()> {
        self.inner.replace(segment, write)
    }

    fn archive(&self, segment: &Archived) -> memtape_tape::Result<()> {
        self.inner.archive(segment)
    }
}

/// A reader that began before the erasure must not put into an index what it has read.
#[test]
fn an_erasure_in_the_middle_of_a_question_leaves_nothing() {
    // The second look is the last thing before the index is opened.
    let moments = (1..14).map(When::Read).chain([When::Look(1), When::Look(2)]);
    for (at, without_index) in moments.flat_map(|at| [(at, true), (at, false)]) {
        let dir = tempfile::tempdir().unwrap();
        let medium = MemoryStorage::new();
        medium.create().unwrap();
        let workspace = over(dir.path(), Arc::new(medium.clone()));
        let older = older(dir.path(), Arc::new(medium.clone()));
        older.remember(&said(1)).unwrap();
        workspace.archive().unwrap();
        older.remember(&said(2)).unwrap();
        if without_index {
            drop((workspace, older));
            files(dir.path()).iter().for_each(|file| fs::remove_file(file).unwrap());
        }
        let reader = over(dir.path(), Arc::new(Meddled::new(dir.path(), &medium, at)));
        let when = format!("at {at:?}, without an index: {without_index}");
        // It shows what was before or what is after, and both lines either way.
        let shown = reader.tape().log(&LogQuestion::default(), &At::head()).unwrap();
        let shown = shown.iter().filter(|entry| entry.payload.get().contains("the password of door")).count();
        assert_eq!(shown, 2, "{when}");
        assert_eq!(reader.take_notices(), [], "{when}");
        let (view, _) = reader.zone().view(&At::head()).unwrap();
        assert_eq!(view.long_term.len(), 2, "{when}");
        over(dir.path(), Arc::new(medium.clone())).scan_and_redact().unwrap();
        over(dir.path(), Arc::new(medium.clone())).zone().view(&At::head()).unwrap();
        for file in files(dir.path()) {
            let text = fs::read(&file).unwrap();
            let holds = text.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
            assert!(!holds, "{when}: {} holds the secret", file.display());
        }
    }
}

/// Two stores on one directory, as two processes have: one erases, the other reads and writes on.
#[test]
fn another_store_notices() {
    let test = TestWorkspace::new();
    test.older().remember(&said(1)).unwrap();
    let other = test.again();
    assert!(other.zone().context(&At::head()).unwrap().contains(SECRET));
    test.workspace.scan_and_redact().unwrap();
    let before = At::entry(6);
    for at in [At::head(), before] {
        let shown = other.zone().context(&at).unwrap();
        assert!(!shown.contains(SECRET) && shown.contains("the password of door 1 is [redacted:password]"));
    }
    other.zone().remember("tea").unwrap();
    assert!(test.workspace.zone().context(&At::head()).unwrap().contains("tea"));
    assert_eq!((other.take_notices(), test.workspace.take_notices()), (vec![], vec![]));
    assert_gone(test.path());
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

#[test]
fn kept_indexes_go_too() {
    let test = TestWorkspace::new();
    test.older().remember(&said(1)).unwrap();
    test.workspace.zone().context(&At::head()).unwrap();
    let tape = fs::read(test.path().join("tape.jsonl")).unwrap();
    fs::write(test.path().join("tape.jsonl"), "").unwrap();
    test.workspace.zone().context(&At::head()).unwrap();
    fs::write(test.path().join("tape.jsonl"), tape).unwrap();
    fs::write(test.path().join("index-v1.db"), said(1)).unwrap();
    let kept = test.path().join("archive/index-until-6.db");
    assert!(kept.exists());
    test.again().scan_and_redact().unwrap();
    assert!(!kept.exists());
    assert_gone(test.path());
}

/// What is asked for and would break what stands elsewhere.
#[test]
fn what_would_take_more_with_it_is_refused() {
    let test = TestWorkspace::new();
    test.append("anchor", r#"{"name":"branch/fork","state":{"parent":"main","at":3}}"#, "{}");
    test.workspace.zone().remember("one\ntwo").unwrap();
    let store = Store::open(test.path(), store_options(&test.clock)).unwrap();
    let erase = |id: EntryId, with: Option<&str>| {
        let with = with.map(|text| {
            let raw = |value: &serde_json::Value| serde_json::value::to_raw_value(value).unwrap();
            (raw(&serde_json::from_str(text).unwrap()), raw(&json!({})))
        });
        store.erase(&author(), "x", |_| Ok(vec![Replacement::Entry { id, with: with.clone() }]))
    };
    let refused = |done: memtape_store::Result<_>| match done {
        Err(e @ memtape_store::Error::NotErasable { .. }) => e.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused(erase(4, None)).contains("a branch begins or ends there"));
    let one = r#"{"name":"memory.long_term","data":{"content":"one and two"}}"#;
    assert!(refused(erase(6, Some(one))).contains("other memories"));
    let event = erase(6, None).unwrap().event.unwrap();
    assert!(refused(erase(event, None)).contains("it vouches"));
    let twice = store.erase(&author(), "x", |_| {
        Ok(vec![Replacement::Entry { id: 1, with: None }, Replacement::Entry { id: 1, with: None }])
    });
    assert!(refused(twice).contains("twice"));
    // What is gone already is nothing to do.
    assert_eq!(erase(6, None).unwrap().event, None);
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

/// What only a foreign writer can have written: a field that stands twice, and what is nested too deeply.
#[test]
fn odd_json_is_looked_through_too() {
    let test = TestWorkspace::new();
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    test.append("message", &format!(r#"{{"role":"user","content":"{}","x":{deep}}}"#, said(1)), "{}");
    test.append("message", &format!(r#"{{"role":"user","content":"{}","content":"tea"}}"#, said(2)), "{}");
    test.append("x", "{}", &format!(r#"{{"note":"{}","session":"telegram:7","retires":[7]}}"#, said(3)));
    assert_eq!(test.workspace.scan().unwrap().finds.len(), 3);
    test.workspace.scan_and_redact().unwrap();
    assert_gone(test.path());
    let log = test.workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    assert_eq!(log[3].payload.get(), "{}");
    assert_eq!(log[4].payload.get(), r#"{"role":"user","content":"tea"}"#);
    let meta =
        r#"{"note":"the password of door 3 is [redacted:password]","session":"telegram:7","retires":[7]}"#;
    assert_eq!(log[5].meta.get(), meta);
    assert_eq!(test.workspace.scan().unwrap().finds, []);
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

/// Numbers of memories and digests can look like the number of a card: they are none.
#[test]
fn numbers_of_the_tape_stay() {
    let test = TestWorkspace::new();
    test.append("x", "{}", r#"{"retires":[4111111111111111],"scope":"channel:x:user:4111111111111111"}"#);
    let now = format!("a4111111111111111b{}", "0".repeat(46));
    let event =
        format!(r#"{{"name":"tape.erase","data":{{"entries":[{{"id":1,"now":"{now}"}}],"reason":"x"}}}}"#);
    test.append("event", &event, "{}");
    assert_eq!(test.workspace.scan().unwrap().finds, []);
    assert_eq!(test.workspace.scan_and_redact().unwrap().event, None);
}

/// A reset retires what a rule names; without its text the numbers do.
#[test]
fn what_a_reset_retired_stays_retired() {
    let test = TestWorkspace::new();
    let session: Session = "telegram:7".parse().unwrap();
    let message = r#"{"role":"user","content":"hello"}"#;
    for _ in 0..2 {
        test.append("message", message, r#"{"session":"telegram:7"}"#);
        test.append("message", message, r#"{"session":"telegram:8"}"#);
    }
    let reset = test.workspace.tape().reset(Some(&session), false).unwrap().anchor;
    let store = Store::open(test.path(), store_options(&test.clock)).unwrap();
    let left = |workspace: &Workspace| memories(workspace, &At::head(), &BTreeSet::new());
    let before = left(&test.workspace);
    assert_eq!(before.len(), 2);
    let erase =
        |id| store.erase(&author(), "x", |_| Ok(vec![Replacement::Entry { id, with: None }])).unwrap();
    erase(reset);
    assert_eq!(left(&test.workspace), before);
    // It holds for what is erased once more, too.
    let with = Some([r#"{"x":1}"#, "{}"].map(|text| serde_json::from_str(text).unwrap()).into());
    store.erase(&author(), "x", |_| Ok(vec![Replacement::Entry { id: reset, with: with.clone() }])).unwrap();
    assert_eq!(left(&test.workspace), before);
    erase(reset);
    assert_eq!(left(&test.workspace), before);
    // A reset of everything hides what came before it as it did.
    let everything = test.workspace.tape().reset(None, false).unwrap().anchor;
    erase(everything);
    assert_eq!(left(&test.workspace), []);
    assert_eq!(test.workspace.tape().search("hello", None, &[], 9, &At::head()).unwrap().len(), 0);
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

/// The visible memories at a point, but for those that these entries bore.
fn memories(workspace: &Workspace, at: &At, without: &BTreeSet<EntryId>) -> Vec<(u64, String)> {
    let of = |form: Form| workspace.memories(form, &Audience::owner(), at).unwrap();
    let all = Form::ALL.into_iter().flat_map(of);
    let kept = all.filter(|memory| !without.contains(&(memory.id.number() >> 20)));
    kept.map(|memory| (memory.id.number(), memory.text)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// Over every form: at every point exactly the memories are gone that the erased entries bore.
    #[test]
    fn nothing_older_comes_back(
        steps in Step::many(14),
        chosen in prop::collection::vec(any::<Index>(), 1..6),
        later in Step::many(4),
    ) {
        let test = TestWorkspace::new();
        for step in &steps {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        let head = test.workspace.status(&At::head()).unwrap().entries;
        let erased: BTreeSet<EntryId> =
            chosen.iter().map(|at| at.index(usize::try_from(head).unwrap()) as u64 + 1).collect();
        let points: Vec<At> = (1..=head).map(At::entry).collect();
        let before: Vec<_> = points.iter().map(|at| memories(&test.workspace, at, &erased)).collect();
        let store = Store::open(test.path(), store_options(&test.clock)).unwrap();
        let wanted = || erased.iter().map(|id| Replacement::Entry { id: *id, with: None }).collect();
        store.erase(&author(), "it was asked for", |_| Ok(wanted())).unwrap();
        for (at, before) in points.iter().zip(&before) {
            prop_assert_eq!(&memories(&test.workspace, at, &BTreeSet::new()), before, "at {:?}", at);
        }
        let log = test.workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
        for entry in log.iter().filter(|entry| entry.id <= head) {
            prop_assert_eq!(entry.is_erased(), erased.contains(&entry.id), "entry {}", entry.id);
        }
        for step in &later {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        let shown = memories(&test.workspace, &At::head(), &BTreeSet::new());
        test.workspace.reindex().unwrap();
        prop_assert_eq!(memories(&test.workspace, &At::head(), &BTreeSet::new()), shown);
        let verified = Workspace::verify(test.path()).unwrap();
        prop_assert_eq!((verified.tape.bad, verified.missing_since), (vec![], None));
    }
}

/// What happens to the bytes of a tape.
#[derive(Clone, Debug)]
enum Harm {
    Flip(Index, u8),
    Delete(Index, usize),
    Insert(Index, &'static str),
    /// The newline between two lines is gone.
    Join(Index),
    /// A line stands there twice.
    Copy(Index, Index),
}

fn any_harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Harm::Flip(at, bit)),
        (any::<Index>(), 1..300_usize).prop_map(|(at, count)| Harm::Delete(at, count)),
        (any::<Index>(), prop::sample::select(vec!["\n", "\"", "\u{e9}", "}", "{\"id\":7,"]))
            .prop_map(|(at, what)| Harm::Insert(at, what)),
        any::<Index>().prop_map(Harm::Join),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Harm::Copy(from, to)),
    ]
}

impl Harm {
    fn to(&self, tape: &mut Vec<u8>) {
        let newlines: Vec<usize> = (0..tape.len()).filter(|at| tape[*at] == b'\n').collect();
        match self {
            Self::Flip(at, bit) => *at.get_mut(tape) ^= 1 << bit,
            Self::Delete(at, count) => {
                let start = at.index(tape.len());
                tape.drain(start..(start + count).min(tape.len()));
            }
            Self::Insert(at, what) => {
                let at = at.index(tape.len());
                tape.splice(at..at, what.bytes());
            }
            Self::Join(at) => drop(tape.remove(*at.get(&newlines))),
            Self::Copy(from, to) => {
                let n = from.index(newlines.len());
                let start = if n == 0 { 0 } else { newlines[n - 1] + 1 };
                let line = tape[start..=newlines[n]].to_vec();
                let at = *to.get(&newlines) + 1;
                tape.splice(at..at, line);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// Whatever happened to the tape: what could be read still can be, what was damaged is, and no secret is left.
    #[test]
    fn a_damaged_tape_is_redacted_too(harms in prop::collection::vec(any_harm(), 1..4)) {
        let dir = tempfile::tempdir().unwrap();
        let medium = MemoryStorage::new();
        medium.create().unwrap();
        let older = older(dir.path(), Arc::new(medium.clone()));
        for n in 0..4 {
            older.remember(&format!("{}\n-----BEGIN PRIVATE KEY-----\nabc", said(n))).unwrap();
        }
        let mut tape = medium.tape();
        harms.iter().for_each(|harm| harm.to(&mut tape));
        let dir = tempfile::tempdir().unwrap();
        let medium = MemoryStorage::with_tape(tape);
        let workspace = over(dir.path(), Arc::new(medium.clone()));
        // The end is brought into order before, so that it does not count as a change.
        workspace.tape().append_event("x", None, &Session::direct()).unwrap();
        let storage: Arc<dyn Storage> = Arc::new(medium);
        let hashes = || {
            let mut hashes = Vec::new();
            let mut scanner = Segments::open(&storage).unwrap().scan(Position::START);
            while let Some(scanned) = scanner.next().unwrap() {
                if let Scanned::Group(group) = scanned {
                    hashes.extend(group.entries.iter().map(|located| located.entry.hash));
                }
            }
            hashes
        };
        let (before, bad) = (hashes(), verify(&storage).unwrap().bad);
        workspace.scan_and_redact().unwrap();
        prop_assert!(hashes().starts_with(&before), "{bad:?}");
        let places = |bad: &[BadLine]| bad.iter().map(|bad| (bad.0.line, bad.0.counts)).collect::<Vec<_>>();
        prop_assert_eq!(places(&verify(&storage).unwrap().bad), places(&bad), "{:?}", bad);
        prop_assert_eq!(workspace.scan().unwrap().finds, vec![]);
        // What the harm itself broke is no longer known by its name.
        let left = lines(&storage);
        prop_assert!(left.iter().all(|line| !line.contains(&said(1))), "{:?}", left);
    }
}

fn writer(dir: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
        .arg(dir)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

/// A process that erases is killed, at another moment each time: a little earlier where it was done before, a little
/// later where it had not begun.
#[test]
fn a_killed_erasure_is_finished_by_the_next_command() {
    const ROUNDS: u32 = 40;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), memtape::Options::default()).unwrap();
    let older = Older::open(dir.path(), memtape::Options::default()).unwrap();
    let mut moment = Duration::from_millis(5);
    let mut unfinished = BTreeSet::new();
    for round in 0..ROUNDS {
        for n in 0..4 {
            older.remember(&format!("{round}.{n}: {}", said(n))).unwrap();
        }
        let text = format!("{round}: {}", said(4));
        older.add(&text).unwrap();
        older.turn(&text, &format!("{text}, it was said"), "I see.").unwrap();
        if round % 7 == 0 {
            workspace.archive().unwrap();
        }
        let mut child = writer(dir.path(), &["eraser", "redact", "1"]);
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        out.next().transpose().unwrap();
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
        let done = out.next().is_some();
        let begun = dir.path().join("erase.json").exists();
        if begun {
            // How far it came: which of these are there, and whether the event is on the tape.
            let left = ["tape.jsonl.new", INDEX_FILE].map(|name| dir.path().join(name).exists());
            let tape = fs::read_to_string(dir.path().join("tape.jsonl")).unwrap();
            unfinished.insert((left, tape.contains(SECRET), tape.matches("tape.erase").count() % 2));
        }
        moment = match (done, begun) {
            (true, _) => moment * 7 / 8,
            (false, false) => moment * 9 / 8 + Duration::from_micros(300),
            (false, true) => moment * (15 + round % 3) / 16,
        };
        let (view, _) = workspace.zone().view(&At::head()).unwrap();
        assert_eq!(view.long_term.len() as u32, 4 * (round + 1), "round {round}");
        if begun || done {
            assert_gone(dir.path());
        }
        workspace.scan_and_redact().unwrap();
        assert_gone(dir.path());
        let verified = Workspace::verify(dir.path()).unwrap();
        assert_eq!((verified.tape.bad, verified.missing_since), (vec![], None), "round {round}");
    }
    assert!(!unfinished.is_empty(), "none of {ROUNDS} erasures was cut off in its middle");
    eprintln!("cut off at {} different moments: {unfinished:?}", unfinished.len());
}

/// Others write and read all the while: nothing is lost, and nobody sees less than before.
#[test]
fn writers_race_an_erasure_and_lose_nothing() {
    const WRITES: u32 = 60;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), memtape::Options::default()).unwrap();
    Older::open(dir.path(), memtape::Options::default()).unwrap().remember(&said(0)).unwrap();
    let count = WRITES.to_string();
    let mut children: Vec<_> =
        ["ana", "ben"].iter().map(|name| writer(dir.path(), &[name, &count])).collect();
    children.push(writer(dir.path(), &["cleo", "secret", "30"]));
    children.push(writer(dir.path(), &["archivist", "archive", "20"]));
    children.push(writer(dir.path(), &["eraser", "redact", "30"]));
    let mut seen = 0;
    for _ in 0..60 {
        let (view, _) = workspace.zone().view(&At::head()).unwrap();
        assert!(view.long_term.len() >= seen, "a line vanished");
        seen = view.long_term.len();
    }
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    workspace.scan_and_redact().unwrap();
    assert_gone(dir.path());
    let verified = Workspace::verify(dir.path()).unwrap();
    assert_eq!((verified.tape.bad, verified.missing_since), (vec![], None));
    assert_eq!(verified.tape.entries, verified.tape.last_id, "ids have no gap");
    let text = workspace.zone().view(&At::head()).unwrap().0.long_term_text();
    let lines: BTreeSet<&str> = text.lines().collect();
    for name in ["ana", "ben"] {
        for n in 0..WRITES {
            assert!(lines.contains(format!("{name} remembers {n}").as_str()), "{name} {n} is lost");
        }
    }
    assert_eq!(text.matches("[redacted:password]").count(), 31);
    // Who asks while the other process is at it may be told so, and nothing else.
    let notices = workspace.take_notices();
    assert!(notices.iter().all(|notice| matches!(notice, Notice::ErasurePending { .. })), "{notices:?}");
}
