//! An erasure by another store in the middle of a question.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memtape::At;
use memtape::tape::LogQuestion;
use memtape_tape::storage::Blob;
use memtape_tape::{Archived, MemoryStorage, Storage};
use memtape_testkit::secrets::{files_below, files_with};

use super::secret::{SECRET, older, over, said};

/// Storage on which another store runs an erasure while the n-th piece is read, or after the n-th check of the active
/// segment.
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
    memtape_tape::delegate!(inner: archived, lock, create, append, sync, truncate);
    memtape_tape::delegate!(inner: keep_torn, intent, set_intent, replace, archive);

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

    fn open_archived(&self, segment: &Archived) -> memtape_tape::Result<Arc<dyn Blob>> {
        Ok(MeddledBlob::wrap(&self.inner.open_archived(segment)?, &self.meddler))
    }
}

/// A reader that began before the erasure must not write to an index what it has read.
#[test]
fn an_erasure_in_the_middle_of_a_question_leaves_nothing() {
    // The second check is the last step before the index is opened.
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
            files_below(dir.path()).unwrap().iter().for_each(|file| fs::remove_file(file).unwrap());
        }
        let reader = over(dir.path(), Arc::new(Meddled::new(dir.path(), &medium, at)));
        let when = format!("at {at:?}, without an index: {without_index}");
        // The reader shows the state before or after the erasure, with both lines in either case.
        let shown = reader.tape().log(&LogQuestion::default(), &At::head()).unwrap();
        let shown = shown.iter().filter(|entry| entry.payload.get().contains("the password of door")).count();
        assert_eq!(shown, 2, "{when}");
        assert_eq!(reader.take_warnings(), [], "{when}");
        let (view, _) = reader.zone().view(&At::head()).unwrap();
        assert_eq!(view.long_term.len(), 2, "{when}");
        over(dir.path(), Arc::new(medium.clone())).scan_and_redact().unwrap();
        over(dir.path(), Arc::new(medium.clone())).zone().view(&At::head()).unwrap();
        assert_eq!(files_with(dir.path(), SECRET).unwrap(), Vec::<String>::new(), "{when}");
    }
}
