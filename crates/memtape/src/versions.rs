//! The history of a file of a working copy, as it is told.

use jiff::Timestamp;
use memtape_core::{Audience, Origin};
use memtape_store::Reader;
use memtape_tape::EntryId;
use serde_json::Value;

/// A change of a file, as its history tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The last entry of its group.
    pub entry: EntryId,
    /// The last entry before its group.
    pub before: EntryId,
    /// When.
    pub date: Timestamp,
    /// What was done: the event's name, as `note.write`.
    pub act: String,
    /// Who did it.
    pub origin: Option<Origin>,
    /// In which conversation.
    pub session: Option<String>,
    /// Why, where they said so.
    pub reason: Option<String>,
}

/// The changes that entries made, newest first, of those that an audience sees; those of one group are one.
pub(crate) fn of(
    reader: &Reader<'_>,
    history: Vec<EntryId>,
    audience: &Audience,
) -> memtape_store::Result<Vec<Version>> {
    let mut versions: Vec<Version> = Vec::new();
    for id in history {
        let is_of_last = |last: &Version| (last.before + 1..=last.entry).contains(&id);
        if versions.last().is_some_and(is_of_last) || !reader.sees(id, audience)? {
            continue;
        }
        let entry = reader.entry(id)?;
        let group = reader.commit_at(id + u64::from(entry.more))?.map(|(group, _)| (group.first, group.last));
        versions.push(version(&entry, group.unwrap_or((id, id))));
    }
    Ok(versions)
}

fn version(entry: &memtape_tape::Entry, (first, last): (EntryId, EntryId)) -> Version {
    let read = memtape_core::projection::project(entry);
    let meta: Value = serde_json::from_str(entry.meta.get()).unwrap_or_default();
    let text = |field: &str| meta.get(field).and_then(Value::as_str).map(str::to_owned);
    Version {
        entry: last,
        before: first - 1,
        date: entry.date,
        act: read.name.unwrap_or_else(|| entry.kind.to_string()),
        origin: text("origin").and_then(|origin| origin.parse().ok()),
        session: text("session"),
        reason: text("reason"),
    }
}
