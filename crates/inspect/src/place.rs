//! The place that a viewer has chosen: a branch, and a moment on it.

use memtape::{At, Audience, EntryId, Error, Result, Workspace};

use crate::request::Request;
use crate::viewer::Viewer;

/// The branch and the moment that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The branch.
    pub(crate) branch: String,
    /// The entry that the page shows the memory as of; `None` for the head.
    pub(crate) entry: Option<EntryId>,
    /// The last entry of the tape.
    pub(crate) head: EntryId,
    /// The branch that the viewer's conversation is on.
    pub(crate) current: String,
    /// Every branch that the audience may know of.
    pub(crate) branches: Vec<String>,
}

impl Place {
    /// Reads the place from a request. The field `when` is any point in words and precedes `at`, which is an entry.
    pub(crate) fn read(
        workspace: &Workspace,
        viewer: &Viewer,
        audience: &Audience,
        request: &Request,
    ) -> Result<Self> {
        let fields = &request.fields;
        let branches = workspace.branches().for_audience(audience.clone()).in_session(viewer.session.clone());
        let head = workspace.journal().for_audience(audience.clone()).head()?;
        let current = branches.current(&At::head())?;
        let branches = branches.names(&At::head())?;
        let branch = fields.get("branch").unwrap_or(&current).to_owned();
        if !branches.contains(&branch) {
            return Err(Error::NotFound(format!("there is no branch {branch:?}")));
        }
        let entry = match fields.get("when") {
            Some(when) => {
                let at = workspace.at(&point(&branch, when))?;
                Some(workspace.snapshot(audience, &at)?.point().entry())
            }
            None => fields.number("at"),
        };
        let entry = entry.filter(|entry| *entry < head);
        Ok(Self { branch, entry, head, current, branches })
    }

    /// Returns the entry that the page shows the memory as of.
    pub(crate) fn shown(&self) -> EntryId {
        self.entry.unwrap_or(self.head)
    }

    /// Returns whether actions apply to what the page shows.
    pub(crate) fn is_writable(&self) -> bool {
        self.entry.is_none() && self.branch == self.current
    }

    /// Returns the point as the library reads it.
    pub(crate) fn at(&self, workspace: &Workspace) -> Result<At<'static>> {
        match self.entry {
            Some(entry) => workspace.at(&point(&self.branch, &entry.to_string())),
            None => workspace.at(&point(&self.branch, "head")),
        }
    }

    /// Returns the fields that a link needs to stay at the place.
    pub(crate) fn fields(&self) -> [(&'static str, String); 2] {
        let branch = if self.branch == self.current { String::new() } else { self.branch.clone() };
        [("branch", branch), ("at", self.entry.map_or_else(String::new, |entry| entry.to_string()))]
    }
}

/// Returns a point of a branch, as [`Workspace::at`] parses it. A point that names a branch itself keeps it.
pub(crate) fn point(branch: &str, when: &str) -> String {
    if when.contains('@') { when.to_owned() } else { format!("{branch}@{when}") }
}
