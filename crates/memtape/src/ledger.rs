//! The ledger: adding, observing, confirming, updating and removing facts.

use std::borrow::Cow;

use memtape_core::forms::ledger::entry::{self, lifetime};
use memtape_core::forms::ledger::{Setting, View, ops};
use memtape_core::{
    Audience, Context, Decision, Form, Layer, Lifetime, Memory, Origin, Point, Ref, Scope, Sensitivity,
    Session, Slots,
};
use memtape_index::{Confidential, Question, Reader};
use memtape_store::{Author, Written};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

mod batch;
mod finding;
mod prune;
mod restore;
mod safety;
mod target;
pub(crate) mod upkeep;

pub use self::batch::{Applied, Applying, Step, StepOutcome};
pub use self::finding::Filter;
pub use self::prune::Unwanted;
pub use self::restore::Restored;
pub use self::target::Target;
pub use memtape_core::forms::ledger::view::{percent, sort};
pub use memtape_core::forms::ledger::{
    Done, EventType, Fact, FactData, How, Named, NewFact, NewValue, Retired, TOOL_SOURCE, USER_SOURCE,
};

/// The confidence of a fact that the owner adds.
pub const ADDED_CONFIDENCE: f64 = 1.0;
/// The confidence of a fact that an agent adds (document 1).
pub const TOOL_CONFIDENCE: f64 = 0.9;
/// The confidence of an observation.
pub const OBSERVED_CONFIDENCE: f64 = 0.6;

/// The ledger of a workspace, for one audience.
///
/// Reads cover all scopes of the audience. Writes go to its default write scope; facts with the lifetime of a
/// conversation go to the chat of that conversation.
pub struct Ledger<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::options!(
    Ledger: in_session, with_sensitivity, because, writing_as, called_by, into_branch, only_if
);

