//! Reading entries, as they stand on the tape: one by its number, or those that answer a question.
//!
//! **Invariants.** As in [`crate::reader`]: what names an audience goes through [`seen_by`]. An entry is given as it was
//! applied or not at all; one bad line does not hide the others.

use std::fmt::Write as _;

use jiff::Timestamp;
use memtape_core::{Audience, Point, Session};
use memtape_tape::{Entry, EntryId, Kind, Location};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, Row, params_from_iter};

use crate::apply::digest;
use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::reader::Reader;
use crate::rows::number_value;

/// Which way entries are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they were written.
    #[default]
    OldestFirst,
    /// The last one first.
    NewestFirst,
}

/// Which entries are asked for.
#[derive(Clone, Debug, Default)]
pub struct EntryQuestion {
    /// By whom.
    pub audience: Audience,
    /// Of one of these kinds; of any, where there are none.
    pub kinds: Vec<Kind>,
    /// Anchors or events of this name.
    pub name: Option<String>,
    /// Of this conversation.
    pub session: Option<Session>,
    /// After this entry.
    pub after: EntryId,
    /// Before this entry.
    pub before: Option<EntryId>,
    /// Not before this instant.
    pub since: Option<Timestamp>,
    /// Without what a reset put behind its conversation.
    pub without_reset: bool,
    /// Without memory's own anchors, which never mark a place in a conversation.
    pub without_own_anchors: bool,
    /// Which way.
    pub order: Order,
    /// At most so many.
    pub limit: Option<usize>,
}

impl Reader<'_> {
    /// Whether an audience sees an entry.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn sees(&self, id: EntryId, audience: &Audience) -> Result<bool> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let sql = format!("SELECT 1 FROM entries e WHERE e.id = ?1 AND {seen}");
        Ok(self.conn.prepare(&sql)?.exists([id])?)
    }

    /// Reads one entry from the tape.
    ///
    /// # Errors
    /// [`Error::NoEntry`], or that its line cannot be read.
    pub fn entry(&self, id: EntryId) -> Result<Entry> {
        let (at, digest) = self
            .conn
            .prepare_cached("SELECT segment, offset, length, digest FROM entries WHERE id = ?1")?
            .query_row([id], |row| Ok((location(row)?, row.get(3)?)))
            .optional()?
            .ok_or(Error::NoEntry { asked: id, last: self.head() })?;
        self.read_line(id, at, digest)
    }

    /// Reads the line of an entry, which must say what it said when it was applied.
    fn read_line(&self, id: EntryId, at: Location, expected: i64) -> Result<Entry> {
        let entry = self.segments.read(id, at)?;
        if digest(&entry) == expected {
            return Ok(entry);
        }
        Err(memtape_tape::Error::Unreadable { id, why: "it is not what was written".into() }.into())
    }

    /// Takes an entry that cannot be read for a notice: one bad line does not hide the others.
    pub(crate) fn readable(&self, entry: Result<Entry>) -> Result<Option<Entry>> {
        match entry {
            Err(Error::Tape(memtape_tape::Error::Unreadable { id, why })) => {
                self.notices.borrow_mut().push(Notice::Unreadable { id, why });
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// The last anchor of a name that counts at a point; `None` where there is none that can be read.
    ///
    /// # Errors
    /// What SQLite or the medium says.
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

    /// The entries that answer a question, up to a point.
    ///
    /// # Errors
    /// What SQLite or the medium says.
    pub fn entries(&self, question: &EntryQuestion, point: &Point) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        self.each_entry(question, point, |entry| {
            entries.push(entry);
            Ok(true)
        })?;
        Ok(entries)
    }

    /// Passes the entries that answer a question to `each`, until it says `false`.
    ///
    /// # Errors
    /// What SQLite or the medium says, or `each` does.
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

/// Which of the entries `e` no reset up to an entry put behind their conversation.
pub(crate) fn not_reset(last: EntryId) -> String {
    format!(
        "e.id >= coalesce((SELECT max(r.entry) FROM resets r
           WHERE r.entry <= {last} AND (r.session IS NULL OR r.session = e.session)), 0)"
    )
}
