//! The store: one directory with one tape, one index and one writer at a time.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_core::Context;
use memtape_core::recall::vector::Vector;
use memtape_index::index::{Applied, Index};
use memtape_index::vectors::Kept;
use memtape_index::{Batch, Model, Reader, Unreadable, generations, vectors};
use memtape_tape::storage::Guard;
use memtape_tape::{
    Archived, Durability, Entry, EntryId, FailStop, FileStorage, Salts, Segments, Storage, Writer,
};
use memtape_upstream::{Freshness, Replica, Upstream};

use crate::author::Author;
use crate::catch_up::{IndexProgress, is_same_tape};
use crate::error::{Error, Result};
use crate::mirror::{Mirrors, StaleMirrors};
use crate::state::State;
use crate::under_way::UnderWay;
use crate::warning::Warning;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

impl<F: Fn() -> Timestamp + Send + Sync> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// The configuration and dependencies of a [`Store`].
pub struct Options {
    /// The clock.
    pub clock: Box<dyn Clock>,
    /// The source of salts.
    pub salts: Box<dyn Salts>,
    /// The workspace's time zone.
    pub zone: TimeZone,
    /// Whether acknowledged entries survive a power failure.
    pub durability: Durability,
    /// How long a writer waits for the lock that another process holds.
    pub lock_wait: Duration,
    /// Progress callback for a long index catch-up. It is called about every 20,000 entries.
    pub progress: Box<dyn Fn(IndexProgress) + Send + Sync>,
    /// Whether each conversation has a mirror file with its last turns.
    pub session_state: bool,
    /// The upstream of the tape; `None` if the directory has the only one.
    pub upstream: Option<Following>,
}

/// How a store follows an upstream.
pub struct Following {
    /// The upstream.
    pub upstream: Arc<dyn Upstream>,
    /// How current reads are.
    pub freshness: Freshness,
    /// How long a write waits for an upstream that fails.
    pub wait: Duration,
}

/// The outcome of a command, and the entries that it wrote.
#[derive(Debug)]
pub struct Written<T> {
    /// The outcome of the command.
    pub outcome: T,
    /// The entries of the group that was appended. Empty if the command wrote nothing.
    pub entries: Vec<Entry>,
}

/// A workspace's directory, open for reading and writing.
pub struct Store {
    pub(crate) dir: PathBuf,
    pub(crate) storage: Arc<dyn Storage>,
    /// The replica that `storage` is, if the tape has an upstream.
    pub(crate) replica: Option<Arc<Replica>>,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) zone: TimeZone,
    pub(crate) durability: Durability,
    pub(crate) lock_wait: Duration,
    pub(crate) progress: Box<dyn Fn(IndexProgress) + Send + Sync>,
    pub(crate) session_state: bool,
    pub(crate) salts: Mutex<Box<dyn Salts>>,
    /// Connections that no view or command uses.
    pub(crate) idle: Mutex<Vec<Index>>,
    /// Locked by the one writer of this process.
    pub(crate) writing: Mutex<()>,
    pub(crate) under_way: UnderWay,
    warnings: Mutex<Vec<Warning>>,
}

impl Store {
    /// Returns whether a directory contains a workspace.
    #[must_use]
    pub fn exists_in(dir: &Path) -> bool {
        FileStorage::exists_in(dir)
    }

    /// Opens the workspace in a directory.
    ///
    /// # Errors
    /// [`Error::NoWorkspace`] if the directory contains no tape; [`Error::TapeMissing`] if it contains an
    /// index but no tape.
    pub fn open(dir: &Path, options: Options) -> Result<Self> {
        check_tape(dir)?;
        Ok(Self::over(dir, Arc::new(FileStorage::new(dir)), options))
    }

    /// Creates an empty tape in a directory, if there is none, and opens it.
    ///
    /// # Errors
    /// [`Error::Tape`] if the disk fails.
    pub fn create(dir: &Path, options: Options) -> Result<Self> {
        let storage = FileStorage::new(dir);
        storage.create()?;
        Ok(Self::over(dir, Arc::new(storage), options))
    }

