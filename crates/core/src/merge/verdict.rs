//! The verdict about one slot or piece when theirs meets ours.

use super::knowledge::Knowledge;
use super::lives::Lives;
use super::state::{Moment, State};
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// One slot or piece on both sides, compared without its texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The state on the target branch.
    pub ours: State,
    /// The state on the source branch.
    pub theirs: State,
    /// Whether their side knows our state.
    pub ours_is_known: bool,
    /// Whether our side knows their state.
    pub theirs_is_known: bool,
    /// Our last state that their side knows.
    pub ours_known: State,
    /// Their last state that our side knows.
    pub theirs_known: State,
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
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its position.
    pub lineage: &'a Lineage,
    /// Its knowledge about the slot or piece.
    pub knowledge: &'a Knowledge,
}

impl Compared {
    /// Compares the two sides.
    #[must_use]
    pub fn new(lives: &Lives, ours: Side<'_>, theirs: Side<'_>) -> Self {
        let [our_moments, their_moments] =
            [ours, theirs].map(|side| lives.moments(side.lineage, side.knowledge.undone()));
        let last_known = |moments: &[Moment], knowledge: &Knowledge| {
            let known = moments.iter().rev().find(|moment| lives.is_moment_known(moment, knowledge));
            known.map(|moment| moment.state).unwrap_or_default()
        };
        let last = |moments: &[Moment]| moments.last().map(|moment| moment.state).unwrap_or_default();
        let is_known = |moments: &[Moment], knowledge: &Knowledge| {
            moments.last().is_some_and(|moment| lives.is_moment_known(moment, knowledge))
        };
        Self {
            ours: last(&our_moments),
            theirs: last(&their_moments),
            ours_is_known: is_known(&our_moments, theirs.knowledge),
            theirs_is_known: is_known(&their_moments, ours.knowledge),
            ours_known: last_known(&our_moments, theirs.knowledge),
            theirs_known: last_known(&their_moments, ours.knowledge),
        }
    }

    /// Compares for a cherry-pick: theirs is the state after the picked commit, and the state before it is
    /// the common one.
    #[must_use]
    pub fn picked(lives: &Lives, ours: Side<'_>, before: State, after: State) -> Self {
        Self {
            ours: lives
                .moments(ours.lineage, ours.knowledge.undone())
                .pop()
                .map(|moment| moment.state)
                .unwrap_or_default(),
            theirs: after,
            ours_is_known: false,
            theirs_is_known: lives.is_known(after, ours.knowledge),
            ours_known: before,
            theirs_known: before,
        }
    }

    /// Returns the versions whose contents the verdict compares.
    pub fn versions(&self) -> impl Iterator<Item = MemoryId> {
        let states = match self.theirs_is_known {
            true => [State::Nothing; 4],
            false => [self.ours, self.theirs, self.ours_known, self.theirs_known],
        };
        states.into_iter().filter_map(State::current)
    }

    /// Returns the verdict; `content` returns the content of a version. Deleted versions have no content.
    pub fn verdict<T: PartialEq>(&self, says: impl Fn(MemoryId) -> T) -> Verdict {
        if self.theirs_is_known {
            return Verdict::Nothing;
        }
        let content = |state: State| state.current().map(&says);
        let [ours, theirs] = [self.ours, self.theirs].map(content);
        // "Never existed" is a common state only if the side that would know about it never had the slot.
        let is_back = |now: &Option<T>, own: State, others: State| {
            *now == content(own) || (others != State::Nothing && *now == content(others))
        };
        if ours == theirs || is_back(&theirs, self.theirs_known, self.ours_known) {
            return Verdict::Nothing;
        }
        if self.ours_is_known || is_back(&ours, self.ours_known, self.theirs_known) {
            return Verdict::Take;
        }
        Verdict::Changed { base: self.theirs_known.current().or(self.ours_known.current()) }
    }
}
