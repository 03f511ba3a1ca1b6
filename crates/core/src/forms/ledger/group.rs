//! Groups of the ledger: events, and the commit that closes them.
//!
//! **Invariant.** A commit has the scope of its facts. If their scopes differ it belongs to the workspace, is
//! confidential, and its message does not describe them; nor does the message describe confidential facts.

use jiff::Timestamp;
use memtape_tape::{Draft, EntryId};
use serde::Deserialize;

use super::entry::{Event, EventType, event_id, lifetime, slot_key};
use super::view::Fact;
use crate::calendar;
use crate::commit::{self, Commit, Metadata};
use crate::decision::Context;
use crate::error::Result;
use crate::lifetime::Lifetime;
use crate::meta::{Meta, Retire};
use crate::scope::Scope;
use crate::{MemoryId, Sensitivity};

/// Maximum length of a commit message in characters (document 1).
pub(super) const MESSAGE_CHARS_MAX: usize = 72;
/// Number of characters that are kept of a longer message.
const MESSAGE_CHARS_KEPT: usize = 69;

/// The input of the ledger's commands besides the context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The id of the last commit on the lineage; `None` if there is none.
    pub last_commit: Option<String>,
    /// Number of days after which a temporary fact expires; 0 means never.
    pub temporary_days: u32,
    /// Whether the events stay uncommitted until a later commit, as observations of a conversation do.
    pub waits: bool,
    /// Whether the author writes a confidential fact, but may not see one: the outcome does not tell whether
    /// there was one.
    pub is_unseen: bool,
}

/// An observation that is not committed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The entry that recorded it.
    pub entry: EntryId,
    /// The id of its event.
    pub event: String,
    /// Its conversation, as a label.
    pub session: Option<String>,
    /// Its scope, as a label; `None` for the workspace.
    pub scope: Option<String>,
    /// Its sensitivity.
    pub sensitivity: Sensitivity,
}

impl Setting {
    /// Returns when a fact expires that is recorded now; `None` if it does not.
    pub(super) fn end(&self, scope: Option<&str>, days: Option<u32>, now: Timestamp) -> Option<Timestamp> {
        let usual = (lifetime(scope) == Lifetime::Temporary).then_some(self.temporary_days);
        let days = days.or(usual).filter(|&days| days > 0)?;
        let long = calendar::days(days);
        Some(now.checked_add(long).unwrap_or(Timestamp::MAX))
    }
}

/// The entries of one command, while they are collected.
pub(super) struct Group<'a> {
    ctx: &'a Context,
    drafts: Vec<Draft>,
    events: Vec<Event>,
    /// The ids of the events to commit, including observations recorded earlier.
    ids: Vec<String>,
    /// The `meta` of each of those events.
    metas: Vec<Meta>,
    /// Whether nobody asked for the changes, as in [`Upkeep::is_automatic`](super::upkeep::Upkeep::is_automatic).
    is_automatic: bool,
}

/// An event whose id and timestamp are not set yet.
pub(super) struct PendingEvent {
    pub(super) event_type: EventType,
    /// Its id and timestamp are set by [`Group::add`].
    pub(super) event: Event,
    pub(super) meta: Meta,
}

impl PendingEvent {
    /// Returns the key of the slot that the event belongs to.
    pub(super) fn key(&self) -> String {
        let Event { subject, predicate, scope, .. } = &self.event;
        let (session, sensitivity) = (self.meta.session.as_deref(), self.meta.sensitivity);
        slot_key(&self.meta.scope(), session, subject, predicate, scope.as_deref(), sensitivity)
    }
}

impl<'a> Group<'a> {
    pub(super) fn new(ctx: &'a Context) -> Self {
        let (drafts, events, ids, metas) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { ctx, drafts, events, ids, metas, is_automatic: false }
    }

    /// Creates the group of changes that nobody asked for.
    pub(super) fn automatic(ctx: &'a Context) -> Self {
        Self { is_automatic: true, ..Self::new(ctx) }
    }

    /// Adds an event with the current time, and returns it as it is recorded on the tape.
    pub(super) fn add(&mut self, pending: PendingEvent) -> Result<Event> {
        let PendingEvent { event_type, event, meta } = pending;
        let event = stamped(event_type, event, self.ctx.now);
        self.drafts.push(event.draft(event_type, &meta, &self.ctx.branch)?);
        self.events.push(event.clone());
        self.ids.push(event.id.clone());
        self.metas.push(meta);
        Ok(event)
    }

    /// Includes an observation that was recorded earlier in the commit.
    pub(super) fn include(&mut self, observation: &Observation) {
        let Observation { event, session, scope, sensitivity, .. } = observation.clone();
        self.ids.push(event);
        self.metas.push(Meta { session, scope, sensitivity, ..Meta::default() });
    }

    /// Returns the entries, closed with a commit unless the setting defers it.
    ///
    /// `verb` begins the commit message: `add`, `forget`.
    pub(super) fn committed(self, verb: &str, setting: &Setting) -> Result<(Vec<Draft>, Option<Commit>)> {
        if setting.waits {
            return Ok((self.drafts, None));
        }
        let message = self.message(verb, &self.meta());
        let (drafts, commit) = self.closed(message, setting)?;
        Ok((drafts, Some(commit)))
    }

    /// Returns the entries, closed with a commit with this message, which must not describe any fact.
    pub(super) fn closed(mut self, message: String, setting: &Setting) -> Result<(Vec<Draft>, Commit)> {
        let meta = self.meta();
        let (branch, parent) = (&self.ctx.branch, setting.last_commit.clone());
        let message = shortened(message);
        let commit = Commit::new(branch, self.ids, message, parent, self.ctx.now, Metadata::default());
        self.drafts.push(commit.draft(&meta)?);
        Ok((self.drafts, commit))
    }

