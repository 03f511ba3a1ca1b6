//! Damaged repositories: distinguishes them from those that only cannot be read or written now.
//!
//! **Invariants.** A file that the system cannot open now is not damage, and neither is a format that libgit2 does not
//! know.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use git2::{ErrorClass, ErrorCode, ObjectType, Odb, Oid};

use super::objects::{self, Depth, check_from, checked_out};
use super::{Failure, History, Place, Result, open};
use crate::git::archive;

/// Returns the meaning of a failure to read a repository: damage, unless something else explains it.
pub(super) fn judge(path: &Path, e: git2::Error) -> Failure {
    match e.code() {
        ErrorCode::Owner => e.into(),
        // An extension or a version of git's format.
        code if e.class() == ErrorClass::Repository && code != ErrorCode::NotFound => e.into(),
        _ => damaged(path, e.message().to_owned()),
    }
}

/// Returns damage for this reason, unless a file cannot be opened.
pub(super) fn damaged(path: &Path, why: String) -> Failure {
    find_unreadable(path).map_or(Failure::Damaged(why), Failure::Other)
}

/// Returns the first file or folder that cannot be opened, with the error: this user has no permission, or there are too
/// many open files.
fn find_unreadable(path: &Path) -> Option<String> {
    let denied =
        |e: io::Error| (e.kind() != io::ErrorKind::NotFound).then(|| format!("{}: {e}", path.display()));
    let found = fs::symlink_metadata(path);
    match found {
        Ok(found) if found.is_dir() => match fs::read_dir(path) {
            Ok(entries) => entries.flatten().find_map(|entry| find_unreadable(&entry.path())),
            Err(e) => denied(e),
        },
        Ok(found) if found.is_file() => File::open(path).err().and_then(denied),
        Ok(_) => None,
        Err(e) => denied(e),
    }
}

impl History {
    /// Classifies a failure: [`Failure::Damaged`] if an object is damaged, or if what is checked out, or
    /// the list of references, cannot be read.
    #[must_use]
    pub fn judge(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Damaged(why) => damaged(self.repository.path(), why),
            Failure::Other(why) => self.check().err().unwrap_or(Failure::Other(why)),
            known => known,
        }
    }

    /// Reads everything that is checked out, and the list of references.
    fn check(&self) -> Result<()> {
        let path = self.repository.path();
        let read = || -> std::result::Result<(), git2::Error> {
            // Opened again, because the cache does not show what is on the disk.
            let repository = open(path)?;
            // No reference can be written if the file of the packed ones is damaged.
            repository.references()?;
            check_from(&repository, checked_out(&repository)?, Depth::Files)
        };
        read().map_err(|e| judge(path, e))
    }

    /// Checks that the branch that is checked out was not deleted. The log of a reference that is left over
    /// shows that the branch had commits.
    ///
    /// # Errors
    /// [`Failure::Damaged`] if it was deleted.
    pub fn has_its_branch(&self) -> Result<()> {
        let Ok(head) = self.repository.find_reference("HEAD") else { return Ok(()) };
        let Ok(Some(branch)) = head.symbolic_target() else { return Ok(()) };
        let path = self.repository.path();
        let had_commits = fs::metadata(path.join("logs").join(branch)).is_ok_and(|log| log.len() > 0);
        match self.repository.find_reference(branch) {
            Err(e) if e.code() == ErrorCode::NotFound && had_commits => {
                Err(Failure::Damaged(format!("the branch {branch} is gone")))
            }
            _ => Ok(()),
        }
    }
}

/// Passes every readable text of the archived repositories to `each`, with the name of its repository.
///
/// # Errors
/// [`Failure::Unsupported`] if this build has no git support; [`Failure::Other`] if the disk fails.
pub fn each_archived_text(dir: &Path, mut each: impl FnMut(&str, &[u8])) -> Result<()> {
    for (name, place) in archive::kept(dir) {
        each_object(&Place::Root.path(&place), &HashSet::new(), |text| each(&name, text))?;
    }
    Ok(())
}

/// Passes every readable file, commit and tag of a repository to `each`, whatever is damaged there.
pub(super) fn each_object(path: &Path, seen: &HashSet<Oid>, mut each: impl FnMut(&[u8])) -> Result<()> {
    let folder = path.join("objects");
    let Some(folder) = folder.to_str().filter(|_| folder.is_dir()) else { return Ok(()) };
    let odb = Odb::new()?;
    odb.add_disk_alternate(folder)?;
    let mut ids = Vec::new();
    odb.foreach(|id| {
        if !seen.contains(id) {
            ids.push(*id);
        }
        true
    })?;
    for id in ids {
        if let Ok(object) = objects::check(path, id).and_then(|()| odb.read(id))
            && matches!(object.kind(), ObjectType::Blob | ObjectType::Commit | ObjectType::Tag)
        {
            each(object.data());
        }
    }
    Ok(())
}
