//! What the commands of notes decide.
//!
//! Every change is one of texts: the sections of the new text are compared with those that stand, and each run that
//! differs becomes one event. So a section that stays keeps its memory.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use jiff::civil::Date;
use memtape_tape::Draft;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::entry::{self, Act};
use super::path::NotePath;
use super::sections::{self, bullet};
use super::summary::{self, Summary, bring_up_to_date};
use super::view::{File, NotesView, Section};
use crate::bytes::{self, line_end};
use crate::decision::{Decision, Given};
use crate::error::{Error, Result};
use crate::memory::Origin;
use crate::merge3::merge3;
use crate::meta::{Meta, Place, Retire};
use crate::path::shown;
use crate::safety::injection;
use crate::scope::Scope;

const KB: usize = 1 << 10;

/// How much a tool or a command may write; what a person edits is kept whatever its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A file, in bytes.
    pub file: usize,
    /// An entry that is added, in bytes.
    pub entry: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file: 5 * KB * KB, entry: 64 * KB }
    }
}

/// A text to be found, and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// What stands there, literally, once.
    pub old: String,
    /// What is to stand there, literally.
    pub new: String,
}

/// What a change of a file came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: NotePath,
    /// How many sections it bears.
    pub born: usize,
    /// How many it retires.
    pub retired: usize,
    /// How long the file is now, in bytes; `None` where it is no more.
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

/// Writes a file, or what is to stand instead of it, and ends its last line. A summary in the content is the caller's
/// own.
///
/// # Errors
/// [`Error::Invalid`] for a file that is too long, or whose name differs from another's by its spelling alone.
pub fn write(
    view: &NotesView,
    path: &NotePath,
    content: &str,
    limits: &Limits,
    given: &Given,
) -> Result<Decision<Outcome>> {
    let content = bytes::with_last_line_ended(content.as_bytes());
    kept_up(view, path, &content, None, (Act::Write, limits), given)
}

/// Replaces texts of a file, all or none, each as the text stands then.
///
/// # Errors
/// [`Error::NotFound`] where there is no such file, or a text does not stand in it; [`Error::Ambiguous`] where one stands
/// in it more than once; [`Error::Invalid`] for an empty text, for no patches, and as [`write()`].
pub fn patch(
    view: &NotesView,
    path: &NotePath,
    patches: &[Patch],
    limits: &Limits,
    given: &Given,
) -> Result<Decision<Outcome>> {
    let before = view.file(path)?.bytes();
    if patches.is_empty() {
        return Err(Error::Invalid("there is nothing to patch: give the old text and the new one".into()));
    }
    let mut text = before.clone();
    for patch in patches {
        text = patched(path, &text, patch)?;
    }
    kept_up(view, path, &text, None, (Act::Patch, limits), given)
}

fn patched(path: &NotePath, text: &[u8], patch: &Patch) -> Result<Vec<u8>> {
    if patch.old.is_empty() {
        return Err(Error::Invalid("the old text of a patch is empty: say what is to be replaced".into()));
    }
    let mut found = places(text, &patch.old);
    let (mut old, mut new) = (patch.old.clone(), patch.new.clone());
    if found.is_empty() && line_end(text) == "\r\n" {
        // Whoever read the file as text does not know how its lines end.
        (old, new) = (with_line_ends(&old, "\r\n"), with_line_ends(&new, "\r\n"));
        found = places(text, &old);
    }
    match found[..] {
        [] => Err(Error::NotFound(format!(
            "String not found in {path}: {} does not stand there; read the file again, and give the text exactly as it stands",
            shown(&patch.old)
        ))),
        [at] => Ok([&text[..at], new.as_bytes(), &text[at + old.len()..]].concat()),
        _ => Err(Error::Ambiguous(format!(
            "String appears multiple times in {path} - provide more context: {} stands there {} times",
            shown(&patch.old),
            found.len()
        ))),
    }
}

/// Where a text begins in bytes, also within itself.
fn places(bytes: &[u8], text: &str) -> Vec<usize> {
    let step = text.chars().next().map_or(1, char::len_utf8);
    let mut found = Vec::new();
    let mut start = 0;
    // A text that is UTF-8 begins and ends within what is.
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let mut at = 0;
        while let Some(next) = valid[at..].find(text) {
            found.push(start + at + next);
            at += next + step;
        }
        start += valid.len() + chunk.invalid().len();
    }
    found
}

fn with_line_ends(text: &str, end: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', end)
}

