//! Statements about a point that are parsed once.

use memtape_core::Point;
use rusqlite::{CachedStatement, Row, Rows, ToSql};

use crate::error::Result;
use crate::reader::Reader;
use crate::visibility::{END, ENTRY, INSTANT, first_after};

/// A statement with the condition of [`visible_at_bound`](crate::visibility::visible_at_bound), at a point.
pub(crate) struct At<'c>(CachedStatement<'c>);

impl<'a> Reader<'a> {
    /// Prepares a statement, and binds its point.
    pub(crate) fn at(&self, sql: &str, point: &Point) -> Result<At<'a>> {
        let mut statement = self.conn.prepare_cached(sql)?;
        // A branch without a number shows nothing, so its condition has no parameters.
        let most = statement.parameter_count();
        if most >= ENTRY {
            statement.raw_bind_parameter(ENTRY, point.entry())?;
        }
        if most >= END {
            statement.raw_bind_parameter(END, first_after(point.entry()))?;
        }
        if most >= INSTANT {
            statement.raw_bind_parameter(INSTANT, point.instant.as_microsecond())?;
        }
        Ok(At(statement))
    }
}

impl At<'_> {
    /// Runs the statement with the values of its own parameters.
    pub(crate) fn rows(&mut self, values: &[&dyn ToSql]) -> Result<Rows<'_>> {
        for (n, value) in values.iter().enumerate() {
            self.0.raw_bind_parameter(n + 1, value)?;
        }
        Ok(self.0.raw_query())
    }

    /// Returns what `read` makes of each row.
    pub(crate) fn all<T>(
        &mut self,
        values: &[&dyn ToSql],
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        Ok(self.rows(values)?.mapped(read).collect::<rusqlite::Result<_>>()?)
    }

    /// Returns what `read` makes of the first row; `None` if there is none.
    pub(crate) fn first<T>(
        &mut self,
        values: &[&dyn ToSql],
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        Ok(self.rows(values)?.next()?.map(read).transpose()?)
    }

    /// Returns whether there is a row.
    pub(crate) fn exists(&mut self, values: &[&dyn ToSql]) -> Result<bool> {
        Ok(self.first(values, |_| Ok(()))?.is_some())
    }
}
