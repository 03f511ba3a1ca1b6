//! The steps that each form plugs into the laws.

pub mod blocks;
pub mod files;
pub mod ledger;
pub mod messages;
pub mod notes;
pub mod statements;
pub mod tape;
pub mod turns;
pub mod zone;
