//! Adds what another program remembers: the lines of its documents in their places, and entries at the end of their
//! days.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;

use super::document::{Plan, headings_above, merge};
use super::entry;
use super::ops::{Numbered, Version, heading};
use super::view::{Item, ZoneView};
use crate::audience::Sensitivity;
use crate::decision::{Context, Decision};
use crate::error::Result;
use crate::memory::Origin;
use crate::meta::{Meta, Place};

/// A text to add.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// A line of long-term memory with the empty lines before it, or a piece of the note of a day.
    pub text: String,
    /// When it was written.
    pub at: Timestamp,
    /// The rule by which it is quarantined.
    pub quarantined: Option<String>,
}

/// A version of a document: long-term memory, or the note of a day.
pub struct Document<'d> {
    /// The day; `None` for long-term memory.
    pub date: Option<Date>,
    /// The lines or pieces.
    pub texts: Vec<Text>,
    /// Returns whether the last version had a line of this name ([`super::document`]).
    pub was: Box<dyn Fn(&str) -> bool + 'd>,
    /// Returns whether the last version of another document has a line of this name.
    pub is_shared: Box<dyn Fn(&str) -> bool + 'd>,
}

/// An entry of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct Addition {
    /// The day.
    pub date: Date,
    /// The entry.
    pub text: Text,
    /// Its number among equal texts of the day where it comes from, from 1.
    pub nth: u32,
}

/// What an import changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Numbers of added and of removed lines of each document.
    pub documents: Vec<(usize, usize)>,
    /// Whether each entry was added: not if the zone has its text already as many times as its number says.
    pub additions: Vec<bool>,
}

/// The numbers of equal lines of long-term memory, or of equal pieces of a day. Confidential ones, which are numbered apart,
/// only count.
#[derive(Default)]
struct Equal(HashMap<(Option<Date>, String), Numbers>);

/// The numbers of equal texts.
#[derive(Default)]
struct Numbers {
    taken: HashSet<u32>,
    /// The number up to which all are taken.
    last: u32,
    /// Number of the texts.
    count: usize,
}

impl Equal {
    fn of(view: &ZoneView) -> Self {
        let mut equal = Self::default();
        let dailies = view.dailies.iter().flat_map(|(date, pieces)| pieces.iter().map(|p| (Some(*date), p)));
        for (date, item) in view.long_term.iter().map(|line| (None, line)).chain(dailies) {
            let numbers = equal.numbers(date, bare(item, date));
            numbers.taken.extend((item.sensitivity != Sensitivity::Confidential).then_some(item.nth));
            numbers.count += 1;
        }
        equal
    }

    fn numbers(&mut self, date: Option<Date>, text: &str) -> &mut Numbers {
        self.0.entry((date, text.trim().to_owned())).or_default()
    }

    /// Takes the lowest free number for a text.
    fn take(&mut self, date: Option<Date>, text: &str) -> u32 {
        let numbers = self.numbers(date, text);
        let free = (numbers.last + 1..).find(|number| numbers.taken.insert(*number));
        numbers.last = free.unwrap_or(u32::MAX - 1);
        numbers.count += 1;
        numbers.last
    }
}

/// Returns the text of an item, without the heading that names its day.
fn bare(item: &Item, date: Option<Date>) -> &str {
    date.map_or(item.text.as_str(), |date| without_heading(&item.text, date))
}

/// Returns the text of a piece without the heading that names its day.
fn without_heading(text: &str, date: Date) -> &str {
    text.strip_prefix(&heading(date)).map_or(text, str::trim_start)
}

/// Merges versions of documents into the zone, and adds entries to days, in one version of the zone. No two documents may
/// be of the same day, or both of long-term memory.
///
/// # Errors
/// [`crate::Error::Tape`] if an entry cannot be serialized.
pub fn import_documents(
    view: &ZoneView,
    documents: &[Document<'_>],
    additions: &[Addition],
    ctx: &Context,
) -> Result<Decision<Outcome>> {
    let mut import = Import {
        ctx,
        version: Version::after(view, ctx),
        equal: Equal::of(view),
        begun: view.dailies.keys().copied().collect(),
    };
    let mut outcome = Outcome::default();
    for document in documents {
        outcome.documents.push(import.document(view, document)?);
    }
    for Addition { date, text, nth } in additions {
        let is_blank = text.text.trim().is_empty();
        let there = import.equal.numbers(Some(*date), without_heading(text.text.trim_start(), *date)).count;
        let is_new = !is_blank && there < *nth as usize;
        if is_new {
            import.piece(*date, text, None)?;
        }
        outcome.additions.push(is_new);
    }
    if import.version.is_empty() {
        return Ok(Decision::nothing(outcome));
    }
    Ok(import.version.finish_plain()?.map(|_| outcome))
}

struct Import<'i> {
    ctx: &'i Context,
    version: Version<'i>,
    equal: Equal,
    /// The days that have a note.
    begun: HashSet<Date>,
}

