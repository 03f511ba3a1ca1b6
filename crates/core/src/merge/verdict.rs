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
    /// What both sides have in common, if two deletions of one version that neither side has from the other are
    /// different states.
    pub shared: Common,
    /// What both sides have in common.
    pub known: Common,
}

/// What two sides have in common of the history of a slot or piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// Whether their side knows our state.
    pub ours_is_known: bool,
    /// Whether our side knows their state.
    pub theirs_is_known: bool,
    /// Our last state that their side knows; if it knows none, their last state that ours knows.
    pub ours: State,
    /// Their last state that our side knows; if it knows none, our last state that theirs knows.
    pub theirs: State,
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

/// Whether a side knows a state of the other one.
type IsKnown<'a> = dyn Fn(&Moment, &Knowledge) -> bool + 'a;

/// Returns the last state of one side that the other knows.
fn last_of(moments: &[Moment], knowledge: &Knowledge, is_known: &IsKnown<'_>) -> Option<State> {
    moments.iter().rev().find(|moment| is_known(moment, knowledge)).map(|moment| moment.state)
}

impl Compared {
    /// Compares the two sides.
    #[must_use]
    pub fn new(lives: &Lives, ours: Side<'_>, theirs: Side<'_>) -> Self {
        let [our_moments, their_moments] =
            [ours, theirs].map(|side| lives.moments(side.lineage, side.knowledge.undone()));
        let last = |moments: &[Moment]| moments.last().map(|moment| moment.state).unwrap_or_default();
        // What a side has seen and undone is known, but never was a state of that side.
        let common = |is_known: &IsKnown<'_>, was_had: &IsKnown<'_>| {
            let is_last_known = |moments: &[Moment], knowledge: &Knowledge| {
                moments.last().is_some_and(|moment| is_known(moment, knowledge))
            };
            let ours_of_theirs = || last_of(&our_moments, theirs.knowledge, was_had);
            let theirs_of_ours = || last_of(&their_moments, ours.knowledge, was_had);
            Common {
                ours_is_known: is_last_known(&our_moments, theirs.knowledge),
                theirs_is_known: is_last_known(&their_moments, ours.knowledge),
                ours: last_of(&our_moments, theirs.knowledge, is_known)
                    .or_else(theirs_of_ours)
                    .unwrap_or_default(),
                theirs: last_of(&their_moments, ours.knowledge, is_known)
                    .or_else(ours_of_theirs)
                    .unwrap_or_default(),
            }
        };
        Self {
            ours: last(&our_moments),
            theirs: last(&their_moments),
            shared: common(
                &|moment, knowledge| lives.is_moment_shared(moment, knowledge),
                &|moment, knowledge| lives.is_shared(moment, knowledge),
            ),
            known: common(
                &|moment, knowledge| lives.is_moment_known(moment, knowledge),
                &|moment, knowledge| lives.is_known(moment.state, knowledge),
            ),
        }
    }

    /// Compares for a cherry-pick: `after` is the state that the picked commit left, and the state before it is
    /// the common one.
    #[must_use]
    pub fn picked(lives: &Lives, ours: Side<'_>, before: State, after: Option<&Moment>) -> Self {
        let common = |theirs_is_known: bool| Common {
            ours_is_known: false,
            theirs_is_known,
            ours: before,
            theirs: before,
        };
        let our_moments = lives.moments(ours.lineage, ours.knowledge.undone());
        Self {
            ours: our_moments.last().map(|moment| moment.state).unwrap_or_default(),
            theirs: after.map(|moment| moment.state).unwrap_or_default(),
            shared: common(after.is_some_and(|moment| lives.is_shared(moment, ours.knowledge))),
            known: common(after.is_some_and(|moment| lives.is_known(moment.state, ours.knowledge))),
        }
    }

    /// Returns the versions whose contents the verdict compares.
    pub fn versions(&self) -> impl Iterator<Item = MemoryId> {
        let Self { ours, theirs, shared, known } = *self;
        let states = match shared.theirs_is_known {
            true => [State::Nothing; 6],
            false => [ours, theirs, shared.ours, shared.theirs, known.ours, known.theirs],
        };
        states.into_iter().filter_map(State::current)
    }

    /// Returns the verdict; `content` returns the content of a version. Deleted versions have no content.
    pub fn verdict<T: PartialEq>(&self, says: impl Fn(MemoryId) -> T) -> Verdict {
        if self.shared.theirs_is_known {
            return Verdict::Nothing;
        }
        let content = |state: State| state.current().map(&says);
        let [ours, theirs] = [self.ours, self.theirs].map(content);
        if ours == theirs {
            return Verdict::Nothing;
        }
        // "Never existed" is a common state only if neither side knows of a version of the other. A side that knows of
        // one without having had it has seen it together with its removal, so it counts as having removed it.
        let is_back = |now: &Option<T>, own: State, others: State| {
            *now == content(own) || (others != State::Nothing && *now == content(others))
        };
        // A version that was deleted on both sides and is as before again on one of them counts as unchanged there.
        for common in [self.shared, self.known] {
            if common.theirs_is_known || is_back(&theirs, common.theirs, common.ours) {
                return Verdict::Nothing;
            }
            if common.ours_is_known || is_back(&ours, common.ours, common.theirs) {
                return Verdict::Take;
            }
        }
        Verdict::Changed { base: self.known.theirs.current().or(self.known.ours.current()) }
    }
}
