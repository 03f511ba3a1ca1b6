//! The store: one directory with one tape, one index and one writer at a time.

use std::cell::RefCell;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memtape_core::recall::vector::Vector;
use memtape_core::{Context, Decision};
use memtape_index::index::{Applied, Index};
use memtape_index::{Batch, Model, Reader, Unreadable, generations, vectors};
use memtape_tape::storage::Guard;
use memtape_tape::{
    Archived, Draft, Durability, Entry, EntryId, FailStop, FileStorage, Group, Hash, Kind, Report, Salts,
    Segments, Storage, Tail, Writer,
};
use memtape_upstream::{Followed, Freshness, Replica, Upstream};

use crate::author::Author;
use crate::catch_up::{self, CaughtUp, Progress};
use crate::error::{Error, Result};
use crate::mirror::Mirrors;
use crate::state::State;
use crate::warning::Warning;

/// The difference between clock and tape below which no warning is given: processes read the clock at
/// slightly different moments.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(2);

/// Maximum number of times that the index is replaced or reopened for one query. Each attempt repairs what
/// the previous one found.
const CATCH_UP_ATTEMPTS: usize = 5;

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
    pub progress: Box<dyn Fn(Progress) + Send + Sync>,
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
    clock: Box<dyn Clock>,
    zone: TimeZone,
    durability: Durability,
    pub(crate) lock_wait: Duration,
    progress: Box<dyn Fn(Progress) + Send + Sync>,
    session_state: bool,
    pub(crate) salts: Mutex<Box<dyn Salts>>,
    /// Connections that no view or command uses.
    pub(crate) idle: Mutex<Vec<Index>>,
    /// Locked by the one writer of this process.
    pub(crate) writing: Mutex<()>,
    warnings: Mutex<Vec<Warning>>,
}

