//! The history of a note or a file.

use jiff::Timestamp;
use memtape_core::{Audience, Origin};
use memtape_index::Reader;
use memtape_tape::{Entry, EntryId};
use serde_json::Value;

use crate::error::Result;
use crate::reading::SESSION_START;
use crate::workspace::{At, Workspace};

/// The operation of a version that `tape reset` removed.
const RESET: &str = "tape.reset";

/// A change of a note or a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The last entry of the group that made the change.
    pub entry: EntryId,
    /// The last entry before that group.
    pub before: EntryId,
    /// The date of the change.
    pub date: Timestamp,
    /// The name of the event, such as `note.write`.
    pub act: String,
    /// The origin of the change.
    pub origin: Option<Origin>,
    /// The conversation of the change.
    pub session: Option<String>,
    /// The recorded reason, if any.
    pub reason: Option<String>,
}

impl Workspace {
    /// Returns the point just before the group that an entry belongs to.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the entry does not exist or the index cannot be read.
    pub fn before(&self, entry: EntryId) -> Result<At<'static>> {
        let first = self.store.read(|reader| Ok(group_of(reader, entry)?.0))?;
        Ok(At::entry(first - 1))
    }
}

/// Returns the first and the last entry of the group that an entry belongs to.
pub(crate) fn group_of(reader: &Reader<'_>, id: EntryId) -> memtape_index::Result<(EntryId, EntryId)> {
    let entry = reader.entry(id)?;
    let group = reader.commit_at(id + u64::from(entry.more))?;
    Ok(group.map_or((id, id), |(group, _)| (group.first, group.last)))
}

/// Returns the changes that some entries made and an audience sees, newest first. Entries of one group are
/// one change.
pub(crate) fn of(
    reader: &Reader<'_>,
    history: Vec<EntryId>,
    audience: &Audience,
) -> memtape_index::Result<Vec<Version>> {
    let mut versions: Vec<Version> = Vec::new();
    for id in history {
        let is_of_last = |last: &Version| (last.before + 1..=last.entry).contains(&id);
        if versions.last().is_some_and(is_of_last) || !reader.sees(id, audience)? {
            continue;
        }
        let entry = reader.entry(id)?;
        versions.push(version(&entry, group_of(reader, id)?));
    }
    Ok(versions)
}

/// Returns the name of the operation that an entry is the result of: of its event, or the kind of the entry.
pub(crate) fn operation(name: Option<String>, entry: &Entry) -> String {
    match name {
        // The anchor that begins a conversation changes memories only as part of a reset.
        Some(name) if name == SESSION_START => RESET.to_owned(),
        name => name.unwrap_or_else(|| entry.kind.to_string()),
    }
}

/// Returns the change of a group that one of its entries made.
pub(crate) fn version(entry: &Entry, (first, last): (EntryId, EntryId)) -> Version {
    let read = memtape_core::projection::project(entry);
    let meta: Value = serde_json::from_str(entry.meta.get()).unwrap_or_default();
    let text = |field: &str| meta.get(field).and_then(Value::as_str).map(str::to_owned);
    Version {
        entry: last,
        before: first - 1,
        date: entry.date,
        act: operation(read.name, entry),
        origin: text("origin").and_then(|origin| origin.parse().ok()),
        session: text("session"),
        reason: text("reason"),
    }
}
