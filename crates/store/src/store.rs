//! The store: one directory, one tape, one index, one writer at a time.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memtape_core::recall::vector::Vector;
use memtape_core::{Decision, Given};
use memtape_tape::storage::Guard;
use memtape_tape::{
    Archived, Draft, Durability, Entry, EntryId, FailStop, FileStorage, Group, Hash, Kind, Report, Salts,
    Segments, Storage, Tail, Writer,
};

use crate::author::Author;
use crate::catch_up::{self, CaughtUp, Progress};
use crate::error::{Error, Result, no_index};
use crate::generations;
use crate::index::{Applied, Index, State};
use crate::mirror::{self, Mirrors};
use crate::notice::Notice;
use crate::reader::Reader;
use crate::vectors::{self, Batch, Model};

/// A clock that is less than this behind the tape is not worth a word: processes read it at other moments.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(2);

/// How often the index is replaced or reopened before a question is given up: each attempt mends what the one
/// before it found.
const CATCH_UP_ATTEMPTS: usize = 5;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// What time it is.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
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

/// What a store is given from outside.
pub struct Options {
    /// The clock.
    pub clock: Box<dyn Clock>,
    /// The source of salts.
    pub salts: Box<dyn Salts>,
    /// The workspace's time zone.
    pub zone: TimeZone,
    /// Whether acknowledged entries outlive a power failure.
    pub durability: Durability,
    /// How long a writer waits for another one.
    pub lock_wait: Duration,
    /// Told now and then how far a long catching-up has come.
    pub progress: Box<dyn Fn(Progress) + Send + Sync>,
    /// Whether each conversation has a file that says what was said last.
    pub session_state: bool,
}

/// What a command came to, and what it wrote.
#[derive(Debug)]
pub struct Written<T> {
    /// The outcome.
    pub outcome: T,
    /// The entries of its group; none where nothing was to be written.
    pub entries: Vec<Entry>,
}

/// A workspace's directory.
pub struct Store {
    pub(crate) dir: PathBuf,
    pub(crate) storage: Arc<dyn Storage>,
    clock: Box<dyn Clock>,
    zone: TimeZone,
    durability: Durability,
    pub(crate) lock_wait: Duration,
    progress: Box<dyn Fn(Progress) + Send + Sync>,
    session_state: bool,
    pub(crate) salts: Mutex<Box<dyn Salts>>,
    /// Connections that no view or command uses.
    pub(crate) idle: Mutex<Vec<Index>>,
    /// Held by the one writer of this process.
    pub(crate) writing: Mutex<()>,
    notices: Mutex<Vec<Notice>>,
}

/// A check of a whole workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// What the tape's chain says.
    pub tape: Report,
    /// The last entry that the index had read, where the tape no longer holds it.
    pub missing_since: Option<u64>,
}

impl Store {
    /// Whether a directory holds a workspace.
    #[must_use]
    pub fn exists_in(dir: &Path) -> bool {
        FileStorage::exists_in(dir)
    }

    /// Opens the workspace in a directory.
    ///
    /// # Errors
    /// [`Error::NoWorkspace`], or [`Error::TapeMissing`] where only an index is left.
    pub fn open(dir: &Path, options: Options) -> Result<Self> {
        check_tape(dir)?;
        Ok(Self::over(dir, Arc::new(FileStorage::new(dir)), options))
    }

    /// Makes an empty tape in a directory, if it has none, and opens it.
    ///
    /// # Errors
    /// What the medium says.
    pub fn create(dir: &Path, options: Options) -> Result<Self> {
        let storage = FileStorage::new(dir);
        storage.create()?;
        Ok(Self::over(dir, Arc::new(storage), options))
    }

    /// A store over any storage, with its index in a directory: the seam for tests that crash the medium.
    #[must_use]
    pub fn over(dir: &Path, storage: Arc<dyn Storage>, options: Options) -> Self {
        let Options { clock, salts, zone, durability, lock_wait, progress, session_state } = options;
        Self {
            dir: dir.to_owned(),
            storage: Arc::new(FailStop::new(storage)),
            clock,
            zone,
            durability,
            lock_wait,
            progress,
            session_state,
            salts: Mutex::new(salts),
            idle: Mutex::default(),
            writing: Mutex::default(),
            notices: Mutex::default(),
        }
    }

    /// The workspace's directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The workspace's time zone.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What happened since the last call that a person should know.
    #[must_use]
    pub fn take_notices(&self) -> Vec<Notice> {
        let mut taken: Vec<Notice> = Vec::new();
        // Several questions of one command may come across the same thing: it is told once.
        for notice in std::mem::take(&mut *self.notices()) {
            if !taken.contains(&notice) {
                taken.push(notice);
            }
        }
        taken
    }

