//! Reads entries from the tape: one by its id, or those that match a filter.
//!
//! **Invariants.** As in [`crate::reader`]: every query with an audience uses [`seen_by`]. An entry is
//! returned as it was applied, or not at all; a damaged line does not hide the others.

use std::fmt::Write as _;

use jiff::Timestamp;
use memtape_core::{Audience, Point, Session};
use memtape_tape::{Entry, EntryId, Hash, Kind, Location};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, Row, params_from_iter};

use crate::apply::digest;
use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::reader::{Reader, Unreadable};
use crate::rows::number_value;

/// The order of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In the order of the tape.
    #[default]
    OldestFirst,
    /// In the reverse order of the tape.
    NewestFirst,
}

/// A filter on entries.
#[derive(Clone, Debug, Default)]
pub struct EntryQuestion {
    /// The audience of the query.
    pub audience: Audience,
    /// Only of one of these kinds; of any kind, if empty.
    pub kinds: Vec<Kind>,
    /// Only anchors or events of this name.
    pub name: Option<String>,
    /// Only of this conversation.
    pub session: Option<Session>,
    /// Only after this entry.
    pub after: EntryId,
    /// Only before this entry.
    pub before: Option<EntryId>,
    /// Only at or after this instant.
    pub since: Option<Timestamp>,
    /// Whether to exclude entries that precede a reset of their conversation.
    pub without_reset: bool,
    /// Whether to exclude memtape's own anchors, which never mark a place in a conversation.
    pub without_own_anchors: bool,
    /// The order of the result.
    pub order: Order,
    /// Maximum number of entries.
    pub limit: Option<usize>,
}

