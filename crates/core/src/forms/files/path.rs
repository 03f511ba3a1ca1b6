//! Paths of files: `FOLDER/NAME.md`, or in folders below one.
//!
//! **Invariant.** A path that is accepted names one file below one of [`FOLDERS`], on every system that the workspace may
//! be copied to.

use std::fmt;

use crate::error::{Error, Result};
use crate::path::{SUFFIX, collision_key, part, shown};

/// The folder of dated insights, which stand directly in it.
pub const INSIGHTS: &str = "insights";
/// The folder of what was researched, by project.
pub const RESEARCH: &str = "research";
/// The folder of what is being worked on.
pub const DRAFTS: &str = "drafts";
/// The folder of what was put aside: no index names it.
pub const ARCHIVE: &str = "archive";
/// The folders that hold files, in the order in which they are listed.
pub const FOLDERS: [&str; 4] = [INSIGHTS, RESEARCH, DRAFTS, ARCHIVE];

/// How many names a path has at most, the file's own among them. Below the archive it is one more, so that whatever
/// stands can be put there.
pub const PARTS_MAX: usize = 8;

/// The path of a file, below `files/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath(String);

impl FilePath {
    /// Reads the path of a file.
    ///
    /// # Errors
    /// [`Error::Invalid`] for anything else, with what is wrong with it.
    pub fn new(text: &str) -> Result<Self> {
        let refused = |why: &str| Error::Invalid(format!("{} is no path of a file: {why}", shown(text)));
        if text.is_empty() {
            return Err(refused("write FOLDER/NAME.md"));
        }
        if text.contains('\\') {
            return Err(refused("its parts are separated by /, not by \\"));
        }
        if text.starts_with('/') || text.chars().nth(1) == Some(':') {
            return Err(refused("it is relative to files/, as FOLDER/NAME.md"));
        }
        let parts: Vec<&str> = text.split('/').collect();
        if parts.contains(&"..") {
            return Err(refused("it escapes files/ with .."));
        }
        let [folder, between @ .., name] = &parts[..] else {
            return Err(refused("it names no folder: write FOLDER/NAME.md"));
        };
        if !FOLDERS.contains(folder) {
            let hint = if *folder == "files" { " (leave files/ out)" } else { "" };
            return Err(refused(&format!("it stands in none of the folders {}{hint}", FOLDERS.join(", "))));
        }
        if *folder == INSIGHTS && !between.is_empty() {
            return Err(refused("insights stand directly in their folder, as insights/NAME.md"));
        }
        let most = PARTS_MAX + usize::from(*folder == ARCHIVE);
        if parts.len() > most {
            return Err(refused(&format!("it lies {} deep, and {most} names are the most", parts.len())));
        }
        for folder in between {
            part(folder, "folder").map_err(|why| refused(&why.to_string()))?;
            if folder.to_lowercase().ends_with(SUFFIX) {
                return Err(refused("a folder's name does not end in .md, as files' do"));
            }
        }
        let Some(stem) = name.strip_suffix(SUFFIX) else {
            return Err(refused("the names of files end in .md"));
        };
        if stem.is_empty() {
            return Err(refused("there is no name before .md"));
        }
        part(name, "name").map_err(|why| refused(&why.to_string()))?;
        if stem.ends_with([' ', '.']) {
            return Err(refused("a name ends in no space and no dot before .md"));
        }
        Ok(Self(text.to_owned()))
    }

    /// The whole path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Which of [`FOLDERS`] it stands in.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }

    /// Its name, without `.md`.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.0.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(SUFFIX).unwrap_or(name)
    }

    /// Whether it was put aside.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.folder() == ARCHIVE
    }

    /// Where it stands once it is put aside; `None` where it is already.
    #[must_use]
    pub fn archived(&self) -> Option<Self> {
        (!self.is_archived()).then(|| Self(format!("{ARCHIVE}/{}", self.0)))
    }

    /// What is the same for two paths that some system takes for one.
    #[must_use]
    pub fn collision_key(&self) -> String {
        collision_key(&self.0)
    }

    /// Whether some system takes a part of it for one of the other, which is spelled otherwise.
    #[must_use]
    pub fn is_in_the_way_of(&self, other: &Self) -> bool {
        let pairs = self.0.split('/').zip(other.0.split('/'));
        let differ = pairs.into_iter().find(|(one, other)| one != other);
        differ.is_some_and(|(one, other)| collision_key(one) == collision_key(other))
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Whether files can lie in a folder of this path, below `files/`.
#[must_use]
pub fn is_folder(path: &str) -> bool {
    FilePath::new(&format!("{path}/x{SUFFIX}")).is_ok()
}
