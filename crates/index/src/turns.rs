//! Lists the turns of conversations, newest first.
//!
//! **Invariant.** As in [`crate::reader`]: every query with an audience uses [`seen_by`].

use std::cell::OnceCell;
use std::fmt::Write as _;

use memtape_core::forms::statements::entry::{FORGET, REST};
use memtape_core::turn::message_of;
use memtape_core::{Audience, Lineage, Point, Session};
use memtape_tape::EntryId;
use rusqlite::{OptionalExtension as _, Row, params};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::reader::Reader;
use crate::rows::{number_of, query_all};

/// A filter on turns. Every condition that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct TurnQuestion {
    /// The audience of the query.
    pub audience: Audience,
    /// Only of this conversation.
    pub session: Option<Session>,
    /// Only those that were neither closed nor reported as interrupted.
    pub is_open: bool,
    /// Only begun before this entry.
    pub before: Option<EntryId>,
    /// Maximum number of turns.
    pub limit: usize,
}

/// A turn, by the entries that it consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRow {
    /// The event that began it. The next entry is its message or other trigger.
    pub begin: EntryId,
    /// The event that closed it; `None` if none did up to the point.
    pub closed: Option<EntryId>,
    /// Its conversation.
    pub session: Option<String>,
}

impl Reader<'_> {
    /// Returns the messages that are retracted at a point.
    #[must_use]
    pub fn retracted<'a>(&'a self, point: &'a Point) -> RetractedMessages<'a> {
        RetractedMessages {
            reader: self,
            lineage: &point.lineage,
            last_forget: OnceCell::new(),
            sql: OnceCell::new(),
        }
    }

    /// Returns the event that began the turn of a message: the message follows it, or replies in its closing group.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn turn_with(&self, message: EntryId) -> Result<Option<EntryId>> {
        let sql = "SELECT begin FROM turns WHERE begin = ?1 - 1
                   UNION ALL
                   SELECT begin FROM turns WHERE closed = (SELECT min(closed) FROM turns WHERE closed > ?1)
                       AND begin < ?1 AND session IS (SELECT session FROM entries WHERE id = ?1)
                   LIMIT 1";
        Ok(self.conn.prepare_cached(sql)?.query_row([message], |row| row.get(0)).optional()?)
    }

    /// Returns the turns that began up to a point and match a filter, newest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn turns(&self, question: &TurnQuestion, point: &Point) -> Result<Vec<TurnRow>> {
        let entry = point.entry();
        let seen =
            seen_by(self.conn, &question.audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let before = question.before.map_or(entry + 1, |before| before.min(entry + 1));
        let (index, is_open) = match question.is_open {
            // Few turns are: without the hint, SQLite reads all of them in their order.
            true => ("INDEXED BY t_unfinished", "t.closed IS NULL AND t.reported IS NULL"),
            false => ("", "1"),
        };
        let mut sql = format!(
            "SELECT t.begin, CASE WHEN t.closed <= {entry} THEN t.closed END, s.name FROM turns t {index}
             CROSS JOIN entries e ON e.id = t.begin LEFT JOIN sessions s ON s.id = t.session
             WHERE t.begin < {before} AND {is_open} AND {seen}"
        );
        if let Some(session) = &question.session {
            let Some(number) = self.session_number(session)? else { return Ok(Vec::new()) };
            let _ = write!(sql, " AND t.session = {number}");
        }
        let limit = i64::try_from(question.limit).unwrap_or(i64::MAX);
        let _ = write!(sql, " ORDER BY t.begin DESC LIMIT {limit}");
        query_all(&mut self.conn.prepare(&sql)?, [], read_turn)
    }

    /// Returns the turn that began with an entry or with the message of an entry; `None` if there is none that the
    /// audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn turn_of(&self, entry: EntryId, audience: &Audience, point: &Point) -> Result<Option<TurnRow>> {
        let last = TurnQuestion {
            audience: audience.clone(),
            before: Some(entry + 1),
            limit: 1,
            ..TurnQuestion::default()
        };
        Ok(self
            .turns(&last, point)?
            .pop()
            .filter(|turn| entry == turn.begin || entry == message_of(turn.begin)))
    }
}

/// The messages that are retracted at a point: they or something that was captured from them was forgotten, or they asked
/// to forget, or not to keep them. The reply to such a message says the same again, so it counts too.
pub struct RetractedMessages<'a> {
    reader: &'a Reader<'a>,
    lineage: &'a Lineage,
    /// The last request to forget up to the point; 0 if there is none.
    last_forget: OnceCell<EntryId>,
    /// Whether a statement is forgotten. Built for the first message.
    sql: OnceCell<String>,
}

