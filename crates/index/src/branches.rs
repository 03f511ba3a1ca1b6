//! Queries for branches: changes by whom and since when, versions of an item, conflicts, and which branch a
//! conversation is on.
//!
//! An item is what all versions of a memory have in common; its name is a [`MergeKey`].
//!
//! **Invariant.** The cost of these queries depends on how much changed, not on how much is current: changes
//! are found by the groups that made them, and versions by their slot.

use std::collections::BTreeSet;

use jiff::Timestamp;
use memtape_core::commit::{Conflict, ConflictId, Reverses};
use memtape_core::merge::{
    Group, Knowledge, Life, Lives, MergeKey, Merged, Picked, Record, Records, Removal, Reversal, Reversals,
};
use memtape_core::{Audience, Form, Memory, MemoryId, Point, Scope, Session};
use memtape_tape::EntryId;
use rusqlite::{OptionalExtension as _, Row};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::reader::{Question, Reader};
use crate::rows::{SELECT_MEMORY, micros, number_of, query_all, read_memory};
use crate::visibility::{known, of_form};

/// A range of entries: a group that changed a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first entry of the group.
    pub first: EntryId,
    /// The last entry of the group, which identifies the commit.
    pub last: EntryId,
}

/// SQL for what [`memtape_core::form::Rules::piece`] returns for a piece of a daily note, of the memories `m`.
const PIECE: &str = "m.text || CASE m.sensitivity WHEN 'confidential'
                     THEN char(31) || coalesce(json_extract(m.data, '$.nth'), 1) || char(31)
                     ELSE coalesce(char(31) || json_extract(m.data, '$.nth'), '') END";

/// Returns SQL for what identifies an item, of the memories `m`: what [`memtape_core::form::Rules::piece`] defines in
/// addition to the key.
fn item() -> String {
    format!(
        "m.form, m.key, CASE WHEN m.form = 'zone' AND json_extract(m.data, '$.date') IS NOT NULL THEN {PIECE} END"
    )
}

