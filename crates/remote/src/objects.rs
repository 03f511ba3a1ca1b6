//! An upstream in object storage.
//!
//! `docs/FORMAT.md`, part 7, describes the objects. In short: an append creates `groups/ID.jsonl`, which only one
//! writer can; groups are joined into segments, which the manifest lists; the manifest is replaced by
//! compare-and-swap.
//!
//! **Which group objects count.** A group whose entries are in a segment is deleted after a grace period. A writer
//! that knows nothing of this could then create the object again, where it is no part of the tape. So a group object
//! that was read or created is judged by a manifest: it counts if its entries are in no segment, and if the manifest
//! was read at most [`Limits::max_age`] before, which is much less than the grace period. Both clocks are asked, since
//! the machine may have slept between two requests.
//!
//! Modules in reading order: [`mod@store`] and its implementations `cloud` (with `http`) and `files`, `group`,
//! `manifest`, `view`, `reading`, `compaction`, `erasure`.

mod address;
mod cloud;
mod compaction;
mod erasure;
mod files;
mod group;
mod http;
mod manifest;
mod reading;
pub mod store;
mod view;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use memtape_tape::EntryId;
use memtape_upstream::{Appended, Error, Fetched, Head, Result, Upstream};

use self::address::{Address, Kind};
use self::cloud::Cloud;
use self::files::Files;
use self::group::Group;
use self::manifest::{KEY, Manifest};
use self::store::Store;
use self::view::{Stamp, View};

/// Maximum number of attempts of a change that other writers overtake.
const ATTEMPTS: usize = 10;

/// The limits of an upstream in object storage. All programs that write to one must agree on the times.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Number of groups after which they are joined into a segment. Default: 64.
    pub groups: usize,
    /// Size of groups after which they are joined, in bytes. Default: 4 MiB.
    pub group_bytes: u64,
    /// Size up to which segments are joined, in bytes. Default: 32 MiB.
    pub segment_bytes: u64,
    /// How long groups are kept after a segment has their entries. Default: a day.
    pub grace: Duration,
    /// How old the manifest may be that a group is judged by. Default: 10 minutes.
    pub max_age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            groups: 64,
            group_bytes: 4 << 20,
            segment_bytes: 32 << 20,
            grace: Duration::from_secs(24 * 3600),
            max_age: Duration::from_secs(600),
        }
    }
}

/// A connection to a tape in object storage.
pub struct Objects {
    store: Arc<dyn Store>,
    label: String,
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// `None` before the first request.
    view: Option<View>,
    /// Whether this connection creates the tape, which nobody else uses before it is complete.
    has_begun: bool,
    /// Whether the store has refused a write, so that a reader does not try to complete erasures.
    is_read_only: bool,
    /// Number of groups below which no compaction is tried, because the last one failed.
    wait_for: usize,
}