    /// Adds to what a person should know.
    pub fn note(&self, notice: Notice) {
        self.notices().push(notice);
    }

    pub(crate) fn note_all(&self, notices: impl IntoIterator<Item = Notice>) {
        self.notices().extend(notices);
    }

    pub(crate) fn notices(&self) -> MutexGuard<'_, Vec<Notice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn salts(&self) -> MutexGuard<'_, Box<dyn Salts>> {
        self.salts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the writer lock. Whoever has it finishes what an erasure left undone before anything else.
    pub(crate) fn lock(&self, state: &mut State) -> Result<Box<dyn Guard>> {
        self.lock_within(state, self.lock_wait)
    }

    fn lock_within(&self, state: &mut State, wait: Duration) -> Result<Box<dyn Guard>> {
        let lock = self.storage.lock(wait)?;
        self.finish_erasure(state)?;
        Ok(lock)
    }

    /// What a command reads, in its own transaction.
    pub(crate) fn reader<'a>(
        &'a self,
        index: &'a Index,
        segments: &'a Segments,
        applied: Applied,
        now: Timestamp,
        notices: &'a RefCell<Vec<Notice>>,
    ) -> Reader<'a> {
        let (conn, zone) = (&index.conn, &self.zone);
        Reader { conn, segments, applied, now, zone, notices }
    }

    /// What a command of this author is given.
    pub(crate) fn given(&self, author: &Author, branch: String, now: Timestamp) -> Given {
        Given {
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

    /// Takes the writer lock, unless this store no longer writes.
    pub(crate) fn lock_to_write(&self, state: &mut State, wait: Duration) -> Result<Box<dyn Guard>> {
        self.check_poison()?;
        self.lock_within(state, wait)
    }

    /// That no sync failed in this process: after one the tape's end is unknown, and nothing more is written.
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
        decide: &mut impl FnMut(&Reader<'_>, &Given) -> Result<Decision<T>>,
    ) -> Result<Written<T>> {
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(state, &mut segments, true)?;
        let index = state.index.as_ref().ok_or_else(no_index)?;
        // One transaction from the view that the command rests on to the projection of what it writes. Others
        // go on reading; they have nothing to apply, for only the holder of the lock appends.
        let transaction = index.begin_write()?;
        let (mut writer, recovered) = Writer::new(&self.storage, tail, applied.floor, self.durability)?;
        // Once the end is in order more may count than what is written now: then all of it is read again.
        let reread = recovered.is_some() || writer.tail().damaged.is_some();
        if let Some(recovered) = recovered {
            self.note(Notice::Recovered(recovered));
            segments = Segments::open(&self.storage)?;
        }
        let now = self.clock.now();
        let date = writer.date(now);
        if date.duration_since(now) > CLOCK_TOLERANCE {
            self.note(Notice::ClockBehind { behind: date.duration_since(now).round_seconds(), date });
        }
        // The order comes from the tape, days and ends from the clock: what it holds may be dated by a clock that was
        // once ahead. The tape keeps microseconds.
        let now = Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now);
        let notices = RefCell::default();
        let reader = self.reader(index, &segments, applied, now, &notices);
        let given = self.given(author, reader.branch_of_author(author)?, now);
        let decided = decide(&reader, &given);
        self.note_all(notices.take());
        let Decision { drafts, outcome } = decided?;
        if drafts.is_empty() {
            return Ok(Written { outcome, entries: Vec::new() });
        }
        let mut groups = match lost_note(&applied, writer.tail().next_id, &given.branch)? {
            Some(note) => writer.append(vec![note], now, self.salts().as_mut())?,
            None => Vec::new(),
        };
        groups.extend(writer.append(drafts, now, self.salts().as_mut())?);
        // From here on the entries are acknowledged: what fails now is caught up later.
        let projected = if reread {
            drop(transaction);
            self.read_on(index, &segments).map(|_| ())
        } else {
            catch_up::project(index, applied, &groups).and_then(|_| transaction.commit())
        };
        match projected {
            Err(e) => self.note(Notice::IndexLags { why: e.to_string() }),
            Ok(()) => self.update_mirrors(index, &segments, Some(&groups)),
        }
        let entries = groups.pop().map(|group| group.entries).unwrap_or_default();
        Ok(Written { outcome, entries: entries.into_iter().map(|located| located.entry).collect() })
    }

    /// Closes the tape's file as a segment of the archive and begins a new one.
    ///
    /// # Errors
    /// What the medium says.
    pub fn archive(&self) -> Result<Option<Archived>> {
        let mut alone = self.alone()?;
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(&mut alone.state, &mut segments, true)?;
        let (mut writer, recovered) = Writer::new(&self.storage, tail, applied.floor, self.durability)?;
        self.note_all(recovered.map(Notice::Recovered));
        Ok(writer.archive(self.clock.now(), self.salts().as_mut())?)
    }

    /// Builds the index anew. Where the tape is damaged, the old one is kept: it may know what stood there.
    ///
    /// # Errors
    /// What the medium or SQLite says.
    pub fn reindex(&self) -> Result<u64> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.take_state();
        let _lock = self.lock(&mut state)?;
        let old = state.index.take().or_else(|| Index::open(&self.dir).ok());
        match old.and_then(|old| Some((old.applied().ok()?, old))) {
            Some((applied, old)) if !memtape_tape::verify(&self.storage)?.bad.is_empty() => {
                let kept = old.set_aside(&applied)?;
                self.note_all(kept.map(|kept| Notice::IndexKept { kept }));
            }
            _ => generations::replace(&self.dir)?,
        }
        self.mirror_anew(&mut state)
    }

    /// Brings the index up to date, writes the mirrors anew, and gives the last entry; under the lock.
    pub(crate) fn mirror_anew(&self, state: &mut State) -> Result<EntryId> {
        let mut segments = Segments::open(&self.storage)?;
        let last = self.catch_up(state, &mut segments, true)?.0.end.last_id;
        let index = state.index.as_ref().ok_or_else(no_index)?;
        self.update_mirrors(index, &segments, None);
        Ok(last)
    }

    /// Lets the mirrors follow groups, or writes them anew; under the lock.
    fn update_mirrors(&self, index: &Index, segments: &Segments, groups: Option<&[Group]>) {
        let done = index.applied().map_err(mirror::Failure::from).and_then(|applied| {
            let notices = RefCell::default();
            let reader = self.reader(index, segments, applied, self.clock.now(), &notices);
            Mirrors::new(&self.dir, &reader, self.session_state).update(groups)
        });
        if let Err(e) = done {
            self.note(Notice::MirrorLags { why: e.to_string() });
        }
    }

    /// Keeps the vectors of a batch, one for each of its memories, or `None` for one that the model fails on; `false`
    /// where another model's were kept meanwhile.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn keep_vectors(&self, model: &Model, batch: &Batch, made: &[Option<Vector>]) -> Result<bool> {
        let mut state = self.take_state();
        if state.index.is_none() {
            state.index = Some(self.open_index()?);
        }
        let kept = vectors::keep(state.index.as_ref().ok_or_else(no_index)?, model, batch, made);
        self.give_back(state);
        kept
    }

    /// Keeps a text in the archive under a name that is free, and gives the name.
    ///
    /// # Errors
    /// What the medium says.
    pub fn keep(&self, stem: &str, extension: &str, text: &str) -> Result<String> {
        generations::keep(&self.dir, stem, extension, text)
    }

    /// Checks a directory's tape against its chain, and against what its index had read. Needs nothing but a
    /// `tape.jsonl`, and changes nothing.
    ///
    /// # Errors
    /// [`Error::NoWorkspace`], or what the medium says.
    pub fn verify(dir: &Path) -> Result<Verified> {
        check_tape(dir)?;
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
        let tape = memtape_tape::verify(&storage)?;
        let look = || missing_since(dir, &storage, tape.last_id);
        // An erasure may have replaced the tape and the index between two looks at them.
        let missing_since = look()?.map_or(Ok(None), |_| look())?;
        Ok(Verified { tape, missing_since })
    }

    /// Brings the index to the tape's end, opening, replacing or rebuilding it as needed.
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
            let current = state.index.as_ref().ok_or_else(no_index)?;
            let caught_up = self.read_on(current, segments);
            match caught_up {
                Ok(CaughtUp::Done(done)) => return Ok(*done),
                Ok(CaughtUp::OtherTape) => self.tape_changed(state, segments, locked)?,
                Ok(CaughtUp::OtherSegments) => {
                    // Somebody got something done meanwhile: that is no failed attempt.
                    attempts -= 1;
                    *segments = Segments::open(&self.storage)?;
                }
                Err(e) if e.is_index_read_only() => {
                    self.note(Notice::IndexInMemory { why: e.to_string() });
                    state.index = Some(Index::in_memory()?);
                }
                Err(e) => return Err(e),
            }
        }
        Err(no_index())
    }

    /// Applies what follows on the tape, and notes what it came across.
    fn read_on(&self, index: &Index, segments: &Segments) -> Result<CaughtUp> {
        let mut notices = Vec::new();
        let done = catch_up::catch_up(index, segments, &*self.progress, &mut notices);
        self.note_all(notices);
        done
    }

    fn open_index(&self) -> Result<Index> {
        match Index::open(&self.dir) {
            Err(e) if e.is_index_read_only() => {
                if let Some(index) = Index::open_immutable(&self.dir) {
                    return Ok(index);
                }
                self.note(Notice::IndexInMemory { why: e.to_string() });
                Index::in_memory()
            }
            other => other,
        }
    }

    /// The tape seems not to be the one the index has read: it was cut, emptied, edited or replaced. The old
    /// index may be all that is left of some memories, so it is kept.
    fn tape_changed(&self, state: &mut State, segments: &mut Segments, locked: bool) -> Result<()> {
        let _lock = match locked {
            true => None,
            false => match self.lock(state) {
                Ok(lock) => Some(lock),
                Err(e) => {
                    // On read-only media the old index stays, and the tape is read without it.
                    self.note(Notice::IndexInMemory { why: e.to_string() });
                    state.index = Some(Index::in_memory()?);
                    return Ok(());
                }
            },
        };
        // Only now does everything stand still: the segments looked at may have been archived since, and
        // another process may have seen to the index.
        *segments = Segments::open(&self.storage)?;
        let Some(old) = state.index.take().filter(Index::is_current) else { return Ok(()) };
        let applied = old.applied()?;
        if catch_up::is_same_tape(&applied, segments) {
            state.index = Some(old);
            return Ok(());
        }
        let kept = old.set_aside(&applied)?;
        self.note(Notice::TapeChanged { applied: applied.position.last_id, kept });
        self.begin_anew(state, &applied)
    }

    /// A new index, which knows from the one before it what was acknowledged.
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

    pub(crate) fn drop_damaged_index(&self, state: &mut State, why: &Error) -> Result<()> {
        match self.lock(state) {
            Ok(_lock) => self.remove_index(state, why),
            Err(_) => {
                self.note(Notice::IndexInMemory { why: why.to_string() });
                state.index = Some(Index::in_memory()?);
                Ok(())
            }
        }
    }

    pub(crate) fn remove_index(&self, state: &mut State, why: &Error) -> Result<()> {
        if state.index.as_ref().is_some_and(|index| !index.is_current()) {
            // It was replaced, and what took its place is not damaged for that.
            state.index = None;
            return Ok(());
        }
        self.note(Notice::IndexDamaged { why: why.to_string() });
        // Damage seldom takes all of it: what was acknowledged may still be read.
        let known = state.index.take().and_then(|index| index.applied().ok());
        generations::replace(&self.dir)?;
        known.map_or(Ok(()), |known| self.begin_anew(state, &known))
    }
}

