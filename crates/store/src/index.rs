//! The index file: opening, setting aside, and the position it stands at.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use memtape_tape::{EntryId, Floor, Hash, Location, Position};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::{Error, Result};
use crate::schema;
use crate::words;

/// The name of the index of this version.
pub const INDEX_FILE: &str = "index-v6.db";
/// The name under which other programs find the current index.
const LINK: &str = "memory.db";
/// How long a connection waits for another one's transaction.
const BUSY_WAIT: Duration = Duration::from_secs(30);

/// An open index.
pub(crate) struct Index {
    pub(crate) conn: Connection,
    /// Where it lies, and what tells that file from another of the same name; `None` in memory.
    file: Option<(PathBuf, Identity)>,
}

/// What tells two files apart, whatever their names.
type Identity = Option<(u64, u64)>;

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Elsewhere an open file cannot be replaced, so its name is enough.
#[cfg(not(unix))]
fn identity(path: &Path) -> Identity {
    path.exists().then_some((0, 0))
}

/// How far the index has read, and what it needs to know that it is the same tape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Applied {
    pub(crate) position: Position,
    /// Where the last line read stands.
    pub(crate) line: Location,
    /// The hash of the first entry, by which the workspace is known.
    pub(crate) first_hash: Hash,
    /// What was acknowledged, as far as this index or one before it knows: how far in bytes,
    pub(crate) floor: Floor,
    /// and up to which entry.
    pub(crate) known: EntryId,
}

impl Applied {
    pub(crate) const NOTHING: Self = Self {
        position: Position::START,
        line: Location { segment: 1, offset: 0, length: 0 },
        first_hash: Hash::ZERO,
        floor: Floor { segment: 1, offset: 0 },
        known: 0,
    };

    /// The workspace's id: the beginning of its first entry's hash.
    pub(crate) fn workspace(&self) -> String {
        workspace_of(self.first_hash)
    }
}

/// The id of the workspace whose first entry has this hash.
pub(crate) fn workspace_of(first: Hash) -> String {
    first.to_string()[..16].to_owned()
}

impl Index {
    /// Opens the index of a directory, and makes it where there is none.
    pub(crate) fn open(dir: &Path) -> Result<Self> {
        let path = dir.join(INDEX_FILE);
        let fresh = !path.exists();
        let conn = Connection::open(&path)?;
        conn.busy_timeout(BUSY_WAIT)?;
        // A command line opens and closes the index for every command; a checkpoint each time would cost
        // more than the write itself. The next connection finds the write-ahead log.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Plans do not hang on the values bound: without this, statements are prepared again for each value.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.execute_batch(schema::PRAGMAS)?;
        let identity = identity(&path);
        let index = Self { conn, file: Some((path, identity)) };
        index.prepare()?;
        if fresh {
            link(dir);
        }
        Ok(index)
    }

    /// An index that is gone with the process.
    pub(crate) fn in_memory() -> Result<Self> {
        let conn = Connection::open_in_memory()?;
        let index = Self { conn, file: None };
        index.prepare()?;
        Ok(index)
    }

    /// An index that cannot be written, as it stands: `None` where a write-ahead log would be needed to read it.
    pub(crate) fn open_immutable(dir: &Path) -> Option<Self> {
        let path = dir.join(INDEX_FILE);
        let wal = dir.join(format!("{INDEX_FILE}-wal"));
        if fs::metadata(wal).is_ok_and(|m| m.len() > 0) || !path.exists() {
            return None;
        }
        // A path in a URI: the characters that would end it are encoded.
        let text = path.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_URI;
        let conn = Connection::open_with_flags(format!("file:{text}?immutable=1"), flags).ok()?;
        let index = Self { conn, file: None };
        let whole = index.applied().is_ok() && words::waiting(&index.conn).is_ok_and(|n| n == 0);
        whole.then_some(index)
    }

    /// An index to be looked at only, as it stands.
    pub(crate) fn open_read_only(dir: &Path) -> Result<Self> {
        let conn =
            Connection::open_with_flags(dir.join(INDEX_FILE), rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        Ok(Self { conn, file: None })
    }

    fn prepare(&self) -> Result<()> {
        self.conn.set_prepared_statement_cache_capacity(64);
        let version: u32 = self.conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == schema::VERSION {
            return Ok(());
        }
        self.conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        // Two processes may come here at once: the second finds the tables made.
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
        self.conn.execute_batch(schema::VIEWS)?;
        self.conn.pragma_update(None, "user_version", schema::VERSION)?;
        self.conn.execute("INSERT INTO branches(id, name) VALUES (1, 'main')", [])?;
        Ok(())
    }

    /// Begins a transaction that writes; dropped without a commit, it leaves nothing.
    pub(crate) fn begin_write(&self) -> Result<WriteTransaction<'_>> {
        self.conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(WriteTransaction { conn: &self.conn, done: false })
    }

    /// Whether the file it was opened from still has its name.
    pub(crate) fn is_current(&self) -> bool {
        self.file.as_ref().is_none_or(|(path, opened)| identity(path) == *opened)
    }

