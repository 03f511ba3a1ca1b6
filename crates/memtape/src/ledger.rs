//! The ledger's commands: facts that are added, changed, observed, confirmed and retired.

use std::borrow::Cow;

use memtape_core::forms::ledger::entry::{self, lifetime};
use memtape_core::forms::ledger::{Setting, View, ops};
use memtape_core::{
    Audience, Decision, Form, Given, Layer, Lifetime, Memory, Origin, Point, Ref, Scope, Sensitivity, Session,
};
use memtape_store::{Author, Confidential, Question, Reader, Written};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

mod finding;
mod meant;
mod prune;
mod safety;
pub(crate) mod upkeep;

pub use self::finding::Filter;
pub use self::meant::Meant;
pub use self::prune::Unwanted;
pub use memtape_core::forms::ledger::view::{percent, sort};
pub use memtape_core::forms::ledger::{Done, EventType, Fact, FactData, How, Named, NewValue, Retired, Told};

/// How sure a fact is that the owner adds, unless told otherwise.
pub const ADDED_CONFIDENCE: f64 = 1.0;
/// How sure a fact is that an agent adds (document 1).
pub const TOOL_CONFIDENCE: f64 = 0.9;
/// How sure what was observed is.
pub const OBSERVED_CONFIDENCE: f64 = 0.6;
/// Where a fact comes from that somebody adds on purpose, in document 1's words.
pub const USER_SOURCE: &str = "user_explicit";
/// Where a fact comes from that an agent adds, in document 1's words.
pub const TOOL_SOURCE: &str = "agent_tool";

