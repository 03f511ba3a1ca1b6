//! Reading memories at a point.
//!
//! **Invariant.** One function defines what is visible (`visibility`), one defines who may see it
//! ([`seen_by`]), and every query of memories uses both.

use std::cell::{OnceCell, RefCell};
use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_core::{Audience, Branch, Category, Form, Memory, MemoryId, Point, Ref, Scope, Session};
use memtape_tape::{EntryId, Hash, Segments};
use rusqlite::types::Value;
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::index::{Applied, Index};
use crate::rows::{SELECT_MEMORY, id_value, in_categories, message_id, number_of, query_all, read_memory};
use crate::slots;
use crate::visibility::{known, removed_within, visible, visible_at_bound};

/// A consistent snapshot: what was on the tape when the query began.
pub struct Reader<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) segments: &'a Segments,
    pub(crate) applied: Applied,
    pub(crate) now: Timestamp,
    pub(crate) zone: &'a TimeZone,
    /// The entries that could not be read.
    pub(crate) unreadable: &'a RefCell<Vec<Unreadable>>,
    pub(crate) branches: OnceCell<Vec<Branch>>,
}

/// An entry that was applied before, and that can no longer be read from the tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The id of the entry.
    pub id: EntryId,
    /// What is wrong with its line.
    pub why: String,
}

/// A filter on memories. Every condition that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Who asks.
    pub audience: Audience,
    /// Whether confidential memories are included.
    pub confidential: Confidential,
    /// Only of this scope.
    pub scope: Option<Scope>,
    /// Only of this form.
    pub form: Option<Form>,
    /// Only with this key.
    pub key: Option<String>,
    /// Only with a key that has this prefix.
    pub under: Option<String>,
    /// Only in the slots of this subject and predicate ([`memtape_core::forms::ledger::entry::about`]).
    pub about: Option<String>,
    /// Whether to include memories that expired but were not removed.
    pub ended: bool,
    /// Only in one of these categories; in any category, if empty.
    pub categories: Vec<Category>,
    /// Only last said before this instant.
    pub said_before: Option<Timestamp>,
    /// Only neither said, changed nor recalled since this instant.
    pub unused_since: Option<Timestamp>,
    /// Only with a confidence below this value.
    pub confidence_below: Option<f64>,
    /// Only of this conversation.
    pub session: Option<Session>,
    /// Only created after this one.
    pub after: Option<MemoryId>,
    /// Only created by this entry or a later one.
    pub from_entry: Option<EntryId>,
}

impl<'a> Reader<'a> {
    /// Returns a reader of the transaction that is open on an index. `applied` is the position of the index
    /// in that transaction; the entries that cannot be read are added to `unreadable`.
    #[must_use]
    pub fn new(
        index: &'a Index,
        segments: &'a Segments,
        applied: Applied,
        now: Timestamp,
        zone: &'a TimeZone,
        unreadable: &'a RefCell<Vec<Unreadable>>,
    ) -> Self {
        Self { conn: &index.conn, segments, applied, now, zone, unreadable, branches: OnceCell::new() }
    }
}

