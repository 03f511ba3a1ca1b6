//! What branches need to know: who changed what since when, the lives of a thing, conflicts, who is where.
//!
//! **Invariant.** What these cost goes with what changed, not with what stands: changes are found by the groups that
//! made them, and lives by their slot.

use std::collections::BTreeSet;

use jiff::Timestamp;
use memtape_core::commit::{Conflict, ConflictId, Reverses};
use memtape_core::merge::{
    Group, Knowledge, Life, Lives, Merged, Record, Records, Reversal, Reversals, Thing,
};
use memtape_core::{Audience, Form, Lineage, Memory, MemoryId, Point, Scope, Session};
use memtape_tape::EntryId;
use rusqlite::{OptionalExtension as _, Row};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::reader::{Question, Reader};
use crate::rows::{SELECT_MEMORY, micros, number_of, read_memory};
use crate::visibility::{known, of_form};

/// A group that changed a view: its first and last entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Its first entry.
    pub first: EntryId,
    /// Its last entry, by which the commit is named.
    pub last: EntryId,
}

/// What names a thing, of the memories `m`: what [`memtape_core::forms::piece`] says stands beside the key.
const THING: &str = "m.form, m.key, CASE WHEN m.form = 'zone' AND json_extract(m.data, '$.date') IS NOT NULL
                     THEN m.text || coalesce(char(31) || json_extract(m.data, '$.nth'), '') END";

