//! Lets tests see every statement that runs on an index.
//!
//! The connections are opened deep inside the store, so the observer is the process's: the counterpart of what SQLite
//! itself calls a trace. Without one nothing is traced, and nothing is paid.

use std::sync::OnceLock;

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use crate::error::Result;

/// Receives the SQL of a statement, with its parameters unbound.
pub type Observer = fn(&str);

static OBSERVER: OnceLock<Observer> = OnceLock::new();

/// Calls `observer` with each statement that is run on an index opened from here on, in this process. Returns whether
/// it was installed: the first observer stays.
pub fn observe_statements(observer: Observer) -> bool {
    OBSERVER.set(observer).is_ok()
}

/// Shows the statements of a connection to the observer, if there is one.
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
