//! The content of the mirror files, and the recorded state of these files.
//!
//! The mirrors are files that a person may read, and that are rewritten from the view whenever they might differ from
//! it. The tables `mirrored` and `mirror_files` record their last state, so that a small change needs only a small
//! update. A rebuilt index has no rows in them: then every file is rewritten.
//!
//! **Invariants.** The queries of one branch assume that it has no parent: only then were all of its memories created
//! and removed on it. Statements and facts are selected here for any audience; the caller excludes those that no file
//! shows.

use jiff::Timestamp;
use memtape_core::mirror::turns::EVENTS;
use memtape_core::{Form, Lineage, Memory, Point, Session};
use memtape_tape::{Entry, EntryId};
use rusqlite::{OptionalExtension as _, Params, params};

use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::rows::{SELECT_MEMORY, micros, number_of, query_all, read_memory};
use crate::visibility::{known, of_form, visible_at};

/// The last entries of a range that changed the content of the mirrors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastChanges {
    /// The last one that created or removed a statement.
    pub statements: Option<EntryId>,
    /// The last one that created or removed a fact, or that committed.
    pub ledger: Option<EntryId>,
}

/// The state that the mirror files of statements show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirrored {
    /// The last entry that changed them; 0 if none did.
    pub entry: EntryId,
    /// The date of that entry.
    pub instant: Timestamp,
}

/// The state of a mirror file of statements after its last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MirrorFile {
    /// Length in bytes.
    pub bytes: u64,
    /// When its last statement was first said.
    pub since: Timestamp,
}

