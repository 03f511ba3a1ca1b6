//! A task of several writes that can be undone as one.
//!
//! The writes go to a separate branch, which is merged into the branch of the conversation when the task is complete.
//! So the merge is one commit, which `undo` reverses; a task that fails has no effect; and changes by people in the
//! meantime are merged, not overwritten.

use jiff::SignedDuration;
use memtape::branches::TASK_SESSIONS;
use memtape::{At, Branches, ErrorKind, MAIN, Notes, Origin, Session, Toolbox, Toolset, Workspace};

use crate::error::{Error, Result};

/// Age from which a branch of a task was left by a process that was killed.
const LEFT_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// A task that is running.
pub(crate) struct Task<'a> {
    workspace: &'a Workspace,
    /// The conversation whose branch the task writes to in the end.
    session: Session,
    own: Session,
    branch: String,
}

impl<'a> Task<'a> {
    /// Begins a task; `kind` begins the name of its branch. Two tasks never share a branch.
    ///
    /// # Errors
    /// [`Error::Invalid`] if one branch was chosen for all commands, which would lead the writes there.
    pub(crate) fn begin(workspace: &'a Workspace, session: &Session, kind: &str) -> Result<Self> {
        let unique = format!("{}-{}", workspace.now().as_microsecond(), std::process::id());
        let branch = format!("{kind}/{unique}");
        let task = Self { workspace, session: session.clone(), own: session_of(&branch)?, branch };
        task.of(&task.session).create(&task.branch, None, &At::head())?;
        task.of(&task.own).switch(&task.branch, false)?;
        if task.of(&task.own).current(&At::head())? != task.branch {
            task.abandon()?;
            return Err(Error::Invalid(
                "a task writes to the branch of its conversation: leave out --branch".into(),
            ));
        }
        Ok(task)
    }

    /// Deletes the branches of these kinds that killed processes have left.
    pub(crate) fn clean(workspace: &Workspace, kinds: &[&str]) -> Result<()> {
        let branches = workspace.branches().writing_as(Origin::Assistant);
        let now = workspace.now();
        for branch in branches.list(&At::head())? {
            let is_of_task = kinds.iter().any(|kind| branch.name.starts_with(&format!("{kind}/")));
            if !is_of_task || branch.created_at.is_none_or(|at| now.duration_since(at) < LEFT_AFTER) {
                continue;
            }
            let own = session_of(&branch.name)?;
            workspace.branches().in_session(own).writing_as(Origin::Assistant).switch(MAIN, false)?;
            branches.delete(&branch.name)?;
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
        let merged = self.of(&self.session).merge(&self.branch);
        self.abandon()?;
        Ok(merged.map_err(Error::from)?.commit.map(|commit| commit.id))
    }

    /// Deletes the branch of the task. Its writes are then in no view.
    pub(crate) fn abandon(&self) -> Result<()> {
        self.of(&self.own).switch(MAIN, false)?;
        match self.of(&self.session).delete(&self.branch) {
            Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::Refused) => Err(e.into()),
            _ => Ok(()),
        }
    }
}

/// Returns the session in which a task works, by its branch.
fn session_of(branch: &str) -> Result<Session> {
    let label = format!("{TASK_SESSIONS}{}", branch.replace('/', "-"));
    Ok(Session::parse(&label).map_err(memtape::Error::from)?)
}
