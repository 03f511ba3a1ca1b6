//! The history of a note or a file.

use jiff::Timestamp;
use memtape_core::forms::notes::NotePath;
use memtape_core::{Audience, Error as CoreError, Form, Moment, Origin, Point, PointText, Ref};
use memtape_index::Reader;
use memtape_store::Expected;
use memtape_tape::{Entry, EntryId};
use serde_json::Value;

use crate::error::Result;
use crate::reading::SESSION_START;
use crate::workspace::{At, Workspace, conversation_of};

/// The operation of a version that `tape reset` removed.
const RESET: &str = "tape.reset";

/// A change of a note or a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileVersion {
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
    /// Returns the entry of the last change of a memory, or of a whole note, at a point, as [`Expected`] names it.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn last_change(&self, reference: &Ref, audience: &Audience, at: &At) -> Result<EntryId> {
        self.read(at, audience, &conversation_of(audience), |reader, point| {
            last_change(reader, reference, audience, point)
        })
    }

    /// Returns the point just before the group that an entry belongs to, as [`Workspace::version`] does.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the entry does not exist or the index cannot be read.
    pub fn before(&self, entry: EntryId, audience: &Audience) -> Result<At<'static>> {
        let first = self.store.read(|reader| Ok(group_of(reader, entry)?.0))?;
        self.version(At::entry(first - 1), audience)
    }

    /// Returns the point of a version that a log lists: an entry without a branch is on the branch that the
    /// conversation of the audience is on now, as the log is.
    ///
    /// Any other point stays as it is. Without this, an entry is on the branch of that moment ([`Workspace::at`]).
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn version<'v>(&self, at: At<'v>, audience: &Audience) -> Result<At<'v>> {
        let PointText { branch: None, moment: Moment::Entry(entry) } = at.text else { return Ok(at) };
        Ok(At { text: self.version_text(entry, &At::head(), audience)?, ..at })
    }

    /// Returns the point of a version that a log of another branch than the current one lists: the log at `head`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `head` does not exist or the index cannot be read.
    pub fn version_at(&self, entry: EntryId, head: &At<'_>, audience: &Audience) -> Result<At<'static>> {
        let PointText { branch, moment } = self.version_text(entry, head, audience)?;
        let branch = branch.or_else(|| head.text.branch.clone());
        Ok(At { text: PointText { branch, moment }, ..At::default() })
    }

    /// Returns an entry with the branch that the log at a point lists it on; without one if it does not.
    fn version_text(&self, entry: EntryId, head: &At<'_>, audience: &Audience) -> Result<PointText> {
        let branch = self.read(head, audience, &conversation_of(audience), |reader, point| {
            let branches = reader.branches()?;
            // Before its fork a branch is its parent, and another one may have had its name.
            let is_there =
                |name: &str| branches.iter().any(|branch| branch.name == name && branch.exists_at(entry));
            let mut steps = point.lineage.steps().iter().filter(|_| entry <= point.entry());
            Ok(steps.find(|(name, _)| is_there(name)).map(|(name, _)| name.clone()))
        })?;
        Ok(PointText { branch, moment: Moment::Entry(entry) })
    }
}

/// Returns the entry of the last change of a whole note, or of the last current version of another memory; 0 if there is
/// none.
fn last_change(
    reader: &Reader<'_>,
    reference: &Ref,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<EntryId> {
    let is_note = reference.form == Form::NOTES && NotePath::of_key(&reference.key).is_none();
    if let Some(note) = NotePath::of_file(&reference.key).filter(|_| is_note) {
        let versions = of(reader, reader.note_history(&note, point)?, audience)?;
        return Ok(versions.first().map_or(0, |version| version.entry));
    }
    let current = reader.by_ref(&Ref { entry: None, ..reference.clone() }, audience, point)?;
    Ok(current.iter().map(|memory| memory.id.entry()).max().unwrap_or_default())
}

/// Fails if an author has seen something else than there is at a point, which is where the author writes.
pub(crate) fn check(reader: &Reader<'_>, expected: &Expected, point: &Point) -> memtape_index::Result<()> {
    let Expected { branch, memory, audience } = expected;
    if point.branch() != branch {
        let why = format!("the conversation is on branch {:?} now, not on {branch:?}", point.branch());
        return Err(CoreError::Conflict(why).into());
    }
    match memory {
        Some((reference, seen)) if last_change(reader, reference, audience, point)? != *seen => {
            Err(CoreError::Conflict(format!("{reference} was changed in the meantime")).into())
        }
        _ => Ok(()),
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
) -> memtape_index::Result<Vec<FileVersion>> {
    let mut versions: Vec<FileVersion> = Vec::new();
    for id in history {
        let is_of_last = |last: &FileVersion| (last.before + 1..=last.entry).contains(&id);
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
pub(crate) fn version(entry: &Entry, (first, last): (EntryId, EntryId)) -> FileVersion {
    let read = memtape_core::projection::project(entry);
    let meta: Value = serde_json::from_str(entry.meta.get()).unwrap_or_default();
    let text = |field: &str| meta.get(field).and_then(Value::as_str).map(str::to_owned);
    FileVersion {
        entry: last,
        before: first - 1,
        date: entry.date,
        act: operation(read.name, entry),
        origin: text("origin").and_then(|origin| origin.parse().ok()),
        session: text("session"),
        reason: text("reason"),
    }
}
