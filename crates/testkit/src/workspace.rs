//! A workspace in a temporary directory, which is deleted after the test.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape::{Clock as _, Config, Options, Salt, Salts, SystemClock, Upstream, Workspace};
use memtape_store::Options as StoreOptions;
use memtape_tape::{Draft, Durability, Error, FileStorage, Floor, Kind, Position, Segments, Storage, Writer};
use memtape_upstream::{Freshness, Replica};
use serde_json::value::RawValue;
use tempfile::TempDir;

use crate::clock::TestClock;
use crate::older::Older;
use crate::upstreams;

/// The initial time of a test's clock.
pub const START: &str = "2026-02-10T10:00:00Z";

/// Maximum time that a test waits for another writer.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// A workspace, its clock and its temporary directory.
pub struct TestWorkspace {
    /// The workspace.
    pub workspace: Workspace,
    /// Its clock.
    pub clock: TestClock,
    /// Its upstream, if it has one.
    pub upstream: Option<Arc<dyn Upstream>>,
    dir: TempDir,
}

impl TestWorkspace {
    /// Creates a workspace on 10 February 2026, with the configuration of tests ([`config`]).
    ///
    /// # Panics
    /// If the temporary directory or the workspace cannot be created.
    #[must_use]
    pub fn new() -> Self {
        Self::configured(config())
    }

    /// Creates a workspace on 10 February 2026, with this configuration.
    ///
    /// # Panics
    /// If the temporary directory or the workspace cannot be created.
    #[must_use]
    pub fn configured(config: Config) -> Self {
        let dir = tempfile::tempdir().expect("the machine has a temporary folder");
        let clock = TestClock::at(START);
        let upstream = upstreams::next();
        let options = Options { config, upstream: upstream.clone(), ..options(&clock) };
        let workspace = Workspace::init(dir.path(), options).expect("an empty folder takes a workspace");
        Self { workspace, clock, upstream, dir }
    }

    /// Creates a workspace as [`TestWorkspace::new`] does, on a clock that another workspace uses. Its salts differ,
    /// so its first entry does.
    ///
    /// # Panics
    /// If the temporary directory or the workspace cannot be created.
    #[must_use]
    pub fn at(clock: &TestClock) -> Self {
        let dir = tempfile::tempdir().expect("the machine has a temporary folder");
        let mut salts = counting_salts();
        salts.next_salt();
        let upstream = upstreams::next();
        let options = Options {
            config: config(),
            salts: Box::new(salts),
            upstream: upstream.clone(),
            ..options(clock)
        };
        let workspace = Workspace::init(dir.path(), options).expect("an empty folder takes a workspace");
        Self { workspace, clock: clock.clone(), upstream, dir }
    }

    /// Returns the directory of the workspace.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Appends an entry as another program might, with a payload that no command of memtape writes.
    ///
    /// # Panics
    /// If the payload is not JSON or the entry cannot be written.
    pub fn append_raw(&self, kind: &str, payload: &str) {
        self.append(kind, payload, "{}");
    }

    /// Appends an entry as [`TestWorkspace::append_raw`] does, with this metadata.
    ///
    /// # Panics
    /// If the payload or the metadata is not JSON, or the entry cannot be written.
    pub fn append(&self, kind: &str, payload: &str, meta: &str) {
        let local: Arc<dyn Storage> = Arc::new(FileStorage::new(self.path()));
        let storage = match self.upstream.clone() {
            Some(upstream) => {
                Arc::new(Replica::new(self.path(), local, upstream, Freshness::Latest, Duration::ZERO)) as _
            }
            None => local,
        };
        plant_draft(&storage, "main", kind, payload, meta, self.clock.now());
    }

    /// Returns the commands of an older version on this workspace.
    ///
    /// # Panics
    /// If the workspace cannot be opened.
    #[must_use]
    pub fn older(&self) -> Older {
        Older::open(self.path(), self.options()).expect("a workspace opens again")
    }

    /// Opens the workspace again, as another process would.
    ///
    /// # Panics
    /// If the workspace cannot be opened.
    #[must_use]
    pub fn reopened(&self) -> Workspace {
        Workspace::open(self.path(), self.options()).expect("a workspace opens again")
    }

