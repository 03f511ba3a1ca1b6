//! Branches and lineages: which entries are visible to a reader.
//!
//! **Invariant.** Lineages form a tree: a branch is forked once, from one entry of one parent.

use memtape_tape::EntryId;

/// The branch that every workspace starts with.
pub const MAIN: &str = "main";

/// A branch: a line of memory forked from a parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Its unique name: `LABEL@ENTRY` if that entry deleted it and another branch has its label since.
    pub name: String,
    /// The branch label on its entries, if that differs from its name.
    pub label: Option<String>,
    /// The branch it was forked from, and the last entry it shares with it; `None` for main.
    pub parent: Option<(String, EntryId)>,
    /// A description of whose memory it is.
    pub persona: Option<String>,
    /// The entry that forked it; `None` for main.
    pub created: Option<EntryId>,
    /// The entry that deleted it; `None` while it can be written to.
    pub deleted: Option<EntryId>,
}

impl Branch {
    /// Returns the branch label on its entries.
    #[must_use]
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }

    /// Returns whether it is deleted at an entry.
    #[must_use]
    pub fn is_deleted_at(&self, entry: EntryId) -> bool {
        self.deleted.is_some_and(|deleted| deleted <= entry)
    }

    /// Returns whether it has been created at an entry, deleted or not.
    #[must_use]
    pub fn exists_at(&self, entry: EntryId) -> bool {
        self.created.is_none_or(|created| created <= entry)
    }

    /// Returns whether it has been created and is not deleted at an entry.
    #[must_use]
    pub fn is_open_at(&self, entry: EntryId) -> bool {
        self.exists_at(entry) && !self.is_deleted_at(entry)
    }
}

/// The resolved form of a point: for each branch on the way to the root, the last visible entry. The reader's
/// own branch comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    steps: Vec<(String, EntryId)>,
}

impl Lineage {
    /// Returns the lineage of a branch up to an entry. An unknown branch is its own root.
    #[must_use]
    pub fn new(branches: &[Branch], branch: &str, entry: EntryId) -> Self {
        let mut steps = vec![(branch.to_owned(), entry)];
        let mut name = branch;
        let mut last = entry;
        while let Some((parent, forked_at)) =
            branches.iter().find(|b| b.name == name).and_then(|b| b.parent.as_ref())
        {
            // A damaged tape could contain a cycle; a tree has no branch twice.
            if steps.iter().any(|(step, _)| step == parent) {
                break;
            }
            last = last.min(*forked_at);
            steps.push((parent.clone(), last));
            name = parent;
        }
        Self { steps }
    }

    /// Returns the branches of the lineage with the last visible entry of each, the reader's own first.
    #[must_use]
    pub fn steps(&self) -> &[(String, EntryId)] {
        &self.steps
    }

    /// Returns the last visible entry of a branch; `None` if the branch is not part of the lineage.
    #[must_use]
    pub fn last(&self, branch: &str) -> Option<EntryId> {
        self.steps.iter().find(|(step, _)| step == branch).map(|(_, last)| *last)
    }

    /// Returns whether an entry of a branch is visible.
    #[must_use]
    pub fn holds(&self, branch: &str, entry: EntryId) -> bool {
        self.last(branch).is_some_and(|last| entry <= last)
    }

    /// Returns the part of the lineage up to an entry.
    #[must_use]
    pub fn up_to(&self, entry: EntryId) -> Self {
        let steps = self.steps.iter().map(|(branch, last)| (branch.clone(), entry.min(*last)));
        Self { steps: steps.collect() }
    }

    /// Returns the entry of the reader's point.
    #[must_use]
    pub fn entry(&self) -> EntryId {
        self.steps.first().map_or(0, |(_, last)| *last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(name: &str, parent: Option<(&str, EntryId)>) -> Branch {
        Branch { name: name.into(), parent: parent.map(|(p, at)| (p.into(), at)), ..Branch::default() }
    }

    #[test]
    fn a_lineage_walks_to_the_root_and_never_sees_past_a_fork() {
        let branches =
            [branch("main", None), branch("work", Some(("main", 10))), branch("deep", Some(("work", 20)))];
        let lineage = Lineage::new(&branches, "deep", 30);
        assert_eq!(lineage.steps(), [("deep".into(), 30), ("work".into(), 20), ("main".into(), 10)]);
        // Before the fork of its parent, a point on the branch sees what the parent saw then.
        assert_eq!(Lineage::new(&branches, "deep", 5).last("main"), Some(5));
        let circle = [branch("a", Some(("b", 1))), branch("b", Some(("a", 1)))];
        assert_eq!(Lineage::new(&circle, "a", 9).steps().len(), 2);
    }
}
