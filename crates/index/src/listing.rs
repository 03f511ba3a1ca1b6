//! Lists memories of every form a page at a time, newest first.
//!
//! **Invariants.** As in [`crate::reader`]: visibility and audience are applied before the limit. A page begins after
//! the last memory of the page before it, so it costs the same however many precede it.

use std::fmt::Write as _;

use jiff::Timestamp;
use memtape_core::{Audience, Form, Layer, Memory, MemoryId, Origin, Point};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::reader::Reader;
use crate::rows::{SELECT_MEMORY, id_value, query_all, read_memory};
use crate::visibility::{known, visible_at};

/// The number of memories of a form up to which it is faster to sort them than to walk through all forms.
const FEW: usize = 5000;

/// Which memories to list, a page at a time. Every condition that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct MemoryFilter {
    /// The audience of the query.
    pub audience: Audience,
    /// Only of this form; `None` means every form but messages.
    pub form: Option<Form>,
    /// Only in scopes of this kind.
    pub layer: Option<Layer>,
    /// Only of this scope, by its text ([`Memory::scope`]).
    pub scope: Option<String>,
    /// Only of this origin.
    pub origin: Option<Origin>,
    /// Only last said or recorded at or after this instant.
    pub since: Option<Timestamp>,
    /// Only last said or recorded before this instant.
    pub until: Option<Timestamp>,
    /// Only with a confidence below this value.
    pub confidence_below: Option<f64>,
    /// Only with at least this confidence.
    pub confidence_min: Option<f64>,
    /// Only those that are quarantined.
    pub is_quarantined: bool,
    /// Only with all of these terms ([`memtape_core::recall::tokenize`]).
    pub terms: Vec<String>,
    /// Only created before this one: the last memory of the previous page.
    pub before: Option<MemoryId>,
    /// Maximum number of memories.
    pub limit: usize,
}

impl Reader<'_> {
    /// Returns the memories at a point that match a filter, newest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn newest_first(&self, filter: &MemoryFilter, point: &Point) -> Result<Vec<Memory>> {
        let mut values = Vec::new();
        let conditions = self.conditions(filter, point, &mut values)?;
        let source = self.source(filter, &mut values)?;
        let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
        let sql = format!(
            "{SELECT_MEMORY} WHERE m.id IN (SELECT m.id FROM {source} AND {conditions} ORDER BY m.id DESC LIMIT {limit})
             ORDER BY m.id DESC"
        );
        query_all(&mut self.conn.prepare(&sql)?, params_from_iter(values), read_memory)
    }

    /// Returns the conditions of a filter as SQL.
    fn conditions(&self, filter: &MemoryFilter, point: &Point, values: &mut Vec<Value>) -> Result<String> {
        let confidential = Confidential::ToOwner;
        let seen = seen_by(self.conn, &filter.audience, confidential, &self.workspace(), Rows::Memories)?;
        let mut sql = format!("{} AND {seen}", visible_at(self.conn, point)?);
        match filter.form {
            Some(form) => {
                let _ = write!(sql, " AND m.form = '{form}'");
            }
            None => sql.push_str(" AND m.form <> 'messages'"),
        }
        if let Some(layer) = filter.layer {
            let layer = layer.as_str();
            let _ = write!(sql, " AND m.scope IN (SELECT id FROM scopes WHERE layer = '{layer}')");
        }
        if filter.is_quarantined {
            sql.push_str(" AND m.quarantined IS NOT NULL");
        }
        let mut bind = |condition: &str, value: Value| {
            values.push(value);
            let _ = write!(sql, " AND {condition} ?{}", values.len());
        };
        if let Some(scope) = &filter.scope {
            bind("(SELECT name FROM scopes WHERE id = m.scope) =", scope.clone().into());
        }
        if let Some(origin) = filter.origin {
            bind("m.origin =", origin.as_str().to_owned().into());
        }
        if let Some(since) = filter.since {
            bind("coalesce(m.said_at, m.created_at) >=", since.as_microsecond().into());
        }
        if let Some(until) = filter.until {
            bind("coalesce(m.said_at, m.created_at) <", until.as_microsecond().into());
        }
        if let Some(confidence) = filter.confidence_below {
            bind("m.confidence <", confidence.into());
        }
        if let Some(confidence) = filter.confidence_min {
            bind("m.confidence >=", confidence.into());
        }
        let end = MemoryId::new(point.entry() + 1, 0);
        bind("m.id <", id_value(filter.before.map_or(end, |before| before.min(end))));
        Ok(sql)
    }

    /// Returns the tables to read, with the index that finds the newest matches first, and a first condition.
    fn source(&self, filter: &MemoryFilter, values: &mut Vec<Value>) -> Result<String> {
        if !filter.terms.is_empty() {
            // Terms contain no quotation mark, so no part of them can be an operator. A term ends with its scope.
            let all: Vec<_> = filter.terms.iter().map(|term| format!("\"{term}|\" *")).collect();
            values.push(format!("{{self}} : ({})", all.join(" AND ")).into());
            // The order of the full-text table is that of the memories; `CROSS JOIN` makes SQLite read it first.
            let n = values.len();
            return Ok(format!(
                "memories_fts f CROSS JOIN memories m ON m.id = f.rowid WHERE f.rowid > 0 AND memories_fts MATCH ?{n}"
            ));
        }
        if filter.is_quarantined {
            // Few of them are, of whatever form.
            return Ok("memories m INDEXED BY m_quarantined WHERE m.quarantined IS NOT NULL".to_owned());
        }
        Ok(match filter.form {
            Some(Form::MESSAGES) => "memories m NOT INDEXED WHERE 1".to_owned(),
            Some(form) if is_rare(self.conn, form)? => {
                format!("memories m INDEXED BY m_slot WHERE {}", known("m"))
            }
            _ => format!("memories m INDEXED BY m_known WHERE {}", known("m")),
        })
    }
}

/// Returns whether few memories, current or not, are of a form.
fn is_rare(conn: &Connection, form: Form) -> Result<bool> {
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM memories m WHERE m.form = ?1 AND {} LIMIT {FEW})",
        known("m")
    );
    let count: usize = conn.prepare_cached(&sql)?.query_row([form.as_str()], |row| row.get(0))?;
    Ok(count < FEW)
}
