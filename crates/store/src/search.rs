//! Finding memories by words.
//!
//! Candidates come from FTS5 in the order of their score; each is looked up and tested before any limit
//! counts, so that nothing invisible takes a place. Terms carry their scope: a question to one scope costs
//! what that scope holds, and its statistics are that scope's own.

use memtape_core::recall::tokenize;
use memtape_core::{Audience, Form, Memory, Point};
use rusqlite::OptionalExtension as _;

use crate::audience::{Confidential, scopes, seen_by};
use crate::error::Result;
use crate::reader::{Reader, SELECT_MEMORY, read_memory, visible_at};
use crate::words::{self, scope_suffix};

/// How much a hit counts in a memory's own words, in the message before it, and in its day (measured on
/// conversations; the weights of `bm25`).
const WEIGHTS: &str = "1.0, 0.3, 0.5";

/// What is searched for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Words, in any language.
    pub query: String,
    /// Who asks.
    pub audience: Audience,
    /// Of these forms; of all, where there are none.
    pub forms: Vec<Form>,
    /// At most so many.
    pub limit: usize,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// The query holds no word to look for.
    NoWords,
    /// What was looked for, and what was found.
    Hits {
        /// Memories with their score by BM25 (greater is better), best first.
        hits: Vec<(Memory, f64)>,
        /// How many terms were looked for.
        terms: usize,
    },
}

impl Reader<'_> {
    /// Searches by words.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn search(&self, search: &Search, point: &Point) -> Result<Found> {
        let terms = tokenize::query_terms(&search.query);
        if terms.is_empty() {
            return Ok(Found::NoWords);
        }
        if self.in_command {
            words::add(self.conn)?;
        }
        let Some(matching) = self.match_text(&terms, &search.audience)? else {
            return Ok(Found::Hits { hits: Vec::new(), terms: terms.len() });
        };
        let mut candidates = self.conn.prepare_cached(&format!(
            "SELECT rowid, bm25(memories_fts, {WEIGHTS}) AS score FROM memories_fts
             WHERE memories_fts MATCH ?1 AND rowid < ?2 ORDER BY score, rowid DESC"
        ))?;
        let seen = seen_by(self.conn, &search.audience, Confidential::Hidden, &self.workspace(), "m")?;
        let look_up =
            format!("{SELECT_MEMORY} WHERE m.id = ?1 AND {} AND {seen}", visible_at(self.conn, point)?);
        let mut look_up = self.conn.prepare(&look_up)?;
        let end = memtape_core::MemoryId::new(point.entry() + 1, 0).number();
        let mut rows = candidates.query((&matching, end))?;
        let mut hits = Vec::new();
        while hits.len() < search.limit
            && let Some(row) = rows.next()?
        {
            let (id, score): (u64, f64) = (row.get(0)?, row.get(1)?);
            let memory = look_up.query_row([id], read_memory).optional()?;
            let wanted = |memory: &Memory| search.forms.is_empty() || search.forms.contains(&memory.form);
            if let Some(memory) = memory.filter(wanted) {
                hits.push((memory, -score));
            }
        }
        Ok(Found::Hits { hits, terms: terms.len() })
    }

    /// The terms as an FTS5 query: any of them, in any of the audience's scopes. `None` where the audience has
    /// no scope that holds anything.
    ///
    /// Terms hold no quote (see [`tokenize`]), so nothing in a query can be an operator.
    fn match_text(&self, terms: &[String], audience: &Audience) -> Result<Option<String>> {
        let suffixes = match scopes(self.conn, audience, &self.workspace())? {
            None => vec!["|\" *".to_owned()],
            Some(scopes) => {
                scopes.iter().map(|scope| format!("{}\"", scope_suffix(scope.number))).collect::<Vec<_>>()
            }
        };
        let any: Vec<_> =
            terms.iter().flat_map(|term| suffixes.iter().map(move |s| format!("\"{term}{s}"))).collect();
        Ok((!any.is_empty()).then(|| any.join(" OR ")))
    }
}
