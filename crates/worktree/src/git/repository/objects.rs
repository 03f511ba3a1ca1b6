//! Reads objects that may be incomplete.
//!
//! libgit2 1.9 never returns from reading an object whose compressed file is cut off. So every object that it is about to
//! read from the disk is decompressed first, here.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;
use git2::{Commit, Error, ErrorClass, ErrorCode, ObjectType, Oid, Reference, Repository, Tree};

/// The objects of a commit that [`check_from`] checks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The commit and its folders.
    Folders,
    /// Its files too.
    Files,
    /// Its ancestors too, with their files.
    History,
}

/// Returns the file of an object that is in no pack.
pub(super) fn loose(path: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    let (folder, rest) = name.split_at(2);
    path.join("objects").join(folder).join(rest)
}

/// Checks that the file of an object is complete. libgit2 itself reports a missing one, and a damaged pack.
///
/// # Errors
/// An error of the class [`ErrorClass::Zlib`] if it is not.
pub(super) fn check(path: &Path, id: Oid) -> Result<(), Error> {
    let Ok(file) = File::open(loose(path, id)) else { return Ok(()) };
    match io::copy(&mut ZlibDecoder::new(file), &mut io::sink()) {
        Ok(_) => Ok(()),
        Err(e) => {
            let why = format!("the object {id} is damaged: {e}");
            Err(Error::new(ErrorCode::GenericError, ErrorClass::Zlib, why))
        }
    }
}

/// Reads a commit, after checking it.
pub(super) fn find_commit(repository: &Repository, id: Oid) -> Result<Commit<'_>, Error> {
    check(repository.path(), id)?;
    repository.find_commit(id)
}

/// Reads a tree, after checking it.
pub(super) fn find_tree(repository: &Repository, id: Oid) -> Result<Tree<'_>, Error> {
    check(repository.path(), id)?;
    repository.find_tree(id)
}

/// Returns the objects that the branches, the tags and `HEAD` name.
pub(super) fn named(repository: &Repository) -> Result<Vec<Oid>, Error> {
    let mut named = Vec::new();
    for reference in repository.references()? {
        let reference = reference?;
        if (reference.is_branch() || reference.is_tag()) && !is_dangling(&reference) {
            named.extend(reference.resolve()?.target());
        }
    }
    named.extend(checked_out(repository)?);
    Ok(named)
}

/// Returns whether a reference is the name of another one that does not exist, which git permits.
pub(super) fn is_dangling(reference: &Reference<'_>) -> bool {
    reference.resolve().is_err_and(|e| e.code() == ErrorCode::NotFound)
}

/// Returns the commit that is checked out; `None` before the first commit.
pub(super) fn checked_out(repository: &Repository) -> Result<Option<Oid>, Error> {
    match repository.head() {
        Ok(head) => Ok(head.target()),
        Err(e) if matches!(e.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Checks some objects, and what they refer to, and reads them.
///
/// # Errors
/// Any error of libgit2 if one is missing or damaged.
pub(super) fn check_from(
    repository: &Repository,
    ids: impl IntoIterator<Item = Oid>,
    depth: Depth,
) -> Result<(), Error> {
    let mut left: Vec<Oid> = ids.into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        check(repository.path(), id)?;
        let object = repository.find_object(id, None)?;
        if let Some(commit) = object.as_commit() {
            left.push(commit.tree_id());
            if depth == Depth::History {
                left.extend(commit.parent_ids());
            }
        } else if let Some(tree) = object.as_tree() {
            let wanted = tree.iter().filter(|entry| match entry.kind() {
                Some(ObjectType::Tree) => true,
                Some(ObjectType::Blob) => depth != Depth::Folders,
                // The commit of a submodule is in another repository.
                _ => false,
            });
            left.extend(wanted.map(|entry| entry.id()));
        } else if let Some(tag) = object.as_tag() {
            left.push(tag.target_id());
        }
    }
    Ok(())
}
