//! Commits: all steps of a command become visible at once, or none.
//!
//! **Invariants.** `HEAD` moves only after every object that it needs is on the disk and was read back. The
//! reference is on the disk before the caller records what is committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use git2::build::TreeUpdateBuilder;
use git2::{
    Commit, FileMode, Index, IndexEntry, IndexTime, ObjectType, Oid, Repository, RepositoryState, Signature,
    Time, Tree, TreeWalkMode, TreeWalkResult,
};
use memtape_tape::Durability;
use memtape_tape::disk::sync_dir;

use super::objects::{check, find_commit, find_tree, loose};
use super::{EXECUTABLE, Failure, History, Result, damage, open, remove_whole, write_anew};
use crate::git::Step;

/// A file in the repository that exists while commits are being made.
const COMMITTING: &str = "memtape.committing";
/// Maximum duration of making commits.
const COMMIT_TAKES: Duration = Duration::from_secs(10);
/// Number of files of a commit that are checked in addition to those that it changes.
const CHECKED_MAX: usize = 256;
/// The author and committer.
const NAME: &str = "memtape";
const EMAIL: &str = "memtape@localhost";

/// The entries of the index that commits change, by path; `None` for a file that is removed.
type IndexChanges = BTreeMap<String, Option<IndexEntry>>;

impl History {
    /// Checks that the user's work in git does not prevent a commit now.
    ///
    /// # Errors
    /// [`Failure::Busy`] if no branch is checked out, an operation such as a merge is in progress, or git's
    /// index is locked.
    pub fn is_free(&self) -> Result<()> {
        if self.repository.head_detached().unwrap_or(false) {
            return Err(Failure::Busy("no branch is checked out in git (HEAD is detached)".to_owned()));
        }
        if self.repository.state() != RepositoryState::Clean {
            return Err(Failure::Busy("a merge, a rebase or the like is under way in git".to_owned()));
        }
        let lock = self.repository.path().join("index.lock");
        if lock.exists() {
            return Err(Failure::Busy(format!("git's index is locked ({})", lock.display())));
        }
        Ok(())
    }

    /// Removes the locks that one of memtape's commits left behind when its process was killed: those made
    /// shortly after it began.
    ///
    /// # Errors
    /// [`Failure::Other`] if the disk fails.
    pub fn break_own_locks(&self) -> Result<()> {
        let committing = self.repository.path().join(COMMITTING);
        let Ok(began) = fs::symlink_metadata(&committing).and_then(|file| file.modified()) else {
            return Ok(());
        };
        let branch = self.branch().ok();
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
        Ok(remove_whole(&committing)?)
    }

    /// Commits the steps, each one on top of the previous one. A step that changes nothing makes no commit. `progress` is
    /// called with the number of objects that are on the disk, and of all.
    ///
    /// # Errors
    /// [`Failure::Damaged`] if an object that was written before cannot be read; [`Failure::Busy`] if no
    /// branch is checked out; [`Failure::Other`] if the disk fails.
    pub fn commit(
        &self,
        steps: &[Step],
        durability: Durability,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        if steps.is_empty() {
            return Ok(());
        }
        let committing = self.repository.path().join(COMMITTING);
        write_anew(&committing, b"")?;
        let done = self.commit_all(steps, durability, progress);
        let removed = fs::remove_file(&committing);
        done?;
        Ok(removed?)
    }

    fn commit_all(
        &self,
        steps: &[Step],
        durability: Durability,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        let repository = &self.repository;
        let before = self.tip()?;
        let mut changes = IndexChanges::new();
        let mut tip = before.clone();
        let mut written = BTreeSet::new();
        for step in steps {
            if let Some(new) = commit_one(repository, tip.as_ref(), &mut changes, &mut written, step)? {
                tip = Some(find_commit(repository, new)?);
            }
        }
        let old = before.as_ref().map(Commit::id);
        let new = tip.map(|commit| commit.id()).filter(|new| Some(*new) != old);
        if let Some(new) = new {
            // The repository is opened again, because the writer's cache does not prove what is on the disk.
            let fresh = open(repository.path())?;
            verify_and_sync(&fresh, &written, durability, progress)?;
            check_some(&fresh, new).map_err(|e| damage::judge(repository.path(), e))?;
            self.update_index(before.as_ref(), changes)?;
            self.move_head(old, new, &steps[steps.len() - 1].message, durability)?;
        } else {
            self.update_index(before.as_ref(), changes)?;
        }
        Ok(())
    }

