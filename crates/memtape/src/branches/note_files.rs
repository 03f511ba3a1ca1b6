//! Supplies [`memtape_core::merge::note_files`] with the state of the note files that a merge or a similar
//! change touches.

use memtape_core::forms::notes::File;
use memtape_core::merge::note_files::{NoteFile, paths, preamble_key};
use memtape_core::merge::{Change, Creation, MergeKey, State};
use memtape_core::{Audience, Lineage, Memory, Point};
use memtape_index::{Reader, Result};

/// The origin of the changes to apply.
pub(super) enum Source<'a> {
    /// The end of another lineage.
    Side(&'a Lineage),
    /// The point before the commit that is reverted.
    Before(&'a Lineage),
}

/// Completes changes so that note files stay whole.
pub(super) fn keep_whole(
    reader: &Reader<'_>,
    point: &Point,
    changes: &mut Vec<Change>,
    from: &Source<'_>,
) -> Result<()> {
    for path in paths(changes) {
        let current = reader.note_sections(&path, &Audience::owner(), point)?;
        let merge_key = preamble_key(&path);
        let (preamble, is_deleted_there) = preamble(reader, point, &merge_key, from)?;
        let before = match from {
            Source::Side(_) => None,
            Source::Before(lineage) => {
                let before = Point { lineage: (*lineage).clone(), instant: point.instant };
                let view = reader.note_file(&path, &Audience::owner(), &before)?;
                view.get(&path).map(File::bytes)
            }
        };
        let file = NoteFile { path, current, preamble, is_deleted_there, before };
        file.keep_whole(changes)?;
    }
    Ok(())
}

/// Returns the preamble of a file where the changes come from, otherwise the last one here, otherwise the
/// last one anywhere; and whether it was deleted where they come from.
fn preamble(
    reader: &Reader<'_>,
    point: &Point,
    merge_key: &MergeKey,
    from: &Source<'_>,
) -> Result<(Option<Creation>, bool)> {
    let lives = reader.lives(merge_key)?;
    let (Source::Side(lineage) | Source::Before(lineage)) = from;
    let there = lives.state(lineage);
    let last = |state: State| match state {
        State::Current(id) | State::Deleted(id) => Some(id),
        State::Nothing => None,
    };
    let is_deleted_there = matches!((from, there), (Source::Side(_), State::Deleted(_)));
    let Some(id) = there.current().or_else(|| last(lives.state(&point.lineage))).or_else(|| last(there))
    else {
        return Ok((None, is_deleted_there));
    };
    let memory = reader.memory(id, &Audience::owner())?;
    let creates = |memory: Memory| {
        let is_ours = point.lineage.holds(&memory.branch, memory.id.entry());
        if is_ours { Creation::Restore(memory) } else { Creation::Copy(memory) }
    };
    Ok((memory.map(creates), is_deleted_there))
}
