//! What becomes of one thing when theirs meets ours.

use super::knowledge::Knowledge;
use super::lives::Lives;
use super::state::{Moment, State};
use crate::lineage::Lineage;
use crate::memory::MemoryId;

/// One thing on both sides, as far as it can be compared without its texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// How it is on the branch merged into.
    pub ours: State,
    /// How it is on the branch that is merged.
    pub theirs: State,
    /// Whether theirs know how it is with us.
    pub ours_is_known: bool,
    /// Whether we know how it is with them.
    pub theirs_is_known: bool,
    /// How it was with us when they last knew.
    pub ours_known: State,
    /// How it was with them when we last knew.
    pub theirs_known: State,
}

/// What becomes of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays as it is.
    Nothing,
    /// Ours becomes as theirs is.
    Take,
    /// Both have changed it.
    Changed {
        /// The version both last had in common; `None` where it stood on neither side.
        base: Option<MemoryId>,
    },
}

/// A side of a comparison: where it stands, and what it knows of the thing.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Where it stands.
    pub lineage: &'a Lineage,
    /// What it knows.
    pub knowledge: &'a Knowledge,
}

impl Compared {
    /// Compares the two sides of a thing.
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

    /// A commit that is picked: theirs is what stood after it, and what stood before is what we have in common.
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

    /// The versions whose contents the verdict compares.
    pub fn versions(&self) -> impl Iterator<Item = MemoryId> {
        let states = match self.theirs_is_known {
            true => [State::Nothing; 4],
            false => [self.ours, self.theirs, self.ours_known, self.theirs_known],
        };
        states.into_iter().filter_map(State::standing)
    }

    /// What becomes of the thing, given what each version says. Of what is deleted nothing is said.
    pub fn verdict<T: PartialEq>(&self, says: impl Fn(MemoryId) -> T) -> Verdict {
        if self.theirs_is_known {
            return Verdict::Nothing;
        }
        let content = |state: State| state.standing().map(&says);
        let [ours, theirs] = [self.ours, self.theirs].map(content);
        // That a thing never was is in common only where the one who would know of it never had it.
        let is_back = |now: &Option<T>, own: State, others: State| {
            *now == content(own) || (others != State::Nothing && *now == content(others))
        };
        if ours == theirs || is_back(&theirs, self.theirs_known, self.ours_known) {
            return Verdict::Nothing;
        }
        if self.ours_is_known || is_back(&ours, self.ours_known, self.theirs_known) {
            return Verdict::Take;
        }
        Verdict::Changed { base: self.theirs_known.standing().or(self.ours_known.standing()) }
    }
}
