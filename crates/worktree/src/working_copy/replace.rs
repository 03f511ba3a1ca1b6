//! The steps that replace one file.

use std::io::{self, ErrorKind};

use super::folder::{Folder, Found, Like};
use super::manifest::Replacement;
use super::paths;

/// The progress of a replacement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The new text is in place.
    Done,
    /// Nothing was replaced.
    NotDone,
    /// The old text was removed, and a person created the file again before the new text was in place.
    Fresh,
}

/// Chooses temporary names that nothing has, and no replacement that `is_listed` knows.
pub(super) fn choose_name(
    folder: &Folder<'_>,
    item: &mut Replacement,
    is_listed: impl Fn(&str) -> bool,
) -> io::Result<()> {
    for turn in 0.. {
        item.temporary = paths::temporary(&item.path, turn);
        let is_free = folder.is_free(&item.new_name())? && folder.is_free(&item.old_name())?;
        if is_free && !is_listed(&item.temporary) {
            break;
        }
    }
    Ok(())
}

/// Puts the new text in the place of the old one, if that is still there. If there is none, the file has at most the
/// permissions `mode`.
pub(super) fn replace_one(
    folder: &Folder<'_>,
    item: &Replacement,
    name: &str,
    bytes: Option<&[u8]>,
    mode: Option<u32>,
) -> io::Result<()> {
    if let Some(bytes) = bytes {
        folder.write(&item.new_name(), bytes, Like { file: name, otherwise: mode })?;
    }
    // Writing took its time: the file is looked at right before it is replaced.
    if !folder.read(name)?.is(item.from) {
        return Ok(());
    }
    let replaced = match (item.from, bytes) {
        (None, _) => folder.rename_to_free(&item.new_name(), name),
        (Some(_), Some(_)) => folder.exchange(&item.new_name(), name, &item.old_name()),
        (Some(_), None) => folder.rename(name, &item.old_name()),
    };
    match replaced {
        // The person was faster.
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => Ok(()),
        done => done,
    }
}

/// Determines how far a replacement came, and finishes it.
pub(super) fn finish_one(folder: &Folder<'_>, item: &Replacement, name: &str) -> io::Result<Outcome> {
    let (new, old) = (item.new_name(), item.old_name());
    let came_out = folder.read(&old)?;
    if item.to.is_some() && came_out.is(item.to) {
        // It is the new text, which was not exchanged yet.
        folder.remove(&old)?;
        return Ok(Outcome::NotDone);
    }
    let has_come_out = !matches!(came_out, Found::Absent);
    if !folder.is_free(&new)? {
        // If the system cannot exchange names, nothing has the name yet.
        let placed = match has_come_out {
            true => folder.rename_to_free(&new, name),
            false => Err(ErrorKind::NotFound.into()),
        };
        let outcome = match placed {
            Ok(()) => return Ok(Outcome::Done),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Outcome::Fresh,
            Err(e) if e.kind() == ErrorKind::NotFound => Outcome::NotDone,
            // Both texts stay where they are, and the next writer tries again.
            Err(e) => return Err(e),
        };
        folder.remove(&new)?;
        return Ok(outcome);
    }
    Ok(match has_come_out || folder.read(name)?.is(item.to) {
        true => Outcome::Done,
        false => Outcome::NotDone,
    })
}
