//! Turns that are on the tape: which there were, and what the model was shown in one of them.
//!
//! The tape records no prompt, because an erasure would have to find its copy of every text. A prompt is a function of
//! the tape at the beginning of its turn and of the memories that the turn recorded as recalled, so it is assembled
//! again from these.

use jiff::Timestamp;
use memtape_core::prompt::{Prompt, TooSmall};
use memtape_core::turn::{Counters, End, message_of};
use memtape_core::{Audience, Memory, Moment, Point, PointText, Ref, Session, User};
use memtape_index::{EntryQuestion, Reader};
pub use memtape_index::{TurnQuestion, TurnRow};
use memtape_tape::{Entry, EntryId, Kind};
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::inbound::{Inbound, recorded};
use crate::prompt::{Assembling, Prompting};
use crate::why::{QuotedMessage, spoken};
use crate::workspace::{At, Workspace, conversation_of};

/// A turn in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTurn {
    /// The entries that it consists of.
    pub turn: TurnRow,
    /// When it began.
    pub date: Timestamp,
    /// The message that began it; `None` if it began without one, or if the message is not current any more.
    pub message: Option<QuotedMessage>,
    /// Its counters; zero if it is not closed.
    pub counters: Counters,
}

/// What the model was shown in a turn, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTurn {
    /// The turn.
    pub listed: ListedTurn,
    /// The branch of the conversation.
    pub branch: String,
    /// The prompt.
    pub prompt: Result<Prompt, TooSmall>,
    /// The memories that were recalled for the message, best first.
    pub recalled: Vec<Memory>,
    /// The statements that were captured from the message.
    pub captured: Vec<Memory>,
    /// The reply.
    pub reply: Option<QuotedMessage>,
    /// The beginning of the turn before it in its conversation.
    pub previous: Option<EntryId>,
}

impl Workspace {
    /// Returns the turns that began up to a point, newest first.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn turns(&self, question: &TurnQuestion, at: &At) -> Result<Vec<ListedTurn>> {
        self.read(at, &question.audience, &conversation_of(&question.audience), |reader, point| {
            let turns = reader.turns(question, point)?;
            turns.into_iter().map(|turn| listed(reader, turn, &question.audience, point)).collect()
        })
    }

    /// Returns the beginning of the turn that an entry began, or whose message it is; `None` if there is none that the
    /// audience sees.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn turn_of(&self, entry: EntryId, audience: &Audience, at: &At) -> Result<Option<EntryId>> {
        let turn = self.read(at, audience, &conversation_of(audience), |reader, point| {
            reader.turn_of(entry, audience, point)
        })?;
        Ok(turn.map(|turn| turn.begin))
    }

    /// Returns what the model was shown in the turn that began with an entry.
    ///
    /// The prompt is assembled again as of the beginning of the turn, with the current configuration and the default tools. Its recalled
    /// memories are those that the turn recorded, without the word "earlier" before those that a newer one seemed to have
    /// replaced. Texts that were erased since are missing. An owner who spoke elsewhere than at the terminal is named like
    /// anybody in that conversation.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the audience is not the owner, because a prompt shows what its speaker may see.
    /// - [`Error::NotFound`] if no turn began with that entry.
    /// - [`Error::Invalid`] if the configured tokenizer cannot be read.
    /// - [`Error::Store`] if `at` does not exist, or if the tape or the index cannot be read.
    pub fn shown_turn(&self, begin: EntryId, audience: &Audience, at: &At) -> Result<ShownTurn> {
        if *audience != Audience::owner() {
            return Err(Error::Refused("only the owner can see what a model was shown".into()));
        }
        let read = self.read(at, audience, &conversation_of(audience), |reader, point| {
            let turn = reader.turn_of(begin, audience, point)?.filter(|turn| turn.begin == begin);
            turn.map(|turn| Beginning::read(reader, turn, audience, point)).transpose()
        })?;
        let not_found = || Error::NotFound(format!("no turn began with entry {begin}"));
        let Beginning { listed, inbound, user, own, branch, recalled, captured, reply, previous } =
            read.ok_or_else(not_found)?;
        let session = listed.turn.session.as_deref().map(Session::parse).transpose()?;
        let session = session.unwrap_or_else(Session::direct);
        let users = user.as_deref().map(|user| self.known_as(user.parse::<User>()?)).transpose()?;
        let speaker = Audience::of(Some(&session), &users.unwrap_or_default());
        let assembling = Assembling {
            inbound: &inbound,
            asking: &Prompting::default(),
            audience: &speaker,
            own: &own,
            said_at: inbound.said_at,
            brief: None,
            recorded: recalled.as_deref(),
        };
        let last = own.last().copied().unwrap_or(begin);
        let then = At::of(PointText { branch: Some(branch.clone()), moment: Moment::Entry(last) });
        let (prompt, found) = self.with_snapshot(&session, &speaker, &then, |snapshot| {
            self.conversation(session.clone()).assemble(&assembling, &snapshot.at())
        })?;
        let found = || found.hits.into_iter().map(|hit| hit.memory).collect();
        let recalled = recalled.unwrap_or_else(found);
        Ok(ShownTurn { listed, branch, prompt, recalled, captured, reply, previous })
    }
}

