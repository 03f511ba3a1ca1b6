//! The arguments that select an audience.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::{Args, ValueEnum};
use memtape::{Layer, Session, User};

/// Selects the audience, and so the visible memories. The default is the owner, who sees every scope and writes for the
/// whole workspace.
#[derive(Args, Clone, Default)]
pub(crate) struct AudienceArgs {
    /// Act in this conversation: its chat's memories, the user's and the workspace's
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
    /// Act for this user: with --session the id on its channel, or CHANNEL:ID; else CHANNEL:ID, or @NAME for a user that
    /// the configuration declares
    #[arg(long, value_name = "USER", allow_hyphen_values = true)]
    pub(crate) user: Option<String>,
    /// Only this kind of scope, for reading and for writing
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<ScopeArg>,
}

impl AudienceArgs {
    /// The conversation that a command is part of: the terminal's, where none is named.
    pub(crate) fn session(&self) -> Session {
        self.session.clone().unwrap_or_else(Session::direct)
    }
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
    /// Every one
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
    /// Act for this user: with --session the id on its channel, or CHANNEL:ID; else CHANNEL:ID, or @NAME for a user that
    /// the configuration declares
    #[arg(long, value_name = "USER")]
    user: Option<String>,
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
    /// The user's id on the channel, as --user CHANNEL:ID
    #[arg(long, value_name = "ID", conflicts_with = "user", allow_hyphen_values = true)]
    sender_id: Option<String>,
}

impl ChatArgs {
    /// The same in the words of every other command.
    pub(crate) fn audience(&self) -> Result<AudienceArgs, String> {
        let AudienceArgs { session, user, scope } = self.audience.clone();
        let channel = match (&self.channel, &session) {
            (Some(_), Some(_)) => {
                return Err("--session names the channel already: leave --channel out".into());
            }
            (Some(channel), None) => Some(channel.clone()),
            (None, Some(session)) => Some(session.channel().to_owned()),
            (None, None) => None,
        };
        let Some(channel) = channel else {
            return match self.sender_id {
                Some(_) => Err("--sender-id needs --channel: an id is one channel's".into()),
                None => Ok(AudienceArgs { session, user, scope }),
            };
        };
        if self.channel.is_some() && self.chat_id.is_none() && self.sender_id.is_none() {
            return Err("--channel needs --chat-id or --sender-id: a channel alone is nobody's".into());
        }
        let text = |e: memtape::Error| e.to_string();
        let chat = self.chat_id.as_ref().map(|chat| Session::of_chat(&channel, chat)).transpose();
        let chat = chat.map_err(|e| text(e.into()))?;
        // As in nanobot: in a chat without a known user, the chat id identifies the user.
        let sender = self.sender_id.as_ref().or(self.chat_id.as_ref().filter(|_| user.is_none()));
        let sender = sender.map(|id| User::new(&channel, id)).transpose().map_err(|e| text(e.into()))?;
        Ok(AudienceArgs {
            session: session.or(chat),
            user: user.or(sender.map(|sender| sender.to_string())),
            scope,
        })
    }
}

/// Names the person who speaks.
#[derive(Args, Default)]
pub(crate) struct SpeakerArgs {
    /// Who speaks: the id on the session's channel, or CHANNEL:ID; in a session of the terminal also @NAME for a user
    /// that the configuration declares
    #[arg(long, value_name = "USER", allow_hyphen_values = true)]
    user: Option<String>,
    /// The speaker's id exactly as the session's channel gives it, whatever it holds
    #[arg(long, value_name = "ID", conflicts_with = "user", allow_hyphen_values = true)]
    sender_id: Option<String>,
}

impl SpeakerArgs {
    /// Returns the speaker of a session, as the library reads users.
    pub(crate) fn user(&self, session: &Session) -> memtape::Result<Option<String>> {
        let sender = self.sender_id.as_deref().map(|id| User::new(session.channel(), id)).transpose()?;
        Ok(self.user.clone().or(sender.map(|sender| sender.to_string())))
    }
}
