//! The history of documents: which entries created, changed, moved and deleted each.
//!
//! A document is followed along its path. Where it was created by a move, it is followed further along the path
//! before.

use std::cell::{OnceCell, Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use memtape_core::forms::files::{FilePath, entry as file_entry};
use memtape_core::forms::notes::entry::{self as note_entry, Act};
use memtape_core::forms::notes::{Folders, NotePath};
use memtape_core::meta::{MOVED_FROM, MOVED_TO};
use memtape_core::{Audience, Branch, Form, Lineage, Memory, MemoryId, Meta, Point, payload};
use memtape_index::{CommitQuestion, Reader};
use memtape_tape::erase::{ERASE, erasure_records};
use memtape_tape::{Entry, EntryId};
use serde::Deserialize;

use super::{Document, DocumentVersion, Operation, Page, VersionId, path_of};
use crate::toolbox::memory_tool::paths::Item;
use crate::versions::{self, FileVersion};

/// Number of groups that are read at once.
const GROUPS: usize = 32;

/// The field in the `data` of an event that marks the version as redacted.
pub(super) const REDACTED: &str = "redacted";

/// A change of a note or file at one path.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) item: Item,
    pub(super) operation: Operation,
    /// The first entry of the group that changed the item.
    pub(super) first: EntryId,
    pub(super) change: FileVersion,
}

/// The steps of a document, newest first, up to a point.
pub(super) struct Life {
    pub(super) id: EntryId,
    pub(super) steps: Vec<Step>,
}

impl Life {
    /// Returns the last step if the document still exists.
    pub(super) fn current(&self) -> Option<&Step> {
        self.steps.first().filter(|step| step.operation != Operation::Deleted)
    }
}

/// The documents of one reader, as an audience sees them.
pub(super) struct History<'r> {
    pub(super) reader: &'r Reader<'r>,
    audience: &'r Audience,
    folders: &'r Folders,
    branches: &'r [Branch],
    /// The erasure of each erased entry.
    erasures: OnceCell<HashMap<EntryId, FileVersion>>,
    /// The moves of the last group that was read: usually all documents of a moved folder need the same.
    moves: RefCell<Moves>,
}

/// The notes and files that a group moved.
#[derive(Default)]
struct Moves {
    /// The last entry of the group.
    last: EntryId,
    /// Where the note or file that an entry creates was before.
    from: HashMap<EntryId, Item>,
    /// Where each went.
    to: BTreeMap<Item, Item>,
}

impl<'r> History<'r> {
    pub(super) fn new(
        reader: &'r Reader<'r>,
        audience: &'r Audience,
        folders: &'r Folders,
    ) -> memtape_index::Result<Self> {
        Ok(Self {
            reader,
            audience,
            folders,
            branches: reader.branches()?,
            erasures: OnceCell::new(),
            moves: RefCell::default(),
        })
    }

    /// Returns the branches that are not deleted.
    pub(super) fn open_branches(&self) -> impl Iterator<Item = &str> {
        let open = self.branches.iter().filter(|branch| branch.deleted.is_none());
        open.map(|branch| branch.name.as_str())
    }

    /// Returns an earlier point of the same branch.
    pub(super) fn at(&self, entry: EntryId, point: &Point) -> Point {
        Point { lineage: Lineage::new(self.branches, point.branch(), entry), instant: point.instant }
    }

    /// Returns the document at a path; `None` if there is none.
    pub(super) fn document(&self, item: &Item, point: &Point) -> memtape_index::Result<Option<Document>> {
        let Some(bytes) = item.content(self.reader, self.audience, point)? else { return Ok(None) };
        Ok(self.life_at(item, point)?.map(|life| document(&life, item, bytes)))
    }

    /// Returns the document with an id, and where it is.
    pub(super) fn current(&self, id: EntryId, point: &Point) -> memtape_index::Result<(Item, Document)> {
        let missing = || memtape_core::Error::NotFound(format!("there is no document {id}"));
        let life = self.life(id, point)?;
        let item = life.current().ok_or_else(missing)?.item.clone();
        let bytes = item.content(self.reader, self.audience, point)?.ok_or_else(missing)?;
        let document = document(&life, &item, bytes);
        Ok((item, document))
    }

