//! The working copy: files that a person may edit, and that follow the tape.
//!
//! *Purpose.* Knows paths and bytes, and nothing of what stands in them. It tells what a person changed ([`Look`]), and
//! brings files to what the tape says ([`Writing`]). *Writes* the files of its folders, and `working-copy.json`.
//!
//! A command looks; under the writer lock it takes the copy in hand, looks again, records on the tape what was found,
//! merges, and applies what came of it, with that look.
//!
//! **Invariants.** Nothing is overwritten that was not looked at, nor anything a person wrote removed before it is
//! recorded. A kill at any step leaves what the next writer finishes. Nothing outside the folders is created, read or
//! changed. A text that stands in a file has been recorded, or is told as a change until it is.
//!
//! What no file system can promise: a program that has a file open for longer than a command takes, and writes into it
//! after its replacement was finished, writes into a file that has no name any more.
//!
//! In reading order: [`manifest`], [`sandbox`], [`kernel`], [`oddity`], [`scan`], [`replace`], [`checkout`],
//! [`single`].

mod checkout;
mod kernel;
mod manifest;
mod oddity;
mod replace;
mod sandbox;
mod scan;
mod single;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memtape_tape::Durability;

pub use checkout::{Applied, Writing};
pub use manifest::{Base, Known, MANIFEST_FILE, Manifest, Stage, UnderWay};
pub use oddity::{Odd, Oddity};
pub use sandbox::{Stat, Steps};
pub use scan::{Change, Look, PassedOver, State, What};
pub use single::{Replaced, replace_file, replace_file_over};

use crate::error::{Error, Result};
use sandbox::{Freely, Root};
use scan::Merged;

/// How often a look is taken again because a writer was at work.
const LOOKS: usize = 3;

/// What a file is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put<'t> {
    /// This text.
    Text(&'t [u8]),
    /// What it was when it was looked at, whatever the tape has of it.
    AsSeen,
    /// Gone.
    Nothing,
}

/// Which paths files may have, besides what the file system asks of them.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Why no file may have this path, below the root; `None` where one may.
    pub refusal: fn(&str) -> Option<String>,
    /// The kind of the secret that a path holds: no new file may have one. What the manifest knows stays.
    pub secret: fn(&str) -> Option<&'static str>,
    /// Why no files may lie in a folder of this path, below one of the working copy's; without it, they lie directly in
    /// those.
    pub folder_refusal: Option<fn(&str) -> Option<String>>,
    /// What is the same for two names that some system takes for one.
    pub key: fn(&str) -> String,
}

impl Default for Names {
    fn default() -> Self {
        Self { refusal: |_| None, secret: |_| None, folder_refusal: None, key: str::to_lowercase }
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
}

impl WorkingCopy {
    /// That of the workspace in `dir`, whose `folders` (`a`, or `a/b`) lie in `root`. Nothing is read yet.
    ///
    /// # Errors
    /// [`Error::NotInWorkingCopy`] for a folder that leads elsewhere.
    pub fn open(dir: &Path, root: &Path, folders: &[&str], durability: Durability) -> Result<Self> {
        Self::over(dir, root, folders, durability, Arc::new(Freely))
    }

    /// As [`Self::open`], with every change told to `steps` first: the seam for tests.
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
        if let Some(folder) = folders.iter().find(|folder| !scan::is_folder(folder)) {
            return Err(Error::NotInWorkingCopy((*folder).to_owned()));
        }
        let folders = folders.iter().map(|&folder| folder.to_owned()).collect();
        let (dir, root, names) = (dir.to_owned(), root.to_owned(), Names::default());
        Ok(Self { dir, root, folders, names, manifest: MANIFEST_FILE, durability, steps })
    }

    /// The same, with files of these paths only: others are told, and left alone.
    #[must_use]
    pub fn naming(self, names: Names) -> Self {
        Self { names, ..self }
    }

    /// The same, with another name for its manifest: each working copy of a workspace has its own.
    #[must_use]
    pub fn told_in(self, manifest: &'static str) -> Self {
        Self { manifest, ..self }
    }

    /// Where its folders lie.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Looks at the files, without a lock: what a writer does meanwhile is not taken for a person's.
    ///
    /// # Errors
    /// [`Error::Manifest`], or what the medium says.
    pub fn look(&self) -> Result<Look> {
        let mut manifest = Manifest::load(&self.dir, self.manifest)?;
        for _ in 1..LOOKS {
            let look = self.scan(manifest.as_ref(), &Merged::new())?;
            if look.changes.is_empty() {
                return Ok(look);
            }
            let now = Manifest::load(&self.dir, self.manifest)?;
            if now == manifest {
                return Ok(look);
            }
            manifest = now;
        }
        self.scan(manifest.as_ref(), &Merged::new())
    }

    /// Takes the copy in hand, and finishes what was interrupted. The caller holds the writer lock.
    ///
    /// # Errors
    /// [`Error::Manifest`], or what the medium says.
    pub fn writing(&self) -> Result<Writing<'_>> {
        Writing::begin(self)
    }

    /// What the files are known to be; `None` where nothing says so.
    ///
    /// # Errors
    /// As for [`Self::look`].
    pub fn manifest(&self) -> Result<Option<Manifest>> {
        Manifest::load(&self.dir, self.manifest)
    }

    fn scan(&self, manifest: Option<&Manifest>, merged: &Merged) -> Result<Look> {
        let root = self.open_root(false)?;
        scan::scan(root.as_ref(), &self.folders, self.names, manifest, merged)
            .map_err(|source| self.failed("look at", ".", source))
    }

    /// Opens the root, and makes it where it is `new`; `None` where there is none.
    fn open_root(&self, new: bool) -> Result<Option<Root<'_>>> {
        let open = || -> io::Result<Option<Root<'_>>> {
            if new {
                self.steps.before("make the root")?;
                std::fs::create_dir_all(&self.root)?;
            }
            Root::open(&self.root, &*self.steps, self.durability)
        };
        open().map_err(|source| self.failed("open", ".", source))
    }

    fn failed(&self, action: &'static str, path: &str, source: io::Error) -> Error {
        Error::WorkingCopy { action, path: self.root.join(path).display().to_string(), source }
    }
}
