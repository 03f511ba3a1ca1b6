//! Where versions and deletions come from, as far as their entries do not say it: what an undone merge restores, and
//! which deletion a merge, a cherry-pick or a resolution repeats.

use std::collections::BTreeMap;

use memtape_tape::EntryId;

use super::lives::Lives;
use super::records::{Merged, Record, Records};
use super::state::{Moment, State};
use crate::lineage::Lineage;

impl Lives {
    /// Completes the history by what the records tell of its groups: what the undo of a merge, a cherry-pick or a
    /// resolution restores is the version that was there before, and a deletion that was taken from another branch is
    /// the one that was taken.
    #[must_use]
    pub fn traced(mut self, records: &Records) -> Self {
        for n in 0..self.versions.len() {
            let life = &self.versions[n];
            let Some(undone) = records.reversals.taken_back(life.group) else { continue };
            let before = Lineage::new(&records.branches, &life.branch, undone.first.saturating_sub(1));
            let restored = self.state(&before).current();
            self.versions[n].copy_of = self.versions[n].copy_of.or(restored);
        }
        let removals = self.versions.iter().flat_map(|life| &life.retired);
        let removals: BTreeMap<EntryId, Option<EntryId>> = removals.map(|by| (by.group, by.picks)).collect();
        for (group, picks) in removals {
            if let Some(Moment { state: State::Deleted(of), entry, .. }) =
                self.taken_by(group, picks, records)
            {
                self.taken.insert(group, self.deletion(entry, of));
            }
        }
        self
    }

    /// Returns the state that a merge, a cherry-pick or the resolution of a conflict takes if it takes theirs.
    fn taken_by(&self, group: EntryId, picks: Option<EntryId>, records: &Records) -> Option<Moment> {
        let of_merge = |merge: &Merged| {
            let source = Lineage::new(&records.branches, &merge.source, merge.head);
            self.moments(&source, &records.undone(&source)).pop()
        };
        let is_resolved = |record: &&Record| record.resolved_by.iter().any(|(_, by)| *by == group);
        let is_about = |record: &&Record| record.versions().any(|id| self.holds(id));
        let resolved = || records.conflicts.iter().filter(is_resolved).rfind(is_about);
        match (records.merge(group), picks) {
            (Some(merge), _) => of_merge(merge),
            (None, Some(commit)) => self.left_by(commit, records),
            (None, None) => resolved().and_then(|record| match (records.merge_of(record), record.picks) {
                (Some(merge), _) => of_merge(merge),
                (None, commit) => self.left_by(commit?, records),
            }),
        }
    }

    /// Returns the state that a group left on its branch; `None` if it did not change this slot or piece.
    #[must_use]
    pub fn left_by(&self, group: EntryId, records: &Records) -> Option<Moment> {
        let created = self.versions.iter().filter(|life| life.group == group).map(|life| &life.branch);
        let removals = self.versions.iter().flat_map(|life| &life.retired);
        let removed = removals.filter(|by| by.group == group).map(|by| &by.branch);
        let branch = created.chain(removed).next()?;
        self.moments(&Lineage::new(&records.branches, branch, group), &[]).pop()
    }
}
