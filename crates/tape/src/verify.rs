//! Checking a whole tape against its chain.

use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::reader::{Damage, Position, Scanned, Segments};
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

/// Reads every segment and recomputes every hash.
///
/// # Errors
/// What the medium says. What is wrong with the tape is in the report.
pub fn verify(storage: &Arc<dyn Storage>) -> Result<Report> {
    let segments = Segments::open(storage)?;
    let mut report = Report { segments: segments.count(), ..Report::default() };
    let tail = segments.scan(Position::START).run(|scanned| {
        match scanned {
            Scanned::Group(group) => {
                report.groups += 1;
                report.entries += group.entries.len() as u64;
            }
            Scanned::Damage(damage) => report.bad.push(BadLine(damage)),
        }
        Ok::<(), crate::Error>(())
    })?;
    report.torn = tail.torn.map(|torn| (torn.start, tail.len - torn.start));
    report.last_id = tail.end.last_id;
    Ok(report)
}
