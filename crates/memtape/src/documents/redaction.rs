//! Redaction: removes the text of one version of a document from the tape.
//!
//! The entries of a redacted version have `"redacted":true` in their `data`. Those of its
//! sections, or its text, are left out that no other version and no branch's current version contains. A redacted section keeps its
//! place, but not its name, which is made from its text. The path is a name, and stays.

use std::collections::{BTreeMap, BTreeSet};

use memtape_core::{MemoryId, Point};
use memtape_store::erase::Replacement;
use memtape_tape::{Entry, EntryId, ErrorKind};
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::history::{History, REDACTED, Step};
use super::{DocumentVersion, Documents, Operation, VersionId};
use crate::error::Result;
use crate::workspace::At;

/// The reason that the erasure states.
const REASON: &str = "a version of a note or file was redacted";

impl Documents<'_> {
    /// Removes the text of a version from the tape, from the index and from the history of the files, and returns
    /// the version without it. A version that is redacted already stays as it is.
    ///
    /// What other versions of the document, or the current one of another branch, contain as well is not removed:
    /// it goes with the last of them. The path stays on the tape.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the audience is not the owner; [`Error::Store`](crate::Error::Store)
    /// of kind `Invalid` if it is the current version of the document on a branch, of kind `NotFound` if there is no
    /// such version, or as for [`Workspace::scan_and_redact`](crate::Workspace::scan_and_redact).
    pub fn redact(&self, id: VersionId) -> Result<DocumentVersion> {
        self.owner()?;
        // Edits of the working copy must be on the tape first: they may change which version is current.
        self.workspace.follow_files()?;
        let folders = &self.workspace.config.notes.folders;
        self.workspace.store.erase(&self.author, REASON, |reader| {
            let point = self.workspace.point(reader, &At::head(), &self.audience, &self.author.session)?;
            replacements(&History::new(reader, &self.audience, folders)?, id, &point)
        })?;
        self.workspace.store.remove_torn()?;
        self.workspace.follow_files()?;
        self.version(id)
    }
}

/// Returns the replacements of the entries that contain text of a version.
fn replacements(
    history: &History<'_>,
    id: VersionId,
    point: &Point,
) -> memtape_index::Result<Vec<Replacement>> {
    let life = history.life(id.document, point)?;
    let missing = || memtape_core::Error::NotFound(format!("document {} has no such version", id.document));
    let step = life.steps.iter().find(|step| step.change.entry == id.entry).ok_or_else(missing)?;
    if history.is_redacted(step)? {
        return Ok(Vec::new());
    }
    for branch in history.open_branches() {
        let life = match history.life(id.document, &history.reader.head_of(branch)?) {
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            life => life?,
        };
        if life.current().is_some_and(|current| current.change.entry == id.entry) {
            return Err(memtape_core::Error::Invalid(format!(
                "this version is the current one on the branch {branch}, so it cannot be redacted: change or delete \
                 the document there first"
            ))
            .into());
        }
    }
    let mut erased = parts_of(history, step, point)?;
    for other in life.steps.iter().filter(|other| other.change.entry != id.entry) {
        if !erased.is_empty() && !history.is_redacted(other)? {
            let kept = parts_of(history, other, point)?;
            erased.retain(|part| !kept.contains(part));
        }
    }
    for branch in history.open_branches() {
        let kept = history.parts(&step.item, &history.reader.head_of(branch)?)?;
        erased.retain(|part| !kept.contains(part));
    }
    let mut entries: BTreeMap<EntryId, (Entry, bool)> = BTreeMap::new();
    for part in &erased {
        entries.insert(part.entry(), (history.reader.entry(part.entry())?, false));
    }
    for own in history.entries_of(step)? {
        entries.insert(own.id, (own, true));
    }
    entries.into_values().map(|(entry, is_own)| replacement(&entry, &erased, is_own)).collect()
}

/// Returns the memories that a version consists of.
fn parts_of(history: &History<'_>, step: &Step, point: &Point) -> memtape_index::Result<BTreeSet<MemoryId>> {
    match step.operation {
        Operation::Deleted => Ok(BTreeSet::new()),
        Operation::Created | Operation::Modified => {
            history.parts(&step.item, &history.at(step.change.entry, point))
        }
    }
}

/// Returns an entry without the erased memories, marked if it belongs to the redacted version.
fn replacement(
    entry: &Entry,
    erased: &BTreeSet<MemoryId>,
    is_own: bool,
) -> memtape_index::Result<Replacement> {
    let unwritable = |e: serde_json::Error| memtape_tape::Error::Unwritable(e.to_string());
    let mut payload: Value = serde_json::from_str(entry.payload.get()).map_err(unwritable)?;
    if let Some(data) = payload["data"].as_object_mut() {
        match data.get_mut("sections").and_then(Value::as_array_mut) {
            Some(sections) => {
                for (n, section) in (0_u32..).zip(sections) {
                    if let Some(section) = section.as_object_mut()
                        && erased.contains(&MemoryId::new(entry.id, n))
                    {
                        let is_preamble = section.get("name").is_none_or(|name| name == "");
                        let name = if is_preamble { String::new() } else { format!("{REDACTED}-{n}") };
                        section.clear();
                        section.insert("name".into(), name.into());
                    }
                }
            }
            None if erased.contains(&MemoryId::new(entry.id, 0)) => {
                data.remove("text");
                data.remove("base64");
            }
            None => {}
        }
        if is_own {
            data.insert(REDACTED.into(), true.into());
        }
    }
    let payload = to_raw_value(&payload).map_err(unwritable)?;
    Ok(Replacement::Entry { id: entry.id, with: Some((payload, entry.meta.clone())) })
}
