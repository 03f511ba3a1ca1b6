//! A conversation: what was said in one session.

use std::path::Path;

use jiff::Timestamp;
use memtape_core::forms::messages::Message;
use memtape_core::forms::zone::ops;
use memtape_core::{Audience, Decision, Given, Meta, Origin, Point, Session, calendar, turn};
use memtape_store::{EntryQuestion, Order, Reader};
use memtape_tape::{Draft, Entry, EntryId, Kind};

use crate::error::Result;
use crate::ledger::upkeep;
use crate::reading::{SESSION_START, session_start, whole_zone, zone_view};
use crate::workspace::{At, Options, Workspace};

/// One session of a workspace.
pub struct Conversation<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) session: Session,
}

impl Workspace {
    /// Makes a workspace in a directory, or opens the one that is there. A new one begins with the anchor
    /// `session/start` and an empty zone.
    ///
    /// # Errors
    /// What the medium says.
    pub fn init(dir: &Path, options: Options) -> Result<Self> {
        let workspace = Self::create(dir, options)?;
        workspace.conversation(Session::direct()).start()?;
        Ok(workspace)
    }

    /// One conversation.
    #[must_use]
    pub fn conversation(&self, session: Session) -> Conversation<'_> {
        Conversation::new(self, session)
    }
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(workspace: &'a Workspace, session: Session) -> Self {
        Self { workspace, session }
    }

    /// Begins the conversation, or goes on with it: the anchor `session/start` where it has none, an empty
    /// zone where there is none, and daily notes past their days retired. Gives the number of those.
    ///
    /// # Errors
    /// What the medium says.
    pub fn start(&self) -> Result<usize> {
        let author = self.workspace.author(&self.session, Origin::User);
        let written = self.workspace.write(&author, |reader, point, given| {
            let mut drafts = Vec::new();
            if !has_begun(&self.session, reader, point)? {
                drafts.push(session_start(&given.meta(), &given.branch)?);
            }
            let view = zone_view(reader, point, &whole_zone())?;
            drafts.extend(ops::ensure(&view, given)?.drafts);
            let pruned = ops::prune(&view, self.workspace.config.zone.retention_days, given)?;
            drafts.extend(pruned.drafts);
            let config = &self.workspace.config;
            drafts.extend(upkeep::end(config, Some(&self.session), reader, point, given)?);
            Ok(Decision { drafts, outcome: pruned.outcome })
        })?;
        Ok(written.outcome)
    }

    /// Records a message, and gives its entry's id.
    ///
    /// # Errors
    /// What the medium says.
    pub fn say(&self, message: &Message) -> Result<EntryId> {
        self.workspace.check_length("the message", &message.content)?;
        let author = self.workspace.author(&self.session, message.origin());
        let message = self.workspace.clean_message(message.clone());
        let written = self.workspace.write(&author, |reader, point, given| {
            let mut drafts =
                opening(self.workspace, std::slice::from_ref(&self.session), reader, point, given)?;
            let message = message.clone().dated(said_now(reader, point, given)?);
            drafts.push(message.draft(&given.meta(), &given.branch)?);
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(written.entries.last().map_or(0, |entry| entry.id))
    }

    /// What a model is shown of the conversation: messages, tool calls and results since its last anchor,
    /// oldest first, whichever branches they were written on. Memory's own anchors never cut it. What is confidential
    /// is not shown.
    ///
    /// # Errors
    /// What the medium says.
    pub fn context(&self, at: &At) -> Result<Vec<Entry>> {
        self.workspace.tape().for_audience(Audience::of_chat(&self.session)).from_last_anchor(
            Some(&self.session),
            &[Kind::Message, Kind::ToolCall, Kind::ToolResult],
            at,
        )
    }

    /// The last entries of the conversation that a model is shown, at most so many, oldest first.
    ///
    /// # Errors
    /// What the medium says.
    pub fn last(&self, limit: usize, at: &At) -> Result<Vec<Entry>> {
        let question = EntryQuestion {
            audience: Audience::of_chat(&self.session),
            kinds: vec![Kind::Message, Kind::ToolCall, Kind::ToolResult],
            session: Some(self.session.clone()),
            without_reset: true,
            order: Order::NewestFirst,
            limit: Some(limit),
            ..EntryQuestion::default()
        };
        let mut entries =
            self.workspace.read(at, &self.session, |reader, point| reader.entries(&question, point))?;
        entries.reverse();
        Ok(entries)
    }
}

/// What stands before something said: the anchor that begins each of the conversations in which nothing was said yet; and
/// where nothing was said in the workspace today, the daily notes past their days are retired. So a conversation begins
/// with its first message, and notes are pruned once a day at most.
pub(crate) fn opening(
    workspace: &Workspace,
    sessions: &[Session],
    reader: &Reader<'_>,
    point: &Point,
    given: &Given,
) -> memtape_store::Result<Vec<Draft>> {
    let mut drafts = Vec::new();
    let days = workspace.config.zone.retention_days;
    if days > 0 && is_first_of_day(reader, point, given)? {
        let view = zone_view(reader, point, &whole_zone())?;
        drafts.extend(ops::prune(&view, days, given)?.drafts);
    }
    for session in sessions {
        if !has_begun(session, reader, point)? {
            drafts.push(session_start(&Meta::of(session, given.origin), &given.branch)?);
        }
    }
    Ok(drafts)
}

/// When something is said now, where the tape's last date is later than that: then the date of its entry does not say.
pub(crate) fn said_now(
    reader: &Reader<'_>,
    point: &Point,
    given: &Given,
) -> memtape_store::Result<Option<Timestamp>> {
    Ok(reader.last_date(point)?.filter(|last| *last > given.now).map(|_| given.now))
}

/// Whether something was said in a conversation, or its anchor stands, since it was last reset.
fn has_begun(session: &Session, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<bool> {
    // Most conversations have begun: their last message says so, however long they are.
    if !reader.spoken(session, 1, point)?.is_empty() {
        return Ok(true);
    }
    let started = EntryQuestion {
        name: Some(SESSION_START.into()),
        session: Some(session.clone()),
        without_reset: true,
        limit: Some(1),
        ..EntryQuestion::default()
    };
    Ok(!reader.entries(&started, point)?.is_empty())
}

/// Whether no turn or conversation has begun today. A date that is yet to come, of a clock that was once ahead, says
/// nothing of today.
fn is_first_of_day(reader: &Reader<'_>, point: &Point, given: &Given) -> memtape_store::Result<bool> {
    for name in [SESSION_START, turn::BEGIN] {
        let last = reader.last_named(name, point)?;
        if last.is_some_and(|last| calendar::day(last, &given.zone) == given.today()) {
            return Ok(false);
        }
    }
    Ok(true)
}
