//! An open index: its connection, its position on the tape, and how it is moved to the archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use memtape_tape::{EntryId, Floor, Hash, Location, Position};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};

use crate::error::{Error, Result};
use crate::generations;
use crate::rows::micros;
use crate::schema;
use crate::trace;

/// Maximum time that a connection waits for the transaction of another one.
const BUSY_WAIT: Duration = Duration::from_secs(30);
/// Pause before an attempt to begin a transaction is repeated. SQLite's own pauses grow to 100 ms, so that who waits
/// longest would try least often.
const BUSY_PAUSE: Duration = Duration::from_millis(1);
/// Maximum size of the write-ahead log, in bytes, that is left behind when the index is closed.
const LOG_MAX: u64 = 1 << 20;
/// Maximum number of attempts to open an index that is replaced in the meantime.
const OPEN_ATTEMPTS: usize = 20;

/// An open index.
pub struct Index {
    pub(crate) conn: Connection,
    /// Its path, and what distinguishes that file from another one of the same name; `None` in memory.
    file: Option<(PathBuf, Identity)>,
}

/// Identifies a file independently of its name.
type Identity = Option<(u64, u64)>;

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Elsewhere an open file cannot be replaced, so its name is sufficient.
#[cfg(not(unix))]
fn identity(path: &Path) -> Identity {
    path.exists().then_some((0, 0))
}

/// The last entry that the index has read, and the identity of the tape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Applied {
    /// The end of the last group that was read.
    pub position: Position,
    /// The location of the last line that was read.
    pub line: Location,
    /// The hash of the first entry, which identifies the workspace.
    pub first_hash: Hash,
    /// The byte offset up to which the tape was acknowledged, as far as this index or a previous one knows.
    pub floor: Floor,
    /// The entry up to which the tape was acknowledged, likewise.
    pub known: EntryId,
}

impl Applied {
    /// The state of an empty index.
    pub const NOTHING: Self = Self {
        position: Position::START,
        line: Location { segment: 1, offset: 0, length: 0 },
        first_hash: Hash::ZERO,
        floor: Floor { segment: 1, offset: 0 },
        known: 0,
    };

    /// Returns the workspace's id: the first 16 characters of its first entry's hash.
    pub(crate) fn workspace(&self) -> String {
        workspace_of(self.first_hash)
    }
}

/// Returns the id of the workspace whose first entry has this hash.
#[must_use]
pub fn workspace_of(first: Hash) -> String {
    first.to_string()[..16].to_owned()
}

impl Index {
    /// Opens the current index of a directory, and creates one if there is none.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::IndexFile`] if the file cannot be created.
    pub fn open(dir: &Path) -> Result<Self> {
        for _ in 0..OPEN_ATTEMPTS {
            let path = generations::current(dir).map_or_else(|| generations::first(dir), Ok)?;
            let opened = Self::open_file(&path);
            // Only the file that has its name now also has its own log next to it: see `generations`.
            match opened {
                Ok(index) if index.is_current() => {
                    generations::restore_link(&path);
                    return Ok(index);
                }
                Err(e) if path.exists() => return Err(e),
                _ => {}
            }
        }
        Err(Error::not_open())
    }

    fn open_file(path: &Path) -> Result<Self> {
        let identity = identity(path);
        // The file exists, even if it is empty: a name that was removed in the meantime must not be created
        // again.
        let flags = OpenFlags::default() - OpenFlags::SQLITE_OPEN_CREATE;
        let mut conn = Connection::open_with_flags(path, flags)?;
        trace::attach(&mut conn)?;
        conn.busy_timeout(BUSY_WAIT)?;
        // A command line opens and closes the index for every command; a checkpoint each time would cost more
        // than the write itself. The next connection finds the write-ahead log, unless it was long (`Drop`).
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Query plans do not depend on the bound values: without this, statements are prepared again for each
        // value.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.execute_batch(schema::PRAGMAS)?;
        let index = Self { conn, file: Some((path.to_owned(), identity)) };
        index.prepare()?;
        Ok(index)
    }

