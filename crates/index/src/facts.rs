//! Queries of the ledger: the parent of the next commit, pending observations, and facts by their event ids.

use memtape_core::forms::ledger::Observation;
use memtape_core::{Audience, Form, Memory, MemoryId, Point, Ref, Sensitivity, Session};
use memtape_tape::EntryId;
use rusqlite::OptionalExtension as _;

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::history::created_within;
use crate::reader::Reader;
use crate::rows::{SELECT_MEMORY, number_of, query_all, read_memory};
use crate::visibility::of_form;

/// Number of hex digits in the id of an event, and in the key of a fact.
const ID_DIGITS: usize = 16;

impl Reader<'_> {
    /// Returns the id of the last commit that has one on the lineage of a point; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn last_commit(&self, point: &Point) -> Result<Option<String>> {
        let mut last: Option<(EntryId, String)> = None;
        let mut newest = self.conn.prepare_cached(
            "SELECT entry, id FROM commits WHERE branch = ?1 AND entry <= ?2 AND id IS NOT NULL
             ORDER BY entry DESC LIMIT 1",
        )?;
        for (branch, entry) in point.lineage.steps() {
            let Some(number) = number_of(self.conn, "branches", branch)? else { continue };
            let found = newest.query_row((number, entry), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            last = last.max(found);
        }
        Ok(last.map(|(_, id)| id))
    }

    /// Returns every version of the facts of a subject and a predicate
    /// ([`memtape_core::forms::ledger::entry::about`]) on the lineage of a point, oldest first, of those that
    /// an audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn versions_about(&self, about: &str, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let created = created_within(self.conn, &point.lineage)?;
        let sql = format!("{SELECT_MEMORY} WHERE m.about = ?1 AND {seen} AND {created} ORDER BY m.id");
        query_all(&mut self.conn.prepare(&sql)?, [about], read_memory)
    }

    /// Returns the observations that are neither committed nor undone at a point, on its branch, of one conversation or of
    /// all; oldest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn observations_waiting(&self, session: Option<&Session>, point: &Point) -> Result<Vec<Observation>> {
        let Some(branch) = number_of(self.conn, "branches", point.branch())? else { return Ok(Vec::new()) };
        let session = match session {
            Some(session) => match self.session_number(session)? {
                Some(number) => Some(number),
                None => return Ok(Vec::new()),
            },
            None => None,
        };
        // At the head no later commit exists.
        let waits = match point.entry() >= self.head() {
            true => "o.committed IS NULL",
            false => "(o.committed IS NULL OR o.committed > ?2)",
        };
        let sql = format!(
            "SELECT o.entry, o.event, s.name, CASE c.layer WHEN 'global' THEN NULL ELSE c.name END, e.sensitivity
             FROM observations o JOIN entries e ON e.id = o.entry JOIN scopes c ON c.id = e.scope
             LEFT JOIN sessions s ON s.id = o.session
             WHERE o.branch = ?1 AND o.entry <= ?2 AND {waits} AND (?3 IS NULL OR o.session = ?3) ORDER BY o.entry"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let observations = query_all(&mut statement, (branch, point.entry(), session), |row| {
            let sensitivity: Option<String> = row.get(4)?;
            let sensitivity = sensitivity.map(|text| text.parse().unwrap_or(Sensitivity::Confidential));
            Ok(Observation {
                entry: row.get(0)?,
                event: row.get(1)?,
                session: row.get(2)?,
                scope: row.get(3)?,
                sensitivity: sensitivity.unwrap_or_default(),
            })
        })?;
        let mut waiting = Vec::new();
        for observation in observations {
            if !self.is_reversed(self.end_of_group(observation.entry)?, branch, point.entry())? {
                waiting.push(observation);
            }
        }
        Ok(waiting)
    }

    /// Returns how many turns of a conversation were closed after an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn turns_since(&self, session: &Session, entry: EntryId) -> Result<u64> {
        let Some(number) = self.session_number(session)? else { return Ok(0) };
        let sql = "SELECT count(*) FROM turns WHERE closed > ?1 AND session = ?2";
        Ok(self.conn.prepare_cached(sql)?.query_row((entry, number), |row| row.get(0))?)
    }

    /// Resolves a ref whose key is the id of an event: it then names the version of the fact that this event
    /// created. Any other ref is returned unchanged.
    pub(crate) fn unaliased(&self, reference: &Ref) -> Result<Ref> {
        let Ref { form: Form::LEDGER, key, entry: None } = reference else { return Ok(reference.clone()) };
        let is_id = key.len() == ID_DIGITS && key.bytes().all(|b| b.is_ascii_hexdigit());
        let of_ledger = of_form("m", Form::LEDGER);
        let is_key = format!("SELECT 1 FROM memories m WHERE m.key = ?1 AND {of_ledger}");
        if !is_id || self.conn.prepare_cached(&is_key)?.exists([key])? {
            return Ok(reference.clone());
        }
        let named: Option<(String, u64)> = self
            .conn
            .prepare_cached(&format!(
                "SELECT m.key, m.id FROM memories m WHERE {of_ledger}
                 AND json_extract(m.data, '$.event') = ?1 ORDER BY m.id LIMIT 1"
            ))?
            .query_row([key.to_ascii_lowercase()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        Ok(named.map_or_else(
            || reference.clone(),
            |(key, id)| Ref { form: Form::LEDGER, key, entry: Some(MemoryId::from_number(id).entry()) },
        ))
    }
}
