//! Statistics of a workspace: counts, and the sizes of its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use memtape_core::forms::ledger::entry::{folded, topic};
use memtape_core::forms::ledger::view::SURE;
use memtape_core::{Audience, Branch};
use memtape_index::Stats as Counts;

use crate::error::Result;
use crate::reading::zone_view;
use crate::workspace::{At, Workspace, conversation_of};

/// The confidence below which a fact counts as doubtful (document 1).
pub const DOUBTFUL: f64 = 0.7;

/// Statistics of a workspace, as far as an audience sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    /// The branch that was read.
    pub branch: String,
    /// The counts of entries and memories.
    pub counts: Counts,
    /// The branches that are not deleted.
    pub branches: Vec<Branch>,
    /// Number of facts by topic; those without a topic under the empty text.
    pub topics: BTreeMap<String, u64>,
    /// Number of facts by lifetime.
    pub lifetimes: BTreeMap<&'static str, u64>,
    /// Number of facts by confidence: at least [`SURE`], below it, and below [`DOUBTFUL`].
    pub bands: [u64; 3],
    /// The version of the zone; `None` unless the owner asks, because it grows with what every chat saves.
    pub zone_version: Option<u64>,
    /// Number of days with a daily note.
    pub daily_notes: usize,
    /// Size of the tape with its archive, in bytes; for others than the owner, of the entries that they see.
    pub tape_bytes: u64,
    /// Size of the index in bytes; `None` unless the owner asks.
    pub index_bytes: Option<u64>,
}

impl Workspace {
    /// Returns the statistics of the workspace at a point.
    ///
    /// The file sizes are the current ones.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn stats(&self, audience: &Audience, at: &At) -> Result<Stats> {
        let is_owner = *audience == Audience::owner();
        let mut stats = self.read(at, audience, &conversation_of(audience), |reader, point| {
            let question = memtape_index::Question {
                audience: audience.clone(),
                confidential: memtape_index::Confidential::ToOwner,
                ..memtape_index::Question::default()
            };
            let view = zone_view(reader, point, &question)?;
            let mut branches = Vec::new();
            for branch in reader.branches()? {
                if branch.is_open_at(point.entry()) && reader.knows(audience, branch)? {
                    branches.push(branch.clone());
                }
            }
            Ok(Stats {
                branch: point.branch().to_owned(),
                counts: reader.stats(audience, point)?,
                branches,
                topics: BTreeMap::new(),
                lifetimes: BTreeMap::new(),
                bands: [0; 3],
                zone_version: is_owner.then_some(view.version),
                daily_notes: view.dailies.len(),
                tape_bytes: if is_owner { 0 } else { reader.bytes_seen(audience, point)? },
                index_bytes: None,
            })
        })?;
        for fact in &stats.counts.facts {
            let topic = topic(fact.scope.as_deref()).map(folded).unwrap_or_default();
            *stats.topics.entry(topic).or_default() += fact.count;
            *stats.lifetimes.entry(fact.lifetime.as_str()).or_default() += fact.count;
            let confidence = f64::from(fact.tenths) / 10.0;
            let band = usize::from(confidence < SURE) + usize::from(confidence < DOUBTFUL);
            stats.bands[band] += fact.count;
        }
        if is_owner {
            stats.tape_bytes = tape_bytes(self.dir());
            // The latest writes are in the write-ahead log next to the index.
            let index = memtape_index::current_index(self.dir())
                .map_or(0, |index| size(&index) + size(&index.with_extension("db-wal")));
            stats.index_bytes = Some(index);
        }
        Ok(stats)
    }
}

/// Returns the size of the tape in bytes: its file and the archived segments.
fn tape_bytes(dir: &Path) -> u64 {
    let archived = fs::read_dir(dir.join("archive")).into_iter().flatten().flatten();
    let segments = archived.filter(|file| file.file_name().to_string_lossy().starts_with("tape-"));
    size(&dir.join("tape.jsonl")) + segments.map(|file| size(&file.path())).sum::<u64>()
}

/// Returns the size of a file in bytes; 0 if it does not exist.
fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}
