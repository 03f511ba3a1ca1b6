//! Checking a whole tape against its chain.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::chain::Hash;
use crate::entry::EntryId;
use crate::erase;
use crate::error::Result;
use crate::reader::{Damage, Located, Location, Position, Scanned, Segments};
use crate::storage::Storage;

/// A line that is not as it was written. Displayed as `line N (byte B): why`.
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

/// What a check of the whole tape found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries that count.
    pub entries: u64,
    /// Groups that count.
    pub groups: u64,
    /// Segments read, the active one included.
    pub segments: u64,
    /// Every line that is not as it was written.
    pub bad: Vec<BadLine>,
    /// Bytes at the end that were never acknowledged, and where they begin.
    pub torn: Option<(u64, u64)>,
    /// The last entry that counts.
    pub last_id: u64,
}

/// The erased lines met so far. The chain does not cover what stands in them: an event after them must.
#[derive(Default)]
struct Erased(BTreeMap<EntryId, Standing>);

struct Standing {
    at: Location,
    digest: Hash,
    /// Whether the last event that names it vouches for what stands there.
    vouched: bool,
}

impl Erased {
    fn meet(&mut self, located: &Located) {
        let Located { entry, at } = located;
        for vouched in erase::vouched(entry).into_iter().flatten() {
            if let Some(standing) = self.0.get_mut(&vouched.id) {
                standing.vouched = standing.digest == vouched.now;
            }
        }
        if entry.is_erased() {
            self.0.insert(entry.id, Standing { at: *at, digest: entry.standing(), vouched: false });
        }
    }

    fn bad(self, segments: &Segments) -> Vec<BadLine> {
        let bad = self.0.into_iter().filter(|(_, standing)| !standing.vouched);
        bad.map(|(id, Standing { at, .. })| {
            let segment = segments.list.iter().find(|segment| segment.first == at.segment);
            BadLine(Damage {
                segment: at.segment,
                archived: segment.and_then(|segment| segment.archived),
                line: None,
                byte: at.offset,
                why: format!("what stands in the erased entry {id} is not what its erasure left"),
                counts: true,
            })
        })
        .collect()
    }
}

/// Reads every segment and recomputes every hash; of an erased line also whether an erasure vouches for what stands
/// there. What is kept meanwhile grows with the number of erased lines alone.
///
/// # Errors
/// What the medium says. What is wrong with the tape is in the report.
pub fn verify(storage: &Arc<dyn Storage>) -> Result<Report> {
    let segments = Segments::open(storage)?;
    let mut report = Report { segments: segments.count(), ..Report::default() };
    let mut erased = Erased::default();
    let tail = segments.scan(Position::START).run(|scanned| {
        match scanned {
            Scanned::Group(group) => {
                report.groups += 1;
                report.entries += group.entries.len() as u64;
                group.entries.iter().for_each(|located| erased.meet(located));
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