    /// Changes the index as it is now: the user may have staged something while the objects were written.
    fn update_index(&self, tip: Option<&Commit<'_>>, changes: IndexChanges) -> Result<()> {
        let mut index = self.index(tip)?;
        for (path, entry) in changes {
            match entry {
                Some(entry) => index.add(&entry)?,
                None => index.remove_path(Path::new(&path)).or_else(absent_is_gone)?,
            }
        }
        Ok(index.write()?)
    }

    /// Returns the index. It is rebuilt from the commit that is checked out if it is missing or cannot be
    /// read.
    fn index(&self, tip: Option<&Commit<'_>>) -> Result<Index> {
        let path = self.repository.path().join("index");
        if let Ok(mut index) = self.repository.index()
            && path.exists()
            && index.read(true).is_ok()
        {
            return Ok(index);
        }
        remove_whole(&path)?;
        let mut index = self.repository.index()?;
        if let Some(tip) = tip {
            index.read_tree(&tip.tree()?)?;
        }
        Ok(index)
    }

    /// Returns the name of the reference that is checked out.
    fn branch(&self) -> Result<String> {
        let head = self.repository.find_reference("HEAD")?;
        match head.symbolic_target()? {
            Some(branch) => Ok(branch.to_owned()),
            None => Err(Failure::Busy("no branch is checked out in git (HEAD is detached)".to_owned())),
        }
    }

    /// Moves the branch that is checked out to a new commit, if it still is at the old one, and verifies the
    /// result.
    fn move_head(&self, old: Option<Oid>, new: Oid, message: &str, durability: Durability) -> Result<()> {
        let branch = self.branch()?;
        let log = format!("commit: {}", message.trim_end());
        match old {
            Some(old) => self.repository.reference_matching(&branch, new, true, old, &log)?,
            None => self.repository.reference(&branch, new, false, &log)?,
        };
        let path = self.repository.path().join(&branch);
        if durability == Durability::Sync {
            fs::File::open(&path)?.sync_all()?;
            for folder in path.ancestors().skip(1).take_while(|folder| *folder != self.repository.path()) {
                sync_dir(folder)?;
            }
        }
        match open(self.repository.path())?.refname_to_id("HEAD")? == new {
            true => Ok(()),
            false => Err(Failure::Other(format!("{} does not name the new commit", path.display()))),
        }
    }
}

/// Writes the objects of a step; `None` if it changes nothing.
fn commit_one(
    repository: &Repository,
    tip: Option<&Commit<'_>>,
    index: &mut IndexChanges,
    written: &mut BTreeSet<Oid>,
    step: &Step,
) -> Result<Option<Oid>> {
    let tree = match tip {
        Some(commit) => commit.tree()?,
        None => find_tree(repository, repository.treebuilder(None)?.write()?)?,
    };
    let mut update = TreeUpdateBuilder::new();
    let mut changed = Vec::new();
    for (path, bytes) in &step.files {
        let standing = tree.get_path(Path::new(path)).ok();
        match bytes {
            None => {
                if standing.is_some() {
                    update.remove(path.as_str());
                    changed.push(path);
                }
                index.insert(path.clone(), None);
            }
            Some(bytes) => {
                let id = repository.blob(bytes)?;
                // If the user made the file executable, it stays so.
                let mode = match &standing {
                    Some(entry) if entry.filemode() == EXECUTABLE => FileMode::BlobExecutable,
                    _ => FileMode::Blob,
                };
                if standing.is_none_or(|entry| entry.id() != id) {
                    // The object may be that of an interrupted commit. A tree would refuse a damaged one without saying so.
                    check(repository.path(), id)?;
                    repository.odb()?.read_header(id)?;
                    update.upsert(path.as_str(), id, mode);
                    changed.push(path);
                    written.insert(id);
                }
                index.insert(path.clone(), Some(index_entry(path, id, mode, bytes.len())));
            }
        }
    }
    if changed.is_empty() {
        return Ok(None);
    }
    let tree = find_tree(repository, update.create_updated(repository, &tree)?)?;
    note_folders(repository, &tree, &changed, written)?;
    let by = Signature::new(NAME, EMAIL, &Time::new(step.date.as_second(), 0))?;
    let parents: Vec<&Commit<'_>> = tip.into_iter().collect();
    let commit = write_commit(repository, [&by, &by], &step.message, &tree, &parents)?;
    written.insert(commit);
    Ok(Some(commit))
}