    /// Returns the life of the document with an id, whether it still exists or not.
    pub(super) fn life(&self, id: EntryId, point: &Point) -> memtape_index::Result<Life> {
        let missing = || memtape_core::Error::NotFound(format!("there is no document {id}")).into();
        if id == 0 || id > point.entry() {
            return Err(missing());
        }
        let (mut item, mut since) = match item_of(&self.reader.entry(id)?) {
            Some(item) if self.is_document(&item) => (item, id),
            _ => return Err(missing()),
        };
        let (end, deleted) = loop {
            let deletion = self.deletion(&item, since, point)?;
            let Some(deletion) = deletion else { break (point.clone(), None) };
            match self.moved_to(&item, &deletion)? {
                Some(to) => (item, since) = (to, deletion.change.entry),
                None => break (self.at(deletion.change.before, point), Some(deletion)),
            }
        };
        let mut life = self.life_at(&item, &end)?.filter(|life| life.id == id).ok_or_else(missing)?;
        life.steps.splice(..0, deleted);
        Ok(life)
    }

    /// Returns the life of the document that exists at a path; `None` if none exists.
    fn life_at(&self, item: &Item, point: &Point) -> memtape_index::Result<Option<Life>> {
        let mut steps: Vec<Step> = Vec::new();
        let (mut item, mut point) = (item.clone(), point.clone());
        loop {
            let known = steps.len();
            for step in self.changes(&item, &point)? {
                if !self.exists_after(&step, &point)? {
                    break;
                }
                steps.push(step);
            }
            let Some(oldest) = steps.get(known..).and_then(|new| new.last()) else { break };
            let Some(from) = self.moved_from(oldest)? else { break };
            point = self.at(oldest.change.before, &point);
            item = from;
        }
        let Some(oldest) = steps.last_mut() else { return Ok(None) };
        oldest.operation = Operation::Created;
        Ok(Some(Life { id: oldest.first, steps }))
    }

    /// Returns the changes at a path up to a point, newest first.
    fn changes(&self, item: &Item, point: &Point) -> memtape_index::Result<Vec<Step>> {
        let entries = match item {
            Item::Note(path) => self.reader.note_history(path, point)?,
            Item::File(path) => self.reader.file_history(path, point)?,
        };
        let changes = versions::of(self.reader, entries.clone(), self.audience)?;
        let step = |change: FileVersion| {
            let later = entries.partition_point(|entry| *entry > change.before);
            let first = later.checked_sub(1).map_or(change.entry, |last| entries[last]);
            Step { item: item.clone(), operation: Operation::Modified, first, change }
        };
        Ok(changes.into_iter().map(step).collect())
    }

    /// Returns whether the note or file exists after a step.
    fn exists_after(&self, step: &Step, point: &Point) -> memtape_index::Result<bool> {
        // A `note.write` may also remove the last section, as a merge does.
        let writes = [Act::Patch, Act::Append, Act::Edit].map(Act::event_name);
        let act = step.change.act.as_str();
        if act == file_entry::WRITE || writes.contains(&act) {
            return Ok(true);
        }
        self.exists(&step.item, &self.at(step.change.entry, point))
    }

    fn exists(&self, item: &Item, point: &Point) -> memtape_index::Result<bool> {
        Ok(!self.parts(item, point)?.is_empty())
    }

    /// Returns the memories that a note or file consists of: sections, or the file.
    pub(super) fn parts(&self, item: &Item, point: &Point) -> memtape_index::Result<BTreeSet<MemoryId>> {
        Ok(match item {
            Item::Note(path) => {
                let sections = self.reader.note_sections(path, self.audience, point)?;
                sections.into_iter().map(|section| section.id).collect()
            }
            Item::File(path) => {
                self.reader.one_file(path, self.audience, point)?.into_iter().map(|file| file.id).collect()
            }
        })
    }

