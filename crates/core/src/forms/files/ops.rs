//! Commands of files.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::entry;
use super::path::FilePath;
use super::view::{File, FilesView};
use crate::bytes;
use crate::decision::{Context, Decision};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::memory::Origin;
use crate::merge3::merge3;
use crate::meta::{MOVED_FROM, MOVED_TO, Meta, Retire};
use crate::safety::injection;
use crate::scope::Scope;

/// Maximum size in bytes of a file that a tool or a command writes. What a person edits is kept whatever its
/// size.
pub const FILE_BYTES_MAX: usize = 5 << 20;

/// The result of changing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file's path.
    pub path: FilePath,
    /// The path before it was moved; `None` if it was not.
    pub from: Option<FilePath>,
    /// The new size of the file in bytes; `None` if it was deleted.
    pub size: Option<usize>,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The file was changed.
    Changed(Change),
    /// Nothing was written: the file already has this content.
    Unchanged,
}

/// Writes a file, replacing any previous content. A missing line end is added to the last line. A person who writes the
/// content that a file already has makes it theirs if a tool or a page wrote it or if it is quarantined.
///
/// # Errors
/// [`Error::Invalid`] if the content is larger than [`FILE_BYTES_MAX`], if the path collides with that of
/// another file, or if `ctx` writes to a scope other than the workspace.
pub fn write(view: &FilesView, path: &FilePath, content: &[u8], ctx: &Context) -> Result<Decision<Outcome>> {
    check_size(path, content)?;
    let content = bytes::with_last_line_ended(content);
    let decision = edit(view, path, &content, ctx)?;
    let hidden = view.get(path).filter(|file| ctx.origin.is_person() && !file.is_for_prompts());
    match hidden.filter(|_| decision.outcome == Outcome::Unchanged) {
        Some(file) => written(path, &content, Some(file), None, ctx),
        None => Ok(decision),
    }
}

/// Sets the content of a file byte for byte.
///
/// # Errors
/// As [`write()`].
pub fn replace(
    view: &FilesView,
    path: &FilePath,
    content: &[u8],
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    check_size(path, content)?;
    edit(view, path, content, ctx)
}

/// Refuses content that is larger than [`FILE_BYTES_MAX`].
pub(super) fn check_size(path: &FilePath, content: &[u8]) -> Result<()> {
    match content.len().checked_sub(FILE_BYTES_MAX).filter(|over| *over > 0) {
        Some(over) => Err(Error::Invalid(format!(
            "{path} would be {} bytes long, {over} over the limit of {FILE_BYTES_MAX}: split it into \
             several files",
            content.len()
        ))),
        None => Ok(()),
    }
}

/// Sets the content of a file byte for byte, whatever its size, after a person edited it or to restore it.
///
/// # Errors
/// [`Error::Invalid`] if the path collides with that of another file, or if `ctx` writes to a scope other
/// than the workspace.
pub fn edit(view: &FilesView, path: &FilePath, content: &[u8], ctx: &Context) -> Result<Decision<Outcome>> {
    put(view, path, content, None, ctx)
}

/// Sets the content of a file to a text that is moved here or restored: whoever does that, what a tool or a page wrote stays
/// theirs, and what is quarantined stays quarantined.
///
/// # Errors
/// As [`edit`].
pub fn edit_keeping(
    view: &FilesView,
    path: &FilePath,
    content: &[u8],
    origins: impl IntoIterator<Item = Origin>,
    quarantined: Option<&str>,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    put(view, path, content, quarantined, &ctx.adopting(origins))
}

