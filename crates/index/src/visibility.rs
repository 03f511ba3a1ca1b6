//! The memories that are visible at a point, as an SQL condition.
//!
//! **Invariant.** One function defines it ([`visible`]), and every query of memories uses it. The module `audience`
//! defines who may see the visible memories.

use memtape_core::{Form, Lineage, MemoryId, Point};
use memtape_tape::EntryId;
use rusqlite::Connection;

use crate::error::Result;
use crate::rows::number_of;

/// Returns the SQL condition that a memory `m` is visible on a lineage: created within it, and neither
/// deleted nor superseded within it. Messages are visible up to the entry on every branch: a switch of
/// persona does not cut a conversation.
pub(crate) fn visible(conn: &Connection, lineage: &Lineage) -> Result<String> {
    let (mut created, mut removed) = (Vec::new(), Vec::new());
    for (name, last) in lineage.steps() {
        let Some(branch) = number_of(conn, "branches", name)? else { continue };
        created.push(format!("m.branch = {branch} AND {}", current_after(*last)));
        removed.push(format!("r.branch = {branch} AND r.entry <= {last}"));
    }
    let entry = lineage.entry();
    let elsewhere = |when: &str| {
        format!("NOT (m.spread AND EXISTS (SELECT 1 FROM retired r WHERE r.memory = m.id AND ({when})))")
    };
    if created.is_empty() {
        return Ok("0".into());
    }
    Ok(format!(
        "CASE WHEN m.form = 'messages' THEN {} AND {} ELSE ({}) AND {} END",
        current_after(entry),
        elsewhere(&format!("r.entry <= {entry}")),
        created.join(" OR "),
        elsewhere(&removed.join(" OR ")),
    ))
}

/// Returns the SQL condition that a memory is visible at a point: [`visible`], and not expired at its
/// instant.
pub(crate) fn visible_at(conn: &Connection, point: &Point) -> Result<String> {
    let instant = point.instant.as_microsecond();
    Ok(format!("{} AND (m.expires_at IS NULL OR m.expires_at > {instant})", visible(conn, &point.lineage)?))
}

/// Returns the SQL condition that a memory was created up to an entry, and not removed up to it on the branch
/// of its creation.
fn current_after(last: EntryId) -> String {
    let end = MemoryId::new(last + 1, 0).number();
    format!("m.id < {end} AND (m.died IS NULL OR m.died > {last})")
}

/// Returns the SQL condition that a memory, under an alias, is of a form. Forms other than messages have
/// indexes, and SQLite uses them only if the statement excludes messages explicitly ([`known`]).
pub(crate) fn of_form(alias: &str, form: Form) -> String {
    match form {
        Form::MESSAGES => format!("{alias}.form = '{form}'"),
        _ => format!("{alias}.form = '{form}' AND {}", known(alias)),
    }
}

/// Returns the SQL condition that a memory, under an alias, is of any form but messages. It is the condition
/// of the partial indexes in [`crate::schema`]: SQLite uses one of them only for a statement with the same
/// condition.
pub(crate) fn known(alias: &str) -> String {
    format!("{alias}.form <> 'messages'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::TABLES;

    /// Every command checks whether there are notes and files: this must be cheap among any number of
    /// messages.
    #[test]
    fn memories_are_found_without_reading_messages() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(TABLES).unwrap();
        conn.execute("INSERT INTO branches(name) VALUES ('main')", []).unwrap();
        let visible = visible(&conn, &Lineage::new(&[], "main", 1)).unwrap();
        for form in Form::all().filter(|form| *form != Form::MESSAGES) {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT 1 FROM memories m WHERE {} AND {visible}",
                of_form("m", form)
            );
            let plan: String = conn.query_row(&sql, [], |row| row.get(3)).unwrap();
            assert!(plan.starts_with("SEARCH m USING INDEX"), "{form}: {plan}");
        }
    }
}
