//! Reads every text of a repository, and copies a repository without the text to erase.
//!
//! Every commit and annotated tag is rewritten, without its signature. What is not reachable from a branch, a tag or the
//! commit that is checked out is not copied, and neither is what the user staged and did not commit.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use git2::{Commit, ObjectType, Oid, Repository, Signature, Sort, Tree};
use memtape_core::bytes;
use memtape_core::safety::secrets;
use memtape_tape::Hash;

use super::commit::write_commit;
use super::objects::{Depth, check_from, checked_out, is_dangling, named};
use super::{
    Failure, History, Place, Result, UNFINISHED, blobs, damage, make, new_place, open, read_manifest,
    remove_whole, sync_whole, write_manifest,
};
use crate::git::rewrite::Cuts;
use crate::git::{Found, find};

/// The replacement for an erased name.
const ERASED: &str = "[erased]";

/// The beginning of a signature in the message of a tag.
const SIGNATURE: &str = "\n-----BEGIN PGP SIGNATURE-----";

impl Cuts {
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

    fn by(&self, old: &Signature<'_>) -> Result<Signature<'static>> {
        let clean = |text: &[u8]| self.message(text);
        Ok(Signature::new(&clean(old.name_bytes()), &clean(old.email_bytes()), &old.when())?)
    }
}

impl History {
    /// Builds a new repository without the text to erase in `.memtape-git`, complete and on the disk.
    ///
    /// # Errors
    /// [`Failure::Damaged`] if a text of this repository cannot be read; [`Failure::Other`] if the disk fails.
    pub(in crate::git) fn copy_without(
        &self,
        cuts: &Cuts,
        dir: &Path,
        place: Place,
        workspace: &str,
    ) -> Result<()> {
        self.try_copy_without(cuts, dir, place, workspace).map_err(|e| match read_all(self) {
            Err(damage @ Failure::Damaged(_)) => damage,
            _ => Failure::Other(e.to_string()),
        })
    }

    fn try_copy_without(&self, cuts: &Cuts, dir: &Path, place: Place, workspace: &str) -> Result<()> {
        let old = &self.repository;
        let unfinished = dir.join(UNFINISHED);
        fs::create_dir(&unfinished)?;
        let at = new_place(&unfinished);
        let new = make(&at, place, workspace)?;
        keep_settings(old, &new)?;
        let commits = Rewriting { old, new: &new, cuts, trees: HashMap::new() }.commits()?;
        rewrite_refs(old, &new, &commits, cuts)?;
        if let (Some(_), Some(mut manifest)) = (self.position(), read_manifest(old.path())) {
            let head = manifest.position.head.and_then(|head| Oid::from_str(&head).ok());
            manifest.position.head = head.and_then(|head| Some(commits.get(&head)?.to_string()));
            write_manifest(&new, &manifest)?;
        }
        Ok(sync_whole(&at)?)
    }
}

/// Passes every text of the history at a place to `each`, once, with one path where it occurs; then every other object that
/// can be read, such as the message of a tag and what was stashed. Of a repository that is damaged, or belongs to another
/// user, it passes every object that can be read.
///
/// # Errors
/// [`Failure::Unsupported`] if this build has no git support; [`Failure::Other`] if the disk fails.
pub fn each_text(dir: &Path, place: Place, workspace: &str, mut each: impl FnMut(&str, &[u8])) -> Result<()> {
    let mut seen = HashSet::new();
    let read = match find(dir, place, workspace) {
        Ok(Found::Ours(history)) => each_reachable(&history.repository, &mut seen, &mut each)
            .map(|()| "an object that no branch has")
            .map_err(|e| read_all(&history).err().unwrap_or(e)),
        Ok(_) => return Ok(()),
        Err(e) => Err(e),
    };
    let rest = match read {
        Err(Failure::Damaged(_)) => "a damaged history",
        Err(Failure::OtherUsers(_)) => "another user's history",
        read => read?,
    };
    damage::each_object(&place.path(dir), &seen, |text| each(rest, text))
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
        each("a commit's author", commit.raw_header_bytes());
        let mut found = Vec::new();
        blobs(&commit.tree()?, |path, id, _| {
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
/// [`Failure::Damaged`] if one cannot be read; [`Failure::Other`] if a file cannot be opened.
fn read_all(history: &History) -> Result<()> {
    let path = history.repository.path();
    // Opened again: libgit2 reports a damaged list of references once, and then takes it for an empty one.
    let read = open(path)
        .map_err(Failure::from)
        .and_then(|repository| each_reachable(&repository, &mut HashSet::new(), &mut |_, _| {}));
    read.map_err(|e| match e {
        // The repository could be opened before, so its format is known.
        Failure::Damaged(why) | Failure::Other(why) => damage::damaged(path, why),
        e => e,
    })
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
/// first. Everything that is reachable was checked then.
fn walk(repository: &Repository) -> Result<git2::Revwalk<'_>> {
    check_from(repository, named(repository)?, Depth::History)?;
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
    for (_, id) in tips(repository)? {
        walk.push(id)?;
    }
    if let Some(id) = checked_out(repository)? {
        walk.push(id)?;
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
        if is_dangling(&reference) {
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
            let [author, committer] = [self.cuts.by(&commit.author())?, self.cuts.by(&commit.committer())?];
            let message = self.cuts.message(commit.message_bytes());
            let tree = self.new.find_tree(tree)?;
            let new = write_commit(self.new, [&author, &committer], &message, &tree, &parents)?;
            commits.insert(commit.id(), new);
        }
        Ok(commits)
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
fn rewrite_refs(old: &Repository, new: &Repository, commits: &HashMap<Oid, Oid>, cuts: &Cuts) -> Result<()> {
    for (name, id) in tips(old)? {
        if let Some(id) = commits.get(&id) {
            let id = rewrite_tag(old, new, (&name, *id), cuts)?.unwrap_or(*id);
            new.reference(&name, id, true, "")?;
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

/// Writes the annotated tag of a reference anew for the rewritten commit; `None` if the reference has none.
fn rewrite_tag(
    old: &Repository,
    new: &Repository,
    (reference, commit): (&str, Oid),
    cuts: &Cuts,
) -> Result<Option<Oid>> {
    let Ok(tag) = old.find_reference(reference)?.peel_to_tag() else { return Ok(None) };
    let Some(tagger) = tag.tagger() else { return Ok(None) };
    let message = cuts.message(tag.message_bytes().unwrap_or_default());
    // A signature is the end of the message, and does not fit the new tag.
    let message = message.find(SIGNATURE).map_or(&message[..], |end| &message[..=end]);
    let name = cuts.message(tag.name_bytes());
    let target = new.find_object(commit, Some(ObjectType::Commit))?;
    Ok(Some(new.tag_annotation_create(&name, &target, &cuts.by(&tagger)?, message)?))
}
