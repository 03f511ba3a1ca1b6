//! The working copy: files that people edit and that memtape updates from the tape.
//!
//! *Purpose.* Knows paths and bytes, not their meaning. It detects a person's changes ([`Look`]), and writes the texts
//! of the tape to the files ([`Writing`]). *Writes* the files of its directories, and `working-copy.json`.
//!
//! A command scans the files, records the changes on the tape under the writer lock, and then updates the files. Each
//! file is checked again right before it is replaced; if the system can exchange two names, the replaced file is
//! checked as well. A text that a person saved in the microseconds between is kept under a temporary name, and the next
//! scan reports it as a change.
//!
//! **Invariants.** No text of a person is overwritten or removed before it is recorded. After a kill at any step, the
//! next writer finishes the work. Nothing outside the directories is created, read or changed.
//!
//! One case cannot be covered on any file system: a program that keeps a file open and writes to it after its
//! replacement was finished writes to a file that no longer has a name.
//!
//! In reading order: [`manifest`], [`folder`], [`oddity`], [`scan`], [`replace`], [`apply`], [`single`].

mod apply;
mod folder;
mod manifest;
mod oddity;
mod paths;
mod replace;
mod scan;
mod single;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memtape_tape::Durability;

pub use apply::Writing;
pub use folder::{Stat, Steps};
pub use manifest::{Base, BegunEdit, Known, MANIFEST_FILE, Manifest, Replacement, Text};
pub use oddity::{Odd, Oddity};
pub use scan::{Change, Look, PassedOver, What};
pub use single::{Replaced, replace_file, replace_file_over};

use crate::error::{Error, Result};
use folder::{AllowAll, Folder, Found, Like, Opened};

/// Maximum number of scans if a writer is active at the same time.
const LOOKS: usize = 3;

/// The rules for the names of files, in addition to those of the file system.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The accepted suffixes. Files with others do not belong to memtape.
    pub endings: &'static [&'static str],
    /// Returns why no file may have this path, below the root.
    pub refusal: fn(&str) -> Option<String>,
    /// Returns the kind of the secret that a path holds. Only files that the manifest knows may have such a path.
    pub secret: fn(&str) -> Option<&'static str>,
    /// Returns why no file can be in a directory of this path. `None` means that files are directly in the directories
    /// of the working copy.
    pub folder_refusal: Option<fn(&str) -> Option<String>>,
    /// Returns the same for two names that some system takes for one.
    pub key: fn(&str) -> String,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            endings: &[".md"],
            refusal: |_| None,
            secret: |_| None,
            folder_refusal: None,
            key: str::to_lowercase,
        }
    }
}

impl Names {
    /// Returns whether a name in bytes has the ending of a file.
    fn is_of_file(&self, name: &[u8]) -> bool {
        self.endings.iter().any(|ending| name.ends_with(ending.as_bytes()))
    }

    /// Returns whether this is the name of a text that was kept beside a file.
    fn is_kept(&self, name: &str) -> bool {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix(paths::KEPT);
        name.is_some_and(|name| self.is_of_file(name.as_bytes()))
    }
}

/// The working copy of a workspace.
pub struct WorkingCopy {
    dir: PathBuf,
    root: PathBuf,
    folders: Vec<String>,
    names: Names,
    manifest: &'static str,
    durability: Durability,
    steps: Arc<dyn Steps>,
    progress: Box<dyn Fn(u64, u64) + Send + Sync>,
}

impl WorkingCopy {
    /// Creates the working copy of the workspace in `dir`, with its directories (`a`, or `a/b`) below `root`. Nothing
    /// is read.
    ///
    /// # Errors
    /// [`Error::NotInWorkingCopy`] if a directory leads elsewhere.
    pub fn open(dir: &Path, root: &Path, folders: &[&str], durability: Durability) -> Result<Self> {
        Self::over(dir, root, folders, durability, Arc::new(AllowAll))
    }