fn put(
    view: &FilesView,
    path: &FilePath,
    content: &[u8],
    quarantined: Option<&str>,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let current = view.get(path);
    // Stored content has no secrets, so the new content is compared redacted.
    if current.is_some_and(|file| file.bytes == *bytes::redacted(content)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    for_the_workspace(ctx)?;
    if let Some(other) = view.in_the_way(path) {
        return Err(Error::Invalid(format!(
            "{path} collides with {other} on some systems: use the existing name"
        )));
    }
    written(path, content, current, quarantined, ctx)
}

/// Merges a person's edit of `base` with the current file, which others may have changed since.
///
/// The merge is by hunks of lines; if both changed the same lines, the person's version wins. `None` for
/// `edited` means that the person deleted the file: only what others added since is kept.
///
/// # Errors
/// As [`edit`].
pub fn merge_edit(
    view: &FilesView,
    path: &FilePath,
    base: &[u8],
    edited: Option<&[u8]>,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let current = view.get(path).map(|file| file.bytes.as_slice());
    let merged: Cow<'_, [u8]> = match current {
        Some(current) if current != base => {
            merge3(base, current, edited.unwrap_or_default()).preferring_theirs().into()
        }
        // No other author changed the file, or it was deleted: only the person's text is left.
        _ => edited.unwrap_or_default().into(),
    };
    if edited.is_none() && merged.trim_ascii().is_empty() {
        return match current {
            Some(_) => delete(view, path, ctx),
            None => Ok(Decision::nothing(Outcome::Unchanged)),
        };
    }
    edit(view, path, &merged, ctx)
}

