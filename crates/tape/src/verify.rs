//! Verification of a whole tape.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::chain::Hash;
use crate::entry::EntryId;
use crate::erase;
use crate::error::Result;
use crate::reader::{Damage, Located, Location, Position, Scanned, Segments};
use crate::storage::Storage;

/// A place where the tape differs from what a writer wrote. Displayed as `line N (byte B): why`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine(pub Damage);

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { archived, line, byte, why, .. } = &self.0;
        if let Some(segment) = archived {
            write!(f, "archive/{}: ", segment.file_name())?;
        }
        match line {
            Some(line) => write!(f, "line {line} (byte {byte}): {why}"),
            None => write!(f, "byte {byte}: {why}"),
        }
    }
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of entries that count.
    pub entries: u64,
    /// The number of groups that count.
    pub groups: u64,
    /// The number of segments read, the active one included.
    pub segments: u64,
    /// Every damaged place, ordered by position.
    pub bad: Vec<BadLine>,
    /// The offset and length, in bytes, of the unacknowledged rest at the end of the active segment, if any.
    pub torn: Option<(u64, u64)>,
    /// The id of the last entry that counts.
    pub last_id: u64,
}

/// The erased lines read so far. Their hashes do not cover the replacement text, so a later event must state
/// its digest.
#[derive(Default)]
struct Erased(BTreeMap<EntryId, Replacement>);

struct Replacement {
    at: Location,
    digest: Hash,
    /// Whether the last event that names the entry states this digest.
    is_recorded: bool,
}

impl Erased {
    fn read(&mut self, located: &Located) {
        let Located { entry, at } = located;
        for record in erase::erasure_records(entry).into_iter().flatten() {
            if let Some(replacement) = self.0.get_mut(&record.id) {
                replacement.is_recorded = replacement.digest == record.now;
            }
        }
        if entry.is_erased() {
            let digest = entry.current_digest();
            self.0.insert(entry.id, Replacement { at: *at, digest, is_recorded: false });
        }
    }

    fn unrecorded(self) -> impl Iterator<Item = (EntryId, Replacement)> {
        self.0.into_iter().filter(|(_, replacement)| !replacement.is_recorded)
    }

    fn bad(self, segments: &Segments) -> Vec<BadLine> {
        self.unrecorded()
            .map(|(id, Replacement { at, .. })| {
                let segment = segments.list.iter().find(|segment| segment.first == at.segment);
                BadLine(Damage {
                    segment: at.segment,
                    archived: segment.and_then(|segment| segment.archived),
                    line: None,
                    byte: at.offset,
                    why: format!("the text of erased entry {id} does not match the record of its erasure"),
                    counts: true,
                })
            })
            .collect()
    }
}

/// Returns the erased entries whose replacement text no later event states, in the order of their ids.
///
/// # Errors
/// [`crate::Error::Io`] if a segment cannot be read.
pub fn unrecorded_erasures(storage: &Arc<dyn Storage>) -> Result<Vec<EntryId>> {
    let mut erased = Erased::default();
    Segments::open(storage)?.scan(Position::START).run(|scanned| {
        if let Scanned::Group(group) = scanned {
            group.entries.iter().for_each(|located| erased.read(located));
        }
        Ok::<(), crate::Error>(())
    })?;
    Ok(erased.unrecorded().map(|(id, _)| id).collect())
}

/// Verifies a tape: reads every segment, recomputes every hash and follows the chain.
///
/// It also checks that an event states the digest of the replacement text of each erased line. Memory use
/// grows only with the number of erased lines and of damaged places.
///
/// # Errors
/// [`crate::Error::Io`] if a segment cannot be read. Damage to the tape is not an error: it is listed in the
/// report.
pub fn verify(storage: &Arc<dyn Storage>) -> Result<Report> {
    let segments = Segments::open(storage)?;
    let mut report = Report { segments: segments.count(), ..Report::default() };
    let mut erased = Erased::default();
    let tail = segments.scan(Position::START).run(|scanned| {
        match scanned {
            Scanned::Group(group) => {
                report.groups += 1;
                report.entries += group.entries.len() as u64;
                group.entries.iter().for_each(|located| erased.read(located));
            }
            Scanned::Damage(damage) => report.bad.push(BadLine(damage)),
        }
        Ok::<(), crate::Error>(())
    })?;
    report.bad.extend(erased.bad(&segments));
    report.bad.sort_by_key(|BadLine(damage)| (damage.segment, damage.byte));
    report.torn = tail.torn.map(|torn| (torn.start, tail.len - torn.start));
    report.last_id = tail.end.last_id;
    Ok(report)
}
