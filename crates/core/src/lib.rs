//! Pure functions that decide what an agent remembers.
//!
//! This crate decides which entries a command writes, and which memories an entry creates and removes.
//! Nothing here reads a clock, a file, the environment or a database: the caller passes the time, the view
//! and the ids.
//!
//! **Invariants.** A [`projection`](projection::project) is a function of one entry and nothing else. A form
//! never imports another form; code that two forms share lies beside them in this crate.
//!
//! Reading order: [`session`], [`scope`], [`audience`], [`slots`], [`category`], [`lifetime`], [`memory`], [`meta`],
//! [`lineage`], [`branch`], [`point`], [`decision`], [`commit`], [`projection`], [`change`], [`forms`],
//! [`turn`], [`imported`], [`journal`], [`recall`], [`bytes`], [`path`], [`edit`], [`merge3`], [`safety`], [`same`], [`prompt`],
//! [`echo`], [`mirror`].

pub mod audience;
pub mod branch;
pub mod bytes;
pub mod calendar;
pub mod category;
pub mod change;
pub mod commit;
pub mod consolidation;
pub mod created;
pub mod decision;
pub mod diff;
pub mod echo;
pub mod edit;
pub mod error;
pub mod extract;
#[cfg(test)]
mod fixtures;
pub mod form;
pub mod forms;
pub mod guard;
pub mod hint;
pub mod imported;
pub mod journal;
pub mod lifetime;
pub mod line;
pub mod lineage;
pub mod memory;
pub mod merge;
pub mod merge3;
pub mod merge_key;
pub mod meta;
pub mod mirror;
pub mod path;
pub mod payload;
pub mod point;
pub mod progress;
pub mod projection;
pub mod prompt;
pub mod recall;
pub mod safety;
pub mod same;
pub mod scope;
mod script;
pub mod session;
pub mod slots;
pub mod turn;

pub use audience::{Audience, Sensitivity};
pub use category::Category;
pub use change::{Change, ChangeKind};
pub use created::Created;
pub use decision::{Context, Decision};
pub use error::{Error, Result};
pub use hint::Hint;
pub use lifetime::Lifetime;
pub use lineage::{Branch, Lineage, MAIN};
pub use memory::{Form, Memory, MemoryId, Origin, Ref};
pub use meta::{Meta, Place, Retire, Rule};
pub use point::{Moment, Point, PointText};
pub use projection::Projection;
pub use scope::{Layer, Scope, User};
pub use session::Session;
pub use slots::Slots;
