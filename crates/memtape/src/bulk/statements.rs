//! The statements of a group.

use std::collections::{HashMap, HashSet};
use std::mem;

use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::forms::statements::{self, NewStatement, Outcome as StatementOutcome};
use memtape_core::{Form, Memory, MemoryId, Meta, Origin, Retire, Scope, Sensitivity};
use memtape_tape::Draft;

use super::record::Record;
use super::{Group, ItemId, RecordOutcome, removed};
use crate::statements::held;

/// The statements of a group before they are decided, each with the number of its record.
#[derive(Default)]
struct Inputs {
    current: Vec<(usize, NewStatement)>,
    /// The records that say that the statement is no more, each with the reason.
    ended: Vec<(usize, String)>,
}

/// What the records of a group do to the statements that are here.
#[derive(Default)]
struct Changes {
    /// The statements to write, each with its record and the last version of its document.
    new: Vec<(usize, NewStatement, Vec<Memory>)>,
    /// The last versions of the documents whose new version writes nothing, each with its record.
    outdated: Vec<(usize, Vec<Memory>)>,
    /// The keys of the statements that the documents of the source have.
    shared: HashSet<String>,
    /// The memories that are removed.
    removed: HashSet<MemoryId>,
}

impl Changes {
    /// Takes the memories of a last version that are to be removed: what an import wrote, and no other document has.
    fn take(&mut self, earlier: Vec<Memory>) -> Vec<Memory> {
        let is_shared = |memory: &Memory| self.shared.contains(&memory.key);
        let own = earlier.into_iter().filter(|memory| memory.origin == Some(Origin::Import));
        let taken: Vec<Memory> = own.filter(|memory| !is_shared(memory)).collect();
        taken.into_iter().filter(|memory| self.removed.insert(memory.id)).collect()
    }
}

