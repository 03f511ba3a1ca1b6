//! Stands for `repository` in a build without the feature `git`. It finds out whose a repository is, and neither reads
//! nor writes what is in one.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use memtape_tape::{Durability, EntryId, Hash};

use super::rewrite::Cuts;
use super::{Failure, MARK, Place, Position, Result, Step, archive, find, lookup, read_manifest};

pub(super) use super::lookup::discover;

/// Whether this build reads and writes git histories.
pub const IS_SUPPORTED: bool = false;

/// Memtape's git repository of a workspace, which this build cannot open.
pub enum History {}

/// Returns whether memtape created a repository. Only the repository's own configuration counts, because a
/// setting of the user elsewhere must not make a repository memtape's. If the configuration cannot be read, the
/// manifest decides.
pub(super) fn is_ours(path: &Path, workspace: &str) -> Result<bool> {
    let config = path.join("config");
    let is_empty = fs::metadata(&config).is_ok_and(|found| found.len() == 0);
    match lookup::value(&config, MARK) {
        Ok(Some(id)) => Ok(id == workspace),
        Ok(None) if !is_empty => Ok(false),
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Err(e.into()),
        _ => Ok(read_manifest(path).is_some_and(|manifest| manifest.workspace == workspace)),
    }
}

/// Returns whether memtape created the repository with this configuration, for whichever workspace.
pub(super) fn is_marked(config: &Path) -> bool {
    lookup::value(config, MARK).is_ok_and(|id| id.is_some())
}

/// Passes no text of the history at a place to `each`.
///
/// # Errors
/// [`Failure::Unsupported`] if memtape created a repository there; [`Failure::Other`] if the disk fails.
pub fn each_text(dir: &Path, place: Place, workspace: &str, _each: impl FnMut(&str, &[u8])) -> Result<()> {
    find(dir, place, workspace).map(drop)
}

/// Passes no text of the archived repositories to `each`.
///
/// # Errors
/// [`Failure::Unsupported`] if there is any.
pub fn each_archived_text(dir: &Path, _each: impl FnMut(&str, &[u8])) -> Result<()> {
    if archive::is_any_kept(dir) { Err(Failure::Unsupported) } else { Ok(()) }
}

/// The functions of the history. Only [`History::open`] and [`History::create`] can be called; they fail.
#[expect(missing_docs, clippy::missing_errors_doc, reason = "no value has these functions")]
impl History {
    pub(super) fn open(_path: &Path) -> Result<Self> {
        Err(Failure::Unsupported)
    }

    pub fn create(_dir: &Path, _place: Place, _workspace: &str, _durability: Durability) -> Result<Self> {
        Err(Failure::Unsupported)
    }

    pub(super) fn is_of(&self, _dir: &Path) -> bool {
        match *self {}
    }

    pub(super) fn fit(self, _place: Place) -> Result<()> {
        match self {}
    }

    pub(super) fn copy_without(
        &self,
        _cuts: &Cuts,
        _dir: &Path,
        _place: Place,
        _workspace: &str,
    ) -> Result<()> {
        match *self {}
    }

    #[must_use]
    pub fn position(&self) -> Option<Position> {
        match *self {}
    }

    pub fn set_position(&self, _workspace: &str, _branch: &str, _entry: EntryId, _hash: Hash) -> Result<()> {
        match *self {}
    }

    pub fn is_empty(&self) -> Result<bool> {
        match *self {}
    }

    pub fn differing(
        &self,
        _wanted: BTreeMap<String, Vec<u8>>,
        _is_one: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<String, Option<Vec<u8>>>> {
        match *self {}
    }

    #[must_use]
    pub fn judge(&self, _failure: Failure) -> Failure {
        match *self {}
    }

    pub fn has_its_branch(&self) -> Result<()> {
        match *self {}
    }

    pub fn is_free(&self) -> Result<()> {
        match *self {}
    }

    pub fn break_own_locks(&self) -> Result<()> {
        match *self {}
    }

    pub fn commit(
        &self,
        _steps: &[Step],
        _durability: Durability,
        _progress: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        match *self {}
    }
}
