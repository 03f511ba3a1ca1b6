//! What a connection knows of a tape: its manifest and the groups after the segments.

use std::time::{Duration, Instant, SystemTime};

use memtape_tape::{EntryId, Hash};
use memtape_upstream::{Head, Result};

use super::group::{self, Group, LinesById};
use super::manifest::Manifest;
use super::store::Version;

/// A time by both clocks. The monotonic one may stand still while the machine sleeps; the other one may be set back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    monotonic: Instant,
    wall: SystemTime,
}

impl Stamp {
    pub(super) fn now() -> Self {
        Self { monotonic: Instant::now(), wall: SystemTime::now() }
    }

    /// Returns whether at most this time has passed by both clocks.
    pub(super) fn is_within(&self, limit: Duration) -> bool {
        self.monotonic.elapsed() <= limit && self.wall.elapsed().is_ok_and(|elapsed| elapsed <= limit)
    }
}

/// A segment that was read last.
#[derive(Debug)]
pub(super) struct Cached {
    pub(super) key: String,
    pub(super) bytes: Vec<u8>,
    /// An entry, and where its line begins.
    pub(super) at: (EntryId, usize),
}

/// The known part of a tape.
///
/// **Invariant.** The groups of the tail are one chain after the last segment, and have no erased text.
#[derive(Debug)]
pub(super) struct View {
    pub(super) manifest: Manifest,
    pub(super) version: Version,
    /// When the manifest was requested.
    pub(super) read: Stamp,
    pub(super) tail: Vec<Group>,
    pub(super) cached: Option<Cached>,
}

impl View {
    pub(super) fn new(manifest: Manifest, version: Version, read: Stamp) -> Self {
        Self { manifest, version, read, tail: Vec::new(), cached: None }
    }

    /// Returns the last entry.
    pub(super) fn head(&self) -> Head {
        self.tail.last().map_or_else(|| self.covered_head(), |group| group.end)
    }

    /// Returns the last entry of the segments.
    fn covered_head(&self) -> Head {
        let last = self.manifest.segments.last();
        last.map_or(Head::EMPTY, |segment| Head { id: segment.last, hash: segment.hash })
    }

    /// Takes over another manifest. What follows its segments stays known.
    pub(super) fn adopt(&mut self, manifest: Manifest, version: Version, read: Stamp) {
        (self.manifest, self.version, self.read) = (manifest, version, read);
        let next = self.manifest.next;
        self.tail.retain(|group| group.first >= next);
        let follows = |group: &Group| (group.first - 1, group.prev) == at(self.covered_head());
        if !self.tail.first().is_none_or(follows) {
            self.tail.clear();
        }
    }

    /// Adds the next group. Returns false if it is not the next one.
    ///
    /// # Errors
    /// [`memtape_upstream::Error::Damaged`] if an erased line is no line.
    pub(super) fn absorb(&mut self, group: Group) -> Result<bool> {
        if (group.first - 1, group.prev) != at(self.head()) {
            return Ok(false);
        }
        if !group.erased.is_empty() {
            let erased = group::by_id(&group.erased)?;
            for earlier in &mut self.tail {
                if let Some(lines) = group::replaced(&earlier.lines, &erased)? {
                    earlier.lines = lines;
                }
            }
        }
        self.tail.push(group);
        Ok(true)
    }

    /// Returns the size of the groups of the tail.
    pub(super) fn tail_bytes(&self) -> u64 {
        self.tail.iter().map(Group::bytes).sum()
    }

    /// Returns the last group whose erasures are not complete: older objects may still have the text.
    pub(super) fn pending(&self) -> Option<EntryId> {
        self.erasing().next_back().map(|group| group.first)
    }

    /// Returns the lines that replace those of the segments, until the erasures are complete.
    ///
    /// # Errors
    /// [`memtape_upstream::Error::Damaged`] if an erased line is no line.
    pub(super) fn overlay(&self) -> Result<LinesById> {
        let mut overlay = LinesById::new();
        for group in self.erasing() {
            overlay.extend(group::by_id(&group.erased)?);
        }
        Ok(overlay)
    }

    fn erasing(&self) -> impl DoubleEndedIterator<Item = &Group> {
        let erased_to = self.manifest.erased_to;
        self.tail.iter().filter(move |group| group.first > erased_to && !group.erased.is_empty())
    }
}

fn at(head: Head) -> (EntryId, Hash) {
    (head.id, head.hash)
}