/// The statements and facts.
impl Reader<'_> {
    /// Returns the date of the last entry up to an id.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if there is none, or SQLite fails.
    pub fn date_up_to(&self, entry: EntryId) -> Result<Timestamp> {
        let date = "SELECT date FROM entries WHERE id <= ?1 ORDER BY id DESC LIMIT 1";
        Ok(micros(self.conn.prepare_cached(date)?.query_row([entry], |row| row.get(0))?))
    }

    /// Returns the last entry from `first` to `last` that changed on which branch new conversations begin.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn last_default_switch(&self, first: EntryId, last: EntryId) -> Result<Option<EntryId>> {
        let switched = "SELECT max(entry) FROM switches WHERE is_default AND entry >= ?1 AND entry <= ?2";
        Ok(self.conn.prepare_cached(switched)?.query_row([first, last], |row| row.get(0))?)
    }

    /// Returns the last entries from `first` to `last` that changed statements or facts on a lineage.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn last_changes(&self, lineage: &Lineage, first: EntryId, last: EntryId) -> Result<LastChanges> {
        let mut changes = LastChanges::default();
        let known = known("m");
        let sql = format!(
            "SELECT form, max(entry) FROM (
                     SELECT m.form, m.id >> 20 AS entry FROM memories m
                     WHERE {known} AND m.branch = ?3 AND m.id >= (?1 << 20) AND m.id < ((?2 + 1) << 20)
                     UNION ALL
                     SELECT m.form, m.died FROM memories m
                     WHERE {known} AND m.died >= ?1 AND m.died <= ?2 AND m.branch = ?3
                     UNION ALL
                     SELECT m.form, r.entry FROM retired r JOIN memories m ON m.id = r.memory
                     WHERE r.branch = ?3 AND r.entry >= ?1 AND r.entry <= ?2
                     UNION ALL
                     -- A commit may leave a conflict open or resolve one, and change nothing else.
                     SELECT 'ledger', entry FROM commits
                     WHERE branch = ?3 AND entry >= ?1 AND entry <= ?2 AND id IS NOT NULL)
                   GROUP BY form"
        );
        let mut forms = self.conn.prepare_cached(&sql)?;
        for (branch, end) in lineage.steps() {
            let end = last.min(*end);
            let Some(branch) =
                (first <= end).then(|| number_of(self.conn, "branches", branch)).transpose()?.flatten()
            else {
                continue;
            };
            let mut rows = forms.query(params![first, end, branch])?;
            while let Some(row) = rows.next()? {
                let entry: Option<EntryId> = row.get(1)?;
                match row.get_ref(0)?.as_str() {
                    Ok("statements") => changes.statements = changes.statements.max(entry),
                    Ok("ledger") => changes.ledger = changes.ledger.max(entry),
                    _ => {}
                }
            }
        }
        Ok(changes)
    }

    /// Returns the statements of a branch that were visible before the entry `first` at the instant `since`,
    /// and that have been removed, or have expired by `now`.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn statements_removed(
        &self,
        branch: &str,
        first: EntryId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Memory>> {
        let branch = self.branch_number(branch)?;
        let (end, before) = (first << 20, since.as_microsecond());
        let of_statements = of_form("m", Form::STATEMENTS);
        let retired = format!(
            "{of_statements} AND m.died >= ?1 AND m.id < ?2 AND m.branch = ?3
             AND (m.expires_at IS NULL OR m.expires_at > ?4)"
        );
        let mut removed = self.memories_where(&retired, params![first, end, branch, before])?;
        let expired = "m.expires_at > ?1 AND m.expires_at <= ?2 AND m.died IS NULL AND m.form = 'statements'
                       AND m.branch = ?3 AND m.id < ?4";
        removed.extend(self.memories_where(expired, params![before, now.as_microsecond(), branch, end])?);
        Ok(removed)
    }

    /// Returns the statements of a branch that the entry `first` or a later one created, and that are
    /// current at `now`.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn statements_created(&self, branch: &str, first: EntryId, now: Timestamp) -> Result<Vec<Memory>> {
        let created = format!(
            "{} AND m.id >= ?1 AND m.died IS NULL AND m.branch = ?2 AND (m.expires_at IS NULL OR m.expires_at > ?3)",
            of_form("m", Form::STATEMENTS)
        );
        self.memories_where(&created, params![first << 20, self.branch_number(branch)?, now.as_microsecond()])
    }

    /// Returns the facts with the highest confidence at a point, at most `limit`, without confidential ones; and the
    /// number of further ones, counting at most `counted`.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn most_confident_facts(
        &self,
        point: &Point,
        limit: usize,
        counted: usize,
    ) -> Result<(Vec<Memory>, usize)> {
        let (shown, branch) = self.shown_facts(point)?;
        let values = [branch, point.instant.as_microsecond()];
        let surest = format!("{shown} ORDER BY m.confidence DESC, m.id DESC LIMIT {limit}");
        let facts = self.memories_where(&surest, values)?;
        let most = limit + counted;
        let count = format!("SELECT count(*) FROM (SELECT 1 FROM memories m WHERE {shown} LIMIT {most})");
        let count: usize = self.conn.prepare_cached(&count)?.query_row(values, |row| row.get(0))?;
        let more = count - facts.len();
        Ok((facts, more))
    }

    /// Returns the SQL condition that a memory `m` is a fact to show, and the number of its branch if it is a
    /// single one, otherwise 0.
    fn shown_facts(&self, point: &Point) -> Result<(String, i64)> {
        let (shows, branch) = if let [(branch, _)] = point.lineage.steps() {
            // No memory of another branch shows, and none of this branch was removed on another one: the
            // index ordered by confidence is sufficient.
            let current = "m.branch = ?1 AND m.died IS NULL AND (m.expires_at IS NULL OR m.expires_at > ?2)";
            (current.to_owned(), self.branch_number(branch)?)
        } else {
            (format!("?1 IS NOT NULL AND ?2 IS NOT NULL AND {}", visible_at(self.conn, point)?), 0)
        };
        let shows = format!(
            "{} AND {shows} AND (m.sensitivity IS NULL OR m.sensitivity <> 'confidential')",
            of_form("m", Form::LEDGER)
        );
        Ok((shows, branch))
    }

    fn memories_where(&self, condition: &str, values: impl Params) -> Result<Vec<Memory>> {
        let sql = format!("{SELECT_MEMORY} WHERE {condition}");
        query_all(&mut *self.conn.prepare_cached(&sql)?, values, read_memory)
    }

    fn branch_number(&self, name: &str) -> Result<i64> {
        Ok(number_of(self.conn, "branches", name)?.unwrap_or_default())
    }
}

