//! Copying, restoring, removing and merging files.

use memtape_tape::Draft;
use serde::de::IgnoredAny;

use super::entry::{self, FileData};
use super::ops;
use super::view::File;
use crate::bytes;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::merge3::merge3;
use crate::meta::Meta;

/// Returns what distinguishes two versions of a file: their bytes.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let bytes = read(memory).map_or_else(|_| memory.text.clone().into_bytes(), |file| file.bytes);
    bytes::distinct(bytes)
}

fn read(memory: &Memory) -> Result<File> {
    File::read(memory).ok_or_else(|| Error::Invalid(format!("{} is not a readable file", memory.version())))
}

/// Returns the event that copies or restores a file.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a file.
pub fn recreate(memory: &Memory, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let file = read(memory)?;
    Ok(entry::write(&file.path, &file.bytes, file.from.as_deref(), meta, &ctx.branch)?)
}

/// Returns the event that deletes the file. `meta` names the versions that it removes.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a file.
pub fn retire(memory: &Memory, meta: &Meta, ctx: &Context) -> Result<Draft> {
    Ok(entry::delete(&read(memory)?.path, meta, &ctx.branch)?)
}

/// Returns a file with another text, with the line ends of the file.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a file, or the text is larger than
/// [`ops::FILE_BYTES_MAX`].
pub fn with_text(memory: &Memory, text: &str) -> Result<Memory> {
    let file = read(memory)?;
    let end = bytes::line_end(&file.bytes);
    let mut text = bytes::with_line_ends(text, end);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    ops::check_size(&file.path, text.as_bytes())?;
    let (text, data) = FileData::of(text.as_bytes(), file.from);
    Ok(Memory { text, data: serde_json::to_string(&data).ok(), ..memory.clone() })
}

/// Joins two versions of a file by hunks of lines.
///
/// `None` if both changed the same lines, or if both are JSON documents and the joined text is none. Two files without a
/// `base` are unrelated: they are joined only if one contains the other. The result has the less trusted origin and the
/// higher sensitivity, and is quarantined if either version is.
///
/// # Errors
/// [`Error::Invalid`] if a memory cannot be read as a file.
pub fn joined(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Result<Option<Memory>> {
    let base = base.map(read).transpose()?.map(|file| file.bytes);
    let (our, their) = (read(ours)?, read(theirs)?);
    let Some(bytes) = merge3(base.as_deref().unwrap_or_default(), &our.bytes, &their.bytes).clean() else {
        return Ok(None);
    };
    let is_one_of_them = bytes == our.bytes || bytes == their.bytes;
    let is_broken = || is_json(&our.bytes) && is_json(&their.bytes) && !is_json(&bytes);
    if !is_one_of_them && (base.is_none() || is_broken()) {
        return Ok(None);
    }
    let (text, data) = FileData::of(&bytes, our.from);
    Ok(Some(ours.merged_with(theirs, text, serde_json::to_string(&data).ok())))
}

fn is_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}
