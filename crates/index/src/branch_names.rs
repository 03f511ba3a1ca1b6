//! The branches of an index, and the branch that a name referred to at an entry.

use memtape_core::Branch;
use memtape_tape::EntryId;
use rusqlite::{Connection, OptionalExtension as _};

use crate::error::Result;
use crate::rows::query_all;

/// Returns the branch that a name referred to at an entry: of all branches that had this name, the last one that was
/// forked up to the entry.
pub(crate) fn called(conn: &Connection, name: &str, entry: EntryId) -> Result<String> {
    let sql = "SELECT name FROM branches WHERE label = ?1 AND created <= ?2
               AND NOT EXISTS (SELECT 1 FROM branches b WHERE b.name = ?1 AND b.created <= ?2)
               ORDER BY created DESC LIMIT 1";
    let older = conn.prepare_cached(sql)?.query_row((name, entry), |row| row.get(0)).optional()?;
    Ok(older.unwrap_or_else(|| name.to_owned()))
}

/// Returns the branches that an index knows, in the order of their first occurrence.
pub(crate) fn branches(conn: &Connection) -> Result<Vec<Branch>> {
    let sql = "SELECT name, parent, forked_at, persona, created, deleted, label FROM branches ORDER BY id";
    query_all(&mut *conn.prepare_cached(sql)?, [], |row| {
        let parent: Option<String> = row.get(1)?;
        let forked_at: Option<EntryId> = row.get(2)?;
        Ok(Branch {
            name: row.get(0)?,
            parent: parent.zip(forked_at),
            persona: row.get(3)?,
            created: row.get(4)?,
            deleted: row.get(5)?,
            label: row.get(6)?,
        })
    })
}
