//! Reads that several handles share: the whole zone, and the anchor that begins a conversation.

use memtape_core::forms::zone;
use memtape_core::{Form, Meta, Point};
use memtape_index::{Confidential, Question, Reader};
use memtape_tape::{Draft, Kind};
use serde_json::json;

/// The name of the anchor that begins a conversation.
pub(crate) const SESSION_START: &str = "session/start";

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
    let seal = reader.last_anchor(zone::entry::SEAL, point)?;
    let version = seal.as_ref().and_then(zone::entry::version).unwrap_or_default();
    let question = Question { form: Some(Form::ZONE), ..question.clone() };
    Ok(zone::ZoneView::fold(version, reader.memories(&question, point)?))
}

/// Returns the anchor that begins a conversation.
pub(crate) fn session_start(meta: &Meta, branch: &str) -> memtape_tape::Result<Draft> {
    let payload = json!({"name": SESSION_START, "state": {"owner": "human"}});
    Draft::new(Kind::Anchor, &payload, meta, branch)
}
