//! Entries of notes, and the memories they create.
//!
//! A section is a memory with the key `PATH#NAME` (`PATH#` for the preamble). The memory's text is the
//! section without the surrounding white space, which is stored in the memory's data, so that no byte is
//! lost. Sections that are not UTF-8 are stored on the tape as base64.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_tape::{Draft, Entry, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::path::NotePath;
use super::sections::{self, SECTIONS_MAX};
use crate::created::{Created, Search};
use crate::memory::{Form, MemoryId};
use crate::meta::{Meta, Place};
use crate::payload;
use crate::{bytes, calendar};

/// Prefix of the names of the form's events.
const PREFIX: &str = "note.";
/// The line end that follows most sections; it is not stored.
const LINE_END: &str = "\n";

/// The kind of change that an event records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A file was written.
    Write,
    /// Parts of a file were replaced.
    Patch,
    /// A note entry was appended to a file.
    Append,
    /// A person edited a file.
    Edit,
    /// A file was deleted.
    Delete,
}

impl Act {
    /// Every kind of change.
    pub const ALL: [Self; 5] = [Self::Write, Self::Patch, Self::Append, Self::Edit, Self::Delete];

    /// Returns the name of its event.
    #[must_use]
    pub fn event_name(self) -> &'static str {
        match self {
            Self::Write => "note.write",
            Self::Patch => "note.patch",
            Self::Append => "note.append",
            Self::Edit => "note.edit",
            Self::Delete => "note.delete",
        }
    }
}

/// Returns whether an event of this name belongs to the form.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    name.starts_with(PREFIX) && Act::ALL.iter().any(|act| act.event_name() == name)
}

/// The `data` of an event.
#[derive(Serialize, Deserialize)]
struct Note {
    path: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sections: Vec<Written>,
}

/// The representation of a section on the tape.
#[derive(Serialize, Deserialize)]
struct Written {
    /// The section's name; empty for the preamble.
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The section's bytes, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    /// Whether the section contains the file's summary and memtape computed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    computed: bool,
}

/// A section of an event: its name, its bytes, and whether it contains a computed summary of the file.
pub(super) type Stated<'a> = (&'a str, &'a [u8], bool);

impl Written {
    fn of((name, bytes, computed): Stated<'_>) -> Self {
        let (text, base64) = bytes::written(bytes);
        Self { name: name.to_owned(), text, base64, computed }
    }

    fn bytes(self) -> Vec<u8> {
        bytes::read(self.text, self.base64.as_deref())
    }
}

/// The data of a memory besides its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NoteData {
    /// Sort key among the sections of its file.
    pub(super) rank: f64,
    /// Whether the section contains the file's summary and [`super::summary`] computed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) computed: bool,
    /// The white space before its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    before: String,
    /// The white space after its text; `None` if it is one line feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// All of its bytes, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl NoteData {
    /// Splits the bytes of a section into its text and the rest of its data.
    pub(super) fn of(bytes: &[u8], rank: f64) -> (String, Self) {
        let is_space = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        let Ok(whole) = std::str::from_utf8(bytes) else {
            let text = String::from_utf8_lossy(bytes).trim_matches(is_space).to_owned();
            return (
                text,
                Self {
                    rank,
                    computed: false,
                    before: String::new(),
                    after: None,
                    base64: Some(bytes::encoded(bytes)),
                },
            );
        };
        let from_text = whole.trim_start_matches(is_space);
        let text = from_text.trim_end_matches(is_space);
        let after = &from_text[text.len()..];
        let data = Self {
            rank,
            computed: false,
            before: whole[..whole.len() - from_text.len()].to_owned(),
            after: (after != LINE_END).then(|| after.to_owned()),
            base64: None,
        };
        (text.to_owned(), data)
    }

    /// Returns the same data with another value of `computed`.
    pub(super) fn with_computed(self, computed: bool) -> Self {
        Self { computed, ..self }
    }

    /// Returns the section's bytes.
    pub(super) fn bytes(&self, text: &str) -> Vec<u8> {
        let decoded = self.base64.as_deref().and_then(bytes::decoded);
        decoded.unwrap_or_else(|| {
            let after = self.after.as_deref().unwrap_or(LINE_END);
            [&self.before, text, after].concat().into_bytes()
        })
    }
}

/// Returns the event of a change of a file, with the sections it creates.
pub(super) fn draft<'a>(
    act: Act,
    path: &NotePath,
    sections: impl IntoIterator<Item = Stated<'a>>,
    meta: &Meta,
    branch: &str,
) -> Result<Draft> {
    let sections = sections.into_iter().map(Written::of).collect();
    let data = Note { path: path.as_str().to_owned(), sections };
    Draft::new(Kind::Event, &json!({"name": act.event_name(), "data": data}), meta, branch)
}