    /// Returns a store over any [`Storage`], with its index in a directory. Tests use it to simulate crashes
    /// of the storage.
    #[must_use]
    pub fn over(dir: &Path, storage: Arc<dyn Storage>, options: Options) -> Self {
        let Options { clock, salts, zone, durability, lock_wait, progress, session_state, upstream } =
            options;
        let replica = upstream.map(|following| {
            let Following { upstream, freshness, wait } = following;
            Arc::new(Replica::new(dir, Arc::clone(&storage), upstream, freshness, wait))
        });
        // What a replica loses at its end is fetched again.
        let durability = if replica.is_some() { Durability::Os } else { durability };
        let storage = replica.clone().map_or(storage, |replica| replica as Arc<dyn Storage>);
        Self {
            dir: dir.to_owned(),
            storage: Arc::new(FailStop::new(storage)),
            replica,
            clock,
            zone,
            durability,
            lock_wait,
            progress,
            session_state,
            salts: Mutex::new(salts),
            idle: Mutex::default(),
            writing: Mutex::default(),
            under_way: UnderWay::default(),
            warnings: Mutex::default(),
        }
    }

    /// Returns the workspace's directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the workspace's time zone.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Returns the current time of the store's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the warnings since the last call, each one once, in the order of their first occurrence, without those of an
    /// upstream that was reached since.
    #[must_use]
    pub fn take_warnings(&self) -> Vec<Warning> {
        let mut taken: Vec<Warning> = Vec::new();
        // Several queries of one command may cause the same warning: it is reported once.
        for warning in std::mem::take(&mut *self.warnings()) {
            let is_outdated = matches!(warning, Warning::Offline { .. }) && self.offline().is_none();
            if !is_outdated && !taken.contains(&warning) {
                taken.push(warning);
            }
        }
        taken
    }

    /// Adds a warning for the user.
    pub fn note(&self, warning: Warning) {
        self.warnings().push(warning);
    }

    pub(crate) fn note_all(&self, warnings: impl IntoIterator<Item = Warning>) {
        self.warnings().extend(warnings);
    }

    pub(crate) fn warnings(&self) -> MutexGuard<'_, Vec<Warning>> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the source of salts.
    pub fn salts(&self) -> MutexGuard<'_, Box<dyn Salts>> {
        self.salts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the writer lock, and then finishes an interrupted erasure before anything else.
    pub(crate) fn lock(&self, state: &mut State) -> Result<Box<dyn Guard>> {
        self.lock_within(state, self.lock_wait)
    }

    pub(crate) fn lock_within(&self, state: &mut State, wait: Duration) -> Result<Box<dyn Guard>> {
        let lock = self.storage.lock(wait)?;
        self.finish_erasure(state)?;
        Ok(lock)
    }

    /// Opens the segments of the tape, of which there is at least one.
    pub(crate) fn segments(&self) -> Result<Segments> {
        let segments = Segments::open(&self.storage)?;
        match segments.is_absent() {
            true => Err(Error::TapeUnavailable(self.dir.display().to_string())),
            false => Ok(segments),
        }
    }

