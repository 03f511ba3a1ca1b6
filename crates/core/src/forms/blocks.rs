//! Blocks: short named texts that every prompt of an agent contains (document 3).
//!
//! *Writes* the events `block.set`, which creates a version of a block; `block.propose`, which creates a
//! pending proposal for a block of the identity layer; `block.reject`, which removes a proposal; and
//! `block.forget`, which removes a block. *Reads* the same.
//!
//! **Invariants.** A name keeps its layer, whatever layer a tool passes; only the owner can change it. Only the owner
//! sets blocks of the identity layer: a change by any other author becomes a proposal. Computed blocks cannot be set. A
//! proposal is not a block: its key is one that no block name can have.
//!
//! Reading order: `name`, `layer`, `known` (the names defined by document 3), `entry`, `view`, `ops`,
//! `merge`, `index`.

pub mod entry;
pub mod index;
pub mod known;
pub mod layer;
pub mod merge;
pub mod name;
pub mod ops;
pub mod rules;
pub mod view;

pub use index::Computed;
pub use known::Index;
pub use layer::BlockLayer;
pub use name::BlockName;
pub use ops::{Limits, Outcome};
pub use view::{Block, BlocksView, Listed, Proposal, Slot};
