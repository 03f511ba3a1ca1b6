//! Counts of everything in a workspace, as far as an audience sees it.
//!
//! **Invariant.** As in [`crate::reader`]: everything that is counted passes [`seen_by`].

use std::collections::BTreeMap;

use memtape_core::{Audience, Category, Form, Lifetime, Point};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::reader::Reader;
use crate::rows::query_all;
use crate::visibility::{of_form, visible_at};

/// The number of facts with the same scope, lifetime and confidence.
#[derive(Clone, Debug, PartialEq)]
pub struct FactCount {
    /// Document 1's scope: a lifetime or a topic, as entered.
    pub scope: Option<String>,
    /// The lifetime of the facts.
    pub lifetime: Lifetime,
    /// Their confidence in tenths, rounded down: 9 for at least 0.9 and less than 1.
    pub tenths: u8,
    /// The number of facts.
    pub count: u64,
}

/// Counts of everything in a workspace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Number of entries up to the point.
    pub entries: u64,
    /// Number of groups that changed a view, on any branch.
    pub commits: u64,
    /// Number of turns.
    pub turns: u64,
    /// Number of conversations with an entry.
    pub sessions: u64,
    /// Number of visible memories, by the name of the form.
    pub memories: BTreeMap<&'static str, u64>,
    /// Number of visible facts, by their common properties.
    pub facts: Vec<FactCount>,
    /// Number of visible statements, by category.
    pub statements: BTreeMap<Category, u64>,
    /// Number of ledger events, by name.
    pub events: BTreeMap<String, u64>,
}

impl Reader<'_> {
    /// Returns the counts at a point, of what an audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn stats(&self, audience: &Audience, point: &Point) -> Result<Stats> {
        let owner = Confidential::ToOwner;
        let entries = seen_by(self.conn, audience, owner, &self.workspace(), Rows::Entries)?;
        let memories = seen_by(self.conn, audience, owner, &self.workspace(), Rows::Memories)?;
        let shows = format!("{} AND {memories}", visible_at(self.conn, point)?);
        let last = point.entry();
        let count =
            |sql: &str| -> Result<u64> { Ok(self.conn.prepare(sql)?.query_row([], |row| row.get(0))?) };
        let mut stats = Stats {
            entries: count(&format!("SELECT count(*) FROM entries e WHERE e.id <= {last} AND {entries}"))?,
            commits: self.commit_count(audience, last)?,
            sessions: count(&format!(
                "SELECT count(DISTINCT e.session) FROM entries e WHERE e.id <= {last} AND {entries}"
            ))?,
            turns: count(&format!(
                "SELECT count(*) FROM entries e WHERE e.name = 'turn.begin' AND e.kind = 'event' AND e.id <= {last}
                   AND {entries}"
            ))?,
            facts: self.fact_counts(&shows)?,
            ..Stats::default()
        };
        for form in Form::all() {
            let n =
                count(&format!("SELECT count(*) FROM memories m WHERE {} AND {shows}", of_form("m", form)))?;
            stats.memories.insert(form.as_str(), n);
        }
        let by_category = format!(
            "SELECT m.category, count(*) FROM memories m WHERE {} AND m.category IS NOT NULL AND {shows}
             GROUP BY m.category",
            of_form("m", Form::STATEMENTS)
        );
        for (category, n) in self.counts(&by_category)? {
            stats.statements.extend(category.parse().ok().map(|category: Category| (category, n)));
        }
        stats.events.extend(self.counts(&format!(
            "SELECT e.name, count(*) FROM entries e WHERE e.name >= 'ledger.' AND e.name < 'ledger/' AND e.kind = 'event'
             AND e.id <= {last} AND {entries} GROUP BY e.name"
        ))?);
        Ok(stats)
    }

    /// Returns the size in bytes of the lines of the entries that an audience sees, up to a point.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn bytes_seen(&self, audience: &Audience, point: &Point) -> Result<u64> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let last = point.entry();
        let sql = format!("SELECT coalesce(sum(e.length), 0) FROM entries e WHERE e.id <= {last} AND {seen}");
        Ok(self.conn.prepare(&sql)?.query_row([], |row| row.get(0))?)
    }

    fn counts(&self, sql: &str) -> Result<Vec<(String, u64)>> {
        query_all(&mut self.conn.prepare(sql)?, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn fact_counts(&self, shows: &str) -> Result<Vec<FactCount>> {
        let sql = format!(
            "SELECT json_extract(m.data, '$.scope'), m.lifetime, CAST(coalesce(m.confidence, 0) * 10 + 1e-9 AS INTEGER),
                    count(*)
             FROM memories m WHERE {} AND {shows} GROUP BY 1, 2, 3",
            of_form("m", Form::LEDGER)
        );
        query_all(&mut self.conn.prepare(&sql)?, [], |row| {
            let lifetime: Option<String> = row.get(1)?;
            Ok(FactCount {
                scope: row.get(0)?,
                lifetime: lifetime.and_then(|lifetime| lifetime.parse().ok()).unwrap_or_default(),
                tenths: row.get(2)?,
                count: row.get(3)?,
            })
        })
    }
}
