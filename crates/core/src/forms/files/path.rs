//! Paths of files: a name, with folders before it or none. Folder names are free; a few have a meaning. A name ends
//! in one of [`ENDINGS`], and no folder does, so that no path of a file is that of a folder.
//!
//! **Invariant.** An accepted path names one file below `files/`, on every system that the workspace may be copied
//! to.

use std::fmt;

use crate::error::{Error, Result};
use crate::path::{self, ENDINGS, SUFFIX, collision_key, part, shown, split_ending};

/// The folder of insights, which are directly in it and named by day.
pub const INSIGHTS: &str = "insights";
/// The folder of research, with a folder or file for each project.
pub const RESEARCH: &str = "research";
/// The folder of archived files, which no computed block lists.
pub const ARCHIVE: &str = "archive";
/// The folder that contains all files; paths are relative to it.
const ROOT: &str = "files";

/// Maximum number of path components, including the file name.
///
/// A path below `archive/` may have one more, so that every file can be archived.
pub const PARTS_MAX: usize = 8;

/// The path of a file, relative to `files/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath(String);

impl FilePath {
    /// Parses the path of a file.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not a valid path; the message states the reason.
    pub fn new(text: &str) -> Result<Self> {
        match refusal(text) {
            None => Ok(Self(text.to_owned())),
            Some(why) => Err(Error::Invalid(format!("invalid file path {}: {why}", shown(text)))),
        }
    }

    /// Returns the whole path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first folder of the path; empty if the file is in none.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.split_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the file name without its ending.
    #[must_use]
    pub fn stem(&self) -> &str {
        path::stem(self.0.rsplit('/').next().unwrap_or_default())
    }

    /// Returns whether the file is archived.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.folder() == ARCHIVE
    }

    /// Returns the path of the file in the archive; `None` if it is archived already.
    #[must_use]
    pub fn archived(&self) -> Option<Self> {
        (!self.is_archived()).then(|| Self(format!("{ARCHIVE}/{}", self.0)))
    }

    /// Returns a string that is the same for two paths that some system considers equal.
    #[must_use]
    pub fn collision_key(&self) -> String {
        collision_key(&self.0)
    }

    /// Returns whether some system considers the first differing components of the two paths equal.
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

/// Returns why no file may have this path; `None` if one may.
#[must_use]
pub fn refusal(text: &str) -> Option<String> {
    check(text).err()
}

fn check(text: &str) -> std::result::Result<(), String> {
    let refused = str::to_owned;
    let parts = path::parts(text, "files/", "a path such as drafts/plan.md")?;
    let [folders @ .., name] = &parts[..] else { return Err(refused("it is empty")) };
    let [folder, between @ ..] = folders else { return path::file_name(name, &ENDINGS, "files") };
    // A caller that writes `files/drafts/x.md` means `drafts/x.md`, and would not find the file again.
    if *folder == ROOT {
        return Err(refused("it is relative to files/: omit files/"));
    }
    if *folder == INSIGHTS && !between.is_empty() {
        return Err(refused("insights have no subfolders: expected insights/NAME.md"));
    }
    let most = PARTS_MAX + usize::from(*folder == ARCHIVE);
    if parts.len() > most {
        return Err(refused(&format!("it has {} parts, and the limit is {most}", parts.len())));
    }
    // A folder with a meaning has one spelling, because some systems ignore case.
    let target =
        [INSIGHTS, RESEARCH, ARCHIVE, ROOT].into_iter().find(|target| collision_key(folder) == *target);
    if let Some(target) = target.filter(|target| target != folder) {
        return Err(format!("its folder is spelled {target}"));
    }
    for folder in [folder].into_iter().chain(between) {
        part(folder, "folder").map_err(|why| refused(&why.to_string()))?;
        if let Some((_, ending)) = split_ending(&folder.to_lowercase(), &ENDINGS) {
            return Err(format!("the name of a folder must not end in {ending}"));
        }
    }
    path::file_name(name, &ENDINGS, "files")
}

/// Returns why a folder below `files/` cannot contain files; `None` if it can.
#[must_use]
pub fn folder_refusal(path: &str) -> Option<String> {
    refusal(&format!("{path}/x{SUFFIX}"))
}
