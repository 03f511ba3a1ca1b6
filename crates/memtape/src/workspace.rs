//! A workspace: the memory of one agent in a directory.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_core::calendar;
use memtape_core::point;
use memtape_core::{Audience, Hint, Moment, Origin, Point, PointText, Session, User};
use memtape_store::{
    Author, Clock, Following, IndexProgress, Options as StoreOptions, Store, SystemClock, Verified, View,
    Warning,
};
use memtape_tape::{Archived, Salt, Salts};
use memtape_upstream::Upstream;
use memtape_worktree::working_copy::WorkingCopy;

use crate::config::{Config, UpstreamConfig};
use crate::counting::Counting;
use crate::error::{Error, Result};
use crate::model::Meaning;

/// A callback for the progress of work on notes and files.
pub type FilesProgress = Arc<dyn Fn(FileWork, u64, u64) + Send + Sync>;

/// Work on notes and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileWork {
    /// Writes the texts of the tape to the files.
    Write,
    /// Writes the objects of the files' git history to the disk.
    Commit,
}

/// The settings and outside dependencies of a workspace.
pub struct Options {
    /// Source of the current time. Default: the system clock.
    pub clock: Box<dyn Clock>,
    /// Source of salts. Default: random numbers of the operating system.
    pub salts: Box<dyn Salts>,
    /// The configuration. Default: the built-in defaults.
    pub config: Config,
    /// Branch to read and write. Default: `None`, which uses the branch of each conversation.
    pub branch: Option<String>,
    /// Progress callback for index catch-up. Default: none.
    pub progress: Box<dyn Fn(IndexProgress) + Send + Sync>,
    /// Progress callback for updating notes and files: the work, how much of it is done, and how much there is. Default:
    /// none.
    pub files_progress: FilesProgress,
    /// The upstream of the workspace. Default: none.
    pub upstream: Option<Arc<dyn Upstream>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Box::new(SystemClock),
            salts: Box::new(random_salt),
            config: Config::default(),
            branch: None,
            progress: Box::new(|_| {}),
            files_progress: Arc::new(|_, _, _| {}),
            upstream: None,
        }
    }
}

fn random_salt() -> Salt {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    Salt::new(bytes)
}

/// The point that a read refers to.
///
/// Default: the head of the workspace's branch.
#[derive(Clone, Default)]
pub struct At<'v> {
    pub(crate) text: PointText,
    /// Overrides the instant that the point itself stands for.
    pub(crate) instant: Option<Timestamp>,
    /// The conversation whose branch is read if nothing else names one; `None` means that of the audience, or the
    /// terminal's.
    pub(crate) session: Option<Session>,
    /// The view to read; `None` takes a new one.
    pub(crate) view: Option<&'v View<'v>>,
}

impl<'v> At<'v> {
    /// Returns the head: the last entry.
    #[must_use]
    pub fn head() -> Self {
        Self::default()
    }

    /// Returns the point just after an entry.
    #[must_use]
    pub fn entry(id: u64) -> Self {
        Self::of(PointText { branch: None, moment: Moment::Entry(id) })
    }

    /// Returns the point of a parsed text.
    pub(crate) fn of(text: PointText) -> Self {
        Self { text, ..Self::default() }
    }

    /// Pins a point to a view that is already open, so that later writes do not change what is read there.
    pub(crate) fn within(view: &'v View<'v>, point: &Point) -> Self {
        let text =
            PointText { branch: Some(point.branch().to_owned()), moment: Moment::Entry(point.entry()) };
        Self { text, instant: Some(point.instant), session: None, view: Some(view) }
    }

    /// Returns the point on the branch of a conversation, unless it names a branch itself.
    ///
    /// Without this, it is on the branch of the audience's conversation. The owner's audience has none, and reads the
    /// branch of the terminal.
    #[must_use]
    pub fn in_session(self, session: Session) -> Self {
        Self { session: Some(session), ..self }
    }

    /// Returns whether reads use a view that is already open.
    pub(crate) fn is_within_view(&self) -> bool {
        self.view.is_some()
    }

    /// Returns the branch that the point names; `None` means the branch of the conversation.
    pub(crate) fn branch(&self) -> Option<&str> {
        self.text.branch.as_deref()
    }

    /// Returns a name of the point for people: the entry that it names, or where it was found.
    pub(crate) fn shown(&self, found: &Point) -> String {
        match self.text.moment {
            // An entry stands for the end of its group, which is not what was typed.
            Moment::Entry(entry) => format!("@{entry}"),
            _ => format!("@{}", found.entry()),
        }
    }

