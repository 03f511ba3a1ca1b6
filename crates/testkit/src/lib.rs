//! The test kit that memtape's tests share.
//!
//! It contains a manual clock, salts that repeat, storage that crashes or fails at a chosen operation, and
//! the laws of the design as one suite for all forms: a form adds its random steps to [`steps`], and every
//! law is then tested with them too.

pub mod clock;
pub mod conformance;
pub mod dump;
pub mod exports;
pub mod forms;
pub mod graphs;
pub mod inspected;
pub mod isolation;
pub mod laws;
pub mod names;
pub mod older;
pub mod postgres;
pub mod proxy;
pub mod random;
pub mod refusals;
pub mod s3;
pub mod scripted_model;
pub mod secrets;
pub mod step;
pub mod steps;
pub mod storage;
pub mod upstreams;
pub mod workspace;

pub use clock::TestClock;
pub use older::Older;
pub use random::random;
pub use scripted_model::ScriptedModel;
pub use step::Step;
pub use storage::{FailingStorage, Failure};
pub use workspace::{TestWorkspace, config, counting_salts, plant};