/// The facts of a workspace, for one audience: it is shown those of all its scopes, and writes into its home; what lives
/// as long as a conversation, into that conversation's chat.
pub struct Ledger<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::told!(Ledger: in_session, with_sensitivity, because, writing_as, called_by);

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

    /// The same, for an audience. What it asks in a conversation is a part of that.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        if let Some(session) = audience.session() {
            self.author.session = session.clone();
        }
        self.audience = audience;
        self
    }

    /// Adds a fact to the audience's home. In a slot that is taken, the same value is confirmed where something is added
    /// to it, and another one replaces what stands there.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what makes no fact; that a tool's word would replace somebody's; or what the medium says.
    pub fn add(&self, told: &Told) -> Result<Done> {
        self.tell(told, false, ops::add)
    }

    /// Takes in what was observed: it confirms what stands there, or doubts it ([`ops`] says by how much). In a
    /// conversation other than the terminal's the observation counts at once, and waits for the commit that the
    /// conversation's end, or some of its turns, bring about.
    ///
    /// # Errors
    /// As [`Ledger::add`].
    pub fn observe(&self, told: &Told) -> Result<Done> {
        self.tell(told, self.author.session != Session::direct(), ops::observe)
    }

    fn tell(
        &self,
        told: &Told,
        waits: bool,
        decide: fn(&View, &Told, &Given, &Setting) -> memtape_core::Result<Decision<Done>>,
    ) -> Result<Done> {
        let told = self.safe(told)?.checked()?;
        let told = Told { quarantined: self.suspicion(&told), ..told };
        let author = Author { scope: self.home(lifetime(told.scope.as_deref()))?, ..self.author.clone() };
        let written = self.workspace.write(&author, |reader, point, given| {
            let mut told = Cow::Borrowed(&told);
            let mut view = View::fold(self.slot(&told.key(given), reader, point)?);
            // Who says for how many days something holds means the temporary fact, where that is the one that stands.
            if told.days.is_some() && told.scope.is_none() && view.get(&told.key(given), given.now).is_none()
            {
                let scope = Some(Lifetime::Temporary.as_str().to_owned());
                let temporary = Told { scope, ..told.clone().into_owned() };
                let there = View::fold(self.slot(&temporary.key(given), reader, point)?);
                if there.get(&temporary.key(given), given.now).is_some() {
                    (told, view) = (Cow::Owned(temporary), there);
                }
            }
            let setting = Setting { waits, ..self.setting(reader, point)? };
            Ok(decide(&view, &told, given, &setting)?)
        })?;
        Ok(with_version(written))
    }

    /// Gives the one fact that is named another value.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, a conflict where it stands in several topics; else as [`Ledger::add`].
    pub fn update(&self, named: &Named, new: &NewValue) -> Result<Done> {
        let named = self.named(named)?;
        let new = new.checked()?;
        let object = self.without_secrets(&named.subject, &named.predicate, &new.object)?;
        let text = entry::text(&named.subject, &named.predicate, &object);
        let quarantined = self.suspicious(&[&text, &new.source]);
        let new = NewValue { object, quarantined, source: self.clean(&new.source), ..new };
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let view = self.about(&named, reader, point)?;
            Ok(ops::update(&view, &named, &new, given, &self.setting(reader, point)?)?)
        })?;
        Ok(with_version(written))
    }

    /// Forgets the facts that are named, in every topic unless one is named, and gives them as they stood. Earlier
    /// points still show them.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none; that a tool would take away somebody's word; or what the medium says.
    pub fn forget(&self, named: &Named) -> Result<Retired> {
        let named = self.named(named)?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let view = self.about(&named, reader, point)?;
            let facts = view.named(&named, given.now);
            if facts.is_empty() {
                return Err(ops::nothing(&named).into());
            }
            Ok(ops::forget(&facts, given, &self.setting(reader, point)?)?)
        })?;
        Ok(written.outcome)
    }

    /// Forgets facts by their refs, and gives them as they stood.
    ///
    /// # Errors
    /// [`Error::NotFound`] where one does not stand, or is not the audience's to take away; else as [`Ledger::forget`].
    pub fn forget_refs(&self, references: &[Ref]) -> Result<Retired> {
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let facts = self.standing_at(references, reader, point)?;
            let facts: Vec<&Fact> = facts.iter().collect();
            Ok(ops::forget(&facts, given, &self.setting(reader, point)?)?)
        })?;
        Ok(written.outcome)
    }

    /// The facts that refs name, as they stand.
    ///
    /// # Errors
    /// As [`Ledger::forget_refs`].
    pub fn standing(&self, references: &[Ref]) -> Result<Vec<Fact>> {
        self.workspace.read(&At::head(), &self.author.session, |reader, point| {
            self.standing_at(references, reader, point)
        })
    }

    /// Retires a fact that is no longer so. Its history keeps it, and confirming it brings it back.
    ///
    /// # Errors
    /// As [`Ledger::update`].
    pub fn deprecate(&self, meant: &Meant) -> Result<Retired> {
        let meant = self.meant(meant)?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let fact = self.one(&meant, reader, point, given)?;
            Ok(ops::deprecate(&fact, given, &self.setting(reader, point)?)?)
        })?;
        Ok(written.outcome)
    }

    /// Confirms a fact: it is surer than before. One that was deprecated stands again.
    ///
    /// # Errors
    /// As [`Ledger::update`]; a conflict where another value has taken the slot since.
    pub fn confirm(&self, meant: &Meant) -> Result<Done> {
        let meant = self.meant(meant)?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let deprecated = self.deprecated(&meant, reader, point, given)?;
            let (fact, is_retired) = match deprecated {
                Some(fact) => (fact, true),
                None => (self.one(&meant, reader, point, given)?, false),
            };
            let view = View::fold(self.slot(&fact.memory.key, reader, point)?);
            Ok(ops::confirm(&view, &fact, is_retired, given, &self.setting(reader, point)?)?)
        })?;
        Ok(with_version(written))
    }

    /// Keeps a fact of a conversation, or a temporary one, for good.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it does not stand; [`Error::Invalid`] where it is kept for good already; else as
    /// [`Ledger::add`].
    pub fn promote(&self, reference: &Ref) -> Result<Done> {
        let meant = Meant::Ref(reference.clone());
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let fact = self.one(&meant, reader, point, given)?;
            let whose = Scope::from_label(&fact.memory.scope).unwrap_or_default();
            let key = entry::slot_key(&whose, None, &fact.data.subject, &fact.data.predicate, None);
            let view = View::fold(self.slot(&key, reader, point)?);
            Ok(ops::promote(&view, &fact, given, &self.setting(reader, point)?)?)
        })?;
        Ok(with_version(written))
    }

    /// What the ledger holds for the audience; nothing confidential.
    fn question(&self) -> Question {
        Question { audience: self.audience.clone(), form: Some(Form::LEDGER), ..Question::default() }
    }

    /// The scope that a fact of this lifetime is written into.
    fn home(&self, lifetime: Lifetime) -> Result<Scope> {
        match lifetime {
            Lifetime::Session if !matches!(self.audience.layer(), None | Some(Layer::Chat)) => {
                Err(Error::Invalid("what lives as long as a conversation is its chat's".into()))
            }
            Lifetime::Session if self.audience.is_owner() || self.audience.session().is_some() => {
                Ok(Scope::of_chat(&self.author.session))
            }
            Lifetime::Session => {
                Err(Error::Invalid("a fact that lives as long as its conversation needs one".into())
                    .with_hint(Hint::NameConversation))
            }
            _ => Ok(self.audience.home_of(self.author.sensitivity, &self.author.session)?),
        }
    }

    fn setting(&self, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<Setting> {
        setting(&self.workspace.config, reader, point)
    }

    /// What was not retired in a slot, whoever may see it: in a slot one fact stands.
    fn slot(&self, key: &str, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<Vec<Memory>> {
        let question = Question {
            confidential: Confidential::ToOwner,
            form: Some(Form::LEDGER),
            key: Some(key.to_owned()),
            ended: true,
            ..Question::default()
        };
        let memories = reader.memories(&question, point)?;
        let is_hidden = |memory: &Memory| memory.sensitivity == Sensitivity::Confidential;
        if !self.audience.is_owner() && memories.iter().any(is_hidden) {
            let why = "what stands there is confidential: only the owner changes it";
            return Err(memtape_core::Error::Refused(why.into()).into());
        }
        Ok(memories)
    }
}

/// What the ledger's commands are given besides.
pub(crate) fn setting(config: &Config, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<Setting> {
    let temporary_days = config.ledger.temporary_days;
    Ok(Setting { last_commit: reader.last_commit(point)?, temporary_days, waits: false })
}

/// A ref's version is the entry that bore it.
fn with_version(written: Written<Done>) -> Done {
    let Written { mut outcome, entries } = written;
    if let Some(entry) = entries.first() {
        outcome.reference.entry = Some(entry.id);
    }
    outcome
}

impl Workspace {
    /// The facts.
    #[must_use]
    pub fn ledger(&self) -> Ledger<'_> {
        Ledger::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