/// Adds an entry to a file, after a blank line, and makes the file with its title where there is none.
///
/// # Errors
/// [`Error::Invalid`] for an entry that says nothing or is too long, and as [`write()`].
pub fn append(
    view: &NotesView,
    path: &NotePath,
    entry: &str,
    own: Option<&str>,
    limits: &Limits,
    given: &Given,
) -> Result<Decision<Outcome>> {
    if entry.len() > limits.entry {
        return Err(too_long("the entry", entry.len(), limits.entry, "keep what matters, or write several"));
    }
    let entry = entry.trim_end().trim_start_matches(['\n', '\r', '\u{FEFF}']);
    if entry.trim().is_empty() {
        return Err(Error::Invalid("there is nothing to append in an empty entry".into()));
    }
    let before = view.get(path).map(File::bytes).unwrap_or_default();
    let end = line_end(&before);
    let entry = if end == "\n" { entry.to_owned() } else { with_line_ends(entry, end) };
    let text = appended(path, &before, entry.as_bytes());
    kept_up(view, path, &text, own, (Act::Append, limits), given)
}

/// A file's text with an entry at its end, which has no blank lines around it.
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
    let (_, standing) = sections::split(&text);
    let is_fact = |text: &[u8]| {
        sections::lines(text).find(|line| !line.is_blank()).is_some_and(|line| bullet(line.text).is_some())
    };
    // A list goes on where it ended.
    let goes_on = standing.len() > 1 && is_fact(entry) && standing.last().is_some_and(|last| is_fact(last));
    let ends_blank = sections::lines(&text).last().is_some_and(|line| line.is_blank());
    if !ends_blank && !goes_on {
        text.extend_from_slice(end);
    }
    [&text, entry, end].concat()
}

/// The title of a file that an entry begins: `# 2026-02 Episodes`, `# User Facts`.
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

