//! The history of `files/` in git: a repository at the workspace's root.
//!
//! *Purpose.* To let a person look at the files' history with git, and take it up again from there. *Writes* `.git`, through
//! a library; no git program is run. What is committed, and when, is said by the caller.
//!
//! **Invariants.** The tape is the truth: whatever fails here loses nothing, and is done by a later command. Only a
//! repository that was made here, and says so in its configuration, is written to; no other one is looked for above the
//! root. History is linear: each commit stands on the one that is checked out, a person's too. What a person staged or
//! committed beside the files of memtape stays.
//!
//! In reading order: this file, [`rewrite`].

pub mod rewrite;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::build::TreeUpdateBuilder;
use git2::{
    Commit, FileMode, IndexEntry, IndexTime, ObjectType, Oid, Repository, RepositoryInitOptions,
    RepositoryOpenFlags, RepositoryState, Signature, Time, Tree, TreeWalkMode, TreeWalkResult,
};
use jiff::Timestamp;
use memtape_tape::EntryId;
use serde::{Deserialize, Serialize};

/// The repository, in the workspace's directory.
const DOT_GIT: &str = ".git";
/// What marks it as ours: the workspace's id.
const MARK: &str = "memtape.workspace";
/// What it has of the tape, in the repository.
const POSITION_FILE: &str = "memtape.json";
/// There while commits are being made, in the repository.
const COMMITTING: &str = "memtape.committing";
/// So long commits take at most.
const COMMIT_TAKES: Duration = Duration::from_secs(10);
/// Where another repository is made, before it takes its place.
const UNFINISHED: &str = ".memtape-git";
/// The branch that a new repository begins on.
const BRANCH: &str = "main";
/// Who commits.
const NAME: &str = "memtape";
const EMAIL: &str = "memtape@localhost";
/// What git is to pass over: everything but the files.
const EXCLUDE: &str =
    "# Only the files have a history here; the tape has everything.\n/*\n!/files/\n.memtape-*\n";
/// A regular file, and one that can be run, as git's trees say it.
const REGULAR: i32 = 0o100_644;
const EXECUTABLE: i32 = 0o100_755;

/// Why nothing was written to the history.
#[derive(Debug)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<git2::Error> for Failure {
    fn from(e: git2::Error) -> Self {
        Self(e.message().to_owned())
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self(e.to_string())
    }
}

/// The result of what is done to the history.
pub type Result<T> = std::result::Result<T, Failure>;