    /// Returns whether the point is the head.
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

/// The memory of one agent, stored in a directory.
pub struct Workspace {
    pub(crate) store: Store,
    pub(crate) notes_copy: WorkingCopy,
    pub(crate) files_copy: WorkingCopy,
    pub(crate) files_progress: FilesProgress,
    branch: Option<String>,
    pub(crate) config: Config,
    pub(crate) meaning: Meaning,
    pub(crate) counting: OnceLock<Result<Counting, String>>,
}

impl Workspace {
    pub(crate) fn new(
        store: Store,
        [notes_copy, files_copy]: [WorkingCopy; 2],
        files_progress: FilesProgress,
        branch: Option<String>,
        config: Config,
    ) -> Self {
        let meaning = Meaning::new(config.recall.model.clone());
        let counting = OnceLock::new();
        Self { store, notes_copy, files_copy, files_progress, branch, config, meaning, counting }
    }

    /// Verifies the tape of a directory without changing anything.
    ///
    /// Damage is not an error: the result lists it.
    ///
    /// # Errors
    /// [`Error::Store`] if the directory holds no tape, or if the tape cannot be read.
    pub fn verify(dir: &Path) -> Result<Verified> {
        Ok(Store::verify(dir)?)
    }

    /// Returns the directory of the workspace.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.store.dir()
    }

    /// Returns the configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the time zone of the workspace.
    #[must_use]
    pub fn time_zone(&self) -> &TimeZone {
        self.store.zone()
    }

