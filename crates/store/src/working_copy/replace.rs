//! Putting a text in the place of another without losing what a person writes at that moment.
//!
//! *Purpose.* A replacement is *begun* once its intent stands in the manifest, and *finished* by looking at what came
//! out. Finishing what was interrupted is the same as finishing what was just begun, so it stands here once.
//!
//! A text is written whole under one name (`.new`), then given another (`.other`), and that is exchanged with the
//! file's. What stands under `.other` is therefore either the whole new text or what came out, never a part.
//!
//! **Invariants.** What came out is removed only if its digest is that of the text that was to be replaced, and once the
//! manifest says so. Anything else was written by a person: it goes back under its name, as the same file, for it may be
//! open in an editor; if a further text stands there by then, it is kept aside until it is recorded.

use std::io::{self, ErrorKind};

use super::manifest::UnderWay;
use super::sandbox::{Folder, Found};

/// What a replacement came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The new text was put there. What stands there now, a person made of it.
    Done,
    /// The old text was taken away, but a person wrote the file anew before the new one was put there.
    Fresh,
    /// Nothing was done: what stands there, a person made of the old text.
    Moved,
}

/// What a replacement came to, and whether a text of a person that came out stands aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Finished {
    pub(super) outcome: Outcome,
    pub(super) kept: bool,
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
        Ok(())
            if item.from.is_some()
                && folder.is_free(&item.third())?
                && !folder.read(&other)?.is(item.from) =>
        {
            // At once: the person's editor may be looking at the file.
            finish(folder, item, name).map(|_| ())
        }
        Ok(()) => Ok(()),
    }
}

/// Says what became of a replacement, wherever it was interrupted, and puts back what a person wrote.
pub(super) fn finish(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<Finished> {
    let (unfinished, other) = (item.unfinished(), item.other());
    let finished = |outcome, kept| Ok(Finished { outcome, kept });
    if !folder.is_free(&unfinished)? {
        folder.remove(&unfinished)?;
    }
    // Else what stands under the other name came out of the file's.
    let goes_there = item.from.is_none() || !folder.is_free(&item.third())?;
    if finish_third(folder, item, name)? {
        // What came out stays where it is until the manifest says so, for all of it together tells what happened.
        return finished(Outcome::Fresh, stands_aside(folder, item)?);
    }
    if folder.are_one(&other, name)? || (goes_there && folder.has_several_names(&other)?) {
        // It was given the file's name, and has the old one still; a person may have moved it since.
        folder.remove(&other)?;
    }
    let came_out = folder.read(&other)?;
    if item.from.is_some() && came_out.is(item.from) {
        return finished(Outcome::Done, false);
    }
    let is_unused = folder.has(&other, item.to)?;
    if is_unused {
        folder.remove(&other)?;
    }
    if is_unused || matches!(came_out, Found::Absent) {
        return match folder.read(name)?.is(item.to) {
            true => finished(Outcome::Done, false),
            false => finished(Outcome::Moved, false),
        };
    }
    let outcome = put_back(folder, item, name)?;
    finished(outcome, outcome != Outcome::Moved)
}

/// Whether anything that came out was written by a person.
fn stands_aside(folder: &Folder<'_>, item: &UnderWay) -> io::Result<bool> {
    for name in [item.third(), item.other()] {
        if !folder.is_free(&name)? && !is_known(folder, item, &name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a temporary name has a text that the tape has.
fn is_known(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<bool> {
    Ok(folder.has(name, item.from)? || folder.has(name, item.to)?)
}

/// Removes what came out and what was not used, now that the manifest says what stands there instead. `false`: something
/// is a person's, who may also have written into it in an editor that had it open; it stays.
pub(super) fn clear(folder: &Folder<'_>, item: &UnderWay) -> io::Result<bool> {
    let mut is_clear = true;
    for name in [item.third(), item.other()] {
        if folder.is_free(&name)? {
            continue;
        }
        match is_known(folder, item, &name)? {
            true => folder.remove(&name)?,
            false => is_clear = false,
        }
    }
    Ok(is_clear)
}

/// Puts what came out back under its name: then nothing has been done. Otherwise a person has written there again, and it
/// stays aside.
fn put_back(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<Outcome> {
    let other = item.other();
    if folder.is_free(name)? {
        return match folder.give_free_name(&other, name) {
            Ok(()) => Ok(Outcome::Moved),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(Outcome::Fresh),
            Err(e) => Err(e),
        };
    }
    if item.to.is_none() || !folder.read(name)?.is(item.to) {
        return Ok(Outcome::Done);
    }
    match folder.exchange(&other, name, &item.third()) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Outcome::Done),
        done => done?,
    }
    if !folder.is_free(&item.third())? {
        return Ok(Outcome::Fresh);
    }
    if folder.read(&other)?.is(item.to) {
        folder.remove(&other)?;
        return Ok(Outcome::Moved);
    }
    // The person was faster again: their last text is the file's.
    folder.exchange(&other, name, &item.third())?;
    match folder.is_free(&item.third())? {
        true => Ok(Outcome::Done),
        false => Ok(Outcome::Fresh),
    }
}

/// Where names cannot be exchanged, the file went through a third name: back to where it came from, or on. `true`: a
/// person wrote the file anew while there was none.
fn finish_third(folder: &Folder<'_>, item: &UnderWay, name: &str) -> io::Result<bool> {
    let (third, other) = (item.third(), item.other());
    if folder.is_free(&third)? {
        return Ok(false);
    }
    if folder.are_one(&third, name)? {
        folder.remove(&third)?;
        return Ok(false);
    }
    let is_ours = folder.has(&third, item.to)?;
    if is_ours && folder.is_free(name)? {
        // It made room for what came out, which is about to go back.
        folder.remove(&third)?;
        return Ok(false);
    }
    if folder.is_free(name)? {
        match folder.give_free_name(&third, name) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            done => return done.map(|()| false),
        }
    }
    let ours = folder.read(&other)?;
    let has_arrived = matches!(ours, Found::Absent) || folder.are_one(&other, name)?;
    if has_arrived {
        folder.replace_name(&third, &other)?;
    }
    Ok(!has_arrived)
}
