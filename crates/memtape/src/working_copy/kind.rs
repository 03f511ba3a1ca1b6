//! What a form says of itself whose memories stand in files that a person may edit.
//!
//! **Invariant.** Paths are those of the working copy, below its root; the form's own may be shorter.

use std::collections::BTreeMap;

use memtape_core::{Context, Decision, Form, Origin, Point};
use memtape_index::{Moved, Reader, Result};
use memtape_tape::{Draft, EntryId};
use memtape_worktree::working_copy::WorkingCopy;

use crate::config::Config;
use crate::workspace::Workspace;

/// A person's text of a file, and what they made it of.
pub(crate) struct Edit<'e> {
    pub(crate) path: &'e str,
    /// What stood there when they began; empty for a new file.
    pub(crate) base: &'e [u8],
    /// Without its secrets; none where the file is gone.
    pub(crate) text: Option<&'e [u8]>,
}

/// What edits come to.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) drafts: Vec<Draft>,
    /// For each edit, what the tape had of the file before.
    pub(crate) current: Vec<Option<Vec<u8>>>,
}

/// A form whose memories stand in files.
pub(crate) trait Kind: Sync {
    /// The form.
    fn form(&self) -> Form;

    /// What its files are called.
    fn what(&self) -> &'static str;

    /// Where they stand.
    fn copy<'w>(&self, workspace: &'w Workspace) -> &'w WorkingCopy;

    /// Whether an event of this name is the form's.
    fn is_ours(&self, name: &str) -> bool;

    /// What changed on a branch itself since an entry.
    fn moved(&self, reader: &Reader<'_>, branch: &str, since: EntryId) -> Result<Moved>;

    /// The entries at a point, newest first, that changed a file.
    fn history(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Vec<EntryId>>;

    /// What a file is at a point.
    fn text(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Option<Vec<u8>>>;

    /// What every file is at a point.
    fn texts(&self, reader: &Reader<'_>, point: &Point) -> Result<BTreeMap<String, Vec<u8>>>;

    /// Decides what a person's edits of different files come to.
    fn take_in(&self, reader: &Reader<'_>, edits: &[Edit<'_>], ctx: &Context) -> Result<Taken>;

    /// Decides what it comes to that a person gave a file another name; `base` is what it said.
    fn rename(
        &self,
        reader: &Reader<'_>,
        from: &str,
        to: &str,
        base: &[u8],
        ctx: &Context,
    ) -> Result<Decision<()>>;

    /// Who changes a file outside memtape.
    fn origin(&self, _config: &Config, _path: &str) -> Origin {
        Origin::Editor
    }
}

/// Returns the error for a path that no file of a form can have.
pub(super) fn not_ours(path: &str) -> memtape_index::Error {
    let why = memtape_worktree::Error::NotInWorkingCopy(path.to_owned()).to_string();
    memtape_core::Error::Invalid(why).into()
}
