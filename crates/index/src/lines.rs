//! The data that an erasure reads: the lines of the tape, and the index's rows of an entry.

use memtape_core::MemoryId;
use memtape_tape::{Entry, EntryId, RawLine};
use rusqlite::{OptionalExtension as _, params};

use crate::apply::digest;
use crate::error::Result;
use crate::reader::Reader;

impl Reader<'_> {
    /// Passes every line of the tape to `each`, damaged or not.
    ///
    /// # Errors
    /// [`Error::Tape`](crate::Error::Tape) if the disk fails; the errors of `each`.
    pub fn each_line(&self, each: impl FnMut(RawLine<'_>) -> Result<()>) -> Result<()> {
        self.segments.each_line(each)
    }

    /// Returns whether the index knows the entry of a line at that place. It does not know damaged or copied
    /// lines.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn is_entry(&self, line: &RawLine<'_>, entry: &Entry) -> Result<bool> {
        let known: Option<i64> = self
            .conn
            .prepare_cached("SELECT digest FROM entries WHERE id = ?1 AND segment = ?2 AND offset = ?3")?
            .query_row(params![entry.id, line.segment, line.offset], |row| row.get(0))
            .optional()?;
        Ok(known == Some(digest(entry)))
    }

    /// Returns the memories that an entry removed, according to the index.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn retired_by_entry(&self, id: EntryId) -> Result<Vec<MemoryId>> {
        let sql = "SELECT id FROM memories WHERE died = ?1 UNION SELECT memory FROM retired WHERE entry = ?1 ORDER BY 1";
        let mut statement = self.conn.prepare(sql)?;
        let numbers = statement.query_map([id], |row| row.get(0))?.collect::<Result<Vec<u64>, _>>()?;
        Ok(numbers.into_iter().map(MemoryId::from_number).collect())
    }
}
