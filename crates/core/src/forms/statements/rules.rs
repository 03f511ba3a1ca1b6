//! The statements' implementation of [`Rules`].

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::entry::{self, BACKFILL};
use super::merge;
use crate::category::Category;
use crate::created::Created;
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Merged, Recreation, RemovalCause, Rules};
use crate::line::{Fields, LineType, PREVIEW_CHARS, copy, field, shorten};
use crate::memory::{Form, Memory};
use crate::meta::Meta;
use crate::safety::names::{NameField, Named};

impl Form {
    /// What people said about themselves and decided, in the categories of document 4.
    pub const STATEMENTS: Self = Self::named("statements");
}

/// Type of the journal line about a change of a statement.
const STATEMENT_UPDATE: &str = "statement_update";

/// The rules of statements.
#[derive(Debug)]
pub struct Statements;

impl Rules for Statements {
    fn form(&self) -> Form {
        Form::STATEMENTS
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["statement."]
    }

    fn owns(&self, event: &str) -> bool {
        entry::is_ours(event)
    }

    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        entry::creates(event, entry, meta)
    }

    fn category(&self, entry: &Entry) -> Option<Category> {
        entry::category(entry)
    }

    fn is_compared(&self, _memory: &Memory) -> bool {
        true
    }

    fn names(&self, event: &str) -> &'static [NameField] {
        match event {
            BACKFILL => &[NameField { at: "/data/files/*/file", of: Named::FILE }],
            _ => &[NameField { at: "/data/place", of: Named::FILE }],
        }
    }

    fn bookkeeping(&self, event: &str) -> &'static [&'static str] {
        match event {
            BACKFILL => &["/data/files/*/sha256"],
            _ => &["/data/from"],
        }
    }

    fn line_types(&self) -> &'static [LineType] {
        &[LineType {
            name: STATEMENT_UPDATE,
            tells: "`statement.*`",
            fields: "`action`, `category`, `preview`, `content`",
            made_by: Some("`memtape add`"),
        }]
    }

    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        Some(STATEMENT_UPDATE)
    }

    fn line(&self, event: &str, data: &Value, _meta: &Meta) -> Fields {
        let mut fields = Fields::from_iter([field("action", event.trim_start_matches("statement."))]);
        copy(&mut fields, data, &["category", "files"]);
        if let Some(text) = data.get("text").and_then(Value::as_str) {
            shorten(&mut fields, "preview", text, PREVIEW_CHARS);
        }
        fields
    }

    fn recreate(&self, memory: &Memory, how: Recreation, meta: Meta, ctx: &Context) -> Result<Draft> {
        merge::recreate(memory, how, &meta, ctx)
    }

    fn retire(&self, memory: &Memory, cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
        merge::retire(memory, cause, meta, ctx)
    }

    fn content(&self, memory: &Memory) -> String {
        merge::content(memory)
    }

    fn merge(&self, _base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
        Merged::joined(merge::joined(ours, theirs).map(Some))
    }
}
