//! The inbound message that triggers a turn, and the data that the turn and its prompt share about it.

use jiff::Timestamp;
use jiff::tz::Offset;
use memtape_core::turn::{Trigger, message_of};
use memtape_core::{Form, Memory, Meta};
use memtape_index::Reader;
use memtape_tape::EntryId;
use serde::Deserialize;

use crate::error::Result;
use crate::recall::Hit;
use crate::workspace::Workspace;

/// Number of the conversation's last messages that count as shown if there is no prompt.
pub(crate) const CONVERSATION_MESSAGES: usize = 40;

/// An inbound message, or another trigger of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inbound {
    /// The trigger of the turn.
    pub trigger: Trigger,
    /// The text of the message; for a perch or a job, its context.
    pub text: String,
    /// The speaker, as [`Workspace::audience`] takes it: the id that the channel sends, or `CHANNEL:ID`.
    pub user: Option<String>,
    /// The speaker's name, as the channel sends it. A name that the configuration declares for the user takes
    /// precedence.
    pub name: Option<String>,
    /// The text of the message that it replies to.
    pub reply_to: Option<String>,
    /// When it was said; `None` means now.
    pub said_at: Option<Timestamp>,
    /// The speaker's offset from UTC at that time, in which words like "tomorrow" count; `None` means the workspace's time
    /// zone.
    pub offset: Option<Offset>,
    /// Whether a message without a user is the owner's; `None` means only at the terminal. A server must set it, because its
    /// clients may name any session.
    pub is_owner: Option<bool>,
}

impl Inbound {
    /// Returns a message that consists of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// Returns the inbound message of the turn that began with an entry, as the tape records it, and the branch of the turn. The
/// tape does not record the offset of its time, nor by which token it came.
pub(crate) fn recorded(reader: &Reader<'_>, begin: EntryId) -> memtape_index::Result<(Inbound, String)> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Said {
        content: String,
        name: Option<String>,
        reply_to: Option<String>,
        said_at: Option<Timestamp>,
    }
    let message = reader.entry(message_of(begin))?;
    let begin = reader.entry(begin)?;
    let said: Said = serde_json::from_str(message.payload.get()).unwrap_or_default();
    let inbound = Inbound {
        trigger: Trigger::of(&begin),
        text: said.content,
        user: Meta::read(message.meta.get()).user,
        name: said.name,
        reply_to: said.reply_to,
        said_at: Some(said.said_at.unwrap_or(message.date)),
        offset: None,
        is_owner: None,
    };
    Ok((inbound, begin.branch))
}

/// Returns what a memory is: its category, its speaker, or its form, after "earlier" if a newer hit seems to have
/// replaced it.
pub(crate) fn what(hit: &Hit) -> String {
    let what = kind_of(&hit.memory, hit.speaker.as_deref());
    if hit.is_earlier() { format!("earlier {what}") } else { what }
}

/// Returns the category, the speaker or the form of a memory.
pub(crate) fn kind_of(memory: &Memory, speaker: Option<&str>) -> String {
    match (memory.form, memory.category, speaker) {
        (Form::STATEMENTS, Some(category), Some(speaker)) => format!("{category} of {speaker}"),
        (Form::STATEMENTS, Some(category), None) => category.to_string(),
        (Form::MESSAGES, _, Some(speaker)) => speaker.to_owned(),
        (Form::ZONE, ..) => "note".into(),
        (form, ..) => form.to_string(),
    }
}

/// Refuses an inbound message that is longer than a message may be.
pub(crate) fn check_lengths(workspace: &Workspace, inbound: &Inbound) -> Result<()> {
    workspace.check_length("the message", &inbound.text)?;
    for text in [&inbound.name, &inbound.reply_to].into_iter().flatten() {
        workspace.check_length("the metadata of the message", text)?;
    }
    Ok(())
}
