//! What is summed up of the branch that new conversations begin on: `MEMORY.md`, and `BRANCH` beside the tape.
//!
//! Both are small, and always written as a whole: which facts are shown is asked of an index that has them in their
//! order, so that a write costs the same however many there are.

use jiff::Timestamp;
use memtape_core::mirror::BRANCH_FILE;
use memtape_core::mirror::ledger::{COUNTED_MAX, Conflict, FACTS_MAX, FILE, Summary};
use memtape_core::{Audience, Form, Memory, MemoryId, Point, Sensitivity};
use rusqlite::params;

use super::{Mirrors, Result, Shown};
use crate::reader::{SELECT_MEMORY, number_of, read_memory, visible_at};

impl Mirrors<'_> {
    /// Writes `BRANCH`.
    pub(super) fn write_branch(&self, on: &Shown) -> Result<()> {
        self.root.replace(BRANCH_FILE, &format!("{}\n", on.branch()))
    }

    /// Writes `MEMORY.md`, as of an instant.
    pub(super) fn write_ledger(&self, on: &Shown, now: Timestamp) -> Result<()> {
        let mut ids = self.surest(on, now)?;
        let more = ids.len().saturating_sub(FACTS_MAX);
        ids.truncate(FACTS_MAX);
        let mut one = self.reader.conn.prepare_cached(&format!("{SELECT_MEMORY} WHERE m.id = ?1"))?;
        let facts = ids
            .into_iter()
            .map(|id| one.query_row([id], read_memory))
            .collect::<rusqlite::Result<Vec<Memory>>>()?;
        let persona = on.persona.as_deref();
        let conflicts = self.conflicts(on)?;
        let summary = Summary { branch: on.branch(), persona, facts: &facts, more, conflicts: &conflicts };
        match summary.render() {
            Some(text) => self.folder.replace(FILE, &text),
            None => self.folder.remove(FILE),
        }
    }

    /// The open conflicts about facts, but for what is confidential on any side.
    fn conflicts(&self, on: &Shown) -> Result<Vec<Conflict>> {
        if !self.reader.conn.prepare_cached("SELECT 1 FROM conflicts LIMIT 1")?.exists([])? {
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
                |side: &Memory| side.form == Form::Ledger && side.sensitivity != Sensitivity::Confidential;
            let Some(first) = sides.first().filter(|_| sides.iter().all(is_shown)) else { continue };
            let text = |id: Option<MemoryId>| {
                sides.iter().find(|side| Some(side.id) == id).map(|side| side.text.clone())
            };
            let reference = first.reference();
            let (ours, theirs) = (text(record.conflict.ours), text(record.conflict.theirs));
            // Of several about the same thing the last one counts.
            conflicts.retain(|other| other.reference != reference);
            conflicts.push(Conflict { reference, ours, theirs });
        }
        Ok(conflicts)
    }

    /// The facts to show and to count, the surest first.
    fn surest(&self, on: &Shown, now: Timestamp) -> Result<Vec<i64>> {
        let conn = self.reader.conn;
        let (shown, branch) = match on.lineage.steps() {
            // Nothing of another branch shows, and nothing of this one was retired elsewhere: the index of what is
            // surest holds all there is to know.
            [(name, _)] => {
                let Some(branch) = number_of(conn, "branches", name)? else { return Ok(Vec::new()) };
                let stands =
                    "m.branch = ?1 AND m.died IS NULL AND (m.expires_at IS NULL OR m.expires_at > ?2)";
                (stands.to_owned(), branch)
            }
            _ => {
                let point = Point { lineage: on.lineage.clone(), instant: now };
                (format!("?1 IS NOT NULL AND ?2 IS NOT NULL AND {}", visible_at(conn, &point)?), 0)
            }
        };
        let sql = format!(
            "SELECT m.id FROM memories m WHERE m.form = 'ledger' AND m.form <> 'messages' AND {shown}
               AND (m.sensitivity IS NULL OR m.sensitivity <> 'confidential')
             ORDER BY m.confidence DESC, m.id DESC LIMIT {}",
            FACTS_MAX + COUNTED_MAX
        );
        let mut statement = conn.prepare_cached(&sql)?;
        let ids = statement.query_map(params![branch, now.as_microsecond()], |row| row.get(0))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }
}
