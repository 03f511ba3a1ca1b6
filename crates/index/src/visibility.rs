//! The memories that are visible at a point, as an SQL condition.
//!
//! **Invariant.** One function defines it ([`visible`]), and every query of memories uses it. The module `audience`
//! defines who may see the visible memories.

use memtape_core::{Form, Lineage, MemoryId, Point};
use memtape_tape::EntryId;
use rusqlite::Connection;

use crate::error::Result;
use crate::rows::number_of;

/// The numbers of the parameters that state the point of a statement from [`visible_at_bound`]: its last entry, the first
/// memory after it, and its instant. A statement's own parameters have smaller numbers.
pub(crate) const ENTRY: usize = 30;
pub(crate) const END: usize = 31;
pub(crate) const INSTANT: usize = 32;

/// Returns the SQL condition that a memory `m` is visible on a lineage: created within it, and neither
/// deleted nor superseded within it. Messages are visible up to the entry on every branch: a switch of
/// persona does not cut a conversation.
pub(crate) fn visible(conn: &Connection, lineage: &Lineage) -> Result<String> {
    visible_up_to(conn, lineage, EntryId::to_string, |last| first_after(last).to_string())
}

/// Returns the SQL condition that a memory is visible at a point: [`visible`], and not expired at its
/// instant.
pub(crate) fn visible_at(conn: &Connection, point: &Point) -> Result<String> {
    let instant = point.instant.as_microsecond();
    Ok(format!("{} AND (m.expires_at IS NULL OR m.expires_at > {instant})", visible(conn, &point.lineage)?))
}

/// Returns the same condition as [`visible_at`] for a statement that [`Reader::at`](crate::reader::Reader::at) prepares.
/// The point is bound, so that the text is the same at every point of a branch and SQLite parses it once.
pub(crate) fn visible_at_bound(conn: &Connection, point: &Point) -> Result<String> {
    let head = point.entry();
    let entry = |last: &EntryId| if *last == head { format!("?{ENTRY}") } else { last.to_string() };
    let end = |last: EntryId| if last == head { format!("?{END}") } else { first_after(last).to_string() };
    let visible = visible_up_to(conn, &point.lineage, entry, end)?;
    Ok(format!("{visible} AND (m.expires_at IS NULL OR m.expires_at > ?{INSTANT})"))
}

/// Returns the number of the first memory that an entry after `last` may create.
pub(crate) fn first_after(last: EntryId) -> u64 {
    MemoryId::new(last + 1, 0).number()
}

/// Returns the condition of [`visible`]. `entry` and `end` spell the last entry of a branch, and the first memory after it.
fn visible_up_to(
    conn: &Connection,
    lineage: &Lineage,
    entry: impl Fn(&EntryId) -> String,
    end: impl Fn(EntryId) -> String,
) -> Result<String> {
    // Created up to an entry, and not removed up to it on the branch of its creation.
    let current =
        |last: EntryId| format!("m.id < {} AND (m.died IS NULL OR m.died > {})", end(last), entry(&last));
    let (mut created, mut removed) = (Vec::new(), Vec::new());
    for (name, last) in lineage.steps() {
        let Some(branch) = number_of(conn, "branches", name)? else { continue };
        created.push(format!("m.branch = {branch} AND {}", current(*last)));
        removed.push(format!("r.branch = {branch} AND r.entry <= {}", entry(last)));
    }
    let elsewhere = |when: &str| {
        format!("NOT (m.spread AND EXISTS (SELECT 1 FROM retired r WHERE r.memory = m.id AND ({when})))")
    };
    if created.is_empty() {
        return Ok("0".into());
    }
    Ok(format!(
        "CASE WHEN m.form = 'messages' THEN {} AND {} ELSE ({}) AND {} END",
        current(lineage.entry()),
        elsewhere(&format!("r.entry <= {}", entry(&lineage.entry()))),
        created.join(" OR "),
        elsewhere(&removed.join(" OR ")),
    ))
}

/// Returns the SQL conditions that a memory `m` died, and that it is in a row `r` of `retired`, within a lineage. Messages
/// can be removed on any branch.
pub(crate) fn removed_within(conn: &Connection, lineage: &Lineage) -> Result<(String, String)> {
    let entry = lineage.entry();
    let mut died = vec![format!("m.form = 'messages' AND m.died <= {entry}")];
    let mut retired = vec![format!("m.form = 'messages' AND r.entry <= {entry}")];
    for (name, last) in lineage.steps() {
        let Some(branch) = number_of(conn, "branches", name)? else { continue };
        died.push(format!("m.branch = {branch} AND m.died <= {last}"));
        retired.push(format!("r.branch = {branch} AND r.entry <= {last}"));
    }
    Ok((died.join(" OR "), retired.join(" OR ")))
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