impl Reader<'_> {
    /// Returns the id of the last entry; 0 if the tape is empty.
    #[must_use]
    pub fn head(&self) -> EntryId {
        self.applied.position.last_id
    }

    /// Returns the hash of the last entry; zeros if the tape is empty.
    #[must_use]
    pub fn head_hash(&self) -> Hash {
        self.applied.position.last_hash
    }

    /// Returns the workspace's id.
    #[must_use]
    pub fn workspace(&self) -> String {
        self.applied.workspace()
    }

    /// Returns the time at which the snapshot was taken.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the workspace's time zone.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        self.zone
    }

    /// Returns the memories at a point that match a filter, oldest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn memories(&self, question: &Question, point: &Point) -> Result<Vec<Memory>> {
        let mut memories = Vec::new();
        self.each_memory(question, point, |memory| {
            memories.push(memory);
            Ok(true)
        })?;
        Ok(memories)
    }

    /// Passes the memories at a point that match a filter to `each`, oldest first, until it returns `false`.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails; the errors of `each`.
    pub fn each_memory(
        &self,
        question: &Question,
        point: &Point,
        mut each: impl FnMut(Memory) -> Result<bool>,
    ) -> Result<()> {
        let seen =
            seen_by(self.conn, &question.audience, question.confidential, &self.workspace(), Rows::Memories)?;
        let visible = match question.ended {
            true => visible(self.conn, &point.lineage)?,
            false => visible_at_bound(self.conn, point)?,
        };
        let mut sql = format!("{SELECT_MEMORY} WHERE {visible} AND {seen}");
        let mut values: Vec<Value> = Vec::new();
        // Before a column, `+` makes SQLite look up the listed ids instead of scanning an index of that
        // column.
        let mut by_id = "";
        if let Some(form) = question.form.filter(|form| *form != Form::MESSAGES) {
            // The explicit condition lets SQLite use the index of slots.
            let _ = write!(sql, " AND {}", known("m"));
            // At the head of a branch without a parent, no retired memory shows: the history need not be
            // read.
            if point.lineage.steps().len() == 1 && point.entry() >= self.head() {
                sql.push_str(" AND m.died IS NULL");
            } else if form.rules().has_slots()
                && let Some(newest) = self.newest(question, form, point, &mut values)?
            {
                let _ = write!(sql, " AND m.id IN ({newest})");
                by_id = "+";
            }
        }
        let _ = write!(sql, " AND {}", in_categories(&question.categories));
        let mut unused = String::new();
        let mut bind = |condition: &str, value: Value| {
            values.push(value);
            let _ = write!(sql, " AND {condition} ?{}", values.len());
        };
        if let Some(form) = question.form {
            bind(&format!("{by_id}m.form ="), form.as_str().to_owned().into());
        }
        if let Some(key) = &question.key {
            match message_id(question.form, key) {
                Some(id) => bind("m.id =", id_value(id)),
                None => bind(&format!("{by_id}m.key ="), key.clone().into()),
            }
        }
        if let Some(under) = &question.under {
            bind("m.key >=", under.clone().into());
            // No key contains the greatest character, so this is the end of the range.
            bind("m.key <", format!("{under}{}", char::MAX).into());
        }
        if let Some(about) = &question.about {
            bind("m.about =", about.clone().into());
        }
        if let Some(session) = &question.session {
            let Some(number) = self.session_number(session)? else { return Ok(()) };
            bind("m.session =", number.into());
        }
        if let Some(scope) = &question.scope {
            let Some(number) = self.scope_number(scope)? else { return Ok(()) };
            bind("m.scope =", number.into());
        }
        if let Some(instant) = question.said_before {
            bind("coalesce(m.said_at, m.created_at) <", instant.as_microsecond().into());
        }
        if let Some(instant) = question.unused_since {
            bind("coalesce(m.said_at, m.created_at) <", instant.as_microsecond().into());
            bind("m.created_at <", instant.as_microsecond().into());
            let (since, until) = (self.last_entry_at(instant)?, point.entry());
            unused = format!(
                " AND NOT EXISTS (SELECT 1 FROM recalls r WHERE r.memory = m.id AND r.entry > {since} AND r.entry <= {until})"
            );
        }
        if let Some(confidence) = question.confidence_below {
            bind("m.confidence <", confidence.into());
        }
        if let Some(after) = question.after {
            bind("m.id >", id_value(after));
        }
        if let Some(entry) = question.from_entry {
            bind("m.id >=", id_value(MemoryId::new(entry, 0)));
        }
        sql.push_str(&unused);
        sql.push_str(" ORDER BY m.id");
        let mut statement = self.at(&sql, point)?;
        let mut rows = statement.rows(&values.iter().map(|value| value as &dyn ToSql).collect::<Vec<_>>())?;
        while let Some(row) = rows.next()? {
            if !each(read_memory(row)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns SQL for the newest memories of the slots that the filter selects; `None` if it is not faster
    /// to read only these.
    fn newest(
        &self,
        question: &Question,
        form: Form,
        point: &Point,
        values: &mut Vec<Value>,
    ) -> Result<Option<String>> {
        match &question.key {
            Some(key) => {
                values.push(key.clone().into());
                slots::newest(self.conn, &point.lineage, form, "?1")
            }
            None if question.about.is_some() || question.under.is_some() => Ok(None),
            None => slots::newest_of_each(self.conn, &point.lineage, form),
        }
    }

    /// Returns the memories that a ref names at a point, of those that an audience sees.
    ///
    /// Without an entry, the ref names the current memories at the point. With an entry, it names one
    /// version, current or not; the result is empty if that entry is after the point.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn by_ref(&self, reference: &Ref, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let reference = &self.unaliased(reference)?;
        let Some(entry) = reference.entry else {
            let question = Question {
                audience: audience.clone(),
                confidential: Confidential::ToOwner,
                form: Some(reference.form),
                key: Some(reference.key.clone()),
                ..Question::default()
            };
            return self.memories(&question, point);
        };
        if entry > point.entry() {
            return Ok(Vec::new());
        }
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!(
            "{SELECT_MEMORY} WHERE +m.form = ?1 AND +m.key = ?2 AND m.id >= ?3 AND m.id < ?4 AND {seen}
             ORDER BY m.id"
        );
        let range = [MemoryId::new(entry, 0), MemoryId::new(entry + 1, 0)].map(id_value);
        let [first, end] = range;
        let values = [reference.form.as_str().to_owned().into(), reference.key.clone().into(), first, end];
        query_all(&mut *self.conn.prepare_cached(&sql)?, params_from_iter(values), read_memory)
    }

    /// Returns whether a memory is current at a point: neither superseded, removed nor expired.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn is_current(&self, id: MemoryId, point: &Point) -> Result<bool> {
        let sql =
            format!("SELECT 1 FROM memories m WHERE m.id = ?1 AND {}", visible_at_bound(self.conn, point)?);
        self.at(&sql, point)?.exists(&[&id.number()])
    }

    /// Returns the entry that superseded or removed a memory, as of a point; `None` if the memory is current
    /// there, or has only expired.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn retired_by(&self, id: MemoryId, point: &Point) -> Result<Option<EntryId>> {
        if self.is_current(id, point)? {
            return Ok(None);
        }
        let (died, retired) = removed_within(self.conn, &point.lineage)?;
        let first = format!(
            "SELECT min(entry) FROM (SELECT m.died AS entry FROM memories m WHERE m.id = ?1 AND ({died})
             UNION ALL SELECT r.entry FROM retired r JOIN memories m ON m.id = r.memory
             WHERE r.memory = ?1 AND ({retired}))"
        );
        Ok(self.conn.prepare_cached(&first)?.query_row([id.number()], |row| row.get(0))?)
    }

    pub(crate) fn scope_number(&self, scope: &Scope) -> Result<Option<i64>> {
        number_of(self.conn, "scopes", &scope.text(&self.workspace()))
    }

    pub(crate) fn session_number(&self, session: &Session) -> Result<Option<i64>> {
        number_of(self.conn, "sessions", &session.to_string())
    }
}
