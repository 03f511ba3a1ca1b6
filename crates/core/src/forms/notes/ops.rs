//! Commands of notes.
//!
//! Every change is computed on texts: [`change`] compares the sections of the new text with the current ones. Sections
//! that do not change keep their memories.

use std::borrow::Cow;

use jiff::civil::Date;

pub use super::change::{Change, Outcome};
use super::change::{Edits, change_adopting};
pub(super) use super::change::{change, change_keeping};
use super::entry::{self, Act};
use super::path::NotePath;
use super::sections::{self, bullet};
use super::summary::{self, Summary, bring_up_to_date};
use super::view::{File, NotesView, Section};
use crate::bytes::{self, Occurrences, line_end, with_line_ends};
use crate::decision::{Context, Decision};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::memory::Origin;
use crate::merge3::merge3;
use crate::meta::{MOVED_FROM, MOVED_TO, Retire};
use crate::path::shown;
use crate::safety::is_blank;

const KB: usize = 1 << 10;

/// Size limits for writes by tools and commands. What a person edits is kept whatever its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a file in bytes.
    pub file: usize,
    /// Maximum size of an appended note entry in bytes.
    pub entry: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file: 5 * KB * KB, entry: 64 * KB }
    }
}

/// A replacement of one text by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The literal text to replace. It must occur exactly once.
    pub old: String,
    /// The literal text that replaces it.
    pub new: String,
}

/// Writes a file, replacing any previous content. A missing line end is added to the last line.
///
/// A summary in `content` counts as the caller's own. A person who writes a text makes the sections theirs
/// that it keeps, although a tool or a page wrote them or they are quarantined.
///
/// # Errors
/// [`Error::Invalid`] if the file would exceed `limits.file`, if another file's path differs only in
/// spelling, or if `ctx` writes to a scope other than the workspace.
pub fn write(
    view: &NotesView,
    path: &NotePath,
    content: &str,
    limits: &Limits,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let content = bytes::with_last_line_ended(content.as_bytes());
    let decision = replace(view, path, &content, Act::Write, limits, ctx)?;
    match (&decision.outcome, view.get(path)) {
        (Outcome::Unchanged, Some(file)) => change_adopting(view, path, &file.bytes(), Act::Write, ctx),
        _ => Ok(decision),
    }
}

/// Sets the content of a file byte for byte, except for its summary and its `Updated` day. `act` is
/// [`Act::Write`] for a whole text, [`Act::Patch`] if parts of the current one were replaced.
///
/// # Errors
/// As [`write()`].
pub fn replace(
    view: &NotesView,
    path: &NotePath,
    content: &[u8],
    act: Act,
    limits: &Limits,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    kept_up(view, path, content, None, (act, limits), ctx)
}

/// Sets the content of a file byte for byte, except for a summary that it has and for its `Updated` day. A file without
/// a summary gets none: its caller counts lines.
///
/// # Errors
/// As [`write()`].
pub fn put(
    view: &NotesView,
    path: &NotePath,
    content: &[u8],
    act: Act,
    limits: &Limits,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    if summary::read(content).is_some() {
        return kept_up(view, path, content, None, (act, limits), ctx);
    }
    within(path, content.len(), limits)?;
    match view.get(path).is_some_and(|file| file.bytes() == content) {
        true => Ok(Decision::nothing(Outcome::Unchanged)),
        false => change(view, path, content, act, ctx),
    }
}

/// Replaces texts in a file: all patches are applied in order, or none.
///
/// # Errors
/// - [`Error::NotFound`] if the file does not exist, or an old text does not occur in it.
/// - [`Error::Ambiguous`] if an old text occurs more than once, not counting the line of a computed summary.
/// - [`Error::Invalid`] if an old text is empty, if there are no patches, if the file is in UTF-16, and in the cases of
///   [`write()`].
pub fn patch(
    view: &NotesView,
    path: &NotePath,
    patches: &[Patch],
    limits: &Limits,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let file = view.file(path)?;
    if patches.is_empty() {
        return Err(Error::Invalid("the patch is empty: pass the old text and the new text".into()));
    }
    let mut text = file.bytes();
    bytes::check_editable(path, &text)?;
    let computed = file.computed_summary();
    for patch in patches {
        text = patched(path, &text, patch, computed.as_deref())?;
    }
    replace(view, path, &text, Act::Patch, limits, ctx)
}

