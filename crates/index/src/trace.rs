//! Allows tests to observe every SQL statement that runs on an index.
//!
//! The connections are opened deep inside the library, so the callback belongs to the whole process. Without a
//! callback nothing is traced, and there is no cost.

use std::sync::OnceLock;

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use crate::error::Result;

/// A callback that receives the SQL of a statement, without its bound parameters.
pub type SqlCallback = fn(&str);

static CALLBACK: OnceLock<SqlCallback> = OnceLock::new();

/// Calls `callback` with each statement that runs on an index that this process opens from now on.
///
/// Returns whether it was installed: the first callback cannot be replaced.
pub fn trace_sql(callback: SqlCallback) -> bool {
    CALLBACK.set(callback).is_ok()
}

/// Connects the callback, if there is one, to a connection.
pub(crate) fn attach(conn: &mut Connection) -> Result<()> {
    if let Some(callback) = CALLBACK.get() {
        let show = |event: TraceEvent<'_>| {
            if let TraceEvent::Stmt(statement, _) = event {
                callback(&statement.sql());
            }
        };
        conn.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(show))?;
    }
    Ok(())
}
