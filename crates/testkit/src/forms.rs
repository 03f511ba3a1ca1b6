//! The random steps of each form, with which the laws are tested.

pub mod blocks;
pub mod files;
pub mod ledger;
pub mod memory_tool;
pub mod messages;
pub mod notes;
pub mod statements;
pub mod tape;
pub mod turns;
pub mod zone;