/// Writes a text whose summary and day are to be brought up to date; `new` is a caller's summary. A text that differs
/// from what stands there by that day alone changes nothing.
fn kept_up(
    view: &NotesView,
    path: &NotePath,
    text: &[u8],
    new: Option<&str>,
    (act, limits): (Act, &Limits),
    given: &Given,
) -> Result<Decision<Outcome>> {
    // Of a long text nothing is computed.
    within(path, text.len(), limits)?;
    let without_day = |text: &[u8]| summary::updated(text, Date::ZERO);
    let before = view.get(path).map(|file| without_day(&file.bytes()));
    if new.is_none() && before.as_ref() == Some(&without_day(text)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let computed = view.get(path).and_then(File::computed_summary);
    let summary = Summary::of(text, new, computed.as_deref());
    let after = bring_up_to_date(text, summary, given.today());
    within(path, after.len(), limits)?;
    if before.as_ref() == Some(&without_day(&after)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    change(view, path, &after, act, given)
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
    Error::Invalid(format!("{what} {size} bytes long, {over} more than the {limit} that are allowed: {hint}"))
}

/// Makes a file what it is now, byte for byte: after a person edited it, or to restore it.
///
/// # Errors
/// [`Error::Invalid`] where its name differs from another's by its spelling alone.
pub fn edit(view: &NotesView, path: &NotePath, bytes: &[u8], given: &Given) -> Result<Decision<Outcome>> {
    if view.get(path).is_some_and(|file| file.bytes() == bytes) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    change(view, path, bytes, written_by(given), given)
}

/// How a whole text is written: by a person in an editor, or by a command.
fn written_by(given: &Given) -> Act {
    if given.origin == Origin::Editor { Act::Edit } else { Act::Write }
}

/// Takes in what a person made of the `base` they edited, where others may have written since: by hunks, and the
/// person's own where both changed the same. Nothing for `edited` is a file that the person deleted: what others added
/// since stands.
///
/// # Errors
/// As [`edit`].
pub fn take_in(
    view: &NotesView,
    path: &NotePath,
    base: &[u8],
    edited: Option<&[u8]>,
    given: &Given,
) -> Result<Decision<Outcome>> {
    let standing = view.get(path).map(File::bytes);
    let merged = match &standing {
        Some(standing) => merged(base, standing, edited.unwrap_or_default()),
        // Others deleted it: the person's text is all there is.
        None => edited.unwrap_or_default().to_vec(),
    };
    if edited.is_none() && merged.trim_ascii().is_empty() {
        return match standing {
            Some(_) => delete(view, path, given),
            None => Ok(Decision::nothing(Outcome::Unchanged)),
        };
    }
    edit(view, path, &merged, given)
}

/// What a person edited with what others wrote since. The day of a file's change is left out of it: what is added beside
/// that bullet is no change of it.
fn merged(base: &[u8], standing: &[u8], edited: &[u8]) -> Vec<u8> {
    let (Some(before), Some(since)) = (summary::day(base), summary::day(standing)) else {
        return merge3(base, standing, edited).preferring_theirs();
    };
    let merged = merge3(base, &summary::updated(standing, before), edited).preferring_theirs();
    if summary::day(edited) == Some(before) { summary::updated(&merged, since) } else { merged }
}

/// Deletes a file. The tape keeps it: an earlier point still shows it.
///
/// # Errors
/// [`Error::NotFound`] where there is none.
pub fn delete(view: &NotesView, path: &NotePath, given: &Given) -> Result<Decision<Outcome>> {
    let file = view.file(path)?;
    let meta = given.meta().retiring(file.sections.iter().map(|section| Retire::Memory(section.id)));
    let draft = entry::draft(Act::Delete, path, [], &meta, &given.branch)?;
    let change = Change { path: path.clone(), born: 0, retired: file.sections.len(), size: None };
    Ok(Decision { drafts: vec![draft], outcome: Outcome::Changed(change) })
}

/// Gives a file another name. Its sections keep their texts and names, and say where they were.
///
/// # Errors
/// [`Error::NotFound`] where there is none; [`Error::Invalid`] where a file stands there.
pub fn rename(view: &NotesView, from: &NotePath, to: &NotePath, given: &Given) -> Result<Decision<Outcome>> {
    let file = view.file(from)?;
    let taken = view.get(to).or_else(|| view.in_the_way(to).filter(|file| file.path != *from));
    if let Some(taken) = taken {
        return Err(Error::Invalid(format!("{from} cannot become {to}: {} stands there", taken.path)));
    }
    let bytes = file.bytes();
    let gone = delete(view, from, &because(|| format!("moved to {to}"), given))?;
    let given = because(|| format!("moved from {from}"), given);
    let names: Vec<String> = file.sections.iter().map(|section| section.name.clone()).collect();
    let sections: Vec<&[u8]> = file.sections.iter().map(|section| section.bytes.as_slice()).collect();
    let mut drafts = gone.drafts;
    let computed = file.computed_summary();
    let edits = Edits { path: to, standing: &[], act: written_by(&given), given: &given, computed };
    drafts.extend(edits.anew(&names, &sections)?);
    let count = file.sections.len();
    let change = Change { path: to.clone(), born: count, retired: count, size: Some(bytes.len()) };
    Ok(Decision { drafts, outcome: Outcome::Changed(change) })
}

/// The same, with a reason where none was given.
pub(super) fn because(why: impl FnOnce() -> String, given: &Given) -> Given {
    Given { reason: Some(given.reason.clone().unwrap_or_else(why)), ..given.clone() }
}

/// The events that make a file's text this one: each run of sections that differs is one.
pub(super) fn change(
    view: &NotesView,
    path: &NotePath,
    bytes: &[u8],
    act: Act,
    given: &Given,
) -> Result<Decision<Outcome>> {
    if given.scope != Scope::Global {
        return Err(Error::Invalid(
            "notes belong to the workspace: they are written for nobody alone".into(),
        ));
    }
    if let Some(other) = view.in_the_way(path) {
        return Err(Error::Invalid(format!(
            "{path} and {} would be one file on some systems: use the name that stands there",
            other.path
        )));
    }
    let file = view.get(path);
    let standing = file.map_or(&[][..], |file| &file.sections);
    let (_, new) = sections::split(bytes);
    let computed = computed_in(bytes, file);
    let edits = Edits { path, standing, act, given, computed };
    let runs = runs(standing, &new);
    let mut drafts = Vec::with_capacity(runs.len());
    let (mut born, mut retired) = (0, 0);
    let names = names(standing, &new, &runs);
    for (was, is) in runs {
        let Some(events) = edits.run(was.clone(), &names[is.clone()], &new[is.clone()])? else {
            // The sections that stay keep their names at least.
            drafts = edits.anew(&names, &new)?;
            (born, retired) = (new.len(), standing.len());
            break;
        };
        drafts.extend(events);
        born += is.len();
        retired += was.len();
    }
    if drafts.is_empty() {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let change = Change { path: path.clone(), born, retired, size: Some(bytes.len()) };
    Ok(Decision { drafts, outcome: Outcome::Changed(change) })
}

/// The runs of sections that differ: those that stand, and those in their place.
fn runs(standing: &[Section], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    // A preamble is a preamble, and never equals another section. What stands has no secrets: a section that differs by
    // its secrets alone stands there already.
    let old: Vec<_> = standing.iter().map(|s| (s.is_preamble(), Cow::from(&s.bytes))).collect();
    let new: Vec<_> = new.iter().enumerate().map(|(n, bytes)| (n == 0, bytes::redacted(bytes))).collect();
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut runs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        match runs
            .last_mut()
            .filter(|(was, is)| was.end == op.old_range().start && is.end == op.new_range().start)
        {
            Some((was, is)) => {
                was.end = op.old_range().end;
                is.end = op.new_range().end;
            }
            None => runs.push((op.old_range(), op.new_range())),
        }
    }
    runs
}

/// The name of each section of the new text: those that stay keep theirs.
fn names(standing: &[Section], new: &[&[u8]], runs: &[(Range<usize>, Range<usize>)]) -> Vec<String> {
    let mut stays = vec![true; standing.len()];
    let mut is_new = vec![false; new.len()];
    for (was, is) in runs {
        stays[was.clone()].fill(false);
        is_new[is.clone()].fill(true);
    }
    let kept: Vec<&str> =
        standing.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(s, _)| s.name.as_str()).collect();
    let taken: HashSet<String> = kept.iter().map(|&name| name.to_owned()).collect();
    let born = new.iter().zip(&is_new).skip(1).filter(|(_, is_new)| **is_new).map(|(bytes, _)| *bytes);
    let mut born = sections::names(born, taken).into_iter();
    let mut kept = kept.into_iter();
    let name = |(n, is_new): (usize, &bool)| match (n, is_new) {
        (0, true) => String::new(),
        (_, true) => born.next().unwrap_or_default(),
        (_, false) => kept.next().unwrap_or_default().to_owned(),
    };
    is_new.iter().enumerate().map(name).collect()
}

/// The summary of a text where it is a computed one: it was before, or it is what would be computed.
fn computed_in(text: &[u8], before: Option<&File>) -> Option<String> {
    let computed = before.and_then(File::computed_summary);
    let is_computed =
        |own: &String| computed.as_ref() == Some(own) || summary::of_entries(text).as_ref() == Some(own);
    summary::read(text).filter(is_computed)
}

/// What the events of one change have in common.
struct Edits<'a> {
    path: &'a NotePath,
    standing: &'a [Section],
    act: Act,
    given: &'a Given,
    /// The file's summary, where it is a computed one.
    computed: Option<String>,
}

