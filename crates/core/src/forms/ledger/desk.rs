//! An in-memory tape on which the tests of the form write decisions.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memtape_tape::{Draft, Entry, Hash, Salt, Seal};

use super::{Done, Event, EventType, Fact, NewFact, Retired, Setting, View, entry, ops};
use crate::commit::{self, Commit};
use crate::created::Created;
use crate::decision::{Context, Decision};
use crate::memory::Memory;
use crate::meta::Retire;
use crate::projection::project;
use crate::{Error, MAIN, Origin, Scope, Sensitivity, Session};

/// A tape, and the memories that are current on it.
pub(super) struct Desk {
    pub(super) ctx: Context,
    pub(super) setting: Setting,
    pub(super) entries: Vec<Entry>,
    pub(super) current: Vec<Memory>,
}

impl Desk {
    pub(super) fn new() -> Self {
        let ctx = Context {
            now: "2026-02-10T10:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
            branch: MAIN.into(),
            session: Session::direct(),
            origin: Origin::User,
            scope: Scope::Global,
            sensitivity: Sensitivity::Normal,
            reason: None,
        };
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
        let count = decision.drafts.len();
        for (n, draft) in decision.drafts.into_iter().enumerate() {
            self.append(draft, count - n - 1);
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

    fn append(&mut self, draft: Draft, more: usize) {
        let entry = Entry {
            id: self.entries.len() as u64 + 1,
            kind: draft.kind,
            payload: draft.payload,
            meta: draft.meta,
            branch: draft.branch,
            date: self.ctx.now,
            more: u32::try_from(more).unwrap(),
            seal: Seal::Salt(Salt::new([0; 16])),
            prev: Hash::ZERO,
            hash: Hash::of(b""),
        };
        let projection = project(&entry);
        for retire in &projection.retires {
            let Retire::Memory(id) = retire else { panic!("the ledger names what it retires") };
            let before = self.current.len();
            self.current.retain(|memory| memory.id != *id);
            assert_eq!(self.current.len() + 1, before, "{id:?} was not current");
        }
        let session = projection.session.map(|session| session.to_string());
        let creates = projection.creates.into_iter();
        self.current.extend(creates.map(|created| memory(created, session.clone(), entry.date)));
        self.entries.push(entry);
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

pub(super) fn memory(created: Created, session: Option<String>, date: Timestamp) -> Memory {
    Memory {
        id: created.id,
        form: created.form,
        key: created.key,
        branch: MAIN.into(),
        session,
        scope: created.scope.text("w"),
        sensitivity: created.sensitivity,
        origin: created.origin,
        category: created.category,
        lifetime: created.lifetime,
        importance: created.importance,
        confidence: created.confidence,
        expires_at: created.expires_at,
        quarantined: created.quarantined,
        copy_of: created.copy_of,
        previous: None,
        said_at: created.said_at,
        created_at: date,
        text: created.text,
        data: created.data,
    }
}

/// Returns a fact that a user states explicitly.
pub(super) fn new_fact(subject: &str, predicate: &str, object: &str) -> NewFact {
    NewFact {
        subject: subject.into(),
        predicate: predicate.into(),
        object: object.into(),
        scope: None,
        confidence: 0.9,
        source: "user_explicit".into(),
        evidence: None,
        days: None,
        quarantined: None,
    }
}

/// Returns the short names of the events on a tape.
pub(super) fn names(entries: &[Entry]) -> Vec<&'static str> {
    let of =
        |entry: &Entry| Event::read(entry).map_or("commit", |(event_type, _)| EventType::as_str(event_type));
    entries.iter().map(of).collect()
}
