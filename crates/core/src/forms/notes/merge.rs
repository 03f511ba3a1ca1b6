//! What branches need of notes: a section born anew, retired, or joined of two that were changed on two branches.

use memtape_tape::Draft;

use super::entry::{self, Act, NoteData};
use super::path::{self, NotePath};
use super::summary;
use super::view::Section;
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::merge3::merge3;
use crate::meta::{Meta, Place};

/// What tells two versions of a section apart: their bytes.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let bytes = read(memory).map_or_else(|_| memory.text.clone().into_bytes(), |(_, section)| section.bytes);
    // What is not UTF-8 is told apart by all of its bytes, not by how it can be read.
    String::from_utf8(bytes).unwrap_or_else(|e| format!("\u{0}{}", hex::encode(e.as_bytes())))
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

/// Two versions of a section as one: by hunks of lines, in our place. `None` where both changed the same lines, or where
/// each was made of nothing; a line that memtape keeps up to date by itself is no reason. Its origin is the one whose
/// word counts less; it is shown to nobody that one of them was not shown to.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn joined(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Result<Option<Memory>> {
    let base = base.map(read).transpose()?.map(|(_, section)| section.bytes);
    let (_, our) = read(ours)?;
    let (_, their) = read(theirs)?;
    let their = summary::kept_up_as(&their.bytes, &our.bytes);
    let bytes = match base {
        Some(base) => merge3(&summary::kept_up_as(&base, &our.bytes), &our.bytes, &their).clean(),
        // Two things of one name: put together they would be neither.
        None => (*their == *our.bytes).then(|| our.bytes.clone()),
    };
    let Some(bytes) = bytes else { return Ok(None) };
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
