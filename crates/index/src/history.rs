//! The history of memories and turns: versions, recalls, open turns and expired memories.
//!
//! **Invariant.** As in [`crate::reader`]: every query with an audience uses [`seen_by`].

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use memtape_core::turn::Counters;
use memtape_core::{Audience, Form, Lineage, Memory, MemoryId, Point, Ref, Session};
use memtape_tape::EntryId;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::reader::Reader;
use crate::rows::{SELECT_MEMORY, id_value, message_id, micros, number_of, query_all, read_memory};
use crate::schema::THREAD;
use crate::slots;
use crate::visibility::{known, of_form, visible, visible_at_bound};

/// SQL for the last anchor of the session `?1` up to the entry `?2`. Memtape's own anchors mark no place in a
/// conversation.
const LAST_PLACE: &str = "(SELECT max(e.id) FROM entries e
    WHERE e.session = ?1 AND e.kind = 'anchor' AND e.id <= ?2
      AND NOT (e.name GLOB 'memory/*' OR e.name GLOB 'branch/*'))";

impl Reader<'_> {
    /// Returns the turns of a conversation that began and were neither closed nor reported as interrupted:
    /// the events that began them, oldest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn open_turns(&self, session: &Session) -> Result<Vec<EntryId>> {
        let Some(number) = self.session_number(session)? else { return Ok(Vec::new()) };
        let sql = "SELECT begin FROM turns WHERE session = ?1 AND closed IS NULL AND reported IS NULL ORDER BY begin";
        query_all(&mut *self.conn.prepare_cached(sql)?, [number], |row| row.get(0))
    }

    /// Returns the conversations with open turns of which the last one began at or before an instant, those of the newest
    /// turns first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn with_open_turns(&self, until: Timestamp) -> Result<Vec<Session>> {
        let sql = "
            SELECT s.name FROM turns t JOIN entries e ON e.id = t.begin JOIN sessions s ON s.id = t.session
            WHERE t.closed IS NULL AND t.reported IS NULL
            GROUP BY s.id HAVING max(e.date) <= ?1 ORDER BY max(t.begin) DESC";
        let mut statement = self.conn.prepare_cached(sql)?;
        let names: Vec<String> = query_all(&mut statement, [until.as_microsecond()], |row| row.get(0))?;
        Ok(names.iter().filter_map(|name| Session::parse(name).ok()).collect())
    }

    /// Returns whether the turn that began with an entry is closed.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn is_closed(&self, begin: EntryId) -> Result<bool> {
        let mut closed =
            self.conn.prepare_cached("SELECT 1 FROM turns WHERE begin = ?1 AND closed IS NOT NULL")?;
        Ok(closed.exists([begin])?)
    }

    /// Returns the first conversation on a channel that has a thread; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Core`](crate::Error::Core) of kind `Invalid` if no conversation can have the thread, and
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn conversation_of(&self, channel: &str, thread: &str) -> Result<Option<Session>> {
        let label = Session::of_chat(channel, "chat")?.in_thread(thread)?.to_string();
        let before = label.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "-_.%".contains(c));
        let end = &label[before.len()..];
        let sql = format!("SELECT name FROM sessions WHERE {THREAD} = ?1 ORDER BY id");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let mut rows = statement.query([end])?;
        while let Some(row) = rows.next()? {
            let session = Session::parse(&row.get::<_, String>(0)?).ok();
            let is_of = |session: &Session| session.channel() == channel && session.thread() == Some(thread);
            if let Some(session) = session.filter(is_of) {
                return Ok(Some(session));
            }
        }
        Ok(None)
    }

    /// Returns document 4's counters, summed over the turns that were closed up to a point.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn counters(&self, point: &Point) -> Result<Counters> {
        let sql = "SELECT total(recall_hit), total(recall_miss), total(capture_saved),
                          total(capture_dropped_low_conf), total(capture_dropped_safety), total(capture_deduped),
                          total(prompt_chars)
                   FROM turns WHERE closed <= ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([point.entry()], |row| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "totals of counts")]
            let count = |n: usize| row.get::<_, f64>(n).map(|total| total as u64);
            Ok(Counters {
                recall_hit: count(0)?,
                recall_miss: count(1)?,
                capture_saved: count(2)?,
                capture_dropped_low_conf: count(3)?,
                capture_dropped_safety: count(4)?,
                capture_deduped: count(5)?,
                prompt_chars: count(6)?,
            })
        })?)
    }

    /// Returns the turns up to a point whose prompt contained a memory: the events that began and closed each
    /// turn, oldest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn recalls(&self, memory: MemoryId, point: &Point) -> Result<Vec<(EntryId, EntryId)>> {
        let sql = "
            SELECT t.begin, r.entry FROM recalls r JOIN turns t ON t.closed = r.entry
            WHERE r.memory = ?1 AND r.entry <= ?2 ORDER BY r.entry";
        let values = (memory.number(), point.entry());
        query_all(&mut *self.conn.prepare_cached(sql)?, values, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns how many prompts up to a point contained a memory, and when the last of these turns was
    /// closed; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn use_of(&self, memory: MemoryId, point: &Point) -> Result<(u64, Option<Timestamp>)> {
        let sql = "SELECT count(*), max(e.date) FROM recalls r JOIN entries e ON e.id = r.entry
                   WHERE r.memory = ?1 AND r.entry <= ?2";
        Ok(self.conn.prepare_cached(sql)?.query_row((memory.number(), point.entry()), |row| {
            Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?.map(micros)))
        })?)
    }

    /// Returns the memories of a form that have expired at a point and were not removed, of those that an audience
    /// sees, ordered by expiry, confidential ones last; at most `limit`.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn expired(
        &self,
        form: Form,
        audience: &Audience,
        point: &Point,
        limit: usize,
    ) -> Result<Vec<Memory>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!(
            "{SELECT_MEMORY} WHERE m.expires_at <= ?1 AND m.died IS NULL AND +m.form = '{form}' AND {} AND {seen}
             ORDER BY m.sensitivity IS 'confidential', m.expires_at, m.id LIMIT {limit}",
            visible(self.conn, &point.lineage)?
        );
        query_all(&mut self.conn.prepare(&sql)?, [point.instant.as_microsecond()], read_memory)
    }

    /// Returns the memories that prompts contained after an instant and up to a point.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn recalled_since(&self, instant: Timestamp, point: &Point) -> Result<HashSet<MemoryId>> {
        let mut recalled = self
            .conn
            .prepare_cached("SELECT DISTINCT memory FROM recalls WHERE entry > ?1 AND entry <= ?2")?;
        let rows = recalled.query_map((self.last_entry_at(instant)?, point.entry()), |row| row.get(0))?;
        rows.map(|row| Ok(MemoryId::from_number(row?))).collect()
    }

    /// Returns the statements that were captured from a message, current or not, of those that an audience
    /// sees; oldest first. Of a statement that was restored, only the last version is returned.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn captured_from(&self, message: &Ref, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let created = created_within(self.conn, &point.lineage)?;
        let sql = format!(
            "{SELECT_MEMORY} WHERE {}
             AND json_extract(m.data, '$.from') = ?1 AND {seen} AND {created} ORDER BY m.id",
            of_form("m", Form::STATEMENTS)
        );
        let mut memories: Vec<Memory> =
            query_all(&mut self.conn.prepare(&sql)?, [message.to_string()], read_memory)?;
        let last: HashMap<String, MemoryId> =
            memories.iter().map(|memory| (memory.key.clone(), memory.id)).collect();
        memories.retain(|memory| last.get(&memory.key) == Some(&memory.id));
        Ok(memories)
    }

    /// Returns every version of the memory that a ref names on the lineage of a point, oldest first, of those
    /// that an audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn versions(&self, reference: &Ref, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let reference = &self.unaliased(reference)?;
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let created = created_within(self.conn, &point.lineage)?;
        let sql = match message_id(Some(reference.form), &reference.key) {
            Some(_) => format!("{SELECT_MEMORY} WHERE m.id = ?1 AND m.form = ?2 AND {seen} AND {created}"),
            None => format!(
                "{SELECT_MEMORY} WHERE m.key = ?1 AND m.form = ?2 AND {} AND {seen} AND {created}
                 ORDER BY m.id",
                known("m")
            ),
        };
        let key: Value = match message_id(Some(reference.form), &reference.key) {
            Some(id) => id_value(id),
            None => reference.key.clone().into(),
        };
        query_all(&mut self.conn.prepare(&sql)?, (key, reference.form.as_str()), read_memory)
    }

    /// Returns the last version, current or not, of the memory that a ref names on the lineage of a point,
    /// for a form with slots; `None` if there is none that the audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn last_version(
        &self,
        reference: &Ref,
        audience: &Audience,
        point: &Point,
    ) -> Result<Option<Memory>> {
        let Some(newest) = slots::newest(self.conn, &point.lineage, reference.form, "?1")? else {
            return Ok(None);
        };
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!("{SELECT_MEMORY} WHERE m.id = ({newest}) AND {seen}");
        let mut statement = self.conn.prepare(&sql)?;
        Ok(statement.query_row([&reference.key], read_memory).optional()?)
    }

    /// Returns the last messages, tool calls and results of a conversation since its last anchor and reset,
    /// newest first; at most `limit`.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn spoken(&self, session: &Session, limit: usize, point: &Point) -> Result<Vec<Memory>> {
        self.spoken_where("", session, limit, point)
    }

    /// Returns the same of those before an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn spoken_before(
        &self,
        entry: EntryId,
        session: &Session,
        limit: usize,
        point: &Point,
    ) -> Result<Vec<Memory>> {
        self.spoken_where(&format!("AND m.id >> 20 < {entry}"), session, limit, point)
    }

    fn spoken_where(
        &self,
        condition: &str,
        session: &Session,
        limit: usize,
        point: &Point,
    ) -> Result<Vec<Memory>> {
        let Some(number) = self.session_number(session)? else { return Ok(Vec::new()) };
        let since = self.since_anchor(point)?;
        let sql = format!("{SELECT_MEMORY} WHERE {since} {condition} ORDER BY m.id DESC LIMIT ?3");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.at(&sql, point)?.all(&[&number, &point.entry(), &limit], read_memory)
    }

    /// Returns how many messages, tool calls and results a conversation has since its last anchor and reset.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn spoken_count(&self, session: &Session, point: &Point) -> Result<usize> {
        let Some(number) = self.session_number(session)? else { return Ok(0) };
        let sql = format!("SELECT count(*) FROM memories m WHERE {}", self.since_anchor(point)?);
        let count = self.at(&sql, point)?.first(&[&number, &point.entry()], |row| row.get(0))?;
        Ok(count.unwrap_or_default())
    }

    /// Returns the last anchor of a conversation up to a point, regardless of resets; `None` if it has none.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn last_place(&self, session: &Session, point: &Point) -> Result<Option<EntryId>> {
        let Some(number) = self.session_number(session)? else { return Ok(None) };
        let sql = format!("SELECT {LAST_PLACE}");
        Ok(self.conn.prepare_cached(&sql)?.query_row((number, point.entry()), |row| row.get(0))?)
    }

    /// Returns the SQL condition for the messages `m` of the session `?1` since its last anchor up to the
    /// entry `?2`.
    fn since_anchor(&self, point: &Point) -> Result<String> {
        Ok(format!(
            "m.session = ?1 AND m.form = 'messages' AND {} AND m.id >> 20 > coalesce({LAST_PLACE}, 0)",
            visible_at_bound(self.conn, point)?
        ))
    }

    /// Returns the date of the last entry of a name, up to a point; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn last_named(&self, name: &str, point: &Point) -> Result<Option<Timestamp>> {
        let sql = "SELECT date FROM entries WHERE name = ?1 AND id <= ?2 ORDER BY id DESC LIMIT 1";
        let date: Option<i64> =
            self.conn.prepare_cached(sql)?.query_row((name, point.entry()), |row| row.get(0)).optional()?;
        Ok(date.map(micros))
    }
}

/// Returns the SQL condition that a memory `m` was created within a lineage, current or not.
pub(crate) fn created_within(conn: &Connection, lineage: &Lineage) -> Result<String> {
    let mut created = vec![format!("m.form = 'messages' AND {}", created_up_to(lineage.entry()))];
    for (name, last) in lineage.steps() {
        let Some(branch) = number_of(conn, "branches", name)? else { continue };
        created.push(format!("m.branch = {branch} AND {}", created_up_to(*last)));
    }
    Ok(format!("({})", created.join(" OR ")))
}

fn created_up_to(last: EntryId) -> String {
    format!("m.id < {}", MemoryId::new(last + 1, 0).number())
}
