//! The types of lines, and which entry has which: one table ([`all`]) and one function ([`of`]).
//!
//! **Invariant.** [`of`] reads one entry only. Every type that it returns for anything but an event
//! `journal.TYPE` is in the table.

use std::borrow::Cow;

use memtape_tape::{Entry, Kind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{PREFIX, TYPE_CHARS_MAX};
use crate::commit::{COMMIT, Commit};
use crate::error::{Error, Result};
use crate::forms;
use crate::hint::Hint;
use crate::line::LineType;
use crate::meta::Meta;
use crate::payload;
use crate::turn::SESSION_START;
use crate::{branch, turn};

macro_rules! types {
    ($($constant:ident = $name:literal, $tells:literal, $fields:literal, $made_by:expr;)+) => {
        $(
            #[doc = concat!("The type `", $name, "`.")]
            pub const $constant: &str = $name;
        )+
        /// The types of lines that no form defines.
        const SYSTEM_TYPES: &[LineType] = &[
            $(LineType { name: $name, tells: $tells, fields: $fields, made_by: $made_by },)+
        ];
    };
}

types! {
    TRIGGER = "trigger", "a `message` of the role `user`; `turn.begin` of a perch tick or a scheduled job",
        "`source` (`message`, `perch`, `cron`), `from` and `preview`, or `context`; `content`", Some("`memtape turn`");
    MESSAGE_SENT = "message_sent", "a `message` of the role `assistant`", "`channel`, `preview`, `content`",
        Some("`memtape turn --reply`");
    MESSAGE = "message", "a `message` of another role", "`role`, `from`, `preview`, `content`", Some("`memtape ingest`");
    SYSTEM = "system", "`system`, a `message` of the role `system`", "`preview`, `content`", Some("`memtape ingest`");
    TOOL_USE = "tool_use",
        "a call in a `tool_call`, with its result; a `message` of the role `tool`; a call of memtape's own tools that wrote \
         something",
        "`tool`, `input`, `result`, `content`", Some("a turn that used tools, and `memtape tool`");
    READ = "read", "a call of memtape's own tools that wrote nothing, where `journal.reads` is set",
        "`target`, `summary`; `tool`", None;
    DECISION = "decision", "", "`action`, `reason`", None;
    ERROR = "error", "`error`", "`error`, `kind`, `details`; as written: `tool`, `error`, `recovery`", None;
    COST = "cost", "", "`tokens_in`, `tokens_out`, `model`, `purpose`, `cost`, `at`", None;
    SESSION = "session_start", "anchor `session/start`", "", Some("`memtape init`; the first entry of a conversation");
    RESET = "reset", "anchor `session/start` of a reset", "`of`", Some("`memtape tape reset`");
    HANDOFF = "handoff", "any other anchor that memtape does not reserve", "`name`, `state`", Some("`memtape tape handoff`");
    BRANCH_CREATE = "branch_create", "anchor `branch/fork`, the first entry of the new branch", "`name`, `parent`, `at`, `persona`",
        Some("`memtape branch create`");
    BRANCH_DELETE = "branch_delete", "`branch.delete`", "`name`", Some("`memtape branch delete`");
    CHECKOUT = "checkout", "`branch.switch`", "`to`, `default`", Some("`memtape switch`");
    MERGE = "merge", "`memory/commit` of a merge", "`from`, `message`, `conflicts`", Some("`memtape merge`");
    CHERRY_PICK = "cherry_pick", "`memory/commit` of a cherry-pick", "`of`, `message`, `conflicts`",
        Some("`memtape cherry-pick`");
    REVERT = "revert", "`memory/commit` of a revert", "`of`, `message`", Some("`memtape revert`");
    UNDO = "undo", "`memory/commit` of an undo", "`of`, `message`", Some("`memtape undo`");
    REDO = "redo", "`memory/commit` of a redo", "`of`, `message`", Some("`memtape redo`");
    RESOLVE = "resolve", "`memory/commit` that resolves a conflict", "`message`", Some("`memtape resolve`");
    ERASE = "erase", "`tape.erase`", "`entries`, `reason`", Some("`memtape scan --redact`");
    EVENT = "event", "any other event that memtape does not reserve", "`name`, `data`", Some("`memtape tape append`");
}

/// Returns every type that memtape defines. Callers may write lines of any other type.
pub fn all() -> impl Iterator<Item = &'static LineType> {
    SYSTEM_TYPES.iter().chain(forms::all().iter().flat_map(|rules| rules.line_types()))
}

