//! Finds memories by their words and by their meaning.
//!
//! Candidates by words come from the full-text table, ordered by score ([`crate::bm25`]). Candidates by
//! meaning come from a scan of vectors, ordered by similarity. Each candidate is looked up and tested before
//! any limit counts, so that an invisible memory, or one that the audience does not see, takes no place.
//! Terms include their scope: a query of one scope costs only what that scope contains, and uses the
//! statistics of that scope. The ranking of candidates is not decided here: see
//! [`memtape_core::recall::rank`].

use std::collections::BTreeSet;

use jiff::Timestamp;
use memtape_core::forms::messages::entry::MessageData;
use memtape_core::recall::rank::Candidate;
use memtape_core::recall::vector::Vector;
use memtape_core::{Audience, Category, Form, Layer, Memory, MemoryId, Point};
use rusqlite::{Row, params};

use crate::audience::{Confidential, Rows, SeenScope, scopes, seen_by};
use crate::bm25;
use crate::error::Result;
use crate::prepared::At;
use crate::reader::Reader;
use crate::rows::{SELECT_MEMORY, in_categories, micros, read_memory};
use crate::turns::RetractedMessages;
use crate::vectors::{Model, Nearness};
use crate::visibility::visible_at_bound;

/// The characters of a blank text, such as the part of a note before its first heading. Such a text answers nothing,
/// unless it is a message: that of a picture has a caption.
const BLANKS: &str = "' ' || char(9, 10, 13)";

/// A filter on the memories to search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Who asks.
    pub audience: Audience,
    /// Only of these forms; of all forms, if empty.
    pub forms: Vec<Form>,
    /// Only in one of these categories; in any category, if empty.
    pub categories: Vec<Category>,
    /// Maximum number of candidates by words, and of candidates by meaning.
    pub limit: usize,
    /// Whether to include only memories that may enter a prompt unasked: neither from a tool or a page, nor
    /// quarantined.
    pub unasked: bool,
    /// Only last said or recorded at or after this instant.
    pub since: Option<Timestamp>,
    /// Memories to exclude.
    pub without: BTreeSet<MemoryId>,
}

/// A search at a point.
pub struct Searcher<'a> {
    reader: &'a Reader<'a>,
    search: &'a Search,
    /// The scopes that are searched; `None` means all.
    scopes: Option<Vec<SeenScope>>,
    /// The first memory that was created after the point.
    end: MemoryId,
    look_up: At<'a>,
    retracted: RetractedMessages<'a>,
}

impl<'a> Reader<'a> {
    /// Begins a search at a point.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn searcher(&'a self, search: &'a Search, point: &'a Point) -> Result<Searcher<'a>> {
        let workspace = self.workspace();
        let seen = seen_by(self.conn, &search.audience, Confidential::Hidden, &workspace, Rows::Memories)?;
        let visible = visible_at_bound(self.conn, point)?;
        let forms: Vec<_> = search.forms.iter().map(|form| format!("'{}'", form.as_str())).collect();
        let wanted = if forms.is_empty() { "1".into() } else { format!("m.form IN ({})", forms.join(", ")) };
        let about = in_categories(&search.categories);
        let unasked = match search.unasked {
            true => "m.quarantined IS NULL AND coalesce(m.origin, '') NOT IN ('tool', 'web')",
            false => "1",
        };
        let since = search.since.map_or_else(
            || "1".to_owned(),
            |since| format!("coalesce(m.said_at, m.created_at) >= {}", since.as_microsecond()),
        );
        let look_up = format!(
            "SELECT m.form, m.session, m.previous, m.scope, m.importance, coalesce(m.said_at, m.created_at), m.data,
                    m.text GLOB '*[?？؟]*', (SELECT sz FROM memories_fts_docsize WHERE id = m.id)
             FROM memories m WHERE m.id = ?1 AND {visible} AND {seen} AND {wanted} AND {about} AND {unasked} AND {since}
               AND NOT (m.form = 'blocks' AND ({NO_FINDING}))
               AND (m.form = 'messages' OR trim(m.text, {BLANKS}) <> '')"
        );
        Ok(Searcher {
            reader: self,
            search,
            scopes: scopes(self.conn, &search.audience, &workspace)?,
            end: MemoryId::new(point.entry() + 1, 0),
            look_up: self.at(&look_up, point)?,
            retracted: self.retracted(point),
        })
    }

    /// Returns memories by their ids, in the order of the ids.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails, or if there is no memory with one of the ids.
    pub fn by_ids(&self, ids: impl IntoIterator<Item = MemoryId>) -> Result<Vec<Memory>> {
        let mut statement = self.conn.prepare_cached(&format!("{SELECT_MEMORY} WHERE m.id = ?1"))?;
        ids.into_iter().map(|id| Ok(statement.query_row([id.number()], read_memory)?)).collect()
    }
}

/// SQL for the blocks that no search returns: empty ones, and those that wait for the owner's approval, whose
/// keys are [`memtape_core::forms::blocks::BlockName::proposed`].
const NO_FINDING: &str = "m.text = '' OR m.key GLOB 'proposed/*'";

/// How many times the limit of a search is sorted before all that match are.
const SPARE: usize = 4;

