//! The user's own files, outside of any workspace: the list of trusted directories, the addresses of upstreams, and the
//! warnings that were reported.

use std::path::Path;
use std::{fs, io};

/// The file that a command locks while it changes one of these files.
const LOCK: &str = "lock";

/// Waits until no other process changes one of the user's own files, of which `file` is one. The lock is held as long as
/// the result exists: without it, two commands that read a list, add to it and replace it lose an addition.
///
/// # Errors
/// [`io::Error`] if the lock file, or its directory, cannot be created, or cannot be locked.
pub(crate) fn locked(file: &Path) -> io::Result<fs::File> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let lock = fs::File::options().create(true).append(true).open(folder.join(LOCK))?;
    lock.lock()?;
    Ok(lock)
}
