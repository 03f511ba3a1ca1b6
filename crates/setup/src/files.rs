//! Reads and writes configuration files, and keeps backups of them.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The file was created.
    Created,
    /// The file was changed.
    Changed,
    /// The file has the content of a backup again, and the backup was deleted.
    Restored,
    /// The file was deleted.
    Deleted,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// The action.
    pub action: Action,
    /// The copy of the file from before that was made or, if the file was restored, deleted.
    pub backup: Option<PathBuf>,
}

/// Maximum number of backups of a file.
const BACKUPS_MAX: usize = 99;
/// Maximum number of symbolic links that are followed from a file to the next.
const LINKS_MAX: usize = 40;

/// Returns the content of a file. `None` if it does not exist.
///
/// # Errors
/// [`Error::NotAFile`] if it is a directory, a pipe or a device, [`Error::Io`] if it cannot be read, and
/// [`Error::Malformed`] if it is not UTF-8.
pub(crate) fn read(path: &Path) -> Result<Option<String>> {
    // A pipe would never end, and a device has no content that could be given back.
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(Error::NotAFile { path: path.to_owned() }),
        // The read reports why it fails.
        Ok(_) | Err(_) => {}
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(failed("read", path, e)),
    };
    String::from_utf8(bytes).map(Some).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::Malformed { path: path.to_owned(), line, message: "the file is not UTF-8".to_owned() }
    })
}

/// Returns the backups of a file and their content, the newest first. Those that are not text are skipped.
pub(crate) fn backups(path: &Path) -> Vec<(PathBuf, String)> {
    let names = (1..=BACKUPS_MAX).rev().map(|n| backup_name(path, n));
    names.filter_map(|name| read(&name).ok().flatten().map(|text| (name, text))).collect()
}

/// Copies a file to the next free name of a backup, with its permissions, and returns that name.
///
/// # Errors
/// [`Error::Io`] if the copy cannot be written.
pub(crate) fn back_up(path: &Path, text: &str) -> Result<PathBuf> {
    for n in 1..=BACKUPS_MAX {
        let name = backup_name(path, n);
        let file = match create_private(&name) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(e) => return Err(failed("write", &name, e)),
        };
        let written = fs::metadata(path).and_then(|metadata| fill(&file, text, Some(&metadata)));
        return match written {
            Ok(()) => Ok(name),
            Err(e) => {
                let _ = fs::remove_file(&name);
                Err(failed("write", &name, e))
            }
        };
    }
    let e = io::Error::new(io::ErrorKind::AlreadyExists, "there are too many backups");
    Err(failed("write", &backup_name(path, BACKUPS_MAX), e))
}

/// Replaces a file atomically or creates it, with the folders above it. It keeps its permissions; a symbolic link
/// keeps pointing to it.
///
/// # Errors
/// [`Error::Io`] if it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let path = behind_links(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".memtape-");
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        #[cfg(unix)]
        if metadata.is_none() {
            // The permissions of any new file: the system subtracts the umask.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let new = builder.tempfile_in(folder)?;
        fill(new.as_file(), text, metadata.as_ref())?;
        new.persist(&path)?;
        Ok(())
    };
    write().map_err(|e| failed("write", path, e))
}

/// Deletes a file. A symbolic link stays, and what it points to is deleted.
///
/// # Errors
/// [`Error::Io`] if it cannot be deleted.
pub(crate) fn delete(path: &Path) -> Result<()> {
    behind_links(path).and_then(fs::remove_file).map_err(|e| failed("delete", path, e))
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::Io { action, path: path.to_owned(), source }
}

fn backup_name(path: &Path, n: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".memtape-backup");
    if n > 1 {
        name.push(format!("-{n}"));
    }
    name.into()
}

/// Creates a file that only its owner can read, because a configuration may contain keys.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes a text to a new file, which gets the owner and the permissions of another.
fn fill(mut file: &File, text: &str, like: Option<&Metadata>) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    if let Some(like) = like {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            // Only root may change the owner of a file, and only root needs to.
            let _ = std::os::unix::fs::fchown(file, Some(like.uid()), Some(like.gid()));
        }
        file.set_permissions(like.permissions())?;
    }
    file.sync_all()
}

/// Returns the file that a path leads to through symbolic links, which need not exist.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..=LINKS_MAX {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new(".")).join(target),
            // It is no link, or it does not exist.
            Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(path);
            }
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many symbolic links"))
}