impl Group<'_> {
    /// Records the statements among the records.
    pub(super) fn statements(&mut self, records: &[Record]) -> memtape_index::Result<()> {
        let Inputs { current, ended } = self.inputs(records)?;
        let mut changes = Changes::default();
        for (n, why) in ended {
            self.end(n, why, &mut changes)?;
        }
        self.compare(records, current, &mut changes)?;
        self.write_new(records, &mut changes)?;
        for (n, earlier) in mem::take(&mut changes.outdated) {
            let removed = statements::ops::expire(&changes.take(earlier), true, self.ctx)?;
            self.removed[n] += removed.outcome;
            self.drafts.extend(removed.drafts);
        }
        Ok(())
    }

    fn inputs(&mut self, records: &[Record]) -> memtape_index::Result<Inputs> {
        let mut inputs = Inputs::default();
        for (n, record) in records.iter().enumerate() {
            if self.outcomes[n].is_some() {
                continue;
            }
            if matches!(record, Record::Deleted) {
                inputs.ended.push((n, "it is deleted".to_owned()));
                continue;
            }
            let mut input = match self.statement(n, record, records) {
                Ok(Some(input)) => input,
                Ok(None) => continue,
                Err(e) => {
                    self.set_outcome(n, Err(e))?;
                    continue;
                }
            };
            if let Some(end) = input.statement.expires_at.filter(|end| *end <= self.ctx.now) {
                let day = memtape_core::calendar::day(end, &self.ctx.zone);
                inputs.ended.push((n, format!("it expired on {day}")));
                continue;
            }
            input.statement.text = self.bulk.workspace.clean(input.statement.text.trim()).into_owned();
            inputs.current.push((n, input));
        }
        Ok(inputs)
    }

    /// Leaves out a version that says that the statement is no more. The last version is removed and, unless somebody
    /// removed it here, no longer counts: the program may return to it.
    fn end(&mut self, n: usize, why: String, changes: &mut Changes) -> memtape_index::Result<()> {
        if let Some(document) = self.ids[n].document
            && self.known.version(document).is_some_and(|version| version.written.is_some())
            && !self.is_removed(document)?
        {
            changes.outdated.push((n, self.earlier(document)?));
            self.documents.push((document, n));
        }
        self.set_outcome(n, Ok(RecordOutcome::LeftOut(why)))
    }

    /// Compares the statements with those that are here.
    fn compare(
        &mut self,
        records: &[Record],
        inputs: Vec<(usize, NewStatement)>,
        changes: &mut Changes,
    ) -> memtape_index::Result<()> {
        let (numbers, inputs): (Vec<usize>, Vec<NewStatement>) = inputs.into_iter().unzip();
        let view = held(self.reader, self.point, &inputs, true, self.ctx)?;
        let session = self.ctx.session.to_string();
        let repeats = |input: &NewStatement| input.repeated(&view, &session).is_some();
        let is_later =
            |id: &ItemId| id.document.is_some_and(|document| self.known.version(document).is_some());
        let mut of_source = HashSet::new();
        if inputs.iter().any(repeats) || self.ids.iter().any(is_later) {
            (changes.shared, of_source) = self.keys()?;
        }
        // What is known does not become newer by being imported again.
        for (n, input) in numbers.into_iter().zip(inputs) {
            let document = self.ids[n].document;
            let earlier = document.map(|document| self.earlier(document)).transpose()?.unwrap_or_default();
            if let Some(StoredStatement { memory: existing, .. }) = input.repeated(&view, &session) {
                let is_imported = existing.origin == Some(Origin::Import);
                let is_earlier = is_imported && earlier.iter().any(|memory| memory.id == existing.id);
                // One that does not say whose it is says no more than the last version.
                let says_less = matches!(&records[n], Record::Statement { scope: None, .. });
                if is_earlier && says_less {
                    self.unrecorded.insert(n);
                }
                // A version may have the same text and another end.
                let has_same_end = existing.expires_at == input.statement.expires_at;
                let is_kept = says_less || has_same_end || changes.shared.contains(&existing.key);
                if !is_earlier || is_kept {
                    if is_imported && (is_earlier || of_source.contains(&existing.key)) {
                        self.kept.insert(n, existing.id.entry());
                    }
                    changes.shared.insert(existing.key.clone());
                    changes.outdated.push((n, earlier));
                    self.set_outcome(n, Ok(RecordOutcome::Present))?;
                    continue;
                }
            } else if document.map(|document| self.is_removed(document)).transpose()? == Some(true) {
                self.set_outcome(n, Ok(removed("the statement")))?;
                continue;
            }
            changes.new.push((n, input, earlier));
        }
        Ok(())
    }

    /// Returns the keys of the statements that the documents of the source have: those that are not in the group, and all.
    fn keys(&self) -> memtape_index::Result<(HashSet<String>, HashSet<String>)> {
        let here: HashSet<u64> = self.ids.iter().filter_map(|id| id.document).collect();
        let (mut others, mut all) = (HashSet::new(), HashSet::new());
        for (document, entry) in self.known.written() {
            let Some(created) = self.created_by(entry)?.filter(|created| created.form == Form::STATEMENTS)
            else {
                continue;
            };
            if !here.contains(&document) {
                others.insert(created.key.clone());
            }
            all.insert(created.key);
        }
        Ok((others, all))
    }

    /// Writes the new statements.
    fn write_new(&mut self, records: &[Record], changes: &mut Changes) -> memtape_index::Result<()> {
        let mut new = Vec::new();
        let mut of_records = Vec::new();
        for (n, input, earlier) in mem::take(&mut changes.new) {
            new.push(input);
            of_records.push((n, earlier));
        }
        let decided = statements::ops::record(
            &statements::View::default(),
            &new,
            &self.bulk.workspace.config.retention,
            self.ctx,
        )?;
        let mut drafts = decided.drafts.into_iter();
        let mut places: HashMap<String, usize> = HashMap::new();
        for ((n, earlier), outcome) in of_records.into_iter().zip(decided.outcome) {
            let key = outcome.reference().key.clone();
            let draft = match outcome {
                StatementOutcome::Saved(_) | StatementOutcome::Confirmed(_) => drafts.next(),
                StatementOutcome::Present(_) => None,
            };
            let outcome = match (&draft, &records[n]) {
                (None, _) => RecordOutcome::Present,
                (Some(_), Record::Daily { scope, .. }) => RecordOutcome::Beside(statements_of(scope)),
                (Some(_), _) => RecordOutcome::Added,
            };
            match draft {
                Some(draft) => {
                    places.insert(key.clone(), self.drafts.len());
                    // A new version of the same text replaces the last one, whoever has it.
                    let (same, other): (Vec<_>, Vec<_>) =
                        earlier.into_iter().partition(|memory| memory.key == key);
                    let mut replaced = changes.take(other);
                    replaced.extend(same.into_iter().filter(|memory| changes.removed.insert(memory.id)));
                    self.drafts.push(replacing(draft, &replaced)?);
                }
                None => changes.outdated.push((n, earlier)),
            }
            self.places[n] = places.get(&key).copied();
            changes.shared.insert(key);
            self.set_outcome(n, Ok(outcome))?;
        }
        Ok(())
    }

    /// Returns what is current of the last version of a document that is one memory.
    fn earlier(&self, document: u64) -> memtape_index::Result<Vec<Memory>> {
        let written = self.known.version(document).and_then(|version| version.written);
        match written.map(|entry| self.created_by(entry)).transpose()?.flatten() {
            Some(created) if created.form == Form::STATEMENTS => self.current(&created),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the statement that a record becomes; `None` if it becomes none.
    fn statement(
        &self,
        n: usize,
        record: &Record,
        records: &[Record],
    ) -> memtape_index::Result<Option<NewStatement>> {
        let (mut statement, scope, sensitivity) = match record {
            Record::Statement { statement, scope, sensitivity } => {
                (statement.clone(), scope.as_ref(), *sensitivity)
            }
            Record::Daily { scope, .. } => match self.old_entry(record, records) {
                Some(entry) => (entry, Some(scope), Sensitivity::Normal),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let scope = match (scope, self.ids[n].document) {
            (Some(scope), _) => scope.clone(),
            (None, None) => Scope::Global,
            (None, Some(document)) => {
                let end = self.earlier(document)?.first().and_then(|memory| memory.expires_at);
                statement.expires_at = statement.expires_at.or(end);
                self.last_scope(document)?
            }
        };
        Ok(Some(NewStatement { statement, scope, origin: Origin::Import, sensitivity }))
    }

    /// Returns the scope of a version that does not say whose it is: that of the last version of its document, or the
    /// workspace's if none was imported.
    fn last_scope(&self, document: u64) -> memtape_index::Result<Scope> {
        let Some(version) = self.known.version(document) else { return Ok(Scope::Global) };
        let why = "it does not say whose it is, and no current import of it does";
        let written = version.written.ok_or_else(|| memtape_core::Error::Refused(why.to_owned()))?;
        Ok(Meta::read(self.reader.entry(written)?.meta.get()).scope())
    }
}

/// Returns what a report calls the statements of a chat or a user.
fn statements_of(scope: &Scope) -> String {
    match scope {
        Scope::Global => "the statements of the workspace".to_owned(),
        Scope::Chat { channel, chat } => format!("the statements of the chat {channel}:{chat}"),
        Scope::User(user) => format!("the statements of the user {user}"),
    }
}

/// Returns the same draft, which also removes memories.
fn replacing(draft: Draft, replaced: &[Memory]) -> memtape_index::Result<Draft> {
    if replaced.is_empty() {
        return Ok(draft);
    }
    let mut meta = Meta::read(draft.meta.get());
    meta.retires.extend(replaced.iter().map(|memory| Retire::Memory(memory.id)));
    Ok(draft.with_meta(&meta)?)
}
