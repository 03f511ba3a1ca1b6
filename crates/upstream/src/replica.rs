//! A replica: the tape in a directory, as a prefix of the tape of an upstream.
//!
//! **Invariants.**
//! - The replica has whole groups of the upstream only, in order, byte for byte, except for what was erased since:
//!   that is replaced before the entry that records the erasure is appended ([`erasing`]).
//! - A group is appended to the upstream first. When it is in the replica, it is acknowledged.
//! - What the replica lost at its end, for example by a power failure, is fetched again. So nothing is synced.

mod erasing;
mod pending;
mod storage;

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use memtape_tape::erase::erasure_records;
use memtape_tape::storage::Guard;
use memtape_tape::{Archived, EntryId, ErrorKind, Hash, Position, Scanned, Segments, Storage, codec};

use crate::contact::{Contact, ContactFile};
use crate::counts;
use crate::error::Error;
use crate::upstream::{Appended, Head, Upstream, ends};
use pending::PendingFile;

pub use pending::ResolvedWrite;

/// Size of the lines that are fetched with one request, in bytes.
const PAGE_BYTES: usize = 4 << 20;
/// The longest time that a read waits for another writer.
const READER_WAIT: Duration = Duration::from_secs(1);
/// The first pause before a request is sent again; each further one is twice as long.
const PAUSE_MIN: Duration = Duration::from_millis(20);
/// The longest pause before a request is sent again.
const PAUSE_MAX: Duration = Duration::from_secs(1);

type Result<T, E = memtape_tape::Error> = std::result::Result<T, E>;

/// How current the answers of a workspace with an upstream are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Each read asks the upstream first.
    #[default]
    Latest,
    /// A read asks the upstream if the last contact is older.
    Within(Duration),
    /// A read never asks the upstream.
    Offline,
}

impl FromStr for Freshness {
    type Err = ();

    /// Parses `latest`, `offline`, or seconds such as `5s`.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "latest" => Ok(Self::Latest),
            "offline" => Ok(Self::Offline),
            _ => {
                let seconds = text.strip_suffix('s').ok_or(())?.parse().map_err(drop)?;
                Ok(Self::Within(Duration::from_secs(seconds)))
            }
        }
    }
}

/// The result of following an upstream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// What became of a group whose fate was unknown.
    pub resolved: Option<ResolvedWrite>,
    /// Why the replica did not follow, if it should have.
    pub not_followed: Option<String>,
}

/// A tape that follows an upstream. As a [`Storage`] it appends to the upstream first.
pub struct Replica {
    local: Arc<dyn Storage>,
    upstream: Arc<dyn Upstream>,
    freshness: Freshness,
    /// How long a write or a fetch is repeated while the upstream fails.
    wait: Duration,
    contact: ContactFile,
    pending: PendingFile,
}

impl Replica {
    /// Returns the replica in a directory, whose tape is in `local`.
    #[must_use]
    pub fn new(
        dir: &Path,
        local: Arc<dyn Storage>,
        upstream: Arc<dyn Upstream>,
        freshness: Freshness,
        wait: Duration,
    ) -> Self {
        let (contact, pending) = (ContactFile::of(dir), PendingFile::of(dir));
        Self { local, upstream, freshness, wait, contact, pending }
    }

    /// Returns the upstream.
    #[must_use]
    pub fn upstream(&self) -> &dyn Upstream {
        self.upstream.as_ref()
    }

    /// Returns the last contact of any process of this machine; `None` if there was none.
    #[must_use]
    pub fn contact(&self) -> Option<Contact> {
        self.contact.last()
    }

    /// Returns why the last read of this process was of the replica as it is; `None` if it was up to date, or the upstream
    /// was reached since.
    #[must_use]
    pub fn not_followed(&self) -> Option<String> {
        self.contact.not_followed()
    }

    /// Records that the upstream was reached, and that the replica ends as it does.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Io`] if the tape cannot be read.
    pub fn record_contact(&self) -> Result<()> {
        self.contact.record(self.entry()?);
        Ok(())
    }

    /// Returns the last entry of the upstream.
    ///
    /// # Errors
    /// As [`Upstream::head`], except that an upstream that has lost its tape is [`Error::Unreachable`].
    pub fn upstream_head(&self) -> Result<EntryId, Error> {
        let head = self.upstream.head().map_err(|e| lost(e, self.entry().unwrap_or_default()));
        Ok(head?.id)
    }

