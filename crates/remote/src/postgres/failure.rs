//! The failures of PostgreSQL, by what they mean for an append.

use deadpool_postgres::PoolError;
use memtape_upstream::Error;
use tokio_postgres::error::SqlState;

/// Whether a request may have had an effect when it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Read,
    Write,
}

/// Returns the error for a failed request.
pub(super) fn of(error: &tokio_postgres::Error, label: &str, stage: Stage) -> Error {
    let upstream = label.to_owned();
    let Some(state) = error.code() else {
        let why = text(error);
        return match stage {
            Stage::Read => Error::Unreachable { upstream, why },
            Stage::Write => Error::Unknown { upstream, why },
        };
    };
    let why = error.as_db_error().map_or_else(|| text(error), |e| e.message().to_owned());
    match state {
        _ if is_missing(error) => Error::NoTape { upstream },
        // A primary that stops while it waits for its standby has committed, but may not have replicated.
        &SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN if stage == Stage::Write => {
            Error::Unknown { upstream, why }
        }
        // A pooler reports so that the server's connection failed, which may have been after the commit.
        state if stage == Stage::Write && state.code().starts_with("08") => Error::Unknown { upstream, why },
        state if is_passing(state) => Error::Unreachable { upstream, why },
        &SqlState::INSUFFICIENT_PRIVILEGE => Error::Refused {
            upstream,
            why: format!(
                "{why}: the role needs memtape_service, or memtape_tenant, with which it reaches the workspaces whose names \
                 begin with the role's and a slash"
            ),
        },
        _ => Error::Refused { upstream, why },
    }
}

/// Returns the error for tables that could not be created.
pub(super) fn of_migration(error: &tokio_postgres::Error, label: &str) -> Error {
    match error.as_db_error() {
        Some(e) if *e.code() == SqlState::INSUFFICIENT_PRIVILEGE => Error::Refused {
            upstream: label.to_owned(),
            why: format!(
                "{}: its tables are missing, and this role may not create them; run `memtape push` once as the owner of \
                 the database",
                e.message()
            ),
        },
        _ => of(error, label, Stage::Write),
    }
}

/// Returns the error for a connection that the pool could not provide.
pub(super) fn of_pool(error: &PoolError, label: &str) -> Error {
    match error {
        PoolError::Backend(e) if e.code().is_some_and(|state| !is_passing(state)) => {
            of(e, label, Stage::Read)
        }
        PoolError::Backend(e) => Error::Unreachable { upstream: label.to_owned(), why: text(e) },
        other => Error::Unreachable { upstream: label.to_owned(), why: other.to_string() },
    }
}

/// Returns the error for a request without an answer in time.
pub(super) fn late(late: &tokio::time::error::Elapsed, label: &str, stage: Stage) -> Error {
    let (upstream, why) = (label.to_owned(), late.to_string());
    match stage {
        Stage::Read => Error::Unreachable { upstream, why },
        Stage::Write => Error::Unknown { upstream, why },
    }
}

/// Returns whether the tables do not exist.
pub(super) fn is_missing(error: &tokio_postgres::Error) -> bool {
    error
        .code()
        .is_some_and(|state| [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME].contains(state))
}

/// Returns whether the connection is as good as before the failure.
pub(super) fn leaves_connection(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|state| !is_passing(state))
}

/// Returns whether a state passes by itself: the server starts, stops, is a standby, has no connection left, or ended
/// the transaction in favour of another one. The transaction had no effect.
fn is_passing(state: &SqlState) -> bool {
    let class = &state.code()[..2];
    ["08", "40", "53", "57"].contains(&class) || *state == SqlState::READ_ONLY_SQL_TRANSACTION
}

/// Returns the text of an error with its causes.
fn text(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(e) = cause {
        text = format!("{text}: {e}");
        cause = e.source();
    }
    text
}