impl Edits<'_> {
    /// The events of one run; `None` where floating point has no room for its ranks.
    fn run(&self, was: Range<usize>, names: &[String], new: &[&[u8]]) -> Result<Option<Vec<Draft>>> {
        let retires = self.standing[was.clone()].iter().map(|section| Retire::Memory(section.id));
        // Whatever the rank of a preamble: it stands first.
        let before = was.start.checked_sub(1).map(|n| &self.standing[n]).filter(|s| !s.is_preamble());
        let next = self.standing.get(was.end);
        let between = (before.map_or(0.0, |section| section.rank), next.map(|section| section.rank));
        self.bear(names, new, retires.collect(), between)
    }

    /// Every section anew, after everything else.
    fn anew(&self, names: &[String], new: &[&[u8]]) -> Result<Vec<Draft>> {
        let retires = self.standing.iter().map(|section| Retire::Memory(section.id)).collect();
        Ok(self.bear(names, new, retires, (0.0, None))?.unwrap_or_default())
    }

    /// The events that retire and bear sections, one for each stretch of those that are to be marked, or are not. They
    /// stand between two ranks, or after everything.
    fn bear(
        &self,
        names: &[String],
        new: &[&[u8]],
        mut retires: Vec<Retire>,
        (mut low, high): (f64, Option<f64>),
    ) -> Result<Option<Vec<Draft>>> {
        let mut drafts = Vec::new();
        let mut start = 0;
        for (count, quarantined) in self.stretches(new) {
            let place = match high.filter(|_| count > 0).map(|high| Place::between(low, high, count)) {
                Some(None) => return Ok(None),
                Some(place) => place,
                None => None,
            };
            low = place.map_or(low, |place| place.last(count));
            let meta =
                Meta { place, quarantined, ..self.given.meta() }.retiring(std::mem::take(&mut retires));
            let stretch = start..start + count;
            start = stretch.end;
            let is_computed =
                |bytes: &[u8]| self.computed.as_ref().is_some_and(|summary| summary::holds(bytes, summary));
            let sections = names[stretch.clone()]
                .iter()
                .zip(&new[stretch])
                .map(|(name, bytes)| (name.as_str(), *bytes, is_computed(bytes)));
            drafts.push(entry::draft(self.act, self.path, sections, &meta, &self.given.branch)?);
        }
        Ok(Some(drafts))
    }

    /// How many sections in a row would steer a model by the same rule, or by none. A person's own words do not; and
    /// where nothing is borne, that is one stretch.
    fn stretches(&self, new: &[&[u8]]) -> Vec<(usize, Option<String>)> {
        if new.is_empty() || self.given.origin.is_person() {
            return vec![(new.len(), None)];
        }
        let rule = |bytes: &&[u8]| injection::is_suspicious(&String::from_utf8_lossy(bytes));
        let rules: Vec<_> = new.iter().map(rule).collect();
        let alike = rules.chunk_by(|one, other| one == other);
        alike.map(|stretch| (stretch.len(), stretch[0].map(str::to_owned))).collect()
    }
}

#[cfg(test)]
mod tests;