/// The recorded state of the files of statements.
impl Reader<'_> {
    /// Returns the state that the mirror files of statements show.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn mirrored(&self) -> Result<Mirrored> {
        let row: Option<(EntryId, i64)> = self
            .conn
            .prepare_cached("SELECT entry, instant FROM mirrored")?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (entry, instant) = row.map_or((0, Timestamp::MIN), |(entry, at)| (entry, micros(at)));
        Ok(Mirrored { entry, instant })
    }

    /// Returns the recorded state of a mirror file; `None` if there is no such file.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn mirror_file(&self, path: &str) -> Result<Option<MirrorFile>> {
        Ok(self
            .conn
            .prepare_cached("SELECT bytes, since FROM mirror_files WHERE file = ?1")?
            .query_row([path], |row| Ok(MirrorFile { bytes: row.get(0)?, since: micros(row.get(1)?) }))
            .optional()?)
    }

    /// Deletes the recorded states of all mirror files. The caller holds the writer lock.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn forget_mirror_files(&self) -> Result<()> {
        Ok(self.conn.execute_batch("DELETE FROM mirrored; DELETE FROM mirror_files")?)
    }

    /// Records the states and the content of mirror files; `None` is a removed file. The caller holds the writer lock.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn record_mirror_files(
        &self,
        shown: Mirrored,
        files: impl IntoIterator<Item = (String, Option<MirrorFile>)>,
    ) -> Result<()> {
        let transaction = self.conn.unchecked_transaction()?;
        for (path, file) in files {
            match file {
                Some(MirrorFile { bytes, since }) => transaction
                    .prepare_cached("INSERT OR REPLACE INTO mirror_files VALUES (?1, ?2, ?3)")?
                    .execute(params![path, bytes, since.as_microsecond()])?,
                None => {
                    transaction.prepare_cached("DELETE FROM mirror_files WHERE file = ?1")?.execute([path])?
                }
            };
        }
        transaction
            .prepare_cached("INSERT OR REPLACE INTO mirrored VALUES (1, ?1, ?2)")?
            .execute(params![shown.entry, shown.instant.as_microsecond()])?;
        Ok(transaction.commit()?)
    }
}

/// The turns of conversations.
impl Reader<'_> {
    /// Returns the conversations that have had a turn.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn sessions_with_turns(&self) -> Result<Vec<Session>> {
        let sql = "SELECT DISTINCT s.name FROM turns t JOIN sessions s ON s.id = t.session";
        let mut statement = self.conn.prepare(sql)?;
        let names =
            statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(names.iter().filter_map(|name| Session::parse(name).ok()).collect())
    }

    /// Returns the conversations that an entry or a later one reset, last one first; `None` stands for all
    /// conversations.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn resets_since(&self, first: EntryId) -> Result<Vec<Option<Session>>> {
        let sql = "SELECT r.entry, s.name FROM resets r LEFT JOIN sessions s ON s.id = r.session ORDER BY r.rowid DESC";
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        let mut resets = Vec::new();
        while let Some(row) = rows.next()? {
            if row.get::<_, EntryId>(0)? < first {
                break;
            }
            match row.get::<_, Option<String>>(1)?.map(|name| Session::parse(&name)) {
                None => resets.push(None),
                Some(Ok(session)) => resets.push(Some(session)),
                Some(Err(_)) => {}
            }
        }
        Ok(resets)
    }

    /// Passes the events of a conversation's turns since its last reset, and before an entry, to `each`, with
    /// their ids and names, last one first, until it returns `false`.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; the errors of `each`.
    pub fn each_turn_event(
        &self,
        session: &Session,
        before: EntryId,
        mut each: impl FnMut(EntryId, &str) -> Result<bool>,
    ) -> Result<()> {
        let Some(number) = self.session_number(session)? else { return Ok(()) };
        let reset = "SELECT max(entry) FROM resets WHERE session IS NULL OR session = ?1";
        let reset: Option<EntryId> =
            self.conn.prepare_cached(reset)?.query_row([number], |row| row.get(0))?;
        let [begin, end] = EVENTS;
        let sql = "SELECT id, name FROM entries
                   WHERE session = ?1 AND id < ?2 AND id > ?3 AND kind = 'event' AND name IN (?4, ?5)
                     AND (sensitivity IS NULL OR sensitivity <> 'confidential')
                   ORDER BY id DESC";
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![number, before, reset.unwrap_or_default(), begin, end])?;
        while let Some(row) = rows.next()? {
            if !each(row.get(0)?, &row.get::<_, String>(1)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the readable entries of the group to which an event of a turn belongs. The event is the first
    /// or the last entry of the group.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::Tape`] if the disk fails.
    pub fn group_of_turn_event(&self, id: EntryId) -> Result<Vec<Entry>> {
        let mut first = id;
        let mut more = self.conn.prepare_cached("SELECT more FROM entries WHERE id = ?1")?;
        let follow: EntryId = more.query_row([id], |row| row.get(0))?;
        while follow == 0 && first > 1 {
            let before: Option<EntryId> = more.query_row([first - 1], |row| row.get(0)).optional()?;
            if before != Some(id - (first - 1)) {
                break;
            }
            first -= 1;
        }
        let mut entries = Vec::new();
        for id in first..=id + follow {
            match self.entry(id) {
                Ok(entry) => entries.push(entry),
                // A damaged or erased line has no content to show.
                Err(Error::Tape(memtape_tape::Error::Unreadable { .. }) | Error::NoEntry { .. }) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(entries)
    }
}