/// Returns a text with a patch applied. `computed` is the summary that memtape computed: an occurrence in its line counts
/// only if there is no other.
fn patched(path: &NotePath, text: &[u8], patch: &Patch, computed: Option<&str>) -> Result<Vec<u8>> {
    if patch.old.is_empty() {
        return Err(Error::Invalid("the old text of a patch is empty: pass the text to replace".into()));
    }
    let mut found = Occurrences::find(text, &patch.old, &patch.new);
    if let Some(line) = computed.and_then(|computed| summary::line(text, computed))
        && found.at.iter().any(|at| !line.contains(at))
    {
        found.at.retain(|at| !line.contains(at));
    }
    match found.at[..] {
        [] => Err(Error::NotFound(format!(
            "String not found in {path}: the file does not contain {}; read the file again, and pass \
             the text exactly as it is there",
            shown(&patch.old)
        ))),
        [at] => Ok(found.replaced(text, at)),
        _ => Err(Error::Ambiguous(format!(
            "String appears multiple times in {path} - provide more context: {} occurs {} times",
            shown(&patch.old),
            found.at.len()
        ))),
    }
}

/// Appends a note entry to a file, after a blank line. A new file gets its title first.
///
/// `own` is the caller's summary of the file; without it, the summary is computed unless the file has its
/// own.
///
/// # Errors
/// [`Error::Invalid`] if the note entry is blank or exceeds `limits.entry`, if the file is in UTF-16, and in the cases of
/// [`write()`].
pub fn append(
    view: &NotesView,
    path: &NotePath,
    entry: &str,
    own: Option<&str>,
    limits: &Limits,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    if entry.len() > limits.entry {
        return Err(too_long(
            "the entry",
            entry.len(),
            limits.entry,
            "shorten it, or append several \
                                                                     entries",
        ));
    }
    let entry = entry.trim_end().trim_start_matches(['\n', '\r', '\u{FEFF}']);
    if is_blank(entry) {
        return Err(Error::Invalid("cannot append an empty entry".into()));
    }
    let before = view.get(path).map(File::bytes).unwrap_or_default();
    bytes::check_editable(path, &before)?;
    let end = line_end(&before);
    let entry = if end == "\n" { entry.to_owned() } else { with_line_ends(entry, end) };
    let text = appended(path, &before, entry.as_bytes());
    kept_up(view, path, &text, own, (Act::Append, limits), ctx)
}

/// Returns the text of a file with a note entry appended. The note entry has no blank lines around it.
pub(super) fn appended(path: &NotePath, before: &[u8], entry: &[u8]) -> Vec<u8> {
    let end = line_end(before).as_bytes();
    if before.trim_ascii().is_empty() {
        let title = if entry.starts_with(b"# ") { String::new() } else { format!("{}\n\n", title(path)) };
        return [before, title.as_bytes(), entry, end].concat();
    }
    let mut text = before.to_vec();
    if !text.ends_with(b"\n") {
        text.extend_from_slice(end);
    }
    let (_, current) = sections::split(&text);
    let is_fact = |text: &[u8]| {
        sections::lines(text).find(|line| !line.is_blank()).is_some_and(|line| bullet(line.text).is_some())
    };
    // A fact that follows a fact continues the list, without a blank line between them.
    let goes_on = current.len() > 1 && is_fact(entry) && current.last().is_some_and(|last| is_fact(last));
    let ends_blank = sections::lines(&text).last().is_some_and(|line| line.is_blank());
    if !ends_blank && !goes_on {
        text.extend_from_slice(end);
    }
    [&text, entry, end].concat()
}

/// Returns the title of a new file: `# 2026-02 Episodes`, `# User Facts`.
#[must_use]
pub fn title(path: &NotePath) -> String {
    let capital = |word: &str| -> String {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
    };
    let is_date = path.stem().starts_with(|c: char| c.is_ascii_digit());
    let name = if is_date { path.stem().to_owned() } else { path.stem().replace(['-', '_'], " ") };
    format!("# {} {}", capital(name.trim()), capital(path.folder()))
}

