//! Private temporary directories.
//!
//! **Invariants.** Only the user may read what is in one. It is removed when it is dropped. If the process is killed
//! first, the next process that needs a temporary directory removes it: it is known by a lock that nobody holds.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// The beginning of the name of each directory.
const PREFIX: &str = "memtape-temporary-";
/// The file that is locked while the directory is used.
const LOCK: &str = ".lock";

/// A temporary directory that only the user may read.
#[derive(Debug)]
pub struct TemporaryDir {
    // Windows removes no open file, so it is closed first.
    _lock: File,
    dir: TempDir,
}

impl TemporaryDir {
    /// Creates a directory. Removes those that processes left which were killed.
    ///
    /// # Errors
    /// [`io::Error`] if the directory cannot be created. It names the directory of temporary files.
    pub fn new() -> io::Result<Self> {
        Self::new_in(&env::temp_dir()).map_err(|e| failed("create a directory", &e))
    }

    fn new_in(parent: &Path) -> io::Result<Self> {
        remove_unused(parent);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
        let dir = builder.tempdir_in(parent)?;
        // It has its name only once it is locked, so that no other process takes the directory for an unused one.
        let unnamed = dir.path().join(".lock.new");
        let lock = File::create_new(&unnamed)?;
        lock.lock()?;
        fs::rename(unnamed, dir.path().join(LOCK))?;
        Ok(Self { _lock: lock, dir })
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Returns the error for something that could not be done in the directory of temporary files.
#[must_use]
pub fn failed(what: &str, e: &io::Error) -> io::Error {
    let dir = env::temp_dir();
    let text = format!("cannot {what} in {} (TMPDIR names another place): {e}", dir.display());
    io::Error::new(e.kind(), text)
}

/// Removes the directories whose process is gone, as far as that is possible.
fn remove_unused(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path().join(LOCK);
        // A pipe would block when it is opened.
        if !path.symlink_metadata().is_ok_and(|about| about.is_file()) {
            continue;
        }
        if File::open(path).is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unused_directories_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let used = TemporaryDir::new_in(parent.path()).unwrap();
        let (unused, foreign) = (parent.path().join(format!("{PREFIX}a")), parent.path().join("b"));
        for dir in [&unused, &foreign] {
            fs::create_dir(dir).unwrap();
            fs::write(dir.join(LOCK), "").unwrap();
            fs::write(dir.join("tape.jsonl"), "secret").unwrap();
        }
        let other = TemporaryDir::new_in(parent.path()).unwrap();
        assert!(used.path().exists() && foreign.exists() && !unused.exists());
        let path = other.path().to_owned();
        drop(other);
        assert!(!path.exists());
    }

    #[test]
    #[cfg(unix)]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let parent = tempfile::tempdir().unwrap();
        let dir = TemporaryDir::new_in(parent.path()).unwrap();
        assert_eq!(dir.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
}