/// Returns the type of an entry's lines; `None` if it has none. `name` is that of an anchor or event.
#[must_use]
pub fn of<'a>(entry: &Entry, name: Option<&'a str>, meta: &Meta) -> Option<Cow<'a, str>> {
    let kind = match (&entry.kind, name) {
        (Kind::Event, Some(name)) => return of_event(name, entry),
        (Kind::Anchor, Some(name)) => of_anchor(name, entry, meta)?,
        (Kind::Message, _) => of_message(entry)?,
        (Kind::System, _) => SYSTEM,
        (Kind::ToolCall | Kind::ToolResult, _) => TOOL_USE,
        (Kind::Error, _) => ERROR,
        _ => return None,
    };
    Some(kind.into())
}

fn of_message(entry: &Entry) -> Option<&'static str> {
    #[derive(Deserialize)]
    struct Said<'a> {
        #[serde(borrow, default)]
        role: Option<Cow<'a, str>>,
        // An erased message has no content, and no line.
        #[serde(rename = "content")]
        _content: IgnoredAny,
    }
    let said: Said<'_> = serde_json::from_str(entry.payload.get()).ok()?;
    Some(match said.role.as_deref().unwrap_or("user") {
        "user" => TRIGGER,
        "assistant" => MESSAGE_SENT,
        "tool" | "function" => TOOL_USE,
        "system" => SYSTEM,
        _ => MESSAGE,
    })
}

fn of_anchor(name: &str, entry: &Entry, meta: &Meta) -> Option<&'static str> {
    match name {
        SESSION_START if meta.retires.is_empty() => Some(SESSION),
        SESSION_START => Some(RESET),
        COMMIT => of_commit(&Commit::read(entry)?),
        branch::FORK => Some(BRANCH_CREATE),
        name if forms::reserved_prefix(name).is_some() => None,
        _ => Some(HANDOFF),
    }
}

/// Returns the type of a branch operation's commit. A ledger commit adds nothing to the lines of its events.
fn of_commit(commit: &Commit) -> Option<&'static str> {
    let said = &commit.metadata;
    let types = [
        (said.merge.is_some(), MERGE),
        (said.picks.is_some(), CHERRY_PICK),
        (said.reverts.is_some(), REVERT),
        (said.undoes.is_some(), UNDO),
        (said.redoes.is_some(), REDO),
        (!said.settles.is_empty(), RESOLVE),
    ];
    types.into_iter().find(|(is_so, _)| *is_so).map(|(_, kind)| kind)
}

fn of_event<'a>(name: &'a str, entry: &Entry) -> Option<Cow<'a, str>> {
    if let Some(kind) = name.strip_prefix(PREFIX) {
        // Another program may have used an invalid type name.
        return Some(if is_name(kind) { kind.into() } else { EVENT.into() });
    }
    if let Some(rules) = forms::owner(name) {
        return rules.line_type(name, entry).map(Cow::Borrowed);
    }
    let kind = match name {
        turn::BEGIN => trigger(entry).map(|_| TRIGGER)?,
        branch::SWITCH => CHECKOUT,
        branch::DELETE => BRANCH_DELETE,
        memtape_tape::erase::ERASE => ERASE,
        name if forms::reserved_prefix(name).is_some() => return None,
        _ => EVENT,
    };
    Some(kind.into())
}

/// Returns the trigger of a turn that did not begin with a message: `perch` or `cron`.
pub(super) fn trigger(entry: &Entry) -> Option<&'static str> {
    ["perch", "cron"].into_iter().find(|kind| data_says(entry, "trigger", |trigger| trigger == *kind))
}

fn data_says(entry: &Entry, field: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let data: Option<Value> = payload::data(entry);
    data.as_ref().and_then(|data| data.get(field)).and_then(Value::as_str).is_some_and(is_it)
}

fn is_name(kind: &str) -> bool {
    kind.len() <= TYPE_CHARS_MAX
        && kind.starts_with(|c: char| c.is_ascii_lowercase())
        && kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Checks that a caller may write a line of this type.
///
/// # Errors
/// [`Error::Invalid`] if the name is not valid; [`Error::Refused`] with [`Hint::MadeBy`] as its hint if only
/// a command creates lines of this type.
pub fn check(kind: &str) -> Result<()> {
    check_name(kind)?;
    match all().find(|known| known.name == kind).and_then(|known| known.made_by) {
        None => Ok(()),
        Some(made_by) => Err(Error::Refused(format!(
            "journal lines of type {kind} are recorded automatically and cannot be written by hand"
        ))
        .with_hint(Hint::MadeBy(made_by))),
    }
}

/// Checks that this is a valid type name.
///
/// # Errors
/// [`Error::Invalid`] if it is not lower-case letters, digits and `_` starting with a letter, or is too long.
pub fn check_name(kind: &str) -> Result<()> {
    match is_name(kind) {
        true => Ok(()),
        false => Err(Error::Invalid(format!(
            "invalid journal type {kind:?}: expected at most {TYPE_CHARS_MAX} lower-case letters, \
             digits and _, starting with a letter, such as decision"
        ))),
    }
}