/// The last entry that a directory's index had read, where the tape no longer holds it.
fn missing_since(dir: &Path, storage: &Arc<dyn Storage>, last_id: EntryId) -> Result<Option<u64>> {
    let known = match generations::current(dir).is_some() {
        // An index that cannot be read knows nothing; it is rebuilt by the next command.
        true => Index::open_read_only(dir).and_then(|index| index.applied()).ok(),
        false => None,
    };
    // An erasure that is not finished has moved lines that the index still looks for.
    let moved = storage.intent()?.is_some();
    let segments = Segments::open(storage)?;
    let missing = known.filter(|applied| {
        (!moved && !catch_up::is_same_tape(applied, &segments))
            || applied.known > last_id.max(applied.position.last_id)
    });
    Ok(missing.map(|applied| applied.known.max(applied.position.last_id)))
}

/// What a writer says on the tape of entries that had been acknowledged and are gone without a trace: the tape
/// was cut at a group's end, and their ids are given again.
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

/// That a directory holds a tape; an index without one is no workspace, and no empty one either.
fn check_tape(dir: &Path) -> Result<()> {
    match (FileStorage::exists_in(dir), generations::current(dir).is_some()) {
        (true, _) => Ok(()),
        (false, true) => Err(Error::TapeMissing(dir.display().to_string())),
        (false, false) => Err(Error::NoWorkspace(dir.display().to_string())),
    }
}

/// Durations as a person reads them.
trait RoundSeconds {
    fn round_seconds(self) -> Self;
}

impl RoundSeconds for SignedDuration {
    fn round_seconds(self) -> Self {
        Self::from_secs(self.as_secs())
    }
}
