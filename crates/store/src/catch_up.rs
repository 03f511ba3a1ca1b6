//! Brings the index up to the tape's end.
//!
//! **Invariant.** Only whole groups are applied, in one immediate transaction at a time, after the hash of
//! the last line read was compared. Any process that is behind may apply them, and two that do so at once
//! apply them only once.
//!
//! **Invariant.** Erased text never enters an index that outlives the erasure. Before each commit the tape
//! must still be the one that was read, and an erasure removes the index after it changed the tape.

use memtape_index::index::{Applied, Index};
use memtape_tape::{Floor, Group, Position, Scanned, Segments, Tail};

use crate::error::Result;
use crate::warning::Warning;

/// Number of entries per transaction: enough to be fast, few enough to lose little on an interruption and to
/// keep the write-ahead log small.
const ENTRIES_PER_TRANSACTION: usize = 20_000;

/// Size of the entries per transaction, in bytes, from which it is complete: a group may be larger.
const BYTES_PER_TRANSACTION: u64 = 32 << 20;

/// The progress of an index catch-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexProgress {
    /// The id of the last entry that was applied.
    pub entry: u64,
    /// The id of the last entry to apply; `None` if the end of the tape cannot be read.
    pub last: Option<u64>,
}

/// The result of a catch-up.
pub(crate) enum CaughtUp {
    /// The state of the tape's end, and the position of the index.
    Done(Box<(Tail, Applied)>),
    /// The tape does not contain the entries that the index has read.
    OtherTape,
    /// The segments have been replaced since they were opened.
    OtherSegments,
}

/// Reads and applies everything up to `acknowledged` on the active segment. What is appended meanwhile may follow.
pub(crate) fn catch_up(
    index: &Index,
    segments: &Segments,
    acknowledged: u64,
    progress: &dyn Fn(IndexProgress),
    warnings: &mut Vec<Warning>,
) -> Result<CaughtUp> {
    loop {
        let applied = index.applied()?;
        if !is_same_tape(&applied, segments) {
            return Ok(CaughtUp::OtherTape);
        }
        let position = applied.position;
        let ends = acknowledged..=segments.active_len()?;
        if position.segment == segments.active() && ends.contains(&position.offset) {
            return Ok(CaughtUp::Done(Box::new((clean_tail(position), applied))));
        }
        if let Some(done) = read_on(index, segments, applied, progress, warnings)? {
            return Ok(CaughtUp::Done(Box::new(done)));
        }
        // Another connection was faster: continue from its position.
        warnings.retain(|warning| !matches!(warning, Warning::Damage(_)));
        if !segments.are_current()? {
            return Ok(CaughtUp::OtherSegments);
        }
    }
}

/// Returns whether the last line that was read is still at its place.
pub(crate) fn is_same_tape(applied: &Applied, segments: &Segments) -> bool {
    let Position { last_id, last_hash, .. } = applied.position;
    last_id == 0 || segments.read(last_id, applied.line).is_ok_and(|entry| entry.hash == last_hash)
}

fn clean_tail(position: Position) -> Tail {
    Tail {
        end: position,
        last_hash: position.last_hash,
        last_date: position.last_date,
        next_id: position.last_id + 1,
        active: position.segment,
        len: position.offset,
        torn: None,
        damaged: None,
        unfinished_line: false,
    }
}

/// Scans and applies to the end; `None` if another connection applied something in the meantime.
fn read_on(
    index: &Index,
    segments: &Segments,
    mut applied: Applied,
    progress: &dyn Fn(IndexProgress),
    warnings: &mut Vec<Warning>,
) -> Result<Option<(Tail, Applied)>> {
    let mut scanner = segments.scan(applied.position);
    let mut batch: Vec<Group> = Vec::new();
    let (mut waiting, mut bytes) = (0, 0);
    let mut last = None;
    while let Some(scanned) = scanner.next()? {
        match scanned {
            Scanned::Damage(damage) => warnings.push(Warning::Damage(damage)),
            Scanned::Group(group) => {
                waiting += group.entries.len();
                bytes += group.entries.iter().map(|located| located.at.length).sum::<u64>();
                batch.push(group);
                if waiting >= ENTRIES_PER_TRANSACTION || bytes >= BYTES_PER_TRANSACTION {
                    let Some(next) = apply(index, segments, applied, &batch)? else { return Ok(None) };
                    applied = next;
                    if last.is_none() {
                        last = segments.last_id()?;
                    }
                    progress(IndexProgress { entry: applied.position.last_id, last });
                    batch.clear();
                    (waiting, bytes) = (0, 0);
                }
            }
        }
    }
    if !batch.is_empty() {
        let Some(next) = apply(index, segments, applied, &batch)? else { return Ok(None) };
        applied = next;
    }
    Ok(scanner.tail().map(|tail| (tail, applied)))
}

/// Applies groups that follow `before`, and returns the new position of the index; `None` if the index is no
/// longer at `before`, or the tape may no longer contain the groups.
fn apply(index: &Index, segments: &Segments, before: Applied, groups: &[Group]) -> Result<Option<Applied>> {
    let Some(transaction) = index.begin_write_at(before.position)? else { return Ok(None) };
    let (mut applied, _) = index.project(before, groups)?;
    // A rebuilt index still knows how far the previous one had read of the same tape.
    if before.first_hash == applied.first_hash {
        let place = |floor: Floor| (floor.segment, floor.offset);
        applied.known = applied.known.max(before.known);
        applied.floor = if place(before.floor) > place(applied.floor) { before.floor } else { applied.floor };
        index.set_applied(&applied)?;
    }
    if !segments.are_current()? {
        return Ok(None);
    }
    transaction.commit()?;
    Ok(Some(applied))
}
