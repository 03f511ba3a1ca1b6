//! Conversations with coding agents: their channel, the chat of a project, and the user.

use std::borrow::Cow;

use memtape_core::forms::messages::StoredMessage;
use memtape_core::imported::digest;
use memtape_core::{Memory, Session};

/// The channel of conversations with coding agents. It is the same for all of them, so that the memories of a project do
/// not depend on the agent.
pub const PROJECT_CHANNEL: &str = "project";
/// The user of the conversations on [`PROJECT_CHANNEL`], as `CHANNEL:ID`: whoever sits at this machine.
pub const PROJECT_USER: &str = "project:owner";
/// Number of bytes of a conversation's label that the path of a project must leave for the thread.
const THREAD_BYTES: usize = 128;
/// Number of characters kept from the end of a path that is too long.
const PROJECT_END: usize = 61;

/// Returns the chat of a project on [`PROJECT_CHANNEL`]: its path. Of a path that is too long for the label of a conversation
/// it is the end, and a digest of the whole.
#[must_use]
pub fn project_chat(path: &str) -> Cow<'_, str> {
    // The chat must not depend on the thread.
    let thread = "t".repeat(THREAD_BYTES);
    let has_room = Session::of_chat(PROJECT_CHANNEL, path).and_then(|chat| chat.in_thread(&thread)).is_ok();
    match path.char_indices().rev().nth(PROJECT_END - 1).filter(|_| !has_room) {
        Some((start, _)) => format!("…{}-{:016x}", &path[start..], digest(path)).into(),
        None => path.into(),
    }
}

/// Returns whether whoever sits at this machine wrote a message, to a coding agent. It carries the name that memtape itself
/// gave them, which nobody chose in order to pass for the owner.
pub(crate) fn is_by_project_user(message: &Memory) -> bool {
    let data = StoredMessage::data(message);
    let is_in_project = || {
        let session = message.session.as_deref().and_then(|session| Session::parse(session).ok());
        session.is_some_and(|session| session.channel() == PROJECT_CHANNEL)
    };
    data.name.is_none()
        && data.user.as_deref() == PROJECT_USER.split_once(':').map(|(_, id)| id)
        && is_in_project()
}
