//! A workspace: one agent's memory in a directory.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_core::calendar;
use memtape_core::journal::call;
use memtape_core::point;
use memtape_core::{
    Audience, Decision, Form, Given, Hint, MAIN, Memory, Moment, Origin, Point, PointText, Scope,
    Sensitivity, Session, User,
};
use memtape_store::working_copy::WorkingCopy;
use memtape_store::{
    Alone, Author, Clock, Confidential, Notice, Options as StoreOptions, Progress, Question, Reader, Store,
    SystemClock, Verified, View, Written,
};
use memtape_tape::{Archived, Salt, Salts};

use crate::config::Config;
use crate::counting::Counting;
use crate::error::{Error, Result};
use crate::model::Meaning;
use crate::safety::guard;
use crate::working_copy;

/// What a workspace is given from outside, each with its usual value.
pub struct Options {
    /// The clock: the machine's.
    pub clock: Box<dyn Clock>,
    /// The source of salts: the operating system's random numbers.
    pub salts: Box<dyn Salts>,
    /// What an owner may set: the defaults.
    pub config: Config,
    /// The branch read and written: the one that each conversation is on.
    pub branch: Option<String>,
    /// Told now and then how far a long catching-up has come: nobody.
    pub progress: Box<dyn Fn(Progress) + Send + Sync>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Box::new(SystemClock),
            salts: Box::new(random_salt),
            config: Config::default(),
            branch: None,
            progress: Box::new(|_| {}),
        }
    }
}

fn random_salt() -> Salt {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    Salt::new(bytes)
}

/// Where a reading command stands: the head of the workspace's branch, unless told otherwise.
#[derive(Clone, Default)]
pub struct At<'v> {
    text: PointText,
    /// When "now" is there, where that is not what the point says.
    instant: Option<Timestamp>,
    /// The view that is read; a new one, without.
    view: Option<&'v View<'v>>,
}

impl<'v> At<'v> {
    /// The last entry there is.
    #[must_use]
    pub fn head() -> Self {
        Self::default()
    }

    /// Just after an entry.
    #[must_use]
    pub fn entry(id: u64) -> Self {
        Self::of(PointText { branch: None, moment: Moment::Entry(id) })
    }

    /// Where a point stands that was read already.
    pub(crate) fn of(text: PointText) -> Self {
        Self { text, instant: None, view: None }
    }

    /// A point of a view that was taken, so that what is read there later is the same, whatever is written meanwhile.
    pub(crate) fn within(view: &'v View<'v>, point: &Point) -> Self {
        let text =
            PointText { branch: Some(point.branch().to_owned()), moment: Moment::Entry(point.entry()) };
        Self { text, instant: Some(point.instant), view: Some(view) }
    }

    /// Whether a view is read that was taken before.
    pub(crate) fn is_within_view(&self) -> bool {
        self.view.is_some()
    }

    /// Another point of the same view.
    pub(crate) fn moved_to(&self, text: PointText) -> Self {
        Self { text, instant: None, view: self.view }
    }

    /// The branch it names; `None` where it leaves that to the conversation.
    pub(crate) fn branch(&self) -> Option<&str> {
        self.text.branch.as_deref()
    }

    /// Whether it is the head.
    #[must_use]
    pub fn is_head(&self) -> bool {
        self.text.moment == Moment::Head
    }
}

impl fmt::Debug for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("At").field("text", &self.text).field("instant", &self.instant).finish_non_exhaustive()
    }
}

/// One agent's memory.
pub struct Workspace {
    pub(crate) store: Store,
    pub(crate) notes_copy: WorkingCopy,
    pub(crate) files_copy: WorkingCopy,
    branch: Option<String>,
    pub(crate) config: Config,
    pub(crate) meaning: Meaning,
    pub(crate) counting: OnceLock<Result<Counting, String>>,
}

impl Workspace {
    /// Makes the files of a workspace in a directory, or opens those that are there.
    pub(crate) fn create(dir: &Path, options: Options) -> Result<Self> {
        let (store_options, branch, config) = options.split();
        // A new workspace has no branch but main: nothing is made for the sake of another.
        if let Some(branch) = branch.as_ref().filter(|branch| *branch != MAIN)
            && !Store::exists_in(dir)
        {
            return Err(memtape_store::Error::NoBranch(branch.clone()).into());
        }
        Self::new(Store::create(dir, store_options)?, branch, config)
    }

