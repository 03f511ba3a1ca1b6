//! Commands of the zone. Each writes one new version, or nothing if nothing changes.

mod forgetting;

use jiff::ToSpan as _;
use jiff::civil::Date;
use memtape_tape::Draft;
use unicode_normalization::UnicodeNormalization as _;

use super::entry::{self, LINES_MAX, Line};
use super::view::{DAYS_MAX, Item, ZoneView};
use crate::audience::Sensitivity;
use crate::decision::{Context, Decision};
use crate::diff::changed_ranges;
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::memory::{Form, MemoryId, Ref};
use crate::meta::{Meta, Place, Retire};
use crate::safety::is_blank;

pub use self::forgetting::{ZonePart, forget_day, forget_refs, forget_text, lower, other_scopes};

/// Whether saving replaces long-term memory or adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The text replaces all of long-term memory; what a tool or a page wrote is added to it.
    #[default]
    Replace,
    /// The lines of the text that do not exist yet are added.
    Append,
}

/// The result of a command of the zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A new version was written.
    Changed {
        /// The version's number.
        version: u64,
        /// Number of memories created.
        added: usize,
        /// Number of memories removed.
        retired: usize,
    },
    /// Nothing was written: everything is already stored under these refs.
    Present(Vec<Ref>),
    /// There was nothing to do.
    Unchanged,
}

/// The drafts of one version, without its anchors.
pub(super) struct Version<'a> {
    number: u64,
    ctx: &'a Context,
    /// The conversation that its entries name; `None` if nobody asked for it.
    session: Option<String>,
    events: Vec<Draft>,
    added: usize,
    retired: usize,
}

impl<'a> Version<'a> {
    pub(super) fn after(view: &ZoneView, ctx: &'a Context) -> Self {
        let (number, session) = (view.version.saturating_add(1), ctx.meta().session);
        Self { number, ctx, session, events: Vec::new(), added: 0, retired: 0 }
    }

    fn own(&self) -> Meta {
        Meta { session: self.session.clone(), ..self.ctx.meta() }
    }

    fn meta(&mut self, retires: &[MemoryId], place: Option<Place>) -> Meta {
        self.retired += retires.len();
        Meta { place, ..self.own() }.retiring(retires.iter().copied().map(Retire::Memory))
    }

    pub(super) fn long_term(
        &mut self,
        lines: &[Numbered],
        retires: &[MemoryId],
        place: Option<Place>,
    ) -> Result<()> {
        let meta = self.meta(retires, place);
        self.added += lines.len();
        self.events.push(entry::long_term(lines, self.ctx.now, &meta, &self.ctx.branch)?);
        Ok(())
    }

    /// Removes pieces of a day's note.
    pub(super) fn retire(&mut self, date: Date, pieces: &[MemoryId]) -> Result<()> {
        let meta = self.meta(pieces, None);
        self.note(date, (String::new(), 1), &meta)
    }

    /// Removes long-term lines. An entry about a chat's line must not be visible in other chats, nor one about a
    /// confidential line in the chat.
    fn remove_lines<'i>(&mut self, lines: impl IntoIterator<Item = &'i Item>) -> Result<()> {
        for lines in by_readers(lines) {
            let meta = self.removal(&lines);
            self.events.push(entry::long_term(&[], self.ctx.now, &meta, &self.ctx.branch)?);
        }
        Ok(())
    }

    /// Returns the `meta` of the removal of items that the same audience sees: it has their scope.
    fn removal(&mut self, items: &[&Item]) -> Meta {
        let ids: Vec<_> = items.iter().map(|item| item.id).collect();
        let meta = self.meta(&ids, None);
        let scope = items.first().map(|item| item.scope.clone()).unwrap_or_default();
        let sensitivity = items.iter().map(|item| item.sensitivity).max().unwrap_or_default();
        Meta { scope: scope.label(), sensitivity, ..meta }
    }

    /// Replaces a piece by another text. The scope and the sensitivity of the piece stay the same.
    fn instead(&mut self, date: Date, (text, nth): (String, u32), piece: &Item) -> Result<()> {
        let place = (!text.is_empty()).then_some(Place { at: piece.rank, step: 0.0 });
        let meta = self.meta(&[piece.id], place);
        let meta = Meta { scope: piece.scope.label(), sensitivity: piece.sensitivity, ..meta };
        self.note(date, (text, nth), &meta)
    }

    /// Removes pieces of a day's note that the same audience sees.
    fn remove_pieces(&mut self, date: Date, pieces: &[&Item]) -> Result<()> {
        let meta = self.removal(pieces);
        self.note(date, (String::new(), 1), &meta)
    }

    fn note(&mut self, date: Date, (text, nth): (String, u32), meta: &Meta) -> Result<()> {
        self.added += usize::from(!text.is_empty());
        self.events.push(entry::daily(date, (text, nth), meta, self.ctx)?);
        Ok(())
    }

    fn finish(self, open: &Meta) -> Result<Decision<Outcome>> {
        // The events have the reason. The readers of these two anchors may see none of them.
        let seal = Meta { reason: None, ..self.own() };
        let Self { number, ctx, events, added, retired, .. } = self;
        let mut drafts = Vec::with_capacity(events.len() + 2);
        drafts.push(entry::anchor(entry::OPEN, number, open, &ctx.branch)?);
        drafts.extend(events);
        drafts.push(entry::anchor(entry::SEAL, number, &seal, &ctx.branch)?);
        Ok(Decision { drafts, outcome: Outcome::Changed { version: number, added, retired } })
    }

    /// Adds an event that creates memories.
    pub(super) fn push(&mut self, event: Draft, added: usize) {
        self.added += added;
        self.events.push(event);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(super) fn finish_plain(self) -> Result<Decision<Outcome>> {
        let meta = Meta { reason: None, ..self.own() };
        self.finish(&meta)
    }
}

