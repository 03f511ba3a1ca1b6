//! Commands of notes.
//!
//! Every change is computed on texts: the sections of the new text are compared with the current ones, and
//! each run of differing sections becomes one event. Sections that do not change keep their memories.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use jiff::civil::Date;
use memtape_tape::Draft;

use super::entry::{self, Act};
use super::path::NotePath;
use super::sections::{self, bullet};
use super::summary::{self, Summary, bring_up_to_date};
use super::view::{File, NotesView, Section};
use crate::bytes::{self, Occurrences, line_end, with_line_ends};
use crate::decision::{Context, Decision};
use crate::diff::changed_ranges;
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::memory::Origin;
use crate::merge3::merge3;
use crate::meta::{MOVED_FROM, MOVED_TO, Meta, Place, Retire};
use crate::path::shown;
use crate::safety::{injection, is_blank};
use crate::scope::Scope;

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

/// The result of changing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file's path.
    pub path: NotePath,
    /// Number of sections created.
    pub created: usize,
    /// Number of sections removed.
    pub removed: usize,
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

/// Writes a file, replacing any previous content. A missing line end is added to the last line.
///
/// A summary in `content` counts as the caller's own.
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
    replace(view, path, &bytes::with_last_line_ended(content.as_bytes()), Act::Write, limits, ctx)
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
/// - [`Error::Ambiguous`] if an old text occurs more than once.
/// - [`Error::Invalid`] if an old text is empty, if there are no patches, and in the cases of [`write()`].
pub fn patch(
    view: &NotesView,
    path: &NotePath,
    patches: &[Patch],
    limits: &Limits,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let before = view.file(path)?.bytes();
    if patches.is_empty() {
        return Err(Error::Invalid("the patch is empty: pass the old text and the new text".into()));
    }
    let mut text = before.clone();
    for patch in patches {
        text = patched(path, &text, patch)?;
    }
    replace(view, path, &text, Act::Patch, limits, ctx)
}

