//! The history of `files/` in git: a repository in the workspace.
//!
//! *Purpose.* To let a person look at the files' history with git, and take it up again from there. *Writes* `.git` or
//! `history.git`, through a library; no git program is run. What is committed, when and to which of the two, is said by the
//! caller.
//!
//! **Invariants.** The tape is the truth: whatever fails here loses nothing, and is done by a later command. Only a
//! repository that was made here, and says so in its configuration, is written to; `.git` is not made where the workspace lies
//! in somebody else's repository. History is linear: each commit stands on the one that is checked out, a person's too. What a person staged or
//! committed beside the files of memtape stays. A repository that is damaged is set aside, and a new one is made.
//!
//! In reading order: this file, [`place`], [`commit`], [`damage`], [`rewrite`].

mod commit;
pub mod damage;
mod place;
pub mod rewrite;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use git2::{
    Commit, ErrorClass, ErrorCode, ObjectType, Oid, Repository, RepositoryInitOptions, RepositoryOpenFlags,
    Tree, TreeWalkMode, TreeWalkResult,
};
use jiff::Timestamp;
use memtape_tape::storage::create_anew;
use memtape_tape::{Durability, EntryId};
use serde::{Deserialize, Serialize};

pub use self::place::{Place, enclosing};
use crate::error::Error;

/// What marks it as ours: the workspace's id.
const MARK: &str = "memtape.workspace";
/// Says what it has of the tape, in the repository.
const MANIFEST_FILE: &str = "memtape.json";
/// Where another repository is made, before it takes its place.
const UNFINISHED: &str = ".memtape-git";
/// The branch that a new repository begins on.
const BRANCH: &str = "main";
/// What git is to pass over: everything but the files.
const EXCLUDE: &str =
    "# Only the files have a history here; the tape has everything.\n/*\n!/files/\n.memtape-*\n";
/// Keeps a separate repository out of the one around it, as that git reads it.
const IGNORE_ALL: &str = "# Made by memtape: git history of files/.\n*\n";
/// Why git does not open a repository.
const OTHER_USERS: &str =
    "it belongs to another user; to use it as your own, name it in safe.directory of your git configuration";
/// A regular file, and one that can be run, as git's trees say it.
const REGULAR: i32 = 0o100_644;
const EXECUTABLE: i32 = 0o100_755;

/// Why nothing was written to the history.
#[derive(Debug)]
pub enum Failure {
    /// A person is at work there: a later command does it.
    Busy(String),
    /// What the repository should hold is gone or unreadable: it does not get better by itself.
    Damaged(String),
    /// The repository belongs to another user of the machine: what it holds can be read, and nothing is written there.
    OtherUsers(String),
    /// Anything else, such as a full disk or a file that may not be written.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(why) => f.write_str(why),
            Self::Damaged(why) | Self::OtherUsers(why) | Self::Other(why) => f.write_str(why),
        }
    }
}

impl From<git2::Error> for Failure {
    fn from(e: git2::Error) -> Self {
        match e.class() {
            // An object that should be there is missing, or is none.
            ErrorClass::Odb | ErrorClass::Zlib => Self::Damaged(e.message().to_owned()),
            _ if e.code() == ErrorCode::Owner => Self::OtherUsers(OTHER_USERS.to_owned()),
            _ => Self::Other(e.message().to_owned()),
        }
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Self::Other(e.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Other(e.to_string())
    }
}

/// The result of what is done to the history.
pub type Result<T> = std::result::Result<T, Failure>;

/// What stands at a place.
pub enum Found {
    /// No repository.
    Nothing,
    /// One that is not ours, or one that the workspace lies in: nothing is committed there.
    Foreign(PathBuf),
    /// Ours.
    Ours(History),
}

/// What a repository has of the tape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The branch.
    pub branch: String,
    /// The last entry that was looked at.
    pub entry: EntryId,
    /// The commit that was checked out then.
    pub head: Option<String>,
}

/// The file that says what a repository has of the tape, and of which tape.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    workspace: String,
    #[serde(flatten)]
    position: Position,
}

/// A commit to be made.
#[derive(Debug)]
pub struct Step {
    /// What is said of it.
    pub message: String,
    /// When.
    pub date: Timestamp,
    /// What becomes of each file, by its path below the root: its bytes, or nothing.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
}

/// Our repository.
pub struct History {
    repository: Repository,
}

/// What the repository at a place has of the tape, without opening it; `None` where there is none, or it is not known.
#[must_use]
pub fn position(dir: &Path, place: Place) -> Option<Position> {
    Some(read_manifest(&place.path(dir))?.position)
}

/// Whether a place is taken by a repository or what may be one, whosever it is: one above the workspace takes the root.
#[must_use]
pub fn is_taken(dir: &Path, place: Place) -> bool {
    fs::symlink_metadata(place.path(dir)).is_ok() || (place == Place::Root && enclosing(dir).is_some())
}

