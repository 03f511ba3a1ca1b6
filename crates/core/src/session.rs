//! Sessions: `channel:chat[:thread]`.

use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::{Error, Result};

/// The channel of a session label without a channel: the terminal.
const DEFAULT_CHANNEL: &str = "cli";
/// The maximum length of a label, in bytes.
pub(crate) const LABEL_BYTES_MAX: usize = 512;

/// The ASCII characters that stay unencoded in an id: none that separates parts, forms a path or needs shell
/// quoting.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// One conversation. Its text is `channel:chat` or `channel:chat:thread`, each part percent-encoded, so that
/// the chats `a:b` and `a_b` stay distinct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Session {
    channel: String,
    chat: String,
    thread: Option<String>,
}

impl Session {
    /// Returns the terminal's conversation, `cli:direct`.
    #[must_use]
    pub fn direct() -> Self {
        Self { channel: DEFAULT_CHANNEL.into(), chat: "direct".into(), thread: None }
    }

    /// Parses `channel:chat[:thread]`. A word without a colon is a chat of the terminal, `cli:WORD`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a part is empty, the label contains a control character, or it is too long.
    pub fn parse(text: &str) -> Result<Self> {
        let invalid = |why: &str| {
            Error::Invalid(format!(
                "invalid session {text:?} ({why}): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD"
            ))
        };
        if text.len() > LABEL_BYTES_MAX {
            return Err(Error::Invalid(format!("a session label has at most {LABEL_BYTES_MAX} bytes")));
        }
        if text.chars().any(char::is_control) {
            return Err(invalid("it contains a control character"));
        }
        let mut parts = text.splitn(3, ':').map(decode);
        let first = parts.next().unwrap_or_default();
        let session = match (parts.next(), parts.next()) {
            (None, _) => Self { channel: DEFAULT_CHANNEL.into(), chat: first, thread: None },
            (Some(chat), thread) => Self { channel: first, chat, thread },
        };
        if session.channel.is_empty() || session.chat.is_empty() || session.thread.as_deref() == Some("") {
            return Err(invalid("a part is empty"));
        }
        Ok(session)
    }

    /// Returns the conversation of a chat, from a channel and a chat id without percent-encoding.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a part is empty or contains a control character, or the encoded label is too long.
    pub fn of_chat(channel: &str, chat: &str) -> Result<Self> {
        Self::parse(&format!("{}:{}", encode(channel), encode(chat)))
    }

    /// Returns the conversation of a thread in the chat, from the thread's id without percent-encoding.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the id is empty or contains a control character, or the encoded label is too long.
    pub fn in_thread(&self, thread: &str) -> Result<Self> {
        Self::parse(&format!("{}:{}:{}", encode(&self.channel), encode(&self.chat), encode(thread)))
    }

    /// Returns whether the conversation is at the terminal, whose channel is `cli`.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.channel == DEFAULT_CHANNEL
    }

    /// Returns the channel, decoded.
    #[must_use]
    pub fn channel(&self) -> &str {
        &self.channel
    }

    /// Returns the chat's id on its channel, decoded.
    #[must_use]
    pub fn chat(&self) -> &str {
        &self.chat
    }

    /// Returns the thread's id in the chat, decoded; `None` if the conversation is the chat itself.
    #[must_use]
    pub fn thread(&self) -> Option<&str> {
        self.thread.as_deref()
    }
}

impl FromStr for Session {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", encode(&self.channel), encode(&self.chat))?;
        match &self.thread {
            Some(thread) => write!(f, ":{}", encode(thread)),
            None => Ok(()),
        }
    }
}

/// Encodes an id for labels, scopes, keys and file names.
pub(crate) fn encode(id: &str) -> String {
    // Letters of other scripts stay readable: only ASCII contains separators.
    id.chars()
        .map(|c| {
            if c.is_ascii() {
                utf8_percent_encode(c.encode_utf8(&mut [0; 4]), KEPT).to_string()
            } else {
                c.into()
            }
        })
        .collect()
}

/// Decodes a part of a label. An escape counts only if [`encode`] would write it; any other `%` is literal.
/// So `telegram:%42` names the chat `%42` and is not a second name of the chat `B`.
pub(crate) fn decode(part: &str) -> String {
    let mut id = String::with_capacity(part.len());
    let mut rest = part;
    while let Some((before, from)) = rest.find('%').map(|at| rest.split_at(at)) {
        id.push_str(before);
        let c = escaped(from);
        id.push(c.unwrap_or('%'));
        rest = &from[if c.is_some() { 3 } else { 1 }..];
    }
    id + rest
}

/// Returns the character whose escape begins the text.
fn escaped(text: &str) -> Option<char> {
    let escape = text.get(..3)?;
    let c = char::from(u8::from_str_radix(&escape[1..], 16).ok()?);
    (encode(c.encode_utf8(&mut [0; 4])) == escape).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_reads_back_as_itself() {
        for (text, label) in [
            ("telegram:123", "telegram:123"),
            ("telegram:123:7", "telegram:123:7"),
            ("notes", "cli:notes"),
            ("discord:a_b", "discord:a_b"),
            ("discord:a%3Ab", "discord:a%3Ab"),
            ("discord:room one", "discord:room%20one"),
            ("a:b:c:d", "a:b:c%3Ad"),
            ("微信:群", "微信:群"),
            // Only escapes that a label needs are decoded.
            ("telegram:%42", "telegram:%2542"),
            ("telegram:%3a", "telegram:%253a"),
            ("telegram:50%", "telegram:50%25"),
            ("telegram:%E7%BE%A4", "telegram:%25E7%25BE%25A4"),
        ] {
            let session = Session::parse(text).unwrap();
            assert_eq!(session.to_string(), label);
            assert_eq!(Session::parse(label).unwrap(), session);
        }
    }

    #[test]
    fn ids_as_a_channel_gives_them_hold_what_they_like() {
        for (channel, chat, label) in [
            ("telegram", "-100123", "telegram:-100123"),
            ("matrix", "!room:server", "matrix:%21room%3Aserver"),
            ("odd", "50%41", "odd:50%2541"),
        ] {
            let session = Session::of_chat(channel, chat).unwrap();
            assert_eq!((session.to_string().as_str(), session.chat()), (label, chat));
        }
        assert!(Session::of_chat("telegram", "").is_err());
        let chat = Session::of_chat("project", "/app").unwrap();
        for id in ["0a1b-2c", "web:1", "web1", "web%3A1", "微信", " "] {
            assert_eq!(chat.in_thread(id).unwrap().thread(), Some(id));
        }
        assert!(chat.in_thread("").is_err());
    }

    #[test]
    fn a_user_is_one_of_the_sessions_channel() {
        let session = Session::parse("irc:room").unwrap();
        for (text, label) in [
            ("ana", "irc:ana"),
            ("irc:ana", "irc:ana"),
            ("irc:a%3Ab", "irc:a%3Ab"),
            ("@ana", "irc:%40ana"),
            ("@ana:server.org", "irc:%40ana%3Aserver.org"),
            ("telegram:7", "irc:telegram%3A7"),
            ("%61na", "irc:%2561na"),
        ] {
            assert_eq!(session.user(text).unwrap().to_string(), label);
        }
    }

    #[test]
    fn labels_without_a_part_are_refused() {
        for text in ["", ":", "a:", ":b", "a::c", "a:b:", "a\n:b"] {
            assert!(Session::parse(text).is_err(), "{text:?}");
        }
    }
}
