//! The versions that a merge, a reversal or a resolution may take, the entries of its group, and the changes that it
//! reports.

use std::collections::{HashMap, VecDeque};

use memtape_core::change;
use memtape_core::commit::Metadata;
use memtape_core::form::RemovalCause;
use memtape_core::forms::blocks;
use memtape_core::forms::zone::entry::{SEAL, version};
use memtape_core::merge::{Change, Closing, Creation, Lives, State, group};
use memtape_core::projection::project;
use memtape_core::{Audience, Context, Created, Form, Lineage, Memory, MemoryId, Point, payload};
use memtape_index::Reader;
use memtape_tape::Entry;
use serde_json::Value;

use super::collisions;
use crate::error::Result;
use crate::workspace::Workspace;

/// Returns a version, unless its text was erased.
pub(super) fn unerased(reader: &Reader<'_>, id: MemoryId) -> memtape_index::Result<Option<Memory>> {
    let Some(memory) = reader.memory(id, &Audience::owner())? else { return Ok(None) };
    // Only of a section or a file, the version remains when its text is erased.
    if !matches!(memory.form, Form::FILES | Form::NOTES) || !memory.text.is_empty() {
        return Ok(Some(memory));
    }
    let payload: Value = serde_json::from_str(reader.entry(id.entry())?.payload.get()).unwrap_or_default();
    let first = MemoryId::new(id.entry(), 0).number();
    let n = usize::try_from(id.number() - first).unwrap_or(usize::MAX);
    let data = &payload["data"];
    let written = data.get("sections").map_or(data, |sections| &sections[n]);
    let has_text = written.get("text").is_some() || written.get("base64").is_some();
    Ok(Some(memory).filter(|_| has_text))
}

/// Returns why a memory is removed that a lineage does not have: by the event that removed it there or, if the lineage only
/// learned of the removal, by the last one on any branch. Without an event, nobody asked for it.
pub(super) fn removal_cause(
    reader: &Reader<'_>,
    lives: &Lives,
    lineage: &Lineage,
) -> memtape_index::Result<RemovalCause> {
    let by = match lives.state(lineage) {
        State::Current(_) => None,
        State::Deleted(id) => lives.retired_by(id, lineage),
        State::Nothing => {
            let removals = lives.iter().flat_map(|life| &life.retired).map(|by| by.entry);
            removals.filter(|by| *by <= lineage.entry()).max()
        }
    };
    let by = by.map(|by| reader.entry(by)).transpose()?;
    Ok(by.as_ref().and_then(payload::event_name).map_or(RemovalCause::Reversal, RemovalCause::Event))
}

/// Returns the entries of a group on the branch of a point.
///
/// # Errors
/// `Conflict` if two notes or files would have names that some systems take for one.
pub(crate) fn drafts(
    reader: &Reader<'_>,
    point: &Point,
    changes: Vec<Change>,
    closing: Closing<'_>,
    ctx: &Context,
) -> memtape_index::Result<Vec<memtape_tape::Draft>> {
    let is_owners =
        |memory: &Memory| blocks::merge::is_identity(memory) || blocks::merge::is_proposal(memory);
    let created = changes.iter().filter_map(|change| change.creates.as_ref()).map(Creation::new_version);
    let touches = changes.iter().flat_map(|change| &change.retires).chain(closing.about.iter().copied());
    // Resolving a conflict in favour of the current version changes nothing, but is reserved for the owner as
    // well.
    let is_of_identity =
        touches.into_iter().any(is_owners) || created.into_iter().any(|memory| is_owners(&memory));
    if is_of_identity && !ctx.origin.is_person() {
        return Err(blocks::ops::identity_is_the_owners(command(&closing)).into());
    }
    collisions::check(reader, point, &changes)?;
    let seal = reader.last_anchor(SEAL, point)?;
    let zone_version = seal.as_ref().and_then(version).unwrap_or_default();
    let closing = Closing { parent_id: reader.last_commit(point)?, ..closing };
    Ok(group::drafts(changes, closing, zone_version, ctx)?)
}

/// Returns the command that a group is the result of.
fn command(closing: &Closing<'_>) -> &'static str {
    let Metadata { merge, picks, reverts, undoes, redoes, .. } = &closing.metadata;
    match () {
        () if merge.is_some() => "merge BRANCH",
        () if picks.is_some() => "cherry-pick COMMIT",
        () if reverts.is_some() => "revert COMMIT",
        () if undoes.is_some() => "undo",
        () if redoes.is_some() => "redo",
        () => "resolve REF",
    }
}

/// Converts changes that are planned at a point to reported ones.
pub(super) fn changed(changes: &[Change], point: &Point) -> Vec<change::Change> {
    let changed = changes.iter().map(|change| {
        let after = change.creates.as_ref().map(Creation::new_version);
        let end = after.as_ref().and_then(|after| after.expires_at);
        change::Change {
            before: change.retires.last().cloned(),
            after,
            restores: matches!(change.creates, Some(Creation::Restore(_))),
            has_ended: end.is_some_and(|end| end <= point.instant),
        }
    });
    changed.collect()
}

/// Replaces the planned versions in the reported changes by those that were written.
///
/// # Errors
/// [`Error::Store`](crate::Error::Store) if the index cannot be read.
pub(super) fn as_written(
    workspace: &Workspace,
    mut changed: Vec<change::Change>,
    entries: &[Entry],
) -> Result<Vec<change::Change>> {
    let mut written: HashMap<_, VecDeque<MemoryId>> = HashMap::new();
    for Created { id, form, key, text, .. } in entries.iter().flat_map(|entry| project(entry).creates) {
        written.entry((form, key, text)).or_default().push_back(id);
    }
    let mut id_of = |after: &Memory| {
        let found = written.get_mut(&(after.form, after.key.clone(), after.text.clone()));
        found.and_then(VecDeque::pop_front)
    };
    let ids: Vec<_> = changed.iter().map(|change| change.after.as_ref().and_then(&mut id_of)).collect();
    let memories: Vec<Option<Memory>> = workspace.store.read(|reader| {
        let read = |id: &Option<MemoryId>| id.map_or(Ok(None), |id| reader.memory(id, &Audience::owner()));
        ids.iter().map(read).collect()
    })?;
    for (change, memory) in changed.iter_mut().zip(memories) {
        change.after = memory.or(change.after.take());
    }
    Ok(changed)
}
