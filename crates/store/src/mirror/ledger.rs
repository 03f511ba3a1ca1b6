//! The summary of the branch on which new conversations begin: `MEMORY.md`, and `BRANCH` next to the tape.
//!
//! Both files are small and always written as a whole. The facts to show come from an index that has them in
//! the right order, so a write costs the same however many facts there are.

use jiff::Timestamp;
use memtape_core::mirror::BRANCH_FILE;
use memtape_core::mirror::ledger::{COUNTED_MAX, Conflict, FACTS_MAX, FILE, Summary};
use memtape_core::{Audience, Form, Memory, MemoryId, Point, Sensitivity};

use super::{Mirrors, Result, Shown};
use crate::rows::{SELECT_MEMORY, read_memory};
use crate::visibility::{of_form, visible_at};

impl Mirrors<'_> {
    /// Writes `BRANCH`.
    pub(super) fn write_branch(&self, on: &Shown) -> Result<()> {
        self.root.replace(BRANCH_FILE, &format!("{}\n", on.branch()))
    }

    /// Writes `MEMORY.md`, as of an instant.
    pub(super) fn write_ledger(&self, on: &Shown, now: Timestamp) -> Result<()> {
        let (shown, branch) = self.shown_facts(on, now)?;
        let conn = self.reader.conn;
        let values = [branch, now.as_microsecond()];
        let surest =
            format!("{SELECT_MEMORY} WHERE {shown} ORDER BY m.confidence DESC, m.id DESC LIMIT {FACTS_MAX}");
        let mut surest = conn.prepare_cached(&surest)?;
        let facts = surest.query_map(values, read_memory)?.collect::<rusqlite::Result<Vec<Memory>>>()?;
        let limit = FACTS_MAX + COUNTED_MAX;
        let count = format!("SELECT count(*) FROM (SELECT 1 FROM memories m WHERE {shown} LIMIT {limit})");
        let count: usize = conn.prepare_cached(&count)?.query_row(values, |row| row.get(0))?;
        let more = count - facts.len();
        let persona = on.persona.as_deref();
        let conflicts = self.conflicts(on)?;
        let summary = Summary { branch: on.branch(), persona, facts: &facts, more, conflicts: &conflicts };
        match summary.render() {
            Some(text) => self.folder.replace(FILE, &text),
            None => self.folder.remove(FILE),
        }
    }

    /// Returns the open conflicts about facts, except for those with a confidential side.
    fn conflicts(&self, on: &Shown) -> Result<Vec<Conflict>> {
        if !self.reader.has_conflicts()? {
            return Ok(Vec::new());
        }
        let records = self.reader.records()?;
        let knowledge = records.knowledge(&on.lineage);
        let owner = Audience::owner();
        let mut conflicts: Vec<Conflict> = Vec::new();
        for record in records.conflicts.iter().filter(|record| record.is_open(&on.lineage, &knowledge)) {
            let sides = record.versions().map(|id| self.reader.memory(id, &owner));
            let sides: Vec<Memory> = sides.filter_map(Result::transpose).collect::<Result<_, _>>()?;
            let is_shown =
                |side: &Memory| side.form == Form::LEDGER && side.sensitivity != Sensitivity::Confidential;
            let Some(first) = sides.first().filter(|_| sides.iter().all(is_shown)) else { continue };
            let text = |id: Option<MemoryId>| {
                sides.iter().find(|side| Some(side.id) == id).map(|side| side.text.clone())
            };
            let reference = first.reference();
            let (ours, theirs) = (text(record.conflict.ours), text(record.conflict.theirs));
            // Of several conflicts about the same fact, the last one counts.
            conflicts.retain(|other| other.reference != reference);
            conflicts.push(Conflict { reference, ours, theirs });
        }
        Ok(conflicts)
    }

    /// Returns the SQL condition that a memory `m` is a fact to show, and the number of its branch if it is a
    /// single one, otherwise 0.
    fn shown_facts(&self, on: &Shown, now: Timestamp) -> Result<(String, i64)> {
        let conn = self.reader.conn;
        let (shows, branch) = if on.is_root() {
            // No memory of another branch shows, and none of this branch was removed on another one: the
            // index ordered by confidence is sufficient.
            let stands = "m.branch = ?1 AND m.died IS NULL AND (m.expires_at IS NULL OR m.expires_at > ?2)";
            (stands.to_owned(), self.number(on)?)
        } else {
            let point = Point { lineage: on.lineage.clone(), instant: now };
            (format!("?1 IS NOT NULL AND ?2 IS NOT NULL AND {}", visible_at(conn, &point)?), 0)
        };
        let shows = format!(
            "{} AND {shows} AND (m.sensitivity IS NULL OR m.sensitivity <> 'confidential')",
            of_form("m", Form::LEDGER)
        );
        Ok((shows, branch))
    }
}
