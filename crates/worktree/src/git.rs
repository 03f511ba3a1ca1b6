//! The git history of `files/`: a repository in the workspace.
//!
//! The history lets the user inspect the files' history with git, and continue from it. It is written to
//! `.git` or `history.git` through libgit2; no git program is run. The caller decides what is committed,
//! when, and to which of the two repositories.
//!
//! Only the private module `repository` and its children use libgit2. The feature `git`, on by default, includes them;
//! a build without it has the same functions, from `unsupported.rs`. Such a build finds repositories and tells whose they
//! are, but neither reads nor writes what is in one: it fails with [`Failure::Unsupported`].
//!
//! **Invariants.** The tape is the source of truth: a failure here loses nothing, and a later command repeats
//! the work. Only a repository that memtape created, and that is marked so in its configuration, is written
//! to. `.git` is not created if the workspace is inside another repository. The history is linear: the parent
//! of each commit is the commit that is checked out, even if the user made that one. What the user staged or
//! committed in addition to memtape's files is kept. A damaged repository is moved to the archive, and a new
//! one is created.
//!
//! Suggested reading order: this file, [`archive`], [`rewrite`], `repository.rs` and its children.

pub mod archive;
mod identity;
#[cfg(any(test, not(feature = "git")))]
mod lookup;
mod place;
#[cfg_attr(not(feature = "git"), path = "git/unsupported.rs")]
mod repository;
pub mod rewrite;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memtape_tape::disk::sync_dir;
use memtape_tape::{EntryId, Hash};
use serde::{Deserialize, Serialize};

pub use self::identity::{identity, identity_of_url};
pub use self::place::Place;
pub use self::repository::{History, IS_SUPPORTED, each_archived_text, each_text};

/// The configuration key that marks a repository as memtape's; its value is the workspace's id.
const MARK: &str = "memtape.workspace";
/// The file in the repository that records how much of the tape it contains.
const MANIFEST_FILE: &str = "memtape.json";
/// The folder in which a repository is built before it is moved to its place.
const UNFINISHED: &str = ".memtape-git";

/// The reason why nothing was written to the history.
#[derive(Debug)]
pub enum Failure {
    /// The user is working in the repository: a later command repeats the work.
    Busy(String),
    /// Content of the repository is missing or unreadable: repeating the work does not help.
    Damaged(String),
    /// The repository belongs to another user of the machine: it can be read, but nothing is written to it.
    OtherUsers(String),
    /// Memtape created the repository, and this build has no git support.
    Unsupported,
    /// Any other failure, such as a full disk or a missing write permission.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(why) => f.write_str(why),
            Self::Damaged(why) | Self::OtherUsers(why) | Self::Other(why) => f.write_str(why),
            Self::Unsupported => f.write_str("this build of memtape has no git support"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Other(e.to_string())
    }
}

/// The result of an operation on the history.
pub type Result<T> = std::result::Result<T, Failure>;

/// What exists at a place.
pub enum Found {
    /// No repository.
    Nothing,
    /// A repository that memtape did not create, or one that encloses the workspace: nothing is committed
    /// there.
    Foreign(PathBuf),
    /// Memtape's repository.
    Ours(History),
}

/// How much of the tape a repository contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The branch.
    pub branch: String,
    /// The last entry that was considered.
    pub entry: EntryId,
    /// The hash of that entry, by which another tape is recognized.
    pub hash: Hash,
    /// The commit that was checked out then; `None` if there was none.
    pub head: Option<String>,
}

/// The file that records how much of the tape a repository contains, and of which tape.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    workspace: String,
    #[serde(flatten)]
    position: Position,
}

/// A commit to create.
#[derive(Debug)]
pub struct Step {
    /// The commit message.
    pub message: String,
    /// The date of the commit.
    pub date: Timestamp,
    /// The changed files by their paths below the root: the new content, or `None` to remove the file.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
}

/// Returns how much of the tape the repository at a place contains, without opening it; `None` if there is no
/// repository, or it is not recorded.
#[must_use]
pub fn position(dir: &Path, place: Place) -> Option<Position> {
    Some(read_manifest(&place.path(dir))?.position)
}