    /// Returns the current time, by the clock of the workspace.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.store.now()
    }

    /// Parses a point.
    ///
    /// A point is an entry (`42` or `main@42`), a commit id or its first digits (at least 7), a day or a time, which
    /// stand for the end of the day, minute or second, or a text like "2 days ago". Whether the point exists is checked by the call that reads
    /// it.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the text is no point.
    pub fn at(&self, text: &str) -> Result<At<'static>> {
        Ok(At::of(PointText::parse(text, self.store.now(), self.store.zone())?))
    }

    /// Checks that the branch that was set for all commands ([`Options::branch`]) exists, and that a point to read names
    /// no other one.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if the branch or the point does not exist, of kind `Invalid` if the point is on
    /// another branch; [`Error::Store`] if the index cannot be read.
    pub fn check_branch(&self, at: &At) -> Result<()> {
        let Some(branch) = self.branch() else { return Ok(()) };
        Ok(self.ask(|reader| {
            let (owner, session) = (Audience::owner(), Session::direct());
            reader.point(&head_of(branch), None, &owner, &session)?;
            let point = reader.point(&at.text, Some(branch), &owner, &session)?;
            if point.branch() == reader.branch_called(branch, point.entry())? {
                return Ok(());
            }
            let named = point.branch();
            let why = format!(
                "the point is on branch {named:?}, and the selected branch is {branch:?}: name one of them"
            );
            Err(memtape_core::Error::Invalid(why).into())
        })?)
    }

    /// Parses a day: a date, `yesterday`, "2 days ago", or a time of that day.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the text is no day.
    pub fn day(&self, text: &str) -> Result<Date> {
        let day = calendar::parse_day(text.trim()).ok();
        let instant = || Some(calendar::day(self.instant(text).ok()?, self.store.zone()));
        day.or_else(instant).ok_or_else(|| {
            Error::Invalid(format!(
                "invalid day {text:?}: expected 2026-02-10, yesterday or \"2 days \
                                    ago\""
            ))
        })
    }

    /// Parses an instant: a date, a time or a text like "2 days ago".
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the text is none of these.
    pub fn instant(&self, text: &str) -> Result<Timestamp> {
        Ok(point::instant(text, self.store.now(), self.store.zone())?)
    }

    /// Parses the beginning of a period: how long ago it was ("1h", "2 days"), a day (its first instant) or a
    /// time.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the text is none of these.
    pub fn since(&self, text: &str) -> Result<Timestamp> {
        Ok(point::since(text, self.store.now(), self.store.zone())?)
    }

    /// Parses the end of a period: how long ago it was ("1h", "2 days"), a day (its last instant) or a time.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the text is none of these.
    pub fn until(&self, text: &str) -> Result<Timestamp> {
        Ok(point::until(text, self.store.now(), self.store.zone())?)
    }

    /// Returns the warnings that accumulated since the last call, and clears them.
    #[must_use]
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.store.take_warnings()
    }

    /// Returns the audience of a conversation, of a user, or of a user in a conversation.
    ///
    /// Without either it is the owner.
    ///
    /// In a conversation of a channel, `user` is what the channel sends: the id of the speaker, or
    /// `CHANNEL:ID` with the name of that channel. It never names a user of another channel or a person whom
    /// the configuration declares, whatever id a speaker has chosen. Without a conversation, or in one of the
    /// terminal (`cli`), the owner writes `user`: it may also be `CHANNEL:ID` of any channel, or `@NAME` for
    /// a declared person.
    ///
    /// A user whose id the configuration declares sees what the other identities of that person see.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `user` could mean a declared person or an id; [`Error::Store`] of kind `Invalid`
    /// if it is malformed; [`Error::NotFound`] if `@NAME` is not declared; [`Error::Store`] of kind `NotFound` if
    /// the audience is not the terminal's and may not know of the branch that was set for all commands ([`Options::branch`]).
    pub fn audience(&self, session: Option<&Session>, user: Option<&str>) -> Result<Audience> {
        let Some(user) = user else {
            return session
                .map_or_else(|| Ok(Audience::owner()), |chat| self.on_branch(Audience::of_chat(chat)));
        };
        let users = match session.filter(|session| !session.is_terminal()) {
            Some(session) => self.known_as(session.user(user)?)?,
            None => self.named_by_the_owner(session, user)?,
        };
        self.on_branch(Audience::of(session, &users))
    }

    /// Returns an audience unless it may not know of the branch that was set for all commands. In the terminal, the
    /// owner has chosen it.
    fn on_branch(&self, audience: Audience) -> Result<Audience> {
        let is_terminal = audience.session().is_some_and(Session::is_terminal);
        if let Some(branch) = self.branch().filter(|_| !is_terminal) {
            let session = conversation_of(&audience);
            self.ask(|reader| reader.point(&head_of(branch), None, &audience, &session))?;
        }
        Ok(audience)
    }

    /// Returns the identities of the user whom the owner names with a text.
    fn named_by_the_owner(&self, session: Option<&Session>, text: &str) -> Result<Vec<User>> {
        if let Some(name) = text.strip_prefix('@') {
            if self.config.users.contains_key(name) {
                return self.identities(name);
            }
            return Err(match text.contains(':') {
                true => Error::Invalid(format!("invalid user {text:?}: expected CHANNEL:{text}")),
                false => Error::NotFound(format!("the configuration declares no user {name:?}"))
                    .with_hint(Hint::ListUsers),
            });
        }
        if text.contains(':') {
            return self.known_as(text.parse()?);
        }
        match session {
            _ if self.config.users.contains_key(text) => Err(Error::Invalid(format!(
                "{text:?} is ambiguous: use @{text} for the declared user, CHANNEL:{text} for an id on \
                 a channel"
            ))),
            Some(session) => self.known_as(session.user(text)?),
            None => Err(Error::Invalid(format!(
                "invalid user {text:?}: expected CHANNEL:ID, or @NAME for a user that the configuration declares"
            ))),
        }
    }

    /// Returns the name under which the configuration declares the asking user, if it does.
    pub(crate) fn declared_name(&self, audience: &Audience) -> Option<&str> {
        let user = audience.user()?;
        let is_theirs = |identities: &[String]| {
            identities.iter().any(|identity| identity.parse().is_ok_and(|other: User| other == *user))
        };
        self.config.users.iter().find(|(_, identities)| is_theirs(identities)).map(|(name, _)| name.as_str())
    }

    /// Returns the identities that the configuration declares for a name.
    fn identities(&self, name: &str) -> Result<Vec<User>> {
        let declared = self.config.users.get(name).into_iter().flatten();
        Ok(declared.map(|identity| identity.parse()).collect::<memtape_core::Result<_>>()?)
    }

    /// Returns a user and all other identities declared for the same person; the named identity comes first.
    pub(crate) fn known_as(&self, user: User) -> Result<Vec<User>> {
        for name in self.config.users.keys() {
            let identities = self.identities(name)?;
            if identities.contains(&user) {
                let others = identities.into_iter().filter(|other| *other != user);
                return Ok([user.clone()].into_iter().chain(others).collect());
            }
        }
        Ok(vec![user])
    }

    /// Closes the file of the tape as a segment of the archive and begins a new file.
    ///
    /// Returns `None` if the tape has nothing to archive.
    ///
    /// # Errors
    /// [`Error::Store`] if another process holds the writer lock for longer than [`Config::lock_wait`], or
    /// the disk fails.
    pub fn archive(&self) -> Result<Option<Archived>> {
        Ok(self.store.archive()?)
    }

    /// Returns the branch that was set for all commands ([`Options::branch`]), if any.
    #[must_use]
    pub fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// Returns the author of a conversation who writes for the whole workspace.
    #[must_use]
    pub fn author(&self, session: &Session, origin: Origin) -> Author {
        Author { branch: self.branch.clone(), ..Author::new(session.clone(), origin) }
    }
}

impl Options {
    pub(crate) fn split(self) -> (StoreOptions, FilesProgress, Option<String>, Config) {
        let Self { clock, salts, branch, config, progress, files_progress, upstream } = self;
        let UpstreamConfig { freshness, wait } = config.upstream;
        let upstream = upstream.map(|upstream| Following { upstream, freshness, wait });
        let (zone, durability, lock_wait) = (config.time_zone.clone(), config.durability, config.lock_wait);
        let session_state = config.wal;
        let store =
            StoreOptions { clock, salts, zone, durability, lock_wait, progress, session_state, upstream };
        (store, files_progress, branch, config)
    }
}

/// Returns the head of a branch.
fn head_of(branch: &str) -> PointText {
    PointText { branch: Some(branch.to_owned()), moment: Moment::Head }
}

/// Returns the conversation of an audience; the terminal's if the audience names none.
pub(crate) fn conversation_of(audience: &Audience) -> Session {
    audience.session().cloned().unwrap_or_else(Session::direct)
}
