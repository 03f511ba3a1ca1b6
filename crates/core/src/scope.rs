//! Scopes: whose a memory is.

use crate::session::{Session, encode};

/// Whose a memory is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A chat's: `channel:C:chat:ID`. Threads of one chat share it.
    Chat {
        /// The channel, decoded.
        channel: String,
        /// The chat's id, decoded.
        chat: String,
    },
    /// Everybody's in the workspace: `workspace:ID:global`.
    Global,
}

impl Scope {
    /// The scope of a session's chat.
    #[must_use]
    pub fn of_chat(session: &Session) -> Self {
        Self::Chat { channel: session.channel().to_owned(), chat: session.chat().to_owned() }
    }

    /// The scope's text, given the workspace's id.
    #[must_use]
    pub fn text(&self, workspace: &str) -> String {
        match self {
            Self::Chat { channel, chat } => format!("channel:{}:chat:{}", encode(channel), encode(chat)),
            Self::Global => format!("workspace:{}:global", encode(workspace)),
        }
    }
}