/// Writes a commit object. `Repository::commit` of libgit2 1.9 reports success even if the object cannot be
/// written.
pub(super) fn write_commit(
    repository: &Repository,
    [author, committer]: [&Signature<'_>; 2],
    message: &str,
    tree: &Tree<'_>,
    parents: &[&Commit<'_>],
) -> Result<Oid> {
    let text = repository.commit_create_buffer(author, committer, message, tree, parents)?;
    Ok(repository.odb()?.write(ObjectType::Commit, &text)?)
}

/// Adds the ids of a tree, and of its subtrees on the paths to the changed files.
fn note_folders(
    repository: &Repository,
    tree: &Tree<'_>,
    changed: &[&String],
    written: &mut BTreeSet<Oid>,
) -> Result<()> {
    written.insert(tree.id());
    for path in changed {
        let mut at = tree.clone();
        for name in path.split('/') {
            let folder = at.get_name(name).filter(|entry| entry.kind() == Some(ObjectType::Tree));
            let Some(folder) = folder.map(|folder| folder.id()) else { break };
            written.insert(folder);
            at = find_tree(repository, folder)?;
        }
    }
    Ok(())
}

/// Verifies that objects can be read, and syncs them to the disk.
fn verify_and_sync(
    repository: &Repository,
    written: &BTreeSet<Oid>,
    durability: Durability,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let (path, odb) = (repository.path(), repository.odb()?);
    let mut folders = BTreeSet::new();
    for (done, id) in (1..).zip(written) {
        progress(done, written.len() as u64);
        check(path, *id).and_then(|()| odb.read(*id)).map_err(|e| damage::judge(path, e))?;
        let object = loose(path, *id);
        if durability == Durability::Sync {
            match fs::File::open(&object) {
                Ok(file) => file.sync_all()?,
                // An object that existed before may be in a pack.
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => return Err(e.into()),
            }
            folders.extend(object.parent().map(Path::to_owned));
        }
    }
    for folder in &folders {
        sync_dir(folder)?;
    }
    if durability == Durability::Sync {
        sync_dir(&path.join("objects"))?;
    }
    Ok(())
}

/// Checks that the files of a commit can be read: all of them, or a part if there are many. The part differs
/// from commit to commit, so that later commits check the others.
fn check_some(repository: &Repository, commit: Oid) -> std::result::Result<(), git2::Error> {
    let odb = repository.odb()?;
    let mut ids = Vec::new();
    repository.find_commit(commit)?.tree()?.walk(TreeWalkMode::PreOrder, |_, entry| {
        if entry.kind() == Some(ObjectType::Blob) {
            ids.push(entry.id());
        }
        TreeWalkResult::Ok
    })?;
    let begin = commit.as_bytes().iter().take(4).fold(0, |sum, byte| sum * 256 + usize::from(*byte));
    let len = ids.len().max(1);
    ids.iter()
        .cycle()
        .skip(begin % len)
        .take(ids.len().min(CHECKED_MAX))
        .try_for_each(|id| odb.read_header(*id).map(drop))
}

/// Accepts that a path to remove is already absent.
fn absent_is_gone(e: git2::Error) -> std::result::Result<(), git2::Error> {
    if e.code() == git2::ErrorCode::NotFound { Ok(()) } else { Err(e) }
}

/// Returns an index entry without file times: git then compares the content, and finds it unchanged.
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
