//! Which facts are found: those that a filter means, with their history, and what a prompt is shown of all.
//!
//! **Invariant.** Whatever is given here the audience may be shown.

use memtape_core::Lifetime;
use memtape_core::forms::ledger::entry::folded;
use memtape_core::forms::ledger::{ops, view};
use memtape_core::recall::tokenize;
use memtape_store::{Confidential, Question};

use super::{Fact, Ledger, Meant, sort};
use crate::error::{Error, Result};
use crate::why::{Version, version};
use crate::workspace::At;

/// Which facts are meant; those that hold for every part that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// About this.
    pub subject: Option<String>,
    /// That say this of it.
    pub predicate: Option<String>,
    /// Of this topic, or one below it.
    pub topic: Option<String>,
    /// That live so long.
    pub lifetime: Option<Lifetime>,
    /// Of a lifetime or a topic, as document 1's `scope` says either.
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
    /// The facts that a filter means, of those the audience sees, the surest first; to the owner also what is
    /// confidential.
    ///
    /// # Errors
    /// What the medium says.
    pub fn list(&self, filter: &Filter, at: &At) -> Result<Vec<Fact>> {
        self.found(filter, Confidential::ToOwner, at)
    }

    /// The facts that hold every word of a query and that a filter means, the surest first. What is confidential is not
    /// among them.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a query without a word; or what the medium says.
    pub fn search(&self, query: Option<&str>, filter: &Filter, at: &At) -> Result<Vec<Fact>> {
        let query = query.map(str::trim).filter(|query| !query.is_empty());
        let words = query.map(tokenize::terms).unwrap_or_default();
        if query.is_some() && words.is_empty() {
            return Err(Error::Invalid("the query holds no word to look for".into()));
        }
        let mut facts = self.found(filter, Confidential::Hidden, at)?;
        facts.retain(|fact| view::holds(fact, &words));
        Ok(facts)
    }

    fn found(&self, filter: &Filter, confidential: Confidential, at: &At) -> Result<Vec<Fact>> {
        let mut facts = self.workspace.read(at, &self.author.session, |reader, point| {
            let question = Question { confidential, ..self.question() };
            let facts = reader.memories(&question, point)?.into_iter().filter_map(Fact::read);
            Ok(facts.filter(|fact| filter.means(fact)).collect::<Vec<_>>())
        })?;
        sort(&mut facts);
        Ok(facts)
    }

    /// Every version of the facts that are meant, oldest first, with what bore and what ended each: also of those that
    /// were forgotten.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the audience never saw such a fact; or what the medium says.
    pub fn history(&self, meant: &Meant, at: &At) -> Result<Vec<Version>> {
        let meant = self.meant(meant)?;
        let versions = self.workspace.read(at, &self.author.session, |reader, point| {
            let mut versions = Vec::new();
            for memory in self.versions(&meant, reader, point)? {
                versions.push(version(reader, memory, &self.audience, point)?);
            }
            Ok(versions)
        })?;
        match (versions.is_empty(), &meant) {
            (false, _) => Ok(versions),
            (true, Meant::Named(named)) => Err(ops::nothing(named).into()),
            (true, Meant::Ref(reference)) => {
                Err(Error::NotFound(format!("{reference} is not there, and never was")))
            }
        }
    }

    /// Document 1's context string: what the persona of the branch knows, as a prompt gets it.
    ///
    /// # Errors
    /// What the medium says.
    pub fn context(&self, at: &At) -> Result<String> {
        let budget = self.workspace.config.ledger.max_context_chars;
        self.workspace.read(at, &self.author.session, |reader, point| {
            let facts = reader.memories(&self.question(), point)?.into_iter().filter_map(Fact::read);
            let facts: Vec<Fact> = facts.collect();
            let branches = reader.branches()?;
            let branch = branches.into_iter().find(|branch| branch.name == point.branch());
            let persona = branch.and_then(|branch| branch.persona);
            Ok(view::context(&facts, point.branch(), persona.as_deref(), budget))
        })
    }
}
