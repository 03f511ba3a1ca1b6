//! The files of the index: which one is current, and how one replaces another.
//!
//! Readers have the index open without a lock, and SQLite finds a database's write-ahead log by its name. The
//! name of a removed file is therefore never used again: a connection to the old database that finds the log
//! of the new one would mix the two.
//!
//! **Invariants.** Each index is a generation with its own file name, and the greatest existing generation is
//! current. To replace the index, under the writer lock, the file of the next generation is created first and
//! the others are removed after it. Each database is removed before its log, so that anyone who still opens
//! it sees that it was removed.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use memtape_tape::disk;

use crate::error::{Error, Result};

/// The file name of the first generation of the index of this version.
pub const INDEX_FILE: &str = "index-v17.db";
/// The common prefix of the file names of all generations.
const STEM: &str = "index-v17";
/// The name under which other programs find the current index.
const LINK: &str = "memory.db";

/// Returns the file of the current index of a directory; `None` if there is none.
#[must_use]
pub fn current(dir: &Path) -> Option<PathBuf> {
    newest(dir).map(|generation| dir.join(name_of(generation)))
}

/// Returns the file name of a generation: `index-v17.db`, then `index-v17.1.db` and so on.
fn name_of(generation: u64) -> String {
    match generation {
        0 => INDEX_FILE.to_owned(),
        n => format!("{STEM}.{n}.db"),
    }
}

/// Returns the generation with this file name; `None` if the name belongs to no generation.
fn generation_of(name: &str) -> Option<u64> {
    let between = name.strip_prefix(STEM)?.strip_suffix(".db")?;
    let generation = match between.strip_prefix('.') {
        Some(number) => number.parse().ok()?,
        None => 0,
    };
    // Numbers have other spellings (`01`): a file with such a name would be listed and then not found.
    (name_of(generation) == name).then_some(generation)
}

fn newest(dir: &Path) -> Option<u64> {
    let names = fs::read_dir(dir).ok()?.flatten().map(|entry| entry.file_name());
    names.filter_map(|name| generation_of(name.to_str()?)).max()
}

/// Creates the first generation, if there is none, and returns its file. It is empty, which is a valid empty
/// database.
pub(crate) fn first(dir: &Path) -> Result<PathBuf> {
    begin(dir, 0).map_err(|e| file_error("make", &dir.join(INDEX_FILE), e))
}

fn begin(dir: &Path, generation: u64) -> io::Result<PathBuf> {
    let name = name_of(generation);
    let path = dir.join(&name);
    match File::create_new(&path) {
        // Another process created it first.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
        made => {
            made?;
            link(dir, &name);
        }
    }
    Ok(path)
}

/// Creates the next generation, and removes the previous ones. The caller holds the writer lock.
///
/// # Errors
/// [`Error::IndexFile`] if a file cannot be created, synced or removed.
pub fn replace(dir: &Path) -> Result<()> {
    let keep = begin_next(dir)?;
    remove_where(dir, |name| {
        let database = database_of(name);
        generation_of(database).is_some() && database != keep
    })
}

/// Creates the next generation, and removes every other index: the previous generations, those of other
/// versions, and those kept in the archive. The caller holds the writer lock. Used when the tape no longer
/// contains what these may contain.
///
/// # Errors
/// [`Error::IndexFile`] if a file cannot be created, synced or removed.
pub fn remove_all(dir: &Path) -> Result<()> {
    let keep = begin_next(dir)?;
    remove_where(dir, |name| is_index(name, "index-v") && database_of(name) != keep)?;
    remove_where(&dir.join("archive"), |name| is_index(name, "index-until-"))?;
    sync_dir(dir)
}

