//! What branches need of the zone: a line or a piece born anew, or retired.

use memtape_tape::Draft;

use super::entry::{self, Line, ZoneData};
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::meta::{Meta, Place};

/// Stands between the text of a piece and its number among equal ones.
const PIECE_NUMBER: char = '\u{1f}';

/// What tells a piece of a daily note from the others under its key: its text, and its number among equal ones. `None`
/// for a long-term line, which its key names.
#[must_use]
pub fn piece(memory: &Memory) -> Option<String> {
    let data = data(memory).filter(|data| data.date.is_some())?;
    Some(match data.nth {
        1 => memory.text.clone(),
        nth => format!("{}{PIECE_NUMBER}{nth}", memory.text),
    })
}

/// The empty lines before a long-term line.
#[must_use]
pub fn gap(memory: &Memory) -> Option<u32> {
    data(memory).filter(|data| data.date.is_none()).map(|data| data.gap)
}

fn data(memory: &Memory) -> Option<ZoneData> {
    memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok())
}

/// The event that bears a line or piece anew, in its place.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn again(memory: &Memory, meta: Meta, given: &Given) -> Result<Draft> {
    let data = data(memory)
        .ok_or_else(|| Error::Invalid(format!("{} cannot be read as the zone's", memory.version())))?;
    let meta = Meta { place: Some(Place { at: data.rank, step: 0.0 }), ..meta };
    let draft = match data.date {
        Some(date) => entry::daily(date, (memory.text.clone(), data.nth), &meta, given),
        None => {
            let line = Line { text: memory.text.clone(), gap: data.gap };
            entry::long_term(&[(line, data.nth)], given.now, &meta, &given.branch)
        }
    };
    Ok(draft?)
}

/// The event that retires a line or piece: what `meta` says it retires.
///
/// # Errors
/// None that a caller can cause.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    let date = data(memory).and_then(|data| data.date);
    Ok(match date {
        Some(date) => entry::daily(date, (String::new(), 1), meta, given),
        None => entry::long_term(&[], given.now, meta, &given.branch),
    }?)
}

/// What events change, as the version after this one.
///
/// # Errors
/// None that a caller can cause.
pub fn version(before: u64, events: Vec<Draft>, given: &Given) -> Result<Vec<Draft>> {
    let (number, meta) = (before.saturating_add(1), given.meta());
    let mut drafts = Vec::with_capacity(events.len() + 2);
    drafts.push(entry::anchor(entry::OPEN, number, &meta, &given.branch)?);
    drafts.extend(events);
    drafts.push(entry::anchor(entry::SEAL, number, &meta, &given.branch)?);
    Ok(drafts)
}