    /// Returns the first step from an entry on after which there is nothing at a path.
    fn deletion(&self, item: &Item, since: EntryId, point: &Point) -> memtape_index::Result<Option<Step>> {
        let steps = self.changes(item, point)?;
        for step in steps.into_iter().rev().filter(|step| step.change.entry >= since) {
            if !self.exists_after(&step, point)? {
                return Ok(Some(Step { operation: Operation::Deleted, ..step }));
            }
        }
        Ok(None)
    }

    /// Returns where the note or file was before, if its oldest step created it by a move.
    fn moved_from(&self, oldest: &Step) -> memtape_index::Result<Option<Item>> {
        let created = self.reader.entry(oldest.first)?;
        if named_origin(&created).is_none() && !has_reason(&created, MOVED_FROM) {
            return Ok(None);
        }
        Ok(self.moves(&oldest.change)?.from.get(&oldest.first).cloned())
    }

    /// Returns where a group moved a note or file that does not exist at its old path any more; `None` if it was
    /// deleted.
    fn moved_to(&self, item: &Item, deletion: &Step) -> memtape_index::Result<Option<Item>> {
        Ok(self.moves(&deletion.change)?.to.get(item).cloned())
    }

    /// Returns the moves of the group of a change.
    fn moves(&self, change: &FileVersion) -> memtape_index::Result<Ref<'_, Moves>> {
        let FileVersion { before, entry: last, .. } = *change;
        if self.moves.borrow().last != last {
            let mut moves = Moves { last, ..Moves::default() };
            let (mut deleted, mut previous) = (BTreeSet::new(), None);
            for id in before + 1..=last {
                let entry = self.reader.entry(id)?;
                match item_of(&entry) {
                    Some(item) if is_deletion(&entry) => {
                        deleted.insert(item);
                    }
                    Some(item) => {
                        if let Some(from) = origin(&item, &entry, previous.as_ref(), &deleted) {
                            moves.from.insert(id, from.clone());
                            moves.to.entry(from).or_insert(item);
                        }
                    }
                    None => {}
                }
                previous = Some(entry);
            }
            self.moves.replace(moves);
        }
        Ok(self.moves.borrow())
    }

    /// Returns whether a note or file is reachable by its path.
    fn is_document(&self, item: &Item) -> bool {
        Item::parse(item.below(), self.folders).is_ok_and(|parsed| parsed == *item)
    }

    /// Returns a version of a document.
    pub(super) fn version(&self, id: VersionId, point: &Point) -> memtape_index::Result<DocumentVersion> {
        let life = self.life(id.document, point)?;
        let step = life.steps.iter().find(|step| step.change.entry == id.entry);
        let missing =
            || memtape_core::Error::NotFound(format!("document {} has no such version", id.document));
        self.version_of(id.document, step.ok_or_else(missing)?, point)
    }

    fn version_of(
        &self,
        document: EntryId,
        step: &Step,
        point: &Point,
    ) -> memtape_index::Result<DocumentVersion> {
        let Step { item, operation, change, .. } = step;
        let id = VersionId { entry: change.entry, document };
        let redaction = match self.is_redacted(step)? {
            true => Some(self.erasure_of(step)?.unwrap_or_else(|| change.clone())),
            false => None,
        };
        let bytes = match (operation, &redaction) {
            (Operation::Created | Operation::Modified, None) => {
                item.content(self.reader, self.audience, &self.at(change.entry, point))?
            }
            _ => None,
        };
        let path = redaction.is_none().then(|| path_of(item));
        Ok(DocumentVersion { id, operation: *operation, path, bytes, change: change.clone(), redaction })
    }

    /// Returns the versions of a document, newest first.
    pub(super) fn versions_of(
        &self,
        id: EntryId,
        after: Option<VersionId>,
        limit: usize,
        is_wanted: &dyn Fn(&DocumentVersion) -> bool,
        point: &Point,
    ) -> memtape_index::Result<Page<DocumentVersion>> {
        let mut found = Vec::new();
        let life = self.life(id, point)?;
        let is_after = |step: &&Step| after.is_none_or(|after| step.change.entry < after.entry);
        for step in life.steps.iter().filter(is_after) {
            let version = self.version_of(id, step, point)?;
            if is_wanted(&version) {
                if found.len() == limit {
                    return Ok((found, true));
                }
                found.push(version);
            }
        }
        Ok((found, false))
    }

    /// Returns the versions of all documents, newest first; those of one group by document.
    pub(super) fn versions(
        &self,
        after: Option<VersionId>,
        limit: usize,
        is_wanted: &dyn Fn(&DocumentVersion) -> bool,
        point: &Point,
    ) -> memtape_index::Result<Page<DocumentVersion>> {
        let mut found = Vec::new();
        // The group of `after` may have more versions.
        let mut before = after.map(|after| after.entry + 1);
        loop {
            let groups = self.groups(before, point)?;
            let Some((last, ..)) = groups.last() else { return Ok((found, false)) };
            before = Some(*last);
            for (entry, first, items) in groups {
                let mut versions = Vec::new();
                for item in items {
                    versions.extend(self.version_in((first, entry), &item, point)?);
                }
                versions.sort_by_key(|version| version.id);
                for version in versions {
                    let is_before = after.is_some_and(|after| {
                        version.id.entry == after.entry && version.id.document <= after.document
                    });
                    if is_before || !is_wanted(&version) {
                        continue;
                    }
                    if found.len() == limit {
                        return Ok((found, true));
                    }
                    found.push(version);
                }
            }
        }
    }

    /// Returns the last groups before an entry that changed notes or files, newest first: the last and the first
    /// entry of each, and what it changed.
    fn groups(
        &self,
        before: Option<EntryId>,
        point: &Point,
    ) -> memtape_index::Result<Vec<(EntryId, EntryId, BTreeSet<Item>)>> {
        let mut groups: Vec<(EntryId, EntryId, BTreeSet<Item>)> = Vec::new();
        for form in [Form::NOTES, Form::FILES] {
            let question = CommitQuestion {
                audience: self.audience.clone(),
                form: Some(form),
                before,
                limit: Some(GROUPS),
                ..CommitQuestion::default()
            };
            for commit in self.reader.commits(&question, point)? {
                let changed =
                    commit.changes.iter().flat_map(|change| change.before.iter().chain(&change.after));
                let items =
                    changed.filter_map(item_of_memory).filter(|item| self.is_document(item)).collect();
                groups.push((commit.entry, commit.first, items));
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.0));
        // A group can change both forms.
        groups.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                kept.2.append(&mut later.2);
            }
            is_same
        });
        // At least this many groups of each form are known.
        groups.truncate(GROUPS);
        Ok(groups)
    }

    /// Returns the version that a group made of the document at a path; `None` if it moved the document away.
    fn version_in(
        &self,
        (first, last): (EntryId, EntryId),
        item: &Item,
        point: &Point,
    ) -> memtape_index::Result<Option<DocumentVersion>> {
        let (before, after) = (self.at(first - 1, point), self.at(last, point));
        if self.exists(item, &after)? {
            let Some(life) = self.life_at(item, &after)? else { return Ok(None) };
            let step = life.steps.first().filter(|step| step.change.entry == last);
            return step.map(|step| self.version_of(life.id, step, point)).transpose();
        }
        let deletion =
            self.changes(item, &after)?.into_iter().next().filter(|step| step.change.entry == last);
        let Some(deletion) = deletion else { return Ok(None) };
        if self.moved_to(item, &deletion)?.is_some() {
            return Ok(None);
        }
        let Some(life) = self.life_at(item, &before)? else { return Ok(None) };
        let deletion = Step { operation: Operation::Deleted, ..deletion };
        self.version_of(life.id, &deletion, point).map(Some)
    }

    /// Returns the entries of a step's group that changed its item.
    pub(super) fn entries_of(&self, step: &Step) -> memtape_index::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for id in step.first..=step.change.entry {
            let entry = self.reader.entry(id)?;
            if item_of(&entry).as_ref() == Some(&step.item) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    pub(super) fn is_redacted(&self, step: &Step) -> memtape_index::Result<bool> {
        let data = payload::data::<serde_json::Value>(&self.reader.entry(step.first)?);
        Ok(data.is_some_and(|data| data[REDACTED] == true))
    }

    /// Returns the erasure that redacted a step; `None` if none is on the tape.
    fn erasure_of(&self, step: &Step) -> memtape_index::Result<Option<FileVersion>> {
        if let Some(erasures) = self.erasures.get() {
            return Ok(erasures.get(&step.first).cloned());
        }
        let mut erasures = HashMap::new();
        for branch in self.branches {
            for id in self.reader.events_since(&[ERASE], &branch.name, 0)? {
                let event = self.reader.entry(id)?;
                let erasure = versions::version(&event, versions::group_of(self.reader, id)?);
                let named = erasure_records(&event).unwrap_or_default();
                erasures.extend(named.into_iter().map(|erased| (erased.id, erasure.clone())));
            }
        }
        let found = erasures.get(&step.first).cloned();
        // The value cannot have been set in between, because this handle is not shared.
        let _ = self.erasures.set(erasures);
        Ok(found)
    }
}