/// A line and its number among equal lines.
pub(super) type Numbered = (Line, u32);

/// Numbers new lines among equal ones, given the lines that are kept.
fn with_numbers<'i>(
    lines: Vec<Line>,
    staying: impl IntoIterator<Item = &'i Item>,
    ctx: &Context,
) -> Vec<Numbered> {
    let staying = numbers_of(staying, ctx.sensitivity);
    let numbers = entry::numbered(lines.iter().map(|line| line.text.as_str()), &staying);
    lines.into_iter().zip(numbers).collect()
}

/// Returns the texts and numbers of the items among which one of a sensitivity is numbered: a number must not reveal an
/// equal text that is confidential.
fn numbers_of<'i>(
    items: impl IntoIterator<Item = &'i Item>,
    sensitivity: Sensitivity,
) -> Vec<(&'i str, u32)> {
    let is_confidential = |sensitivity| sensitivity == Sensitivity::Confidential;
    let is_alike = |item: &&Item| is_confidential(item.sensitivity) == is_confidential(sensitivity);
    items.into_iter().filter(is_alike).map(|item| (item.text.as_str(), item.nth)).collect()
}

/// Creates an empty zone if there is none.
///
/// # Errors
/// [`Error::Tape`] if an entry cannot be serialized.
pub fn ensure(view: &ZoneView, ctx: &Context) -> Result<Decision<Outcome>> {
    if view.version > 0 || !view.is_empty() {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    Version::after(view, ctx).finish_plain()
}

/// Opens an empty zone with the next version number, after everything was removed.
///
/// # Errors
/// [`Error::Tape`] if an entry cannot be serialized.
pub fn renew(view: &ZoneView, ctx: &Context) -> Result<Decision<Outcome>> {
    Version::after(view, ctx).finish_plain()
}

/// Saves long-term memory.
///
/// # Errors
/// [`Error::Invalid`] if the text is blank or has more than [`LINES_MAX`] lines.
pub fn save(view: &ZoneView, text: &str, mode: Mode, ctx: &Context) -> Result<Decision<Outcome>> {
    let mut lines = said(text)?;
    let first_gap = lines.first_mut().map(|line| std::mem::take(&mut line.gap));
    debug_assert!(first_gap.is_some(), "a text that says something has a line");
    match mode {
        // A tool or a page cannot remove the lines of others.
        Mode::Replace if !ctx.origin.is_foreign() => replace(view, &lines, ctx),
        Mode::Append | Mode::Replace => append(view, lines, ctx),
    }
}

fn said(text: &str) -> Result<Vec<Line>> {
    let lines = entry::lines(text);
    if is_blank(text) {
        let why = "cannot remember an empty text";
        return Err(Error::Invalid(why.into()).with_hint(Hint::RemoveMemories));
    }
    if lines.len() > LINES_MAX {
        return Err(Error::Invalid(format!("long-term memory has at most {LINES_MAX} lines")));
    }
    Ok(lines)
}

fn append(view: &ZoneView, lines: Vec<Line>, ctx: &Context) -> Result<Decision<Outcome>> {
    let is_equal = |line: &Line, item: &Item| item.text.trim().nfc().eq(line.text.trim().nfc());
    // A line that is to be confidential from now on is written again, and does not stay visible.
    let becomes_confidential = |item: &Item| {
        ctx.sensitivity == Sensitivity::Confidential && item.sensitivity != Sensitivity::Confidential
    };
    let there =
        |line: &Line| view.long_term.iter().find(|item| is_equal(line, item) && !becomes_confidential(item));
    let (present, new): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(|line| there(line).is_some());
    if new.is_empty() {
        let refs = present.iter().filter_map(there).map(reference).collect();
        return Ok(Decision::nothing(Outcome::Present(refs)));
    }
    let is_repeated = |item: &&Item| new.iter().any(|line| is_equal(line, item));
    let retires: Vec<_> = view.long_term.iter().filter(is_repeated).map(|item| item.id).collect();
    let mut version = Version::after(view, ctx);
    version.long_term(&with_numbers(new, &view.long_term, ctx), &retires, None)?;
    version.finish_plain()
}

/// Replaces long-term memory by adding and removing only the lines that differ.
///
/// The other lines keep their refs, their dates and their history. Confidential lines stay, unless the new ones are
/// confidential too: no prompt and no listing shows them, so who writes the others has not seen them. For the same reason a
/// model's text does not replace what its prompt leaves out.
fn replace(view: &ZoneView, lines: &[Line], ctx: &Context) -> Result<Decision<Outcome>> {
    let is_shown = |item: &Item| {
        (item.sensitivity != Sensitivity::Confidential || ctx.sensitivity == Sensitivity::Confidential)
            && (item.is_for_prompts() || ctx.origin.is_person())
    };
    let (shown, hidden): (Vec<Item>, Vec<Item>) = view.long_term.iter().cloned().partition(is_shown);
    let mut old: Vec<Line> =
        shown.iter().map(|item| Line { text: item.text.clone(), gap: item.gap }).collect();
    // The gap before the first line is not shown, so it is no difference as long as the line stays the first.
    if let (Some(old), Some(new)) = (old.first_mut(), lines.first())
        && old.text == new.text
    {
        old.gap = new.gap;
    }
    let runs = changed_ranges(&old, lines);
    let mut staying = vec![true; old.len()];
    for (was, _) in &runs {
        staying[was.clone()].fill(false);
    }
    let new = runs.iter().flat_map(|(_, is)| lines[is.clone()].iter().cloned()).collect();
    let staying = shown.iter().zip(&staying).filter(|(_, stays)| **stays).map(|(item, _)| item);
    let new = with_numbers(new, staying.chain(&hidden), ctx);
    let mut rest = &new[..];
    let mut version = Version::after(view, ctx);
    for (was, is) in runs {
        let (mut here, later) = rest.split_at(is.len());
        rest = later;
        let mut replaced = &shown[was.clone()];
        let mut low = was.start.checked_sub(1).map_or(0.0, |before| shown[before].rank);
        let ranks: Vec<f64> = replaced.iter().map(|item| item.rank).collect();
        for (count, place) in Place::taking(&ranks[..Place::taken(&ranks, here.len())]) {
            // The last of the new lines also replaces what is left of the old ones.
            let gone = if here.len() == count { replaced.len() } else { count };
            version.long_term(&here[..count], &ids(&replaced[..gone]), Some(place))?;
            (here, replaced) = (&here[count..], &replaced[gone..]);
            low = place.last(count);
        }
        if here.is_empty() && replaced.is_empty() {
            continue;
        }
        let place = match shown.get(was.end).filter(|_| !here.is_empty()) {
            None => None,
            Some(next) => match Place::between(low, next.rank, here.len()) {
                Some(place) => Some(place),
                // No rank is left between the neighbours, so all lines are written again.
                None => return rewrite(view, (&shown, &hidden), lines, ctx),
            },
        };
        version.long_term(here, &ids(replaced), place)?;
    }
    if version.events.is_empty() {
        let refs = shown.iter().map(reference).collect();
        return Ok(Decision::nothing(Outcome::Present(refs)));
    }
    version.finish_plain()
}

fn ids(items: &[Item]) -> Vec<MemoryId> {
    items.iter().map(|item| item.id).collect()
}

/// Replaces all lines, including those that did not change.
fn rewrite(
    view: &ZoneView,
    (old, hidden): (&[Item], &[Item]),
    lines: &[Line],
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let retires = ids(old);
    let mut version = Version::after(view, ctx);
    version.long_term(&with_numbers(lines.to_vec(), hidden, ctx), &retires, None)?;
    version.finish_plain()
}

/// Adds to a day's note. A new note begins with a heading that names the day.
///
/// # Errors
/// [`Error::Invalid`] if the text is blank.
pub fn daily(view: &ZoneView, text: &str, date: Date, ctx: &Context) -> Result<Decision<Outcome>> {
    let text = text.trim_end().trim_start_matches(['\n', '\r']);
    if is_blank(text) {
        return Err(Error::Invalid("cannot add an empty text to the daily notes".into()));
    }
    let heading = heading(date);
    let text = match view.dailies.contains_key(&date) || text.lines().next() == Some(heading.as_str()) {
        true => text.to_owned(),
        false => format!("{heading}\n\n{text}"),
    };
    let nth = number(&text, view.dailies.get(&date).into_iter().flatten(), ctx.sensitivity);
    let mut version = Version::after(view, ctx);
    let meta = ctx.meta();
    version.note(date, (text, nth), &meta)?;
    version.finish_plain()
}

/// Returns the number of a piece among equal ones, given the pieces that are kept.
fn number<'i>(text: &str, staying: impl Iterator<Item = &'i Item>, sensitivity: Sensitivity) -> u32 {
    entry::numbered([text].into_iter(), &numbers_of(staying, sensitivity))[0]
}