    /// Returns an index in memory, which ends with the process.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn in_memory() -> Result<Self> {
        let mut conn = Connection::open_in_memory()?;
        trace::attach(&mut conn)?;
        let index = Self { conn, file: None };
        index.prepare()?;
        Ok(index)
    }

    /// Opens an index that cannot be written, without changing it; `None` if reading it requires a write-ahead log.
    #[must_use]
    pub fn open_immutable(dir: &Path) -> Option<Self> {
        let path = generations::current(dir)?;
        if fs::metadata(log_of(&path)).is_ok_and(|log| log.len() > 0) {
            return None;
        }
        // In a URI, the characters that would end the path must be encoded.
        let text = path.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let mut conn = Connection::open_with_flags(format!("file:{text}?immutable=1"), flags).ok()?;
        trace::attach(&mut conn).ok()?;
        let index = Self { conn, file: None };
        index.applied().is_ok().then_some(index)
    }

    /// Opens an index for inspection only, without changing it.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if there is no index, or SQLite fails.
    pub fn open_read_only(dir: &Path) -> Result<Self> {
        let path = generations::current(dir).ok_or_else(Error::not_open)?;
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        Ok(Self { conn, file: None })
    }

    /// Turns the write-ahead log on. While another connection does the same, SQLite refuses at once instead of waiting.
    fn use_write_ahead_log(&self) -> Result<()> {
        let start = Instant::now();
        loop {
            match self.conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
                Err(e) if is_busy(&e) && start.elapsed() < BUSY_WAIT => thread::sleep(BUSY_PAUSE),
                other => return Ok(other?),
            }
        }
    }

    fn prepare(&self) -> Result<()> {
        self.conn.set_prepared_statement_cache_capacity(64);
        let version: u32 = self.conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == schema::VERSION {
            return Ok(());
        }
        self.use_write_ahead_log()?;
        // Two processes may reach this point at once: the second one finds the tables created.
        self.conn.execute_batch("BEGIN IMMEDIATE")?;
        let version: u32 = self.conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let made = match version {
            0 => self.make_tables(),
            _ => Ok(()),
        };
        self.conn.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        made
    }

    fn make_tables(&self) -> Result<()> {
        self.conn.execute_batch(schema::TABLES)?;
        self.conn.execute_batch(&format!("CREATE INDEX s_thread ON sessions({})", schema::THREAD))?;
        self.conn.execute_batch(schema::VIEWS)?;
        self.conn.pragma_update(None, "user_version", schema::VERSION)?;
        self.conn.execute("INSERT INTO branches(id, name) VALUES (1, 'main')", [])?;
        Ok(())
    }

    /// Begins a read transaction. Its snapshot is taken by its first statement.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn begin_read(&self) -> Result<()> {
        self.conn.prepare_cached("BEGIN")?.execute([])?;
        Ok(())
    }

    /// Ends a read transaction. There is nothing to commit, and a failed rollback loses nothing.
    pub fn end_read(&self) {
        let _ = self.conn.prepare_cached("ROLLBACK").and_then(|mut rollback| rollback.execute([]));
    }

    /// Begins a write transaction, after that of another connection; dropped without a commit, it is rolled back.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn begin_write(&self) -> Result<WriteTransaction<'_>> {
        let start = Instant::now();
        loop {
            if let Some(transaction) = self.try_begin_write(start)? {
                return Ok(transaction);
            }
        }
    }

    /// Begins a write transaction as [`Index::begin_write`] does, but returns `None` as soon as another connection has
    /// moved the index on from `before`.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn begin_write_at(&self, before: Position) -> Result<Option<WriteTransaction<'_>>> {
        let start = Instant::now();
        loop {
            let transaction = self.try_begin_write(start)?;
            if self.applied()?.position != before {
                return Ok(None);
            }
            if transaction.is_some() {
                return Ok(transaction);
            }
        }
    }

    /// Begins a write transaction; pauses and returns `None` if another connection has one. That is an error if it has
    /// lasted too long since `start`.
    fn try_begin_write(&self, start: Instant) -> Result<Option<WriteTransaction<'_>>> {
        self.conn.busy_timeout(Duration::ZERO)?;
        let begun = self.conn.prepare_cached("BEGIN IMMEDIATE").and_then(|mut begin| begin.execute([]));
        self.conn.busy_timeout(BUSY_WAIT)?;
        match begun {
            Ok(_) => Ok(Some(WriteTransaction { conn: &self.conn, done: false })),
            Err(e) if is_busy(&e) && start.elapsed() < BUSY_WAIT => {
                thread::sleep(BUSY_PAUSE);
                Ok(None)
            }
            Err(e) => Err(e.into()),
        }
    }

    /// Returns whether the file from which it was opened still has its name.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.file.as_ref().is_none_or(|(path, opened)| identity(path) == *opened)
    }

    /// Returns how far it has read.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn applied(&self) -> Result<Applied> {
        let row = self
            .conn
            .prepare_cached(
                "SELECT segment, offset, entry, hash, date, line_segment, line_offset, line_length,
                        first_hash, floor_segment, floor_offset, known FROM applied",
            )?
            .query_row([], |row| {
                Ok(Applied {
                    position: Position {
                        segment: row.get(0)?,
                        offset: row.get(1)?,
                        last_id: row.get(2)?,
                        last_hash: hash(&row.get::<_, String>(3)?),
                        last_date: micros(row.get(4)?),
                    },
                    line: Location { segment: row.get(5)?, offset: row.get(6)?, length: row.get(7)? },
                    first_hash: hash(&row.get::<_, String>(8)?),
                    floor: Floor { segment: row.get(9)?, offset: row.get(10)? },
                    known: row.get(11)?,
                })
            })
            .optional()?;
        Ok(row.unwrap_or(Applied::NOTHING))
    }

    /// Records how far it has read, in the running transaction.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn set_applied(&self, applied: &Applied) -> Result<()> {
        let Applied { position, line, first_hash, floor, known } = applied;
        self.conn
            .prepare_cached(
                "INSERT OR REPLACE INTO applied VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                position.segment,
                position.offset,
                position.last_id,
                position.last_hash.to_string(),
                position.last_date.as_microsecond(),
                line.segment,
                line.offset,
                line.length,
                first_hash.to_string(),
                floor.segment,
                floor.offset,
                known,
            ])?;
        Ok(())
    }

    /// Copies the index into the archive, because it may contain entries that the tape no longer does, and begins the
    /// next generation. Returns the name of the copy; `None` for an index in memory. The caller holds the writer lock.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::IndexFile`] if a file cannot be created, synced or removed.
    pub fn set_aside(self, applied: &Applied) -> Result<Option<String>> {
        let Some((path, _)) = self.file.clone() else { return Ok(None) };
        let dir = path.parent().map(Path::to_owned).unwrap_or_default();
        let name = generations::free_name(&dir, &format!("index-until-{}", applied.position.last_id), "db")?;
        let kept = dir.join(&name);
        // The copy includes the content of the write-ahead log, even if readers prevent it from being written back.
        let copied = self.conn.execute("VACUUM INTO ?1", [kept.to_string_lossy()]).map_err(Error::from);
        if let Err(e) = copied.and_then(|_| generations::sync(&kept)) {
            // An incomplete copy is of no use.
            let _ = fs::remove_file(&kept);
            return Err(e);
        }
        drop(self);
        generations::replace(&dir)?;
        Ok(Some(name))
    }
}

