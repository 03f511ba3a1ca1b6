//! Where the repository of a workspace is.

use std::path::{Path, PathBuf};

/// The place of the git history of `files/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// `.git` in the workspace, where git finds it without configuration.
    #[default]
    Root,
    /// `history.git`, next to a repository of the user: `git --git-dir=history.git log`.
    Separate,
}

impl Place {
    /// Every place; memtape may have created a repository in each.
    pub const ALL: [Self; 2] = [Self::Root, Self::Separate];

    /// Returns the name of the repository's folder in the workspace.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => ".git",
            Self::Separate => "history.git",
        }
    }

    /// Returns the path of the repository of a workspace.
    #[must_use]
    pub fn path(self, dir: &Path) -> PathBuf {
        dir.join(self.name())
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::Root => Self::Separate,
            Self::Separate => Self::Root,
        }
    }
}
