//! Progress of background work that reads conversations, and the messages that it has not read yet.

use std::collections::HashSet;

use jiff::Timestamp;
use memtape_core::forms::messages::StoredMessage;
use memtape_core::progress::PROGRESS;
pub use memtape_core::progress::Progress;
use memtape_core::{Decision, Memory, Meta, Origin, Scope, Session};
use memtape_index::{EntryQuestion, Order};
use memtape_store::Author;
use memtape_tape::{EntryId, Kind};

use crate::conversation::Conversation;
use crate::error::Result;
use crate::workspace::{At, Workspace};

/// Number of events that are read to find those of one task. A conversation has few tasks.
const EVENTS: usize = 32;
/// Number of messages among which recent conversations are found.
pub const RECENT_MESSAGES: usize = 10_000;

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The message.
    pub memory: Memory,
    /// The role: `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// The speaker's name or id; the role if neither is known.
    pub speaker: String,
    /// The user who said it, as `CHANNEL:ID`.
    pub user: Option<String>,
    /// Whether it is a tool call or the result of one.
    pub is_of_tool: bool,
}

impl Spoken {
    fn of(memory: Memory) -> Self {
        let said = StoredMessage::read(memory.clone());
        let is_of_tool = said.data.is_of_tool() || said.data.kind.as_deref() == Some("tool_call");
        Self {
            memory,
            role: said.data.role.clone(),
            speaker: said.data.speaker().to_owned(),
            user: said.data.user.clone(),
            is_of_tool,
        }
    }
}

impl Conversation<'_> {
    /// Returns the last messages of the conversation after an entry, oldest first: at most `limit`, and none from before
    /// its last anchor or reset.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn spoken_after(&self, entry: EntryId, limit: usize) -> Result<Vec<Spoken>> {
        let mut spoken = self
            .workspace
            .read(&At::head(), &self.session, |reader, point| reader.spoken(&self.session, limit, point))?;
        spoken.retain(|memory| memory.id.entry() > entry);
        spoken.reverse();
        Ok(spoken.into_iter().map(Spoken::of).collect())
    }

    /// Returns how far a task has read the conversation; `None` if it has never run.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn progress(&self, task: &str) -> Result<Option<Progress>> {
        let question = EntryQuestion {
            kinds: vec![Kind::Event],
            name: Some(PROGRESS.into()),
            session: Some(self.session.clone()),
            order: Order::NewestFirst,
            limit: Some(EVENTS),
            ..EntryQuestion::default()
        };
        let entries = self
            .workspace
            .read(&At::head(), &self.session, |reader, point| reader.entries(&question, point))?;
        Ok(entries.iter().filter_map(Progress::read).find(|progress| progress.task == task))
    }

    /// Records how far a task has read the conversation.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn record_progress(&self, progress: &Progress) -> Result<()> {
        let author = Author {
            scope: Scope::of_chat(&self.session),
            ..self.workspace.author(&self.session, Origin::Assistant)
        };
        self.workspace.write(&author, |_, _, ctx| {
            Ok(Decision { drafts: vec![progress.draft(&ctx.meta())?], outcome: () })
        })?;
        Ok(())
    }
}

/// A conversation with new messages.
#[derive(Clone, Debug, PartialEq)]
pub struct RecentConversation {
    /// The conversation.
    pub session: Session,
    /// Its last message.
    pub last: EntryId,
    /// When that message was appended.
    pub date: Timestamp,
}

impl Workspace {
    /// Returns the conversations with messages after an entry, the one whose last message is oldest first. Only the last
    /// [`RECENT_MESSAGES`] messages are looked at.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn conversations_after(&self, entry: EntryId) -> Result<Vec<RecentConversation>> {
        let question = EntryQuestion {
            kinds: vec![Kind::Message],
            after: entry,
            order: Order::NewestFirst,
            limit: Some(RECENT_MESSAGES),
            ..EntryQuestion::default()
        };
        let entries =
            self.read(&At::head(), &Session::direct(), |reader, point| reader.entries(&question, point))?;
        let mut seen = HashSet::new();
        let mut recent = Vec::new();
        for entry in entries {
            let Some(session) = Meta::read(entry.meta.get()).session() else { continue };
            if seen.insert(session.to_string()) {
                recent.push(RecentConversation { session, last: entry.id, date: entry.date });
            }
        }
        recent.reverse();
        Ok(recent)
    }

    /// Returns whether the workspace records any text that came from a tool or a page. A model that reads memories may
    /// then have read such text.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn has_foreign(&self) -> Result<bool> {
        self.read(&At::head(), &Session::direct(), |reader, _| reader.has_foreign())
    }
}
