//! A task of several writes that can be undone as one.
//!
//! The writes go to a separate branch, which is merged into the branch that it was forked from when the task is complete,
//! wherever the conversation is then. So the merge is one commit, which `undo` reverses; a task that fails has no effect;
//! and changes by people in the meantime are merged, not overwritten.

use jiff::SignedDuration;
use memtape::branches::TASK_SESSIONS;
use memtape::{At, Branches, EntryId, ErrorKind, MAIN, Notes, Origin, Session, Toolbox, Toolset, Workspace};

use crate::controller;
use crate::error::{Error, Result};

/// Age from which a branch of a task was left by a process that was killed.
const LEFT_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// Number of digits of the time in the name of a task. The number in a name that a person chose, such as `reflect/2026-11`, has
/// fewer.
const TIME_DIGITS: usize = 16;

/// The head of a conversation's branch, from which a task forks when it has something to write. What the task reads before,
/// it reads there, so that what people change meanwhile is merged.
pub(crate) struct Base<'a> {
    workspace: &'a Workspace,
    /// The conversation for which the task works.
    session: Session,
    /// The branch that the task writes to in the end.
    into: String,
    at: At<'static>,
}

impl<'a> Base<'a> {
    /// Returns where a task of a conversation forks. Nothing is written.
    ///
    /// # Errors
    /// [`Error::Invalid`] if one branch was chosen for all commands, which would lead the writes of the task there.
    pub(crate) fn new(workspace: &'a Workspace, session: &Session) -> Result<Self> {
        if workspace.branch().is_some() {
            return Err(Error::Invalid(
                "a task writes to the branch of its conversation: leave out --branch".into(),
            ));
        }
        let into = workspace.branches().in_session(session.clone()).current(&At::head())?;
        let at = workspace.at(&format!("{into}@{}", workspace.journal().head()?))?;
        Ok(Self { workspace, session: session.clone(), into, at })
    }

    /// Returns the point.
    pub(crate) fn at(&self) -> &At<'static> {
        &self.at
    }

    /// Begins a task; `kind` begins the name of its branch. Two tasks never share a branch.
    pub(crate) fn fork(&self, kind: &str) -> Result<Task<'a>> {
        let unique = format!("{}-{}", self.workspace.now().as_microsecond(), std::process::id());
        let branch = format!("{kind}/{unique}");
        let (session, into, own) = (self.session.clone(), self.into.clone(), session_of(&branch)?);
        let task = Task { workspace: self.workspace, session, into, own, branch };
        task.of(&task.session).create(&task.branch, None, &self.at)?;
        task.of(&task.own).switch(&task.branch, false)?;
        Ok(task)
    }
}

/// A task that is running.
pub(crate) struct Task<'a> {
    workspace: &'a Workspace,
    session: Session,
    into: String,
    /// The session in which the task writes, which is on its branch.
    own: Session,
    branch: String,
}

impl<'a> Task<'a> {
    /// Deletes the branches that killed processes have left: those of tasks of these kinds, and those on which values wait for
    /// a person. One that is in use stays.
    pub(crate) fn clean(workspace: &Workspace, kinds: &[&str]) -> Result<()> {
        let branches = workspace.branches().writing_as(Origin::Assistant);
        let now = workspace.now();
        for branch in branches.list(&At::head())? {
            let is_of_task = is_of_task(&branch.name, kinds) || controller::is_of_question(&branch);
            if !is_of_task || branch.created_at.is_none_or(|at| now.duration_since(at) < LEFT_AFTER) {
                continue;
            }
            let own = session_of(&branch.name)?;
            workspace.branches().in_session(own).writing_as(Origin::Assistant).switch(MAIN, false)?;
            unless_kept(branches.delete(&branch.name))?;
        }
        Ok(())
    }

    fn of(&self, session: &Session) -> Branches<'a> {
        self.workspace.branches().in_session(session.clone()).writing_as(Origin::Assistant)
    }

    /// Returns the name of the task, which is that of its branch.
    pub(crate) fn name(&self) -> &str {
        &self.branch
    }

    /// Returns the tools of the task.
    pub(crate) fn tools(&self, toolsets: &[Toolset]) -> Toolbox<'a> {
        self.workspace.tools().of(toolsets).for_session(self.own.clone())
    }

    /// Returns the notes as the task sees them.
    pub(crate) fn notes(&self) -> Notes<'a> {
        self.workspace.notes().in_session(self.own.clone())
    }

    /// Merges the writes of the task, and returns the commit; `None` if it wrote nothing.
    pub(crate) fn finish(self) -> Result<Option<String>> {
        let merged = self.of(&self.session).into_branch(Some(self.into.clone())).merge(&self.branch);
        self.abandon();
        Ok(merged.map_err(Error::from)?.commit.map(|commit| commit.id))
    }

    /// Deletes the branch of the task, whose writes are in no view. If that fails, a later heartbeat deletes it: what the
    /// task has done, or why it failed, counts anyway.
    pub(crate) fn abandon(&self) {
        let left = self.of(&self.own).switch(MAIN, false);
        let _ = left.and_then(|_| self.of(&self.session).delete(&self.branch));
    }
}

/// Returns whether a name is that of a task of one of these kinds: `KIND/MICROSECONDS-PROCESS`.
fn is_of_task(name: &str, kinds: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unique = name.split_once('/').filter(|(kind, _)| kinds.contains(kind));
    unique
        .and_then(|(_, unique)| unique.split_once('-'))
        .is_some_and(|(time, process)| time.len() >= TIME_DIGITS && is_number(time) && is_number(process))
}

/// Returns the failure to delete a branch, unless it is deleted already or in use.
fn unless_kept(deleted: memtape::Result<EntryId>) -> Result<()> {
    match deleted {
        Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::Refused) => Err(e.into()),
        _ => Ok(()),
    }
}

/// Returns the session in which a task works, by its branch.
fn session_of(branch: &str) -> Result<Session> {
    let label = format!("{TASK_SESSIONS}{}", branch.replace('/', "-"));
    Ok(Session::parse(&label).map_err(memtape::Error::from)?)
}
