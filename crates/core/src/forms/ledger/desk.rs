//! An in-memory tape on which the tests of the form write decisions.

use jiff::SignedDuration;
use memtape_tape::Entry;

use super::{Done, Event, EventType, Fact, NewFact, Retired, Setting, View, entry, ops};
use crate::commit::{self, Commit};
use crate::decision::{Context, Decision};
use crate::fixtures::{append, context};
use crate::memory::Memory;
use crate::projection::project;
use crate::{Error, MAIN, Origin};

/// A tape, and the memories that are current on it.
pub(super) struct Desk {
    pub(super) ctx: Context,
    pub(super) setting: Setting,
    pub(super) entries: Vec<Entry>,
    pub(super) current: Vec<Memory>,
}

impl Desk {
    pub(super) fn new() -> Self {
        let ctx = context("2026-02-10T10:00:00Z", Origin::User);
        let setting = Setting { temporary_days: 7, ..Setting::default() };
        Self { ctx, setting, entries: Vec::new(), current: Vec::new() }
    }

    pub(super) fn view(&self) -> View {
        View::fold(self.current.clone())
    }

    /// Returns the facts that have not expired.
    pub(super) fn facts(&self) -> Vec<Fact> {
        self.view().iter().filter(|fact| !fact.has_ended(self.ctx.now)).cloned().collect()
    }

    pub(super) fn add(&mut self, input: &NewFact) -> Result<Done, Error> {
        let decision = ops::add(&self.view(), input, &self.ctx, &self.setting)?;
        Ok(self.write(decision))
    }

    pub(super) fn observe(&mut self, input: &NewFact) -> Result<Done, Error> {
        let decision = ops::observe(&self.view(), input, &self.ctx, &self.setting)?;
        Ok(self.write(decision))
    }

    pub(super) fn forget(&mut self, facts: &[Fact]) -> Result<Retired, Error> {
        let facts: Vec<&Fact> = facts.iter().collect();
        let decision = ops::forget(&facts, &self.ctx, &self.setting)?;
        Ok(self.write(decision))
    }

    /// Appends the entries of a decision, advances the clock by a second, and checks the invariants of a
    /// group.
    pub(super) fn write<T>(&mut self, decision: Decision<T>) -> T {
        let from = self.entries.len();
        let count = u32::try_from(decision.drafts.len()).unwrap();
        for (n, draft) in (1..).zip(decision.drafts) {
            append(draft, self.ctx.now, count - n, &mut self.entries, &mut self.current);
        }
        let group = &self.entries[from..];
        if let Some((last, events)) = group.split_last() {
            let commit = Commit::read(last).expect("a group ends in its commit");
            let ids: Vec<String> = events.iter().map(verified).collect();
            assert_eq!((&commit.events, &commit.parent_id), (&ids, &self.setting.last_commit));
            let id = commit::commit_id(MAIN, &ids, commit.parent_id.as_deref(), &commit.timestamp);
            assert_eq!(commit.id, id);
            assert!(commit.message.chars().count() <= 72, "{}", commit.message);
            self.setting.last_commit = Some(commit.id);
        }
        self.ctx.now += SignedDuration::from_secs(1);
        decision.outcome
    }

    /// Returns the last commit.
    pub(super) fn commit(&self) -> Commit {
        self.entries.last().and_then(Commit::read).expect("there is a commit")
    }
}

/// Returns the id of an event after checking that it is the hash of the recorded content.
fn verified(entry: &Entry) -> String {
    let (event_type, event) = Event::read(entry).expect("an event of the ledger");
    let Event { id, subject, predicate, object, scope, timestamp, .. } = event;
    let expected = entry::event_id(event_type, &subject, &predicate, &object, scope.as_deref(), &timestamp);
    assert_eq!(id, expected);
    assert_eq!(event_type.creates_memory(), project(entry).creates.len() == 1);
    id
}

/// Returns a fact that a user states explicitly.
pub(super) fn new_fact(subject: &str, predicate: &str, object: &str) -> NewFact {
    NewFact { confidence: 0.9, ..NewFact::new(subject, predicate, object) }
}

/// Returns the short names of the events on a tape.
pub(super) fn names(entries: &[Entry]) -> Vec<&'static str> {
    let of =
        |entry: &Entry| Event::read(entry).map_or("commit", |(event_type, _)| EventType::as_str(event_type));
    entries.iter().map(of).collect()
}
