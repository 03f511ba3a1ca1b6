//! The person who looks at the pages.

use memtape::{Audience, Origin, Result, Session, Toolbox, Toolset, Workspace};

/// The person who looks at the pages: as whom they read and write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// The name of the token, or of the person.
    pub name: String,
    /// The conversation that actions are recorded in.
    pub session: Session,
    /// Whether it is the owner, who sees everything.
    pub is_owner: bool,
    /// The user, as [`Workspace::audience`] takes it.
    pub user: Option<String>,
    /// Whether nothing may be written.
    pub is_read_only: bool,
    /// The text that every form must contain, which no other site knows.
    pub csrf: String,
}

impl Viewer {
    /// Returns the audience.
    ///
    /// # Errors
    /// As [`Workspace::audience`].
    pub(crate) fn audience(&self, workspace: &Workspace) -> Result<Audience> {
        if self.is_owner {
            return Ok(Audience::owner());
        }
        workspace.audience(Some(&self.session), self.user.as_deref())
    }

    /// Returns the tools, called by a person.
    pub(crate) fn tools<'w>(&self, workspace: &'w Workspace) -> Result<Toolbox<'w>> {
        let tools = workspace
            .tools()
            .of(&Toolset::USUAL)
            .for_session(self.session.clone())
            .for_audience(self.audience(workspace)?)
            .writing_as(Origin::User);
        Ok(if self.is_read_only { tools.read_only() } else { tools })
    }
}