fn document(life: &Life, item: &Item, bytes: Vec<u8>) -> Document {
    let [newest, oldest] = [life.steps.first(), life.steps.last()].map(|step| step.map(|step| &step.change));
    Document {
        id: life.id,
        version: newest.map_or(life.id, |change| change.entry),
        path: path_of(item),
        bytes,
        created_at: oldest.map(|change| change.date).unwrap_or_default(),
        updated_at: newest.map(|change| change.date).unwrap_or_default(),
    }
}

/// Returns the note or file that an event changes; `None` for any other entry.
pub(super) fn item_of(entry: &Entry) -> Option<Item> {
    let name = payload::event_name(entry)?;
    if note_entry::is_ours(&name) {
        return note_entry::path(entry).map(Item::Note);
    }
    file_entry::is_ours(&name).then(|| file_entry::path(entry).map(Item::File)).flatten()
}

fn item_of_memory(memory: &Memory) -> Option<Item> {
    match memory.form {
        Form::NOTES => NotePath::of_key(&memory.key).map(Item::Note),
        _ => FilePath::new(&memory.key).ok().map(Item::File),
    }
}

/// Returns where a note or file that an event creates was before, if the event is part of a move. `previous` is the entry
/// before it in its group, and `deleted` what the group deleted before it.
fn origin(item: &Item, created: &Entry, previous: Option<&Entry>, deleted: &BTreeSet<Item>) -> Option<Item> {
    if let (Item::File(_), Some(from)) = (item, named_origin(created)) {
        // A copy of a moved file names its old path too.
        let from = Item::File(from);
        return deleted.contains(&from).then_some(from);
    }
    let previous = previous.filter(|previous| is_deletion(previous) && has_reason(previous, MOVED_TO))?;
    item_of(previous).filter(|from| has_reason(created, MOVED_FROM) && from != item)
}

/// Returns the path that the event that creates a file names as its origin.
fn named_origin(created: &Entry) -> Option<FilePath> {
    #[derive(Deserialize)]
    struct Moved {
        from: Option<String>,
    }
    FilePath::new(&payload::data::<Moved>(created)?.from?).ok()
}

fn is_deletion(entry: &Entry) -> bool {
    let name = payload::event_name(entry);
    name.is_some_and(|name| [file_entry::DELETE, Act::Delete.event_name()].contains(&name.as_str()))
}

fn has_reason(entry: &Entry, beginning: &str) -> bool {
    Meta::read(entry.meta.get()).reason.is_some_and(|reason| reason.starts_with(beginning))
}
