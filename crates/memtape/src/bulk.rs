//! Writes records of any form as one group: the way in for an import.
//!
//! Each record is decided by its form, as if it were alone. A record that cannot be written is left out with a reason,
//! and the others are written.
//!
//! **Invariants.** Nothing that exists is overwritten: a record whose place is taken by something that was not imported
//! goes beside it, or is left out. A text that reads like an instruction to a model is quarantined. A group also
//! records the ids of its items, so that no item is imported twice.

mod documents;
mod imports;
mod record;
mod statements;
mod zone;

use std::collections::{HashMap, HashSet};
use std::slice;

use memtape_core::created::Created;
use memtape_core::forms::ledger::{commit_together, upkeep};
use memtape_core::forms::messages::{Content, Item, Known};
use memtape_core::forms::statements::entry::EXPIRE;
use memtape_core::imported::Imported;
use memtape_core::safety::injection;
use memtape_core::safety::names::{Named, secret_in_name};
use memtape_core::{
    Audience, Context, Decision, Memory, Meta, Moment, Origin, Point, PointText, Ref, Scope, Session, guard,
    journal, payload, projection,
};
use memtape_index::{Confidential, Question, Reader};
use memtape_store::Author;
use memtape_tape::{Draft, EntryId};

use crate::conversation::opening;
use crate::error::Result;
use crate::ledger::{self, Ledger, StepOutcome};
use crate::unwanted::import_said;
use crate::workspace::{At, Workspace};

pub use self::imports::{Imports, ItemId, spoken};
pub use self::record::{Bulk, Line, Record, Slot, Slots, TapeEntry};
pub use crate::unwanted::Unwanted;
pub use memtape_core::forms::messages::{Content as SaidContent, Item as SaidItem};
pub use memtape_core::forms::statements::Statement;
pub use memtape_core::imported::digest;

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordOutcome {
    /// It was written.
    Added,
    /// It was written under another name, because something else has its own, or in this place.
    Beside(String),
    /// It exists already.
    Present,
    /// It waits for the owner's approval, as a proposal for the block of this name.
    Proposed(String),
    /// It was not written, for this reason.
    LeftOut(String),
    /// It was merged line by line.
    Merged(Merged),
}

/// What became of a version of a document that was merged line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of lines that were added.
    pub added: usize,
    /// Number of lines that were removed, because the document no longer has them.
    pub removed: usize,
    /// The lines that were left out, by their indices, each with the reason.
    pub left_out: Vec<(usize, String)>,
    /// The note that the lines are in, if it is not the one of their day.
    pub beside: Option<String>,
}

/// The result of writing a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BulkWritten {
    /// What became of each record.
    pub outcomes: Vec<RecordOutcome>,
    /// The entry of each record, as far as it has one of its own.
    pub entries: Vec<Option<EntryId>>,
    /// Number of memories that each record removed without replacing them.
    pub removed: Vec<usize>,
    /// Number of entries that were quarantined.
    pub quarantined: u64,
    /// Number of records of each group that was written: all in one, unless one of them could not be written with the others.
    pub groups: Vec<usize>,
}

/// The records of a group that is being decided.
struct Group<'g> {
    bulk: &'g Bulk<'g>,
    reader: &'g Reader<'g>,
    point: &'g Point,
    ctx: &'g Context,
    ids: &'g [ItemId],
    known: &'g Imports,
    drafts: Vec<Draft>,
    /// What became of each record; `None` until it is decided.
    outcomes: Vec<Option<RecordOutcome>>,
    /// The draft of each record, as far as it has one of its own.
    places: Vec<Option<usize>>,
    /// The records that are not recorded: the text of each is there, but not as what this import would write.
    unrecorded: HashSet<usize>,
    /// The entries of the statements that records have in common with other records.
    kept: HashMap<usize, EntryId>,
    /// Number of memories that each record removes without replacing them.
    removed: Vec<usize>,
    /// The digests to record.
    marks: Vec<u64>,
    /// The documents to record, each with the number of the record that is its version.
    documents: Vec<(u64, usize)>,
}

/// The changes of the ledger in a group.
#[derive(Default)]
struct Facts {
    drafts: Vec<Draft>,
    /// The records that they are of, each with the place of its first draft.
    records: Vec<(usize, usize)>,
}

impl Workspace {
    /// Returns the writer of groups of records of a source.
    #[must_use]
    pub fn bulk<'a>(&'a self, source: &'a str, session: &'a Session) -> Bulk<'a> {
        Bulk { workspace: self, source, session, branch: None }
    }
}