impl Drop for Index {
    /// Empties a long write-ahead log. The next connection would have to read all of it before its first answer, and
    /// the log would grow for ever: SQLite begins it anew only where one connection writes twice.
    fn drop(&mut self) {
        let Some((path, _)) = &self.file else { return };
        if fs::metadata(log_of(path)).is_ok_and(|log| log.len() > LOG_MAX) && self.is_current() {
            // A log that another connection reads stays as it is.
            let _ = self.conn.busy_timeout(Duration::ZERO);
            let _ = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
    }
}

/// A write transaction.
pub struct WriteTransaction<'a> {
    conn: &'a Connection,
    done: bool,
}

impl WriteTransaction<'_> {
    /// Commits the transaction.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn commit(mut self) -> Result<()> {
        self.conn.prepare_cached("COMMIT")?.execute([])?;
        self.done = true;
        Ok(())
    }
}

impl Drop for WriteTransaction<'_> {
    fn drop(&mut self) {
        if !self.done && !self.conn.is_autocommit() {
            // A failed rollback leaves a useless connection; its next statement reports that.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }
}

/// Returns whether another connection is in the way.
fn is_busy(e: &rusqlite::Error) -> bool {
    e.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Returns the path of the write-ahead log of a database.
fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

fn hash(text: &str) -> Hash {
    Hash::parse(text).unwrap_or(Hash::ZERO)
}
