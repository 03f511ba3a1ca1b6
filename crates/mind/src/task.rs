//! A task of several writes that is taken back as one.
//!
//! The writes go to a branch of their own, and are merged into the branch of the conversation when the task is complete.
//! So the merge is one commit, which `undo` takes back; a task that fails leaves nothing; and what people write in the
//! meantime is merged, not overwritten.

use memtape::{At, Branches, ErrorKind, MAIN, Notes, Origin, Session, Toolbox, Toolset, Workspace};

use crate::error::{Error, Result};

/// The channel of the sessions that tasks run in.
const CHANNEL: &str = "mind";

/// A task that is running.
pub(crate) struct Task<'a> {
    workspace: &'a Workspace,
    /// The conversation whose branch the task writes to in the end.
    session: Session,
    own: Session,
    branch: String,
}

impl<'a> Task<'a> {
    /// Begins a task of this name, such as `reflect/42`. One that was interrupted begins again.
    pub(crate) fn begin(workspace: &'a Workspace, session: &Session, name: &str) -> Result<Self> {
        let own =
            Session::parse(&format!("{CHANNEL}:{}", name.replace('/', "-"))).map_err(memtape::Error::from)?;
        let task = Self { workspace, session: session.clone(), own, branch: name.to_owned() };
        match task.create() {
            Err(e) if e.kind() == ErrorKind::Conflict => {
                task.abandon()?;
                task.create()?;
            }
            created => created?,
        }
        task.of(&task.own).switch(&task.branch, false)?;
        Ok(task)
    }

    fn create(&self) -> Result<(), memtape::Error> {
        self.of(&self.session).create(&self.branch, None, &At::head()).map(|_| ())
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

    /// Merges what the task wrote, and returns the commit; `None` if it wrote nothing.
    pub(crate) fn finish(self) -> Result<Option<String>> {
        let merged = self.of(&self.session).merge(&self.branch);
        self.abandon()?;
        Ok(merged.map_err(Error::from)?.commit.map(|commit| commit.id))
    }

    /// Deletes the branch of the task. What it wrote is in no view any more.
    pub(crate) fn abandon(&self) -> Result<()> {
        self.of(&self.own).switch(MAIN, false)?;
        match self.of(&self.session).delete(&self.branch) {
            Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::Refused) => Err(e.into()),
            _ => Ok(()),
        }
    }
}
