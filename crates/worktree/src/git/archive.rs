//! Archived repositories: damaged ones that were moved to `archive/`.
//!
//! **Invariants.** An archived repository stays complete until the user removes it or something is erased: what cannot
//! be read cannot be proved to be free of the erased text.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memtape_tape::disk::sync_dir;

use super::{Failure, Place, Result, remove_whole};

/// The folder of archived repositories, and their maximum number.
pub(super) const ARCHIVE: &str = "archive";
const KEPT_MAX: usize = 9;

/// Moves the repository at a place of a workspace to the archive, and returns its new location, relative to
/// the workspace.
///
/// # Errors
/// [`Failure::Other`] if the disk fails, or if the archive already contains the maximum number of
/// repositories.
pub fn set_aside(dir: &Path, place: Place) -> Result<String> {
    let archive = dir.join(ARCHIVE);
    fs::create_dir_all(&archive)?;
    for n in 1..=KEPT_MAX {
        let name = format!("git-{n}");
        let kept = archive.join(&name);
        match fs::create_dir(&kept) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(e) => return Err(e.into()),
        }
        if let Err(e) = fs::rename(place.path(dir), Place::Root.path(&kept)) {
            fs::remove_dir(&kept)?;
            return Err(e.into());
        }
        for folder in [&kept, &archive, &dir.to_owned()] {
            sync_dir(folder)?;
        }
        return Ok(format!("{ARCHIVE}/{name}"));
    }
    Err(Failure::Other(format!(
        "it is damaged, and {KEPT_MAX} damaged ones are kept already: remove {ARCHIVE}/git-1 to {ARCHIVE}/git-{KEPT_MAX}"
    )))
}

/// Returns the archived repositories: their names relative to the workspace, and their paths.
pub(super) fn kept(dir: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let names = (1..=KEPT_MAX).map(|n| format!("{ARCHIVE}/git-{n}"));
    let places = names.map(move |name| (dir.join(&name), name));
    places.filter(|(place, _)| Place::Root.path(place).is_dir()).map(|(place, name)| (name, place))
}

/// Returns whether there is any archived repository.
pub(super) fn is_any_kept(dir: &Path) -> bool {
    kept(dir).next().is_some()
}

/// Removes the archived repositories, and returns their names.
///
/// # Errors
/// [`Failure::Other`] if the disk fails.
pub(super) fn remove_kept(dir: &Path) -> Result<Vec<String>> {
    let mut removed = Vec::new();
    for (name, place) in kept(dir) {
        remove_whole(&place)?;
        removed.push(name);
    }
    if !removed.is_empty() {
        sync_dir(&dir.join(ARCHIVE))?;
    }
    Ok(removed)
}