/// Whether the repository of the workspace at a place belongs to another user of the machine.
#[must_use]
pub fn is_other_users(dir: &Path, place: Place, workspace: &str) -> bool {
    matches!(find(dir, place, workspace), Err(Failure::OtherUsers(_)))
}

/// Whether there may be anything of a history in a directory, unfinished or set aside too.
#[must_use]
pub fn is_anywhere(dir: &Path) -> bool {
    Place::ALL.into_iter().any(|place| is_taken(dir, place))
        || fs::symlink_metadata(dir.join(UNFINISHED)).is_ok()
        || damage::is_any_kept(dir)
}

/// Looks for the repository of the workspace at a place.
///
/// # Errors
/// [`Failure::Damaged`] if one that memtape made cannot be opened any more, [`Failure::OtherUsers`] if git does not open it
/// because it is another user's, or what the disk says.
pub fn find(dir: &Path, place: Place, workspace: &str) -> Result<Found> {
    let path = place.path(dir);
    match fs::symlink_metadata(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let around = if place == Place::Root { enclosing(dir) } else { None };
            return Ok(around.map_or(Found::Nothing, Found::Foreign));
        }
        Err(e) => return Err(e.into()),
        // A link, or the file that stands for a repository elsewhere, is somebody's own.
        Ok(found) if !found.is_dir() => return Ok(Found::Foreign(path)),
        Ok(_) => {}
    }
    if !is_ours(&path, workspace)? || is_linked(&path) {
        return Ok(Found::Foreign(path));
    }
    let repository = open(&path).map_err(|e| match e.code() {
        ErrorCode::Owner => e.into(),
        _ => damage::judge(&path, &e.message()),
    })?;
    let is_at_root = repository.workdir().is_some_and(|at| same_folder(at, dir));
    Ok(if is_at_root { Found::Ours(History { repository }) } else { Found::Foreign(path) })
}

/// Whether something that git writes in a repository is a link: git follows it, whatever it leads to.
fn is_linked(path: &Path) -> bool {
    let head = fs::read_to_string(path.join("HEAD")).unwrap_or_default();
    let branch = Path::new(head.trim().strip_prefix("ref: ").unwrap_or("refs/heads"));
    let of_branch = branch.ancestors().flat_map(|part| [path.join(part), path.join("logs").join(part)]);
    let others = ["HEAD", "config", "index", "info", "objects", "logs/HEAD"].map(|name| path.join(name));
    of_branch.chain(others).any(|file| fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink()))
}

/// Whether memtape made a repository: its own configuration says so, for what a person configured elsewhere makes none
/// ours. Where that is damaged, the manifest tells.
fn is_ours(path: &Path, workspace: &str) -> Result<bool> {
    let config = path.join("config");
    match fs::read(&config) {
        Ok(text) if !text.is_empty() => match git2::Config::open(&config)?.get_string(MARK) {
            Ok(id) => return Ok(id == workspace),
            Err(e) if e.code() == ErrorCode::NotFound => return Ok(false),
            Err(_) => {}
        },
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => return Err(e.into()),
        _ => {}
    }
    match read_manifest(path) {
        Some(manifest) if manifest.workspace == workspace => {
            Err(Failure::Damaged("its configuration cannot be read".to_owned()))
        }
        _ => Ok(false),
    }
}

fn open(path: &Path) -> std::result::Result<Repository, git2::Error> {
    let no_ceilings: [&str; 0] = [];
    Repository::open_ext(path, RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT, no_ceilings)
}

fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Makes the repository of a workspace in a new folder, whole before it takes its place.
fn make(at: &Path, place: Place, workspace: &str) -> Result<Repository> {
    let mut options = RepositoryInitOptions::new();
    options.external_template(false).initial_head(BRANCH).no_reinit(true).mkdir(true);
    let repository = Repository::init_opts(at, &options)?;
    let mut config = git2::Config::open(&repository.path().join("config"))?;
    config.set_str(MARK, workspace)?;
    // The bytes are those of the tape.
    config.set_str("core.autocrlf", "false")?;
    let info = repository.path().join("info");
    fs::create_dir_all(&info)?;
    write_anew(&info.join("exclude"), EXCLUDE.as_bytes())?;
    if place == Place::Root {
        return Ok(repository);
    }
    drop(repository);
    let path = place.path(at);
    fs::rename(Place::Root.path(at), &path)?;
    fit(&path, place)?;
    Ok(open(&path)?)
}

/// Sets what a repository needs to work at a place.
fn fit(path: &Path, place: Place) -> Result<()> {
    if place == Place::Separate {
        git2::Config::open(&path.join("config"))?.set_str("core.worktree", "..")?;
        write_anew(&path.join(".gitignore"), IGNORE_ALL.as_bytes())?;
    }
    Ok(())
}

