//! Views of notes: files, and their sections in order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;

use super::entry::NoteData;
use super::path::{self, Folders, NotePath};
use super::{sections, summary};
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::memory::{Form, Memory, MemoryId, Origin, Ref};
use crate::scope::Scope;

/// The notes at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NotesView {
    files: BTreeMap<NotePath, File>,
}

/// A file of notes.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its path.
    pub path: NotePath,
    /// Its sections in order, the preamble first.
    pub sections: Vec<Section>,
}

/// A section of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The memory's id.
    pub id: MemoryId,
    /// Its name; empty for the preamble.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it contains the file's summary and memtape computed it.
    pub is_computed: bool,
    /// Sort key among the sections of its file.
    pub rank: f64,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The origin of its last change; `None` if the entry does not record it.
    pub origin: Option<Origin>,
    /// Whether it belongs to the workspace.
    pub is_global: bool,
    /// The injection rule that quarantined it: prompts do not include it unasked. `None` if it is not quarantined.
    pub quarantined: Option<String>,
}

impl Section {
    /// Converts a memory of the form into the path of its file and the section; `None` if it is of another
    /// form.
    #[must_use]
    pub fn read(memory: &Memory) -> Option<(NotePath, Self)> {
        let data: NoteData = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok())?;
        let (path, name) = path::of_key(&memory.key).filter(|_| memory.form == Form::NOTES)?;
        let section = Self {
            id: memory.id,
            name: name.to_owned(),
            bytes: data.bytes(&memory.text),
            is_computed: data.computed,
            rank: data.rank,
            updated_at: memory.created_at,
            origin: memory.origin,
            is_global: Scope::from_label(&memory.scope).is_none_or(|scope| scope == Scope::Global),
            quarantined: memory.quarantined.clone(),
        };
        Some((NotePath::written(path)?, section))
    }

    /// Returns whether it is the text before the first bullet or block.
    #[must_use]
    pub fn is_preamble(&self) -> bool {
        self.name.is_empty()
    }

    /// Returns whether the owner wrote it, at the terminal or in an editor. It is then shown unchanged.
    #[must_use]
    pub fn is_the_owners(&self) -> bool {
        self.is_global && self.origin.is_some_and(Origin::is_person)
    }

    /// Returns whether a prompt shows it unasked: it is not quarantined, and no tool or page wrote it.
    #[must_use]
    pub fn is_for_prompts(&self) -> bool {
        self.quarantined.is_none() && !self.origin.is_some_and(Origin::is_foreign)
    }
}

impl File {
    /// Returns the file's bytes: the concatenation of its sections.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        sections::join(self.sections.iter().map(|section| section.bytes.as_slice()))
    }

    /// Returns the file's text. Bytes that are not UTF-8 become replacement characters.
    #[must_use]
    pub fn text(&self) -> String {
        match String::from_utf8_lossy(&self.bytes()) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        }
    }

    /// Returns the recorded origins of its sections.
    pub fn origins(&self) -> impl Iterator<Item = Origin> {
        self.sections.iter().filter_map(|section| section.origin)
    }

    /// Returns the file's size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// Returns the summary for a listing: the file's own, otherwise one computed from its entries.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let bytes = self.bytes();
        summary::read(&bytes).or_else(|| summary::of_entries(&bytes))
    }

    /// Returns the summary for a prompt: the file's own, otherwise one computed from the entries that a prompt may show.
    #[must_use]
    pub(super) fn summary_for_prompts(&self) -> Option<String> {
        let may_show = self.sections.iter().filter(|section| section.is_for_prompts());
        summary::read(&self.bytes()).or_else(|| {
            summary::of_entries(&sections::join(may_show.map(|section| section.bytes.as_slice())))
        })
    }

    /// Returns the summary if memtape computed it: either its section records that, or the same summary would be
    /// computed now.
    ///
    /// `None` means that there is no summary, or that a person or a caller wrote it.
    #[must_use]
    pub fn computed_summary(&self) -> Option<String> {
        let bytes = self.bytes();
        let summary = summary::read(&bytes)?;
        let is_marked = |section: &Section| section.is_computed && summary::holds(&section.bytes, &summary);
        let is_computed =
            self.sections.iter().any(is_marked) || summary::of_entries(&bytes).as_ref() == Some(&summary);
        is_computed.then_some(summary)
    }

    /// Returns the section with an outdated computed summary, and the summary that would be computed now.
    ///
    /// `None` if the file has no computed summary or it is up to date.
    #[must_use]
    pub fn outdated_summary(&self) -> Option<(MemoryId, String)> {
        let written = self.computed_summary()?;
        let computed = summary::of_entries(&self.bytes()).filter(|computed| *computed != written)?;
        let holder = self.sections.iter().find(|section| summary::holds(&section.bytes, &written))?;
        Some((holder.id, computed))
    }

    /// Returns when the file last changed; `None` if it has no sections.
    #[must_use]
    pub fn updated_at(&self) -> Option<Timestamp> {
        self.sections.iter().map(|section| section.updated_at).max()
    }

    /// Returns the ref of one of its sections.
    #[must_use]
    pub fn reference(&self, section: &Section) -> Ref {
        Ref { form: Form::NOTES, key: self.path.key(&section.name), entry: None }
    }
}