impl Reader<'_> {
    /// Returns whether an audience sees an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn sees(&self, id: EntryId, audience: &Audience) -> Result<bool> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let sql = format!("SELECT 1 FROM entries e WHERE e.id = ?1 AND {seen}");
        Ok(self.conn.prepare(&sql)?.exists([id])?)
    }

    /// Reads one entry from the tape.
    ///
    /// # Errors
    /// [`Error::NoEntry`] if there is no such entry; [`Error::Tape`] if its line is damaged
    /// ([`memtape_tape::Error::Unreadable`]) or the disk fails; [`Error::Sqlite`] if SQLite fails.
    pub fn entry(&self, id: EntryId) -> Result<Entry> {
        let (at, digest) = self
            .conn
            .prepare_cached("SELECT segment, offset, length, digest FROM entries WHERE id = ?1")?
            .query_row([id], |row| Ok((location(row)?, row.get(3)?)))
            .optional()?
            .ok_or(Error::NoEntry { asked: id, last: Some(self.head()) })?;
        self.read_line(id, at, digest)
    }

    /// Returns whether the tape has an entry with this id and hash. A damaged line counts as the entry; every tape has
    /// entry 0.
    ///
    /// # Errors
    /// [`Error::Tape`] if the disk fails; [`Error::Sqlite`] if SQLite fails.
    pub fn has_entry(&self, id: EntryId, hash: Hash) -> Result<bool> {
        if id == 0 || id >= self.head() {
            return Ok(id == 0 || (id == self.head() && self.head_hash() == hash));
        }
        match self.entry(id) {
            Ok(entry) => Ok(entry.hash == hash),
            Err(Error::NoEntry { .. }) => Ok(false),
            Err(Error::Tape(memtape_tape::Error::Unreadable { .. })) => Ok(true),
            Err(e) => Err(e),
        }
    }

    /// Reads the line of an entry, which must be unchanged since it was applied.
    fn read_line(&self, id: EntryId, at: Location, expected: i64) -> Result<Entry> {
        let entry = self.segments.read(id, at)?;
        if digest(&entry) == expected {
            return Ok(entry);
        }
        Err(memtape_tape::Error::Unreadable { id, why: "it is not what was written".into() }.into())
    }

    /// Records an unreadable entry instead of returning its error, so that a damaged line does not hide the
    /// others.
    pub(crate) fn readable(&self, entry: Result<Entry>) -> Result<Option<Entry>> {
        match entry {
            Err(Error::Tape(memtape_tape::Error::Unreadable { id, why })) => {
                self.unreadable.borrow_mut().push(Unreadable { id, why });
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Returns the last anchor of a name on the lineage of a point; `None` if there is none, or it cannot be
    /// read.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::Tape`] if the disk fails.
    pub fn last_anchor(&self, name: &str, point: &Point) -> Result<Option<Entry>> {
        let mut last: Option<EntryId> = None;
        for (branch, entry) in point.lineage.steps() {
            let found: Option<EntryId> = self
                .conn
                .prepare_cached(
                    "SELECT max(e.id) FROM entries e JOIN branches b ON b.id = e.branch
                     WHERE e.name = ?1 AND e.kind = 'anchor' AND b.name = ?2 AND e.id <= ?3",
                )?
                .query_row((name, branch, entry), |row| row.get(0))?;
            last = last.max(found);
        }
        match last {
            Some(id) => self.readable(self.entry(id)),
            None => Ok(None),
        }
    }

    /// Returns the entries up to a point that match a filter. A damaged entry is skipped, with a warning.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::Tape`] if the disk fails.
    pub fn entries(&self, question: &EntryQuestion, point: &Point) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        self.each_entry(question, point, |entry| {
            entries.push(entry);
            Ok(true)
        })?;
        Ok(entries)
    }

    /// Passes the entries up to a point that match a filter to `each`, until it returns `false`. A damaged
    /// entry is skipped, with a warning.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::Tape`] if the disk fails; the errors of `each`.
    pub fn each_entry(
        &self,
        question: &EntryQuestion,
        point: &Point,
        mut each: impl FnMut(Entry) -> Result<bool>,
    ) -> Result<()> {
        let seen =
            seen_by(self.conn, &question.audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let mut sql = format!(
            "SELECT e.segment, e.offset, e.length, e.id, e.digest FROM entries e
             WHERE e.id > ?1 AND e.id <= ?2 AND {seen}"
        );
        let last =
            question.before.map_or(point.entry(), |before| point.entry().min(before.saturating_sub(1)));
        let mut values: Vec<Value> = vec![number_value(question.after), number_value(last)];
        if let Some(name) = &question.name {
            values.push(name.clone().into());
            let _ = write!(sql, " AND e.name = ?{}", values.len());
        }
        if let Some(session) = &question.session {
            let Some(number) = self.session_number(session)? else { return Ok(()) };
            values.push(number.into());
            let _ = write!(sql, " AND e.session = ?{}", values.len());
        }
        if let Some(since) = question.since {
            values.push(since.as_microsecond().into());
            let _ = write!(sql, " AND e.date >= ?{}", values.len());
        }
        if !question.kinds.is_empty() {
            let marks: Vec<_> = question
                .kinds
                .iter()
                .map(|kind| {
                    values.push(kind.as_str().to_owned().into());
                    format!("?{}", values.len())
                })
                .collect();
            let _ = write!(sql, " AND e.kind IN ({})", marks.join(", "));
        }
        if question.without_own_anchors {
            sql.push_str(
                " AND NOT (e.kind = 'anchor' AND (e.name GLOB 'memory/*' OR e.name GLOB 'branch/*'))",
            );
        }
        if question.without_reset {
            let _ = write!(sql, " AND {}", not_reset(last));
        }
        sql.push_str(match question.order {
            Order::OldestFirst => " ORDER BY e.id",
            Order::NewestFirst => " ORDER BY e.id DESC",
        });
        if let Some(limit) = question.limit {
            let _ = write!(sql, " LIMIT {limit}");
        }
        let mut statement = self.conn.prepare(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            let entry = self.read_line(row.get(3)?, location(row)?, row.get(4)?);
            if let Some(entry) = self.readable(entry)?
                && !each(entry)?
            {
                break;
            }
        }
        Ok(())
    }
}

fn location(row: &Row<'_>) -> rusqlite::Result<Location> {
    Ok(Location { segment: row.get(0)?, offset: row.get(1)?, length: row.get(2)? })
}

/// Returns the SQL condition that no reset up to an entry follows the entry `e` in its conversation.
pub(crate) fn not_reset(last: EntryId) -> String {
    format!(
        "e.id >= coalesce((SELECT max(r.entry) FROM resets r
           WHERE r.entry <= {last} AND (r.session IS NULL OR r.session = e.session)), 0)"
    )
}
