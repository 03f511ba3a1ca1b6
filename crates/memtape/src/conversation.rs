//! Conversations: starting one, recording its messages and reading them.

use std::path::Path;

use jiff::Timestamp;
use memtape_core::forms::messages::Message;
use memtape_core::forms::zone::ops;
use memtape_core::{Audience, Context, Decision, Meta, Origin, Point, Session, calendar, turn};
use memtape_index::{EntryQuestion, Order, Reader};
use memtape_tape::{Draft, Entry, EntryId, Kind};

use crate::error::Result;
use crate::ledger::upkeep;
use crate::reading::{SESSION_START, session_start, whole_zone, zone_view};
use crate::workspace::{At, Options, Workspace};

/// One conversation of a workspace.
pub struct Conversation<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) session: Session,
}

impl Workspace {
    /// Creates a workspace in a directory, or opens the existing one.
    ///
    /// A new workspace begins with the anchor `session/start` and an empty zone.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the directory or its tape cannot be read or written, if the
    /// branch in `options` does not exist, or if a configured notes folder leads out of the workspace.
    pub fn init(dir: &Path, options: Options) -> Result<Self> {
        let workspace = Self::create(dir, options)?;
        workspace.conversation(Session::direct()).start()?;
        Ok(workspace)
    }

    /// Returns the handle of a conversation.
    #[must_use]
    pub fn conversation(&self, session: Session) -> Conversation<'_> {
        Conversation::new(self, session)
    }

    /// Returns the first conversation on a channel that has a thread of ASCII letters, digits, `-` and `_`; `None` if
    /// there is none.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn conversation_of(&self, channel: &str, thread: &str) -> Result<Option<Session>> {
        self.read(&At::head(), &Audience::owner(), &Session::direct(), |reader, _| {
            reader.conversation_of(channel, thread)
        })
    }
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(workspace: &'a Workspace, session: Session) -> Self {
        Self { workspace, session }
    }

    /// Returns the label of the conversation.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Starts or resumes the conversation and returns how many expired daily notes were removed.
    ///
    /// It appends the anchor `session/start` if the conversation has none and creates the zone if there is
    /// none. Daily notes older than `zone.retention_days` are removed.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn start(&self) -> Result<usize> {
        let author = self.workspace.author(&self.session, Origin::User);
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let mut drafts = Vec::new();
            if !has_begun(&self.session, reader, point)? {
                drafts.push(session_start(&ctx.meta(), &ctx.branch)?);
            }
            let view = zone_view(reader, point, &whole_zone())?;
            drafts.extend(ops::ensure(&view, ctx)?.drafts);
            let pruned = ops::expire(&view, self.workspace.config.zone.retention_days, ctx)?;
            drafts.extend(pruned.drafts);
            let config = &self.workspace.config;
            drafts.extend(upkeep::end(config, Some(&self.session), reader, point, ctx)?);
            Ok(Decision { drafts, outcome: pruned.outcome })
        })?;
        Ok(written.outcome)
    }

    /// Returns the point at which the conversation started: that of its anchor `session/start`.
    ///
    /// `None` means that it has none: [`Conversation::start`] appends it.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn started_at(&self) -> Result<Option<At<'static>>> {
        let entry = self.workspace.read(
            &At::head(),
            &Audience::of_chat(&self.session),
            &self.session,
            |reader, point| started(&self.session, reader, point),
        )?;
        Ok(entry.map(At::entry))
    }

    /// Records a message and returns the id of its entry.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the message is longer than `ingest.max_message_bytes`;
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn say(&self, message: &Message) -> Result<EntryId> {
        Ok(self.say_if(message, |_| Ok(true))?.unwrap_or_default())
    }

    /// Records a message as [`Conversation::say`] does, if the last message of the conversation satisfies a condition, and
    /// returns the id of its entry; `None` if it does not, or if there is no message.
    ///
    /// No other message is recorded between the test and the record.
    ///
    /// # Errors
    /// As [`Conversation::say`].
    pub fn say_after(
        &self,
        message: &Message,
        condition: impl Fn(&Message) -> bool,
    ) -> Result<Option<EntryId>> {
        let question = self.last_question(1);
        self.say_if(message, |(reader, point)| {
            let last = reader.entries(&question, point)?.pop();
            let last = last.and_then(|last| serde_json::from_str(last.payload.get()).ok());
            Ok(last.is_some_and(|last| condition(&last)))
        })
    }

    fn say_if(
        &self,
        message: &Message,
        is_wanted: impl Fn((&Reader<'_>, &Point)) -> memtape_index::Result<bool>,
    ) -> Result<Option<EntryId>> {
        self.workspace.check_length("the message", &message.content)?;
        let author = self.workspace.author(&self.session, message.origin());
        let message = self.workspace.clean_message(message.clone());
        let written = self.workspace.write(&author, |reader, point, ctx| {
            if !is_wanted((reader, point))? {
                return Ok(Decision::nothing(()));
            }
            let mut drafts =
                opening(self.workspace, std::slice::from_ref(&self.session), reader, point, ctx)?;
            let message = message.clone().dated(said_now(reader, point, ctx)?);
            drafts.push(message.draft(&ctx.meta(), &ctx.branch)?);
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(written.entries.last().map(|entry| entry.id))
    }

    /// Returns what a model is shown of the conversation: messages, tool calls and tool results since its
    /// last anchor, oldest first, from every branch they were written on.
    ///
    /// Anchors of memtape itself do not count. Confidential entries are left out, and so are the messages and tool calls of
    /// turns that said what was forgotten. Quarantined ones are included: a prompt does not show their text.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` names no entry or branch, or if the index cannot be
    /// read.
    pub fn context(&self, at: &At) -> Result<Vec<Entry>> {
        let entries = self.workspace.tape().for_audience(Audience::of_chat(&self.session)).from_last_anchor(
            Some(&self.session),
            &[Kind::Message, Kind::ToolCall, Kind::ToolResult],
            at,
        )?;
        self.without_retracted(entries, at)
    }

    /// Returns entries without those of turns whose message is retracted at a point.
    fn without_retracted(&self, entries: Vec<Entry>, at: &At) -> Result<Vec<Entry>> {
        let audience = Audience::of_chat(&self.session);
        let retracted = self.workspace.read(at, &audience, &self.session, |reader, point| {
            let retracted = reader.retracted(point);
            entries
                .iter()
                .map(|entry| retracted.includes(entry.id))
                .collect::<memtape_index::Result<Vec<_>>>()
        })?;
        let kept = entries.into_iter().zip(retracted).filter(|(_, is_retracted)| !is_retracted);
        Ok(kept.map(|(entry, _)| entry).collect())
    }

    /// Returns the last `limit` messages, tool calls and tool results of the conversation, oldest first.
    ///
    /// Only entries since the last reset are included, without confidential ones. Of these `limit`, the messages and tool
    /// calls of turns that said what was forgotten are left out, so there may be fewer.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` names no entry or branch, or if the index cannot be
    /// read.
    pub fn last(&self, limit: usize, at: &At) -> Result<Vec<Entry>> {
        let question = self.last_question(limit);
        let mut entries = self
            .workspace
            .read(at, &question.audience, &self.session, |reader, point| reader.entries(&question, point))?;
        entries.reverse();
        self.without_retracted(entries, at)
    }

    /// Returns the question for the last messages, tool calls and tool results of the conversation, newest first.
    fn last_question(&self, limit: usize) -> EntryQuestion {
        EntryQuestion {
            audience: Audience::of_chat(&self.session),
            kinds: vec![Kind::Message, Kind::ToolCall, Kind::ToolResult],
            session: Some(self.session.clone()),
            without_reset: true,
            order: Order::NewestFirst,
            limit: Some(limit),
            ..EntryQuestion::default()
        }
    }
}

/// Returns the entries that precede a message: the anchor `session/start` of each conversation that has none
/// yet and, for the first message of a day, the removal of expired daily notes. So a conversation begins with
/// its first message, and notes are pruned at most once a day.
pub(crate) fn opening(
    workspace: &Workspace,
    sessions: &[Session],
    reader: &Reader<'_>,
    point: &Point,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let mut drafts = Vec::new();
    let days = workspace.config.zone.retention_days;
    if days > 0 && is_first_of_day(reader, point, ctx)? {
        let view = zone_view(reader, point, &whole_zone())?;
        drafts.extend(ops::expire(&view, days, ctx)?.drafts);
    }
    for session in sessions {
        if !has_begun(session, reader, point)? {
            drafts.push(session_start(&Meta::of(session, ctx.origin), &ctx.branch)?);
        }
    }
    Ok(drafts)
}

/// Returns the date to store with a message: `None` unless the tape's last entry has a later date, in which
/// case the date of the message's entry would be wrong.
pub(crate) fn said_now(
    reader: &Reader<'_>,
    point: &Point,
    ctx: &Context,
) -> memtape_index::Result<Option<Timestamp>> {
    Ok(reader.last_date(point)?.filter(|last| *last > ctx.now).map(|_| ctx.now))
}

/// Returns the entry of the conversation's anchor `session/start`, if it has one.
fn started(session: &Session, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Option<EntryId>> {
    let question = EntryQuestion {
        name: Some(SESSION_START.into()),
        session: Some(session.clone()),
        without_reset: true,
        limit: Some(1),
        ..EntryQuestion::default()
    };
    Ok(reader.entries(&question, point)?.first().map(|entry| entry.id))
}

/// Returns whether the conversation has a message or its anchor since the last reset.
fn has_begun(session: &Session, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<bool> {
    // Most conversations have messages, and looking up the last one costs the same however long they are.
    if !reader.spoken(session, 1, point)?.is_empty() {
        return Ok(true);
    }
    Ok(started(session, reader, point)?.is_some())
}

/// Returns whether no turn or conversation has begun today. Dates in the future come from a clock that was
/// once ahead; they are ignored.
fn is_first_of_day(reader: &Reader<'_>, point: &Point, ctx: &Context) -> memtape_index::Result<bool> {
    for name in [SESSION_START, turn::BEGIN] {
        let last = reader.last_named(name, point)?;
        if last.is_some_and(|last| calendar::day(last, &ctx.zone) == ctx.today()) {
            return Ok(false);
        }
    }
    Ok(true)
}
