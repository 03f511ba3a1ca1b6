//! Rewrites the git history of the files without erased text.
//!
//! Every commit is rewritten into a fresh repository, which then replaces the old one: no object, pack or log
//! of the old repository is kept. What is not reachable from a branch, a tag or the commit that is checked
//! out is lost, and so is what the user staged and did not commit.
//!
//! A damaged repository cannot be rewritten. It is removed, together with those that were archived before: a
//! later command creates a new one from the tape.
//!
//! **Invariants.** The old repository is removed only after the new one is complete and on the disk. The next
//! holder of the writer lock finishes an interrupted replacement ([`recover`]); doing it twice has the same
//! effect as doing it once.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use git2::{Commit, ErrorCode, ObjectType, Oid, Repository, Signature, Sort, Tree};
use memtape_core::bytes;
use memtape_core::safety::secrets;
use memtape_tape::Hash;

use super::commit::write_commit;
use super::{
    Failure, Found, History, Place, Result, UNFINISHED, damage, find, make, read_manifest, remove_whole,
    sync_folder, sync_whole, write_manifest,
};

/// The replacement for an erased name.
const ERASED: &str = "[erased]";

/// The text to remove from the history. Secrets are always removed.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    /// The texts to remove, by their digests, and the replacement of each, if it has one.
    texts: HashMap<Hash, Option<Vec<u8>>>,
    /// The names to remove from messages.
    names: Vec<String>,
}

impl Cuts {
    /// Removes a text, and puts `new` in its place if it is not `None`.
    pub fn text(&mut self, old: &[u8], new: Option<Vec<u8>>) {
        self.texts.insert(Hash::of(old), new);
    }

    /// Removes a file's name from messages.
    pub fn name(&mut self, name: String) {
        self.names.push(name);
    }

    fn blob<'b>(&self, old: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        match self.texts.get(&Hash::of(old)) {
            Some(Some(new)) => Some(Cow::Owned(bytes::redacted(new).into_owned())),
            Some(None) => None,
            None => Some(bytes::redacted(old)),
        }
    }

    fn message(&self, old: &[u8]) -> String {
        let mut new = secrets::redact(&String::from_utf8_lossy(old)).into_owned();
        for name in &self.names {
            new = new.replace(name, ERASED);
        }
        new
    }
}

/// Returns the folder in which the new repository is built.
pub(super) fn new_place(unfinished: &Path) -> PathBuf {
    unfinished.join("new")
}

fn old_place(unfinished: &Path) -> PathBuf {
    unfinished.join("old")
}

/// Finishes an interrupted replacement. The caller holds the writer lock.
///
/// # Errors
/// [`Failure::Other`] if the disk fails. What could not be removed may contain erased text.
pub fn recover(dir: &Path) -> Result<()> {
    let unfinished = dir.join(UNFINISHED);
    if fs::symlink_metadata(&unfinished).is_err() {
        return Ok(());
    }
    // The old repository was moved away either because the new one was complete, or because there must be
    // none.
    for place in Place::ALL {
        let new = place.path(&new_place(&unfinished));
        if old_place(&unfinished).exists() && new.exists() && !place.path(dir).exists() {
            fs::rename(new, place.path(dir))?;
            sync_folder(dir)?;
        }
    }
    remove_unfinished(dir)
}

fn remove_unfinished(dir: &Path) -> Result<()> {
    let removed = remove_whole(&dir.join(UNFINISHED));
    removed.map_err(|e| Failure::Other(format!("{UNFINISHED} cannot be removed: {e}")))
}

/// The result of an erasure in the git history.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// A repository that memtape did not create, at the root or enclosing the workspace; it is unchanged.
    pub foreign: Option<PathBuf>,
    /// Damaged repositories that were removed, relative to the workspace.
    pub removed: Vec<String>,
    /// The places that could not be rewritten or cleaned.
    pub kept: Vec<Kept>,
}

/// A path that may still contain erased text.
#[derive(Debug)]
pub struct Kept {
    /// The file or directory to remove to get rid of the text, relative to the workspace.
    pub at: String,
    /// The cause of the failure.
    pub why: String,
}

impl Kept {
    /// Returns the leftover of an earlier erasure that could not be finished.
    #[must_use]
    pub fn unfinished(why: &Failure) -> Self {
        Self { at: UNFINISHED.to_owned(), why: why.to_string() }
    }
}

/// Rewrites every git history of a workspace, at all places. After a failure, the old repository is
/// unchanged, or its remains are in `.memtape-git`.
#[must_use]
pub fn rewrite(dir: &Path, workspace: &str, cuts: &Cuts) -> Rewritten {
    let mut done = Rewritten::default();
    match damage::remove_kept(dir) {
        Ok(removed) => done.removed = removed,
        Err(e) => done.kept.push(Kept { at: damage::ARCHIVE.to_owned() + "/git-*", why: e.to_string() }),
    }
    for place in Place::ALL {
        if let Err(e) = rewrite_one(dir, place, workspace, cuts, &mut done) {
            let at = format!("{} and {UNFINISHED}", place.name());
            done.kept.push(Kept { at, why: e.to_string() });
        }
    }
    done
}

