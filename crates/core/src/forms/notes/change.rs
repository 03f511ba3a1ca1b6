//! The events that change a note: the sections of the new text are compared with the current ones, and each run of
//! differing sections becomes one event, or more if not all of them are trusted alike.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memtape_tape::Draft;

use super::entry::{self, Act};
use super::path::NotePath;
use super::sections;
use super::summary;
use super::view::{File, NotesView, Section};
use crate::bytes;
use crate::decision::{Context, Decision};
use crate::diff::changed_ranges;
use crate::error::{Error, Result};
use crate::memory::Origin;
use crate::meta::{Meta, Place, Retire};
use crate::safety::injection;
use crate::scope::Scope;

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

/// Returns the same events as [`change`] for a whole text that a person wrote: it makes the sections theirs that it keeps and
/// that a tool or a page wrote or that are quarantined.
pub(super) fn change_adopting(
    view: &NotesView,
    path: &NotePath,
    bytes: &[u8],
    act: Act,
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    changed(view, path, bytes, (act, &[], ctx.origin.is_person()), ctx)
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
    changed(view, path, bytes, (act, kept, false), ctx)
}

fn changed(
    view: &NotesView,
    path: &NotePath,
    bytes: &[u8],
    (act, kept, adopts): (Act, &[&Section], bool),
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
    let runs = runs(current, &new, adopts);
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

/// Returns the ranges of sections that differ: among the current ones, and among the new ones. If the new ones adopt the
/// current ones, those differ that no prompt shows.
fn runs(current: &[Section], new: &[&[u8]], adopts: bool) -> Vec<(Range<usize>, Range<usize>)> {
    // A preamble never equals another section. Current sections contain no secrets, so the new ones are
    // compared redacted: a section that differs only in its secrets is unchanged.
    let is_own = |section: &Section| !adopts || section.is_for_prompts();
    let old: Vec<_> = current.iter().map(|s| (s.is_preamble(), is_own(s), Cow::from(&s.bytes))).collect();
    let new: Vec<_> =
        new.iter().enumerate().map(|(n, bytes)| (n == 0, true, bytes::redacted(bytes))).collect();
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
pub(super) struct Edits<'a> {
    pub(super) path: &'a NotePath,
    pub(super) current: &'a [Section],
    /// The sections that are moved here or restored.
    pub(super) kept: &'a [&'a Section],
    pub(super) act: Act,
    pub(super) ctx: &'a Context,
    /// The file's summary, if memtape computed it.
    pub(super) computed: Option<String>,
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
    pub(super) fn anew(&self, names: &[String], new: &[&[u8]]) -> Result<Vec<Draft>> {
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