fn patched(path: &NotePath, text: &[u8], patch: &Patch) -> Result<Vec<u8>> {
    if patch.old.is_empty() {
        return Err(Error::Invalid("the old text of a patch is empty: pass the text to replace".into()));
    }
    let found = Occurrences::find(text, &patch.old, &patch.new);
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
/// [`Error::Invalid`] if the note entry is blank or exceeds `limits.entry`, and in the cases of [`write()`].
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
    change(view, path, &after, act, ctx)
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

/// Returns the events that change a file to this text, one or more for each run of differing sections.
pub(super) fn change(
    view: &NotesView,
    path: &NotePath,
    bytes: &[u8],
    act: Act,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    change_keeping(view, path, bytes, act, &[], ctx)
}

/// Returns the same events as [`change`] for a text with sections that are moved or restored: whoever does that, what a tool
/// or a page wrote stays theirs, and what is quarantined stays quarantined.
pub(super) fn change_keeping(
    view: &NotesView,
    path: &NotePath,
    bytes: &[u8],
    act: Act,
    kept: &[&Section],
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    if ctx.scope != Scope::Global {
        return Err(Error::Invalid(
            "notes belong to the workspace and cannot be written for a chat or user".into(),
        ));
    }
    if let Some(other) = view.in_the_way(path) {
        return Err(Error::Invalid(format!(
            "{path} collides with {} on some systems: use the existing name",
            other.path
        )));
    }
    let file = view.get(path);
    let current = file.map_or(&[][..], |file| &file.sections);
    let (_, new) = sections::split(bytes);
    let computed = computed_in(bytes, file);
    let edits = Edits { path, current, kept, act, ctx, computed };
    let runs = runs(current, &new);
    let mut drafts = Vec::with_capacity(runs.len());
    let (mut created, mut removed) = (0, 0);
    let names = names(current, &new, &runs);
    for (was, is) in runs {
        let Some(events) = edits.run(was.clone(), &names[is.clone()], &new[is.clone()])? else {
            // The ranks ran out: all sections are written again, and those that did not change keep their
            // names.
            drafts = edits.anew(&names, &new)?;
            (created, removed) = (new.len(), current.len());
            break;
        };
        drafts.extend(events);
        created += is.len();
        removed += was.len();
    }
    if drafts.is_empty() {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let change = Change { path: path.clone(), created, removed, size: Some(bytes.len()) };
    Ok(Decision { drafts, outcome: Outcome::Changed(change) })
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

/// Returns the ranges of sections that differ: among the current ones, and among the new ones.
fn runs(current: &[Section], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    // A preamble never equals another section. Current sections contain no secrets, so the new ones are
    // compared redacted: a section that differs only in its secrets is unchanged.
    let old: Vec<_> = current.iter().map(|s| (s.is_preamble(), Cow::from(&s.bytes))).collect();
    let new: Vec<_> = new.iter().enumerate().map(|(n, bytes)| (n == 0, bytes::redacted(bytes))).collect();
    changed_ranges(&old, &new)
}

/// Returns the name of each section of the new text. Sections that did not change keep theirs.
fn names(current: &[Section], new: &[&[u8]], runs: &[(Range<usize>, Range<usize>)]) -> Vec<String> {
    let mut stays = vec![true; current.len()];
    let mut is_new = vec![false; new.len()];
    for (was, is) in runs {
        stays[was.clone()].fill(false);
        is_new[is.clone()].fill(true);
    }
    let kept: Vec<&str> =
        current.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(s, _)| s.name.as_str()).collect();
    let taken: HashSet<String> = kept.iter().map(|&name| name.to_owned()).collect();
    let created = new.iter().zip(&is_new).skip(1).filter(|(_, is_new)| **is_new).map(|(bytes, _)| *bytes);
    let mut created = sections::names(created, taken).into_iter();
    let mut kept = kept.into_iter();
    let name = |(n, is_new): (usize, &bool)| match (n, is_new) {
        (0, true) => String::new(),
        (_, true) => created.next().unwrap_or_default(),
        (_, false) => kept.next().unwrap_or_default().to_owned(),
    };
    is_new.iter().enumerate().map(name).collect()
}

/// Returns the summary of a text if memtape computed it: it was computed before, or would be computed now.
fn computed_in(text: &[u8], before: Option<&File>) -> Option<String> {
    let computed = before.and_then(File::computed_summary);
    let is_computed =
        |own: &String| computed.as_ref() == Some(own) || summary::of_entries(text).as_ref() == Some(own);
    summary::read(text).filter(is_computed)
}

/// Where new sections go.
enum Room {
    /// To these ranks.
    Taken(Place),
    /// Between two ranks; after everything if the second one is `None`.
    Between(f64, Option<f64>),
}

impl Room {
    /// Returns the place of the next sections, `None` within if they come after everything. `None` if no ranks are left.
    fn place(&mut self, count: usize) -> Option<Option<Place>> {
        match self {
            Self::Taken(place) => {
                let here = *place;
                place.at = here.last(count + 1);
                Some(Some(here))
            }
            Self::Between(low, high) => {
                let Some(high) = high.filter(|_| count > 0) else { return Some(None) };
                let place = Place::between(*low, high, count)?;
                *low = place.last(count);
                Some(Some(place))
            }
        }
    }
}

/// The common data of the events of one change.
struct Edits<'a> {
    path: &'a NotePath,
    current: &'a [Section],
    /// The sections that are moved here or restored.
    kept: &'a [&'a Section],
    act: Act,
    ctx: &'a Context,
    /// The file's summary, if memtape computed it.
    computed: Option<String>,
}

