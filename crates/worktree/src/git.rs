//! The git history of `files/`: a repository in the workspace.
//!
//! The history lets the user inspect the files' history with git, and continue from it. It is written to
//! `.git` or `history.git` through a library; no git program is run. The caller decides what is committed,
//! when, and to which of the two repositories.
//!
//! **Invariants.** The tape is the source of truth: a failure here loses nothing, and a later command repeats
//! the work. Only a repository that memtape created, and that is marked so in its configuration, is written
//! to. `.git` is not created if the workspace is inside another repository. The history is linear: the parent
//! of each commit is the commit that is checked out, even if the user made that one. What the user staged or
//! committed in addition to memtape's files is kept. A damaged repository is moved to the archive, and a new
//! one is created.
//!
//! Suggested reading order: this file, [`place`], [`commit`], [`damage`], [`rewrite`].

mod commit;
pub mod damage;
mod identity;
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

pub use self::identity::{identity, identity_of_url};
pub use self::place::{Place, enclosing};

/// The configuration key that marks a repository as memtape's; its value is the workspace's id.
const MARK: &str = "memtape.workspace";
/// The file in the repository that records how much of the tape it contains.
const MANIFEST_FILE: &str = "memtape.json";
/// The folder in which a repository is built before it is moved to its place.
const UNFINISHED: &str = ".memtape-git";
/// The initial branch of a new repository.
const BRANCH: &str = "main";
/// The ignore rules of the repository: everything but the files.
const EXCLUDE: &str =
    "# Only the files have a history here; the tape has everything.\n/*\n!/files/\n.memtape-*\n";
/// The ignore file that hides a separate repository from an enclosing one.
const IGNORE_ALL: &str = "# Made by memtape: git history of files/.\n*\n";
/// The message if git does not open a repository because of its owner.
const OTHER_USERS: &str =
    "it belongs to another user; to use it as your own, name it in safe.directory of your git configuration";
/// The modes of a regular and of an executable file in git's trees.
const REGULAR: i32 = 0o100_644;
const EXECUTABLE: i32 = 0o100_755;

/// The reason why nothing was written to the history.
#[derive(Debug)]
pub enum Failure {
    /// The user is working in the repository: a later command repeats the work.
    Busy(String),
    /// Content of the repository is missing or unreadable: repeating the work does not help.
    Damaged(String),
    /// The repository belongs to another user of the machine: it can be read, but nothing is written to it.
    OtherUsers(String),
    /// Any other failure, such as a full disk or a missing write permission.
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
            // A required object is missing or invalid.
            ErrorClass::Odb | ErrorClass::Object | ErrorClass::Zlib => Self::Damaged(e.message().to_owned()),
            _ if e.code() == ErrorCode::Owner => Self::OtherUsers(OTHER_USERS.to_owned()),
            _ => Self::Other(e.message().to_owned()),
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

/// Memtape's git repository of a workspace.
pub struct History {
    repository: Repository,
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
        || damage::is_any_kept(dir)
}

/// Looks for the workspace's repository at a place.
///
/// # Errors
/// [`Failure::Damaged`] if a repository that memtape created can no longer be opened; [`Failure::OtherUsers`]
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

/// Returns whether a path that git writes in a repository is a link: git would follow it, wherever it leads.
fn is_linked(path: &Path) -> bool {
    let head = fs::read_to_string(path.join("HEAD")).unwrap_or_default();
    let branch = Path::new(head.trim().strip_prefix("ref: ").unwrap_or("refs/heads"));
    let of_branch = branch.ancestors().flat_map(|part| [path.join(part), path.join("logs").join(part)]);
    let others = ["HEAD", "config", "index", "info", "objects", "logs/HEAD"].map(|name| path.join(name));
    of_branch.chain(others).any(|file| fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink()))
}

/// Returns whether memtape created a repository. Only the repository's own configuration counts, because a
/// setting of the user elsewhere must not make a repository memtape's. If the configuration is damaged, the
/// manifest decides.
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

/// Creates the repository of a workspace in a new folder, completely before it is moved to its place.
fn make(at: &Path, place: Place, workspace: &str) -> Result<Repository> {
    let mut options = RepositoryInitOptions::new();
    options.external_template(false).initial_head(BRANCH).no_reinit(true).mkdir(true);
    let repository = Repository::init_opts(at, &options)?;
    let mut config = git2::Config::open(&repository.path().join("config"))?;
    config.set_str(MARK, workspace)?;
    // The bytes must be those of the tape.
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

/// Configures a repository for a place.
fn fit(path: &Path, place: Place) -> Result<()> {
    if place == Place::Separate {
        git2::Config::open(&path.join("config"))?.set_str("core.worktree", "..")?;
        write_anew(&path.join(".gitignore"), IGNORE_ALL.as_bytes())?;
    }
    Ok(())
}

/// Moves the workspace's repository to a free place from the other place, if it is there. Returns whether it
/// did.
///
/// # Errors
/// [`Failure::Other`] if the disk fails.
pub fn move_to(dir: &Path, place: Place, workspace: &str) -> Result<bool> {
    // A damaged repository stays until an erasure removes it.
    let Ok(Found::Ours(history)) = find(dir, place.other(), workspace) else { return Ok(false) };
    drop(history);
    let from = place.other().path(dir);
    fit(&from, place)?;
    fs::rename(from, place.path(dir))?;
    sync_folder(dir)?;
    Ok(true)
}

impl History {
    /// Creates the workspace's repository at a place that has none.
    ///
    /// # Errors
    /// [`Failure::Other`] if the disk fails.
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

    /// Returns how much of the tape it contains; `None` if this is not recorded, or if anyone but memtape has
    /// committed since.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let position = read_manifest(self.repository.path())?.position;
        (position.head == self.head().ok()?).then_some(position)
    }

    /// Records how much of the tape it contains.
    ///
    /// # Errors
    /// [`Failure::Other`] if the disk fails; [`Failure::Damaged`] if the commit that is checked out cannot be
    /// read.
    pub fn rest_on(&self, workspace: &str, branch: &str, entry: EntryId) -> Result<()> {
        let position = Position { branch: branch.to_owned(), entry, head: self.head()? };
        write_manifest(&self.repository, &Manifest { workspace: workspace.to_owned(), position })
    }

    /// Returns whether nothing has been committed yet.
    ///
    /// # Errors
    /// [`Failure::Other`] if the disk fails; [`Failure::Damaged`] if the commit that is checked out cannot be
    /// read.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.tip()?.is_none())
    }

    /// Returns the commit that is checked out; `None` before the first commit.
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

    /// Returns the difference between the commit that is checked out and the files in `wanted`. A file of the
    /// commit that is not wanted is `None`; it only counts if `is_one` accepts its path.
    ///
    /// # Errors
    /// [`Failure::Other`] if the disk fails; [`Failure::Damaged`] if an object of the commit cannot be read.
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

/// Passes the path, id and mode of every blob of a tree to `each`.
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

/// Writes a new file in the place of anything with its name. A link there is removed and never followed,
/// because it could lead to a file outside the workspace.
fn write_anew(path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_whole(path)?;
    create_anew(path)?.write_all(bytes)
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

/// Syncs a file, or a folder with all its contents, to the disk.
fn sync_whole(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return File::open(path)?.sync_all();
    }
    for entry in fs::read_dir(path)? {
        sync_whole(&entry?.path())?;
    }
    sync_folder(path)
}

/// Syncs the names in a folder to the disk. Only Unix allows a folder to be synced; elsewhere the file system
/// takes care of it.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
