//! What notes say on the tape, and the memories that bears.
//!
//! A section is a memory, its key `PATH#NAME` (`PATH#` for the preamble). Its text is the section's without the white
//! space around it; that stands in its data, so that no byte is lost. What is not UTF-8 stands on the tape as base64.

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

/// How the names of the events begin.
const PREFIX: &str = "note.";
/// The line end that stands after most sections.
const LINE_END: &str = "\n";

/// What an event says was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A file was written.
    Write,
    /// Parts of it were replaced.
    Patch,
    /// An entry was added to it.
    Append,
    /// A person edited it.
    Edit,
    /// It was deleted.
    Delete,
}

impl Act {
    /// Every act.
    pub const ALL: [Self; 5] = [Self::Write, Self::Patch, Self::Append, Self::Edit, Self::Delete];

    /// The name of its event.
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

/// Whether an event of this name is the form's.
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

/// A section as it stands on the tape.
#[derive(Serialize, Deserialize)]
struct Written {
    /// Empty for the preamble.
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Its bytes, where they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    /// Whether the file's summary in it was computed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    computed: bool,
}

/// A section as an event states it: its name, its bytes, and whether the file's summary in it was computed.
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

/// What the form keeps of a memory besides its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NoteData {
    /// Where it stands among the others of its file.
    pub(super) rank: f64,
    /// Whether the file's summary in it was computed, by [`super::summary`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) computed: bool,
    /// The white space before its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    before: String,
    /// The white space after it, where it is not one line feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// All of its bytes, where they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl NoteData {
    /// A section's text, and what else is kept of it.
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

    /// The same, with a summary that was computed or was not.
    pub(super) fn with_computed(self, computed: bool) -> Self {
        Self { computed, ..self }
    }

    /// The section's bytes.
    pub(super) fn bytes(&self, text: &str) -> Vec<u8> {
        let decoded = self.base64.as_deref().and_then(bytes::decoded);
        decoded.unwrap_or_else(|| {
            let after = self.after.as_deref().unwrap_or(LINE_END);
            [&self.before, text, after].concat().into_bytes()
        })
    }
}

/// The event of a change of a file, with the sections it creates.
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

/// The path of the file that an event of the form is about.
#[must_use]
pub fn path(entry: &Entry) -> Option<NotePath> {
    payload::data::<Note>(entry).and_then(|note| NotePath::written(&note.path))
}

/// The memories that an event of the form bears.
#[must_use]
pub fn creates(entry: &Entry, meta: &Meta) -> Vec<Created> {
    let Some(note) = payload::data::<Note>(entry) else { return Vec::new() };
    let Some(path) = NotePath::written(&note.path) else { return Vec::new() };
    let sections = (0_u32..).zip(note.sections.into_iter().take(SECTIONS_MAX));
    sections.map(|(n, section)| birth(MemoryId::new(entry.id, n), n, &path, section, meta)).collect()
}

fn birth(id: MemoryId, n: u32, path: &NotePath, section: Written, meta: &Meta) -> Created {
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

/// The day that a block says it is about: its first bullet `Date`.
#[must_use]
pub fn date(section: &[u8]) -> Option<Date> {
    let mut plain = sections::lines(section).filter(|line| line.is_plain && !line.is_blank());
    sections::heading(plain.next()?.text)?;
    plain.find_map(|line| field(line.text, "Date")).and_then(|day| calendar::parse_day(&day).ok())
}

/// The value of a bullet of this key.
pub(super) fn field(line: &[u8], key: &str) -> Option<String> {
    let text = sections::bullet(line)?;
    let is_it = sections::key(text)?.eq_ignore_ascii_case(key);
    let text = sections::plain(text);
    let (_, value) = text.split_once([':', '：']).filter(|_| is_it)?;
    Some(value.trim_matches(|c: char| c.is_whitespace() || c == '*').to_owned())
}

/// The middle of a day, which is on that day in most of the world.
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
    fn what_is_not_utf8_hides_no_secret() {
        let bytes = b"- \xFF key: sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKKKLLLLMMMMNNNNOOOOPPPPQQQQRRRRSSSSTTTTUUUUVVVV\n";
        let text = String::from_utf8_lossy(&Written::of(("x", bytes, false)).bytes()).into_owned();
        assert!(text.contains('\u{FFFD}') && !text.contains("AAAABBBB"), "{text}");
    }

    #[test]
    fn a_block_has_the_day_it_names() {
        assert_eq!(date(b"\n## A\n- Summary: x\n- Date: 2026-02-24\n"), "2026-02-24".parse().ok());
        assert_eq!(date(b"## A\n- **Date:** 2026-02-24\n"), "2026-02-24".parse().ok());
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