fn rewrite_one(dir: &Path, place: Place, workspace: &str, cuts: &Cuts, done: &mut Rewritten) -> Result<()> {
    recover(dir)?;
    let rewritten = match find(dir, place, workspace) {
        Ok(Found::Nothing) => return Ok(()),
        Ok(Found::Foreign(at)) => {
            done.foreign.get_or_insert(at);
            return Ok(());
        }
        Ok(Found::Ours(old)) => {
            write_anew(dir, place, workspace, &old, cuts).map_err(|e| match read_all(&old) {
                Err(damage @ Failure::Damaged(_)) => damage,
                _ => Failure::Other(e.to_string()),
            })
        }
        Err(e) => Err(e),
    };
    match rewritten {
        Ok(()) => replace(dir, place),
        Err(Failure::Damaged(_)) => {
            remove_whole(&new_place(&dir.join(UNFINISHED)))?;
            replace(dir, place)?;
            done.removed.insert(0, place.name().to_owned());
            Ok(())
        }
        Err(e) => Err(e),
    }
}

/// Builds the new repository, complete and on the disk.
fn write_anew(dir: &Path, place: Place, workspace: &str, old: &History, cuts: &Cuts) -> Result<()> {
    let unfinished = dir.join(UNFINISHED);
    fs::create_dir(&unfinished)?;
    let at = new_place(&unfinished);
    let new = make(&at, place, workspace)?;
    keep_settings(&old.repository, &new)?;
    let commits = Rewriting { old: &old.repository, new: &new, cuts, trees: HashMap::new() }.commits()?;
    rewrite_refs(&old.repository, &new, &commits)?;
    if let (Some(_), Some(mut manifest)) = (old.position(), read_manifest(old.repository.path())) {
        let head = manifest.position.head.and_then(|head| Oid::from_str(&head).ok());
        manifest.position.head = head.and_then(|head| Some(commits.get(&head)?.to_string()));
        write_manifest(&new, &manifest)?;
    }
    Ok(sync_whole(&at)?)
}

/// Replaces the old repository with the new one, if there is one.
fn replace(dir: &Path, place: Place) -> Result<()> {
    let unfinished = dir.join(UNFINISHED);
    fs::create_dir_all(&unfinished)?;
    fs::rename(place.path(dir), old_place(&unfinished))?;
    let new = place.path(&new_place(&unfinished));
    if new.exists() {
        fs::rename(new, place.path(dir))?;
    }
    sync_folder(&unfinished)?;
    sync_folder(dir)?;
    remove_unfinished(dir)
}

/// Passes every text of the history at a place to `each`, once, with one path where it occurs. Of a
/// repository that is damaged, or belongs to another user, it passes every object that can be read.
///
/// # Errors
/// [`Failure::Other`] if the disk fails.
pub fn each_text(dir: &Path, place: Place, workspace: &str, mut each: impl FnMut(&str, &[u8])) -> Result<()> {
    let mut seen = HashSet::new();
    let read = match find(dir, place, workspace) {
        Ok(Found::Ours(history)) => each_reachable(&history.repository, &mut seen, &mut each)
            .map_err(|e| read_all(&history).err().unwrap_or(e)),
        Ok(_) => Ok(()),
        Err(e) => Err(e),
    };
    match read {
        Err(Failure::Damaged(_)) => {
            damage::each_object(&place.path(dir), &seen, |text| each("a damaged history", text))
        }
        Err(Failure::OtherUsers(_)) => {
            damage::each_object(&place.path(dir), &seen, |text| each("another user's history", text))
        }
        read => read,
    }
}

fn each_reachable(
    repository: &Repository,
    seen: &mut HashSet<Oid>,
    each: &mut impl FnMut(&str, &[u8]),
) -> Result<()> {
    for id in walk(repository)? {
        let commit = repository.find_commit(id?)?;
        seen.insert(commit.id());
        each("a commit's message", commit.message_bytes());
        let mut found = Vec::new();
        super::blobs(&commit.tree()?, |path, id, _| {
            if !seen.contains(&id) {
                found.push((path.to_owned(), id));
            }
        })?;
        for (path, id) in found {
            let blob = repository.find_blob(id)?;
            if seen.insert(id) {
                each(&path, blob.content());
            }
        }
    }
    Ok(())
}

/// Checks that every text of a repository can be read.
///
/// # Errors
/// [`Failure::Damaged`] if one cannot be read; [`Failure::Other`] if this user has no permission to read it.
fn read_all(history: &History) -> Result<()> {
    let repository = &history.repository;
    each_reachable(repository, &mut HashSet::new(), &mut |_, _| {})
        .map_err(|e| damage::judge(repository.path(), &e))
}

