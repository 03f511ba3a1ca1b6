//! Blocks: short texts under a name, which an agent has before it in every prompt (document 3).
//!
//! *Writes* events `block.set`, which bears a version of a block; `block.propose`, which bears a change of the identity
//! layer that waits for the owner; `block.reject` and `block.forget`, which retire one of either. *Reads* the same.
//!
//! **Invariants.** A name keeps its layer, whatever a tool passes; only the owner moves it. What a block of the identity
//! layer says is the owner's: whoever else would change it proposes. A name that is computed is never set. What waits is
//! no block: it stands under a key that no name can have.
//!
//! In reading order: `name`, `layer`, `known` (the document's names), `entry`, `view`, `ops`, `merge`, `index`.

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