impl Edits<'_> {
    /// Returns the events of one run; `None` if there are no ranks left between its neighbours.
    fn run(&self, was: Range<usize>, names: &[String], new: &[&[u8]]) -> Result<Option<Vec<Draft>>> {
        let (mut replaced, mut names, mut new) = (&self.current[was.clone()], names, new);
        // The rank of the preamble is ignored: it always comes first.
        let before = was.start.checked_sub(1).map(|n| &self.current[n]).filter(|s| !s.is_preamble());
        let mut low = before.map_or(0.0, |section| section.rank);
        let ranks: Vec<f64> =
            replaced.iter().map(|section| if section.is_preamble() { 0.0 } else { section.rank }).collect();
        let mut drafts = Vec::new();
        for (count, place) in Place::taking(&ranks[..Place::taken(&ranks, new.len())]) {
            // The last of the new sections also replaces what is left of the old ones.
            let gone = if new.len() == count { replaced.len() } else { count };
            let events =
                self.create(&names[..count], &new[..count], &replaced[..gone], Room::Taken(place))?;
            drafts.extend(events.into_iter().flatten());
            (replaced, names, new) = (&replaced[gone..], &names[count..], &new[count..]);
            low = place.last(count);
        }
        if new.is_empty() && replaced.is_empty() {
            return Ok(Some(drafts));
        }
        let room = Room::Between(low, self.current.get(was.end).map(|section| section.rank));
        let rest = self.create(names, new, replaced, room)?;
        Ok(rest.map(|rest| drafts.into_iter().chain(rest).collect()))
    }

    /// Returns the events that write every section again, after everything else.
    fn anew(&self, names: &[String], new: &[&[u8]]) -> Result<Vec<Draft>> {
        Ok(self.create(names, new, self.current, Room::Between(0.0, None))?.unwrap_or_default())
    }

    /// Returns the events that remove and create sections: one for each stretch with the same origin and quarantine
    /// mark.
    ///
    /// The result is `None` if there are no ranks left in the room.
    fn create(
        &self,
        names: &[String],
        new: &[&[u8]],
        replaced: &[Section],
        mut room: Room,
    ) -> Result<Option<Vec<Draft>>> {
        let mut retires: Vec<_> = replaced.iter().map(|section| Retire::Memory(section.id)).collect();
        let mut drafts = Vec::new();
        let mut start = 0;
        for (count, (origin, quarantined)) in self.stretches(new) {
            let Some(place) = room.place(count) else { return Ok(None) };
            let meta = Meta { place, quarantined, origin: Some(origin), ..self.ctx.meta() };
            let meta = meta.retiring(std::mem::take(&mut retires));
            let stretch = start..start + count;
            start = stretch.end;
            let is_computed =
                |bytes: &[u8]| self.computed.as_ref().is_some_and(|summary| summary::holds(bytes, summary));
            let sections = names[stretch.clone()]
                .iter()
                .zip(&new[stretch])
                .map(|(name, bytes)| (name.as_str(), *bytes, is_computed(bytes)));
            drafts.push(entry::draft(self.act, self.path, sections, &meta, &self.ctx.branch)?);
        }
        Ok(Some(drafts))
    }

    /// Returns the lengths of the stretches of sections that have the same origin and match the same injection rule, or
    /// none, with both.
    ///
    /// A person's own words are not checked. If nothing is created, there is one empty stretch.
    fn stretches(&self, new: &[&[u8]]) -> Vec<(usize, (Origin, Option<String>))> {
        let hidden: HashMap<&[u8], &Section> = self
            .kept
            .iter()
            .copied()
            .filter(|section| !section.is_for_prompts() && !section.bytes.trim_ascii().is_empty())
            .map(|section| (section.bytes.trim_ascii(), section))
            .collect();
        if new.is_empty() || hidden.is_empty() && self.ctx.origin.is_person() {
            return vec![(new.len(), (self.ctx.origin, None))];
        }
        let rule = |bytes: &[u8]| match self.ctx.origin.is_person() {
            true => None,
            false => injection::is_suspicious(&String::from_utf8_lossy(bytes)).map(str::to_owned),
        };
        let mark = |bytes: &&[u8]| {
            let before = hidden.get(bytes.trim_ascii());
            let origin = self.ctx.adopting(before.and_then(|section| section.origin)).origin;
            (origin, before.and_then(|section| section.quarantined.clone()).or_else(|| rule(bytes)))
        };
        let marks: Vec<_> = new.iter().map(mark).collect();
        let alike = marks.chunk_by(|one, other| one == other);
        alike.map(|stretch| (stretch.len(), stretch[0].clone())).collect()
    }
}

#[cfg(test)]
mod tests;
