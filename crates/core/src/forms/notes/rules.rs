//! The notes' implementation of [`Rules`].

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::{entry, merge};
use crate::created::Created;
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Merged, Position, Recreation, RemovalCause, Rules};
use crate::line::{Fields, LineType, PREVIEW_CHARS, field, shorten, text, written};
use crate::memory::{Form, Memory};
use crate::meta::Meta;
use crate::safety::names::{NameField, Named};

impl Form {
    /// The sections of the Markdown files of document 2, which a person can edit.
    pub const NOTES: Self = Self::named("notes");
}

/// Type of the journal line about a change of a note.
const NOTE_UPDATE: &str = "note_update";

/// The rules of notes.
#[derive(Debug)]
pub struct Notes;

impl Rules for Notes {
    fn form(&self) -> Form {
        Form::NOTES
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["note."]
    }

    fn owns(&self, event: &str) -> bool {
        entry::is_ours(event)
    }

    fn creates(&self, _event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        entry::creates(entry, meta)
    }

    fn names(&self, _event: &str) -> &'static [NameField] {
        &[
            NameField { at: "/data/path", of: Named::NOTE },
            NameField { at: "/data/sections/*/name", of: Named::SECTION },
        ]
    }

    fn encoded(&self, _event: &str) -> &'static [&'static str] {
        &["/data/sections/*/base64"]
    }

    fn line_types(&self) -> &'static [LineType] {
        &[LineType {
            name: NOTE_UPDATE,
            tells: "`note.*`",
            fields: "`action`, `file`, `preview`, `content`",
            made_by: Some("`memtape note write PATH`"),
        }]
    }

    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        Some(NOTE_UPDATE)
    }

    fn line(&self, event: &str, data: &Value, _meta: &Meta) -> Fields {
        let action = event.trim_start_matches("note.");
        let mut fields = Fields::from_iter([field("action", action), field("file", text(data, "path"))]);
        let sections = data.get("sections").and_then(Value::as_array).into_iter().flatten();
        let whole: String = sections.map(written).collect();
        if !whole.is_empty() {
            shorten(&mut fields, "preview", &whole, PREVIEW_CHARS);
        }
        fields
    }

    fn recreate(&self, memory: &Memory, _how: Recreation, meta: Meta, ctx: &Context) -> Result<Draft> {
        merge::recreate(memory, meta, ctx)
    }

    fn retire(&self, memory: &Memory, _cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
        merge::retire(memory, meta, ctx)
    }

    fn content(&self, memory: &Memory) -> String {
        merge::content(memory)
    }

    fn substance(&self, memory: &Memory) -> String {
        merge::substance(memory)
    }

    fn position(&self, memory: &Memory) -> Option<Position> {
        merge::position(memory)
    }

    fn with_text(&self, memory: &Memory, text: &str) -> Result<Memory> {
        merge::with_text(memory, text)
    }

    fn merge(&self, base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
        Merged::joined(merge::joined(base, ours, theirs))
    }
}
