//! Copying, restoring and removing lines and pieces of the zone, as merging needs it.

use memtape_tape::Draft;

use super::entry::{self, Line, ZoneData};
use crate::audience::Sensitivity;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::form::Position;
use crate::memory::Memory;
use crate::meta::{Meta, Place};

/// Separates the text of a piece from its number among equal pieces.
const PIECE_NUMBER: char = '\u{1f}';

/// Returns what distinguishes a piece of a daily note from others with its key: its text, its number and whether it is
/// confidential.
///
/// `None` for a long-term line, whose key is unique.
#[must_use]
pub fn piece(memory: &Memory) -> Option<String> {
    let data = data(memory).filter(|data| data.date.is_some())?;
    let text = &memory.text;
    Some(match (data.nth, memory.sensitivity) {
        (nth, Sensitivity::Confidential) => format!("{text}{PIECE_NUMBER}{nth}{PIECE_NUMBER}"),
        (1, _) => text.clone(),
        (nth, _) => format!("{text}{PIECE_NUMBER}{nth}"),
    })
}

/// Returns the place of a line in long-term memory, or of a piece in the note of its day.
#[must_use]
pub fn position(memory: &Memory) -> Option<Position> {
    let ZoneData { rank, gap, date, .. } = data(memory)?;
    let day = date.map(|date| date.to_string()).unwrap_or_default();
    Some(Position { of: format!("{day}/{}", memory.scope), rank, gap })
}

fn data(memory: &Memory) -> Option<ZoneData> {
    memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok())
}

/// Returns the event that copies or restores a line or a piece at its old position.
///
/// # Errors
/// [`Error::Invalid`] if the memory's data is not the zone's; [`Error::Tape`] if the entry cannot be
/// serialized.
pub fn recreate(memory: &Memory, meta: Meta, ctx: &Context) -> Result<Draft> {
    let data = data(memory).ok_or_else(|| {
        Error::Invalid(format!("{} is not a readable memory of the zone", memory.version()))
    })?;
    let meta = Meta { place: Some(Place { at: data.rank, step: 0.0 }), ..meta };
    let draft = match data.date {
        Some(date) => entry::daily(date, (memory.text.clone(), data.nth), &meta, ctx),
        None => {
            let line = Line { text: memory.text.clone(), gap: data.gap };
            entry::long_term(&[(line, data.nth)], ctx.now, &meta, &ctx.branch)
        }
    };
    Ok(draft?)
}

/// Returns the event that removes the lines or pieces that `meta` names.
///
/// # Errors
/// [`Error::Tape`] if the entry cannot be serialized.
pub fn retire(memory: &Memory, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let date = data(memory).and_then(|data| data.date);
    Ok(match date {
        Some(date) => entry::daily(date, (String::new(), 1), meta, ctx),
        None => entry::long_term(&[], ctx.now, meta, &ctx.branch),
    }?)
}

/// Wraps events in the anchors of the version that follows `before`.
///
/// # Errors
/// [`Error::Tape`] if an anchor cannot be serialized.
pub fn version(before: u64, events: Vec<Draft>, ctx: &Context) -> Result<Vec<Draft>> {
    // The events have the reason. The readers of these two anchors may see none of them.
    let (number, meta) = (before.saturating_add(1), Meta { reason: None, ..ctx.meta() });
    let mut drafts = Vec::with_capacity(events.len() + 2);
    drafts.push(entry::anchor(entry::OPEN, number, &meta, &ctx.branch)?);
    drafts.extend(events);
    drafts.push(entry::anchor(entry::SEAL, number, &meta, &ctx.branch)?);
    Ok(drafts)
}
