//! Writes the files of mirrors.
//!
//! **Invariants.** A symbolic link in the place of a file or a folder is replaced, never followed. A file is
//! either appended to or replaced as a whole. Neither is synced, because a mirror can be rewritten; only
//! removals are synced.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use memtape_tape::disk::sync_dir;

use crate::error::{Error, Result};

/// Prefix of a file that has yet to replace another one. No mirror's name has this prefix.
const UNFINISHED: &str = "~";

/// The folder of mirrors, or the workspace's own folder.
pub struct Folder {
    path: PathBuf,
    /// Whether to create it if it is missing. The workspace's own folder exists, and may be a link.
    is_made: bool,
}

impl Folder {
    /// Returns the folder of mirrors, which is created if it is missing.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path, is_made: true }
    }

    /// Returns the workspace's own folder, which exists.
    #[must_use]
    pub fn of_workspace(path: PathBuf) -> Self {
        Self { path, is_made: false }
    }

    /// Returns whether the folder exists.
    #[must_use]
    pub fn exists(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|found| found.is_dir())
    }

    /// Returns the length of a file in bytes: 0 if there is none, `None` if its name belongs to something
    /// other than a file.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if the disk fails.
    pub fn len(&self, path: &str) -> Result<Option<u64>> {
        let path = self.path.join(path);
        if path.parent().is_some_and(Path::is_symlink) {
            return Ok(None);
        }
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => Ok(Some(found.len())),
            Ok(_) => Ok(None),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Some(0)),
            Err(e) => Err(failed("look at", &path, e)),
        }
    }

    /// Returns the content of a file; `None` if it is missing, empty, longer than `most` bytes, or not UTF-8.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if the file cannot be read.
    pub fn read(&self, path: &str, most: usize) -> Result<Option<String>> {
        let length = self.len(path)?.and_then(|len| usize::try_from(len).ok());
        if length.is_none_or(|len| len == 0 || len > most) {
            return Ok(None);
        }
        let full = self.path.join(path);
        let Some(mut file) = open(OpenOptions::new().read(true), &full)? else { return Ok(None) };
        let mut text = String::new();
        match file.read_to_string(&mut text) {
            Ok(_) => Ok(Some(text)),
            Err(e) if e.kind() == ErrorKind::InvalidData => Ok(None),
            Err(e) => Err(failed("read", &full, e)),
        }
    }

    /// Appends to an existing file; `false` if there is none.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if the file cannot be written.
    pub fn add(&self, path: &str, text: &str) -> Result<bool> {
        let path = self.path.join(path);
        let Some(mut file) = open(OpenOptions::new().append(true), &path)? else { return Ok(false) };
        file.write_all(text.as_bytes()).map_err(|e| failed("write", &path, e))?;
        Ok(true)
    }

    /// Replaces a file.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if the file cannot be written.
    pub fn replace(&self, path: &str, text: &str) -> Result<()> {
        let path = self.path.join(path);
        let folder = path.parent().unwrap_or(&self.path);
        if self.is_made {
            self.make(folder)?;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = folder.join(format!("{UNFINISHED}{name}"));
        remove(&unfinished)?;
        let written = File::create_new(&unfinished).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|e| failed("write", &unfinished, e))?;
        fs::rename(&unfinished, &path).map_err(|e| failed("write", &path, e))
    }

    /// Removes a file, if it exists.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if the file cannot be removed.
    pub fn remove(&self, path: &str) -> Result<()> {
        remove(&self.path.join(path))
    }

    /// Removes the files of a subfolder whose names satisfy `is_match`, and unfinished files that a crash
    /// left behind.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if a file cannot be removed.
    pub fn clear(&self, folder: &str, is_match: impl Fn(&str) -> bool) -> Result<()> {
        let path = self.path.join(folder);
        if self.path.is_symlink() || path.is_symlink() {
            // The target of a link does not belong to the mirrors.
            return Ok(());
        }
        let files = match fs::read_dir(&path) {
            Ok(files) => files,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(failed("read", &path, e)),
        };
        for file in files {
            let file = file.map_err(|e| failed("read", &path, e))?;
            let name = file.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(UNFINISHED) || is_match(name) {
                remove(&file.path())?;
            }
        }
        Ok(())
    }

    /// Makes removals durable in some subfolders.
    ///
    /// # Errors
    /// [`Error::MirrorFile`] if the disk fails.
    pub fn sync(&self, folders: impl IntoIterator<Item = &'static str>) -> Result<()> {
        for path in folders.into_iter().map(|folder| self.path.join(folder)) {
            if path.is_dir() && !path.is_symlink() {
                sync_dir(&path).map_err(|e| failed("sync", &path, e))?;
            }
        }
        Ok(())
    }

    /// Creates the folder and one of its subfolders.
    fn make(&self, folder: &Path) -> Result<()> {
        for path in [&self.path, folder] {
            if path.is_symlink() {
                remove(path)?;
            }
            match fs::create_dir(path) {
                Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(failed("make", path, e)),
                _ => {}
            }
        }
        Ok(())
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::MirrorFile { action, path: path.display().to_string(), source }
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(failed("remove", path, e)),
        _ => Ok(()),
    }
}

/// Opens an existing file that is not a link; `None` if there is none.
fn open(options: &OpenOptions, path: &Path) -> Result<Option<File>> {
    let failed = |e| failed("open", path, e);
    let named = match fs::symlink_metadata(path) {
        Ok(named) => named,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(failed(e)),
    };
    if !named.is_file() || path.parent().is_some_and(Path::is_symlink) {
        return Ok(None);
    }
    let file = options.open(path).map_err(failed)?;
    // If a link replaced the file in the meantime, another file was opened.
    let opened = file.metadata().map_err(failed)?;
    Ok(is_same(&named, &opened).then_some(file))
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.is_file() && b.is_file()
}
