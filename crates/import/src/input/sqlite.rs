//! Reading a SQLite database of another program.
//!
//! **Invariants.** The database is opened from a private copy, so nothing is written beside the original and another
//! program may go on using it. The copy is a state that the database had: it is made again if the other program moves its
//! log into the database meanwhile, and a transaction that is not complete is not read. The journal of one is not
//! copied, since it can name any file, which SQLite would delete. No trigger, no view and no virtual table of it is run: its schema is not trusted, views
//! and triggers are switched off, and only ordinary tables are read. A field that is too long is not loaded.

use std::fs::File;
use std::io::{self, Read as _};
use std::thread;
use std::time::{Duration, SystemTime};

use memtape::temporary::{self, TemporaryDir};
use rusqlite::config::DbConfig;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OpenFlags};

use super::{Input, plain, skip_file};
use crate::error::{Error, Result};
use crate::item::Place;
use crate::sink::Sink;

/// How every SQLite database begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// How the name of the log beside a database ends.
pub(super) const LOG: &str = "-wal";
/// How the name of the journal beside a database ends.
pub(super) const JOURNAL: &str = "-journal";
/// How the journal of a transaction begins that has changed the database and is not complete.
const UNFINISHED: &[u8] = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
/// The length of the header of a log, which changes when the log begins anew.
const LOG_HEADER: u64 = 32;
/// Number of attempts to copy a database that another program changes.
const ATTEMPTS: u32 = 5;
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// What changes if another program changes a database itself, or begins its log anew.
#[derive(PartialEq)]
struct State {
    bytes: u64,
    changed_at: Option<SystemTime>,
    log: Vec<u8>,
    is_unfinished: bool,
}

/// A copy of a database.
pub struct Database<'i> {
    input: &'i Input,
    path: String,
    bytes: u64,
    conn: Connection,
    /// Removed when the database is dropped.
    _copy: TemporaryDir,
}

/// A row: its number and its fields by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place.
    pub place: Place,
    fields: Vec<(String, Value)>,
}

impl Row {
    /// Returns a text field; `None` if it is NULL or another type.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.field(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a text field that is not blank.
    #[must_use]
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| !text.trim().is_empty())
    }

    /// Returns whether a field has a value that is no text.
    #[must_use]
    pub fn is_no_text(&self, name: &str) -> bool {
        self.field(name).is_some_and(|value| !matches!(value, Value::Null | Value::Text(_)))
    }

    /// Returns an integer field.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.field(name)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns a number field.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.field(name)? {
            Value::Real(number) => Some(*number),
            #[expect(clippy::cast_precision_loss, reason = "these numbers are shares and counts")]
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }
}

impl Input {
    /// Opens a private copy of a SQLite database.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if it cannot be read, is too large, or is not a SQLite database.
    pub fn sqlite(&self, path: &str) -> Result<Database<'_>> {
        let unreadable = |why: String| Error::unreadable(path, why);
        let (copy, bytes) = self.copy_at_rest(path)?;
        let to = copy.path().join("copy.db");
        let mut begin = Vec::new();
        let opened = File::open(&to).and_then(|file| file.take(16).read_to_end(&mut begin));
        opened.map_err(|e| unreadable(plain(&e)))?;
        if begin != MAGIC {
            return Err(unreadable("it is not a SQLite database".into()));
        }
        let conn = open(&to).map_err(|e| unreadable(format!("it is damaged: {e}")))?;
        Ok(Database { input: self, path: path.to_owned(), bytes, conn, _copy: copy })
    }

    /// Opens a database as [`Input::sqlite`] does. If that fails, reports the file to the sink and returns `None`.
    pub fn sqlite_or_skip(&self, path: &str, sink: &mut dyn Sink) -> Option<Database<'_>> {
        self.sqlite(path).map_err(|e| skip_file(path, &e, sink)).ok()
    }

    /// Copies a database and its log to a private folder, and returns the folder and the size of the database.
    fn copy_at_rest(&self, path: &str) -> Result<(TemporaryDir, u64)> {
        for _ in 0..ATTEMPTS {
            let before = self.state(path);
            let copy = TemporaryDir::new().map_err(|e| Error::unreadable(path, e.to_string()))?;
            let bytes = self.copy(path, &copy.path().join("copy.db"))?;
            // What another program has not yet moved into the database itself is in the log beside it.
            let log = format!("{path}{LOG}");
            if self.has_file(&log) {
                self.copy(&log, &copy.path().join(format!("copy.db{LOG}")))?;
            }
            if !before.is_unfinished && before == self.state(path) {
                return Ok((copy, bytes));
            }
            thread::sleep(PAUSE);
        }
        let why =
            "its program is changing it, or was interrupted: let the program finish, or start and close it";
        Err(Error::unreadable(path, why))
    }

    fn state(&self, path: &str) -> State {
        let about = self.dir.metadata(path).ok();
        let begin = |end: &str, length: u64| {
            let mut begin = Vec::new();
            // What cannot be read is reported when it is copied.
            let _ = self.file(&format!("{path}{end}")).map(|file| file.take(length).read_to_end(&mut begin));
            begin
        };
        State {
            bytes: about.as_ref().map_or(0, cap_std::fs::Metadata::len),
            changed_at: about
                .and_then(|about| about.modified().ok())
                .map(cap_std::time::SystemTime::into_std),
            log: begin(LOG, LOG_HEADER),
            is_unfinished: begin(JOURNAL, UNFINISHED.len() as u64) == UNFINISHED,
        }
    }

    fn copy(&self, path: &str, to: &std::path::Path) -> Result<u64> {
        let limit = self.limits.database_bytes;
        let mut from = self.file(path)?.take(limit + 1);
        let copied = File::create_new(to).and_then(|mut to| io::copy(&mut from, &mut to));
        let failed = |e: io::Error| match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Error::unreadable(path, temporary::failed("make a copy", &e))
            }
            _ => Error::unreadable(path, plain(&e)),
        };
        match copied.map_err(failed)? {
            bytes if bytes > limit => {
                Err(Error::unreadable(path, format_args!("it is larger than {limit} bytes")))
            }
            bytes => Ok(bytes),
        }
    }
}

