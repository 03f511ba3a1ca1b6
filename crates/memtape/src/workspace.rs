//! A workspace: one agent's memory in a directory.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_core::calendar;
use memtape_core::point;
use memtape_core::{Audience, Hint, Moment, Origin, Point, PointText, Scope, Sensitivity, Session, User};
use memtape_store::working_copy::WorkingCopy;
use memtape_store::{
    Author, Clock, Notice, Options as StoreOptions, Progress, Store, SystemClock, Verified, View,
};
use memtape_tape::{Archived, Salt, Salts};

use crate::config::Config;
use crate::counting::Counting;
use crate::error::{Error, Result};
use crate::model::Meaning;

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
    pub(crate) text: PointText,
    /// When "now" is there, where that is not what the point says.
    pub(crate) instant: Option<Timestamp>,
    /// The view that is read; a new one, without.
    pub(crate) view: Option<&'v View<'v>>,
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
    pub(crate) fn new(
        store: Store,
        notes_copy: WorkingCopy,
        files_copy: WorkingCopy,
        branch: Option<String>,
        config: Config,
    ) -> Self {
        let meaning = Meaning::new(config.recall.model.clone());
        Self { store, notes_copy, files_copy, branch, config, meaning, counting: OnceLock::new() }
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
    pub(crate) fn split(self) -> (StoreOptions, Option<String>, Config) {
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
