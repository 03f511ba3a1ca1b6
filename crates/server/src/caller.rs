//! The caller of a request, and its tools.

use memtape::brief::{self, Briefed};
use memtape::{At, Audience, Prompting, Result, Session, Toolbox, Toolset, Workspace};

/// The caller of a request: the conversation and the user on whose behalf a client calls, and its permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The conversation that calls are recorded in.
    pub session: Session,
    /// Whether the caller is the owner, who sees everything; otherwise only the memories of the conversation and the
    /// user.
    pub is_owner: bool,
    /// The user, as [`Workspace::audience`] takes it.
    pub user: Option<String>,
    /// The toolsets that are offered.
    pub toolsets: Vec<Toolset>,
    /// Whether nothing may be written.
    pub is_read_only: bool,
}

impl Caller {
    /// Returns the owner, in a conversation, with the core tools.
    #[must_use]
    pub fn owner(session: Session) -> Self {
        Self { session, is_owner: true, user: None, toolsets: vec![Toolset::Core], is_read_only: false }
    }

    /// Returns the audience that the caller belongs to.
    ///
    /// # Errors
    /// As [`Workspace::audience`].
    pub fn audience(&self, workspace: &Workspace) -> Result<Audience> {
        if self.is_owner {
            return Ok(Audience::owner());
        }
        workspace.audience(Some(&self.session), self.user.as_deref())
    }

    /// Returns the point that a text names, or the head without one: on the branch of the caller's conversation, as its
    /// tools are, unless the text names another.
    pub(crate) fn at(&self, workspace: &Workspace, text: Option<&str>) -> Result<At<'static>> {
        let at = text.map_or_else(|| Ok(At::head()), |text| workspace.at(text))?;
        Ok(at.in_session(self.session.clone()))
    }

    /// Returns the tools that the caller can call.
    ///
    /// # Errors
    /// As [`Workspace::audience`].
    pub fn tools<'w>(&self, workspace: &'w Workspace) -> Result<Toolbox<'w>> {
        let tools = workspace
            .tools()
            .of(&self.toolsets)
            .for_session(self.session.clone())
            .for_audience(self.audience(workspace)?);
        Ok(if self.is_read_only { tools.read_only() } else { tools })
    }

    /// Returns the options of a prompt that names these tools.
    #[must_use]
    pub fn prompting(&self, budget: Option<usize>) -> Prompting {
        Prompting { budget, toolsets: self.toolsets.clone(), is_read_only: self.is_read_only }
    }

    /// Returns the brief of the caller's conversation, which names these tools.
    ///
    /// # Errors
    /// As [`Workspace::audience`] and [`Conversation::brief`](memtape::Conversation::brief).
    pub fn brief(&self, workspace: &Workspace, at: &At<'_>) -> Result<String> {
        let briefed = Briefed {
            audience: &self.audience(workspace)?,
            is_with_owner: self.is_owner,
            toolsets: &self.toolsets,
            is_read_only: self.is_read_only,
            budget: brief::TOKENS,
        };
        workspace.conversation(self.session.clone()).brief(&briefed, at)
    }

    /// Returns whether the caller can call every tool that a hint names.
    pub(crate) fn can_follow(&self, hint: &str) -> bool {
        let words = hint.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut named = words.filter(|word| word.starts_with("memory_"));
        named.all(|name| self.has_tool(name))
    }

    /// Returns whether the caller can call a tool.
    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.definitions().any(|tool| tool.name == name)
    }

    /// Returns the definitions of these tools, without a workspace.
    pub fn definitions(&self) -> impl Iterator<Item = &'static memtape::toolbox::Tool> {
        memtape::toolbox::TOOLS
            .iter()
            .copied()
            .filter(|tool| self.toolsets.contains(&tool.toolset) && (tool.read_only || !self.is_read_only))
    }
}
