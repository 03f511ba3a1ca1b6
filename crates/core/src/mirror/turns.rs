//! The files of sessions: the recent turns of each (document 4's session state).
//!
//! A turn adds two blocks to its session's file: `PRE` before a model is called, `POST` when it is closed. A
//! reset of the conversation starts the file again. Confidential messages are left out.

use jiff::Timestamp;
use memtape_tape::entry::date_text;
use memtape_tape::{Entry, Kind};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{cut, one_line};
use crate::audience::Sensitivity;
use crate::forms::messages;
use crate::memory::Origin;
use crate::meta::Meta;
use crate::payload::event_name;
use crate::session::{Session, encode};
use crate::turn::{self, BEGIN, END, Mark};

/// The directory of session files.
pub const SESSION_STATE: &str = "session-state";
/// The maximum size of a file in bytes; a larger one is cut to its last half.
pub const FILE_BYTES_MAX: usize = 64 * 1024;

/// The maximum number of pending actions shown.
const ACTIONS_MAX: usize = 10;
/// The maximum length of a file name without its extension, in bytes.
const NAME_BYTES_MAX: usize = 200;
/// The number of hex digits of the hash that replaces the end of a longer name.
const HASH_DIGITS: usize = 16;
/// The beginning of a block; no other line begins so.
const BLOCK: &str = "### ";
/// The heading before the blocks.
const TURNS: &str = "## Turns\n\n";

/// The names of the events that add a block.
pub const EVENTS: [&str; 2] = [BEGIN, END];

/// A block that a turn adds to its session's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The session.
    pub session: Session,
    /// Its first line, without the line end.
    pub heading: String,
    /// The whole block.
    pub text: String,
}

/// Returns the first line of an event's block, without the line end.
#[must_use]
pub fn heading(name: &str, date: Timestamp) -> String {
    let part = if name == BEGIN { "PRE" } else { "POST" };
    format!("{BLOCK}{} {part}", date_text(date))
}

/// Returns the blocks that the entries of one group add to session files.
pub fn blocks(group: &[&Entry]) -> impl Iterator<Item = Block> {
    group.iter().enumerate().filter_map(move |(n, entry)| {
        let name = (entry.kind == Kind::Event).then(|| event_name(entry)).flatten()?;
        let meta = shown(entry)?;
        let body = match turn::mark(&name, entry)? {
            Mark::Begin => before(group.get(n + 1)?)?,
            Mark::End(end) => after(&end, group)?,
        };
        let heading = heading(&name, entry.date);
        let text = format!("{heading}\n{body}\n");
        Some(Block { session: meta.session()?, heading, text })
    })
}

/// Returns the `meta` of an entry; `None` if it is confidential.
fn shown(entry: &Entry) -> Option<Meta> {
    Some(Meta::read(entry.meta.get())).filter(|meta| meta.sensitivity != Sensitivity::Confidential)
}

/// Renders the message at the beginning of a turn.
fn before(message: &Entry) -> Option<String> {
    let meta = shown(message)?;
    let payload = (message.kind == Kind::Message).then(|| payload(message)).flatten()?;
    let from = messages::entry::named_speaker(&payload, &meta);
    let mut body = from.map_or_else(String::new, |from| format!("- from: {}\n", cut(&from)));
    body.push_str(&format!("- user: {}\n", cut(&text(&payload))));
    if let Some(reply_to) = payload.get("reply_to").and_then(Value::as_str) {
        body.push_str(&format!("- reply_to: {}\n", cut(reply_to)));
    }
    Some(body)
}

/// Renders the end of a turn: the reply, if any, and the pending actions.
fn after(end: &turn::End, group: &[&Entry]) -> Option<String> {
    let is_reply =
        |payload: &Value| payload.get("role").and_then(Value::as_str) == Some(Origin::Assistant.as_str());
    let reply = group
        .iter()
        .filter(|entry| entry.kind == Kind::Message)
        .filter_map(|entry| Some((entry, payload(entry).filter(is_reply)?)))
        .next_back();
    let said = match &reply {
        Some((entry, payload)) => shown(entry).map(|_| cut(&text(payload)))?,
        None => String::new(),
    };
    let mut body = format!("- assistant: {}\n", if said.is_empty() { "(empty)" } else { &said });
    if !end.pending_actions.is_empty() {
        body.push_str("- pending_actions:\n");
    }
    for action in end.pending_actions.iter().take(ACTIONS_MAX) {
        body.push_str(&format!("  - {}\n", cut(action)));
    }
    Some(body)
}

fn payload(entry: &Entry) -> Option<Value> {
    serde_json::from_str(entry.payload.get()).ok()
}

fn text(payload: &Value) -> String {
    messages::entry::parts(payload.get("content"))
}

/// Returns the name of a session's file: its label, encoded again so that it is a single file name.
#[must_use]
pub fn file_name(session: &Session) -> String {
    let label = session.to_string();
    let mut name = encode(&label);
    if name.len() > NAME_BYTES_MAX {
        let hash = hex::encode(Sha256::digest(label.as_bytes()));
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX - HASH_DIGITS - 1));
        // An encoded label never contains this character, so no other file has this name.
        name = format!("{name}~{}", &hash[..HASH_DIGITS]);
    }
    name + ".md"
}

/// Returns the heading of a session's file. Its label is not encoded: an encoded path looks like a secret.
fn head(session: &Session) -> String {
    let [channel, chat] = [session.channel(), session.chat()].map(one_line);
    let thread = session.thread().map(|thread| format!(":{}", one_line(thread))).unwrap_or_default();
    let label = format!("{channel}:{chat}{thread}");
    format!("# Session WAL State\n\n- session: {label}\n- channel: {channel}\n- chat_id: {chat}\n\n{TURNS}")
}

/// Renders a session's file from blocks, oldest first: the last ones, up to half of the maximum size.
#[must_use]
pub fn render<'b>(session: &Session, blocks: impl DoubleEndedIterator<Item = &'b str>) -> String {
    let mut text = head(session);
    let mut room = (FILE_BYTES_MAX / 2).saturating_sub(text.len());
    let mut last: Vec<&str> = Vec::new();
    for block in blocks.rev() {
        // The newest block is always included, whatever its length.
        if block.len() > room && !last.is_empty() {
            break;
        }
        room = room.saturating_sub(block.len());
        last.push(block);
    }
    text.extend(last.into_iter().rev());
    text
}

/// The result of appending a block to a session's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendOutcome {
    /// The block is appended.
    Added,
    /// The file would be too long: this is its new content.
    Trimmed(String),
    /// The content is not as expected: the file is out of date, or a person edited it.
    Unknown,
}

/// Adds a block to a file whose last block should begin with the heading `before`.
#[must_use]
pub fn append(file: &str, before: &str, block: &Block) -> AppendOutcome {
    let Some(blocks) = file.strip_prefix(&head(&block.session)).filter(|blocks| blocks.ends_with('\n'))
    else {
        return AppendOutcome::Unknown;
    };
    let blocks = split(blocks);
    if blocks.last().and_then(|block| block.lines().next()) != Some(before) {
        return AppendOutcome::Unknown;
    }
    match file.len() + block.text.len() <= FILE_BYTES_MAX {
        true => AppendOutcome::Added,
        false => {
            AppendOutcome::Trimmed(render(&block.session, blocks.into_iter().chain([block.text.as_str()])))
        }
    }
}

/// Splits a file into its blocks.
fn split(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text
        .match_indices(BLOCK)
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || text[..at].ends_with('\n'))
        .collect();
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}
