//! Which items of a source were imported before, and which documents they are in.
//!
//! **The rule.** An item is on a branch if a group that the branch knows records it, by its lineage or by a merge, unless
//! the group was undone there. What was deleted or edited since stays so. A message is shown on every branch, so it is
//! enough that any group records it.
//!
//! **Documents.** A document is what the other program changes under one id: a note, a file, a block, a memory, a slot of
//! the ledger. The records also say which entry wrote the last version of a document here, so its place here is known
//! whatever it is called. A later version replaces it there, unless somebody changed or removed it since. A version
//! counts as known only if it is the last one, so that a document can return to an earlier version.
//!
//! **Lines.** Some documents are merged line by line. The record of such a version also names its lines, so it is known
//! which lines the last version had: the base of the merge.

use std::collections::HashMap;

use jiff::Timestamp;
use memtape_core::imported::{ITEMS, Imported, digest};
use memtape_core::safety::secrets;
use memtape_core::{Audience, Point, Session, projection};
use memtape_index::{EntryQuestion, Reader};
use memtape_tape::{EntryId, Kind};

use super::Bulk;
use crate::error::Result;
use crate::workspace::At;

/// The identity of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemId {
    /// The digest of its id.
    pub item: u64,
    /// The digest of the id of the document that it is a version of; `None` if it never changes.
    pub document: Option<u64>,
    /// Whether it is the current version of the document. Otherwise it is one of several that the program keeps.
    pub is_current: bool,
}

impl Bulk<'_> {
    /// Returns the entries of the messages of a conversation, each by its [`spoken`] digest. Of equal ones it is the last.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index or the tape cannot be read.
    pub fn messages(&self, session: &Session) -> Result<HashMap<u64, EntryId>> {
        let question = EntryQuestion {
            audience: Audience::owner(),
            kinds: vec![Kind::Message],
            session: Some(session.clone()),
            ..EntryQuestion::default()
        };
        self.workspace.read(&At::head(), &Audience::owner(), session, |reader, point| {
            let mut entries = HashMap::new();
            reader.each_entry(&question, point, |entry| {
                let created = projection::project(&entry).creates.into_iter().next();
                let said = created.and_then(|message| Some((message.said_at?, message.text)));
                entries.extend(said.map(|(said_at, text)| (spoken(&text, said_at), entry.id)));
                Ok(true)
            })?;
            Ok(entries)
        })
    }
}

/// Returns a digest of what a message says, and when: its secrets are redacted, as on the tape.
#[must_use]
pub fn spoken(text: &str, said_at: Timestamp) -> u64 {
    digest(&format!("{said_at}\0{}", secrets::redact(text).trim()))
}

/// The last version of a document that was imported on a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version {
    /// The event that records it, the last entry of its group.
    pub(super) recorded: EntryId,
    /// The entry that wrote it, for this document or another one of the source; `None` if its text was there before, or if
    /// it says that the memory is no more.
    pub(super) written: Option<EntryId>,
}

/// Returns the digest that records that a version of a document has a line of this name.
pub(super) fn line_mark(document: u64, name: &str) -> u64 {
    digest(&format!("{document:016x}\0{name}"))
}

/// The digests that the tape records for a source.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    /// Each digest, and the last event that records it on the branch; 0 if only other branches have it.
    digests: HashMap<u64, EntryId>,
    /// The last version of each document on the branch.
    documents: HashMap<u64, Version>,
    /// The last entry that was read.
    last: EntryId,
}

impl Imports {
    /// Returns whether a digest is recorded on the branch.
    #[must_use]
    pub fn is_here(&self, digest: u64) -> bool {
        self.digests.get(&digest).is_some_and(|recorded| *recorded > 0)
    }

    /// Returns whether a digest is recorded on any branch.
    #[must_use]
    pub fn is_anywhere(&self, digest: u64) -> bool {
        self.digests.contains_key(&digest)
    }

    /// Returns whether an item was imported on the branch, and no other version of its document since, if it is the
    /// current one.
    #[must_use]
    pub fn has(&self, id: ItemId) -> bool {
        let recorded = self.digests.get(&id.item).copied().unwrap_or_default();
        let document = id.document.filter(|_| id.is_current).and_then(|document| self.version(document));
        recorded > 0 && document.is_none_or(|last| last.recorded <= recorded)
    }

    /// Returns whether a version of a document was imported on the branch.
    #[must_use]
    pub fn has_document(&self, document: u64) -> bool {
        self.documents.contains_key(&document)
    }

    /// Returns the last version of a document that was imported on the branch.
    pub(super) fn version(&self, document: u64) -> Option<Version> {
        self.documents.get(&document).copied()
    }

    /// Returns the documents whose last version is an entry, each with that entry.
    pub(super) fn written(&self) -> impl Iterator<Item = (u64, EntryId)> {
        self.documents.iter().filter_map(|(document, version)| Some((*document, version.written?)))
    }

    /// Returns whether the last version of a document that was imported on the branch had a line of this name.
    pub(super) fn had(&self, document: u64, name: &str) -> bool {
        let recorded = self.digests.get(&line_mark(document, name)).copied();
        self.version(document).is_some_and(|last| Some(last.recorded) == recorded)
    }

    /// Returns whether the last version of another document has a line of this name.
    pub(super) fn others_have(&self, document: u64, name: &str) -> bool {
        self.documents.keys().any(|other| *other != document && self.had(*other, name))
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
                let recorded = self.digests.entry(digest).or_default();
                if is_here {
                    *recorded = entry.id;
                }
            }
            if is_here {
                let versions = imported.documents(entry.id);
                self.documents.extend(
                    versions.map(|(document, written)| (document, Version { recorded: entry.id, written })),
                );
            }
            Ok(true)
        })?;
        self.last = point.entry();
        Ok(())
    }
}