impl Reader<'_> {
    /// What the tape records of branches, merges and conflicts.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn records(&self) -> Result<Records> {
        let mut merges = self.conn.prepare_cached(
            "SELECT g.entry, b.name, g.source, g.head FROM merges g JOIN branches b ON b.id = g.branch ORDER BY g.entry",
        )?;
        let merges = merges.query_map([], |row| {
            Ok(Merged { entry: row.get(0)?, branch: row.get(1)?, source: row.get(2)?, head: row.get(3)? })
        })?;
        let merges = merges.collect::<rusqlite::Result<_>>()?;
        let mut conflicts = self.conn.prepare_cached(
            "SELECT f.entry, f.n, b.name, f.ours, f.theirs, f.base FROM conflicts f JOIN branches b ON b.id = f.branch
             ORDER BY f.entry, f.n",
        )?;
        let conflicts = conflicts.query_map([], record)?.collect::<rusqlite::Result<Vec<_>>>()?;
        let reversals = self.reversals()?;
        let mut records = Records { branches: self.branches()?, merges, conflicts, reversals };
        let mut settled = self.conn.prepare_cached(
            "SELECT b.name, t.by FROM settled t JOIN branches b ON b.id = t.branch
             WHERE t.entry = ?1 AND t.n = ?2 ORDER BY t.by",
        )?;
        for record in &mut records.conflicts {
            let by =
                settled.query_map((record.id.commit, record.id.n), |row| Ok((row.get(0)?, row.get(1)?)))?;
            record.settled = by.collect::<rusqlite::Result<_>>()?;
        }
        Ok(records)
    }

    /// Whether the tape records any conflict, be it open or not: few workspaces ever have one.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn has_conflicts(&self) -> Result<bool> {
        Ok(self.conn.prepare_cached("SELECT 1 FROM conflicts LIMIT 1")?.exists([])?)
    }

    /// What the tape records of undos, redos and reverts.
    ///
    /// # Errors
    /// What SQLite says.
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
            all.push(Reversal { group: self.commit_group(row.get(0)?, row.get(1)?)?, of: row.get(2)?, how });
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

    /// The things that were born or retired on a lineage beyond what is known.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn changed_beyond(&self, knowledge: &Knowledge, lineage: &Lineage) -> Result<BTreeSet<Thing>> {
        let mut things = BTreeSet::new();
        for (branch, last) in lineage.steps() {
            let Some(number) = number_of(self.conn, "branches", branch)? else { continue };
            for span in self.spans(number, knowledge.last(branch), *last)? {
                self.changed_in(span, &mut things)?;
            }
        }
        Ok(things)
    }

    /// The things that the entries of a group bore or retired.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn changed_by(&self, group: Span) -> Result<BTreeSet<Thing>> {
        let mut things = BTreeSet::new();
        self.changed_in(group, &mut things)?;
        Ok(things)
    }

    fn changed_in(&self, Span { first, last }: Span, things: &mut BTreeSet<Thing>) -> Result<()> {
        let known = known("m");
        let born = format!("SELECT {THING} FROM memories m WHERE m.id >= ?1 AND m.id < ?2 AND {known}");
        let died = format!(
            "SELECT {THING} FROM memories m WHERE m.died >= ?1 AND m.died < ?2 AND m.died IS NOT NULL AND {known}"
        );
        let retired = format!(
            "SELECT {THING} FROM entries e JOIN retired r ON r.branch = e.branch AND r.entry = e.id
             JOIN memories m ON m.id = r.memory
             WHERE e.id >= ?1 AND e.id < ?2 AND {known}"
        );
        let [from, to] = [first, last + 1].map(|entry| MemoryId::new(entry, 0).number());
        for (sql, from, to) in [(born, from, to), (died, first, last + 1), (retired, first, last + 1)] {
            let mut statement = self.conn.prepare_cached(&sql)?;
            let mut rows = statement.query((from, to))?;
            while let Some(row) = rows.next()? {
                things.extend(thing(row)?);
            }
        }
        Ok(())
    }

    /// The entries of the groups that changed something on a branch after one entry and up to another; groups that stand
    /// one after the other as one.
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

    /// The group that an entry ends.
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

    /// The commit that ends at an entry, and its branch; `None` where no group that changed a view ends there.
    ///
    /// # Errors
    /// What SQLite says.
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

    /// The groups of a conversation that changed something on a branch, newest first.
    ///
    /// # Errors
    /// What SQLite says, or `each` does. It is asked about one after the other until it says no.
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

    /// Whether a commit took something from another branch, or resolved a conflict.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn takes(&self, commit: EntryId) -> Result<bool> {
        let sql = "SELECT takes FROM commits WHERE entry = ?1";
        let takes = self.conn.prepare_cached(sql)?.query_row([commit], |row| row.get(0)).optional()?;
        Ok(takes.unwrap_or_default())
    }

    /// The last entry of a branch that changed something, up to an entry; where none did, the one that forked it; else 0.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn last_change(&self, branch: &str, last: EntryId) -> Result<EntryId> {
        let sql =
            "SELECT coalesce((SELECT max(c.entry) FROM commits c WHERE c.branch = b.id AND c.entry <= ?2),
                                   b.created, 0)
                   FROM branches b WHERE b.name = ?1";
        let found = self.conn.prepare_cached(sql)?.query_row((branch, last), |row| row.get(0)).optional()?;
        Ok(found.unwrap_or(0))
    }

    /// How many groups changed something on a branch, up to an entry.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn commits_on(&self, branch: &str, last: EntryId) -> Result<u64> {
        let sql = "SELECT count(*) FROM commits c JOIN branches b ON b.id = c.branch
                   WHERE b.name = ?1 AND c.entry <= ?2";
        Ok(self.conn.prepare_cached(sql)?.query_row((branch, last), |row| row.get(0))?)
    }

    /// Every version of a thing, on whichever branch.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn lives(&self, thing: &Thing) -> Result<Lives> {
        let mut versions = self.conn.prepare_cached(&format!(
            "SELECT m.id, b.name, m.copy_of, m.died, m.spread FROM memories m JOIN branches b ON b.id = m.branch
             WHERE {} AND m.key = ?1
               AND (?2 IS NULL OR m.text || coalesce(char(31) || json_extract(m.data, '$.nth'), '') = ?2)",
            of_form("m", thing.form())
        ))?;
        let mut rows = versions.query((&thing.key, &thing.piece))?;
        let mut lives = Vec::new();
        while let Some(row) = rows.next()? {
            let id = MemoryId::from_number(row.get(0)?);
            let branch: String = row.get(1)?;
            let died: Option<EntryId> = row.get(3)?;
            let mut retired: Vec<_> = died.map(|died| (branch.clone(), died)).into_iter().collect();
            if row.get(4)? {
                retired.extend(self.retired_elsewhere(id)?);
            }
            let copy_of = row.get::<_, Option<u64>>(2)?.map(MemoryId::from_number);
            lives.push(Life { id, branch, copy_of, retired });
        }
        Ok(Lives::new(lives))
    }

    fn retired_elsewhere(&self, id: MemoryId) -> Result<Vec<(String, EntryId)>> {
        let mut retired = self.conn.prepare_cached(
            "SELECT b.name, r.entry FROM retired r JOIN branches b ON b.id = r.branch WHERE r.memory = ?1",
        )?;
        let rows = retired.query_map([id.number()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    /// The thing that a memory is a version of; `None` where there is no such memory.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn thing_of(&self, id: MemoryId) -> Result<Option<Thing>> {
        let sql = format!("SELECT {THING} FROM memories m WHERE m.id = ?1");
        Ok(self.conn.prepare_cached(&sql)?.query_row([id.number()], thing).optional()?.flatten())
    }

    /// A memory by its number, whether or not it stands; `None` where there is none that the audience sees.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn memory(&self, id: MemoryId, audience: &Audience) -> Result<Option<Memory>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!("{SELECT_MEMORY} WHERE m.id = ?1 AND {seen}");
        Ok(self.conn.prepare_cached(&sql)?.query_row([id.number()], read_memory).optional()?)
    }

    /// The conversations that are on a branch after an entry because they were put there.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn sessions_on(&self, branch: &str, entry: EntryId) -> Result<Vec<String>> {
        let mut on = self.conn.prepare_cached(
            "SELECT s.name FROM switches w JOIN sessions s ON s.id = w.session
             WHERE w.branch = ?1 AND w.entry = (SELECT max(x.entry) FROM switches x
                                                WHERE x.session = w.session AND x.entry <= ?2)
             ORDER BY s.name",
        )?;
        let rows = on.query_map((branch, entry), |row| row.get(0))?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    /// Whose an entry is, and when it was appended.
    ///
    /// # Errors
    /// [`Error::NoEntry`], or what SQLite says.
    pub fn written(&self, entry: EntryId) -> Result<(Scope, Timestamp)> {
        let row: Option<(String, i64)> = self
            .conn
            .prepare_cached(
                "SELECT c.name, e.date FROM entries e JOIN scopes c ON c.id = e.scope WHERE e.id = ?1",
            )?
            .query_row([entry], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (scope, date) = row.ok_or(Error::NoEntry { asked: entry, last: self.head() })?;
        Ok((Scope::from_label(&scope).unwrap_or_default(), micros(date)))
    }

    /// What stands of a key at a point, whether or not it has had its time.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn standing(&self, form: Form, key: &str, point: &Point) -> Result<Vec<Memory>> {
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

fn thing(row: &Row<'_>) -> rusqlite::Result<Option<Thing>> {
    let form: String = row.get(0)?;
    let (key, piece) = (row.get(1)?, row.get(2)?);
    Ok(form.parse().ok().map(|form: Form| Thing::new(form, key, piece)))
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let side = |n: usize| Ok::<_, rusqlite::Error>(row.get::<_, Option<u64>>(n)?.map(MemoryId::from_number));
    Ok(Record {
        id: ConflictId { commit: row.get(0)?, n: row.get(1)? },
        branch: row.get(2)?,
        conflict: Conflict { ours: side(3)?, theirs: side(4)?, base: side(5)? },
        settled: Vec::new(),
    })
}
