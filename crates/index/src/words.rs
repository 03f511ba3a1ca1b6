//! Adds the words of memories to the full-text table.

use memtape_core::Sensitivity;
use memtape_core::recall::tokenize;
use rusqlite::{Connection, params};

use crate::error::Result;

/// Approximate number of bytes of a text that are tokenized at a time, because terms take many times the
/// space of their text.
const PIECE: usize = 1 << 16;

/// The terms of a text, each followed by a space.
#[derive(Clone, Default)]
pub(crate) struct Terms(String);

impl Terms {
    pub(crate) fn of(text: &str) -> Self {
        let mut terms = String::with_capacity(text.len() + text.len() / 4);
        for piece in pieces(text) {
            for term in tokenize::terms(piece) {
                terms.push_str(&term);
                terms.push(' ');
            }
        }
        Self(terms)
    }

    /// Returns the terms of a message's own words, and those of its text.
    ///
    /// Own words usually are the speaker and the text. No term crosses white space, so the terms of the text are the
    /// last ones of the own words, and the text, which is most of the work, is read once.
    pub(crate) fn of_message(own: &str, text: &str) -> (Self, Self) {
        let of_text = Self::of(text);
        let of_own = match own.strip_suffix(text) {
            Some(speaker) if speaker.ends_with(' ') => Self(Self::of(speaker).0 + &of_text.0),
            _ => Self::of(own),
        };
        (of_own, of_text)
    }

    /// Returns a column of the full-text table: the terms with their scope. Adds their number to `count`.
    fn column(&self, suffix: &str, count: &mut u64) -> String {
        let mut column = String::with_capacity(self.0.len() * 2);
        for term in self.0.split_terminator(' ') {
            column.push_str(term);
            column.push_str(suffix);
            column.push(' ');
            *count += 1;
        }
        column
    }
}

/// What a memory is found by, a column of the full-text table each.
pub(crate) struct Columns<'t> {
    /// Its own words.
    pub(crate) own: &'t Terms,
    /// The words of the message before it.
    pub(crate) previous: Option<&'t Terms>,
    /// The words of its day.
    pub(crate) day: Option<&'t Terms>,
}

/// Adds the words of a memory of a scope, in the running transaction.
///
/// Those of a confidential one have another suffix and are not counted, so that they change no score of what an audience
/// is shown.
pub(crate) fn add(
    conn: &Connection,
    memory: u64,
    scope: i64,
    sensitivity: Sensitivity,
    columns: &Columns<'_>,
) -> Result<()> {
    let is_confidential = sensitivity == Sensitivity::Confidential;
    let suffix = if is_confidential { confidential_suffix(scope) } else { scope_suffix(scope) };
    let mut count = 0;
    let own = columns.own.column(&suffix, &mut count);
    let mut column = |terms: Option<&Terms>| terms.map(|terms| terms.column(&suffix, &mut count));
    let (previous, day) = (column(columns.previous), column(columns.day));
    conn.prepare_cached("INSERT INTO memories_fts(rowid, self, prev, day) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![memory, own, previous, day])?;
    if is_confidential {
        return Ok(());
    }
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

/// Returns the suffix of the terms of a scope's confidential memories. No number in hex begins with this letter.
fn confidential_suffix(scope: i64) -> String {
    format!("|x{scope:x}")
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

    #[test]
    fn the_text_of_a_message_has_the_same_terms_after_its_speaker() {
        for speaker in ["user", "Ana", "don't", "日本", "a.b"] {
            for text in
                ["", "'s", "\u{301}a", "\u{200d}🦀 x", "b:c", " 7:30", "ไทย don't", "-x", "1,000 FooBar"]
            {
                for text in [text, &format!("{text} x"), &format!("x {text}")] {
                    let own = format!("{speaker}: {text}");
                    let (of_own, of_text) = Terms::of_message(&own, text);
                    assert_eq!((of_own.0, of_text.0), (Terms::of(&own).0, Terms::of(text).0), "{own:?}");
                }
            }
        }
        // An image is a part of the own words only.
        assert_eq!(Terms::of_message("user: a b.png", "a").0.0, Terms::of("user: a b.png").0);
    }
}
