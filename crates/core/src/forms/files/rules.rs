//! The files' implementation of [`Rules`].

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::{entry, merge};
use crate::created::Created;
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Merged, Recreation, RemovalCause, Rules};
use crate::line::{Fields, LineType, PREVIEW_CHARS, field, shorten, text, written};
use crate::memory::{Form, Memory};
use crate::meta::Meta;
use crate::payload;
use crate::safety::names::{NameField, Named};

impl Form {
    /// The long Markdown texts of document 3, which a person can edit.
    pub const FILES: Self = Self::named("files");
}

/// The folder of insights.
const INSIGHTS: &str = "insights/";
/// Type of the journal line about a new insight.
const INSIGHT: &str = "insight";
/// Type of the journal line about a change of any other file.
const FILE_UPDATE: &str = "file_update";

/// The rules of files.
#[derive(Debug)]
pub struct Files;

impl Rules for Files {
    fn form(&self) -> Form {
        Form::FILES
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["file."]
    }

    fn owns(&self, event: &str) -> bool {
        entry::is_ours(event)
    }

    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        entry::creates(event, entry, meta)
    }

    fn names(&self, _event: &str) -> &'static [NameField] {
        &[NameField { at: "/data/path", of: Named::FILE }, NameField { at: "/data/from", of: Named::FILE }]
    }

    fn encoded(&self, _event: &str) -> &'static [&'static str] {
        &["/data/base64"]
    }

    fn line_types(&self) -> &'static [LineType] {
        &[
            LineType {
                name: INSIGHT,
                tells: "`file.write` under `insights/`",
                fields: "`content`, `file`",
                made_by: Some("`memtape file write insights/DAY.md TEXT`"),
            },
            LineType {
                name: FILE_UPDATE,
                tells: "other `file.*`",
                fields: "`action`, `file`, `preview`, `content`",
                made_by: Some("`memtape file write PATH TEXT`"),
            },
        ]
    }

    fn line_type(&self, event: &str, entry: &Entry) -> Option<&'static str> {
        let data: Value = payload::data(entry).unwrap_or_default();
        let is_insight = event == entry::WRITE && text(&data, "path").starts_with(INSIGHTS);
        Some(if is_insight { INSIGHT } else { FILE_UPDATE })
    }

    fn line(&self, event: &str, data: &Value, _meta: &Meta) -> Fields {
        let path = text(data, "path");
        let action = event.trim_start_matches("file.");
        if event == entry::WRITE && path.starts_with(INSIGHTS) {
            return Fields::from_iter([field("content", &written(data)), field("file", path)]);
        }
        let mut fields = Fields::from_iter([field("action", action), field("file", path)]);
        if data.get("text").or_else(|| data.get("base64")).is_some() {
            shorten(&mut fields, "preview", &written(data), PREVIEW_CHARS);
        }
        fields
    }

    fn recreate(&self, memory: &Memory, _how: Recreation, meta: Meta, ctx: &Context) -> Result<Draft> {
        merge::recreate(memory, &meta, ctx)
    }

    fn retire(&self, memory: &Memory, _cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
        merge::retire(memory, meta, ctx)
    }

    fn content(&self, memory: &Memory) -> String {
        merge::content(memory)
    }

    fn with_text(&self, memory: &Memory, text: &str) -> Result<Memory> {
        merge::with_text(memory, text)
    }

    fn merge(&self, base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
        Merged::joined(merge::joined(base, ours, theirs))
    }
}
