//! Messages of conversations.
//!
//! *Writes* `message`, `tool_call` and `tool_result` entries. *Reads* those and `system`.
//!
//! **Invariants.** The key of a message is the id of its entry. A message belongs to its chat. It is found by
//! its own words, by those of the previous message of its conversation, and by its day.

pub mod entry;
pub mod ops;
pub mod rules;
pub mod view;

pub use entry::{Message, ToolUse};
pub use ops::{Content, Imported, Item, Known, import};
pub use view::StoredMessage;
