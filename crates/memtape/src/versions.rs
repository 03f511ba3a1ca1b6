//! The history of a note or a file.

use jiff::Timestamp;
use memtape_core::{Audience, Origin};
use memtape_index::Reader;
use memtape_tape::EntryId;
use serde_json::Value;

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
    /// Who made the change.
    pub origin: Option<Origin>,
    /// The conversation of the change.
    pub session: Option<String>,
    /// The recorded reason, if any.
    pub reason: Option<String>,
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
