//! Counts of visible memories, whoever may see them: for the owner's `status`, and for commands that check
//! whether there is anything to do. Counts for an audience are in [`crate::stats`].

use std::collections::BTreeMap;

use memtape_core::{Category, Form, Point};

use crate::error::Result;
use crate::reader::Reader;
use crate::visibility::{of_form, visible, visible_at, visible_at_bound};

impl Reader<'_> {
    /// Returns how many memories of a form are visible.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn count(&self, form: Form, point: &Point) -> Result<u64> {
        let shown = visible_at_bound(self.conn, point)?;
        let sql = format!("SELECT count(*) FROM memories m WHERE {} AND {shown}", of_form("m", form));
        Ok(self.at(&sql, point)?.first(&[], |row| row.get(0))?.unwrap_or_default())
    }

    /// Returns whether any memory of a form is visible. Every command runs this query, so it is cheap.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn has_any(&self, form: Form, point: &Point) -> Result<bool> {
        // Most workspaces never had a memory of some forms.
        let ever = format!("SELECT 1 FROM memories m WHERE {}", of_form("m", form));
        if !self.conn.prepare_cached(&ever)?.exists([])? {
            return Ok(false);
        }
        let shown = visible_at_bound(self.conn, point)?;
        let sql = format!("SELECT 1 FROM memories m WHERE {} AND {shown}", of_form("m", form));
        self.at(&sql, point)?.exists(&[])
    }

    /// Returns how many statements are visible, by category.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn categories(&self, point: &Point) -> Result<BTreeMap<Category, u64>> {
        let sql = format!(
            "SELECT m.category, count(*) FROM memories m WHERE {} AND {} GROUP BY m.category",
            of_form("m", Form::STATEMENTS),
            visible_at(self.conn, point)?
        );
        let mut statement = self.conn.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut counts = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let category: Option<String> = row.get(0)?;
            let category = category.and_then(|category| category.parse().ok());
            if let Some(category) = category {
                counts.insert(category, row.get(1)?);
            }
        }
        Ok(counts)
    }

    /// Returns how many statements have expired at a point and were not removed up to it.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn expired_count(&self, point: &Point) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM memories m WHERE {} AND m.expires_at <= ?1 AND {}",
            of_form("m", Form::STATEMENTS),
            visible(self.conn, &point.lineage)?
        );
        Ok(self.conn.prepare(&sql)?.query_row([point.instant.as_microsecond()], |row| row.get(0))?)
    }

    /// Returns how many conversations have visible messages.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn conversations(&self, point: &Point) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM sessions s WHERE EXISTS
             (SELECT 1 FROM memories m WHERE m.session = s.id AND m.form = 'messages' AND {})",
            visible_at(self.conn, point)?
        );
        Ok(self.conn.prepare(&sql)?.query_row([], |row| row.get(0))?)
    }
}
