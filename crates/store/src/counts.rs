//! How many memories are visible, whoever may see them: what `status` tells the owner, and what commands ask before they
//! do more. What an audience is told is counted in [`crate::stats`].

use std::collections::BTreeMap;

use memtape_core::{Category, Form, Point};

use crate::error::Result;
use crate::reader::Reader;
use crate::visibility::{of_form, visible, visible_at};

impl Reader<'_> {
    /// How many memories of a form are visible.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn count(&self, form: Form, point: &Point) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM memories m WHERE {} AND {}",
            of_form("m", form),
            visible_at(self.conn, point)?
        );
        Ok(self.conn.prepare(&sql)?.query_row([], |row| row.get(0))?)
    }

    /// Whether any memory of a form is visible: a question that every command asks.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn has_any(&self, form: Form, point: &Point) -> Result<bool> {
        let sql = format!(
            "SELECT 1 FROM memories m WHERE {} AND {}",
            of_form("m", form),
            visible_at(self.conn, point)?
        );
        Ok(self.conn.prepare(&sql)?.exists([])?)
    }

    /// How many statements are visible, by category.
    ///
    /// # Errors
    /// What SQLite says.
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

    /// How many statements have had their time at a point and were not retired up to it.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn expired_count(&self, point: &Point) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM memories m WHERE {} AND m.expires_at <= ?1 AND {}",
            of_form("m", Form::STATEMENTS),
            visible(self.conn, &point.lineage)?
        );
        Ok(self.conn.prepare(&sql)?.query_row([point.instant.as_microsecond()], |row| row.get(0))?)
    }

    /// How many conversations have visible messages.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn conversations(&self, point: &Point) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM sessions s WHERE EXISTS
             (SELECT 1 FROM memories m WHERE m.session = s.id AND m.form = 'messages' AND {})",
            visible_at(self.conn, point)?
        );
        Ok(self.conn.prepare(&sql)?.query_row([], |row| row.get(0))?)
    }
}