    /// Returns the last entry of the replica; 0 if it is empty.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Io`] if the tape cannot be read.
    pub fn entry(&self) -> Result<EntryId> {
        Ok(self.head()?.map_or(0, |head| head.id))
    }

    /// Returns whether the fate of a group is unknown, which [`Self::follow`] finds out.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.pending.read().is_some()
    }

    /// Returns whether the replica ends with a whole group. Otherwise [`Self::follow`] fetches its end again.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Io`] if the tape cannot be read.
    pub fn is_whole(&self) -> Result<bool> {
        Ok(self.head()?.is_some())
    }

    /// Brings the replica up to date for a read, as far as the freshness asks for it.
    ///
    /// The replica stays as it is if the upstream cannot be reached, or if another process holds the writer lock for
    /// longer than `lock_wait`, of which at most a second is waited.
    ///
    /// # Errors
    /// As [`Self::follow`], except that an upstream that cannot be reached is no error.
    pub fn refresh(&self, lock_wait: Duration) -> Result<Followed> {
        let followed = self.refresh_if_due(lock_wait)?;
        if let Some(why) = &followed.not_followed {
            self.contact.set_not_followed(Some(why));
        }
        Ok(followed)
    }

    fn refresh_if_due(&self, lock_wait: Duration) -> Result<Followed> {
        let is_due = match self.freshness {
            Freshness::Latest => true,
            Freshness::Offline => false,
            // A contact in the future is from before the clock was set back.
            Freshness::Within(bound) => !self.contact().is_some_and(|contact| {
                SystemTime::now().duration_since(contact.at).is_ok_and(|age| age <= bound)
            }),
        };
        if !is_due {
            // Another process may have reached the upstream since a read of this one failed.
            self.contact.set_not_followed(None);
            return Ok(Followed::default());
        }
        if let Some(why) = self.contact.recent_failure() {
            return Ok(Followed { not_followed: Some(why), ..Followed::default() });
        }
        match self.catch_up(Some(lock_wait.min(READER_WAIT)), Duration::ZERO) {
            Err(Failure::Upstream(e @ (Error::Unreachable { .. } | Error::Unknown { .. }))) => {
                let why = e.to_string();
                self.contact.record_failure(&why);
                Ok(Followed { not_followed: Some(why), ..Followed::default() })
            }
            // An answer need not wait for a long command of another process.
            Err(Failure::Local(e @ memtape_tape::Error::Busy { .. })) => {
                Ok(Followed { not_followed: Some(e.to_string()), ..Followed::default() })
            }
            other => other.map_err(memtape_tape::Error::from),
        }
    }

    /// Brings the replica up to date. The caller holds the writer lock.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Upstream`] if the upstream cannot be reached, does not have what the replica has, or
    /// returns something else than a tape; [`memtape_tape::Error::Io`] or [`memtape_tape::Error::Sync`] if the
    /// replica cannot be extended.
    pub fn follow(&self) -> Result<Followed> {
        Ok(self.catch_up(None, self.wait)?)
    }

    /// Follows the upstream to its head. With `lock_wait`, it takes the writer lock as soon as there is something to
    /// append; without, the caller holds it. Requests are repeated for `wait`.
    fn catch_up(&self, lock_wait: Option<Duration>, wait: Duration) -> Result<Followed, Failure> {
        let mut lock: Option<Box<dyn Guard>> = None;
        let take = |lock: &mut Option<Box<dyn Guard>>| -> Result<bool> {
            match lock_wait.filter(|_| lock.is_none()) {
                Some(wait) => *lock = Some(self.local.lock(wait)?),
                None => return Ok(false),
            }
            Ok(true)
        };
        loop {
            let Some(head) = self.head()? else {
                // Another process may just be appending.
                if !take(&mut lock)? {
                    self.mend_end()?;
                }
                continue;
            };
            let fetched = repeat(wait, || {
                counts::add(&counts::FETCHES, 1);
                self.upstream.fetch(head.id, PAGE_BYTES)
            });
            let mut fetched = fetched.map_err(|e| lost(e, head.id))?;
            counts::add(&counts::FETCHED_BYTES, fetched.lines.len());
            if fetched.lines.is_empty() {
                if fetched.head != head {
                    return Err(self.diverged(head).into());
                }
                return self.followed(head);
            }
            if take(&mut lock)? && self.head()? != Some(head) {
                // Another process of this machine was faster.
                continue;
            }
            let checked = self.check(head, &fetched.lines)?;
            self.replace_erased(head, &mut fetched.lines, &checked.erased)?;
            self.extend(&fetched.lines)?;
            if checked.end == fetched.head {
                return self.followed(checked.end);
            }
        }
    }

    /// Records that the replica ends as the upstream does.
    fn followed(&self, head: Head) -> Result<Followed, Failure> {
        self.contact.record(head.id);
        Ok(Followed { resolved: self.resolve_pending(head)?, not_followed: None })
    }

    /// Returns the end of the replica; `None` if it does not end with a whole group.
    fn head(&self) -> Result<Option<Head>> {
        Ok(Segments::open(&self.local)?.end()?.map(|(id, hash)| Head { id, hash }))
    }

    /// Ends the last line of the active segment if only its newline is missing. Otherwise cuts what follows the last
    /// whole group: it is on the upstream, or was not acknowledged.
    fn mend_end(&self) -> Result<()> {
        let segments = Segments::open(&self.local)?;
        let active = segments.active();
        let begin = Position { segment: active, last_id: active - 1, ..Position::START };
        let mut end = 0;
        let tail = segments.scan(begin).run(|scanned| {
            if let Scanned::Group(group) = scanned
                && group.entries.last().is_some_and(|last| last.entry.more == 0)
            {
                end = group.end.offset;
            }
            Ok::<(), memtape_tape::Error>(())
        })?;
        let len = segments.active_len()?;
        if tail.unfinished_line && tail.damaged.is_none() {
            // Some editors save a file without its last newline.
            self.local.append(len, b"\n")?;
            if self.is_whole()? {
                return Ok(());
            }
        }
        if len > end {
            return self.local.truncate(end);
        }
        // A closed segment is not received again.
        let closed = self.local.archived()?.last().map(Archived::file_name).unwrap_or_default();
        let upstream = self.upstream.label();
        let message = format!(
            "archive/{closed} ends in damage, so this replica cannot follow {upstream}: keep this directory as it is, and \
             clone the upstream into another one"
        );
        Err(memtape_tape::Error::Upstream { kind: ErrorKind::Corrupt, message })
    }

    /// Checks that lines are whole groups that follow an entry, and reads what they state.
    fn check(&self, after: Head, lines: &[u8]) -> Result<Checked> {
        let (mut end, mut more, mut erased) = (after, 0, BTreeMap::new());
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let damaged = |why: String| failed(&Error::Damaged { why });
            let entry = codec::decode(line.strip_suffix(b"\n").unwrap_or(line)).map_err(damaged)?;
            if entry.id != end.id + 1 || entry.prev != end.hash {
                return Err(match end == after {
                    true => self.diverged(after),
                    false => damaged(format!("entry {} does not follow entry {}", entry.id, end.id)),
                });
            }
            erased.extend(erasure_records(&entry).unwrap_or_default().iter().map(|line| (line.id, line.now)));
            (end, more) = (Head { id: entry.id, hash: entry.hash }, entry.more);
        }
        match more {
            0 => Ok(Checked { end, erased }),
            _ => Err(failed(&Error::Damaged { why: format!("entry {} does not end a group", end.id) })),
        }
    }

    /// Appends lines to the replica only.
    fn extend(&self, lines: &[u8]) -> Result<()> {
        self.local.create()?;
        let at = Segments::open(&self.local)?.active_len()?;
        self.local.append(at, lines)
    }

    /// Appends groups to the upstream, and `erased` as the new lines of earlier entries. A request whose answer is
    /// lost is sent again: the upstream carries it out once.
    fn send(&self, lines: &[u8], erased: &[u8]) -> Result<()> {
        let (before, last) = ends(lines).map_err(|e| memtape_tape::Error::Unwritable(e.to_string()))?;
        let mut may_be_there = false;
        let sent = repeat(self.wait, || {
            counts::add(&counts::APPENDS, 1);
            let appended = self.upstream.append(before, lines, erased);
            may_be_there |= matches!(appended, Err(Error::Unknown { .. }));
            appended
        });
        let sent = sent.map_err(|e| lost(e, before.id));
        match sent {
            Ok(Appended::Done) => {
                self.contact.record(last.id);
                Ok(())
            }
            Ok(Appended::Moved) => {
                counts::add(&counts::MOVED, 1);
                Err(memtape_tape::Error::Moved)
            }
            Err(e) if may_be_there => {
                self.pending.keep(before, last);
                let (first, last) = (before.id + 1, last.id);
                let message = format!(
                    "{e}; it is unknown whether entries {first} to {last} were written: the next command that reaches \
                     the upstream reports it"
                );
                Err(memtape_tape::Error::Upstream { kind: ErrorKind::Unavailable, message })
            }
            Err(e) => Err(failed(&e)),
        }
    }

    /// Appends an erasure to the upstream, and to the replica. The caller holds the writer lock.
    ///
    /// `lines` is a group after the end of the replica, with the events of the erasure, and `erased` are the new lines
    /// of the entries. The store then finishes the erasure of the replica, as after an interruption.
    ///
    /// # Errors
    /// [`memtape_tape::Error::Moved`] if the upstream has other entries; as [`Self::follow`].
    pub fn erase(&self, lines: &[u8], erased: &[u8]) -> Result<Followed> {
        self.send(lines, erased)?;
        self.follow()
    }

    /// Returns what became of a group whose fate was unknown, once the replica is up to date.
    fn resolve_pending(&self, head: Head) -> Result<Option<ResolvedWrite>, Failure> {
        let Some(pending) = self.pending.read() else { return Ok(None) };
        let is_written = pending.last.id <= head.id && {
            let line = self.upstream.lines(&[pending.last.id])?;
            ends(&line).is_ok_and(|(_, at)| at == pending.last)
        };
        self.pending.remove();
        Ok(Some(pending.resolved(is_written)))
    }

    fn diverged(&self, head: Head) -> memtape_tape::Error {
        let upstream = self.upstream.label();
        let message = format!(
            "this replica has entry {}, which {upstream} does not have: it was replaced, restored from a backup, or \
             lost its last entries in a failover; keep this directory as it is, and clone the upstream into another one",
            head.id
        );
        memtape_tape::Error::Upstream { kind: ErrorKind::Conflict, message }
    }
}