/// Returns the path of the file that an event of the form changes; `None` if the event names no valid path.
#[must_use]
pub fn path(entry: &Entry) -> Option<NotePath> {
    payload::data::<Note>(entry).and_then(|note| NotePath::written(&note.path))
}

/// Returns the memories that an event of the form creates.
#[must_use]
pub fn creates(entry: &Entry, meta: &Meta) -> Vec<Created> {
    let Some(note) = payload::data::<Note>(entry) else { return Vec::new() };
    let Some(path) = NotePath::written(&note.path) else { return Vec::new() };
    let sections = (0_u32..).zip(note.sections.into_iter().take(SECTIONS_MAX));
    sections.map(|(n, section)| created(MemoryId::new(entry.id, n), n, &path, section, meta)).collect()
}

fn created(id: MemoryId, n: u32, path: &NotePath, section: Written, meta: &Meta) -> Created {
    let key = path.key(&section.name);
    let computed = section.computed;
    let bytes = section.bytes();
    let (text, data) = NoteData::of(&bytes, Place::rank(meta.place, id, n));
    let data = data.with_computed(computed);
    let day = date(&bytes);
    let own =
        if text.is_empty() { String::new() } else { format!("{} {}\n{text}", path.folder(), path.stem()) };
    Created {
        key,
        said_at: day.and_then(noon),
        search: Search { own, after_previous: false, day: day.map(calendar::day_words) },
        text,
        data: serde_json::to_string(&data).ok(),
        ..Created::of(Form::NOTES, id, meta)
    }
}

/// Returns the day that a block names in its first bullet `Date`; `None` if there is no such bullet or date.
#[must_use]
pub fn date(section: &[u8]) -> Option<Date> {
    let mut plain = sections::lines(section).filter(|line| line.is_plain && !line.is_blank());
    sections::heading(plain.next()?.text)?;
    // The bullets of an episode may be a quotation.
    let unquoted = |text: &'_ [u8]| text.strip_prefix(b">").unwrap_or(text).trim_ascii_start().to_vec();
    plain.find_map(|line| field(&unquoted(line.text), "Date")).and_then(|day| calendar::parse_day(&day).ok())
}

/// Returns the value of a bullet with this key; `None` if the line is something else.
pub(super) fn field(line: &[u8], key: &str) -> Option<String> {
    let text = sections::bullet(line)?;
    let is_it = sections::key(text)?.eq_ignore_ascii_case(key);
    let text = sections::plain(text);
    let (_, value) = text.split_once([':', '：']).filter(|_| is_it)?;
    Some(value.trim_matches(|c: char| c.is_whitespace() || c == '*').to_owned())
}

/// Returns noon UTC of a day, which falls on the same day in most time zones.
fn noon(day: Date) -> Option<Timestamp> {
    day.at(12, 0, 0, 0).to_zoned(TimeZone::UTC).ok().map(|noon| noon.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_keeps_its_bytes() {
        for bytes in [
            &b""[..],
            b"\n- a\n",
            b"\xEF\xBB\xBF# T\r\n\r\n",
            b"- a",
            b"  \n",
            b"- \xFF\xFE\n",
            b"\t- a \n\n",
        ] {
            let (text, data) = NoteData::of(bytes, 1.5);
            let data: NoteData = serde_json::from_str(&serde_json::to_string(&data).unwrap()).unwrap();
            assert_eq!(data.bytes(&text), bytes, "{bytes:?}");
            assert_eq!(Written::of(("x", bytes, false)).bytes(), bytes, "{bytes:?}");
        }
        expect_test::expect![[r#"{"rank":2.0,"before":"\n","after":""}"#]]
            .assert_eq(&serde_json::to_string(&NoteData::of(b"\n- a", 2.0).1).unwrap());
    }

    #[test]
    fn a_block_has_the_day_it_names() {
        assert_eq!(date(b"\n## A\n- Summary: x\n- Date: 2026-02-24\n"), "2026-02-24".parse().ok());
        assert_eq!(date(b"## A\n- **Date:** 2026-02-24\n"), "2026-02-24".parse().ok());
        assert_eq!(date(b"## A\n> - Summary: x\n> - Date: 2026-02-24\n"), "2026-02-24".parse().ok());
        for other in [
            &b"## A\n- Date: soon\n"[..],
            b"- Date: 2026-02-24\n",
            b"## A\n```\n- Date: 2026-02-24\n```\n",
            b"",
        ] {
            assert_eq!(date(other), None);
        }
    }
}
