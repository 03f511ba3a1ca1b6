//! Why something is remembered: where it came from, what changed it, and which turns it was given to.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_core::forms::blocks::Block;
use memtape_core::forms::statements::view::Held;
use memtape_core::projection::{Projection, project};
use memtape_core::{Audience, Form, Memory, Meta, Origin, Point, Ref};
use memtape_store::Reader;
use memtape_tape::EntryId;

use crate::error::{Error, Result};
use crate::recall::said;
use crate::workspace::{At, Workspace, conversation_of};

/// The whole story of a thing, as far as an audience sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// Its versions, oldest first.
    pub versions: Vec<Version>,
    /// The turns whose prompt was given one of them, oldest first.
    pub recalls: Vec<Spoken>,
    /// The statements that were captured from it, where it is a message; oldest first.
    pub captured: Vec<Memory>,
}

/// One version of a thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The version.
    pub reference: Ref,
    /// What it says.
    pub memory: Memory,
    /// How it came to be.
    pub change: Change,
    /// The message it was captured from; `None` where there is none that the audience sees.
    pub from: Option<Spoken>,
    /// The place in an older file that it was read from.
    pub place: Option<String>,
    /// The rule that captured it.
    pub rule: Option<String>,
    /// What the owner approved, where somebody else proposed it.
    pub proposal: Option<Ref>,
    /// How it came to an end; `None` where it stands.
    pub end: Option<Change>,
}

/// An entry that changed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The entry.
    pub entry: EntryId,
    /// When it was appended.
    pub date: Timestamp,
    /// The event's name, or the entry's kind.
    pub name: String,
    /// Who it came from.
    pub origin: Option<Origin>,
    /// Why, where they said so.
    pub reason: Option<String>,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The message.
    pub reference: Ref,
    /// Who said it.
    pub speaker: String,
    /// When.
    pub said_at: Timestamp,
    /// In which conversation.
    pub session: Option<String>,
    /// What.
    pub text: String,
}

impl Workspace {
    /// Why something is remembered, at a point: the message it came from, every recall that used it, every change to
    /// it. What an audience does not see is not told.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the ref names nothing that the audience sees, or what the medium says.
    pub fn why(&self, reference: &Ref, audience: &Audience, at: &At) -> Result<Why> {
        let why = self.read(at, &conversation_of(audience), |reader, point| {
            story(reader, reference, audience, point)
        })?;
        match why.versions.is_empty() {
            true => Err(Error::NotFound(format!("{reference} is not there, and never was"))),
            false => Ok(why),
        }
    }
}

fn story(
    reader: &Reader<'_>,
    reference: &Ref,
    audience: &Audience,
    point: &Point,
) -> memtape_store::Result<Why> {
    let mut memories = reader.versions(reference, audience, point)?;
    memories.retain(|memory| reference.entry.is_none_or(|entry| memory.id.entry() == entry));
    let mut versions = Vec::with_capacity(memories.len());
    // A turn may have been given two versions: it is told once.
    let mut recalls = BTreeMap::new();
    for memory in memories {
        for (begin, _) in reader.recalls(memory.id, point)? {
            let asked = Ref { form: Form::MESSAGES, key: (begin + 1).to_string(), entry: None };
            recalls.extend(spoken(reader, &asked, audience, point)?.map(|spoken| (begin, spoken)));
        }
        versions.push(version(reader, memory, audience, point)?);
    }
    let captured = match reference.form {
        Form::MESSAGES => reader.captured_from(&Ref { entry: None, ..reference.clone() }, audience, point)?,
        _ => Vec::new(),
    };
    Ok(Why { versions, recalls: recalls.into_values().collect(), captured })
}

/// A version of a thing, with what bore and what ended it.
pub(crate) fn version(
    reader: &Reader<'_>,
    memory: Memory,
    audience: &Audience,
    point: &Point,
) -> memtape_store::Result<Version> {
    let end = reader.retired_by(memory.id, point)?;
    let held = Held::read(memory.clone()).map(|held| held.data).filter(|_| memory.form == Form::STATEMENTS);
    let from = held.as_ref().and_then(|data| data.from.as_deref()?.parse().ok());
    Ok(Version {
        reference: memory.version(),
        change: change(reader, memory.id.entry(), audience)?,
        from: from.map(|from| spoken(reader, &from, audience, point)).transpose()?.flatten(),
        proposal: Block::read(memory.clone()).and_then(|block| block.proposal),
        place: held.as_ref().and_then(|data| data.place.clone()),
        rule: held.and_then(|data| data.rule),
        end: end.map(|entry| change(reader, entry, audience)).transpose()?,
        memory,
    })
}

/// What an entry says of itself: of one that is not the audience's only that it was.
fn change(reader: &Reader<'_>, id: EntryId, audience: &Audience) -> memtape_store::Result<Change> {
    let entry = reader.entry(id)?;
    let Projection { name, .. } = project(&entry);
    let meta = match reader.sees(id, audience)? {
        true => Meta::read(entry.meta.get()),
        false => Meta::default(),
    };
    Ok(Change {
        entry: id,
        date: entry.date,
        name: name.unwrap_or_else(|| entry.kind.to_string()),
        origin: meta.origin,
        reason: meta.reason,
    })
}

/// A message, where the audience sees it and it still stands.
fn spoken(
    reader: &Reader<'_>,
    message: &Ref,
    audience: &Audience,
    point: &Point,
) -> memtape_store::Result<Option<Spoken>> {
    let message = Ref { entry: None, ..message.clone() };
    let Some(memory) = reader.versions(&message, audience, point)?.pop() else { return Ok(None) };
    Ok(Some(Spoken {
        reference: message,
        speaker: said(&memory).0.unwrap_or_default(),
        said_at: memory.said_at.unwrap_or(memory.created_at),
        session: memory.session,
        text: memory.text,
    }))
}