/// Copies the user's settings of the repository.
fn keep_settings(old: &Repository, new: &Repository) -> Result<()> {
    fs::copy(old.path().join("config"), new.path().join("config"))?;
    for folder in ["info", "hooks"] {
        let Ok(entries) = fs::read_dir(old.path().join(folder)) else { continue };
        fs::create_dir_all(new.path().join(folder))?;
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), new.path().join(folder).join(entry.file_name()))?;
            }
        }
    }
    Ok(())
}

/// Returns every commit that is reachable from a branch, a tag or the commit that is checked out, parents
/// first.
fn walk(repository: &Repository) -> Result<git2::Revwalk<'_>> {
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
    for (_, id) in tips(repository)? {
        walk.push(id)?;
    }
    match repository.head() {
        Ok(head) => walk.push(head.peel_to_commit()?.id())?,
        Err(e) if matches!(e.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {}
        Err(e) => return Err(e.into()),
    }
    Ok(walk)
}

/// Returns the branches and tags, and the commit of each.
fn tips(repository: &Repository) -> Result<Vec<(String, Oid)>> {
    let mut tips = Vec::new();
    for reference in repository.references()? {
        let reference = reference?;
        let Ok(name) = reference.name().map(str::to_owned) else { continue };
        if !(name.starts_with("refs/heads/") || name.starts_with("refs/tags/")) {
            continue;
        }
        // A tag may point to an object other than a commit, but that object must exist.
        let object = reference.peel(ObjectType::Any)?;
        if let Ok(commit) = object.peel_to_commit() {
            tips.push((name, commit.id()));
        }
    }
    Ok(tips)
}

struct Rewriting<'r> {
    old: &'r Repository,
    new: &'r Repository,
    cuts: &'r Cuts,
    /// The rewritten form of each tree; `None` if it has become empty.
    trees: HashMap<Oid, Option<Oid>>,
}

impl Rewriting<'_> {
    fn commits(mut self) -> Result<HashMap<Oid, Oid>> {
        let mut commits = HashMap::new();
        for id in walk(self.old)? {
            let commit = self.old.find_commit(id?)?;
            let tree = match self.tree(&commit.tree()?)? {
                Some(tree) => tree,
                None => self.new.treebuilder(None)?.write()?,
            };
            let parents = commit.parent_ids().filter_map(|parent| commits.get(&parent).copied());
            let parents =
                parents.map(|id| self.new.find_commit(id)).collect::<std::result::Result<Vec<_>, _>>()?;
            let parents: Vec<&Commit<'_>> = parents.iter().collect();
            let [author, committer] = [self.by(&commit.author())?, self.by(&commit.committer())?];
            let message = self.cuts.message(commit.message_bytes());
            let tree = self.new.find_tree(tree)?;
            let new = write_commit(self.new, [&author, &committer], &message, &tree, &parents)?;
            commits.insert(commit.id(), new);
        }
        Ok(commits)
    }

    fn by(&self, old: &Signature<'_>) -> Result<Signature<'static>> {
        let clean = |text: &[u8]| self.cuts.message(text);
        Ok(Signature::new(&clean(old.name_bytes()), &clean(old.email_bytes()), &old.when())?)
    }

    fn tree(&mut self, tree: &Tree<'_>) -> Result<Option<Oid>> {
        if let Some(known) = self.trees.get(&tree.id()) {
            return Ok(*known);
        }
        let mut builder = self.new.treebuilder(None)?;
        for entry in tree {
            let kept = match entry.kind() {
                Some(ObjectType::Tree) => self.tree(&self.old.find_tree(entry.id())?)?,
                Some(ObjectType::Blob) => {
                    let blob = self.old.find_blob(entry.id())?;
                    self.cuts.blob(blob.content()).map(|new| self.new.blob(&new)).transpose()?
                }
                // The commit of a submodule contains no text of this repository.
                _ => Some(entry.id()),
            };
            if let Some(id) = kept {
                builder.insert(entry.name_bytes(), id, entry.filemode())?;
            }
        }
        let written = if builder.is_empty() { None } else { Some(builder.write()?) };
        self.trees.insert(tree.id(), written);
        Ok(written)
    }
}

/// Points branches, tags and `HEAD` to the rewritten commits.
fn rewrite_refs(old: &Repository, new: &Repository, commits: &HashMap<Oid, Oid>) -> Result<()> {
    for (name, id) in tips(old)? {
        if let Some(id) = commits.get(&id) {
            new.reference(&name, *id, true, "")?;
        }
    }
    let head = old.find_reference("HEAD")?;
    match head.symbolic_target() {
        Ok(Some(branch)) => new.set_head(branch)?,
        _ => {
            if let Some(id) = head.target().and_then(|id| commits.get(&id)) {
                new.set_head_detached(*id)?;
            }
        }
    }
    if let Ok(tip) = new.head().and_then(|head| head.peel_to_tree()) {
        let mut index = new.index()?;
        index.read_tree(&tip)?;
        index.write()?;
    }
    // The reference logs only describe the rewrite itself.
    remove_whole(&new.path().join("logs"))?;
    Ok(())
}
