//! Finds the facts that a caller names by reference or in words, and decides which of them the audience may
//! change.
//!
//! **Invariant.** A fact that the audience may not change is never returned for a change: names in words
//! cover only the default write scopes, references only the scopes that belong to the audience.

use memtape_core::audience::not_changeable;
use memtape_core::forms::ledger::entry::{self, DEPRECATE, about};
use memtape_core::forms::ledger::{View, ops};
use memtape_core::{Context, Form, Lifetime, Memory, Point, Ref, Scope};
use memtape_index::{Confidential, Question, Reader};

use super::{Fact, Ledger, Named};
use crate::error::{Error, Result};

/// A fact named by a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// By its reference, or by the id of one of its events.
    Ref(Ref),
    /// In words.
    Named(Named),
}

impl Ledger<'_> {
    pub(super) fn target(&self, target: &Target) -> Result<Target> {
        match target {
            Target::Ref(reference) if reference.form != Form::LEDGER => {
                Err(Error::Invalid(format!("{reference} is not a fact: expected ledger:KEY")))
            }
            Target::Ref(reference) => Ok(Target::Ref(reference.clone())),
            Target::Named(named) => Ok(Target::Named(self.named(named)?)),
        }
    }

    /// Returns the facts of a subject and a predicate that the audience may change by name.
    pub(super) fn about(
        &self,
        named: &Named,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<View> {
        let question = Question {
            confidential: Confidential::ToOwner,
            about: Some(about(&named.subject, &named.predicate)),
            ..self.question()
        };
        let memories = reader.memories(&question, point)?;
        let (own, others): (Vec<_>, Vec<_>) =
            memories.into_iter().partition(|memory| self.is_at_home(memory));
        let view = View::fold(own);
        let others = View::fold(others);
        let elsewhere = others.named(named, point.instant);
        match elsewhere.first() {
            Some(first) if view.named(named, point.instant).is_empty() => Err(elsewhere_only(first).into()),
            _ => Ok(view),
        }
    }

    /// Returns whether a name in words covers a fact: for the owner those of the workspace and of the
    /// terminal's conversation, for others those of their chat and their own.
    pub(super) fn is_at_home(&self, memory: &Memory) -> bool {
        if !self.audience.is_owner() {
            return self.is_own(memory);
        }
        let scope = Scope::from_label(&memory.scope).unwrap_or_default();
        let here = Scope::of_chat(&self.author.session);
        let is_here = match memory.lifetime {
            Lifetime::Session => memory.session == Some(self.author.session.to_string()),
            _ => scope == here,
        };
        match self.audience.layer() {
            Some(layer) => layer == scope.layer(),
            None => is_here || scope == Scope::Global,
        }
    }

    /// Returns whether the audience may remove a memory.
    pub(super) fn is_own(&self, memory: &Memory) -> bool {
        self.audience.may_remove(&Scope::from_label(&memory.scope).unwrap_or_default())
    }

    /// Returns the one current fact that is named.
    pub(super) fn one(
        &self,
        target: &Target,
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
    ) -> memtape_index::Result<Fact> {
        match target {
            Target::Named(named) => Ok(ops::one(&self.about(named, reader, point)?, named, ctx)?.clone()),
            Target::Ref(reference) => {
                let mut facts = self.current_at(std::slice::from_ref(reference), reader, point)?;
                facts.pop().ok_or_else(|| reference.not_current().into())
            }
        }
    }

    pub(super) fn current_at(
        &self,
        references: &[Ref],
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Fact>> {
        let mut current: Vec<Fact> = Vec::new();
        for reference in references {
            let (mut found, mut elsewhere) = (None, None);
            let memories = reader.by_ref(reference, &self.audience, point)?;
            for fact in memories.into_iter().filter_map(Fact::read) {
                if reader.is_current(fact.memory.id, point)? {
                    let place = if self.is_own(&fact.memory) { &mut found } else { &mut elsewhere };
                    *place = Some(fact);
                }
            }
            let fact = found.ok_or_else(|| match elsewhere {
                Some(Fact { memory, .. }) => {
                    not_changeable(reference, &Scope::from_label(&memory.scope).unwrap_or_default())
                }
                None => reference.not_current(),
            })?;
            if current.iter().all(|other| other.memory.id != fact.memory.id) {
                current.push(fact);
            }
        }
        Ok(current)
    }

    /// Returns the named fact if the last event about it deprecated it.
    pub(super) fn deprecated(
        &self,
        target: &Target,
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
    ) -> memtape_index::Result<Option<Fact>> {
        if let Target::Named(named) = target
            && !self.about(named, reader, point)?.named(named, ctx.now).is_empty()
        {
            return Ok(None);
        }
        let memories = self.versions(target, reader, point)?;
        let own = |memory: &Memory| match target {
            Target::Named(_) => self.is_at_home(memory),
            Target::Ref(_) => self.is_own(memory),
        };
        let Some(fact) = memories.into_iter().rfind(own).and_then(Fact::read) else { return Ok(None) };
        let Some(end) = reader.retired_by(fact.memory.id, point)? else { return Ok(None) };
        let name = memtape_core::projection::project(&reader.entry(end)?).name;
        Ok((name.as_deref() == Some(DEPRECATE)).then_some(fact))
    }

    /// Returns every version of the named facts that the audience sees, oldest first.
    pub(super) fn versions(
        &self,
        target: &Target,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Memory>> {
        match target {
            Target::Ref(reference) => {
                let mut versions = reader.versions(reference, &self.audience, point)?;
                versions.retain(|memory| reference.entry.is_none_or(|entry| memory.id.entry() == entry));
                Ok(versions)
            }
            Target::Named(named) => {
                let about = about(&named.subject, &named.predicate);
                let versions = reader.versions_about(&about, &self.audience, point)?;
                let asked = named.scope.as_deref();
                let is_match =
                    |fact: &Fact| asked.is_none_or(|asked| entry::slot_of(Some(asked)) == fact.slot());
                let facts = versions.into_iter().filter_map(Fact::read).filter(is_match);
                Ok(facts.map(|fact| fact.memory).collect())
            }
        }
    }
}

/// Returns the error for facts that exist but cannot be changed by that name.
fn elsewhere_only(fact: &Fact) -> memtape_core::Error {
    let (reference, scope) = (fact.memory.reference(), &fact.memory.scope);
    match Scope::from_label(scope) {
        None => memtape_core::Error::Refused(format!(
            "{reference} belongs to the workspace: only the owner \
                                                  can change it"
        )),
        Some(_) => memtape_core::Error::NotFound(format!(
            "the fact exists only in {scope} ({reference}): specify the conversation or the user, or \
             pass the ref"
        )),
    }
}
