//! The summary of the branch on which new conversations begin: `MEMORY.md`, and `BRANCH` next to the tape.
//!
//! Both files are small and always written as a whole. The facts to show come from an index that has them in
//! the right order, so a write costs the same however many facts there are.

use jiff::Timestamp;
use memtape_core::mirror::BRANCH_FILE;
use memtape_core::mirror::ledger::{COUNTED_MAX, Conflict, FACTS_MAX, FILE, Summary};
use memtape_core::{Audience, Form, Memory, MemoryId, Point, Sensitivity};

use super::{Mirrors, Shown};
use crate::error::Result;

impl Mirrors<'_> {
    /// Writes `BRANCH`.
    pub(super) fn write_branch(&self, on: &Shown) -> Result<()> {
        Ok(self.root.replace(BRANCH_FILE, &format!("{}\n", on.branch()))?)
    }

    /// Writes `MEMORY.md`, as of an instant.
    pub(super) fn write_ledger(&self, on: &Shown, now: Timestamp) -> Result<()> {
        let point = Point { lineage: on.lineage.clone(), instant: now };
        let (facts, more) = self.reader.most_confident_facts(&point, FACTS_MAX, COUNTED_MAX)?;
        let persona = on.persona.as_deref();
        let conflicts = self.conflicts(on)?;
        let summary = Summary { branch: on.branch(), persona, facts: &facts, more, conflicts: &conflicts };
        match summary.render() {
            Some(text) => self.folder.replace(FILE, &text)?,
            None => self.folder.remove(FILE)?,
        }
        Ok(())
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
            // If several conflicts concern the same fact, the last one counts.
            conflicts.retain(|other| other.reference != reference);
            conflicts.push(Conflict { reference, ours, theirs });
        }
        Ok(conflicts)
    }
}
