//! Notes as they are read: files, and their sections in order.

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
    /// Its sections, in order: the preamble first.
    pub sections: Vec<Section>,
}

/// A section of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The memory.
    pub id: MemoryId,
    /// Its name; empty for the preamble.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether the file's summary in it was computed.
    pub is_computed: bool,
    /// Where it stands.
    pub rank: f64,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Who wrote it.
    pub origin: Option<Origin>,
    /// Whether it is the workspace's.
    pub is_global: bool,
    /// Whether it is never put into a prompt by itself.
    pub quarantined: bool,
}

impl Section {
    /// Reads a memory of the form, and the path of its file; `None` for one of another.
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
            quarantined: memory.quarantined.is_some(),
        };
        Some((NotePath::written(path)?, section))
    }

    /// Whether it is the text before the first bullet or block.
    #[must_use]
    pub fn is_preamble(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether the owner wrote it, at the terminal or in an editor: then it is shown as it stands.
    #[must_use]
    pub fn is_the_owners(&self) -> bool {
        self.is_global && self.origin.is_some_and(Origin::is_person)
    }

    /// Whether a prompt shows it by itself.
    #[must_use]
    pub fn is_for_prompts(&self) -> bool {
        !self.quarantined && !self.origin.is_some_and(Origin::is_foreign)
    }
}

impl File {
    /// Its text: its sections, with nothing between.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        sections::join(self.sections.iter().map(|section| section.bytes.as_slice()))
    }

    /// Its text as far as it can be read: what is not UTF-8 is replaced by signs that say so.
    #[must_use]
    pub fn text(&self) -> String {
        match String::from_utf8_lossy(&self.bytes()) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        }
    }

    /// How long its text is, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// Its summary as it is listed: its own, else one computed of its entries.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let bytes = self.bytes();
        summary::read(&bytes).or_else(|| summary::of_entries(&bytes))
    }

    /// Its summary where the program computed it: where it says so, or where that is what it would compute. Any other
    /// is a person's or a caller's.
    #[must_use]
    pub fn computed_summary(&self) -> Option<String> {
        let bytes = self.bytes();
        let summary = summary::read(&bytes)?;
        let is_marked = |section: &Section| section.is_computed && summary::holds(&section.bytes, &summary);
        let is_computed =
            self.sections.iter().any(is_marked) || summary::of_entries(&bytes).as_ref() == Some(&summary);
        is_computed.then_some(summary)
    }

    /// The section that holds a computed summary which is not what would be computed of the entries, and what would be.
    #[must_use]
    pub fn outdated_summary(&self) -> Option<(MemoryId, String)> {
        let written = self.computed_summary()?;
        let computed = summary::of_entries(&self.bytes()).filter(|computed| *computed != written)?;
        let holder = self.sections.iter().find(|section| summary::holds(&section.bytes, &written))?;
        Some((holder.id, computed))
    }

    /// When it last changed; `None` for a file of no sections.
    #[must_use]
    pub fn updated_at(&self) -> Option<Timestamp> {
        self.sections.iter().map(|section| section.updated_at).max()
    }

    /// The ref of one of its sections.
    #[must_use]
    pub fn reference(&self, section: &Section) -> Ref {
        Ref { form: Form::NOTES, key: self.path.key(&section.name), entry: None }
    }
}

/// A file as it is listed: document 2's columns.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// Its path.
    pub path: String,
    /// Its summary, its own or a computed one; empty where there is nothing to say.
    pub summary: String,
    /// How long it is, in bytes.
    pub size: usize,
}

impl NotesView {
    /// Folds the visible memories of the form, in any order.
    #[must_use]
    pub fn fold(memories: &[Memory]) -> Self {
        let mut view = Self::default();
        for (path, section) in memories.iter().filter_map(Section::read) {
            let empty = || File { path: path.clone(), sections: Vec::new() };
            view.files.entry(path.clone()).or_insert_with(empty).sections.push(section);
        }
        for file in view.files.values_mut() {
            // The preamble comes first, whatever its rank: one that another branch gave it may be any.
            file.sections.sort_by(|a, b| {
                let preambles = b.is_preamble().cmp(&a.is_preamble());
                let ranks = preambles.then(a.rank.total_cmp(&b.rank));
                // A section that was copied or restored has a newer number, and stands where it stood all the same.
                ranks.then_with(|| a.name.cmp(&b.name)).then(a.id.cmp(&b.id))
            });
        }
        view
    }

    /// Whether there is no note.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Every file, by path.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.files.values()
    }

    /// The file of a path.
    #[must_use]
    pub fn get(&self, path: &NotePath) -> Option<&File> {
        self.files.get(path)
    }

    /// The file of a path.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, with what to do.
    pub fn file(&self, path: &NotePath) -> Result<&File> {
        self.get(path).ok_or_else(|| {
            let key = path.collision_key();
            match self.files().find(|file| file.path.collision_key() == key) {
                Some(near) => Error::NotFound(format!("there is no note {path}; there is {}", near.path)),
                None => Error::NotFound(format!("there is no note {path}")).with_hint(Hint::ListNotes),
            }
        })
    }

    /// The file that stands in another spelling of this path, which some system takes for the same.
    #[must_use]
    pub fn in_the_way(&self, path: &NotePath) -> Option<&File> {
        let key = path.collision_key();
        self.files().find(|file| file.path != *path && file.path.collision_key() == key)
    }

    /// The files in the order in which they are listed: by folder, as these stand, then by name.
    #[must_use]
    pub fn in_order(&self, folders: &Folders) -> Vec<&File> {
        let mut files: Vec<&File> = self.files().collect();
        files.sort_by_key(|file| (folders.place(file.path.folder()), &file.path));
        files
    }

    /// The files as `memory_list` tells them.
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
