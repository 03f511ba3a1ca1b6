//! Reads that several handles share: the whole zone, and the anchor that begins a conversation.

use memtape_core::forms::zone;
pub(crate) use memtape_core::turn::SESSION_START;
use memtape_core::{Form, Memory, Meta, Point};
use memtape_index::{Confidential, Question, Reader};
use memtape_tape::{Draft, Kind};
use serde_json::json;

/// Returns a question that matches every line and note of the zone, confidential ones included.
pub(crate) fn whole_zone() -> Question {
    Question { confidential: Confidential::ToOwner, ..Question::default() }
}

/// Returns the zone at a point, as far as a question matches it.
pub(crate) fn zone_view(
    reader: &Reader<'_>,
    point: &Point,
    question: &Question,
) -> memtape_index::Result<zone::ZoneView> {
    let question = Question { form: Some(Form::ZONE), ..question.clone() };
    zone_view_of(reader, point, reader.memories(&question, point)?)
}

/// Returns the zone at a point that these memories make.
pub(crate) fn zone_view_of(
    reader: &Reader<'_>,
    point: &Point,
    memories: Vec<Memory>,
) -> memtape_index::Result<zone::ZoneView> {
    let seal = reader.last_anchor(zone::entry::SEAL, point)?;
    let version = seal.as_ref().and_then(zone::entry::version).unwrap_or_default();
    Ok(zone::ZoneView::fold(version, memories))
}

/// Returns the anchor that begins a conversation.
pub(crate) fn session_start(meta: &Meta, branch: &str) -> memtape_tape::Result<Draft> {
    let payload = json!({"name": SESSION_START, "state": {"owner": "human"}});
    Draft::new(Kind::Anchor, &payload, meta, branch)
}
