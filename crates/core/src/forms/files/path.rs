//! Paths of files: `FOLDER/NAME.md`, or in folders below one. Folders are named freely; a few have a meaning.
//!
//! **Invariant.** A path that is accepted names one file in a folder below `files/`, on every system that the workspace
//! may be copied to.

use std::fmt;

use crate::error::{Error, Result};
use crate::path::{self, SUFFIX, collision_key, part, shown};

/// The folder of dated insights, which stand directly in it.
pub const INSIGHTS: &str = "insights";
/// The folder of what was researched, by project.
pub const RESEARCH: &str = "research";
/// The folder of what was put aside: no index names it.
pub const ARCHIVE: &str = "archive";
/// The folder that all files lie in, which their paths leave out.
const ROOT: &str = "files";

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
        match refusal(text) {
            None => Ok(Self(text.to_owned())),
            Some(why) => Err(Error::Invalid(format!("{} is no path of a file: {why}", shown(text)))),
        }
    }

    /// The whole path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first folder that it stands in.
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

/// Returns why no file may have this path; `None` where one may.
#[must_use]
pub fn refusal(text: &str) -> Option<String> {
    check(text).err()
}

fn check(text: &str) -> std::result::Result<(), String> {
    let refused = str::to_owned;
    let parts = path::parts(text, "files/")?;
    let [folder, between @ .., name] = &parts[..] else { return Err(refused("write FOLDER/NAME.md")) };
    // A tool that writes files/drafts/x.md means drafts/x.md, and would not find it again.
    if *folder == ROOT {
        return Err(refused("it is relative to files/: leave files/ out"));
    }
    if *folder == INSIGHTS && !between.is_empty() {
        return Err(refused("insights stand directly in their folder, as insights/NAME.md"));
    }
    let most = PARTS_MAX + usize::from(*folder == ARCHIVE);
    if parts.len() > most {
        return Err(refused(&format!("it lies {} deep, and {most} names are the most", parts.len())));
    }
    // A folder with a meaning is one on every system, also where case does not tell names apart.
    let meant = [INSIGHTS, RESEARCH, ARCHIVE, ROOT].into_iter().find(|meant| collision_key(folder) == *meant);
    if let Some(meant) = meant.filter(|meant| meant != folder) {
        return Err(format!("its folder is spelled {meant}"));
    }
    for folder in [folder].into_iter().chain(between) {
        part(folder, "folder").map_err(|why| refused(&why.to_string()))?;
        if folder.to_lowercase().ends_with(SUFFIX) {
            return Err(refused("a folder's name does not end in .md, as files' do"));
        }
    }
    path::file_name(name, "files")
}

/// Returns why files cannot lie in a folder of this path, below `files/`; `None` where they can.
#[must_use]
pub fn folder_refusal(path: &str) -> Option<String> {
    refusal(&format!("{path}/x{SUFFIX}"))
}