/// Moves the repository of a workspace to a place that is free from the other one, if it is there; gives whether it did.
///
/// # Errors
/// What the disk says.
pub fn move_to(dir: &Path, place: Place, workspace: &str) -> Result<bool> {
    // One that is damaged stays for an erasure to remove.
    let Ok(Found::Ours(history)) = find(dir, place.other(), workspace) else { return Ok(false) };
    drop(history);
    let from = place.other().path(dir);
    fit(&from, place)?;
    fs::rename(from, place.path(dir))?;
    sync_folder(dir)?;
    Ok(true)
}

impl History {
    /// Makes the repository of the workspace at a place that has none.
    ///
    /// # Errors
    /// What the disk says.
    pub fn create(dir: &Path, place: Place, workspace: &str, durability: Durability) -> Result<Self> {
        let unfinished = dir.join(UNFINISHED);
        remove_whole(&unfinished)?;
        fs::create_dir(&unfinished)?;
        let new = rewrite::new_place(&unfinished);
        drop(make(&new, place, workspace)?);
        if durability == Durability::Sync {
            sync_whole(&new)?;
        }
        fs::rename(place.path(&new), place.path(dir))?;
        remove_whole(&unfinished)?;
        Ok(Self { repository: open(&place.path(dir))? })
    }

    /// What it has of the tape, if nothing but memtape committed since; `None` where that is not known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let position = read_manifest(self.repository.path())?.position;
        (position.head == self.head().ok()?).then_some(position)
    }

    /// Notes what it has of the tape.
    ///
    /// # Errors
    /// What the disk says.
    pub fn rest_on(&self, workspace: &str, branch: &str, entry: EntryId) -> Result<()> {
        let position = Position { branch: branch.to_owned(), entry, head: self.head()? };
        write_manifest(&self.repository, &Manifest { workspace: workspace.to_owned(), position })
    }

    /// Whether nothing was committed yet.
    ///
    /// # Errors
    /// What the medium says.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.tip()?.is_none())
    }

    /// The commit that is checked out; `None` before the first one.
    fn head(&self) -> Result<Option<String>> {
        Ok(self.tip()?.map(|commit| commit.id().to_string()))
    }

    fn tip(&self) -> Result<Option<Commit<'_>>> {
        match self.repository.head() {
            Ok(head) => Ok(Some(head.peel_to_commit()?)),
            Err(e) if matches!(e.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    /// What differs between the commit that is checked out and what the files should be: those that `is_one` of them names.
    ///
    /// # Errors
    /// What the medium says.
    pub fn differing(
        &self,
        wanted: BTreeMap<String, Vec<u8>>,
        is_one: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<String, Option<Vec<u8>>>> {
        let mut standing = BTreeMap::new();
        if let Some(tip) = self.tip()? {
            blobs(&tip.tree()?, |path, id, mode| {
                if matches!(mode, REGULAR | EXECUTABLE) && is_one(path) {
                    standing.insert(path.to_owned(), id);
                }
            })?;
        }
        let mut differing = BTreeMap::new();
        for (path, bytes) in wanted {
            let id = Oid::hash_object(ObjectType::Blob, &bytes)?;
            if standing.remove(&path) != Some(id) {
                differing.insert(path, Some(bytes));
            }
        }
        differing.extend(standing.into_keys().map(|path| (path, None)));
        Ok(differing)
    }
}

/// Every blob of a tree: its path, id and mode.
fn blobs(tree: &Tree<'_>, mut each: impl FnMut(&str, Oid, i32)) -> Result<()> {
    tree.walk(TreeWalkMode::PreOrder, |folder, entry| {
        if let (Some(ObjectType::Blob), Ok(name)) = (entry.kind(), entry.name()) {
            each(&format!("{folder}{name}"), entry.id(), entry.filemode());
        }
        TreeWalkResult::Ok
    })?;
    Ok(())
}

fn read_manifest(path: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(path.join(MANIFEST_FILE)).ok()?).ok()
}

fn write_manifest(repository: &Repository, manifest: &Manifest) -> Result<()> {
    let path = repository.path().join(MANIFEST_FILE);
    let unfinished = path.with_extension("json~");
    write_anew(&unfinished, &serde_json::to_vec(manifest).map_err(io::Error::from)?)?;
    if path.is_dir() {
        remove_whole(&path)?;
    }
    Ok(fs::rename(unfinished, path)?)
}

/// Writes a new file in the place of whatever has its name. A link there is removed and never followed: it could lead to
/// a file outside the workspace.
fn write_anew(path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_whole(path)?;
    create_anew(path)?.write_all(bytes)
}

/// Removes a file, or a folder with all that is in it, if it is there.
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

/// Brings a file, or a folder with all that is in it, onto the disk.
fn sync_whole(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return File::open(path)?.sync_all();
    }
    for entry in fs::read_dir(path)? {
        sync_whole(&entry?.path())?;
    }
    sync_folder(path)
}

/// Brings the names in a folder onto the disk. Only Unix lets a folder be synced; elsewhere the file system sees to it.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
