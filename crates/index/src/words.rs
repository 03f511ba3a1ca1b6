//! Adds the words of memories to the full-text table.

use memtape_core::recall::tokenize;
use rusqlite::{Connection, params};

use crate::error::Result;

/// Approximate number of bytes of a text that are tokenized at a time, because terms take many times the
/// space of their text.
const PIECE: usize = 1 << 16;

/// The texts that a memory is found by, a column of the full-text table each.
pub(crate) struct Texts<'t> {
    /// Its own words.
    pub(crate) own: &'t str,
    /// The words of the message before it.
    pub(crate) previous: Option<&'t str>,
    /// The words of its day.
    pub(crate) day: Option<&'t str>,
}

/// Adds the words of a memory of a scope, in the running transaction.
pub(crate) fn add(conn: &Connection, memory: u64, scope: i64, texts: &Texts<'_>) -> Result<()> {
    let suffix = scope_suffix(scope);
    let mut count = 0;
    let own = terms(texts.own, &suffix, &mut count);
    let mut column = |text: Option<&str>| text.map(|text| terms(text, &suffix, &mut count));
    let (previous, day) = (column(texts.previous), column(texts.day));
    conn.prepare_cached("INSERT INTO memories_fts(rowid, self, prev, day) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![memory, own, previous, day])?;
    conn.prepare_cached(
        "INSERT INTO scope_words VALUES (?1, 1, ?2)
         ON CONFLICT(scope) DO UPDATE SET memories = memories + 1, terms = terms + ?2",
    )?
    .execute(params![scope, count])?;
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
