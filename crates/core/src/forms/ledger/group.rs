//! The ledger's groups: events, and the commit that closes them.
//!
//! **Invariant.** The commit belongs to whom its facts belong to. Where they are several people's it is everybody's, and
//! says nothing of them; nor does it of what is confidential.

use jiff::{SignedDuration, Timestamp};
use memtape_tape::{Draft, EntryId};

use super::entry::{Event, EventType, event_id, lifetime};
use super::view::Fact;
use crate::commit::{self, Commit, Metadata};
use crate::decision::Given;
use crate::error::Result;
use crate::lifetime::Lifetime;
use crate::meta::{Meta, Retire};
use crate::scope::Scope;
use crate::{MemoryId, Sensitivity};

/// The longest message of a commit, in characters (document 1).
pub(super) const MESSAGE_CHARS_MAX: usize = 72;
/// How many of them are kept of a longer one.
const MESSAGE_CHARS_KEPT: usize = 69;
const HOURS_A_DAY: i64 = 24;

/// What the ledger's commands are given besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The id of the last commit on the lineage.
    pub last_commit: Option<String>,
    /// For how many days a temporary fact holds; 0 for ever.
    pub temporary_days: u32,
    /// Whether what is written waits for a commit that comes later: an observation of a conversation.
    pub waits: bool,
}

/// An observation that waits for its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The entry that recorded it.
    pub entry: EntryId,
    /// The id of its event.
    pub event: String,
    /// Its conversation, as a label.
    pub session: Option<String>,
    /// Whose it is, as a scope's label; `None` for everybody's.
    pub scope: Option<String>,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
}

impl Setting {
    /// When a fact ends that is told now.
    pub(super) fn end(&self, scope: Option<&str>, days: Option<u32>, now: Timestamp) -> Option<Timestamp> {
        let usual = (lifetime(scope) == Lifetime::Temporary).then_some(self.temporary_days);
        let days = days.or(usual).filter(|&days| days > 0)?;
        let long = SignedDuration::from_hours(i64::from(days) * HOURS_A_DAY);
        Some(now.checked_add(long).unwrap_or(Timestamp::MAX))
    }
}

/// The entries of one command while they are put together.
pub(super) struct Group<'a> {
    given: &'a Given,
    drafts: Vec<Draft>,
    events: Vec<Event>,
    /// The ids of the events to be committed, also of those that were said before.
    ids: Vec<String>,
    /// Whose those events are.
    metas: Vec<Meta>,
}

/// What an event says, but for its id and its time.
pub(super) struct Said {
    pub(super) event_type: EventType,
    /// Its id and timestamp are set when it is said.
    pub(super) event: Event,
    pub(super) meta: Meta,
}

impl<'a> Group<'a> {
    pub(super) fn new(given: &'a Given) -> Self {
        Self { given, drafts: Vec::new(), events: Vec::new(), ids: Vec::new(), metas: Vec::new() }
    }

    /// Says something now, and gives the event as it stands on the tape.
    pub(super) fn say(&mut self, said: Said) -> Result<Event> {
        let Said { event_type, event, meta } = said;
        let event = stamped(event_type, event, self.given.now);
        self.drafts.push(event.draft(event_type, &meta, &self.given.branch)?);
        self.events.push(event.clone());
        self.ids.push(event.id.clone());
        self.metas.push(meta);
        Ok(event)
    }

    /// Commits an observation that was said before, too.
    pub(super) fn take_in(&mut self, observation: &Observation) {
        let Observation { event, session, scope, sensitivity, .. } = observation.clone();
        self.ids.push(event);
        self.metas.push(Meta { session, scope, sensitivity, ..Meta::default() });
    }

    /// The entries, closed with a commit, unless they wait for one. The verb says what was done: `add`, `forget`.
    pub(super) fn committed(self, verb: &str, setting: &Setting) -> Result<(Vec<Draft>, Option<Commit>)> {
        if setting.waits {
            return Ok((self.drafts, None));
        }
        let message = self.message(verb, &self.meta());
        let (drafts, commit) = self.closed(message, setting)?;
        Ok((drafts, Some(commit)))
    }

    /// The entries, closed with a commit of this message, which says nothing of any fact.
    pub(super) fn closed(mut self, message: String, setting: &Setting) -> Result<(Vec<Draft>, Commit)> {
        let meta = self.meta();
        let (branch, parent) = (&self.given.branch, setting.last_commit.clone());
        let message = shortened(message);
        let commit = Commit::new(branch, self.ids, message, parent, self.given.now, Metadata::default());
        self.drafts.push(commit.draft(&meta)?);
        Ok((self.drafts, commit))
    }

    /// What the commit says of itself: whose its facts are.
    fn meta(&self) -> Meta {
        let own = self.given.meta();
        let one = |of: fn(&Meta) -> &Option<String>| {
            let first = self.metas.first().map(of)?;
            self.metas.iter().all(|meta| of(meta) == first).then(|| first.clone())
        };
        let scope = one(|meta| &meta.scope);
        // Of facts of several people only the owner sees all: nobody else is told that they changed together.
        let sensitivity = match scope {
            Some(_) => self.metas.iter().map(|meta| meta.sensitivity).max().unwrap_or_default(),
            None => Sensitivity::Confidential,
        };
        Meta {
            session: one(|meta| &meta.session).unwrap_or(own.session),
            scope: scope.flatten(),
            sensitivity,
            ..own
        }
    }

    fn message(&self, verb: &str, meta: &Meta) -> String {
        let count = self.events.len();
        let is_shared = self.metas.iter().any(|other| other.scope != meta.scope);
        // Other threads of a chat read its commits, and see nothing of what lives as long as one conversation.
        let is_of_session =
            self.events.iter().any(|event| lifetime(event.scope.as_deref()) == Lifetime::Session);
        let is_confidential = meta.sensitivity == Sensitivity::Confidential;
        let is_hidden = is_shared || is_confidential || is_of_session;
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

/// A message within its length.
fn shortened(message: String) -> String {
    match message.chars().count() > MESSAGE_CHARS_MAX {
        true => message.chars().take(MESSAGE_CHARS_KEPT).chain("...".chars()).collect(),
        false => message,
    }
}

/// An event said now, with the id that follows from what it says.
pub(super) fn stamped(event_type: EventType, event: Event, now: Timestamp) -> Event {
    let timestamp = commit::timestamp(now);
    let Event { subject, predicate, object, scope, .. } = &event;
    let id = event_id(event_type, subject, predicate, object, scope.as_deref(), &timestamp);
    Event { id, timestamp, ..event }
}

/// What the entry of a newer version of a fact says of itself: it is whose it was, and shown no wider. A fact that lives
/// as long as its conversation stays in it, whoever changes it.
pub(super) fn meta_after(fact: &Fact, given: &Given) -> Meta {
    let memory = &fact.memory;
    let session = match memory.lifetime {
        Lifetime::Session => memory.session.clone(),
        _ => Some(given.session.to_string()),
    };
    Meta {
        session,
        scope: Scope::from_label(&memory.scope).and_then(|scope| scope.label()),
        sensitivity: memory.sensitivity,
        quarantined: memory.quarantined.clone(),
        retires: retires([memory.id]),
        ..given.meta()
    }
}

/// Memories by their numbers.
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
