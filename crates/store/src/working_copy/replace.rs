//! Putting a text in the place of another without losing what a person writes at that moment.
//!
//! *Purpose.* A replacement is *begun* once its intent stands in the manifest, and *finished* by looking at what came
//! out. Finishing what was interrupted is the same as finishing what was just begun, so it stands here once.
//!
//! A text is written whole under one name (`.new`), then given another (`.other`), and that is exchanged with the
//! file's. What stands under `.other` is therefore either the whole new text or what came out, never a part.
//!
//! **Invariants.** What came out is removed only if its digest is that of the text that was to be replaced, or of the
//! one that was to replace it. Anything else was written by a person: it goes back under its name, as the same file, for
//! it may be open in an editor; if a further text stands there by then, it is kept aside until it is recorded.

use std::io::{self, ErrorKind};

use super::manifest::UnderWay;
use super::sandbox::{Folder, Found};

/// What a replacement came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The new text stands there.
    Done,
    /// It does not; what a person wrote does.
    Moved,
    /// As `Moved`, and an earlier text of the person stands aside.
    Kept,
}

/// Puts the new text in the place of the old one, if the old one stands there.
pub(super) fn begin(
    folder: &Folder<'_>,
    item: &UnderWay,
    name: &str,
    bytes: Option<&[u8]>,
) -> io::Result<()> {
    let standing = folder.read(name)?;
    if !standing.is(item.from) {
        return Ok(());
    }
    let other = item.other();
    let swapped = match (bytes, standing) {
        (None, _) => folder.take_away(name, &other),
        (Some(bytes), standing) => {
            let permissions = match standing {
                Found::File(file) => Some(file.permissions),
                Found::Absent | Found::Odd(_) => None,
            };
            folder.write(&item.unfinished(), bytes, permissions)?;
            folder.give_free_name(&item.unfinished(), &other)?;
            match item.from {
                Some(_) => folder.exchange(&other, name, &item.third()),
                None => folder.give_free_name(&other, name),
            }
        }
    };
    match swapped {
        // The person was faster.
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => Ok(()),
        Err(e) => Err(e),
        Ok(()) if item.from.is_some() && !folder.read(&other)?.is(item.from) => {
            // At once: the person's editor may be looking at the file.
            finish(folder, item, name).map(|_| ())
        }
        Ok(()) => Ok(()),
    }
}

/// Brings a replacement to an end, wherever it was interrupted.
pub(super) fn finish(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<Outcome> {
    let (unfinished, other) = (item.unfinished(), item.other());
    if !folder.is_free(&unfinished)? {
        folder.remove(&unfinished)?;
    }
    bring_back_third(folder, item, name)?;
    if folder.are_one(&other, name)? {
        // A file that was to get a free name was given it, and still had the old one.
        folder.remove(&other)?;
    }
    let came_out = folder.read(&other)?;
    let kept = match &came_out {
        Found::Absent => false,
        Found::File(file) if [item.from, item.to].contains(&Some(file.sha256)) => {
            folder.remove(&other)?;
            false
        }
        Found::File(_) | Found::Odd(_) => put_back(folder, item, name)?,
    };
    Ok(match folder.read(name)?.is(item.to) {
        _ if kept => Outcome::Kept,
        true => Outcome::Done,
        false => Outcome::Moved,
    })
}

/// Puts what came out back under its name, and says whether something that came out still stands aside.
fn put_back(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<bool> {
    let other = item.other();
    if folder.is_free(name)? {
        return match folder.give_free_name(&other, name) {
            Ok(()) => Ok(false),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(true),
            Err(e) => Err(e),
        };
    }
    if item.to.is_none() || !folder.read(name)?.is(item.to) {
        return Ok(true);
    }
    match folder.exchange(&other, name, &item.third()) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(true),
        done => done?,
    }
    let ours = folder.read(&other)?;
    if ours.is(item.to) {
        folder.remove(&other)?;
        return Ok(false);
    }
    Ok(!matches!(ours, Found::Absent))
}

/// Where names cannot be exchanged, the file went through a third name: back to where it came from, or on.
fn bring_back_third(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<()> {
    let (third, other) = (item.third(), item.other());
    if folder.is_free(&third)? {
        return Ok(());
    }
    if folder.are_one(&third, name)? {
        return folder.remove(&third);
    }
    if folder.is_free(name)? {
        match folder.give_free_name(&third, name) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            done => return done,
        }
    }
    match folder.read(&other)? {
        Found::Absent => folder.replace_name(&third, &other),
        ours if ours.is(item.to) => folder.replace_name(&third, &other),
        _ => Ok(()),
    }
}
