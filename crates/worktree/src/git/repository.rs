//! The repository of a workspace, by libgit2. A build without the feature `git` has `unsupported.rs` instead.

mod commit;
mod damage;
mod filter;
mod objects;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use git2::{
    Commit, ErrorClass, ErrorCode, ObjectType, Oid, Repository, RepositoryInitOptions, RepositoryOpenFlags,
    Tree, TreeWalkMode, TreeWalkResult,
};
use memtape_tape::disk::{create_anew, sync_dir};
use memtape_tape::{Durability, EntryId, Hash};

use super::{
    Failure, MANIFEST_FILE, MARK, Manifest, Place, Position, Result, UNFINISHED, new_place, read_manifest,
    remove_whole,
};

pub use self::damage::each_archived_text;
pub use self::filter::each_text;
use self::objects::{Depth, check_from, checked_out, find_commit};

/// Whether this build reads and writes git histories.
pub const IS_SUPPORTED: bool = true;
/// The initial branch of a new repository.
const BRANCH: &str = "main";
/// The ignore rules of the repository: everything but the files. A text that was kept beside a file has a secret.
const EXCLUDE: &str = "# Only the files have a history here; the tape has everything.\n/*\n!/files/\n.memtape-*\n*.kept\n\
                       *.kept[0-9]*\n";
/// The ignore file that hides a separate repository from an enclosing one.
const IGNORE_ALL: &str = "# Made by memtape: git history of files/.\n*\n";
/// The message if git does not open a repository because of its owner.
const OTHER_USERS: &str =
    "it belongs to another user; to use it as your own, name it in safe.directory of your git configuration";
/// The modes of a regular and of an executable file in git's trees.
const REGULAR: i32 = 0o100_644;
const EXECUTABLE: i32 = 0o100_755;

/// Memtape's git repository of a workspace.
pub struct History {
    repository: Repository,
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

/// Returns whether memtape created a repository. Only the repository's own configuration counts, because a
/// setting of the user elsewhere must not make a repository memtape's. If the configuration is damaged, the
/// manifest decides.
pub(super) fn is_ours(path: &Path, workspace: &str) -> Result<bool> {
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

/// Returns whether memtape created the repository with this configuration, for whichever workspace.
pub(super) fn is_marked(config: &Path) -> bool {
    config.is_file() && git2::Config::open(config).is_ok_and(|config| config.get_string(MARK).is_ok())
}

/// Returns the directory that the work trees of the repository around a directory share, and the URL of its
/// remote `origin`; `None` if there is no repository.
pub(super) fn discover(dir: &Path) -> Option<(PathBuf, Option<String>)> {
    let repository = Repository::discover(dir).ok()?;
    let origin = repository.find_remote("origin").ok();
    let url = origin.and_then(|origin| origin.url().ok().map(str::to_owned));
    Some((repository.commondir().to_owned(), url))
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

impl History {
    /// Opens the repository at a path, and checks the commit that is checked out, and its folders.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let read = || {
            let repository = open(path)?;
            check_from(&repository, checked_out(&repository)?, Depth::Folders)?;
            Ok(Self { repository })
        };
        read().map_err(|e: git2::Error| damage::judge(path, e))
    }

    /// Returns whether a directory is its work tree.
    pub(super) fn is_of(&self, dir: &Path) -> bool {
        self.repository.workdir().is_some_and(|at| same_folder(at, dir))
    }

    /// Configures it for another place, and closes it.
    pub(super) fn fit(self, place: Place) -> Result<()> {
        fit(self.repository.path(), place)
    }

    /// Creates the workspace's repository at a place that has none.
    ///
    /// # Errors
    /// [`Failure::Other`] if the disk fails.
    pub fn create(dir: &Path, place: Place, workspace: &str, durability: Durability) -> Result<Self> {
        let unfinished = dir.join(UNFINISHED);
        remove_whole(&unfinished)?;
        fs::create_dir(&unfinished)?;
        let new = new_place(&unfinished);
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
    pub fn set_position(&self, workspace: &str, branch: &str, entry: EntryId, hash: Hash) -> Result<()> {
        let position = Position { branch: branch.to_owned(), entry, hash, head: self.head()? };
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
        let id = checked_out(&self.repository)?;
        Ok(id.map(|id| find_commit(&self.repository, id)).transpose()?)
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

/// Syncs a file, or a folder with all its contents, to the disk.
fn sync_whole(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return File::open(path)?.sync_all();
    }
    for entry in fs::read_dir(path)? {
        sync_whole(&entry?.path())?;
    }
    sync_dir(path)
}
