//! What the commands of files decide.

use std::borrow::Cow;

use memtape_tape::Draft;

use super::entry;
use super::path::FilePath;
use super::view::{File, FilesView};
use crate::bytes;
use crate::decision::{Decision, Given};
use crate::error::{Error, Result};
use crate::merge3::merge3;
use crate::meta::{Meta, Retire};
use crate::safety::injection;
use crate::scope::Scope;

/// How long a file may be that a tool or a command writes, in bytes; what a person edits is kept whatever its size.
pub const FILE_BYTES_MAX: usize = 5 << 20;

/// What a change of a file came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: FilePath,
    /// Where it stood before it was moved.
    pub from: Option<FilePath>,
    /// How long it is now, in bytes; `None` where it is no more.
    pub size: Option<usize>,
}

/// What a command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The file was changed.
    Changed(Change),
    /// It stands there already as it should.
    Unchanged,
}

/// Writes a file, or what is to stand instead of it, and ends its last line.
///
/// # Errors
/// [`Error::Invalid`] for a file that is too long, or whose name differs from another's by its spelling alone.
pub fn write(view: &FilesView, path: &FilePath, content: &[u8], given: &Given) -> Result<Decision<Outcome>> {
    check_size(path, content)?;
    edit(view, path, &bytes::with_last_line_ended(content), given)
}

/// Refuses a text that is too long for a file.
pub(super) fn check_size(path: &FilePath, content: &[u8]) -> Result<()> {
    match content.len().checked_sub(FILE_BYTES_MAX).filter(|over| *over > 0) {
        Some(over) => Err(Error::Invalid(format!(
            "{path} would be {} bytes long, {over} more than the {FILE_BYTES_MAX} that are allowed: make several files of it",
            content.len()
        ))),
        None => Ok(()),
    }
}

/// Makes a file what it is now, byte for byte, whatever its size: after a person edited it, or to restore it.
///
/// # Errors
/// [`Error::Invalid`] where its name differs from another's by its spelling alone.
pub fn edit(view: &FilesView, path: &FilePath, content: &[u8], given: &Given) -> Result<Decision<Outcome>> {
    let standing = view.get(path);
    // What stands has no secrets: what differs by its secrets alone stands there already.
    if standing.is_some_and(|file| file.bytes == *bytes::redacted(content)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    for_the_workspace(given)?;
    if let Some(other) = view.in_the_way(path) {
        return Err(Error::Invalid(format!(
            "{path} and {other} would meet on some systems: use the name that stands there"
        )));
    }
    let draft = born(path, content, None, standing, given)?;
    let change = Change { path: path.clone(), from: None, size: Some(content.len()) };
    Ok(Decision { drafts: vec![draft], outcome: Outcome::Changed(change) })
}

/// Takes in what a person made of the `base` they edited, where others may have written since: by hunks, and the
/// person's own where both changed the same. Nothing for `edited` is a file that the person deleted: what others added
/// since stands.
///
/// # Errors
/// As [`edit`].
pub fn take_in(
    view: &FilesView,
    path: &FilePath,
    base: &[u8],
    edited: Option<&[u8]>,
    given: &Given,
) -> Result<Decision<Outcome>> {
    let standing = view.get(path).map(|file| file.bytes.as_slice());
    let merged: Cow<'_, [u8]> = match standing {
        Some(standing) if standing != base => {
            merge3(base, standing, edited.unwrap_or_default()).preferring_theirs().into()
        }
        // Nobody wrote since, or others deleted it: the person's text is all there is.
        _ => edited.unwrap_or_default().into(),
    };
    if edited.is_none() && merged.trim_ascii().is_empty() {
        return match standing {
            Some(_) => delete(view, path, given),
            None => Ok(Decision::nothing(Outcome::Unchanged)),
        };
    }
    edit(view, path, &merged, given)
}

/// Deletes a file. The tape keeps it: an earlier point still shows it.
///
/// # Errors
/// [`Error::NotFound`] where there is none.
pub fn delete(view: &FilesView, path: &FilePath, given: &Given) -> Result<Decision<Outcome>> {
    let file = view.file(path)?;
    let meta = given.meta().retiring([Retire::Memory(file.id)]);
    let draft = entry::delete(path, &meta, &given.branch)?;
    let change = Change { path: path.clone(), from: None, size: None };
    Ok(Decision { drafts: vec![draft], outcome: Outcome::Changed(change) })
}

/// Puts a file aside, below `archive/`.
///
/// # Errors
/// [`Error::NotFound`] where there is none; [`Error::Invalid`] where it is there already, or another file is.
pub fn archive(view: &FilesView, path: &FilePath, given: &Given) -> Result<Decision<Outcome>> {
    view.file(path)?;
    match path.archived() {
        Some(to) => rename(view, path, &to, given),
        None => Err(Error::Invalid(format!("{path} is in the archive already"))),
    }
}

/// Gives a file another path.
///
/// # Errors
/// [`Error::NotFound`] where there is none; [`Error::Invalid`] where a file stands there.
pub fn rename(view: &FilesView, from: &FilePath, to: &FilePath, given: &Given) -> Result<Decision<Outcome>> {
    for_the_workspace(given)?;
    let file = view.file(from)?;
    let taken = view.stands(to).then_some(to);
    // Its own old name goes before the new one comes, unless a folder of it stays.
    let taken = taken.or_else(|| view.in_the_way(to).filter(|path| *path != from));
    if let Some(taken) = taken {
        return Err(Error::Invalid(format!("{from} cannot become {to}: {taken} stands there")));
    }
    let because = |why: String| Given { reason: Some(given.reason.clone().unwrap_or(why)), ..given.clone() };
    let mut drafts = delete(view, from, &because(format!("moved to {to}")))?.drafts;
    let given = because(format!("moved from {from}"));
    let meta = Meta { quarantined: file.quarantined.clone(), ..given.meta() };
    drafts.push(entry::write(to, &file.bytes, Some(from.as_str()), &meta, &given.branch)?);
    let change = Change { path: to.clone(), from: Some(from.clone()), size: Some(file.bytes.len()) };
    Ok(Decision { drafts, outcome: Outcome::Changed(change) })
}

/// The event of a text in the place of the one that stands.
fn born(
    path: &FilePath,
    content: &[u8],
    from: Option<&str>,
    standing: Option<&File>,
    given: &Given,
) -> Result<Draft> {
    let suspicion = match given.origin.is_person() {
        true => None,
        false => injection::is_suspicious(&String::from_utf8_lossy(content)).map(str::to_owned),
    };
    let meta = Meta { quarantined: suspicion, ..given.meta() };
    let meta = meta.retiring(standing.map(|file| Retire::Memory(file.id)));
    Ok(entry::write(path, content, from, &meta, &given.branch)?)
}

fn for_the_workspace(given: &Given) -> Result<()> {
    match given.scope == Scope::Global {
        true => Ok(()),
        false => {
            Err(Error::Invalid("files belong to the workspace: they are written for nobody alone".into()))
        }
    }
}