    /// Opens the workspace in a directory.
    ///
    /// # Errors
    /// That there is none, or what the medium says.
    pub fn open(dir: &Path, options: Options) -> Result<Self> {
        let (store_options, branch, config) = options.split();
        Self::new(Store::open(dir, store_options)?, branch, config)
    }

    /// A workspace over a store that was opened otherwise: the seam for tests.
    ///
    /// # Errors
    /// That the folders of notes are none.
    pub fn over(store: Store, config: Config) -> Result<Self> {
        Self::new(store, None, config)
    }

    fn new(store: Store, branch: Option<String>, config: Config) -> Result<Self> {
        let meaning = Meaning::new(config.recall.model.clone());
        let notes_copy = working_copy::notes::open(store.dir(), &config)?;
        let files_copy = working_copy::files::open(store.dir(), config.durability)?;
        let counting = OnceLock::new();
        Ok(Self { store, notes_copy, files_copy, branch, config, meaning, counting })
    }

    /// Checks a directory's tape, and changes nothing.
    ///
    /// # Errors
    /// That there is no tape, or what the medium says. What is wrong with the tape is in the answer.
    pub fn verify(dir: &Path) -> Result<Verified> {
        Ok(Store::verify(dir)?)
    }

    /// The workspace's directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.store.dir()
    }

    /// What it is configured with.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The workspace's time zone.
    #[must_use]
    pub fn time_zone(&self) -> &TimeZone {
        self.store.zone()
    }

    /// Reads a point as a person writes it.
    ///
    /// # Errors
    /// That it is none.
    pub fn at(&self, text: &str) -> Result<At<'static>> {
        Ok(At::of(PointText::parse(text, self.store.now(), self.store.zone())?))
    }

    /// Reads a day as a person writes it: a date, `yesterday`, "2 days ago", a time.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is none.
    pub fn day(&self, text: &str) -> Result<Date> {
        let day = calendar::parse_day(text.trim()).ok();
        let instant = || Some(calendar::day(self.instant(text).ok()?, self.store.zone()));
        day.or_else(instant).ok_or_else(|| {
            Error::Invalid(format!("{text:?} is no day: write 2026-02-10, yesterday or \"2 days ago\""))
        })
    }

    /// Reads an instant as a person writes it: a date or time, "2 days ago".
    ///
    /// # Errors
    /// That it is none.
    pub fn instant(&self, text: &str) -> Result<Timestamp> {
        match PointText::parse(text, self.store.now(), self.store.zone())? {
            PointText { branch: None, moment: Moment::At(instant) } => Ok(instant),
            _ => Err(Error::Invalid(format!(
                "{text:?} is no date or time: write 2026-02-10 or \"2 days ago\""
            ))),
        }
    }

    /// Reads when something begins, as a person writes it: how long ago ("1h", "2 days"), a day (its beginning), or a
    /// time.
    ///
    /// # Errors
    /// That it is none.
    pub fn since(&self, text: &str) -> Result<Timestamp> {
        Ok(point::since(text, self.store.now(), self.store.zone())?)
    }

    /// Reads when something ends, as a person writes it: how long ago ("1h", "2 days"), a day (its end), or a time.
    ///
    /// # Errors
    /// That it is none.
    pub fn until(&self, text: &str) -> Result<Timestamp> {
        Ok(point::until(text, self.store.now(), self.store.zone())?)
    }

    /// What happened since the last call that a person should know.
    #[must_use]
    pub fn take_notices(&self) -> Vec<Notice> {
        self.store.take_notices()
    }

    /// Returns who is asking: in a conversation, as a user, or both; without either the owner.
    ///
    /// Within a conversation of a channel, `user` is what the channel sends: the speaker's id as it is, or
    /// `CHANNEL:ID` with that channel. It never names anybody of another channel, nor a person whom the configuration
    /// declares, whatever id somebody has chosen. Without a conversation, or in one of the terminal (`cli`), the owner
    /// writes it: there it may also be `CHANNEL:ID` of any channel, or `@NAME` for a declared person.
    ///
    /// A user whose id the configuration declares sees what that person's other identities see.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `user` names nobody; [`Error::NotFound`] if `@NAME` is not declared.
    pub fn audience(&self, session: Option<&Session>, user: Option<&str>) -> Result<Audience> {
        let Some(user) = user else {
            return Ok(session.map_or_else(Audience::owner, Audience::of_chat));
        };
        let users = match session.filter(|session| !session.is_terminal()) {
            Some(session) => self.known_as(session.user(user)?)?,
            None => self.named_by_the_owner(session, user)?,
        };
        Ok(Audience::of(session, &users))
    }

    /// The users whom the owner means by a text.
    fn named_by_the_owner(&self, session: Option<&Session>, text: &str) -> Result<Vec<User>> {
        if let Some(name) = text.strip_prefix('@') {
            if self.config.users.contains_key(name) {
                return self.identities(name);
            }
            return Err(match text.contains(':') {
                true => Error::Invalid(format!("{text:?} names no user: write CHANNEL:{text}")),
                false => Error::NotFound(format!("the configuration declares no user {name:?}"))
                    .with_hint(Hint::ListUsers),
            });
        }
        if text.contains(':') {
            return self.known_as(text.parse()?);
        }
        match session {
            _ if self.config.users.contains_key(text) => Err(Error::Invalid(format!(
                "{text:?} may be the declared user or an id on a channel: write @{text} for the user, CHANNEL:{text} for \
                 the id"
            ))),
            Some(session) => self.known_as(session.user(text)?),
            None => self.known_as(text.parse()?),
        }
    }

    /// Returns the name that the configuration declares for the user who is asking, if it does.
    pub(crate) fn declared_name(&self, audience: &Audience) -> Option<&str> {
        let user = audience.user()?;
        let is_theirs = |identities: &[String]| {
            identities.iter().any(|identity| identity.parse().is_ok_and(|other: User| other == *user))
        };
        self.config.users.iter().find(|(_, identities)| is_theirs(identities)).map(|(name, _)| name.as_str())
    }

    /// The identities that the configuration declares for a name.
    fn identities(&self, name: &str) -> Result<Vec<User>> {
        let declared = self.config.users.get(name).into_iter().flatten();
        Ok(declared.map(|identity| identity.parse()).collect::<memtape_core::Result<_>>()?)
    }

    /// A user under every name they are known by; the given one first.
    fn known_as(&self, user: User) -> Result<Vec<User>> {
        for name in self.config.users.keys() {
            let identities = self.identities(name)?;
            if identities.contains(&user) {
                let others = identities.into_iter().filter(|other| *other != user);
                return Ok([user.clone()].into_iter().chain(others).collect());
            }
        }
        Ok(vec![user])
    }

    /// Closes the tape's file as a segment of the archive and begins a new one; `None` where there is nothing
    /// to close.
    ///
    /// # Errors
    /// What the medium says.
    pub fn archive(&self) -> Result<Option<Archived>> {
        Ok(self.store.archive()?)
    }

    /// Builds the index anew from the tape, and gives the last entry.
    ///
    /// # Errors
    /// What the medium says.
    pub fn reindex(&self) -> Result<u64> {
        let last = self.store.reindex()?;
        self.follow_or_say(&mut self.store.alone()?);
        Ok(last)
    }

    /// The visible memories of a form at a point, of those that an audience sees, oldest first. What is confidential
    /// the owner sees too.
    ///
    /// # Errors
    /// What the medium says.
    pub fn memories(&self, form: Form, audience: &Audience, at: &At) -> Result<Vec<Memory>> {
        let question = Question {
            audience: audience.clone(),
            confidential: Confidential::ToOwner,
            form: Some(form),
            ..Question::default()
        };
        self.read(at, &conversation_of(audience), |reader, point| reader.memories(&question, point))
    }

    /// Answers a question about two points, in one view.
    pub(crate) fn read_both<T>(
        &self,
        points: [&At; 2],
        session: &Session,
        question: impl Fn(&Reader<'_>, [&Point; 2]) -> memtape_store::Result<T>,
    ) -> Result<T> {
        let view = points.iter().find_map(|at| at.view);
        Ok(self.ask_in(view, |reader| {
            let [from, to] = points.map(|at| self.point(reader, at, session));
            question(reader, [&from?, &to?])
        })?)
    }

    /// Answers a question at a point, as a part of a conversation: it says which branch is meant, where nothing else does.
    pub(crate) fn read<T>(
        &self,
        at: &At,
        session: &Session,
        question: impl Fn(&Reader<'_>, &Point) -> memtape_store::Result<T>,
    ) -> Result<T> {
        Ok(self.ask_in(at.view, |reader| question(reader, &self.point(reader, at, session)?))?)
    }

    /// Answers a question in the view that is given, or in one of its own.
    fn ask_in<T>(
        &self,
        view: Option<&View<'_>>,
        question: impl Fn(&Reader<'_>) -> memtape_store::Result<T>,
    ) -> memtape_store::Result<T> {
        match view {
            Some(view) => question(&view.reader()),
            None => self.ask(question),
        }
    }

    /// Looks up where a command stands that is a part of a conversation.
    pub(crate) fn point(
        &self,
        reader: &Reader<'_>,
        at: &At,
        session: &Session,
    ) -> memtape_store::Result<Point> {
        let point = reader.point(&at.text, self.branch.as_deref(), session)?;
        Ok(Point { instant: at.instant.unwrap_or(point.instant), ..point })
    }

    /// Appends what a closure decides, in one group: the way to write for forms that are not built in
    /// ([`memtape_core::form`]).
    ///
    /// What a person did to the files is recorded before, secrets are redacted from what is written, and the files follow
    /// after. The closure is given the head of the author's branch. It may run twice, if another process wrote meanwhile.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a new name holds a secret; [`Error::Store`] if another process holds the writer lock for
    /// longer than `lock_wait`, or the disk fails; and what the closure returns.
    pub fn write<T>(
        &self,
        author: &Author,
        decide: impl FnMut(&Reader<'_>, &Point, &Given) -> memtape_store::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.write_alone(self.store.alone()?, author, decide)
    }

    /// The same, unless another writer is at work: then nothing is done, and that is `None`.
    pub(crate) fn write_if_free<T>(
        &self,
        author: &Author,
        decide: impl FnMut(&Reader<'_>, &Point, &Given) -> memtape_store::Result<Decision<T>>,
    ) -> Result<Option<Written<T>>> {
        match self.store.alone_within(Duration::ZERO) {
            Ok(alone) => self.write_alone(alone, author, decide).map(Some),
            Err(memtape_store::Error::Tape(memtape_tape::Error::Busy { .. })) => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    fn write_alone<T>(
        &self,
        mut alone: Alone<'_>,
        author: &Author,
        mut decide: impl FnMut(&Reader<'_>, &Point, &Given) -> memtape_store::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.follow_or_say(&mut alone);
        let call = author.call.as_deref().filter(|call| !call.is_recorded());
        let mut place = None;
        let mut written = alone.write(author, |reader, given| {
            let mut decision = decide(reader, &reader.head_of(&given.branch)?, given)?;
            if let Some(call) = call {
                place = call::add(&mut decision.drafts, call.tool, &call.input, given)?;
            }
            guard(decision, reader)
        })?;
        self.follow_written(&mut alone, &written.entries);
        if let (Some(call), Some(place)) = (call, place) {
            call.set_recorded();
            // Whoever wrote looks for its own entries by their places.
            written.entries.remove(place);
        }
        Ok(written)
    }

    /// The branch that every command reads and writes, where one was named.
    pub(crate) fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// Returns the author of a conversation who writes for the whole workspace.
    #[must_use]
    pub fn author(&self, session: &Session, origin: Origin) -> Author {
        Author {
            session: session.clone(),
            origin,
            branch: self.branch.clone(),
            scope: Scope::Global,
            sensitivity: Sensitivity::Normal,
            reason: None,
            call: None,
        }
    }
}

impl Options {
    fn split(self) -> (StoreOptions, Option<String>, Config) {
        let Self { clock, salts, branch, config, progress } = self;
        let (zone, durability, lock_wait) = (config.time_zone.clone(), config.durability, config.lock_wait);
        let session_state = config.wal;
        (StoreOptions { clock, salts, zone, durability, lock_wait, progress, session_state }, branch, config)
    }
}

/// The conversation that an audience asks in: the terminal's, where it names none.
pub(crate) fn conversation_of(audience: &Audience) -> Session {
    audience.session().cloned().unwrap_or_else(Session::direct)
}