/// A file in a listing, with the columns of document 2.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// Its path.
    pub path: String,
    /// Its own or a computed summary; empty if it has neither.
    pub summary: String,
    /// Its size in bytes.
    pub size: usize,
}

impl NotesView {
    /// Folds the visible memories of the form, which may come in any order.
    #[must_use]
    pub fn fold(memories: &[Memory]) -> Self {
        let mut view = Self::default();
        for (path, section) in memories.iter().filter_map(Section::read) {
            let empty = || File { path: path.clone(), sections: Vec::new() };
            view.files.entry(path.clone()).or_insert_with(empty).sections.push(section);
        }
        for file in view.files.values_mut() {
            // The preamble comes first regardless of its rank, which may come from another branch.
            file.sections.sort_by(|a, b| {
                let preambles = b.is_preamble().cmp(&a.is_preamble());
                let ranks = preambles.then(a.rank.total_cmp(&b.rank));
                // A copied or restored section has a newer id, so the id only breaks ties.
                ranks.then_with(|| a.name.cmp(&b.name)).then(a.id.cmp(&b.id))
            });
        }
        view
    }

    /// Adds the files of another view.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self
    }

    /// Returns the files that a later view still has. One whose summary for prompts has changed since is as it is there, and
    /// so is one whose text has, if it is in one of these folders.
    #[must_use]
    pub fn still_in(mut self, later: &Self, in_full: &[String]) -> Self {
        self.files.retain(|path, _| later.files.contains_key(path));
        for (path, file) in &mut self.files {
            let Some(now) = later.files.get(path).filter(|now| *now != file) else { continue };
            let is_listed_anew = now.summary_for_prompts() != file.summary_for_prompts();
            if is_listed_anew || in_full.iter().any(|folder| folder == path.folder()) {
                *file = now.clone();
            }
        }
        self
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &NotePath) {
        self.files.remove(path);
    }

    /// Returns whether there are no notes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns every file, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.files.values()
    }

    /// Returns the file with this path; `None` if there is none.
    #[must_use]
    pub fn get(&self, path: &NotePath) -> Option<&File> {
        self.files.get(path)
    }

    /// Returns the file with this path.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none. The error names a file whose path differs only in spelling, or
    /// has a hint.
    pub fn file(&self, path: &NotePath) -> Result<&File> {
        self.get(path).ok_or_else(|| {
            let key = path.collision_key();
            match self.files().find(|file| file.path.collision_key() == key) {
                Some(near) => {
                    Error::NotFound(format!("there is no note {path}; did you mean {}?", near.path))
                }
                None => Error::NotFound(format!("there is no note {path}")).with_hint(Hint::ListNotes),
            }
        })
    }

    /// Returns another file whose path some systems consider equal to this one (case, Unicode normalization).
    #[must_use]
    pub fn in_the_way(&self, path: &NotePath) -> Option<&File> {
        let key = path.collision_key();
        self.files().find(|file| file.path != *path && file.path.collision_key() == key)
    }

    /// Returns the files in listing order: by the order of the folders, then by path.
    #[must_use]
    pub fn in_order(&self, folders: &Folders) -> Vec<&File> {
        let mut files: Vec<&File> = self.files().collect();
        files.sort_by_key(|file| (folders.place(file.path.folder()), &file.path));
        files
    }

    /// Returns the files as `memory_list` lists them.
    #[must_use]
    pub fn list(&self, folders: &Folders) -> Vec<Listed> {
        let listed = |file: &File| Listed {
            path: file.path.to_string(),
            summary: file.summary().unwrap_or_default(),
            size: file.size(),
        };
        self.in_order(folders).into_iter().map(listed).collect()
    }
}
