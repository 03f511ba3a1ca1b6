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
    /// The branches at that moment that the audience may know of, and the chosen one.
    pub(crate) branches: Vec<String>,
    /// Whether the branch does not exist any more.
    pub(crate) is_gone: bool,
}

impl Place {
    /// Reads the place from a request. The field `when` is any point in words and precedes `at`, which is an entry: the head,
    /// if it was the head of the page that asks (`of`), whatever was written since.
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
        // A point in words may name a branch itself.
        let when = fields.get("when").map(|when| when.trim().split_once('@').unwrap_or(("", when)));
        let named = when.map(|(branch, _)| branch).filter(|branch| !branch.is_empty());
        let branch = named.or(fields.get("branch")).unwrap_or(&current).to_owned();
        let entry = match when {
            Some((_, moment)) => {
                let at = workspace.at(&point(&branch, moment))?;
                Some(workspace.snapshot(audience, &at)?.point().entry())
            }
            None => fields.number("at").filter(|entry| Some(*entry) != fields.number("of")),
        };
        let entry = entry.filter(|entry| *entry < head);
        let now = branches.names(&At::head())?;
        let is_gone = !now.contains(&branch);
        let mut branches = match entry {
            Some(entry) => branches.names(&At::entry(entry))?,
            None => now,
        };
        if !branches.contains(&branch) {
            if is_gone {
                return Err(Error::NotFound(format!("there is no branch {branch:?}")));
            }
            // Before its fork it shows the memory that it was forked from.
            branches.push(branch.clone());
        }
        Ok(Self { branch, entry, head, current, branches, is_gone })
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

/// Returns a point of a branch, as [`Workspace::at`] parses it.
pub(crate) fn point(branch: &str, moment: &str) -> String {
    format!("{branch}@{moment}")
}