impl Bulk<'_> {
    /// Returns what was imported from the source before.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the branch does not exist or the index cannot be read.
    pub fn known(&self) -> Result<Imports> {
        let at = At::of(PointText { branch: self.branch.clone(), moment: Moment::Head });
        self.workspace.read(&at, &Audience::owner(), self.session, |reader, point| {
            let mut known = Imports::default();
            known.read(self.source, reader, point)?;
            Ok(known)
        })
    }

    /// Writes records as one group, and records the digests of their ids. No two records may have the same
    /// [`Record::slot`].
    ///
    /// Records that another import wrote since `known` was read are present, so that two imports of one source at the
    /// same time write each item once.
    ///
    /// If a record cannot be written with the others, the records are written in smaller groups.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`]. What is wrong with a record is no error, but
    /// [`RecordOutcome::LeftOut`].
    pub fn write(&self, records: &[Record], ids: &[ItemId], known: &mut Imports) -> Result<BulkWritten> {
        let branch = self.branch.clone().or_else(|| self.workspace.branch().map(str::to_owned));
        let author = Author { branch, ..self.workspace.author(self.session, Origin::Import) };
        let result = self.workspace.write(&author, |reader, point, ctx| {
            known.read(self.source, reader, point)?;
            let group = Group {
                bulk: self,
                reader,
                point,
                ctx,
                ids,
                known,
                drafts: Vec::new(),
                outcomes: vec![None; records.len()],
                places: vec![None; records.len()],
                unrecorded: HashSet::new(),
                kept: HashMap::new(),
                removed: vec![0; records.len()],
                marks: Vec::new(),
                documents: Vec::new(),
            };
            group.decide(records)
        });
        let written = match result {
            Ok(written) => written,
            Err(e) if !e.kind().is_of_request() => return Err(e),
            Err(e) if records.len() <= 1 => {
                let outcomes = records.iter().map(|_| RecordOutcome::LeftOut(e.to_string())).collect();
                return Ok(BulkWritten {
                    outcomes,
                    entries: vec![None; records.len()],
                    removed: vec![0; records.len()],
                    quarantined: 0,
                    groups: vec![records.len()],
                });
            }
            Err(_) => {
                let half = records.len() / 2;
                let mut written = self.write(&records[..half], &ids[..half], known)?;
                let rest = self.write(&records[half..], &ids[half..], known)?;
                written.outcomes.extend(rest.outcomes);
                written.entries.extend(rest.entries);
                written.removed.extend(rest.removed);
                written.quarantined += rest.quarantined;
                written.groups.extend(rest.groups);
                return Ok(written);
            }
        };
        let Decided { outcomes, places, removed } = written.outcome;
        let entry = |place: Option<usize>| written.entries.get(place?).map(|entry| entry.id);
        let is_marked = |meta: &str| meta.contains("\"quarantined\":");
        Ok(BulkWritten {
            outcomes,
            entries: places.into_iter().map(entry).collect(),
            removed,
            quarantined: written.entries.iter().filter(|entry| is_marked(entry.meta.get())).count() as u64,
            groups: vec![records.len()],
        })
    }
}

/// What was decided of each record.
struct Decided {
    outcomes: Vec<RecordOutcome>,
    places: Vec<Option<usize>>,
    removed: Vec<usize>,
}

