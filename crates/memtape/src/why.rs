//! The provenance of a memory: its source, its changes, and the turns that recalled it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_core::forms::blocks::Block;
use memtape_core::forms::statements::entry::{CORRECTED, REST};
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::projection::{Projection, project};
use memtape_core::turn::message_of;
use memtape_core::{Audience, Form, Memory, Meta, Origin, Point, Ref};
use memtape_index::Reader;
use memtape_tape::EntryId;

use crate::error::{Error, Result};
use crate::recall::said;
use crate::show::names_whole_note;
use crate::versions::operation;
use crate::workspace::{At, Workspace, conversation_of};

/// The provenance of a memory, as far as an audience sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// The versions, oldest first.
    pub versions: Vec<MemoryVersion>,
    /// The messages of the turns whose prompt contained a version, oldest first.
    pub recalls: Vec<QuotedMessage>,
    /// The last versions of the statements captured from it if it is a message, oldest first.
    pub captured: Vec<MemoryVersion>,
}

/// A version of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryVersion {
    /// The reference of the version.
    pub reference: Ref,
    /// The memory.
    pub memory: Memory,
    /// The entry that created it.
    pub change: ChangeEntry,
    /// The message it was captured from; `None` if there is none that the audience sees.
    pub from: Option<QuotedMessage>,
    /// The message that corrected or ended a part of what that message said, so that this version remained; `None` if none
    /// did or the audience does not see it.
    pub changed_by: Option<QuotedMessage>,
    /// The place in an older file that it was imported from.
    pub place: Option<String>,
    /// The rule that captured it.
    pub rule: Option<String>,
    /// The proposal that the owner approved, if the change was proposed.
    pub proposal: Option<Ref>,
    /// The entry that ended it; `None` if it is current.
    pub end: Option<ChangeEntry>,
    /// Whether the commit that ended it created another version in its place.
    pub is_superseded: bool,
}

impl MemoryVersion {
    /// Returns the rule that captured it, in words for a reader.
    #[must_use]
    pub fn rule_in_words(&self) -> Option<&str> {
        match self.rule.as_deref() {
            Some(REST) => Some("the rest of a statement, a part of which was removed"),
            rule => rule,
        }
    }
}

/// An entry that changed a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeEntry {
    /// The entry.
    pub entry: EntryId,
    /// The date when it was appended.
    pub date: Timestamp,
    /// The name of the event, or the kind of the entry.
    pub name: String,
    /// The origin of the change.
    pub origin: Option<Origin>,
    /// The recorded reason, if any.
    pub reason: Option<String>,
}

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedMessage {
    /// The reference of the message.
    pub reference: Ref,
    /// The speaker.
    pub speaker: String,
    /// When it was said.
    pub said_at: Timestamp,
    /// The conversation.
    pub session: Option<String>,
    /// The text.
    pub text: String,
}

impl Workspace {
    /// Returns the provenance of a memory at a point: the message it came from, every turn that recalled it,
    /// and every change.
    ///
    /// What the audience does not see is left out.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the reference names no memory that the audience ever saw; [`Error::Store`] if
    /// `at` does not exist or the index cannot be read.
    pub fn why(&self, reference: &Ref, audience: &Audience, at: &At) -> Result<Why> {
        let why = self.read(at, audience, &conversation_of(audience), |reader, point| {
            story(reader, reference, audience, point)
        })?;
        match why.versions.is_empty() {
            true => Err(names_whole_note(reference)
                .unwrap_or_else(|| Error::NotFound(format!("{reference} never existed")))),
            false => Ok(why),
        }
    }
}

fn story(
    reader: &Reader<'_>,
    reference: &Ref,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<Why> {
    let mut memories = reader.versions(reference, audience, point)?;
    memories.retain(|memory| reference.entry.is_none_or(|entry| memory.id.entry() == entry));
    let mut versions = Vec::with_capacity(memories.len());
    // A turn that recalled two versions is reported once.
    let mut recalls = BTreeMap::new();
    for memory in memories {
        for (begin, _) in reader.recalls(memory.id, point)? {
            let asked = Ref::of_message(message_of(begin));
            recalls.extend(spoken(reader, &asked, audience, point)?.map(|spoken| (begin, spoken)));
        }
        versions.push(version(reader, memory, audience, point)?);
    }
    let captured = match reference.form {
        Form::MESSAGES => reader.captured_from(&Ref { entry: None, ..reference.clone() }, audience, point)?,
        _ => Vec::new(),
    };
    let captured = captured.into_iter().map(|memory| version(reader, memory, audience, point));
    let captured = captured.collect::<memtape_index::Result<_>>()?;
    Ok(Why { versions, recalls: recalls.into_values().collect(), captured })
}

/// Returns a version of a memory with the entries that created and ended it.
pub(crate) fn version(
    reader: &Reader<'_>,
    memory: Memory,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<MemoryVersion> {
    let end = reader.retired_by(memory.id, point)?;
    let is_superseded = match end {
        Some(entry) => {
            let group = reader.group_with(entry)?;
            let all = reader.versions(&memory.reference(), audience, point)?;
            all.iter().any(|version| (group.first..=group.last).contains(&version.id.entry()))
        }
        None => false,
    };
    let held = StoredStatement::data(&memory).filter(|_| memory.form == Form::STATEMENTS);
    let is_changed = held.as_ref().is_some_and(|data| matches!(data.rule.as_deref(), Some(CORRECTED | REST)));
    let turn = if is_changed { reader.turn_with(memory.id.entry())? } else { None };
    let changed_by = turn.map(|begin| Ref::of_message(message_of(begin)));
    let from = held.as_ref().and_then(|data| data.from.as_deref()?.parse().ok());
    Ok(MemoryVersion {
        reference: memory.version(),
        change: change(reader, memory.id.entry(), audience)?,
        from: from.map(|from| spoken(reader, &from, audience, point)).transpose()?.flatten(),
        changed_by: changed_by
            .map(|message| spoken(reader, &message, audience, point))
            .transpose()?
            .flatten(),
        proposal: Block::read(memory.clone()).and_then(|block| block.proposal),
        place: held.as_ref().and_then(|data| data.place.clone()),
        rule: held.and_then(|data| data.rule),
        end: end.map(|entry| change(reader, entry, audience)).transpose()?,
        is_superseded,
        memory,
    })
}

/// Returns what an entry records about a change; details are left out if the audience does not see the entry.
fn change(reader: &Reader<'_>, id: EntryId, audience: &Audience) -> memtape_index::Result<ChangeEntry> {
    let entry = reader.entry(id)?;
    let Projection { name, .. } = project(&entry);
    let meta = match reader.sees(id, audience)? {
        true => Meta::read(entry.meta.get()),
        false => Meta::default(),
    };
    Ok(ChangeEntry {
        entry: id,
        date: entry.date,
        name: operation(name, &entry),
        origin: meta.origin,
        reason: meta.reason,
    })
}

/// Returns a message if the audience sees it and it is current.
pub(crate) fn spoken(
    reader: &Reader<'_>,
    message: &Ref,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<Option<QuotedMessage>> {
    let message = Ref { entry: None, ..message.clone() };
    let Some(memory) = reader.versions(&message, audience, point)?.pop() else { return Ok(None) };
    Ok(Some(QuotedMessage {
        reference: message,
        speaker: said(&memory).0.unwrap_or_default(),
        said_at: memory.said_at.unwrap_or(memory.created_at),
        session: memory.session,
        text: memory.text,
    }))
}
