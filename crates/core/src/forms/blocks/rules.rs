//! The blocks' implementation of [`Rules`].

use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::entry::{self, PROPOSE, REJECT, SET};
use super::merge;
use crate::created::Created;
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Merged, Recreation, RemovalCause, Rules};
use crate::line::{Fields, LineType, PREVIEW_CHARS, copy, field, shorten, text};
use crate::memory::{Form, Memory};
use crate::meta::Meta;
use crate::payload;
use crate::safety::names::{NameField, Named};

impl Form {
    /// The short named texts of document 3 that every prompt of an agent contains.
    pub const BLOCKS: Self = Self::named("blocks");
}

/// The block whose changes are journal lines of the type `focus_change`.
const FOCUS: &str = "current_focus";
/// Type of the journal line about a change of `current_focus`.
const FOCUS_CHANGE: &str = "focus_change";
/// Type of the journal line about a change of any other block.
const BLOCK_UPDATE: &str = "block_update";
/// Type of the journal line about a proposal.
const BLOCK_PROPOSAL: &str = "block_proposal";
/// Type of the journal line about a rejected proposal.
const BLOCK_REJECTION: &str = "block_rejection";

/// The rules of blocks.
#[derive(Debug)]
pub struct Blocks;

impl Rules for Blocks {
    fn form(&self) -> Form {
        Form::BLOCKS
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["block."]
    }

    fn owns(&self, event: &str) -> bool {
        entry::is_ours(event)
    }

    fn creates(&self, event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        entry::creates(event, entry, meta)
    }

    fn names(&self, _event: &str) -> &'static [NameField] {
        &[NameField { at: "/data/name", of: Named::BLOCK }]
    }

    fn bookkeeping(&self, _event: &str) -> &'static [&'static str] {
        &["/data/before", "/data/proposal"]
    }

    fn line_types(&self) -> &'static [LineType] {
        &[
            LineType {
                name: FOCUS_CHANGE,
                tells: "`block.set` of `current_focus`",
                fields: "`block`, `layer`, `preview`, `content`",
                made_by: Some("`memtape block set current_focus TEXT`"),
            },
            LineType {
                name: BLOCK_UPDATE,
                tells: "`block.set` of another block",
                fields: "`block`, `layer`, `preview`, `content`",
                made_by: Some("`memtape block set NAME TEXT`"),
            },
            LineType {
                name: BLOCK_PROPOSAL,
                tells: "`block.propose`",
                fields: "`block`, `layer`",
                made_by: Some("`memory_set_block`"),
            },
            LineType {
                name: BLOCK_REJECTION,
                tells: "`block.reject`",
                fields: "`block`",
                made_by: Some("`memtape block reject NAME`"),
            },
        ]
    }

    fn line_type(&self, event: &str, entry: &Entry) -> Option<&'static str> {
        let is_focus = || {
            let data: Option<Value> = payload::data(entry);
            data.is_some_and(|data| text(&data, "name") == FOCUS)
        };
        match event {
            SET if is_focus() => Some(FOCUS_CHANGE),
            SET => Some(BLOCK_UPDATE),
            PROPOSE => Some(BLOCK_PROPOSAL),
            REJECT => Some(BLOCK_REJECTION),
            _ => None,
        }
    }

    fn line(&self, event: &str, data: &Value, _meta: &Meta) -> Fields {
        let mut fields = Fields::from_iter([field("block", text(data, "name"))]);
        if event != REJECT {
            copy(&mut fields, data, &["layer"]);
            shorten(&mut fields, "preview", text(data, "value"), PREVIEW_CHARS);
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

    fn with_text(&self, memory: &Memory, text: &str) -> Result<Memory> {
        Ok(Memory { text: text.to_owned(), ..memory.clone() })
    }

    fn merge(&self, _base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
        Merged::side(merge::takes_over(ours, theirs))
    }
}