pub(super) fn heading(date: Date) -> String {
    format!("# {date}")
}

/// Groups items by who sees them: each scope has its own, and its confidential ones are apart.
fn by_readers<'i>(items: impl IntoIterator<Item = &'i Item>) -> Vec<Vec<&'i Item>> {
    let readers = |item: &Item| (item.scope.clone(), item.sensitivity == Sensitivity::Confidential);
    let mut groups: Vec<Vec<&Item>> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|group| group.iter().all(|other| readers(other) == readers(item))) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

fn retire_note(version: &mut Version<'_>, date: Date, pieces: &[Item]) -> Result<()> {
    // An entry about a chat's note must not be visible in other chats, nor one about a confidential piece in the chat.
    for note in by_readers(pieces) {
        version.remove_pieces(date, &note)?;
    }
    Ok(())
}

/// Removes the notes of days older than `retention_days` dates ending today, and returns their number.
///
/// 0 keeps all notes.
///
/// # Errors
/// [`Error::Tape`] if an entry cannot be serialized.
pub fn prune(view: &ZoneView, retention_days: u32, ctx: &Context) -> Result<Decision<usize>> {
    pruned(Version::after(view, ctx), view, retention_days)
}

/// Removes old notes as [`prune`] does, because time has passed. The entries name no conversation: the readers of a note may
/// not know the one in which this is written.
///
/// # Errors
/// [`Error::Tape`] if an entry cannot be serialized.
pub fn expire(view: &ZoneView, retention_days: u32, ctx: &Context) -> Result<Decision<usize>> {
    pruned(Version { session: None, ..Version::after(view, ctx) }, view, retention_days)
}

