//! Which items of a source were imported before, and which documents they are in.
//!
//! **The rule.** An item is on a branch if a group that the branch knows records it, by its lineage or by a merge, unless
//! the group was undone there. What was deleted or edited since stays so. A message is shown on every branch, so it is
//! enough that any group records it.
//!
//! The records also say which document is whose: a note, a file or a block that an import wrote is only replaced by a
//! later version of the same document of the other program.

use std::collections::HashMap;

use memtape_core::Point;
use memtape_core::imported::{ITEMS, Imported, digest};
use memtape_index::{EntryQuestion, Reader};
use memtape_tape::{EntryId, Kind};

/// The identity of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemId {
    /// The digest of its id.
    pub item: u64,
    /// The digest of the id of the document that it is a version of, if it is a note, a file or a block. Otherwise it
    /// has no meaning.
    pub document: u64,
}

impl ItemId {
    /// Returns what records that the document is in a place.
    pub(super) fn claim(&self, place: &str) -> u64 {
        digest(&format!("{:016x} is in {place}", self.document))
    }
}

/// The digests that the tape records for a source.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    /// Each digest, and whether it is recorded on the branch.
    digests: HashMap<u64, bool>,
    /// The last entry that was read.
    last: EntryId,
}

impl Imports {
    /// Returns whether a digest is recorded on the branch.
    #[must_use]
    pub fn is_here(&self, digest: u64) -> bool {
        self.digests.get(&digest).is_some_and(|is_here| *is_here)
    }

    /// Returns whether a digest is recorded on any branch.
    #[must_use]
    pub fn is_anywhere(&self, digest: u64) -> bool {
        self.digests.contains_key(&digest)
    }

    /// Adds a digest that is recorded on the branch.
    pub(super) fn add(&mut self, digest: u64) {
        self.digests.insert(digest, true);
    }

    /// Reads the records of a source that were written since the last call.
    pub(super) fn read(
        &mut self,
        source: &str,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<()> {
        let question = EntryQuestion {
            name: Some(ITEMS.into()),
            kinds: vec![Kind::Event],
            after: self.last,
            ..EntryQuestion::default()
        };
        let records = reader.records()?;
        let knowledge = records.knowledge(&point.lineage);
        reader.each_entry(&question, point, |entry| {
            let Some(imported) = Imported::read(&entry).filter(|imported| imported.source == source) else {
                return Ok(true);
            };
            let branch = reader.branch_called(&entry.branch, entry.id)?;
            let is_here = knowledge.holds(&branch, entry.id)
                && !records.is_reversed(reader.group_with(entry.id)?.last, &knowledge);
            for digest in imported.digests() {
                *self.digests.entry(digest).or_default() |= is_here;
            }
            Ok(true)
        })?;
        self.last = point.entry();
        Ok(())
    }
}
