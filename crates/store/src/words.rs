//! Adds the words of memories to the full-text table.
//!
//! Each transaction that touches FTS5 writes several pages, however little it adds. Words are therefore added
//! for many memories at once: by the writer that finds enough of them pending, or by the next reader.
//!
//! **Invariant.** No words are pending when a query is answered.

use memtape_core::recall::tokenize;
use rusqlite::{Connection, params};

use crate::error::Result;
use crate::index::Index;

/// Maximum number of memories whose words may be pending after a write.
const WAITING_MAX: u64 = 32;
/// Approximate number of bytes of a text that are tokenized at a time, because terms take many times the
/// space of their text.
const PIECE: usize = 1 << 16;

/// Adds all pending words. For a reader.
pub(crate) fn read_all(index: &Index) -> Result<()> {
    if index.words_waiting()? == 0 {
        return Ok(());
    }
    let transaction = index.begin_write()?;
    add(&index.conn)?;
    transaction.commit()
}

/// Adds the pending words, if they belong to more than [`WAITING_MAX`] memories. For a writer, in its
/// transaction.
pub(crate) fn read_many(index: &Index) -> Result<()> {
    if index.words_waiting()? > WAITING_MAX { add(&index.conn) } else { Ok(()) }
}

/// Adds all pending words, in the running transaction.
pub(crate) fn add(conn: &Connection) -> Result<()> {
    let mut insert =
        conn.prepare_cached("INSERT INTO memories_fts(rowid, self, prev, day) VALUES (?1, ?2, ?3, ?4)")?;
    let mut counting = conn.prepare_cached(
        "INSERT INTO scope_words VALUES (?1, 1, ?2)
         ON CONFLICT(scope) DO UPDATE SET memories = memories + 1, terms = terms + ?2",
    )?;
    let mut unread =
        conn.prepare_cached("SELECT memory, scope, own, prev, day FROM unread ORDER BY memory")?;
    let mut rows = unread.query([])?;
    while let Some(row) = rows.next()? {
        let scope: i64 = row.get(1)?;
        let suffix = scope_suffix(scope);
        let mut count = 0;
        let mut column = |n: usize| -> rusqlite::Result<Option<String>> {
            Ok(row.get_ref(n)?.as_str_or_null()?.map(|text| terms(text, &suffix, &mut count)))
        };
        insert.execute(params![row.get::<_, u64>(0)?, column(2)?, column(3)?, column(4)?])?;
        counting.execute(params![scope, count])?;
    }
    conn.prepare_cached("DELETE FROM unread")?.execute([])?;
    Ok(())
}

/// Returns the suffix that marks a term as belonging to a scope.
pub(crate) fn scope_suffix(scope: i64) -> String {
    format!("|{scope:x}")
}

/// Returns a column of the full-text table: terms with their scope. Adds their number to `count`.
fn terms(text: &str, suffix: &str, count: &mut u64) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for piece in pieces(text) {
        for term in tokenize::terms(piece) {
            out.push_str(&term);
            out.push_str(suffix);
            out.push(' ');
            *count += 1;
        }
    }
    out
}

/// Splits a text into pieces that end at white space. No term crosses white space, so the pieces together
/// have the terms of the whole text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = rest.floor_char_boundary(PIECE);
        let end = rest[from..].find(char::is_whitespace).map_or(rest.len(), |space| from + space);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_long_text_have_the_terms_of_the_whole() {
        let line = "Ana's e-mail: a/b.rs,\u{2003}FooBar utf8 日本語 ไทย \u{301}é don't 7:30\r\n -_ 🦀 ";
        let long = line.repeat(3 * PIECE / line.len());
        let unbroken = "x".repeat(PIECE * 2) + " y";
        for text in ["", " ", "a", &long, &unbroken] {
            let terms: Vec<String> = pieces(text).flat_map(tokenize::terms).collect();
            assert_eq!(terms, tokenize::terms(text));
            assert_eq!(pieces(text).collect::<String>(), text);
        }
        assert!(pieces(&long).count() > 2);
        assert!(pieces(&long).all(|piece| piece.len() < PIECE + line.len()));
    }
}