    /// Returns the `meta` of the commit, with the scope of its facts.
    fn meta(&self) -> Meta {
        let own = self.ctx.meta();
        let one = |of: fn(&Meta) -> &Option<String>| {
            let first = self.metas.first().map(of)?;
            self.metas.iter().all(|meta| of(meta) == first).then(|| first.clone())
        };
        let scope = one(|meta| &meta.scope);
        // Only the owner may learn that facts of several scopes changed together.
        let sensitivity = match scope {
            Some(_) => self.metas.iter().map(|meta| meta.sensitivity).max().unwrap_or_default(),
            None => Sensitivity::Confidential,
        };
        // Nor may the readers of a scope learn of a conversation in which nobody changed one of its facts. What somebody
        // asked for belongs to the conversation in which they did, whichever that of the facts is.
        let session = match self.is_automatic {
            true => self.metas.iter().find_map(|meta| meta.session.clone()),
            false => own.session.clone(),
        };
        Meta { session, scope: scope.flatten(), sensitivity, ..own }
    }

    /// Returns whether an audience that sees the commit may not see one of its facts.
    fn is_hidden(&self, meta: &Meta) -> bool {
        let is_shared = self.metas.iter().any(|other| other.scope != meta.scope);
        // Other threads of a chat can read its commits, but not the facts that live as long as one
        // conversation.
        let is_of_session =
            self.events.iter().any(|event| lifetime(event.scope.as_deref()) == Lifetime::Session);
        is_shared || is_of_session || meta.sensitivity == Sensitivity::Confidential
    }

    fn message(&self, verb: &str, meta: &Meta) -> String {
        let count = self.events.len();
        let is_confidential = meta.sensitivity == Sensitivity::Confidential;
        let is_hidden = self.is_hidden(meta);
        let about = self.events.first().map(|event| (&event.subject, &event.predicate));
        let is_one = self.events.iter().all(|event| Some((&event.subject, &event.predicate)) == about);
        match about {
            Some((subject, predicate)) if is_one && !is_hidden => match count {
                1 => format!("{verb} {subject} {predicate}"),
                _ => format!("{verb} {subject} {predicate} ({count} facts)"),
            },
            _ if count == 1 && is_confidential => format!("{verb} a confidential fact"),
            _ if count == 1 => format!("{verb} a fact of a conversation"),
            _ => format!("{verb} {count} facts"),
        }
    }
}

/// Closes events that were decided without a commit ([`Setting::waits`]) with one commit.
///
/// The commit has this message, unless the message could reveal a fact to an audience that may not see it.
///
/// # Errors
/// [`Error::Tape`](crate::error::Error::Tape) if an entry cannot be serialized.
pub fn commit_together(
    drafts: Vec<Draft>,
    message: &str,
    ctx: &Context,
    setting: &Setting,
) -> Result<(Vec<Draft>, Option<Commit>)> {
    #[derive(Deserialize)]
    struct Payload {
        data: Event,
    }
    let mut group = Group::new(ctx);
    for draft in &drafts {
        let Ok(Payload { data }) = serde_json::from_str(draft.payload.get()) else { continue };
        group.ids.push(data.id.clone());
        group.events.push(data);
        group.metas.push(Meta::read(draft.meta.get()));
    }
    if group.ids.is_empty() {
        return Ok((drafts, None));
    }
    group.drafts = drafts;
    let meta = group.meta();
    let message = match message.trim() {
        "" => group.message("remember", &meta),
        _ if group.is_hidden(&meta) => group.message("remember", &meta),
        message => message.to_owned(),
    };
    let (drafts, commit) = group.closed(message, setting)?;
    Ok((drafts, Some(commit)))
}

/// Shortens a message to the maximum length.
fn shortened(message: String) -> String {
    match message.chars().count() > MESSAGE_CHARS_MAX {
        true => message.chars().take(MESSAGE_CHARS_KEPT).chain("...".chars()).collect(),
        false => message,
    }
}

/// Returns an event with the current time, and the id computed from its content.
pub(super) fn stamped(event_type: EventType, event: Event, now: Timestamp) -> Event {
    let timestamp = commit::timestamp(now);
    let Event { subject, predicate, object, scope, .. } = &event;
    let id = event_id(event_type, subject, predicate, object, scope.as_deref(), &timestamp);
    Event { id, timestamp, ..event }
}

/// Returns the `meta` of a newer version of a fact: the scope and the sensitivity of the fact stay the same.
///
/// A fact with the lifetime of a session stays in its conversation, whoever changes it.
pub(super) fn meta_after(fact: &Fact, ctx: &Context) -> Meta {
    let memory = &fact.memory;
    let session = match memory.lifetime {
        Lifetime::Session => memory.session.clone(),
        _ => Some(ctx.session.to_string()),
    };
    Meta {
        session,
        scope: Scope::from_label(&memory.scope).and_then(|scope| scope.label()),
        sensitivity: memory.sensitivity,
        quarantined: memory.quarantined.clone(),
        retires: retires([memory.id]),
        ..ctx.meta()
    }
}

/// Converts memory ids into removals.
pub(super) fn retires(ids: impl IntoIterator<Item = MemoryId>) -> Vec<Retire> {
    ids.into_iter().map(Retire::Memory).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_as_in_document_1() {
        assert_eq!(shortened("x".repeat(72)).len(), 72);
        assert_eq!(shortened("é".repeat(73)), "é".repeat(69) + "...");
    }
}
