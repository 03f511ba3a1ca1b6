//! A conversation: what was said in one session.

use memtape_core::forms::messages::Message;
use memtape_core::forms::zone::ops;
use memtape_core::{Audience, Decision, Origin, Session};
use memtape_store::{EntryQuestion, Order};
use memtape_tape::{Entry, EntryId, Kind};

use crate::error::Result;
use crate::ledger::upkeep;
use crate::workspace::{At, SESSION_START, Workspace, session_start, whole_zone, zone_view};

/// One session of a workspace.
pub struct Conversation<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) session: Session,
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
            let started = EntryQuestion {
                name: Some(SESSION_START.into()),
                session: Some(self.session.clone()),
                without_reset: true,
                limit: Some(1),
                ..EntryQuestion::default()
            };
            let mut drafts = Vec::new();
            if reader.entries(&started, point)?.is_empty() {
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
        let author = self.workspace.author(&self.session, message.origin());
        let message = self.workspace.clean_message(message.clone());
        let written = self.workspace.write(&author, |_, _, given| {
            Ok(Decision { drafts: vec![message.draft(&given.meta(), &given.branch)?], outcome: () })
        })?;
        Ok(written.entries.first().map_or(0, |entry| entry.id))
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
