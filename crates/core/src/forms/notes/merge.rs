//! Copying, restoring, removing and merging sections of notes.

use jiff::civil::Date;
use memtape_tape::Draft;

use super::entry::{self, Act, NoteData};
use super::path::{self, NotePath};
use super::sections::{self, Start};
use super::summary;
use super::view::Section;
use crate::bytes;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::form::Position;
use crate::memory::{Form, Memory};
use crate::merge_key::MergeKey;
use crate::merge3::merge3;
use crate::meta::{Meta, Place};

/// Returns what distinguishes two versions of a section: their bytes.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let bytes = read(memory).map_or_else(|_| memory.text.clone().into_bytes(), |(_, section)| section.bytes);
    bytes::distinct(bytes)
}

/// Returns the part of [`content`] that somebody chose: without blank lines at the ends, a computed summary, and the day of
/// the last change.
#[must_use]
pub fn substance(memory: &Memory) -> String {
    let Ok((_, section)) = read(memory) else { return content(memory) };
    let bytes = match section.is_computed {
        true => summary::without(&section.bytes),
        false => section.bytes,
    };
    let bytes = summary::updated(&bytes, Date::MIN);
    let blank = |bytes: &[u8]| bytes.trim_ascii().is_empty();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let start = lines.iter().take_while(|line| blank(line)).count();
    let end = lines.iter().rposition(|line| !blank(line)).map_or(start, |last| last + 1);
    let bytes = lines[start..end].concat();
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|e| format!("\u{0}{}", hex::encode(e.as_bytes())))
}

/// Returns the place of a section in its file; `None` for the preamble, which is always the first.
#[must_use]
pub fn position(memory: &Memory) -> Option<Position> {
    let (path, section) = Section::read(memory).filter(|(_, section)| !section.is_preamble())?;
    Some(Position { of: path.as_str().to_owned(), rank: section.rank, gap: 0 })
}

/// Returns the path of the file that contains a memory; `None` if the memory belongs to another form.
#[must_use]
pub fn path_of(merge_key: &MergeKey) -> Option<NotePath> {
    let (path, _) = path::of_key(&merge_key.key).filter(|_| merge_key.form() == Form::NOTES)?;
    NotePath::written(path)
}

/// Returns a section in which the summary is replaced by another computed one.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a section.
pub fn with_summary(memory: &Memory, summary: &str) -> Result<Memory> {
    let (_, section) = read(memory)?;
    let (text, data) = NoteData::of(&summary::with(&section.bytes, summary), section.rank);
    let data = data.with_computed(true);
    Ok(Memory { text, data: serde_json::to_string(&data).ok(), ..memory.clone() })
}

fn read(memory: &Memory) -> Result<(NotePath, Section)> {
    Section::read(memory)
        .ok_or_else(|| Error::Invalid(format!("{} is not a readable section of a note", memory.version())))
}

/// Returns the event that copies or restores a section at its old position.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a section.
pub fn recreate(memory: &Memory, meta: Meta, ctx: &Context) -> Result<Draft> {
    let (path, section) = read(memory)?;
    let meta = Meta { place: Some(Place { at: section.rank, step: 0.0 }), ..meta };
    let sections = [(section.name.as_str(), section.bytes.as_slice(), section.is_computed)];
    Ok(entry::draft(Act::Write, &path, sections, &meta, &ctx.branch)?)
}

/// Returns the event that removes the sections that `meta` names.
///
/// # Errors
/// [`Error::Invalid`] if the key of the memory is not that of a section.
pub fn retire(memory: &Memory, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let path = path::of_key(&memory.key).and_then(|(path, _)| NotePath::written(path));
    let path =
        path.ok_or_else(|| Error::Invalid(format!("{} is not a section of a note", memory.version())))?;
    Ok(entry::draft(Act::Write, &path, [], meta, &ctx.branch)?)
}

/// Returns a section with another text, at the same position and with the line ends of the section.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a section, or if the text is blank, more than one section, or another
/// section: one with another heading, or whose bullet has another key.
pub fn with_text(memory: &Memory, text: &str) -> Result<Memory> {
    let (_, section) = read(memory)?;
    let old = section.bytes;
    let start = old.len() - old.trim_ascii_start().len();
    let end = old.trim_ascii_end().len().max(start);
    let text = bytes::with_line_ends(text.trim(), bytes::line_end(&old));
    let count = |bytes: &[u8]| sections::split(bytes).1.iter().filter(|section| !section.is_empty()).count();
    let is_version = match (sections::start(&old), sections::start(text.as_bytes())) {
        _ if section.name.is_empty() => !sections::split(text.as_bytes()).1[0].is_empty(),
        (Start::Bullet(None), Start::Bullet(_)) => true,
        (old, new) => old == new,
    };
    if !is_version || count(text.as_bytes()) > count(&old).max(1) {
        return Err(Error::Invalid(format!(
            "{} is one section of a note: the new text must also be this section, with its heading or \
             bullet",
            memory.reference()
        )));
    }
    let bytes = [&old[..start], text.as_bytes(), &old[end..]].concat();
    let (text, data) = NoteData::of(&bytes, section.rank);
    Ok(Memory { text, data: serde_json::to_string(&data).ok(), ..memory.clone() })
}

/// Joins two versions of a section by hunks of lines, at our position.
///
/// `None` if both changed the same lines, or if there is no `base` and they differ. Differences in lines that
/// memtape maintains itself (a computed summary, the `Updated` day) are ignored. The result has the less
/// trusted origin and the higher sensitivity, and is quarantined if either version is.
///
/// # Errors
/// [`Error::Invalid`] if a memory cannot be read as a section.
pub fn joined(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Result<Option<Memory>> {
    let base = base.map(read).transpose()?.map(|(_, section)| section.bytes);
    let (_, our) = read(ours)?;
    let (_, their) = read(theirs)?;
    // A computed summary is not a change, and a person's summary takes precedence.
    let summary = match (our.is_computed, their.is_computed) {
        (false, false) => None,
        (true, false) => summary::read(&their.bytes).or_else(|| summary::read(&our.bytes)),
        (_, true) => summary::read(&our.bytes).or_else(|| summary::read(&their.bytes)),
    };
    let kept_up = |bytes: &[u8]| summary::kept_up_as(bytes, summary.as_deref(), &our.bytes);
    let (ours_kept, theirs_kept) = (kept_up(&our.bytes), kept_up(&their.bytes));
    let bytes = match base {
        Some(base) => merge3(&kept_up(&base), &ours_kept, &theirs_kept).clean(),
        // Without a base, two sections of the same name are unrelated, so they are not joined.
        None => (theirs_kept == ours_kept).then_some(ours_kept),
    };
    let Some(bytes) = bytes else { return Ok(None) };
    let (text, data) = NoteData::of(&bytes, our.rank);
    let data = data.with_computed(our.is_computed && their.is_computed);
    let merged = ours.merged_with(theirs, text, serde_json::to_string(&data).ok());
    Ok(Some(Memory { said_at: ours.said_at.max(theirs.said_at), ..merged }))
}

#[cfg(test)]
mod tests;
