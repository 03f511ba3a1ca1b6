//! Protects against secrets in memory and instructions in remembered text.
//!
//! This module finds and redacts secrets ([`secrets`]; [`names`] for names), detects text that seems written
//! to steer the model that reads it ([`injection`]), and renders text for a model so that it cannot close its
//! delimiter ([`render`]).
//!
//! **Invariants.** Any text is safe to process, in time linear in its length. Redacting or disarming a text
//! twice has the same effect as once.

mod fold;
pub mod injection;
pub mod names;
pub mod render;
pub mod secrets;

pub use fold::is_blank;
