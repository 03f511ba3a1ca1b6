//! One step of a user.

use std::fmt::Debug;
use std::sync::Arc;

use memtape::Workspace;
use proptest::prelude::*;

use crate::clock::TestClock;

/// The action of a step.
pub trait Act: Debug + Send + Sync + 'static {
    /// Runs the action. A refusal by a command is a valid outcome, not an error.
    ///
    /// # Errors
    /// Any error that no command may return for unusual input; see [`crate::refusals::allow_refusals`].
    fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()>;
}

/// One step of a user, with an action of any form.
#[derive(Clone, Debug)]
pub struct Step(Arc<dyn Act>);

impl Step {
    /// Creates a step from an action.
    pub fn new(act: impl Act) -> Self {
        Self(Arc::new(act))
    }

    /// Returns a strategy for steps from a strategy for actions.
    pub fn of(acts: impl Strategy<Value = impl Act> + 'static) -> BoxedStrategy<Self> {
        acts.prop_map(Self::new).boxed()
    }

    /// Runs the step.
    ///
    /// # Errors
    /// As [`Act::run`].
    pub fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        self.0.run(workspace, clock)
    }
}
