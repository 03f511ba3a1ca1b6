//! Entries of files, and the memories they create.
//!
//! Content that is not UTF-8 is stored on the tape as base64; the text of its memory has replacement
//! characters.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_tape::{Draft, Entry, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::path::FilePath;
use crate::created::{Created, Search};
use crate::memory::{Form, MemoryId};
use crate::meta::Meta;
use crate::payload;
use crate::{bytes, calendar};

/// Name of the event that writes a file.
pub const WRITE: &str = "file.write";
/// Name of the event that deletes a file.
pub const DELETE: &str = "file.delete";
/// The names of the form's events.
pub const NAMES: [&str; 2] = [WRITE, DELETE];

/// Returns whether an event of this name belongs to the form.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The `data` of an event.
#[derive(Serialize, Deserialize)]
struct Written {
    path: String,
    /// The path before the file was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The file's bytes, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

/// The data of a memory besides its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileData {
    /// The path before the file was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    /// The file's bytes, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl FileData {
    /// Splits the bytes of a file into its text and the rest of its data.
    pub(super) fn of(content: &[u8], from: Option<String>) -> (String, Self) {
        match std::str::from_utf8(content) {
            Ok(text) => (text.to_owned(), Self { from, base64: None }),
            Err(_) => (
                String::from_utf8_lossy(content).into_owned(),
                Self { from, base64: Some(bytes::encoded(content)) },
            ),
        }
    }

    /// Returns the size of the whole file in bytes, given the size of its text.
    pub(super) fn size(&self, text_size: usize) -> usize {
        self.base64.as_deref().and_then(bytes::decoded).map_or(text_size, |bytes| bytes.len())
    }

    /// Returns the file's bytes.
    pub(super) fn bytes(&self, text: &str) -> Vec<u8> {
        let decoded = self.base64.as_deref().and_then(bytes::decoded);
        decoded.unwrap_or_else(|| text.as_bytes().to_vec())
    }
}

/// Returns the event that writes a file. `from` is the path before it was moved.
pub(super) fn write(
    path: &FilePath,
    content: &[u8],
    from: Option<&str>,
    meta: &Meta,
    branch: &str,
) -> Result<Draft> {
    let (text, base64) = bytes::written(content);
    let data = Written { path: path.as_str().to_owned(), from: from.map(str::to_owned), text, base64 };
    Draft::new(Kind::Event, &json!({"name": WRITE, "data": data}), meta, branch)
}

/// Returns the event that deletes a file.
pub(super) fn delete(path: &FilePath, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": DELETE, "data": {"path": path.as_str()}}), meta, branch)
}

/// Returns the path of the file that an event of the form changes; `None` if the event names no valid path.
#[must_use]
pub fn path(entry: &Entry) -> Option<FilePath> {
    payload::data::<Written>(entry).and_then(|written| FilePath::new(&written.path).ok())
}

/// Returns the bytes that an event of the form writes; `None` if it writes none.
#[must_use]
pub fn content(entry: &Entry) -> Option<Vec<u8>> {
    let written = payload::data::<Written>(entry)?;
    (written.text.is_some() || written.base64.is_some())
        .then(|| bytes::read(written.text, written.base64.as_deref()))
}

/// Returns the memory that an event of the form creates, if any.
#[must_use]
pub fn creates(name: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
    let Some(written) = payload::data::<Written>(entry).filter(|_| name == WRITE) else {
        return Vec::new();
    };
    let Ok(path) = FilePath::new(&written.path) else { return Vec::new() };
    let from = written.from;
    let (text, data) = FileData::of(&bytes::read(written.text, written.base64.as_deref()), from);
    let day = date(&path);
    let name = format!("{} {}", path.folder(), path.stem());
    let own = format!("{}\n{text}", name.trim_start());
    let data = (data != FileData::default()).then(|| serde_json::to_string(&data).ok()).flatten();
    vec![Created {
        key: path.as_str().to_owned(),
        said_at: day.and_then(noon),
        search: Search { own, after_previous: false, day: day.map(calendar::day_words) },
        text,
        data,
        ..Created::of(Form::FILES, MemoryId::new(entry.id, 0), meta)
    }]
}

/// Returns the day that a file is about: its name, if that is a date.
#[must_use]
pub fn date(path: &FilePath) -> Option<Date> {
    calendar::parse_day(path.stem()).ok()
}

/// Returns noon UTC of a day, which falls on the same day in most time zones.
fn noon(day: Date) -> Option<Timestamp> {
    day.at(12, 0, 0, 0).to_zoned(TimeZone::UTC).ok().map(|noon| noon.timestamp())
}
