//! Rewrites the git history of the files without erased text.
//!
//! Every commit is rewritten into a fresh repository, which then replaces the old one: no object, pack or log
//! of the old repository is kept. What is not reachable from a branch, a tag or the commit that is checked
//! out is lost, and so is what the user staged and did not commit.
//!
//! A damaged repository cannot be rewritten. It is removed, together with those that were archived before: a
//! later command creates a new one from the tape. A build without git support leaves a repository as it is, and reports
//! it as [`Kept`].
//!
//! **Invariants.** The old repository is removed only after the new one is complete and on the disk. The next
//! holder of the writer lock finishes an interrupted replacement ([`recover`]); doing it twice has the same
//! effect as doing it once.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memtape_tape::Hash;
use memtape_tape::disk::sync_dir;

use super::{Failure, Found, Place, Result, UNFINISHED, archive, find, new_place, remove_whole};

/// The text to remove from the history. Secrets are always removed.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    /// The texts to remove, by their digests, and the replacement of each, if it has one.
    pub(super) texts: HashMap<Hash, Option<Vec<u8>>>,
    /// The names to remove from messages.
    pub(super) names: Vec<String>,
}

impl Cuts {
    /// Removes a text, and puts `new` in its place if it is not `None`.
    pub fn text(&mut self, old: &[u8], new: Option<Vec<u8>>) {
        self.texts.insert(Hash::of(old), new);
    }

    /// Removes a file's name from messages.
    pub fn name(&mut self, name: String) {
        self.names.push(name);
    }
}

fn old_place(unfinished: &Path) -> PathBuf {
    unfinished.join("old")
}

/// Returns whether there is something at a path. Below a file there is nothing.
fn is_there(path: &Path) -> io::Result<bool> {
    match path.try_exists() {
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => Ok(false),
        other => other,
    }
}

/// Finishes an interrupted replacement. The caller holds the writer lock.
///
/// # Errors
/// [`Failure::Other`] if the disk fails. What could not be removed may contain erased text.
pub fn recover(dir: &Path) -> Result<()> {
    let unfinished = dir.join(UNFINISHED);
    if fs::symlink_metadata(&unfinished).is_err() {
        return Ok(());
    }
    // The old repository was moved away either because the new one was complete, or because there must be
    // none.
    for place in Place::ALL {
        let new = place.path(&new_place(&unfinished));
        if is_there(&old_place(&unfinished))? && is_there(&new)? && !is_there(&place.path(dir))? {
            fs::rename(new, place.path(dir))?;
            sync_dir(dir)?;
        }
    }
    remove_unfinished(dir)
}

fn remove_unfinished(dir: &Path) -> Result<()> {
    let removed = remove_whole(&dir.join(UNFINISHED));
    removed.map_err(|e| Failure::Other(format!("{UNFINISHED} cannot be removed: {e}")))
}

/// The result of an erasure in the git history.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// A repository that memtape did not create, at the root or enclosing the workspace; it is unchanged.
    pub foreign: Option<PathBuf>,
    /// Damaged repositories that were removed, relative to the workspace.
    pub removed: Vec<String>,
    /// The places that could not be rewritten or cleaned.
    pub kept: Vec<Kept>,
}

/// A path that may still contain erased text.
#[derive(Debug)]
pub struct Kept {
    /// The file or directory to remove to get rid of the text, relative to the workspace.
    pub at: String,
    /// The cause of the failure.
    pub why: String,
}

impl Kept {
    /// Returns the leftover of an earlier erasure that could not be finished.
    #[must_use]
    pub fn unfinished(why: &Failure) -> Self {
        Self { at: UNFINISHED.to_owned(), why: why.to_string() }
    }
}

/// Rewrites every git history of a workspace, at all places. After a failure, the old repository is
/// unchanged, or its remains are in `.memtape-git`.
#[must_use]
pub fn rewrite(dir: &Path, workspace: &str, cuts: &Cuts) -> Rewritten {
    let mut done = Rewritten::default();
    match archive::remove_kept(dir) {
        Ok(removed) => done.removed = removed,
        Err(e) => done.kept.push(Kept { at: archive::ARCHIVE.to_owned() + "/git-*", why: e.to_string() }),
    }
    for place in Place::ALL {
        if let Err(e) = rewrite_one(dir, place, workspace, cuts, &mut done) {
            let at = match e {
                Failure::Unsupported => place.name().to_owned(),
                _ => format!("{} and {UNFINISHED}", place.name()),
            };
            done.kept.push(Kept { at, why: e.to_string() });
        }
    }
    done
}

fn rewrite_one(dir: &Path, place: Place, workspace: &str, cuts: &Cuts, done: &mut Rewritten) -> Result<()> {
    recover(dir)?;
    let rewritten = match find(dir, place, workspace) {
        Ok(Found::Nothing) => return Ok(()),
        Ok(Found::Foreign(at)) => {
            done.foreign.get_or_insert(at);
            return Ok(());
        }
        Ok(Found::Ours(old)) => old.copy_without(cuts, dir, place, workspace),
        Err(e) => Err(e),
    };
    match rewritten {
        Ok(()) => replace(dir, place),
        Err(Failure::Damaged(_)) => {
            remove_whole(&new_place(&dir.join(UNFINISHED)))?;
            replace(dir, place)?;
            done.removed.insert(0, place.name().to_owned());
            Ok(())
        }
        Err(e) => Err(e),
    }
}

/// Replaces the old repository with the new one, if there is one.
fn replace(dir: &Path, place: Place) -> Result<()> {
    let unfinished = dir.join(UNFINISHED);
    fs::create_dir_all(&unfinished)?;
    fs::rename(place.path(dir), old_place(&unfinished))?;
    let new = place.path(&new_place(&unfinished));
    if is_there(&new)? {
        fs::rename(new, place.path(dir))?;
    }
    sync_dir(&unfinished)?;
    sync_dir(dir)?;
    remove_unfinished(dir)
}