impl<'a> Ledger<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience: Audience::owner() }
            .for_audience(audience)
    }

    /// Returns the same handle for another audience.
    ///
    /// If the audience names a conversation, the handle writes in it.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        if let Some(session) = audience.session() {
            self.author.session = session.clone();
        }
        self.audience = audience;
        self
    }

    /// Adds a fact in the default write scope of the audience.
    ///
    /// If a fact with the same subject, predicate and topic exists, the same value confirms it (if the new
    /// one adds confidence, evidence or a later end) and another value replaces it. A confidential fact of the
    /// owner's stays confidential; for anybody else it does not exist
    /// ([`slots`](memtape_core::slots)).
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the subject and the predicate together contain a secret, or if a fact with the
    ///   lifetime of a conversation has no conversation.
    /// - [`Error::Refused`] if a part is longer than `ingest.max_message_bytes`.
    /// - [`Error::Store`] of kind `Invalid` if a part is empty, too long or out of its range.
    /// - [`Error::Store`] of kind `Refused` if a tool's value would replace a person's, or if a tool adds a
    ///   confidential fact for an audience that is not the owner.
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn add(&self, input: &NewFact) -> Result<Done> {
        self.record(input, false, ops::add)
    }

    /// Records an observation, which confirms the existing fact or lowers its confidence ([`ops`] documents
    /// by how much).
    ///
    /// In a conversation other than the terminal's, the observation takes effect at once, and its commit is
    /// written when the conversation ends or after a number of turns (`ledger.commit_turns`).
    ///
    /// # Errors
    /// See [`Ledger::add`].
    pub fn observe(&self, input: &NewFact) -> Result<Done> {
        self.record(input, self.author.session != Session::direct(), ops::observe)
    }

    fn record(
        &self,
        input: &NewFact,
        waits: bool,
        decide: fn(&View, &NewFact, &Context, &Setting) -> memtape_core::Result<Decision<Done>>,
    ) -> Result<Done> {
        let input = self.safe(input)?.checked()?;
        let input = NewFact { quarantined: self.suspicion(&input), ..input };
        let author = Author { scope: self.home(lifetime(input.scope.as_deref()))?, ..self.author.clone() };
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let mut input = Cow::Borrowed(&input);
            let mut view = self.slots(&input.slots(ctx), ctx.sensitivity, reader, point)?;
            let exists = |view: &View| view.iter().any(|fact| self.sees(fact) && !fact.has_ended(ctx.now));
            // A validity in days refers to a temporary fact if that is the one that exists.
            if input.days.is_some() && input.scope.is_none() && !exists(&view) {
                let scope = Some(Lifetime::Temporary.as_str().to_owned());
                let temporary = NewFact { scope, ..input.clone().into_owned() };
                let there = self.slots(&temporary.slots(ctx), ctx.sensitivity, reader, point)?;
                if exists(&there) {
                    (input, view) = (Cow::Owned(temporary), there);
                }
            }
            let is_unseen = self.is_unseen(ctx.sensitivity);
            let setting = Setting { waits, is_unseen, ..self.setting(reader, point)? };
            Ok(decide(&view, &input, ctx, &setting)?)
        })?;
        Ok(with_version(written))
    }

    /// Replaces the value of the named fact.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such fact, of kind `Conflict` if it exists in
    /// several topics, of kind `Refused` if it is the workspace's and the audience is not its owner;
    /// otherwise see [`Ledger::add`].
    pub fn update(&self, named: &Named, new: &NewValue) -> Result<Done> {
        let named = self.named(named)?;
        let (subject, predicate) = (named.subject.clone(), named.predicate.clone());
        self.replace(&Target::Named(named), [&subject, &predicate], new)
    }

    /// Replaces the value of the fact of a reference.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if it is not current or the audience may not change it; otherwise see
    /// [`Ledger::add`].
    pub fn update_ref(&self, reference: &Ref, new: &NewValue) -> Result<Done> {
        let target = self.target(&Target::Ref(reference.clone()))?;
        let facts = self.current(std::slice::from_ref(reference))?;
        let about = facts.first().map(|fact| [&*fact.data.subject, &*fact.data.predicate]);
        self.replace(&target, about.unwrap_or_default(), new)
    }

    /// Replaces the value of a fact about a subject and a predicate.
    fn replace(&self, target: &Target, about: [&str; 2], new: &NewValue) -> Result<Done> {
        let new = new.checked()?;
        let [subject, predicate] = about;
        let object = self.without_secrets(subject, predicate, &new.object)?;
        let text = entry::text(subject, predicate, &object);
        let quarantined = self.suspicious(&[&text, &new.source]);
        let new = NewValue { object, quarantined, source: self.clean(&new.source), ..new };
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let fact = self.one(target, reader, point, ctx)?;
            Ok(ops::update(&fact, &new, ctx, &self.setting(reader, point)?)?)
        })?;
        Ok(with_version(written))
    }

    /// Forgets the named facts, in every topic unless one is named, and returns them as they were.
    ///
    /// Earlier points still show them.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such fact, of kind `Refused` if a tool would remove
    /// a person's fact or if the fact is the workspace's and the audience is not its owner, of kind `Invalid`
    /// if a name is empty or too long, and as for [`Workspace::write`].
    pub fn forget(&self, named: &Named) -> Result<Retired> {
        let named = self.named(named)?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let view = self.about(&named, reader, point)?;
            let facts = view.named(&named, ctx.now);
            if facts.is_empty() {
                return Err(ops::nothing(&named).into());
            }
            Ok(ops::forget(&facts, ctx, &self.setting(reader, point)?)?)
        })?;
        Ok(written.outcome)
    }

    /// Forgets facts by their references and returns them as they were.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if one is not current or the audience may not remove it; otherwise
    /// see [`Ledger::forget`].
    pub fn forget_refs(&self, references: &[Ref]) -> Result<Retired> {
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let facts = self.current_at(references, reader, point)?;
            let facts: Vec<&Fact> = facts.iter().collect();
            Ok(ops::forget(&facts, ctx, &self.setting(reader, point)?)?)
        })?;
        Ok(written.outcome)
    }

    /// Returns the current facts of some references.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if one is not current or the audience may not remove it;
    /// [`Error::Store`] if the index cannot be read.
    pub fn current(&self, references: &[Ref]) -> Result<Vec<Fact>> {
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            self.current_at(references, reader, point)
        })
    }

    /// Deprecates a fact that is no longer true.
    ///
    /// Its history keeps it, and confirming it restores it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the reference is no fact's; otherwise see [`Ledger::update`].
    pub fn deprecate(&self, target: &Target) -> Result<Retired> {
        let target = self.target(target)?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let fact = self.one(&target, reader, point, ctx)?;
            Ok(ops::deprecate(&fact, ctx, &self.setting(reader, point)?)?)
        })?;
        Ok(written.outcome)
    }

    /// Confirms a fact, which raises its confidence.
    ///
    /// A deprecated fact becomes current again.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Conflict` if another value has taken the place of a deprecated fact;
    /// otherwise see [`Ledger::deprecate`].
    pub fn confirm(&self, target: &Target) -> Result<Done> {
        let target = self.target(target)?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let deprecated = self.deprecated(&target, reader, point, ctx)?;
            let (fact, is_retired) = match deprecated {
                Some(fact) => (fact, true),
                None => (self.one(&target, reader, point, ctx)?, false),
            };
            let view = View::fold(slot(&fact.memory.key, reader, point)?);
            Ok(ops::confirm(&view, &fact, is_retired, ctx, &self.setting(reader, point)?)?)
        })?;
        Ok(with_version(written))
    }

    /// Makes a fact of a conversation, or a temporary one, permanent.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if it is not current, of kind `Invalid` if it is permanent
    /// already; otherwise see [`Ledger::add`].
    pub fn promote(&self, reference: &Ref) -> Result<Done> {
        let target = Target::Ref(reference.clone());
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let fact = self.one(&target, reader, point, ctx)?;
            let whose = Scope::from_label(&fact.memory.scope).unwrap_or_default();
            let slots = entry::slots(&whose, None, &fact.data.subject, &fact.data.predicate, None);
            let view = self.slots(&slots, fact.memory.sensitivity, reader, point)?;
            Ok(ops::promote(&view, &fact, ctx, &self.setting(reader, point)?)?)
        })?;
        Ok(with_version(written))
    }

    /// Returns the question for all facts that the audience sees, without confidential ones.
    fn question(&self) -> Question {
        Question { audience: self.audience.clone(), form: Some(Form::LEDGER), ..Question::default() }
    }

    /// Returns the scope that a fact of a lifetime is written into.
    fn home(&self, lifetime: Lifetime) -> Result<Scope> {
        match lifetime {
            Lifetime::Session if !matches!(self.audience.layer(), None | Some(Layer::Chat)) => {
                Err(Error::Invalid("a fact whose lifetime is a session belongs to its chat".into()))
            }
            Lifetime::Session if self.audience.is_owner() || self.audience.session().is_some() => {
                Ok(Scope::of_chat(&self.author.session))
            }
            Lifetime::Session => {
                Err(Error::Invalid("a fact whose lifetime is a session needs a conversation".into())
                    .with_hint(Hint::NameConversation))
            }
            _ => Ok(self.audience.home_of(self.author.sensitivity, &self.author.session)?),
        }
    }

    /// Returns the scope that a fact of a lifetime and a sensitivity is written into, for use within a write.
    fn scope_of(&self, lifetime: Lifetime, sensitivity: Sensitivity) -> memtape_index::Result<Scope> {
        match lifetime {
            Lifetime::Session => Ok(Scope::of_chat(&self.author.session)),
            _ => Ok(self.audience.home_of(sensitivity, &self.author.session)?),
        }
    }

    fn setting(&self, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Setting> {
        setting(&self.workspace.config, reader, point)
    }

    /// Returns the facts of the slots for a fact that is stated with a sensitivity, as far as its author must know them.
    fn slots(
        &self,
        slots: &Slots,
        stated: Sensitivity,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<View> {
        let mut facts = Vec::new();
        for key in slots.read(stated, self.sees_confidential()) {
            facts.extend(slot(key, reader, point)?);
        }
        Ok(View::fold(facts))
    }

    /// Returns whether the author may see confidential facts: the owner, who also imports.
    fn sees_confidential(&self) -> bool {
        self.audience.is_owner() || self.author.origin == Origin::Import
    }

    fn sees(&self, fact: &Fact) -> bool {
        self.sees_confidential() || fact.memory.sensitivity != Sensitivity::Confidential
    }

    /// Returns whether the author states a fact with a sensitivity that they may not see.
    fn is_unseen(&self, stated: Sensitivity) -> bool {
        stated == Sensitivity::Confidential && !self.sees_confidential()
    }
}

/// Returns the facts of a slot that were not removed, whoever may see them, because a slot has one current fact.
fn slot(key: &str, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Vec<Memory>> {
    let question = Question {
        confidential: Confidential::ToOwner,
        form: Some(Form::LEDGER),
        key: Some(key.to_owned()),
        ended: true,
        ..Question::default()
    };
    reader.memories(&question, point)
}

/// Returns the settings of the ledger's operations.
pub(crate) fn setting(config: &Config, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Setting> {
    let temporary_days = config.ledger.temporary_days;
    Ok(Setting { last_commit: reader.last_commit(point)?, temporary_days, ..Setting::default() })
}

/// Completes the reference with its version, which is the entry that created it.
fn with_version(written: Written<Done>) -> Done {
    let Written { mut outcome, entries } = written;
    if let Some(entry) = entries.first() {
        outcome.reference.entry = Some(entry.id);
    }
    outcome
}

impl Workspace {
    /// Returns the ledger, for the owner.
    #[must_use]
    pub fn ledger(&self) -> Ledger<'_> {
        Ledger::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
