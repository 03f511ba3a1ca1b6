//! Writing the history of the files anew, without what was erased.
//!
//! Every commit is written anew into a fresh repository, which then takes the old one's place: no object, pack or log of
//! the old one stays. What is not reachable from a branch, a tag or what is checked out goes with it, and so does what a
//! person staged and did not commit.
//!
//! **Invariants.** The old repository goes away only once the new one is whole. Whoever comes next finishes what was
//! interrupted ([`recover`]); doing it twice is doing it once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use git2::{Commit, ObjectType, Oid, Repository, Signature, Sort, Tree};
use memtape_core::bytes;
use memtape_core::safety::secrets;
use memtape_tape::Hash;

use super::{
    DOT_GIT, Found, History, Result, UNFINISHED, dot_git, find, make, remove_folder, write_position,
};

/// What is said instead of a name that goes.
const ERASED: &str = "[erased]";

/// What goes of the history. Secrets always do.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    /// Texts that go, by their digests, and what stands instead of each.
    texts: HashMap<Hash, Option<Vec<u8>>>,
    /// Names that go from messages.
    names: Vec<String>,
}

impl Cuts {
    /// Takes out a text, and leaves another in its place, or none.
    pub fn text(&mut self, old: &[u8], new: Option<Vec<u8>>) {
        self.texts.insert(Hash::of(old), new);
    }

    /// Takes a file's name out of messages.
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

/// Where the new repository is made.
pub(super) fn new_place(unfinished: &Path) -> PathBuf {
    unfinished.join("new")
}

fn old_place(unfinished: &Path) -> PathBuf {
    unfinished.join("old")
}

/// Finishes what was interrupted.
///
/// # Errors
/// What the medium says.
pub fn recover(dir: &Path) -> Result<()> {
    let unfinished = dir.join(UNFINISHED);
    if fs::symlink_metadata(&unfinished).is_err() {
        return Ok(());
    }
    // The old one went away because the new one was whole.
    if old_place(&unfinished).exists() && !dot_git(dir).exists() {
        fs::rename(new_place(&unfinished).join(DOT_GIT), dot_git(dir))?;
    }
    Ok(remove_folder(&unfinished)?)
}

/// Writes the history of a workspace anew; `false` where the repository at its root is not ours, which stays as it is.
///
/// # Errors
/// What the medium says; the next try begins anew, or finishes.
pub fn rewrite(dir: &Path, workspace: &str, cuts: &Cuts) -> Result<bool> {
    let old = match find(dir, workspace)? {
        Found::Nothing => return Ok(true),
        Found::Foreign => return Ok(false),
        Found::Ours(history) => history,
    };
    let unfinished = dir.join(UNFINISHED);
    fs::create_dir(&unfinished)?;
    let place = new_place(&unfinished);
    let new = make(&place, workspace)?;
    keep_settings(&old.repository, &new)?;
    let commits = Rewriting { old: &old.repository, new: &new, cuts, trees: HashMap::new() }.commits()?;
    rewrite_refs(&old.repository, &new, &commits)?;
    if let Some(mut position) = old.position() {
        position.head =
            position.head.and_then(|head| Some(commits.get(&Oid::from_str(&head).ok()?)?.to_string()));
        write_position(&new, &position)?;
    }
    drop((new, old));
    fs::rename(dot_git(dir), old_place(&unfinished))?;
    fs::rename(place.join(DOT_GIT), dot_git(dir))?;
    remove_folder(&unfinished)?;
    Ok(true)
}

/// Looks through every text of the history of a workspace that is ours: each is told once, with the path it has somewhere.
///
/// # Errors
/// What the medium says.
pub fn each_text(dir: &Path, workspace: &str, mut each: impl FnMut(&str, &[u8])) -> Result<()> {
    let Found::Ours(History { repository }) = find(dir, workspace)? else { return Ok(()) };
    let mut seen = std::collections::HashSet::new();
    for id in walk(&repository)? {
        let commit = repository.find_commit(id?)?;
        each("a commit's message", commit.message_bytes());
        let mut found = Vec::new();
        super::blobs(&commit.tree()?, |path, id, _| {
            if seen.insert(id) {
                found.push((path.to_owned(), id));
            }
        })?;
        for (path, id) in found {
            each(&path, repository.find_blob(id)?.content());
        }
    }
    Ok(())
}

/// What a person set for the repository.
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

/// Every commit that a branch, a tag or what is checked out reaches, parents first.
fn walk(repository: &Repository) -> Result<git2::Revwalk<'_>> {
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
    for (_, id) in tips(repository)? {
        walk.push(id)?;
    }
    if let Some(id) = repository.head().ok().and_then(|head| head.peel_to_commit().ok()) {
        walk.push(id.id())?;
    }
    Ok(walk)
}

/// The branches and tags, and the commit that each names.
fn tips(repository: &Repository) -> Result<Vec<(String, Oid)>> {
    let mut tips = Vec::new();
    for reference in repository.references()? {
        let reference = reference?;
        let Ok(name) = reference.name().map(str::to_owned) else { continue };
        if !(name.starts_with("refs/heads/") || name.starts_with("refs/tags/")) {
            continue;
        }
        if let Ok(commit) = reference.peel_to_commit() {
            tips.push((name, commit.id()));
        }
    }
    Ok(tips)
}

struct Rewriting<'r> {
    old: &'r Repository,
    new: &'r Repository,
    cuts: &'r Cuts,
    /// What became of each tree; nothing of one that is empty now.
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
            let new = self.new.commit(None, &author, &committer, &message, &tree, &parents)?;
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
                // Another repository's commit names no text of this one.
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

/// Lets branches, tags and what is checked out name what became of their commits.
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
    // The log of what was checked out has nothing to tell.
    remove_folder(&new.path().join("logs"))?;
    Ok(())
}