impl Reader<'_> {
    /// Returns the recorded branches, merges, cherry-picks, conflicts and reversals.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn records(&self) -> Result<Records> {
        let mut merges = self.conn.prepare_cached(
            "SELECT g.entry, b.name, g.source, g.head FROM merges g JOIN branches b ON b.id = g.branch ORDER BY g.entry",
        )?;
        let merges = merges.query_map([], |row| {
            Ok(Merged { entry: row.get(0)?, branch: row.get(1)?, source: row.get(2)?, head: row.get(3)? })
        })?;
        let merges = merges.collect::<rusqlite::Result<_>>()?;
        let mut picks = self.conn.prepare_cached(
            "SELECT p.entry, b.name, s.name, p.picked FROM picks p JOIN branches b ON b.id = p.branch
             JOIN commits c ON c.entry = p.picked JOIN branches s ON s.id = c.branch ORDER BY p.entry",
        )?;
        let picks = picks.query_map([], |row| {
            Ok(Picked { entry: row.get(0)?, branch: row.get(1)?, source: row.get(2)?, picked: row.get(3)? })
        })?;
        let picks = picks.collect::<rusqlite::Result<_>>()?;
        Ok(Records { merges, picks, ..self.records_of_conflicts()? })
    }

    /// Returns the recorded branches, conflicts and reversals, without the merges and cherry-picks: every task in the
    /// background is a merge, and what each of them knew takes long to find out.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn records_of_conflicts(&self) -> Result<Records> {
        let mut conflicts = self.conn.prepare_cached(
            "SELECT f.entry, f.n, b.name, f.ours, f.theirs, f.base FROM conflicts f JOIN branches b ON b.id = f.branch
             ORDER BY f.entry, f.n",
        )?;
        let conflicts = conflicts.query_map([], record)?.collect::<rusqlite::Result<Vec<_>>>()?;
        let reversals = self.reversals()?;
        let branches = self.branches()?.to_vec();
        let mut records = Records { branches, conflicts, reversals, ..Records::default() };
        let mut resolutions = self.conn.prepare_cached(
            "SELECT b.name, t.by FROM settled t JOIN branches b ON b.id = t.branch
             WHERE t.entry = ?1 AND t.n = ?2 ORDER BY t.by",
        )?;
        for record in &mut records.conflicts {
            let by = resolutions
                .query_map((record.id.commit, record.id.n), |row| Ok((row.get(0)?, row.get(1)?)))?;
            record.resolved_by = by.collect::<rusqlite::Result<_>>()?;
        }
        Ok(records)
    }

    /// Returns whether the tape records any conflict, open or resolved. Few workspaces ever have one.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn has_conflicts(&self) -> Result<bool> {
        Ok(self.conn.prepare_cached("SELECT 1 FROM conflicts LIMIT 1")?.exists([])?)
    }

    /// Returns whether the tape records any text that came from a tool or a page, forgotten or not.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn has_foreign(&self) -> Result<bool> {
        let sql = "SELECT 1 FROM memories m INDEXED BY m_foreign WHERE m.origin IN ('tool', 'web') LIMIT 1";
        Ok(self.conn.prepare_cached(sql)?.exists([])?)
    }

    /// Returns the recorded undos, redos and reverts.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn reversals(&self) -> Result<Reversals> {
        let mut reversals = self.conn.prepare_cached(
            "SELECT c.entry, b.name, c.reverses, c.how FROM commits c INDEXED BY c_reverses
             JOIN branches b ON b.id = c.branch WHERE c.reverses IS NOT NULL",
        )?;
        let mut rows = reversals.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let how: String = row.get(3)?;
            let Some(how) = Reverses::from_name(&how) else { continue };
            all.push(Reversal::new(self.commit_group(row.get(0)?, row.get(1)?)?, row.get(2)?, how));
        }
        let mut takes = self.conn.prepare_cached(
            "SELECT DISTINCT t.entry, b.name FROM commits c INDEXED BY c_reverses
             JOIN commits t ON t.entry = c.reverses JOIN branches b ON b.id = t.branch
             WHERE c.reverses IS NOT NULL AND t.takes",
        )?;
        let mut rows = takes.query([])?;
        let mut taken = Vec::new();
        while let Some(row) = rows.next()? {
            taken.push(self.commit_group(row.get(0)?, row.get(1)?)?);
        }
        Ok(Reversals::new(all, taken))
    }

    fn commit_group(&self, last: EntryId, branch: String) -> Result<Group> {
        let Span { first, last } = self.group(last)?;
        Ok(Group { branch, first, last })
    }

    /// Returns the items ([`MergeKey`]) that were created or removed by entries that `theirs` covers and `ours`
    /// does not. Their side need not have changed them: what it never had may be removed there by a merge.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn changed_beyond(&self, ours: &Knowledge, theirs: &Knowledge) -> Result<BTreeSet<MergeKey>> {
        let mut merge_keys = BTreeSet::new();
        for (branch, last) in theirs.lasts() {
            let Some(number) = number_of(self.conn, "branches", branch)? else { continue };
            for span in self.spans(number, ours.last(branch), last)? {
                self.changed_in(span, &mut merge_keys)?;
            }
        }
        Ok(merge_keys)
    }

    /// Returns the items ([`MergeKey`]) that the entries of a group created or removed.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn changed_by(&self, group: Span) -> Result<BTreeSet<MergeKey>> {
        let mut merge_keys = BTreeSet::new();
        self.changed_in(group, &mut merge_keys)?;
        Ok(merge_keys)
    }

    fn changed_in(&self, Span { first, last }: Span, merge_keys: &mut BTreeSet<MergeKey>) -> Result<()> {
        let (known, item) = (known("m"), item());
        let created = format!("SELECT {item} FROM memories m WHERE m.id >= ?1 AND m.id < ?2 AND {known}");
        let died = format!(
            "SELECT {item} FROM memories m WHERE m.died >= ?1 AND m.died < ?2 AND m.died IS NOT NULL AND {known}"
        );
        let retired = format!(
            "SELECT {item} FROM entries e JOIN retired r ON r.branch = e.branch AND r.entry = e.id
             JOIN memories m ON m.id = r.memory
             WHERE e.id >= ?1 AND e.id < ?2 AND {known}"
        );
        let [from, to] = [first, last + 1].map(|entry| MemoryId::new(entry, 0).number());
        for (sql, from, to) in [(created, from, to), (died, first, last + 1), (retired, first, last + 1)] {
            let mut statement = self.conn.prepare_cached(&sql)?;
            let mut rows = statement.query((from, to))?;
            while let Some(row) = rows.next()? {
                merge_keys.extend(merge_key(row)?);
            }
        }
        Ok(())
    }

    /// Returns the groups that changed something on a branch after one entry and up to another. Consecutive
    /// groups are joined into one range.
    fn spans(&self, branch: i64, after: EntryId, last: EntryId) -> Result<Vec<Span>> {
        let mut commits = self.conn.prepare_cached(
            "SELECT entry FROM commits WHERE branch = ?1 AND entry > ?2 AND entry <= ?3 ORDER BY entry",
        )?;
        let ends = commits.query_map((branch, after, last), |row| row.get(0))?;
        let mut spans: Vec<Span> = Vec::new();
        for end in ends {
            let group = self.group(end?)?;
            match spans.last_mut() {
                Some(before) if before.last + 1 == group.first => before.last = group.last,
                _ => spans.push(group),
            }
        }
        Ok(spans)
    }

    /// Returns the group that contains an entry, whether it changed a view or not.
    ///
    /// # Errors
    /// [`Error::NoEntry`] if there is no such entry; [`Error::Sqlite`] if SQLite fails.
    pub fn group_with(&self, id: EntryId) -> Result<Span> {
        self.group(self.end_of_group(id)?)
    }

    /// Returns the last entry of the group that contains an entry.
    pub(crate) fn end_of_group(&self, id: EntryId) -> Result<EntryId> {
        let more: Option<u64> = self
            .conn
            .prepare_cached("SELECT more FROM entries WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        Ok(id + more.ok_or(Error::NoEntry { asked: id, last: Some(self.head()) })?)
    }

    /// Returns the group that an entry ends.
    fn group(&self, last: EntryId) -> Result<Span> {
        let mut back =
            self.conn.prepare_cached("SELECT id, more FROM entries WHERE id <= ?1 ORDER BY id DESC")?;
        let mut rows = back.query([last])?;
        let mut first = last;
        while let Some(row) = rows.next()? {
            let (id, more): (EntryId, u64) = (row.get(0)?, row.get(1)?);
            if id + more != last {
                break;
            }
            first = id;
        }
        Ok(Span { first, last })
    }

    /// Returns the commit that ends at an entry, and its branch; `None` if no group that changed a view ends
    /// there.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn commit_at(&self, last: EntryId) -> Result<Option<(Span, String)>> {
        let branch: Option<String> = self
            .conn
            .prepare_cached(
                "SELECT b.name FROM commits c JOIN branches b ON b.id = c.branch WHERE c.entry = ?1",
            )?
            .query_row([last], |row| row.get(0))
            .optional()?;
        branch.map(|branch| Ok((self.group(last)?, branch))).transpose()
    }

    /// Passes the groups of a conversation that changed something on a branch to `each`, newest first, until
    /// it returns `false`.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; the errors of `each`.
    pub fn each_of_session(
        &self,
        session: &Session,
        branch: &str,
        mut each: impl FnMut(Span) -> Result<bool>,
    ) -> Result<()> {
        let numbers = (number_of(self.conn, "branches", branch)?, self.session_number(session)?);
        let (Some(branch), Some(session)) = numbers else { return Ok(()) };
        let mut commits = self.conn.prepare_cached(
            "SELECT entry FROM commits WHERE branch = ?1 AND session = ?2 ORDER BY entry DESC",
        )?;
        let mut rows = commits.query((branch, session))?;
        while let Some(row) = rows.next()? {
            if !each(self.group(row.get(0)?)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns whether a commit took changes from another branch, or opened or resolved a conflict.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn takes(&self, commit: EntryId) -> Result<bool> {
        let sql = "SELECT takes FROM commits WHERE entry = ?1";
        let takes = self.conn.prepare_cached(sql)?.query_row([commit], |row| row.get(0)).optional()?;
        Ok(takes.unwrap_or_default())
    }

    /// Returns whether a group resets a conversation or the workspace.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn resets(&self, group: Span) -> Result<bool> {
        let sql = "SELECT 1 FROM resets WHERE entry BETWEEN ?1 AND ?2";
        Ok(self.conn.prepare_cached(sql)?.exists((group.first, group.last))?)
    }

    /// Returns the last reset on a branch after an entry, and the conversation that it reset. A session limits it to one
    /// conversation.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn reset_after(
        &self,
        entry: EntryId,
        session: Option<&Session>,
        branch: &str,
    ) -> Result<Option<(EntryId, String)>> {
        let Some(branch) = number_of(self.conn, "branches", branch)? else { return Ok(None) };
        let sql = "SELECT r.entry, s.name FROM resets r JOIN entries e ON e.id = r.entry
                   JOIN sessions s ON s.id = r.session
                   WHERE r.entry > ?1 AND e.branch = ?2 AND (?3 IS NULL OR s.name = ?3)
                   ORDER BY r.entry DESC LIMIT 1";
        let values = (entry, branch, session.map(Session::to_string));
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.conn.prepare_cached(sql)?.query_row(values, read).optional()?)
    }

    /// Returns whether a reversal of a commit is in force on its branch up to an entry. Unlike [`Reader::reversals`], it reads
    /// later reversals only.
    pub(crate) fn is_reversed(&self, commit: EntryId, branch: i64, last: EntryId) -> Result<bool> {
        let mut reversals = self.conn.prepare_cached(
            "SELECT entry FROM commits INDEXED BY c_reverses
             WHERE reverses = ?1 AND entry > ?1 AND entry <= ?3 AND branch = ?2",
        )?;
        let by = reversals.query_map((commit, branch, last), |row| row.get(0))?;
        let by = by.collect::<rusqlite::Result<Vec<EntryId>>>()?;
        drop(reversals);
        for commit in by {
            if !self.is_reversed(commit, branch, last)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the last entry up to `last` that changed something on a branch; if there is none, the entry
    /// that forked the branch; 0 if that comes after `last` or there is no such entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn last_change(&self, branch: &str, last: EntryId) -> Result<EntryId> {
        let sql =
            "SELECT coalesce((SELECT max(c.entry) FROM commits c WHERE c.branch = b.id AND c.entry <= ?2),
                                   CASE WHEN b.created <= ?2 THEN b.created END, 0)
                   FROM branches b WHERE b.name = ?1";
        let found = self.conn.prepare_cached(sql)?.query_row((branch, last), |row| row.get(0)).optional()?;
        Ok(found.unwrap_or(0))
    }

    /// Returns how many groups changed something on a branch, up to an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn commits_on(&self, branch: &str, last: EntryId) -> Result<u64> {
        let sql = "SELECT count(*) FROM commits c JOIN branches b ON b.id = c.branch
                   WHERE b.name = ?1 AND c.entry <= ?2";
        Ok(self.conn.prepare_cached(sql)?.query_row((branch, last), |row| row.get(0))?)
    }

    /// Returns every version of an item, on all branches.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn lives(&self, merge_key: &MergeKey) -> Result<Lives> {
        let mut versions = self.conn.prepare_cached(&format!(
            "SELECT m.id, b.name, m.copy_of, m.died, m.spread FROM memories m JOIN branches b ON b.id = m.branch
             WHERE {} AND m.key = ?1 AND (?2 IS NULL OR {PIECE} = ?2)",
            of_form("m", merge_key.form())
        ))?;
        let mut rows = versions.query((&merge_key.key, &merge_key.piece))?;
        let mut lives = Vec::new();
        while let Some(row) = rows.next()? {
            let id = MemoryId::from_number(row.get(0)?);
            let branch: String = row.get(1)?;
            let died: Option<EntryId> = row.get(3)?;
            let mut retired: Vec<_> = died.map(|died| (branch.clone(), died)).into_iter().collect();
            if row.get(4)? {
                retired.extend(self.retired_elsewhere(id)?);
            }
            let removals = retired
                .into_iter()
                .map(|(branch, entry)| Ok(Removal { branch, entry, group: self.end_of_group(entry)? }));
            let retired = removals.collect::<Result<_>>()?;
            let copy_of = row.get::<_, Option<u64>>(2)?.map(MemoryId::from_number);
            lives.push(Life { id, branch, group: self.end_of_group(id.entry())?, copy_of, retired });
        }
        Ok(Lives::new(lives))
    }

    fn retired_elsewhere(&self, id: MemoryId) -> Result<Vec<(String, EntryId)>> {
        let sql =
            "SELECT b.name, r.entry FROM retired r JOIN branches b ON b.id = r.branch WHERE r.memory = ?1";
        query_all(&mut *self.conn.prepare_cached(sql)?, [id.number()], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns the item that a memory is a version of; `None` if there is no such memory.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn merge_key_of(&self, id: MemoryId) -> Result<Option<MergeKey>> {
        let sql = format!("SELECT {} FROM memories m WHERE m.id = ?1", item());
        Ok(self.conn.prepare_cached(&sql)?.query_row([id.number()], merge_key).optional()?.flatten())
    }

    /// Returns a memory by its id, current or not; `None` if there is none that the audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn memory(&self, id: MemoryId, audience: &Audience) -> Result<Option<Memory>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!("{SELECT_MEMORY} WHERE m.id = ?1 AND {seen}");
        Ok(self.conn.prepare_cached(&sql)?.query_row([id.number()], read_memory).optional()?)
    }

    /// Returns the conversations that are on a branch after an entry because of an explicit switch, ordered
    /// by name.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn sessions_on(&self, branch: &str, entry: EntryId) -> Result<Vec<String>> {
        let sql = "
            SELECT s.name FROM switches w JOIN sessions s ON s.id = w.session
            WHERE w.branch = ?1 AND w.entry = (SELECT max(x.entry) FROM switches x
                                               WHERE x.session = w.session AND x.entry <= ?2)
            ORDER BY s.name";
        query_all(&mut *self.conn.prepare_cached(sql)?, (branch, entry), |row| row.get(0))
    }

    /// Returns the scope and the date of an entry.
    ///
    /// # Errors
    /// [`Error::NoEntry`] if there is no such entry; [`Error::Sqlite`] if SQLite fails.
    pub fn written(&self, entry: EntryId) -> Result<(Scope, Timestamp)> {
        let row: Option<(String, i64)> = self
            .conn
            .prepare_cached(
                "SELECT c.name, e.date FROM entries e JOIN scopes c ON c.id = e.scope WHERE e.id = ?1",
            )?
            .query_row([entry], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (scope, date) = row.ok_or(Error::NoEntry { asked: entry, last: Some(self.head()) })?;
        Ok((Scope::from_label(&scope).unwrap_or_default(), micros(date)))
    }

    /// Returns the current memories of a key at a point, expired or not, whoever may see them.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn current_of(&self, form: Form, key: &str, point: &Point) -> Result<Vec<Memory>> {
        let question = Question {
            confidential: Confidential::ToOwner,
            ended: true,
            form: Some(form),
            key: Some(key.to_owned()),
            ..Question::default()
        };
        self.memories(&question, point)
    }
}

fn merge_key(row: &Row<'_>) -> rusqlite::Result<Option<MergeKey>> {
    let form: String = row.get(0)?;
    let (key, piece) = (row.get(1)?, row.get(2)?);
    Ok(form.parse().ok().map(|form: Form| MergeKey::new(form, key, piece)))
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let side = |n: usize| Ok::<_, rusqlite::Error>(row.get::<_, Option<u64>>(n)?.map(MemoryId::from_number));
    Ok(Record {
        id: ConflictId { commit: row.get(0)?, n: row.get(1)? },
        branch: row.get(2)?,
        conflict: Conflict { ours: side(3)?, theirs: side(4)?, base: side(5)? },
        resolved_by: Vec::new(),
    })
}
