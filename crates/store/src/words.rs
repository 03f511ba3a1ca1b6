//! Putting the words of memories into the full-text table.
//!
//! Each transaction that touches FTS5 writes a handful of pages whatever it adds, so words are added many at
//! once: by the writer that finds enough of them waiting, or by whoever reads next.
//!
//! **Invariant.** Every question is answered with no word waiting.

use memtape_core::recall::tokenize;
use rusqlite::{Connection, params};

use crate::error::Result;
use crate::index::Index;

/// How many memories may wait.
const WAITING_MAX: u64 = 32;

/// Adds the words that wait, if there are any. For a reader.
pub(crate) fn read_all(index: &Index) -> Result<()> {
    if waiting(&index.conn)? == 0 {
        return Ok(());
    }
    let transaction = index.begin_write()?;
    add(&index.conn)?;
    transaction.commit()
}

/// Adds the words that wait, if they are many. For a writer, in its transaction.
pub(crate) fn read_many(conn: &Connection) -> Result<()> {
    if waiting(conn)? > WAITING_MAX { add(conn) } else { Ok(()) }
}

/// How many memories wait.
pub(crate) fn waiting(conn: &Connection) -> Result<u64> {
    Ok(conn.prepare_cached("SELECT count(*) FROM unread")?.query_row([], |row| row.get(0))?)
}

/// Adds the words that wait, in the running transaction.
pub(crate) fn add(conn: &Connection) -> Result<()> {
    let mut insert =
        conn.prepare_cached("INSERT INTO memories_fts(rowid, self, prev, day) VALUES (?1, ?2, ?3, ?4)")?;
    let mut unread =
        conn.prepare_cached("SELECT memory, scope, own, prev, day FROM unread ORDER BY memory")?;
    let mut rows = unread.query([])?;
    while let Some(row) = rows.next()? {
        let suffix = scope_suffix(row.get(1)?);
        let column = |n: usize| -> rusqlite::Result<Option<String>> {
            Ok(row.get_ref(n)?.as_str_or_null()?.map(|text| terms(text, &suffix)))
        };
        insert.execute(params![row.get::<_, u64>(0)?, column(2)?, column(3)?, column(4)?])?;
    }
    conn.prepare_cached("DELETE FROM unread")?.execute([])?;
    Ok(())
}

/// What marks a term as a scope's.
pub(crate) fn scope_suffix(scope: i64) -> String {
    format!("|{scope:x}")
}

/// A column of the full-text table: terms with their scope.
fn terms(text: &str, suffix: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for term in tokenize::terms(text) {
        out.push_str(&term);
        out.push_str(suffix);
        out.push(' ');
    }
    out
}
