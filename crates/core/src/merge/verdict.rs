//! The verdict about one slot or piece when theirs meets ours.

use std::iter;

use super::changes::{Included, Removals, Steps};
use super::history::History;
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// One slot or piece on both sides, compared without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The current version on the target branch.
    pub ours: Option<MemoryId>,
    /// The current version on the source branch.
    pub theirs: Option<MemoryId>,
    /// What ours was before commits that are undone on the other side, if nothing changed it since; else the same.
    before: Option<MemoryId>,
    /// The comparison if equal removals on both sides are different changes.
    distinct: Common,
    /// The comparison if they are one change; `None` if there are none.
    alike: Option<Common>,
}

/// What two sides have in common of the history of a slot or piece.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Common {
    /// Whether their side includes all our changes.
    ours_is_known: bool,
    /// Whether our side includes all their changes.
    theirs_is_known: bool,
    /// The versions in the last common states, `None` for none: usually one, several after merges in both directions.
    bases: Vec<Option<MemoryId>>,
}

/// The verdict about a slot or piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The slot is not changed.
    Nothing,
    /// Ours takes the state of theirs.
    Take,
    /// Both have changed it.
    Changed {
        /// The last version both had in common; `None` if neither had one.
        base: Option<MemoryId>,
    },
    /// Both have changed it, and there are several last common states that differ.
    Apart,
}

impl Common {
    fn new(
        steps: &Steps<'_>,
        ours: &Included,
        theirs: &Included,
        branches: &[History],
        removals: Removals,
    ) -> Self {
        let ours_is_known = steps.is_subset(ours, theirs, removals);
        let theirs_is_known = steps.is_subset(theirs, ours, removals);
        let bases = match ours_is_known || theirs_is_known {
            true => Vec::new(),
            false => steps.common(ours, theirs, branches, removals),
        };
        Self { ours_is_known, theirs_is_known, bases }
    }
}

impl Compared {
    /// Compares the two sides of a merge.
    pub(super) fn merged(steps: &Steps<'_>, ours: &History, theirs: &History, branches: &[History]) -> Self {
        let [our, their] = [ours, theirs].map(|side| steps.included(side));
        let common = |removals| Common::new(steps, &our, &their, branches, removals);
        Self {
            ours: steps.current(&ours.lineage),
            theirs: steps.reads(&theirs.lineage, &their),
            before: steps.reads(&ours.lineage, &our),
            distinct: common(Removals::Distinct),
            alike: steps.has_alike().then(|| common(Removals::Alike)),
        }
    }

    /// Compares for a cherry-pick: theirs is what the picked commit left, and the state before it is the common one.
    pub(super) fn picked(steps: &Steps<'_>, ours: &History, before: &Lineage, after: &History) -> Self {
        let [our, their] = [ours, after].map(|side| steps.included(side));
        let common = |removals| Common {
            ours_is_known: false,
            theirs_is_known: steps.is_subset(&their, &our, removals),
            bases: vec![steps.current(before)],
        };
        let ours = steps.current(&ours.lineage);
        Self {
            ours,
            theirs: steps.current(&after.lineage),
            before: ours,
            distinct: common(Removals::Distinct),
            alike: steps.has_alike().then(|| common(Removals::Alike)),
        }
    }

    /// Returns whether our side includes all their changes, so that nothing is to be decided.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.distinct.theirs_is_known
    }

    /// Returns the comparisons in the order in which they decide.
    fn comparisons(&self) -> impl Iterator<Item = &Common> {
        iter::once(&self.distinct).chain(&self.alike)
    }

    /// Returns the versions whose contents the verdict compares.
    pub fn versions(&self) -> impl Iterator<Item = MemoryId> {
        let bases = self.comparisons().flat_map(|common| &common.bases).copied();
        [self.ours, self.theirs, self.before].into_iter().chain(bases).flatten()
    }

    /// Returns the verdict; `content` returns the content of a version. Removed versions have no content.
    pub fn verdict<T: PartialEq>(&self, content: impl Fn(MemoryId) -> T) -> Verdict {
        let content = |id: Option<MemoryId>| id.map(&content);
        if self.is_known() || content(self.ours) == content(self.theirs) {
            return Verdict::Nothing;
        }
        // Two sides that removed a version have changed it first, and one on which it is back has not. Only if that
        // leaves both changed, the removals are what they have in common.
        let mut verdict = Verdict::Apart;
        for common in self.comparisons() {
            if common.theirs_is_known {
                return Verdict::Nothing;
            }
            if common.ours_is_known {
                return Verdict::Take;
            }
            // Of several last common states, none is what both sides started from.
            let mut bases = common.bases.iter();
            let first = bases.next().copied().flatten();
            if bases.any(|other| content(*other) != content(first)) {
                continue;
            }
            verdict = Verdict::Changed { base: first };
            match [self.before, self.theirs].map(|id| content(id) == content(first)) {
                [true, _] => return Verdict::Take,
                [_, true] => return Verdict::Nothing,
                [false, false] => {}
            }
        }
        verdict
    }
}
