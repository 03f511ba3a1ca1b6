//! What comes in and begins a turn, and what the turn and its prompt say of it alike.

use jiff::Timestamp;
use memtape_core::Form;
use memtape_core::turn::Trigger;

use crate::error::Result;
use crate::recall::Hit;
use crate::workspace::Workspace;

/// So many of the conversation's last messages count as shown if there is no prompt.
pub(crate) const CONVERSATION_MESSAGES: usize = 40;

/// What came in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inbound {
    /// What begins the turn.
    pub trigger: Trigger,
    /// What was said; of a perch or a job its context.
    pub text: String,
    /// Who said it, as [`Workspace::audience`] takes it: the id that the channel gives, or `CHANNEL:ID`.
    ///
    /// [`Workspace::audience`]: crate::Workspace::audience
    pub user: Option<String>,
    /// The speaker's name, as the channel gives it. The name that the configuration declares for the user counts before
    /// it.
    pub name: Option<String>,
    /// The message that it replies to.
    pub reply_to: Option<String>,
    /// When it was said, where that is not now.
    pub said_at: Option<Timestamp>,
}

impl Inbound {
    /// A message that is only a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// What a memory is, in a word: its category, who said it, or its form.
pub(crate) fn what(hit: &Hit) -> String {
    match (hit.memory.form, hit.memory.category, &hit.speaker) {
        (Form::STATEMENTS, Some(category), _) => category.to_string(),
        (Form::MESSAGES, _, Some(speaker)) => speaker.clone(),
        (Form::ZONE, ..) => "note".into(),
        (form, ..) => form.to_string(),
    }
}

/// Refuses what comes in if it is longer than a message may be.
pub(crate) fn check_lengths(workspace: &Workspace, inbound: &Inbound) -> Result<()> {
    workspace.check_length("the message", &inbound.text)?;
    for text in [&inbound.name, &inbound.reply_to].into_iter().flatten() {
        workspace.check_length("what goes with the message", text)?;
    }
    Ok(())
}
