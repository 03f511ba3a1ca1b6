//! Reads and writes configuration files, and keeps backups of them.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

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
        give_to_owner_of(like, file)?;
    }
    file.sync_all()
}

/// Gives a file the owner, the group and the permissions of another one, as far as this process may. If it cannot have the
/// group, its group has no access: it may contain keys.
#[cfg(unix)]
fn give_to_owner_of(like: &Metadata, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let mut permissions = like.permissions();
    // Only root may give files away, but others may give them to their groups.
    let is_given = fchown(file, Some(like.uid()), Some(like.gid())).is_ok()
        || fchown(file, None, Some(like.gid())).is_ok();
    if !is_given {
        permissions.set_mode(permissions.mode() & !0o070);
    }
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn give_to_owner_of(like: &Metadata, file: &File) -> io::Result<()> {
    file.set_permissions(like.permissions())
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
