//! The author of a write, and the tool call that it records.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memtape_core::{Audience, Origin, Ref, Scope, Sensitivity, Session};
use memtape_index::Reader;
use memtape_tape::EntryId;

use crate::error::Result;

/// The author of a write, and its context.
#[derive(Clone, Debug)]
pub struct Author {
    /// The conversation.
    pub session: Session,
    /// The origin of the written entries.
    pub origin: Origin,
    /// The branch; `None` is the current branch of the conversation.
    pub branch: Option<String>,
    /// The scope of the memories.
    pub scope: Scope,
    /// The visibility of the memories within their scope.
    pub sensitivity: Sensitivity,
    /// The reason, if the author states one.
    pub reason: Option<String>,
    /// The tool call that causes the write, if there is one.
    pub call: Option<Arc<ToolCall>>,
    /// What must still be so when something is written. `None` if it does not matter.
    pub expected: Option<Expected>,
}

/// What an author has seen: a write is refused if it is not so any more.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The branch that the author writes to.
    pub branch: String,
    /// A memory without a version, or a whole note, and the entry of its last change on the branch; 0 if it is not there.
    pub memory: Option<(Ref, EntryId)>,
    /// Who has seen it.
    pub audience: Audience,
}

impl Author {
    /// Returns an author who writes for the whole workspace, on the current branch of the conversation.
    #[must_use]
    pub fn new(session: Session, origin: Origin) -> Self {
        Self {
            session,
            origin,
            branch: None,
            scope: Scope::Global,
            sensitivity: Sensitivity::Normal,
            reason: None,
            call: None,
            expected: None,
        }
    }

    /// Returns the branch to which the author writes.
    ///
    /// # Errors
    /// [`Error::Index`](crate::Error::Index) if the branch does not exist or was deleted
    /// ([`memtape_index::Error::NoBranch`], [`memtape_index::Error::BranchDeleted`]), or SQLite fails.
    pub(crate) fn writable_branch(&self, reader: &Reader<'_>) -> Result<String> {
        let branch = match &self.branch {
            Some(branch) => branch.clone(),
            None => reader.branch_of(&self.session, reader.head())?,
        };
        reader.writable(&branch)?;
        Ok(branch)
    }
}

/// A call of one of memtape's tools.
#[derive(Debug)]
pub struct ToolCall {
    /// The name of the tool.
    pub tool: &'static str,
    /// Its arguments, as the journal records them.
    pub input: String,
    is_recorded: AtomicBool,
    /// As [`Author::expected`], for what it writes.
    pub expected: Option<Expected>,
}

impl ToolCall {
    /// Returns a call that is not in the journal yet.
    #[must_use]
    pub fn new(tool: &'static str, input: String, expected: Option<Expected>) -> Self {
        Self { tool, input, is_recorded: AtomicBool::new(false), expected }
    }

    /// Returns whether the journal contains the call. One call may write several groups, but is recorded
    /// once.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Relaxed)
    }

    /// Marks the call as recorded in the journal.
    pub fn set_recorded(&self) {
        self.is_recorded.store(true, Ordering::Relaxed);
    }
}
