//! What must not be kept, and what must not be obeyed.
//!
//! *Purpose.* To find secrets in a text and take them out ([`secrets`]; [`names`] for names), to say whether a text looks as if it were
//! written to steer the model that reads it ([`injection`]), and to show a text to a model so that it cannot close
//! what it is shown in ([`render`]).
//!
//! **Invariants.** Any text is safe, and takes time in proportion to its length. What takes something out or makes
//! it harmless changes nothing when it is done again.

mod fold;
pub mod injection;
pub mod names;
pub mod render;
pub mod secrets;
