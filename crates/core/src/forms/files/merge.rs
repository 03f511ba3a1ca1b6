//! What branches need of files: one born anew, retired, or joined of two that were changed on two branches.

use memtape_tape::Draft;

use super::entry::{self, FileData};
use super::ops;
use super::view::File;
use crate::bytes;
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::merge3::merge3;
use crate::meta::Meta;

/// What tells two versions of a file apart: their bytes.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let bytes = read(memory).map_or_else(|_| memory.text.clone().into_bytes(), |file| file.bytes);
    // What is not UTF-8 is told apart by all of its bytes, not by how it can be read.
    String::from_utf8(bytes).unwrap_or_else(|e| format!("\u{0}{}", hex::encode(e.as_bytes())))
}

fn read(memory: &Memory) -> Result<File> {
    File::read(memory).ok_or_else(|| Error::Invalid(format!("{} cannot be read as a file", memory.version())))
}

/// The event that bears a file anew.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn again(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    let file = read(memory)?;
    Ok(entry::write(&file.path, &file.bytes, file.from.as_deref(), meta, &given.branch)?)
}

/// The event that retires a file: what `meta` says it retires.
///
/// # Errors
/// [`Error::Invalid`] for a memory that is none of the form's.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    Ok(entry::delete(&read(memory)?.path, meta, &given.branch)?)
}

/// A file with another text.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read, and a text that is too long for a file.
pub fn with_text(memory: &Memory, text: &str) -> Result<Memory> {
    let file = read(memory)?;
    ops::check_size(&file.path, text.as_bytes())?;
    let (text, data) = FileData::of(&bytes::with_last_line_ended(text.as_bytes()), file.from);
    Ok(Memory { text, data: serde_json::to_string(&data).ok(), ..memory.clone() })
}

/// Two versions of a file that were made of one, or of none, as one: by hunks of lines. `None` where both changed the
/// same lines. Its origin is the one whose word counts less; it is shown to nobody that one of them was not shown to.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn joined(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Result<Option<Memory>> {
    let base = base.map(read).transpose()?.map(|file| file.bytes).unwrap_or_default();
    let (our, their) = (read(ours)?, read(theirs)?);
    let Some(bytes) = merge3(&base, &our.bytes, &their.bytes).clean() else { return Ok(None) };
    let (text, data) = FileData::of(&bytes, our.from);
    let origin = match (ours.origin, theirs.origin) {
        (Some(one), Some(other)) => Some(one.less_trusted(other)),
        (one, other) => one.or(other),
    };
    Ok(Some(Memory {
        origin,
        sensitivity: ours.sensitivity.max(theirs.sensitivity),
        quarantined: ours.quarantined.clone().or_else(|| theirs.quarantined.clone()),
        text,
        data: serde_json::to_string(&data).ok(),
        ..ours.clone()
    }))
}