/// Creates the file of the next generation, and returns its name.
fn begin_next(dir: &Path) -> Result<String> {
    let next = newest(dir).map_or(0, |generation| generation + 1);
    let path = begin(dir, next).map_err(|e| file_error("make", &dir.join(name_of(next)), e))?;
    Ok(path.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

fn is_index(name: &str, stem: &str) -> bool {
    name.starts_with(stem) && name.contains(".db")
}

/// Returns the database to which a file belongs: itself, or the one whose write-ahead log or shared memory it
/// is.
fn database_of(name: &str) -> &str {
    name.strip_suffix("-wal").or_else(|| name.strip_suffix("-shm")).unwrap_or(name)
}

fn remove_where(dir: &Path, is_match: impl Fn(&str) -> bool) -> Result<()> {
    let entries = match fs::read_dir(dir) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        other => other.map_err(|e| file_error("list", dir, e))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| file_error("list", dir, e))?;
        let name = entry.file_name();
        names.extend(name.to_str().filter(|name| is_match(name)).map(str::to_owned));
    }
    // Databases come first, because their names are prefixes of the names of their logs.
    names.sort();
    let files = names.into_iter().map(|name| dir.join(name)).filter(|path| !path.is_dir());
    let mut removed = false;
    for path in files {
        match fs::remove_file(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            done => done.map_err(|e| file_error("remove", &path, e))?,
        }
        removed = true;
    }
    if removed { sync_dir(dir) } else { Ok(()) }
}

/// Returns an unused name in the archive, relative to the workspace.
pub(crate) fn free_name(dir: &Path, stem: &str, extension: &str) -> Result<String> {
    let archive = dir.join("archive");
    if !archive.is_dir() {
        fs::create_dir_all(&archive).map_err(|e| file_error("make", &archive, e))?;
        sync_dir(dir)?;
    }
    let numbered = |n: u32| match n {
        1 => format!("archive/{stem}.{extension}"),
        n => format!("archive/{stem}.{n}.{extension}"),
    };
    let free = (1..).map(numbered).find(|name| fs::symlink_metadata(dir.join(name)).is_err());
    free.ok_or_else(|| file_error("make", &archive, ErrorKind::AlreadyExists.into()))
}

/// Saves a text in the archive under an unused name, durably.
///
/// # Errors
/// [`Error::IndexFile`] if the file cannot be written.
pub fn keep(dir: &Path, stem: &str, extension: &str, text: &str) -> Result<String> {
    use std::io::Write as _;
    let name = free_name(dir, stem, extension)?;
    let path = dir.join(&name);
    let mut file = File::create_new(&path).map_err(|e| file_error("make", &path, e))?;
    file.write_all(text.as_bytes()).map_err(|e| file_error("write", &path, e))?;
    sync(&path)?;
    Ok(name)
}

/// Makes a file and its name durable.
pub(crate) fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|e| file_error("sync", path, e))?;
    path.parent().map_or(Ok(()), sync_dir)
}

/// Makes the removal of names durable.
fn sync_dir(dir: &Path) -> Result<()> {
    disk::sync_dir(dir).map_err(|e| file_error("sync", dir, e))
}

fn file_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::IndexFile { action, path: path.display().to_string(), source }
}

/// Links the current index again if somebody removed its link.
pub(crate) fn restore_link(index: &Path) {
    if let (Some(dir), Some(name)) = (index.parent(), index.file_name().and_then(|name| name.to_str()))
        && fs::symlink_metadata(dir.join(LINK)).is_err_and(|e| e.kind() == ErrorKind::NotFound)
    {
        link(dir, name);
    }
}

/// Lets other programs find the index under a name without a version. It is a convenience: nothing is lost on
/// a file system without links.
fn link(dir: &Path, name: &str) {
    #[cfg(unix)]
    {
        let link = dir.join(LINK);
        if link.is_symlink() || !link.exists() {
            let _ = fs::remove_file(&link);
            let _ = std::os::unix::fs::symlink(name, link);
        }
    }
    #[cfg(not(unix))]
    let _ = (dir, name, LINK);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn a_name_and_its_generation_follow_from_each_other() {
        assert_eq!(STEM, format!("index-v{}", schema::VERSION));
        for generation in [0, 1, 9, 10, 12_345] {
            assert_eq!(generation_of(&name_of(generation)), Some(generation));
        }
        for name in
            ["index-v17.01.db", "index-v17.0.db", "index-v171.db", "index-v17.db-wal", "index-v17.x.db"]
        {
            assert_eq!(generation_of(name), None, "{name}");
        }
    }
}
