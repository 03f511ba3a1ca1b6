//! Scopes: who may see a memory.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::session::{LABEL_BYTES_MAX, Session, decode, encode};

/// A user as a channel identifies them: `CHANNEL:ID`, each part percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct User {
    channel: String,
    id: String,
}

impl User {
    /// Creates a user from a channel and an id without percent-encoding.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a part is empty or contains a control character, or the encoded name is too long.
    pub fn new(channel: &str, id: &str) -> Result<Self> {
        if id.chars().any(char::is_control) {
            return Err(Error::Invalid(format!("invalid user id {id:?}: it contains a control character")));
        }
        format!("{}:{}", encode(channel), encode(id)).parse()
    }
}

impl User {
    /// Returns the id on its channel, decoded.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the channel, decoded.
    #[must_use]
    pub fn channel(&self) -> &str {
        &self.channel
    }
}

impl Session {
    /// Returns the user whom `text` names on this session's channel: either `CHANNEL:ID` with that channel,
    /// or the id exactly as the channel provides it. Any other text before a colon is part of the id, so no
    /// id chosen on one channel names a user of another.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the id is empty or contains a control character, or the encoded name is too long.
    pub fn user(&self, text: &str) -> Result<User> {
        let label = text.strip_prefix(&encode(self.channel())).and_then(|rest| rest.strip_prefix(':'));
        match label {
            Some(_) => text.parse(),
            None => User::new(self.channel(), text),
        }
    }
}

impl FromStr for User {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let invalid = || Error::Invalid(format!("invalid user {text:?}: expected CHANNEL:ID"));
        let (channel, id) = text.split_once(':').ok_or_else(invalid)?;
        let user = Self { channel: decode(channel), id: decode(id) };
        let odd = user.channel.is_empty() || user.id.is_empty() || text.chars().any(char::is_control);
        if odd || text.len() > LABEL_BYTES_MAX { Err(invalid()) } else { Ok(user) }
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", encode(&self.channel), encode(&self.id))
    }
}

/// The visibility of a memory: who may see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One chat: `channel:C:chat:ID`. The threads of a chat share it.
    Chat {
        /// The channel, decoded.
        channel: String,
        /// The chat's id, decoded.
        chat: String,
    },
    /// One user, in every chat of their channel: `channel:C:user:ID`.
    User(User),
    /// Everybody in the workspace: `workspace:ID:global`.
    #[default]
    Global,
}

impl Scope {
    /// Returns the scope of a session's chat.
    #[must_use]
    pub fn of_chat(session: &Session) -> Self {
        Self::Chat { channel: session.channel().to_owned(), chat: session.chat().to_owned() }
    }

    /// Returns the scope's text; `workspace` is the workspace's id.
    #[must_use]
    pub fn text(&self, workspace: &str) -> String {
        self.label().unwrap_or_else(|| format!("workspace:{}:global", encode(workspace)))
    }

    /// Returns the label of a chat's or user's scope, as entries record it; `None` for the workspace, which
    /// an entry without a scope means.
    #[must_use]
    pub fn label(&self) -> Option<String> {
        match self {
            Self::Chat { channel, chat } => {
                Some(format!("channel:{}:chat:{}", encode(channel), encode(chat)))
            }
            Self::User(user) => Some(format!("channel:{}:user:{}", encode(&user.channel), encode(&user.id))),
            Self::Global => None,
        }
    }

    /// Parses a scope's label; `None` if it is invalid.
    #[must_use]
    pub fn from_label(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let ["channel", channel, kind, id] = parts[..] else { return None };
        let (channel, id) = (decode(channel), decode(id));
        if channel.is_empty() || id.is_empty() {
            return None;
        }
        match kind {
            "chat" => Some(Self::Chat { channel, chat: id }),
            "user" => Some(Self::User(User { channel, id })),
            _ => None,
        }
    }

    /// Returns the channel and id that it names, decoded; `None` for the workspace.
    #[must_use]
    pub fn parts(&self) -> Option<(&str, &str)> {
        match self {
            Self::Chat { channel, chat } => Some((channel, chat)),
            Self::User(User { channel, id }) => Some((channel, id)),
            Self::Global => None,
        }
    }

    /// Returns the kind of scope.
    #[must_use]
    pub fn layer(&self) -> Layer {
        match self {
            Self::Chat { .. } => Layer::Chat,
            Self::User(_) => Layer::User,
            Self::Global => Layer::Global,
        }
    }
}

/// The kinds of scopes, as named in `--scope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// Chats.
    Chat,
    /// People.
    User,
    /// The workspace.
    Global,
}

impl Layer {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::User => "user",
            Self::Global => "global",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_read_back_as_themselves_and_nothing_else_is_one() {
        let chat = Scope::of_chat(&Session::parse("discord:a%3Ab:7").unwrap());
        let user = Scope::User("telegram:a:b".parse().unwrap());
        for (scope, label) in [(chat, "channel:discord:chat:a%3Ab"), (user, "channel:telegram:user:a%3Ab")] {
            assert_eq!(scope.label().as_deref(), Some(label));
            assert_eq!(Scope::from_label(label), Some(scope));
        }
        assert_eq!(Scope::Global.text("0123"), "workspace:0123:global");
        for text in [
            "",
            "channel:a:chat",
            "channel:a:chat:",
            "channel:a:room:b",
            "workspace:x:global",
            "channel:a:chat:b:c",
        ] {
            assert_eq!(Scope::from_label(text), None, "{text:?}");
        }
        for text in ["", "ana", ":x", "telegram:", "a\n:b"] {
            assert!(text.parse::<User>().is_err(), "{text:?}");
        }
    }
}