impl Group<'_> {
    fn decide(mut self, records: &[Record]) -> memtape_index::Result<Decision<Decided>> {
        let mut sessions: Vec<Session> = Vec::new();
        let mut facts = Facts::default();
        for (n, record) in records.iter().enumerate() {
            let is_known = match record.is_on_every_branch() {
                true => self.known.is_anywhere(self.ids[n].item),
                false => self.known.has(self.ids[n]),
            };
            if is_known {
                self.outcomes[n] = Some(RecordOutcome::Present);
                continue;
            }
            let outcome = match self.refusal(record) {
                Some(why) => Ok(RecordOutcome::LeftOut(why)),
                None => match record {
                    Record::Message { item, is_unwanted } => {
                        if !sessions.contains(&item.session) {
                            sessions.push(item.session.clone());
                        }
                        self.message(n, item, *is_unwanted)
                    }
                    Record::Entry { entry, session, said_at } => {
                        let place = self.drafts.len();
                        self.places[n] = Some(place);
                        let draft = entry.draft(session, *said_at, self.ctx);
                        draft.and_then(|draft| quarantined(draft, entry.suspicion())).map(|draft| {
                            self.drafts.push(draft);
                            RecordOutcome::Added
                        })
                    }
                    Record::Journal { kind, data, session } => self.journal(kind, data, session),
                    Record::Fact { step, scope, session, said_at, .. } => {
                        self.fact(n, step, scope, session, *said_at, &mut facts)
                    }
                    Record::Block { name, value, layer, place } => self.block(n, name, value, *layer, place),
                    Record::Note { path, text, place } => self.note(n, path, text, place),
                    Record::File { path, text, place } => self.file(n, path, text, place),
                    // These are decided together.
                    Record::Statement { .. }
                    | Record::Deleted
                    | Record::Lines { .. }
                    | Record::Daily { .. } => {
                        continue;
                    }
                },
            };
            self.set_outcome(n, outcome)?;
        }
        if !self.drafts.is_empty() && !sessions.is_empty() {
            let opening = opening(self.bulk.workspace, &sessions, self.reader, self.point, self.ctx)?;
            self.places.iter_mut().flatten().for_each(|place| *place += opening.len());
            self.drafts.splice(..0, opening);
        }
        self.statements(records)?;
        self.zone(records)?;
        self.commit(facts)?;
        if !self.marks.is_empty() || !self.documents.is_empty() {
            let here = self.drafts.len();
            let back = |n: usize| self.places[n].map_or(0, |place| (here - place) as u64);
            let documents = self.documents.iter().map(|(document, n)| (*document, back(*n)));
            let kept =
                self.documents.iter().filter_map(|(document, n)| Some((*document, *self.kept.get(n)?)));
            let imported =
                Imported::new(self.bulk.source, &self.marks).with_documents(documents).with_kept(kept);
            self.drafts.push(imported.draft(&self.ctx.meta(), &self.ctx.branch)?);
        }
        let outcomes = self.outcomes.into_iter().map(|outcome| outcome.unwrap_or(RecordOutcome::Present));
        let outcomes = outcomes.collect();
        let decided = Decided { outcomes, places: self.places, removed: self.removed };
        Ok(Decision { drafts: self.drafts, outcome: decided })
    }

    /// Decides what becomes of a record, and that its id is recorded unless it was left out.
    fn set_outcome(
        &mut self,
        n: usize,
        outcome: memtape_index::Result<RecordOutcome>,
    ) -> memtape_index::Result<()> {
        let outcome = match outcome {
            Err(memtape_index::Error::Core(e)) if e.kind().is_of_request() => {
                RecordOutcome::LeftOut(e.to_string())
            }
            outcome => outcome?,
        };
        if !matches!(outcome, RecordOutcome::LeftOut(_)) && !self.unrecorded.contains(&n) {
            self.marks.push(self.ids[n].item);
            self.documents.extend(self.ids[n].document.map(|document| (document, n)));
        }
        self.outcomes[n] = Some(outcome);
        Ok(())
    }

    /// Returns why a record is not written, whatever is there.
    fn refusal(&self, record: &Record) -> Option<String> {
        for text in record.texts() {
            if let Err(e) = self.bulk.workspace.check_length("its text", &text) {
                return Some(e.to_string());
            }
        }
        if record.is_blank() {
            return Some("it is empty".into());
        }
        let label = record.scope().and_then(Scope::label);
        let labels = [(Named::CONVERSATION, record.chat()), (Named::SCOPE, label.as_deref())];
        let in_label = labels.into_iter().find_map(|(of, label)| of.secret_in(label?));
        let in_name = || record.name().and_then(secret_in_name);
        if let Some(kind) = in_label.map(|secret| secret.kind).or_else(in_name) {
            return Some(format!("its name contains a secret ({kind}), and names are not redacted"));
        }
        // A prompt can show the name without its text.
        let (Record::Note { path: name, .. } | Record::File { path: name, .. } | Record::Block { name, .. }) =
            record
        else {
            return None;
        };
        let rule = injection::is_suspicious_name(name)?;
        Some(format!("its name reads like an instruction to a model ({rule})"))
    }

    fn message(&mut self, n: usize, item: &Item, is_unwanted: bool) -> memtape_index::Result<RecordOutcome> {
        let workspace = self.bulk.workspace;
        let mut item = item.clone();
        if let Content::Tools(uses, _) = &mut item.content {
            for result in uses.iter_mut().filter_map(|tool| tool.result.as_mut()) {
                *result = workspace.cut_to_length(result).into_owned();
            }
        }
        let decided = import_said(&item, is_unwanted, &mut Known::default(), self.ctx)?;
        self.places[n] = Some(self.drafts.len());
        self.drafts.extend(decided.drafts);
        Ok(RecordOutcome::Added)
    }

    fn journal(
        &mut self,
        kind: &str,
        data: &serde_json::Value,
        session: &Session,
    ) -> memtape_index::Result<RecordOutcome> {
        let ctx = Context { session: session.clone(), ..self.ctx.clone() };
        let suspicion = guard::suspicion(data);
        let draft = journal::event(kind, data, &ctx)?;
        self.drafts.push(quarantined(draft, suspicion)?);
        Ok(RecordOutcome::Added)
    }

    fn fact(
        &mut self,
        n: usize,
        step: &ledger::Step,
        scope: &Scope,
        session: &Session,
        said_at: Option<jiff::Timestamp>,
        facts: &mut Facts,
    ) -> memtape_index::Result<RecordOutcome> {
        let slot = step.slot().map(|slot| digest(&format!("fact {} {slot}", scope.text(""))));
        if let Some(slot) = slot
            && self.is_removed(slot)?
        {
            return Ok(removed("the fact"));
        }
        let ledger = Ledger::new(self.bulk.workspace, session, Origin::Import, audience_of(scope, session));
        let (more, outcome) = ledger.decide_imported(step, said_at, self.reader, self.point, self.ctx)?;
        if !more.is_empty() {
            facts.records.push((n, facts.drafts.len()));
            self.documents.extend(slot.map(|slot| (slot, n)));
        }
        facts.drafts.extend(more);
        Ok(match outcome {
            StepOutcome::Recorded(done) if done.how == ledger::How::Present => RecordOutcome::Present,
            StepOutcome::Recorded(_) | StepOutcome::Forgotten(_) => RecordOutcome::Added,
            StepOutcome::Refused(why) => RecordOutcome::LeftOut(why),
        })
    }

    /// Returns whether a person or an agent removed what an import wrote as the last version of a document.
    fn is_removed(&self, document: u64) -> memtape_index::Result<bool> {
        let written = self.known.version(document).and_then(|version| version.written);
        let Some(created) = written.map(|entry| self.created_by(entry)).transpose()?.flatten() else {
            return Ok(false);
        };
        if !self.current(&created)?.is_empty() {
            return Ok(false);
        }
        let reference = Ref { form: created.form, key: created.key.clone(), entry: None };
        let last = self.reader.last_version(&reference, &Audience::owner(), self.point)?;
        let last = last.map_or(created.id, |memory| memory.id);
        let Some(by) = self.reader.retired_by(last, self.point)? else { return Ok(false) };
        let by = self.reader.entry(by)?;
        let meta = Meta::read(by.meta.get());
        // What expired, was cleaned up, or was removed in the other program was not removed by anybody here. What an undo
        // removed is known by the group that it reverses.
        let reasons = [upkeep::EXPIRED, upkeep::DUPLICATE];
        let is_upkeep = payload::event_name(&by).as_deref() == Some(EXPIRE)
            || meta.reason.as_deref().is_some_and(|reason| reasons.contains(&reason));
        Ok(!is_upkeep && meta.origin != Some(Origin::Import))
    }

    /// Returns the memory that an entry created, if it created one.
    fn created_by(&self, entry: EntryId) -> memtape_index::Result<Option<Created>> {
        Ok(projection::project(&self.reader.entry(entry)?).creates.into_iter().next())
    }

    /// Returns the current memories under the key of one.
    fn current(&self, created: &Created) -> memtape_index::Result<Vec<Memory>> {
        let question = Question {
            confidential: Confidential::ToOwner,
            form: Some(created.form),
            key: Some(created.key.clone()),
            ..Question::default()
        };
        self.reader.memories(&question, self.point)
    }

    /// Closes the facts with a commit.
    fn commit(&mut self, facts: Facts) -> memtape_index::Result<()> {
        for (n, place) in facts.records {
            self.places[n] = Some(self.drafts.len() + place);
        }
        let setting = ledger::setting(&self.bulk.workspace.config, self.reader, self.point)?;
        let message = format!("import from {}", self.bulk.source);
        let (drafts, _) = commit_together(facts.drafts, &message, self.ctx, &setting)?;
        self.drafts.extend(drafts);
        Ok(())
    }

    /// Returns the context of a record, with its place as the reason.
    fn because(&self, place: &str) -> Context {
        let reason = format!("imported from {} ({place})", self.bulk.source);
        Context { reason: Some(reason), ..self.ctx.clone() }
    }
}

/// Returns the audience whose default write scope a scope is.
fn audience_of(scope: &Scope, session: &Session) -> Audience {
    match scope {
        Scope::Global => Audience::owner(),
        Scope::Chat { .. } => Audience::of_chat(session),
        Scope::User(user) => Audience::of(None, slice::from_ref(user)).only(memtape_core::Layer::User),
    }
}

/// Returns what becomes of a version of a document that somebody removed here.
fn removed(what: &str) -> RecordOutcome {
    RecordOutcome::LeftOut(format!("{what} that an earlier version became was removed here"))
}

/// Returns the same draft, marked as quarantined by a rule if there is one.
pub(crate) fn quarantined(draft: Draft, rule: Option<&str>) -> memtape_index::Result<Draft> {
    let Some(rule) = rule else { return Ok(draft) };
    let meta = Meta { quarantined: Some(rule.to_owned()), ..Meta::read(draft.meta.get()) };
    Ok(draft.with_meta(&meta)?)
}
