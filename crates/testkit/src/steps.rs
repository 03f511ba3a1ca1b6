//! Random steps of every form.

use std::sync::OnceLock;

use jiff::SignedDuration;
use memtape::Workspace;
use proptest::prelude::*;
use proptest::strategy::Union;

use crate::clock::TestClock;
use crate::forms::{blocks, files, ledger, memory_tool, messages, notes, statements, tape, turns, zone};
use crate::step::{Act, Step};

/// A function that returns the strategy for the steps of one form.
type Steps = fn() -> BoxedStrategy<Step>;

/// The steps of every form, each with its weight.
const STEPS: [(u32, Steps); 11] = [
    (5, || Step::of(zone::steps())),
    (4, || Step::of(messages::steps())),
    (4, || Step::of(statements::steps())),
    (5, || Step::of(ledger::steps())),
    (4, || Step::of(blocks::steps())),
    (4, || Step::of(notes::steps())),
    (3, || Step::of(files::steps())),
    (3, || Step::of(memory_tool::steps())),
    (3, || Step::of(turns::steps())),
    (2, || Step::of(tape::steps())),
    (1, || Step::of((-30_i64..60).prop_map(Wait))),
];

static ADDED: OnceLock<(u32, Steps)> = OnceLock::new();

/// Adds the steps of a form that is not built in, with their weight. Only the first call in a process has an
/// effect.
pub fn add(weight: u32, steps: Steps) {
    let _ = ADDED.set((weight, steps));
}

impl Step {
    /// Returns a strategy for steps of any form.
    pub fn any() -> BoxedStrategy<Self> {
        let steps = STEPS.iter().chain(ADDED.get()).map(|(weight, steps)| (*weight, steps()));
        Union::new_weighted(steps.collect()).boxed()
    }

    /// Returns a strategy for at least one and fewer than `at_most` steps.
    pub fn many(at_most: usize) -> BoxedStrategy<Vec<Self>> {
        proptest::collection::vec(Self::any(), 1..at_most).boxed()
    }
}

/// Moves the clock by hours, forward or back.
#[derive(Debug)]
struct Wait(i64);

impl Act for Wait {
    fn run(&self, _workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        clock.advance(SignedDuration::from_hours(self.0));
        Ok(())
    }
}