/// What stands at the root.
pub enum Found {
    /// No repository.
    Nothing,
    /// One that is not ours: nothing is committed there.
    Foreign,
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

/// What the repository in a directory has of the tape, without opening it; `None` where there is none, or it is not known.
#[must_use]
pub fn position(dir: &Path) -> Option<Position> {
    serde_json::from_slice(&fs::read(dir.join(DOT_GIT).join(POSITION_FILE)).ok()?).ok()
}

/// Whether a directory has a repository, or what may be one, whosever it is.
#[must_use]
pub fn is_there(dir: &Path) -> bool {
    fs::symlink_metadata(dir.join(DOT_GIT)).is_ok()
}

/// Looks for the repository of the workspace in a directory.
///
/// # Errors
/// That the one there cannot be read.
pub fn find(dir: &Path, workspace: &str) -> Result<Found> {
    rewrite::recover(dir)?;
    match fs::symlink_metadata(dir.join(DOT_GIT)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(e) => return Err(e.into()),
        // A link, or the file that stands for a repository elsewhere, is somebody's own.
        Ok(found) if !found.is_dir() => return Ok(Found::Foreign),
        Ok(_) => {}
    }
    let repository = match open(&dir.join(DOT_GIT)) {
        Ok(repository) => repository,
        // What cannot be opened as one was not made here.
        Err(e) if e.code() == git2::ErrorCode::NotFound => return Ok(Found::Foreign),
        Err(e) => return Err(e.into()),
    };
    let is_ours = own_config(&repository)?.get_string(MARK).is_ok_and(|id| id == workspace);
    let is_at_root = repository.workdir().is_some_and(|at| same_folder(at, dir));
    Ok(if is_ours && is_at_root { Found::Ours(History { repository }) } else { Found::Foreign })
}

fn open(path: &Path) -> std::result::Result<Repository, git2::Error> {
    let no_ceilings: [&str; 0] = [];
    Repository::open_ext(path, RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT, no_ceilings)
}

/// The repository's own configuration: what a person configured elsewhere makes no repository ours.
fn own_config(repository: &Repository) -> Result<git2::Config> {
    Ok(git2::Config::open(&repository.path().join("config"))?)
}

fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Makes the repository of a workspace, whole before it is there.
fn make(at: &Path, workspace: &str) -> Result<Repository> {
    let mut options = RepositoryInitOptions::new();
    options.external_template(false).initial_head(BRANCH).no_reinit(true).mkdir(true);
    let repository = Repository::init_opts(at, &options)?;
    let mut config = own_config(&repository)?;
    config.set_str(MARK, workspace)?;
    // The bytes are those of the tape.
    config.set_str("core.autocrlf", "false")?;
    let info = repository.path().join("info");
    fs::create_dir_all(&info)?;
    fs::write(info.join("exclude"), EXCLUDE)?;
    Ok(repository)
}

impl History {
    /// Makes the repository of the workspace in a directory that has none.
    ///
    /// # Errors
    /// What the medium says.
    pub fn create(dir: &Path, workspace: &str) -> Result<Self> {
        let unfinished = dir.join(UNFINISHED);
        remove_folder(&unfinished)?;
        fs::create_dir(&unfinished)?;
        let new = rewrite::new_place(&unfinished);
        drop(make(&new, workspace)?);
        fs::rename(new.join(DOT_GIT), dir.join(DOT_GIT))?;
        remove_folder(&unfinished)?;
        Ok(Self { repository: open(&dir.join(DOT_GIT))? })
    }

    /// What it has of the tape, if nothing but memtape committed since; `None` where that is not known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let known = fs::read(self.repository.path().join(POSITION_FILE)).ok()?;
        let known: Position = serde_json::from_slice(&known).ok()?;
        (known.head == self.head().ok()?).then_some(known)
    }

