//! Who writes, and by which call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memtape_core::{Origin, Scope, Sensitivity, Session};

/// Who writes, and where.
#[derive(Clone, Debug)]
pub struct Author {
    /// The conversation.
    pub session: Session,
    /// Who it comes from.
    pub origin: Origin,
    /// The branch; without one, that which the conversation is on.
    pub branch: Option<String>,
    /// Whose the memories are.
    pub scope: Scope,
    /// How far they may be shown.
    pub sensitivity: Sensitivity,
    /// Why, where they say so.
    pub reason: Option<String>,
    /// The call of a tool that makes them write, if one does.
    pub call: Option<Arc<ToolCall>>,
}

/// A call of one of memtape's tools.
#[derive(Debug)]
pub struct ToolCall {
    /// The tool's name.
    pub tool: &'static str,
    /// Its arguments, as the journal keeps them.
    pub input: String,
    is_recorded: AtomicBool,
}

impl ToolCall {
    /// Returns a call that is not in the journal yet.
    #[must_use]
    pub fn new(tool: &'static str, input: String) -> Self {
        Self { tool, input, is_recorded: AtomicBool::new(false) }
    }

    /// Whether the journal has it: one call may write several groups.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Relaxed)
    }

    /// States that the journal has it.
    pub fn set_recorded(&self) {
        self.is_recorded.store(true, Ordering::Relaxed);
    }
}
