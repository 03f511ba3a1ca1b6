//! The ledger's implementation of [`Rules`].

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::entry::{self, EventType};
use super::merge;
use super::recreate::{recreate, retiring};
use crate::created::Created;
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Merged, Recreation, RemovalCause, Rules};
use crate::lifetime::Lifetime;
use crate::line::{Fields, LineType, copy, field};
use crate::memory::{Form, Memory};
use crate::meta::Meta;

impl Form {
    /// Facts of a subject, a predicate and an object, of document 1.
    pub const LEDGER: Self = Self::named("ledger");
}

/// Type of the journal line about a change of a fact.
const FACT_UPDATE: &str = "fact_update";

/// The rules of the ledger.
#[derive(Debug)]
pub struct Ledger;

impl Rules for Ledger {
    fn form(&self) -> Form {
        Form::LEDGER
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["ledger."]
    }

    fn owns(&self, event: &str) -> bool {
        EventType::of_event(event).is_some()
    }

    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        EventType::of_event(event).map(|of| entry::creates(of, entry, meta)).unwrap_or_default()
    }

    fn lifetime(&self, entry: &Entry) -> Option<Lifetime> {
        Some(entry::recorded_lifetime(entry))
    }

    fn observed(&self, event: &str, entry: &Entry, meta: &Meta) -> Option<String> {
        entry::observed(event, entry, meta)
    }

    fn is_compared(&self, _memory: &Memory) -> bool {
        true
    }

    fn bookkeeping(&self, _event: &str) -> &'static [&'static str] {
        &["/data/id", "/data/parent_id"]
    }

    fn line_types(&self) -> &'static [LineType] {
        &[LineType {
            name: FACT_UPDATE,
            tells: "`ledger.*`",
            fields: "`action`, `subject`, `predicate`, `object`, `scope`, `confidence`",
            made_by: Some("`memtape fact add`"),
        }]
    }

    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        Some(FACT_UPDATE)
    }

    fn line(&self, event: &str, data: &Value, _meta: &Meta) -> Fields {
        let action = EventType::of_event(event).map_or("", EventType::as_str);
        let mut fields = Fields::from_iter([field("action", action)]);
        copy(&mut fields, data, &["subject", "predicate", "object", "scope", "confidence"]);
        fields
    }

    fn recreate(&self, memory: &Memory, how: Recreation, meta: Meta, ctx: &Context) -> Result<Draft> {
        recreate(memory, how, &meta, ctx)
    }

    fn retire(&self, memory: &Memory, cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
        // A fact that is no longer true can be confirmed again.
        let is_deprecated = cause.is_event(entry::DEPRECATE);
        let event_type = if is_deprecated { EventType::Deprecate } else { EventType::Forget };
        retiring(memory, event_type, meta, ctx)
    }

    fn content(&self, memory: &Memory) -> String {
        merge::content(memory)
    }

    fn with_text(&self, memory: &Memory, text: &str) -> Result<Memory> {
        Ok(merge::with_other(memory, text))
    }

    fn merge(&self, _base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
        Merged::side(merge::agreed(ours, theirs))
    }
}
