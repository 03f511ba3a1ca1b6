//! What memtape's tests share.
//!
//! *Purpose.* A clock that is set by hand, salts that repeat, storage that crashes or fails at a chosen
//! operation, and the laws of the design as one suite that every form plugs into: a form adds its
//! steps to [`steps`], and each law then holds for it too.

pub mod clock;
pub mod dump;
pub mod forms;
pub mod graphs;
pub mod isolation;
pub mod laws;
pub mod names;
pub mod older;
pub mod random;
pub mod refusals;
pub mod secrets;
pub mod step;
pub mod steps;
pub mod storage;
pub mod workspace;

pub use clock::TestClock;
pub use older::Older;
pub use random::random;
pub use step::Step;
pub use storage::{FailingStorage, Failure};
pub use workspace::{TestWorkspace, counting_salts, plant};
