//! The statements of a group.

use memtape_core::forms::statements::{self, NewStatement, Outcome as StatementOutcome};
use memtape_core::{Form, Memory, Meta, Origin, Retire, Scope, Sensitivity};
use memtape_tape::Draft;

use super::record::Record;
use super::{Group, RecordOutcome, removed};
use crate::statements::held;

impl Group<'_> {
    /// Records the statements among the records.
    pub(super) fn statements(&mut self, records: &[Record]) -> memtape_index::Result<()> {
        let mut numbers = Vec::new();
        let mut inputs = Vec::new();
        for (n, record) in records.iter().enumerate() {
            if self.outcomes[n].is_some() {
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
                // An earlier version may have had no end.
                let earlier = self.ids[n].document.map(|document| self.earlier(document)).transpose()?;
                let mut earlier = earlier.unwrap_or_default();
                earlier.retain(|memory| memory.origin == Some(Origin::Import));
                let expired = statements::ops::expire(&earlier, true, self.ctx)?;
                self.drafts.extend(expired.drafts);
                let day = memtape_core::calendar::day(end, &self.ctx.zone);
                self.set_outcome(n, Ok(RecordOutcome::LeftOut(format!("it expired on {day}"))))?;
                continue;
            }
            input.statement.text = self.bulk.workspace.clean(input.statement.text.trim()).into_owned();
            numbers.push(n);
            inputs.push(input);
        }
        let view = held(self.reader, self.point, &inputs, true, self.ctx)?;
        // What is known does not become newer by being imported again.
        let session = self.ctx.session.to_string();
        let (mut new, mut new_numbers, mut replaced) = (Vec::new(), Vec::new(), Vec::new());
        for (n, input) in numbers.into_iter().zip(inputs) {
            let document = self.ids[n].document;
            let earlier = document.map(|document| self.earlier(document)).transpose()?.unwrap_or_default();
            if let Some(existing) = input.repeated(&view, &session) {
                let is_earlier = existing.memory.origin == Some(Origin::Import)
                    && earlier.iter().any(|memory| memory.id == existing.memory.id);
                // One that does not say whose it is says no more than the last version.
                let says_less = matches!(&records[n], Record::Statement { scope: None, .. });
                if is_earlier && says_less {
                    self.unrecorded.insert(n);
                }
                // A version may have the same text and another end.
                if !is_earlier || says_less || existing.memory.expires_at == input.statement.expires_at {
                    self.set_outcome(n, Ok(RecordOutcome::Present))?;
                    continue;
                }
            } else if document.map(|document| self.is_removed(document)).transpose()? == Some(true) {
                self.set_outcome(n, Ok(removed("the statement")))?;
                continue;
            }
            replaced.push(earlier);
            new.push(input);
            new_numbers.push(n);
        }
        let decided = statements::ops::record(
            &statements::View::default(),
            &new,
            &self.bulk.workspace.config.retention,
            self.ctx,
        )?;
        let mut drafts = decided.drafts.into_iter();
        for ((n, outcome), replaced) in new_numbers.into_iter().zip(decided.outcome).zip(replaced) {
            let draft = match outcome {
                StatementOutcome::Saved(_) | StatementOutcome::Confirmed(_) => drafts.next(),
                StatementOutcome::Present(_) => None,
            };
            let outcome = match (&draft, &records[n]) {
                (None, _) => RecordOutcome::Present,
                (Some(_), Record::Daily { scope, .. }) => RecordOutcome::Beside(statements_of(scope)),
                (Some(_), _) => RecordOutcome::Added,
            };
            if let Some(draft) = draft {
                self.places[n] = Some(self.drafts.len());
                self.drafts.push(replacing(draft, &replaced)?);
            }
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
        let why = "it does not say whose it is, and its text was here before it was imported";
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
