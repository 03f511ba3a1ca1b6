//! Allows tests to observe every SQL statement that runs on an index.
//!
//! The connections are opened deep inside the library, so the observer belongs to the whole process. Without an
//! observer nothing is traced, and there is no cost.

use std::sync::OnceLock;

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use crate::error::Result;

/// A callback that receives the SQL of a statement, without its bound parameters.
pub type Observer = fn(&str);

static OBSERVER: OnceLock<Observer> = OnceLock::new();

/// Calls `observer` with each statement that runs on an index that this process opens from now on.
///
/// Returns whether it was installed: the first observer cannot be replaced.
pub fn observe_statements(observer: Observer) -> bool {
    OBSERVER.set(observer).is_ok()
}

/// Connects the observer, if there is one, to a connection.
pub(crate) fn attach(conn: &mut Connection) -> Result<()> {
    if let Some(observer) = OBSERVER.get() {
        let show = |event: TraceEvent<'_>| {
            if let TraceEvent::Stmt(statement, _) = event {
                observer(&statement.sql());
            }
        };
        conn.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(show))?;
    }
    Ok(())
}
