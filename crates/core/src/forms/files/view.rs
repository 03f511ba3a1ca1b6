//! Views of files.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::entry::FileData;
use super::path::FilePath;
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::memory::{Form, Memory, MemoryId, Origin, Ref};
use crate::path::shown;

/// The files at a point: all of them, or only some, together with the paths of the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilesView {
    files: BTreeMap<FilePath, File>,
    /// The paths of files that were not loaded.
    others: BTreeSet<FilePath>,
}

/// A file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its path.
    pub path: FilePath,
    /// The memory's id.
    pub id: MemoryId,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The path before it was moved; `None` if it was not.
    pub from: Option<String>,
    /// When it was written.
    pub updated_at: Timestamp,
    /// The origin of its last change.
    pub origin: Option<Origin>,
    /// The injection rule that quarantined it; `None` if it is not quarantined.
    pub quarantined: Option<String>,
}

/// A file in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path.
    pub path: FilePath,
    /// Its size in bytes.
    pub size: usize,
    /// When it was written.
    pub updated_at: Timestamp,
}

impl Listed {
    /// Converts columns of a memory of the form: its key, the size of its text in bytes, and its data. `None`
    /// if it cannot be read.
    #[must_use]
    pub fn read(key: &str, text_size: usize, data: Option<&str>, updated_at: Timestamp) -> Option<Self> {
        let data: FileData = match data {
            Some(data) => serde_json::from_str(data).ok()?,
            None => FileData::default(),
        };
        Some(Self { path: FilePath::new(key).ok()?, size: data.size(text_size), updated_at })
    }
}

impl File {
    /// Returns whether a prompt shows it unasked: it is not quarantined, and no tool or page wrote it.
    #[must_use]
    pub fn is_for_prompts(&self) -> bool {
        self.quarantined.is_none() && !self.origin.is_some_and(Origin::is_foreign)
    }

    /// Converts a memory of the form; `None` if it is of another form or cannot be read.
    #[must_use]
    pub fn read(memory: &Memory) -> Option<Self> {
        let path = FilePath::new(&memory.key).ok().filter(|_| memory.form == Form::FILES)?;
        let data: FileData = match memory.data.as_deref() {
            Some(data) => serde_json::from_str(data).ok()?,
            None => FileData::default(),
        };
        Some(Self {
            path,
            id: memory.id,
            bytes: data.bytes(&memory.text),
            from: data.from,
            updated_at: memory.created_at,
            origin: memory.origin,
            quarantined: memory.quarantined.clone(),
        })
    }

    /// Returns the file's text. Bytes that are not UTF-8 become replacement characters.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns its ref.
    #[must_use]
    pub fn reference(&self) -> Ref {
        Ref { form: Form::FILES, key: self.path.as_str().to_owned(), entry: None }
    }
}

impl FromIterator<File> for FilesView {
    fn from_iter<I: IntoIterator<Item = File>>(files: I) -> Self {
        let files = files.into_iter().map(|file| (file.path.clone(), file)).collect();
        Self { files, others: BTreeSet::new() }
    }
}

impl FilesView {
    /// Folds the visible memories of the form, which may come in any order.
    #[must_use]
    pub fn fold(memories: &[Memory]) -> Self {
        memories.iter().filter_map(File::read).collect()
    }

    /// Returns a view of one file.
    #[must_use]
    pub fn of(file: File) -> Self {
        std::iter::once(file).collect()
    }

    /// Adds the paths of files that exist but are not loaded.
    #[must_use]
    pub fn beside(mut self, others: impl IntoIterator<Item = FilePath>) -> Self {
        self.others.extend(others);
        self.others.retain(|path| !self.files.contains_key(path));
        self
    }

    /// Removes a file, loaded or not.
    pub(super) fn remove(&mut self, path: &FilePath) {
        self.files.remove(path);
        self.others.remove(path);
    }

    /// Returns every loaded file, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.files.values()
    }

    /// Returns the loaded file with this path; `None` if there is none.
    #[must_use]
    pub fn get(&self, path: &FilePath) -> Option<&File> {
        self.files.get(path)
    }

    /// Returns the loaded file with this path.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none. The error names a file whose path differs only in spelling, or
    /// has a hint.
    pub fn file(&self, path: &FilePath) -> Result<&File> {
        self.get(path).ok_or_else(|| {
            let key = path.collision_key();
            let near = self.paths().find(|near| near.collision_key() == key);
            match near {
                Some(near) => {
                    let near = shown(near.as_str());
                    Error::NotFound(format!("there is no file {path}; did you mean {near}?"))
                }
                None => Error::NotFound(format!("there is no file {path}")).with_hint(Hint::ListFiles),
            }
        })
    }

    /// Returns the path of an existing file that collides with this path: a part of it differs only in
    /// spelling.
    #[must_use]
    pub fn in_the_way(&self, path: &FilePath) -> Option<&FilePath> {
        self.all_in_the_way(path).next()
    }

    /// Returns the paths of all existing files that collide with this path, as for
    /// [`in_the_way`](Self::in_the_way).
    pub(super) fn all_in_the_way<'v>(&'v self, path: &FilePath) -> impl Iterator<Item = &'v FilePath> {
        self.paths().filter(move |standing| standing.is_in_the_way_of(path))
    }

    /// Returns whether a file with this path exists, loaded or not.
    #[must_use]
    pub fn contains(&self, path: &FilePath) -> bool {
        self.files.contains_key(path) || self.others.contains(path)
    }

    fn paths(&self) -> impl Iterator<Item = &FilePath> {
        self.files.keys().chain(&self.others)
    }
}