/// Writes a text after updating its summary and its `Updated` day. `new` is a summary from the caller.
///
/// A text that differs from the current one only by that day changes nothing.
fn kept_up(
    view: &NotesView,
    path: &NotePath,
    text: &[u8],
    new: Option<&str>,
    (act, limits): (Act, &Limits),
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    // The limit is checked first, because computing the summary of a very long text is wasted work.
    within(path, text.len(), limits)?;
    let without_day = |text: &[u8]| summary::updated(text, Date::ZERO);
    let before = view.get(path).map(|file| without_day(&file.bytes()));
    if new.is_none() && before.as_ref() == Some(&without_day(text)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let file = view.get(path);
    let computed = file.and_then(File::computed_summary);
    let own = file.and_then(|file| summary::read(&file.bytes())).filter(|own| Some(own) != computed.as_ref());
    // A whole text that has no summary does not remove one that memtape did not compute.
    let text = match own.filter(|_| act == Act::Write && summary::read(text).is_none()) {
        Some(own) => Cow::Owned(summary::with(text, &own)),
        None => Cow::Borrowed(text),
    };
    let summary = Summary::of(&text, new, computed.as_deref());
    let after = bring_up_to_date(&text, summary, ctx.today());
    within(path, after.len(), limits)?;
    if before.as_ref() == Some(&without_day(&after)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    match act {
        Act::Write => change_adopting(view, path, &after, act, ctx),
        _ => change(view, path, &after, act, ctx),
    }
}

fn within(path: &NotePath, size: usize, limits: &Limits) -> Result<()> {
    if size <= limits.file {
        return Ok(());
    }
    Err(too_long(&format!("{path} would be"), size, limits.file, "write to another file, or split this one"))
}

fn too_long(what: &str, size: usize, limit: usize, hint: &str) -> Error {
    let over = size - limit;
    let what = if what.ends_with("be") { what.to_owned() } else { format!("{what} is") };
    Error::Invalid(format!("{what} {size} bytes long, {over} over the limit of {limit}: {hint}"))
}

/// Sets the content of a file byte for byte, after a person edited it or to restore it.
///
/// # Errors
/// [`Error::Invalid`] if another file's path differs only in spelling, or if `ctx` writes to a scope other
/// than the workspace.
pub fn edit(view: &NotesView, path: &NotePath, bytes: &[u8], ctx: &Context) -> Result<Decision<Outcome>> {
    if view.get(path).is_some_and(|file| file.bytes() == bytes) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    change(view, path, bytes, written_by(ctx), ctx)
}

/// Restores a file as it was. The origins of tools and pages, and the quarantine marks, are restored too.
///
/// # Errors
/// As [`edit`].
pub fn restore(view: &NotesView, before: &File, ctx: &Context) -> Result<Decision<Outcome>> {
    let (path, bytes) = (&before.path, before.bytes());
    if view.get(path).is_some_and(|file| file.bytes() == bytes) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let kept: Vec<&Section> = before.sections.iter().collect();
    change_keeping(view, path, &bytes, written_by(ctx), &kept, ctx)
}

/// Returns the kind of change for a whole text: an edit by a person, or a write by a command.
fn written_by(ctx: &Context) -> Act {
    if ctx.origin == Origin::Editor { Act::Edit } else { Act::Write }
}

/// Merges a person's edit of `base` with the current file, which others may have changed since.
///
/// The merge is by hunks of lines; if both changed the same lines, the person's version wins. `None` for
/// `edited` means that the person deleted the file: only what others added since is kept.
///
/// # Errors
/// As [`edit`].
pub fn merge_edit(
    view: &NotesView,
    path: &NotePath,
    base: &[u8],
    edited: Option<&[u8]>,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let current = view.get(path).map(File::bytes);
    let merged = match &current {
        Some(current) => merged(base, current, edited.unwrap_or_default()),
        // Others deleted the file, so only the person's text is left.
        None => edited.unwrap_or_default().to_vec(),
    };
    if edited.is_none() && merged.trim_ascii().is_empty() {
        return match current {
            Some(_) => delete(view, path, ctx),
            None => Ok(Decision::nothing(Outcome::Unchanged)),
        };
    }
    edit(view, path, &merged, ctx)
}

/// Merges a person's edit with the current text.
///
/// The `Updated` day is left out of the comparison, so that an edit next to that bullet is not a conflict
/// with it.
fn merged(base: &[u8], current: &[u8], edited: &[u8]) -> Vec<u8> {
    let (Some(before), Some(since)) = (summary::day(base), summary::day(current)) else {
        return merge3(base, current, edited).preferring_theirs();
    };
    let merged = merge3(base, &summary::updated(current, before), edited).preferring_theirs();
    if summary::day(edited) == Some(before) { summary::updated(&merged, since) } else { merged }
}

/// Merges a person's edits of different files with the current files, as [`merge_edit`] does. What is deleted or renamed is
/// not in the way of the new names.
///
/// # Errors
/// As [`edit`], and [`Error::Invalid`] if a file was renamed to a path that differs only in spelling from that of a file
/// that stays.
pub fn merge_edits(view: &NotesView, edits: &[Edit<'_, NotePath>], ctx: &Context) -> Result<Decision<()>> {
    let (mut staying, mut drafts) = (view.clone(), Vec::new());
    for edit in edits.iter().filter(|edit| edit.text.is_none()) {
        let Decision { drafts: deletes, outcome } = merge_edit(view, &edit.path, edit.base, None, ctx)?;
        drafts.extend(deletes);
        if matches!(outcome, Outcome::Changed(Change { size: None, .. })) {
            staying.remove(&edit.path);
        }
    }
    let moves = edits.iter().filter_map(|edit| Some((view.get(edit.from.as_ref()?)?, edit)));
    let moves: Vec<_> = moves.collect();
    moves.iter().for_each(|(file, _)| staying.remove(&file.path));
    let is_moved = |edit: &Edit<'_, NotePath>| {
        moves.iter().any(|(_, moved)| moved.path == edit.path) && staying.get(&edit.path).is_none()
    };
    for (file, edit) in &moves {
        // A file that took the place of another one is an edit of that one.
        drafts.extend(match is_moved(edit) {
            true => moved(&staying, file, &edit.path, ctx)?.drafts,
            false => merge_edit(view, &file.path, edit.base, None, ctx)?.drafts,
        });
    }
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
pub fn delete(view: &NotesView, path: &NotePath, ctx: &Context) -> Result<Decision<Outcome>> {
    removal(view.file(path)?, ctx)
}

/// Returns the event that deletes a file.
fn removal(file: &File, ctx: &Context) -> Result<Decision<Outcome>> {
    let meta = ctx.meta().retiring(file.sections.iter().map(|section| Retire::Memory(section.id)));
    let draft = entry::draft(Act::Delete, &file.path, [], &meta, &ctx.branch)?;
    let change = Change { path: file.path.clone(), created: 0, removed: file.sections.len(), size: None };
    Ok(Decision { drafts: vec![draft], outcome: Outcome::Changed(change) })
}

/// Renames a file. Its sections keep their texts and names; the reasons of the entries name the old and the
/// new path. If a tool or a page wrote one of them, the renamed file still counts as theirs. What is quarantined stays so.
///
/// # Errors
/// [`Error::NotFound`] if `from` does not exist; [`Error::Invalid`] if a file with the path `to` already
/// exists.
pub fn rename(view: &NotesView, from: &NotePath, to: &NotePath, ctx: &Context) -> Result<Decision<Outcome>> {
    let file = view.file(from)?;
    let mut staying = view.clone();
    if from != to {
        staying.remove(from);
    }
    moved(&staying, file, to, ctx)
}

/// Returns the events that rename a file, given the files that stay.
fn moved(staying: &NotesView, file: &File, to: &NotePath, ctx: &Context) -> Result<Decision<Outcome>> {
    let from = &file.path;
    if let Some(taken) = staying.get(to).or_else(|| staying.in_the_way(to)) {
        return Err(Error::Invalid(format!("cannot rename {from} to {to}: {} already exists", taken.path)));
    }
    let bytes = file.bytes();
    let deletion = removal(file, &because(|| format!("{MOVED_TO}{to}"), ctx))?;
    let act = written_by(ctx);
    let ctx = because(|| format!("{MOVED_FROM}{from}"), ctx).adopting(file.origins());
    let names: Vec<String> = file.sections.iter().map(|section| section.name.clone()).collect();
    let sections: Vec<&[u8]> = file.sections.iter().map(|section| section.bytes.as_slice()).collect();
    let mut drafts = deletion.drafts;
    let computed = file.computed_summary();
    let kept: Vec<&Section> = file.sections.iter().collect();
    let edits = Edits { path: to, current: &[], kept: &kept, act, ctx: &ctx, computed };
    drafts.extend(edits.anew(&names, &sections)?);
    let count = file.sections.len();
    let change = Change { path: to.clone(), created: count, removed: count, size: Some(bytes.len()) };
    Ok(Decision { drafts, outcome: Outcome::Changed(change) })
}

/// Returns the context with a default reason if it has none.
pub(super) fn because(why: impl FnOnce() -> String, ctx: &Context) -> Context {
    Context { reason: Some(ctx.reason.clone().unwrap_or_else(why)), ..ctx.clone() }
}

/// Returns a note as the tape has it: each section is redacted for itself, in which a value may look like a secret that does
/// not in the whole note.
#[must_use]
pub fn redacted(note: &[u8]) -> Cow<'_, [u8]> {
    let whole = bytes::redacted(note);
    let (_, split) = sections::split(&whole);
    let clean: Vec<_> = split.iter().map(|section| bytes::redacted(section)).collect();
    match clean.iter().all(|section| matches!(section, Cow::Borrowed(_))) {
        true => whole.clone(),
        false => sections::join(clean.iter().map(|section| &**section)).into(),
    }
}

#[cfg(test)]
mod tests;
