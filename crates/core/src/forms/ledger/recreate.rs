//! Copying a fact to another branch, restoring a removed fact, and creating one with another value.

use memtape_tape::Draft;

use super::entry::{Event, EventType};
use super::group::stamped;
use super::input::NewValue;
use super::view::Fact;
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::form::Recreation;
use crate::memory::Memory;
use crate::meta::Meta;

/// Returns the entry that copies or restores a fact.
///
/// The caller's `meta` states its scope, what it removes, and which memory it copies or restores.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a fact.
pub fn recreate(memory: &Memory, how: Recreation, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let fact = read(memory)?;
    let (event_type, event) = match how {
        Recreation::Copy => (fact.data.event_type, fact.event()),
        Recreation::Extract => (fact.data.event_type, Event { parent_id: None, ..fact.event() }),
        Recreation::Restore => {
            let event_type = if meta.retires.is_empty() { EventType::Add } else { EventType::Modify };
            // It was not said again.
            let event = Event { said_at: memory.said_at, ..fact.current_event() };
            (event_type, stamped(event_type, event, ctx.now))
        }
    };
    Ok(event.draft(event_type, meta, &ctx.branch)?)
}

/// Returns the entry that creates a fact with another value. `None` for `topic` keeps the topic.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a fact, or the value is empty or too long.
pub fn with_value(
    memory: &Memory,
    new: &NewValue,
    topic: Option<&str>,
    meta: &Meta,
    ctx: &Context,
) -> Result<Draft> {
    let fact = read(memory)?;
    let NewValue { object, confidence, source, .. } = new.checked()?;
    let scope = topic.map(str::to_owned).or_else(|| fact.data.scope.clone());
    let event_type = if meta.retires.is_empty() { EventType::Add } else { EventType::Modify };
    let event = Event { object, confidence, source, scope, evidence: None, ..fact.current_event() };
    Ok(stamped(event_type, event, ctx.now).draft(event_type, meta, &ctx.branch)?)
}

/// Returns the entry that removes the fact that `meta` names: `ledger.forget` or `ledger.deprecate`.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a fact.
pub fn retiring(memory: &Memory, event_type: EventType, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let event = stamped(event_type, read(memory)?.current_event(), ctx.now);
    Ok(event.draft(event_type, meta, &ctx.branch)?)
}

fn read(memory: &Memory) -> Result<Fact> {
    let reference = memory.version();
    Fact::read(memory.clone()).ok_or_else(|| Error::Invalid(format!("{reference} is not a fact")))
}