    /// Creates a working copy as [`Self::open`] does, with `steps` called before every change: the seam for tests.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn over(
        dir: &Path,
        root: &Path,
        folders: &[&str],
        durability: Durability,
        steps: Arc<dyn Steps>,
    ) -> Result<Self> {
        if let Some(folder) = folders.iter().find(|folder| !paths::is_folder(folder)) {
            return Err(Error::NotInWorkingCopy((*folder).to_owned()));
        }
        let folders = folders.iter().map(|&folder| folder.to_owned()).collect();
        let (dir, root, names) = (dir.to_owned(), root.to_owned(), Names::default());
        let progress = Box::new(|_, _| {});
        Ok(Self { dir, root, folders, names, manifest: MANIFEST_FILE, durability, steps, progress })
    }

    /// Restricts the paths of its files; others are reported, and left alone.
    #[must_use]
    pub fn with_names(self, names: Names) -> Self {
        Self { names, ..self }
    }

    /// Sets the name of its manifest: each working copy of a workspace has its own.
    #[must_use]
    pub fn with_manifest(self, manifest: &'static str) -> Self {
        Self { manifest, ..self }
    }

    /// Sets the function that is called after each file that is replaced, with the number of those so far and of all that
    /// one update replaces.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self { progress: Box::new(progress), ..self }
    }

    /// Returns the directory that contains its directories.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Looks at the files, without a lock: what a writer does meanwhile is not taken for a person's edit.
    ///
    /// # Errors
    /// [`Error::Manifest`] if the manifest cannot be read; [`Error::WorkingCopy`] if the root cannot.
    pub fn look(&self) -> Result<Look> {
        let mut manifest = self.manifest()?;
        for _ in 1..LOOKS {
            let look = self.scan(manifest.as_ref())?;
            let now = if look.changes.is_empty() { None } else { self.manifest()? };
            if look.changes.is_empty() || now == manifest {
                return Ok(look);
            }
            manifest = now;
        }
        self.scan(manifest.as_ref())
    }

    /// Begins to write the files, and finishes interrupted work. The caller holds the writer lock.
    ///
    /// # Errors
    /// As for [`Self::look`].
    pub fn writing(&self) -> Result<Writing<'_>> {
        Writing::begin(self)
    }

    /// Reads the manifest; `None` if there is none, or only that of another root.
    ///
    /// # Errors
    /// As for [`Self::look`].
    pub fn manifest(&self) -> Result<Option<Manifest>> {
        let root = self.root_name();
        Ok(self.read_manifest()?.filter(|manifest| manifest.root == root))
    }

    /// Returns the root that the manifest is about, if that is another one.
    ///
    /// # Errors
    /// As for [`Self::look`].
    pub fn other_root(&self) -> Result<Option<PathBuf>> {
        let root = self.root_name();
        let other = self.read_manifest()?.filter(|manifest| manifest.root != root);
        Ok(other.map(|manifest| self.dir.join(manifest.root.unwrap_or_default())))
    }

    /// Returns the name of the root in the manifest. A workspace may be moved with the files in it.
    fn root_name(&self) -> Option<String> {
        if self.root == self.dir {
            return None;
        }
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (root, dir) = (absolute(&self.root), absolute(&self.dir));
        let name = root.strip_prefix(&dir).unwrap_or(&root);
        Some(name.display().to_string()).filter(|name| !name.is_empty())
    }

    fn read_manifest(&self) -> Result<Option<Manifest>> {
        let path = || self.dir.join(self.manifest).display().to_string();
        let wrong = |why: String| Error::Manifest { path: path(), why };
        let read = Folder::root(&self.dir, &*self.steps, self.durability)
            // It has the texts of all edits that are being recorded.
            .and_then(|folder| {
                folder.map_or(Ok(Found::Absent), |folder| folder.read_within(self.manifest, u64::MAX))
            });
        match read.map_err(|source| Error::WorkingCopy { action: "read", path: path(), source })? {
            Found::Absent => Ok(None),
            Found::Odd(odd) => Err(wrong(odd.to_string())),
            Found::File(file) => Manifest::parse(&file.bytes, file.stat.modified).map_err(wrong),
        }
    }

    /// Writes the manifest in the place of the one before.
    fn save(&self, manifest: &mut Manifest) -> Result<()> {
        let write = || -> io::Result<Stat> {
            let folder = Folder::root(&self.dir, &*self.steps, self.durability)?;
            let folder = folder.ok_or(io::ErrorKind::NotFound)?;
            let unfinished = format!(".{}~", self.manifest);
            let text = serde_json::to_string(manifest)? + "\n";
            folder.remove(&unfinished)?;
            let like = Like { file: self.manifest, otherwise: None };
            let stat = folder.write(&unfinished, text.as_bytes(), like)?;
            folder.rename(&unfinished, self.manifest)?;
            folder.sync()?;
            Ok(stat)
        };
        let path = || self.dir.join(self.manifest).display().to_string();
        let stat = write().map_err(|source| Error::WorkingCopy { action: "write", path: path(), source })?;
        manifest.written = stat.modified;
        Ok(())
    }

    fn scan(&self, manifest: Option<&Manifest>) -> Result<Look> {
        let root = Folder::root(&self.root, &*self.steps, self.durability);
        let root = root.map_err(|source| self.failed("look at", ".", source))?;
        Ok(scan::scan(root.as_ref(), &self.folders, self.names, manifest))
    }

    /// Runs an operation in the directory of a file, with the file's name; with `make`, creates the directory. `None` if
    /// there is none.
    fn in_folder<'s, T>(
        &'s self,
        action: &'static str,
        path: &str,
        make: bool,
        run: impl FnOnce(&Folder<'s>, &str) -> io::Result<T>,
    ) -> Result<Option<T>> {
        let (folder, name) = paths::split(path).ok_or_else(|| Error::NotInWorkingCopy(path.to_owned()))?;
        let opened = match Folder::root(&self.root, &*self.steps, self.durability) {
            Ok(Some(root)) => root.descend(folder, make),
            Ok(None) => Ok(Opened::Absent),
            Err(e) => Err(e),
        };
        let done = opened.and_then(|opened| match opened {
            Opened::Folder(folder) => run(&folder, name).map(Some),
            Opened::Absent => Ok(None),
            Opened::Odd(odd) => Err(io::Error::other(format!("{folder}: {odd}"))),
        });
        done.map_err(|source| self.failed(action, path, source))
    }

    /// Removes the directories of a deleted file that are empty now, but not the form's own. As with git, a directory is
    /// there for the files in it.
    fn remove_empty_folders(&self, path: &str) {
        let mut path = path;
        while let Some((folder, _)) = path.rsplit_once('/')
            && folder.contains('/')
        {
            // It is of no consequence if one stays, for instance because something else is in it.
            let removed = self.in_folder("remove a directory", folder, false, Folder::remove_empty);
            if !matches!(removed, Ok(Some(()))) {
                return;
            }
            path = folder;
        }
    }

    fn failed(&self, action: &'static str, path: &str, source: io::Error) -> Error {
        Error::WorkingCopy { action, path: self.root.join(path).display().to_string(), source }
    }
}
