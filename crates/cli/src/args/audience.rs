//! The arguments that select an audience.

use clap::{Args, ValueEnum};
use memtape::{Layer, Session, User};

/// Selects the audience, and so the visible memories. The default is the owner, who sees every scope and writes for the
/// whole workspace.
#[derive(Args, Clone, Default)]
pub(crate) struct AudienceArgs {
    /// Act in this conversation: its chat's memories, the user's and the workspace's
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
    #[command(flatten)]
    pub(crate) user: UserArgs,
    /// Read and write only memories of this scope
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<ScopeArg>,
}

impl AudienceArgs {
    /// The conversation that a command is part of: the terminal's, where none is named.
    pub(crate) fn session(&self) -> Session {
        self.session.clone().unwrap_or_else(Session::direct)
    }

    /// Returns the user, as the library reads users.
    pub(crate) fn user(&self) -> Result<Option<String>, String> {
        match (&self.user.sender_id, &self.session) {
            (None, _) => Ok(self.user.user.clone()),
            (Some(id), Some(session)) => user_of(session.channel(), id).map(Some).map_err(|e| e.to_string()),
            (Some(_), None) => Err("--sender-id needs --session: an id is one channel's".into()),
        }
    }
}

/// Selects the user that a command acts for.
#[derive(Args, Clone, Default)]
pub(crate) struct UserArgs {
    /// Act for this user: with --session the id on its channel, or CHANNEL:ID; else CHANNEL:ID, or @NAME for a user that
    /// the configuration declares
    #[arg(long, value_name = "USER", allow_hyphen_values = true)]
    user: Option<String>,
    /// Act for the user with this id on the session's channel; the id is not parsed
    #[arg(long, value_name = "ID", conflicts_with = "user", allow_hyphen_values = true)]
    sender_id: Option<String>,
}

impl UserArgs {
    /// Returns whether a user is selected.
    pub(crate) fn is_set(&self) -> bool {
        self.user.is_some() || self.sender_id.is_some()
    }
}

/// Returns the user with an id on a channel, as the library reads users.
fn user_of(channel: &str, id: &str) -> memtape::Result<String> {
    Ok(User::new(channel, id)?.to_string())
}

/// A kind of scope.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArg {
    /// Chats
    Chat,
    /// Users
    User,
    /// The workspace
    Global,
    /// All
    All,
}

impl ScopeArg {
    /// Returns the selected kind of scope; `None` for all.
    pub(crate) fn layer(self) -> Option<Layer> {
        match self {
            Self::Chat => Some(Layer::Chat),
            Self::User => Some(Layer::User),
            Self::Global => Some(Layer::Global),
            Self::All => None,
        }
    }
}

/// Selects the audience of a command that has no `--scope`.
#[derive(Args, Default)]
pub(crate) struct AskingArgs {
    /// Act in this conversation: its chat's memories, the user's and the workspace's
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    session: Option<Session>,
    #[command(flatten)]
    user: UserArgs,
}

impl AskingArgs {
    /// The same in the words of every command.
    pub(crate) fn audience(&self) -> AudienceArgs {
        AudienceArgs { session: self.session.clone(), user: self.user.clone(), scope: None }
    }
}

/// Selects the audience, also with document 4's options: the channel, the chat and the sender separately, as the
/// channel provides them.
#[derive(Args, Clone, Default)]
pub(crate) struct ChatArgs {
    #[command(flatten)]
    audience: AudienceArgs,
    /// The channel of the chat and the sender
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// The chat's id on the channel, as --session CHANNEL:ID; without a sender it is also the user's
    #[arg(
        long,
        value_name = "ID",
        requires = "channel",
        conflicts_with = "session",
        allow_hyphen_values = true
    )]
    chat_id: Option<String>,
}

impl ChatArgs {
    /// The same in the words of every other command.
    pub(crate) fn audience(&self) -> Result<AudienceArgs, String> {
        let AudienceArgs { session, user: UserArgs { user, sender_id }, scope } = self.audience.clone();
        let channel = match (&self.channel, &session) {
            (Some(_), Some(_)) => {
                return Err("--session names the channel already: leave --channel out".into());
            }
            (None, None) if sender_id.is_some() => {
                return Err("--sender-id needs --channel: an id is one channel's".into());
            }
            (Some(channel), None) => channel,
            (None, _) => return Ok(self.audience.clone()),
        };
        if self.chat_id.is_none() && sender_id.is_none() {
            return Err("--channel needs --chat-id or --sender-id: a channel alone is nobody's".into());
        }
        let text = |e: memtape::Error| e.to_string();
        let chat = self.chat_id.as_ref().map(|chat| Session::of_chat(channel, chat)).transpose();
        let chat = chat.map_err(|e| text(e.into()))?;
        // As in nanobot: in a chat without a known user, the chat id identifies the user.
        let sender = sender_id.or_else(|| self.chat_id.clone().filter(|_| user.is_none()));
        let sender = sender.map(|id| user_of(channel, &id)).transpose().map_err(text)?;
        Ok(AudienceArgs { session: chat, user: UserArgs { user: user.or(sender), sender_id: None }, scope })
    }
}

/// Names the person who speaks.
#[derive(Args, Default)]
pub(crate) struct SpeakerArgs {
    /// Who speaks: the id on the session's channel, or CHANNEL:ID; in a session of the terminal also @NAME for a user
    /// that the configuration declares
    #[arg(long, value_name = "USER", allow_hyphen_values = true)]
    user: Option<String>,
    /// The speaker's id on the session's channel; it is not parsed
    #[arg(long, value_name = "ID", conflicts_with = "user", allow_hyphen_values = true)]
    sender_id: Option<String>,
}

impl SpeakerArgs {
    /// Returns the speaker of a session, as the library reads users.
    pub(crate) fn user(&self, session: &Session) -> memtape::Result<Option<String>> {
        let sender = self.sender_id.as_deref().map(|id| user_of(session.channel(), id)).transpose()?;
        Ok(self.user.clone().or(sender))
    }
}