/// What fetched lines state.
struct Checked {
    /// Their last entry.
    end: Head,
    /// The digests of the new lines of the entries whose erasure they record.
    erased: BTreeMap<EntryId, Hash>,
}

/// A failure on either side.
enum Failure {
    Upstream(Error),
    Local(memtape_tape::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Upstream(error)
    }
}

impl From<memtape_tape::Error> for Failure {
    fn from(error: memtape_tape::Error) -> Self {
        Self::Local(error)
    }
}

impl From<Failure> for memtape_tape::Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Upstream(e) => failed(&e),
            Failure::Local(e) => e,
        }
    }
}

/// Returns the failure of the upstream of a replica that ends with an entry. A tape that a replica has followed is not
/// missing but lost, or out of reach: a new tape in its place would not be the same one.
fn lost(error: Error, entry: EntryId) -> Error {
    match error {
        Error::NoTape { upstream } if entry > 0 => {
            let why = format!(
                "it has no tape, but this workspace is a replica of one, up to entry {entry}: perhaps its disk is not \
                 mounted, or its tape was removed; `--config upstream.freshness=offline` reads the replica"
            );
            Error::Unreachable { upstream, why }
        }
        other => other,
    }
}

/// Returns a failure of an upstream as an error of the tape.
#[must_use]
pub fn failed(error: &Error) -> memtape_tape::Error {
    let kind = match error {
        Error::NoTape { .. } => ErrorKind::NotFound,
        Error::Incomplete { .. } | Error::Unreachable { .. } | Error::Unknown { .. } => {
            ErrorKind::Unavailable
        }
        Error::Refused { .. } => ErrorKind::Refused,
        Error::Damaged { .. } => ErrorKind::Corrupt,
    };
    memtape_tape::Error::Upstream { kind, message: error.to_string() }
}

/// Sends a request until it is answered, for at most `wait`.
fn repeat<T>(wait: Duration, mut request: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let start = Instant::now();
    let mut pause = PAUSE_MIN;
    loop {
        let answer = request();
        counts::add(&counts::FAILURES, usize::from(answer.is_err()));
        match answer {
            Err(Error::Unreachable { .. } | Error::Unknown { .. }) if start.elapsed() + pause < wait => {
                thread::sleep(pause);
                pause = (pause * 2).min(PAUSE_MAX);
            }
            other => return other,
        }
    }
}
