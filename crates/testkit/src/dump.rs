//! Dumps the whole content of an index as text that can be compared.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// The queries whose results must be equal in a rebuilt index. They include the locations of entries' lines,
/// but not how far the tape was known to be acknowledged (the floor).
const QUESTIONS: [&str; 17] = [
    "SELECT * FROM branches ORDER BY id",
    "SELECT * FROM sessions ORDER BY id",
    "SELECT * FROM scopes ORDER BY id",
    "SELECT * FROM entries ORDER BY id",
    "SELECT * FROM resets ORDER BY entry",
    "SELECT * FROM memories ORDER BY id",
    "SELECT * FROM retired ORDER BY memory, branch, entry",
    "SELECT * FROM switches ORDER BY entry",
    "SELECT * FROM commits ORDER BY entry",
    "SELECT * FROM merges ORDER BY entry",
    "SELECT * FROM conflicts ORDER BY entry, n",
    "SELECT * FROM settled ORDER BY entry, n, by",
    "SELECT * FROM turns ORDER BY begin",
    "SELECT * FROM recalls ORDER BY memory, entry",
    "SELECT segment, offset, entry, hash, date, line_segment, line_offset, line_length, first_hash FROM applied",
    "SELECT * FROM words ORDER BY term, doc, col, offset",
    "SELECT * FROM scope_words ORDER BY scope",
];

/// Returns every row of a workspace's index as text.
///
/// # Errors
/// [`rusqlite::Error`] if the index cannot be opened or read.
pub fn dump(dir: &Path) -> rusqlite::Result<String> {
    let conn = Connection::open(memtape_index::current_index(dir).unwrap_or_default())?;
    conn.execute_batch("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memories_fts, instance)")?;
    let mut out = String::new();
    for question in QUESTIONS {
        out.push_str(question);
        out.push('\n');
        let mut statement = conn.prepare(question)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                out.push('|');
                match row.get_ref(column)? {
                    ValueRef::Null => {}
                    ValueRef::Integer(n) => out.push_str(&n.to_string()),
                    ValueRef::Real(x) => out.push_str(&x.to_string()),
                    ValueRef::Text(text) => out.push_str(&String::from_utf8_lossy(text)),
                    ValueRef::Blob(bytes) => out.push_str(&format!("{bytes:?}")),
                }
            }
            out.push('\n');
        }
    }
    Ok(out)
}
