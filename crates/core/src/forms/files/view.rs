//! Files as they are read.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::entry::FileData;
use super::path::FilePath;
use crate::error::{Error, Result};
use crate::memory::{Form, Memory, MemoryId, Origin, Ref};
use crate::path::shown;

/// Files at a point: all of them, or those that a question is about beside the names of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilesView {
    files: BTreeMap<FilePath, File>,
    /// The paths of files whose texts were not read.
    others: BTreeSet<FilePath>,
}

/// A file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its path.
    pub path: FilePath,
    /// The memory.
    pub id: MemoryId,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it stood before it was moved.
    pub from: Option<String>,
    /// When it was written.
    pub updated_at: Timestamp,
    /// Who wrote it.
    pub origin: Option<Origin>,
    /// By which rule it is never put into a prompt by itself.
    pub quarantined: Option<String>,
}

/// A file as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path.
    pub path: FilePath,
    /// When it was written.
    pub updated_at: Timestamp,
}

impl File {
    /// Reads a memory of the form; `None` for one of another.
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

    /// Its text as far as it can be read: what is not UTF-8 is replaced by signs that say so.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Its ref.
    #[must_use]
    pub fn reference(&self) -> Ref {
        Ref { form: Form::FILES, key: self.path.as_str().to_owned(), entry: None }
    }
}

impl FilesView {
    /// Folds the visible memories of the form, in any order.
    #[must_use]
    pub fn fold(memories: &[Memory]) -> Self {
        let files = memories.iter().filter_map(File::read).map(|file| (file.path.clone(), file)).collect();
        Self { files, others: BTreeSet::new() }
    }

    /// One file.
    #[must_use]
    pub fn of(file: File) -> Self {
        Self { files: BTreeMap::from([(file.path.clone(), file)]), others: BTreeSet::new() }
    }

    /// The same, with the paths of files whose texts are not needed.
    #[must_use]
    pub fn beside(mut self, others: impl IntoIterator<Item = FilePath>) -> Self {
        self.others.extend(others);
        self.others.retain(|path| !self.files.contains_key(path));
        self
    }

    /// Every file that was read, by path.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.files.values()
    }

    /// The file of a path.
    #[must_use]
    pub fn get(&self, path: &FilePath) -> Option<&File> {
        self.files.get(path)
    }

    /// The file of a path.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, with what to do.
    pub fn file(&self, path: &FilePath) -> Result<&File> {
        self.get(path).ok_or_else(|| {
            let key = path.collision_key();
            let near = self.paths().find(|near| near.collision_key() == key);
            let hint = near.map_or_else(
                || "`file list` names those that there are".to_owned(),
                |near| format!("there is {}", shown(near.as_str())),
            );
            Error::NotFound(format!("there is no file {path}; {hint}"))
        })
    }

    /// The path of a file that stands, of which some system takes a part for one of this path, in another spelling.
    #[must_use]
    pub fn in_the_way(&self, path: &FilePath) -> Option<&FilePath> {
        self.paths().find(|standing| standing.is_in_the_way_of(path))
    }

    /// Whether a file of this path stands, read or not.
    #[must_use]
    pub fn stands(&self, path: &FilePath) -> bool {
        self.files.contains_key(path) || self.others.contains(path)
    }

    fn paths(&self) -> impl Iterator<Item = &FilePath> {
        self.files.keys().chain(&self.others)
    }
}
