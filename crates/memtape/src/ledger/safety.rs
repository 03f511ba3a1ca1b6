//! Prepares facts before they are written: redacts secrets, and marks texts that read like instructions to a
//! model.

use memtape_core::Origin;
use memtape_core::forms::ledger::entry;
use memtape_core::safety::injection;

use super::{Ledger, Named, NewFact};
use crate::error::{Error, Result};

impl Ledger<'_> {
    /// Returns names as they may be written, with secrets redacted.
    pub(super) fn named(&self, named: &Named) -> Result<Named> {
        let Named { subject, predicate, scope } = named.checked()?;
        let scope = scope.map(|scope| self.clean(&scope));
        Ok(Named { subject: self.clean(&subject), predicate: self.clean(&predicate), scope }.checked()?)
    }

    /// Returns a fact with secrets redacted, including those that only show when its parts are read together.
    pub(super) fn safe(&self, input: &NewFact) -> Result<NewFact> {
        for text in [&input.subject, &input.predicate, &input.source].into_iter().chain(&input.evidence) {
            self.workspace.check_length("a part of the fact", text)?;
        }
        let (subject, predicate) = (self.clean(&input.subject), self.clean(&input.predicate));
        Ok(NewFact {
            object: self.without_secrets(&subject, &predicate, &input.object)?,
            subject,
            predicate,
            scope: input.scope.as_deref().map(|scope| self.clean(scope)),
            source: self.clean(&input.source),
            evidence: input.evidence.as_deref().map(|evidence| self.clean(evidence)),
            ..input.clone()
        })
    }

    /// Returns a value as it may follow a subject and a predicate: `password`, `is` and `hunter2` are a
    /// secret only together.
    pub(super) fn without_secrets(&self, subject: &str, predicate: &str, object: &str) -> Result<String> {
        self.workspace.check_length("the value", object)?;
        self.workspace.clean_after(&entry::text(subject, predicate, ""), object).ok_or_else(|| {
            Error::Invalid("the subject and the predicate together contain a secret: remove it".into())
        })
    }

    pub(super) fn clean(&self, text: &str) -> String {
        self.workspace.clean(text).into_owned()
    }

    /// Returns the rule by which a fact reads like an instruction to a model, unless the owner wrote it.
    pub(super) fn suspicion(&self, input: &NewFact) -> Option<String> {
        let text = entry::text(&input.subject, &input.predicate, &input.object);
        let more = [input.scope.as_deref(), Some(&input.source), input.evidence.as_deref()];
        let texts: Vec<&str> = [text.as_str()].into_iter().chain(more.into_iter().flatten()).collect();
        self.suspicious(&texts)
    }

    pub(super) fn suspicious(&self, texts: &[&str]) -> Option<String> {
        if self.audience.is_owner() && self.author.origin == Origin::User {
            return None;
        }
        texts.iter().find_map(|text| injection::is_suspicious(text)).map(str::to_owned)
    }
}