impl Objects {
    /// Prepares a connection to `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or
    /// `file:///path`. Nothing is sent.
    ///
    /// Credentials and endpoints are read from the environment, from the variables of `object_store`: for example
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT` and `AWS_ALLOW_HTTP`.
    ///
    /// # Errors
    /// [`Error::Refused`] if the address is malformed or the environment is incomplete.
    pub fn open(url: &str) -> Result<Arc<dyn Upstream>> {
        Ok(Arc::new(Self::open_with(url, &[], Limits::default())?))
    }

    /// Prepares a connection, with options in place of variables of the environment of the same names.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(url: &str, options: &[(&str, &str)], limits: Limits) -> Result<Self> {
        Ok(Self::new(url, open_store(url, options)?, limits))
    }

    /// Creates a connection to a tape in any object store.
    #[must_use]
    pub fn new(label: &str, store: Arc<dyn Store>, limits: Limits) -> Self {
        Self { store, label: label.to_owned(), limits, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an operation on the view, brought up to date.
    fn on_tape<T>(&self, act: impl FnOnce(&mut View) -> Result<T>) -> Result<T> {
        let mut state = self.state();
        let State { view, has_begun, is_read_only, .. } = &mut *state;
        let known = view.take();
        let view = view.insert(self.refresh(known)?);
        self.check_complete(view, *has_begun)?;
        if view.pending().is_some() && !*is_read_only {
            // The reader sees the erased lines anyway; a later writer can complete the erasure, too.
            let done = self.finish_erasures(view);
            *is_read_only = matches!(done, Err(Error::Refused { .. }));
        }
        act(view)
    }

    /// Checks that the tape is complete, or that this connection completes it.
    fn check_complete(&self, view: &View, has_begun: bool) -> Result<()> {
        match view.manifest.is_incomplete && !has_begun {
            true => Err(Error::Incomplete { upstream: self.label.clone() }),
            false => Ok(()),
        }
    }

    /// Appends a group. Once its object may have been created, a failure of a later request leaves its fate unknown.
    fn append_group(&self, state: &mut State, group: &Group) -> Result<Appended> {
        let mut may_be_there = false;
        self.try_append(state, group, &mut may_be_there).map_err(|e| match e {
            Error::Unreachable { upstream, why } | Error::Refused { upstream, why } if may_be_there => {
                Error::Unknown { upstream, why }
            }
            Error::NoTape { .. } | Error::Incomplete { .. } | Error::Damaged { .. } if may_be_there => {
                Error::Unknown { upstream: self.label.clone(), why: e.to_string() }
            }
            other => other,
        })
    }

    fn try_append(&self, state: &mut State, group: &Group, may_be_there: &mut bool) -> Result<Appended> {
        let after = Head { id: group.first - 1, hash: group.prev };
        for _ in 0..ATTEMPTS {
            let view = match state.view.take() {
                Some(view) if view.head() == after => view,
                known => self.refresh(known)?,
            };
            let view = state.view.insert(view);
            self.check_complete(view, state.has_begun)?;
            if view.head() != after {
                let is_there = self.has(view, group.end)?;
                return Ok(if is_there { Appended::Done } else { Appended::Moved });
            }
            let created = self.store.create(&group.key(), &group.to_bytes())?;
            *may_be_there = true;
            if created.is_none() {
                // Another writer was faster, or this is an append of before.
                let known = state.view.take();
                state.view = Some(self.refresh(known)?);
                continue;
            }
            if !view.read.is_within(self.limits.max_age) {
                self.reload(view)?;
            }
            if view.manifest.next <= group.first {
                view.absorb(group.clone())?;
                return Ok(Appended::Done);
            }
        }
        Err(self.contended())
    }

    /// Returns the error of a change that did not succeed in [`ATTEMPTS`].
    fn contended(&self) -> Error {
        let why = format!("other writers were faster {ATTEMPTS} times: try again");
        Error::Unknown { upstream: self.label.clone(), why }
    }

    /// Completes the erasures of a view, for a caller who must know whether they are complete.
    fn finish_or_report(&self, view: &mut View) -> Result<()> {
        self.finish_erasures(view).map_err(|e| Error::Unknown {
            upstream: self.label.clone(),
            why: format!("the erasure is recorded, but older objects still have the text: {e}"),
        })
    }

    /// Does what is due after an append, which has erased lines or not.
    fn maintain(&self, state: &mut State, has_erased: bool) -> Result<()> {
        let Some(view) = &mut state.view else { return Ok(()) };
        match self.finish_or_report(view) {
            Err(e) if has_erased => return Err(e),
            // The erasure is another one: this append is done. Before it is complete, nothing may be compacted.
            Err(_) => return Ok(()),
            Ok(()) => {}
        }
        let is_due = view.tail.len() >= self.limits.groups
            || view.tail_bytes() >= self.limits.group_bytes
            || view.manifest.has_expired(Timestamp::now(), self.limits.grace);
        if is_due && view.tail.len() >= state.wait_for {
            // The append is done. A compaction that fails is tried again when more groups wait.
            let compacted = self.compact(view);
            state.wait_for = if compacted.is_ok() { 0 } else { view.tail.len() + self.limits.groups };
        }
        Ok(())
    }
}

/// Returns the directory of an address `file:///path`; `None` for any other address.
#[must_use]
pub fn directory_of(url: &str) -> Option<PathBuf> {
    let address = Address::parse(url).ok()?;
    (address.kind == Kind::Files).then(|| address.path())
}

/// Returns the object store of an address, for [`Objects::new`].
///
/// # Errors
/// As [`Objects::open`].
pub fn open_store(url: &str, options: &[(&str, &str)]) -> Result<Arc<dyn Store>> {
    let address = Address::parse(url)?;
    Ok(match address.kind {
        Kind::Files => Arc::new(Files::new(address.path(), address.to_string())),
        _ => Arc::new(Cloud::open(&address, options)?),
    })
}

impl Upstream for Objects {
    fn label(&self) -> &str {
        &self.label
    }

    fn create(&self) -> Result<bool> {
        Ok(self.store.create(KEY, &Manifest::empty().to_bytes())?.is_some())
    }

    fn begin(&self) -> Result<bool> {
        self.store.create(KEY, &Manifest::incomplete().to_bytes())?;
        self.state().has_begun = true;
        self.on_tape(|view| Ok(view.manifest.is_incomplete))
    }

    fn complete(&self) -> Result<()> {
        self.on_tape(|view| {
            for _ in 0..ATTEMPTS {
                if !view.manifest.is_incomplete {
                    return Ok(());
                }
                let mut manifest = view.manifest.clone();
                manifest.revision += 1;
                manifest.is_incomplete = false;
                let read = Stamp::now();
                match self.store.swap(KEY, &manifest.to_bytes(), &view.version)? {
                    Some(version) => view.adopt(manifest, version, read),
                    None => drop(self.reload(view)?),
                }
            }
            Err(self.contended())
        })
    }

    fn complete_erasures(&self) -> Result<()> {
        self.on_tape(|view| self.finish_or_report(view))
    }

    fn head(&self) -> Result<Head> {
        self.on_tape(|view| Ok(view.head()))
    }

    fn fetch(&self, after: EntryId, limit: usize) -> Result<Fetched> {
        self.on_tape(|view| {
            let lines = self.page(view, after, limit)?;
            Ok(Fetched { lines, head: view.head() })
        })
    }

    fn lines(&self, ids: &[EntryId]) -> Result<Vec<u8>> {
        self.on_tape(|view| self.select(view, ids))
    }

    fn append(&self, after: Head, lines: &[u8], erased: &[u8]) -> Result<Appended> {
        let group = Group::new(lines, erased)?;
        if (group.first - 1, group.prev) != (after.id, after.hash) {
            return Err(Error::Damaged { why: format!("the lines do not follow entry {}", after.id) });
        }
        let mut state = self.state();
        let appended = self.append_group(&mut state, &group)?;
        if appended == Appended::Done {
            self.maintain(&mut state, !group.erased.is_empty())?;
        }
        Ok(appended)
    }
}