/// Merges a person's edits of different files with the current files, as [`merge_edit`] does. What is deleted or renamed is
/// not in the way of the new names, so a whole folder can be renamed to another spelling.
///
/// # Errors
/// As [`edit`], and [`Error::Invalid`] if a file was renamed to a path that collides with that of a file that stays.
pub fn merge_edits(view: &FilesView, edits: &[Edit<'_, FilePath>], ctx: &Context) -> Result<Decision<()>> {
    let (mut view, mut drafts) = (view.clone(), Vec::new());
    for edit in edits.iter().filter(|edit| edit.text.is_none()) {
        let Decision { drafts: deletes, outcome } = merge_edit(&view, &edit.path, edit.base, None, ctx)?;
        drafts.extend(deletes);
        if matches!(outcome, Outcome::Changed(Change { size: None, .. })) {
            view.remove(&edit.path);
        }
    }
    let moves = edits
        .iter()
        .filter_map(|edit| Some((edit.from.as_ref().filter(|from| view.get(from).is_some())?, edit)));
    let moves: Vec<_> = moves.collect();
    let mut staying = view.clone();
    moves.iter().for_each(|(from, _)| staying.remove(from));
    // A file that took the place of another one is an edit of that one.
    let (replacing, moves): (Vec<_>, Vec<_>) =
        moves.into_iter().partition(|(_, edit)| staying.contains(&edit.path));
    for (from, edit) in replacing {
        drafts.extend(merge_edit(&view, from, edit.base, None, ctx)?.drafts);
    }
    let paths: Vec<_> = moves.iter().map(|(from, edit)| ((*from).clone(), edit.path.clone())).collect();
    drafts.extend(rename_all(&view, &paths, ctx)?.drafts);
    let is_moved = |edit: &&Edit<'_, FilePath>| paths.iter().any(|(_, to)| *to == edit.path);
    for edit in edits.iter().filter(|edit| edit.text.is_some() && !is_moved(edit)) {
        // A renamed file has the text of the other path, so what others wrote at this path meanwhile shares no base
        // with it.
        let base = if edit.from.is_some() { &[] } else { edit.base };
        drafts.extend(merge_edit(&staying, &edit.path, base, edit.text, ctx)?.drafts);
    }
    Ok(Decision { drafts, outcome: () })
}

/// Deletes a file. The tape keeps it: an earlier point still shows it.
///
/// # Errors
/// [`Error::NotFound`] if the file does not exist.
pub fn delete(view: &FilesView, path: &FilePath, ctx: &Context) -> Result<Decision<Outcome>> {
    let file = view.file(path)?;
    let meta = ctx.meta().retiring([Retire::Memory(file.id)]);
    let draft = entry::delete(path, &meta, &ctx.branch)?;
    let change = Change { path: path.clone(), from: None, size: None };
    Ok(Decision { drafts: vec![draft], outcome: Outcome::Changed(change) })
}

/// Moves a file below `archive/`.
///
/// # Errors
/// [`Error::NotFound`] if the file does not exist; [`Error::Invalid`] if it is archived already, or as for
/// [`rename`].
pub fn archive(view: &FilesView, path: &FilePath, ctx: &Context) -> Result<Decision<Outcome>> {
    view.file(path)?;
    match path.archived() {
        Some(to) => rename(view, path, &to, ctx),
        None => Err(Error::Invalid(format!("{path} is already in the archive"))),
    }
}

/// Moves a file to another path.
///
/// # Errors
/// As [`rename_all`].
pub fn rename(view: &FilesView, from: &FilePath, to: &FilePath, ctx: &Context) -> Result<Decision<Outcome>> {
    let decision = rename_all(view, &[(from.clone(), to.clone())], ctx)?;
    Ok(decision.map(|changes| changes.into_iter().next().map_or(Outcome::Unchanged, Outcome::Changed)))
}

/// Moves files to other paths: all of them, or none. The new paths must not collide with each other.
///
/// If a tool or a page wrote a file, the moved one still counts as theirs.
///
/// # Errors
/// [`Error::NotFound`] if an old path does not exist; [`Error::Invalid`] if a new path is or collides with that of
/// a file that stays, or if `ctx` writes to a scope other than the workspace.
pub fn rename_all(
    view: &FilesView,
    moves: &[(FilePath, FilePath)],
    ctx: &Context,
) -> Result<Decision<Vec<Change>>> {
    for_the_workspace(ctx)?;
    let moved: BTreeSet<&FilePath> = moves.iter().map(|(from, _)| from).collect();
    let because = |why: String| Context { reason: Some(ctx.reason.clone().unwrap_or(why)), ..ctx.clone() };
    // The old paths are deleted before the new ones are written, so they do not collide with them.
    let (mut drafts, mut writes, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for (from, to) in moves {
        let file = view.file(from)?;
        let stays = |path: &&FilePath| !moved.contains(path);
        let taken = Some(to).filter(|to| view.contains(to) && (from == *to || stays(to)));
        let taken = taken.or_else(|| view.all_in_the_way(to).find(stays));
        if let Some(taken) = taken {
            return Err(Error::Invalid(format!("cannot rename {from} to {to}: {taken} already exists")));
        }
        drafts.extend(delete(view, from, &because(format!("{MOVED_TO}{to}")))?.drafts);
        let ctx = because(format!("{MOVED_FROM}{from}")).adopting(file.origin);
        let meta = Meta { quarantined: file.quarantined.clone(), ..ctx.meta() };
        writes.push(entry::write(to, &file.bytes, Some(from.as_str()), &meta, &ctx.branch)?);
        changes.push(Change { path: to.clone(), from: Some(from.clone()), size: Some(file.bytes.len()) });
    }
    drafts.extend(writes);
    Ok(Decision { drafts, outcome: changes })
}

/// Returns the event that writes a file, superseding its current version.
fn written(
    path: &FilePath,
    content: &[u8],
    current: Option<&File>,
    quarantined: Option<&str>,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let suspicion = match ctx.origin.is_person() {
        true => None,
        false => injection::is_suspicious(&String::from_utf8_lossy(content)).map(str::to_owned),
    };
    let quarantined = quarantined.map(str::to_owned).or(suspicion);
    let meta = Meta { quarantined, ..ctx.meta() };
    let meta = meta.retiring(current.map(|file| Retire::Memory(file.id)));
    let draft = entry::write(path, content, None, &meta, &ctx.branch)?;
    let change = Change { path: path.clone(), from: None, size: Some(content.len()) };
    Ok(Decision { drafts: vec![draft], outcome: Outcome::Changed(change) })
}

fn for_the_workspace(ctx: &Context) -> Result<()> {
    match ctx.scope == Scope::Global {
        true => Ok(()),
        false => Err(Error::Invalid(
            "files belong to the workspace and cannot be written for a chat or user".into(),
        )),
    }
}