/// The result of verifying a whole workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The result of checking the tape's hash chain.
    pub tape: Report,
    /// The last entry that the index had read, if the tape no longer contains it.
    pub missing_since: Option<u64>,
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

    /// Returns the warnings since the last call, each one once, in the order of their first occurrence.
    #[must_use]
    pub fn take_warnings(&self) -> Vec<Warning> {
        let mut taken: Vec<Warning> = Vec::new();
        // Several queries of one command may cause the same warning: it is reported once.
        for warning in std::mem::take(&mut *self.warnings()) {
            if !taken.contains(&warning) {
                taken.push(warning);
            }
        }
        taken
    }

    /// Adds a warning for the user.
    pub fn note(&self, warning: Warning) {
        self.warnings().push(warning);
    }

    pub(crate) fn durability(&self) -> Durability {
        self.durability
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

    fn lock_within(&self, state: &mut State, wait: Duration) -> Result<Box<dyn Guard>> {
        let lock = self.storage.lock(wait)?;
        self.finish_erasure(state)?;
        Ok(lock)
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

    /// Takes the writer lock, unless this store has stopped writing.
    pub(crate) fn lock_to_write(&self, state: &mut State, wait: Duration) -> Result<Box<dyn Guard>> {
        self.check_poison()?;
        if self.replica.is_none() {
            // Another process may have pushed the tape since this store was opened. A mark that cannot be read is one.
            match memtape_upstream::marked(&self.dir) {
                Ok(None) => {}
                Ok(Some(upstream)) => return Err(Error::Detached { upstream }),
                Err(e) => return Err(Error::Detached { upstream: e.to_string() }),
            }
        }
        let lock = self.lock_within(state, wait)?;
        if self.replica.as_ref().is_some_and(|replica| replica.is_in_doubt()) {
            self.follow(state)?;
        }
        Ok(lock)
    }

    /// Brings a replica up to date with its upstream, and returns whether it was behind. The caller holds the lock.
    pub(crate) fn follow(&self, state: &mut State) -> Result<bool> {
        let Some(replica) = &self.replica else { return Ok(false) };
        let before = replica.entry()?;
        let followed = replica.follow()?;
        self.note_followed(followed);
        self.finish_erasure(state)?;
        Ok(replica.entry()? != before)
    }

    pub(crate) fn note_followed(&self, followed: Followed) {
        let Followed { settled, unreachable } = followed;
        self.note_all(settled.map(Warning::Settled));
        let since = || self.replica.as_ref().and_then(|replica| replica.contact()).map(|contact| contact.at);
        self.note_all(unreachable.map(|why| Warning::Offline { why, since: since() }));
    }

    /// Returns the replica; `None` if the tape has no upstream.
    #[must_use]
    pub fn replica(&self) -> Option<&Replica> {
        self.replica.as_deref()
    }

    /// Checks that no sync has failed in this process. After a failed sync the end of the tape is unknown,
    /// and nothing more is written.
    pub(crate) fn check_poison(&self) -> Result<()> {
        match self.storage.poisoned() {
            Some(reason) => Err(memtape_tape::Error::Poisoned { reason }.into()),
            None => Ok(()),
        }
    }

    pub(crate) fn write_once<T>(
        &self,
        state: &mut State,
        author: &Author,
        decide: &mut impl FnMut(&Reader<'_>, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(state, &mut segments, true)?;
        let index = state.index()?;
        // One transaction covers everything from the view that the command reads to the projection of what it
        // writes. Other readers continue; they have nothing to apply, because only the lock holder appends.
        let transaction = index.begin_write()?;
        let (mut writer, recovered) = Writer::new(&self.storage, tail, applied.floor, self.durability)?;
        // After the repair of the tape's end, more entries may count than this command writes. Then the tape
        // is read again instead.
        let reread = recovered.is_some() || writer.tail().damaged.is_some();
        if let Some(recovered) = recovered {
            self.note(Warning::Recovered(recovered));
            segments = Segments::open(&self.storage)?;
        }
        let now = self.clock.now();
        let date = writer.date(now);
        if date.duration_since(now) > CLOCK_TOLERANCE {
            self.note(Warning::ClockBehind { behind: date.duration_since(now).round_seconds(), date });
        }
        // Order comes from the tape, but days and expiry come from the clock: the tape may contain dates of a
        // clock that was once ahead. The tape keeps microseconds.
        let now = Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now);
        let unreadable = RefCell::default();
        let reader = self.reader(index, &segments, applied, now, &unreadable);
        let given = self.given(author, author.writable_branch(&reader)?, now);
        let decided = decide(&reader, &given);
        self.note_all(unreadable.take().into_iter().map(Warning::from));
        let Decision { drafts, outcome } = decided?;
        if drafts.is_empty() {
            return Ok(Written { outcome, entries: Vec::new() });
        }
        let mut groups = match lost_note(&applied, writer.tail().next_id, &given.branch)? {
            Some(note) => writer.append(vec![note], now, self.salts().as_mut())?,
            None => Vec::new(),
        };
        groups.extend(writer.append(drafts, now, self.salts().as_mut())?);
        // The entries are acknowledged now: if the rest fails, a later command catches up.
        let projected = if reread {
            drop(transaction);
            self.read_on(index, &segments).map(|_| ())
        } else {
            index.project(applied, &groups).and_then(|_| transaction.commit()).map_err(Error::from)
        };
        match projected {
            Err(e) => self.note(Warning::IndexLags { why: e.to_string() }),
            Ok(()) => self.update_mirrors(index, &segments, Some(&groups)),
        }
        let entries = groups.pop().map(|group| group.entries).unwrap_or_default();
        Ok(Written { outcome, entries: entries.into_iter().map(|located| located.entry).collect() })
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
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(&mut write_guard.state, &mut segments, true)?;
        let (mut writer, recovered) = Writer::new(&self.storage, tail, applied.floor, self.durability)?;
        self.note_all(recovered.map(Warning::Recovered));
        Ok(writer.archive(self.clock.now(), self.salts().as_mut())?)
    }

    /// Rebuilds the index from the tape, and the mirrors with it, and returns the id of the last entry.
    ///
    /// If the tape is damaged, the old index is kept in the archive, because it may contain what the damaged
    /// lines recorded.
    ///
    /// # Errors
    /// [`Error::Tape`] if another writer holds the lock for longer than [`Options::lock_wait`]
    /// ([`memtape_tape::Error::Busy`]), or the disk fails; [`Error::Index`] if an index file cannot be
    /// replaced, or SQLite fails.
    pub fn reindex(&self) -> Result<u64> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.take_state();
        let _lock = self.lock(&mut state)?;
        let old = state.index.take().or_else(|| Index::open(&self.dir).ok());
        match old.and_then(|old| Some((old.applied().ok()?, old))) {
            Some((applied, old)) if !memtape_tape::verify(&self.storage)?.bad.is_empty() => {
                let kept = old.set_aside(&applied)?;
                self.note_all(kept.map(|kept| Warning::IndexKept { kept }));
            }
            _ => generations::replace(&self.dir)?,
        }
        self.mirror_anew(&mut state)
    }

    /// Brings the index up to date, rewrites the mirrors, and returns the id of the last entry. The caller
    /// holds the lock.
    pub(crate) fn mirror_anew(&self, state: &mut State) -> Result<EntryId> {
        let mut segments = Segments::open(&self.storage)?;
        let last = self.catch_up(state, &mut segments, true)?.0.end.last_id;
        let index = state.index()?;
        self.update_mirrors(index, &segments, None);
        Ok(last)
    }

    /// Updates the mirrors from `groups`, or rewrites them if it is `None`. The caller holds the lock.
    fn update_mirrors(&self, index: &Index, segments: &Segments, groups: Option<&[Group]>) {
        let done = index.applied().map_err(Error::from).and_then(|applied| {
            let unreadable = RefCell::default();
            let reader = self.reader(index, segments, applied, self.clock.now(), &unreadable);
            Mirrors::new(&self.dir, &reader, self.session_state).update(groups)
        });
        if let Err(e) = done {
            self.note(Warning::MirrorLags { why: e.to_string() });
        }
    }

    /// Stores the vectors of a batch: one for each of its memories, or `None` for a memory on which the model
    /// fails. Returns `false`, and stores nothing, if vectors of another model were stored since the batch
    /// was taken.
    ///
    /// # Errors
    /// [`Error::Index`] if SQLite fails.
    pub fn keep_vectors(&self, model: &Model, batch: &Batch, made: &[Option<Vector>]) -> Result<bool> {
        let mut state = self.take_state();
        if state.index.is_none() {
            state.index = Some(self.open_index()?);
        }
        let kept = vectors::keep(state.index()?, model, batch, made);
        self.give_back(state);
        Ok(kept?)
    }

    /// Saves a text in the archive under an unused name, and returns that name, relative to the workspace.
    ///
    /// # Errors
    /// [`Error::Index`] if the disk fails.
    pub fn keep(&self, stem: &str, extension: &str, text: &str) -> Result<String> {
        Ok(generations::keep(&self.dir, stem, extension, text)?)
    }

    /// Checks a directory's tape against its hash chain, and against what its index had read.
    ///
    /// It needs only a `tape.jsonl`, and changes nothing.
    ///
    /// # Errors
    /// [`Error::NoWorkspace`] if the directory contains no tape; [`Error::TapeMissing`] if it contains an
    /// index but no tape; [`Error::Tape`] if the disk fails.
    pub fn verify(dir: &Path) -> Result<Verified> {
        check_tape(dir)?;
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
        let tape = memtape_tape::verify(&storage)?;
        let look = || missing_since(dir, &storage, tape.last_id);
        // An erasure may have replaced the tape and the index between the two reads, so a mismatch is
        // confirmed by a second look.
        let missing_since = look()?.map_or(Ok(None), |_| look())?;
        Ok(Verified { tape, missing_since })
    }

    /// Brings the index to the tape's end: opens, replaces or rebuilds it as needed.
    pub(crate) fn catch_up(
        &self,
        state: &mut State,
        segments: &mut Segments,
        locked: bool,
    ) -> Result<(Tail, Applied)> {
        let mut attempts = 0;
        while attempts < CATCH_UP_ATTEMPTS {
            attempts += 1;
            if state.index.as_ref().is_some_and(|index| !index.is_current()) {
                state.index = None;
            }
            if state.index.is_none() {
                state.index = Some(self.open_index()?);
            }
            let current = state.index()?;
            let caught_up = self.read_on(current, segments);
            match caught_up {
                Ok(CaughtUp::Done(done)) => return Ok(*done),
                Ok(CaughtUp::OtherTape) => self.tape_changed(state, segments, locked)?,
                Ok(CaughtUp::OtherSegments) => {
                    // Another process made progress in the meantime: this is no failed attempt.
                    attempts -= 1;
                    *segments = Segments::open(&self.storage)?;
                }
                Err(e) if e.is_index_read_only() => {
                    self.note(Warning::IndexInMemory { why: e.to_string() });
                    state.index = Some(Index::in_memory()?);
                }
                Err(e) => return Err(e),
            }
        }
        Err(memtape_index::Error::not_open().into())
    }

    /// Applies the entries that follow on the tape, and records the warnings.
    fn read_on(&self, index: &Index, segments: &Segments) -> Result<CaughtUp> {
        let mut warnings = Vec::new();
        let done = catch_up::catch_up(index, segments, &*self.progress, &mut warnings);
        self.note_all(warnings);
        done
    }

    fn open_index(&self) -> memtape_index::Result<Index> {
        match Index::open(&self.dir) {
            Err(e) if e.is_index_read_only() => {
                if let Some(index) = Index::open_immutable(&self.dir) {
                    return Ok(index);
                }
                self.note(Warning::IndexInMemory { why: e.to_string() });
                Index::in_memory()
            }
            other => other,
        }
    }

    /// Replaces an index that does not belong to the present tape, which was cut, emptied, edited or
    /// replaced. The old index is kept: it may be the only copy of some memories.
    fn tape_changed(&self, state: &mut State, segments: &mut Segments, locked: bool) -> Result<()> {
        let _lock = match locked {
            true => None,
            false => match self.lock(state) {
                Ok(lock) => Some(lock),
                Err(e) => {
                    // If the storage is read-only, the old index stays in place, and the tape is read without
                    // it.
                    self.note(Warning::IndexInMemory { why: e.to_string() });
                    state.index = Some(Index::in_memory()?);
                    return Ok(());
                }
            },
        };
        // Only under the lock is the state fixed: in the meantime the segments may have been archived, and
        // another process may have replaced the index.
        *segments = Segments::open(&self.storage)?;
        let Some(old) = state.index.take().filter(Index::is_current) else { return Ok(()) };
        let applied = old.applied()?;
        if catch_up::is_same_tape(&applied, segments) {
            state.index = Some(old);
            return Ok(());
        }
        let kept = old.set_aside(&applied)?;
        self.note(Warning::TapeChanged { applied: applied.position.last_id, kept });
        self.begin_anew(state, &applied)
    }

    /// Opens a new index, which takes over from the previous one what was acknowledged.
    pub(crate) fn begin_anew(&self, state: &mut State, before: &Applied) -> Result<()> {
        let new = self.open_index()?;
        let Applied { floor, first_hash, .. } = *before;
        if first_hash != Hash::ZERO {
            let known = before.known.max(before.position.last_id);
            new.set_applied(&Applied { first_hash, floor, known, ..Applied::NOTHING })?;
        }
        state.index = Some(new);
        Ok(())
    }

    pub(crate) fn drop_damaged_index(&self, state: &mut State, why: &dyn Display) -> Result<()> {
        match self.lock(state) {
            Ok(_lock) => self.remove_index(state, why),
            Err(_) => {
                self.note(Warning::IndexInMemory { why: why.to_string() });
                state.index = Some(Index::in_memory()?);
                Ok(())
            }
        }
    }

    pub(crate) fn remove_index(&self, state: &mut State, why: &dyn Display) -> Result<()> {
        if state.index.as_ref().is_some_and(|index| !index.is_current()) {
            // The index was replaced already, and the damage does not concern the new one.
            state.index = None;
            return Ok(());
        }
        self.note(Warning::IndexDamaged { why: why.to_string() });
        // Damage seldom affects the whole file: the record of what was acknowledged may still be readable.
        let known = state.index.take().and_then(|index| index.applied().ok());
        generations::replace(&self.dir)?;
        known.map_or(Ok(()), |known| self.begin_anew(state, &known))
    }
}