fn open(path: &std::path::Path) -> rusqlite::Result<Connection> {
    // The log of a copy can only be read by a connection that may write its index.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    for (switch, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        conn.set_db_config(switch, on)?;
    }
    conn.execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")?;
    // Reads the schema, which fails if the file is damaged.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(conn)
}

impl Database<'_> {
    /// Returns the columns of an ordinary table; empty if there is no such table.
    #[must_use]
    pub fn columns(&self, table: &str) -> Vec<String> {
        let is_ordinary = self.conn.query_row(
            "SELECT count(*) FROM pragma_table_list(?1) WHERE schema = 'main' AND type = 'table'",
            [table],
            |row| row.get::<_, i64>(0),
        );
        if is_ordinary != Ok(1) {
            return Vec::new();
        }
        // Generated columns run expressions of the schema: they are not listed here.
        let columns = self.conn.prepare("SELECT name FROM pragma_table_info(?1)").and_then(|mut found| {
            found.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
        });
        columns.unwrap_or_default()
    }

    /// Calls `each` with every row of a table, in the order of a column or, if the table does not have it, in that in which
    /// they were written. Columns that the table does not have are NULL. Rows with a field that is too long are reported
    /// to the sink; so is damage.
    ///
    /// # Errors
    /// Every error that `each` returns, unchanged. What cannot be read is none: the sink gets it.
    pub fn for_rows(
        &self,
        table: &str,
        columns: &[&str],
        order: &str,
        sink: &mut dyn Sink,
        each: &mut dyn FnMut(&Row, &mut dyn Sink) -> Result<()>,
    ) -> Result<()> {
        let there = self.columns(table);
        let has = |column: &str| there.iter().any(|name| name == column);
        let columns: Vec<&str> = columns.iter().copied().filter(|column| has(column)).collect();
        if columns.is_empty() {
            sink.unreadable(Place::file(&self.path), &format!("it has no table {table}"));
            return Ok(());
        }
        let limit = self.input.limits.line_bytes;
        // The length of a field is known without loading it.
        let fields = columns.iter().map(|column| {
            let column = quoted(column);
            format!("CASE WHEN octet_length({column}) <= {limit} THEN {column} END, octet_length({column}) > {limit}")
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        let order = if has(order) { format!(" ORDER BY {}", quoted(order)) } else { String::new() };
        // An index that has all of these columns would be read instead of the table, in another order.
        let sql = format!("SELECT {fields} FROM {} NOT INDEXED{order}", quoted(table));
        let count =
            self.conn.query_row(&format!("SELECT count(*) FROM {}", quoted(table)), [], |row| row.get(0));
        let step = self.bytes / u64::try_from(count.unwrap_or(1_i64)).unwrap_or(1).max(1);
        let mut number = 0;
        let damaged = |number, e: &rusqlite::Error, sink: &mut dyn Sink| {
            let place = Place::row(&self.path, table, number);
            sink.unreadable(place, &format!("the database is damaged from here on: {e}"));
        };
        let mut query = match self.conn.prepare(&sql) {
            Ok(query) => query,
            Err(e) => {
                damaged(1, &e, sink);
                return Ok(());
            }
        };
        let mut rows = query.raw_query();
        loop {
            number += 1;
            let read = match rows.next() {
                Ok(None) => return Ok(()),
                Ok(Some(row)) => read(row, &columns),
                Err(e) => Err(e),
            };
            self.input.count(step);
            let place = Place::row(&self.path, table, number);
            match read {
                Ok(Ok(fields)) => each(&Row { place, fields }, sink)?,
                Ok(Err(why)) => sink.unreadable(place, &why),
                Err(e) => {
                    damaged(number, &e, sink);
                    return Ok(());
                }
            }
        }
    }
}

type Fields = Vec<(String, Value)>;

/// Reads a row; the inner error is what is wrong with this row alone.
fn read(row: &rusqlite::Row<'_>, columns: &[&str]) -> rusqlite::Result<Result<Fields, String>> {
    let mut fields = Vec::with_capacity(columns.len());
    for (n, column) in columns.iter().enumerate() {
        if row.get_ref(2 * n + 1)? == ValueRef::Integer(1) {
            return Ok(Err(format!("its {column} is too long")));
        }
        let value = match row.get_ref(2 * n)? {
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Value::Text(text.to_owned()),
                Err(_) => return Ok(Err(format!("its {column} is not UTF-8"))),
            },
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_owned()),
        };
        fields.push(((*column).to_owned(), value));
    }
    Ok(Ok(fields))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