/// Returns whether a place is occupied by any repository or by what may be one. A repository that encloses
/// the workspace occupies the root.
#[must_use]
pub fn is_taken(dir: &Path, place: Place) -> bool {
    fs::symlink_metadata(place.path(dir)).is_ok() || (place == Place::Root && enclosing(dir).is_some())
}

/// Returns whether the workspace's repository at a place belongs to another user of the machine.
#[must_use]
pub fn is_other_users(dir: &Path, place: Place, workspace: &str) -> bool {
    matches!(find(dir, place, workspace), Err(Failure::OtherUsers(_)))
}

/// Returns whether a directory may contain any git history, including unfinished and archived ones.
#[must_use]
pub fn is_anywhere(dir: &Path) -> bool {
    Place::ALL.into_iter().any(|place| is_taken(dir, place))
        || fs::symlink_metadata(dir.join(UNFINISHED)).is_ok()
        || archive::is_any_kept(dir)
}

/// Returns the repository that encloses a directory and that memtape did not create: the nearest one in a
/// folder above it. A repository of memtape inside it would be an embedded one there.
fn enclosing(dir: &Path) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    let above = dir.ancestors().skip(1).map(|folder| Place::Root.path(folder));
    above.into_iter().find(|path| is_repository(path) && !repository::is_marked(&path.join("config")))
}

/// Returns whether git would accept a path as a repository: a folder with a `HEAD`, or a file that points to
/// a repository elsewhere.
fn is_repository(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() || fs::symlink_metadata(path.join("HEAD")).is_ok())
}

/// Looks for the workspace's repository at a place.
///
/// # Errors
/// [`Failure::Unsupported`] if there is one and this build has no git support; [`Failure::Damaged`] if a repository that memtape created can no longer be opened; [`Failure::OtherUsers`]
/// if git does not open it because it belongs to another user; [`Failure::Other`] if the disk fails.
pub fn find(dir: &Path, place: Place, workspace: &str) -> Result<Found> {
    let path = place.path(dir);
    match fs::symlink_metadata(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let around = if place == Place::Root { enclosing(dir) } else { None };
            return Ok(around.map_or(Found::Nothing, Found::Foreign));
        }
        Err(e) => return Err(e.into()),
        // A link, or a file that points to a repository elsewhere, belongs to the user.
        Ok(found) if !found.is_dir() => return Ok(Found::Foreign(path)),
        Ok(_) => {}
    }
    if !repository::is_ours(&path, workspace)? || is_linked(&path) {
        return Ok(Found::Foreign(path));
    }
    let history = History::open(&path)?;
    Ok(if history.is_of(dir) { Found::Ours(history) } else { Found::Foreign(path) })
}

/// Returns whether a path that git writes in a repository is a link: git would follow it, wherever it leads.
fn is_linked(path: &Path) -> bool {
    let head = fs::read_to_string(path.join("HEAD")).unwrap_or_default();
    let branch = Path::new(head.trim().strip_prefix("ref: ").unwrap_or("refs/heads"));
    let of_branch = branch.ancestors().flat_map(|part| [path.join(part), path.join("logs").join(part)]);
    let others = ["HEAD", "config", "index", "info", "objects", "logs/HEAD"].map(|name| path.join(name));
    of_branch.chain(others).any(|file| fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink()))
}

/// Moves the workspace's repository to a free place from the other place, if it is there. Returns whether it
/// did.
///
/// # Errors
/// [`Failure::Other`] if the disk fails.
pub fn move_to(dir: &Path, place: Place, workspace: &str) -> Result<bool> {
    // A damaged repository stays until an erasure removes it.
    let Ok(Found::Ours(history)) = find(dir, place.other(), workspace) else { return Ok(false) };
    history.fit(place)?;
    fs::rename(place.other().path(dir), place.path(dir))?;
    sync_dir(dir)?;
    Ok(true)
}

/// Returns the folder in which a new repository is built before it is moved to its place.
fn new_place(unfinished: &Path) -> PathBuf {
    unfinished.join("new")
}

fn read_manifest(path: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(path.join(MANIFEST_FILE)).ok()?).ok()
}

/// Removes a file, or a folder with all its contents, if it exists.
fn remove_whole(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(e) => Err(e),
    };
    match removed {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
