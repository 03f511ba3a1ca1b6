//! Which messages of a conversation a model reads in the background, and as what text.

use std::collections::HashSet;

use memtape::{Conversation, ConversationMessage, EntryId, Sensitivity, Workspace};
use serde_json::json;

use crate::chat::CHARS_PER_TOKEN;
use crate::error::Result;

/// Maximum number of messages among which those that can be read are found.
pub(crate) const UNREAD_MAX: usize = 2000;
/// The share of the prompt's budget that the conversation may take (document 2's original).
const CONVERSATION_PERCENT: usize = 60;
/// The end of a text that is shown in part.
const CUT: &str = "… [cut]";

/// Returns whether a message is what a person or the agent said, not what a tool or the system did.
pub(crate) fn is_speech(spoken: &ConversationMessage) -> bool {
    matches!(spoken.role.as_str(), "user" | "assistant") && !spoken.is_of_tool
}

/// Returns whether facts may be extracted from a message: not from what tools, pages and the system said, nor from what
/// reads like an instruction to a model, is confidential or is retracted.
pub(crate) fn is_readable(spoken: &ConversationMessage) -> bool {
    is_speech(spoken) && spoken.memory.may_be_prompted() && !spoken.is_retracted
}

/// Returns whether a model is shown a message of a conversation: not if it is quarantined, confidential or retracted.
pub(crate) fn is_shown(spoken: &ConversationMessage) -> bool {
    let ConversationMessage { memory, is_retracted, .. } = spoken;
    memory.quarantined.is_none() && memory.sensitivity != Sensitivity::Confidential && !is_retracted
}

/// Returns the messages after an entry that a model may read now, by their entries. What a person forgets while a model
/// works is not among them.
pub(crate) fn entries_now(
    conversation: &Conversation<'_>,
    after: EntryId,
    may_read: impl Fn(&ConversationMessage) -> bool,
) -> Result<HashSet<EntryId>> {
    let spoken = conversation.spoken_after(after, UNREAD_MAX)?;
    Ok(spoken.iter().filter(|spoken| may_read(spoken)).map(|spoken| spoken.memory.id.entry()).collect())
}

/// Returns the number of characters that a conversation may take of a request.
fn room(workspace: &Workspace) -> usize {
    workspace.config().prompt.budget.saturating_mul(CHARS_PER_TOKEN) / 100 * CONVERSATION_PERCENT
}

/// Returns how many of the first messages fit into a request, by their lengths; at least one.
pub(crate) fn fitting(lengths: impl Iterator<Item = usize>, workspace: &Workspace) -> usize {
    let (room, mut chars) = (room(workspace), 0);
    let fits = |length: &usize| {
        chars += length;
        chars <= room
    };
    lengths.take_while(fits).count().max(1)
}

/// Returns a conversation as lines of JSON, without its beginning if it takes too much of the prompt's budget. The summary of
/// what was said before it stays.
pub(crate) fn transcript(workspace: &Workspace, spoken: &[ConversationMessage]) -> String {
    let room = room(workspace);
    let mut shown: Vec<_> = spoken.iter().filter(|spoken| is_shown(spoken)).collect();
    let summary = shown.first().filter(|first| first.summary().is_some()).map(|first| line(first, room / 2));
    if summary.is_some() {
        shown.remove(0);
    }
    let room = room.saturating_sub(summary.as_deref().map_or(0, chars));
    let mut lines = Vec::new();
    let mut taken = 0;
    for spoken in shown.into_iter().rev() {
        let line = line(spoken, room);
        taken += chars(&line);
        if taken > room && !lines.is_empty() {
            lines.push("(the beginning is left out)".to_owned());
            break;
        }
        lines.push(line);
    }
    lines.extend(summary);
    lines.reverse();
    format!("Conversation:\n{}", lines.join("\n"))
}

/// Returns a message as a line of JSON, with at most so many characters of its text.
fn line(spoken: &ConversationMessage, chars_max: usize) -> String {
    let text = &spoken.memory.text;
    let text = match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]),
        None => text.clone(),
    };
    json!({"role": spoken.role, "speaker": spoken.speaker, "text": text}).to_string()
}

/// Returns the number of characters that a message takes of a request.
pub(crate) fn length(spoken: &ConversationMessage) -> usize {
    chars(&line(spoken, usize::MAX))
}

fn chars(text: &str) -> usize {
    text.chars().count()
}