impl Import<'_> {
    /// Merges a version of a document, and returns the numbers of added and of removed lines.
    fn document(&mut self, view: &ZoneView, document: &Document<'_>) -> Result<(usize, usize)> {
        let items: &[Item] = match document.date {
            None => &view.long_term,
            Some(date) => view.dailies.get(&date).map_or(&[], Vec::as_slice),
        };
        let here: Vec<&str> = items.iter().map(|item| bare(item, document.date)).collect();
        let there: Vec<&str> = document.texts.iter().map(|text| text.text.as_str()).collect();
        let may_go =
            |n: usize, name: &str| items[n].origin == Some(Origin::Import) && !(document.is_shared)(name);
        let Plan { added, removed } = merge(&here, &there, &document.was, may_go);
        let ids: Vec<_> = removed.iter().map(|n| items[*n].id).collect();
        match document.date {
            None if ids.is_empty() => {}
            None => self.version.long_term(&[], &ids, None)?,
            Some(date) => ids.iter().try_for_each(|id| self.version.retire(date, &[*id]))?,
        }
        let mut at_the_end: Vec<usize> = Vec::new();
        let mut number = 0;
        let is_first = |at: usize| (0..at).all(|before| removed.contains(&before));
        for (n, (at, lines)) in added.iter().enumerate() {
            number += lines.len();
            let low = at.checked_sub(1).map_or(0.0, |before| items[before].rank);
            if let Some(date) = document.date.filter(|_| n == 0 && is_first(*at)) {
                // The heading of the day is part of its first piece.
                self.begun.remove(&date);
            }
            let room = items.get(*at).map(|next| Place::between(low, next.rank, lines.len()));
            match room {
                None => at_the_end.splice(..0, lines.iter().copied()).for_each(drop),
                // If no number is left between the neighbours, the lines go to the end, below their headings.
                Some(None) => {
                    at_the_end.extend(headings_above(&there, lines[0]));
                    at_the_end.extend(lines);
                }
                Some(place) => self.texts(document, lines, place)?,
            }
        }
        self.texts(document, &at_the_end, None)?;
        Ok((number, removed.len()))
    }

    /// Adds lines of a document, at a place or at the end.
    fn texts(&mut self, document: &Document<'_>, lines: &[usize], place: Option<Place>) -> Result<()> {
        let texts: Vec<&Text> = lines.iter().map(|line| &document.texts[*line]).collect();
        let mut at = place;
        // Lines of the same time and kind are one event.
        let is_one = |one: &&Text, other: &&Text| {
            document.date.is_none() && one.at == other.at && one.quarantined == other.quarantined
        };
        for run in texts.chunk_by(is_one) {
            match document.date {
                Some(date) => self.piece(date, run[0], at)?,
                None => self.lines(run, at)?,
            }
            at = at.map(|place| Place { at: place.last(run.len() + 1), ..place });
        }
        Ok(())
    }

    fn lines(&mut self, texts: &[&Text], place: Option<Place>) -> Result<()> {
        let Some(first) = texts.first() else { return Ok(()) };
        let lines = texts.iter().flat_map(|text| entry::lines(&text.text));
        let lines: Vec<Numbered> = lines
            .map(|line| {
                let nth = self.equal.take(None, &line.text);
                (line, nth)
            })
            .collect();
        let (meta, _) = self.meta(first, place);
        self.version.push(entry::long_term(&lines, first.at, &meta, &self.ctx.branch)?, lines.len());
        Ok(())
    }

    /// Adds a piece to a day, at a place or at the end.
    fn piece(&mut self, date: Date, text: &Text, place: Option<Place>) -> Result<()> {
        let (meta, ctx) = self.meta(text, place);
        let text = text.text.trim_end().trim_start_matches(['\n', '\r']);
        let nth = self.equal.take(Some(date), without_heading(text, date));
        let heading = heading(date);
        let is_headed = !self.begun.insert(date) || text.lines().next() == Some(heading.as_str());
        let text = if is_headed { text.to_owned() } else { format!("{heading}\n\n{text}") };
        self.version.push(entry::daily(date, (text, nth), &meta, &ctx)?, 1);
        Ok(())
    }

    fn meta(&self, text: &Text, place: Option<Place>) -> (Meta, Context) {
        let ctx = Context { now: text.at, ..self.ctx.clone() };
        (Meta { quarantined: text.quarantined.clone(), place, ..ctx.meta() }, ctx)
    }
}
