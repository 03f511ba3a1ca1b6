//! The ledger's commands: facts that are added, changed, observed, confirmed, retired and found again.

use memtape_core::forms::ledger::entry::{self, DEPRECATE, about, folded, lifetime};
use memtape_core::forms::ledger::{Setting, View, ops, view};
use memtape_core::recall::tokenize;
use memtape_core::safety::injection;
use memtape_core::{
    Audience, Decision, Form, Given, Layer, Lifetime, Memory, Origin, Point, Ref, Scope, Sensitivity, Session,
};
use memtape_store::{Author, Confidential, Question, Reader, Written};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::why::{Version, version};
use crate::workspace::{At, Workspace};

mod prune;
pub(crate) mod upkeep;

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

crate::handle::told!(Ledger: in_session, with_sensitivity, because, writing_as);

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
            let view = View::fold(self.slot(&told.key(given), reader, point)?);
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

    /// What the ledger holds for the audience; nothing confidential.
    fn question(&self) -> Question {
        Question { audience: self.audience.clone(), form: Some(Form::Ledger), ..Question::default() }
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
            Lifetime::Session => Err(Error::Invalid(
                "a fact that lives as long as its conversation needs one: name it with --session".into(),
            )),
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
            form: Some(Form::Ledger),
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

    /// The facts of a subject and a predicate that the audience may change by their names.
    fn about(&self, named: &Named, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<View> {
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

    /// Whether a fact is meant where it is named in words: the owner names the workspace's and those of the terminal's
    /// conversation, others their chat's and their own.
    fn is_at_home(&self, memory: &Memory) -> bool {
        let scope = Scope::from_label(&memory.scope).unwrap_or_default();
        if !self.audience.is_owner() {
            return self.is_own(&scope);
        }
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

    /// Whether the audience may take away what is this scope's: the owner everything, others what is their chat's and
    /// their own, and what is the workspace's where that is what they asked for.
    fn is_own(&self, scope: &Scope) -> bool {
        let may_global = self.audience.layer() == Some(Layer::Global);
        self.audience
            .scopes()
            .is_none_or(|own| own.contains(scope) && (*scope != Scope::Global || may_global))
    }

    /// The one fact that is meant, as it stands.
    fn one(
        &self,
        meant: &Meant,
        reader: &Reader<'_>,
        point: &Point,
        given: &Given,
    ) -> memtape_store::Result<Fact> {
        match meant {
            Meant::Named(named) => Ok(ops::one(&self.about(named, reader, point)?, named, given)?.clone()),
            Meant::Ref(reference) => {
                let mut facts = self.standing_at(std::slice::from_ref(reference), reader, point)?;
                facts.pop().ok_or_else(|| not_standing(reference).into())
            }
        }
    }

    fn standing_at(
        &self,
        references: &[Ref],
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_store::Result<Vec<Fact>> {
        let mut standing: Vec<Fact> = Vec::new();
        for reference in references {
            let mut found = None;
            let memories = reader.by_ref(reference, &self.audience, point)?;
            for fact in memories.into_iter().filter_map(Fact::read) {
                let is_own = self.is_own(&Scope::from_label(&fact.memory.scope).unwrap_or_default());
                let stands =
                    !fact.has_ended(point.instant) && reader.retired_by(fact.memory.id, point)?.is_none();
                if is_own && stands {
                    found = Some(fact);
                }
            }
            let fact = found.ok_or_else(|| not_standing(reference))?;
            if standing.iter().all(|other| other.memory.id != fact.memory.id) {
                standing.push(fact);
            }
        }
        Ok(standing)
    }

    /// The fact that is meant, where the last thing that was said of it is that it is no longer so.
    fn deprecated(
        &self,
        meant: &Meant,
        reader: &Reader<'_>,
        point: &Point,
        given: &Given,
    ) -> memtape_store::Result<Option<Fact>> {
        if let Meant::Named(named) = meant
            && !self.about(named, reader, point)?.named(named, given.now).is_empty()
        {
            return Ok(None);
        }
        let memories = self.versions(meant, reader, point)?;
        let own = |memory: &Memory| match meant {
            Meant::Named(_) => self.is_at_home(memory),
            Meant::Ref(_) => self.is_own(&Scope::from_label(&memory.scope).unwrap_or_default()),
        };
        let Some(fact) = memories.into_iter().rfind(own).and_then(Fact::read) else { return Ok(None) };
        let Some(end) = reader.retired_by(fact.memory.id, point)? else { return Ok(None) };
        let name = memtape_core::projection::project(&reader.entry(end)?).name;
        Ok((name.as_deref() == Some(DEPRECATE)).then_some(fact))
    }

    /// Every version of what is meant that the audience sees, oldest first.
    fn versions(
        &self,
        meant: &Meant,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_store::Result<Vec<Memory>> {
        match meant {
            Meant::Ref(reference) => {
                let mut versions = reader.versions(reference, &self.audience, point)?;
                versions.retain(|memory| reference.entry.is_none_or(|entry| memory.id.entry() == entry));
                Ok(versions)
            }
            Meant::Named(named) => {
                let about = about(&named.subject, &named.predicate);
                let versions = reader.versions_about(&about, &self.audience, point)?;
                let asked = named.scope.as_deref();
                let is_meant =
                    |fact: &Fact| asked.is_none_or(|asked| entry::slot_of(Some(asked)) == fact.slot());
                let facts = versions.into_iter().filter_map(Fact::read).filter(is_meant);
                Ok(facts.map(|fact| fact.memory).collect())
            }
        }
    }

    fn meant(&self, meant: &Meant) -> Result<Meant> {
        match meant {
            Meant::Ref(reference) if reference.form != Form::Ledger => {
                Err(Error::Invalid(format!("{reference} is no fact: facts are ledger:KEY")))
            }
            Meant::Ref(reference) => Ok(Meant::Ref(reference.clone())),
            Meant::Named(named) => Ok(Meant::Named(self.named(named)?)),
        }
    }

    /// What names facts, as they are written: without secrets.
    fn named(&self, named: &Named) -> Result<Named> {
        let Named { subject, predicate, scope } = named.checked()?;
        let scope = scope.map(|scope| self.clean(&scope));
        Ok(Named { subject: self.clean(&subject), predicate: self.clean(&predicate), scope }.checked()?)
    }

    /// What is told, without secrets: also without those that only show where its parts are read together.
    fn safe(&self, told: &Told) -> Result<Told> {
        let (subject, predicate) = (self.clean(&told.subject), self.clean(&told.predicate));
        Ok(Told {
            object: self.without_secrets(&subject, &predicate, &told.object)?,
            subject,
            predicate,
            scope: told.scope.as_deref().map(|scope| self.clean(scope)),
            source: self.clean(&told.source),
            evidence: told.evidence.as_deref().map(|evidence| self.clean(evidence)),
            ..told.clone()
        })
    }

    /// A value as it may stand behind a subject and a predicate: `password`, `is` and `hunter2` are a secret together.
    fn without_secrets(&self, subject: &str, predicate: &str, object: &str) -> Result<String> {
        let object = self.clean(object);
        let before = entry::text(subject, predicate, "");
        let text = format!("{before}{object}");
        let clean = self.clean(&text);
        match clean.strip_prefix(&before) {
            Some(object) => Ok(object.to_owned()),
            None => Err(Error::Invalid(
                "the subject and the predicate hold a secret together: leave it out".into(),
            )),
        }
    }

    fn clean(&self, text: &str) -> String {
        self.workspace.clean(text).into_owned()
    }

    /// By which rule what is told would steer the model that reads it, where it is not the owner's own.
    fn suspicion(&self, told: &Told) -> Option<String> {
        let text = entry::text(&told.subject, &told.predicate, &told.object);
        let more = [told.scope.as_deref(), Some(&told.source), told.evidence.as_deref()];
        let texts: Vec<&str> = [text.as_str()].into_iter().chain(more.into_iter().flatten()).collect();
        self.suspicious(&texts)
    }

    fn suspicious(&self, texts: &[&str]) -> Option<String> {
        if self.audience.is_owner() && self.author.origin == Origin::User {
            return None;
        }
        texts.iter().find_map(|text| injection::is_suspicious(text)).map(str::to_owned)
    }
}

/// A fact that somebody means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// By its ref, or the id of one of its events.
    Ref(Ref),
    /// In words.
    Named(Named),
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

fn not_standing(reference: &Ref) -> memtape_core::Error {
    memtape_core::Error::NotFound(format!("{reference} does not stand there"))
}

/// That what is named is there, but not to be changed by that name.
fn elsewhere_only(fact: &Fact) -> memtape_core::Error {
    let (reference, scope) = (fact.memory.reference(), &fact.memory.scope);
    match Scope::from_label(scope) {
        None => {
            memtape_core::Error::Refused(format!("{reference} is the workspace's: only its owner changes it"))
        }
        Some(_) => memtape_core::Error::NotFound(format!(
            "that is known in {scope} only ({reference}): name the conversation or the user, or give the ref"
        )),
    }
}

impl Workspace {
    /// The facts.
    #[must_use]
    pub fn ledger(&self) -> Ledger<'_> {
        Ledger::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