/// Returns the last entry that a directory's index had read, if the tape no longer contains it.
fn missing_since(dir: &Path, storage: &Arc<dyn Storage>, last_id: EntryId) -> Result<Option<u64>> {
    let known = match generations::current(dir).is_some() {
        // An index that cannot be read gives no information; the next command rebuilds it.
        true => Index::open_read_only(dir).and_then(|index| index.applied()).ok(),
        false => None,
    };
    // An unfinished erasure has moved lines that the index still expects at their old offsets.
    let moved = storage.intent()?.is_some();
    let segments = Segments::open(storage)?;
    let missing = known.filter(|applied| {
        (!moved && !catch_up::is_same_tape(applied, &segments))
            || applied.known > last_id.max(applied.position.last_id)
    });
    Ok(missing.map(|applied| applied.known.max(applied.position.last_id)))
}

/// Returns a draft that records on the tape that acknowledged entries were lost without a trace: the tape was
/// cut at the end of a group, and their ids are assigned again. `None` if nothing was lost.
pub(crate) fn lost_note(applied: &Applied, next: EntryId, branch: &str) -> Result<Option<Draft>> {
    if applied.known < next || applied.position.last_id == 0 {
        return Ok(None);
    }
    let payload = serde_json::json!({
        "kind": "tape.lost",
        "message": "acknowledged entries are gone from the tape",
        "details": {"from_entry": next, "to_entry": applied.known},
    });
    Ok(Some(Draft::new(Kind::Error, &payload, &serde_json::json!({}), branch)?))
}

/// Checks that a directory contains a tape. A directory with only an index is neither a workspace nor an
/// empty one.
fn check_tape(dir: &Path) -> Result<()> {
    match (FileStorage::exists_in(dir), generations::current(dir).is_some()) {
        (true, _) => Ok(()),
        (false, true) => Err(Error::TapeMissing(dir.display().to_string())),
        (false, false) => Err(Error::NoWorkspace(dir.display().to_string())),
    }
}

/// Rounds durations for display.
trait RoundSeconds {
    fn round_seconds(self) -> Self;
}

impl RoundSeconds for SignedDuration {
    fn round_seconds(self) -> Self {
        Self::from_secs(self.as_secs())
    }
}