impl RetractedMessages<'_> {
    /// Returns whether the message of an entry is retracted.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn includes(&self, message: EntryId) -> Result<bool> {
        match self.last_forget()? {
            0 => Ok(false),
            _ => match self.reader.turn_with(message)? {
                Some(begin) => self.includes_turn(begin),
                None => Ok(self.is_removed(message)?
                    || self.is_unwanted(message)?
                    || self.was_forgotten(message)?),
            },
        }
    }

    /// Returns whether a message itself, which was said in no turn, was forgotten.
    fn is_removed(&self, message: EntryId) -> Result<bool> {
        let sql = format!("SELECT {}", removed_sql("?1"));
        let values = params![message, self.lineage.entry(), FORGET];
        Ok(self.reader.conn.prepare_cached(&sql)?.query_row(values, |row| row.get(0))?)
    }

    /// Returns whether the message that one replies to, which was said in no turn, was forgotten since, or a statement that was
    /// captured from either.
    fn was_forgotten(&self, message: EntryId) -> Result<bool> {
        if self.last_forget()? < message {
            return Ok(false);
        }
        let conn = self.reader.conn;
        // A summary after an anchor is no reply.
        let sql = "SELECT u.id >> 20, u.session FROM memories u JOIN entries e ON e.session = u.session
                   WHERE e.id = ?1 AND u.form = 'messages' AND u.id < (?1 + 1) << 20
                       AND json_extract(u.data, '$.role') = 'user'
                       AND NOT EXISTS (SELECT 1 FROM turns WHERE begin = (u.id >> 20) - 1)
                       AND NOT EXISTS (
                           SELECT 1 FROM entries a WHERE a.session = u.session AND a.kind = 'anchor'
                               AND a.id > u.id >> 20 AND a.id < ?1)
                   ORDER BY u.id DESC LIMIT 1";
        let said = conn.prepare_cached(sql)?.query_row([message], |row| Ok((row.get(0)?, row.get(1)?)));
        let Some((said, session)) = said.optional()? else { return Ok(false) };
        let (said, session): (EntryId, i64) = (said, session);
        if said != message && self.is_removed(said)? {
            return Ok(true);
        }
        let forgotten = self.forgotten()?;
        let sql = format!(
            "SELECT EXISTS (
                SELECT 1 FROM memories m
                WHERE m.session = ?5 AND m.form = 'statements' AND m.form <> 'messages' AND m.id > ?1 << 20
                    AND json_extract(m.data, '$.from') = 'messages:' || ?1
                    AND json_extract(m.data, '$.rule') IS NOT ?4 AND {forgotten})"
        );
        let values = params![said, self.lineage.entry(), FORGET, REST, session];
        Ok(conn.prepare_cached(&sql)?.query_row(values, |row| row.get(0))?)
    }

    /// Returns whether the request not to keep a message, which was said in no turn, follows it in its group. One that
    /// removes something follows the record of the call of a tool.
    fn is_unwanted(&self, message: EntryId) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM entries m CROSS JOIN entries f ON f.id = m.id + 1
                   WHERE m.id = ?1 AND m.kind IN ('message', 'tool_call', 'tool_result') AND m.more > 0 AND f.name = ?2
                       AND NOT EXISTS (SELECT 1 FROM memories WHERE died = f.id AND form <> 'messages')
                       AND NOT EXISTS (SELECT 1 FROM retired WHERE branch = f.branch AND entry = f.id))";
        Ok(self.reader.conn.prepare_cached(sql)?.query_row(params![message, FORGET], |row| row.get(0))?)
    }

    /// Returns whether the message of the turn that began at an entry is retracted; `false` if no turn began there.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn includes_turn(&self, begin: EntryId) -> Result<bool> {
        // Only a later request to forget retracts a message, and most prompts show only turns after the last one. The
        // turn may contain the request: an agent forgets before its reply.
        if self.last_forget()? < begin {
            return Ok(false);
        }
        let sql = turn_sql(self.forgotten()?);
        let values = params![begin, self.lineage.entry(), FORGET, REST];
        let retracted =
            self.reader.conn.prepare_cached(&sql)?.query_row(values, |row| row.get(0)).optional()?;
        Ok(retracted.unwrap_or_default())
    }

    fn last_forget(&self) -> Result<EntryId> {
        if let Some(last) = self.last_forget.get() {
            return Ok(*last);
        }
        let sql = "SELECT coalesce(max(id), 0) FROM entries WHERE name = ?1 AND id <= ?2";
        let mut last = self.reader.conn.prepare_cached(sql)?;
        let last = last.query_row(params![FORGET, self.lineage.entry()], |row| row.get(0))?;
        Ok(*self.last_forget.get_or_init(|| last))
    }

    fn forgotten(&self) -> Result<&str> {
        match self.sql.get() {
            Some(sql) => Ok(sql),
            None => {
                let sql = self.forgotten_sql()?;
                Ok(self.sql.get_or_init(|| sql))
            }
        }
    }

    /// Returns SQL for whether the statement `m` was forgotten on a lineage, whose last entry is ?2, after the entry ?1, and
    /// not restored.
    ///
    /// Every branch shows every message. A statement that the lineage never had is judged on its own branch.
    fn forgotten_sql(&self) -> Result<String> {
        let (conn, lineage) = (self.reader.conn, self.lineage);
        let head = lineage.entry();
        let entry = |last: EntryId| if last == head { "?2".to_owned() } else { last.to_string() };
        let (mut created, mut died, mut retired) = (Vec::new(), Vec::new(), Vec::new());
        for (name, last) in lineage.steps() {
            let Some(branch) = number_of(conn, "branches", name)? else { continue };
            let last = entry(*last);
            created.push(format!("v.branch = {branch} AND v.id < ({last} + 1) << 20"));
            died.push(format!("v.branch = {branch} AND v.died <= {last}"));
            retired.push(format!("r.branch = {branch} AND r.entry <= {last}"));
        }
        let any = |all: Vec<String>| if all.is_empty() { "0".to_owned() } else { all.join(" OR ") };
        let [created, died, retired] = [created, died, retired].map(any);
        Ok(format!(
            "(SELECT (CASE WHEN {created} THEN ({died}) ELSE v.died <= ?2 END)
                     AND v.died > ?1 AND (SELECT name FROM entries WHERE id = v.died) IS ?3
                     OR v.spread AND EXISTS (
                        SELECT 1 FROM retired r CROSS JOIN entries e ON e.id = r.entry
                        WHERE r.memory = v.id AND r.entry > ?1 AND ({retired}) AND e.name = ?3)
              FROM memories v
              WHERE v.form = m.form AND v.form <> 'messages' AND v.key = m.key
                AND (v.branch = m.branch AND v.id < (?2 + 1) << 20 OR {created})
              ORDER BY ({created}) DESC, v.id DESC LIMIT 1) IS 1"
        ))
    }
}

