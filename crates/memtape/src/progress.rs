//! Progress of background work that reads conversations, and the messages that it has not read yet.

use std::collections::HashSet;

use jiff::Timestamp;
use memtape_core::forms::messages::{Message, StoredMessage};
pub use memtape_core::progress::TaskProgress;
use memtape_core::progress::event_name;
use memtape_core::{Audience, Decision, Memory, MemoryId, Meta, Origin, Scope, Session};
use memtape_index::{EntryQuestion, Order};
use memtape_store::Author;
use memtape_tape::{Draft, EntryId, Kind};
use serde_json::json;

use crate::conversation::{Conversation, said_now};
use crate::error::Result;
use crate::ledger::upkeep;
use crate::workspace::{At, Workspace};

/// The anchor after which a conversation goes on with a summary.
const HANDOFF: &str = "handoff";
/// The beginning of the message with the summary of a handoff.
pub(crate) const SUMMARY: &str = "Summary of the conversation so far: ";
/// Number of messages among which recent conversations are found.
pub const RECENT_MESSAGES: usize = 10_000;

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationMessage {
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
    /// Whether it is retracted: what it says was forgotten, or it asked to forget something or not to keep it.
    pub is_retracted: bool,
}

impl ConversationMessage {
    fn of(memory: Memory, user: Option<String>, is_retracted: bool) -> Self {
        let said = StoredMessage::data(&memory);
        let is_of_tool = said.is_of_tool() || said.kind.as_deref() == Some("tool_call");
        Self { memory, speaker: said.speaker().to_owned(), role: said.role, user, is_of_tool, is_retracted }
    }

    /// Returns the text of a summary with which the conversation continued; `None` if the message is none.
    #[must_use]
    pub fn summary(&self) -> Option<&str> {
        summary_of(&self.memory)
    }
}

/// Returns the text of a message that is the summary of a handoff; `None` if it is none.
pub(crate) fn summary_of(message: &Memory) -> Option<&str> {
    message.text.strip_prefix(SUMMARY).filter(|_| StoredMessage::data(message).role == "assistant")
}

impl Conversation<'_> {
    /// Returns the messages of the conversation after an entry, oldest first, but none from before its last reset. At most
    /// `limit` are returned. Unlike the context of a model, they do not begin at the last anchor.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn spoken_after(&self, entry: EntryId, limit: usize) -> Result<Vec<ConversationMessage>> {
        let question = EntryQuestion {
            kinds: vec![Kind::Message, Kind::ToolCall, Kind::ToolResult],
            session: Some(self.session.clone()),
            after: entry,
            without_reset: true,
            limit: Some(limit),
            ..EntryQuestion::default()
        };
        self.workspace.read(&At::head(), &Audience::of_chat(&self.session), &self.session, |reader, point| {
            let mut spoken = Vec::new();
            let retracted = reader.retracted(point);
            for entry in reader.entries(&question, point)? {
                let user = Meta::read(entry.meta.get()).user;
                let is_retracted = retracted.includes(entry.id)?;
                let memory = reader.by_ids([MemoryId::new(entry.id, 0)])?.pop();
                spoken.extend(memory.map(|memory| ConversationMessage::of(memory, user, is_retracted)));
            }
            Ok(spoken)
        })
    }

    /// Returns what a model is shown of the conversation, as messages: those since its last anchor, oldest first, at most
    /// the last `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn spoken(&self, limit: usize) -> Result<Vec<ConversationMessage>> {
        self.workspace.read(&At::head(), &Audience::of_chat(&self.session), &self.session, |reader, point| {
            let retracted = reader.retracted(point);
            let mut spoken = Vec::new();
            for memory in reader.spoken(&self.session, limit, point)?.into_iter().rev() {
                let is_retracted = retracted.includes(memory.id.entry())?;
                spoken.push(ConversationMessage::of(memory, None, is_retracted));
            }
            Ok(spoken)
        })
    }

    /// Continues the conversation after an anchor, with a summary of its messages up to an entry. Both are one group. `of`
    /// are the messages that were read for the summary: it has the origin `tool` if one of them comes from a tool or a page.
    ///
    /// Returns `false` and writes nothing if the conversation has a later message, which no prompt would show any more, or
    /// if one of the messages was retracted after it was read.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the summary is longer than `ingest.max_message_bytes`;
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn hand_off(&self, summary: &str, through: EntryId, of: &[ConversationMessage]) -> Result<bool> {
        self.workspace.check_length("the summary", summary)?;
        let text = format!("{SUMMARY}{summary}");
        let message = self.workspace.clean_message(Message::new("assistant", text));
        let anchor = json!({"name": HANDOFF, "state": {"summary": self.workspace.clean(summary)}});
        let is_foreign = of.iter().any(|said| said.memory.origin.is_some_and(Origin::is_foreign));
        let origin = if is_foreign { Origin::Tool } else { Origin::Assistant };
        let author = self.workspace.author(&self.session, Origin::Assistant);
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let last = reader.spoken(&self.session, 1, point)?.pop();
            if last.is_some_and(|last| last.id.entry() > through) {
                return Ok(Decision::nothing(false));
            }
            let retracted = reader.retracted(point);
            for said in of.iter().filter(|said| !said.is_retracted) {
                if retracted.includes(said.memory.id.entry())? {
                    return Ok(Decision::nothing(false));
                }
            }
            let meta = Meta { origin: Some(origin), ..ctx.meta() };
            let mut drafts = vec![Draft::new(Kind::Anchor, &anchor, &meta, &ctx.branch)?];
            let message = message.clone().dated(said_now(reader, point, ctx)?);
            drafts.push(message.draft(&meta, &ctx.branch)?);
            drafts.extend(upkeep::end(&self.workspace.config, Some(&self.session), reader, point, ctx)?);
            Ok(Decision { drafts, outcome: true })
        })?;
        Ok(written.outcome)
    }

    /// Returns how far a task has read the conversation; `None` if it has never run.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn progress(&self, task: &str) -> Result<Option<TaskProgress>> {
        let question = EntryQuestion {
            kinds: vec![Kind::Event],
            name: Some(event_name(task)),
            session: Some(self.session.clone()),
            order: Order::NewestFirst,
            limit: Some(1),
            ..EntryQuestion::default()
        };
        let entries = self.workspace.read(
            &At::head(),
            &Audience::of_chat(&self.session),
            &self.session,
            |reader, point| reader.entries(&question, point),
        )?;
        Ok(entries.first().and_then(TaskProgress::read))
    }

    /// Records how far a task has read the conversation.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn record_progress(&self, progress: &TaskProgress) -> Result<()> {
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
        let entries = self.read(&At::head(), &Audience::owner(), &Session::direct(), |reader, point| {
            reader.entries(&question, point)
        })?;
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
        self.read(&At::head(), &Audience::owner(), &Session::direct(), |reader, _| reader.has_foreign())
    }
}
