//! The ways to a workspace's memory: opening it, reading at a point, writing at the head.
//!
//! **Invariant.** Every question and every command looks at the files that people edit first ([`crate::working_copy`]),
//! and every entry passes the guard ([`crate::safety`]): there is no other way to the store.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use memtape_core::journal::call;
use memtape_core::{Audience, Context, Decision, Form, MAIN, Memory, Point, Session};
use memtape_index::{Confidential, Question, Reader};
use memtape_store::{Author, Store, View, WriteGuard, Written};

use crate::config::Config;
use crate::error::Result;
use crate::safety::guard;
use crate::versions;
use crate::working_copy;
use crate::workspace::{At, FileWork, FilesProgress, Options, Workspace, conversation_of};

impl Workspace {
    /// Creates the files of a workspace in a directory, or opens the existing workspace.
    pub(crate) fn create(dir: &Path, options: Options) -> Result<Self> {
        let (store_options, files_progress, branch, config) = options.split();
        // A new workspace has only the main branch, so another one is refused before any file is created.
        if let Some(branch) = branch.as_ref().filter(|branch| *branch != MAIN)
            && !Store::exists_in(dir)
        {
            return Err(memtape_index::Error::NoBranch(branch.clone()).into());
        }
        Self::with_copies(Store::create(dir, store_options)?, files_progress, branch, config)
    }

    /// Returns whether a directory is a workspace: whether it contains a tape, or at least archived segments of one.
    #[must_use]
    pub fn exists_in(dir: &Path) -> bool {
        Store::exists_in(dir)
    }

    /// Opens the workspace in a directory.
    ///
    /// # Errors
    /// [`crate::Error::Store`] if the directory holds no workspace (kind `NotFound`), if only the index
    /// of one is left (kind `Corrupt`), or if a configured notes folder leads out of the workspace (kind `Invalid`).
    pub fn open(dir: &Path, options: Options) -> Result<Self> {
        let (store_options, files_progress, branch, config) = options.split();
        Self::with_copies(Store::open(dir, store_options)?, files_progress, branch, config)
    }

    /// Wraps a store that is already open.
    ///
    /// Tests use this to inject a store.
    ///
    /// # Errors
    /// [`crate::Error::Store`] of kind `Invalid` if a configured notes folder leads out of the workspace.
    pub fn over(store: Store, config: Config) -> Result<Self> {
        Self::with_copies(store, Options::default().files_progress, None, config)
    }

    fn with_copies(
        store: Store,
        files_progress: FilesProgress,
        branch: Option<String>,
        config: Config,
    ) -> Result<Self> {
        let notes_copy = working_copy::notes::open(store.dir(), &config)?;
        let files_copy = working_copy::files::open(store.dir(), config.durability)?;
        let copies = [notes_copy, files_copy].map(|copy| {
            let progress = Arc::clone(&files_progress);
            copy.with_progress(move |done, all| progress(FileWork::Write, done, all))
        });
        Ok(Self::new(store, copies, files_progress, branch, config))
    }

    /// Rebuilds the index from the tape and returns the id of the last entry.
    ///
    /// # Errors
    /// [`crate::Error::Store`] if the tape cannot be read, if the index cannot be written, or if another
    /// process holds the writer lock for longer than [`Config::lock_wait`].
    pub fn reindex(&self) -> Result<u64> {
        let last = self.store.reindex()?;
        self.follow_or_warn(&mut self.store.write_guard()?);
        Ok(last)
    }

    /// Returns the current memories of a form at a point that an audience may see, oldest first.
    ///
    /// Confidential memories are included only for the owner.
    ///
    /// # Errors
    /// [`crate::Error::Store`] if `at` names no entry or branch of this workspace, or if the index cannot be read.
    pub fn memories(&self, form: Form, audience: &Audience, at: &At) -> Result<Vec<Memory>> {
        let question = Question {
            audience: audience.clone(),
            confidential: Confidential::ToOwner,
            form: Some(form),
            ..Question::default()
        };
        self.read(at, audience, &conversation_of(audience), |reader, point| reader.memories(&question, point))
    }

