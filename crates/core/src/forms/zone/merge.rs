//! What branches need of the zone: a line or a piece born anew, or retired.

use memtape_tape::Draft;

use super::entry::{self, ZoneData};
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::meta::{Meta, Place};

/// Whether a memory of the zone is one of several pieces under its key: of a daily note.
#[must_use]
pub fn is_piece(memory: &Memory) -> bool {
    data(memory).is_some_and(|data| data.date.is_some())
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
        Some(date) => entry::daily(date, memory.text.clone(), given.now, &meta, &given.branch),
        None => {
            let content = format!("{}{}", "\n".repeat(data.gap as usize), memory.text);
            entry::long_term(content, given.now, &meta, &given.branch)
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
        Some(date) => entry::daily(date, String::new(), given.now, meta, &given.branch),
        None => entry::long_term(String::new(), given.now, meta, &given.branch),
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