    /// Notes what it has of the tape.
    ///
    /// # Errors
    /// What the medium says.
    pub fn rest_on(&self, branch: &str, entry: EntryId) -> Result<()> {
        let position = Position { branch: branch.to_owned(), entry, head: self.head()? };
        write_position(&self.repository, &position)
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
            Err(e) if matches!(e.code(), git2::ErrorCode::UnbornBranch | git2::ErrorCode::NotFound) => {
                Ok(None)
            }
            Err(e) => Err(e.into()),
        }
    }

    /// Says why a person's work keeps us from committing now.
    fn busy(&self) -> Result<()> {
        let busy = |why: &str| Err(Failure(why.to_owned()));
        if self.repository.head_detached()? {
            return busy("no branch is checked out in git (HEAD is detached)");
        }
        if self.repository.state() != RepositoryState::Clean {
            return busy("a merge, a rebase or the like is under way in git");
        }
        if self.repository.path().join("index.lock").exists() {
            return busy("git's index is locked (.git/index.lock)");
        }
        Ok(())
    }

    /// Commits, each step upon the one before; a step that changes nothing makes no commit.
    ///
    /// # Errors
    /// That a person is at work there, or what the medium says. What was committed before stays.
    pub fn commit(&self, steps: &[Step]) -> Result<()> {
        if steps.is_empty() {
            return Ok(());
        }
        let committing = self.repository.path().join(COMMITTING);
        self.break_own_locks(&committing)?;
        self.busy()?;
        fs::write(&committing, "")?;
        let done = steps.iter().try_for_each(|step| self.commit_one(step));
        fs::remove_file(&committing)?;
        done
    }

    /// Removes the locks that a commit of ours left when it was killed: those made just after it began.
    fn break_own_locks(&self, committing: &Path) -> Result<()> {
        let Ok(began) = fs::metadata(committing).and_then(|file| file.modified()) else { return Ok(()) };
        let branch = self.repository.find_reference("HEAD")?.symbolic_target()?.map(str::to_owned);
        let names = ["index", "HEAD"].map(str::to_owned).into_iter().chain(branch);
        for name in names {
            let lock = self.repository.path().join(format!("{name}.lock"));
            let made = fs::metadata(&lock).and_then(|file| file.modified());
            let is_ours =
                made.is_ok_and(|made| made.duration_since(began).is_ok_and(|after| after <= COMMIT_TAKES));
            if is_ours {
                fs::remove_file(&lock)?;
            }
        }
        Ok(fs::remove_file(committing)?)
    }

    fn commit_one(&self, step: &Step) -> Result<()> {
        let repository = &self.repository;
        let tip = self.tip()?;
        let tree = match &tip {
            Some(commit) => commit.tree()?,
            None => repository.find_tree(repository.treebuilder(None)?.write()?)?,
        };
        let mut update = TreeUpdateBuilder::new();
        let mut index = repository.index()?;
        let mut changes = 0;
        for (path, bytes) in &step.files {
            let standing = tree.get_path(Path::new(path)).ok();
            match bytes {
                None => {
                    if standing.is_some() {
                        update.remove(path.as_str());
                        changes += 1;
                    }
                    index.remove_path(Path::new(path)).or_else(absent_is_gone)?;
                }
                Some(bytes) => {
                    let id = repository.blob(bytes)?;
                    // Who made it one that can be run keeps that.
                    let mode = match &standing {
                        Some(entry) if entry.filemode() == EXECUTABLE => FileMode::BlobExecutable,
                        _ => FileMode::Blob,
                    };
                    if standing.is_none_or(|entry| entry.id() != id) {
                        update.upsert(path.as_str(), id, mode);
                        changes += 1;
                    }
                    index.add(&index_entry(path, id, mode, bytes.len()))?;
                }
            }
        }
        index.write()?;
        if changes == 0 {
            return Ok(());
        }
        let tree = repository.find_tree(update.create_updated(repository, &tree)?)?;
        let by = Signature::new(NAME, EMAIL, &Time::new(step.date.as_second(), 0))?;
        let parents: Vec<&Commit<'_>> = tip.iter().collect();
        repository.commit(Some("HEAD"), &by, &by, &step.message, &tree, &parents)?;
        Ok(())
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

/// What is not there need not be removed.
fn absent_is_gone(e: git2::Error) -> std::result::Result<(), git2::Error> {
    if e.code() == git2::ErrorCode::NotFound { Ok(()) } else { Err(e) }
}

/// Without the file's times git compares its text, and finds it to be this one.
fn index_entry(path: &str, id: Oid, mode: FileMode, size: usize) -> IndexEntry {
    IndexEntry {
        ctime: IndexTime::new(0, 0),
        mtime: IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode: u32::from(mode),
        uid: 0,
        gid: 0,
        file_size: u32::try_from(size).unwrap_or(u32::MAX),
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
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

fn write_position(repository: &Repository, position: &Position) -> Result<()> {
    let path = repository.path().join(POSITION_FILE);
    let unfinished = path.with_extension("json~");
    fs::write(&unfinished, serde_json::to_vec(position).map_err(io::Error::from)?)?;
    Ok(fs::rename(unfinished, path)?)
}

/// Removes a folder with all that is in it, if it is there.
fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The repository in a directory.
fn dot_git(dir: &Path) -> PathBuf {
    dir.join(DOT_GIT)
}
