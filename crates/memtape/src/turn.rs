//! A turn: one inbound message handled from end to end.
//!
//! The steps of a turn are: check the policy, record the message, recall, ask the model, capture, write the
//! closing group. The model is a closure, so that turns are the same for every agent.
//!
//! **Invariants.** The message is on the tape before a model is asked; a turn that is interrupted before its
//! closing group is reported to the next one, to that of another user after 15 minutes. What the prompt
//! already contained is not captured again, whoever repeats it. What comes from tools is marked with their
//! origin. In a channel that is not recorded, nothing is written at all.

use jiff::{SignedDuration, Timestamp};
pub use memtape_core::forms::messages::ToolUse;
use memtape_core::forms::messages::{Message, StoredMessage};
use memtape_core::prompt::{self, Prompt, TooSmall};
use memtape_core::safety::is_blank;
use memtape_core::turn::{Trigger, message_of};
use memtape_core::{Audience, Decision, Memory, Meta, Origin, Ref, Session, User, turn};
use memtape_tape::{Draft, EntryId};
use serde_json::{Value, json};

mod capture;
mod copies;
mod ending;
mod outcome;
mod place;
mod said;

pub use self::outcome::{Briefing, Captured, FinishedTurn, NotKept, Reason, Reply, Unfinished};
pub use self::said::Said;
use crate::conversation::{self, Conversation};
use crate::error::{Error, Result};
use crate::inbound::{self, CONVERSATION_MESSAGES, Inbound, check_lengths};
use crate::progress::summary_of;
use crate::prompt::{Assembling, Prompting, with_shown};
use crate::snapshot::Snapshot;
use crate::workspace::{At, Workspace};

/// How long a turn may take before the turns of other users report it as interrupted, and before it counts as abandoned.
const PATIENCE: SignedDuration = SignedDuration::from_mins(15);

/// What a turn knows before the model is asked.
#[derive(Clone, Debug)]
struct Before {
    audience: Audience,
    /// The entry of the message; `None` if it is not known.
    message: Option<EntryId>,
    /// The event that began the turn; 0 if the message was not said in a turn.
    begin: EntryId,
    /// The entries of the turn's first group.
    own: Vec<EntryId>,
    /// The date of the message.
    said_at: Timestamp,
    unfinished: Vec<Unfinished>,
    unfinished_begins: Vec<EntryId>,
    /// The system part of the prompt.
    system: String,
    /// The messages of the conversation that the prompt shows.
    spoken: Vec<Memory>,
}

impl Before {
    /// Returns what is known of a message before anything is read for it.
    fn new(audience: Audience, message: Option<EntryId>, said_at: Timestamp) -> Self {
        Self {
            audience,
            message,
            begin: 0,
            own: Vec::new(),
            said_at,
            unfinished: Vec::new(),
            unfinished_begins: Vec::new(),
            system: String::new(),
            spoken: Vec::new(),
        }
    }
}

/// A turn that has begun: the message is recorded, and the model has not replied yet.
///
/// It holds no reference to the workspace, so it can be kept between two requests. A turn that never ends stays
/// unfinished, and a later one of the conversation reports it.
#[derive(Clone, Debug)]
pub struct Turn {
    session: Session,
    inbound: Inbound,
    /// `None` if the channel is not recorded.
    before: Option<Before>,
    prompt: Option<Result<Prompt, TooSmall>>,
    finished: FinishedTurn,
}

impl Turn {
    /// Returns what the model receives.
    #[must_use]
    pub fn briefing(&self) -> Briefing<'_> {
        let spoken = self.before.iter().flat_map(|before| &before.spoken);
        let prompt = self.prompt.as_ref().map(Result::as_ref);
        Briefing {
            prompt: prompt.and_then(Result::ok),
            too_small: prompt.and_then(Result::err).copied(),
            memory: &self.finished.memory,
            recalled: &self.finished.recalled.hits,
            seen: spoken.into_iter().find(|memory| is_foreign(memory)).and_then(|memory| memory.origin),
        }
    }

    /// Returns the conversation.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the reference of the message; `None` if the channel is not recorded.
    #[must_use]
    pub fn message(&self) -> Option<&Ref> {
        self.finished.message.as_ref()
    }

    /// Returns the interrupted turns before this one.
    #[must_use]
    pub fn unfinished(&self) -> &[Unfinished] {
        &self.finished.unfinished
    }
}

