//! Queries of the forms in a working copy: what changed since an entry, and which entries changed a file.

use std::collections::BTreeSet;

use memtape_core::{Form, Point};
use memtape_tape::{Entry, EntryId};

use crate::error::Result;
use crate::reader::Reader;
use crate::rows::number_of;
use crate::visibility::of_form;

/// The changes of a form since an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Exactly these files; none, if empty.
    Files(BTreeSet<String>),
    /// Possibly any file, because of a reset or an erasure.
    Any,
}

impl Moved {
    /// Returns whether nothing changed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Files(files) if files.is_empty())
    }
}

impl Reader<'_> {
    /// Returns whether there was a reset or an erasure since an entry, which may have changed any file.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn had_reset_or_erasure(&self, since: EntryId) -> Result<bool> {
        let sql = "SELECT 1 FROM resets WHERE entry > ?1
                     UNION ALL SELECT 1 FROM entries WHERE name = 'tape.erase' AND id > ?1";
        Ok(self.conn.prepare_cached(sql)?.exists([since])?)
    }

    /// Returns the events of these names on a branch itself, not on its ancestors, since an entry; oldest
    /// first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn events_since(&self, names: &[&str], branch: &str, since: EntryId) -> Result<Vec<EntryId>> {
        let Some(number) = number_of(self.conn, "branches", branch)? else { return Ok(Vec::new()) };
        let mut of_name =
            self.conn.prepare_cached("SELECT id FROM entries WHERE name = ?1 AND id > ?2 AND branch = ?3")?;
        let mut found = Vec::new();
        for name in names {
            let ids = of_name.query_map((name, since, number), |row| row.get(0))?;
            found.extend(ids.collect::<rusqlite::Result<Vec<EntryId>>>()?);
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Returns what changed on a branch itself since an entry, according to the events of these names. `path`
    /// returns the file that an event concerns.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails; [`Error::Tape`](crate::Error::Tape) if the disk
    /// fails.
    pub(crate) fn moved(
        &self,
        names: &[&str],
        path: impl Fn(&Entry) -> Option<String>,
        branch: &str,
        since: EntryId,
    ) -> Result<Moved> {
        if since >= self.head() {
            return Ok(Moved::Files(BTreeSet::new()));
        }
        if self.had_reset_or_erasure(since)? {
            return Ok(Moved::Any);
        }
        let mut files = BTreeSet::new();
        for id in self.events_since(names, branch, since)? {
            match self.readable(self.entry(id))?.as_ref().and_then(&path) {
                Some(path) => drop(files.insert(path)),
                None => return Ok(Moved::Any),
            }
        }
        Ok(Moved::Files(files))
    }

    /// Returns the entries at a point, newest first, that changed memories of a form whose keys lie from
    /// `first` up to, but not including, `end`.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub(crate) fn changes_under(
        &self,
        form: Form,
        first: &str,
        end: &str,
        point: &Point,
    ) -> Result<Vec<EntryId>> {
        let of_form = of_form("k", form);
        let sql = format!(
            "WITH m AS (SELECT id, branch, died, spread FROM memories k
                        WHERE {of_form} AND k.key >= ?1 AND k.key < ?2),
                  c(entry, branch) AS (
                      SELECT id >> 20, branch FROM m
                      UNION SELECT died, branch FROM m WHERE died IS NOT NULL
                      UNION SELECT r.entry, r.branch FROM m JOIN retired r ON r.memory = m.id WHERE m.spread)
             SELECT c.entry, b.name FROM c JOIN branches b ON b.id = c.branch ORDER BY c.entry DESC"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let rows = statement.query_map((first, end), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let mut entries = Vec::new();
        for row in rows {
            let (entry, branch) = row?;
            if point.lineage.holds(&branch, entry) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }
}
