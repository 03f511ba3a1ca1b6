//! Messages: what was said in conversations.
//!
//! *Writes* `message`, `tool_call` and `tool_result` entries. *Reads* those and `system`.
//!
//! **Invariants.** A message's key is its entry's id. It belongs to its chat. It is found by its own words,
//! by those of the message before it in its conversation, and by its day.

pub mod entry;
pub mod ops;
pub mod rules;
pub mod view;

pub use entry::{Message, ToolUse};
pub use ops::{Content, Item, Known, Taken, take_in};
pub use view::Said;