    /// How far it has read.
    pub(crate) fn applied(&self) -> Result<Applied> {
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

    /// Notes how far it has read, in the running transaction.
    pub(crate) fn set_applied(&self, applied: &Applied) -> Result<()> {
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

    /// Closes the index and moves its file into the archive, because it may know what the tape no longer
    /// does. Called under the writer lock. Gives the name it is kept under.
    pub(crate) fn set_aside(self, applied: &Applied) -> Result<Option<String>> {
        let Some((path, _)) = self.file.clone() else { return Ok(None) };
        let dir = path.parent().map(Path::to_owned).unwrap_or_default();
        // The log goes into the file, so that the file alone is the whole index.
        self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        drop(self);
        let name = free_name(&dir, &format!("index-until-{}", applied.position.last_id), "db")?;
        fs::rename(&path, dir.join(&name)).map_err(|e| file_error("move", &path, e))?;
        remove(&dir)?;
        Ok(Some(name))
    }
}

/// A transaction that writes.
pub(crate) struct WriteTransaction<'a> {
    conn: &'a Connection,
    done: bool,
}

impl WriteTransaction<'_> {
    pub(crate) fn commit(mut self) -> Result<()> {
        self.conn.prepare_cached("COMMIT")?.execute([])?;
        self.done = true;
        Ok(())
    }
}

impl Drop for WriteTransaction<'_> {
    fn drop(&mut self) {
        if !self.done && !self.conn.is_autocommit() {
            // A rollback that fails leaves a connection of no use: what is asked next says so.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }
}

/// A name in the archive that nothing has yet, relative to the workspace.
fn free_name(dir: &Path, stem: &str, extension: &str) -> Result<String> {
    let archive = dir.join("archive");
    fs::create_dir_all(&archive).map_err(|e| file_error("make", &archive, e))?;
    let numbered = |n: u32| match n {
        1 => format!("archive/{stem}.{extension}"),
        n => format!("archive/{stem}.{n}.{extension}"),
    };
    let free = (1..).map(numbered).find(|name| !dir.join(name).exists());
    free.ok_or_else(|| file_error("make", &archive, std::io::ErrorKind::AlreadyExists.into()))
}

/// Keeps a text in the archive under a name that is free, durably.
pub(crate) fn keep(dir: &Path, stem: &str, extension: &str, text: &str) -> Result<String> {
    use std::io::Write as _;
    let name = free_name(dir, stem, extension)?;
    let path = dir.join(&name);
    let mut file = fs::File::create_new(&path).map_err(|e| file_error("make", &path, e))?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(|e| file_error("write", &path, e))?;
    Ok(name)
}

/// Removes every index: that of this version, those of others, and those that were kept. Called under the writer lock,
/// where the tape no longer says what they may know.
pub(crate) fn remove_all(dir: &Path) -> Result<()> {
    let is_index = |name: &str| name.starts_with("index-v") && name.contains(".db");
    remove_where(dir, is_index)?;
    remove_where(&dir.join("archive"), |name| name.starts_with("index-until-") && name.contains(".db"))?;
    let link = dir.join(LINK);
    if link.is_symlink() {
        fs::remove_file(&link).map_err(|e| file_error("remove", &link, e))?;
    }
    sync_dir(dir)
}

fn remove_where(dir: &Path, meant: impl Fn(&str) -> bool) -> Result<()> {
    let entries = match fs::read_dir(dir) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(|e| file_error("list", dir, e))?,
    };
    let mut removed = false;
    for entry in entries {
        let entry = entry.map_err(|e| file_error("list", dir, e))?;
        if entry.file_name().to_str().is_some_and(&meant) && !entry.path().is_dir() {
            fs::remove_file(entry.path()).map_err(|e| file_error("remove", &entry.path(), e))?;
            removed = true;
        }
    }
    if removed { sync_dir(dir) } else { Ok(()) }
}

/// Makes it durable that names are gone.
fn sync_dir(dir: &Path) -> Result<()> {
    // Only Unix lets a directory be opened and synced; elsewhere the file system sees to it.
    if cfg!(unix) {
        fs::File::open(dir).and_then(|d| d.sync_all()).map_err(|e| file_error("sync", dir, e))?;
    }
    Ok(())
}

/// Removes the index's files. Called under the writer lock.
pub(crate) fn remove(dir: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let path = dir.join(format!("{INDEX_FILE}{suffix}"));
        match fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(file_error("remove", &path, e)),
            _ => {}
        }
    }
    Ok(())
}

fn file_error(action: &'static str, path: &Path, source: std::io::Error) -> Error {
    Error::IndexFile { action, path: path.display().to_string(), source }
}

/// Lets other programs find the index under a name without a version. It is a convenience: where the medium
/// has no links, nothing is lost.
fn link(dir: &Path) {
    #[cfg(unix)]
    {
        let link = dir.join(LINK);
        if link.is_symlink() || !link.exists() {
            let _ = fs::remove_file(&link);
            let _ = std::os::unix::fs::symlink(INDEX_FILE, link);
        }
    }
    #[cfg(not(unix))]
    let _ = (dir, LINK);
}

/// Instants stand in the index as microseconds since 1970.
pub(crate) fn micros(value: i64) -> Timestamp {
    Timestamp::from_microsecond(value).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn hash(text: &str) -> Hash {
    Hash::parse(text).unwrap_or(Hash::ZERO)
}