impl Searcher<'_> {
    /// Returns the reader of the search.
    #[must_use]
    pub fn reader(&self) -> &Reader<'_> {
        self.reader
    }

    /// Returns the retracted messages.
    #[must_use]
    pub fn retracted(&self) -> &RetractedMessages<'_> {
        &self.retracted
    }

    /// Returns the memories that contain any of some terms, best first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn by_words(&mut self, terms: &[String]) -> Result<Vec<Candidate>> {
        let Some(scopes) = &self.scopes else { return self.by_words_of_all(terms) };
        let scopes: BTreeSet<i64> = scopes.iter().map(|scope| scope.number).collect();
        let scopes: Vec<i64> = scopes.into_iter().collect();
        let mut found = Vec::new();
        let mut ranked = bm25::ranked(self.reader.conn, &scopes, terms, self.end.number())?;
        while found.len() < self.search.limit
            && let Some((id, words)) = ranked.next()?
        {
            if let Some(candidate) = self.look_up(id)? {
                found.push(Candidate { words, ..candidate });
            }
        }
        Ok(found)
    }

    /// Does the same over all scopes: FTS5's own statistics are then those of what is searched.
    fn by_words_of_all(&mut self, terms: &[String]) -> Result<Vec<Candidate>> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        // The audience usually sees enough of the best ones.
        let most = i64::try_from(self.search.limit.saturating_mul(SPARE)).unwrap_or(i64::MAX);
        let (found, passed) = self.best_of_all(terms, most)?;
        if found.len() == self.search.limit || passed < most {
            return Ok(found);
        }
        Ok(self.best_of_all(terms, i64::MAX)?.0)
    }

    /// Returns those of the best `most` matches that may be found, up to the limit of the search, and how many matches were
    /// looked up for them. SQLite sorts in little memory what has a limit.
    fn best_of_all(&mut self, terms: &[String], most: i64) -> Result<(Vec<Candidate>, i64)> {
        // Terms contain no quotation mark (see [`memtape_core::recall::tokenize`]), so no part of a query can
        // be an operator.
        let any: Vec<_> = terms.iter().map(|term| format!("\"{term}|\" *")).collect();
        let weights = bm25::WEIGHTS.map(|(_, weight)| weight.to_string()).join(", ");
        let mut ranked = self.reader.conn.prepare_cached(&format!(
            "SELECT rowid, bm25(memories_fts, {weights}) AS score FROM memories_fts
             WHERE memories_fts MATCH ?1 AND rowid < ?2 ORDER BY score, rowid DESC LIMIT ?3"
        ))?;
        let mut rows = ranked.query(params![any.join(" OR "), self.end.number(), most])?;
        let (mut found, mut passed) = (Vec::new(), 0);
        while found.len() < self.search.limit
            && let Some(row) = rows.next()?
        {
            let (id, score): (u64, f64) = (row.get(0)?, row.get(1)?);
            passed += 1;
            if let Some(candidate) = self.look_up(id)? {
                found.push(Candidate { words: -score, ..candidate });
            }
        }
        Ok((found, passed))
    }

    /// Adds the memories that are nearest to a query to `candidates`, and sets for every candidate how near
    /// it is.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn by_meaning(
        &mut self,
        model: &Model,
        question: &Vector,
        candidates: &mut Vec<Candidate>,
    ) -> Result<()> {
        let scopes: Option<Vec<i64>> =
            self.scopes.as_ref().map(|scopes| scopes.iter().map(|scope| scope.number).collect());
        let near = Nearness::scan(self.reader.conn, model, question, scopes.as_deref())?;
        let known: BTreeSet<MemoryId> = candidates.iter().map(|c| c.id).collect();
        let mut found = 0;
        for (id, _) in near.nearest(self.end) {
            if found == self.search.limit {
                break;
            }
            if known.contains(&MemoryId::from_number(id)) {
                found += 1;
            } else if let Some(candidate) = self.look_up(id)? {
                candidates.push(candidate);
                found += 1;
            }
        }
        for candidate in candidates {
            candidate.cosine = near.of(candidate.id).map(f64::from);
        }
        Ok(())
    }

    /// Returns what the ranking needs of a memory; `None` if the search excludes it.
    fn look_up(&mut self, id: u64) -> Result<Option<Candidate>> {
        if self.search.without.contains(&MemoryId::from_number(id)) {
            return Ok(None);
        }
        let scopes = &self.scopes;
        let read = |row: &Row<'_>| {
            let form: String = row.get(0)?;
            let form: Form = form.parse().unwrap_or(Form::MESSAGES);
            let scope: i64 = row.get(3)?;
            let of_user = scopes.as_ref().is_some_and(|scopes| {
                scopes.iter().any(|seen| seen.number == scope && seen.layer == Layer::User)
            });
            Ok(Candidate {
                id: MemoryId::from_number(id),
                form,
                words: 0.0,
                cosine: None,
                length: row.get_ref(8)?.as_blob_or_null()?.map_or(0, bm25::own_length),
                asks: row.get(7)?,
                is_no_answer: false,
                previous: row.get::<_, Option<u64>>(2)?.map(MemoryId::from_number),
                // Only a message is ranked with the other messages of its conversation.
                session: if form == Form::MESSAGES { row.get(1)? } else { None },
                speaker: match form {
                    Form::MESSAGES => speaker(row.get_ref(6)?.as_str_or_null()?),
                    _ => None,
                },
                of_user,
                importance: row.get(4)?,
                said_at: micros(row.get(5)?),
            })
        };
        self.look_up.first(&[&id], read)
    }
}

/// Returns the name of a message's author, if one is recorded. A role is not a name.
fn speaker(data: Option<&str>) -> Option<String> {
    serde_json::from_str::<MessageData>(data?).ok()?.name
}
