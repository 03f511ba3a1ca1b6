//! The limit of a directory of replicas: those that were not used for the longest time are removed.
//!
//! **Invariant.** Only a replica of an upstream is removed, and only while its workspace is closed and its name is
//! taken: everything that it has is on the upstream, and it is fetched again when it is next used.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a removal is named while it goes on.
const REMOVED: &str = ".removed-";
/// The file that a replica touches at each contact with its upstream.
const TOUCHED: &str = "upstream-contact";

/// A replica of the directory.
struct Replica {
    name: String,
    dir: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// Returns the names of the replicas to remove so that the others have at most `limit` bytes, the least recently used
/// first.
///
/// # Errors
/// [`io::Error`] if the directory cannot be listed.
pub(crate) fn excess(dir: &Path, limit: u64) -> io::Result<Vec<String>> {
    let mut replicas = Vec::new();
    for entry in fs::read_dir(dir)? {
        let dir = entry?.path();
        let Some(name) = dir.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
        if name.starts_with(REMOVED) {
            // An interrupted removal goes on.
            let _ = fs::remove_dir_all(&dir);
        } else if let Ok(used) = fs::metadata(dir.join(TOUCHED)).and_then(|metadata| metadata.modified()) {
            replicas.push(Replica { name, bytes: size(&dir), dir, used });
        }
    }
    let mut total: u64 = replicas.iter().map(|replica| replica.bytes).sum();
    replicas.retain(|replica| matches!(memtape::marked_upstream(&replica.dir), Ok(Some(_))));
    replicas.sort_by_key(|replica| replica.used);
    let mut excess = Vec::new();
    for replica in replicas {
        if total <= limit {
            break;
        }
        total = total.saturating_sub(replica.bytes);
        excess.push(replica.name);
    }
    Ok(excess)
}

/// Takes a replica's directory out of use, and returns where it is now, for [`remove`]. Nobody has it open.
pub(crate) fn take_out(dir: &Path, name: &str) -> io::Result<PathBuf> {
    let removed = dir.join(format!("{REMOVED}{name}"));
    fs::rename(dir.join(name), &removed)?;
    Ok(removed)
}

/// Removes a directory that was taken out of use. What is left of it is removed the next time.
pub(crate) fn remove(dir: &Path) {
    let _ = fs::remove_dir_all(dir);
}

/// Returns the size of the files below a directory, in bytes.
fn size(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            Ok(_) => entry.metadata().map_or(0, |metadata| metadata.len()),
            Err(_) => 0,
        })
        .sum()
}