    /// Answers a question of an audience about two points, in one view.
    pub(crate) fn read_both<T>(
        &self,
        points: [&At; 2],
        audience: &Audience,
        session: &Session,
        question: impl Fn(&Reader<'_>, [&Point; 2]) -> memtape_index::Result<T>,
    ) -> Result<T> {
        let view = points.iter().find_map(|at| at.view);
        Ok(self.ask_in(view, |reader| {
            let [from, to] = points.map(|at| self.point(reader, at, audience, session));
            question(reader, [&from?, &to?])
        })?)
    }

    /// Answers a question of an audience at a point, in a conversation. If nothing else names a branch, the
    /// conversation's branch is read.
    pub(crate) fn read<T>(
        &self,
        at: &At,
        audience: &Audience,
        session: &Session,
        question: impl Fn(&Reader<'_>, &Point) -> memtape_index::Result<T>,
    ) -> Result<T> {
        Ok(self.ask_in(at.view, |reader| question(reader, &self.point(reader, at, audience, session)?))?)
    }

    /// Answers a question in the passed view, or in a new one.
    fn ask_in<T>(
        &self,
        view: Option<&View<'_>>,
        question: impl Fn(&Reader<'_>) -> memtape_index::Result<T>,
    ) -> memtape_store::Result<T> {
        match view {
            Some(view) => Ok(question(&view.reader())?),
            None => self.ask(question),
        }
    }

    /// Resolves a point for an audience, in a conversation.
    pub(crate) fn point(
        &self,
        reader: &Reader<'_>,
        at: &At,
        audience: &Audience,
        session: &Session,
    ) -> memtape_index::Result<Point> {
        // The point of a view was resolved for its audience when the view was taken.
        let owner = Audience::owner();
        let audience = if at.is_within_view() { &owner } else { audience };
        let session = at.session.as_ref().unwrap_or(session);
        let point = reader.point(&at.text, self.branch(), audience, session)?;
        Ok(Point { instant: at.instant.unwrap_or(point.instant), ..point })
    }

    /// Appends the entries that a closure decides, in one group.
    ///
    /// Forms that are not built in ([`memtape_core::form`]) write with it.
    ///
    /// Edits of the working copy are recorded before the write, secrets are redacted from the entries,
    /// and the working copy is updated after it. The closure receives the head of the author's branch. It
    /// may run any number of times before something is appended, so it must have no effects.
    ///
    /// # Errors
    /// - [`crate::Error::Store`] of kind `Busy` if another process holds the writer lock for longer than
    ///   [`Config::lock_wait`].
    /// - [`crate::Error::Store`] of kind `Invalid` if a new name contains a secret.
    /// - [`crate::Error::Store`] if the author's branch does not exist or was deleted, or if the tape or
    ///   the index cannot be written.
    /// - Any error that the closure returns, as [`crate::Error::Store`].
    pub fn write<T>(
        &self,
        author: &Author,
        decide: impl FnMut(&Reader<'_>, &Point, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.write_alone(self.store.write_guard()?, author, decide)
    }

    /// Writes like [`Workspace::write`], but returns `None` and writes nothing if another writer is active.
    pub(crate) fn write_if_free<T>(
        &self,
        author: &Author,
        decide: impl FnMut(&Reader<'_>, &Point, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Option<Written<T>>> {
        match self.store.write_guard_within(Duration::ZERO) {
            Ok(write_guard) => self.write_alone(write_guard, author, decide).map(Some),
            Err(memtape_store::Error::Tape(memtape_tape::Error::Busy { .. })) => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    fn write_alone<T>(
        &self,
        mut write_guard: WriteGuard<'_>,
        author: &Author,
        mut decide: impl FnMut(&Reader<'_>, &Point, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.follow_or_warn(&mut write_guard);
        let call = author.call.as_deref().filter(|call| !call.is_recorded());
        let mut place = None;
        let mut written = write_guard.write(author, |reader, ctx| {
            let point = reader.head_of(&ctx.branch)?;
            let of_call = || author.call.as_deref()?.expected.as_ref();
            if let Some(expected) = author.expected.as_ref().or_else(of_call) {
                versions::check(reader, expected, &point)?;
            }
            let mut decision = decide(reader, &point, ctx)?;
            if let Some(call) = call {
                place = call::add(&mut decision.drafts, call.tool, &call.input, ctx)?;
            }
            guard(decision, &self.store)
        })?;
        self.follow_written(&mut write_guard, &written.entries);
        if let (Some(call), Some(place)) = (call, place) {
            call.set_recorded();
            // The entry of the tool call is removed from the list, because callers find their own entries by position.
            written.entries.remove(place);
        }
        Ok(written)
    }
}
