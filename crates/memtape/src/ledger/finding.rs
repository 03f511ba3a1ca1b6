//! Finds facts: by a filter, with their history, and as the text for a prompt.
//!
//! **Invariant.** The audience may see everything that is returned here.

use memtape_core::Lifetime;
use memtape_core::forms::ledger::entry::folded;
use memtape_core::forms::ledger::{ops, view};
use memtape_core::recall::tokenize;
use memtape_index::{Confidential, Question};

use super::{Fact, Ledger, Target, sort};
use crate::error::{Error, Result};
use crate::why::{MemoryVersion, version};
use crate::workspace::At;

/// A filter for facts; a fact matches if every part that is set matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only facts about this subject.
    pub subject: Option<String>,
    /// Only facts with this predicate.
    pub predicate: Option<String>,
    /// Only facts of this topic or a topic below it.
    pub topic: Option<String>,
    /// Only facts with this lifetime.
    pub lifetime: Option<Lifetime>,
    /// Only facts of this lifetime or topic, given as document 1's `scope`.
    pub scope: Option<String>,
}

impl Filter {
    pub(crate) fn means(&self, fact: &Fact) -> bool {
        let is = |asked: &Option<String>, own: &str| {
            asked.as_ref().is_none_or(|asked| folded(asked) == folded(own))
        };
        is(&self.subject, &fact.data.subject)
            && is(&self.predicate, &fact.data.predicate)
            && self.topic.as_ref().is_none_or(|topic| fact.topic().is_some() && fact.is_of_topic(topic))
            && self.lifetime.is_none_or(|lifetime| lifetime == fact.memory.lifetime)
            && self.scope.as_ref().is_none_or(|scope| fact.is_of(scope))
    }
}

impl Ledger<'_> {
    /// Returns the current facts that a filter matches and the audience sees, highest confidence first.
    ///
    /// Confidential facts are included only for the owner.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn list(&self, filter: &Filter, at: &At) -> Result<Vec<Fact>> {
        self.found(filter, Confidential::ToOwner, at)
    }

    /// Returns the current facts that contain every word of a query and that a filter matches, highest
    /// confidence first.
    ///
    /// Without a query the filter alone decides. Confidential facts are left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the query has no word; [`Error::Store`] if `at` does not exist or the index
    /// cannot be read.
    pub fn search(&self, query: Option<&str>, filter: &Filter, at: &At) -> Result<Vec<Fact>> {
        let query = query.map(str::trim).filter(|query| !query.is_empty());
        let words = query.map(tokenize::terms).unwrap_or_default();
        if query.is_some() && words.is_empty() {
            return Err(Error::Invalid("the query contains no searchable word".into()));
        }
        let mut facts = self.found(filter, Confidential::Hidden, at)?;
        facts.retain(|fact| view::holds(fact, &words));
        Ok(facts)
    }

    fn found(&self, filter: &Filter, confidential: Confidential, at: &At) -> Result<Vec<Fact>> {
        let mut facts = self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let question = Question { confidential, ..self.question() };
            let facts = reader.memories(&question, point)?.into_iter().filter_map(Fact::read);
            Ok(facts.filter(|fact| filter.means(fact)).collect::<Vec<_>>())
        })?;
        sort(&mut facts);
        Ok(facts)
    }

    /// Returns every version of the named facts, oldest first, each with the entries that created and ended
    /// it.
    ///
    /// Forgotten versions are included.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the reference names no fact that the audience ever saw; [`Error::Store`] of
    /// kind `NotFound` if the words name none; [`Error::Store`] if `at` does not exist or the index cannot be
    /// read.
    pub fn history(&self, target: &Target, at: &At) -> Result<Vec<MemoryVersion>> {
        let target = self.target(target)?;
        let versions = self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let mut versions = Vec::new();
            for memory in self.versions(&target, reader, point)? {
                versions.push(version(reader, memory, &self.audience, point)?);
            }
            Ok(versions)
        })?;
        match (versions.is_empty(), &target) {
            (false, _) => Ok(versions),
            (true, Target::Named(named)) => Err(ops::nothing(named).into()),
            (true, Target::Ref(reference)) => Err(Error::NotFound(format!("{reference} never existed"))),
        }
    }

    /// Returns document 1's context string: the facts that the persona of the branch knows, as a prompt shows
    /// them.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn context(&self, at: &At) -> Result<String> {
        let budget = self.workspace.config.ledger.max_context_chars;
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let facts = reader.memories(&self.question(), point)?.into_iter().filter_map(Fact::read);
            let facts: Vec<Fact> = facts.collect();
            let persona = reader.branch(point.branch())?.and_then(|branch| branch.persona.as_deref());
            Ok(view::context(&facts, point.branch(), persona, budget))
        })
    }
}