/// Returns SQL for whether what the message of the turn that began at the entry ?1 says is retracted on a lineage, whose last
/// entry is ?2: it or a statement that was captured or repeated in its turn was `forgotten` since, or it asked to forget
/// something, or not to keep it, and nothing was captured but what remained of it.
///
/// What the closing group of another turn of the conversation did meanwhile is of that turn. Of a turn that was not closed,
/// only the message itself can be forgotten.
fn turn_sql(forgotten: &str) -> String {
    // Its tools may run in another thread of the chat. Others may forget something meanwhile, elsewhere.
    let chat = |name: &str| {
        format!(
            "substr({name}, 1, instr({name}, ':') + instr(substr({name}, instr({name}, ':') + 1) || ':', ':'))"
        )
    };
    let same_chat = format!("{} = {}", chat("(f.name || ':')"), chat("(s.name || ':')"));
    let removed = removed_sql("(t.begin + 1)");
    format!(
        "SELECT {removed} OR CASE count(m.id)
                WHEN 0 THEN EXISTS (
                    SELECT 1 FROM entries e JOIN sessions f ON f.id = e.session JOIN sessions s ON s.id = t.session
                    WHERE e.name = ?3 AND e.id > t.begin AND e.id <= t.closed AND t.closed <= ?2 AND {same_chat}
                        AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.closed = e.id + e.more AND o.begin <> t.begin))
                ELSE max({forgotten}) END
         FROM turns t LEFT JOIN memories m ON m.session = t.session AND m.form = 'statements' AND m.form <> 'messages'
              AND m.id > (t.begin + 1) << 20 AND m.id < (t.closed + 1) << 20 AND t.closed <= ?2
              AND json_extract(m.data, '$.rule') IS NOT ?4
              AND NOT EXISTS (
                SELECT 1 FROM entries e CROSS JOIN turns o ON o.closed = e.id + e.more
                WHERE e.id = m.id >> 20 AND o.begin <> t.begin)
         WHERE t.begin = ?1"
    )
}

/// Returns SQL for whether the message of an entry was forgotten by an event of the name ?3 up to the entry ?2. A message that
/// is removed on one branch is removed on all.
fn removed_sql(entry: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM memories d CROSS JOIN entries e ON e.id = d.died
                 WHERE d.id = {entry} << 20 AND d.died <= ?2 AND e.name = ?3)
         OR EXISTS (SELECT 1 FROM retired r CROSS JOIN entries e ON e.id = r.entry
                    WHERE r.memory = {entry} << 20 AND r.entry <= ?2 AND e.name = ?3)"
    )
}

fn read_turn(row: &Row<'_>) -> rusqlite::Result<TurnRow> {
    Ok(TurnRow { begin: row.get(0)?, closed: row.get(1)?, session: row.get(2)? })
}