    fn options(&self) -> Options {
        Options { upstream: self.upstream.clone(), ..options(&self.clock) }
    }

    /// Returns a new replica of the workspace's upstream, as another machine would have it.
    ///
    /// # Panics
    /// If the workspace has no upstream, or the replica cannot be made.
    #[must_use]
    pub fn replica(&self) -> Self {
        let dir = tempfile::tempdir().expect("the machine has a temporary folder");
        let upstream = Some(self.upstream.clone().expect("the workspace has an upstream"));
        let options = Options { upstream: upstream.clone(), ..options(&self.clock) };
        let workspace = Workspace::replica(dir.path(), options).expect("the upstream can be cloned");
        Self { workspace, clock: self.clock.clone(), upstream, dir }
    }

    /// Opens the workspace again, on a branch.
    ///
    /// # Panics
    /// If the workspace cannot be opened.
    #[must_use]
    pub fn again_on(&self, branch: &str) -> Workspace {
        let options = Options { branch: Some(branch.to_owned()), ..self.options() };
        Workspace::open(self.path(), options).expect("a workspace opens again")
    }
}

impl Default for TestWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

/// Appends an entry directly to the tape in a directory, with the current time, as another program might.
///
/// # Panics
/// If the payload or the metadata is not JSON, or the entry cannot be written.
pub fn plant(dir: &Path, kind: &str, payload: &str, meta: &str) {
    plant_draft(&files(dir), "main", kind, payload, meta, SystemClock.now());
}

/// Appends an entry on a branch, as [`plant`] does, without metadata.
///
/// # Panics
/// If the payload is not JSON or the entry cannot be written.
pub fn plant_on(dir: &Path, branch: &str, kind: &str, payload: &str) {
    plant_draft(&files(dir), branch, kind, payload, "{}", SystemClock.now());
}

fn files(dir: &Path) -> Arc<dyn Storage> {
    Arc::new(FileStorage::new(dir))
}

fn plant_draft(
    storage: &Arc<dyn Storage>,
    branch: &str,
    kind: &str,
    payload: &str,
    meta: &str,
    now: Timestamp,
) {
    let _lock = storage.lock(LOCK_WAIT).expect("nobody else writes");
    let segments = Segments::open(storage).expect("the tape can be read");
    let tail = segments.scan(Position::START).run(|_| Ok::<(), Error>(())).expect("the tape can be read");
    let (mut writer, _) =
        Writer::new(storage, tail, Floor::default(), Durability::Sync).expect("the tape can be written");
    let raw = |text: &str| RawValue::from_string(text.to_owned()).expect("a test gives JSON");
    let draft =
        Draft { kind: Kind::from_name(kind), payload: raw(payload), meta: raw(meta), branch: branch.into() };
    writer.append(vec![draft], now, &mut counting_salts()).expect("the entry is written");
}

/// Returns the default configuration, except that prompts recall for every message: tests ask in key words, which
/// the floor takes for small talk.
#[must_use]
pub fn config() -> Config {
    let mut config = Config::default();
    config.recall.floor = 0.0;
    config
}

/// Returns options with this clock and salts that repeat.
#[must_use]
pub fn options(clock: &TestClock) -> Options {
    Options {
        clock: Box::new(clock.clone()),
        salts: Box::new(counting_salts()),
        config: config(),
        ..Options::default()
    }
}

/// Returns options for a store, with this clock and salts that repeat.
#[must_use]
pub fn store_options(clock: &TestClock) -> StoreOptions {
    StoreOptions {
        session_state: true,
        clock: Box::new(clock.clone()),
        salts: Box::new(counting_salts()),
        zone: TimeZone::UTC,
        durability: Durability::Sync,
        lock_wait: LOCK_WAIT,
        progress: Box::new(|_| {}),
        upstream: None,
    }
}

/// Returns salts that count from 1, so that a test always writes the same bytes.
pub fn counting_salts() -> impl Salts {
    let mut n: u128 = 0;
    move || {
        n += 1;
        Salt::new(n.to_be_bytes())
    }
}
