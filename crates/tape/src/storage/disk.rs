//! Files and directories on disk that are changed durably, and by one process at a time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The suffix of a new file that will replace another one.
const NEW: &str = ".new";
/// The file that is locked while files beside it are changed. In a workspace it is the writer lock.
pub(super) const LOCK: &str = "lock";

/// Makes renames, creations and removals in a directory durable.
///
/// # Errors
/// The error of the operating system.
pub fn sync_dir(dir: &Path) -> io::Result<()> {
    // Only Unix allows opening and syncing a directory; elsewhere the file system does this.
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

/// Replaces a file or creates it, atomically and durably. On Unix, only the owner can read the new file.
///
/// The caller excludes other writers, for example with [`locked`]: the temporary file always has the same name.
///
/// # Errors
/// The error of the operating system. The file is then as it was before, unless only its directory could not be synced.
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    replace_with(path, bytes, &mut options)
}

/// Replaces a file or creates it as [`replace_private`] does, with the permissions of any new file.
///
/// # Errors
/// As [`replace_private`].
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, bytes, &mut OpenOptions::new())
}

fn replace_with(path: &Path, bytes: &[u8], options: &mut OpenOptions) -> io::Result<()> {
    let new = new_name(path);
    let replaced = create_anew_with(&new, options)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&new, path));
    if let Err(e) = replaced {
        // The leftover file is harmless. Report the first failure, not that of the removal.
        let _ = fs::remove_file(&new);
        return Err(e);
    }
    sync_dir(folder_of(path))
}

/// Returns the name of the temporary file that will replace a file.
pub(super) fn new_name(path: &Path) -> PathBuf {
    let mut new = path.as_os_str().to_owned();
    new.push(NEW);
    PathBuf::from(new)
}

/// Creates an empty file under a temporary name.
///
/// A file left there by an interrupted command is removed first. A link is never followed, because a
/// predictable name could lead to a file outside the workspace.
///
/// # Errors
/// The error of the operating system; of kind [`io::ErrorKind::AlreadyExists`] if another process takes the
/// name meanwhile.
pub fn create_anew(path: &Path) -> io::Result<File> {
    create_anew_with(path, &mut OpenOptions::new())
}

fn create_anew_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    options.write(true).create_new(true).open(path)
}

/// Waits until no other process changes a file, and creates its folder if there is none.
///
/// The lock is held as long as the result exists. Without it, two processes that read a list, add to it and replace it
/// lose an addition. Files of one folder share a lock.
///
/// # Errors
/// The error of the operating system.
pub fn locked(path: &Path) -> io::Result<File> {
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let lock = File::options().create(true).append(true).open(folder.join(LOCK))?;
    lock.lock()?;
    Ok(lock)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
