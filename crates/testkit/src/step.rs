//! One thing that a user does.

use std::fmt::Debug;
use std::sync::Arc;

use memtape::Workspace;
use proptest::prelude::*;

use crate::clock::TestClock;

/// What a step does.
pub trait Act: Debug + Send + Sync + 'static {
    /// Does it; what a command refuses is an outcome like any other.
    ///
    /// # Errors
    /// What no command may answer.
    fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()>;
}

/// One thing that a user does, of whichever form.
#[derive(Clone, Debug)]
pub struct Step(Arc<dyn Act>);

impl Step {
    /// Returns the step that does this.
    pub fn new(act: impl Act) -> Self {
        Self(Arc::new(act))
    }

    /// Returns steps that do what a strategy gives.
    pub fn of(acts: impl Strategy<Value = impl Act> + 'static) -> BoxedStrategy<Self> {
        acts.prop_map(Self::new).boxed()
    }

    /// Does it.
    ///
    /// # Errors
    /// What no command may answer.
    pub fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        self.0.run(workspace, clock)
    }
}
