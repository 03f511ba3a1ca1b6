//! The zone's implementation of [`Rules`].

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::{entry, merge};
use crate::created::Created;
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Merged, Position, Recreation, RemovalCause, Rules};
use crate::line::{Fields, LineType, PREVIEW_CHARS, copy, field, shorten, text};
use crate::memory::{Form, Memory};
use crate::meta::Meta;

impl Form {
    /// The long-term lines and daily notes of document 0.
    pub const ZONE: Self = Self::named("zone");
}

/// Type of the journal line about a change of the zone.
const ZONE_UPDATE: &str = "zone_update";

/// The rules of the zone.
#[derive(Debug)]
pub struct Zone;

impl Rules for Zone {
    fn form(&self) -> Form {
        Form::ZONE
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["memory."]
    }

    fn owns(&self, event: &str) -> bool {
        entry::is_ours(event)
    }

    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        entry::creates(event, entry, meta)
    }

    fn has_slots(&self) -> bool {
        false
    }

    /// A daily note is no single statement, and headings and horizontal rules state nothing.
    fn is_compared(&self, memory: &Memory) -> bool {
        let is_day = memory.key.parse::<jiff::civil::Date>().is_ok();
        let is_heading = memory.text.trim_start().starts_with('#');
        !is_day && !is_heading && memory.text.contains(char::is_alphanumeric)
    }

    fn line_types(&self) -> &'static [LineType] {
        &[LineType {
            name: ZONE_UPDATE,
            tells: "`memory.long_term`, `memory.daily`",
            fields: "`action`, `date`, `preview`, `content`",
            made_by: Some("`memtape remember TEXT`"),
        }]
    }

    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        Some(ZONE_UPDATE)
    }

    /// The action is `long_term` or `daily` if text was added, and `forget` if it was only removed.
    fn line(&self, event: &str, data: &Value, meta: &Meta) -> Fields {
        let content = text(data, "content");
        let forgets = content.is_empty() && !meta.retires.is_empty();
        let action = if forgets { "forget" } else { event.trim_start_matches("memory.") };
        let mut fields = Fields::from_iter([field("action", action)]);
        copy(&mut fields, data, &["date"]);
        if !content.is_empty() {
            shorten(&mut fields, "preview", content, PREVIEW_CHARS);
        }
        fields
    }

    fn recreate(&self, memory: &Memory, _how: Recreation, meta: Meta, ctx: &Context) -> Result<Draft> {
        merge::recreate(memory, meta, ctx)
    }

    fn retire(&self, memory: &Memory, _cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
        merge::retire(memory, meta, ctx)
    }

    fn piece(&self, memory: &Memory) -> Option<String> {
        merge::piece(memory)
    }

    fn position(&self, memory: &Memory) -> Option<Position> {
        merge::position(memory)
    }

    /// A line that both sides have is the same line.
    fn merge(&self, _base: Option<&Memory>, _ours: &Memory, _theirs: &Memory) -> Merged {
        Merged::Ours
    }
}
