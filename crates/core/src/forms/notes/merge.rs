//! What branches need of notes: a section born anew, retired, or joined of two that were changed on two branches.

use memtape_tape::Draft;

use super::entry::{self, Act, NoteData};
use super::merge3::merge3;
use super::path::{self, NotePath};
use super::view::Section;
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::meta::{Meta, Place};

/// What tells two versions of a section apart: their bytes.
#[must_use]
pub fn content(memory: &Memory) -> Vec<u8> {
    read(memory).map_or_else(|_| memory.text.clone().into_bytes(), |(_, section)| section.bytes)
}

fn read(memory: &Memory) -> Result<(NotePath, Section)> {
    Section::read(memory)
        .ok_or_else(|| Error::Invalid(format!("{} cannot be read as a note's section", memory.version())))
}

/// The event that bears a section anew, in its place.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn again(memory: &Memory, meta: Meta, given: &Given) -> Result<Draft> {
    let (path, section) = read(memory)?;
    let meta = Meta { place: Some(Place { at: section.rank, step: 0.0 }), ..meta };
    let sections = [(section.name.as_str(), section.bytes.as_slice())];
    Ok(entry::draft(Act::Write, &path, sections, &meta, &given.branch)?)
}

/// The event that retires a section: what `meta` says it retires.
///
/// # Errors
/// [`Error::Invalid`] for a memory that is none of the form's.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    let path = path::of_key(&memory.key).and_then(|(path, _)| NotePath::written(path));
    let path = path.ok_or_else(|| Error::Invalid(format!("{} is no section of a note", memory.version())))?;
    Ok(entry::draft(Act::Write, &path, [], meta, &given.branch)?)
}

/// Two versions of a section that were made of one, as one: by hunks of lines, in our place. `None` where both changed
/// the same lines. Its origin is the one whose word counts less; it is shown to nobody that one of them was not shown
/// to.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn joined(base: &Memory, ours: &Memory, theirs: &Memory) -> Result<Option<Memory>> {
    let (_, base) = read(base)?;
    let (_, our) = read(ours)?;
    let (_, their) = read(theirs)?;
    let Some(bytes) = merge3(&base.bytes, &our.bytes, &their.bytes).clean() else { return Ok(None) };
    let (text, data) = NoteData::of(&bytes, our.rank);
    let origin = match (ours.origin, theirs.origin) {
        (Some(one), Some(other)) => Some(one.less_trusted(other)),
        (one, other) => one.or(other),
    };
    Ok(Some(Memory {
        origin,
        sensitivity: ours.sensitivity.max(theirs.sensitivity),
        quarantined: ours.quarantined.clone().or_else(|| theirs.quarantined.clone()),
        said_at: ours.said_at.max(theirs.said_at),
        text,
        data: serde_json::to_string(&data).ok(),
        ..ours.clone()
    }))
}

#[cfg(test)]
mod tests;