impl Workspace {
    /// Returns the conversations on a channel that were abandoned in a turn: all of their open turns began 15 minutes ago or
    /// earlier. Those of the newest turns come first.
    ///
    /// # Errors
    /// [`Error::Store`] if the index cannot be read.
    pub fn abandoned(&self, channel: &str) -> Result<Vec<Session>> {
        let mut sessions =
            self.read(&At::head(), &Audience::owner(), &Session::direct(), |reader, point| {
                reader.with_open_turns(point.instant.checked_sub(PATIENCE).unwrap_or(Timestamp::MIN))
            })?;
        sessions.retain(|session| session.channel() == channel);
        Ok(sessions)
    }
}

impl Conversation<'_> {
    /// Handles an inbound message from end to end.
    ///
    /// `answer` is the model. It receives the prompt and the recalled memories, and may write to the
    /// workspace itself. In a channel that is not recorded, `answer` is called with an empty briefing and
    /// nothing is written. An error of the model's own fits in [`Error::caller`].
    ///
    /// # Errors
    /// - As [`Conversation::begin`] and [`Conversation::end`].
    /// - Any error of `answer`. The turn then stays unfinished, and a later one reports it.
    pub fn turn(
        &self,
        inbound: &Inbound,
        answer: impl FnOnce(&Briefing<'_>) -> Result<Reply>,
    ) -> Result<FinishedTurn> {
        let turn = self.begin(inbound)?;
        let reply = answer(&turn.briefing())?;
        self.end(turn, &reply)
    }

    /// Begins a turn: records the message and recalls what is relevant to it.
    ///
    /// The model then receives [`Turn::briefing`], and [`Conversation::end`] takes its reply. Use
    /// [`Conversation::turn`] unless the model runs elsewhere, for example behind another request or in an
    /// asynchronous task.
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the message is empty, if a turn without a speaker names a user, a name or a
    ///   message it replies to, if `user` is ambiguous, or if the configured tokenizer cannot be read.
    /// - [`Error::NotFound`] if `user` is an `@NAME` that the configuration does not declare.
    /// - [`Error::Refused`] if the message is longer than `ingest.max_message_bytes`.
    /// - [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write).
    pub fn begin(&self, inbound: &Inbound) -> Result<Turn> {
        self.begin_with(inbound, &Prompting::default())
    }

    /// Begins a turn as [`Conversation::begin`] does, with options of the prompt.
    ///
    /// # Errors
    /// As [`Conversation::begin`].
    pub fn begin_with(&self, inbound: &Inbound, asking: &Prompting) -> Result<Turn> {
        let mut turn = Turn {
            session: self.session.clone(),
            inbound: inbound.clone(),
            before: None,
            prompt: None,
            finished: FinishedTurn::default(),
        };
        if !self.is_recorded() {
            return Ok(turn);
        }
        if is_blank(&inbound.text) {
            return Err(Error::Invalid("the message is empty".into()));
        }
        let is_of_nobody = inbound.user.is_none() && inbound.name.is_none() && inbound.reply_to.is_none();
        if inbound.trigger != Trigger::Message && !is_of_nobody {
            let trigger = inbound.trigger.as_str();
            return Err(Error::Invalid(format!(
                "a {trigger} turn has no sender: omit the user and the message that it replies to"
            )));
        }
        check_lengths(self.workspace, inbound)?;
        // A tokenizer that cannot be read is reported before anything is written.
        self.workspace.counting()?;
        let mut before = self.record(inbound)?;
        turn.finished.remembered = true;
        turn.finished.message = before.message.map(Ref::of_message);
        turn.finished.unfinished.clone_from(&before.unfinished);
        turn.prompt = Some(self.recall_for(inbound, asking, &At::head(), &mut before, &mut turn.finished)?);
        turn.before = Some(before);
        Ok(turn)
    }

    /// Returns the turns of the conversation that have begun and not ended, oldest first, as far as their
    /// messages can still be read. Each can be ended, also by another process than the one that began it.
    ///
    /// Such a turn has an empty briefing: what the model was shown is read again when the turn ends. `user` is the
    /// speaker, as [`Workspace::audience`](crate::Workspace::audience) takes it.
    ///
    /// # Errors
    /// - As [`Workspace::audience`](crate::Workspace::audience).
    /// - [`Error::Store`] if the index cannot be read.
    pub fn open_turns(&self, user: Option<&str>) -> Result<Vec<Turn>> {
        let audience = self.workspace.audience(Some(&self.session), user)?;
        self.workspace.read(&At::head(), &audience, &self.session, |reader, point| {
            let mut turns = Vec::new();
            for begin in reader.open_turns(&self.session)? {
                let entry = message_of(begin);
                let message = Ref::of_message(entry);
                let Some(said) = reader.by_ref(&message, &audience, point)?.pop() else { continue };
                let said_at = said.said_at.unwrap_or(said.created_at);
                let (recorded, _) = inbound::recorded(reader, begin)?;
                let group = reader.group_with(begin)?;
                let inbound = Inbound { user: user.map(str::to_owned), said_at: Some(said_at), ..recorded };
                let before = Before {
                    begin,
                    own: (group.first..=group.last).collect(),
                    ..Before::new(audience.clone(), Some(entry), said_at)
                };
                turns.push(Turn {
                    session: self.session.clone(),
                    inbound,
                    before: Some(before),
                    prompt: None,
                    finished: FinishedTurn {
                        remembered: true,
                        message: Some(message),
                        ..FinishedTurn::default()
                    },
                });
            }
            Ok(turns)
        })
    }

    /// Ends a turn: captures what is worth keeping, and writes the closing group. A secret of the message is redacted where
    /// the reply repeats it, if this process began the turn.
    ///
    /// A turn ends once: if it has ended before, nothing is written, and [`FinishedTurn::had_ended`] is true.
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the turn belongs to another conversation.
    /// - [`Error::Refused`] if the reply or a tool call is longer than `ingest.max_message_bytes`.
    /// - [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write).
    pub fn end(&self, turn: Turn, reply: &Reply) -> Result<FinishedTurn> {
        let Turn { session, inbound, before, prompt, mut finished } = turn;
        if session != self.session {
            return Err(Error::Invalid(format!("the turn belongs to the conversation {session}")));
        }
        let Some(mut before) = before else { return Ok(finished) };
        if prompt.is_none() {
            // Another process began the turn. What it recalled is what there was when the message was recorded.
            let at = At::entry(message_of(before.begin));
            let recalled = self.recall_for(&inbound, &Prompting::default(), &at, &mut before, &mut finished);
            self.workspace.note_failure(recalled.map(|_| ()));
        }
        self.end_turn(&inbound, &before, reply, finished)
    }

    /// Checks that [`Conversation::end`] accepts a reply. A caller that has the reply before the turn begins can check it
    /// before anything is written. The result of a tool may have any length: `end` cuts it.
    ///
    /// # Errors
    /// [`Error::Refused`] if the reply, a pending action or a tool call is longer than `ingest.max_message_bytes`, and
    /// the channel is recorded.
    pub fn check_reply(&self, reply: &Reply) -> Result<()> {
        if !self.is_recorded() {
            return Ok(());
        }
        let check = |what: &str, text: &str| self.workspace.check_length(what, text);
        reply.text.iter().try_for_each(|text| check("the reply", text))?;
        reply.pending_actions.iter().try_for_each(|action| check("a pending action", action))?;
        for tool in &reply.tools {
            check("a tool's name", &tool.name)?;
            check(&format!("the call of {}", tool.name), &tool.arguments.to_string())?;
        }
        Ok(())
    }

    /// Returns whether turns of the conversation's channel are recorded.
    fn is_recorded(&self) -> bool {
        let policy = &self.workspace.config.turn;
        policy.enabled && policy.channels.hold(self.session.channel())
    }

    /// Records the message, and reads the interrupted turns before it.
    fn record(&self, inbound: &Inbound) -> Result<Before> {
        let workspace = self.workspace;
        let audience = workspace.audience(Some(&self.session), inbound.user.as_deref())?;
        let user = audience.user().map(ToString::to_string);
        let message = workspace.clean_message(Message {
            role: "user".into(),
            content: inbound.text.clone(),
            name: workspace.declared_name(&audience).or(inbound.name.as_deref()).map(str::to_owned),
            image: None,
            said_at: inbound.said_at,
        });
        let reply_to = inbound.reply_to.as_deref().map(|text| workspace.clean(text).into_owned());
        // A turn that nobody's message triggered originates from the agent.
        let origin = match inbound.trigger {
            Trigger::Message => Origin::User,
            Trigger::Perch | Trigger::Cron => Origin::Assistant,
        };
        let author = workspace.author(&self.session, origin);
        let written = workspace.write(&author, |reader, point, ctx| {
            let mut drafts =
                conversation::opening(workspace, std::slice::from_ref(&self.session), reader, point, ctx)?;
            let message = message.clone().dated(conversation::said_now(reader, point, ctx)?);
            let meta = ctx.meta();
            drafts.push(turn::begin(inbound.trigger, &self.session, &meta, &ctx.branch)?);
            let begins = drafts.len() - 1;
            let meta = Meta { user: user.clone(), ..meta };
            drafts.push(match inbound.trigger {
                Trigger::Message => replying(message.draft(&meta, &ctx.branch)?, reply_to.as_deref())?,
                Trigger::Perch | Trigger::Cron => message.system(&meta, &ctx.branch)?,
            });
            let (mut unfinished_begins, mut unfinished) = (Vec::new(), Vec::new());
            for begin in reader.open_turns(&self.session)? {
                let message = Ref::of_message(message_of(begin));
                let said = reader.by_ref(&message, &audience, point)?.pop();
                if !said.as_ref().is_some_and(|said| may_be_running(said, audience.user(), ctx.now)) {
                    unfinished_begins.push(begin);
                    unfinished.push(Unfinished { message, text: said.map(|said| said.text) });
                }
            }
            Ok(Decision { drafts, outcome: (begins, ctx.now, unfinished_begins, unfinished) })
        })?;
        let (begins, now, unfinished_begins, unfinished) = written.outcome;
        let begin = written.entries.get(begins).map_or(0, |entry| entry.id);
        let said_at = inbound.said_at.unwrap_or(now);
        Ok(Before {
            begin,
            own: written.entries.iter().map(|entry| entry.id).collect(),
            unfinished,
            unfinished_begins,
            ..Before::new(audience, Some(message_of(begin)), said_at)
        })
    }

    /// Returns the prompt for the message and records what it shows. If the message does not fit in any
    /// prompt, only the recalled memories are rendered.
    fn recall_for(
        &self,
        inbound: &Inbound,
        asking: &Prompting,
        at: &At<'_>,
        before: &mut Before,
        turn: &mut FinishedTurn,
    ) -> Result<Result<Prompt, TooSmall>> {
        let workspace = self.workspace;
        let assembling = Assembling {
            inbound,
            asking,
            audience: &before.audience,
            own: &before.own,
            said_at: Some(before.said_at),
            brief: None,
            recorded: None,
        };
        let read = |snapshot: &Snapshot<'_>| {
            let at = &snapshot.at();
            let (prompt, recalled) = self.assemble(&assembling, at)?;
            let spoken =
                workspace.read(at, &before.audience, &self.session, |reader, point| match &prompt {
                    Ok(prompt) => reader.by_ids(prompt.shown.iter().copied()),
                    Err(_) => reader.spoken(&self.session, CONVERSATION_MESSAGES, point),
                })?;
            Ok((prompt, recalled, spoken))
        };
        let (prompt, recalled, spoken) =
            workspace.with_snapshot(&self.session, &before.audience, at, read)?;
        before.spoken = spoken;
        turn.too_small = prompt.as_ref().err().copied();
        let max_chars = workspace.config.recall.max_prompt_chars;
        turn.memory = match &prompt {
            Ok(prompt) => prompt.memory.clone(),
            Err(_) => with_shown(&recalled, |memories| {
                prompt::recalled(memories, workspace.time_zone(), max_chars).0
            }),
        };
        turn.recalled = recalled;
        before.system = prompt.as_ref().map_or_else(|_| String::new(), |prompt| prompt.system.clone());
        Ok(prompt)
    }
}

/// Returns whether the turn of a message may still be running while another user's begins: it is somebody else's, and
/// recent.
fn may_be_running(said: &Memory, user: Option<&User>, now: Timestamp) -> bool {
    let is_recent = now.duration_since(said.created_at) < PATIENCE;
    is_recent && StoredMessage::data(said).user.as_deref() != user.map(User::id)
}

fn is_foreign(memory: &Memory) -> bool {
    // A reply after a tool's output is marked as well, but only the output itself marks what follows, or the summary that
    // takes its place.
    memory.origin.is_some_and(Origin::is_foreign)
        && (StoredMessage::data(memory).is_of_tool() || summary_of(memory).is_some())
}

/// Returns the entry of a message with the text of the message it replies to.
fn replying(draft: Draft, reply_to: Option<&str>) -> memtape_tape::Result<Draft> {
    let Some(reply_to) = reply_to else { return Ok(draft) };
    let mut payload: Value = serde_json::from_str(draft.payload.get()).unwrap_or_default();
    payload["reply_to"] = reply_to.into();
    Ok(Draft {
        payload: Draft::new(draft.kind.clone(), &payload, &json!({}), &draft.branch)?.payload,
        ..draft
    })
}
