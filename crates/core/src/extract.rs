//! Entries that create current memories on another tape, without the history of this one.
//!
//! **Invariant.** An extracted memory keeps its scope, origin, sensitivity, quarantine and time. Its entry names
//! no other entry of the tape that it comes from, and contains nothing that the memory does not.

use jiff::tz::TimeZone;
use memtape_tape::{Draft, Entry};

use crate::decision::Context;
use crate::error::Result;
use crate::form::Recreation;
use crate::forms::statements::ops::keep_nothing;
use crate::forms::zone;
use crate::lineage::MAIN;
use crate::memory::{Form, Memory, Origin};
use crate::meta::Meta;
use crate::scope::Scope;
use crate::session::Session;

/// Returns the group that creates a memory, whatever its form, unless it is a message. `zone_version` is the last
/// version of the zone on the other tape; a group with a memory of the zone increases it.
///
/// # Errors
/// [`crate::Error::Invalid`] if the form cannot read the memory, or never copies its memories;
/// [`crate::Error::Tape`] if an entry does not serialize as a JSON object.
pub fn memory(memory: &Memory, zone_version: &mut u64, zone: &TimeZone) -> Result<Vec<Draft>> {
    let label = memory.session.as_deref().and_then(|label| Session::parse(label).ok());
    let ctx = Context {
        now: memory.created_at,
        zone: zone.clone(),
        branch: MAIN.to_owned(),
        session: label.unwrap_or_else(Session::direct),
        origin: memory.origin.unwrap_or(Origin::Import),
        scope: Scope::from_label(&memory.scope).unwrap_or_default(),
        sensitivity: memory.sensitivity,
        reason: None,
    };
    let meta = Meta {
        session: memory.session.clone(),
        origin: memory.origin,
        scope: ctx.scope.label(),
        sensitivity: memory.sensitivity,
        quarantined: memory.quarantined.clone(),
        ..Meta::default()
    };
    let draft = memory.form.rules().recreate(memory, Recreation::Extract, meta, &ctx)?;
    if memory.form != Form::ZONE {
        return Ok(vec![draft]);
    }
    let drafts = zone::merge::version(*zone_version, vec![draft], &ctx)?;
    *zone_version += 1;
    Ok(drafts)
}

/// Returns the group that records a message, a system message, a tool call or a result, as its own entry does. If it is
/// retracted, it is recalled no longer on the other tape either.
///
/// # Errors
/// [`crate::Error::Tape`] if its `meta` does not serialize as a JSON object.
pub fn message(entry: &Entry, is_retracted: bool) -> Result<Vec<Draft>> {
    let Meta { session, origin, user, sensitivity, quarantined, .. } = Meta::read(entry.meta.get());
    let meta = Meta { session, origin, user, sensitivity, quarantined, ..Meta::default() };
    let said =
        Draft { payload: entry.payload.clone(), ..Draft::new(entry.kind.clone(), &meta, &meta, MAIN)? };
    if !is_retracted {
        return Ok(vec![said]);
    }
    let label = meta.session.as_deref().and_then(|label| Session::parse(label).ok());
    let ctx = Context {
        now: entry.date,
        zone: TimeZone::UTC,
        branch: MAIN.to_owned(),
        session: label.unwrap_or_else(Session::direct),
        origin: Origin::User,
        scope: Scope::Global,
        sensitivity,
        reason: None,
    };
    Ok(vec![said, keep_nothing(&ctx)?])
}