fn pruned(mut version: Version<'_>, view: &ZoneView, retention_days: u32) -> Result<Decision<usize>> {
    if retention_days == 0 {
        return Ok(Decision::nothing(0));
    }
    let first_kept = version.ctx.today().saturating_sub(i64::from(retention_days.min(DAYS_MAX) - 1).days());
    let old: Vec<_> = view.dailies.range(..first_kept).collect();
    if old.is_empty() {
        return Ok(Decision::nothing(0));
    }
    for (date, pieces) in &old {
        retire_note(&mut version, **date, pieces)?;
    }
    Ok(version.finish_plain()?.map(|_| old.len()))
}

/// Removes everything that the view shows of the zone.
///
/// The tape keeps the entries: an earlier point still shows the memories.
///
/// # Errors
/// [`Error::Refused`] if a tool or a page asks to remove what has another origin; [`Error::Tape`] if an entry cannot be
/// serialized.
pub fn clear(view: &ZoneView, ctx: &Context) -> Result<Decision<Outcome>> {
    if view.is_empty() {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    may_remove(view.items(), ctx)?;
    let mut version = Version::after(view, ctx);
    let retires: Vec<_> = view.items().map(|item| Retire::Memory(item.id)).collect();
    version.retired = retires.len();
    version.finish(&ctx.meta().retiring(retires))
}

/// Returns an error if a tool or a page would remove items of another origin.
fn may_remove<'i>(items: impl IntoIterator<Item = &'i Item>, ctx: &Context) -> Result<()> {
    items.into_iter().try_for_each(|item| ctx.may_change(item.origin, || reference(item)))
}

fn reference(item: &Item) -> Ref {
    Ref { form: Form::ZONE, key: item.key.clone(), entry: None }
}
