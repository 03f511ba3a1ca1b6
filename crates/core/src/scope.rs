//! Scopes: whose a memory is.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::session::{LABEL_BYTES_MAX, Session, decode, encode};

/// A person as a channel knows them: `CHANNEL:ID`, each part percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct User {
    channel: String,
    id: String,
}

impl User {
    /// A person, given the channel and the id as they are, without encoding.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty part, a control character, or an over-long name.
    pub fn new(channel: &str, id: &str) -> Result<Self> {
        if id.chars().any(char::is_control) {
            return Err(Error::Invalid(format!("{id:?} names no user: it holds a control character")));
        }
        format!("{}:{}", encode(channel), encode(id)).parse()
    }
}

impl User {
    /// The id on its channel, decoded.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The channel, decoded.
    #[must_use]
    pub fn channel(&self) -> &str {
        &self.channel
    }
}

impl Session {
    /// Returns the user whom `text` names on this session's channel: either `CHANNEL:ID` with that channel, or the
    /// id exactly as the channel gives it. Whatever else stands before a colon is a part of the id, so no id that
    /// somebody has chosen on one channel names a user of another.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty id, a control character, or an over-long name.
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
        let invalid = || Error::Invalid(format!("{text:?} names no user: write CHANNEL:ID"));
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

/// Whose a memory is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A chat's: `channel:C:chat:ID`. Threads of one chat share it.
    Chat {
        /// The channel, decoded.
        channel: String,
        /// The chat's id, decoded.
        chat: String,
    },
    /// A person's, in every chat of their channel: `channel:C:user:ID`.
    User(User),
    /// Everybody's in the workspace: `workspace:ID:global`.
    #[default]
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
        self.label().unwrap_or_else(|| format!("workspace:{}:global", encode(workspace)))
    }

    /// The text of a scope that is a chat's or a person's: what an entry says of it. `None` for everybody's, which
    /// is what an entry without a scope means.
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

    /// Reads a scope's label; `None` for what is none.
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

    /// The channel and the id that it names, decoded; `None` for the workspace's.
    #[must_use]
    pub fn parts(&self) -> Option<(&str, &str)> {
        match self {
            Self::Chat { channel, chat } => Some((channel, chat)),
            Self::User(User { channel, id }) => Some((channel, id)),
            Self::Global => None,
        }
    }

    /// Which kind of scope it is, by its name in `--scope`.
    #[must_use]
    pub fn layer(&self) -> Layer {
        match self {
            Self::Chat { .. } => Layer::Chat,
            Self::User(_) => Layer::User,
            Self::Global => Layer::Global,
        }
    }
}

/// The kinds of scopes.
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
    /// Its name.
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
