//! Finds the newest memory of each slot without reading the older versions.
//!
//! In a form with slots ([`Form::has_slots`]) only the newest memory of a slot can be current, because it
//! superseded the previous one. So instead of every version, only the last one per branch of a lineage is
//! read, and the newest of these is taken.

use memtape_core::{Form, Lineage, MemoryId};
use rusqlite::Connection;

use crate::error::Result;
use crate::rows::number_of;
use crate::visibility::of_form;

/// Number of slots that are sampled to estimate the versions per slot.
const SAMPLE: u32 = 32;
/// If a slot has fewer versions than this for each branch of the lineage, it is faster to read all of them.
const VERSIONS_MIN: u32 = 3;

/// Returns SQL for the newest memory within a lineage of the slot whose key is the SQL parameter `key`;
/// `None` if the index knows no branch of the lineage.
pub(crate) fn newest(conn: &Connection, lineage: &Lineage, form: Form, key: &str) -> Result<Option<String>> {
    let of_form = of_form("x", form);
    let mut of_branches = Vec::new();
    for (name, last) in lineage.steps() {
        let Some(branch) = number_of(conn, "branches", name)? else { continue };
        let end = MemoryId::new(last + 1, 0).number();
        of_branches.push(format!(
            "coalesce((SELECT max(x.id) FROM memories x WHERE {of_form}
               AND x.key = {key} AND x.branch = {branch} AND x.id < {end}), 0)"
        ));
    }
    Ok(match of_branches.len() {
        0 => None,
        1 => of_branches.pop(),
        _ => Some(format!("max({})", of_branches.join(", "))),
    })
}

/// Returns an SQL query for the ids of the newest memory of every slot within a lineage; `None` if it is
/// faster to read all versions.
pub(crate) fn newest_of_each(conn: &Connection, lineage: &Lineage, form: Form) -> Result<Option<String>> {
    if versions_a_slot(conn, form)? < VERSIONS_MIN * u32::try_from(lineage.steps().len()).unwrap_or(u32::MAX)
    {
        return Ok(None);
    }
    let Some(newest) = newest(conn, lineage, form, "k.key")? else { return Ok(None) };
    Ok(Some(format!("WITH RECURSIVE {} SELECT {newest} FROM k WHERE k.key IS NOT NULL", keys(form))))
}

/// Returns SQL for every key of a form, found by skipping from one to the next.
fn keys(form: Form) -> String {
    let of_form = of_form("x", form);
    let next = |after: &str| format!("SELECT min(x.key) FROM memories x WHERE {of_form}{after}");
    let (first, next) = (next(""), next(" AND x.key > k.key"));
    format!("k(key) AS ({first} UNION ALL SELECT ({next}) FROM k WHERE k.key IS NOT NULL)")
}

/// Estimates the number of versions per slot from a sample. Keys are hashes, so the first keys are a random
/// sample.
fn versions_a_slot(conn: &Connection, form: Form) -> Result<u32> {
    // Counting more versions than this would not change the decision.
    let enough = SAMPLE * VERSIONS_MIN;
    let sql = format!(
        "WITH RECURSIVE {}
         SELECT coalesce(avg((SELECT count(*) FROM (SELECT 1 FROM memories x
                    WHERE {} AND x.key = s.key LIMIT {enough}))), 0)
         FROM (SELECT key FROM k WHERE key IS NOT NULL LIMIT {SAMPLE}) s",
        keys(form),
        of_form("x", form)
    );
    let versions: f64 = conn.prepare_cached(&sql)?.query_row([], |row| row.get(0))?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and `enough`")]
    Ok(versions as u32)
}
