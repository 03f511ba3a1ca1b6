//! How much there is of everything, as far as an audience sees it.
//!
//! **Invariant.** As in [`crate::reader`]: what is counted goes through [`seen_by`].

use std::collections::BTreeMap;

use memtape_core::{Audience, Category, Form, Lifetime, Point};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::visibility::{of_form, visible_at};

/// Facts that have these things in common, and how many they are.
#[derive(Clone, Debug, PartialEq)]
pub struct FactCount {
    /// Document 1's scope: a lifetime or a topic, as it was given.
    pub scope: Option<String>,
    /// How long they live.
    pub lifetime: Lifetime,
    /// How sure they are, in tenths: 9 for what is at least 0.9 and below 1.
    pub tenths: u8,
    /// How many.
    pub count: u64,
}

/// How much there is of everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Entries up to the point.
    pub entries: u64,
    /// Groups that changed a view, on any branch.
    pub commits: u64,
    /// Conversations that an entry belongs to.
    pub sessions: u64,
    /// Memories that show of each form.
    pub memories: BTreeMap<&'static str, u64>,
    /// Facts that show.
    pub facts: Vec<FactCount>,
    /// Statements that show.
    pub statements: BTreeMap<Category, u64>,
    /// The ledger's events, by their names.
    pub events: BTreeMap<String, u64>,
}

impl Reader<'_> {
    /// How much there is at a point, of what an audience sees.
    ///
    /// # Errors
    /// What SQLite says.
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

    /// Bytes of the lines of the entries that an audience sees, up to a point.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn bytes_seen(&self, audience: &Audience, point: &Point) -> Result<u64> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let last = point.entry();
        let sql = format!("SELECT coalesce(sum(e.length), 0) FROM entries e WHERE e.id <= {last} AND {seen}");
        Ok(self.conn.prepare(&sql)?.query_row([], |row| row.get(0))?)
    }

    fn counts(&self, sql: &str) -> Result<Vec<(String, u64)>> {
        let mut statement = self.conn.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    fn fact_counts(&self, shows: &str) -> Result<Vec<FactCount>> {
        let sql = format!(
            "SELECT json_extract(m.data, '$.scope'), m.lifetime, CAST(coalesce(m.confidence, 0) * 10 + 1e-9 AS INTEGER),
                    count(*)
             FROM memories m WHERE {} AND {shows} GROUP BY 1, 2, 3",
            of_form("m", Form::LEDGER)
        );
        let mut statement = self.conn.prepare(&sql)?;
        let rows = statement.query_map([], |row| {
            let lifetime: Option<String> = row.get(1)?;
            Ok(FactCount {
                scope: row.get(0)?,
                lifetime: lifetime.and_then(|lifetime| lifetime.parse().ok()).unwrap_or_default(),
                tenths: row.get(2)?,
                count: row.get(3)?,
            })
        })?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }
}