/// A turn as its entries record it.
struct Beginning {
    listed: ListedTurn,
    inbound: Inbound,
    /// The speaker, as `CHANNEL:ID`.
    user: Option<String>,
    /// The entries of the first group.
    own: Vec<EntryId>,
    branch: String,
    /// The recalled memories; `None` if the turn is not closed.
    recalled: Option<Vec<Memory>>,
    captured: Vec<Memory>,
    reply: Option<QuotedMessage>,
    previous: Option<EntryId>,
}

impl Beginning {
    fn read(
        reader: &Reader<'_>,
        turn: TurnRow,
        audience: &Audience,
        point: &Point,
    ) -> memtape_index::Result<Self> {
        let (inbound, branch) = recorded(reader, turn.begin)?;
        let group = reader.group_with(turn.begin)?;
        let end = turn.closed.map(|closed| reader.entry(closed)).transpose()?.as_ref().and_then(end);
        let recalled = end.map(|end| {
            let memories = end.recalled.into_iter().map(|id| reader.memory(id, audience));
            memories.filter_map(Result::transpose).collect::<memtape_index::Result<_>>()
        });
        let before = TurnQuestion {
            audience: audience.clone(),
            session: turn.session.as_deref().and_then(|session| Session::parse(session).ok()),
            before: Some(turn.begin),
            limit: 1,
            ..TurnQuestion::default()
        };
        Ok(Self {
            user: inbound.user.clone(),
            inbound,
            own: (group.first..=group.last).collect(),
            branch,
            recalled: recalled.transpose()?,
            captured: reader.captured_from(&Ref::of_message(message_of(turn.begin)), audience, point)?,
            reply: reply(reader, &turn, audience, point)?,
            previous: reader.turns(&before, point)?.pop().map(|turn| turn.begin),
            listed: listed(reader, turn, audience, point)?,
        })
    }
}

fn listed(
    reader: &Reader<'_>,
    turn: TurnRow,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<ListedTurn> {
    let (_, date) = reader.written(turn.begin)?;
    let message = spoken(reader, &Ref::of_message(message_of(turn.begin)), audience, point)?;
    let end = turn.closed.map(|closed| reader.entry(closed)).transpose()?.as_ref().and_then(end);
    Ok(ListedTurn { date, message, counters: end.map(|end| end.counters).unwrap_or_default(), turn })
}

/// Returns the reply in the group that closed a turn.
fn reply(
    reader: &Reader<'_>,
    turn: &TurnRow,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<Option<QuotedMessage>> {
    let Some(closed) = turn.closed else { return Ok(None) };
    let group = reader.group_with(closed)?;
    let question = EntryQuestion {
        audience: audience.clone(),
        kinds: vec![Kind::Message],
        after: group.first - 1,
        before: Some(group.last + 1),
        limit: Some(1),
        ..EntryQuestion::default()
    };
    let Some(message) = reader.entries(&question, point)?.pop() else { return Ok(None) };
    spoken(reader, &Ref::of_message(message.id), audience, point)
}

/// Returns what the event that closed a turn records; `None` if it cannot be read.
fn end(entry: &Entry) -> Option<End> {
    #[derive(Deserialize)]
    struct Event {
        data: End,
    }
    Some(serde_json::from_str::<Event>(entry.payload.get()).ok()?.data)
}