    /// Returns the reader of a command, inside the command's transaction.
    pub(crate) fn reader<'a>(
        &'a self,
        index: &'a Index,
        segments: &'a Segments,
        applied: Applied,
        now: Timestamp,
        unreadable: &'a RefCell<Vec<Unreadable>>,
    ) -> Reader<'a> {
        Reader::new(index, segments, applied, now, &self.zone, unreadable)
    }

    /// Returns the context of a command by this author.
    pub(crate) fn given(&self, author: &Author, branch: String, now: Timestamp) -> Context {
        Context {
            now,
            zone: self.zone.clone(),
            branch,
            session: author.session.clone(),
            origin: author.origin,
            scope: author.scope.clone(),
            sensitivity: author.sensitivity,
            reason: author.reason.clone(),
        }
    }

    /// Checks that no sync has failed in this process. After a failed sync the end of the tape is unknown,
    /// and nothing more is written.
    pub(crate) fn check_poison(&self) -> Result<()> {
        match self.storage.poisoned() {
            Some(reason) => Err(memtape_tape::Error::Poisoned { reason }.into()),
            None => Ok(()),
        }
    }

    /// Closes the tape's current file as an archived segment and begins a new one. Returns `None` if there
    /// was nothing to archive.
    ///
    /// # Errors
    /// The errors of [`Self::write_guard`]; [`Error::Tape`] if a segment of that name exists
    /// ([`memtape_tape::Error::SegmentExists`]) or the disk fails; [`Error::Index`] if the index cannot be
    /// brought up to date.
    pub fn archive(&self) -> Result<Option<Archived>> {
        let mut write_guard = self.write_guard()?;
        self.follow(&mut write_guard.state)?;
        let mut writer = self.writer(&mut write_guard.state)?;
        Ok(writer.archive(self.clock.now(), self.salts().as_mut())?)
    }

    /// Brings the index up to date, and repairs the end of the tape. The caller holds the lock.
    pub(crate) fn writer(&self, state: &mut State) -> Result<Writer> {
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(state, &mut segments, true)?;
        let (writer, recovered) = Writer::new(&self.storage, tail, applied.floor, self.durability)?;
        self.note_all(recovered.map(Warning::Recovered));
        Ok(writer)
    }

    /// Rebuilds the index from the tape, and the mirrors with it, and returns the id of the last entry.
    ///
    /// If the tape is damaged, or no longer contains what the index has read, the old index is kept in the archive,
    /// because it may be the only copy. The new index keeps which entries were acknowledged.
    ///
    /// # Errors
    /// [`Error::Tape`] if another writer holds the lock for longer than [`Options::lock_wait`]
    /// ([`memtape_tape::Error::Busy`]), or the disk fails; [`Error::Index`] if an index file cannot be
    /// replaced, or SQLite fails.
    pub fn reindex(&self) -> Result<u64> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.take_state();
        let _lock = self.lock(&mut state)?;
        drop(state.take_index());
        let old = Index::open(&self.dir).ok();
        match old.and_then(|old| Some((old.applied().ok()?, old))) {
            Some((applied, old)) => {
                if !is_same_tape(&applied, &Segments::open(&self.storage)?) {
                    let kept = old.set_aside(&applied)?;
                    self.note(Warning::TapeChanged { applied: applied.position.last_id, kept });
                } else if memtape_tape::verify(&self.storage)?.bad.is_empty() {
                    drop(old);
                    generations::replace(&self.dir)?;
                } else {
                    let kept = old.set_aside(&applied)?;
                    self.note_all(kept.map(|kept| Warning::IndexKept { kept }));
                }
                self.begin_anew(&mut state, &applied)?;
            }
            None => generations::replace(&self.dir)?,
        }
        self.mirror_anew(&mut state)
    }

    /// Brings the index up to date, rewrites the mirrors, and returns the id of the last entry. The caller
    /// holds the lock.
    pub(crate) fn mirror_anew(&self, state: &mut State) -> Result<EntryId> {
        let mut segments = Segments::open(&self.storage)?;
        let last = self.catch_up(state, &mut segments, true)?.0.end.last_id;
        let index = state.index()?;
        self.update_mirrors(index, &segments, StaleMirrors::Everything);
        Ok(last)
    }

    /// Updates the stale mirrors. The caller holds the lock.
    pub(crate) fn update_mirrors(&self, index: &Index, segments: &Segments, stale: StaleMirrors<'_>) {
        let done = index.applied().map_err(Error::from).and_then(|applied| {
            let unreadable = RefCell::default();
            let reader = self.reader(index, segments, applied, self.clock.now(), &unreadable);
            Mirrors::new(&self.dir, &reader, self.session_state).update(stale)
        });
        if let Err(e) = done {
            self.note(Warning::MirrorLags { why: e.to_string() });
        }
    }

    /// Stores the vectors of a batch: one for each of its memories, or `None` for a memory on which the model
    /// fails.
    ///
    /// # Errors
    /// [`Error::Index`] if SQLite fails.
    pub fn keep_vectors(&self, model: &Model, batch: &Batch, made: &[Option<Vector>]) -> Result<Kept> {
        let mut state = self.take_state();
        if state.index.is_none() {
            state = State::of(Some(self.open_index()?));
        }
        let kept = vectors::keep(state.index()?, model, batch, made);
        self.give_back(state);
        Ok(kept?)
    }

    /// Removes the torn tails that were moved to the archive: they were never acknowledged, and may contain any text.
    ///
    /// # Errors
    /// [`Error::Tape`] if a file cannot be removed.
    pub fn remove_torn(&self) -> Result<()> {
        for name in memtape_tape::remove_torn(&self.dir)? {
            self.note(Warning::TornRemoved { name });
        }
        Ok(())
    }

    /// Saves a text in the archive under an unused name, and returns that name, relative to the workspace.
    ///
    /// # Errors
    /// [`Error::Index`] if the disk fails.
    pub fn keep(&self, stem: &str, extension: &str, text: &str) -> Result<String> {
        Ok(generations::keep(&self.dir, stem, extension, text)?)
    }
}

/// Checks that a directory contains a tape. A directory with only an index is neither a workspace nor an
/// empty one.
pub(crate) fn check_tape(dir: &Path) -> Result<()> {
    match (FileStorage::exists_in(dir), generations::current(dir).is_some()) {
        (true, _) => Ok(()),
        (false, true) => Err(Error::TapeMissing(dir.display().to_string())),
        (false, false) => Err(Error::NoWorkspace(dir.display().to_string())),
    }
}
