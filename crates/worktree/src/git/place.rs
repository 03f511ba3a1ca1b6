//! Where the repository of a workspace is, and whether the workspace is inside another repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::MARK;

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

/// Returns the repository that encloses a directory and that memtape did not create: the nearest one in a
/// folder above it. A repository of memtape inside it would be an embedded one there.
#[must_use]
pub fn enclosing(dir: &Path) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    let above = dir.ancestors().skip(1).map(|folder| Place::Root.path(folder));
    above.into_iter().find(|path| is_repository(path) && !is_made_by_memtape(path))
}

/// Returns whether git would accept a path as a repository: a folder with a `HEAD`, or a file that points to
/// a repository elsewhere.
fn is_repository(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() || fs::symlink_metadata(path.join("HEAD")).is_ok())
}

fn is_made_by_memtape(path: &Path) -> bool {
    let config = path.join("config");
    config.is_file() && git2::Config::open(&config).is_ok_and(|config| config.get_string(MARK).is_ok())
}
